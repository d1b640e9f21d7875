"""The ruleset as a weighted automaton that reads one row per component.

A state is the set of vectors that some grouping of the tiles read so far can reach, each with its best
score; scores are kept relative to the lowest one, and the difference goes on the edge. States and edges
are made when they are first met and shared from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from ..core.hand import Hand, Laid
from ..core.model import Formula, Game
from .probes import Condition, Probes, last_told
from .rows import NO_WILDS, Loose, Option, Row, RowKey, RowMaker, Wilds, order

Vector = tuple[int, ...]
Face = tuple[tuple[Vector, tuple[int, ...]], ...]
"""Sorted (vector, scores above the state's lowest): one score, or all when a lower one could be better."""
Letter = tuple[tuple[Vector, int], ...]
"""What a row adds: sorted (vector, score)."""


class State(dict[int, tuple["State", int]]):
    """One state: letter to (next state, score added), filled on demand."""

    __slots__ = ("automaton", "complete", "face", "index")

    def __init__(self, automaton: Automaton, index: int, face: Face) -> None:
        self.automaton = automaton
        self.index = index
        self.face = face
        width = len(automaton.final_dims)
        self.complete = any(vector[:width] == automaton.final_dims for vector, _ in face)
        """Does it hold an arrangement of the whole shape?"""

    def __missing__(self, letter: int) -> tuple[State, int]:
        edge = self[letter] = self.automaton.step(self.face, letter)
        return edge

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


class PlainRows(dict[tuple[int, ...], Row]):
    """Rows of plain concealed tiles in one component, by counts."""

    def __init__(self, automaton: Automaton, component: int) -> None:
        super().__init__()
        self.automaton = automaton
        self.component = component

    def __missing__(self, counts: tuple[int, ...]) -> Row:
        row = self[counts] = self.automaton.row(RowKey(self.component, counts))
        return row


class LastRows(dict[tuple[tuple[int, ...], tuple[int, str]], Row]):
    """Rows of plain concealed tiles and the last tile, by counts and (kind, origin)."""

    def __init__(self, automaton: Automaton, component: int) -> None:
        super().__init__()
        self.automaton = automaton
        self.component = component

    def __missing__(self, key: tuple[tuple[int, ...], tuple[int, str]]) -> Row:
        counts, (kind, origin) = key
        row = self[key] = self.automaton.row(RowKey(self.component, counts, (Loose(kind, origin, True),)))
        return row


class WildLastRows(dict[tuple[tuple[int, ...], str], Row]):
    """Rows of plain concealed tiles where the hand's last tile is wild, by counts and that one's origin."""

    def __init__(self, automaton: Automaton, component: int) -> None:
        super().__init__()
        self.automaton = automaton
        self.component = component

    def __missing__(self, key: tuple[tuple[int, ...], str]) -> Row:
        counts, origin = key
        row = self[key] = self.automaton.row(RowKey(self.component, counts, wild=origin))
        return row


class Automaton:
    """Reads hands of one game for one question.

    `formulas` are what the question asks about a complete arrangement; `scored` says whether the first
    score table's total matters beyond them; `keep_all` keeps every score of a vector, not just the best
    one (needed when a lower score can be better). `capped` cuts scores off where no formula tells them
    apart any more; they are then absolute and edges add nothing. `shape` is the win shape unless given.
    """

    def __init__(
        self,
        game: Game,
        formulas: Sequence[Formula] = (),
        scored: bool = False,
        shape: tuple[int, ...] | None = None,
        keep_all: bool = False,
        capped: bool = False,
        wilds: Wilds = NO_WILDS,
    ) -> None:
        self.game = game
        probes = Probes(game, scored)
        self.conditions: tuple[Condition, ...] = tuple(probes.rewrite(f) for f in formulas)
        self.keep_all = keep_all
        self.cap = max((last_told(c) for c in self.conditions), default=0) if capped else None
        self.maker = RowMaker(game, shape or game.win.shape, tuple(probes.found), scored, wilds)
        self.final_dims = self.maker.bounds
        self.states: list[State] = []
        self._state_index: dict[Face, State] = {}
        self.letters: list[Letter] = []
        self._letter_index: dict[Letter, int] = {}
        self._rows: dict[RowKey, Row] = {}
        self._told: dict[RowKey, int] = {}
        self._turns: dict[int, list[tuple[int, ...]]] = {}
        self.plain = [PlainRows(self, i) for i in range(len(game.components))]
        self.lasts = [LastRows(self, i) for i in range(len(game.components))]
        self.wild_lasts = [WildLastRows(self, i) for i in range(len(game.components))]
        self.getters = [_getter(part) for part in game.components]
        self._back_cache: dict[tuple[int, int, Vector, int], tuple[tuple[Option, Vector, int], ...]] = {}
        zero = (*(0 for _ in self.final_dims), *(0 for _ in self.maker.probes))
        self.start = self._intern(((zero, (0,)),))

    # ------------------------------------------------------------ letters

    def row(self, key: RowKey) -> Row:
        """The row of what is held in one component."""
        known = self._rows.get(key)
        if known is None:
            options, letter = self._like(key) or self._own(key)
            known = self._rows[key] = Row(key, options, letter, len(self._rows))
        return known

    def _own(self, key: RowKey) -> tuple[tuple[Option, ...], int]:
        options = self.maker.options(key)
        return options, self._letter((o.vector, o.score) for o in options)

    def _like(self, key: RowKey) -> tuple[tuple[Option, ...], int] | None:
        """The row of the first component like this one, its melds renamed."""
        like = self._moved(key)
        if like is key:
            return None
        row, names = self.row(like), self.maker.alike[key.component][1]
        return tuple(_renamed(o, names) for o in row.options), row.letter

    def _moved(self, key: RowKey) -> RowKey:
        """The same tiles in the first component like this one; exposed melds stay where they are."""
        chosen = self.maker.alike[key.component][0]
        if chosen == key.component or key.laid:
            return key
        here, there = self.game.components[key.component], self.game.components[chosen]
        loose = tuple(Loose(there[here.index(t.kind)], t.origin, t.last) for t in key.loose)
        return RowKey(chosen, key.counts, loose, (), key.wild)

    def letter(self, key: RowKey) -> int:
        """The letter of a row, without working out its melds."""
        known = self._told.get(key)
        if known is None:
            like = self._turned(self._moved(key))
            known = self._told.get(like)
            if known is None:
                known = self._told[like] = self._letter(self.maker.outcomes(like))
            self._told[key] = known
        return known

    def _turned(self, key: RowKey) -> RowKey:
        """Of the rows that read like this one with the faces renamed, the fullest first; none with melds."""
        if key.laid:
            return key
        part = self.game.components[key.component]
        if key.component not in self._turns:
            self._turns[key.component] = [t.places for t in self.maker.turns(key.component)]
        return max((_renamed_row(key, part, places) for places in self._turns[key.component]), key=_fullness)

    def _letter(self, outcomes: Iterable[tuple[Vector, int]]) -> int:
        bounded = {(v, self._bounded(s)) for v, s in outcomes}
        kept = bounded if self.keep_all else dict(sorted(bounded)).items()
        face = tuple(sorted(kept))
        letter = self._letter_index.get(face)
        if letter is None:
            letter = self._letter_index[face] = len(self.letters)
            self.letters.append(face)
        return letter

    def rows(self, hand: Hand) -> list[Row]:
        """One row per component of the game."""
        counts = hand.counts
        if hand.laid:
            return self._rows_with_laid(hand)
        if hand.last is not None and hand.last_wild:
            origin = hand.last[1]
            return [w[get(counts), origin] for w, get in zip(self.wild_lasts, self.getters, strict=True)]
        rows = [plain[get(counts)] for plain, get in zip(self.plain, self.getters, strict=True)]
        if hand.last is not None:
            at = self.game.component_of[hand.last[0]]
            rows[at] = self.lasts[at][self.getters[at](counts), hand.last]
        return rows

    def _rows_with_laid(self, hand: Hand) -> list[Row]:
        loose, laid = apart(self.game, hand)
        wild = hand.last[1] if hand.last is not None and hand.last_wild else None
        return [
            self.row(RowKey(i, get(hand.counts), tuple(loose.get(i, ())), tuple(laid.get(i, ())), wild))
            for i, get in enumerate(self.getters)
        ]

    # ------------------------------------------------------------ states

    def _intern(self, face: Face) -> State:
        state = self._state_index.get(face)
        if state is None:
            state = self._state_index[face] = State(self, len(self.states), face)
            self.states.append(state)
        return state

    def step(self, face: Face, letter: int) -> tuple[State, int]:
        """(next state, score added) after reading a letter."""
        reached: dict[Vector, set[int]] = {}
        for vector, scores in face:
            for added, points in self.letters[letter]:
                total = self.maker.add(vector, added)
                if total is not None:
                    reached.setdefault(total, set()).update(self._bounded(s + points) for s in scores)
        if not self.keep_all:
            reached = {v: {max(s)} for v, s in reached.items()}
        lowest = 0
        if self.cap is None:
            lowest = min((min(s) for s in reached.values()), default=0)
        shifted = ((v, tuple(sorted(x - lowest for x in s))) for v, s in reached.items())
        return self._intern(tuple(sorted(shifted))), lowest

    def _bounded(self, score: int) -> int:
        return score if self.cap is None else min(score, self.cap)

    def run(self, rows: Sequence[Row]) -> tuple[State, int]:
        """(final state, score) after reading one row per component."""
        state, score = self.start, 0
        for row in rows:
            state, added = state[row.letter]
            score += added
        return state, score

    def trace(self, rows: Sequence[Row]) -> list[tuple[State, int]]:
        """The states and scores before each row and after the last."""
        state, score = self.start, 0
        result = [(state, 0)]
        for row in rows:
            state, added = state[row.letter]
            score += added
            result.append((state, score))
        return result

    def finals(self, state: State, score: int) -> list[tuple[Vector, int]]:
        """(vector, score) of the complete arrangements a final state stands for, in order."""
        width = len(self.final_dims)
        return [
            (vector, score + s)
            for vector, scores in state.face
            if vector[:width] == self.final_dims
            for s in scores
        ]

    # ------------------------------------------------------------ back to melds

    def arrangement(
        self, rows: Sequence[Row], trace: list[tuple[State, int]], vector: Vector, score: int
    ) -> tuple[tuple[int, ...], int | None]:
        """The canonical melds (sorted) and the last tile's meld of an arrangement with this outcome.

        Canonical: the smallest melds in the last component, then in the one before, and so on.
        """
        melds: list[int] = []
        last_in: int | None = None
        for option in next(self._paths(rows, trace, len(rows), vector, score)):
            melds += option.melds
            if option.last_in is not None:
                last_in = option.last_in
        melds.sort()
        return tuple(melds), last_in

    def _paths(
        self, rows: Sequence[Row], trace: list[tuple[State, int]], count: int, vector: Vector, score: int
    ) -> Iterator[tuple[Option, ...]]:
        if count == 0:
            yield ()
            return
        before, lowest = trace[count - 1]
        for option, earlier, rest in self._back(before, rows[count - 1], vector, score - lowest):
            for path in self._paths(rows, trace, count - 1, earlier, rest + lowest):
                yield (option, *path)

    def _back(
        self, before: State, row: Row, vector: Vector, score: int
    ) -> tuple[tuple[Option, Vector, int], ...]:
        """Options of the row that end in this vector and score, and where they start, canonical first."""
        key = (before.index, row.index, vector, score)
        known = self._back_cache.get(key)
        if known is None:
            known = self._back_cache[key] = tuple(self._steps_back(before, row, vector, score))
        return known

    def _steps_back(
        self, before: State, row: Row, vector: Vector, score: int
    ) -> Iterator[tuple[Option, Vector, int]]:
        for option in sorted(row.options, key=order):
            rest = score - option.score
            for earlier, scores in before.face:
                if rest in scores and self.maker.add(earlier, option.vector) == vector:
                    yield option, earlier, rest

    def totals(self, rows: Sequence[Row]) -> tuple[int, ...]:
        """All scores of complete arrangements, sorted. Sets of scores are bit masks while adding up."""
        zero = self.start.face[0][0][: len(self.final_dims)]
        reached = {zero: 1}
        width = len(self.final_dims)
        for row in rows:
            after: dict[Vector, int] = {}
            steps = {(o.vector[:width], o.score) for o in row.options}
            for vector, mask in reached.items():
                for added, points in steps:
                    total = tuple(a + b for a, b in zip(vector, added, strict=True))
                    after[total] = after.get(total, 0) | (mask << points)
            reached = {
                v: m for v, m in after.items() if all(a <= b for a, b in zip(v, self.final_dims, strict=True))
            }
        mask = reached.get(self.final_dims, 0)
        return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def _renamed(option: Option, names: dict[int, int]) -> Option:
    melds = tuple(sorted(names[m] for m in option.melds))
    last_in = None if option.last_in is None else names[option.last_in]
    return Option(option.vector, option.score, melds, last_in)


def _renamed_row(key: RowKey, part: tuple[int, ...], places: tuple[int, ...]) -> RowKey:
    """The row with each face of the component gone to another place."""
    counts = list(key.counts)
    for here, there in enumerate(places):
        counts[there] = key.counts[here]
    loose = (Loose(part[places[part.index(t.kind)]], t.origin, t.last) for t in key.loose)
    ordered = tuple(sorted(loose, key=_loose_order))
    return RowKey(key.component, tuple(counts), ordered, (), key.wild)


def _loose_order(tile: Loose) -> tuple[int, str, bool]:
    return tile.kind, tile.origin or "", tile.last


def _fullness(key: RowKey) -> tuple[tuple[int, ...], tuple[tuple[int, str, bool], ...]]:
    return key.counts, tuple(map(_loose_order, key.loose))


def _getter(part: tuple[int, ...]) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """Counts of a component out of the counts of a hand, as a tuple."""
    if len(part) > 1:
        return itemgetter(*part)
    only = part[0]
    return lambda counts: counts[only : only + 1]


def apart(game: Game, hand: Hand) -> tuple[dict[int, list[Loose]], dict[int, list[Laid]]]:
    """Per component the tiles that are not plain concealed ones, and the melds that stay laid."""
    loose: dict[int, list[Loose]] = {}
    laid: dict[int, list[Laid]] = {}
    owner = game.component_of
    for entry in hand.laid:
        meld = game.melds[entry.meld]
        if meld.type.locked:
            laid.setdefault(owner[meld.tiles[0]], []).append(entry)
            continue
        for slot, origin in zip(meld.slots, entry.origins, strict=True):
            loose.setdefault(owner[slot.kind], []).append(Loose(slot.kind, origin, False))
    if hand.last is not None and not hand.last_wild:
        kind, origin = hand.last
        loose.setdefault(owner[kind], []).append(Loose(kind, origin, True))
    for tiles in loose.values():
        tiles.sort(key=_loose_order)
    for entries in laid.values():
        entries.sort(key=lambda e: (e.meld, tuple(o or "" for o in e.origins)))
    return loose, laid
