"""Covering the tiles of a large component kind by kind, instead of row by row.

Where many kinds hang together (both scripts of an eighty-card deck, all pips that add up to fourteen)
there are far too many rows to work out each by itself. A sweep reads how many tiles there are of one kind
after the other. Its states are sets of unfinished groupings: the tiles that melds begun so far still need
of kinds ahead, and what those melds come to. States are made when they are met and shared by all rows, as
those of the automaton over components are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import lcm, prod
from typing import TYPE_CHECKING, NamedTuple

from ..core.formulas import features
from .enough import Enough
from .probes import LocalProbe, SumProbe
from .row_parts import ANY, Counts, Grouping, Groupings, Loose, Outcome, Vector

if TYPE_CHECKING:
    from ..core.model import Game, Meld
    from .rows import RowMaker

BITS = 8
"""Room for the need of one kind; the top bit tells that it was exceeded."""
TOP = 1 << (BITS - 1)
LOW = (1 << BITS) - 1
PAIR = 16
"""Bytes of two numbers."""
MOST = 8_000_000
"""Unfinished groupings in all states of a sweep; with more of them it begins anew."""
FEW = 2_000
"""Components with more rows than this are swept."""


class Bundle(NamedTuple):
    """Melds that begin at one kind of the sweep, together."""

    ahead: int
    """What they need of later kinds, the next one in the lowest bits."""
    sums: Vector
    """What they add, then the type of the meld with the last tile plus one (0: none of interest)."""
    score: int
    melds: tuple[int, ...]
    last: int
    """The meld that holds the last tile, -1 for none."""


Grouped = tuple[int, Vector]
"""What the melds of an unfinished grouping need of kinds ahead, and their sums."""


class SweepState:
    """Unfinished groupings after some kinds, each with its score above the lowest."""

    __slots__ = ("face", "next", "place")

    def __init__(self, place: int, face: bytes) -> None:
        self.place = place
        """How many kinds have been read."""
        self.face = face
        """Pairs of numbers: which `Grouped`, and its score."""
        self.next: dict[tuple[int, tuple[Loose, ...]], tuple[SweepState, int]] = {}

    @property
    def size(self) -> int:
        """How many groupings."""
        return len(self.face) // PAIR


class Sweep:
    """One component of a maker, without wild tiles and without one marked tile of a face.

    `best`: of groupings that add up alike only the best score counts. `cap`: scores beyond it are alike.
    """

    def __init__(self, maker: RowMaker, component: int, best: bool = False, cap: int | None = None) -> None:
        self.maker = maker
        self.part = maker.game.components[component]
        self.cap = cap if min((points for _, points in maker.added), default=0) >= 0 else None
        self.best = best or not maker.scored
        self.relative = self.best and cap is None
        """Are the scores of a state those above its lowest?"""
        self.melds = _melds(maker, component)
        self.order = read_in(maker.game, component)
        """Places of the component's kinds, in the order in which they are read."""
        self.turn = {self.part[place]: at for at, place in enumerate(self.order)}
        self.begun: list[list[Meld]] = [[] for _ in self.part]
        for meld in self.melds:
            self.begun[min(self.turn[kind] for kind, _ in meld.counts)].append(meld)
        self.room = [self._room([maker.game.kinds[k].copies for k in self.part], i) for i in self._turns]
        self.widths = len(maker.bounds)
        self._nothing = (0,) * (len(maker.bounds) + len(maker.summed) + 1)
        self._bundles: dict[tuple[int, int, tuple[Loose, ...]], list[Bundle]] = {}
        self._letters: dict[tuple[int, int, tuple[Loose, ...]], list[tuple[int, Vector, int]]] = {}
        self._enough = Enough(maker, component, self.turn)
        self._totals: list[dict[Vector, dict[Vector, Vector | None]]] = [{} for _ in (*self.part, None)]
        """By the kind that was read; the last one where none is."""
        self._forget()
        self._same: dict[Loose, bool | None] = {}

    def _forget(self) -> None:
        """Begin anew without any states."""
        self._known: dict[tuple[int, bytes], SweepState] = {}
        self._numbers: dict[Grouped, int] = {}
        self._grouped_so: list[Grouped] = []
        self._size = 0
        self._lain: dict[tuple[SweepState, int], tuple[SweepState, int]] = {}
        self.start = self._intern(0, {(0, self._nothing): 0})

    @property
    def _turns(self) -> range:
        return range(len(self.part))

    @property
    def states(self) -> int:
        """How many have been met."""
        return len(self._known)

    def _room(self, most: Sequence[int], turn: int) -> int:
        """Per kind after this one what it lacks to the top bit when so many are needed."""
        later = (most[place] for place in self.order[turn + 1 :])
        return sum((TOP - 1 - n) << (BITS * i) for i, n in enumerate(later))

    @cached_property
    def _exceeded(self) -> int:
        return sum(TOP << (BITS * i) for i in self._turns)

    # ------------------------------------------------------------ loose tiles

    def settled(self, counts: Counts, loose: tuple[Loose, ...]) -> tuple[Counts, tuple[Loose, ...]] | None:
        """The same tiles with those that are like any concealed one among the counts.

        None when a meld tells a loose tile apart of which that is not the first kind: nothing is known then.
        """
        left = []
        now = list(counts)
        for tile in loose:
            same = self.like_concealed(tile)
            if same is None:
                return None
            if same:
                now[self.part.index(tile.kind)] += 1
            else:
                left.append(tile)
        return tuple(now), tuple(left)

    def like_concealed(self, tile: Loose) -> bool | None:
        """Does every meld take the tile like a concealed one? None: some meld begun before does not."""
        if tile not in self._same:
            here = [m for m in self.melds if any(kind == tile.kind for kind, _ in m.counts)]
            other = [m for m in here if not self._alike(m, tile)]
            early = any(min(self.turn[k] for k, _ in m.counts) < self.turn[tile.kind] for m in other)
            self._same[tile] = None if early or tile.wild else not other
        return self._same[tile]

    def _alike(self, meld: Meld, tile: Loose) -> bool:
        """Can the meld hold the tile just as it can a concealed one?"""
        game = self.maker.game
        for slot in meld.slots:
            if slot.kind == tile.kind:
                fits = slot.origins == ANY if tile.origin is None else tile.origin in slot.origins
                if fits is not (game.hand_origin in slot.origins):
                    return False
        return not tile.last or (self.maker.holding[meld.id] < 0 and game.can_hold_last(meld))

    # ------------------------------------------------------------ melds that begin at a kind

    def bundles(self, turn: int, number: int, loose: tuple[Loose, ...]) -> list[Bundle]:
        """Melds begun at a kind that take all of so many concealed tiles of it, and these loose ones."""
        key = (turn, number, loose)
        if key not in self._bundles:
            found: dict[tuple[int, Vector, int, int], Bundle] = {}
            self._bundle(turn, 0, number, loose, Bundle(0, self._nothing, 0, (), -1), found)
            self._bundles[key] = sorted(found.values())
        return self._bundles[key]

    def _bundle(
        self,
        turn: int,
        first: int,
        number: int,
        loose: tuple[Loose, ...],
        so_far: Bundle,
        found: dict[tuple[int, Vector, int, int], Bundle],
    ) -> None:
        """Bundles with further melds, none of those before the first one."""
        if not number and not loose:
            key = (so_far.ahead, so_far.sums, so_far.score, so_far.last)
            known = found.get(key)
            if known is None or so_far.melds < known.melds:
                found[key] = so_far
            return
        place = self.order[turn]
        for at, meld in enumerate(self.begun[turn][first:], first):
            for need, used in self.maker.needs(meld, loose, ()):
                taken = need[place]
                if taken <= number and (taken or used):
                    more = self._with(turn, so_far, meld, need, any(loose[i].last for i in used))
                    if more is not None:
                        left = tuple(t for i, t in enumerate(loose) if i not in used)
                        self._bundle(turn, at, number - taken, left, more, found)

    def _with(self, turn: int, bundle: Bundle, meld: Meld, need: Counts, last: bool) -> Bundle | None:
        """The bundle and one meld more, None where the shape or the deck has no room for both."""
        ahead = bundle.ahead + sum(
            need[place] << (BITS * i) for i, place in enumerate(self.order[turn + 1 :]) if need[place]
        )
        sums, points = self.maker.added[meld.id]
        held = self.maker.holding[meld.id] + 1 if last else 0
        total = tuple(map(int.__add__, bundle.sums, (*sums, held)))
        if (ahead + self.room[turn]) & self._exceeded or not self._within(total):
            return None
        melds = tuple(sorted((*bundle.melds, meld.id)))
        return Bundle(ahead, total, bundle.score + points, melds, meld.id if last else bundle.last)

    def _within(self, sums: Vector) -> bool:
        return all(map(int.__le__, sums[: self.widths], self.maker.bounds))

    # ------------------------------------------------------------ states

    def step(self, state: SweepState, number: int, loose: tuple[Loose, ...] = ()) -> tuple[SweepState, int]:
        """(next state, score added) with so many concealed tiles of the next kind, and loose ones."""
        known = state.next.get((number, loose))
        if known is None:
            known = state.next[number, loose] = self._step(state, number, loose)
        return known

    def _step(self, state: SweepState, number: int, loose: tuple[Loose, ...]) -> tuple[SweepState, int]:
        turn = state.place
        found: dict[Grouped, int] = {}
        room, exceeded, cap = self.room[turn], self._exceeded, self.cap
        for (needs, sums), score in self._groupings_of(state):
            totals, rest = self._totals[turn].setdefault(sums, {}), needs >> BITS
            for ahead, more, points in self._all_ways(turn, number, needs & LOW, loose):
                total = totals[more] if more in totals else self._total(turn, sums, more)
                if total is None or (rest + ahead + room) & exceeded:
                    continue
                key = (rest + ahead, total)
                worth = score + points
                if cap is not None and worth > cap:
                    worth = cap
                if found.get(key, -1 << 60) < worth:
                    found[key] = worth
        return self._lowered(turn + 1, found)

    def lay(self, state: SweepState, meld: int) -> tuple[SweepState, int]:
        """(state, score added) with a meld that lies exposed; no kind is read."""
        known = self._lain.get((state, meld))
        if known is None:
            sums, points = self.maker.added[self.maker.marks.named(meld)]
            more = self._kept((*sums, 0))
            if not self.best:
                more, points = (*more, points if self.cap is None else min(points, self.cap)), 0
            found: dict[Grouped, int] = {}
            for (needs, before), score in self._groupings_of(state) if self.maker.fits[meld] else ():
                totals = self._totals[-1].setdefault(before, {})
                total = totals[more] if more in totals else self._total(-1, before, more)
                if total is not None:
                    found[needs, total] = max(
                        found.get((needs, total), -1 << 60), self._worth(score + points)
                    )
            known = self._lain[state, meld] = self._lowered(state.place, found)
        return known

    def _worth(self, score: int) -> int:
        return score if self.cap is None else min(score, self.cap)

    def _lowered(self, place: int, found: dict[Grouped, int]) -> tuple[SweepState, int]:
        """The state of these groupings, and the lowest score taken off them."""
        lowest = min(found.values(), default=0) if self.relative else 0
        if lowest:
            found = {key: worth - lowest for key, worth in found.items()}
        return self._intern(place, found), lowest

    def _all_ways(
        self, turn: int, number: int, need: int, loose: tuple[Loose, ...]
    ) -> Iterator[tuple[int, Vector, int]]:
        """Ways to use the tiles of a kind of which melds begun before need so many."""
        for given in _given(loose, need):
            if number >= need - len(given):
                left = tuple(t for i, t in enumerate(loose) if i not in given)
                yield from self._light(turn, number - need + len(given), left)

    def _light(self, turn: int, number: int, loose: tuple[Loose, ...]) -> list[tuple[int, Vector, int]]:
        """Bundles without their melds; the score stands in the sums where every score counts."""
        key = (turn, number, loose)
        known = self._letters.get(key)
        if known is None:
            most: dict[tuple[int, Vector], int] = {}
            for bundle in self.bundles(turn, number, loose):
                sums, score = self._kept(bundle.sums), bundle.score
                if not self.best:
                    sums, score = (*sums, score if self.cap is None else min(score, self.cap)), 0
                at = (bundle.ahead, sums)
                most[at] = max(most.get(at, score), score)
            known = self._letters[key] = [(*at, score) for at, score in most.items()]
        return known

    def _total(self, turn: int, sums: Vector, more: Vector) -> Vector | None:
        plain = len(self.maker.bounds) + len(self.maker.summed) + 1
        total: Vector | None = tuple(map(int.__add__, sums[:plain], more[:plain]))
        if not self._within(total or ()):
            total = None
        elif total is not None:
            total = self._kept(total)
            if not self.best:
                score = more[plain] + (sums[plain] if len(sums) > plain else 0)
                total = (*total, score if self.cap is None else min(score, self.cap))
            if turn >= 0 and self._enough.bounds:
                total = self._enough.left(turn, total)
        self._totals[turn].setdefault(sums, {})[more] = total
        return total

    @cached_property
    def _told(self) -> list[tuple[int, int]]:
        """Per sum from where on (0: nowhere) all are alike, and modulo what it counts (0: nothing)."""
        return [_told(self.maker, weights) for weights in self.maker.summed]

    def _kept(self, sums: Vector) -> Vector:
        """Sums as far as probes tell them apart."""
        if not self._told:
            return sums
        width = len(self.maker.bounds)
        kept = (
            n % modulus if modulus else min(n, cap) if cap else n
            for n, (cap, modulus) in zip(sums[width:-1], self._told, strict=True)
        )
        return (*sums[:width], *kept, sums[-1])

    def _intern(self, place: int, groupings: dict[Grouped, int]) -> SweepState:
        numbers = self._numbers
        pairs = []
        for grouped, score in groupings.items():
            number = numbers.get(grouped)
            if number is None:
                number = numbers[grouped] = len(numbers)
                self._grouped_so.append(grouped)
            pairs.append((number, score))
        pairs.sort()
        face = array("q", [n for pair in pairs for n in pair]).tobytes()
        known = self._known.get((place, face))
        if known is None:
            known = self._known[place, face] = SweepState(place, face)
            self._size += len(pairs)
        return known

    def _groupings_of(self, state: SweepState) -> Iterator[tuple[Grouped, int]]:
        numbers = iter(memoryview(state.face).cast("q"))
        return ((self._grouped_so[number], score) for number, score in zip(numbers, numbers, strict=True))

    # ------------------------------------------------------------ whole rows

    def run(self, counts: Counts, loose: tuple[Loose, ...]) -> tuple[SweepState, int]:
        """(last state, score) of settled tiles."""
        if self._size > MOST:
            self._forget()
        state, score = self.start, 0
        for place in self.order:
            here = tuple(t for t in loose if t.kind == self.part[place]) if loose else ()
            known = state.next.get((counts[place], here))
            state, added = known if known is not None else self.step(state, counts[place], here)
            if not state.face:
                break
            score += added
        return state, score

    def outcomes(self, state: SweepState, score: int) -> Iterator[Outcome]:
        """What the groupings of a last state come to: sums as far as probes tell them apart."""
        plain = len(self.maker.bounds) + len(self.maker.summed)
        for (needs, sums), above in self._groupings_of(state):
            if not needs:
                worth = sums[-1] if not self.best and len(sums) > plain + 1 else above
                yield sums[:plain], score + worth, sums[plain] - 1

    def groupings(self, counts: Counts, loose: tuple[Loose, ...]) -> Groupings:
        """All ways to group the tiles, one canonical grouping for each outcome; as `settled` allows."""
        now, left = self.settled(counts, loose) or (counts, loose)
        free = [n + sum(t.kind == k for t in left) for n, k in zip(now, self.part, strict=True)]
        layer: dict[tuple[int, Vector, int], Grouping] = {(0, self._nothing, 0): ((), -1)}
        for turn, place in enumerate(self.order):
            here = tuple(t for t in left if t.kind == self.part[place])
            layer = self._grouped(layer, turn, now[place], here, self._room(free, turn))
        last = next((t.kind for t in loose if t.last and t not in left), None)
        if last is not None:
            layer = {key: (melds, self._holder(melds, last)) for key, (melds, _) in layer.items()}
        return {(sums[:-1], score, sums[-1] - 1): grouping for (_, sums, score), grouping in layer.items()}

    def _holder(self, melds: tuple[int, ...], kind: int) -> int:
        """The first of the melds that has a tile of the kind."""
        known = self.maker.game.melds
        return next(m for m in melds if any(k == kind for k, _ in known[m].counts))

    def _grouped(
        self,
        layer: dict[tuple[int, Vector, int], Grouping],
        turn: int,
        number: int,
        loose: tuple[Loose, ...],
        room: int,
    ) -> dict[tuple[int, Vector, int], Grouping]:
        after: dict[tuple[int, Vector, int], Grouping] = {}
        for (needs, sums, score), (melds, last) in layer.items():
            need = needs & LOW
            for given in _given(loose, need):
                if number < need - len(given):
                    continue
                left = tuple(t for i, t in enumerate(loose) if i not in given)
                if any(loose[i].last for i in given):
                    last = self._holder(melds, loose[0].kind)
                for bundle in self.bundles(turn, number - need + len(given), left):
                    ahead = (needs >> BITS) + bundle.ahead
                    total = tuple(map(int.__add__, sums, bundle.sums))
                    if (ahead + room) & self._exceeded or not self._within(total):
                        continue
                    key = (ahead, total, score + bundle.score)
                    grouping = (tuple(sorted((*melds, *bundle.melds))), max(last, bundle.last))
                    known = after.get(key)
                    if known is None or grouping < known:
                        after[key] = grouping
        return after


