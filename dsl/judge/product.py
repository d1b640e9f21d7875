"""Two automata read every situation together, layer by layer: what each makes of the same hand.

Exact over all hands: exposed melds that both games know, concealed tiles, the last tile and its origin.
Exposed melds that may be regrouped are taken as the hand's own tiles (the bound that reports print).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.hand import Hand, Laid
from .automaton import Automaton, State
from .situations import SOURCES, Letter, Situation, SituationMaker

Ints = npt.NDArray[np.int64]
CHUNK = 2_000_000


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pair of final states, what it takes to reach it, and the simplest hand that does."""

    states: tuple[State, State]
    ahead: int
    """Left score minus right score, as far as the edges carry scores."""
    last: str | None
    cost: int
    hand: Hand
    """In the left game's numbering, role left open (the first)."""


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


class Product:
    """All meetings of two automata over one deck."""

    def __init__(self, left: Automaton, right: Automaton, exposed: bool = True) -> None:
        self.left = left
        self.right = right
        self.game = left.game
        self.sizes = (left.game.finished, right.game.finished)
        self.maker = SituationMaker(left, right, exposed)
        self._alphabets: dict[tuple[int, int], list[Letter]] = {}

    def meetings(self, tick: Callable[[int, int], None] | None = None) -> list[Meeting]:
        """Every pair of final states that some finished hand reaches, simplest hand first."""
        layers = [self._start()]
        for index in range(len(self.game.components)):
            layers.append(self._advance(layers[-1], self._letters(index), index))
            if tick is not None:
                tick(index + 1, len(self.game.components))
        return self._collect(layers)

    def _letters(self, component: int) -> list[Letter]:
        """The alphabet of a component, the same for components that look alike."""
        face = self.maker.face(component)
        if face not in self._alphabets:
            self._alphabets[face] = self.maker.letters(component)
        return self._alphabets[face]

    def _start(self) -> _Layer:
        columns = np.array([[0, 0, 0, self.left.start.index, self.right.start.index, 0]], np.int64)
        nothing = np.zeros(1, np.int64)
        return _Layer(columns, nothing, nothing, nothing, nothing)

    # ------------------------------------------------------------ one component

    def _advance(self, layer: _Layer, alphabet: list[Letter], index: int) -> _Layer:
        fullest = sorted(range(len(alphabet)), key=lambda i: (-alphabet[i].cost, i))
        place = {letter: i for i, letter in enumerate(fullest)}
        letters = np.array(
            [(*a.tiles, a.last, *a.rows, a.cost, place[i]) for i, a in enumerate(alphabet)], np.int64
        )
        step = max(1, CHUNK // max(1, len(alphabet)))
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
        for side in (0, 1):
            result[:, 3 + side], added = self._moves(side, columns[:, 3 + side], letters[chosen, 3 + side])
            ahead = ahead + added if side == 0 else ahead - added
        result[:, 5] = ahead
        alive = self._alive(result)
        rows, chosen = rows[alive] + start, chosen[alive]
        cost = layer.cost[rows] + letters[chosen, 5]
        path = layer.path[rows] * len(letters) + letters[chosen, 6]
        return _simplest(_Layer(result[alive], cost, rows, chosen, path))

    def _fitting(self, columns: Ints, letters: Ints, index: int) -> tuple[Ints, Ints]:
        """Pairs of a row and a letter from which a finished hand can still come, as two lists."""
        fits = (columns[:, 2, None] == 0) | (letters[None, :, 2] == 0)
        later = range(index + 1, len(self.game.components))
        for side in (0, 1):
            total = columns[:, side, None] + letters[None, :, side]
            most = sum(max(letter.tiles[side] for letter in self._letters(i)) for i in later)
            fits &= (total <= self.sizes[side]) & (total + most >= self.sizes[side])
        rows, chosen = np.nonzero(fits)
        return rows, chosen

    def _moves(self, side: int, states: Ints, letters: Ints) -> tuple[Ints, Ints]:
        """Next state and added score for each state and the letter it reads."""
        automaton = (self.left, self.right)[side]
        many = len(automaton.letters)
        pairs, at = np.unique(states * many + letters, return_inverse=True)
        following = np.empty((len(pairs), 2), np.int64)
        for i, pair in enumerate(pairs.tolist()):
            target, points = automaton.states[pair // many][pair % many]
            following[i] = target.index, points
        return following[at, 0], following[at, 1]

    def _alive(self, columns: Ints) -> npt.NDArray[np.bool_]:
        """Product states in which at least one side can still be arranged."""
        masks = []
        for side, automaton in enumerate((self.left, self.right)):
            filled = np.array([bool(s.face) for s in automaton.states])
            masks.append(filled[columns[:, 3 + side]])
        alive: npt.NDArray[np.bool_] = masks[0] | masks[1]
        return alive

    # ------------------------------------------------------------ finals

    def _collect(self, layers: list[_Layer]) -> list[Meeting]:
        final = layers[-1]
        found = []
        for row in np.lexsort((final.path, final.cost)):
            tiles_left, tiles_right, last, left, right, ahead = (int(x) for x in final.columns[row])
            if (tiles_left, tiles_right) == self.sizes:
                states = (self.left.states[left], self.right.states[right])
                origin = None if last == 0 else SOURCES[last - 1]
                hand = self._hand(layers, int(row))
                found.append(Meeting(states, ahead, origin, int(final.cost[row]), hand))
        return found

    def _hand(self, layers: list[_Layer], row: int) -> Hand:
        """The simplest hand that leads to a row of the last layer."""
        situations: list[Situation] = []
        for index in range(len(layers) - 1, 0, -1):
            layer = layers[index]
            situations.append(self._letters(index - 1)[int(layer.letter[row])].first)
            row = int(layer.before[row])
        return self._joined(situations[::-1])

    def _joined(self, situations: list[Situation]) -> Hand:
        game, counts = self.game, [0] * len(self.game.kinds)
        laid: list[Laid] = []
        last: tuple[int, str] | None = None
        for part, situation, (_, names) in zip(
            game.components, situations, self.left.maker.alike, strict=True
        ):
            for kind, number in zip(part, situation.counts, strict=True):
                counts[kind] = number
            if situation.last is not None:
                last = (part[situation.last[0]], situation.last[1])
            for meld, _ in situation.laid:
                slots = game.melds[names.get(meld, meld)].slots
                origins = tuple(_usual(s.origins) for s in slots)
                laid.append(Laid(names.get(meld, meld), origins))
        return Hand(game.roles[0], tuple(laid), tuple(counts), last)


def _usual(origins: frozenset[str]) -> str:
    """The origin a reader expects first among those a slot allows."""
    return next(o for o in ("起手", "自摸", "他打", "他摸") if o in origins)


def _simplest(layer: _Layer) -> _Layer:
    """One row for each product state: the cheapest way, first in the list among equals."""
    if not len(layer.cost):
        return layer
    order = np.lexsort((layer.path, layer.cost, *layer.columns.T[::-1]))
    sorted_columns = layer.columns[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (sorted_columns[1:] != sorted_columns[:-1]).any(axis=1)
    kept = order[fresh]
    return _Layer(*(getattr(layer, name)[kept] for name in _Layer.__slots__))


def _merged(parts: list[_Layer]) -> _Layer:
    whole = _simplest(_Layer(*(np.concatenate([getattr(p, n) for p in parts]) for n in _Layer.__slots__)))
    whole.path = np.argsort(np.argsort(whole.path, kind="stable"), kind="stable")
    return whole
