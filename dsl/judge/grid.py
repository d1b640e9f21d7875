"""Steps as arrays: by state and letter, both as numbers, the next state and the score added."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from .numbered import Numbered

if TYPE_CHECKING:
    from .machines import Machine

Ints = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int32]
Whole = TypeVar("Whole", bound=np.integer[Any])
Words = npt.NDArray[np.uint64]
ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""To mix numbers with."""


def mixed(numbers: Ints) -> Words:
    """Odd numbers by which these are told apart in sums and products, but for chance."""
    words = numbers.astype(np.uint64)
    for odd in ODD:
        words = (words ^ (words >> np.uint64(32))) * odd
    found: Words = words | np.uint64(1)
    return found


def different(rows: npt.NDArray[Whole], keys: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[Whole], Ints]:
    """The different rows, and which of them each one is. Rows that are the same have the same key."""
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    chosen, place = rows[first], place.reshape(-1)
    if not np.array_equal(chosen[place], rows):  # two rows with one key
        chosen, place = np.unique(rows, axis=0, return_inverse=True)
    return chosen, place.reshape(-1)


class Grid(ABC):
    """Steps that are made when they are asked for, and kept."""

    weighted = True
    """Does a step add to the score?"""

    def __init__(self) -> None:
        self._next: Cells = np.zeros((0, 0), np.int32)
        """Bitwise not of numbers of states, so that 0 is unknown: memory is touched only where it is used."""
        self.added: Cells = np.zeros((0, 0), np.int32)

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """How many states and letters there are."""

    @abstractmethod
    def make(self, states: Ints, letters: Ints) -> None:
        """Write down the steps from these states with these letters, all of them once."""

    def moves(self, states: Ints, letters: Ints) -> tuple[Cells, Cells]:
        """Next state and added score for each state and the letter it reads."""
        self._fit(*self.size)
        found = self.following(states, letters)
        if found.min(initial=0) < 0:
            missing = found < 0
            width = self._next.shape[1]
            asked = np.unique(states[missing] * width + letters[missing])
            self.make(*np.divmod(asked, width))
            found = self.following(states, letters)
        return found, self.added[states, letters]

    def following(self, states: Ints, letters: Ints) -> Cells:
        """The next states as far as they are known, -1 where not."""
        found: Cells = ~self._next[states, letters]
        return found

    def lead(self, states: Ints, letters: Ints, following: Cells | Ints | Sequence[int] | int) -> None:
        """Write next states down."""
        self._next[states, letters] = ~np.asarray(following, np.int32)

    def _fit(self, rows: int, columns: int) -> None:
        have = self._next.shape
        if rows > have[0] or columns > have[1]:
            wanted = zip((rows, columns), have, strict=True)
            size = tuple(old if n <= old else max(n, 2 * old) for n, old in wanted)
            for name in ("_next", "added")[: 1 + self.weighted]:
                grown = np.zeros(size, np.int32)
                grown[: have[0], : have[1]] = getattr(self, name)
                setattr(self, name, grown)


class Walked(Grid):
    """The steps of any machine, its states and letters numbered as they come."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine
        self.states: Numbered[Any] = Numbered()
        self.letters: Numbered[Hashable] = Numbered()
        self.states.number(machine.start)

    @property
    def size(self) -> tuple[int, int]:
        return len(self.states), len(self.letters)

    def make(self, states: Ints, letters: Ints) -> None:
        step, number = self.machine.step, self.states.number
        pairs = zip(states.tolist(), letters.tolist(), strict=True)
        found = [number(step(self.states[state], self.letters[letter])) for state, letter in pairs]
        self.lead(states, letters, found)
