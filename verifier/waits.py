"""Every waiting hand sorted by the named waits it has: one sweep over the deck answers all questions."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core.hand import Hand
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Machine, Shaped, search, whole
from dsl.judge.wild_hands import Sought, hands_sought


@dataclass(frozen=True, slots=True)
class WaitClass:
    """Hands one tile short that have exactly these named waits."""

    waits: bool
    """Some tile completes them."""
    names: frozenset[str]
    hands: int
    """Where a deal decides what is wild, once for every deal that a hand can be held in."""
    first: Hand
    """Of those with the fewest wild tiles the one with most of the early kinds."""


def wait_classes(compiled: Compiled) -> tuple[WaitClass, ...]:
    """All hands of `game.waiting` tiles that wait or have a named wait.

    They are concealed, but for melds whose extra tile was the last one: without those few hands wait.
    """
    game = compiled.game
    found: dict[tuple[bool, ...], tuple[int, Hand]] = {}
    for sought in hands_sought(compiled, game.roles[-1], game.waiting):
        for face, (hands, first) in _classes(sought).items():
            before, known = found.get(face, (0, first))
            found[face] = before + hands, min(known, first, key=_order)
    names = [wait.name for wait in game.waits]
    return tuple(
        WaitClass(face[0], frozenset(n for n, yes in zip(names, face[1:], strict=True) if yes), hands, first)
        for face, (hands, first) in sorted(found.items(), key=lambda item: item[0], reverse=True)
    )


def _order(hand: Hand) -> tuple[int, tuple[int, ...]]:
    return hand.wilds, tuple(-n for n in hand.counts)


def _classes(sought: Sought) -> dict[tuple[bool, ...], tuple[int, Hand]]:
    """By whether they wait and which named waits they have: how many hands, and the first."""
    game, deal = sought.deal.deck, sought.deal
    machines: list[Machine] = [sought.waiting(), *map(Shaped, sought.compiled.wait_types.values())]
    laid = frozenset(t.index for t in game.types if t.by_last)
    found: dict[tuple[bool, ...], tuple[int, Hand]] = {}
    for states, reached in search(game, tuple(machines), game.waiting - sought.wilds, laid).items():
        face = tuple(m.accepts(s) for m, s in zip(machines, states, strict=True))
        if any(face):
            exposed = tuple(entry for part in reached.first for entry in part.laid)
            counts = whole(reached.first, game)
            own = Hand(sought.role, exposed, counts, None, deal.context, None, sought.wilds)
            hands, first = found.get(face, (0, own))
            found[face] = hands + deal.times * reached.hands, min(first, own, key=_order)
    return found
