"""What a hand holds in one component, and how automata read it.

A part of `machines.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..core.hand import Hand, Laid
from ..core.model import Game
from .automaton import Automaton, apart
from .rows import Loose, RowKey

Counts = tuple[int, ...]


class Held(NamedTuple):
    """What a hand holds in one component."""

    counts: Counts
    """Concealed tiles."""
    laid: tuple[Laid, ...] = ()
    """Exposed melds, sorted."""


def row_key(game: Game, component: int, held: Held, last: tuple[int, str] | None = None) -> RowKey:
    """What the automata read of a component, with the last tile if it lies there."""
    loose, laid = apart(game, Hand("", held.laid, (), last))
    return RowKey(component, held.counts, tuple(loose.get(component, ())), tuple(laid.get(component, ())))


def plain_letter(automaton: Automaton, component: int, held: Held) -> int:
    """The letter of what is held."""
    if held.laid:
        return automaton.letter(row_key(automaton.game, component, held))
    return automaton.letter(RowKey(component, held.counts))


def drawn_letter(automaton: Automaton, component: int, held: Held, last: tuple[int, str]) -> int:
    """The letter of what is held and a last tile in the same component."""
    if held.laid:
        return automaton.letter(row_key(automaton.game, component, held, last))
    return automaton.letter(RowKey(component, held.counts, (Loose(*last, True),)))


def drawable(game: Game, component: int, held: Held) -> Iterator[int]:
    """Kinds of the component of which the hand does not hold all copies."""
    for kind, number in zip(game.components[component], in_all(game, component, held), strict=True):
        if number < game.kinds[kind].copies:
            yield kind


def in_all(game: Game, component: int, held: Held) -> Counts:
    """Tiles per kind of the component, concealed and exposed."""
    if not held.laid:
        return held.counts
    exposed = [kind for laid in held.laid for kind in game.melds[laid.meld].tiles]
    part = game.components[component]
    return tuple(n + exposed.count(kind) for kind, n in zip(part, held.counts, strict=True))


def whole(parts: tuple[Held, ...], game: Game) -> Counts:
    """Concealed tiles per component as counts per kind."""
    result = [0] * len(game.kinds)
    for part, held in zip(game.components, parts, strict=True):
        for kind, number in zip(part, held.counts, strict=True):
            result[kind] = number
    return tuple(result)


def different_hands(game: Game, size: int) -> int:
    """How many different hands of this size the natural tiles make, by a product of polynomials."""
    ways = [1]
    for kind in game.kinds:
        longer = [0] * (len(ways) + kind.copies)
        for tiles, number in enumerate(ways):
            for more in range(kind.copies + 1):
                longer[tiles + more] += number
        ways = longer
    return ways[size] if size < len(ways) else 0
