"""Many steps of an automaton at once: what `Automaton.step` does, with arrays.

States and letters are lists of (vector, score), one after the other in long columns. A step pairs each
entry of a state with each of a letter, one number for each pair; sorting these puts equal vectors side by
side.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .grid import Cells, Ints
from .vectors import BITS, MASK, ZERO, scores_in

if TYPE_CHECKING:
    from .automaton import Automaton, Held

Words = npt.NDArray[np.uint64]
CHUNK = 2_000_000
"""Pairs that are worked out at a time."""
UNKNOWN = -2
EXCEEDED = -1
FULL = 1 << 20
"""More than a shape has of anything."""
WIDTH = 22
"""Bits for the number of a vector."""
LARGEST = 1 << WIDTH
"""Sums of two vectors that are kept; where there would be more, steps are made one by one."""
ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""To mix numbers with."""
HALF = np.uint64(32)


class Entries:
    """Lists of (number of a vector, score), one after the other."""

    def __init__(self) -> None:
        self.first = np.zeros(1, np.int64)
        """Where each list begins, and at last where the next one would."""
        self.vectors = np.zeros(0, np.int64)
        self.scores = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self.first) - 1

    def extend(self, sizes: Ints, vectors: Ints, scores: Ints) -> None:
        """Lists more, of so many entries each."""
        self.first = np.concatenate([self.first, np.cumsum(sizes) + self.first[-1]])
        self.vectors = np.concatenate([self.vectors, vectors])
        self.scores = np.concatenate([self.scores, scores])

    def sizes(self, lists: Ints) -> Ints:
        """How long lists are."""
        return self.first[lists + 1] - self.first[lists]


