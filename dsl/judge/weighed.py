"""Closed hands as machines read them, side by side, counted: combinations of states stand for many hands.

Sums of hands come out the same in whatever order components are read. So those that most decks have in
common come first, and what they come to is kept: where a deal or a marked face changes one component, only
that one is read again.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import prod
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from ..core.limits import MOST, too_many_states
from ..core.model import Game
from .automaton import Automaton
from .edges import edges_of, moves_of, packed
from .grid import Cells, Ints, Walked
from .machines import ClosedScore, Holding, Machine, Shaped, component_letters

Numbers = npt.NDArray[Any]
"""Of Python's integers where there can be more than 64 bits hold."""
SHORT = 1 << 62
"""Below that a number is a machine integer."""
CHUNK = 300_000
KEPT = 300_000
"""Rows of layers that are kept."""
PLAIN = Shaped.letter, Shaped.step
"""How a machine reads of which all that counts is the state of its automaton."""


@dataclass(slots=True)
class Weighed:
    """Hands that end in the same states: how many, and in how many ways they are dealt.

    With a marked tile: how many hold its face, and the ways to deal them with one such tile marked.
    """

    states: tuple[Any, ...]
    ahead: int
    """Left score minus right score, as far as the edges carry scores; of one automaton its score."""
    hands: int
    deals: int = 0
    """0 where nobody asks for them."""


@dataclass(slots=True)
class _Layer:
    columns: Ints
    """(n, 2 + sides): tiles, the state of each side, score ahead."""
    counts: Numbers
    """(n, 2): hands and deals; or (n, 1): hands."""


Table = tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
"""What a component can hold: tiles, the letter of each side; of how many holdings, perhaps in how many
deals."""


class Layers:
    """What some components come to, for sides that read many decks."""

    def __init__(self) -> None:
        self.tables: dict[Table, int] = {}
        self.every: list[_Layer] = []
        """The tables as arrays, by number: tiles and letters of each side; hands and deals."""
        self.known: dict[Hashable, _Layer] = {}

    def number(self, table: Table) -> int:
        """The same for equal tables."""
        number = self.tables.setdefault(table, len(self.every))
        if number == len(self.every):
            columns = np.array([(tiles, *letters) for tiles, letters, _ in table], np.int64)
            counts = np.array([counts for _, _, counts in table], object)
            self.every.append(_Layer(columns.reshape(len(table), -1), counts.reshape(len(table), -1)))
        return number

    def keep(self, key: Hashable, layer: _Layer) -> None:
        """For the next deck; begins anew when it is too much."""
        if sum(len(one.columns) for one in self.known.values()) > KEPT:
            self.known.clear()
        self.known[key] = layer


class _Sides:
    """Automata, one or two."""

    def __init__(self, automata: tuple[Automaton, ...]) -> None:
        self.automata = automata
        self.machines: tuple[Machine, ...] = tuple(Shaped(side) for side in automata)
        self.start = [side.start.index for side in automata]
        self.sorted = all(side.least >= 0 for side in automata)
        """May components be read in any order? Not where a score that was cut off can fall again."""
        memo = automata[0].start.automaton.memo
        key = ("layers", *map(edges_of, automata))
        self.layers: Layers = memo.setdefault(key, Layers())

    def letters(self, faces: tuple[Any, ...]) -> tuple[int, ...]:
        return faces

    def moves(self, states: Ints, letters: Ints) -> list[tuple[Cells, Cells]]:
        return moves_of(self.automata, states, letters)

    def states(self, numbers: list[int]) -> tuple[Any, ...]:
        return tuple(side.states[n] for side, n in zip(self.automata, numbers, strict=True))


class _Any(Walked):
    """The steps of any machine."""

    start = 0

    def number(self, letter: Hashable) -> int:
        return self.letters.number(letter)


class _Plain:
    """The steps of a machine of which all that counts is the state of its automaton."""

    def __init__(self, automaton: Automaton) -> None:
        self.start = automaton.start.index
        self.states = automaton.states
        self.moves = edges_of(automaton).moves

    def number(self, letter: int) -> int:
        return letter


def _reads_plainly(machine: Machine) -> TypeGuard[Shaped]:
    """Is it one of those? Scores on edges are more than its state."""
    if not isinstance(machine, Shaped) or type(machine).step is not Shaped.step:
        return False
    return not machine.automaton.maker.scored or machine.automaton.cap is not None


class _Walks:
    """Any machines."""

    def __init__(self, machines: tuple[Machine, ...]) -> None:
        self.machines = machines
        self.walks = [_Plain(m.automaton) if _reads_plainly(m) else _Any(m) for m in machines]
        self.start = [walk.start for walk in self.walks]
        self.sorted = True
        self.layers = Layers()

    def letters(self, faces: tuple[Any, ...]) -> tuple[int, ...]:
        return tuple(walk.number(face) for walk, face in zip(self.walks, faces, strict=True))

    def moves(self, states: Ints, letters: Ints) -> list[tuple[Cells, Cells]]:
        return [walk.moves(states[:, i], letters[:, i]) for i, walk in enumerate(self.walks)]

    def states(self, numbers: list[int]) -> tuple[Any, ...]:
        return tuple(walk.states[n] for walk, n in zip(self.walks, numbers, strict=True))


