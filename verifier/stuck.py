"""What players may let nothing go of, group by group: told by the tiles of the group where these suffice.

A solver is slow to see that groups of which no tile may go hold, say, a number of tiles divisible by three.
So the numbers of tiles of such hands are worked out beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from dsl.core import local
from dsl.core.flow import (
    Always,
    Changes,
    HoldsOnly,
    JustDid,
    LeftOver,
    Local,
    LocalAnd,
    LocalCompare,
    LocalNot,
    LocalOr,
    SameFace,
    TileFrom,
    TileIn,
    TileWild,
)
from dsl.core.local import Sight
from dsl.core.model import WILD, Game

from .encode_local import MOST_WAYS
from .table_faces import local_atoms

Did = tuple[str, int] | None
"""What the player did in this turn and the kind of the tile he took; None where that is not known."""
Counts = tuple[int, ...]


@dataclass(frozen=True)
class GroupStuck:
    """Of the tiles of one group: may none of them be let go?"""

    members: tuple[int, ...]
    verdicts: Mapping[Counts, bool | None] | None
    """For each way to hold them, in the order of `product`; None where other things decide. None for a group
    that is too large."""

    @property
    def settled(self) -> bool:
        return self.verdicts is not None and None not in self.verdicts.values()

    @property
    def possible(self) -> Mapping[Counts, bool]:
        """Ways to hold them of which perhaps none may go; of a large group nothing is said."""
        return {held: v is not False for held, v in (self.verdicts or {}).items()}

    def sizes(self, game: Game) -> frozenset[int]:
        """How many tiles of the group are then held."""
        if self.verdicts is None:
            return frozenset(range(sum(game.kinds[k].copies for k in self.members) + 1))
        return frozenset(sum(held) for held, may in self.possible.items() if may)


@dataclass(frozen=True)
class Keeping:
    """What bans can keep in a hand."""

    bans: tuple[LocalAnd, ...]
    groups: tuple[GroupStuck, ...]
    sizes: frozenset[int]
    """How many natural tiles a player can have none of which may go, by the numbers."""
    settled: bool
    """Do a player's concealed tiles alone decide?"""


def keeping(game: Game, bans: tuple[LocalAnd, ...], did: Did, wholes: frozenset[int]) -> Keeping:
    """What they can keep, of a hand of one of these numbers of tiles."""
    together = dict.fromkeys(local.together(_sight(game, {}, kind)) for kind in range(len(game.kinds)))
    groups = tuple(GroupStuck(members, _verdicts(game, members, bans, did)) for members in together)
    wild_kept = False if game.wild is None else _wild_kept(game, bans, did)
    wild = 0 if game.wild is None or wild_kept is False else game.wild.copies
    natural = _sums(group.sizes(game) for group in groups)
    sizes = frozenset(n for n in natural if wholes & {*range(n, n + wild + 1)})
    return Keeping(bans, groups, sizes, wild_kept is not None and all(g.settled for g in groups))


def _sums(sizes: Iterable[frozenset[int]]) -> frozenset[int]:
    """What numbers, one of each of these sets, come to together."""
    found = frozenset({0})
    for some in sizes:
        found = frozenset(a + b for a in found for b in some)
    return found


def _verdicts(
    game: Game, members: tuple[int, ...], bans: tuple[LocalAnd, ...], did: Did
) -> Mapping[Counts, bool | None] | None:
    copies = [game.kinds[k].copies for k in members]
    if prod(n + 1 for n in copies) > MOST_WAYS:
        return None

    def find() -> dict[Counts, bool | None]:
        return {
            held: _stuck(game, dict(zip(members, held, strict=True)), bans, did)
            for held in product(*(range(n + 1) for n in copies))
        }

    return game.memo.of(("stuck with", tuple(copies), bans, _told_apart(game, members, bans, did)), find)


def _told_apart(game: Game, members: tuple[int, ...], bans: tuple[LocalAnd, ...], did: Did) -> Hashable:
    """The same for groups of which the bans say the same, tile for tile, after what was done in the turn."""
    atoms = dict.fromkeys(atom for ban in bans for atom in local_atoms(ban))
    sights = [_sight(game, {}, kind) for kind in members]
    return tuple(tuple(_says(atom, at, did) for at in sights) for atom in atoms)


def _says(atom: Local, at: Sight, did: Did) -> Hashable:
    """All that one part of a ban may say of a tile of the group, whatever is held of the group."""
    match atom:
        case Changes() | HoldsOnly():
            return local.likeness(atom, at)
        case JustDid() | LeftOver() | TileIn() | TileWild() | TileFrom():
            return told(atom, at, did)
        case _:
            return None


def _stuck(game: Game, held: Mapping[int, int], bans: tuple[LocalAnd, ...], did: Did) -> bool | None:
    kept = []
    for kind in (k for k, n in held.items() if n):
        at = _sight(game, held, kind)
        kept.append(some_hold([told(ban, at, did) for ban in bans]))
    return _all(kept)


def _sight(game: Game, held: Mapping[int, int], kind: int) -> Sight:
    """What a player sees who is about to let the tile go."""
    counts = tuple(held.get(k, 0) for k in range(len(game.kinds)))
    return Sight(game, "", counts, kind, tuple(int(k == kind) for k in range(len(counts))))


def _wild_kept(game: Game, bans: tuple[LocalAnd, ...], did: Did) -> bool | None:
    """Is a wild tile one that may not go? None where other things decide."""
    nothing = (0,) * len(game.kinds)
    return some_hold([told(ban, Sight(game, "", nothing, WILD, nothing), did) for ban in bans])


# ---------------------------------------------------------------- conditions


def of_the_group(condition: Local) -> bool:
    """Do the tiles of the group, and the tile itself, settle this smallest part of a condition?"""
    match condition:
        case Always() | Changes() | TileIn() | TileWild() | TileFrom():
            return True
        case HoldsOnly():
            return not condition.there
        case LocalCompare(left, _, right):
            return all(isinstance(q, SameFace) for _, q in (*left.parts, *right.parts))
        case _:
            return False


def told(
    condition: Local, at: Sight, did: Did, settles: Callable[[Local], bool] = of_the_group
) -> bool | None:
    """What a part of what a player sees says of the condition; None where it leaves it open.

    `settles`: can it tell of such a smallest part?
    """
    match condition:
        case LocalNot(part):
            inner = told(part, at, did, settles)
            return None if inner is None else not inner
        case LocalAnd(parts):
            return _all([told(part, at, did, settles) for part in parts])
        case LocalOr(parts):
            return some_hold([told(part, at, did, settles) for part in parts])
        case JustDid(names):
            return None if did is None else did[0] in names
        case LeftOver():
            return None if did is None else _left_over(at.game, at.tile, did)
        case _:
            return local.met(condition, at) if settles(condition) else None


def _left_over(game: Game, tile: int, did: Did) -> bool:
    """Is the tile of the group for which he took one?"""
    return did is not None and did[0] != "" and tile in local.group_of(_sight(game, {}, did[1]))


def _all(parts: list[bool | None]) -> bool | None:
    return False if False in parts else None if None in parts else True


def some_hold(parts: list[bool | None]) -> bool | None:
    return True if True in parts else None if None in parts else False
