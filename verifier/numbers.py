"""Statements about whole numbers that are left open: tried one by one where they are few, else solved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from dsl.core.model import Formula, Game, Statement
from dsl.core.numbers import assignments, number_holds

from .encode import holds
from .replay import ReplayError
from .smt import Smt, Status
from .view import View

FEW = 1_000
"""Choices of values that are still tried one by one."""

BUDGET = 60_000_000
"""Work the solver may spend, in its own units."""

Values = Mapping[str, int]


def decide(
    game: Game, statement: Statement, formula: Formula
) -> tuple[Status, Values, Literal["enumeration", "solver"]]:
    """Are there values of the open numbers of which the formula holds, which, and how is it known?"""
    if (statement.highest + 1) ** len(statement.numbers) <= FEW:
        tried = by_trying(game, statement, formula)
        return "unsat" if tried is None else "sat", tried or {}, "enumeration"
    status, values = by_solving(game, statement, formula)
    return status, values, "solver"


def by_trying(game: Game, statement: Statement, formula: Formula) -> Values | None:
    """The first values of which the formula holds."""
    return next((v for v in assignments(statement) if number_holds(game, formula, v)), None)


def by_solving(game: Game, statement: Statement, formula: Formula) -> tuple[Status, Values]:
    """The solver's answer; values it finds are tried again. Raises `ReplayError` when they fail."""
    smt = Smt()
    numbers = {name: smt.integer(name, 0, statement.highest) for name in statement.numbers}
    no = smt.truth(False)
    view = View(smt, game, {}, no, {}, {}, {}, {}, no, smt.total([]), no, numbers=numbers)
    smt.require(holds(formula, view))
    status = smt.check(budget=BUDGET)
    if status != "sat":
        return status, {}
    values = {name: smt.integer_value(term) for name, term in numbers.items()}
    if not number_holds(game, formula, values):
        raise ReplayError(f"the claim does not hold of the numbers: {values}")
    return status, values
