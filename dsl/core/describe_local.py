"""Local conditions in words. Third reading beside `local.py`: same cases, same order."""

from __future__ import annotations

from typing import assert_never

from .describe import SIGNS, Lang
from .flow import (
    Always,
    Changes,
    Exposed,
    First,
    Given,
    HoldsOnly,
    JustDid,
    LeadHas,
    LeftOver,
    Local,
    LocalAnd,
    LocalCompare,
    LocalNot,
    LocalOr,
    LocalSum,
    NothingLeft,
    PlayerIs,
    PresentScore,
    Quantity,
    SameFace,
    Short,
    SitsAt,
    Taken,
    Tied,
    TileFrom,
    TileIn,
    TileNamed,
    TilesLeft,
    TileWild,
    TricksDone,
    Unbeaten,
    WildsHeld,
)
from .model import ORIGINS

LETTERS = "abcde"


def describe_local(condition: Local, lang: Lang) -> str:
    """One line."""
    zh = lang == "zh"
    match condition:
        case Always():
            return "总可以" if zh else "always"
        case LocalNot(part):
            return f"非（{describe_local(part, lang)}）" if zh else f"not ({describe_local(part, lang)})"
        case LocalAnd(parts):
            return (" 且 " if zh else " and ").join(_inside(part, lang) for part in parts)
        case LocalOr(parts):
            return (" 或 " if zh else " or ").join(describe_local(part, lang) for part in parts)
        case TileFrom(origins):
            named = " ".join(origin for origin in ORIGINS if origin in origins)
            return f"这张是 {named}" if zh else f"the tile comes from {named}"
        case PlayerIs(role):
            return f"身 {role}" if zh else f"role {role}"
        case Given(parameter, value):
            return f"{parameter} = {value}"
        case TileIn(_, name):
            return f"这张是 {name}" if zh else f"the tile is one of {name}"
        case TileWild():
            return "这张是赖子" if zh else "the tile is a wild one"
        case Changes(more, _, _, name):
            if zh:
                return f"加上这张，{name} 就多" if more else f"去了它，{name} 就少"
            return f"it makes more {name}" if more else f"without it there are fewer {name}"
        case HoldsOnly(pattern, this, there):
            return _pattern(pattern, this, there, zh)
        case TileNamed() | JustDid() | LeftOver():
            return _of_turn(condition, zh)
        case _:
            return _further(condition, zh)


def _of_turn(condition: TileNamed | JustDid | LeftOver, zh: bool) -> str:
    match condition:
        case TileNamed(parameter):
            return f"这张是 {parameter} 那一面" if zh else f"the tile has the face of {parameter}"
        case JustDid(names):
            named = " ".join(sorted(names))
            return f"这一轮应了、宣了 {named}" if zh else f"{named} was done in this turn"
        case LeftOver():
            return "是应过那一房里留下的" if zh else "the tile was left in the group just taken for"
        case _:
            assert_never(condition)


def _further(
    condition: NothingLeft | First | SitsAt | LeadHas | Unbeaten | Short | LocalCompare,
    zh: bool,
) -> str:
    match condition:
        case NothingLeft():
            return "手里再没有能打的" if zh else "nothing is left to discard"
        case First(turned):
            if zh:
                return "翻出的头一张" if turned else "打出的头一张"
            return "the first tile turned up" if turned else "the first discard"
        case SitsAt(distance):
            if zh:
                return "是下家" if distance else "自己翻的"
            return "the next player" if distance else "turned up by oneself"
        case LeadHas(_, name):
            return f"领出的牌里有 {name}" if zh else f"one of {name} is led"
        case Unbeaten():
            return "自己领的这一墩没有人盖" if zh else "nobody beat the trick that he led"
        case Short():
            return "手里成形而和不了" if zh else "the hand has the shape of a win and makes none"
        case LocalCompare(left, operator, right):
            return f"{_sum(left, zh)} {SIGNS[operator]} {_sum(right, zh)}"
        case _:
            assert_never(condition)


def _inside(part: Local, lang: Lang) -> str:
    text = describe_local(part, lang)
    return text if not isinstance(part, LocalOr) else f"（{text}）" if lang == "zh" else f"({text})"


def _pattern(pattern: tuple[int, ...], this: int | None, there: bool, zh: bool) -> str:
    letters = " ".join(letter for letter, n in zip(LETTERS, pattern, strict=False) for _ in range(n))
    where = ("应过的", " just taken for") if there else ("", "")
    text = (
        f"手里{where[0]}那一房只有 {letters}"
        if zh
        else f"the hand holds only {letters} of the group{where[1]}"
    )
    if this is None:
        return text
    return f"{text}，这张是 {LETTERS[this]}" if zh else f"{text}, the tile is {LETTERS[this]}"


def _sum(term: LocalSum, zh: bool) -> str:
    parts = [_quantity(q, zh) if n == 1 else f"{n} × {_quantity(q, zh)}" for n, q in term.parts]
    return " + ".join([*parts, *([str(term.constant)] if term.constant or not parts else [])])


def _quantity(asked: Quantity, zh: bool) -> str:
    match asked:
        case SameFace():
            return "手里同面的张数" if zh else "tiles of that face in the hand"
        case WildsHeld():
            return "手里的赖子" if zh else "wild tiles in the hand"
        case Taken(names):
            named = " ".join(names)
            return f"要过 {named} 的次数" if zh else f"times taken by {named}"
        case Exposed(_, name, same_group):
            where = ("同房" if zh else " in the group") if same_group else ""
            return f"{where}摆出的 {name}" if zh else f"{name} laid{where}"
        case PresentScore():
            return "手上现有的分" if zh else "points the hand has now"
        case Tied(_, name):
            words = f"要放下的牌里可各配成 {name} 的张数", f"tiles that go and have partners for {name}"
            return words[not zh]
        case TricksDone():
            return "打完的墩数" if zh else "tricks that are over"
        case TilesLeft():
            return "手里剩的张数" if zh else "tiles left in the hand"
        case _:
            assert_never(asked)
