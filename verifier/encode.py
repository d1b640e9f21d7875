"""The meaning as logic: what a formula says of the symbolic arrangement.

Twin of `dsl/core/evaluate.py`: same cases, same order, same names.
"""

from __future__ import annotations

from typing import assert_never

from dsl.core.model import (
    And,
    Compare,
    Complete,
    Congruent,
    ContextIs,
    Defined,
    Feature,
    Formula,
    LastAlike,
    LastFrom,
    LastIn,
    LastWild,
    Linear,
    Misnamed,
    NamedWin,
    Not,
    Operator,
    Or,
    RoleIs,
    Truth,
)

from .smt import Bool, Int
from .view import View


def value(feature: Feature, at: View) -> Int:
    if feature.weights not in at.values:
        parts = [(feature.weights[m], count) for m, count in at.counts.items()]
        at.values[feature.weights] = at.smt.total(parts)
    return at.values[feature.weights]


def linear(term: Linear, at: View) -> Int:
    numbers = [(c, value(f, at)) for c, f in term.parts]
    numbers += [(c, at.numbers[name]) for c, name in term.free]
    return at.smt.total(numbers, term.constant)


def compared(left: Int, operator: Operator, right: Int, at: View) -> Bool:
    """The truth of `left operator right`."""
    return at.smt.compare(left, operator, right)


def holds(formula: Formula, at: View) -> Bool:
    """Is the formula true of this arrangement in this situation?"""
    smt = at.smt
    match formula:
        case Truth(known):
            return smt.truth(known)
        case Compare(left, operator, right):
            return compared(linear(left, at), operator, linear(right, at), at)
        case Congruent(left, modulus, residue):
            rest = smt.remainder(linear(left, at), modulus)
            return smt.compare(rest, "=", residue)
        case Not(part):
            return smt.negate(holds(part, at))
        case And(parts):
            return smt.both([holds(part, at) for part in parts])
        case Or(parts):
            return smt.either([holds(part, at) for part in parts])
        case Defined(_, _, body):
            return holds(body, at)
        case Complete():
            return at.complete
        case RoleIs(role):
            return at.roles.get(role, smt.truth(False))
        case LastFrom(origins):
            return smt.either([b for origin, b in at.origins.items() if origin in origins])
        case LastIn(types):
            return smt.either([b for index, b in at.last_in.items() if index in types])
        case LastWild():
            return at.last_wild
        case LastAlike(operator, bound):
            return smt.compare(at.last_alike, operator, bound)
        case ContextIs(parameter, wanted):
            return context_value(at, parameter, wanted)
        case Misnamed():
            return misnamed(at)
        case _:
            assert_never(formula)


def context_value(at: View, parameter: str, wanted: str) -> Bool:
    """The parameter has the wanted value."""
    return at.context.get((parameter, wanted), at.smt.truth(False))


def misnamed(at: View) -> Bool:
    """Is a name declared that does not hold?"""
    false_names = [at.smt.negate(name_holds(n, at)) for n in at.game.names]
    return at.smt.both([at.misnaming, at.smt.either(false_names)])


def is_win(at: View) -> Bool:
    """和: the shape and every need."""
    return at.smt.both([at.complete, *(holds(n.formula, at) for n in at.game.win.needs)])


def well_grouped(at: View) -> Bool:
    """摆法: may the tiles be grouped so at all?"""
    return at.smt.both([holds(n.formula, at) for n in at.game.win.groupings])


def is_false_win(at: View) -> Bool:
    """诈和: any of the spec's reasons."""
    return at.smt.either([holds(n.formula, at) for n in at.game.false_win])


def name_holds(name: NamedWin, at: View) -> Bool:
    """The named win's condition, encoded once."""
    if name not in at.named:
        at.named[name] = holds(name.formula, at)
    return at.named[name]


def score(at: View, table: int = 0) -> Int:
    """The arrangement's total in one score table; a price the source lacks counts 0."""
    melds = at.game.melds
    return at.smt.total([(melds[m].prices[table].points or 0, count) for m, count in at.counts.items()])
