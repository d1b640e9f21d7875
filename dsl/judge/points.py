"""Can any arrangement at all meet a condition? Sums over components, without hands and without a solver.

Every choice of ground melds that the copies allow is added up, component by component; what counts is
only the vector a condition looks at. Which hand could show the melds, and how the last tile came, is
left open: so a `True` of `impossible` is a proof, and a `False` says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..core.evaluate import Situation
from ..core.model import ORIGINS, Formula, Game, Meld
from .probes import Condition, LastProbe, Probes, Sight, last_told, met
from .rows import RowMaker, Vector, Wilds

Point = tuple[Vector, int]
"""(vector, score up to where the condition stops telling scores apart)."""


def impossible(game: Game, formula: Formula) -> bool:
    """Is it proved that no complete arrangement meets the formula in any situation?"""
    most = 0 if game.wild is None else game.wild.copies
    return all(_impossible(game, formula, Wilds(number)) for number in range(most + 1))


def _impossible(game: Game, formula: Formula, wilds: Wilds) -> bool:
    """The same of hands with so many wild tiles."""
    probes = Probes(game, track_score=True)
    condition = probes.rewrite(formula)
    maker = RowMaker(game, game.win.shape, tuple(probes.found), scored=True, wilds=wilds)
    cap = last_told(condition)
    zero = (*(0 for _ in maker.bounds), *(0 for _ in maker.probes))
    reached: set[Point] = {(zero, 0)}
    known: dict[int, set[Point]] = {}
    for component in range(len(game.components)):
        face = maker.alike[component][0]
        if face not in known:
            known[face] = _points(maker, component, cap)
        reached = {
            (total, min(score + points, cap))
            for (vector, score), (added, points) in product(reached, known[face])
            if (total := maker.add(vector, added)) is not None
        }
    return not any(_met(maker, condition, point) for point in reached if _whole(maker, point))


def _whole(maker: RowMaker, point: Point) -> bool:
    return point[0][: len(maker.bounds)] == maker.bounds


def _met(maker: RowMaker, condition: Condition, point: Point) -> bool:
    """In some situation, whoever declares it and wherever the last tile came from."""
    vector, score = point[0][len(maker.bounds) :], point[1]
    return any(
        met(condition, Sight(maker.game, vector, score, situation, misnamed))
        for situation in situations(maker.game)
        for misnamed in (False, True)
    )


def situations(game: Game) -> Iterator[Situation]:
    """Every role, origin, kind of last tile, and context."""
    names = [p.name for p in game.parameters]
    wild = (False,) if game.wild is None else (False, True)
    for role, origin, last_wild in product(game.roles, (*ORIGINS, None), wild):
        for values in product(*(p.values for p in game.parameters)):
            yield Situation(role, origin, dict(zip(names, values, strict=True)), None, last_wild)


def _points(maker: RowMaker, component: int, cap: int) -> set[Point]:
    """What the melds of a component can add up to."""
    game = maker.game
    part = game.components[component]
    stands = maker.stands.get(component, ())
    melds = [m for m in game.melds if m.tiles[0] in part and maker.fits[m.id] and any(m.type.gives)]
    copies = tuple(game.kinds[k].copies for k in part)
    start = (copies, (0,) * (len(maker.bounds) + len(maker.summed)), 0, -1)
    states = {start}
    for meld in (*stands, *_distinct(maker, melds)):
        states |= set(_with(maker, states, meld))
    found: set[Point] = set()
    for left, sums, score, held in states:
        if any(more > most for more, most in zip(left, copies, strict=True)):
            continue  # a wild tile stands for one that is in no meld
        vector = maker.vector(component, sums, held)
        if vector is not None:
            found.add((vector, min(score, cap)))
    return found


State = tuple[tuple[int, ...], Vector, int, int]
"""Copies left, sums, score, type of the meld that holds the last tile (-1: none of interest)."""


def _with(maker: RowMaker, states: set[State], meld: Meld) -> Iterator[State]:
    """The states with one or more of the meld."""
    more, points = maker.added[meld.id]
    holds = maker.holding[meld.id]
    for left, sums, score, held in states:
        while True:
            left = _without(maker, left, meld)
            sums = tuple(map(int.__add__, sums, more))
            if min(left) < 0 or any(s > b for s, b in zip(sums, maker.bounds, strict=False)):
                break
            score += points
            yield left, sums, score, held
            if holds >= 0 and held < 0:
                yield left, sums, score, holds


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
