"""How many hands a machine accepts: all its states side by side, as rows of numbers.

`search` makes one state after the other and remembers a hand for each. To count no hand is needed, and where
components are large there are millions of steps. Here a state is a row, with a column for the best score of
each vector, and all states read all letters at once. The component with most letters comes last: of it no
states are made, it is only asked which letters bring which states to an accepted end.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from ..core.model import Game
from .automaton import Vector
from .grid import different
from .machines import Shaped, component_letters

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int16]
Letters = list[tuple[int, int, int, int]]
"""Tiles, letter, and of how many holdings in how many deals."""
ABSENT = -10_000
"""In place of the score of a vector that a state does not have."""
HIGHEST = 8_000
"""Scores beyond it would not fit."""
CHUNK = 8_000_000
"""Numbers that are worked out at a time."""


@dataclass(frozen=True)
class Batch:
    """Rows that are all different, and what the columns stand for."""

    vectors: list[Vector]
    rows: Rows


@dataclass(frozen=True)
class Read:
    """What has been read: of hands with so many tiles that lead to a row, how many and in how many deals."""

    tiles: Ints
    row: Ints
    hands: Ints
    deals: Ints


def accepted(deck: Game, machine: Shaped, size: int) -> tuple[int, int] | None:
    """(hands, ways to deal them) of closed hands of so many tiles that the machine accepts.

    None where rows of numbers do not do: lower scores matter, or numbers get too long.
    """
    counting = _Counting(deck, machine, size)
    return counting.run() if counting.possible else None


class _Counting:
    def __init__(self, deck: Game, machine: Shaped, size: int) -> None:
        self.deck = deck
        self.machine = machine
        self.automaton = machine.automaton
        self.size = size
        every = component_letters(deck, (machine,), (0, size)) if self._fitting else ()
        self.letters: list[Letters] = [
            [(tiles, letter, hands, deals) for (tiles, (letter,)), (hands, deals, _) in own.items()]  # type: ignore[misc]
            for own in every
        ]
        self.order = sorted(range(len(self.letters)), key=lambda i: len(self.letters[i]))

    @property
    def _fitting(self) -> bool:
        """Does the automaton keep one score for a vector, and none that is relative?"""
        automaton = self.automaton
        cap = automaton.cap if automaton.maker.scored else 0
        return not automaton.keep_all and cap is not None and 0 <= cap <= HIGHEST

    @property
    def possible(self) -> bool:
        if not self._fitting:
            return False
        used = {letter for own in self.letters for _, letter, _, _ in own}
        points = (score for letter in used for _, score in self.automaton.letters[letter])
        *before, last = [sum(self.deck.kinds[k].copies for k in self.deck.components[i]) for i in self.order]
        few = self._ways(sum(before)) < 1 << 62 and self._ways(last) < 1 << 53
        return few and min(points, default=0) >= 0

    def _ways(self, tiles: int) -> int:
        """In how many ways a hand can be dealt of so many tiles, at most."""
        return comb(tiles, min(self.size, tiles // 2))

    def run(self) -> tuple[int, int]:
        """The numbers of hands and of deals."""
        zero = next(vector for vector, _ in self.automaton.start.face)
        batch, one = Batch([zero], np.zeros((1, 1), np.int16)), np.ones(1, np.int64)
        read = Read(one * 0, one * 0, one, one)
        for component in self.order[:-1]:
            batch, read = self._after(batch, read, self.letters[component])
        return self._ends(batch, read, self.letters[self.order[-1]])

    # ------------------------------------------------------------ one component

    def _after(self, batch: Batch, read: Read, letters: Letters) -> tuple[Batch, Read]:
        alphabet, places = self._alphabet(letters)
        batch, target = self._stepped(batch, alphabet)
        width = len(batch.rows)
        hands, deals = np.zeros((2, (self.size + 1) * width), np.int64)
        for number, letter, many, ways in letters:
            fits = read.tiles + number <= self.size
            at = (read.tiles[fits] + number) * width + target[read.row[fits], places[letter]]
            np.add.at(hands, at, read.hands[fits] * many)
            np.add.at(deals, at, read.deals[fits] * ways)
        alive = np.flatnonzero(hands)
        alive = alive[(batch.rows[alive % width] >= 0).any(axis=1)]
        return batch, Read(alive // width, alive % width, hands[alive], deals[alive])

    def _alphabet(self, letters: Letters) -> tuple[Batch, dict[int, int]]:
        """The different letters as rows, and which row each is."""
        known = {letter: i for i, letter in enumerate(dict.fromkeys(letter for _, letter, _, _ in letters))}
        faces = [self.automaton.letters[letter] for letter in known]
        vectors = sorted({vector for face in faces for vector, _ in face})
        column = {vector: i for i, vector in enumerate(vectors)}
        rows = np.full((len(faces), len(vectors)), ABSENT, np.int16)
        for i, face in enumerate(faces):
            for vector, points in face:
                rows[i, column[vector]] = points
        return Batch(vectors, rows), known

    def _stepped(self, batch: Batch, alphabet: Batch) -> tuple[Batch, Ints]:
        """All states after all letters, and which of them each state comes to with each letter."""
        add = self.automaton.maker.add
        ways = [
            (i, j, total)
            for i, left in enumerate(batch.vectors)
            for j, right in enumerate(alphabet.vectors)
            if (total := add(left, right)) is not None
        ]
        vectors = sorted({total for _, _, total in ways})
        column = {vector: i for i, vector in enumerate(vectors)}
        many, chunk = len(alphabet.rows), max(1, CHUNK // max(1, len(alphabet.rows) * len(vectors)))
        found, places = [], []
        for start in range(0, len(batch.rows), chunk):
            part = batch.rows[start : start + chunk]
            out = np.full((len(vectors), len(part), many), ABSENT, np.int16)
            for i, j, total in ways:
                into = out[column[total]]
                np.maximum(into, part[:, i, None] + alphabet.rows[None, :, j], out=into)
            rows, place = _different(self._cut(out).reshape(len(vectors), -1).T)
            found.append(rows)
            places.append(place.reshape(len(part), many) + sum(map(len, found[:-1])))
        rows, again = _different(np.concatenate(found))
        return Batch(vectors, rows), again[np.concatenate(places)]

    def _cut(self, scores: Rows) -> Rows:
        """Scores beyond the cap are alike, and so are those of what a state does not have."""
        scores[scores < 0] = ABSENT
        return np.minimum(scores, self.automaton.cap or 0, out=scores)

    # ------------------------------------------------------------ the last component

    def _ends(self, batch: Batch, read: Read, letters: Letters) -> tuple[int, int]:
        alphabet, places = self._alphabet(letters)
        wanted = self._wanted(batch, alphabet)
        hands = deals = 0
        for number in sorted({number for number, *_ in letters}):
            rows = np.flatnonzero(read.tiles == self.size - number)
            own = [(places[letter], *found) for n, letter, *found in letters if n == number]
            at, many, ways = (np.array(column, np.float64) for column in zip(*own, strict=True))
            chunk = max(1, CHUNK // len(own))
            for start in range(0, len(rows), chunk):
                part = rows[start : start + chunk]
                wins = self._winning(batch.rows[read.row[part]], wanted, at.astype(np.int64))
                # whole numbers below 2**53, so exact
                hands += _product(read.hands[part], wins @ many)
                deals += _product(read.deals[part], wins @ ways)
        return hands, deals

    def _wanted(self, batch: Batch, alphabet: Batch) -> list[tuple[int, int, Rows]]:
        """(column of a state, score, per letter the best score besides) with which the score is accepted."""
        add, found = self.automaton.maker.add, []
        for i, left in enumerate(batch.vectors):
            by_score: dict[int, list[int]] = {}
            for j, right in enumerate(alphabet.vectors):
                total = add(left, right)
                least = None if total is None else _least(self.machine, total)
                if least is not None:
                    by_score.setdefault(least, []).append(j)
            found += [(i, score, alphabet.rows[:, js].max(axis=1)) for score, js in by_score.items()]
        return found

    def _winning(
        self, rows: Rows, wanted: list[tuple[int, int, Rows]], letters: Ints
    ) -> npt.NDArray[np.float64]:
        """Which rows a letter brings to an accepted end, 1 or 0."""
        wins = np.zeros((len(rows), len(letters)), np.bool_)
        for column, score, best in wanted:
            wins |= rows[:, column, None] + best[letters][None, :] >= score
        return wins.astype(np.float64)


def _least(machine: Shaped, vector: Vector) -> int | None:
    """The lowest score with which the machine accepts a final vector; more are accepted too."""
    automaton = machine.automaton
    if vector[: len(automaton.final_dims)] != automaton.final_dims:
        return None
    width, asked = len(automaton.final_dims), automaton.asked
    own = vector if asked is None else (*vector[:width], *(vector[width + i] for i in asked))
    scores = range((automaton.cap or 0) + 1)
    return next((score for score in scores if machine.accepts_so(own, score)), None)


def _product(one: Ints, other: npt.NDArray[np.float64]) -> int:
    pairs = zip(one.tolist(), other.tolist(), strict=True)
    return sum(a * int(b) for a, b in pairs if b)


def _different(rows: Rows) -> tuple[Rows, Ints]:
    """The different rows, and which of them each one is."""
    keys = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        keys = (keys ^ (keys >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64)
    chosen, place = different(rows, keys)
    return np.ascontiguousarray(chosen), place
