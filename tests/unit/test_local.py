"""Conditions on one player's tiles: what they mean, against a count by hand, and what they are called."""

from __future__ import annotations

import itertools
from functools import cache

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
from dsl.core.local import Did, Sight, met, quantity
from dsl.core.model import WILD, Game
from dsl.core.present import present_score

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


AT = sight(
    (2, 0, 0),
    0,
    origin="他摸",
    distance=1,
    melds=(next(m.id for m in GAME.melds if m.type.index == TYPES["碰"]),),
    taken=("吃", "吃"),
)
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


PUNG = next(m.id for m in GAME.melds if m.type.name == "碰" and m.tiles[0] == 2)
LATER = sight((0, 1, 0), 1, melds=(PUNG,), turn=(Did("角碰", 2, (1,)),), context={"翻": GAME.kinds[1].name})
"""The player has laid 碰 of the third face, keeps one tile of the second, and thinks of throwing that."""
OF_THE_TURN: list[tuple[Local, bool, str, str]] = [
    (TileNamed("翻"), True, "这张是 翻 那一面", "has the face of 翻"),
    (JustDid(frozenset({"角碰"})), True, "这一轮应了、宣了 角碰", "角碰 was done in this turn"),
    (JustDid(frozenset({"角吃"})), False, "角吃", "角吃"),
    (LeftOver(), True, "留下的", "left in the group just taken for"),
    (HoldsOnly((1,), None, there=True), True, "应过的那一房只有 a", "only a of the group just taken for"),
    (HoldsOnly((2,), None, there=True), False, "只有 a a", "only a a"),
    (
        LocalCompare(LocalSum(0, ((1, Exposed(frozenset({TYPES["碰"]}), "碰", True)),)), "=", LocalSum(1)),
        True,
        "同房摆出的 碰 = 1",
        "碰 laid in the group = 1",
    ),
    (LocalCompare(LocalSum(0, ((1, PresentScore()),)), ">=", LocalSum(99)), False, "现有的分", "has now"),
    (LocalCompare(LocalSum(0, ((1, WildsHeld()),)), "=", LocalSum(1)), False, "手里的赖子 = 1", "wild tiles"),
    (Short(), False, "成形而和不了", "shape of a win and makes none"),
]


@pytest.mark.parametrize(("condition", "true", "zh", "en"), OF_THE_TURN, ids=lambda p: type(p).__name__)
def test_conditions_on_what_was_done_in_the_turn(condition: Local, true: bool, zh: str, en: str) -> None:
    assert met(condition, LATER) is true
    assert zh in describe_local(condition, "zh") and en in describe_local(condition, "en")
    elsewhere = LATER._replace(tile=5, turn=(), melds=(), context={})
    assert not met(condition, elsewhere)


RED, BLACK = ((3, 3, 6), (3, 6, 12)), ((0, 1, 3), (0, 3, 6))
"""Of 抬胡: what a straight or its half, a pair and a triple are worth, and with the raised tile in them."""


def by_hand(held: tuple[int, ...], table: tuple[tuple[int, ...], ...], marked: int | None) -> int:
    """The best of all ways to take straights, halves, pairs and triples, one of them with the raised tile."""
    patterns = [((1, 1, 1), 0), *((p, 0) for p in ((1, 1, 0), (1, 0, 1), (0, 1, 1)))]
    patterns += [(tuple(n * (i == face) for i in range(3)), n - 1) for face in range(3) for n in (2, 3)]
    best = 0
    for tiles, column in patterns:
        rest = tuple(h - t for h, t in zip(held, tiles, strict=True))
        if min(rest) >= 0:
            best = max(best, table[0][column] + by_hand(rest, table, marked))
            if marked is not None and tiles[marked]:
                best = max(best, table[1][column] + by_hand(rest, table, None))
    return best


@pytest.mark.parametrize("held", [h for h in itertools.product(range(4), repeat=3) if any(h)])
def test_the_present_score_is_the_best_way_to_group_the_tiles(held: tuple[int, ...]) -> None:
    table = load_once("抬胡")
    for first, prices in ((0, RED), (3, BLACK)):
        counts = tuple(held[k - first] if first <= k < first + 3 else 0 for k in range(len(table.kinds)))
        for marked in (None, 1):
            face = None if marked is None else first + marked
            expected = by_hand(held, prices, marked if marked is not None and held[marked] else None)
            assert present_score(table, counts, (), face) == expected


def test_exposed_melds_and_the_raised_tile_in_one_of_them_count() -> None:
    table = load_once("抬胡")
    pung = next(m.id for m in table.melds if m.type.name == "碰" and m.tiles[0] == 3)
    pair = tuple(2 * (kind == 4) for kind in range(len(table.kinds)))
    assert present_score(table, pair, (pung,), None) == 2
    assert present_score(table, pair, (pung,), 3) == 4
    assert present_score(table, pair, (pung, pung), 3) == 5
    assert present_score(load_once("抬胡[A-28=R2]"), pair, (pung, pung), 3) == 7


@cache
def load_once(name: str) -> Game:
    return load(name).core


