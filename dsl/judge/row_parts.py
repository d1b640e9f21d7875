"""What rows are made of: the tiles of a component, ways to fill melds, and what they come to.

A part of `rows.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..core.hand import Laid
from ..core.model import ORIGINS

ANY = frozenset(ORIGINS)
Vector = tuple[int, ...]
Counts = tuple[int, ...]


class Loose(NamedTuple):
    """A free tile that is not just one of the concealed ones."""

    kind: int
    origin: str | None
    last: bool
    wild: bool = False
    """A wild tile that stands for `kind`."""


class RowKey(NamedTuple):
    """What is held in one component."""

    component: int
    counts: Counts
    """Concealed tiles of the hand's own origin, one number per kind of the component."""
    loose: tuple[Loose, ...] = ()
    laid: tuple[Laid, ...] = ()
    wild: str | None = None
    """Origin of a last tile that is wild: it may lie in this component or in another."""


class Option(NamedTuple):
    """One way to group the tiles of a row: its vector, its score, and the melds."""

    vector: Vector
    score: int
    melds: tuple[int, ...]
    last_in: int | None


@dataclass(eq=False)
class Row:
    """What is held in one component as one automaton reads it; rows that count alike have one `letter`."""

    key: RowKey
    letter: int
    index: int
    make: Callable[[RowKey], tuple[Option, ...]]

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The ways to group the tiles, best first for equal vectors: worked out when melds are asked for."""
        return self.make(self.key)


Grouping = tuple[tuple[int, ...], int]
"""(melds sorted, the meld of the last tile or -1)."""
Outcome = tuple[Vector, int, int]
"""Sums over melds, score, and the type of the meld that holds the last tile (-1: none does)."""
Groupings = dict[Outcome, Grouping]
"""Each outcome to the canonical grouping that has it."""


Own = tuple[tuple[int, str | None], ...]
"""Tiles of an exposed meld: (kind, origin)."""
Filling = tuple[Counts, frozenset[int]]
"""Concealed tiles that are needed, and which loose tiles are used."""


Grown = tuple[tuple[int, ...], Counts, tuple[Loose, ...], int | None]
"""Melds after growing, the concealed tiles it takes, loose tiles left, the meld that grew by the last."""


class Way(NamedTuple):
    """One way to fill a meld."""

    meld: int
    need: Counts
    """Concealed tiles it takes."""
    left: tuple[Loose, ...]
    """Loose tiles it leaves."""
    holds_last: bool


class Stay(NamedTuple):
    """One way for the exposed melds of a component to stand at the end."""

    melds: tuple[int, ...]
    added: tuple[Vector, int]
    """What they add: sums and score."""
    need: Counts
    """Concealed tiles they grow by."""
    loose: tuple[Loose, ...]
    """Loose tiles they leave."""
    grown: int | None
    """The meld that grew by the last tile."""


@dataclass(frozen=True, slots=True)
class Wilds:
    """The wild tiles of a hand: how many, and whether the last tile is one of them."""

    number: int = 0
    last: bool = False

    @property
    def bounds(self) -> tuple[int, ...]:
        """What the melds must add up to besides the shape: wild tiles, and the last one once."""
        return (self.number, 1)[: bool(self.number) + self.last]


FILLINGS = 20_000
"""Ways to fill melds that a game keeps before it begins anew: loose tiles of long play are countless."""

WORKED_OUT = 60_000
"""What a maker of rows keeps of groupings before it begins anew."""

WAYS = 10
"""For how many of those the ways to fill all melds around one tile count: they are a long list."""

NO_WILDS = Wilds()


def fits(origin: str | None, allowed: frozenset[str]) -> bool:
    """Unknown origins of free tiles fit only where any origin does."""
    return origin in allowed if origin is not None else allowed == ANY