class Sweeps:
    """The sweeps of a maker, made when they are asked for."""

    def __init__(self, maker: RowMaker) -> None:
        self.maker = maker
        self._made: dict[tuple[int, bool, int | None], Sweep] = {}
        no_say = not maker.wilds.number and (maker.game.mark is None or maker.marks.every)
        self.able = frozenset(range(len(maker.game.components)) if no_say else ())
        """Components that can be swept: no wild tile and no single marked one has a say."""
        self.large = frozenset(i for i in self.able if rows_of(maker.game, i) > FEW)
        """Those of them that are swept, since they have many rows."""

    def of(self, component: int, best: bool = False, cap: int | None = None) -> Sweep:
        """The sweep over the kinds of a component; see `Sweep`."""
        key = (component, best, cap)
        if key not in self._made:
            self._made[key] = Sweep(self.maker, component, best, cap)
        return self._made[key]

    def outcomes(
        self, component: int, counts: Counts, loose: tuple[Loose, ...], best: bool, cap: int | None
    ) -> Iterable[Outcome] | None:
        """What all ways to group the tiles come to, as far as it matters; None where a sweep cannot tell."""
        if component not in self.large:
            return None
        sweep = self.of(component, best, cap)
        settled = sweep.settled(counts, loose)
        return None if settled is None else sweep.outcomes(*sweep.run(*settled))

    def groupings(self, component: int, counts: Counts, loose: tuple[Loose, ...]) -> Groupings | None:
        """All ways to group the tiles; None where a sweep cannot tell."""
        if component not in self.large or self.of(component).settled(counts, loose) is None:
            return None
        return self.of(component).groupings(counts, loose)


