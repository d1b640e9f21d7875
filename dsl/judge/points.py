"""Can any arrangement at all meet a condition? Sums over components, without hands and without a solver.

Every choice of ground melds that the copies allow is added up, component by component; what counts is
only the vector a condition looks at. Which hand could show the melds, and how the last tile came, is
left open: so that nothing adds up is a proof, and melds that do add up are worth a try.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..core.evaluate import Situation
from ..core.formulas import atoms
from ..core.limits import LARGEST, too_many_states
from ..core.model import ORIGINS, ContextIs, Formula, Game, Meld, Truth
from .probes import Condition, LastProbe, Probe, Sight, asked_of, last_told, met, situated
from .rows import RowMaker, Wilds
from .sums import Melds, Point, Sums


def added_up(game: Game, formula: Formula) -> Melds | None:
    """Ids of ground melds that add up to what the formula wants of a complete arrangement in some situation.

    None is a proof that no arrangement meets the formula.
    """
    numbers = range(1 if game.wild is None else game.wild.copies + 1)
    for view in game.views:
        marks = _marks(view, formula)
        (condition,), probes = asked_of(view, (formula,), scored=True)
        for number in numbers:
            adder = _adder(view, probes, last_told(condition), Wilds(number))
            for mark in marks:
                left = _left(view, condition, _asked(formula), mark)
                found = adder.melds(mark, left) if left else None
                if found is not None:
                    return found
    return None


def _marks(game: Game, formula: Formula) -> list[int | None]:
    """No face, and of those that can be marked one for all that nothing tells apart."""
    if game.mark is None:
        return [None]
    faces = range(len(game.kinds))
    if game.mark.parameter in _asked(formula):
        return [None, *faces]
    maker = RowMaker(game, game.win.shape, asked_of(game, (formula,), scored=True)[1], scored=True)
    first: dict[tuple[int, int], int] = {}
    for face in faces:
        component = game.component_of[face]
        place = game.components[component].index(face)
        orbit = min(turn.places[place] for turn in maker.turns(component))
        first.setdefault((maker.alike[component][0], orbit), face)
    return [None, *first.values()]


def _asked(formula: Formula) -> set[str]:
    """Parameters of the context that the formula asks for."""
    return {atom.parameter for atom in atoms(formula) if isinstance(atom, ContextIs)}


def _left(game: Game, condition: Condition, asked: set[str], mark: int | None) -> tuple[Condition, ...]:
    """What is left to ask of melds in the situations with this face marked, where anything will do."""
    sights = (
        Sight(game, (), 0, situation, misnamed)
        for situation in _told(game, asked, mark)
        for misnamed in (False, True)
    )
    every = dict.fromkeys(situated(condition, sight) for sight in sights)
    return tuple(condition for condition in every if condition != Truth(False))


def _adder(game: Game, probes: tuple[Probe, ...], told: int, wilds: Wilds) -> _Adder:
    """One for questions that tell scores apart up to there; those of the last such question are kept."""
    cap = 1 << max(told, 0).bit_length()  # the same for questions that ask a little more or less
    key, known = game.memo.setdefault("adders", ((), {}))
    if key != (probes, cap):
        known = {}
        game.memo["adders"] = (probes, cap), known
    if wilds not in known:
        known[wilds] = _Adder(game, probes, cap, wilds)
    adder: _Adder = known[wilds]
    return adder


class _Adder:
    """Adds up what components come to, for hands with so many wild tiles; faces to be marked have much in
    common.
    """

    def __init__(self, game: Game, probes: tuple[Probe, ...], cap: int, wilds: Wilds) -> None:
        self.game = game
        self.wilds = wilds
        self.probes = probes
        self.cap = cap
        self.nowhere = Situation(game.roles[-1], None)
        """For conditions that ask for no situation."""
        self.sums = Sums(self._maker(None).vectors, cap)
        self._known: dict[tuple[int, int | None], dict[Point, Melds]] = {}

    def _maker(self, mark: int | None) -> RowMaker:
        return RowMaker(self.game, self.game.win.shape, self.probes, True, self.wilds, mark)

    def melds(self, mark: int | None, wanted: tuple[Condition, ...]) -> Melds | None:
        """Those that add up to what one of the conditions wants, with this face marked."""
        maker = self._maker(mark)
        tables = [self._points(maker, face, mark) for face, _ in maker.alike]
        chosen = self.sums.chosen(tables, lambda point: self._met(point, wanted))
        if chosen is None:
            return None
        parts = zip(maker.alike, chosen, strict=True)
        return tuple(names[meld] for (_, names), melds in parts for meld in melds)

    def _points(self, maker: RowMaker, component: int, mark: int | None) -> dict[Point, Melds]:
        """Of each component once; where a mark lies elsewhere, it makes no difference."""
        here = mark is not None and (maker.marks.every or self.game.component_of[mark] == component)
        key = component, mark if here else None
        if key not in self._known:
            self._known[key] = _points(maker, component, self.cap)
        return self._known[key]

    def _met(self, point: Point, wanted: tuple[Condition, ...]) -> bool:
        """Does the point meet one of the conditions?"""
        vector, score = point[0][len(self.sums.vectors.bounds) :], point[1]
        at = Sight(self.game, vector, score, self.nowhere)
        return any(met(condition, at) for condition in wanted)


def _told(game: Game, asked: set[str], mark: int | None) -> Iterator[Situation]:
    """Every role, origin, kind of last tile, and value of the parameters asked for, with this face marked."""
    names = [p.name for p in game.parameters]
    wild = (False,) if game.wild is None else (False, True)
    values = []
    for parameter in game.parameters:
        marks = game.mark is not None and parameter.name == game.mark.parameter and mark is not None
        own = game.kinds[mark].name if marks and mark is not None else parameter.values[0]
        values.append(parameter.values if parameter.name in asked else (own,))
    for role, origin, last_wild in product(game.roles, (*ORIGINS, None), wild):
        for chosen in product(*values):
            context = dict(zip(names, chosen, strict=True))
            if mark is None or game.marked_face(role, context) == mark:
                yield Situation(role, origin, context, None, last_wild)


def _points(maker: RowMaker, component: int, cap: int) -> dict[Point, Melds]:
    """What the melds of a component can add up to, and some that do. Raises `TooLarge`."""
    game = maker.game
    part = game.components[component]
    melds = [m for m in game.melds if m.tiles[0] in part and maker.fits[m.id] and _tells(maker, m)]
    heap = _Heap(maker, part)
    start: dict[State, Melds] = {(heap.all, 0): ()}
    found: dict[Point, Melds] = {}
    for first, others in _placings(maker, melds):
        states = start if first is None else dict(heap.having(start, first, once=True))
        for meld in (*maker.stands.get(component, ()), *_distinct(maker, others)):
            states = {**dict(heap.having(states, meld)), **states}
            if len(states) > LARGEST:
                raise too_many_states()
        for packed, chosen in heap.totals(states).items():
            sums, score, held = maker.packed.open(packed)
            for alike in range(maker.alike_told + 1):  # which tiles are concealed is left open
                vector = maker.vector(component, sums, held, alike)
                if vector is not None:
                    found.setdefault((vector, min(score, cap)), chosen)
    return found


def _tells(maker: RowMaker, meld: Meld) -> bool:
    """Does the meld add anything? One that counts as nothing may only take up tiles, which no sum tells."""
    sums, points = maker.added[meld.id]
    adds = any(sums) or points != 0 or maker.holding[meld.id] >= 0
    return any(meld.type.gives) or (adds and not meld.stand)


def _placings(maker: RowMaker, melds: list[Meld]) -> Iterator[tuple[Meld | None, list[Meld]]]:
    """The meld with the mark, and those that can be beside it; no such meld where nothing is marked here."""
    if maker.marks.every:
        yield None, [m for m in melds if maker.marks.rightly(m)]
        return
    plain = [m for m in melds if m.base is None]
    yield None, [m for m in plain if m.id not in maker.marks.gain]
    for marked in (m for m in melds if maker.marks.face is not None and m.mark == maker.marks.face):
        most = maker.marks.gain[marked.base or 0]
        yield marked, [m for m in plain if maker.marks.gain.get(m.id, most) <= most]


State = tuple[int, int]
"""Copies left, see `_Heap`; what the melds come to, see `Packed`."""
PLACE = 8
"""Bits for the copies of a face that are left; the top one is taken away when there are too few."""
ENOUGH = 1 << (PLACE - 1)


class _Heap:
    """The tiles of a component, each face with its place in one number, from which melds are taken."""

    def __init__(self, maker: RowMaker, part: tuple[int, ...]) -> None:
        self.maker = maker
        self.enough = sum(ENOUGH << (PLACE * i) for i in range(len(part)))
        self.all = self.enough + sum(maker.game.kinds[k].copies << (PLACE * i) for i, k in enumerate(part))

    def totals(self, states: dict[State, Melds]) -> dict[int, Melds]:
        """What melds come to, of each the first; a wild tile stands for one that is in a meld."""
        full, enough, found = self.all + self.enough, self.enough, dict[int, Melds]()
        for (left, packed), chosen in states.items():
            if packed not in found and full - left & enough == enough:
                found[packed] = chosen
        return found

    def having(
        self, states: dict[State, Melds], meld: Meld, once: bool = False
    ) -> Iterator[tuple[State, Melds]]:
        """The states with one or more of the meld; or with one."""
        own, enough = self.maker.packed, self.enough
        taken = sum(number << (PLACE * self.maker.places[kind]) for kind, number in meld.counts)
        added, room, exceeded, holder = own.added[meld.id], own.room, own.exceeded, own.holder
        holds = own.held[meld.id]
        for (left, packed), chosen in states.items():
            holding = holds if not packed & holder else 0
            while True:
                left, packed = left - taken, packed + added
                if left & enough != enough or packed + room & exceeded:
                    break
                chosen = (*chosen, meld.id)
                yield (left, packed), chosen
                if holding:
                    yield (left, packed + holding), chosen
                if once:
                    break


def _distinct(maker: RowMaker, melds: list[Meld]) -> list[Meld]:
    """Of melds that add up alike, the first."""
    asked = any(isinstance(p, LastProbe) for p in maker.probes)
    seen = {(m.counts, maker.added[m.id], maker.holding[m.id] if asked else -1): m for m in reversed(melds)}
    return sorted(seen.values(), key=lambda m: m.id)
