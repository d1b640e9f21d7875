"""Many hands with wild tiles at once: those with as many of them share automata and are read together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.hand import Hand, Laid
from ..core.model import ORIGINS, WILD
from .arrays import Arrays, Batch
from .asked import contexts_asked
from .compiled import Compiled
from .rows import Wilds

Context = Mapping[str, str]
Ints = npt.NDArray[np.int32]
T = TypeVar("T")


class WildArrays:
    """As `Arrays`, for games with wild tiles."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.game = compiled.game
        self.asks = sorted({atom.parameter for atom in contexts_asked(compiled.game)})
        self._arrays: dict[Wilds, Arrays] = {}

    def wins(self, counts: Any, *more: Any, **how: Any) -> npt.NDArray[np.bool_]:
        """Which hands win. Arguments as for `judge`."""
        found = np.zeros(len(counts), np.bool_)
        for rows, own in self._each(lambda a: a.wins, counts, *more, **how):
            found[rows] = own
        return found

    def judge(self, counts: Any, *more: Any, **how: Any) -> Batch:
        """As `Arrays.judge`, and `last` may hold `WILD`.

        `wilds`: concealed wild tiles, one number or (n,). `context`: that of all hands, or a list. Raises
        `ValueError` when a condition asks for the tile that decides what is wild, and it is not told.
        """
        empty = [np.zeros(len(counts), t) for t in (np.bool_, np.bool_, np.int32, np.int32, np.int32)]
        found = Batch(*empty)  # type: ignore[arg-type]
        for rows, own in self._each(lambda a: a.judge, counts, *more, **how):
            for name in Batch.__slots__:
                getattr(found, name)[rows] = getattr(own, name)
        return found

    def _each(
        self,
        run: Callable[[Arrays], Callable[..., T]],
        counts: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        wilds: Any = 0,
        context: Context | Sequence[Context] | None = None,
    ) -> Iterator[tuple[npt.NDArray[np.intp], T]]:
        """The rows of hands that are read together, and what a run says of them."""
        table = np.asarray(counts)
        size = len(table)
        kinds = np.broadcast_to(np.asarray(-1 if last is None else last, np.int32), (size,))
        origins = np.broadcast_to(np.asarray(0 if origin is None else origin, np.int32), (size,))
        exposed = Hand(self.game.roles[-1], laid, (), None).all_wilds(self.game)
        numbers = np.broadcast_to(np.asarray(wilds, np.int32), (size,)) + exposed + (kinds == WILD)
        drawn = np.where(kinds == WILD, origins, -1)
        contexts, codes = self._contexts(context, size)
        for key in np.unique(np.stack([numbers, drawn, codes], axis=1), axis=0) if size else ():
            number, wild, code = (int(x) for x in key)
            rows = np.nonzero((numbers == number) & (drawn == wild) & (codes == code))[0]
            arrays = self._of(Wilds(number, wild >= 0))
            own = run(arrays)(
                table[rows],
                None if wild >= 0 else kinds[rows],
                origins[rows],
                role,
                laid,
                wild=None if wild < 0 else ORIGINS[wild],
                context=contexts[code],
            )
            yield rows, own

    def _of(self, wilds: Wilds) -> Arrays:
        if wilds not in self._arrays:
            self._arrays[wilds] = Arrays(self.compiled.with_wilds(wilds))
        return self._arrays[wilds]

    def _contexts(self, context: Context | Sequence[Context] | None, size: int) -> tuple[list[Context], Ints]:
        """The different contexts as far as any condition asks, and which of them each hand has."""
        given = [context or {}] * size if context is None or isinstance(context, Mapping) else context
        seen: dict[tuple[tuple[str, str], ...], int] = {}
        asked = self.asks
        codes = [
            seen.setdefault(tuple((name, c[name]) for name in asked if name in c), len(seen)) for c in given
        ]
        deciding = None if self.game.wild is None else self.game.wild.parameter
        if deciding in asked and any(deciding not in dict(face) for face in seen):
            raise ValueError(f"conditions ask for the context {deciding}")
        return [dict(face) for face in seen], np.array(codes, np.int32)
