"""The steps of an automaton as arrays, made when they are asked for and kept beside its states."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .automaton import Automaton
from .rows import Vector

Ints = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int32]
FULL = 1 << 20
"""More than a shape has of anything."""


class Edges:
    """By state and letter the next state and the score added."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.dead = automaton.nowhere.index
        self.full = np.array(automaton.final_dims, np.int64)
        self._following: Cells = np.full((0, 0), -1, np.int32)
        self._added: Cells = np.zeros((0, 0), np.int32)
        self._low = [np.empty((0, len(self.full)), np.int64)] * 2

    def moves(self, states: Ints, letters: Ints) -> tuple[Cells, Cells]:
        """Next state and added score for each state and the letter it reads."""
        self._fit(len(self.automaton.states), len(self.automaton.letters))
        found = self._following[states, letters]
        if found.min(initial=0) < 0:
            self._fill(states[found < 0], letters[found < 0])
            found = self._following[states, letters]
        return found, self._added[states, letters]

    def _fill(self, states: Ints, letters: Ints) -> None:
        """Make steps; those that exceed the shape in any case lead nowhere, and nobody works them out."""
        width = self._following.shape[1]
        rows, columns = np.divmod(np.unique(states * width + letters), width)
        low_states, low_letters = self._lows()
        over = (low_states[rows] + low_letters[columns] > self.full).any(axis=1)
        self._following[rows[over], columns[over]] = self.dead
        rows, columns, every = rows[~over], columns[~over], self.automaton.states
        steps = [every[i][j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]
        self._following[rows, columns] = [state.index for state, _ in steps]
        self._added[rows, columns] = [points for _, points in steps]

    def _fit(self, rows: int, columns: int) -> None:
        have = self._following.shape
        if rows > have[0] or columns > have[1]:
            wanted = zip((rows, columns), have, strict=True)
            size = tuple(old if n <= old else max(n, 2 * old) for n, old in wanted)
            for name, empty in (("_following", -1), ("_added", 0)):
                grown = np.full(size, empty, np.int32)
                grown[: have[0], : have[1]] = getattr(self, name)
                setattr(self, name, grown)

    def _lows(self) -> list[Ints]:
        """Per state, and per letter, the least of each dimension of the shape."""
        automaton, width = self.automaton, len(self.full)
        every = automaton.vectors.every
        states = automaton.states[len(self._low[0]) :]
        letters = automaton.letters[len(self._low[1]) :]
        faces: tuple[Iterable[list[Vector]], ...] = (
            ([every[n] for n in automaton.numbers(state.held)] for state in states),
            ([vector for vector, _ in letter] for letter in letters),
        )
        for i, new in enumerate(faces):
            rows = [[min((v[d] for v in one), default=FULL) for d in range(width)] for one in new]
            if rows:
                more = np.array(rows, np.int64).reshape(len(rows), width)  # there may be no dimensions
                self._low[i] = np.concatenate([self._low[i], more])
        return self._low


def edges_of(automaton: Automaton) -> Edges:
    """The same for all automata that have their states in common."""
    owner = automaton.start.automaton
    if "edges" not in owner.memo:
        owner.memo["edges"] = Edges(owner)
    found: Edges = owner.memo["edges"]
    return found


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
