"""Two automata read every situation together, layer by layer: what each makes of the same hand.

Exact over all hands: exposed melds that both games know, concealed tiles, the last tile and its origin.
Exposed melds that may be regrouped are taken as the hand's own tiles (the bound that reports print).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ..core.hand import Hand, Laid
from ..core.model import OWN_DRAW, WILD
from .automaton import State
from .edges import Ints, edges_of, moves_of, packed
from .situations import SOURCES, USUAL, Letter, Origins, Situation, SituationMaker, common_origins
from .situations_inside import letters as swept_letters

CHUNK = 2_000_000


@dataclass(frozen=True)
class Meeting:
    """A pair of final states, what it takes to reach it, and the simplest hand that does."""

    states: tuple[State, State]
    ahead: int
    """Left score minus right score, as far as the edges carry scores."""
    last: str | None
    cost: int
    found: Callable[[], Hand]

    @cached_property
    def hand(self) -> Hand:
        """In the left game's numbering, role left open (the first)."""
        return self.found()


@dataclass(slots=True)
class _Layer:
    """Product states after some components, and for each the plainest way that leads to it."""

    columns: Ints
    """(n, 6): tiles left, tiles right, last, state left, state right, score ahead."""
    cost: Ints
    before: Ints
    letter: Ints
    path: Ints
    """Numbers in the order in which the ways would be listed, letter by letter, fuller components first."""


@dataclass(frozen=True, slots=True)
class _Alphabet:
    """The letters of a component, as they are and as numbers."""

    letters: list[Letter]
    columns: Ints
    """(n, 7): tiles left, tiles right, last, row left, row right, cost, place in the order of paths."""
    most: tuple[int, int]
    """Tiles of the fullest letter, per side."""


