"""Diffs of games with wild tiles: closed hands counted as by going through them, no difference overlooked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

import pytest

from dsl import Game, Hand, load
from dsl.core.deals import deals
from dsl.core.hand import to_json
from dsl.core.model import WILD
from tests.conftest import SMALL
from tests.laws.test_wild_laws import wild_hands
from verifier.common_hands import ANY_LAST
from verifier.difference import Difference, diff

PATH = str(SMALL / "两句神.pai")
PAIRS = {
    "how many in a meld": (("随翻", "不设限"), ("随翻", "单张")),
    "which melds": (("随翻", "随便"), ("随翻", "随便真碰")),
    "out of play or not": (("随翻", "单张"), ("随翻", "实张")),
    "spelt out or free": (("随翻", "不设限"), ("随翻", "随便")),
    "tiles of their own": (("另有", "不设限"), ("另有", "单张")),
    "fifth copies": (("另有", "随便"), ("另有", "随便实张")),
}


@cache
def game(kind: str, limit: str) -> Game:
    return load(PATH, {"种": kind, "限": limit})


@cache
def compared(name: str) -> Difference:
    left, right = PAIRS[name]
    return diff(game(*left), game(*right))


def closed(left: Game, right: Game) -> Iterator[tuple[Hand, int]]:
    """Every finished hand of own tiles in every deal, a natural one drawn last, and in how many ways it is
    dealt. No need of these games asks where the last tile lies."""
    core = left.core
    for deal in deals(core):
        copies = tuple(map(min, core.copies_in(deal), right.core.copies_in(deal)))
        for counts in product(*(range(n + 1) for n in copies)):
            wilds = core.finished - sum(counts)
            if 0 <= wilds <= core.wild.copies:
                ways = prod(map(comb, copies, counts)) * comb(core.wild.copies, wilds)
                last = next(k for k, n in enumerate(counts) if n)
                rest = tuple(n - (k == last) for k, n in enumerate(counts))
                yield Hand(core.roles[-1], (), rest, (last, "自摸"), deal, None, wilds), ways


@pytest.mark.parametrize("name", PAIRS)
def test_wins_are_counted_as_going_through_all_hands_does(name: str) -> None:
    found = compared(name)
    hands = {"both": 0, "left_only": 0, "right_only": 0}
    ways = dict(hands)
    total = 0
    for hand, dealt in closed(found.left, found.right):
        a, b = found.left.is_win(hand), found.right.is_win(hand)
        total += dealt
        if a or b:
            side = "both" if a and b else "left_only" if a else "right_only"
            hands[side] += 1
            ways[side] += dealt
    assert found.aspects["win"].hands == hands
    told = found.aspects["win"].probability
    assert {side: str(Fraction(n, total)) for side, n in ways.items()} == told


def in_range(hand: Hand, core: Game) -> bool:
    """Is it one of the hands that are compared?"""
    wilds = hand.all_wilds(core.core)
    drawn = hand.last is not None and hand.last[1] == "自摸"
    if hand.last is not None and hand.last_wild:
        return wilds <= ANY_LAST and drawn and not hand.laid
    if wilds > ANY_LAST:
        return not hand.laid and (drawn or hand.last is None)
    return not (wilds and hand.laid)


@pytest.mark.parametrize("name", PAIRS)
def test_no_hand_differs_where_none_is_said_to(name: str) -> None:
    found = compared(name)
    left, right = found.left, found.right
    differing = {a.name for a in found.aspects.values() if a.relation != "equal"}
    sides = {(c.left.win, c.right.win) for c in found.aspects["win"].classes}
    seen, told = 0, set()
    for hand in wild_hands(left, 400, seed=53):
        here = right.core.copies_in(hand.context)
        held = replace(hand, laid=()).tiles(left.core)
        fits = all(held[k] <= n for k, n in enumerate(here)) and held[WILD] <= right.core.wild.copies
        if hand.laid or not fits or not in_range(hand, left):
            continue
        a, b = (g.compiled.outcome(hand) for g in (left, right))
        said = {
            "win": a.win != b.win,
            "score": a.complete and b.complete and a.scores[-1:] != b.scores[-1:],
            "payment": a.win == b.win and a.complete and b.complete and a.payments != b.payments,
        }
        assert {n for n, differs in said.items() if differs} <= differing, to_json(left.core, hand)
        assert a.win == b.win or (a.win, b.win) in sides, to_json(left.core, hand)
        told |= {n for n, differs in said.items() if differs}
        seen += hand.all_wilds(left.core) > 0
    assert seen > 40


def test_some_hands_differ_only_by_their_wild_tiles() -> None:
    """The classes are shown by hands with wild tiles, as many as it takes and in a deal."""
    shown = [c.left.hand for a in compared("how many in a meld").aspects.values() for c in a.classes]
    assert shown
    assert {hand.all_wilds(game("随翻", "不设限").core) for hand in shown} >= {2, 3}
    assert all(hand.context for hand in shown)


def test_without_wild_tiles_both_games_know_the_hands() -> None:
    """A game without wild tiles and the same one with them: what needs none is judged alike."""
    found = diff(load(str(SMALL / "两句.pai")), game("另有", "随便"))
    assert found.aspects["win"].relation == found.aspects["score"].relation == "equal"
    assert found.aspects["names"].relation != "equal"
    assert all(not c.right.hand.wilds for a in found.aspects.values() for c in a.classes)
    assert "只比手里没有 神 的" in found.bounds[0]


def test_other_tiles_cannot_be_compared() -> None:
    assert diff(game("随翻", "随便"), game("另有", "随便")).unknown
