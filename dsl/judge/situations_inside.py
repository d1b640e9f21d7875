"""The situations of a large component under two rulesets, read kind by kind.

What `SituationMaker` goes through one by one, exposed melds and a last tile included, is too much where many
kinds hang together. Here both automata read it as a sweep does: at each kind the melds that lie exposed from
there on, perhaps the last tile, and the concealed tiles. Situations that lead both into the same states,
with as many tiles, are one from then on, and the plainest of them is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.limits import HEAVIEST, MOST, TooLarge, check_holdings, too_many_states
from .automaton import Automaton
from .grid import Ints, different, mixed
from .numbered import Numbered
from .roads import swept
from .row_parts import Counts, Loose
from .situations import SOURCES, Letter, Order, Shared, Situation, SituationMaker
from .sweep import Sweep, SweepState, rows_of

At = tuple[SweepState, int] | None
"""A state of the sweep and the score added so far; None: nothing can be grouped."""
Steps = Callable[[int, At, int], Iterable[At]]
"""Where a state of a side gets at a turn, choice by choice."""
Sizes = tuple[int, int]
"""Tiles of a hand that count, per game."""
Bools = npt.NDArray[np.bool_]


class Mark(NamedTuple):
    """A last tile as both automata see it."""

    sources: tuple[int, ...]
    """Indices in `SOURCES` of the origins that neither tells apart."""
    stand_ins: tuple[str, str]


class Laying(NamedTuple):
    """Melds that lie exposed and begin at one kind of the sweep."""

    melds: tuple[Shared, ...]
    takes: Counts
    """Copies of each kind, in the order of the sweep."""
    tiles: Sizes
    cost: int


class Layer(NamedTuple):
    """What has been read of a component, and the plainest situation that is read so: a row of each for it."""

    read: Ints
    """(n, 6): states of both sides by number, copies of the kinds ahead that do not lie exposed as one
    number, tiles of both, and 0 or one more than the place of the `Mark` that has been here."""
    plain: Ints
    """(n, 4): cost, exposed melds by number, concealed tiles as one number, and 0 or where the mark lies."""


LEFT, RIGHT, FREE, TILES, MARK = 0, 1, 2, slice(3, 5), 5
COST, MELDS, HELD, AT = range(4)
RANK = 24
"""Bits for a place in an order; there are never as many rows."""
FITTING = 1 << 57
"""Ways to hold tiles that still fit into a number, beside where the last one lies."""
CHUNK = 4_000_000
"""Rows that are put together at a time."""


def letters(maker: SituationMaker, component: int, sizes: Sizes) -> list[Letter]:
    """All letters of a component with no more tiles than that, simplest first. Raises `TooLarge`."""
    key = maker.reading(component), sizes
    found: list[Letter] = maker.known.of(key, lambda: _letters(maker, component, sizes))
    return found


def check(maker: SituationMaker, component: int, sizes: Sizes) -> None:
    """Raise `TooLarge` where the situations have to be gone through one by one and are too many."""
    _inside(maker, component, sizes)


def _letters(maker: SituationMaker, component: int, sizes: Sizes) -> list[Letter]:
    reading = _inside(maker, component, sizes)
    return maker.letters(component) if reading is None else reading.letters()


def _inside(maker: SituationMaker, component: int, sizes: Sizes) -> Reading | None:
    """What reads a component that is large, or in which too much can lie; None where one by one will do."""
    reading = Reading(maker, component, sizes)
    if reading.large and reading.possible:
        return reading
    try:
        check_holdings(rows_of(maker.deck, component))
        maker.exposures(component)
    except TooLarge:
        if reading.large or not reading.possible:
            raise
        return reading
    return None


class Reading:
    """A component as both automata of a maker read it, kind by kind."""

    def __init__(self, maker: SituationMaker, component: int, sizes: Sizes) -> None:
        self.maker = maker
        self.component = component
        self.sizes = sizes
        self.part = maker.left.game.components[component]
        self.choices = sorted(maker.choices(component), key=lambda one: (one.left.id, one.right.id))
        self.exposed: Numbered[tuple[int, ...]] = Numbered()
        """Exposed melds, each by its place among the choices; none first."""
        self.exposed.number(())

    @property
    def large(self) -> bool:
        """Do both automata sweep the component whatever is asked?"""
        return all(self.component in a.maker.sweeps.large for a in self.maker.sides)

    @cached_property
    def possible(self) -> bool:
        """Can both automata sweep the component, and every exposed meld and last tile be told there?"""
        automata = self.maker.sides
        if any(self.component not in a.maker.sweeps.able or a.maker.alike_told for a in automata):
            return False
        if any(one.freed for one in self.choices) or rows_of(self.maker.deck, self.component) > FITTING:
            return False
        melds = ((a, m) for one in self.choices for a, m in zip(automata, (one.left, one.right), strict=True))
        grown = (a.maker.melds.growth[m.id] for a, m in melds)
        return not any(grown) and self.sides[0].order == self.sides[1].order and self._marks_fit()

    def _marks_fit(self) -> bool:
        return all(
            sweep.like_concealed(Loose(kind, origin, True)) is not None
            for mark in self.marks
            for sweep, origin in zip(self.sides, mark.stand_ins, strict=True)
            for kind in self.part
        )

    @cached_property
    def sides(self) -> tuple[Sweep, Sweep]:
        return self.maker.left.sweep(self.component), self.maker.right.sweep(self.component)

    @cached_property
    def marks(self) -> list[Mark]:
        """Origins of a last tile, those together that neither automaton tells apart."""
        left, right = self.maker.stand_ins
        found: dict[tuple[str, str], list[int]] = {}
        for index, source in enumerate(self.maker.sources):
            found.setdefault((left[source], right[source]), []).append(index)
        return [Mark(tuple(sources), names) for names, sources in found.items()]

    # ------------------------------------------------------------ exposed melds

    @cached_property
    def layings(self) -> list[list[Laying]]:
        """Per kind of the sweep every choice of exposed melds that begin there, none first."""
        copies = self._copies
        begun: list[list[Shared]] = [[] for _ in copies]
        for shared in self.choices:
            begun[next(i for i, n in enumerate(self._takes(shared)) if n)].append(shared)
        return [list(self._laying(melds, copies)) for melds in begun]

    @property
    def _copies(self) -> Counts:
        return tuple(self.maker.deck.kinds[self.part[place]].copies for place in self.sides[0].order)

    def _takes(self, shared: Shared) -> Counts:
        counts = dict(shared.left.counts)
        return tuple(counts.get(self.part[place], 0) for place in self.sides[0].order)

    def _laying(self, melds: Sequence[Shared], free: Counts) -> Iterator[Laying]:
        """Each choice of the melds, one as often as it can lie."""
        nothing = (0,) * len(free)
        if not melds:
            yield Laying((), nothing, (0, 0), 0)
            return
        first, *others = melds
        takes, size = self._takes(first), len(first.left.tiles)
        one = Laying(
            (first,),
            takes,
            (size - first.left.type.extra, size - first.right.type.extra),
            2 + sum(n * n for n in takes),
        )
        chosen = Laying((), nothing, (0, 0), 0)
        while min(map(int.__sub__, free, chosen.takes)) >= 0:
            rest = tuple(map(int.__sub__, free, chosen.takes))
            yield from (_both(chosen, more) for more in self._laying(others, rest))
            chosen = _both(chosen, one)

    # ------------------------------------------------------------ reading

    def letters(self) -> list[Letter]:
        """The letters of what both automata end in. Raises `TooLarge`."""
        swept()
        starts = [known.number((side.start, 0)) for known, side in zip(self.ats, self.sides, strict=True)]
        layer = Layer(np.array([[*starts, self._code(self._copies), 0, 0, 0]]), np.zeros((1, 4), np.int64))
        load = 0
        for turn in range(len(self.part)):
            load += self._weight(layer)
            if load > HEAVIEST:
                raise too_many_states()
            layer = self._after(self._laid(layer, turn), turn)
            if len(layer.read) > MOST:
                raise too_many_states()
        return self._lettered(layer)

    @cached_property
    def ats(self) -> tuple[Numbered[At], Numbered[At]]:
        """What either side has met, None first."""
        found = Numbered[At](), Numbered[At]()
        for known in found:
            known.number(None)
        return found

    @cached_property
    def weights(self) -> Counts:
        """What a copy of each kind counts in the number that stands for copies of all."""
        rooms = [n + 1 for n in self._copies]
        return tuple(prod(rooms[i + 1 :]) for i in range(len(rooms)))

    @cached_property
    def places(self) -> Counts:
        """The same for concealed tiles, first those that come first in the deck."""
        rooms = [n + 1 for n in self._by_place(self._copies)]
        return tuple(prod(rooms[place + 1 :]) for place in self.sides[0].order)

    def _by_place(self, told: Counts) -> Counts:
        """What is told of each kind as the sweep reads them, in the order of the deck."""
        return tuple(number for _, number in sorted(zip(self.sides[0].order, told, strict=True)))

    def _code(self, copies: Counts) -> int:
        return sum(map(int.__mul__, copies, self.weights))

    def _weight(self, layer: Layer) -> int:
        """Unfinished groupings in all states of a layer."""
        states = (np.unique(layer.read[:, side]).tolist() for side in (LEFT, RIGHT))
        ats = [[known[n] for n in own] for known, own in zip(self.ats, states, strict=True)]
        return sum(state.size for side in ats for state in {at[0]: None for at in side if at is not None})

    def _laid(self, layer: Layer, turn: int) -> Layer:
        """The layer with the melds that lie exposed from this kind on."""
        sides = [self._stepped(side, layer, turn, self._lying) for side in (LEFT, RIGHT)]
        free = [self._free(layer, later) for later in range(len(self.part))]
        melds, blocks = np.unique(layer.plain[:, MELDS]), []
        for choice, laying in enumerate(self.layings[turn]):
            room = [own >= taken for own, taken in zip(free, laying.takes, strict=True) if taken]
            read = self._moved(layer, sides, choice, self._code(laying.takes), laying.tiles)
            way = self._alive(read, room)
            plain = layer.plain[way]
            plain[:, COST] += laying.cost
            if laying.melds:
                plain[:, MELDS] = self._exposed(melds, laying)[np.searchsorted(melds, plain[:, MELDS])]
            blocks.append(Layer(read[way], plain))
        return self._plainest(blocks)

    def _lying(self, side: int, at: At, turn: int) -> Iterator[At]:
        """A state with each choice of melds that lie exposed from a kind on."""
        for laying in self.layings[turn]:
            now = at
            for shared in laying.melds:
                now = _lay(self.sides[side], now, (shared.left, shared.right)[side].id)
            yield now

    def _exposed(self, numbers: Ints, laying: Laying) -> Ints:
        """The melds of each number, and these."""
        more = [self.choices.index(shared) for shared in laying.melds]
        found = (self.exposed.number(tuple(sorted((*self.exposed[n], *more)))) for n in numbers.tolist())
        return np.fromiter(found, np.int64, len(numbers))

    def _after(self, layer: Layer, turn: int) -> Layer:
        """The layer after one kind more."""
        sides = [self._stepped(side, layer, turn, self._moves) for side in (LEFT, RIGHT)]
        free, here, blocks = self._free(layer, turn), self.weights[turn], []
        for choice, (mark, number) in enumerate(self._ways(turn)):
            counted = [number + int(mark > 0 and not a.game.on_top) for a in self.maker.sides]
            read = self._moved(layer, sides, choice, free * here, counted)
            room = [free >= number + (mark > 0)]
            way = self._alive(read, [*room, layer.read[:, MARK] == 0] if mark else room)
            plain = layer.plain[way]
            plain[:, COST] += number * number
            plain[:, HELD] += number * self.places[turn]
            if mark:
                read[:, MARK] = mark
                plain[:, AT] = self.sides[0].order[turn] + 1
            blocks.append(Layer(read[way], plain))
        return self._plainest(blocks)

    def _ways(self, turn: int) -> list[tuple[int, int]]:
        """Which mark lies at a kind (0: none), and concealed tiles of it, as if none lay elsewhere."""
        most = self._copies[turn]
        marks = range(len(self.marks) + 1 if most else 1)
        return [(mark, number) for mark in marks for number in range(most - (mark > 0) + 1)]

    def _moves(self, side: int, at: At, turn: int) -> Iterator[At]:
        kind = self.part[self.sides[0].order[turn]]
        return (self._step(side, at, number, kind, mark) for mark, number in self._ways(turn))

    def _step(self, side: int, at: At, number: int, kind: int, mark: int) -> At:
        sweep = self.sides[side]
        if at is None:
            return None
        loose: tuple[Loose, ...] = ()
        if mark:
            tile = Loose(kind, self.marks[mark - 1].stand_ins[side], True)
            if sweep.like_concealed(tile):
                number += 1
            else:
                loose = (tile,)
        reached, added = sweep.step(at[0], number, loose)
        return (reached, at[1] + added) if reached.face else None

    # ------------------------------------------------------------ rows

    def _stepped(self, side: int, layer: Layer, turn: int, steps: Steps) -> Ints:
        """Where each state of a side gets, choice by choice: a row for each row of the layer."""
        known = self.ats[side]
        states, place = np.unique(layer.read[:, side], return_inverse=True)
        found = [[known.number(at) for at in steps(side, known[n], turn)] for n in states.tolist()]
        return np.array(found, np.int64)[place.reshape(-1)]

    def _moved(
        self, layer: Layer, sides: Sequence[Ints], choice: int, takes: int | Ints, tiles: Sequence[int]
    ) -> Ints:
        """What has been read once a choice is made everywhere, be there copies for it or not."""
        read = layer.read.copy()
        for side, reached in enumerate(sides):
            read[:, side] = reached[:, choice]
        read[:, FREE] -= takes
        read[:, TILES] += tiles
        return read

    def _alive(self, read: Ints, room: Sequence[Bools]) -> Ints:
        """Rows that can be: a side goes on from there, there are copies, and not too many tiles."""
        alive = (read[:, LEFT] > 0) | (read[:, RIGHT] > 0)
        alive &= (read[:, TILES] <= self.sizes).all(axis=1)
        for enough in room:
            alive &= enough
        return np.flatnonzero(alive)

    def _free(self, layer: Layer, turn: int) -> Ints:
        """Copies of a kind that do not lie exposed."""
        found: Ints = layer.read[:, FREE] // self.weights[turn] % (self._copies[turn] + 1)
        return found

    def _plainest(self, blocks: Sequence[Layer]) -> Layer:
        """The rows of all blocks, of those that are read alike the plainest one."""
        pending: list[Layer] = []
        for block in blocks:
            pending.append(block)
            if sum(len(own.read) for own in pending) > CHUNK:
                pending = [self._least(pending)]
        return self._least(pending)

    def _least(self, blocks: Sequence[Layer]) -> Layer:
        read, plain = (np.concatenate(columns) for columns in zip(*blocks, strict=True))
        keys = mixed(read) @ mixed(np.arange(1, read.shape[1] + 1))
        rows, place = different(read, keys)
        used = sorted(np.unique(plain[:, MELDS]).tolist(), key=self.exposed.every.__getitem__)
        rank = np.zeros(len(self.exposed), np.int64)
        rank[used] = np.arange(len(used))
        held = np.unique(plain[:, AT] - plain[:, HELD] * (len(self.part) + 1), return_inverse=True)[1]
        order = (plain[:, COST] << 2 * RANK) + (rank[plain[:, MELDS]] << RANK) + held.reshape(-1)
        least = np.full(len(rows), np.iinfo(np.int64).max)
        np.minimum.at(least, place, order)
        kept = np.flatnonzero(order == least[place])
        return Layer(read[kept], plain[kept])

    # ------------------------------------------------------------ letters

    def _lettered(self, layer: Layer) -> list[Letter]:
        found: dict[tuple[Sizes, int, Sizes], Order] = {}
        nothing = tuple(a.lettered(()) for a in self.maker.sides)
        rows = [self._rows(side, layer.read[:, side]) for side in (LEFT, RIGHT)]
        read, every = layer.read.tolist(), layer.plain.tolist()
        for (*_, one, other, mark), plain, *own in zip(read, every, *rows, strict=True):
            if tuple(own) != nothing:
                for source in self.marks[mark - 1].sources if mark else (-1,):
                    key = ((one, other), source + 1, (own[0], own[1]))
                    order = self._order(plain, source)
                    found[key] = min(order, found.get(key, order))
        return [
            Letter(*key, order[0], _situation(order))
            for key, order in sorted(found.items(), key=lambda item: (item[1], item[0]))
        ]

    def _order(self, plain: Sequence[int], source: int) -> Order:
        cost, melds, held, at = plain
        lying = tuple((a.id, b.id, o) for a, b, o in (self.choices[i] for i in self.exposed[melds]))
        rooms = (n + 1 for n in self._by_place(self._copies))
        counts = (held // one % room for one, room in zip(self._by_place(self.places), rooms, strict=True))
        return cost, lying, tuple(-n for n in counts), (at - 1, source)

    def _rows(self, side: int, ats: Ints) -> list[int]:
        """The letters of states by number."""
        known, automaton = self.ats[side], self.maker.sides[side]
        states, place = np.unique(ats, return_inverse=True)
        letters = np.array([self._row(automaton, known[n]) for n in states.tolist()])
        found: list[int] = letters[place.reshape(-1)].tolist()
        return found

    def _row(self, automaton: Automaton, at: At) -> int:
        outcomes = () if at is None else automaton.sweep(self.component).outcomes(*at)
        return automaton.lettered_so(self.component, outcomes)


def _both(one: Laying, other: Laying) -> Laying:
    takes = tuple(map(int.__add__, one.takes, other.takes))
    tiles = one.tiles[0] + other.tiles[0], one.tiles[1] + other.tiles[1]
    return Laying((*one.melds, *other.melds), takes, tiles, one.cost + other.cost)


def _lay(sweep: Sweep, at: At, meld: int) -> At:
    if at is None:
        return None
    reached, added = sweep.lay(at[0], meld)
    return (reached, at[1] + added) if reached.face else None


def _situation(order: Order) -> Situation:
    _, pairs, counts, (place, source) = order
    return Situation(pairs, tuple(-n for n in counts), None if place < 0 else (place, SOURCES[source]))
