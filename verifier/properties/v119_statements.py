"""V119: the spec's own statements, expected against found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

from dsl.core.evaluate import Arrangement, Position, Situation, holds
from dsl.core.limits import TooLarge
from dsl.core.model import (
    Formula,
    HandFormula,
    Rule,
    Statement,
)
from dsl.judge.hands import any_hand, ask_hands, owner
from dsl.judge.roads import noted

from .. import ask, numbers
from ..decode import Witness
from ..findings import Example, Finding, Words
from ..formulas import ranged
from ..properties import codes
from ..replay import unarranged
from ..study import Answered, How, Study, answer_words
from ..table_shown import table_example
from ..workings import workings

TITLE = ("断言", "statement")

INFORMATIVE = frozenset({"V105", "V117"})
"""Checks that only inform: a statement about one of them counts what it says, whatever its weight."""

NO_CHECK = ("没有这一项查验，或者正在做它", "there is no such check, or it is the one at work")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a statement, and what shows it."""

    got: bool | None
    how: How
    shows: Witness | Example | None = None
    workings: tuple[Words, ...] = ()
    """Of plain arithmetic: where it does not come out."""
    rules: tuple[Rule, ...] = ()
    """Clauses whose numbers the answer rests on."""


def findings(study: Study) -> Iterator[Finding]:
    """Answer every statement; those that are not as expected are findings. What a source claims is V120's."""
    yield from _answers(study, lambda about: about not in ("table", "check"))


def at_table(study: Study) -> Iterator[Finding]:
    """The statements about players."""
    yield from _answers(study, lambda about: about == "table")


def afterwards(study: Study) -> Iterator[Finding]:
    """The statements about what checks find."""
    yield from _answers(study, lambda about: about == "check")


def _answers(study: Study, ours: Callable[[str], bool]) -> Iterator[Finding]:
    """`ours` is told what a statement is about."""
    for statement in study.steps([s for s in study.game.statements if not s.printed and ours(s.about)]):
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
        how=outcome.how,
        of_truth=of_truth(statement),
    )


def of_truth(statement: Statement) -> bool:
    """Is it answered by true or false, rather than by some or none?"""
    plain = statement.about == "numbers" and not statement.numbers
    return statement.quantifier == "every" or plain


def answer(study: Study, statement: Statement) -> Outcome:
    """What is true, under the options the statement names."""
    if statement.options:
        study = _under(study, statement)
    given = next((s for s in study.game.statements if s.rule == statement.rule), statement)
    match given.about, given.formula:
        case "check", _:
            return _check(study, given.check)
        case "table", _:
            return _table(study, given)
        case "hand", formula if formula is not None and not isinstance(formula, Formula):
            return _hand(study, given, formula)
        case "numbers", formula if isinstance(formula, Formula) and given.numbers:
            return _open_numbers(study, given, formula)
        case "numbers", formula if isinstance(formula, Formula):
            lines = tuple(workings(given, formula))
            return Outcome(_number(study, formula), "arithmetic", workings=lines, rules=given.prices)
        case _, formula if isinstance(formula, Formula):
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
    with noted() as roads:
        try:
            found = any_hand(study.compiled, formula, statement.laid)
        except TooLarge as large:
            study.leave_open(statement.id, large.words)
            return Outcome(None, roads.road)
    got = found == (statement.quantifier == "exists")
    if not found or got == statement.expected:
        return Outcome(got, roads.road)
    first = ask_hands(study.compiled, formula, laid=statement.laid, counted=False)
    hand = first.hand(owner(study.game, formula))
    return Outcome(got, roads.road, unarranged(study.game, hand, formula))


def _table(study: Study, statement: Statement) -> Outcome:
    """About players: can they sit there so?"""
    found = study.tables.possible(*statement.seats)
    if found is None:
        study.leave_open(statement.id, study.tables.why_open)
        return Outcome(None, "table")
    got = found == (statement.quantifier == "exists")
    if not found or got == statement.expected:
        return Outcome(got, "table")
    shown = study.tables.witness(*statement.seats).witness
    return Outcome(got, "table", None if shown is None else table_example(shown))


def _number(study: Study, formula: Formula) -> bool:
    nothing = Position(study.game, Arrangement(()), Situation(study.game.roles[-1], None))
    return holds(formula, nothing)


def _open_numbers(study: Study, statement: Statement, formula: Formula) -> Outcome:
    """For some, or for all, values of the numbers that are left open."""
    status, values, how = numbers.decide(study.game, statement, formula)
    if status == "unknown":
        study.leave_open(statement.id, ask.OUT_OF_WORK)
        return Outcome(None, how)
    said = tuple(f"{name} = {value}" for name, value in values.items())
    lines = (("，".join(said), ", ".join(said)),) if said else ()
    got = (status == "sat") == (statement.quantifier == "exists")
    return Outcome(got, how, workings=lines, rules=statement.prices)


def _arrangement(study: Study, statement: Statement, formula: Formula) -> Outcome:
    """About complete arrangements, unless the statement itself asks whether there is a shape."""
    asked = ranged(formula)
    found = ask.confirmed(study.world, asked)
    if found is None:
        study.leave_open(statement.id, ask.why_open(study.world, asked))
        return Outcome(None, "solver")
    got = found == (statement.quantifier == "exists")
    surprise = found and got != statement.expected
    return Outcome(got, "solver", study.witness(asked, statement.id) if surprise else None)


def _refuted(study: Study, statement: Statement, outcome: Outcome) -> Finding:
    expected = answer_words(of_truth(statement), statement.expected)
    got = answer_words(of_truth(statement), bool(outcome.got))
    return study.finding(
        "error",
        (
            f"断言 `{statement.id}` 答的是{expected[0]}，其实是{got[0]}",
            f"statement `{statement.id}` expects {expected[1]}, found {got[1]}",
        ),
        [statement.rule, *outcome.rules],
        outcome.shows,
        verdicts=outcome.workings,
        mend=("改规则，或者改断言所答", "change the rules, or the expected answer"),
        subject=[statement.id],
    )
