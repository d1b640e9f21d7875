"""Wait types that are right meld by meld: an awaited tile makes its meld into what the hand lacks.

No hand need be looked at then.
"""

from __future__ import annotations

from ..core.model import OWN_DRAW, Meld, WaitType
from .barred import Barred
from .compiled import Compiled
from .filled import Filled
from .probes import groupings
from .rows import Wilds
from .usable import usable_melds

Units = tuple[int, ...]


def sound_by_melds(compiled: Compiled, wait: WaitType) -> bool:
    """Does every tile that a hand of the type awaits complete it, as far as single melds tell?

    Melds are exchanged for others of the same tiles, all else stays: that is only sure to be an arrangement
    where nothing but the shape is asked of one. False: a search must tell.
    """
    game = compiled.game
    own = frozenset({game.hand_origin, OWN_DRAW})
    if groupings(game) or Barred(game).made_of(own) or (game.wild is not None and game.wild.within):
        return False
    return _Exchanges(compiled, wait).always()


class _Exchanges:
    """What the melds of a wait type can be exchanged for."""

    def __init__(self, compiled: Compiled, wait: WaitType) -> None:
        self.compiled = compiled
        self.game = compiled.game
        self.wait = wait
        self.shape = self.game.win.shape
        most = 0 if self.game.wild is None else self.game.wild.copies
        usable = usable_melds(self.game, wait.shape, Wilds(most), None)
        chosen = (m for m in self.game.melds if usable.usable[m.id] and usable.plain[m.id])
        self.melds = [meld for meld in chosen if not meld.stand]
        self.instead = Filled(self._instead)
        """By dimension that a finished hand has none of: units that one of it can always be exchanged for."""

    def always(self) -> bool:
        """Does each awaited tile make up for what the meld and all others give too little?"""
        every = ((m, kind) for m in self.melds if m.type.index in self.wait.on for kind in sorted(m.awaits))
        return all(self._lacking(m) in self._comes_to(m, kind) for m, kind in every)

    def _lacking(self, meld: Meld) -> Units | None:
        """What the shape asks for beside the other melds; None where one of them cannot be exchanged."""
        lacking = self.shape
        for dim, number in enumerate(map(int.__sub__, self.wait.shape, meld.type.gives)):
            if number:
                instead = self.instead[dim]
                if instead is None:
                    return None
                lacking = tuple(n - number * more for n, more in zip(lacking, instead, strict=True))
        return lacking

    def _instead(self, dim: int) -> Units | None:
        unit = tuple(int(d == dim) for d in range(len(self.shape)))
        if self.shape[dim]:
            return unit
        giving = [meld for meld in self.melds if meld.type.gives[dim]]
        if any(meld.type.gives != unit for meld in giving):
            return None
        return min(set.intersection(*map(self._comes_to, giving)), default=None) if giving else unit

    def _comes_to(self, meld: Meld, drawn: int | None = None) -> set[Units]:
        """All that the tiles of a meld can be grouped to, with a further one perhaps, in units of shapes."""
        wilds, component = Wilds(meld.wilds), self.game.component_of[meld.tiles[0]]
        held, part = dict(meld.counts), self.game.components[component]
        counts = tuple(held.get(kind, 0) for kind in part)
        shaped = self.compiled.with_wilds(wilds).shaped
        if drawn is None:
            row = shaped.plain[component][counts]
        elif drawn in part:
            row = shaped.lasts[component][counts, (drawn, OWN_DRAW)]
        else:
            return set()
        dims, width = shaped.maker.dims, len(self.shape)
        vectors = (v for v, _ in shaped.letters[row.letter] if v[len(dims) :] == wilds.bounds)
        named = (dict(zip(dims, v, strict=False)) for v in vectors)
        return {tuple(units.get(dim, 0) for dim in range(width)) for units in named}
