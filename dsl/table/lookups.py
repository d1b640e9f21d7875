"""Which melds a tile can be laid in, worked out once for each game and as far as it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from ..core.flow import Announcement, Response
from ..core.hand import Laid, seated, tiles_of
from ..core.model import Game, Meld

KEPT = 5_000
"""Ways to add a tile to exposed melds that are remembered."""


class Fit(NamedTuple):
    """A meld as it would lie, and the concealed tiles it needs: (kind, how many)."""

    laid: Laid
    need: tuple[tuple[int, int], ...]
    joined: tuple[int, ...] = ()


class Lookups:
    """For a tile and where it comes from, the melds of a response; for an announcement its melds."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._fresh: dict[tuple[str, int, str], tuple[Fit, ...]] = {}
        self._joined: dict[tuple[str, int, str, tuple[Laid, ...]], tuple[Fit, ...]] = {}
        self._whole: dict[str, tuple[Fit, ...]] = {}

    def announced(self, announcement: Announcement, laid: tuple[Laid, ...]) -> tuple[Fit, ...]:
        """Every meld of an announcement that concealed tiles can make, or make of an exposed one."""
        if announcement.joins:
            return self._grown(announcement, laid)
        known = self._whole.get(announcement.name)
        if known is None:
            fits = (self._fit(meld, (), ()) for meld in self.melds_of(announcement.types))
            known = self._whole[announcement.name] = tuple(fit for fit in fits if fit is not None)
        return known

    def _grown(self, announcement: Announcement, laid: tuple[Laid, ...]) -> tuple[Fit, ...]:
        own = ((i, m) for i, m in enumerate(laid) if self.game.melds[m.meld].type.index in announcement.joins)
        fits = (
            self._fit(meld, (), (exposed,), (place,))
            for place, exposed in own
            for meld in self._with(self.game.melds[exposed.meld].tiles[0], announcement.types)
        )
        return tuple(fit for fit in _distinct(fits) if fit.need)

    def fresh(self, response: Response, tile: int, origin: str) -> tuple[Fit, ...]:
        """Melds of a response that the tile makes with concealed ones."""
        key = (response.name, tile, origin)
        known = self._fresh.get(key)
        if known is None:
            melds = self._with(tile, response.types) if response.from_hand else ()
            known = self._fresh[key] = _distinct(self._fit(m, ((tile, origin),), ()) for m in melds)
        return known

    def joined(self, response: Response, tile: int, origin: str, laid: tuple[Laid, ...]) -> tuple[Fit, ...]:
        """Melds of a response that the tile makes with one or two exposed melds (and concealed tiles)."""
        if not response.joins or not laid:
            return ()
        melds, part = self.game.melds, self.game.component_of
        here, joins = part[tile], response.joins
        near = [
            place
            for place, meld in enumerate(laid)
            if part[melds[meld.meld].tiles[0]] == here and melds[meld.meld].type.index in joins
        ]
        if not near:
            return ()
        key = (response.name, tile, origin, tuple([laid[place] for place in near]))
        known = self._joined.get(key)
        if known is None:
            if len(self._joined) >= KEPT:
                self._joined.clear()
            known = self._joined[key] = _distinct(self._joinings(response, tile, origin, key[-1]))
        return tuple([fit._replace(joined=tuple([near[at] for at in fit.joined])) for fit in known])

    def made_of(
        self, wholes: Iterable[Meld], tile: int, origin: str, laid: tuple[Laid, ...]
    ) -> tuple[Fit, ...]:
        """Those of the melds that the tile makes with all of these one or two exposed melds."""
        return _distinct(self._made_of(wholes, tile, origin, tuple(enumerate(laid))))

    def _joinings(
        self, response: Response, tile: int, origin: str, laid: tuple[Laid, ...]
    ) -> Iterator[Fit | None]:
        """The melds, with places among these exposed ones."""
        wholes = tuple(self._with(tile, response.types))
        for size in (1, 2):
            for chosen in combinations(enumerate(laid), size):
                yield from self._made_of(wholes, tile, origin, chosen)

    def _made_of(
        self, wholes: Iterable[Meld], tile: int, origin: str, chosen: tuple[tuple[int, Laid], ...]
    ) -> Iterator[Fit | None]:
        """The melds of all of these exposed ones, each with its place."""
        places, exposed = tuple(place for place, _ in chosen), tuple(meld for _, meld in chosen)
        for meld in wholes:
            yield self._fit(meld, ((tile, origin),), exposed, places)

    def _with(self, tile: int, types: Iterable[int]) -> Iterator[Meld]:
        wanted = frozenset(types)
        return (m for m in self.game.melds_with.get(tile, ()) if m.type.index in wanted and not m.wilds)

    def melds_of(self, types: Iterable[int]) -> Iterator[Meld]:
        """The ground melds of these types that natural tiles make."""
        wanted = frozenset(types)
        plain = (m for m in self.game.melds if m.base is None and not m.wilds and m.slots)
        return (m for m in plain if m.type.index in wanted)

    def _fit(
        self,
        meld: Meld,
        new: tuple[tuple[int, str], ...],
        exposed: tuple[Laid, ...],
        places: tuple[int, ...] = (),
    ) -> Fit | None:
        """The meld made of new tiles, exposed melds and as many concealed ones as it takes."""
        for tile, origin in new:
            if not any(slot.tile == tile and origin in slot.origins for slot in meld.slots):
                return None
        tiles = [tile for tile, _ in new]
        origins = [origin for _, origin in new]
        for laid in exposed:
            tiles += tiles_of(self.game, laid)
            origins += [origin or self.game.hand_origin for origin in laid.origins]
        need = dict(meld.counts)
        for tile in tiles:  # by hand: it is asked of every meld beside every exposed one
            if not need.get(tile):
                return None
            need[tile] -= 1
        rest = sorted((kind, n) for kind, n in need.items() if n)
        kinds = [kind for kind, n in rest for _ in range(n)]
        seats = seated(meld, tiles + kinds, origins + [self.game.hand_origin] * len(kinds))
        return None if seats is None else Fit(Laid(meld.id, seats), tuple(rest), places)


def _distinct(fits: Iterable[Fit | None]) -> tuple[Fit, ...]:
    return tuple(dict.fromkeys(fit for fit in fits if fit is not None))
