"""Vectors as small numbers: hashing one and adding two of them is what automata spend their time on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.model import Game
from ..core.parts import tiles_in_play
from .probes import Probe, SumProbe, most_told

Vector = tuple[int, ...]
BITS = 31
"""Room for a score beside the number of a vector."""
ZERO = 1 << (BITS - 1)
"""What stands for the score 0, since scores may be negative."""
MASK = (1 << BITS) - 1


class Vectors:
    """The vectors that were met, each with its number, and what two of them come to together.

    A vector begins with what `bounds` limit; an entry for each probe follows.
    """

    def __init__(self, bounds: Vector, probes: Sequence[Probe]) -> None:
        self.bounds = bounds
        self.probes = probes
        self.every: list[Vector] = []
        self.whole: list[bool] = []
        """By number: does it reach all bounds?"""
        self.sums: list[_Sums] = []
        """By number: what it comes to with others."""
        self._numbers: dict[Vector, int] = {}
        self.hopeless: Callable[[Vector], bool] | None = None
        """Vectors that nobody asks about, nor about what they come to with others; set before any is met."""
        self.moduli = tuple((p.modulus or 0) if isinstance(p, SumProbe) else 0 for p in probes)
        self._modular = any(self.moduli)
        self.most = (*bounds, *(most_told(probe) for probe in probes))

    def number(self, vector: Vector) -> int:
        known = self._numbers.get(vector)
        if known is None:
            known = self._numbers[vector] = len(self.every)
            self.every.append(vector)
            self.whole.append(vector[: len(self.bounds)] == self.bounds)
            self.sums.append(_Sums(self, vector))
        return known

    def number_asked(self, vector: Vector) -> int | None:
        """Its number; None where nobody asks about it."""
        return None if self.hopeless is not None and self.hopeless(vector) else self.number(vector)

    def add(self, left: Vector, right: Vector) -> Vector | None:
        """Two vectors together, None when a bound is exceeded or nobody asks about it."""
        total = self.sums[self.number(left)][self.number(right)]
        return None if total is None else self.every[total]

    def summed_up(self, left: Vector, right: Vector) -> Vector | None:
        """The same, worked out."""
        total = tuple(map(int.__add__, left, right))
        for number, bound in zip(total, self.bounds, strict=False):
            if number > bound:
                return None
        if not self._modular:
            return tuple(map(min, total, self.most))
        width = len(self.bounds)
        told = zip(total[width:], self.moduli, self.most[width:], strict=True)
        return (*total[:width], *(n % m if m else min(n, most) for n, m, most in told))


class _Sums(dict[int, int | None]):
    """The numbers of one vector together with others; None where a bound is exceeded or nobody asks."""

    def __init__(self, vectors: Vectors, left: Vector) -> None:
        super().__init__()
        self.vectors = vectors
        self.left = left

    def __missing__(self, right: int) -> int | None:
        total = self.vectors.summed_up(self.left, self.vectors.every[right])
        found = self[right] = None if total is None else self.vectors.number_asked(total)
        return found


def scores_in(bits: int) -> tuple[int, ...]:
    """The numbers of which a set of bits consists."""
    return tuple(place for place in range(bits.bit_length()) if bits >> place & 1)


def least_score(game: Game) -> int:
    """No hand comes to less: below 0 only where points are."""
    tiles = tiles_in_play(game)
    return tiles * min(0, min((m.prices[0].points or 0 for m in game.melds if m.prices), default=0))


def cut(bits: int, top: int) -> int:
    """A set of scores with all from `top` on as that one."""
    return bits if bits >> top < 2 else bits & (1 << top) - 1 | 1 << top
