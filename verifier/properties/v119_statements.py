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
from dsl.judge.hands import ask_hands

from .. import ask
from ..decode import Witness
from ..findings import Example, Finding, counted_hand
from ..formulas import speaks_of_shape
from ..properties import codes
from ..study import Answered, Study, answer_words, every

TITLE = ("断言", "statement")

INFORMATIVE = frozenset({"V105", "V117"})
"""Checks that only inform: a statement about one of them counts what it says, whatever its weight."""

NO_CHECK = ("没有这一项查验，或者正在做它", "there is no such check, or it is the one at work")

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
        study.statements.append(_answered(statement, outcome, seconds))
        if outcome.got is not None and outcome.got != statement.expected:
            yield _refuted(study, statement, outcome)


def _answered(statement: Statement, outcome: Outcome, seconds: float) -> Answered:
    return Answered(
        id=statement.id,
        title=statement.title,
        expected=statement.expected,
        got=outcome.got,
        seconds=seconds,
        method=outcome.method,
        of_truth=_of_truth(statement),
    )


def _of_truth(statement: Statement) -> bool:
    return statement.quantifier == "every" or statement.about == "numbers"


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
        study.leave_open(f"验 {code}", NO_CHECK)
        return Outcome(None, "check")
    open_before = len(study.unknown)
    found = [f for f in study.findings(code) if code in INFORMATIVE or f.severity != "info"]
    if not found and len(study.unknown) > open_before:
        return Outcome(None, "check")
    return Outcome(bool(found), "check", found[0].example if found else None)


def _hand(study: Study, statement: Statement, formula: HandFormula) -> Outcome:
    counts = ask_hands(study.compiled, formula).first
    shows = None if counts is None else counted_hand(study.game, counts)
    return Outcome((counts is None) == (statement.quantifier == "every"), "automaton", shows)


def _number(study: Study, formula: Formula) -> bool:
    nothing = Position(study.game, Arrangement(()), Situation(study.game.roles[-1], None))
    return holds(formula, nothing)


def _arrangement(study: Study, statement: Statement, formula: Formula) -> Outcome:
    """About complete arrangements, unless the statement itself asks whether there is a shape."""
    asked = formula if speaks_of_shape(formula) else every(Complete(), formula)
    found = ask.confirmed(study.world, asked)
    if found is None:
        study.leave_open(statement.id, ask.OUT_OF_WORK)
        return Outcome(None, "solver")
    got = found == (statement.quantifier == "exists")
    surprise = found and got != statement.expected
    return Outcome(got, "solver", study.witness(asked, statement.id) if surprise else None)


def _refuted(study: Study, statement: Statement, outcome: Outcome) -> Finding:
    expected = answer_words(_of_truth(statement), statement.expected)
    got = answer_words(_of_truth(statement), bool(outcome.got))
    return study.finding(
        "error",
        (
            f"断言 `{statement.id}` 答的是{expected[0]}，其实是{got[0]}",
            f"statement `{statement.id}` expects {expected[1]}, found {got[1]}",
        ),
        [statement.rule],
        outcome.shows,
        mend=("改规则，或者改断言所答", "change the rules, or the expected answer"),
    )
