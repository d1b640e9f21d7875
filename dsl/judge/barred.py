"""不入: melds that hold natural tiles only, and whether tiles of some origins can make one at all."""

from __future__ import annotations

from collections.abc import Set

from ..core.model import Game


class Barred:
    """The melds of a game that wild tiles which stand for any tile may not lie in."""

    def __init__(self, game: Game) -> None:
        self._places = {tuple(slot.origins for slot in m.slots) for m in game.melds if game.bars(m)}
        self._known: dict[frozenset[str | None], bool] = {}

    def __bool__(self) -> bool:
        return bool(self._places)

    def made_of(self, origins: Set[str | None]) -> bool:
        """Can one of them be filled by tiles of these origins? A tile of unknown origin may have any."""
        key = frozenset(origins)
        if key not in self._known:
            fits = any(all(place & key for place in places) for places in self._places)
            self._known[key] = fits or (None in key and bool(self._places))
        return self._known[key]
