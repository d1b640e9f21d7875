"""Questions about all hands as pure Boolean clauses: the road beside the automaton.

A component holds one of a few letters: counts of its tiles that have the same number of tiles and offer
the same points (what some grouping of them adds) to everything that is asked; one of them stands for
all. A sweep over the components marks every sum of points that can be reached. That something can be
arranged is shown by one chosen path to a good end; that nothing can, by all paths of the hand missing
every good end. Components that offer the same letters are put in order.

Points come from the rows of `dsl.judge.rows`; no automaton is built.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar, assert_never

from dsl.core.model import OWN_DRAW, Game
from dsl.judge.machines import all_counts
from dsl.judge.probes import Probes, Sight, last_told, met
from dsl.judge.rows import Loose, RowKey, RowMaker

from .hand_questions import All, Arranged, Denied, Question, Some, leaves, takes_one, true_of
from .replay import ReplayError
from .smt import Status, satisfy

Counts = tuple[int, ...]
Clause = tuple[int, ...]
"""Variables by number, a negative number for its denial."""

BUDGET = 400_000_000
"""Work spent on a question, in z3's units."""

OTHER_DECKS = "the games have different decks"
WILD_TILES = "clauses do not know wild tiles"


class Point(NamedTuple):
    """What a grouping of some tiles comes to."""

    taken: int
    """1 when the drawn tile is among them."""
    vector: tuple[int, ...]
    score: int
    """Up to where the condition stops telling scores apart."""


Points = frozenset[Point]


@dataclass(frozen=True)
class Answer:
    """Whether there is a hand, and one: counts per kind and the tile that is drawn."""

    status: Status
    counts: Counts | None = None
    taken: int | None = None


# ---------------------------------------------------------------- points


class Sums:
    """The points that one leaf of a question looks at, how they add up, and which are good in the end."""

    def __init__(self, asked: Arranged) -> None:
        self.asked = asked
        probes = Probes(asked.game, track_score=True)
        self.condition = probes.rewrite(asked.condition)
        self.cap = last_told(self.condition)
        shape = asked.shape or asked.game.win.shape
        self.maker = RowMaker(asked.game, shape, tuple(probes.found), scored=self.cap > 0)
        self.start = Point(0, (0,) * (len(self.maker.dims) + len(self.maker.probes)), 0)

    def points(self, component: int, counts: Counts, taken: int | None) -> Points:
        """What the component's tiles can come to; `taken` is the one drawn tile if it lies here."""
        if self.asked.more == "one" and taken is not None:
            return self._points(component, counts, taken)
        found = self._points(component, counts, None)
        if self.asked.more == "some":
            for kind in _free(self.asked.game, component, counts):
                found |= self._points(component, counts, kind)
        return found

    def _points(self, component: int, counts: Counts, taken: int | None) -> Points:
        loose = () if taken is None else (Loose(taken, OWN_DRAW, True),)
        outcomes = self.maker.outcomes(RowKey(component, counts, loose))
        drawn = int(taken is not None)
        return frozenset(Point(drawn, vector, min(score, self.cap)) for vector, score in outcomes)

    def add(self, left: Point, right: Point) -> Point | None:
        """Both together; None beyond the shape or with two drawn tiles."""
        vector = self.maker.add(left.vector, right.vector)
        if vector is None or left.taken + right.taken > 1:
            return None
        return Point(left.taken + right.taken, vector, min(left.score + right.score, self.cap))

    def good(self, end: Point) -> bool:
        """Is it the whole shape, with the tile it should have, and does the condition hold?"""
        width = len(self.maker.bounds)
        if end.vector[:width] != self.maker.bounds or end.taken != (self.asked.more != "none"):
            return False
        sight = Sight(self.asked.game, end.vector[width:], end.score, self.asked.situation)
        return met(self.condition, sight)


def _free(game: Game, component: int, counts: Counts) -> list[int]:
    part = game.components[component]
    return [k for k, n in zip(part, counts, strict=True) if n < game.kinds[k].copies]


# ---------------------------------------------------------------- letters


@dataclass(frozen=True)
class Letter:
    """Counts of one component that nothing asked can tell from others, and the points of each leaf."""

    tiles: int
    taken: int | None
    """Place in the component of the one drawn tile."""
    counts: Counts
    points: tuple[Points, ...]


def letters(sums: Sequence[Sums], component: int, one: bool) -> list[Letter]:
    """A component's letters; with `one`, also those where the one drawn tile is of this component."""
    game = sums[0].asked.game
    part = game.components[component]
    found: dict[tuple[int, bool, tuple[Points, ...]], Letter] = {}
    for counts in all_counts([game.kinds[k].copies for k in part]):
        for kind in (None, *(_free(game, component, counts) if one else ())):
            points = tuple(s.points(component, counts, kind) for s in sums)
            place = None if kind is None else part.index(kind)
            letter = Letter(sum(counts), place, counts, points)
            found.setdefault((letter.tiles, kind is not None, points), letter)
    return list(found.values())


# ---------------------------------------------------------------- sweeps

