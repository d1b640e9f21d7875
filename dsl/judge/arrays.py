"""Many hands at once: the automaton's tables as numpy arrays, grown as new rows and edges are met."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.hand import Hand, Laid
from ..core.model import ORIGINS, WILD, Game
from .automaton import Automaton, State, apart
from .compiled import Compiled, Final
from .rows import Loose, RowKey

Ints = npt.NDArray[np.int32]
Context = Mapping[str, str]
Shared = tuple[tuple[Laid, ...], str | None]
"""Exposed melds that all hands share, and the origin of their last tile where it is wild."""


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
            grown = np.full((max(rows, 2 * have_rows), max(columns, 2 * have_columns)), -1, np.int32)
            grown[:have_rows, :have_columns] = self.cells
            self.cells = grown


@dataclass(frozen=True, slots=True)
class _Around:
    """The situation that all hands of a batch share."""

    role: str
    wild: str | None
    context: Context

    @property
    def key(self) -> Hashable:
        return self.role, self.wild, tuple(sorted(self.context.items()))

    def hand(self, origin: int) -> Hand:
        """A stand-in that carries the situation only."""
        kind = 0 if self.wild is None else WILD
        last = None if origin == len(ORIGINS) else (kind, ORIGINS[origin])
        return Hand(self.role, (), (), last, self.context)


class Arrays:
    """Batches of hands that share role and exposed melds."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.game: Game = compiled.game
        self._letters: dict[tuple[int, int, Shared], Ints] = {}
        self._edges: dict[int, tuple[_Table, _Table]] = {}
        self._finals: dict[tuple[int, Hashable, tuple[Laid, ...]], _Table] = {}
        self._outcomes: list[tuple[int, int, int, int, int]] = [(0, 0, 0, 0, 0)]
        self._outcome_index: dict[tuple[int, int, int, int, int], int] = {self._outcomes[0]: 0}
        self._win_table: dict[Hashable, _Table] = {}

    # ------------------------------------------------------------ what callers use

    def wins(
        self,
        counts: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        wild: str | None = None,
        context: Context | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Which hands win. Arguments as for `judge`."""
        columns, marks, origins = self._prepare(counts, last, origin, wild)
        states, _ = self._run(self.compiled.wins, columns, marks, (laid, wild), weigh=False)
        around = _Around(role or self.game.roles[-1], wild, context or {})
        table = self._win_table.setdefault(around.key, _Table(64, len(ORIGINS) + 1))
        table.fit(len(self.compiled.wins.states), len(ORIGINS) + 1)
        return self._look_up(table, states, origins, self._win_cell(around)).astype(np.bool_)

    def judge(
        self,
        counts: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        wild: str | None = None,
        context: Context | None = None,
    ) -> Batch:
        """Full verdicts.

        `counts`: (n, kinds) concealed tiles without the last one. `last`: (n,) kind of the last tile,
        -1 for none. `origin`: its index in `ORIGINS`, one number or (n,). `role`, `laid`, `context`: shared
        by all. `wild`: origin of the last tile where all have a wild one; then there is no `last`.
        """
        columns, marks, origins = self._prepare(counts, last, origin, wild)
        states, scores = self._run(self.compiled.full, columns, marks, (laid, wild), weigh=True)
        around = _Around(role or self.game.roles[-1], wild, context or {})
        top = int(scores.max(initial=0)) + 1
        found = np.zeros(len(states), np.int32)
        for code in np.unique(origins):
            chosen = origins == code
            table = self._finals.setdefault((int(code), around.key, laid), _Table(64, 64))
            table.fit(len(self.compiled.full.states), top)
            cell = self._final_cell(around, int(code))
            found[chosen] = self._look_up(table, states[chosen], scores[chosen], cell)
        return self._batch(found)

    def _batch(self, found: Ints) -> Batch:
        outcomes = np.array(self._outcomes, np.int32)[found]
        complete, win, score, times, names = outcomes.T
        return Batch(complete.astype(np.bool_), win.astype(np.bool_), score, times, names)

    # ------------------------------------------------------------ columns and letters

    def _prepare(
        self, counts: Any, last: Any, origin: Any, wild: str | None
    ) -> tuple[Ints, tuple[Ints, Ints] | None, Ints]:
        columns = np.ascontiguousarray(np.asarray(counts).T, dtype=np.int32)
        size = columns.shape[1]
        none = len(ORIGINS)
        if last is None:
            return columns, None, np.full(size, none if wild is None else ORIGINS.index(wild), np.int32)
        kinds = np.asarray(last, np.int32)
        origins = np.broadcast_to(np.asarray(0 if origin is None else origin, np.int32), (size,))
        origins = np.where(kinds < 0, none, origins).astype(np.int32)
        owner = np.array([*self.game.component_of, -1], np.int32)
        place = np.zeros(len(owner), np.int32)
        for part in self.game.components:
            place[list(part)] = np.arange(len(part))
        marks = place[kinds] * len(ORIGINS) + origins + 1
        return columns, (owner[kinds], marks.astype(np.int32)), origins

    def _run(
        self,
        automaton: Automaton,
        columns: Ints,
        marks: tuple[Ints, Ints] | None,
        shared: Shared,
        weigh: bool,
    ) -> tuple[Ints, Ints]:
        laid, wild = shared
        size = columns.shape[1]
        states = np.full(size, automaton.start.index, np.int32)
        scores = np.zeros(size, np.int32)
        by_component = apart(self.game, Hand(self.game.roles[-1], laid, (), None))[1] if laid else {}
        for index in range(len(self.game.components)):
            here = (tuple(by_component.get(index, ())), wild)
            letters = self._component_letters(automaton, index, columns, marks, here)
            states, added = self._step(automaton, states, letters, weigh)
            if added is not None:
                scores += added
        return states, scores

    def _component_letters(
        self,
        automaton: Automaton,
        index: int,
        columns: Ints,
        marks: tuple[Ints, Ints] | None,
        laid: Shared,
    ) -> Ints:
        part = self.game.components[index]
        codes = columns[part[0]]
        for kind in part[1:]:
            codes = codes * (self.game.kinds[kind].copies + 1) + columns[kind]
        size = 1
        for kind in part:
            size *= self.game.kinds[kind].copies + 1
        if marks is not None:
            owner, mark = marks
            codes = codes + np.where(owner == index, mark, 0) * size
        table = self._letter_table(automaton, index, size, laid)
        letters: Ints = table[codes]
        if letters.min(initial=0) < 0:
            for code in np.unique(codes[letters < 0]):
                table[code] = automaton.row(self._row_key(index, int(code), size, laid)).letter
            letters = table[codes]
        return letters

    def _letter_table(self, automaton: Automaton, index: int, size: int, laid: Shared) -> Ints:
        key = (id(automaton), index, laid)
        if key not in self._letters:
            marks = len(self.game.components[index]) * len(ORIGINS) + 1
            self._letters[key] = np.full(size * marks, -1, np.int32)
        return self._letters[key]

    def _row_key(self, index: int, code: int, size: int, laid: Shared) -> RowKey:
        mark, rest = divmod(code, size)
        part = self.game.components[index]
        counts = []
        for kind in reversed(part):
            rest, number = divmod(rest, self.game.kinds[kind].copies + 1)
            counts.append(number)
        loose: tuple[Loose, ...] = ()
        if mark:
            place, origin = divmod(mark - 1, len(ORIGINS))
            loose = (Loose(part[place], ORIGINS[origin], True),)
        return RowKey(index, tuple(reversed(counts)), loose, *laid)

    # ------------------------------------------------------------ edges

    def _step(
        self, automaton: Automaton, states: Ints, letters: Ints, weigh: bool
    ) -> tuple[Ints, Ints | None]:
        following, weights = self._edges.setdefault(id(automaton), (_Table(64, 64), _Table(64, 64)))
        for table in (following, weights):
            table.fit(len(automaton.states), len(automaton.letters))
        width = following.cells.shape[1]
        places = states * np.int32(width) + letters
        after = following.cells.ravel()[places]
        if after.min(initial=0) < 0:
            self._build(automaton, following, weights, np.unique(places[after < 0]), width)
            after = following.cells.ravel()[states * np.int32(following.cells.shape[1]) + letters]
            places = states * np.int32(weights.cells.shape[1]) + letters
        return after, weights.cells.ravel()[places] if weigh else None

    def _build(
        self, automaton: Automaton, following: _Table, weights: _Table, places: Ints, width: int
    ) -> None:
        for place in places:
            state, letter = divmod(int(place), width)
            target, added = automaton.states[state][letter]
            following.cells[state, letter] = target.index
            weights.cells[state, letter] = added

    # ------------------------------------------------------------ finals

    def _look_up(self, table: _Table, rows: Ints, columns: Ints, cell: Callable[[int, int], int]) -> Ints:
        width = table.cells.shape[1]
        places = rows * np.int32(width) + columns
        found: Ints = table.cells.ravel()[places]
        if found.min(initial=0) < 0:
            for place in np.unique(places[found < 0]):
                row, column = divmod(int(place), width)
                table.cells[row, column] = cell(row, column)
            found = table.cells.ravel()[places]
        return found

    def _win_cell(self, around: _Around) -> Callable[[int, int], int]:
        def cell(state: int, origin: int) -> int:
            return int(self.compiled.wins_at(self.compiled.wins.states[state], around.hand(origin)))

        return cell

    def _final_cell(self, around: _Around, origin: int) -> Callable[[int, int], int]:
        hand = around.hand(origin)

        def cell(state: int, score: int) -> int:
            reached: State = self.compiled.full.states[state]
            finals = self.compiled.best_finals(reached, score, hand)
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