def rows_of(game: Game, component: int) -> int:
    """How many different numbers of tiles a hand can have of the kinds of a component."""
    return prod(game.kinds[kind].copies + 1 for kind in game.components[component])


def _given(loose: tuple[Loose, ...], need: int) -> Iterator[tuple[int, ...]]:
    """Places of the loose tiles that go to melds begun before; of equal tiles the first ones."""
    chosen: list[tuple[int, ...]] = [()]
    for place, tile in enumerate(loose):
        chosen += [
            (*c, place)
            for c in chosen
            if len(c) < need and (not place or loose[place - 1] != tile or place - 1 in c)
        ]
    yield from chosen


def _melds(maker: RowMaker, component: int) -> list[Meld]:
    """The melds that concealed and loose tiles of a component can make, in order."""
    kinds = maker.game.components[component]
    found = {m.id: m for kind in kinds for m in maker.by_kind.get((component, kind), ())}
    return [found[id] for id in sorted(found)]


def read_in(game: Game, component: int) -> tuple[int, ...]:
    """Places of the kinds in an order in which few melds are unfinished at a time.

    As in the deck, all groups side by side, or what opens fewest others next. The same for all shapes and
    questions, so that they can be read together.
    """
    part = game.components[component]
    melds = {frozenset(kinds) for kinds in reach(game) | game.tied if kinds[0] in part}
    beside = sorted(part, key=lambda kind: (game.kinds[kind].position, kind))
    orders = (list(part), beside, _greedy(part, melds))
    return tuple(part.index(kind) for kind in min(orders, key=lambda order: _burden(order, melds)))


