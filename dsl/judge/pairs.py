"""Two automata side by side as one: a state for each pair of theirs that some hand leads to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .automaton import Automaton
from .edges import edges_of, moves_of
from .grid import Cells, Grid, Ints
from .numbered import Numbered

DEAD, START = 0, 1
"""The pair from which no arrangement comes, and that of no tiles."""
WIDTH, ROOM = 24, 15
"""Bits for the number of a state, and for how far one side's score is ahead."""
ZERO = 1 << (ROOM - 1)


class Pairs(Grid):
    """The steps of both, with by how much the left score is ahead so far."""

    weighted = False

    def __init__(self, left: Automaton, right: Automaton) -> None:
        super().__init__()
        self.sides = (left, right)
        self.states: Numbered[int] = Numbered()
        """Both states and what the left is ahead, in one number."""
        self.letters: Numbered[tuple[int, int]] = Numbered()
        for one, other in ((left.nowhere, right.nowhere), (left.start, right.start)):
            both = np.array([[one.index], [other.index], [0]])
            self.states.number(_packed(*both).item())
        self._columns = (np.empty((0, 3), np.int64), np.empty((0, 2), np.int64))

    @property
    def size(self) -> tuple[int, int]:
        return len(self.states), len(self.letters)

    def columns(self) -> tuple[Ints, Ints]:
        """By number the states of both sides with what the left is ahead, and the letters of both."""
        states, letters = self._columns
        if len(states) < len(self.states):
            states = np.concatenate([states, _unpacked(np.array(self.states.every[len(states) :], np.int64))])
        if len(letters) < len(self.letters):
            letters = np.array(self.letters.every, np.int64)
        self._columns = states, letters
        return self._columns

    def make(self, states: Ints, letters: Ints) -> None:
        """Write down the steps from these states with these letters, all of them once."""
        own, read = (column[at] for column, at in zip(self.columns(), (states, letters), strict=True))
        (left, more), (right, less) = moves_of(self.sides, own[:, :2], read)
        ahead = own[:, 2] + more - less
        if left is right and not ahead.any():
            self.lead(states, letters, self._alike(left))
            return
        dead = [edges_of(side).dead for side in self.sides]
        ahead[(left == dead[0]) & (right == dead[1])] = 0
        chosen, place = np.unique(_packed(left, right, ahead), return_inverse=True)
        self.lead(states, letters, self._numbers(chosen)[place.reshape(-1)])

    def _alike(self, both: Cells) -> Cells:
        """The pairs of states with themselves."""
        chosen = np.flatnonzero(np.bincount(both))
        numbers = np.zeros(int(both.max(initial=0)) + 1, np.int32)
        numbers[chosen] = self._numbers(_packed(chosen, chosen, np.zeros_like(chosen)))
        return numbers[both]

    def _numbers(self, keys: Ints) -> Cells:
        return np.array([self.states.number(key) for key in keys.tolist()], np.int32)

    def blocks(self, wanted: Sequence[tuple[Ints, Ints]]) -> list[Cells]:
        """Of states and letters, both lists of numbers, where each of these states gets with each letter."""
        self._fit(*self.size)
        found = [self.following(states[:, None], letters) for states, letters in wanted]
        missing = [_missing(block, *both) for block, both in zip(found, wanted, strict=True) if block.size]
        asked = np.unique(np.concatenate(missing)) if missing else np.empty(0, np.int64)
        if len(asked):
            self.make(*np.divmod(asked, 1 << WIDTH))
            for i, (states, letters) in enumerate(wanted):
                if found[i].min(initial=0) < 0:
                    found[i] = self.following(states[:, None], letters)
        return found


def pairs_of(left: Automaton, right: Automaton) -> Pairs:
    """The same for all that have their states in common with these."""
    key = ("pairs", edges_of(left), edges_of(right))
    found: Pairs = left.start.automaton.memo.of(key, lambda: Pairs(left, right))
    return found


def _missing(block: Cells, states: Ints, letters: Ints) -> Ints:
    if block.min() >= 0:
        return np.empty(0, np.int64)
    rows, columns = np.nonzero(block < 0)
    return (states[rows].astype(np.int64) << WIDTH) + letters[columns]


def _packed(left: Ints | Cells, right: Ints | Cells, ahead: Ints) -> Ints:
    high = (left.astype(np.int64) << WIDTH) + right
    found: Ints = (high << ROOM) + ahead + ZERO
    return found


def _unpacked(keys: Ints) -> Ints:
    high, ahead = keys >> ROOM, (keys & (1 << ROOM) - 1) - ZERO
    return np.stack([high >> WIDTH, high & (1 << WIDTH) - 1, ahead], axis=1)
