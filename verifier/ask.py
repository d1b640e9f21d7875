"""Asking: solve, tighten to the plainest witness, decode, replay. Written once for all checks.

The witness is canonical: every variable is fixed by a chain of preferences, so that the same question
always shows the same hand. Plain melds come before special ones, the right call before a wrong one,
earlier roles, different melds before repeated ones, low faces first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.core.model import ORIGINS, And, Formula, Meld

from .decode import Undecodable, Witness, decode, read
from .encode import holds
from .replay import replay
from .smt import Bool, Int, Smt, Status
from .symmetry import in_order
from .world import World

LAST_ORDER: tuple[str | None, ...] = (*ORIGINS[1:], None, ORIGINS[0])
"""Origins of the last tile as a reader expects them; a dealt last tile is the oddest."""


@dataclass(frozen=True)
class Proved:
    """No hand, arrangement and situation satisfies the formula."""


@dataclass(frozen=True)
class Refuted:
    """One does."""

    witness: Witness


@dataclass(frozen=True)
class Unknown:
    """The solver gave up."""

    reason: str


FIRST_TRY = 40_000_000
"""Work spent on a question as it stands, before components it cannot tell apart are put in order."""

PATIENCE = 60_000_000
"""Work spent on one step towards a plainer witness; the step is left out when it does not suffice."""

OUT_OF_WORK = "the solver spent its budget without an answer"

Answer = Proved | Refuted | Unknown


def ask(world: World, formula: Formula) -> Answer:
    """Is there an arrangement in a situation of which the formula holds?"""
    found = possible(world, formula)
    if found is None:
        return Unknown(OUT_OF_WORK)
    return _plainest(world.fresh(), formula) if found else Proved()


def _plainest(world: World, formula: Formula) -> Answer:
    """The canonical witness; a world without a history finds the same one every time."""
    if _settle(world, formula) != "sat":
        return Unknown(OUT_OF_WORK)
    _tighten(world)
    try:
        return Refuted(replay(decode(world, read(world)), formula))
    except Undecodable as fault:
        return Unknown(str(fault))


def _settle(world: World, formula: Formula) -> Status:
    """Require the formula and look for a model."""
    smt = world.smt
    smt.require(holds(formula, world.view))
    status = smt.check(budget=FIRST_TRY)
    if status == "unknown":
        smt.require(*in_order(world, formula))
        status = smt.check()
    return status


def possible(world: World, formula: Formula) -> bool | None:
    """As `ask` without a witness; None when the solver gave up."""
    with world.smt.scope():
        status = _settle(world, formula)
    return None if status == "unknown" else status == "sat"


def clash(world: World, parts: Sequence[Formula]) -> tuple[int, ...]:
    """Of parts that cannot hold together, a smallest choice that already cannot (by position)."""
    kept = list(range(len(parts)))
    for index in range(len(parts)):
        fewer = [i for i in kept if i != index]
        if possible(world, And(tuple(parts[i] for i in fewer))) is False:
            kept = fewer
    return tuple(kept)


# ---------------------------------------------------------------- the plainest model


def _tighten(world: World) -> None:
    smt, view, melds = world.smt, world.view, world.melds
    _prefer(smt, view.complete)
    _prefer(smt, smt.negate(view.misnaming))
    _lower(smt, smt.total((oddity(m), view.counts[m.id]) for m in melds))
    _first(smt, list(view.roles.values()))
    _first(smt, [view.origins[o] for o in LAST_ORDER])
    for parameter in world.game.parameters:
        _first(smt, [view.context[parameter.name, v] for v in parameter.values])
    _prefer(smt, smt.both([smt.compare(count, "<=", 1) for count in view.counts.values()]))
    order = sorted(melds, key=lambda m: (oddity(m), m.type.index, m.tiles))
    _raise(smt, [view.counts[m.id] for m in order])
    _first(smt, [view.last_in[t] for t in dict.fromkeys(m.type.index for m in order)])


def oddity(meld: Meld) -> int:
    """How much a meld asks of where its tiles came from: 0 nothing, 1 something, 2 it was claimed."""
    free = all(len(slot.origins) == len(ORIGINS) for slot in meld.slots)
    return 2 if meld.type.locked else 0 if free else 1


def _prefer(smt: Smt, wish: Bool) -> bool:
    """Hold on to the wish if it can be had."""
    if smt.truth_value(wish) or smt.check(wish, budget=PATIENCE) == "sat":
        smt.require(wish)
        return True
    return False


def _first(smt: Smt, wishes: list[Bool]) -> None:
    """Hold on to the first of the wishes that can be had."""
    for wish in wishes:
        if _prefer(smt, wish):
            return


def _lower(smt: Smt, term: Int) -> None:
    """Fix the term at its least value."""
    while smt.check(smt.compare(term, "<", smt.integer_value(term)), budget=PATIENCE) == "sat":
        pass
    smt.require(smt.compare(term, "=", smt.integer_value(term)))


def _raise(smt: Smt, terms: list[Int]) -> None:
    """Fix the terms at the lexicographically greatest values; stretches of zeros are settled at once."""
    if len(terms) > 1:
        if not any(smt.integer_value(t) for t in terms):
            some = smt.compare(smt.total((1, t) for t in terms), ">=", 1)
            if smt.check(some, budget=PATIENCE) != "sat":
                smt.require(*(smt.compare(t, "=", 0) for t in terms))
                return
        half = len(terms) // 2
        _raise(smt, terms[:half])
        _raise(smt, terms[half:])
        return
    for term in terms:
        while smt.check(smt.compare(term, ">", smt.integer_value(term)), budget=PATIENCE) == "sat":
            pass
        smt.require(smt.compare(term, "=", smt.integer_value(term)))