K = TypeVar("K")


class Sweep(Generic[K]):
    """Sums that grow component by component: where they start, how they add up, which ends are good."""

    def __init__(self, start: K, add: Callable[[K, K], K | None], good: Callable[[K], bool]) -> None:
        self.start = start
        self.add = add
        self.good = good

    def live(self, points: list[list[K]]) -> list[list[K]]:
        """The sums before each component and after the last that are on some way to a good end."""
        layers = [[self.start]]
        for own in points:
            sums = (self.add(state, more) for state in layers[-1] for more in own)
            layers.append(list(dict.fromkeys(s for s in sums if s is not None)))
        kept = [[end for end in layers[-1] if self.good(end)]]
        for layer, own in zip(layers[-2::-1], reversed(points), strict=True):
            ahead = set(kept[-1])
            kept.append([state for state in layer if any(self.add(state, more) in ahead for more in own)])
        return kept[::-1]


@dataclass(frozen=True)
class Swept:
    """A sweep in variables."""

    start: int
    """0 when no good end can be reached."""
    steps: list[tuple[int, int, int]]
    """(sum before, point, sum after or 0 where it leads nowhere)."""
    ends: list[int]


# ---------------------------------------------------------------- clauses


@dataclass
class Clauses:
    """A question as clauses, and the variables that say which letters the components hold."""

    question: Question
    size: int
    number: int = 0
    clauses: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sums = [Sums(leaf) for leaf in leaves(self.question)]
        self.game = self.sums[0].asked.game
        if any(_deck(s.asked.game) != _deck(self.game) for s in self.sums):
            raise ValueError(OTHER_DECKS)
        if self.game.wild is not None:
            raise ValueError(WILD_TILES)
        self.one = takes_one(self.question)
        self.faces = [tuple(s.maker.alike[i][0] for s in self.sums) for i in range(len(self.game.components))]
        known: dict[tuple[int, ...], list[Letter]] = {}
        for index, face in enumerate(self.faces):
            if face not in known:
                known[face] = letters(self.sums, index, self.one)
        self.letters = [known[face] for face in self.faces]
        self.held = [self.fresh(len(own)) for own in self.letters]
        """Per component one variable for each letter."""
        self._require_letters()
        self._require_size()
        self._ask(self.question)

    def fresh(self, number: int) -> list[int]:
        first = self.number + 1
        self.number += number
        return list(range(first, self.number + 1))

    def require(self, *clause: int) -> None:
        self.clauses.append(clause)

    # ------------------------------------------------------------ which letters

    def _require_letters(self) -> None:
        """Exactly one letter per component; of components that look alike the earlier has the earlier."""
        before: dict[tuple[int, ...], list[int]] = {}
        for face, held in zip(self.faces, self.held, strict=True):
            upto = self.fresh(len(held))
            self.require(upto[-1])
            for i, (letter, reached) in enumerate(zip(held, upto, strict=True)):
                earlier = upto[i - 1 : i] if i else []
                self.require(-letter, reached)
                self.require(-reached, letter, *earlier)
                for previous in earlier:
                    self.require(-previous, reached)
                    self.require(-previous, -letter)
            for mine, other in zip(upto, before.get(face, ()), strict=False):
                self.require(-mine, other)
            before[face] = upto

    def _require_size(self) -> None:
        """The right number of tiles, and of drawn ones."""
        sizes = [{(one.tiles, one.taken is not None) for one in own} for own in self.letters]
        switches = []
        for own, held, kinds in zip(self.letters, self.held, sizes, strict=True):
            switch = dict(zip(sorted(kinds), self.fresh(len(kinds)), strict=True))
            for letter, variable in zip(own, held, strict=True):
                self.require(-variable, switch[letter.tiles, letter.taken is not None])
            switches.append(switch)
        wanted = (self.size, self.one)
        sweep = Sweep((0, False), lambda a, b: _sized(a, b, wanted), lambda end: end == wanted)
        self._paths(sweep, switches, ())

    # ------------------------------------------------------------ what is asked

    def _ask(self, question: Question, guard: Clause = (), denied: bool = False) -> None:
        """Require the question (or its denial) where all variables of the guard are false."""
        match question:
            case Denied(part):
                self._ask(part, guard, not denied)
            case All(parts) | Some(parts):
                if isinstance(question, All) is not denied:
                    for part in parts:
                        self._ask(part, guard, denied)
                    return
                chosen = self.fresh(len(parts))
                self.require(*guard, *chosen)
                for part, variable in zip(parts, chosen, strict=True):
                    self._ask(part, (*guard, -variable), denied)
            case Arranged():
                self._ask_leaf(self._leaf(question), guard, denied)
            case _:
                assert_never(question)

    def _leaf(self, asked: Arranged) -> int:
        return next(i for i, s in enumerate(self.sums) if s.asked is asked)

    def _ask_leaf(self, index: int, guard: Clause, denied: bool) -> None:
        sums = self.sums[index]
        switches = [self._switches(own, index) for own in self.letters]
        sweep = Sweep(sums.start, sums.add, sums.good)
        for own, held, switch in zip(self.letters, self.held, switches, strict=True):
            if denied:
                for letter, variable in zip(own, held, strict=True):
                    for point in sorted(letter.points[index]):
                        self.require(-variable, switch[point])
                continue
            self.require(*guard, *switch.values())
            for point, variable in switch.items():
                offering = [v for letter, v in zip(own, held, strict=True) if point in letter.points[index]]
                self.require(-variable, *offering)
        if denied:
            self._misses(sweep, switches, guard)
        else:
            self._paths(sweep, switches, guard)

    def _switches(self, own: list[Letter], index: int) -> dict[Point, int]:
        points = sorted(frozenset[Point]().union(*(letter.points[index] for letter in own)))
        return dict(zip(points, self.fresh(len(points)), strict=True))

    def _paths(self, sweep: Sweep[K], switches: list[dict[K, int]], guard: Clause) -> None:
        """Every path of points that are switched on leads to a good end."""
        swept = self._swept(sweep, switches)
        self.require(swept.start, *guard) if swept.start else self._refuse(guard)
        for before, point, after in swept.steps:
            self.require(-before, -point, *((after,) if after else guard))

    def _refuse(self, guard: Clause) -> None:
        impossible = self.fresh(1)[0]
        self.require(-impossible)
        self.require(impossible, *guard)

    def _misses(self, sweep: Sweep[K], switches: list[dict[K, int]], guard: Clause) -> None:
        """No path of points that are switched on leads to a good end."""
        swept = self._swept(sweep, switches)
        if swept.start:
            self.require(swept.start)
        for before, point, after in swept.steps:
            if after:
                self.require(-before, -point, after)
        for end in swept.ends:
            self.require(-end, *guard)

    def _swept(self, sweep: Sweep[K], switches: list[dict[K, int]]) -> Swept:
        """A variable for every sum that lies between the start and a good end, and the steps from them."""
        live = sweep.live([list(switch) for switch in switches])
        places = [dict(zip(layer, self.fresh(len(layer)), strict=True)) for layer in live]
        steps = [
            (variable, point, after.get(total, 0) if total is not None else 0)
            for before, switch, after in zip(places, switches, places[1:], strict=False)
            for state, variable in before.items()
            for more, point in switch.items()
            for total in (sweep.add(state, more),)
        ]
        return Swept(places[0].get(sweep.start, 0), steps, list(places[-1].values()))


