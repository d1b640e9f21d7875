"""What a hand holds in one component, and how automata read it.

A part of `machines.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from ..core.hand import Hand, Laid, can_lie
from ..core.model import ORIGINS, Game, Meld
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


def holdings(game: Game, component: int, types: frozenset[int]) -> Iterator[Held]:
    """All that a hand can hold in a component with melds of these types exposed, fewest exposed first."""
    part = game.components[component]
    copies = [game.kinds[k].copies for k in part]
    chosen = [m for m in game.melds if m.type.index in types and m.tiles[0] in part and not m.wilds]
    lying = [entry for meld in chosen for entry in _lain(game, meld)]
    seen: set[tuple[Hashable, ...]] = set()
    for many in range(sum(copies) + 1):
        found = False
        for laid in combinations_with_replacement(lying, many):
            used = in_all(game, component, Held((0,) * len(part), laid))
            left = [c - n for c, n in zip(copies, used, strict=True)]
            if min(left) >= 0:
                found = True
                key = row_key(game, component, Held((), laid))
                if (key.loose, key.laid) not in seen:  # of melds that may be regrouped only the tiles count
                    seen.add((key.loose, key.laid))
                    yield from (Held(counts, laid) for counts in all_counts(left))
        if not found:
            return


def _lain(game: Game, meld: Meld) -> Iterator[Laid]:
    """The meld exposed with every choice of origins that some meld of the game tells apart."""
    if not can_lie(game, meld):
        return
    sets = {slot.origins for m in game.melds for slot in m.slots}
    kinds = {frozenset(s for s in sets if origin in s): origin for origin in reversed(ORIGINS)}
    told = frozenset(kinds.values())
    for origins in product(*([o for o in ORIGINS if o in slot.origins & told] for slot in meld.slots)):
        yield Laid(meld.id, origins)


def all_counts(copies: list[int]) -> Iterator[Counts]:
    """Every number of tiles per kind, more of the earlier kinds first."""
    return product(*(range(c, -1, -1) for c in copies))
