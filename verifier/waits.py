"""Every waiting hand sorted by the named waits it has: one sweep over the deck answers all questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.core.hand import Hand
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Answers, Machine, Shaped, search, sizes, whole
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
    """Of the smallest with the fewest wild tiles the one with most of the early kinds."""


def wait_classes(compiled: Compiled) -> tuple[WaitClass, ...]:
    """All hands of `game.waiting` tiles, or of any number, that wait or have a named wait.

    They are concealed, but for melds whose extra tile was the last one: without those few hands wait.
    """
    game = compiled.game
    found: dict[tuple[bool, ...], tuple[int, Place, Hand]] = {}
    for sought in hands_sought(compiled, game.roles[-1], None if game.any_size else game.waiting):
        for face, hands, place, own in _classes(sought):
            before, best, first = found.get(face, (0, place, own))
            found[face] = before + hands, min(best, place), own if place < best else first
    names = [wait.name for wait in game.waits]
    return tuple(
        WaitClass(face[0], frozenset(n for n, yes in zip(names, face[1:], strict=True) if yes), hands, first)
        for face, (hands, _, first) in sorted(found.items(), key=lambda item: item[0], reverse=True)
    )


Place = tuple[int, int, tuple[int, ...]]
"""Where a hand stands in order: wild tiles, natural ones, and how many it has of the early kinds."""


def _of_none(answers: Answers) -> bool:
    """Is it settled that the hand neither waits nor has a named wait?"""
    return all(answer is False for answer in answers)


def _classes(sought: Sought) -> Iterator[tuple[tuple[bool, ...], int, Place, Hand]]:
    """Whether they wait and which named waits they have; how many hands; and one, the first in order."""
    game, deal = sought.deal.deck, sought.deal
    machines: list[Machine] = [sought.waiting(), *map(Shaped, sought.compiled.wait_types.values())]
    laid, size = frozenset(t.index for t in game.types if t.by_last), sizes(game, game.waiting - sought.wilds)
    for states, reached in search(game, tuple(machines), size, laid, _of_none).items():
        face = tuple(m.accepts(s) for m, s in zip(machines, states, strict=True))
        if any(face):
            exposed = tuple(entry for part in reached.first for entry in part.laid)
            counts = whole(reached.first, game)
            own = Hand(sought.role, exposed, counts, None, deal.context, None, sought.wilds)
            place = sought.wilds, reached.tiles, tuple(-n for n in counts)
            yield face, deal.times * reached.hands, place, own
