"""Two automata with states in common: each reads every hand as it would alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import dsl
from dsl.core.hand import Hand
from dsl.core.model import OWN_DRAW, Game
from dsl.judge.automaton import Automaton
from dsl.judge.compiled import Compiled

TEXT = """
规则 试 {
  选项 坎价 两分 | 五分
  选项 坎 一组 | 两组
  牌 { 房 上大人 丘乙己 化三千；每张 4 }
  座 { 庄 9；闲 8 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组；碰 a a a 作 1组 锁 其余 起手 第三 他摸 他打；散 a }
  价 分 { 句 1；坎 2；碰 1；散 0 }
  和 { 形 2组；须 起和：分 ≥ 3 }
  名 { 全坎：无 句 倍 2 }
  若 坎价 = 五分 { 调 价.分.坎 2 → 5 }
  若 坎 = 两组 { 改 牌型.坎 a a a 作 2组 }
}
"""
CHANGES = ({"坎价": "五分"}, {"坎": "两组"})


def hands(game: Game, number: int) -> Iterator[Hand]:
    """Finished hands whose last tile was drawn: half of them dealt at random, half full of triples."""
    random = Random(game.name)
    deck = [k for k, kind in enumerate(game.kinds) for _ in range(kind.copies)]
    for turn in range(number):
        tiles = random.sample(deck, game.finished)
        if turn % 2:
            chosen = random.sample(range(len(game.kinds)), len(game.kinds))
            tiles = [k for kind in chosen for k in [kind] * min(3, game.kinds[kind].copies)][: game.finished]
        last = tiles.pop()
        counts = tuple(tiles.count(k) for k in range(len(game.kinds)))
        yield Hand(game.roles[-1], (), counts, (last, OWN_DRAW))


def outcomes(automaton: Automaton, hand: Hand) -> set[tuple[tuple[int, ...], int]]:
    """What the arrangements of the hand come to."""
    state, score = automaton.trace(automaton.rows(hand))[-1]
    return set(automaton.finals(state, score))


@pytest.mark.parametrize("change", CHANGES, ids=["price", "shape"])
@pytest.mark.parametrize("name", ["full", "scored"])
def test_joined_automata_read_as_they_do_alone(change: dict[str, str], name: str) -> None:
    games = [dsl.loads(TEXT).core, dsl.loads(TEXT, change).core]
    alone = [getattr(Compiled(game), name) for game in games]
    joined = [getattr(Compiled(game), name) for game in games]
    assert joined[1].join(joined[0])
    complete = apart = 0
    for hand in hands(games[0], 200):
        found = [outcomes(automaton, hand) for automaton in joined]
        assert found == [outcomes(automaton, hand) for automaton in alone]
        complete += bool(found[0])
        apart += found[0] != found[1]
    assert complete > 20 and apart > 5 and joined[0].states is joined[1].states


def test_only_automata_that_add_up_alike_are_joined() -> None:
    game = dsl.loads(TEXT).core
    full, shaped = Compiled(game).full, Compiled(game).shaped
    assert not shaped.join(full)
    read = Compiled(game).full
    outcomes(read, next(hands(game, 1)))
    assert not read.join(full)
    assert full.join(read)


def test_melds_of_other_clauses_are_read_alike() -> None:
    """Whatever a clause says and wherever it stands: only what melds are and what they are worth counts."""
    moved = dsl.loads(TEXT.replace("规则 试", "\n规则 别").replace("碰 1；", "碰  1；")).core
    dearer = dsl.loads(TEXT.replace("碰 1；", "碰 3；")).core
    own = dsl.loads(TEXT).core
    assert own.melds is not moved.melds
    for game, alike in ((moved, True), (dearer, False)):
        one, other = Compiled(own), Compiled(game)
        other.borrow(one)
        assert (other.highest.maker is one.highest.maker) is alike