def test_a_tile_in_no_group_is_one_by_itself() -> None:
    """混江 where it is an ordinary tile: a pair of it is all that its group holds."""
    table = load_once("抬胡")
    odd = table.kind_index["混江"]
    counts = tuple(2 * (kind == odd) for kind in range(len(table.kinds)))
    at = Sight(table, "闲", counts, odd, (0,) * len(counts), "他打")
    assert met(HoldsOnly((2,), 0), at) and not met(HoldsOnly((1,), 0), at)


@pytest.mark.parametrize(("condition", "true", "zh", "en"), SAMPLES, ids=lambda p: type(p).__name__)
def test_every_condition_has_its_meaning_and_its_words(
    condition: Local, true: bool, zh: str, en: str
) -> None:
    assert met(condition, AT) is true
    assert zh in describe_local(condition, "zh") and en in describe_local(condition, "en")


DOTS = load("挤儿").core
PAIRS = frozenset(t.index for t in DOTS.types if "挤儿" in t.aliases)


def dots(held: str, going: str) -> Sight:
    """Dot tiles by name, and those of them that would leave the hand; the tile is the first of these."""
    counts, used = [0] * len(DOTS.kinds), [0] * len(DOTS.kinds)
    for word in held.split():
        counts[DOTS.kind_index[word]] += 1
    for word in going.split():
        used[DOTS.kind_index[word]] += 1
    return Sight(DOTS, "家", tuple(counts), DOTS.kind_index[going.split()[0]], tuple(used))


@pytest.mark.parametrize(
    ("held", "going", "tied"),
    [
        ("天牌 天牌 天牌 人牌 二六 三五", "天牌 天牌 天牌", 3),
        ("天牌 天牌 天牌 人牌 二六 斧头", "天牌 天牌 天牌", 2),
        ("天牌 天牌 天牌 人牌 二六 三五 地牌", "天牌 天牌 天牌", 3),
        ("人牌 人牌 人牌 天牌 地牌 地牌", "人牌 人牌 人牌", 3),
        ("拐子 拐子 拐子 幺四 幺四", "拐子 拐子 拐子", 2),
        ("拐子 拐子 拐子 拐子", "拐子 拐子 拐子", 1),
        ("高高 高高 高高", "高高 高高 高高", 0),
    ],
)
def test_tiles_that_go_have_partners_among_those_that_stay(held: str, going: str, tied: int) -> None:
    at = dots(held, going)
    assert quantity(Tied(PAIRS, "挤儿"), at) == tied
    condition = LocalCompare(LocalSum(0, ((1, Tied(PAIRS, "挤儿")),)), "=", LocalSum(3))
    assert met(condition, at) is (tied == 3)
    assert "可各配成 挤儿" in describe_local(condition, "zh")
    assert "partners for 挤儿 = 3" in describe_local(condition, "en")


def test_loose_tiles_are_counted_with_what_they_lie_in_melds_with() -> None:
    """A tile of no group has the component of the deck around it, and nothing else."""
    more, fewer = (Changes(more, PAIRS, frozenset(), "挤儿") for more in (True, False))
    assert met(fewer, dots("天牌 人牌", "天牌")) and not met(fewer, dots("天牌 人牌 二六", "人牌"))
    held = dots("天牌 人牌", "天牌")
    assert not met(more, Sight(DOTS, "家", held.counts, DOTS.kind_index["斧头"], (0,) * 21, "他打"))
    assert not met(more, Sight(DOTS, "家", held.counts, DOTS.kind_index["二六"], (0,) * 21, "他打"))
    assert met(
        more, Sight(DOTS, "家", dots("天牌", "天牌").counts, DOTS.kind_index["二六"], (0,) * 21, "他打")
    )


def test_a_wild_tile_is_in_no_group() -> None:
    at = sight((2, 0, 0), WILD)
    assert met(TileWild(), at) and not met(changes(False, "句"), at) and not met(HoldsOnly((2,), None), at)


def test_what_is_said_of_tricks() -> None:
    """Of two tiles led from three, one of the first kind; then of the trick that is over."""
    used = (2, *(0 for _ in GAME.kinds[1:]))
    led = sight((2, 1, 0), WILD, led=True, tricks=4)._replace(used=used)
    left, done = LocalSum(0, ((1, TilesLeft()),)), LocalSum(0, ((1, TricksDone()),))
    assert met(LeadHas(frozenset({0, 2}), "将"), led) and not met(LeadHas(frozenset({1}), "将"), led)
    assert not met(LeadHas(frozenset({0}), "将"), led._replace(led=False))
    assert met(LocalCompare(left, "=", LocalSum(1)), led) and met(LocalCompare(done, "=", LocalSum(4)), led)
    assert met(Unbeaten(), led._replace(unbeaten=True)) and not met(Unbeaten(), led)
    both = LocalAnd((LeadHas(frozenset({0}), "将"), Unbeaten(), LocalCompare(left, "<", done)))
    assert (
        describe_local(both, "zh") == "领出的牌里有 将 且 自己领的这一墩没有人盖 且 手里剩的张数 < 打完的墩数"
    )
    assert "one of 将 is led and nobody beat the trick that he led and tiles left" in describe_local(
        both, "en"
    )
