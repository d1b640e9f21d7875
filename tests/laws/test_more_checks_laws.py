"""Choice, payments and tile counts agree with brute force on a deck small enough to try every hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from dsl.core.evaluate import Position, actor_seat, holds, is_win, party
from dsl.core.hand import Hand
from dsl.core.model import Game
from dsl.core.reference import arrangements, outcome_of
from dsl.judge.compiled import Compiled
from tests.laws.test_twins import false_win, fits, positions, small
from verifier import verify
from verifier.choices import open_choices, shown
from verifier.properties.v115_counts import sizes


@pytest.mark.parametrize(("regroup", "melds"), [("未锁", "plain"), ("无", "plain"), ("未锁", "drawn")])
def test_hands_with_a_choice_are_counted_right(regroup: str, melds: str) -> None:
    game = small(regroup, melds)
    found = open_choices(Compiled(game))
    complete, several = Counter[bool](), []
    for tiles in combinations_with_replacement(range(len(game.kinds)), game.finished):
        if fits(game, list(tiles)):
            held = Counter(tiles)
            hand = Hand("庄", (), tuple(held[k] for k in range(len(game.kinds))), None)
            outcomes = [outcome_of(game, hand, a) for a in arrangements(game, hand)]
            faces = {(o.win, o.payments) for o in outcomes}
            complete[bool(faces)] += 1
            several += [hand.counts] if len(faces) > 1 else []
    assert (found.hands, found.of) == (len(several), complete[True])
    assert found.first == max(several, default=None)
    if found.first is not None:
        assert len(shown(game, found.first)[1]) > 1


def test_unpaid_outcomes_agree_with_brute_force() -> None:
    game = small()
    free = {"和": any(_unpaid(game, at, "win") for at in positions() if is_win(at))}
    free["诈和"] = any(_unpaid(game, at, "false_win") for at in positions() if false_win(at))
    said = [f.sentence[0] for f in verify(game, ["V108"]).findings if "没有一笔" in f.sentence[0]]
    assert {word: any(f"` {word}了" in text for text in said) for word in free} == free


def _unpaid(game: Game, at: Position, outcome: str) -> bool:
    actor = actor_seat(game, at.situation.role)
    for transfer in game.transfers:
        sides = party(game, transfer.payer, actor), party(game, transfer.payee, actor)
        moves = any(a != b for a in sides[0] for b in sides[1])
        if transfer.outcome == outcome and moves and holds(transfer.condition, at):
            return False
    return True


@pytest.mark.parametrize("shape", [(1, 1, 0, 0), (2, 0, 0, 0), (1, 0, 1, 0), (0, 2, 0, 1)])
def test_sizes_of_a_shape_agree_with_brute_force(shape: tuple[int, ...]) -> None:
    game = small("未锁", "drawn")
    kinds = {(m.type.gives, len(m.tiles) - m.type.extra) for m in game.melds}
    found = set()
    for number in range(1, 5):
        for chosen in combinations_with_replacement(sorted(kinds), number):
            if tuple(sum(g[d] for g, _ in chosen) for d in range(len(shape))) == shape:
                found.add(sum(tiles for _, tiles in chosen))
    assert set(sizes(game, shape, 8)) == found
