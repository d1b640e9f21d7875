"""Rows of a product of which the same comes, whatever follows: one class for each lot of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.model import OWN_DRAW
from .grid import Cells, Ints, different, mixed
from .product import Named, Plainest, Product
from .situations import SOURCES
from .weighed import Numbers

PATH = 32
"""Bits for a path beside its cost."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """Steps from class to class with one component, as columns."""

    start: Ints
    letter: Ints
    """Of those of all decks."""
    end: Ints
    classes: int
    """How many there are before, 0 for those of which nothing comes."""
    letters: int
    """How many there are of all decks."""

    def onward(self, classes: Ints, letters: Ints) -> tuple[Ints, Ints, Ints]:
        """The steps from these classes with these letters, and the places of both among those."""
        own, now = np.full(self.letters, -1), np.full(self.classes, -1)
        own[letters], now[classes] = np.arange(len(letters)), np.arange(len(classes))
        way = np.flatnonzero((now[self.start] >= 0) & (own[self.letter] >= 0))
        return way, now[self.start[way]], own[self.letter[way]]


class Futures:
    """The classes of a product, layer by layer, once its ends have names."""

    def __init__(self, product: Product, named: Named) -> None:
        self.product = product
        self.steps: list[_Steps] = []
        """Per component."""
        classes = self._ends(named)
        for index in reversed(range(len(product.blocks))):
            classes = self._before(index, classes)
        self.steps.reverse()
        self.start = int(classes[0][0]) if classes else 0

    def _ends(self, named: Named) -> dict[int, Ints]:
        """Classes of the last layer."""
        product, found = self.product, dict[int, Ints]()
        known: dict[int, int] = {}
        columns, _ = product.pairs.columns()
        left, right = product.left.states, product.right.states
        for kind, pairs in product.layers[-1].items():
            *tiles, last = product.told(kind)
            origin = OWN_DRAW if product.wilds.last else None if last == 0 else SOURCES[last - 1]
            if tuple(tiles) == product.sizes:
                names = (named(origin, left[a], right[b], more) for a, b, more in columns[pairs].tolist())
                found[kind] = np.array([known.setdefault(n, len(known) + 1) if n else 0 for n in names])
        self.names = list(known)
        """Of the ends, by their class less one."""
        return found

    def _before(self, index: int, after: dict[int, Ints]) -> dict[int, Ints]:
        """The classes of the layer before a component."""
        product, (kinds, table) = self.product, self._table(index, after)
        found, count = dict[int, Ints](), 0
        steps = [np.zeros((3, 0), np.int64)]
        for block in product.blocks[index]:
            wanted = block.kind + product.letters[index].kinds[block.letters]
            at = np.searchsorted(kinds, wanted)
            at[kinds[at] != wanted] = len(after)
            rows, place = _alike(table[at, block.following])
            alive = rows.any(axis=1)
            numbers = np.where(alive, np.cumsum(alive) + count, 0)
            count += int(alive.sum())
            found[block.kind] = numbers[place]
            start, letter = np.nonzero(rows)
            steps.append(np.stack([numbers[start], block.letters[letter], rows[start, letter]]))
        start, letter, end = np.concatenate(steps, axis=1)
        self.steps.append(_Steps(start, letter, end, count + 1, len(product.letters[index].kinds)))
        return found

    def _table(self, index: int, after: dict[int, Ints]) -> tuple[Ints, Cells]:
        """Kinds in order, and for each the classes of all pairs after a component; a row of none."""
        kinds = np.array([*sorted(after), 1 << 62])
        table = np.zeros((len(kinds), len(self.product.pairs.states)), np.int32)
        for row, kind in enumerate(sorted(after)):
            table[row, self.product.layers[index + 1][kind]] = after[kind]
        return kinds, table

    # ------------------------------------------------------------ the hands of one deck

    def reached(self, deck: int) -> set[int]:
        """The names of ends that hands of the deck have."""
        classes = np.array([self.start])
        for steps, letters in zip(self.steps, self.product.letters, strict=True):
            classes = np.unique(steps.end[steps.onward(classes, letters.own[deck])[0]])
        return {self.names[end - 1] for end in classes.tolist() if end}

    def plainest(self, deck: int) -> list[Plainest]:
        """Of the ends of each name the simplest hand of the deck, the simplest of all first."""
        costs, paths = np.zeros(1, np.int64), np.zeros(1, np.int64)
        classes, ways = np.array([self.start]), []
        for index, steps in enumerate(self.steps):
            way, chosen, costs, paths = self._plainly(deck, index, classes, costs, paths)
            classes = steps.end[way]
            ways.append((chosen, way))
        order = np.lexsort((paths, costs))
        return [self._shown(deck, ways, at, int(classes[at]), int(costs[at])) for at in order.tolist()]

    def _plainly(
        self, deck: int, index: int, classes: Ints, costs: Ints, paths: Ints
    ) -> tuple[Ints, Ints, Ints, Ints]:
        """For each class after a component the plainest step to it: its place, the letter it is in the deck
        and the place of the class it goes on from, its cost, and its place in the order of paths."""
        steps, alphabet = self.steps[index], self.product.alphabets[deck][index]
        way, before, letter = steps.onward(classes, self.product.letters[index].own[deck])
        cost = costs[before] + alphabet.costs[letter]
        path = paths[before] * len(alphabet.letters) + alphabet.places[letter]
        end, key = steps.end[way], (cost << PATH) + path
        least = np.full(int(end.max(initial=0)) + 1, np.iinfo(np.int64).max)
        np.minimum.at(least, end, key)
        kept = np.flatnonzero(key == least[end])
        rank = np.argsort(np.argsort(path[kept], kind="stable"), kind="stable")
        return way[kept], np.stack([letter[kept], before[kept]]), cost[kept], rank

    def _shown(self, deck: int, ways: list[tuple[Ints, Ints]], at: int, end: int, cost: int) -> Plainest:
        def hand() -> list[int]:
            found, place = [], at
            for chosen, _ in reversed(ways):
                found.append(int(chosen[0][place]))
                place = int(chosen[1][place])
            return found[::-1]

        return Plainest(self.names[end - 1], cost, lambda: self.product.hand(deck, hand()))

    def weights(self, deck: int) -> dict[int, tuple[int, int]]:
        """By name how many closed hands of the deck have such an end, and in how many ways they are dealt."""
        classes, counts = np.array([self.start]), np.array([[1, 1]], object)
        for index, steps in enumerate(self.steps):
            closed = self.product.closed[deck][index]
            way, before, letter = steps.onward(classes, self.product.letters[index].closed[deck])
            order = np.argsort(steps.end[way], kind="stable")
            end = steps.end[way[order]]
            more: Numbers = counts[before[order]] * closed.counts[letter[order]]
            first = np.flatnonzero(np.diff(end, prepend=-1))
            classes = end[first]
            counts = np.add.reduceat(more, first, axis=0) if len(first) else more
        found = zip(classes.tolist(), counts.tolist(), strict=True)
        return {self.names[end - 1]: (hands, deals) for end, (hands, deals) in found}


def _alike(rows: Cells) -> tuple[Cells, Ints]:
    """Each row that is different from the others, and which of these every row is."""
    words = mixed(np.arange(rows.max(initial=0) + 1))
    words[0] = 0
    return different(rows, words[rows] @ mixed(np.arange(1, rows.shape[1] + 1)))
