"""Counting where some tiles are wild: deal by deal, and by how many wild tiles the hand has.

Deals that leave decks alike are counted once. Where the deal decides what is wild, all of them are equally
likely, and a hand counts once for every deal that it can be held in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb

from dsl.api import Game
from dsl.core.deals import deals
from dsl.core.model import Game as Core
from dsl.judge.asked import contexts_asked
from dsl.judge.compiled import Compiled
from dsl.judge.machines import ClosedNames, ClosedScore, ClosedWins, Machine, Shaped, different_hands, search
from dsl.judge.rows import Wilds
from dsl.judge.wild_hands import deck_in, waiting_with

Context = Mapping[str, str]


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
    core, found = game.core, Found()
    groups = list(_alike(game))
    number = sum(len(group) for group in groups)
    for group in groups:
        deck = deck_in(core, group[0])
        _add(found, game, deck, group[0], (of, role, size), Fraction(len(group), number), len(group))
    return found


def _add(
    found: Found,
    game: Game,
    deck: Core,
    context: Context,
    asked: tuple[str, str, int],
    share: Fraction,
    times: int,
) -> None:
    """What a deal adds: its share of the chance, and its hands as often as there are deals like it."""
    of, role, size = asked
    assert deck.wild is not None
    total = comb(sum(k.copies for k in deck.kinds) + deck.wild.copies, size)
    for wilds in range(min(deck.wild.copies, size) + 1):
        found.of += times * different_hands(deck, size - wilds)
        ways = comb(deck.wild.copies, wilds)
        machine = _machine(game.compiled, deck, context, (of, role), wilds)
        for (state,), reached in search(deck, (machine,), size - wilds).items():
            if machine.accepts(state):
                chance = share * Fraction(reached.deals * ways, total)
                found.hands += times * reached.hands
                found.probability += chance
                if isinstance(machine, ClosedScore):
                    row = found.scores[machine.best(state)]
                    row[0] += times * reached.hands
                    row[1] += chance


def _machine(compiled: Compiled, deck: Core, context: Context, asked: tuple[str, str], wilds: int) -> Machine:
    of, role = asked
    own = compiled.with_wilds(Wilds(wilds))
    if of == "waiting":
        return waiting_with(compiled, deck, wilds)
    if of in own.wait_types:
        return Shaped(own.wait_types[of])
    if of == "complete":
        return Shaped(own.scored)
    if of == "scores":
        return ClosedScore(own)
    closed = ClosedWins(own, role) if of == "win" else ClosedNames(own, role, of)
    closed.hand = replace(closed.hand, context=context)
    return closed


# ---------------------------------------------------------------- deals that leave decks alike


def _alike(game: Game) -> Iterator[list[Context]]:
    """The deals, those together that differ only in the names of faces."""
    groups: dict[Hashable, list[Context]] = {}
    for context in deals(game.core):
        groups.setdefault(_face(game, context), []).append(context)
    yield from groups.values()


def _face(game: Game, context: Context) -> Hashable:
    """What a question can tell of a deal: the component it touches, copies left there, what is asked."""
    core, copies = game.core, game.core.copies_in(context)
    shown = core.shown_face(context)
    if shown is None:
        return None
    part = core.component_of[shown]
    here = tuple(copies[k] for k in core.components[part])
    maker = game.compiled.every_outcome.maker
    turned = []
    for turn in maker.turns(part):
        moved = list(here)
        for place, there in enumerate(turn.places):
            moved[there] = here[place]
        turned.append(tuple(moved))
    told = tuple(a.value == context[a.parameter] for a in contexts_asked(core) if a.parameter in context)
    return maker.alike[part][0], max(turned), told
