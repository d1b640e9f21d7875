"""Sums that are only asked whether they are large enough: what of them still matters as kinds are read.

A property such as "four tiles of some face" is a probe that is 1 once one of many sums is large enough. As
soon as one is, the others are no longer of interest to it; and a sum that no further kind adds to is either
large enough or might as well be 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..core.formulas import features
from ..core.model import Compare, Defined, Formula, Not
from .probes import LocalProbe, SumProbe

if TYPE_CHECKING:
    from .rows import RowMaker

Sums = tuple[int, ...]


class Enough:
    """The sums of a component of which only thresholds are asked.

    `turn`: when a sweep reads the kinds. Places are those in its vectors, after the dimensions of the shape.
    """

    def __init__(self, maker: RowMaker, component: int, turn: Mapping[int, int]) -> None:
        local = [p for p in (*maker.probes, *maker.groupings) if isinstance(p, LocalProbe)]
        exact = {p.weights for p in maker.probes if isinstance(p, SumProbe)}
        exact |= {weights for limits in maker.limits.values() for weights, _ in limits}
        found: list[list[tuple[Sums, int]]] = []
        for probe in local:
            own = [(formula, _threshold(formula)) for c, formula in probe.formulas if c == component]
            exact |= {f.weights for formula, known in own if known is None for f in features(formula)}
            found.append([known for _, known in own if known is not None])
        width, places = len(maker.bounds), {weights: i for i, weights in enumerate(maker.summed)}
        self.probes = [[(width + places[w], n) for w, n in own if w not in exact] for own in found]
        """Per probe with a property: (place of a sum, from where on it is 1)."""
        several = {place for own in self.probes for place, _ in own}
        self.bounds = {
            place: sorted(
                ((n, i) for i, own in enumerate(self.probes) for p, n in own if p == place), reverse=True
            )
            for place in several
        }
        """Per sum the bounds, the highest first, and whose they are."""
        self.carriers = [self._carrier(number) for number in range(len(self.probes))]
        self.closed = {place: _last_turn(maker, place - width, turn) for place in several}
        """Per sum the last kind that adds to it."""

    def _carrier(self, number: int) -> tuple[int, int] | None:
        """A sum that is asked for this probe only, and its bound: it stands for all of them."""
        alone = (own for own in self.probes[number] if all(i == number for _, i in self.bounds[own[0]]))
        return next(alone, None)

    def left(self, turn: int, sums: Sums) -> Sums:
        """What matters of sums after this kind."""
        kept, over = list(sums), set[int]()
        for number, own in enumerate(self.probes):
            if self.carriers[number] is not None and any(sums[place] >= bound for place, bound in own):
                over.add(number)
        for place, bounds in self.bounds.items():
            live = [bound for bound, number in bounds if number not in over]
            if turn >= self.closed[place]:
                kept[place] = next((bound for bound in live if sums[place] >= bound), 0)
            elif sums[place] > (most := live[0] if live else 0):
                kept[place] = most
        for number in over:
            place, bound = self.carriers[number] or (0, 0)
            kept[place] = bound
        return tuple(kept)


def _threshold(formula: Formula) -> tuple[Sums, int] | None:
    """Weights of which the sum has to be this large; None where the formula is anything else."""
    match formula:
        case Defined(_, _, body):
            return _threshold(body)
        case Not(Compare(left, ("<" | "<=") as operator, right)):
            return _threshold(Compare(left, ">=" if operator == "<" else ">", right))
        case Compare(left, (">=" | ">") as operator, right) if not right.parts and len(left.parts) == 1:
            (factor, feature), bound = left.parts[0], right.constant - left.constant + (operator == ">")
            plain = factor == 1 and bound > 0 and min(feature.weights) >= 0
            return (feature.weights, bound) if plain else None
        case _:
            return None


def _last_turn(maker: RowMaker, place: int, turn: Mapping[int, int]) -> int:
    """The last kind at which a meld begins that adds to the sum."""
    weights = maker.summed[place]
    every = ([turn[kind] for kind, _ in m.counts if kind in turn] for m in maker.game.melds if weights[m.id])
    return max((min(turns) for turns in every if turns), default=0)
