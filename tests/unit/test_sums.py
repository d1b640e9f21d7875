"""Sums of components, against every choice of points; what searches leave out is of no interest."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import dsl
from dsl.core.model import Game
from dsl.judge.machines import Answers, Machine, Shaped, search, waiting
from dsl.judge.probes import SumProbe
from dsl.judge.sums import Melds, Point, Sums
from dsl.judge.vectors import Vectors
from tests.house.blocks import ROOT

BOUNDS = (3,)
CAP = 6


def tables(random: Random, least: int) -> list[dict[Point, Melds]]:
    """Three components, two of them alike; each can come to nothing."""
    found: list[dict[Point, Melds]] = []
    for number in range(2):
        own: dict[Point, Melds] = {((0, 0), 0): ()}
        for i in range(4):
            own[(random.randrange(3), random.randrange(2)), random.randrange(least, 5)] = number, i
        found.append(own)
    return [found[0], found[1], found[0]]


def total(vectors: Vectors, points: tuple[Point, ...]) -> Point | None:
    """What the points come to, one after the other; None beyond the bounds."""
    vector, score = points[0]
    for other, more in points[1:]:
        together = vectors.add(vector, other)
        if together is None:
            return None
        vector, score = together, score + more
    return vector, min(score, CAP)


@pytest.mark.parametrize("least", [0, -3])
@pytest.mark.parametrize("seed", range(20))
def test_sums_are_those_of_all_choices(seed: int, least: int) -> None:
    random = Random(seed)
    vectors = Vectors(BOUNDS, [SumProbe((), 1)])
    every = tables(random, least)
    reached = {total(vectors, points) for points in product(*every)}
    for goal in product(range(2), range(2 * least, CAP + 1)):
        wanted = ((3, goal[0]), goal[1])
        chosen = Sums(vectors, CAP).chosen(every, wanted.__eq__)
        assert (chosen is not None) == (wanted in reached)
        if chosen is not None:
            ways = (
                tuple(point for point, own in table.items() if own == melds)
                for table, melds in zip(every, chosen, strict=True)
            )
            assert wanted in {total(vectors, points) for points in product(*ways)}


@pytest.fixture(scope="module")
def game() -> dsl.Game:
    return dsl.load(ROOT / "tests/small/两句.pai")


def told(
    game: Game, machines: tuple[Machine, ...], answers: set[tuple[bool, ...]], skip: bool
) -> list[object]:
    """The hands that are answered so: how many, and the first."""

    def idle(known: Answers) -> bool:
        return not any(all(k in (None, w) for k, w in zip(known, one, strict=True)) for one in answers)

    found = search(game, machines, game.waiting, idle=idle if skip else None)
    said = {s: tuple(m.accepts(x) for m, x in zip(machines, s, strict=True)) for s in found}
    return [(said[s], r.hands, r.deals, r.first) for s, r in found.items() if said[s] in answers]


@pytest.mark.parametrize("answer", list(product((True, False), repeat=2)))
def test_idle_hands_are_of_no_interest(game: dsl.Game, answer: tuple[bool, ...]) -> None:
    machines = waiting(game.compiled), Shaped(next(iter(game.compiled.wait_types.values())))
    every, fewer = (told(game.core, machines, {answer}, skip) for skip in (False, True))
    assert sorted(every, key=repr) == sorted(fewer, key=repr)
