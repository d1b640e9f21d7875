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
    """Product states after some components: one column each, and how each was first reached."""

    columns: Ints
    """(n, 6): tiles left, tiles right, last, state left, state right, score ahead."""
    cost: Ints
    before: Ints
    letter: Ints


class Product:
    """All meetings of two automata over one deck."""

    def __init__(self, left: Automaton, right: Automaton, exposed: bool = True) -> None:
        self.left = left
        self.right = right
        self.game = left.game
        self.sizes = (left.game.finished, right.game.finished)
        self.maker = SituationMaker(left, right, exposed)
        self.alphabets: list[list[Letter]] = []
        self._tables: tuple[dict[tuple[int, int], tuple[int, int]], ...] = ({}, {})

    def meetings(self, tick: Callable[[int, int], None] | None = None) -> list[Meeting]:
        """Every pair of final states that some finished hand reaches, simplest hand first."""
        known: dict[tuple[int, int], list[Letter]] = {}
        layers = [self._start()]
        for index in range(len(self.game.components)):
            face = self.maker.face(index)
            if face not in known:
                known[face] = self.maker.letters(index)
            self.alphabets.append(known[face])
            layers.append(self._advance(layers[-1], known[face], index))
            if tick is not None:
                tick(index + 1, len(self.game.components))
        return self._collect(layers)

    def _start(self) -> _Layer:
        columns = np.array([[0, 0, 0, self.left.start.index, self.right.start.index, 0]], np.int64)
        nothing = np.zeros(1, np.int64)
        return _Layer(columns, nothing, nothing, nothing)

    # ------------------------------------------------------------ one component

    def _advance(self, layer: _Layer, alphabet: list[Letter], index: int) -> _Layer:
        letters = np.array([(*a.tiles, a.last, *a.rows, a.cost) for a in alphabet], np.int64)
        moves = [self._moves(side, layer.columns[:, 3 + side], letters[:, 3 + side]) for side in (0, 1)]
        step = max(1, CHUNK // max(1, len(alphabet)))
        parts = []
        for start in range(0, len(layer.columns), step):
            parts.append(
                self._expand(layer, letters, moves, start, min(start + step, len(layer.columns)), index)
            )
        return _merged(parts)

    def _moves(self, side: int, states: Ints, letters: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Next state and added score for each pair of a state and a letter that occur."""
        automaton = (self.left, self.right)[side]
        own_states, state_at = np.unique(states, return_inverse=True)
        own_letters, letter_at = np.unique(letters, return_inverse=True)
        following = np.empty((len(own_states), len(own_letters)), np.int64)
        added = np.empty_like(following)
        for i, state in enumerate(own_states):
            edges = automaton.states[int(state)]
            for j, letter in enumerate(own_letters):
                target, points = edges[int(letter)]
                following[i, j], added[i, j] = target.index, points
        return following, added, state_at, letter_at

    def _expand(
        self,
        layer: _Layer,
        letters: Ints,
        moves: list[tuple[Ints, Ints, Ints, Ints]],
        start: int,
        end: int,
        index: int,
    ) -> _Layer:
        columns, many = layer.columns[start:end], len(letters)
        rows = np.repeat(np.arange(end - start), many)
        chosen = np.tile(np.arange(many), end - start)
        fits = (columns[rows, 2] == 0) | (letters[chosen, 2] == 0)
        for side in (0, 1):
            total = columns[rows, side] + letters[chosen, side]
            fits &= total <= self.sizes[side]
        rows, chosen = rows[fits], chosen[fits]
        result = np.empty((len(rows), 6), np.int64)
        result[:, :3] = columns[rows, :3] + letters[chosen, :3]
        ahead = columns[rows, 5].copy()
        for side, (following, added, state_at, letter_at) in enumerate(moves):
            place = (state_at[start:end][rows], letter_at[chosen])
            result[:, 3 + side] = following[place]
            ahead += added[place] if side == 0 else -added[place]
        result[:, 5] = ahead
        cost = layer.cost[start:end][rows] + letters[chosen, 5]
        alive = self._alive(result)
        return _simplest(_Layer(result[alive], cost[alive], rows[alive] + start, chosen[alive]))

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
        for row in np.lexsort((np.arange(len(final.cost)), final.cost)):
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
            situations.append(self.alphabets[index - 1][int(layer.letter[row])].first)
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
    """One row for each product state: the cheapest, first among equals."""
    if not len(layer.cost):
        return layer
    order = np.lexsort((np.arange(len(layer.cost)), layer.cost, *layer.columns.T[::-1]))
    sorted_columns = layer.columns[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (sorted_columns[1:] != sorted_columns[:-1]).any(axis=1)
    kept = order[fresh]
    return _Layer(layer.columns[kept], layer.cost[kept], layer.before[kept], layer.letter[kept])


def _merged(parts: list[_Layer]) -> _Layer:
    return _simplest(
        _Layer(
            np.concatenate([p.columns for p in parts]),
            np.concatenate([p.cost for p in parts]),
            np.concatenate([p.before for p in parts]),
            np.concatenate([p.letter for p in parts]),
        )
    )
