"""What two rulesets come to, once rows with the same future are one: counts and hands as without that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from dsl import load
from dsl.judge import futures
from dsl.judge.automaton import State
from dsl.judge.compiled import Compiled
from dsl.judge.futures import Futures
from dsl.judge.numbered import Numbered
from dsl.judge.product import Product
from dsl.judge.rows import Wilds
from dsl.judge.situations import SituationMaker
from dsl.judge.weighed import weighed
from dsl.judge.wild_hands import different_deals
from tests.conftest import SMALL
from verifier import count
from verifier.difference import diff

PLAIN = str(SMALL / "两句.pai")
WILD = str(SMALL / "两句神.pai")


def sides(wilds: int) -> tuple[Compiled, Compiled]:
    """Two rulesets that read hands otherwise."""
    if wilds == 0:
        return load(f"{PLAIN}[底=5]").compiled, load(f"{PLAIN}[底=3]").compiled
    limits = ("不设限", "单张")
    found = [load(WILD, {"种": "随翻", "限": limit}).compiled.with_wilds(Wilds(wilds)) for limit in limits]
    return found[0], found[1]


def numbered() -> tuple[
    Numbered[tuple[str | None, State, State]], Callable[[str | None, State, State, int], int]
]:
    """Every pair of complete final states has a name of its own."""
    known: Numbered[tuple[str | None, State, State]] = Numbered()

    def named(last: str | None, left: State, right: State, ahead: int) -> int:
        return known.number((last, left, right)) + 1 if left.complete or right.complete else 0

    return known, named


@pytest.mark.parametrize("wilds", [0, 1, 2])
def test_closed_hands_are_counted_deck_by_deck(wilds: int) -> None:
    left, right = (side.paid for side in sides(wilds))
    decks = [deal.deck for deal in different_deals(sides(wilds)[0])]
    product = Product([SituationMaker(left, right, not wilds, deck) for deck in decks], counted=True)
    known, named = numbered()
    found = Futures(product, named)
    assert len(known) > 3
    for place, deck in enumerate(decks):
        wanted = Counter[object]()
        for each in weighed(deck, (left, right), left.game.finished - wilds):
            if any(state.complete for state in each.states):
                wanted[None, *each.states] += each.hands
        assert {known[n - 1]: hands for n, (hands, _) in found.weights(place).items()} == wanted


@pytest.mark.parametrize("wilds", [0, 1])
def test_a_hand_has_the_end_that_it_is_shown_for(wilds: int) -> None:
    """And it is what the deck has; ends that no hand has are not among those reached."""
    left, right = (side.paid for side in sides(wilds))
    decks = [deal.deck for deal in different_deals(sides(wilds)[0])]
    found = Futures(
        Product([SituationMaker(left, right, not wilds, deck) for deck in decks], counted=False),
        (named := numbered())[1],
    )
    for place, deck in enumerate(decks):
        shown = found.plainest(place)
        assert [one.cost for one in shown] == sorted(one.cost for one in shown)
        assert {one.name for one in shown} == found.reached(place)
        for one in shown[:200]:
            last, *ends = named[0][one.name - 1]
            hand = one.hand
            assert (None if hand.last is None else hand.last[1]) == last
            assert left.run(left.rows(hand))[0] is ends[0]
            assert all(n <= kind.copies for n, kind in zip(hand.counts, deck.kinds, strict=True))


def test_rows_that_are_mixed_to_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = (f"{PLAIN}[底=5]", f"{PLAIN}[底=3]")
    told = [_told(*pair)]
    monkeypatch.setattr(futures, "mixed", lambda numbers: np.ones(len(numbers), np.uint64))
    assert [*told, told[0]] == [*told, _told(*pair)]


def _told(left: str, right: str) -> list[object]:
    return [(a.relation, a.hands, [c.witness for c in a.classes]) for a in diff(left, right).aspects.values()]


def test_classes_of_wins_add_up_to_what_plain_win_tests_count() -> None:
    left, right = (load(f"{PLAIN}[底={least}]") for least in (5, 3))
    hands = diff(left, right).aspects["win"].hands
    for game, side in ((left, "left_only"), (right, "right_only")):
        assert count(game, "win").hands == hands["both"] + hands[side]