def reach(game: Game) -> frozenset[tuple[int, ...]]:
    """The sets of kinds of which there are melds."""
    return frozenset(tuple(kind for kind, _ in meld.counts) for meld in game.melds if meld.counts)


def _burden(order: list[int], melds: set[frozenset[int]]) -> int:
    """It doubles with every meld that is unfinished."""
    read = (set(order[: i + 1]) for i in range(len(order)))
    return sum(2 ** sum(bool(kinds & now) and not kinds <= now for kinds in melds) for now in read)


def _greedy(part: tuple[int, ...], melds: set[frozenset[int]]) -> list[int]:
    near = {kind: {kind}.union(*(kinds for kinds in melds if kind in kinds)) for kind in part}
    order: list[int] = []
    opened: set[int] = set()
    while len(order) < len(part):
        rest = [kind for kind in part if kind not in order]
        chosen = min(rest, key=lambda k: (len((near[k] | opened) - {*order, k}), k not in opened, k))
        order.append(chosen)
        opened |= near[chosen]
    return order


def _told(maker: RowMaker, weights: tuple[int, ...]) -> tuple[int, int]:
    uses = [p for p in maker.probes if isinstance(p, SumProbe) and p.weights == weights]
    elsewhere = weights in _asked_exactly(maker)
    if not elsewhere and uses and min(weights) >= 0 and all(p.cap for p in uses):
        return max(p.cap for p in uses), 0
    if not elsewhere and uses and all(p.modulus for p in uses):
        return 0, lcm(*(p.modulus for p in uses))
    return 0, 0


def _asked_exactly(maker: RowMaker) -> set[tuple[int, ...]]:
    """Sums that a property of single components needs as they are."""
    local = (p for p in (*maker.probes, *maker.groupings) if isinstance(p, LocalProbe))
    asked = {f.weights for p in local for _, formula in p.formulas for f in features(formula)}
    return asked | {weights for limits in maker.limits.values() for weights, _ in limits}
