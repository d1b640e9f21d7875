"""V119: the spec's own statements, expected against found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from dsl.core.evaluate import Arrangement, Position, Situation, holds
from dsl.core.model import (
    And,
    Compare,
    Complete,
    Congruent,
    ContextIs,
    Defined,
    Formula,
    HandFormula,
    LastFrom,
    LastIn,
    Misnamed,
    Not,
    Or,
    RoleIs,
    Statement,
    Truth,
)
from dsl.judge.hands import hand_witness

from .. import ask
from ..decode import Witness
from ..findings import Example, Finding, Words, counted_hand
from ..formulas import speaks_of_shape
from ..properties import codes
from ..study import Answered, Study, every

TITLE = ("断言", "statement")

INFORMATIVE = frozenset({"V105", "V117"})
"""Checks that only inform: a statement about one of them counts what it says, whatever its weight."""

FORMULAS = (
    Truth, Compare, Congruent, Not, And, Or, Defined, Complete, RoleIs, LastFrom, LastIn, ContextIs, Misnamed,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a statement, and what shows it."""

    got: bool | None
    method: str
    shows: Witness | Example | None = None


def findings(study: Study) -> Iterator[Finding]:
    """Answer every statement; those that are not as expected are findings."""
    for statement in study.game.statements:
        start = perf_counter()
        outcome = answer(study, statement)
        seconds = perf_counter() - start
        study.statements.append(
            Answered(statement.id, statement.title, statement.expected, outcome.got, seconds, outcome.method)
        )
        if outcome.got is not None and outcome.got != statement.expected:
            yield _refuted(study, statement, outcome)


def answer(study: Study, statement: Statement) -> Outcome:
    """What is true, under the options the statement names."""
    if statement.options:
        study = _under(study, statement)
    given = next((s for s in study.game.statements if s.id == statement.id), statement)
    match given.about, given.formula:
        case "check", _:
            return _check(study, given.check)
        case "hand", formula if formula is not None and not isinstance(formula, FORMULAS):
            return _hand(study, given, formula)
        case "numbers", formula if isinstance(formula, FORMULAS):
            return Outcome(_number(study, formula), "arithmetic")
        case _, formula if isinstance(formula, FORMULAS):
            return _arrangement(study, given, formula)
    raise AssertionError(f"statement {given.id} asks nothing")


def _under(study: Study, statement: Statement) -> Study:
    """The same ruleset with the statement's options; its open questions are ours."""
    other = study.reload(statement.options)
    other.unknown, other.asking = study.unknown, study.asking
    return other


def _check(study: Study, code: str) -> Outcome:
    """Does the check find anything that an author must act on?"""
    if code in study.asking or code not in codes():
        study.leave_open(f"验 {code}", "there is no such check, or it is the one that asks")
        return Outcome(None, "check")
    open_before = len(study.unknown)
    found = [f for f in study.findings(code) if code in INFORMATIVE or f.severity != "info"]
    if not found and len(study.unknown) > open_before:
        return Outcome(None, "check")
    return Outcome(bool(found), "check", found[0].example if found else None)


def _hand(study: Study, statement: Statement, formula: HandFormula) -> Outcome:
    counts = hand_witness(study.game, formula)
    shows = None if counts is None else counted_hand(study.game, counts)
    return Outcome((counts is None) == (statement.quantifier == "every"), "automaton", shows)


def _number(study: Study, formula: Formula) -> bool:
    nothing = Position(study.game, Arrangement(()), Situation(study.game.roles[-1], None))
    return holds(formula, nothing)


def _arrangement(study: Study, statement: Statement, formula: Formula) -> Outcome:
    """About complete arrangements, unless the statement itself asks whether there is a shape."""
    asked = formula if speaks_of_shape(formula) else every(Complete(), formula)
    match ask.ask(study.world, asked):
        case ask.Unknown(reason):
            study.leave_open(statement.id, reason)
            return Outcome(None, "solver")
        case ask.Refuted(witness):
            return Outcome(statement.quantifier == "exists", "solver", witness)
        case ask.Proved():
            return Outcome(statement.quantifier == "every", "solver")


def _refuted(study: Study, statement: Statement, outcome: Outcome) -> Finding:
    return study.finding(
        "error",
        (
            f"断言 `{statement.id}` 答的是{_answer(statement, statement.expected)[0]}，"
            f"其实是{_answer(statement, bool(outcome.got))[0]}",
            f"statement `{statement.id}` expects {_answer(statement, statement.expected)[1]}, "
            f"found {_answer(statement, bool(outcome.got))[1]}",
        ),
        [statement.rule],
        outcome.shows,
        mend=("改规则，或者改断言所答", "change the rules, or the expected answer"),
    )


def _answer(statement: Statement, value: bool) -> Words:
    """The answer as the language of statements words it."""
    if statement.quantifier == "every" or statement.about == "numbers":
        return ("真", "true") if value else ("假", "false")
    return ("有", "some") if value else ("无", "none")
