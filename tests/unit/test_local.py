"""Conditions on one player's tiles: what they mean, against a count by hand, and what they are called."""

from __future__ import annotations

import itertools

import pytest

from dsl import load
from dsl.core.describe_local import describe_local
from dsl.core.flow import (
    Always,
    Changes,
    Exposed,
    First,
    Given,
    HoldsOnly,
    Local,
    LocalAnd,
    LocalCompare,
    LocalNot,
    LocalOr,
    LocalSum,
    NothingLeft,
    PlayerIs,
    SameFace,
    SitsAt,
    Taken,
    TileFrom,
    TileIn,
    TileWild,
)
from dsl.core.local import Sight, met
from dsl.core.model import WILD

GAME = load("打神").core
TYPES = {t.name: t.index for t in GAME.types}


def sight(held: tuple[int, ...], tile: int, **more: object) -> Sight:
    """Tiles of the first group, and what else is said."""
    counts = (*held, *(0 for _ in GAME.kinds[3:]))
    used = tuple(int(kind == tile and more.get("origin") is None) for kind in range(len(GAME.kinds)))
    return Sight(GAME, "闲", counts, tile, used, **more)  # type: ignore[arg-type]


def changes(more: bool, name: str, first: str = "") -> Changes:
    return Changes(more, frozenset({TYPES[name]}), frozenset({TYPES[first]} if first else ()), name)


@pytest.mark.parametrize("held", list(itertools.product(range(5), repeat=3)))
def test_straights_triples_and_halves_are_counted_as_by_hand(held: tuple[int, ...]) -> None:
    """For every holding of one group: the most straights are the rarest face, triples by threes."""
    for tile in range(3):
        more = tuple(n + (i == tile) for i, n in enumerate(held))
        offered = sight(held, tile, origin="他打")
        assert met(changes(True, "句"), offered) == (min(more) > min(held))
        rest, rest_more = (sorted(n - min(h) for n in h) for h in (held, more))
        halves = [min(sum(r) // 2, r[0] + r[1]) for r in (rest, rest_more)]
        taken = min(more) == min(held) and halves[1] > halves[0]
        if min(more) == min(held):
            assert met(changes(True, "口", "句"), offered) == taken
        if held[tile]:
            less = tuple(n - (i == tile) for i, n in enumerate(held))
            own = sight(held, tile)
            assert met(changes(False, "句"), own) == (min(less) < min(held))
            assert met(changes(False, "坎"), own) == (held[tile] // 3 > less[tile] // 3)


def test_a_pattern_is_the_whole_group_whatever_its_faces() -> None:
    pattern = HoldsOnly((2, 1, 1), 1)
    assert met(pattern, sight((1, 2, 1), 0, origin="他打"))
    assert not met(pattern, sight((1, 2, 1), 1, origin="他打"))
    assert met(HoldsOnly((2, 1, 1), 0), sight((1, 2, 1), 1, origin="他打"))
    assert not met(HoldsOnly((2, 1, 1), None), sight((2, 2, 1), 1, origin="他打"))
    assert met(HoldsOnly((2, 1), 2), sight((0, 1, 2), 0, origin="他打"))


AT = sight((2, 0, 0), 0, origin="他摸", distance=1, laid=(TYPES["碰"],), taken=("吃", "吃"))
SAMPLES: list[tuple[Local, bool, str, str]] = [
    (Always(), True, "总可以", "always"),
    (LocalNot(Always()), False, "非（总可以）", "not (always)"),
    (LocalAnd((Always(), LocalOr((Always(), TileWild())))), True, "总可以 且 （总", "always and (always or"),
    (TileFrom(frozenset({"他摸", "他打"})), True, "这张是 他摸 他打", "from 他摸 他打"),
    (PlayerIs("庄"), False, "身 庄", "role 庄"),
    (Given("翻", "大"), False, "翻 = 大", "翻 = 大"),
    (TileIn(frozenset({0}), "将"), True, "这张是 将", "one of 将"),
    (TileWild(), False, "这张是赖子", "a wild one"),
    (changes(True, "坎"), True, "加上这张，坎 就多", "more 坎"),
    (changes(False, "句"), False, "去了它，句 就少", "fewer 句"),
    (HoldsOnly((2,), 0), True, "只有 a a，这张是 a", "only a a of the group, the tile is a"),
    (NothingLeft(), False, "没有能打的", "nothing is left"),
    (First(True), False, "翻出的头一张", "first tile turned up"),
    (First(False), False, "打出的头一张", "first discard"),
    (SitsAt(1), True, "是下家", "next player"),
    (LocalCompare(LocalSum(0, ((1, SameFace()),)), "=", LocalSum(2)), True, "同面的张数 = 2", "= 2"),
    (LocalCompare(LocalSum(0, ((1, Taken(("吃",))),)), ">=", LocalSum(3)), False, "要过 吃", "taken by 吃"),
    (
        LocalCompare(LocalSum(1, ((2, Exposed(frozenset({TYPES["碰"]}), "碰")),)), "=", LocalSum(3)),
        True,
        "2 × 摆出的 碰 + 1 = 3",
        "2 × 碰 laid + 1 = 3",
    ),
]


@pytest.mark.parametrize(("condition", "true", "zh", "en"), SAMPLES, ids=lambda p: type(p).__name__)
def test_every_condition_has_its_meaning_and_its_words(
    condition: Local, true: bool, zh: str, en: str
) -> None:
    assert met(condition, AT) is true
    assert zh in describe_local(condition, "zh") and en in describe_local(condition, "en")


def test_a_wild_tile_is_in_no_group() -> None:
    at = sight((2, 0, 0), WILD)
    assert met(TileWild(), at) and not met(changes(False, "句"), at) and not met(HoldsOnly((2,), None), at)
