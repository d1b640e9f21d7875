"""Specs damaged on purpose: `diff` must be told of every damage that changes a verdict, and of nothing else.

Whether a damage changes anything is decided hand by hand, without the product of automata that `diff`
is made of: by the reference judge on the small ruleset, by the judge on hands of the shipped games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, count, product, repeat
from pathlib import Path
from typing import Any

import pytest

import dsl
from dsl.api import Damage
from dsl.core.hand import Hand, read_hand, to_json
from dsl.core.model import Game, Meld
from dsl.core.reference import judge
from dsl.front.format import format_source
from dsl.text.source import Source
from tests.arranged import Arranger
from tests.conftest import ROOT, any_hands
from verifier import diff, verify
from verifier.essence import points
from verifier.readings import Prober
from verifier.telling import likely

UNTOLD = (
    "hubei/baifusi/game.pai",
    "hubei/dashen/game.pai",
    "hubei/geleche/dashen.pai",
    "hubei/xiantao/game.pai",
    "hubei/xiantao/taihu-003.pai",
    "sichuan/jier/game.pai",
)
"""Shipped games with wild or marked tiles, on which `diff` leaves too much open to be measured."""

SPECS = [
    path
    for path in sorted((ROOT / "specs").glob("*/*/*.pai"))
    if not path.as_posix().endswith(UNTOLD) and "\n规则 " in path.read_text(encoding="utf-8")
]
"""The other shipped games; templates are none."""

SHARE = 0.99
ENOUGH = 8
"""Hands of different worth after which a damage need not be looked into any further."""

TINY = """
规则 一句一口 {
  选项 底 3 | 2
  牌 { 房 上大人 丘乙己；每张 3；类 将 = 上大人；类 闲 = 非 将；类 红 = 上 丘 }
  来路 { 自家 = 起手 自摸；他人 = 他摸 他打；手 起手 }
  座 { 庄 5；闲 4 × 2 }
  境 雨：否 是
  牌型 {
    句 a b c 作 1组
    口 a b 作 1口 待 c
    碰 a a a 其余 起手 第三 他人 作 1组 锁
    坎 a a a 皆 自家 作 1组
    单 a 作 1单 待 b c
  }
  价 分 { 列 将 闲；句 2 1；口 1 0；碰 2 1；坎 4 2 }
  名 {
    素：无 将 倍 2
    清：无 碰 坎 或 雨 = 是 且 皆 红 倍 3
    满：凡 型 作 组：分 ≥ 2 倍 2
    叠法 最高
  }
  和 {
    形 1组 1口
    末张 自摸 他摸 无
    须 门槛：分 ≥ 3 除非 素
    取 支付
  }
  诈和 { 当 不和：非 和 }
  支付 {
    和：每家 付 当家 1 × 倍
    和 庄加：庄 付 当家 1 若 雨 = 是
    诈和：当家 付 每家 2
  }
  落叫 { 单口 1组 等 口；单吊 1口 1单 等 单 }
  若 底 = 2 { 调 和.门槛 3 → 2 }
}
"""


# ---------------------------------------------------------------- one spec and its damages


@dataclass
class Score:
    """What came of the damages of one spec."""

    of: int
    tried: int = 0
    broken: int = 0
    same: int = 0
    changed: int = 0
    unnamed: int = 0
    """Noticed, but no clause is said to differ."""
    missed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.changed - len(self.missed)} of {self.changed} damages that change a verdict noticed "
            f"({self.tried} of {self.of} tried, {self.broken} do not load, {self.same} change none "
            f"that was seen, {self.unnamed} noticed without a clause to blame)"
        )


@dataclass(frozen=True)
class Seen:
    """What the judge says of a hand, as far as `diff` compares it."""

    complete: bool
    win: bool
    top: int | None
    names: tuple[str, ...]
    payments: dict[str, int]


def by_reference(game: dsl.Game, hand: Hand) -> Seen:
    found = judge(game.core, hand)
    top = max(found.scores, default=None) if found.complete else None
    return Seen(found.complete, found.win, top, found.names, dict(found.payments))


def by_judge(game: dsl.Game, hand: Hand) -> Seen:
    found = game.judge(hand)
    top = max(found.scores, default=None) if found.complete else None
    return Seen(found.complete, found.win, top, found.names, dict(found.payments))


def apart(a: Seen, b: Seen) -> set[str]:
    """The aspects in which two verdicts differ."""
    said = {
        "win": a.win != b.win,
        "score": a.complete and b.complete and a.top != b.top,
        "names": a.win and b.win and set(a.names) != set(b.names),
        "payment": a.win == b.win and a.complete == b.complete and a.payments != b.payments,
    }
    return {name for name, differs in said.items() if differs}


def sampled(damages: list[Damage], most: int) -> list[Damage]:
    """At most so many, spread evenly."""
    step = max(1, -(-len(damages) // most))
    return damages[::step]


def twin(old: Game, new: Game, hand: Hand) -> Hand | None:
    """The same hand in the damaged game; None for one that only one of them knows."""
    if old.melds is new.melds and _table(old) == _table(new):
        return hand
    found, _ = read_hand(new, to_json(old, hand))
    if found is None or any(not new.melds[m.meld].type.locked for m in found.laid):
        return None
    return found


def _table(game: Game) -> Any:
    """What a hand is read by besides melds."""
    return game.kinds, game.seats, game.parameters, game.shapes


def noticed(
    base: dsl.Game,
    damages: Iterable[Damage],
    score: Score,
    hands: Callable[[dsl.Game], Iterable[Hand]],
    look: Callable[[dsl.Game, Hand], Seen],
    more: Callable[[dsl.Game, dsl.Game], Iterable[Hand]] = lambda old, new: (),
) -> Score:
    """Damage the game again and again; compare what each hand is worth with what `diff` says.

    `hands` are those of the game as it is, `more` those that one damage makes interesting, the plain ones
    first. Damages under the same options come together: they share the game as it is.
    """
    key, old, known = None, base, list[tuple[Hand, Seen]]()
    for damage in sorted(damages, key=lambda d: tuple(d.options.items())):
        score.tried += 1
        if key != tuple(damage.options.items()):
            key = tuple(damage.options.items())
            old = dsl.Game(base.loader.again(base.core, damage.options), like=base)
            known = [(hand, look(old, hand)) for hand in hands(old)]
        loader = base.loader.damaged(damage)
        try:
            new = None if loader is None else dsl.Game(loader.again(base.core, damage.options), like=old)
        except dsl.SpecError:
            new = None
        if new is None:
            score.broken += 1
        else:
            fresh = ((hand, look(old, hand)) for hand in more(old, new))
            _compare(old, new, damage, chain(known, fresh), score, look)
    return score


def _compare(
    old: dsl.Game,
    new: dsl.Game,
    damage: Damage,
    known: Iterable[tuple[Hand, Seen]],
    score: Score,
    look: Callable[[dsl.Game, Hand], Seen],
) -> None:
    differing: dict[str, Hand] = {}
    hands = 0
    for hand, seen in known:
        other = twin(old.core, new.core, hand)
        aspects = set() if other is None else apart(seen, look(new, other))
        hands += bool(aspects)
        for aspect in aspects:
            differing.setdefault(aspect, hand)
        if hands == ENOUGH:
            break
    if not differing:
        score.same += 1
        return
    score.changed += 1
    found = diff(old, new)
    silent = [aspect for aspect in differing if found.aspects[aspect].relation == "equal"]
    score.unnamed += not silent and not found.clauses
    if silent:
        hand = to_json(old.core, differing[silent[0]])
        where = f"{damage.rule.span.path}:{damage.rule.span.line}"
        score.missed.append(f"{where} {damage.rule.name}: {damage.text or 'left out'}: {silent} {hand}")


def told(score: Score, record_property: Callable[[str, object], None], name: str) -> None:
    record_property("damages", f"{name}: {score}")
    assert score.changed - len(score.missed) >= SHARE * score.changed, "\n".join(score.missed)


# ---------------------------------------------------------------- a deck on which every hand can be tried


@pytest.fixture(scope="module")
def tiny() -> dsl.Game:
    return dsl.loads(TINY)


def every_hand(game: dsl.Game) -> Iterator[Hand]:
    """Each concealed hand with each last tile, role and context."""
    core = game.core
    contexts: list[dict[str, str]] = [{}, {"雨": "是"}]
    for counts in product(*(range(kind.copies + 1) for kind in core.kinds)):
        if sum(counts) == core.finished - 1:
            lasts = [k for k, kind in enumerate(core.kinds) if counts[k] < kind.copies]
            for kind, origin in product(lasts, ("自摸", "他摸", "他打")):
                for role, context in product(core.roles, contexts):
                    yield Hand(role, (), counts, (kind, origin), context)


def exposed(game: dsl.Game, number: int) -> Iterator[Hand]:
    """Hands of which only locked melds are exposed, declared rightly."""
    for hand in any_hands(game, number, seed=97):
        if all(game.core.melds[m.meld].type.locked for m in hand.laid):
            yield replace(hand, declared=None)


def each(step: int) -> Callable[[dsl.Game], Iterator[Hand]]:
    """One in `step` of all hands, and some with exposed melds."""

    def hands(game: dsl.Game) -> Iterator[Hand]:
        yield from (hand for i, hand in enumerate(every_hand(game)) if i % step == 0)
        yield from exposed(game, 150)

    return hands


def test_damages_of_a_small_ruleset_are_noticed(tiny, record_property) -> None:  # type: ignore[no-untyped-def]
    damages = tiny.loader.damages(tiny.core)
    score = noticed(tiny, sampled(damages, 40), Score(len(damages)), each(41), by_reference)
    assert score.changed >= 15
    told(score, record_property, tiny.name)


@pytest.mark.slow
def test_all_damages_of_a_small_ruleset_are_noticed(tiny, record_property) -> None:  # type: ignore[no-untyped-def]
    damages = tiny.loader.damages(tiny.core)
    told(noticed(tiny, damages, Score(len(damages)), each(7), by_reference), record_property, tiny.name)


# ---------------------------------------------------------------- the shipped games


@pytest.mark.parametrize("name", UNTOLD)
def test_only_games_with_special_tiles_are_left_out(name: str) -> None:
    core = dsl.load(ROOT / "specs" / name).core
    assert core.wild is not None or core.mark is not None


def likely_hands(game: dsl.Game) -> Iterator[Hand]:
    """Hands near a win, and those of the examples."""
    yield from Arranger(game.core).hands(300, seed=97)
    yield from exposed(game, 100)
    for example in game.core.examples:
        hand, _ = read_hand(game.core, example.hand)
        if hand is not None and all(game.core.melds[m.meld].type.locked for m in hand.laid):
            yield replace(hand, declared=None)


def suspects() -> Callable[[dsl.Game, dsl.Game], Iterator[Hand]]:
    """Hands with melds that differ, and those that come to mind in `V118`, judged anew."""
    probers = chain.from_iterable(repeat(Prober(), 50) for _ in count())  # they forget nothing they are asked

    def hands(old: dsl.Game, new: dsl.Game) -> Iterator[Hand]:
        for mine, other in ((old, new), (new, old)):
            there = {_look(meld) for meld in other.core.melds}
            melds = [meld for meld in mine.core.melds if _look(meld) not in there]
            for hand in Arranger(mine.core).hands(150, seed=98, wanted=melds) if melds else ():
                yield from _read(old.core, to_json(mine.core, hand))
        for shown in likely(next(probers), old.core, new.core):
            yield from _read(old.core, shown)

    return hands


def _look(meld: Meld) -> Any:
    """What there is to a meld: its type, its tiles, its prices."""
    kind = meld.type
    said = (kind.name, kind.gives, kind.locked, kind.laid_only, kind.extra, kind.by_last, kind.grows)
    return said, meld.slots, meld.awaits, points(meld)


def _read(game: Game, shown: Mapping[str, Any]) -> Iterator[Hand]:
    """The hand as this game knows it, if only locked melds lie exposed."""
    hand, _ = read_hand(game, shown)
    if hand is not None and all(game.melds[m.meld].type.locked for m in hand.laid):
        yield replace(hand, declared=None)


@pytest.mark.slow
@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_damages_of_a_shipped_spec_are_noticed(path: Path, record_property) -> None:  # type: ignore[no-untyped-def]
    game = dsl.load(path)
    damages = game.loader.damages(game.core, bases=True)
    score = Score(len(damages))
    noticed(game, damages, score, likely_hands, by_judge, suspects())
    assert score.changed or len(damages) < 20  # a few that only say what is fined change no verdict
    told(score, record_property, path.relative_to(ROOT).as_posix())


# ---------------------------------------------------------------- nothing is told of the undamaged ones


def respelled(text: str) -> Iterator[str]:
    """The text laid out anew, in English, and in English and back."""
    english = format_source(Source("a.pai", text), "en")[0]
    yield format_source(Source("a.pai", text), None)[0]
    yield english
    yield format_source(Source("a.pai", english), "zh")[0]


def plain_findings(game: dsl.Game) -> list[Any]:
    """What `verify` finds, without lines and the author's own words."""
    return [
        (f.code, f.severity, f.fingerprint, [r.name for r in f.rules], f.example)
        for f in verify(game).findings
    ]


