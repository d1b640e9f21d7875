"""Rows: for one component and the tiles held in it, every way to group them.

A row is the automaton's letter. Most hands meet only rows of plain concealed tiles; exposed melds, tiles
with another origin and the last tile make rows of their own, computed when they first occur. Components
that look alike (the same melds, prices and conditions under another name) share their computation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import combinations_with_replacement, repeat

from ..core.formulas import features
from ..core.hand import Laid, stands_of
from ..core.model import OWN, WILD, Game, Meld
from .alike import Likeness, Turn, likeness, turns
from .fillings import Fillings
from .marks import NONE
from .packed import Packed
from .probes import AlikeProbe, LastProbe, LocalProbe, Probe, SumProbe, groupings, measure

# isort: off
from .row_parts import (
    ANY as ANY,
    NO_WILDS as NO_WILDS,
    Counts as Counts,
    Filling as Filling,
    Grouping as Grouping,
    Groupings as Groupings,
    Grown as Grown,
    Loose as Loose,
    Option as Option,
    Outcome as Outcome,
    Own as Own,
    Row as Row,
    RowKey as RowKey,
    Stay as Stay,
    Vector as Vector,
    Way as Way,
    WORKED_OUT as WORKED_OUT,
    WAYS as WAYS,
    Wilds as Wilds,
    fits as fits,
)
from .sweep import Sweeps
from .usable import usable_melds
from .vectors import Vectors
# isort: on


class RowMaker:
    """Computes options. `shape` bounds what melds may add up to; melds beyond it never occur.

    `wilds`, the wild tiles of the hand, is one more such bound, and so is where a wild last tile lies.
    `mark` is the face of which the hand has the marked tile, if it has one at all.
    """

    def __init__(
        self,
        game: Game,
        shape: tuple[int, ...],
        probes: tuple[Probe, ...],
        scored: bool,
        wilds: Wilds = NO_WILDS,
        mark: int | None = None,
    ) -> None:
        self.game = game
        self.shape = shape
        self.wilds = wilds
        self.probes = probes
        self.groupings = groupings(game)
        """What breaks 摆法: rows have no option in which it is 1."""
        self.scored = scored and bool(game.scores)
        self.dims = tuple(i for i, n in enumerate(shape) if n)
        self.bounds = (*(shape[d] for d in self.dims), *wilds.bounds)
        self.summed = self._summed()
        self.limits = self._limits()
        self.added = self._added()
        self.melds = melds = usable_melds(game, shape, wilds, mark)
        self.fits, self.usable, self.plain = melds.fits, melds.usable, melds.plain
        self.by_kind, self.places = melds.by_kind, melds.places
        self.marks, self.stands, self.barred = melds.marks, melds.stands, melds.barred
        self._way = melds.ways
        asked = frozenset[int]().union(*(p.types for p in probes if isinstance(p, LastProbe)))
        self.holding = [m.type.index if m.type.index in asked else -1 for m in game.melds]
        self.alike_told = max((p.cap for p in probes if isinstance(p, AlikeProbe)), default=0)
        """Up to this number tiles like the last one are told apart."""
        self.vectors = Vectors(self.bounds, self.probes)
        self._turns: dict[int, list[Turn]] = {}
        self._forget()
        self.sweeps = Sweeps(self)
        """The large components, kind by kind."""

    def _forget(self) -> None:
        """Begin with nothing worked out but how melds can be filled, which the game keeps."""
        self._memo: dict[tuple[int, Counts, tuple[Loose, ...], int | None], Groupings] = {}
        self._vectors: dict[tuple[int, Vector, int, int], Vector | None] = {}
        self._sums: dict[tuple[int, ...], tuple[Vector, int]] = {}
        self._wild_only: dict[int, Groupings] = {}
        self._growths: dict[tuple[tuple[Laid, ...], tuple[Loose, ...]], tuple[Grown, ...]] = {}
        self._filled = self.game.memo.of("fillings", lambda: Fillings(self.game))
        self._standing: dict[tuple[tuple[Laid, ...], tuple[Loose, ...]], tuple[Stay, ...]] = {}
        self._around_mark: dict[tuple[Loose, ...], list[tuple[Way, int]]] = {}
        self.packed = Packed(self)

    def keep_few(self, most: int | None = None) -> None:
        """Begin anew when it is too much: what lies exposed and loose in long play is countless."""
        known = len(self._memo) + len(self._vectors) + len(self._sums) + len(self._growths)
        ways = WAYS * len(self._way)
        if known + ways + len(self._standing) + len(self.packed) > (WORKED_OUT if most is None else most):
            self._way.clear()
            self._forget()

    @cached_property
    def alike(self) -> Likeness:
        """For each component the first one like it, and that one's melds by this one's names."""
        return likeness(self.game, self.usable, (*self.probes, *self.groupings), self.scored)

    def turns(self, component: int) -> list[Turn]:
        """Ways to rename the faces of a component that leave its rows as they are."""
        known = self._turns.get(component)
        if known is None:
            probes = (*self.probes, *self.groupings)
            known = self._turns[component] = turns(self.game, component, self.usable, probes, self.scored)
        return known

    def _summed(self) -> list[tuple[int, ...]]:
        """Weights of everything that adds up over the melds of a component besides the shape."""
        found = [p.weights for p in self.probes if isinstance(p, SumProbe)]
        for probe in (*self.probes, *self.groupings):
            if isinstance(probe, LocalProbe):
                found += [f.weights for _, formula in probe.formulas for f in features(formula)]
        return list(dict.fromkeys(found))

    def _limits(self) -> dict[int, list[tuple[tuple[int, ...], int]]]:
        """Per component how often its faces may be represented; for that it is counted like a question."""
        found: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        if self.game.wild is None or not self.game.wild.within or not self.wilds.number:
            return found
        for kind, (face, weights) in enumerate(zip(self.game.kinds, _represented(self.game), strict=True)):
            found.setdefault(self.game.component_of[kind], []).append((weights, face.copies))
            if weights not in self.summed:
                self.summed.append(weights)
        return found

    def _added(self) -> list[tuple[Vector, int]]:
        """What each meld adds: units per dimension and sums, and its score."""
        melds = self.game.melds
        columns = [[m.type.gives[d] for m in melds] for d in self.dims]
        columns += [[m.wilds for m in melds], [0] * len(melds)][: len(self.wilds.bounds)]
        points = [(m.prices[0].points or 0) if self.scored else 0 for m in melds]
        vectors = (
            zip(*columns, *self.summed, strict=True) if columns or self.summed else repeat((), len(melds))
        )
        return list(zip(vectors, points, strict=True))

    # ------------------------------------------------------------ options

    def options(self, key: RowKey) -> tuple[Option, ...]:
        """Every distinct (vector, score) with its canonical melds, vectors sorted, best score first."""
        self.keep_few()
        best: dict[tuple[Vector, int], Grouping] = {}
        alike = self.alike_last(key.counts, key.loose)
        for (sums, score, held), grouping in self._groupings(key).items():
            vector = self.vector(key.component, sums, held, alike)
            if vector is not None:
                known = best.get((vector, score))
                if known is None or grouping < known:
                    best[vector, score] = grouping
        return tuple(
            Option(vector, score, melds, None if last < 0 else last)
            for (vector, score), (melds, last) in sorted(best.items(), key=lambda p: (p[0][0], -p[0][1]))
        )

    def outcomes(self, key: RowKey, best: bool = False, cap: int | None = None) -> set[tuple[Vector, int]]:
        """The (vector, score) of every option, without the melds: what a letter is made of.

        `best`: only the best score of a vector is wanted. `cap`: from there on scores are alike.
        """
        self.keep_few()
        found = set()
        alike = self.alike_last(key.counts, key.loose)
        for sums, score, held in self._outcomes(key, best, cap):
            vector = self.vector(key.component, sums, held, alike)
            if vector is not None:
                found.add((vector, score))
        return found

    def _outcomes(self, key: RowKey, best: bool, cap: int | None) -> Iterator[Outcome]:
        if key.wild is None and not self.stands:
            yield from self._natural_outcomes(key, best, cap)
        elif self._stands_told(key):
            for made, stands, placed in self._made(key):
                for outcome in self._natural_outcomes(made, best, cap):
                    yield self._stood(outcome, stands, placed)
        else:
            yield from self.packed.stood(key.component, key.counts, key.loose, key.wild)

    def _stands_told(self, key: RowKey) -> bool:
        """Does it matter which tiles are wild ones that stand for others, but for what these add?"""
        if key.laid or self.marks.face is not None or not self.game.wild_free:
            return True
        return any(tile.wild for tile in key.loose) or self._bars(key)

    def _bars(self, key: RowKey) -> bool:
        """Can the tiles make melds that wild ones may not lie in?"""
        origins = {self.game.hand_origin, key.wild or self.game.hand_origin, *(t.origin for t in key.loose)}
        return self.barred.made_of(origins)

    def _natural_outcomes(self, key: RowKey, best: bool, cap: int | None) -> Iterator[Outcome]:
        if self._holds_mark(key):
            yield from self._marked_outcomes(key)
            return
        if not key.laid:
            yield from self.covered(key.component, key.counts, key.loose, best, cap)
            return
        for rest, stay in self._stays(key):
            more, points = stay.added
            for sums, score, held in self.covered(key.component, rest, stay.loose, best, cap):
                total = tuple(map(int.__add__, sums, more))
                yield total, score + points, held if stay.grown is None else self.holding[stay.grown]

    def _made(self, key: RowKey) -> Iterator[tuple[RowKey, tuple[int, ...], bool]]:
        """Rows of natural tiles that the wild ones make of this, the stands, and is the last one here."""
        stands = self.stands.get(key.component, ())
        laid = [s for entry in key.laid for s in stands_of(self.game, entry)]
        laid += [s.id for t in key.loose if t.wild for s in stands if s.tiles[0] == t.kind]
        for number in range(self.wilds.number - len(laid) + 1):
            for chosen in combinations_with_replacement(stands, number):
                made = self._stood_in(key, chosen)
                ids = (*laid, *(s.id for s in chosen))
                yield made, ids, False
                if key.wild in OWN:
                    for stand in stands if number + len(laid) < self.wilds.number else ():
                        last = Loose(stand.tiles[0], key.wild, True, True)
                        yield made._replace(loose=(*made.loose, last)), (*ids, stand.id), True
        if key.wild is not None and not self.game.wild_free:
            made = key._replace(wild=None, loose=(*key.loose, Loose(WILD, key.wild, True)))
            yield made, (), True

    def _stood_in(self, key: RowKey, stands: tuple[Meld, ...]) -> RowKey:
        """The row with concealed tiles in place of wild ones, kept apart where a meld may not have those."""
        if self.barred and (key.laid or self._bars(key)):
            more = tuple(Loose(s.tiles[0], self.game.hand_origin, False, True) for s in stands)
            return key._replace(wild=None, loose=(*key.loose, *more))
        counts = list(key.counts)
        for stand in stands:
            counts[self.places[stand.tiles[0]]] += 1
        return key._replace(wild=None, counts=tuple(counts))

    def _stood(self, outcome: Outcome, stands: tuple[int, ...], placed: bool) -> Outcome:
        """The outcome with what the stands add, and the wild last tile if it lies here."""
        sums, score, held = outcome
        if stands:
            sums = tuple(map(int.__add__, sums, self._together(stands)[0]))
        if placed:
            place = len(self.bounds) - 1
            sums = (*sums[:place], 1, *sums[place + 1 :])
        return sums, score, held

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
            known = tuple(self._stay(*grown) for grown in self._grown(component, laid, loose))
            self._standing[laid, loose] = known
        return known

    def _stay(self, melds: tuple[int, ...], need: Counts, left: tuple[Loose, ...], grown: int | None) -> Stay:
        melds, grown = self.marks.renamed(melds, grown)
        return Stay(melds, self._together(melds), need, left, grown)

    def _together(self, laid: tuple[int, ...]) -> tuple[Vector, int]:
        """What several melds add."""
        known = self._sums.get(laid)
        if known is None:
            added = [self.added[m] for m in laid]
            total = tuple(map(sum, zip(*(sums for sums, _ in added), strict=True)))
            known = self._sums[laid] = (total, sum(points for _, points in added))
        return known

    def _groupings(self, key: RowKey) -> Groupings:
        if key.wild is None and not self.stands:
            return self._natural_groupings(key)
        found: Groupings = {}
        for made, stands, placed in self._made(key):
            for outcome, (melds, last) in self._natural_groupings(made).items():
                _keep(found, self._stood(outcome, stands, placed), (tuple(sorted((*melds, *stands))), last))
        return found

    def _natural_groupings(self, key: RowKey) -> Groupings:
        if self._holds_mark(key):
            return self._marked_groupings(key)
        if not key.laid:
            return self.covers(key.component, key.counts, key.loose)
        found: Groupings = {}
        for rest, (laid, (more, points), _, loose, grown) in self._stays(key):
            for (sums, score, held), (melds, last) in self.covers(key.component, rest, loose).items():
                total = tuple(map(int.__add__, sums, more))
                whole = (tuple(sorted((*laid, *melds))), last if grown is None else grown)
                now_held = held if grown is None else self.holding[grown]
                _keep(found, (total, score + points, now_held), whole)
        return found

    # ------------------------------------------------------------ the marked tile

    def _holds_mark(self, key: RowKey) -> bool:
        """Is the marked tile among those of the row?"""
        if (
            self.marks.face is None
            or self.marks.every
            or self.game.component_of[self.marks.face] != key.component
        ):
            return False
        laid = any(slot.tile == self.marks.face for e in key.laid for slot in self.game.melds[e.meld].slots)
        return (
            laid
            or bool(key.counts[self.places[self.marks.face]])
            or any(t.kind == self.marks.face for t in key.loose)
        )

    def _marked_groupings(self, key: RowKey) -> Groupings:
        """As without the mark, but that one meld has it, and none in which it would be worth more."""
        found: Groupings = {}
        for rest, stay, ceiling in self._marked_stays(key):
            self._keep_marked(found, key, rest, stay, ceiling)
        return found

    def _marked_outcomes(self, key: RowKey) -> Iterator[Outcome]:
        """The same without the melds."""
        for rest, stay, ceiling in self._marked_stays(key):
            more, points = self._together(stay.melds)
            for sums, score, held in self.packed.outcomes(key.component, rest, stay.loose, ceiling):
                total = tuple(map(int.__add__, sums, more))
                yield total, score + points, held if stay.grown is None else self.holding[stay.grown]

    def _marked_stays(self, key: RowKey) -> Iterator[tuple[Counts, Stay, int]]:
        """The tiles besides exposed melds and the one with the mark, these, and what it is worth in that."""
        for rest, stay in self._stays(key):
            most = max((self.marks.gain[m] for m in stay.melds if m in self.marks.gain), default=NONE)
            for melds, grown in self._marked_laid(stay, most):
                yield rest, stay._replace(melds=melds, grown=grown), most
            for way, worth in self._marked_ways(stay.loose):
                if worth >= most:
                    left = tuple(map(int.__sub__, rest, way.need))
                    if min(left) >= 0:
                        yield left, self._with(stay, way), worth

    def _marked_ways(self, loose: tuple[Loose, ...]) -> list[tuple[Way, int]]:
        """Ways to fill a meld that has the mark, with any loose tiles or none, and what it is worth there."""
        known = self._around_mark.get(loose)
        if known is None:
            melds = [meld for meld in self.marks.melds.values() if self.usable[meld.id]]
            ways = ((way, meld) for meld in melds for way in self._taken(meld, loose, first=False))
            known = self._around_mark[loose] = [(way, self.marks.gain[meld.base or 0]) for way, meld in ways]
        return known

    def _marked_laid(self, stay: Stay, most: int) -> Iterator[tuple[tuple[int, ...], int | None]]:
        """The exposed melds with the mark in one where it is worth most, and the one that grew last."""
        for base in dict.fromkeys(stay.melds):
            if base in self.marks.gain and self.marks.gain[base] == most:
                marked = self.marks.melds[base].id
                rest = list(stay.melds)
                rest.remove(base)
                whole = tuple(sorted((*rest, marked)))
                if stay.grown != base or base in rest:
                    yield whole, stay.grown
                if stay.grown == base:
                    yield whole, marked

    def _with(self, stay: Stay, way: Way) -> Stay:
        """A further meld beside those that lie exposed."""
        melds = tuple(sorted((*stay.melds, way.meld)))
        last = way.meld if way.holds_last else stay.grown
        return Stay(melds, stay.added, stay.need, way.left, last)

    def _keep_marked(self, found: Groupings, key: RowKey, rest: Counts, stay: Stay, ceiling: int) -> None:
        """What the other tiles can make besides, without a meld in which the mark would be worth more."""
        more, points = self._together(stay.melds)
        covers = self.covers(key.component, rest, stay.loose, ceiling)
        for (sums, score, held), (melds, last) in covers.items():
            total = tuple(map(int.__add__, sums, more))
            whole = (tuple(sorted((*stay.melds, *melds))), last if stay.grown is None else stay.grown)
            now_held = held if stay.grown is None else self.holding[stay.grown]
            _keep(found, (total, score + points, now_held), whole)

    # ------------------------------------------------------------ vectors

    def vector(self, component: int, sums: Vector, held: int, alike: int = 0) -> Vector | None:
        """Sums over the melds of a component as the probes see them; None beyond the shape.

        `alike`: see `alike_last`.
        """
        key = (component, sums, held, alike)
        if key not in self._vectors:
            self._vectors[key] = self._seen(component, sums, held, alike)
        return self._vectors[key]

    def alike_last(self, counts: Counts, loose: tuple[Loose, ...]) -> int:
        """How many of the concealed tiles are like the last one, if that lies here and anybody asks."""
        if not self.alike_told:
            return 0
        return next((counts[self.places[t.kind]] for t in loose if t.last and t.kind != WILD), 0)

    def _seen(self, component: int, sums: Vector, held: int, alike: int) -> Vector | None:
        width = len(self.bounds)
        if any(s > b for s, b in zip(sums, self.bounds, strict=False)):
            return None
        plain, known = sums[width:], self._sum_places
        if any(plain[known(weights)] > most for weights, most in self.limits.get(component, ())):
            return None

        def lookup(weights: tuple[int, ...]) -> int:
            return plain[known(weights)]

        if any(measure(broken, component, lookup, held) for broken in self.groupings):
            return None
        return (*sums[:width], *(measure(p, component, lookup, held, alike) for p in self.probes))

    @cached_property
    def _sum_places(self) -> Callable[[tuple[int, ...]], int]:
        """Where among the sums that of weights is. Those of probes are as long as the game has melds: each is
        hashed once."""
        places, known = {weights: i for i, weights in enumerate(self.summed)}, dict[int, int]()
        kept: list[tuple[int, ...]] = []

        def place(weights: tuple[int, ...]) -> int:
            found = known.get(id(weights))
            if found is None:
                kept.append(weights)  # so that nothing else gets its id
                found = known[id(weights)] = places[weights]
            return found

        return place

    def add(self, left: Vector, right: Vector) -> Vector | None:
        """Two vectors together, None when a dimension of the shape overflows."""
        return self.vectors.add(left, right)

    # ------------------------------------------------------------ covering tiles

    def covers(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], ceiling: int | None = None
    ) -> Groupings:
        """All ways to group the free tiles, one canonical grouping for each outcome.

        `ceiling`: the most that the mark, which lies elsewhere, would be worth in one of the melds.
        """
        key = (component, counts, loose, ceiling)
        known = self._memo.get(key)
        if known is None:
            known = self.sweeps.groupings(component, counts, loose)
        if known is None:
            known = self._memo[key] = self._cover(component, counts, loose, ceiling)
        return known

    def covered(
        self,
        component: int,
        counts: Counts,
        loose: tuple[Loose, ...],
        best: bool = False,
        cap: int | None = None,
    ) -> Iterable[Outcome]:
        """The outcomes of `covers`; `best` and `cap` as for `outcomes`."""
        swept = self.sweeps.outcomes(component, counts, loose, best, cap)
        return self.packed.outcomes(component, counts, loose) if swept is None else swept

    def _cover(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], ceiling: int | None
    ) -> Groupings:
        if not loose and not any(counts):
            return self.all_wild(component)
        part = self.game.components[component]
        first = loose[0].kind if loose else part[next(i for i, n in enumerate(counts) if n)]
        found: Groupings = {}
        for meld, need, left, holds_last in self.ways(component, first, loose):
            rest = tuple(map(int.__sub__, counts, need))
            if min(rest) < 0 or (ceiling is not None and self.marks.gain.get(meld, ceiling) > ceiling):
                continue
            more, points = self.added[meld]
            for (sums, score, held), (melds, last) in self.covers(component, rest, left, ceiling).items():
                total = tuple(map(int.__add__, sums, more))
                if any(t > b for t, b in zip(total, self.bounds, strict=False)):
                    continue
                grouping = (tuple(sorted((meld, *melds))), meld if holds_last else last)
                now_held = self.holding[meld] if holds_last else held
                _keep(found, (total, score + points, now_held), grouping)
        return found

    def all_wild(self, component: int) -> Groupings:
        """Ways to make melds of concealed wild tiles alone, the one without any among them."""
        if component not in self._wild_only:
            nothing = (0,) * (len(self.bounds) + len(self.summed))
            found: Groupings = {(nothing, 0, -1): ((), -1)}
            melds = [m for m in self.by_kind.get((component, WILD), ()) if not m.counts and self.plain[m.id]]
            for meld in melds:
                more, points = self.added[meld.id]
                for (sums, score, held), (chosen, last) in list(found.items()):
                    total, grown = sums, chosen
                    while True:
                        total = tuple(map(int.__add__, total, more))
                        if any(t > b for t, b in zip(total, self.bounds, strict=False)):
                            break
                        grown, score = (*grown, meld.id), score + points
                        _keep(found, (total, score, held), (grown, last))
            self._wild_only[component] = found
        return self._wild_only[component]

    def ways(self, component: int, first: int, loose: tuple[Loose, ...]) -> tuple[Way, ...]:
        """Each way to fill a meld with the first loose tile in it, or, without loose ones, of this kind."""
        key = (component, first, loose)
        known = self._way.get(key)
        if known is None:
            melds = self.by_kind.get((component, first), ())
            known = self._way[key] = tuple(way for meld in melds for way in self._taken(meld, loose))
        return known

    def _taken(self, meld: Meld, loose: tuple[Loose, ...], first: bool = True) -> Iterator[Way]:
        """Ways to fill the meld, with the first loose tile if there is one; or with any of them, or none."""
        if (first and meld.id not in self._filled.holders[loose[0]]) if loose else not self.plain[meld.id]:
            return
        for need, used in self.needs(meld, loose, ()):
            if 0 in used or not loose or not first:
                left = tuple([t for i, t in enumerate(loose) if i not in used])
                yield Way(meld.id, need, left, any(loose[i].last for i in used))

    def needs(self, meld: Meld, loose: tuple[Loose, ...], own: Own) -> list[Filling]:
        """Ways to fill the slots, all of `own` in them, as if tiles were plenty: what else goes in."""
        return self._filled.needs(meld, loose, own)

    def _grown(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> tuple[Grown, ...]:
        """Each way to leave exposed melds as they are or let them grow (成) by concealed and loose tiles."""
        known = self._growths.get((laid, loose))
        if known is None:
            if not laid:  # of any component, so it is not kept
                return (((), (0,) * len(self.game.components[component]), loose, None),)
            known = self._growths[laid, loose] = tuple(self._growing(component, laid, loose))
        return known

    def _growing(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> Iterator[Grown]:
        first, *others = laid
        kinds = (slot.tile for slot in self.game.melds[first.meld].slots)
        own = tuple(zip(kinds, first.origins, strict=True))
        for rest, need, free, grown in self._grown(component, tuple(others), loose):
            if self.fits[first.meld]:
                yield (first.meld, *rest), need, free, grown
            for larger in self.melds.growth[first.meld]:
                if first.stands and self.game.bars(larger):
                    continue
                for more, used in self.needs(larger, free, own):
                    unused = tuple(t for i, t in enumerate(free) if i not in used)
                    held = any(free[i].last for i in used)
                    total = tuple(map(int.__add__, need, more))
                    yield (larger.id, *rest), total, unused, larger.id if held else grown


def _represented(game: Game) -> list[tuple[int, ...]]:
    """Per face how often each meld represents it, worked out once."""

    def find() -> list[tuple[int, ...]]:
        faces = range(len(game.kinds))
        return [tuple(sum(s.kind == kind for s in m.slots) for m in game.melds) for kind in faces]

    return game.memo.of("represented", find)


def _keep(found: Groupings, outcome: Outcome, grouping: Grouping) -> None:
    known = found.get(outcome)
    if known is None or grouping < known:
        found[outcome] = grouping


def order(option: Option) -> tuple[tuple[int, ...], int]:
    """Canonical order of options that count alike."""
    return option.melds, -1 if option.last_in is None else option.last_in