class Product:
    """All meetings of two automata over the situations of one deck, with as many wild tiles as they say."""

    def __init__(self, maker: SituationMaker) -> None:
        left, right = self.left, self.right = maker.left, maker.right
        self.game = left.game
        self.wilds = left.maker.wilds
        self.sizes = (left.game.finished - self.wilds.number, right.game.finished - self.wilds.number)
        self.maker = maker
        self.edges = (edges_of(left), edges_of(right))
        self._alphabets: dict[Hashable, _Alphabet] = {}

    def meetings(self, tick: Callable[[int, int], None] | None = None) -> list[Meeting]:
        """Every pair of final states that some finished hand reaches, simplest hand first.

        Left out are pairs of which neither is that of a hand with an arrangement.
        """
        layers = [self._start()]
        for index in range(len(self.game.components)):
            layers.append(self._advance(layers[-1], index))
            if tick is not None:
                tick(index + 1, len(self.game.components))
        return self._collect(layers)

    def _alphabet(self, component: int) -> _Alphabet:
        """The letters of a component, the same for components that look alike."""
        face = self.maker.face(component)
        if face not in self._alphabets:
            letters = swept_letters(self.maker, component, self.sizes)
            place = {i: n for n, i in enumerate(sorted(range(len(letters)), key=lambda i: -letters[i].cost))}
            rows = [(*a.tiles, a.last, *a.rows, a.cost, place[i]) for i, a in enumerate(letters)]
            columns = np.array(rows, np.int64).reshape(-1, 7)
            most = columns[:, :2].max(axis=0, initial=0)
            self._alphabets[face] = _Alphabet(letters, columns, (int(most[0]), int(most[1])))
        return self._alphabets[face]

    def _start(self) -> _Layer:
        columns = np.array([[0, 0, 0, self.left.start.index, self.right.start.index, 0]], np.int64)
        nothing = np.zeros(1, np.int64)
        return _Layer(columns, nothing, nothing, nothing, nothing)

    # ------------------------------------------------------------ one component

    def _advance(self, layer: _Layer, index: int) -> _Layer:
        letters = self._alphabet(index).columns
        step = max(1, CHUNK // max(1, len(letters)))
        parts = []
        for start in range(0, len(layer.columns), step):
            parts.append(self._expand(layer, letters, start, min(start + step, len(layer.columns)), index))
        return _merged(parts)

    def _expand(self, layer: _Layer, letters: Ints, start: int, end: int, index: int) -> _Layer:
        rows, chosen = self._fitting(layer.columns[start:end], letters, index)
        columns = layer.columns[start:end][rows]
        result = np.empty((len(rows), 6), np.int64)
        result[:, :3] = columns[:, :3] + letters[chosen, :3]
        ahead = columns[:, 5]
        moved, other = moves_of((self.left, self.right), columns[:, 3:5], letters[chosen, 3:5])
        result[:, 3], result[:, 4] = moved[0], other[0]
        result[:, 5] = ahead + moved[1] - other[1]
        alive = (result[:, 3] != self.edges[0].dead) | (result[:, 4] != self.edges[1].dead)
        rows, chosen = rows[alive] + start, chosen[alive]
        cost = layer.cost[rows] + letters[chosen, 5]
        path = layer.path[rows] * len(letters) + letters[chosen, 6]
        return _simplest(_Layer(result[alive], cost, rows, chosen, path))

    def _fitting(self, columns: Ints, letters: Ints, index: int) -> tuple[Ints, Ints]:
        """Pairs of a row and a letter from which a finished hand can still come, as two lists."""
        kinds, at = np.unique(columns[:, :3], axis=0, return_inverse=True)
        fits = (kinds[:, 2, None] == 0) | (letters[None, :, 2] == 0)
        later = [self._alphabet(i).most for i in range(index + 1, len(self.game.components))]
        for side in (0, 1):
            total = kinds[:, side, None] + letters[None, :, side]
            most = sum(each[side] for each in later)
            fits &= (total <= self.sizes[side]) & (total + most >= self.sizes[side])
        rows, chosen = np.nonzero(fits[at.reshape(-1)])
        return rows, chosen

    # ------------------------------------------------------------ finals

    def _collect(self, layers: list[_Layer]) -> list[Meeting]:
        final = layers[-1]
        found = []
        for row in np.lexsort((final.path, final.cost)):
            tiles_left, tiles_right, last, left, right, ahead = (int(x) for x in final.columns[row])
            if (tiles_left, tiles_right) == self.sizes:
                states = (self.left.states[left], self.right.states[right])
                if not any(state.complete for state in states):
                    continue
                origin = OWN_DRAW if self.wilds.last else None if last == 0 else SOURCES[last - 1]
                hand = partial(self._hand, layers, int(row))
                found.append(Meeting(states, ahead, origin, int(final.cost[row]), hand))
        return found

    def _hand(self, layers: list[_Layer], row: int) -> Hand:
        """The simplest hand that leads to a row of the last layer."""
        situations: list[Situation] = []
        for index in range(len(layers) - 1, 0, -1):
            layer = layers[index]
            situations.append(self._alphabet(index - 1).letters[int(layer.letter[row])].first)
            row = int(layer.before[row])
        return self._joined(situations[::-1])

    def _exposed(self, component: int, shared: tuple[int, int, Origins]) -> Laid:
        """An exposed meld of the first component like this one, here."""
        *ids, origins = shared
        sides = zip((self.left, self.right), ids, strict=True)
        meld, other = (a.game.melds[a.maker.alike[component][1].get(id, id)] for a, id in sides)
        allowed = zip(origins, common_origins(meld, other), strict=True)
        return Laid(meld.id, tuple(known or next(o for o in USUAL if o in some) for known, some in allowed))

    def _joined(self, situations: list[Situation]) -> Hand:
        game, counts = self.game, [0] * len(self.game.kinds)
        laid: list[Laid] = []
        last = (WILD, OWN_DRAW) if self.wilds.last else None
        for index, (part, situation) in enumerate(zip(game.components, situations, strict=True)):
            for kind, number in zip(part, situation.counts, strict=True):
                counts[kind] = number
            if situation.last is not None:
                last = (part[situation.last[0]], situation.last[1])
            laid += (self._exposed(index, shared) for shared in situation.laid)
        concealed = self.wilds.number - self.wilds.last
        return Hand(game.roles[0], tuple(laid), tuple(counts), last, wilds=concealed)


def _simplest(layer: _Layer) -> _Layer:
    """One row for each product state: the cheapest way, first in the list among equals."""
    if not len(layer.cost):
        return layer
    states = packed(layer.columns)
    order = np.lexsort((layer.path, layer.cost, *states))
    fresh = np.zeros(len(order), np.bool_)
    fresh[0] = True
    for part in states:
        fresh[1:] |= part[order[1:]] != part[order[:-1]]
    kept = order[fresh]
    return _Layer(*(getattr(layer, name)[kept] for name in _Layer.__slots__))


def _merged(parts: list[_Layer]) -> _Layer:
    whole = _simplest(_Layer(*(np.concatenate([getattr(p, n) for p in parts]) for n in _Layer.__slots__)))
    whole.path = np.argsort(np.argsort(whole.path, kind="stable"), kind="stable")
    return whole
