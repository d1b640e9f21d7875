"""Many hands at once: the automaton's tables as numpy arrays, grown as new rows and edges are met."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.hand import Hand, Laid
from ..core.limits import LARGEST
from ..core.model import ORIGINS, WILD, Game
from .automaton import Automaton, State, apart, loose_order
from .compiled import Compiled, Final
from .rows import Counts, Loose, RowKey
from .sweep import rows_of

Ints = npt.NDArray[np.int32]
Context = Mapping[str, str]
Rows = npt.NDArray[np.intp]
Exposed = tuple[tuple[Loose, ...], tuple[Laid, ...]]
"""What lies in a component of the exposed melds: tiles that may be regrouped, and melds that stay."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Verdicts of n hands, one entry each.

    `complete`, `win`: bool. `score`: the chosen arrangement's first score table. `times`: the
    multiplier. `names`: bit i set = `game.names[i]` holds. Entries of incomplete hands are 0.
    """

    complete: npt.NDArray[np.bool_]
    win: npt.NDArray[np.bool_]
    score: Ints
    times: Ints
    names: Ints


class _Table:
    """A two-dimensional int32 array that grows and knows its missing entries (-1)."""

    def __init__(self, rows: int, columns: int) -> None:
        self.cells: Ints = np.full((rows, columns), -1, np.int32)

    def fit(self, rows: int, columns: int) -> None:
        have_rows, have_columns = self.cells.shape
        if rows > have_rows or columns > have_columns:
            grown = np.full((_more(have_rows, rows), _more(have_columns, columns)), -1, np.int32)
            grown[:have_rows, :have_columns] = self.cells
            self.cells = grown


@dataclass(frozen=True, slots=True)
class _Member:
    """Automata, and the origin of the last tile of the hands they read where that one is wild."""

    compiled: Compiled
    wild: str | None


@dataclass(frozen=True, slots=True)
class Sorts:
    """What sorts of hands a batch holds; where there is one sort only, no array says which is which."""

    members: Ints | None = None
    """(n,) places among the members of `Arrays`: what reads the hand."""
    contexts: Sequence[Context] = ({},)
    context: Ints | None = None
    """(n,) places among `contexts`."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """The hands of a batch: (n, kinds) concealed tiles, and (n,) kind (-1: none) and origin of the last."""

    counts: npt.NDArray[Any]
    kinds: Ints
    origins: Ints
    """Index in `ORIGINS`; one more where there is no last tile."""


@dataclass(frozen=True, slots=True)
class _Around:
    """The situation that hands share."""

    role: str
    context: Context

    @property
    def key(self) -> Hashable:
        return self.role, tuple(sorted(self.context.items()))

    def hand(self, compiled: Compiled, origin: int) -> Hand:
        """A stand-in that carries the situation only."""
        kind = WILD if compiled.wilds.last else 0
        last = None if origin == len(ORIGINS) else (kind, ORIGINS[origin])
        return Hand(self.role, (), (), last, self.context)


class _Reader:
    """The automata of all members for one question: states numbered through, and what follows on each."""

    def __init__(self, question: Literal["wins", "full"]) -> None:
        self.question = question
        self.states: list[tuple[Compiled, State]] = []
        self.numbers: dict[State, int] = {}
        self.letters: dict[tuple[int, Exposed], _Table] = {}
        self.following, self.weights = _Table(64, 64), _Table(64, 64)
        self.ends: dict[Hashable, _Table] = {}

    def automaton(self, compiled: Compiled) -> Automaton:
        return compiled.wins if self.question == "wins" else compiled.full

    def number(self, compiled: Compiled, state: State) -> int:
        known = self.numbers.get(state)
        if known is None:
            known = self.numbers[state] = len(self.states)
            self.states.append((compiled, state))
        return known


class Arrays:
    """Batches of hands that share role and exposed melds."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.game: Game = compiled.game
        self._members: list[_Member] = []
        self._places: dict[_Member, int] = {}
        self._wins, self._full = _Reader("wins"), _Reader("full")
        self._outcomes: list[tuple[int, int, int, int, int]] = [(0, 0, 0, 0, 0)]
        self._outcome_index: dict[tuple[int, int, int, int, int], int] = {self._outcomes[0]: 0}
        self.place(compiled, None)

    def place(self, compiled: Compiled, wild: str | None) -> int:
        """The place of a member."""
        member = _Member(compiled, wild)
        if member not in self._places:
            self._places[member] = len(self._members)
            self._members.append(member)
        return self._places[member]

    # ------------------------------------------------------------ what callers use

    def wins(
        self,
        counts: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        **wild: Any,
    ) -> npt.NDArray[np.bool_]:
        """Which hands win. Arguments as for `judge`."""
        tiles = _tiles(counts, last, origin)
        sorts = self._sorts(tiles, laid, **wild)
        states, _ = self._run(self._wins, tiles, laid, sorts.members, weigh=False)
        found = np.zeros(len(states), np.int32)
        for (code,), rows in _alike(len(states), sorts.context):
            around = self._around(role, sorts.contexts[code])
            found[rows] = self._look_up(
                self._wins, around.key, states[rows], tiles.origins[rows], self._win_cell(around)
            )
        return found.astype(np.bool_)

    def judge(
        self,
        counts: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        **wild: Any,
    ) -> Batch:
        """Full verdicts.

        `counts`: (n, kinds) concealed tiles without the last one. `last`: (n,) kind of the last tile,
        -1 for none. `origin`: its index in `ORIGINS`, one number or (n,). `role`, `laid`: shared by all.
        """
        tiles = _tiles(counts, last, origin)
        sorts = self._sorts(tiles, laid, **wild)
        states, scores = self._run(self._full, tiles, laid, sorts.members, weigh=True)
        found = np.zeros(len(states), np.int32)
        for (code, place), rows in _alike(len(states), sorts.context, tiles.origins):
            around = self._around(role, sorts.contexts[code])
            cell = self._final_cell(around, place)
            found[rows] = self._look_up(self._full, (around.key, place), states[rows], scores[rows], cell)
        return self._batch(found)

    def _sorts(self, tiles: Tiles, laid: tuple[Laid, ...]) -> Sorts:
        """The sorts of hands of a batch: of one sort, but where there are wild tiles."""
        return Sorts()

    def _around(self, role: str | None, context: Context) -> _Around:
        return _Around(role or self.game.roles[-1], context)

    def _batch(self, found: Ints) -> Batch:
        outcomes = np.array(self._outcomes, np.int32)[found]
        complete, win, score, times, names = outcomes.T
        return Batch(complete.astype(np.bool_), win.astype(np.bool_), score, times, names)

    # ------------------------------------------------------------ columns and letters

    def _run(
        self, reader: _Reader, tiles: Tiles, laid: tuple[Laid, ...], members: Ints | None, weigh: bool
    ) -> tuple[Ints, Ints]:
        size = len(tiles.kinds)
        columns = np.ascontiguousarray(tiles.counts.T, dtype=np.int32)
        marks = None if (tiles.kinds < 0).all() else self._marks(tiles)
        first = [reader.number(m.compiled, reader.automaton(m.compiled).start) for m in self._members]
        states = np.array(first, np.int32)[np.zeros(size, np.int32) if members is None else members]
        scores = np.zeros(size, np.int32)
        loose, stay = apart(self.game, Hand(self.game.roles[-1], laid, (), None)) if laid else ({}, {})
        for index in range(len(self.game.components)):
            here = tuple(loose.get(index, ())), tuple(stay.get(index, ()))
            letters = self._component_letters(reader, index, columns, marks, here, members)
            states, added = self._step(reader, states, letters, weigh)
            if added is not None:
                scores += added
        return states, scores

    def _marks(self, tiles: Tiles) -> tuple[Ints, Ints]:
        """In which component the last tile lies (-1: in none), and its place there and origin as a number."""
        owner = np.array([*self.game.component_of, -1], np.int32)
        place = np.zeros(len(owner), np.int32)
        for part in self.game.components:
            place[list(part)] = np.arange(len(part))
        kinds = np.where(tiles.kinds == WILD, -1, tiles.kinds)
        marks = place[kinds] * len(ORIGINS) + tiles.origins + 1
        return owner[kinds], marks.astype(np.int32)

    def _component_letters(
        self,
        reader: _Reader,
        index: int,
        columns: Ints,
        marks: tuple[Ints, Ints] | None,
        exposed: Exposed,
        members: Ints | None,
    ) -> Ints:
        part = self.game.components[index]
        size = rows_of(self.game, index)
        if size > LARGEST:
            return self._letters_met(reader, index, columns, marks, exposed, members)
        codes = columns[part[0]]
        for kind in part[1:]:
            codes = codes * (self.game.kinds[kind].copies + 1) + columns[kind]
        if marks is not None:
            owner, mark = marks
            codes = codes + np.where(owner == index, mark, 0) * size
        width = size * (len(part) * len(ORIGINS) + 1)
        if members is not None:
            codes = codes + members * width
        table = reader.letters.setdefault((index, exposed), _Table(1, width))
        table.fit(len(self._members), width)

        def cell(member: int, code: int) -> int:
            mark, rest = divmod(code, size)
            counts = []
            for kind in reversed(part):
                rest, number = divmod(rest, self.game.kinds[kind].copies + 1)
                counts.append(number)
            return self._letter(reader, index, tuple(reversed(counts)), mark, exposed, member)

        return _filled(table, codes, cell)

    def _letters_met(
        self,
        reader: _Reader,
        index: int,
        columns: Ints,
        marks: tuple[Ints, Ints] | None,
        exposed: Exposed,
        members: Ints | None,
    ) -> Ints:
        """The letters of a component too large for a table of all that can be held: of each row once."""
        none = np.zeros(columns.shape[1], np.int32)
        mark = none if marks is None else np.where(marks[0] == index, marks[1], 0)
        told = [*(columns[kind] for kind in self.game.components[index]), mark]
        rows = np.stack([*told, none if members is None else members], axis=1)
        met, places = np.unique(rows, axis=0, return_inverse=True)
        letters = [
            self._letter(reader, index, tuple(row[:-2]), row[-2], exposed, row[-1]) for row in met.tolist()
        ]
        return np.array(letters, np.int32)[places.reshape(-1)]

    def _letter(
        self, reader: _Reader, index: int, counts: Counts, mark: int, exposed: Exposed, member: int
    ) -> int:
        reads = self._members[member]
        key = self._row_key(index, counts, mark, exposed)._replace(wild=reads.wild)
        return reader.automaton(reads.compiled).letter(key)

    def _row_key(self, index: int, counts: Counts, mark: int, exposed: Exposed) -> RowKey:
        part = self.game.components[index]
        loose, laid = exposed
        if mark:
            place, origin = divmod(mark - 1, len(ORIGINS))
            loose = tuple(sorted((*loose, Loose(part[place], ORIGINS[origin], True)), key=loose_order))
        return RowKey(index, counts, loose, laid)

    # ------------------------------------------------------------ edges

    def _step(self, reader: _Reader, states: Ints, letters: Ints, weigh: bool) -> tuple[Ints, Ints | None]:
        following, weights = reader.following, reader.weights
        most = int(letters.max(initial=0)) + 1
        for table in (following, weights):
            table.fit(len(reader.states), most)
        width = following.cells.shape[1]
        places = states * np.int32(width) + letters

        def cell(number: int, letter: int) -> int:
            compiled, state = reader.states[number]
            target, added = state[letter]
            weights.cells[number, letter] = added
            return reader.number(compiled, target)

        after = _filled(following, places, cell)
        return after, weights.cells.ravel()[places] if weigh else None

    # ------------------------------------------------------------ finals

    def _look_up(
        self, reader: _Reader, key: Hashable, rows: Ints, columns: Ints, cell: Callable[[int, int], int]
    ) -> Ints:
        table = reader.ends.setdefault(key, _Table(64, len(ORIGINS) + 1))
        table.fit(len(reader.states), int(columns.max(initial=0)) + 1)
        return _filled(table, rows * np.int32(table.cells.shape[1]) + columns, cell)

    def _win_cell(self, around: _Around) -> Callable[[int, int], int]:
        def cell(number: int, origin: int) -> int:
            compiled, state = self._wins.states[number]
            return int(compiled.wins_at(state, around.hand(compiled, origin)))

        return cell

    def _final_cell(self, around: _Around, origin: int) -> Callable[[int, int], int]:
        def cell(number: int, score: int) -> int:
            compiled, state = self._full.states[number]
            finals = compiled.best_finals(state, score, around.hand(compiled, origin))
            return self._outcome(finals[0] if finals else None)

        return cell

    def _outcome(self, final: Final | None) -> int:
        if final is None:
            return 0
        names = sum(1 << i for i, n in enumerate(self.game.names) if n.name in final.names)
        face = (1, int(final.win), final.score, final.times, names)
        if face not in self._outcome_index:
            self._outcome_index[face] = len(self._outcomes)
            self._outcomes.append(face)
        return self._outcome_index[face]


