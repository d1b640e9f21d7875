"""Closed hands sorted by the verdict that their owner likes best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from dsl.core.hand import Hand
from dsl.judge.automaton import Automaton, Vector
from dsl.judge.compiled import Compiled, Final, liked, preferred
from dsl.judge.machines import Shaped
from dsl.judge.wild_hands import Sought

from .tallies import Held, Sort, Tally, closed


@dataclass(frozen=True, slots=True)
class Sorted:
    """What the arrangement comes to that is taken."""

    win: bool
    times: int
    """The multiplier of a win, and 0 else."""
    names: tuple[str, ...]
    """Of a win, in the order of the text."""


class LowerIsBetter(Exception):
    """A lower score of the same melds may be liked better, so all scores have to be kept."""


class ScoreDecides(Exception):
    """Wins that are liked alike but for their scores say different things, so scores have to be told."""


def verdicts(held: Held) -> Tally:
    """The finished hands by `Sorted`; those that are not complete are left aside."""
    while True:
        rises, told = _READINGS.get(held.compiled, (True, False))
        try:
            return held.tally(partial(verdict_sort, rises=rises, told=told))
        except LowerIsBetter:
            _READINGS[held.compiled] = False, False
        except ScoreDecides:
            _READINGS[held.compiled] = False, True


_READINGS: WeakKeyDictionary[Compiled, tuple[bool, bool]] = WeakKeyDictionary()
"""How a game's scores have to be read, as far as its hands have shown."""


def verdict_sort(sought: Sought, rises: bool, told: bool = False) -> Sort:
    """By `Sorted`; see `Verdicts`."""
    machine = Verdicts(sought.compiled, closed(sought), rises, told)
    return (machine,), machine.sort


class Verdicts(Shaped):
    """Sorts finished closed hands.

    `rises`: keep the best score of a vector only. Raises `LowerIsBetter` where that would be wrong.
    `told`: tell all scores apart. Without it raises `ScoreDecides` where one that nothing asks for matters.
    """

    def __init__(self, compiled: Compiled, hand: Hand, rises: bool, told: bool = False) -> None:
        super().__init__(compiled.told_ahead if told else compiled.highest if rises else compiled.paid)
        self.compiled = compiled
        self.hand = hand
        self._doubted = self.automaton not in (compiled.paid, compiled.told_ahead)
        self._ahead = self.automaton.cap is None and self.automaton.maker.scored
        """Are scores on the edges too?"""
        self._rising: set[Vector] = set()
        self._finals: dict[tuple[Vector, int], Final] = {}
        self._sorted: dict[tuple[tuple[int, ...], int], Sorted | None] = {}

    def sort(self, states: tuple[Any, ...]) -> Sorted | None:
        """What hands that end in this state are; None if they are not complete."""
        state, ahead = states[0] if self._ahead else (states[0], 0)
        key = (self.automaton.ends(state), ahead)
        if key not in self._sorted:
            self._sorted[key] = self._sort(self.automaton.finals(state, ahead))
        return self._sorted[key]

    def _sort(self, every: list[tuple[Vector, int]]) -> Sorted | None:
        best = liked(self._final(vector, score) for vector, score in every)
        if not best or not best[0].win:
            return Sorted(False, 0, ()) if best else None
        if alike_but_for_score(self.automaton, best):
            raise ScoreDecides
        taken = preferred(best)[0]
        return Sorted(True, taken.times, taken.names)

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


def alike_but_for_score(automaton: Automaton, best: Sequence[Final]) -> bool:
    """May outcomes that are liked best differ, and in scores that the automaton does not tell apart?"""
    if len(best) < 2 or automaton.cap is None or best[0].score < automaton.cap:
        return False
    return len({(f.names if f.win else f.missing, f.times, f.payments) for f in best}) > 1
