"""CORE: what a statement says of players at the table, each with his tiles and one tile on offer.

A part of `statements.py`. `dsl/table/questions.py` says what it means for given tiles,
`verifier/encode_table.py` for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .flow import Local


@dataclass(frozen=True, slots=True)
class Sees:
    """A local condition on what he sees of the tile on offer; no tile would leave his hand."""

    condition: Local


@dataclass(frozen=True, slots=True)
class Answers:
    """能应: one of these responses is open to him."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """打不出: one of these responses or announcements is open, and however he does it, he may let go of
    nothing then."""

    names: tuple[str, ...]
    opening: bool | None = None
    """Only announcements of the opening are meant, or only responses; None for both."""


@dataclass(frozen=True, slots=True)
class Bites:
    """The veto keeps a response closed that would be open; the ban keeps the tile, of which he holds one,
    in the hand. Only checks ask this."""

    kind: Literal["veto", "ban"]
    name: str


@dataclass(frozen=True, slots=True)
class SeatNot:
    part: SeatFormula


@dataclass(frozen=True, slots=True)
class SeatAnd:
    parts: tuple[SeatFormula, ...]


@dataclass(frozen=True, slots=True)
class SeatOr:
    parts: tuple[SeatFormula, ...]


SeatFormula = Sees | Answers | DeadEnd | Bites | SeatNot | SeatAnd | SeatOr
"""A condition on one player."""


def atoms(formula: SeatFormula) -> Iterator[Sees | Answers | DeadEnd | Bites]:
    """The condition's smallest parts."""
    match formula:
        case SeatNot(part):
            yield from atoms(part)
        case SeatAnd(parts) | SeatOr(parts):
            for part in parts:
                yield from atoms(part)
        case _:
            yield formula


def names_asked(formula: SeatFormula) -> frozenset[str]:
    """Responses and announcements that the condition speaks of."""
    return frozenset(n for part in atoms(formula) if isinstance(part, Answers | DeadEnd) for n in part.names)
