"""What a player can hold of one part of the deck, and what is left of it once a tile is let go.

Conditions of the flow are asked of the part alone; what it does not settle is left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod
from operator import le
from typing import NamedTuple

from dsl.core.flow import (
    Exposed,
    First,
    Local,
    LocalCompare,
    NothingLeft,
    PlayerIs,
    SameFace,
    SitsAt,
    Tied,
    TileIn,
)
from dsl.core.hand import Hand
from dsl.core.local import Sight
from dsl.core.model import WILD, Game, Meld
from dsl.judge.compiled import Compiled
from dsl.table.claims import suffices
from dsl.table.lookups import Fit
from dsl.table.table import Table

from .encode_table import in_force
from .holding import can_stand, concealable, shown
from .stuck import of_the_group, some_hold, told
from .table_faces import conditions_of, faces_to_ask, local_atoms
from .table_sums import Adding, Counts, Held, Sets, Sums, holdings
from .table_world import draws

MOST_WAYS = 300
"""Ways to hold the tiles of one part that are tried; of larger parts nothing or one meld."""


class Tried(NamedTuple):
    """Hands that are gone through."""

    wilds: int = 0
    exposed: bool = False
    """In each part without concealed tiles perhaps one exposed meld; and what the duty takes up."""


class Part(NamedTuple):
    """Tiles of some parts of the deck, and what is left of them once one of the tiles is let go."""

    tiles: int
    good: Sets
    free: Sets
    """Without a tile that may be let go."""
    yielding: Sets
    """Without a tile that bans keep only as long as others may be let go."""
    some: bool
    """Is there one that may be let go?"""
    doubtful: bool
    """Is there one of which something else decides whether it may?"""
    held: bool
    """Is anything concealed?"""


class Parts:
    """The parts of one game's deck.

    Every circumstance has its first value; what makes tiles wild its last, far from the first tiles.
    """

    def __init__(self, table: Table, compiled: Compiled) -> None:
        self.table = table
        self.game: Game = table.game
        self.flow = table.flow
        self.compiled = compiled
        self.conditions = conditions_of(table.flow)
        self.bans = [(in_force(ban), ban.yields) for ban in table.flow.bans]
        wild = None if self.game.wild is None else self.game.wild.parameter
        self.context = {p.name: p.values[-1 if p.name == wild else 0] for p in self.game.parameters}
        self.copies = self.game.copies_in(self.context)
        """How many tiles of each face are in play."""
        self._sums: dict[tuple[str, int], Sums] = {}
        self._choices: dict[object, dict[Part, Held]] = {}
        self._free: dict[int, tuple[Counts, ...]] = {}
        self._adding: dict[tuple[str, int], Adding[Part]] = {}
        self._alike: dict[int, tuple[int, Mapping[int, int]]] = {}

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.game.components)))

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """Faces that nothing tells apart, once; and all those of parts of which not all tiles are in play."""
        first = faces_to_ask(self.game, self.conditions, wins=False)
        fewer = {part for part in self if self._in_play(part) != self._printed(part)}
        others = (k for k in range(len(self.copies)) if self.game.component_of[k] in fewer)
        return tuple(k for k in dict.fromkeys((*first, *others)) if self.copies[k])

    def _printed(self, part: int) -> Counts:
        return tuple(self.game.kinds[k].copies for k in self.game.components[part])

    def _in_play(self, part: int) -> Counts:
        return tuple(self.copies[k] for k in self.game.components[part])

    def none(self, part: int) -> Counts:
        """No tile of the part."""
        return (0,) * len(self.game.components[part])

    def few(self, part: int) -> bool:
        """Is every way to hold its tiles tried?"""
        return prod(n + 1 for n in self._in_play(part)) <= MOST_WAYS

    @property
    def whole(self) -> bool:
        """Is every hand without wild tiles and exposed melds gone through?"""
        return self.game.wild is None and all(map(self.few, self))

    def sums(self, role: str, wilds: int) -> Sums:
        """Of hands of the role with so many wild tiles."""
        role = self._first_like(role)
        if (role, wilds) not in self._sums:
            hand = Hand(role, (), (0,) * len(self.game.kinds), None, self.context, None, wilds)
            self._sums[role, wilds] = Sums(self.compiled, hand)
        return self._sums[role, wilds]

    def _first_like(self, role: str) -> str:
        """The first role whose hands come to the same."""
        return role if self.game.mark is not None else self.game.seen_by(role).roles[0]

    def adding(self, role: str, wilds: int) -> Adding[Part]:
        """Adds parts of a hand that waits and has no more tiles than one that does."""
        role = self._first_like(role)
        if (role, wilds) not in self._adding:
            sums, most = self.sums(role, wilds), self.game.seen_by(role).waiting - wilds

            def add(one: Part, other: Part) -> Part | None:
                if one.tiles + other.tiles > most:
                    return None
                both = beside(sums, one, other)
                return both if any(both.good) else None

            self._adding[role, wilds] = Adding(add)
        return self._adding[role, wilds]

    # ------------------------------------------------------------ what can be held

    def choices(self, part: int, role: str, did: str, tried: Tried) -> dict[Part, Held]:
        """What can be held of a part, one for each sum; `did`: what the player did to another part."""
        sums = self.sums(role, tried.wilds)
        like, melds = self.like(sums, part)
        key = like, role, did, tried
        if key not in self._choices:
            every = [Held(counts) for counts in self.counts(like, self.none(like))]
            if tried.exposed:
                every += [Held(self.none(like), (shown(self.game, m),)) for m in self._exposed(like)]
            found: dict[Part, Held] = {}
            for held in every:
                found.setdefault(self.part(sums, like, held, (did, WILD), role), held)
            self._choices[key] = found
        return {total: held.named(melds) for total, held in self._choices[key].items()}

    def like(self, sums: Sums, part: int) -> tuple[int, Mapping[int, int]]:
        """The first part in which everything is like in this one, and what its melds are called here."""
        if part not in self._alike:
            first, melds = sums.like(part)
            same = self._in_play(part) == self._in_play(first) and self._classed(part) == self._classed(first)
            self._alike[part] = (first, melds) if same else (part, {m.id: m.id for m in self.game.melds})
        return self._alike[part]

    def _classed(self, part: int) -> list[list[bool]]:
        """Which of its kinds are in the classes that conditions speak of."""
        classes = [a.kinds for c in self.conditions for a in local_atoms(c) if isinstance(a, TileIn)]
        return [[kind in kinds for kind in self.game.components[part]] for kinds in classes]

    def counts(self, part: int, spare: Counts) -> Iterator[Counts]:
        """Ways to hold tiles of the part beside these, with nothing left to be laid that had to be."""
        if self.few(part):
            left = [n - m for n, m in zip(self._in_play(part), spare, strict=True)]
            for counts in self._with_nothing_owed(part):
                if all(map(le, counts, left)):
                    yield counts
        else:
            yield self.none(part)
            yield from self._plain(part)

    def _with_nothing_owed(self, part: int) -> tuple[Counts, ...]:
        if part not in self._free:
            every = holdings(self._in_play(part), self.none(part))
            owed = self._duties(part)
            self._free[part] = tuple(counts for counts in every if not self._owed(part, Held(counts), owed))
        return self._free[part]

    def dealt(self, part: int) -> Iterator[Counts]:
        """Ways to be dealt tiles of the part."""
        return holdings(self._in_play(part), self.none(part)) if self.few(part) else self.counts(part, ())

    def room(self, part: int, spare: Counts) -> bool:
        """Are there so many tiles of the part?"""
        return all(n >= m for n, m in zip(self._in_play(part), spare, strict=True))

    def _plain(self, part: int) -> Iterator[Counts]:
        """The tiles of melds of the part that can be concealed, one for each size and worth."""
        plain = (m for m in self.game.melds if m.base is None and m.slots and not m.wilds)
        near = (m for m in plain if self.game.component_of[m.tiles[0]] == part)
        first: dict[object, Meld] = {}
        for meld in near:
            if concealable(self.game, meld) and can_stand(self.game, meld):
                first.setdefault((len(meld.slots), meld.type.gives), meld)
        kinds = self.game.components[part]
        return (tuple(meld.tiles.count(kind) for kind in kinds) for meld in first.values())

    def _duties(self, part: int) -> list[tuple[Local, Fit]]:
        """What has to be laid in the opening of these tiles alone; nothing where it can be drawn later."""
        found = []
        for announcement in self.flow.announcements.values() if not draws(self.game) else ():
            fits = self.table.claims.lookups.announced(announcement, ()) if announcement.must else ()
            kinds = set(self.game.components[part])
            found += [(announcement.where, fit) for fit in fits if kinds.issuperset(k for k, _ in fit.need)]
        return found

    def _owed(self, part: int, held: Held, duties: list[tuple[Local, Fit]]) -> bool:
        """Is one of these duties still to be done?"""
        counts = self.full(part, held.counts)
        for where, fit in duties:
            if suffices(counts, fit):
                sight = self._sight("", part, held, fit.need[0][0], self.table.claims.used(fit))
                if told(where, sight, None, settled):
                    return True
        return False

    def exposable(self, part: int) -> list[Meld]:
        """Melds of the part that can lie exposed."""
        melds = self.table.claims.lookups.melds_of(self.flow.laid)
        return [meld for meld in melds if self.game.component_of[meld.tiles[0]] == part]

    def _exposed(self, part: int) -> list[Meld]:
        """One of each size and worth."""
        found: dict[object, Meld] = {}
        for meld in self.exposable(part):
            found.setdefault((len(meld.slots), meld.type.gives, meld.type.locked), meld)
        return list(found.values())

    # ------------------------------------------------------------ what is left

    def part(self, sums: Sums, part: int, held: Held, did: tuple[str, int], role: str) -> Part:
        """What is held of a part, with what is left of it once a tile is let go."""
        free = yielding = Sets()
        some = doubtful = False
        for place, kind in enumerate(self.game.components[part]):
            if held.counts[place]:
                less = tuple(n - (i == place) for i, n in enumerate(held.counts))
                left = sums.of(part, held._replace(counts=less))
                hard, soft = self._barred(part, held, kind, did, role)
                if hard is False and soft is False:
                    free, some = free.either(left), True
                elif hard is False and soft:
                    yielding = yielding.either(left)
                elif not hard:
                    doubtful = True
        good, tiles = sums.of(part, held), self.size(held)
        return Part(tiles, good, free, yielding, some, doubtful, any(held.counts))

    def _barred(
        self, part: int, held: Held, kind: int, did: tuple[str, int], role: str
    ) -> tuple[bool | None, bool | None]:
        """Do bans keep the tile that do not yield, and such that do? None where something else decides."""
        used = tuple(int(k == kind) for k in range(len(self.game.kinds)))
        sight = self._sight(role, part, held, kind, used)
        found: dict[bool, list[bool | None]] = {False: [], True: []}
        for ban, yields in self.bans:
            found[yields].append(told(ban, sight, did, settled))
        return some_hold(found[False]), some_hold(found[True])

    def _sight(self, role: str, part: int, held: Held, tile: int, used: Counts) -> Sight:
        """What a player with these tiles sees who would let some of them go."""
        melds = tuple(laid.meld for laid in held.laid)
        return Sight(self.game, role, self.full(part, held.counts), tile, used, melds=melds)

    def full(self, part: int, counts: Counts) -> Counts:
        """Per kind of the deck."""
        full = [0] * len(self.game.kinds)
        for kind, number in zip(self.game.components[part], counts, strict=True):
            full[kind] = number
        return tuple(full)

    def size(self, held: Held) -> int:
        """How many tiles a hand counts them for."""
        melds = (self.game.melds[laid.meld] for laid in held.laid)
        return sum(held.counts) + sum(len(meld.slots) - meld.type.extra for meld in melds)


def beside(sums: Sums, one: Part, other: Part) -> Part:
    """Tiles of different parts together: the tile that is let go is of one or the other."""
    both = sums.together
    return Part(
        one.tiles + other.tiles,
        both(one.good, other.good),
        both(one.free, other.good).either(both(one.good, other.free)),
        both(one.yielding, other.good).either(both(one.good, other.yielding)),
        one.some or other.some,
        one.doubtful or other.doubtful,
        one.held or other.held,
    )


def settled(condition: Local) -> bool:
    """Is this smallest part of a condition told by the tiles and melds of one part of the deck?"""
    match condition:
        case PlayerIs():
            return True
        case LocalCompare(left, _, right):
            asked = (q for _, q in (*left.parts, *right.parts))
            return all(
                isinstance(q, SameFace | Tied) or (isinstance(q, Exposed) and q.same_group) for q in asked
            )
        case _:
            return of_the_group(condition)


def settled_on_offer(condition: Local) -> bool:
    """The same where it is known how the tile comes to the player, and if he has others."""
    return isinstance(condition, First | SitsAt | NothingLeft) or settled(condition)
