"""Hands that no tile can finish, told at a glance: most hands are, and the judge need not be asked."""

from __future__ import annotations

from functools import cached_property

from ..core.hand import Laid, tiles_of
from ..core.model import WILD, Game
from .state import Player

KEPT = 5_000
"""Hands that are remembered: the same one is asked about at many offers in a row."""
PARTED = 50_000
"""Tiles of one component that are remembered; only large components have as many."""


class Hopeless:
    """For a hand, the components of the deck whose tiles cannot be parted into melds of a win.

    A win needs every component parted, so one tile more mends at most the component it falls in, and each
    wild tile one. Origins, shapes and scores are not looked at: a hand without such components need not win.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._parted: dict[tuple[int, tuple[int, ...]], bool] = {}
        self._bad: dict[tuple[tuple[int, ...], tuple[Laid, ...]], frozenset[int]] = {}

    def wins_not(self, player: Player, tile: int | None) -> bool:
        """Is it certain that the hand with this tile is no win?"""
        bad = self.bad(player)
        mended = player.wilds + sum(len(laid.stands) for laid in player.laid)
        if tile == WILD:
            return len(bad) > mended + 1
        part = None if tile is None else self.game.component_of[tile]
        return len(bad) - (part in bad) > mended

    def bad(self, player: Player) -> frozenset[int]:
        """The components that cannot be parted."""
        key = (player.counts, player.laid)
        known = self._bad.get(key)
        if known is None:
            if len(self._bad) >= KEPT:
                self._bad.clear()
            known = self._bad[key] = self._found(player)
        return known

    def _found(self, player: Player) -> frozenset[int]:
        held, growing = list(player.counts), set[int]()
        for laid in player.laid:
            meld = self.game.melds[laid.meld]
            if meld.id in self.game.growth:
                growing.add(self.game.component_of[meld.tiles[0]])
            elif not meld.type.locked:
                for tile in tiles_of(self.game, laid):
                    if tile != WILD:
                        held[tile] += 1
        parts = enumerate(self.game.components)
        return frozenset(
            i for i, part in parts if i not in growing and not self._can(i, tuple(held[k] for k in part))
        )

    def _can(self, part: int, held: tuple[int, ...]) -> bool:
        known = self._parted.get((part, held))
        if known is None:
            if len(self._parted) >= PARTED:
                self._parted.clear()
            known = self._parted[part, held] = self._parts(part, held)
        return known

    def _parts(self, part: int, held: tuple[int, ...]) -> bool:
        first = next((i for i, n in enumerate(held) if n), None)
        if first is None:
            return True
        for pattern in self._patterns[part]:
            if pattern[first]:
                rest = tuple(h - p for h, p in zip(held, pattern, strict=True))
                if min(rest) >= 0 and self._can(part, rest):
                    return True
        return False

    @cached_property
    def _patterns(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Per component the tiles of every meld that a win may hold."""
        found: list[set[tuple[int, ...]]] = [set() for _ in self.game.components]
        for meld in self.game.melds:
            fits = all(g <= s for g, s in zip(meld.type.gives, self.game.widest, strict=True))
            if fits and meld.slots and not meld.wilds:
                part = self.game.component_of[meld.tiles[0]]
                found[part].add(tuple(meld.tiles.count(kind) for kind in self.game.components[part]))
        return tuple(tuple(sorted(patterns)) for patterns in found)
