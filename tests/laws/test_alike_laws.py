"""同张 and 末张 同张: the judge, the waits, the solver and the diff say what the reference says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from dsl import Game, Hand, loads
from dsl.core.evaluate import Position, compared, holds
from dsl.core.hand import Laid, to_json
from dsl.core.model import ORIGINS, And, Complete, Formula, LastAlike, LastIn, Not
from dsl.core.reference import arrangements, judge
from tests.conftest import any_hands
from verifier import diff, verify
from verifier.ask import Refuted, ask, confirmed
from verifier.world import World

TEXT = """
规则 四张 {
  牌 { 房 上大人 丘乙己；每张 4；类 红 = 上大人 }
  座 { 庄 6；闲 5 }
  牌型 {
    句 a b c   作 1组
    坎 a a a   作 1组
    碰 a a a   作 1组 锁 第三 他摸 他打 成 招
    招 a a a a 作 1组 锁 补 1
    对 a a     作 1对 待 a
  }
  价 分 { 句 1；坎 2；碰 2；招 4；对 0 }
  和 { 形 2组；须 杠牌不和：末张 同张 < 3；须 不贪：同张 ≤ 4 }
  名 {
    四归：同张 ≥ 4 倍 2
    三四：同张 = 3 或 同张 于 红 ≠ 2
    有伴：末张 同张 ≥ 1
    伴一：末张 同张 = 1
    上：数 上 ≥ 2 且 有 大 丘
  }
  诈和 { 当 不和：非 和 }
  落叫 { 对倒 1组 1对 等 对 }
}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(TEXT)


def test_the_judge_agrees_with_the_reference(game: Game) -> None:
    seen = set()
    for hand in any_hands(game, 500, seed=1):
        outcome = judge(game.core, hand)
        assert game.compiled.outcome(hand) == outcome, to_json(game.core, hand)
        assert game.is_win(hand) is outcome.win
        if outcome.complete:
            seen.add((outcome.win, hand.last_alike))
    assert {(True, 0), (True, 1), (True, 2), (False, 3)} <= seen


def test_a_batch_agrees_with_single_hands(game: Game) -> None:
    hands = [h for h in any_hands(game, 600, seed=2) if not h.laid and h.declared is None and h.last]
    for role in game.core.roles:
        own = [h for h in hands if h.role == role]
        assert len(own) > 50
        won = game.win_many(own)
        assert np.array_equal(won, [judge(game.core, h).win for h in own])


def test_waits_give_each_tile_its_own_verdict(game: Game) -> None:
    seen = set()
    for hand in any_hands(game, 300, seed=3):
        waiting = replace(hand, last=None, declared=None)
        if hand.last is None or hand.laid:
            continue
        found = game.compiled.waits(waiting, ("自摸", "他打"))
        for kind, origin, final in found:
            drawn = replace(waiting, last=(kind, origin))
            assert final.win is judge(game.core, drawn).win, to_json(game.core, drawn)
        seen |= {final.win for _, _, final in found}
    assert seen == {True, False}


def test_names_of_equal_tiles_count_tiles_of_one_face(game: Game) -> None:
    names = {n.name: n.formula for n in game.core.names}
    for hand in any_hands(game, 300, seed=4):
        tiles = hand.tiles(game.core)
        most, red = max(tiles.values()), max(tiles[k] for k in range(3))
        for a in arrangements(game.core, hand):
            at = Position(game.core, a, hand.situation)
            assert holds(names["四归"], at) is (most >= 4)
            assert holds(names["三四"], at) is (most == 3 or red != 2)
            assert holds(names["上"], at) is (tiles[0] >= 2 and tiles[1] + tiles[3] >= 1)


# ---------------------------------------------------------------- the solver

