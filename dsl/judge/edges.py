"""The steps of automata as arrays, and numbers for what they come to."""

from __future__ import annotations

import numpy as np

from .automaton import Automaton
from .batch import Batch
from .grid import Cells, Grid
from .grid import Ints as Ints

MANY = 200
"""Steps that are worth making together."""


class Edges(Grid):
    """The steps of an automaton, made when they are asked for and kept beside its states."""

    def __init__(self, automaton: Automaton) -> None:
        super().__init__()
        self.automaton = automaton
        self.dead = automaton.nowhere.index
        self.full = np.array(automaton.final_dims, np.int64)
        self._batch = Batch(automaton)
        self._low = [np.empty((0, len(self.full)), np.int64)] * 2

    @property
    def size(self) -> tuple[int, int]:
        return len(self.automaton.states), len(self.automaton.letters)

    def make(self, states: Ints, letters: Ints) -> None:
        """Make steps; those that exceed the shape in any case lead nowhere, and nobody works them out."""
        low_states, low_letters = self._lows()
        over = (low_states[states] + low_letters[letters] > self.full).any(axis=1)
        self.lead(states[over], letters[over], self.dead)
        states, letters, every = states[~over], letters[~over], self.automaton.states
        if len(states) >= MANY and self._batch.able:
            following, self.added[states, letters] = self._batch.steps(states, letters)
            self.lead(states, letters, following)
            return
        steps = [every[i][j] for i, j in zip(states.tolist(), letters.tolist(), strict=True)]
        self.lead(states, letters, [state.index for state, _ in steps])
        self.added[states, letters] = [points for _, points in steps]

    def _lows(self) -> list[Ints]:
        """Per state, and per letter, the least of each dimension of the shape."""
        lists = self._batch.fitted()
        for i, (low, own) in enumerate(zip(self._low, lists, strict=True)):
            if len(own) > len(low):
                self._low[i] = np.concatenate([low, self._batch.lows(own, len(low))])
        return self._low


def edges_of(automaton: Automaton) -> Edges:
    """The same for all automata that have their states in common."""
    owner = automaton.start.automaton
    return owner.memo.of("edges", lambda: Edges(owner))


def moves_of(sides: tuple[Automaton, ...], states: Ints, letters: Ints) -> list[tuple[Cells, Cells]]:
    """What each side does, a column for each in `states` and `letters`, (n, sides).

    Worked out once where all are in the same states of one automaton and read the same.
    """
    first = edges_of(sides[0]).moves(states[:, 0], letters[:, 0])
    alike = sides[0].states is sides[-1].states and all(
        np.array_equal(columns[:, 0], columns[:, -1]) for columns in (states, letters)
    )
    others = enumerate(sides[1:], 1)
    return [first, *(first if alike else edges_of(s).moves(states[:, i], letters[:, i]) for i, s in others)]


def packed(columns: Ints) -> list[Ints]:
    """Numbers that are the same where all columns are, as few as it takes."""
    found: list[Ints] = []
    room = 0
    for column in columns.T:
        low, many = int(column.min()), int(column.max() - column.min()) + 1
        if many >= room:
            found.append(np.zeros(len(columns), np.int64))
            room = 1 << 62
        found[-1] = found[-1] * many + (column - low)
        room //= many
    return found
