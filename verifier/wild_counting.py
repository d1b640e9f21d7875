"""Counting where some tiles are wild: deal by deal, and by how many wild tiles the hand has.

Deals that leave decks alike are counted once. Where the deal decides what is wild, all of them are equally
likely, and a hand counts once for every deal that it can be held in.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb

from dsl.api import Game
from dsl.judge.machines import ClosedNames, ClosedScore, ClosedWins, Machine, Shaped, different_hands, search
from dsl.judge.wild_hands import Sought, different_deals, hands_sought


@dataclass(slots=True)
class Found:
    """Hands counted, all there are, and the chance that a dealt one is counted; the same by best score."""

    hands: int = 0
    of: int = 0
    probability: Fraction = Fraction(0)
    scores: defaultdict[int, list[Fraction]] = field(default_factory=lambda: defaultdict(_nothing))
    """Best score to (hands, probability)."""


def _nothing() -> list[Fraction]:
    return [Fraction(0), Fraction(0)]


def counted(game: Game, of: str, role: str, size: int) -> Found:
    """Closed hands of this size, over all deals; the last tile is taken for a natural one."""
    found, compiled = Found(), game.compiled
    number = sum(deal.times for deal in different_deals(compiled))
    for sought in hands_sought(compiled, role, size):
        _add(found, sought, of, size, number)
    return found


def _add(found: Found, sought: Sought, of: str, size: int, deals: int) -> None:
    """What hands with so many wild tiles add: their share of the chance, and each once for every deal."""
    deal, wilds = sought.deal, sought.wilds
    total = comb(sum(k.copies for k in deal.deck.kinds) + deal.most, size) * deals
    ways = comb(deal.most, wilds) * deal.times
    found.of += deal.times * different_hands(deal.deck, size - wilds)
    machine = _machine(sought, of)
    for (state,), reached in search(deal.deck, (machine,), size - wilds).items():
        if machine.accepts(state):
            chance = Fraction(reached.deals * ways, total)
            found.hands += deal.times * reached.hands
            found.probability += chance
            if isinstance(machine, ClosedScore):
                row = found.scores[machine.best(state)]
                row[0] += deal.times * reached.hands
                row[1] += chance


def _machine(sought: Sought, of: str) -> Machine:
    own = sought.compiled
    if of == "waiting":
        return sought.waiting()
    if of in own.wait_types:
        return Shaped(own.wait_types[of])
    if of == "complete":
        return Shaped(own.scored)
    if of == "scores":
        return ClosedScore(own)
    closed = ClosedWins(own, sought.role) if of == "win" else ClosedNames(own, sought.role, of)
    closed.hand = replace(closed.hand, context=sought.deal.context)
    return closed
