"""Local conditions as logic: what they say of a player whose tiles are unknowns.

Twin of `dsl/core/local.py`: same cases, same order, same names. The tile, its way to the player and the
tiles that would leave his hand are given; his tiles, exposed melds, earlier answers and role are terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import assert_never

from dsl.core import local
from dsl.core.flow import (
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
from dsl.core.local import Sight
from dsl.core.model import WILD, Game

from .smt import Bool, Int, Smt
from .table_faces import local_atoms

MOST_WAYS = 2_000
"""Ways to hold the tiles of one group that a condition is worked out for; of more it is left open."""


@dataclass
class Opened:
    """Conditions and numbers that a player's own tiles of one group do not settle: they may be anything.

    What is found with their help is asked of the reference; what cannot be even so, is impossible.
    """

    truths: dict[object, Bool] = field(default_factory=dict)
    numbers: dict[object, Int] = field(default_factory=dict)
    asked: bool = False
    """Was one of them asked for since somebody last set this? Each question does so for itself."""


@dataclass(frozen=True)
class SightView:
    """What one player sees, as terms. Twin of `dsl.core.local.Sight`."""

    smt: Smt
    game: Game
    name: str
    """Of the player, for variables."""
    roles: Mapping[str, Bool]
    counts: tuple[Int, ...]
    tile: int
    used: tuple[int, ...]
    origin: str | None
    distance: int
    first_discard: Bool
    first_turn: Bool
    laid: Mapping[int, Int]
    """Type (index) to how many melds of it he has exposed."""
    taken: Mapping[str, Int]
    context: Mapping[tuple[str, str], Bool]
    did: tuple[str, int] | None
    """What he did in this turn, and the kind of the tile he took; None where that is not known."""
    opened: Opened
    known: dict[object, Bool]
    """Tables already written out."""


def met(condition: Local, at: SightView) -> Bool:
    """Does the condition hold for what the player sees?"""
    smt = at.smt
    if _of_tiles(condition) and _ways(at) <= MOST_WAYS:
        return by_tiles(condition, at)
    match condition:
        case Always():
            return smt.truth(True)
        case LocalNot(part):
            return smt.negate(met(part, at))
        case LocalAnd(parts):
            return smt.both([met(part, at) for part in parts])
        case LocalOr(parts):
            return smt.either([met(part, at) for part in parts])
        case TileFrom(origins):
            return smt.truth(at.origin in origins)
        case PlayerIs(role):
            return at.roles.get(role, smt.truth(False))
        case Given(parameter, value):
            return at.context.get((parameter, value), smt.truth(False))
        case TileIn(kinds, _):
            return smt.truth(at.tile in kinds)
        case TileWild():
            return smt.truth(at.tile == WILD)
        case HoldsOnly() if condition.there:
            return _holds_there(condition, at)
        case Changes() | HoldsOnly():
            return left_open(condition, at)
        case NothingLeft():
            return smt.compare(smt.total((1, n) for n in at.counts), "=", sum(at.used))
        case _:
            return _further(condition, at)


def _further(
    condition: First | SitsAt | TileNamed | JustDid | LeftOver | LeadHas | Unbeaten | Short | LocalCompare,
    at: SightView,
) -> Bool:
    smt = at.smt
    match condition:
        case First(turned):
            return at.first_turn if turned else at.first_discard
        case SitsAt(distance):
            return smt.truth(at.distance == distance)
        case TileNamed(parameter):
            face = "" if at.tile == WILD else at.game.kinds[at.tile].name
            return at.context.get((parameter, face), smt.truth(False))
        case JustDid(names):
            return left_open(condition, at) if at.did is None else smt.truth(at.did[0] in names)
        case LeftOver():
            return left_open(condition, at) if at.did is None else smt.truth(at.tile in _left(at))
        case LeadHas() | Unbeaten() | Short():
            return left_open(condition, at)
        case LocalCompare(left, operator, right):
            return smt.compare(_sum(left, at), operator, _sum(right, at))
        case _:
            assert_never(condition)


def _sum(term: LocalSum, at: SightView) -> Int:
    return at.smt.total([(factor, quantity(q, at)) for factor, q in term.parts], term.constant)


def quantity(asked: Quantity, at: SightView) -> Int:
    """One number of what the player sees."""
    smt = at.smt
    match asked:
        case SameFace():
            own = smt.total([]) if at.tile == WILD else at.counts[at.tile]
            return own if at.tile == WILD or at.origin is not None else smt.total([(1, own)], -1)
        case Taken(names):
            return smt.total((1, n) for name, n in at.taken.items() if name in names)
        case Exposed(types, _, same_group):
            if same_group:
                return number_left_open(asked, at)
            return smt.total((1, n) for index, n in at.laid.items() if index in types)
        case Tied() | PresentScore() | TricksDone() | WildsHeld():
            return number_left_open(asked, at)
        case TilesLeft():
            return smt.total(((1, n) for n in at.counts), -sum(at.used))
        case _:
            assert_never(asked)


# ---------------------------------------------------------------- conditions of one group


def _of_tiles(condition: Local) -> bool:
    """Do the tiles of the group decide, with nothing else asked?"""
    match condition:
        case LocalNot(part):
            return _of_tiles(part)
        case LocalAnd(parts) | LocalOr(parts):
            return all(map(_of_tiles, parts))
        case HoldsOnly():
            return not condition.there
        case _:
            return isinstance(condition, Changes)


def _ways(at: SightView) -> int:
    """How many there are to hold the tiles of the group."""
    return prod(at.game.kinds[k].copies + 1 for k in local.together(_seen(at, {})))


def by_tiles(condition: Local, at: SightView) -> Bool:
    """A condition that the tiles of one group decide: for each way to hold them what the reference says."""
    key = condition, at.tile, at.used, at.origin is None, at.name
    if key not in at.known:
        members = local.together(_seen(at, {}))
        copies = [at.game.kinds[k].copies for k in members]
        truths = _truths(condition, at, members, copies)
        at.known[key] = decided(at.smt, [at.counts[k] for k in members], copies, truths)
    return at.known[key]


def _truths(condition: Local, at: SightView, members: tuple[int, ...], copies: list[int]) -> tuple[bool, ...]:
    """For each way to hold the tiles, in the order of `product`; worked out once of groups that are alike."""

    def find() -> tuple[bool, ...]:
        return tuple(
            all(at.used[k] <= n for k, n in zip(members, held, strict=True))
            and local.met(condition, _seen(at, dict(zip(members, held, strict=True))))
            for held in product(*(range(n + 1) for n in copies))
        )

    likeness = tuple(local.likeness(atom, _seen(at, {})) for atom in local_atoms(condition))
    key = "ways to hold", condition, likeness
    return at.game.memo.of(key, find)


def _seen(at: SightView, held: Mapping[int, int]) -> Sight:
    """What a player sees who holds these tiles of the group."""
    counts = tuple([held.get(k, 0) for k in range(len(at.game.kinds))])
    return Sight(at.game, "", counts, at.tile, at.used, at.origin)


def decided(smt: Smt, counts: list[Int], copies: list[int], truths: tuple[bool, ...]) -> Bool:
    """What holds for which numbers, as one case after the other; numbers with the same rest are one case.

    `truths`: for all numbers, in the order of `product`.
    """
    made: dict[tuple[bool, ...], Bool] = {}

    def node(place: int, rest: tuple[bool, ...]) -> Bool:
        if rest not in made:
            made[rest] = smt.truth(rest[0]) if len(set(rest)) == 1 else cases(place, rest)
        return made[rest]

    def cases(place: int, rest: tuple[bool, ...]) -> Bool:
        groups, width = dict[tuple[bool, ...], list[int]](), len(rest) // (copies[place] + 1)
        for n in range(copies[place] + 1):
            groups.setdefault(rest[n * width : (n + 1) * width], []).append(n)
        return smt.either([both(place, numbers, below) for below, numbers in groups.items() if any(below)])

    def both(place: int, numbers: list[int], below: tuple[bool, ...]) -> Bool:
        here = smt.either([smt.compare(counts[place], "=", n) for n in numbers])
        return smt.both([here, node(place + 1, below)])

    return node(0, truths)


def _left(at: SightView) -> tuple[int, ...]:
    """The kinds of the group for which he took a tile in this turn."""
    assert at.did is not None
    return local.group_of(_seen(replace(at, tile=at.did[1]), {})) if at.did[0] else ()


def _holds_there(condition: HoldsOnly, at: SightView) -> Bool:
    """The same of the group for which he took a tile in this turn."""
    if at.did is None:
        return left_open(condition, at)
    if not at.did[0]:
        return at.smt.truth(False)
    return met(replace(condition, there=False), replace(at, tile=at.did[1]))


# ---------------------------------------------------------------- what is left open


def left_open(condition: Local, at: SightView) -> Bool:
    """The condition as an unknown of its own."""
    at.opened.asked = True
    key = condition, at.tile, at.used, at.origin, at.distance, at.name
    if key not in at.opened.truths:
        at.opened.truths[key] = at.smt.boolean(f"open {len(at.opened.truths)}")
    return at.opened.truths[key]


def number_left_open(asked: Quantity, at: SightView) -> Int:
    """The number as an unknown of its own."""
    at.opened.asked = True
    key = asked, at.tile, at.used, at.origin, at.distance, at.name
    if key not in at.opened.numbers:
        at.opened.numbers[key] = at.smt.integer(f"open number {len(at.opened.numbers)}", 0, 1_000)
    return at.opened.numbers[key]
