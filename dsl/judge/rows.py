"""Rows: for one component and the tiles held in it, every way to group them.

A row is the automaton's letter. Most hands meet only rows of plain concealed tiles; exposed melds, tiles
with another origin and the last tile make rows of their own, computed when they first occur. Components
that look alike (the same melds, prices and conditions under another name) share their computation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..core.hand import Laid
from ..core.model import ORIGINS, Game, Meld
from .alike import Likeness, Turn, likeness, turns
from .probes import LastProbe, LocalProbe, Probe, SumProbe, combine, features_of, measure

ANY = frozenset(ORIGINS)
Vector = tuple[int, ...]
Counts = tuple[int, ...]


class Loose(NamedTuple):
    """A free tile that is not just one of the concealed ones."""

    kind: int
    origin: str | None
    last: bool


class RowKey(NamedTuple):
    """What is held in one component."""

    component: int
    counts: Counts
    """Concealed tiles of the hand's own origin, one number per kind of the component."""
    loose: tuple[Loose, ...] = ()
    laid: tuple[Laid, ...] = ()


class Option(NamedTuple):
    """One way to group the tiles of a row: its vector, its score, and the melds."""

    vector: Vector
    score: int
    melds: tuple[int, ...]
    last_in: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """The options of a row, best first for equal vectors; `letter` is the same for rows that count alike."""

    key: RowKey
    options: tuple[Option, ...]
    letter: int
    index: int


Grouping = tuple[tuple[int, ...], int]
"""(melds sorted, the meld of the last tile or -1)."""
Outcome = tuple[Vector, int, int]
"""Sums over melds, score, and the type of the meld that holds the last tile (-1: none does)."""
Groupings = dict[Outcome, Grouping]
"""Each outcome to the canonical grouping that has it."""


Own = tuple[tuple[int, str | None], ...]
"""Tiles of an exposed meld: (kind, origin)."""
Filling = tuple[Counts, frozenset[int]]
"""Concealed tiles that are needed, and which loose tiles are used."""


class Stay(NamedTuple):
    """One way for the exposed melds of a component to stand at the end."""

    melds: tuple[int, ...]
    added: tuple[Vector, int]
    """What they add: sums and score."""
    need: Counts
    """Concealed tiles they grow by."""
    loose: tuple[Loose, ...]
    """Loose tiles they leave."""
    grown: int | None
    """The meld that grew by the last tile."""


