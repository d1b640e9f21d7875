"""Statements about whole numbers that are left open: what they mean, number by number.

The reference for `verifier/encode.py`, where the same numbers are variables of the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from .evaluate import Arrangement, Position, Situation, holds
from .formulas import atoms, features
from .model import And, Compare, Congruent, Defined, Formula, Game, Linear, Not, Or, Statement, Truth


def plain_numbers(formula: Formula) -> bool:
    """Does the formula compare nothing but numbers, fixed or open?"""
    return all(isinstance(atom, Truth | Compare | Congruent) for atom in atoms(formula)) and not features(
        formula
    )


def settled(formula: Formula, values: Mapping[str, int]) -> Formula:
    """The formula with these values in place of the open numbers."""
    match formula:
        case Compare(left, operator, right):
            return Compare(_settled(left, values), operator, _settled(right, values))
        case Congruent(left, modulus, residue):
            return Congruent(_settled(left, values), modulus, residue)
        case Not(part):
            return Not(settled(part, values))
        case And(parts):
            return And(tuple(settled(part, values) for part in parts))
        case Or(parts):
            return Or(tuple(settled(part, values) for part in parts))
        case Defined(_, _, body):
            return settled(body, values)
        case _:
            return formula


def _settled(term: Linear, values: Mapping[str, int]) -> Linear:
    return Linear(term.parts, term.constant + sum(c * values[name] for c, name in term.free))


def number_holds(game: Game, formula: Formula, values: Mapping[str, int]) -> bool:
    """Is a formula about plain numbers true for these values?"""
    nothing = Position(game, Arrangement(()), Situation(game.roles[-1], None))
    return holds(settled(formula, values), nothing)


def assignments(statement: Statement) -> Iterator[dict[str, int]]:
    """Every choice of values for the open numbers, the first number slowest, low values first."""
    for values in product(range(statement.highest + 1), repeat=len(statement.numbers)):
        yield dict(zip(statement.numbers, values, strict=True))