TINY = """
规则 小同张 {
  牌 { 散牌 上 大；每张 4 }
  座 { 庄 6；闲 5 }
  牌型 {
    坎 a a a   作 1组
    夹 a a b   作 1组 跨房
    碰 a a a   作 1组 锁 第三 他摸 他打 成 招
    招 a a a a 作 1组 锁 补 1
  }
  价 分 { 坎 1；夹 1；碰 2；招 4 }
  和 { 形 2组；须 起和：末张 同张 ≥ 0 }
}
"""


def every_hand(game: Game) -> Iterator[Hand]:
    """Every hand with a last tile, own tiles or another's, and at most two exposed melds."""
    core = game.core
    melds = [Laid(m.id, o) for m in core.melds for o in product(*(sorted(s.origins) for s in m.slots))]
    for number in range(3):
        for laid in combinations(melds, number):
            extra = sum(core.melds[entry.meld].type.extra for entry in laid)
            shown = sum(len(core.melds[entry.meld].tiles) for entry in laid)
            lying = Counter(k for entry in laid for k in core.melds[entry.meld].tiles)
            free = core.finished + extra - shown - 1
            for some, kind in product(range(free + 1), range(2)):
                counts = (some, free - some)
                if all(counts[k] + lying[k] + (k == kind) <= 4 for k in range(2)):
                    yield from (Hand("闲", laid, counts, (kind, origin)) for origin in ORIGINS)


def test_the_solver_finds_what_some_hand_has_and_nothing_else() -> None:
    game = loads(TINY)
    had = {
        (game.core.melds[a.last_in].type.index, hand.last_alike)
        for hand in every_hand(game)
        for a in arrangements(game.core, hand)
        if a.last_in is not None
    }
    world, wrong = World(game.core), []
    asking = [*product(("=",), range(5)), (">=", 3), ("<", 1)]
    for kind, (operator, bound) in product(game.core.types, asking):
        asked: Formula = And((Complete(), LastIn(frozenset({kind.index})), LastAlike(operator, bound)))  # type: ignore[arg-type]
        expected = any(t == kind.index and compared(n, operator, bound) for t, n in had)  # type: ignore[arg-type]
        if confirmed(world, asked) is not expected:
            wrong.append((kind.name, operator, bound, expected))
    assert not wrong


def test_hands_without_the_shape_are_shown_with_as_many_tiles_like_the_last_one() -> None:
    game = loads(TINY.replace("夹 a a b   作 1组 跨房", "夹 a a b b 作 1组 跨房"))
    had = {h.last_alike for h in every_hand(game) if not h.laid and not arrangements(game.core, h)}
    assert had == {1, 3}
    for number in range(4):
        answer = ask(World(game.core), And((Not(Complete()), LastAlike("=", number))))
        assert isinstance(answer, Refuted) is (number in had), (number, answer)


# ---------------------------------------------------------------- the diff


def test_the_diff_shows_a_hand_whose_last_tile_has_three_like_it(game: Game) -> None:
    free = loads(TEXT.replace("须 杠牌不和：末张 同张 < 3；", ""))
    found = diff(game, free).aspects["win"]
    assert found.relation == "subset"
    for item in found.classes:
        hand = item.left.hand
        assert hand.last_alike >= 3 and not item.left.win and item.right.win
    assert (
        diff(game, loads(TEXT.replace("末张 同张 < 3", "非 末张 同张 ≥ 3"))).aspects["win"].relation
        == "equal"
    )


def test_statements_are_answered(game: Game) -> None:
    claims = """
      断言 A-1 存在 和 且 末张 同张 = 2 答 有
      断言 A-2 存在 和 且 末张 同张 ≥ 3 答 无
      断言 A-3 存在 形 且 末张 同张 ≥ 3 答 有
      断言 A-4 凡 形 且 末张 同张 ≥ 3 则 同张 ≥ 4 答 真
      断言 A-5 凡 末张 无 则 末张 同张 = 0 答 真
    """
    report = verify(loads(TEXT.replace("落叫 {", claims + "落叫 {")), ["V119"])
    assert [a.got == a.expected for a in report.statements] == [True] * 5