class Batch:
    """Works out the steps of an automaton, and of all that have their states in common with it."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.relative = automaton.cap is None
        self.states = Entries()
        self.letters = Entries()
        self._columns: dict[int, int] = {}
        """The vectors of letters, by number, each with its column here."""
        self._numbers: list[int] = []
        """The inverse."""
        self._sums = np.full((0, 0), UNKNOWN, np.int32)
        """By column and vector of a state the number of what they come to."""
        self._known: dict[int, int] = {}
        """States by the number that they are mixed to."""

    @property
    def able(self) -> bool:
        """Are there few enough vectors?"""
        return 4 * len(self.automaton.vectors.every) * len(self._numbers) < LARGEST

    def steps(self, states: Ints, letters: Ints) -> tuple[Ints, Ints]:
        """By state and letter the next state and the score added."""
        self.fitted()
        found = np.empty((2, len(states)), np.int64)
        order = np.argsort(letters, kind="stable")
        pairs = np.cumsum(self.states.sizes(states[order]) * self.letters.sizes(letters[order]))
        start = 0
        while start < len(states):
            done = pairs[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(pairs, done + CHUNK, "right")))
            some = order[start:end]
            found[:, some] = self._some(states[some], letters[some])
            start = end
        return found[0], found[1]

    # ------------------------------------------------------------ what is there

    def fitted(self) -> tuple[Entries, Entries]:
        """All states and letters there are, those that came up since taken in."""
        automaton, columns = self.automaton, self._columns
        states = [self._entries(state.held) for state in automaton.states[len(self.states) :]]
        if states:
            sizes, *entries = _in_columns(states)
            numbers = range(len(self.states), len(self.states) + len(states))
            self._known.update(zip(_mixed(sizes, *entries).tolist(), numbers, strict=True))
            self.states.extend(sizes, *entries)
        number, letters = automaton.vectors.number, []
        for face in automaton.letters[len(self.letters) :]:
            numbered = [(number(vector), points) for vector, points in face]
            letters.append([(columns.setdefault(n, len(columns)), points) for n, points in numbered])
        if letters:
            self.letters.extend(*_in_columns(letters))
            self._numbers = list(columns)
        return self.states, self.letters

    def lows(self, lists: Entries, start: int) -> Ints:
        """Of the lists from `start` on the least of each dimension of the shape in their vectors."""
        width = len(self.automaton.final_dims)
        vectors = lists.vectors[lists.first[start] :]
        if lists is self.letters:
            vectors = np.array(self._numbers, np.int64)[vectors]
        found = np.full((len(lists) - start, width), FULL, np.int64)
        sizes = np.diff(lists.first[start:])
        if len(vectors):
            every = np.array(self.automaton.vectors.every, np.int64)[:, :width]
            first = lists.first[start:-1][sizes > 0] - lists.first[start]
            found[sizes > 0] = np.minimum.reduceat(every[vectors], first)
        return found

    def _entries(self, held: Held) -> list[tuple[int, int]]:
        if self.automaton.keep_all:
            return [(number, score) for number, bits in held for score in scores_in(bits)]
        return [(packed >> BITS, (packed & MASK) - ZERO) for packed in held]

    def _held(self, vectors: list[int], scores: list[int]) -> Held:
        """The inverse of `_entries`."""
        if not self.automaton.keep_all:
            return tuple((v << BITS) + ZERO + s for v, s in zip(vectors, scores, strict=True))
        bits: dict[int, int] = {}
        for vector, score in zip(vectors, scores, strict=True):
            bits[vector] = bits.get(vector, 0) | 1 << score
        return tuple(bits.items())

    # ------------------------------------------------------------ vectors together

    def _together(self, vectors: Ints, column: int) -> Cells:
        """The numbers of vectors and a letter's vector added; below 0 beyond the shape."""
        found: Cells = self._sums[column].take(vectors)
        missing = found == UNKNOWN
        if missing.any():
            self._add(np.flatnonzero(np.bincount(vectors[missing])), column)
            found = self._sums[column].take(vectors)
        return found

    def _grow(self) -> None:
        """Make room for the vectors there are."""
        rows, columns, have = len(self._columns), len(self.automaton.vectors.every), self._sums.shape
        if rows > have[0] or columns > have[1]:
            grown = np.full((max(2 * rows, have[0]), max(2 * columns, have[1])), UNKNOWN, np.int32)
            grown[: have[0], : have[1]] = self._sums
            self._sums = grown

    def _add(self, numbers: Ints, column: int) -> None:
        vectors = self.automaton.vectors
        total = np.array([vectors.every[n] for n in numbers.tolist()], np.int64).reshape(len(numbers), -1)
        total += np.array(vectors.every[self._numbers[column]], np.int64)
        bounds = np.array(vectors.bounds, np.int64)
        fits = (total[:, : len(bounds)] <= bounds).all(axis=1)
        width = len(bounds)
        for place, (modulus, most) in enumerate(
            zip(vectors.moduli, vectors.most[width:], strict=True), width
        ):
            own = total[:, place]
            total[:, place] = own % modulus if modulus else np.minimum(own, most)
        self._sums[column, numbers[~fits]] = EXCEEDED
        found = (vectors.number_asked(tuple(one)) for one in total[fits].tolist())
        self._sums[column, numbers[fits]] = [EXCEEDED if n is None else n for n in found]

    # ------------------------------------------------------------ steps

    def _some(self, states: Ints, letters: Ints) -> tuple[Ints, Ints]:
        step, vectors, scores = self._reached(states, letters)
        first = np.flatnonzero(np.diff(step, prepend=-1))
        added = np.zeros(len(states), np.int64)
        if self.relative and len(step):
            added[step[first]] = np.minimum.reduceat(scores, first)
            scores -= added[step]
        found = self._found(vectors, scores, np.bincount(step, minlength=len(states)))
        for i in np.flatnonzero(found < 0).tolist():
            held = self.automaton.states[int(states[i])].held
            found[i] = self.automaton.step(held, int(letters[i]))[0].index
        return found, added

    def _reached(self, states: Ints, letters: Ints) -> tuple[Ints, Ints, Ints]:
        """Entries of the next states: of which step, vector and score, sorted, each once.

        Of a vector just the best score, where that is all that counts.
        """
        self._grow()
        step, at = _every(self.states.first[states], self.states.sizes(states))
        vectors, scores, step = self.states.vectors[at], self.states.scores[at], step << WIDTH
        ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.states.sizes(states))])
        groups = np.flatnonzero(np.diff(letters, prepend=-1, append=-1)).tolist()
        least, room = self._range(scores)
        keys = [np.zeros(0, np.int64)]
        for start, stop in pairwise(groups):
            part, letter = slice(int(ends[start]), int(ends[stop])), int(letters[start])
            for entry in range(int(self.letters.first[letter]), int(self.letters.first[letter + 1])):
                total = self._together(vectors[part], int(self.letters.vectors[entry]))
                points = self._cut(scores[part] + self.letters.scores[entry])
                keys.append(((step[part] + total << room) + (points - least))[total >= 0])
        return self._unpacked(np.concatenate(keys), least, room)

    def _range(self, scores: Ints) -> tuple[int, int]:
        """The least score after a step that begins with these, and how many bits there are above it."""
        if not len(scores) or not len(self.letters.scores):
            return 0, 1
        least = int(self._cut(scores.min() + self.letters.scores.min()))
        return least, int(self._cut(scores.max() + self.letters.scores.max()) - least).bit_length()

    def _cut(self, scores: Ints) -> Ints:
        """Scores beyond the cap are alike."""
        automaton = self.automaton
        if automaton.cap is None:
            return scores
        return np.minimum(scores, automaton.cap - (automaton.least if automaton.keep_all else 0))

    def _unpacked(self, keys: Ints, least: int, room: int) -> tuple[Ints, Ints, Ints]:
        keys.sort()
        places = keys if self.automaton.keep_all else keys >> room
        keys = keys[np.flatnonzero(np.diff(places, append=-1))]
        scores = (keys & (1 << room) - 1) + least
        keys >>= room
        return keys >> WIDTH, keys & (1 << WIDTH) - 1, scores

    # ------------------------------------------------------------ which states these are

    def _found(self, vectors: Ints, scores: Ints, sizes: Ints) -> Ints:
        """The state of each list of entries; -1 where two lists are mixed to one number."""
        mixed = _mixed(sizes, vectors, scores)
        chosen, first, place = np.unique(mixed, return_index=True, return_inverse=True)
        numbers = np.array([self._known.get(key, -1) for key in chosen.tolist()], np.int64)
        fresh = np.flatnonzero(numbers < 0)
        numbers[fresh] = self._made(first[fresh], vectors, scores, sizes)
        self._known.update(zip(chosen[fresh].tolist(), numbers[fresh].tolist(), strict=True))
        found = numbers[place.reshape(-1)]
        found[self._different(found, vectors, scores, sizes)] = -1
        return found

    def _made(self, lists: Ints, vectors: Ints, scores: Ints, sizes: Ints) -> list[int]:
        """States that there are not yet, of some of the lists."""
        ends, own = np.cumsum(sizes), sizes[lists]
        _, at = _every(ends[lists] - own, own)
        vectors, scores = vectors[at], scores[at]
        told, points, found, start = vectors.tolist(), scores.tolist(), [], 0
        for size in own.tolist():
            held = self._held(told[start : start + size], points[start : start + size])
            found.append(self.automaton.intern(held).index)
            start += size
        if found == list(range(len(self.states), len(self.states) + len(found))):
            self.states.extend(own, vectors, scores)
        else:
            self.fitted()
        return found

    def _different(self, found: Ints, vectors: Ints, scores: Ints, sizes: Ints) -> npt.NDArray[np.bool_]:
        """Which states have not just these entries."""
        wrong: npt.NDArray[np.bool_] = self.states.sizes(found) != sizes
        step, at = _every(np.where(wrong, 0, self.states.first[found]), sizes)
        at[wrong[step]] = 0
        other = (self.states.vectors[at] != vectors) | (self.states.scores[at] != scores)
        wrong[step[other]] = True
        return wrong


def _in_columns(lists: list[list[tuple[int, int]]]) -> tuple[Ints, Ints, Ints]:
    """How long the lists are, and their entries one after the other."""
    flat = np.array([pair for one in lists for pair in one], np.int64).reshape(-1, 2)
    return np.array([len(one) for one in lists], np.int64), flat[:, 0], flat[:, 1]


def _every(first: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Of lists that begin there: which list, and which entry, for all of them one after the other."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    return which, np.arange(len(which)) + np.repeat(first - (np.cumsum(sizes) - sizes), sizes)


def _mixed(sizes: Ints, vectors: Ints, scores: Ints) -> Words:
    """One number for each list of entries, hardly ever the same for two."""
    words = (vectors.astype(np.uint64) << HALF) + scores.astype(np.uint64)
    for odd in ODD:
        words = (words ^ (words >> HALF)) * odd
    words ^= words >> HALF
    sums, ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(words, dtype=np.uint64)]), np.cumsum(sizes)
    mixed: Words = sums[ends] - sums[ends - sizes]
    return mixed