def _more(have: int, wanted: int) -> int:
    """The next size of an axis that is to have a size at least."""
    return have if have >= wanted else max(wanted, 2 * have)


def _tiles(counts: Any, last: Any, origin: Any) -> Tiles:
    """The arguments of a batch as arrays."""
    table = np.asarray(counts)
    kinds = np.broadcast_to(np.asarray(-1 if last is None else last, np.int32), (len(table),))
    origins = np.broadcast_to(np.asarray(0 if origin is None else origin, np.int32), (len(table),))
    return Tiles(table, kinds, np.where(kinds < 0, len(ORIGINS), origins).astype(np.int32))


def _filled(table: _Table, places: Ints, cell: Callable[[int, int], int]) -> Ints:
    """Entries of a table by row · width + column; missing ones are made first."""
    found: Ints = table.cells.ravel()[places]
    if found.min(initial=0) < 0:
        for place in np.unique(places[found < 0]):
            row, column = divmod(int(place), table.cells.shape[1])
            table.cells[row, column] = cell(row, column)
        found = table.cells.ravel()[places]
    return found


def _alike(size: int, *columns: Ints | None) -> Iterator[tuple[list[int], Rows | slice]]:
    """Entries that some rows share, small and not negative, with those rows; no column holds only 0."""
    if not size:
        return
    known = [np.zeros(1, np.int32) if c is None else c for c in columns]
    widths = [int(c.max()) + 1 for c in known]
    if prod(widths) == 1:
        yield [0] * len(columns), slice(None)
        return
    keys = np.broadcast_to(np.ravel_multi_index(np.broadcast_arrays(*known), widths), (size,))
    order = np.argsort(keys.astype(np.min_scalar_type(prod(widths))), kind="stable")  # by counting
    ends = np.cumsum(np.bincount(keys))
    for key in np.nonzero(np.diff(ends, prepend=0))[0]:
        start = int(ends[key - 1]) if key else 0
        yield [int(x) for x in np.unravel_index(key, widths)], order[start : ends[key]]
