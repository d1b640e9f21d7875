"""Closed hands sorted by the verdict that their owner likes best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from dsl.core.hand import Hand
from dsl.judge.automaton import State, Vector
from dsl.judge.compiled import Compiled, Final
from dsl.judge.machines import Shaped
from dsl.judge.wild_hands import Sought

from .tallies import Held, Sort, Tally, closed


@dataclass(frozen=True, slots=True)
class Sorted:
    """What the best arrangement comes to; of several alike what any of them can come to."""

    win: bool
    times: int
    """The multiplier of a win, and 0 else."""
    names: tuple[str, ...]
    """Of a win, in the order of the text."""


class LowerIsBetter(Exception):
    """A lower score of the same melds may be liked better, so all scores have to be kept."""


def verdicts(held: Held) -> Tally:
    """The finished hands by `Sorted`; those that are not complete are left aside."""
    try:
        return held.tally(partial(verdict_sort, rises=True))
    except LowerIsBetter:
        return held.tally(partial(verdict_sort, rises=False))


def verdict_sort(sought: Sought, rises: bool) -> Sort:
    """By `Sorted`; see `Verdicts`."""
    machine = Verdicts(sought.compiled, closed(sought), rises)
    return (machine,), machine.sort


class Verdicts(Shaped):
    """Sorts finished closed hands.

    `rises`: keep the best score of a vector only. Raises `LowerIsBetter` where that would be wrong.
    """

    def __init__(self, compiled: Compiled, hand: Hand, rises: bool) -> None:
        super().__init__(compiled.highest if rises else compiled.paid)
        self.compiled = compiled
        self.hand = hand
        self._doubted = self.automaton is not compiled.paid
        self._rising: set[Vector] = set()
        self._finals: dict[tuple[Vector, int], Final] = {}

    def sort(self, states: tuple[Any, ...]) -> Sorted | None:
        """What hands that end in this state are; None if they are not complete."""
        state: State = states[0]
        finals = [self._final(vector, score) for vector, score in self.automaton.finals(state, 0)]
        top = max((f.rank for f in finals), default=None)
        best = [f for f in finals if f.rank == top]
        if not best or not best[0].win:
            return Sorted(False, 0, ()) if best else None
        carried = {name for f in best for name in f.names}
        names = tuple(n.name for n in self.compiled.game.names if n.name in carried)
        return Sorted(True, max(f.times for f in best), names)

    def _final(self, vector: Vector, score: int) -> Final:
        """What a final vector comes to."""
        if self._doubted and vector not in self._rising:
            self._make_sure(vector)
        known = self._finals.get((vector, score))
        if known is None:
            known = self.compiled.final(self.automaton, vector, score, self.hand)
            self._finals[vector, score] = known
        return known

    def _make_sure(self, vector: Vector) -> None:
        """From score to score nothing that is liked gets lost."""
        self._rising.add(vector)
        ranks = [self._final(vector, score).rank for score in range((self.automaton.cap or 0) + 1)]
        if ranks != sorted(ranks):
            raise LowerIsBetter