class RowMaker:
    """Computes options. `shape` bounds what melds may add up to; melds beyond it never occur."""

    def __init__(self, game: Game, shape: tuple[int, ...], probes: tuple[Probe, ...], scored: bool) -> None:
        self.game = game
        self.shape = shape
        self.probes = probes
        self.scored = scored and bool(game.scores)
        self.dims = tuple(i for i, n in enumerate(shape) if n)
        self.bounds = tuple(shape[d] for d in self.dims)
        self.summed = self._summed()
        self.added = [self._added(m) for m in game.melds]
        self.fits = [all(g <= s for g, s in zip(m.type.gives, shape, strict=True)) for m in game.melds]
        """Per meld whether it can stand in the shape at all."""
        usable = [self.fits[m.id] and not m.type.laid_only for m in game.melds]
        growth = game.growth
        self.growth = [[g for g in growth.get(m.id, ()) if self.fits[g.id]] for m in game.melds]
        self.by_kind: list[list[Meld]] = [[] for _ in game.kinds]
        for meld in game.melds:
            if usable[meld.id]:
                for kind, _ in meld.counts:
                    self.by_kind[kind].append(meld)
        self.plain = [all(game.hand_origin in s.origins for s in m.slots) for m in game.melds]
        self.places = {k: i for part in game.components for i, k in enumerate(part)}
        self.usable = tuple(usable)
        last_types = frozenset[int]().union(*(p.types for p in probes if isinstance(p, LastProbe)))
        self.holding = [m.type.index if m.type.index in last_types else -1 for m in game.melds]
        """Per meld its type if a question is asked about the last tile lying in it."""
        self._memo: dict[tuple[int, Counts, tuple[Loose, ...]], Groupings] = {}
        self._vectors: dict[tuple[int, Vector, int], Vector | None] = {}
        self._sums: dict[tuple[int, ...], tuple[Vector, int]] = {}
        self._filled: dict[tuple[int, tuple[Loose, ...], Own], list[Filling]] = {}
        self._standing: dict[tuple[tuple[Laid, ...], tuple[Loose, ...]], tuple[Stay, ...]] = {}
        self._totals: dict[tuple[Vector, Vector], Vector | None] = {}

    @cached_property
    def alike(self) -> Likeness:
        """For each component the first one like it, and that one's melds by this one's names."""
        return likeness(self.game, self.usable, self.probes, self.scored)

    def turns(self, component: int) -> list[Turn]:
        """Ways to rename the faces of a component that leave its rows as they are."""
        return turns(self.game, component, self.usable, self.probes, self.scored)

    def _summed(self) -> list[tuple[int, ...]]:
        """Weights of everything that adds up over the melds of a component besides the shape."""
        found = [p.weights for p in self.probes if isinstance(p, SumProbe)]
        for probe in self.probes:
            if isinstance(probe, LocalProbe):
                found += [f.weights for _, formula in probe.formulas for f in features_of(formula)]
        return list(dict.fromkeys(found))

    def _added(self, meld: Meld) -> tuple[Vector, int]:
        """What a meld adds: units per dimension and sums, and its score."""
        units = tuple(meld.type.gives[d] for d in self.dims)
        points = (meld.prices[0].points or 0) if self.scored else 0
        return units + tuple(w[meld.id] for w in self.summed), points

    # ------------------------------------------------------------ options

    def options(self, key: RowKey) -> tuple[Option, ...]:
        """Every distinct (vector, score) with its canonical melds, vectors sorted, best score first."""
        best: dict[tuple[Vector, int], Grouping] = {}
        for (sums, score, held), grouping in self._groupings(key).items():
            vector = self.vector(key.component, sums, held)
            if vector is not None:
                known = best.get((vector, score))
                if known is None or grouping < known:
                    best[vector, score] = grouping
        return tuple(
            Option(vector, score, melds, None if last < 0 else last)
            for (vector, score), (melds, last) in sorted(best.items(), key=lambda p: (p[0][0], -p[0][1]))
        )

    def outcomes(self, key: RowKey) -> set[tuple[Vector, int]]:
        """The (vector, score) of every option, without the melds: what a letter is made of."""
        found = set()
        for sums, score, held in self._outcomes(key):
            vector = self.vector(key.component, sums, held)
            if vector is not None:
                found.add((vector, score))
        return found

    def _outcomes(self, key: RowKey) -> Iterator[Outcome]:
        if not key.laid:
            yield from self._covers(key.component, key.counts, key.loose)
            return
        for rest, stay in self._stays(key):
            more, points = stay.added
            for sums, score, held in self._covers(key.component, rest, stay.loose):
                total = tuple(map(int.__add__, sums, more))
                yield total, score + points, held if stay.grown is None else self.holding[stay.grown]

    def _stays(self, key: RowKey) -> Iterator[tuple[Counts, Stay]]:
        """Each way the exposed melds can stand that the concealed tiles suffice for, and what is left."""
        for stay in self._exposed(key.component, key.laid, key.loose):
            rest = tuple(map(int.__sub__, key.counts, stay.need))
            if min(rest) >= 0:
                yield rest, stay

    def _exposed(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> tuple[Stay, ...]:
        """Each way to leave exposed melds as they are or let them grow, as if tiles were plenty."""
        known = self._standing.get((laid, loose))
        if known is None:
            known = tuple(
                Stay(melds, self._together(melds), need, left, grown)
                for melds, need, left, grown in self._grown(component, list(laid), loose)
            )
            self._standing[laid, loose] = known
        return known

    def _together(self, laid: tuple[int, ...]) -> tuple[Vector, int]:
        """What several melds add."""
        known = self._sums.get(laid)
        if known is None:
            added = [self.added[m] for m in laid]
            total = tuple(map(sum, zip(*(sums for sums, _ in added), strict=True)))
            known = self._sums[laid] = (total, sum(points for _, points in added))
        return known

    def _groupings(self, key: RowKey) -> Groupings:
        if not key.laid:
            return self._covers(key.component, key.counts, key.loose)
        found: Groupings = {}
        for rest, (laid, (more, points), _, loose, grown) in self._stays(key):
            for (sums, score, held), (melds, last) in self._covers(key.component, rest, loose).items():
                total = tuple(map(int.__add__, sums, more))
                whole = (tuple(sorted((*laid, *melds))), last if grown is None else grown)
                now_held = held if grown is None else self.holding[grown]
                _keep(found, (total, score + points, now_held), whole)
        return found

    def vector(self, component: int, sums: Vector, held: int) -> Vector | None:
        """Sums over the melds of a component as the probes see them; None beyond the shape."""
        key = (component, sums, held)
        if key not in self._vectors:
            self._vectors[key] = self._seen(component, sums, held)
        return self._vectors[key]

    def _seen(self, component: int, sums: Vector, held: int) -> Vector | None:
        width = len(self.bounds)
        if any(s > b for s, b in zip(sums, self.bounds, strict=False)):
            return None
        lookup = dict(zip(self.summed, sums[width:], strict=True))
        return (*sums[:width], *(measure(p, component, lookup, held) for p in self.probes))

    def add(self, left: Vector, right: Vector) -> Vector | None:
        """Two vectors together, None when a dimension of the shape overflows."""
        pair = (left, right)
        if pair not in self._totals:
            self._totals[pair] = self._sum(left, right)
        return self._totals[pair]

    def _sum(self, left: Vector, right: Vector) -> Vector | None:
        width = len(self.bounds)
        sums = [a + b for a, b in zip(left[:width], right[:width], strict=True)]
        if any(s > b for s, b in zip(sums, self.bounds, strict=True)):
            return None
        probed = zip(self.probes, left[width:], right[width:], strict=True)
        return (*sums, *(combine(p, a, b) for p, a, b in probed))

    # ------------------------------------------------------------ covering tiles

    def _covers(self, component: int, counts: Counts, loose: tuple[Loose, ...]) -> Groupings:
        """All ways to group the free tiles, one canonical grouping for each outcome."""
        key = (component, counts, loose)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._cover(component, counts, loose)
        return known

    def _cover(self, component: int, counts: Counts, loose: tuple[Loose, ...]) -> Groupings:
        if not loose and not any(counts):
            width = len(self.bounds) + len(self.summed)
            return {((0,) * width, 0, -1): ((), -1)}
        part = self.game.components[component]
        first = loose[0].kind if loose else part[next(i for i, n in enumerate(counts) if n)]
        found: Groupings = {}
        for meld in self.by_kind[first]:
            more, points = self.added[meld.id]
            for rest, left, holds_last in self._taken(meld, counts, loose):
                for (sums, score, held), (melds, last) in self._covers(component, rest, left).items():
                    total = tuple(a + b for a, b in zip(sums, more, strict=True))
                    if any(t > b for t, b in zip(total, self.bounds, strict=False)):
                        continue
                    grouping = (tuple(sorted((meld.id, *melds))), meld.id if holds_last else last)
                    now_held = self.holding[meld.id] if holds_last else held
                    _keep(found, (total, score + points, now_held), grouping)
        return found

    def _taken(
        self, meld: Meld, counts: Counts, loose: tuple[Loose, ...]
    ) -> Iterator[tuple[Counts, tuple[Loose, ...], bool]]:
        """Each way to fill the meld, the first loose tile in it: what is left, does it hold the last."""
        if not loose:
            if self.plain[meld.id]:
                after = list(counts)
                for kind, number in meld.counts:
                    after[self.places[kind]] -= number
                if min(after) >= 0:
                    yield tuple(after), (), False
            return
        for need, used in self._needs(meld, loose, ()):
            rest = tuple(map(int.__sub__, counts, need))
            if 0 in used and min(rest) >= 0:
                left = tuple(t for i, t in enumerate(loose) if i not in used)
                yield rest, left, any(loose[i].last for i in used)

    def _needs(self, meld: Meld, loose: tuple[Loose, ...], own: Own) -> list[Filling]:
        """Ways to fill the slots, all of `own` in them, as if tiles were plenty: what of the others goes in."""
        key = (meld.id, loose, own)
        known = self._filled.get(key)
        if known is None:
            known = self._filled[key] = self._fill(meld, loose, own)
        return known

    def _fill(self, meld: Meld, loose: tuple[Loose, ...], own: Own) -> list[Filling]:
        part = self.game.components[self.game.component_of[meld.tiles[0]]]
        found: dict[tuple[Counts, tuple[Loose, ...]], Filling] = {}

        def fill(index: int, need: Counts, used: frozenset[int], own_left: Own) -> None:
            if index == len(meld.slots):
                if not own_left:
                    found.setdefault((need, tuple(loose[i] for i in sorted(used))), (need, used))
                return
            slot = meld.slots[index]
            for tile in dict.fromkeys(own_left):
                if tile[0] == slot.kind and (tile[1] is None or tile[1] in slot.origins):
                    i = own_left.index(tile)
                    fill(index + 1, need, used, own_left[:i] + own_left[i + 1 :])
            if len(own_left) > len(meld.slots) - index - 1:
                return
            if self.game.hand_origin in slot.origins:
                place = self.places[slot.kind]
                fill(index + 1, (*need[:place], need[place] + 1, *need[place + 1 :]), used, own_left)
            for i, loose_tile in enumerate(loose):
                if i not in used and loose_tile.kind == slot.kind and _fits(loose_tile.origin, slot.origins):
                    fill(index + 1, need, used | {i}, own_left)

        fill(0, (0,) * len(part), frozenset(), own)
        return list(found.values())

    def _grown(
        self, component: int, laid: list[Laid], loose: tuple[Loose, ...]
    ) -> Iterator[tuple[tuple[int, ...], Counts, tuple[Loose, ...], int | None]]:
        """Melds after growing (成), the concealed tiles that takes, loose tiles left, who holds the last."""
        if not laid:
            yield (), (0,) * len(self.game.components[component]), loose, None
            return
        first, *others = laid
        kinds = self.game.melds[first.meld].tiles
        own = tuple(zip(kinds, first.origins, strict=True))
        for rest, need, free, grown in self._grown(component, others, loose):
            if self.fits[first.meld]:
                yield (first.meld, *rest), need, free, grown
            for larger in self.growth[first.meld]:
                for more, used in self._needs(larger, free, own):
                    unused = tuple(t for i, t in enumerate(free) if i not in used)
                    held = any(free[i].last for i in used)
                    total = tuple(map(int.__add__, need, more))
                    yield (larger.id, *rest), total, unused, larger.id if held else grown


def _keep(found: Groupings, outcome: Outcome, grouping: Grouping) -> None:
    known = found.get(outcome)
    if known is None or grouping < known:
        found[outcome] = grouping


def order(option: Option) -> tuple[tuple[int, ...], int]:
    """Canonical order of options that count alike."""
    return option.melds, -1 if option.last_in is None else option.last_in


def _fits(origin: str | None, allowed: frozenset[str]) -> bool:
    """Unknown origins of free tiles fit only where any origin does."""
    return origin in allowed if origin is not None else allowed == ANY
