"""What the tiles of a row come to, without the melds: of each way to group them one number.

A letter asks for no melds, and most rows are only ever read as letters. Sums, score and the type that holds
the last tile are fields of one integer, so that a meld is added by one addition and the shape's bounds are
checked by one mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..core.model import OWN
from ..core.parts import tiles_in_play
from .filled import Filled
from .row_parts import Counts, Loose, Outcome, Vector

if TYPE_CHECKING:
    from .rows import RowMaker

BITS = 16
"""Room for what a bound limits, and for a meld type; the top bit tells that a bound was exceeded."""
TOP = 1 << (BITS - 1)
LOW = (1 << BITS) - 1


class Packed:
    """The outcomes of one maker's rows, worked out when they are asked for."""

    def __init__(self, maker: RowMaker) -> None:
        self.maker = maker
        self._bounded = len(maker.bounds)
        self._wide = _width(maker)
        self.room = sum((TOP - 1 - n) << (BITS * i) for i, n in enumerate(maker.bounds))
        self.exceeded = sum(TOP << (BITS * i) for i in range(self._bounded))
        self.added = Filled(self._adds)
        self.held = [(held + 1) << (BITS * self._bounded) for held in maker.holding]
        """What melds add, and what more with the last tile; sums and `room` show what is `exceeded`."""
        self.holder = LOW << (BITS * self._bounded)
        """Where a sum says which type holds the last tile."""
        self._known: dict[tuple[int, Counts, tuple[Loose, ...], int | None], frozenset[int]] = {}
        self._stands: dict[tuple[int, Counts, tuple[Loose, ...], int], frozenset[int]] = {}
        self._top = BITS * (self._bounded + 1) + self._wide * len(maker.summed)
        """Where the score begins."""
        self._opened: dict[int, Outcome] = {}
        """By what lies below it."""

    def _adds(self, meld: int) -> int:
        return self._pack(*self.maker.added[meld])

    def __len__(self) -> int:
        """How much was worked out."""
        return len(self._known) + len(self._stands) + len(self._opened)

    def outcomes(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], ceiling: int | None = None
    ) -> Iterator[Outcome]:
        """The sums, the score and the type with the last tile of every way to group the tiles.

        `ceiling`: see `RowMaker.covers`.
        """
        return self._open_all(self._of(component, counts, loose, ceiling))

    def stood(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], wild: str | None
    ) -> Iterator[Outcome]:
        """The same of tiles with any number of wild ones, that stand for any, among them.

        `wild`: whence the hand's last tile came, if it is a wild one; here or elsewhere.
        """
        numbers = range(self.maker.wilds.number + 1)
        found = set[int]().union(*(self._stood(component, counts, loose, n) for n in numbers))
        for stand in self.maker.stands.get(component, ()) if wild in OWN else ():
            more = self.added[stand.id] + (1 << (BITS * (self._bounded - 1)))
            last = (*loose, Loose(stand.tiles[0], wild, True, True))
            for number in numbers[:-1]:
                found.update([n + more for n in self._stood(component, counts, last, number)])
        return self._open_all(found)

    def _stood(self, component: int, counts: Counts, loose: tuple[Loose, ...], number: int) -> frozenset[int]:
        """With so many of them, the last tile apart."""
        if not number:
            return self._of(component, counts, loose, None)
        key = (component, counts, loose, number)
        known = self._stands.get(key)
        if known is None:
            found: set[int] = set()
            for stand in self.maker.stands.get(component, ()):
                place, more = self.maker.places[stand.tiles[0]], self.added[stand.id]
                fuller = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                found.update([n + more for n in self._stood(component, fuller, loose, number - 1)])
            known = self._stands[key] = frozenset(found)
        return known

    def _open_all(self, found: Iterable[int]) -> Iterator[Outcome]:
        opened, top, rest = self._opened, self._top, (1 << self._top) - 1
        for packed in found:
            low = packed & rest
            known = opened.get(low)
            if known is None:
                known = opened[low] = self.open(low)
            sums, score, held = known
            yield sums, score + (packed >> top), held

    def _of(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], ceiling: int | None
    ) -> frozenset[int]:
        key = (component, counts, loose, ceiling)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = frozenset(self._grouped(*key))
        return known

    def _grouped(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], ceiling: int | None
    ) -> set[int]:
        maker, room, exceeded = self.maker, self.room, self.exceeded
        if not loose and not any(counts):
            return {self._pack(sums, score) for sums, score, _ in maker.all_wild(component)}
        part = maker.game.components[component]
        first = loose[0].kind if loose else part[next(i for i, n in enumerate(counts) if n)]
        found: set[int] = set()
        for meld, need, left, holds_last in maker.ways(component, first, loose):
            rest = tuple(map(int.__sub__, counts, need))
            if min(rest) >= 0 and (ceiling is None or maker.marks.gain.get(meld, ceiling) <= ceiling):
                more = self.added[meld] + (self.held[meld] if holds_last else 0)
                above = more + room
                others = self._of(component, rest, left, ceiling)
                found.update([n + more for n in others if not n + above & exceeded])
        return found

    # ------------------------------------------------------------ one number

    def _pack(self, sums: Vector, score: int) -> int:
        """From the lowest bits: what is bounded, the type with the last tile plus one, sums, the score."""
        packed, plain = score, sums[self._bounded :]
        for number in reversed(plain):
            packed = (packed << self._wide) + number
        packed <<= BITS
        for number in reversed(sums[: self._bounded]):
            packed = (packed << BITS) + number
        return packed

    def open(self, packed: int) -> Outcome:
        """The sums, the score and the type with the last tile."""
        bounded = [packed >> (BITS * i) & LOW for i in range(self._bounded)]
        packed >>= BITS * self._bounded
        held, packed = (packed & LOW) - 1, packed >> BITS
        half, sums = 1 << (self._wide - 1), []
        for _ in self.maker.summed:
            number = (packed + half & (1 << self._wide) - 1) - half
            sums.append(number)
            packed = (packed - number) >> self._wide
        return (*bounded, *sums), packed, held


def _width(maker: RowMaker) -> int:
    """Bits that hold any sum over the melds of a component, and its sign: a meld takes a tile at least."""
    game = maker.game
    tiles = tiles_in_play(game)
    heaviest = max((abs(n) for weights in maker.summed for n in weights), default=0)
    return (heaviest * tiles).bit_length() + 2
