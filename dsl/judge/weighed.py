"""Closed hands as one automaton reads them, or two side by side, counted: states stand for many hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.limits import MOST, too_many_states
from ..core.model import Game
from .automaton import Automaton, State
from .edges import Ints, moves_of, packed
from .machines import Shaped, component_letters

Numbers = npt.NDArray[Any]
"""Of Python's integers, since there can be more ways than 64 bits hold."""
CHUNK = 300_000


@dataclass(slots=True)
class Weighed:
    """Hands that end in the same states: how many, and in how many ways they are dealt."""

    states: tuple[State, ...]
    ahead: int
    """Left score minus right score, as far as the edges carry scores; of one automaton its score."""
    hands: int
    deals: int


@dataclass(slots=True)
class _Layer:
    columns: Ints
    """(n, 2 + sides): tiles, the state of each side, score ahead."""
    counts: Numbers
    """(n, 2): hands and deals."""


def weighed(deck: Game, sides: tuple[Automaton, ...], size: int) -> list[Weighed]:
    """All closed hands of `size` natural tiles, by where the automata end, one or two. Raises `TooLarge`."""
    machines = tuple(Shaped(side) for side in sides)
    many = [sum(deck.kinds[k].copies for k in part) for part in deck.components]
    start = np.array([[0, *(side.start.index for side in sides), 0]], np.int64)
    layer = _Layer(start, np.array([[1, 1]], object))
    for index, letters in enumerate(component_letters(deck, machines, (size, size))):
        read = np.array([(tiles, *faces) for tiles, faces in letters], np.int64)
        counts = np.array([(hands, deals) for hands, deals, _ in letters.values()], object)
        bounds = size - sum(many[index + 1 :]), size
        layer = _advance(layer, _Layer(read, counts), sides, bounds)
        if len(layer.columns) > MOST:
            raise too_many_states()
    ends = zip(layer.columns.tolist(), layer.counts.tolist(), strict=True)
    return [
        Weighed(tuple(a.states[n] for a, n in zip(sides, states, strict=True)), ahead, hands, deals)
        for (_, *states, ahead), (hands, deals) in ends
    ]


def _advance(layer: _Layer, letters: _Layer, sides: tuple[Automaton, ...], bounds: tuple[int, int]) -> _Layer:
    """One component more, so that as few or as many tiles are read as `bounds` say.

    `letters`: what it can hold, (m, 1 + sides): tiles, the letter of each side.
    """
    parts = []
    step = max(1, CHUNK // len(letters.columns))
    for start in range(0, len(layer.columns), step):
        columns = layer.columns[start : start + step]
        tiles = columns[:, :1] + letters.columns[None, :, 0]
        rows, chosen = np.nonzero((tiles >= bounds[0]) & (tiles <= bounds[1]))
        if len(rows):
            moved = _moved(columns[rows], letters.columns[chosen], sides)
            parts.append(_together(_Layer(moved, layer.counts[rows + start] * letters.counts[chosen])))
    if not parts:
        return _Layer(layer.columns[:0], layer.counts[:0])
    joined = (np.concatenate([getattr(part, name) for part in parts]) for name in _Layer.__slots__)
    return _together(_Layer(*joined))


def _moved(columns: Ints, letters: Ints, sides: tuple[Automaton, ...]) -> Ints:
    found = columns.copy()
    found[:, 0] += letters[:, 0]
    for side, (target, added) in enumerate(moves_of(sides, columns[:, 1:-1], letters[:, 1:])):
        found[:, 1 + side] = target
        found[:, -1] += -added if side else added
    return found


def _together(layer: _Layer) -> _Layer:
    """One row for each combination, its counts added up."""
    keys = packed(layer.columns)
    order = np.lexsort(keys)
    fresh = np.zeros(len(order), np.bool_)
    fresh[0] = True
    for key in keys:
        fresh[1:] |= key[order[1:]] != key[order[:-1]]
    counts = np.add.reduceat(layer.counts[order], np.flatnonzero(fresh), axis=0)
    return _Layer(layer.columns[order[fresh]], counts)