def unharmed(text: str, shown: str, findings: bool) -> None:
    base = dsl.loads(text, shown=shown)
    expected = plain_findings(base) if findings else []
    for n, again in enumerate(respelled(text)):
        other = dsl.loads(again, shown=shown)
        found = diff(base, other)
        assert {a.relation for a in found.aspects.values()} == {"equal"}
        assert n == 1 or found.equal, found.clauses
        assert not findings or plain_findings(other) == expected


def test_nothing_is_told_of_the_small_ruleset_respelled() -> None:
    unharmed(TINY, "tiny.pai", findings=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_nothing_is_told_of_a_shipped_spec_respelled(path: Path) -> None:
    unharmed(path.read_text(encoding="utf-8"), path.as_posix(), findings=True)


def test_a_damage_says_what_it_is(tiny: dsl.Game) -> None:
    """Words, place and text of a damage agree with the file it makes."""
    damages = tiny.loader.damages(tiny.core)
    told = {d.words[1]: d for d in damages if d.rule.name == "和.门槛"}
    assert list(told) == list(
        dict.fromkeys(("left out", *(d.words[1] for d in damages if d.rule.name == "和.门槛")))
    )
    assert told["`除非 素` left out"].text == "须 门槛：分 ≥ 3"
    assert told["`3` → `4`"].text == "须 门槛：分 ≥ 4 除非 素"
    (inner,) = {d.rule.name for d in damages if d.rule.name.startswith("若")}
    assert inner == "若 底 = 2：和.门槛"
    assert {d.options["底"] for d in chain(damages) if d.rule.name == inner} == {"2"}
