"""Taking conditions apart: alternatives, conjuncts, what they speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from dsl.core.formulas import atoms as atoms
from dsl.core.formulas import features as features
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
    Not,
    Or,
    RoleIs,
    Rule,
    Truth,
)

Topic = tuple[str, object]


def bare(formula: Formula) -> Formula:
    """The formula without the names that were given to it."""
    return bare(formula.body) if isinstance(formula, Defined) else formula


def alternatives(formula: Formula) -> tuple[Formula, ...]:
    """The disjuncts of a condition; one when it is not a choice."""
    match bare(formula):
        case Or(parts):
            return tuple(a for part in parts for a in alternatives(part))
        case Not(Defined(_, _, body)):
            return alternatives(Not(body))
        case Not(And(parts)):
            return tuple(a for part in parts for a in alternatives(Not(part)))
    return (formula,)


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """The conditions that must all hold; one when it is not a list."""
    match bare(formula):
        case And(parts):
            return tuple(c for part in parts for c in conjuncts(part))
        case Not(Defined(_, _, body)):
            return conjuncts(Not(body))
        case Not(Or(parts)):
            return tuple(c for part in parts for c in conjuncts(Not(part)))
    return (formula,)


def ranged(formula: Formula) -> Formula:
    """What a statement means: it speaks of complete arrangements unless it speaks of the shape itself."""
    return formula if speaks_of_shape(formula) else And((Complete(), formula))


def speaks_of_shape(formula: Formula) -> bool:
    """Does the formula ask whether there is a win shape at all?"""
    return any(isinstance(atom, Complete) for atom in atoms(formula))


def topics(formula: Formula) -> frozenset[Topic]:
    """What the formula looks at: features, the last tile, the role, parameters, names called."""
    return frozenset(topic for atom in atoms(formula) for topic in _topics(atom))


def _topics(atom: Formula) -> Iterator[Topic]:
    match atom:
        case Compare() | Congruent():
            yield from (("feature", feature.weights) for feature in features(atom))
        case RoleIs():
            yield "role", None
        case LastFrom() | LastIn() | LastWild() | LastAlike():
            yield "last", None
        case ContextIs(parameter, _):
            yield "context", parameter
        case Misnamed():
            yield "names", None
        case Complete():
            yield "shape", None
        case Truth() | Not() | And() | Or() | Defined():
            return
        case _:
            assert_never(atom)


def with_features(formula: Formula, change: Callable[[Feature], Feature]) -> Formula:
    """The formula with every number it compares exchanged for another."""

    def of(term: Linear) -> Linear:
        return replace(term, parts=tuple((c, change(feature)) for c, feature in term.parts))

    match formula:
        case Compare(left, operator, right):
            return Compare(of(left), operator, of(right))
        case Congruent(left, modulus, residue):
            return Congruent(of(left), modulus, residue)
        case Not(part):
            return Not(with_features(part, change))
        case And(parts):
            return And(tuple(with_features(part, change) for part in parts))
        case Or(parts):
            return Or(tuple(with_features(part, change) for part in parts))
        case Defined(name, rule, body):
            return Defined(name, rule, with_features(body, change))
        case _:
            return formula


def definitions(formula: Formula) -> dict[str, Rule]:
    """The clauses whose conditions the formula uses, by name, in the order in which it comes upon them."""
    match formula:
        case Defined(_, rule, body):
            return {rule.name: rule, **definitions(body)}
        case Not(part):
            return definitions(part)
        case And(parts) | Or(parts):
            return {name: rule for part in parts for name, rule in definitions(part).items()}
        case _:
            return {}


def struck_out(formula: Formula, names: Iterable[str]) -> Formula:
    """What the formula asks when the conditions of these clauses may be met or not, as it suits."""
    for name in names:
        asked = _asked(formula, name, True)
        choices = [_settled(formula, name, truth) for truth in (True, False) if truth in asked]
        formula = Or(tuple(choices)) if len(choices) > 1 else choices[0] if choices else formula
    return formula


def _asked(formula: Formula, name: str, wanted: bool) -> frozenset[bool]:
    """Does the formula want the condition met, unmet, or now this and now that?"""
    match formula:
        case Defined(_, rule, body):
            return frozenset({wanted}) if rule.name == name else _asked(body, name, wanted)
        case Not(part):
            return _asked(part, name, not wanted)
        case And(parts) | Or(parts):
            return frozenset[bool]().union(*(_asked(part, name, wanted) for part in parts))
        case _:
            return frozenset()


def _settled(formula: Formula, name: str, truth: bool) -> Formula:
    match formula:
        case Defined(called, rule, body):
            return Truth(truth) if rule.name == name else Defined(called, rule, _settled(body, name, truth))
        case Not(part):
            return Not(_settled(part, name, truth))
        case And(parts):
            return And(tuple(_settled(part, name, truth) for part in parts))
        case Or(parts):
            return Or(tuple(_settled(part, name, truth) for part in parts))
        case _:
            return formula


def exchanged(formula: Formula, out: int, into: int) -> Formula:
    """What the formula says of the arrangement once one ground meld has been exchanged for another.

    Exact as long as the last tile lies in neither of the two.
    """
    match formula:
        case Compare(left, operator, right):
            return Compare(_moved(left, out, into), operator, _moved(right, out, into))
        case Congruent(left, modulus, residue):
            return Congruent(_moved(left, out, into), modulus, residue)
        case Not(part):
            return Not(exchanged(part, out, into))
        case And(parts):
            return And(tuple(exchanged(part, out, into) for part in parts))
        case Or(parts):
            return Or(tuple(exchanged(part, out, into) for part in parts))
        case Defined(_, _, body):
            return exchanged(body, out, into)
        case _:
            return formula


def _moved(term: Linear, out: int, into: int) -> Linear:
    change = sum(c * (feature.weights[into] - feature.weights[out]) for c, feature in term.parts)
    return Linear(term.parts, term.constant + change)
