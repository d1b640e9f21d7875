"""What a player at the symbolic table can win with: an arrangement of his tiles and the one on offer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dsl.core.model import ORIGINS, Meld, MeldType

from .encode import is_win, well_grouped
from .encode_local import met
from .holding import can_stand, concealable
from .smt import Bool, Int
from .table_world import Seated, TableWorld, Way
from .view import View
from .world import meld_limit


@dataclass(frozen=True)
class Arranged:
    """One player's arrangement, as terms."""

    counts: Mapping[int, Int]
    last_in: Mapping[int, Bool]
    stands: Bool
    """It is made of his tiles and the one on offer, and has the shape of a win."""
    values: dict[tuple[int, ...], Int] = field(default_factory=dict)
    """Features already encoded, by their weights."""
    held: dict[str, Bool] = field(default_factory=dict)
    """`_held`, by the origin of the tile on offer."""


class Hands:
    """Wins of the players of a world.

    `wide`: exposed melds are looked at like concealed tiles, from wherever a place needs them, which
    overlooks no win. Otherwise a winner has nothing exposed and no wild tile, and each win is one.
    """

    def __init__(self, world: TableWorld, wide: bool) -> None:
        self.world = world
        self.game = world.game
        self.smt = world.smt
        self.wide = wide
        self._arranged: dict[str, Arranged] = {}
        self._unknown: dict[object, Bool] = {}
        self._holding: dict[int, frozenset[str]] = {}

    @property
    def exact(self) -> bool:
        """Is what it calls a win one?"""
        return not self.wide

    def wins(self, player: Seated, way: Way) -> Bool:
        """The tile that comes so makes him a win."""
        if self.wide and (self.game.wild is not None or self.game.mark is not None):
            return self.unknown(player, way)
        if player.name not in self._arranged:
            self._arranged[player.name] = self._arrangement(player)
        arranged = self._arranged[player.name]
        view = self._view(player, way, arranged)
        if way.origin not in arranged.held:
            arranged.held[way.origin] = self._held(player, way, arranged)
        return self.smt.both([arranged.stands, arranged.held[way.origin], well_grouped(view), is_win(view)])

    def unknown(self, player: Seated, way: Way) -> Bool:
        """Whether it makes him a win, which the judge will say."""
        key = player.name, way
        if key not in self._unknown:
            self._unknown[key] = self.smt.boolean(f"wins {len(self._unknown)}")
        return self._unknown[key]

    # ------------------------------------------------------------ the arrangement

    @cached_property
    def melds(self) -> tuple[Meld, ...]:
        """Ground melds of natural tiles that a win can hold."""
        plain = (m for m in self.game.melds if m.base is None and m.slots and not m.wilds)
        standing = [m for m in plain if can_stand(self.game, m)]
        return tuple(m for m in standing if self.wide or concealable(self.game, m) or self._holders(m))

    def _holders(self, meld: Meld) -> frozenset[str]:
        """The origins from which the meld can hold the tile on offer."""
        if meld.id not in self._holding:
            near = self.world.tile in meld.tiles and self.game.can_hold_last(meld)
            self._holding[meld.id] = frozenset(self._held_from(meld)) if near else frozenset()
        return self._holding[meld.id]

    def _held_from(self, meld: Meld) -> Iterator[str]:
        for place, slot in enumerate(meld.slots):
            others = [s for i, s in enumerate(meld.slots) if i != place]
            closed = not meld.type.laid_only and all(self.game.hand_origin in s.origins for s in others)
            if slot.tile == self.world.tile and (self.wide or closed):
                yield from slot.origins.intersection(ORIGINS[1:])

    def _arrangement(self, player: Seated) -> Arranged:
        smt, name = self.smt, player.name
        counts = {m.id: smt.integer(f"{name} meld {m.id}", 0, meld_limit(self.game, m)) for m in self.melds}
        types = dict.fromkeys(m.type.index for m in self.melds)
        last_in = {t: smt.boolean(f"{name} last in {t}") for t in types}
        parts = [smt.exactly_one(list(last_in.values())), *self._of_tiles(player, counts)]
        parts += self._of_shape(player, [(m.type, counts[m.id]) for m in self.melds])
        if not self.wide:
            parts += [smt.compare(n, "=", 0) for n in player.melds.values()]
            parts.append(smt.compare(player.wilds, "=", 0))
            for meld in (m for m in self.melds if not concealable(self.game, m)):
                most = smt.indicator(last_in[meld.type.index])
                parts.append(smt.compare(counts[meld.id], "<=", most))
            odd = [counts[m.id] for m in self.melds if not concealable(self.game, m)]
            parts.append(smt.compare(smt.total((1, n) for n in odd), "<=", 1))
        return Arranged(counts, last_in, smt.both(parts))

    def _of_tiles(self, player: Seated, counts: Mapping[int, Int]) -> list[Bool]:
        """Every tile is in a meld."""
        smt, found = self.smt, []
        with_: dict[int, list[tuple[int, Int]]] = {}
        for meld in self.melds:
            for kind, number in meld.counts:
                with_.setdefault(kind, []).append((number, counts[meld.id]))
        for kind in range(len(self.game.kinds)):
            melds = with_.get(kind, ())
            held = [(1, player.counts[kind])]
            if self.wide:
                held += [(n, player.melds[m]) for n, m in self.world.layable_with.get(kind, ())]
            tiles = smt.total(held, int(kind == self.world.tile))
            found.append(smt.compare(smt.total(melds), "=", tiles))
        return found

    def _of_shape(self, player: Seated, counts: list[tuple[MeldType, Int]]) -> list[Bool]:
        """The melds count as what a win of his role takes."""
        smt, found = self.smt, []
        for dim in range(len(self.game.dims)):
            parts = [(kind.gives[dim], count) for kind, count in counts if kind.gives[dim]]
            for role, here in player.roles.items():
                wanted = self.game.seen_by(role).win.shape[dim]
                found.append(smt.implies(here, smt.compare(smt.total(parts), "=", wanted)))
        return found

    def _held(self, player: Seated, way: Way, arranged: Arranged) -> Bool:
        """The meld that is said to hold the tile is there and can."""
        smt, found = self.smt, []
        for index, here in arranged.last_in.items():
            melds = [m for m in self.melds if m.type.index == index and way.origin in self._holders(m)]
            held = smt.compare(smt.total((1, arranged.counts[m.id]) for m in melds), ">=", 1)
            found.append(smt.implies(here, held))
        return smt.both(found)

    def _view(self, player: Seated, way: Way, arranged: Arranged) -> View:
        smt, world = self.smt, self.world
        assert world.tile is not None
        origins: dict[str | None, Bool] = {o: smt.truth(o == way.origin) for o in (*ORIGINS, None)}
        context = dict(world.context)
        sight = world.sight(player, way, world.tile, (0,) * len(player.counts))
        for told in world.flow.told:
            said = met(told.where, sight)
            for parameter, value in world.context:
                if parameter == told.parameter:
                    known = context[parameter, value]
                    context[parameter, value] = (
                        smt.either([known, said])
                        if value == told.value
                        else smt.both([known, smt.negate(said)])
                    )
        return View(
            smt=smt,
            game=self.game,
            counts=arranged.counts,
            complete=smt.truth(True),
            roles=player.roles,
            origins=origins,
            last_in=arranged.last_in,
            context=context,
            last_wild=smt.truth(False),
            last_alike=player.counts[world.tile],
            misnaming=smt.truth(False),
            values=arranged.values,
        )
