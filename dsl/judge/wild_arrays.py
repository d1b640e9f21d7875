"""Many hands with wild tiles at once: those with as many of them share automata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.hand import Hand, Laid
from ..core.model import ORIGINS, WILD
from .arrays import Arrays, Context, Ints, Sorts, Tiles
from .asked import contexts_asked
from .compiled import Compiled
from .rows import Wilds


class WildArrays(Arrays):
    """As `Arrays`, for games with wild tiles: `last` may hold `WILD`, and there are two more arguments.

    `wilds`: concealed wild tiles, one number or (n,). `context`: that of all hands, or a list. A batch
    raises `ValueError` when a condition asks for the tile that decides what is wild, and it is not told.
    """

    def __init__(self, compiled: Compiled) -> None:
        super().__init__(compiled)
        self.asks = sorted({atom.parameter for atom in contexts_asked(compiled.game)})

    def _sorts(
        self,
        tiles: Tiles,
        laid: tuple[Laid, ...],
        wilds: Any = 0,
        context: Context | Sequence[Context] | None = None,
    ) -> Sorts:
        size, drawn = len(tiles.kinds), tiles.kinds == WILD
        exposed = Hand(self.game.roles[-1], laid, (), None).all_wilds(self.game)
        numbers = np.broadcast_to(np.asarray(wilds, np.int32), (size,)) + exposed + drawn
        keys = numbers * (len(ORIGINS) + 1) + np.where(drawn, tiles.origins + 1, 0)
        places = np.zeros(int(keys.max(initial=0)) + 1, np.int32)
        for key in np.nonzero(np.bincount(keys))[0]:
            number, wild = divmod(int(key), len(ORIGINS) + 1)
            compiled = self.compiled.with_wilds(Wilds(number, wild > 0))
            places[key] = self.place(compiled, ORIGINS[wild - 1] if wild else None)
        return Sorts(places[keys], *self._contexts(context))

    def _contexts(self, context: Context | Sequence[Context] | None) -> tuple[list[Context], Ints | None]:
        """The different contexts as far as a condition asks, and which each hand has (None: the first)."""
        asked = self.asks
        seen: dict[tuple[tuple[str, str], ...], int] = {}

        def place(one: Context) -> int:
            return seen.setdefault(tuple((name, one[name]) for name in asked if name in one), len(seen))

        places = None
        if context is None or isinstance(context, Mapping) or not asked:
            place(context if isinstance(context, Mapping) else {})
        else:
            known = {key: place(one) for key, one in {id(c): c for c in context}.items()}  # deals share them
            places = np.array([known[id(c)] for c in context], np.int32)
        deciding = None if self.game.wild is None else self.game.wild.parameter
        if deciding in asked and any(deciding not in dict(face) for face in seen):
            raise ValueError(f"conditions ask for the context {deciding}")
        return [dict(face) for face in seen], places
