"""The marked tile as the rows of one hand see it."""

from __future__ import annotations

from ..core.evaluate import gain
from ..core.model import Game, Meld

NONE = -1_000_000
"""Less than the mark is ever worth."""


class Marks:
    """`face`: the one of which the hand has the marked tile, if it has one at all; None without a mark."""

    def __init__(self, game: Game, face: int | None) -> None:
        self.face = face
        self.every = game.mark is not None and game.mark.every
        """Every meld of the face counts as marked."""
        self.melds = {base: m for (base, kind), m in game.with_mark.items() if kind == face}
        """By the id of each meld of the face the same with the mark."""
        self.gain = {base: gain(m, game) for base, m in self.melds.items()}
        """What the mark adds in it."""

    def rightly(self, meld: Meld) -> bool:
        """Can it be told marked or not before the others are known? Not where one tile has the mark."""
        if not self.every:
            return meld.base is None
        return meld.id not in self.melds and meld.mark in (None, self.face)

    def renamed(self, melds: tuple[int, ...], grown: int | None) -> tuple[tuple[int, ...], int | None]:
        """Exposed melds, and the one that grew by the last tile, marked where every meld of the face is."""
        if not self.every or not self.melds:
            return melds, grown
        return tuple(map(self.named, melds)), None if grown is None else self.named(grown)

    def named(self, meld: int) -> int:
        """An exposed meld, marked where every meld of the face is."""
        return self.melds[meld].id if self.every and meld in self.melds else meld
