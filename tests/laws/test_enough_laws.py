"""Sums of which only thresholds matter tell in short what they tell in full."""

from __future__ import annotations

from random import Random
from typing import Any

from dsl import load
from dsl.judge.enough import Enough
from dsl.judge.sweep import Sweep


def test_short_sums_come_to_what_full_ones_come_to() -> None:
    """Four of some face, or two of a certain one, in a component with 46,656 rows; scores are cut off."""
    automaton = load("幺地人.资格").compiled.highest
    maker, (component,) = automaton.maker, automaton.maker.sweeps.large
    short, full = (Sweep(maker, component, True, automaton.cap) for _ in range(2))
    full._enough.bounds = {}
    lot, told = Random(3), set()
    for _ in range(40):
        counts = tuple(lot.choice((0, 0, 1, 2, 3, 4)) for _ in short.part)
        best: list[dict[Any, int]] = [{}, {}]
        for sweep, found in zip((short, full), best, strict=True):
            for sums, score, held in sweep.outcomes(*sweep.run(counts, ())):
                vector = maker.vector(component, sums, held)
                found[vector] = max(score, found.get(vector, score))
        assert best[0] == best[1], counts
        told |= {vector[-2:] for vector in best[0] if vector is not None}
    assert len(told) == 4 and short.states < full.states


def test_what_is_left_of_sums() -> None:
    """A sum that is large enough stands for the others of its probe; what is small and read is nothing."""
    maker: Any = load("幺地人.资格").compiled.highest.maker
    (component,) = maker.sweeps.large
    enough: Enough = maker.sweeps.of(component)._enough
    assert {bound for own in enough.probes for _, bound in own} == {4, 2}
    nothing = (0,) * (len(maker.bounds) + len(maker.summed) + 1)
    first, *others = [place for place, bound in enough.probes[0] if bound == 4]
    last = max(enough.closed.values())
    for place in (first, *others):
        sums = tuple(4 if i == place else 1 if i in others else 0 for i in range(len(nothing)))
        left = enough.left(last, sums)
        assert left[enough.carriers[0][0]] == 4 and sum(left) <= 6  # type: ignore[index]
        assert enough.left(last, tuple(min(n, 1) for n in sums)) == nothing