Size = tuple[int, bool]
"""How many tiles, and is the drawn one among them."""


def _sized(left: Size, right: Size, wanted: Size) -> Size | None:
    tiles = left[0] + right[0]
    return None if tiles > wanted[0] or (left[1] and right[1]) else (tiles, left[1] or right[1])


def _deck(game: Game) -> tuple[object, ...]:
    return tuple((k.name, k.copies) for k in game.kinds), game.components


# ---------------------------------------------------------------- asking


def find(question: Question, size: int, budget: int = BUDGET) -> Answer:
    """A hand of `size` concealed tiles that the question is true of.

    Raises `ValueError` when its games have different decks, `ReplayError` when the reference says
    otherwise of the hand that was found (our own bug).
    """
    return solved(Clauses(question, size), budget)


def solved(asked: Clauses, budget: int = BUDGET) -> Answer:
    """The same of a question that is already in clauses."""
    held = [variable for own in asked.held for variable in own]
    status, true = satisfy(dimacs(asked), held, budget)
    if status != "sat":
        return Answer(status)
    counts, taken = _read(asked, true)
    if sum(counts) != asked.size or not true_of(asked.question, counts, taken):
        raise ReplayError(f"the clauses and the reference disagree: {counts}, {taken}")
    return Answer(status, counts, taken)


def _read(asked: Clauses, true: frozenset[int]) -> tuple[Counts, int | None]:
    counts, taken = [0] * len(asked.game.kinds), None
    for part, own, held in zip(asked.game.components, asked.letters, asked.held, strict=True):
        letter = next(letter for letter, variable in zip(own, held, strict=True) if variable in true)
        for kind, number in zip(part, letter.counts, strict=True):
            counts[kind] = number
        if letter.taken is not None:
            taken = part[letter.taken]
    return tuple(counts), taken


def dimacs(asked: Clauses) -> str:
    """The clauses in the form that SAT solvers read."""
    lines = [f"p cnf {asked.number} {len(asked.clauses)}"]
    lines += [" ".join(map(str, clause)) + " 0" for clause in asked.clauses]
    return "\n".join(lines) + "\n"


def smt_text(asked: Clauses) -> str:
    """The clauses as SMT-LIB, for other solvers."""
    lines = ["(set-logic QF_UF)"]
    lines += [f"(declare-const v{i} Bool)" for i in range(1, asked.number + 1)]
    lines += [f"(assert (or{''.join(map(_literal, clause))} false))" for clause in asked.clauses]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def _literal(number: int) -> str:
    return f" v{number}" if number > 0 else f" (not v{-number})"