Sides = _Sides | _Walks


def weighed(
    deck: Game, sides: tuple[Automaton, ...], size: int, mark: int | None = None, dealt: bool = True
) -> list[Weighed]:
    """All closed hands of `size` natural tiles, by where the automata end, one or two. Raises `TooLarge`.

    `mark`: the face of which a tile is marked; of the hands only those that hold it count then.
    `dealt`: are the ways to deal them asked for? Hands alone are counted quicker.
    """
    return _weighed(deck, _Sides(sides), size, mark, dealt)


def weighed_by(
    deck: Game, machines: tuple[Machine, ...], size: int, mark: int | None = None, dealt: bool = True
) -> list[Weighed]:
    """The same by where machines end; states have their scores where edges carry them."""
    automaton = _read_by(machines[0]) if len(machines) == 1 else None
    if automaton is None:
        return _weighed(deck, _Walks(machines), size, mark, dealt)
    found = weighed(deck, (automaton,), size, mark, dealt)
    if isinstance(machines[0], ClosedScore) or (automaton.maker.scored and automaton.cap is None):
        for each in found:
            each.states = ((each.states[0], each.ahead),)
    return found


def _read_by(machine: Machine) -> Automaton | None:
    """The automaton of which all that counts is where it ends, and the score."""
    if isinstance(machine, ClosedScore):
        return machine.compiled.scored
    if isinstance(machine, Shaped) and (type(machine).letter, type(machine).step) == PLAIN:
        return machine.automaton
    return None


def _weighed(deck: Game, sides: Sides, size: int, mark: int | None, dealt: bool) -> list[Weighed]:
    left, read = _tables(deck, sides, size, mark, dealt), tuple[int, ...]()
    most = max(sum(deck.kinds[k].copies for k in part) for part in deck.components)
    layer = _Layer(np.array([[0, *sides.start, 0]], np.int64), np.array([[1, 1] if dealt else [1]], object))
    while left:
        number = _next(sides, left, read, size, most)
        left.remove(number)
        read = _sorted(sides, (*read, number))
        key = (read, size, most * len(left))
        after = sides.layers.known.get(key)
        if after is None:
            both = _fitting(layer, sides.layers.every[number])
            after = _advance(*both, sides, (size - most * len(left), size))
            sides.layers.keep(key, after)
        layer = after
        if len(layer.columns) > MOST:
            raise too_many_states()
    ends = zip(layer.columns.tolist(), layer.counts.tolist(), strict=True)
    return [Weighed(sides.states(states), ahead, *counts) for (_, *states, ahead), counts in ends]


def _tables(deck: Game, sides: Sides, size: int, mark: int | None, dealt: bool) -> list[int]:
    """The components by numbers of their tables, the same for those that look alike."""
    held = () if mark is None else (Holding(deck, mark),)
    place = None if mark is None else deck.component_of[mark]
    tables = []
    for index, letters in enumerate(component_letters(deck, (*sides.machines, *held), (size, size))):
        counts: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for (tiles, faces), (hands, deals, _) in letters.items():
            number: Any = faces[-1] if index == place else 1
            if number:
                key = (tiles, sides.letters(faces[: len(sides.start)]))
                row = counts.setdefault(key, [0, 0])
                row[0] += hands
                row[1] += deals * number
        tables.append(tuple(sorted((*key, tuple(row[: 1 + dealt])) for key, row in counts.items())))
    return [sides.layers.number(table) for table in tables]


def _next(sides: Sides, left: list[int], read: tuple[int, ...], size: int, most: int) -> int:
    """Which component to read now: one that leads to what is known, or one of which there are most."""
    if not sides.sorted:
        return left[0]
    known, rest = sides.layers.known, most * (len(left) - 1)
    return max(left, key=lambda n: ((_sorted(sides, (*read, n)), size, rest) in known, left.count(n), -n))


def _sorted(sides: Sides, read: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(read)) if sides.sorted else read


def _fitting(layer: _Layer, letters: _Layer) -> tuple[_Layer, _Layer]:
    """Both with counts as machine integers, if nothing that comes of them together is too long for those."""
    most = prod(int(max(one.counts.sum(axis=0))) for one in (layer, letters))
    kind = np.int64 if most < SHORT else object
    one, other = (_Layer(own.columns, own.counts.astype(kind)) for own in (layer, letters))
    return one, other


def _advance(layer: _Layer, letters: _Layer, sides: Sides, bounds: tuple[int, int]) -> _Layer:
    """One component more, so that as few or as many tiles are read as `bounds` say.

    `letters`: what it can hold, (m, 1 + sides): tiles, the letter of each side.
    """
    parts = []
    step = max(1, CHUNK // max(1, len(letters.columns)))
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


def _moved(columns: Ints, letters: Ints, sides: Sides) -> Ints:
    found = columns.copy()
    found[:, 0] += letters[:, 0]
    for side, (target, added) in enumerate(sides.moves(columns[:, 1:-1], letters[:, 1:])):
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
