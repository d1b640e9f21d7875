"""大小: which plays of a trick game beat which. Pure functions of a game; nothing else decides it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .model import Game, Meld, Rule


@dataclass(frozen=True, slots=True)
class Tier:
    """Faces and meld types that rank alike in a line."""

    kinds: frozenset[int]
    types: frozenset[int]
    """Indices of meld types."""


@dataclass(frozen=True, slots=True)
class RankLine:
    """One line of 大小: tiers from the highest down. Only plays of one line are ever compared."""

    name: str
    tiers: tuple[Tier, ...]
    rule: Rule


class Place(NamedTuple):
    """Where a play stands."""

    line: int
    """Index in `Game.ranks`."""
    tier: int
    """Index in `RankLine.tiers`: 0 is the highest."""
    size: int
    """How many tiles it has."""


def place_of(game: Game, meld: Meld) -> Place | None:
    """Where a ground meld stands as a play; None for a meld that is none.

    A meld stands where its type does; one whose type stands nowhere, of equal tiles, where its face does.
    """
    if not meld.slots or meld.wilds or meld.base is not None:
        return None
    tiers = [(i, j, tier) for i, line in enumerate(game.ranks) for j, tier in enumerate(line.tiers)]
    by_type = ((i, j) for i, j, tier in tiers if meld.type.index in tier.types)
    by_face = ((i, j) for i, j, tier in tiers if meld.tiles[0] in tier.kinds)
    found = next(by_type, None)
    if found is None and len(set(meld.tiles)) == 1:
        found = next(by_face, None)
    return None if found is None else Place(*found, len(meld.tiles))


def plays(game: Game) -> Iterator[tuple[Meld, Place]]:
    """Every play of the game, in the order of its melds."""
    for meld in game.melds:
        place = place_of(game, meld)
        if place is not None:
            yield meld, place


def plays_of(game: Game, tiles: Sequence[int]) -> tuple[Place, ...]:
    """Where the plays stand that these tiles make, each place once; none when they make no play."""
    wanted = tuple(sorted(Counter(tiles).items()))
    return tuple(dict.fromkeys(place for meld, place in plays(game) if meld.counts == wanted))


def beats(game: Game, play: Meld, other: Meld) -> bool:
    """Does the play beat the other: the same line, as many tiles, a higher tier?"""
    mine, theirs = place_of(game, play), place_of(game, other)
    return mine is not None and theirs is not None and higher(mine, theirs)


def higher(mine: Place, theirs: Place) -> bool:
    """The same of the places where two plays stand."""
    return (mine.line, mine.size) == (theirs.line, theirs.size) and mine.tier < theirs.tier
