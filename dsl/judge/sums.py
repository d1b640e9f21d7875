"""What several components come to together: of each vector the scores, as a set of bits.

A part of `points.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from .vectors import Vector, Vectors, cut, scores_in

Point = tuple[Vector, int]
"""(vector, score up to where the condition stops telling scores apart)."""
Melds = tuple[int, ...]
Table = Mapping[Point, Melds]
"""What one component can come to, and melds that do."""
Rows = list[tuple[int, int, tuple[int, ...]]]
"""A table in short: number of a vector, its scores as bits above the table's least, and one by one."""


class Layer:
    """What some components come to."""

    def __init__(self, reached: dict[int, int], low: int) -> None:
        self.reached = reached
        """Number of a vector to its scores, as bits above `low`."""
        self.low = low


class Sums:
    """Sums of tables that share vectors; scores from `cap` on are alike, once nothing can lower them."""

    def __init__(self, vectors: Vectors, cap: int) -> None:
        self.vectors = vectors
        self.cap = cap
        zero = vectors.number((0,) * (len(vectors.bounds) + len(vectors.probes)))
        self._start = Layer({zero: 1}, 0)
        self._numbers: dict[frozenset[Point], int] = {}
        self._rows: list[tuple[Rows, int]] = []
        self._layers: dict[tuple[int, ...], Layer] = {}
        self._falling = False
        """Are there scores below zero?"""

    def chosen(self, tables: Sequence[Table], wanted: Callable[[Point], bool]) -> list[Melds] | None:
        """Melds of each table that together reach all bounds and come to a point that is wanted, or None."""
        numbers = [self._number(table) for table in tables]
        often = Counter(numbers)
        order = sorted(range(len(tables)), key=lambda i: (-often[numbers[i]], numbers.index(numbers[i])))
        layers = [self._start]
        for i in range(len(order)):
            layers.append(self._layer(tuple(numbers[place] for place in order[: i + 1]), layers[-1]))
        every = self._whole(layers[-1])
        goal = next(((v, s) for v, s in every if wanted((v, min(s, self.cap)))), None)
        if goal is None:
            return None
        found: list[Melds] = [()] * len(tables)
        for place, layer in zip(reversed(order), reversed(layers[:-1]), strict=True):
            goal, found[place] = self._back(layer, tables[place], goal)
        return found

    def _number(self, table: Table) -> int:
        """The same for tables with the same points."""
        number = self._numbers.setdefault(frozenset(table), len(self._rows))
        if number == len(self._rows):
            low = min((score for _, score in table), default=0)
            scores: dict[int, list[int]] = {}
            for vector, score in sorted(table):
                scores.setdefault(self.vectors.number(vector), []).append(score - low)
            rows = [(vector, sum(1 << s for s in own), tuple(own)) for vector, own in scores.items()]
            self._rows.append((rows, low))
            if low < 0 and not self._falling:
                self._falling = True
                self._layers.clear()
        return number

    def _layer(self, read: tuple[int, ...], before: Layer) -> Layer:
        """What these tables come to; `before` is what all but the last of them do."""
        known = self._layers.get(read)
        if known is None:
            known = self._layers[read] = self._added(before, *self._rows[read[-1]])
        return known

    def _added(self, before: Layer, rows: Rows, low: int) -> Layer:
        after: dict[int, int] = {}
        for vector, bits in before.reached.items():
            sums = self.vectors.sums[vector]
            for own, own_bits, scores in rows:
                total = sums[own]
                if total is not None:
                    more = _shifted(bits, own_bits, scores)
                    after[total] = after.get(total, 0) | more
        low += before.low
        if self._falling:
            return Layer(after, low)
        top = max(self.cap - low, 0)
        return Layer({vector: cut(bits, top) for vector, bits in after.items()}, low)

    def _whole(self, layer: Layer) -> Iterator[Point]:
        """The points that reach all bounds."""
        for vector, bits in layer.reached.items():
            if self.vectors.whole[vector]:
                for score in scores_in(bits):
                    yield self.vectors.every[vector], score + layer.low

    def _back(self, before: Layer, table: Table, goal: Point) -> tuple[Point, Melds]:
        """A point from which the table leads to the goal, and with which melds."""
        vectors, wanted = self.vectors, self.vectors.number(goal[0])
        most = None if self._falling else self.cap
        for (vector, score), melds in table.items():
            own = vectors.number(vector)
            for earlier, bits in before.reached.items():
                if vectors.sums[earlier][own] == wanted:
                    for place in scores_in(bits):
                        if _told(place + before.low + score, most) == _told(goal[1], most):
                            return (vectors.every[earlier], place + before.low), melds
        raise AssertionError("no way back")


def _shifted(bits: int, own_bits: int, scores: tuple[int, ...]) -> int:
    """Every score of one set with every score of another."""
    if bits & bits - 1 == 0:
        return own_bits << bits.bit_length() - 1
    more = 0
    for score in scores:
        more |= bits << score
    return more


def _told(score: int, most: int | None) -> int:
    """The score as far as it is told."""
    return score if most is None else min(score, most)
