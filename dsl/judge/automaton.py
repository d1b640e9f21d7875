"""The ruleset as a weighted automaton that reads one row per component.

A state is the set of vectors that some grouping of the tiles read so far can reach, each with its best
score; scores are kept relative to the lowest one, and the difference goes on the edge. States and edges
are made when they are first met and shared from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import count, groupby
from operator import itemgetter
from typing import Any

from ..core.hand import Hand, Laid, regroupable
from ..core.memo import Memo
from ..core.model import Formula, Game
from .alike import grouped_alike
from .alike_rows import AlikeRows, laid_order
from .alike_rows import loose_order as loose_order
from .filled import KEPT as KEPT
from .filled import Filled as Filled
from .probes import asked_of, last_told
from .rows import NO_WILDS, Loose, Option, Outcome, Row, RowKey, RowMaker, Wilds, order
from .sweep import Sweep
from .tables import Tables
from .vectors import BITS, MASK, ZERO, cut, least_score, scores_in

Vector = tuple[int, ...]
Counts = tuple[int, ...]
Face = tuple[tuple[Vector, tuple[int, ...]], ...]
"""Sorted (vector, scores above the state's lowest): one score, or all when a lower one could be better."""
Held = tuple[Any, ...]
"""The same in short, in order: numbers of vectors, each with its best score in one integer, or beside its
scores as a set of bits."""
Letter = tuple[tuple[Vector, int], ...]
"""What a row adds: sorted (vector, score)."""


class State(dict[int, tuple["State", int]]):
    """One state: letter to (next state, score added), filled on demand."""

    __slots__ = ("_face", "automaton", "complete", "held", "index")

    def __init__(self, automaton: Automaton, index: int, held: Held) -> None:
        self.automaton = automaton
        self.index = index
        self.held = held
        whole = automaton.vectors.whole
        self.complete = any(whole[number] for number in automaton.numbers(held))
        """Does it hold an arrangement of the whole shape?"""
        self._face: Face | None = None

    def __missing__(self, letter: int) -> tuple[State, int]:
        edge = self[letter] = self.automaton.step(self.held, letter)
        return edge

    @property
    def face(self) -> Face:
        """What it stands for."""
        if self._face is None:
            self._face = self.automaton.faced(self.held)
        return self._face

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


PLAYED = 10_000
"""Rows that are kept when hands with exposed melds are read, and half of what they are made from: in long
play there is no end of them."""

Waiting = tuple[int, int, tuple[tuple[int, int, tuple[int, ...]], ...]]
"""Component, letter of what it holds, and in deck order what makes a row of it that can be grouped: letter,
place of the origin among those asked, tiles that count alike."""


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
        mark: int | None = None,
    ) -> None:
        self.game = game
        self.conditions, probes = asked_of(game, formulas, scored)
        self.keep_all = keep_all
        self.cap = max((last_told(c) for c in self.conditions), default=0) if capped else None
        self.maker = RowMaker(game, shape or game.win.shape, probes, scored, wilds, mark)
        self.final_dims = self.maker.bounds
        self.states: list[State] = []
        self._state_index: dict[Held, State] = {}
        self.vectors = self.maker.vectors
        self.letters: list[Letter] = []
        self._letter_index: dict[Letter, int] = {}
        self._steps: dict[int, Any] = {}
        self._rows: dict[RowKey, Row] = {}
        self._row_numbers = count()
        self._told: dict[RowKey, int] = {}
        self.likes = AlikeRows(self.maker)
        self._read_by_counts()
        self._back: dict[tuple[int, int, int, int], tuple[Option, int, int]] = {}
        self.unmarked: Automaton | None = None
        """What reads the same of hands without a marked tile, where that is known."""
        self.asked: tuple[int, ...] | None = None
        """Which entries of a vector after the shape are those of the conditions; None: all, in order."""
        self.least = least_score(game) if capped else 0

    @cached_property
    def start(self) -> State:
        zero = self.vectors.number((*(0 for _ in self.final_dims), *(0 for _ in self.maker.probes)))
        return self.intern(((zero, 1 << -self.least),) if self.keep_all else ((zero << BITS) + ZERO,))

    @cached_property
    def nowhere(self) -> State:
        """The state from which no arrangement comes."""
        return self.intern(())

    def _read_by_counts(self) -> None:
        """Tables of what plain concealed tiles come to."""
        parts = range(len(self.game.components))
        self.plain = [Filled(partial(self._plain, i)) for i in parts]
        """Per component the rows of plain concealed tiles, by counts."""
        self.lasts = [Filled(partial(self._last, i)) for i in parts]
        """The same with the last tile among them, by counts and (kind, origin)."""
        self.wild_lasts = [Filled(partial(self._wild_last, i)) for i in parts]
        """The same where the hand's last tile is wild, by counts and that one's origin."""
        self._wild_drawn: dict[str, list[Filled[Counts, int]]] = {}
        self._waits: dict[tuple[str, ...], list[Filled[Counts, tuple[int, int]]]] = {}
        self.awaiting: list[Waiting] = []
        self._awaiting_index: dict[Waiting, int] = {}
        self.getters = [_getter(part) for part in self.game.components]

    @cached_property
    def memo(self) -> Memo:
        """What readers of the states have worked out."""
        return Memo()

    def reads_like(self, other: Automaton, in_order: bool = False) -> bool:
        """Do its states tell all that those of the other would, of every hand, whatever either concludes?

        `in_order`: its vectors are just those of the other.
        """
        a, b = self.maker, other.maker
        return (
            grouped_alike(self.game, other.game, a.wilds.number)
            and (a.shape, a.scored, a.wilds, a.marks.face) == (b.shape, b.scored, b.wilds, b.marks.face)
            and a.groupings == b.groupings
            and (self.keep_all, self.cap) == (other.keep_all, other.cap)
            and (a.probes == b.probes or (not in_order and all(probe in a.probes for probe in b.probes)))
        )

    def twin(self, other: Automaton) -> Automaton:
        """An automaton for the game and the conditions of another that this one reads like, with all that
        this one has worked out; what either works out from then on both know."""
        _ = self.tables, self.memo, self.start, self.nowhere
        found = copy(self)
        found.game, found.conditions = other.game, other.conditions
        asked, known = other.maker.probes, self.maker.probes
        found.asked = None if asked == known else tuple(known.index(probe) for probe in asked)
        return found

    def read_like(self, unmarked: Automaton) -> None:
        """Read components without the marked face as another does. Nothing may have been read yet."""
        self.unmarked = unmarked
        self.join(unmarked)

    def join(self, other: Automaton) -> bool:
        """Have letters, states and edges in common with another from now on, if hands add up alike in both.

        What a hand comes to may differ: only letters tell. Nothing may have been read yet.
        """
        if self.letters or self.sums != other.sums:
            return False
        self.states, self._state_index, self.vectors = other.states, other._state_index, other.vectors
        self.letters, self._letter_index, self._steps = other.letters, other._letter_index, other._steps
        self.start, self.nowhere = other.start, other.nowhere
        return True

    @property
    def sums(self) -> Hashable:
        """All that a step depends on but the state and the letter."""
        probes = tuple((type(p), getattr(p, "cap", 0), getattr(p, "modulus", 0)) for p in self.maker.probes)
        return self.maker.bounds, probes, self.keep_all, self.cap, self.least

    # ------------------------------------------------------------ letters

    def row(self, key: RowKey) -> Row:
        """The row of what is held in one component."""
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = Row(key, self.letter(key), next(self._row_numbers), self._options)
        return known

    def _keep_few(self) -> None:
        """Forget what is known of rows when it is too much."""
        if max(len(self._rows), len(self._told), len(self._back)) >= KEPT:
            self._forget()

    def _forget(self) -> None:
        known: tuple[dict[Any, Any], ...] = (self._rows, self._told, self._back)
        for table in (*known, *self.plain, *self.lasts, *self.wild_lasts):
            table.clear()

    def _plain(self, component: int, counts: Counts) -> Row:
        return self.row(RowKey(component, counts))

    def _last(self, component: int, held: tuple[Counts, tuple[int, str]]) -> Row:
        return self.row(RowKey(component, held[0], (Loose(*held[1], True),)))

    def _wild_last(self, component: int, held: tuple[Counts, str]) -> Row:
        return self.row(RowKey(component, held[0], wild=held[1]))

    def _options(self, key: RowKey) -> tuple[Option, ...]:
        """The options of a row: those of the first component like this one, their melds renamed."""
        like = self.likes.moved(key)
        if like.component == key.component:
            return self.maker.options(like)
        names = self.maker.alike[key.component][1]
        return tuple(_renamed(o, names) for o in self.row(like).options)

    def letter(self, key: RowKey) -> int:
        """The letter of a row, without working out its melds."""
        known = self._told.get(key)
        if known is None:
            self._keep_few()
            known = self._told[key] = self._worked_out(key)
        return known

    def _worked_out(self, key: RowKey) -> int:
        other = self.unmarked
        if other is not None and not self.marks(key.component):
            letter = other.letter(key)
            return letter if other.letters is self.letters else self.lettered(other.letters[letter])
        like = self.likes.turned(self.likes.moved(key))
        known = self._told.get(like)
        if known is None:
            outcomes = self.maker.outcomes(like, not self.keep_all, self.cap)
            known = self._told[like] = self.lettered(outcomes)
        return known

    def marks(self, component: int) -> bool:
        """Is the marked tile of a face of the component?"""
        face = self.maker.marks.face
        return face is not None and self.game.component_of[face] == component

    def lettered(self, outcomes: Iterable[tuple[Vector, int]]) -> int:
        """The letter of a row that comes to these vectors and scores."""
        bounded = {(v, self._bounded(s)) for v, s in outcomes}
        hopeless = self.vectors.hopeless
        if hopeless is not None:
            bounded = {(v, s) for v, s in bounded if not hopeless(v)}
        kept = bounded if self.keep_all else dict(sorted(bounded)).items()
        face = tuple(sorted(kept))
        letter = self._letter_index.get(face)
        if letter is None:
            letter = self._letter_index[face] = len(self.letters)
            self.letters.append(face)
        return letter

    def sweep(self, component: int) -> Sweep:
        """The sweep over the kinds of a large component that keeps what this automaton keeps."""
        return self.maker.sweeps.of(component, not self.keep_all, self.cap)

    def lettered_so(self, component: int, outcomes: Iterable[Outcome]) -> int:
        """The letter of a row of the component with these outcomes."""
        seen = ((self.maker.vector(component, sums, held), score) for sums, score, held in outcomes)
        return self.lettered((vector, score) for vector, score in seen if vector is not None)

    @cached_property
    def tables(self) -> Tables:
        """The letters of many rows at once."""
        return Tables(self)

    def rows(self, hand: Hand) -> list[Row]:
        """One row per component of the game."""
        counts = hand.counts
        if hand.laid:
            return self._rows_with_laid(hand, hand.last[1] if hand.last and hand.last_wild else None)
        if hand.last is not None and hand.last_wild:
            origin = hand.last[1]
            return [w[get(counts), origin] for w, get in zip(self.wild_lasts, self.getters, strict=True)]
        rows = [plain[get(counts)] for plain, get in zip(self.plain, self.getters, strict=True)]
        if hand.last is not None:
            at = self.game.component_of[hand.last[0]]
            rows[at] = self.lasts[at][self.getters[at](counts), hand.last]
        return rows

    def _rows_with_laid(self, hand: Hand, wild: str | None) -> list[Row]:
        loose, laid = apart(self.game, hand)
        if len(self._rows) + len(self._back) > PLAYED:
            self._forget()
        self.maker.keep_few(2 * PLAYED)
        return [
            self.row(RowKey(i, get(hand.counts), tuple(loose.get(i, ())), tuple(laid.get(i, ())), wild))
            for i, get in enumerate(self.getters)
        ]

    def wild_drawn(self, hand: Hand, origin: str, held: Sequence[Counts]) -> list[int]:
        """A letter per component of the hand with one wild tile more, its last one; `held`: see `waiting`."""
        if hand.laid:
            return [row.letter for row in self._rows_with_laid(hand, origin)]
        known = self._wild_drawn.get(origin)
        if known is None:
            made = (partial(self._wild_letter, i, origin) for i in range(len(self.getters)))
            known = self._wild_drawn[origin] = [Filled(make) for make in made]
        return [table[counts] for table, counts in zip(known, held, strict=True)]

    def _wild_letter(self, component: int, origin: str, counts: Counts) -> int:
        return self.letter(RowKey(component, counts, wild=origin))

    def held(self, hand: Hand) -> list[Counts]:
        """The concealed tiles of each component."""
        counts = hand.counts
        return [get(counts) for get in self.getters]

    def waiting(self, hand: Hand, origins: tuple[str, ...], held: Sequence[Counts]) -> list[tuple[int, int]]:
        """What each component holds, as a letter, and what can be drawn to it, as a place in `awaiting`.

        `held`: the concealed tiles of each.
        """
        if hand.laid:
            loose, laid = apart(self.game, hand)
            return [self._waiting(i, h, origins, loose.get(i), laid.get(i)) for i, h in enumerate(held)]
        known = self._waits.get(origins)
        if known is None:
            made = (partial(self._waiting, i, origins=origins) for i in range(len(self.getters)))
            known = self._waits[origins] = [Filled(make) for make in made]
        return [table[counts] for table, counts in zip(known, held, strict=True)]

    def _waiting(
        self,
        component: int,
        counts: Counts,
        origins: tuple[str, ...],
        loose: Sequence[Loose] | None = None,
        laid: Sequence[Laid] | None = None,
    ) -> tuple[int, int]:
        loose, laid = tuple(loose or ()), tuple(laid or ())
        own = self.letter(RowKey(component, counts, loose, laid))
        found: list[tuple[int, int, tuple[int, ...]]] = []
        for kind, number in zip(self.game.components[component], counts, strict=True):
            for place, origin in enumerate(origins if number < self.game.kinds[kind].copies else ()):
                tiles = tuple(sorted((*loose, Loose(kind, origin, True)), key=loose_order))
                letter = self.letter(RowKey(component, counts, tiles, laid))
                if found and found[-1][:2] == (letter, place):
                    found[-1] = (letter, place, (*found[-1][2], kind))
                elif self.letters[letter]:
                    found.append((letter, place, (kind,)))
        waiting = component, own, tuple(found)
        number = self._awaiting_index.setdefault(waiting, len(self.awaiting))
        if number == len(self.awaiting):
            self.awaiting.append(waiting)
        return own, number

    # ------------------------------------------------------------ states

    def intern(self, held: Held) -> State:
        """The state that holds this."""
        state = self._state_index.get(held)
        if state is None:
            state = self._state_index[held] = State(self, len(self.states), held)
            self.states.append(state)
        return state

    def numbers(self, held: Held) -> list[int]:
        """Of the vectors of a state."""
        return [number for number, _ in held] if self.keep_all else [packed >> BITS for packed in held]

    def faced(self, held: Held) -> Face:
        """The vectors of a state with their scores, in order."""
        every = self.vectors.every
        if not self.keep_all:
            return tuple(sorted((every[n >> BITS], ((n & MASK) - ZERO,)) for n in held))
        return tuple(sorted((every[n], tuple(self.least + s for s in scores_in(bits))) for n, bits in held))

    def step(self, held: Held, letter: int) -> tuple[State, int]:
        """(next state, score added) after reading a letter."""
        if not self.keep_all:
            return self._best_step(held, letter)
        sums, (least, steps) = self.vectors.sums, self._every_step(letter)
        reached: dict[int, int] = {}
        known = reached.get
        for number, scores in held:
            with_it = sums[number]
            for added, points in steps:
                total = with_it[added]
                if total is not None:
                    bits = known(total, 0)
                    for more in points:
                        bits |= scores << more
                    reached[total] = bits
        if self.cap is None:
            lowest = min((bits & -bits for bits in reached.values()), default=1).bit_length() - 1
            found = [(number, bits >> lowest) for number, bits in reached.items()]
            return self.intern(tuple(sorted(found))), (lowest + least if found else 0)
        top = self.cap - self.least
        found = [(number, cut(bits >> -least, top)) for number, bits in reached.items()]
        return self.intern(tuple(sorted(found))), 0

    def _every_step(self, letter: int) -> tuple[int, list[tuple[int, list[int]]]]:
        """What a letter adds: the least score, or 0, and numbers of vectors with their scores above it."""
        known: tuple[int, list[tuple[int, list[int]]]] | None = self._steps.get(letter)
        if known is None:
            face = self.letters[letter]
            least = min((0, *(points for _, points in face)))
            above = [
                (self.vectors.number(vector), [points - least for _, points in own])
                for vector, own in groupby(face, itemgetter(0))
            ]
            known = self._steps[letter] = least, above
        return known

    def _best_step(self, held: Held, letter: int) -> tuple[State, int]:
        """The same where of each vector only the best score counts."""
        best: dict[int, int] = {}
        sums, known, steps = self.vectors.sums, best.get, self._steps.get(letter)
        if steps is None:
            number = self.vectors.number
            steps = self._steps[letter] = [(number(v), points) for v, points in self.letters[letter]]
        for packed in held:
            with_it, above = sums[packed >> BITS], packed & MASK
            for added, points in steps:
                total = with_it[added]
                if total is not None and known(total, 0) < above + points:
                    best[total] = above + points
        lowest, cap = 0, self.cap
        if cap is None:
            lowest = min(best.values(), default=ZERO) - ZERO
            found = [(number << BITS) + score - lowest for number, score in best.items()]
        else:
            top = cap + ZERO
            found = [(number << BITS) + (score if score < top else top) for number, score in best.items()]
        found.sort()
        return self.intern(tuple(found)), lowest

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

    def ends(self, state: State) -> tuple[int, ...]:
        """A number for every vector and score of the complete arrangements a final state stands for."""
        whole = self.vectors.whole
        if not self.keep_all:
            return tuple([packed for packed in state.held if whole[packed >> BITS]])
        own = [(number, bits) for number, bits in state.held if whole[number]]
        return tuple([(n << BITS) + ZERO + self.least + s for n, bits in own for s in scores_in(bits)])

    def end(self, number: int) -> tuple[Vector, int]:
        """The vector and the score, as `finals` gives them."""
        vector = self.vectors.every[number >> BITS]
        if self.asked is not None:
            width = len(self.final_dims)
            vector = (*vector[:width], *(vector[width + i] for i in self.asked))
        return vector, (number & MASK) - ZERO

    def finals(self, state: State, score: int) -> list[tuple[Vector, int]]:
        """(vector, score) of the complete arrangements a final state stands for, in order."""
        every = sorted({self.end(number) for number in self.ends(state)})
        found = every if self.keep_all or self.asked is None else dict(every).items()
        return [(vector, score + own) for vector, own in found]

    # ------------------------------------------------------------ back to melds

    def arrangement(
        self, rows: Sequence[Row], trace: list[tuple[State, int]], vector: Vector, score: int
    ) -> tuple[tuple[int, ...], int | None]:
        """The canonical melds (sorted) and the last tile's meld of an arrangement with this outcome.

        Canonical: the smallest melds in the last component, then in the one before, and so on.
        """
        self._keep_few()
        melds: list[int] = []
        last_in: int | None = None
        state, total = trace[-1]
        place, above = _place(state, vector), score - total
        for row, (before, base) in zip(reversed(rows), reversed(trace[:-1]), strict=True):
            key = (before.index, row.index, place, above)
            known = self._back.get(key)
            if known is None:
                end = state.face[place][0]
                known = self._back[key] = self._step_back(before, row, end, above + total - base)
            option, place, above = known
            melds += option.melds
            if option.last_in is not None:
                last_in = option.last_in
            state, total = before, base
        melds.sort()
        return tuple(melds), last_in

    def _step_back(self, before: State, row: Row, vector: Vector, score: int) -> tuple[Option, int, int]:
        """The canonical option of the row that ends in this, and where it starts: a place in the face of
        the state before, and the score above that state's lowest, as `score` is.

        Whatever stands in a face is reached, so no choice leads nowhere.
        """
        for option in sorted(row.options, key=order):
            rest = score - option.score
            for place, (earlier, scores) in enumerate(before.face):
                if rest in scores and self.maker.add(earlier, option.vector) == vector:
                    return option, place, rest
        raise AssertionError("no way back")

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


def _place(state: State, vector: Vector) -> int:
    """Where a vector stands in the face of a state."""
    return next(i for i, (known, _) in enumerate(state.face) if known == vector)


def _renamed(option: Option, names: dict[int, int]) -> Option:
    melds = tuple(sorted(names[m] for m in option.melds))
    last_in = None if option.last_in is None else names[option.last_in]
    return Option(option.vector, option.score, melds, last_in)


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
    for kind, origin, wild in regroupable(game, hand):
        loose.setdefault(owner[kind], []).append(Loose(kind, origin, False, wild))
    if hand.last is not None and not hand.last_wild:
        kind, origin = hand.last
        loose.setdefault(owner[kind], []).append(Loose(kind, origin, True))
    for tiles in loose.values():
        tiles.sort(key=loose_order)
    for entries in laid.values():
        entries.sort(key=laid_order)
    return loose, laid
