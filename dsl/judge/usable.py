"""Which ground melds can be in a row at all, whatever is asked of them. A part of `rows.py`."""

from __future__ import annotations

from functools import cached_property

from ..core.model import Game, Meld
from .barred import Barred
from .marks import Marks
from .row_parts import Loose, Way, Wilds


class Usable:
    """The melds of a game that fit a shape, with so many wild tiles and this face marked.

    Makers of rows that only differ in what they ask share it: see `usable_melds`.
    """

    def __init__(self, game: Game, shape: tuple[int, ...], wilds: Wilds, mark: int | None) -> None:
        self.game = game
        self.wilds = wilds
        self.marks = Marks(game, mark)
        self.fits = [m.wilds <= wilds.number and _within(m.type.gives, shape) for m in game.melds]
        concealed = [self.fits[m.id] and not m.type.laid_only for m in game.melds]
        self.usable = tuple(u and m.mark in (None, mark) for u, m in zip(concealed, game.melds, strict=True))
        self.by_kind = self._by_kind([m for m in game.melds if concealed[m.id] and self.marks.rightly(m)])
        """Melds of a component in which a kind of tile lies."""
        self.stands = self._stands()
        """Per component the stands, if the hand has wild tiles that stand for any tile."""
        self.barred = Barred(game)
        self.plain = [all(game.hand_origin in s.origins for s in m.slots) for m in game.melds]
        self.places = {k: i for part in game.components for i, k in enumerate(part)}
        self.ways: dict[tuple[int, int, tuple[Loose, ...]], tuple[Way, ...]] = {}
        """Of these melds, by component, kind and loose tiles; makers fill it."""

    @cached_property
    def growth(self) -> list[list[Meld]]:
        """Per meld those that it can grow into."""
        growth = self.game.growth
        return [[g for g in growth.get(m.id, ()) if self.fits[g.id]] for m in self.game.melds]

    def _by_kind(self, melds: list[Meld]) -> dict[tuple[int, int], list[Meld]]:
        found: dict[tuple[int, int], list[Meld]] = {}
        for meld in melds:
            part = self.game.component_of[meld.tiles[0]]
            for tile in dict.fromkeys(slot.tile for slot in meld.slots):
                found.setdefault((part, tile), []).append(meld)
        return found

    def _stands(self) -> dict[int, tuple[Meld, ...]]:
        found: dict[int, tuple[Meld, ...]] = {}
        for meld in (m for m in self.game.melds if m.stand and self.wilds.number):
            part = self.game.component_of[meld.tiles[0]]
            found[part] = (*found.get(part, ()), meld)
        return found


def usable_melds(game: Game, shape: tuple[int, ...], wilds: Wilds, mark: int | None) -> Usable:
    """Those of the game, made once."""
    return game.memo.of(("usable", shape, wilds, mark), lambda: Usable(game, shape, wilds, mark))


def _within(gives: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return all(map(int.__le__, gives, shape))
