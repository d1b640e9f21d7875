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
from ..core.model import ORIGINS, ContextIs, Formula, Game, Meld
from .probes import Condition, LastProbe, Probes, Sight, last_told, met
from .rows import RowMaker, Vector, Wilds

Point = tuple[Vector, int]
"""(vector, score up to where the condition stops telling scores apart)."""


Melds = tuple[int, ...]


def added_up(game: Game, formula: Formula) -> Melds | None:
    """Ids of ground melds that add up to what the formula wants of a complete arrangement in some situation.

    None is a proof that no arrangement meets the formula.
    """
    numbers = range(1 if game.wild is None else game.wild.copies + 1)
    found = (
        _added_up(view, formula, Wilds(number), mark)
        for view in game.views
        for number in numbers
        for mark in _marks(view, formula)
    )
    return next((melds for melds in found if melds is not None), None)


def _marks(game: Game, formula: Formula) -> list[int | None]:
    """No face, and of those that can be marked one for all that nothing tells apart."""
    if game.mark is None:
        return [None]
    faces = range(len(game.kinds))
    if game.mark.parameter in _asked(formula):
        return [None, *faces]
    probes = Probes(game, track_score=True)
    probes.rewrite(formula)
    maker = RowMaker(game, game.win.shape, tuple(probes.found), scored=True)
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


def _added_up(game: Game, formula: Formula, wilds: Wilds, mark: int | None) -> Melds | None:
    """The same of hands with so many wild tiles, and with this face marked."""
    probes = Probes(game, track_score=True)
    condition = probes.rewrite(formula)
    maker = RowMaker(game, game.win.shape, tuple(probes.found), True, wilds, mark)
    told = list(_told(game, _asked(formula), mark))
    cap = last_told(condition)
    zero = (*(0 for _ in maker.bounds), *(0 for _ in maker.probes))
    reached: dict[Point, Melds] = {(zero, 0): ()}
    known: dict[int, dict[Point, Melds]] = {}
    for component in range(len(game.components)):
        face, names = maker.alike[component]
        if face not in known:
            known[face] = _points(maker, component, cap)
        before, reached = reached, {}
        for ((vector, score), melds), ((added, points), own) in product(before.items(), known[face].items()):
            total = maker.add(vector, added)
            if total is not None and (point := (total, min(score + points, cap))) not in reached:
                reached[point] = (*melds, *(names[meld] for meld in own))
    whole = (melds for p, melds in reached.items() if _whole(maker, p) and _met(maker, condition, p, told))
    return next(whole, None)


def _whole(maker: RowMaker, point: Point) -> bool:
    return point[0][: len(maker.bounds)] == maker.bounds


def _met(maker: RowMaker, condition: Condition, point: Point, told: list[Situation]) -> bool:
    """In some situation."""
    vector, score = point[0][len(maker.bounds) :], point[1]
    return any(
        met(condition, Sight(maker.game, vector, score, situation, misnamed))
        for situation in told
        for misnamed in (False, True)
    )


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
    copies = tuple(game.kinds[k].copies for k in part)
    start: dict[State, Melds] = {(copies, (0,) * (len(maker.bounds) + len(maker.summed)), 0, -1): ()}
    found: dict[Point, Melds] = {}
    for first, others in _placings(maker, melds):
        states = start if first is None else dict(_with(maker, start, first, once=True))
        for meld in (*maker.stands.get(component, ()), *_distinct(maker, others)):
            states = {**dict(_with(maker, states, meld)), **states}
            if len(states) > LARGEST:
                raise too_many_states()
        for (left, sums, score, held), chosen in states.items():
            if any(more > most for more, most in zip(left, copies, strict=True)):
                continue  # a wild tile stands for one that is in no meld
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


State = tuple[tuple[int, ...], Vector, int, int]
"""Copies left, sums, score, type of the meld that holds the last tile (-1: none of interest)."""


def _with(
    maker: RowMaker, states: dict[State, Melds], meld: Meld, once: bool = False
) -> Iterator[tuple[State, Melds]]:
    """The states with one or more of the meld; or with one."""
    more, points = maker.added[meld.id]
    holds = maker.holding[meld.id]
    for (left, sums, score, held), chosen in states.items():
        while True:
            left = _without(maker, left, meld)
            sums = tuple(map(int.__add__, sums, more))
            if min(left) < 0 or any(s > b for s, b in zip(sums, maker.bounds, strict=False)):
                break
            score, chosen = score + points, (*chosen, meld.id)
            yield (left, sums, score, held), chosen
            if holds >= 0 and held < 0:
                yield (left, sums, score, holds), chosen
            if once:
                break


def _without(maker: RowMaker, left: tuple[int, ...], meld: Meld) -> tuple[int, ...]:
    rest = list(left)
    for kind, number in meld.counts:
        rest[maker.places[kind]] -= number
    return tuple(rest)


def _distinct(maker: RowMaker, melds: list[Meld]) -> list[Meld]:
    """Of melds that add up alike, the first."""
    asked = any(isinstance(p, LastProbe) for p in maker.probes)
    seen = {(m.counts, maker.added[m.id], maker.holding[m.id] if asked else -1): m for m in reversed(melds)}
    return sorted(seen.values(), key=lambda m: m.id)
