"""The tiles that complete a hand, found by what all of it but one or two components comes to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from .automaton import KEPT, Automaton, State

if TYPE_CHECKING:
    from .compiled import Final


class Wait(NamedTuple):
    """A tile that completes a hand, and the verdict it would get as an own draw or from another."""

    kind: int
    origin: str
    final: Final


Best = Mapping[tuple[int, int], Sequence["Final"]]
"""The outcomes that the declarer likes best, by final state and score."""


class Awaited(dict[tuple[int, int, int, int], tuple[Wait, ...]]):
    """The tiles of two components (or one, told twice) that complete hands of one situation: by the state and
    score that all others come to, and what is held and drawn there (`Automaton.awaiting`)."""

    def __init__(self, automaton: Automaton, origins: tuple[str, ...], best: Sequence[Best]) -> None:
        super().__init__()
        self.automaton = automaton
        self.origins = origins
        self.best = best
        self.wild: list[tuple[str, Automaton, Best]] = []
        """Whence a wild tile can be drawn, and what reads and judges the hand with it."""

    def __missing__(self, key: tuple[int, int, int, int]) -> tuple[Wait, ...]:
        if len(self) >= KEPT:
            self.clear()
        index, score, one, other = key
        start = self.automaton.states[index]
        found = list(self._drawn(start, score, one, other))
        if other != one:
            found += self._drawn(start, score, other, one)
        waits = self[key] = tuple(found)
        return waits

    def _drawn(self, state: State, score: int, here: int, beside: int) -> Iterator[Wait]:
        """Those of one of the components."""
        awaiting = self.automaton.awaiting
        if beside != here:
            state, added = state[awaiting[beside][1]]
            score += added
        for letter, place, kinds in awaiting[here][2]:
            end, added = state[letter]
            if end.complete:
                final = self.best[place][end.index, score + added][0]
                yield from (Wait(kind, self.origins[place], final) for kind in kinds)


@dataclass(frozen=True, slots=True)
class Left:
    """What can still be drawn."""

    held: Mapping[int, int] | Sequence[int]
    copies: Sequence[int]
    """Of each face held, and in play around the hand."""
    doubted: Collection[int]
    """Faces of which there may be no tile left."""

    @property
    def plenty(self) -> bool:
        return not self.doubted

    def in_play(self, waits: Sequence[Wait]) -> list[Wait]:
        """Those of which there are tiles left."""
        held, copies, doubted = self.held, self.copies, self.doubted
        return [w for w in waits if w.kind not in doubted or held[w.kind] < copies[w.kind]]


Half = tuple[int, tuple[int, ...], int, int, int]
"""How many steps led here, which components to read now, one or two that are left then (if two are, one after
the other), and how many entries of the list go on from here."""


def halves(components: int) -> list[Half]:
    """How to come to what all components but one or two come to, for each of these, in few steps.

    What lies in one half is read before the other half is halved itself.
    """
    steps: list[Half] = []

    def halve(level: int, others: tuple[int, ...], here: range) -> None:
        place = len(steps)
        steps.append((level, others, here[0], here[-1], 0))
        if len(here) > 2:
            middle = len(here) // 2
            halve(level + 1, tuple(here[middle:]), here[:middle])
            halve(level + 1, tuple(here[:middle]), here[middle:])
        steps[place] = (level, others, here[0], here[-1], len(steps) - place - 1)

    halve(0, (), range(components))
    return steps
