"""The situations of a large component under two rulesets, read kind by kind.

What `SituationMaker` goes through one by one, exposed melds and a last tile included, is too much where many
kinds hang together. Here both automata read it as a sweep does: at each kind the melds that lie exposed from
there on, perhaps the last tile, and the concealed tiles. Situations that lead both into the same states,
with as many tiles, are one from then on, and the plainest of them is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..core.limits import HEAVIEST, MOST, check_holdings, too_many_states
from .automaton import Automaton
from .roads import swept
from .row_parts import Counts, Loose
from .situations import NO_LAST, SOURCES, Letter, Order, Shared, Situation, SituationMaker
from .sweep import Sweep, SweepState, rows_of

At = tuple[SweepState, int] | None
"""A state of the sweep and the score added so far; None: nothing can be grouped."""
Sizes = tuple[int, int]
"""Tiles of a hand that count, per game."""


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


class Move(NamedTuple):
    """Tiles of one kind that are not exposed, and where they lead."""

    number: int
    """Concealed ones."""
    mark: int
    """One more than the place of the `Mark` that lies there, 0: none."""
    copies: int
    tiles: Sizes
    left: At
    right: At


class Read(NamedTuple):
    """What has been read of a component; what else there is to read goes on from it alike."""

    tiles: Sizes
    last: int
    """0: it has not been here; else one more than the place of its `Mark`."""
    free: Counts
    """Copies of the kinds ahead that do not lie exposed, in the order of the sweep."""
    left: At
    right: At


Layer = dict[Read, Order]
"""With the plainest situation that is read so."""


def letters(maker: SituationMaker, component: int, sizes: Sizes) -> list[Letter]:
    """All letters of a component with no more tiles than that, simplest first. Raises `TooLarge`."""
    key = maker.reading(component), sizes
    if key not in maker.known:
        maker.known[key] = _letters(maker, component, sizes)
    return maker.known[key]


def _letters(maker: SituationMaker, component: int, sizes: Sizes) -> list[Letter]:
    reading = Reading(maker, component, sizes)
    if reading.possible:
        return reading.letters()
    check_holdings(rows_of(maker.deck, component))
    return maker.letters(component)


class Reading:
    """A component as both automata of a maker read it, kind by kind."""

    def __init__(self, maker: SituationMaker, component: int, sizes: Sizes) -> None:
        self.maker = maker
        self.component = component
        self.sizes = sizes
        self.part = maker.left.game.components[component]
        self.choices = maker.choices(component)

    @cached_property
    def possible(self) -> bool:
        """Do both automata sweep the component, and can every exposed meld and last tile be told there?"""
        automata = (self.maker.left, self.maker.right)
        if any(self.component not in a.maker.sweeps.large or a.maker.alike_told for a in automata):
            return False
        if any(one.freed for one in self.choices):
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
        start = Read((0, 0), 0, self._copies, (self.sides[0].start, 0), (self.sides[1].start, 0))
        layer: Layer = {start: (0, (), (0,) * len(self.part), NO_LAST)}
        load = 0
        for turn in range(len(self.part)):
            load += _weight(layer)
            if load > HEAVIEST:
                raise too_many_states()
            layer = self._after(layer, turn)
        return self._lettered(layer)

    def _after(self, layer: Layer, turn: int) -> Layer:
        """The layer after one kind more."""
        after: Layer = {}
        place, known = self.sides[0].order[turn], dict[tuple[At, At], list[Move]]()
        for read, (cost, pairs, counts, last) in self._laid(layer, turn).items():
            states, most, free = (read.left, read.right), read.free[0], read.free[1:]
            if states not in known:
                known[states] = list(self._moves(*states, turn))
            for number, mark, copies, more, left, right in known[states]:
                tiles = read.tiles[0] + more[0], read.tiles[1] + more[1]
                if copies <= most and not (mark and read.last) and self._fits(tiles):
                    here = (*counts[:place], -number, *counts[place + 1 :])
                    at = (place, self.marks[mark - 1].sources[0]) if mark else last
                    now = Read(tiles, read.last or mark, free, left, right)
                    _keep(after, now, (cost + number * number, pairs, here, at))
            if len(after) > MOST:
                raise too_many_states()
        return after

    def _laid(self, layer: Layer, turn: int) -> Layer:
        """The layer with the melds that lie exposed from this kind on."""
        after: Layer = {}
        known: dict[tuple[At, At], list[tuple[At, At]]] = {}
        for read, (cost, pairs, counts, last) in layer.items():
            states = read.left, read.right
            if states not in known:
                known[states] = [self._lying(*states, laying.melds) for laying in self.layings[turn]]
            for laying, (left, right) in zip(self.layings[turn], known[states], strict=True):
                tiles = read.tiles[0] + laying.tiles[0], read.tiles[1] + laying.tiles[1]
                free = tuple(map(int.__sub__, read.free, laying.takes[turn:]))
                if (left or right) and min(free) >= 0 and self._fits(tiles):
                    lying = tuple(sorted((*pairs, *((a.id, b.id, o) for a, b, o in laying.melds))))
                    now = Read(tiles, read.last, free, left, right)
                    _keep(after, now, (cost + laying.cost, lying, counts, last))
        return after

    def _lying(self, left: At, right: At, melds: tuple[Shared, ...]) -> tuple[At, At]:
        """Both states when these melds lie exposed."""
        for shared in melds:
            left = _lay(self.sides[0], left, shared.left.id)
            right = _lay(self.sides[1], right, shared.right.id)
        return left, right

    def _moves(self, left: At, right: At, turn: int) -> Iterator[Move]:
        """With tiles of the kind, as if no other copies of it lay elsewhere."""
        kind, most = self.part[self.sides[0].order[turn]], self._copies[turn]
        for mark in range(len(self.marks) if most else 0, -1, -1):
            counted = [int(mark > 0 and not a.game.on_top) for a in (self.maker.left, self.maker.right)]
            for number in range(most - (mark > 0) + 1):
                ats = [self._step(side, at, number, kind, mark) for side, at in enumerate((left, right))]
                if any(ats):
                    tiles = counted[0] + number, counted[1] + number
                    yield Move(number, mark, number + (mark > 0), tiles, *ats)

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

    def _fits(self, tiles: Sizes) -> bool:
        return tiles[0] <= self.sizes[0] and tiles[1] <= self.sizes[1]

    # ------------------------------------------------------------ letters

    def _lettered(self, layer: Layer) -> list[Letter]:
        found: dict[tuple[Sizes, int, Sizes], Order] = {}
        nothing = tuple(a.lettered(()) for a in (self.maker.left, self.maker.right))
        for read, order in layer.items():
            rows = (self._row(self.maker.left, read.left), self._row(self.maker.right, read.right))
            if rows != nothing:
                for source in self.marks[read.last - 1].sources if read.last else (-1,):
                    key = (read.tiles, source + 1, rows)
                    own = order if source < 0 else (*order[:3], (order[3][0], source))
                    found[key] = min(own, found.get(key, own))
        return [
            Letter(*key, order[0], _situation(order))
            for key, order in sorted(found.items(), key=lambda item: (item[1], item[0]))
        ]

    def _row(self, automaton: Automaton, at: At) -> int:
        outcomes = () if at is None else automaton.sweep(self.component).outcomes(*at)
        return automaton.lettered_so(self.component, outcomes)


def _keep(layer: Layer, read: Read, order: Order) -> None:
    known = layer.get(read)
    if known is None or order < known:
        layer[read] = order


def _both(one: Laying, other: Laying) -> Laying:
    takes = tuple(map(int.__add__, one.takes, other.takes))
    tiles = one.tiles[0] + other.tiles[0], one.tiles[1] + other.tiles[1]
    return Laying((*one.melds, *other.melds), takes, tiles, one.cost + other.cost)


def _lay(sweep: Sweep, at: At, meld: int) -> At:
    if at is None:
        return None
    reached, added = sweep.lay(at[0], meld)
    return (reached, at[1] + added) if reached.face else None


def _weight(layer: Layer) -> int:
    """Unfinished groupings in all states of a layer."""
    sides = zip(*((read.left, read.right) for read in layer), strict=True)
    return sum(state.size for side in sides for state in {at[0]: None for at in side if at is not None})


def _situation(order: Order) -> Situation:
    _, pairs, counts, (place, source) = order
    return Situation(pairs, tuple(-n for n in counts), None if place < 0 else (place, SOURCES[source]))
