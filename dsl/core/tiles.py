"""Sums of tiles: they depend on nothing, are worked out while resolving, and only kept for messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TileSum:
    """手 A + B - C: tiles put together and taken away in this order, already worked out."""

    text: str
    """As the author wrote it."""
    tiles: tuple[str, ...]
    """What it comes to in deck order, or what was held when a step could not be done."""
    wrong: Literal["absent", "beyond"] | None = None
    """The step that could not be done: `tile` was not there, or the deck has no more of it."""
    tile: str = ""


@dataclass(frozen=True, slots=True)
class TileEquation:
    """Two sums of tiles compared. It depends on nothing, so a formula only holds its truth."""

    left: TileSum
    operator: Literal["=", "!="]
    right: TileSum

    @property
    def holds(self) -> bool:
        """Every step can be done and the tiles are as said."""
        if self.left.wrong or self.right.wrong:
            return False
        return (self.left.tiles == self.right.tiles) == (self.operator == "=")
