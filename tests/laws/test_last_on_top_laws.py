"""补 末张 and 张数: the last tile comes on top; judge, reference, waits, counts and solver say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import dsl
from dsl.core.evaluate import Position, holds
from dsl.core.hand import Hand, Laid, read_hand, to_json
from dsl.core.model import ORIGINS, Complete, Formula, Game, HandFormula, Waiting, WaitIs
from dsl.core.reference import arrangements, judge
from dsl.core.waiting import hand_holds
from dsl.judge.certificate import faults
from dsl.judge.hands import ask_hands
from verifier import count, diff
from verifier.ask import Proved, Refuted, ask
from verifier.decode import decode, read
from verifier.replay import replay
from verifier.world import World

SPEC = """
规则 小配 {
  选项 张 多 | 双 | 自 | 少
  牌 { 房 上大 丘乙；每张 3 }
  来路 { 取来 = 自摸 他打 }
  座 { 庄 4；闲 4 }
  牌型 {  // 杂、散不多出牌：末张是起手的也进不了
    对  a a    作 2张  皆 起手
    配  a a    作 1张  锁  第一 起手  第二 取来  补 末张
    三  a a b  作 2张  锁  第一 第二 起手  第三 自摸  补 末张
    杂  a b    作 1张  皆 起手
    散  a      作 1张  皆 起手
    单  a      作 1单  皆 起手  待 a
  }
  价 分 { 对 1；配 2；三 4；杂 散 0 }
  名 { 全配：无 对 杂 散 倍 2；摸三：末张 入 三 倍 3 }
  和 {
    形 4张
    须 起和：分 ≥ 2 或 末张 自摸
  }
  支付 { 和：每家 付 当家 1 × 倍；诈和：当家 付 每家 1 }
  落叫 { 单吊 3张 1单 等 单 }
  若 张 = 双 { 改 和.须 起和：分 ≥ 3 或 末张 自摸 }
  若 张 = 自 { 改 和.须 起和：分 ≥ 2 且 末张 无 或 末张 自摸 }
  若 张 = 少 { 加 和.张数 3 }
  断言 Q-0 存在 形 且 末张 无 答 有
  断言 Q-1 存在 末张 入 对 答 无
  断言 Q-2 存在 末张 入 杂 散 答 无
  断言 Q-3 存在 末张 入 配 且 数 配 = 1 且 数 散 = 1 答 有
  断言 Q-4 存在 末张 入 三 且 末张 他打 答 无
  断言 Q-5 存在 和 且 数 配 = 4 答 有
  断言 Q-6 存在 数 三 = 2 且 末张 无 答 有
  断言 Q-7 存在 数 三 = 1 且 数 散 = 2 且 末张 无 答 有
  断言 Q-8 凡 形 且 末张 自摸 则 末张 入 配 三 答 真
  断言 Q-9 存在 分 = 5 且 末张 他打 答 有
}
"""


@cache
def load(taken: str) -> dsl.Game:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "small.pai"
        path.write_text(SPEC, encoding="utf-8")
        return dsl.load(str(path), {"张": taken})


def laid_ways(game: Game, most: int) -> Iterator[tuple[Laid, ...]]:
    """Up to `most` exposed melds, locked ones in all origins they may have."""
    entries = [
        Laid(m.id, origins)
        for m in game.melds
        if m.type.locked
        for origins in product(*(sorted(slot.origins) for slot in m.slots))
    ]
    for number in range(most + 1):
        yield from combinations_with_replacement(entries, number)


def fits(game: Game, tiles: list[int]) -> bool:
    return all(n <= game.kinds[k].copies for k, n in Counter(tiles).items())


def concealed(game: Game, laid: tuple[Laid, ...], size: int) -> Iterator[Counter[int]]:
    """Concealed tiles that bring a hand to `size` tiles before extra ones."""
    own = [k for entry in laid for k in game.melds[entry.meld].tiles]
    left = size + sum(game.melds[e.meld].type.extra for e in laid) - len(own)
    for tiles in combinations_with_replacement(range(len(game.kinds)), max(left, 0)):
        if left >= 0 and fits(game, [*own, *tiles]):
            yield Counter(tiles)


def short_hands(game: Game, most: int) -> Iterator[Hand]:
    for laid in laid_ways(game, most):
        for tiles in concealed(game, laid, game.waiting):
            yield Hand("闲", laid, tuple(tiles[k] for k in range(len(game.kinds))), None)


@cache
def hands(taken: str, most: int = 2) -> tuple[Hand, ...]:
    """Every finished hand with up to `most` exposed melds."""
    game = load(taken).core
    found = [
        replace(hand, last=(kind, origin))
        for hand in short_hands(game, most)
        for kind, origin in product(range(len(game.kinds)), ORIGINS)
        if fits(game, [*hand.tiles(game).elements(), kind])
    ]
    if game.dealt["庄"] >= game.finished:
        for laid in laid_ways(game, most):
            for tiles in concealed(game, laid, game.finished):
                found.append(Hand("庄", laid, tuple(tiles[k] for k in range(len(game.kinds))), None))
    return tuple(found)


def test_sizes() -> None:
    game = load("多").core
    assert (game.finished, game.waiting, game.on_top) == (4, 4, True)
    less = load("少").core
    assert (less.finished, less.waiting, less.on_top) == (3, 3, True)


@pytest.mark.parametrize("taken", ["多", "少"])
def test_judge_equals_reference(taken: str) -> None:
    game, complete = load(taken), 0
    for hand in hands(taken)[::3]:
        expected = judge(game.core, hand)
        assert game.compiled.outcome(hand) == expected, to_json(game.core, hand)
        assert game.is_win(hand) is expected.win
        complete += expected.complete
        if expected.complete:
            assert not faults(game.core, hand, expected.arrangement)
    assert (complete > 100) is (taken == "多")


def test_only_melds_with_the_last_tile_on_top_hold_it() -> None:
    game, seen = load("多").core, 0
    for hand in hands("多", 1):
        for found in arrangements(game, hand):
            assert (found.last_in is None) == (hand.last is None)
            assert found.last_in is None or game.melds[found.last_in].type.by_last
            seen += found.last_in is not None
            wrong = next((m for m in found.melds if not game.melds[m].type.by_last), None)
            if hand.last is not None and wrong is not None:
                assert "no meld can hold the last tile" in faults(game, hand, replace(found, last_in=wrong))
    assert seen > 50


def test_hands_survive_json_and_other_sizes_are_refused() -> None:
    game = load("多").core
    for hand in hands("多", 1)[::7]:
        again, found = read_hand(game, to_json(game, hand))
        assert again is not None, [f.code for f in found]
        assert (again.counts, again.last) == (hand.counts, hand.last)
        if hand.last is not None:  # without it the hand waits; a finished one may have as many tiles
            short = {k: v for k, v in to_json(game, hand).items() if k != "last"}
            assert read_hand(game, short, missing=1)[0] is not None
        spare = next((i for i, n in enumerate(hand.counts) if n), None)
        if spare is not None:
            counts = tuple(n - (i == spare) for i, n in enumerate(hand.counts))
            less = to_json(game, replace(hand, counts=counts))
            assert [f.code for f in read_hand(game, less)[1]] == ["H005"]


def test_waits_are_what_judging_every_tile_says() -> None:
    game, seen = load("多"), 0
    for hand in list(short_hands(game.core, 2))[::5]:
        found = {(w.kind, w.origin): w.final.win for w in game.compiled.waits(hand)}
        held = hand.tiles(game.core)
        for kind, face in enumerate(game.core.kinds):
            if held[kind] < face.copies:
                outcome = judge(game.core, replace(hand, last=(kind, "自摸")))
                assert ((kind, "自摸") in found) == outcome.complete
                assert not outcome.complete or found[kind, "自摸"] == outcome.win
                seen += outcome.complete
    assert seen > 20


def test_counted_hands_are_those_of_brute_force() -> None:
    game = load("多")
    closed = [h for h in hands("多", 0) if h.last is None]
    assert count(game).hands == sum(judge(game.core, h).complete for h in closed)
    assert count(game, "win").hands == sum(judge(game.core, h).win for h in closed)
    assert count(game, "waiting").tiles == game.core.waiting
    laid = frozenset(t.index for t in game.core.types if t.name == "配")
    asked: tuple[HandFormula, ...] = (Waiting(), WaitIs("单吊"))
    for formula in asked:
        assert ask_hands(game.compiled, formula).hands == sum(
            hand_holds(formula, game.core, h) for h in short_hands(game.core, 0)
        )
        assert ask_hands(game.compiled, formula, laid=laid).first is not None


def test_the_world_has_exactly_the_arrangements_that_hands_have() -> None:
    game = load("多").core
    expected = set()
    for hand in hands("多", 4):
        for a in arrangements(game, hand):
            holder = None if a.last_in is None else game.melds[a.last_in].type.index
            expected.add((a.melds, holder, hand.situation.last_from))
    world = World(game)
    smt, view, found = world.smt, world.view, set()
    with smt.scope():
        smt.require(view.complete)
        while smt.check(budget=10_000_000) == "sat":
            model = read(world)
            found.add((model.melds, model.holder, model.origin))
            replay(decode(world, model), Complete())
            other = [smt.compare(view.counts[m.id], "!=", model.melds.count(m.id)) for m in world.melds]
            other.append(smt.negate(view.origins[model.origin]))
            other += [smt.negate(b) for t, b in view.last_in.items() if t == model.holder]
            smt.require(smt.either(other))
    assert found == expected


@pytest.mark.parametrize("index", range(10))
def test_the_solver_answers_as_brute_force_does(index: int) -> None:
    game = load("多").core
    statement = game.statements[index]
    formula: Formula = statement.formula  # type: ignore[assignment]
    answer = ask(World(game), formula)
    exists = any(
        holds(formula, Position(game, a, hand.situation))
        for hand in hands("多", 4)
        for a in arrangements(game, hand)
    )
    assert isinstance(answer, Refuted if exists else Proved)
    assert exists is (statement.expected is (statement.quantifier == "exists"))


@pytest.mark.parametrize("other", ["双", "自"])
def test_the_comparison_finds_what_brute_force_finds(other: str) -> None:
    """双 differs with and without a last tile, 自 only where another player's tile came last."""
    left, right = load("多"), load(other)
    found = diff(left, right).aspects["win"]
    wins = [(judge(left.core, h).win, judge(right.core, h).win) for h in hands("多")]
    assert (True, False) in wins and (False, True) not in wins
    assert found.relation == "superset"
    closed = [h for h in hands("多", 0) if h.last is None]
    only = sum(judge(left.core, h).win and not judge(right.core, h).win for h in closed)
    assert found.hands["left_only"] == only
    for one in found.classes:
        assert left.judge(one.witness).win and not right.judge(one.witness).win


def test_six_dealt_pairs_are_counted_by_a_polynomial() -> None:
    """对对符 wins at once with six pairs: each of 24 faces gives none, one or two, in 1, 6 or 1 ways."""
    hands_of, deals = [1], [1]
    for _ in range(24):
        hands_of, deals = _times(hands_of, (1, 1, 1)), _times(deals, (1, 6, 1))
    counted = count("对对符")
    assert (counted.tiles, counted.hands) == (12, hands_of[6])
    assert counted.probability == Fraction(deals[6], comb(96, 12))


def _times(left: list[int], right: tuple[int, ...]) -> list[int]:
    product_ = [0] * (len(left) + len(right) - 1)
    for (i, a), (j, b) in product(enumerate(left), enumerate(right)):
        product_[i + j] += a * b
    return product_


def test_hands_of_different_sizes_are_not_compared() -> None:
    found = diff(load("多"), load("少"))
    assert found.unknown and "4" in found.aspects["win"].note[1] and "3" in found.aspects["win"].note[1]
