"""Counting with wild tiles says what going through all hands says."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest

from dsl import Game, Hand, load
from dsl.core.deals import deals, fitting
from tests.conftest import SMALL
from verifier import count

PATH = str(SMALL / "两句神.pai")
VARIANTS = [
    {"种": kind, "限": limit}
    for kind, limit in (
        ("随翻", "不设限"),
        ("随翻", "随便"),
        ("另有", "随便实张"),
        ("另有", "单张"),
        ("刻定", "单张"),
    )
]


@pytest.fixture(scope="module", params=VARIANTS, ids=lambda v: "-".join(v.values()))
def game(request: pytest.FixtureRequest) -> Game:
    return load(PATH, request.param)


def closed(game: Game, size: int) -> Iterator[tuple[Hand, Fraction]]:
    """Every hand in every deal, and its chance."""
    core = game.core
    assert core.wild is not None
    every = list(deals(core))
    for context in every:
        copies = core.copies_in(context)
        total = comb(sum(copies) + core.wild.copies, size) * len(every)
        for counts in product(*(range(c + 1) for c in copies)):
            wilds = size - sum(counts)
            if 0 <= wilds <= core.wild.copies:
                ways = prod(map(comb, copies, counts)) * comb(core.wild.copies, wilds)
                hand = Hand(core.roles[-1], (), counts, None, context, None, wilds)
                yield hand, Fraction(ways, total)


def test_complete_hands(game: Game) -> None:
    found = [
        (chance, game.compiled.outcome(hand).complete) for hand, chance in closed(game, game.core.finished)
    ]
    told = count(game, "complete")
    assert told.of == len(found)
    assert told.hands == sum(yes for _, yes in found)
    assert told.probability == sum(chance for chance, yes in found if yes)


def test_waiting_hands(game: Game) -> None:
    found = [(chance, bool(game.compiled.waits(hand))) for hand, chance in closed(game, game.core.waiting)]
    told = count(game, "waiting")
    assert (told.of, told.hands) == (len(found), sum(yes for _, yes in found))
    assert told.probability == sum(chance for chance, yes in found if yes)


def test_scores(game: Game) -> None:
    sums: dict[int, Fraction] = {}
    for hand, chance in closed(game, game.core.finished):
        outcome = game.compiled.outcome(hand)
        if outcome.complete:
            best = max(outcome.scores)
            sums[best] = sums.get(best, Fraction(0)) + chance
    told = count(game, "scores")
    assert {score: chance for score, _, chance in told.scores} == sums


def test_wins(game: Game) -> None:
    """The last tile is taken for a natural one that the hand drew; no condition of this game asks which."""
    told, hands = count(game, "win"), 0
    for hand, _ in closed(game, game.core.finished):
        last = next((k for k, n in enumerate(hand.counts) if n), None)
        if last is not None:
            counts = (*hand.counts[:last], hand.counts[last] - 1, *hand.counts[last + 1 :])
            drawn = Hand(hand.role, (), counts, (last, "自摸"), hand.context, None, hand.wilds)
            hands += game.is_win(drawn)
    assert told.hands == hands


def test_every_small_hand_has_a_deal(game: Game) -> None:
    """The deal that is shown with a hand of natural tiles leaves it in play."""
    copies = [kind.copies for kind in game.core.kinds]
    for counts in product(*(range(c + 1) for c in copies[:4])):
        tiles = {k: n for k, n in enumerate(counts) if n}
        context = fitting(game.core, tiles)
        left = game.core.copies_in(context)
        fits = all(left[k] >= n for k, n in tiles.items())
        assert fits or not any(
            all(game.core.copies_in(c)[k] >= n for k, n in tiles.items()) for c in deals(game.core)
        )
