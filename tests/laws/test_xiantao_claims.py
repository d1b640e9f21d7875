"""Claims about 仙桃's games that no statement of theirs can make: about one door, and about two games."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

import dsl
from dsl.core.evaluate import score
from dsl.core.hand import Hand
from dsl.core.model import Game
from dsl.core.reference import arrangements
from dsl.judge.machines import ClosedWins, search
from verifier.difference import diff, judged_alike

TAIHU = "specs/hubei/xiantao/game.pai"
OUJING = "specs/hubei/xiantao/oujing.pai"
OLDER = "specs/hubei/xiantao/taihu-003.pai"
Shape = tuple[int, int, int]

AMBIGUOUS: dict[tuple[str, int], dict[Shape, set[int]]] = {
    ("素", 0): {(3, 1, 1): {1, 3}, (3, 3, 2): {0, 7}, (3, 3, 3): {0, 9}},
    ("荤", 0): {(3, 1, 1): {6, 9}, (3, 3, 2): {9, 15}, (3, 3, 3): {9, 18}},
    ("素", 1): {
        (1, 0, 0): {0, 1},
        (2, 1, 1): {0, 1},
        (2, 2, 0): {0, 2},
        (3, 1, 0): {1, 3, 4},
        (3, 1, 1): {1, 3},
        (3, 2, 2): {0, 1, 3, 5},
        (3, 3, 1): {0, 2, 4, 6, 7},
        (3, 3, 2): {0, 7},
    },
    ("荤", 1): {
        (3, 1, 0): {6, 9},
        (3, 1, 1): {6, 9},
        (3, 2, 2): {9, 12},
        (3, 3, 1): {9, 12, 15},
        (3, 3, 2): {9, 15},
    },
}
"""CL-20 and CL-21: concealed copies per face of one door, up to three, and the scores they can have."""


def scores_of(game: Game, door: str, shape: Shape, wilds: int) -> set[int]:
    """Scores of the door's tiles and these wild ones as so many groups, with a half if it takes one."""
    groups, left = divmod(sum(shape) + wilds, 3)
    if left == 1:
        return set()
    units = {"句型": groups, "半模": left // 2}
    counts = [0] * len(game.kinds)
    for face, copies in zip(door, shape, strict=True):
        counts[game.kind_index[face]] = copies
    hand = Hand("闲", (), tuple(counts), None, {}, None, wilds)
    found = arrangements(game, hand, tuple(units.get(name, 0) for name in game.dims))
    return {score(game, arrangement) for arrangement in found}


@pytest.mark.parametrize(("colour", "wilds"), AMBIGUOUS)
def test_the_shapes_of_a_door_with_several_scores_are_those_of_the_table(colour: str, wilds: int) -> None:
    door = {"素": "丘乙己", "荤": "上大人"}[colour]
    shapes = [(a, b, c) for a, b, c in combinations_with_replacement((3, 2, 1, 0), 3) if a]
    game = dsl.load(TAIHU, {"赖子": "on" if wilds else "off"}).core
    scores = {shape: scores_of(game, door, shape, wilds) for shape in shapes}
    assert {shape: s for shape, s in scores.items() if len(s) > 1} == AMBIGUOUS[colour, wilds]


# ---------------------------------------------------------------- two doors of red, or three


def plain_tests(left: dsl.Game, right: dsl.Game) -> dict[str, int]:
    """Closed hands by who wins with them, from two plain win tests side by side."""
    games = (left.core, right.core)
    machines = tuple(ClosedWins(g.compiled, g.core.roles[-1]) for g in (left, right))
    tally = {"both": 0, "left_only": 0, "right_only": 0}
    for states, reached in search(games[0], machines, games[0].finished).items():
        won = tuple(machine.accepts(state) for machine, state in zip(machines, states, strict=True))
        if any(won):
            tally["both" if all(won) else "left_only" if won[0] else "right_only"] += reached.hands
    return tally


@pytest.mark.parametrize(("path", "lost"), [(OUJING, 0), (TAIHU, 1140)], ids=["讴经", "抬胡"])
def test_a_third_red_door_loses_so_many_wins(path: str, lost: int) -> None:
    """CL-58 and CL-25, by plain win tests."""
    tally = plain_tests(dsl.load(path), dsl.load(path, {"经": "3"}))
    assert tally["left_only"] == lost
    assert tally["both"] > tally["right_only"] > 0


@pytest.mark.slow
def test_the_diff_says_that_wins_of_oujing_are_only_added() -> None:
    found = diff(OUJING, f"{OUJING}[经=3]")
    win = found.aspects["win"]
    assert win.relation == "subset"
    assert win.hands == plain_tests(found.left, found.right)


@pytest.mark.slow
def test_the_diff_says_that_taihu_loses_only_one_special_win() -> None:
    """A 乌飘胡 with one or two groups of 七十士."""
    found = diff(TAIHU, f"{TAIHU}[经=3]")
    win = found.aspects["win"]
    assert win.relation == "overlap"
    assert win.hands == plain_tests(found.left, found.right)
    lost = [item for item in win.classes if item.left.win]
    assert lost and len(lost) < len(win.classes)
    assert all("乌飘胡" in item.left.names for item in lost)


# ---------------------------------------------------------------- one hand, two provenances


def declared(game: dsl.Game, tiles: str, last: str, origin: str, **more: object) -> dsl.Verdict:
    return game.judge({"role": "闲", "hand": list(tiles), "last": {"tile": last, "from": origin}, **more})


def test_the_same_tiles_win_or_do_not_by_where_the_last_came_from() -> None:
    """CL-46. A statement speaks of one hand in one situation, and here are two."""
    game = dsl.load(TAIHU)
    told = {
        origin: declared(game, "上大人八八佳佳丘乙己丘乙己化三千七十士尔小生", "八", origin)
        for origin in ("自摸", "他摸", "他打")
    }
    assert {origin: (v.win, v.score) for origin, v in told.items()} == {
        "自摸": (True, 7),
        "他摸": (False, 5),
        "他打": (False, 5),
    }


def test_of_two_texts_one_wins_and_the_other_is_a_false_win() -> None:
    """CL-48 and WE-17: of a 坎 beside a single and a wild tile 003 knows only the reading of three."""
    tiles = [*"上大人八八八九丘乙己化三千七十士尔小生佳作", "混江"]
    hand = {"role": "闲", "hand": tiles, "last": {"tile": "仁", "from": "他打"}}
    later, earlier = (dsl.load(path, {"赖子": "on"}).judge(hand) for path in (TAIHU, OLDER))
    assert (later.win, later.score, later.scores) == (True, 7, (4, 6, 7))
    assert (earlier.win, earlier.score, earlier.scores) == (False, 6, (4, 6))


@pytest.mark.parametrize("path", [TAIHU, OUJING])
def test_a_meld_with_a_wild_tile_is_never_exposed(path: str) -> None:
    """TH-36: it helps at the win only."""
    game = dsl.load(path, {"赖子": "on"})
    own = "可知礼丘乙己化三千七十士尔小生佳" if path == OUJING else "可知礼丘乙己化三千七十士尔小生八九子佳"
    hand = {"role": "闲", "hand": list(own), "last": {"tile": "佳", "from": "他打"}}
    laid = {"meld": "圆句", "tiles": ["上", "大", "人"]}
    assert game.judge(hand | {"laid": [laid]}).win
    with pytest.raises(dsl.HandError, match="H007"):
        game.judge(hand | {"laid": [laid | {"tiles": ["上", "大", "混江"]}]})


@pytest.mark.parametrize(
    ("reading", "alike"), [("A-06", True), ("A-21", True), ("A-36", False), ("A-28", False)]
)
def test_readings_of_play_leave_the_judge_alone(reading: str, alike: bool) -> None:
    """Of two games that the same clauses judge the diff need not look at marked tiles."""
    other = dsl.load(TAIHU, {reading: "R2"}).core
    assert judged_alike(dsl.load(TAIHU).core, other) is alike
