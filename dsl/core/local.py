"""What a local condition says of one player, one tile and what was done so far. The reference meaning."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, assert_never

from .evaluate import compared
from .flow import (
    Always,
    Changes,
    Exposed,
    First,
    Given,
    HoldsOnly,
    JustDid,
    LeadHas,
    LeftOver,
    Local,
    LocalAnd,
    LocalCompare,
    LocalNot,
    LocalOr,
    LocalSum,
    NothingLeft,
    PlayerIs,
    PresentScore,
    Quantity,
    SameFace,
    Short,
    SitsAt,
    Taken,
    Tied,
    TileFrom,
    TileIn,
    TileNamed,
    TilesLeft,
    TileWild,
    TricksDone,
    Unbeaten,
    WildsHeld,
)
from .model import WILD, Game
from .present import present_score


class Did(NamedTuple):
    """An answer or announcement that a player made."""

    name: str
    tile: int
    """A kind of the meld that he laid."""
    left: tuple[int, ...]
    """Kinds that he still had concealed in its group."""


class Sight(NamedTuple):
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
    taken: tuple[str, ...] = ()
    """How he answered so far in this deal, by name."""
    context: Mapping[str, str] = MappingProxyType({})
    melds: tuple[int, ...] = ()
    """Ids of his exposed melds."""
    turn: tuple[Did, ...] = ()
    """What he did since it became his turn, where he is about to discard."""
    led: bool = False
    """The tiles that would leave the hand are led."""
    unbeaten: bool = False
    """The player led the trick that is just over, and nobody beat it."""
    tricks: int = 0
    """How many tricks are over."""
    wilds: int = 0
    """Concealed wild tiles; one on offer is not among them."""
    short: Callable[[], bool] = bool
    """Asks the judge: do his tiles, with the one on offer, have the shape of a win and make none?"""


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
        case HoldsOnly(pattern, this, there):
            return _holds_only(pattern, this, at) if not there else _holds_there(pattern, at)
        case NothingLeft():
            return sum(at.counts) == sum(at.used)
        case _:
            return _further(condition, at)


def _further(
    condition: First | SitsAt | TileNamed | JustDid | LeftOver | LeadHas | Unbeaten | Short | LocalCompare,
    at: Sight,
) -> bool:
    match condition:
        case First(turned):
            return at.first_turn if turned else at.first_discard
        case SitsAt(distance):
            return at.distance == distance
        case TileNamed(parameter):
            return at.tile == at.game.kind_index.get(at.context.get(parameter, ""))
        case JustDid(names):
            return any(did.name in names for did in at.turn)
        case LeftOver():
            return any(at.tile in did.left for did in at.turn)
        case LeadHas(kinds, _):
            return at.led and any(at.used[kind] for kind in kinds)
        case Unbeaten():
            return at.unbeaten
        case Short():
            return at.short()
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
        case WildsHeld():
            return at.wilds
        case Taken(names):
            return sum(name in names for name in at.taken)
        case Exposed(types, _, same_group):
            return _exposed(types, same_group, at)
        case PresentScore():
            face = at.game.marked_face(at.role, at.context)
            return present_score(at.game, at.counts, at.melds, face)
        case Tied(types, _):
            return _tied(types, at)
        case TricksDone():
            return at.tricks
        case TilesLeft():
            return sum(at.counts) - sum(at.used)
        case _:
            assert_never(asked)


def grouped(game: Game, tile: int) -> tuple[int, ...]:
    """The kinds of a natural tile's group; one in no group is by itself."""
    group = game.kinds[tile].group
    return (tile,) if group is None else game.groups[group].kinds


def group_of(at: Sight) -> tuple[int, ...]:
    """The kinds of the group of what is looked at; a wild tile has none."""
    return () if at.tile == WILD else grouped(at.game, at.tile)


def together(at: Sight) -> tuple[int, ...]:
    """The kinds that may lie in one meld with the tile: its group, or the component of one in no group."""
    if at.tile != WILD and at.game.kinds[at.tile].group is None:
        return at.game.components[at.game.component_of[at.tile]]
    return group_of(at)


def _exposed(types: frozenset[int], same_group: bool, at: Sight) -> int:
    melds = [at.game.melds[meld] for meld in at.melds]
    group = group_of(at) if same_group else ()
    return sum(m.type.index in types and (not same_group or m.tiles[0] in group) for m in melds)


def _holds_there(pattern: tuple[int, ...], at: Sight) -> bool:
    return bool(at.turn) and _holds_only(pattern, None, at._replace(tile=at.turn[-1].tile))


