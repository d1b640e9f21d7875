"""What a local condition says of one player, one tile and what was done so far. The reference meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from .evaluate import compared
from .flow import (
    Always,
    Changes,
    Exposed,
    First,
    Given,
    HoldsOnly,
    Local,
    LocalAnd,
    LocalCompare,
    LocalNot,
    LocalOr,
    LocalSum,
    NothingLeft,
    PlayerIs,
    Quantity,
    SameFace,
    SitsAt,
    Taken,
    TileFrom,
    TileIn,
    TileWild,
)
from .model import WILD, Game


@dataclass(frozen=True, slots=True)
class Sight:
    """What one player sees when he answers a tile, or thinks of letting one go."""

    game: Game
    role: str
    counts: tuple[int, ...]
    """Concealed natural tiles per kind; a tile about to be let go is among them, one on offer is not."""
    tile: int
    """The kind of the tile, or `WILD`."""
    used: tuple[int, ...]
    """Concealed tiles per kind that would leave the hand."""
    origin: str | None = None
    """Where a tile on offer would come from for him."""
    distance: int = 0
    """Seats from the one it comes from to the player, 0 for himself."""
    first_discard: bool = False
    first_turn: bool = False
    laid: tuple[int, ...] = ()
    """Types (indices) of his exposed melds."""
    taken: tuple[str, ...] = ()
    """How he answered so far in this deal, by name."""
    context: Mapping[str, str] = field(default_factory=dict)


def met(condition: Local, at: Sight) -> bool:
    """Does the condition hold for what the player sees?"""
    match condition:
        case Always():
            return True
        case LocalNot(part):
            return not met(part, at)
        case LocalAnd(parts):
            return all(met(part, at) for part in parts)
        case LocalOr(parts):
            return any(met(part, at) for part in parts)
        case TileFrom(origins):
            return at.origin in origins
        case PlayerIs(role):
            return at.role == role
        case Given(parameter, value):
            default = next(p.values[0] for p in at.game.parameters if p.name == parameter)
            return at.context.get(parameter, default) == value
        case TileIn(kinds, _):
            return at.tile in kinds
        case TileWild():
            return at.tile == WILD
        case Changes():
            return _changes(condition, at)
        case HoldsOnly(pattern, this):
            return _holds_only(pattern, this, at)
        case NothingLeft():
            return sum(at.counts) == sum(at.used)
        case First(turned):
            return at.first_turn if turned else at.first_discard
        case SitsAt(distance):
            return at.distance == distance
        case LocalCompare(left, operator, right):
            return compared(_sum(left, at), operator, _sum(right, at))
        case _:
            assert_never(condition)


def _sum(term: LocalSum, at: Sight) -> int:
    return term.constant + sum(factor * quantity(q, at) for factor, q in term.parts)


def quantity(asked: Quantity, at: Sight) -> int:
    """One number of what the player sees."""
    match asked:
        case SameFace():
            return 0 if at.tile == WILD else at.counts[at.tile] - (at.origin is None)
        case Taken(names):
            return sum(name in names for name in at.taken)
        case Exposed(types, _):
            return sum(index in types for index in at.laid)
        case _:
            assert_never(asked)


def group_of(at: Sight) -> tuple[int, ...]:
    """The kinds of the tile's group; empty for a wild tile and one in no group."""
    group = None if at.tile == WILD else at.game.kinds[at.tile].group
    return () if group is None else at.game.groups[group].kinds


def _holds_only(pattern: tuple[int, ...], this: int | None, at: Sight) -> bool:
    members = group_of(at)
    held = [at.counts[k] for k in members]
    if not members or sorted(n for n in held if n) != sorted(pattern):
        return False
    if this is None:
        return True
    own = at.counts[at.tile]
    return own == (pattern[this] if this < len(pattern) else 0)


def _changes(asked: Changes, at: Sight) -> bool:
    members = group_of(at)
    if not members:
        return False
    held = tuple(at.counts[k] for k in members)
    if asked.more:
        other = tuple(at.counts[k] + (k == at.tile) for k in members)
    else:
        other = tuple(at.counts[k] - at.used[k] for k in members)
    patterns = _patterns(at.game, members, asked)
    before, after = most(patterns, held), most(patterns, other)
    return after > before if asked.more else after < before


Patterns = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
"""The melds of a group that come first, and those that are counted, as tiles of each of its kinds."""


def _patterns(game: Game, members: tuple[int, ...], asked: Changes) -> Patterns:
    key = ("local patterns", members, asked.first, asked.types)
    known: Patterns | None = game.memo.get(key)
    if known is None:
        known = game.memo[key] = (
            _of_types(game, members, asked.first),
            _of_types(game, members, asked.types),
        )
    return known


def _of_types(game: Game, members: tuple[int, ...], types: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    wanted, found = frozenset(types), set()
    for meld in game.melds:
        if meld.type.index in wanted and not meld.wilds and meld.slots and set(meld.tiles) <= set(members):
            found.add(tuple(meld.tiles.count(kind) for kind in members))
    return tuple(sorted(found))


@lru_cache(maxsize=200_000)
def most(patterns: Patterns, held: tuple[int, ...]) -> int:
    """How many of the counted melds lie side by side once the most of the first ones are taken out."""
    first, counted = patterns
    return _best(first, counted, held)[1]


def _best(
    first: tuple[tuple[int, ...], ...], counted: tuple[tuple[int, ...], ...], held: tuple[int, ...]
) -> tuple[int, int]:
    """The most of the first ones that can be taken out, and then the most of the others that stay."""
    best = (0, _packed(counted, held))
    for pattern in first:
        rest = _without(held, pattern)
        if rest is not None:
            taken, stay = _best(first, counted, rest)
            best = max(best, (taken + 1, stay))
    return best


@lru_cache(maxsize=200_000)
def _packed(patterns: tuple[tuple[int, ...], ...], held: tuple[int, ...]) -> int:
    """The most of these melds that lie side by side."""
    rests = (_without(held, pattern) for pattern in patterns)
    return max((1 + _packed(patterns, rest) for rest in rests if rest is not None), default=0)


def _without(held: tuple[int, ...], pattern: tuple[int, ...]) -> tuple[int, ...] | None:
    rest = tuple(h - p for h, p in zip(held, pattern, strict=True))
    return None if min(rest) < 0 else rest