def _holds_only(pattern: tuple[int, ...], this: int | None, at: Sight) -> bool:
    members = group_of(at)
    held = [at.counts[k] for k in members]
    if not members or sorted(n for n in held if n) != sorted(pattern):
        return False
    if this is None:
        return True
    own = at.counts[at.tile]
    return own == (pattern[this] if this < len(pattern) else 0)


def _tied(types: frozenset[int], at: Sight) -> int:
    members = together(at)
    patterns = _patterns(at.game, members, frozenset(), types)[1]
    going = tuple(at.used[k] for k in members)
    return most_tied(patterns, going, tuple(at.counts[k] - n for k, n in zip(members, going, strict=True)))


def likeness(condition: Local, at: Sight) -> Hashable:
    """The same for groups of which these say the same, tile for tile in the order of `together`."""
    game, members = at.game, together(at)
    melds: Patterns = ((), ())
    if isinstance(condition, Changes):
        melds = _patterns(game, members, condition.first, condition.types)
    held = tuple((game.kinds[k].copies, at.used[k], k == at.tile, k in group_of(at)) for k in members)
    return held, at.origin is None, melds


def _changes(asked: Changes, at: Sight) -> bool:
    members = together(at)
    if not members:
        return False
    counts, used = at.counts, at.used
    held = tuple([counts[k] for k in members])
    if asked.more:
        other = tuple([counts[k] + (k == at.tile) for k in members])
    else:
        other = tuple([counts[k] - used[k] for k in members])
    most = _most(at.game, members, asked.first, asked.types)
    return most[other] > most[held] if asked.more else most[other] < most[held]


KEPT = 50_000
"""Hands of a group, or of a component, of which it is remembered how many melds they make."""

Patterns = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
"""The melds of a group that come first, and those that are counted, as tiles of each of its kinds."""


def _patterns(game: Game, members: tuple[int, ...], first: frozenset[int], types: frozenset[int]) -> Patterns:
    key = ("local patterns", members, first, types)
    return game.memo.of(key, lambda: (_of_types(game, members, first), _of_types(game, members, types)))


class Most(dict[tuple[int, ...], int]):
    """By the tiles of a group, how many of the counted melds lie side by side once the most of the first ones
    are taken out."""

    def __init__(self, patterns: Patterns) -> None:
        super().__init__()
        self.patterns = patterns

    def __missing__(self, held: tuple[int, ...]) -> int:
        if len(self) >= KEPT:
            self.clear()
        found = self[held] = _best(*self.patterns, held)[1]
        return found


def _most(game: Game, members: tuple[int, ...], first: frozenset[int], types: frozenset[int]) -> Most:
    key = ("local most", members, first, types)
    return game.memo.of(key, lambda: Most(_patterns(game, members, first, types)))


def _of_types(game: Game, members: tuple[int, ...], types: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    wanted, found = frozenset(types), set()
    for meld in game.melds:
        if meld.type.index in wanted and not meld.wilds and meld.slots and set(meld.tiles) <= set(members):
            found.add(tuple(meld.tiles.count(kind) for kind in members))
    return tuple(sorted(found))


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


@lru_cache(maxsize=KEPT)
def _packed(patterns: tuple[tuple[int, ...], ...], held: tuple[int, ...]) -> int:
    """The most of these melds that lie side by side."""
    rests = (_without(held, pattern) for pattern in patterns)
    return max((1 + _packed(patterns, rest) for rest in rests if rest is not None), default=0)


def _without(held: tuple[int, ...], pattern: tuple[int, ...]) -> tuple[int, ...] | None:
    rest = tuple(h - p for h, p in zip(held, pattern, strict=True))
    return None if min(rest) < 0 else rest


@lru_cache(maxsize=KEPT)
def most_tied(patterns: tuple[tuple[int, ...], ...], going: tuple[int, ...], staying: tuple[int, ...]) -> int:
    """How many of the tiles that go can each lie in a meld of their own whose other tiles stay."""
    first = next((i for i, n in enumerate(going) if n), None)
    if first is None:
        return 0
    fewer = (*going[:first], going[first] - 1, *going[first + 1 :])
    best = most_tied(patterns, fewer, staying)
    for pattern in (p for p in patterns if p[first]):
        rest = _without(staying, (*pattern[:first], pattern[first] - 1, *pattern[first + 1 :]))
        if rest is not None:
            best = max(best, 1 + most_tied(patterns, fewer, rest))
    return best
