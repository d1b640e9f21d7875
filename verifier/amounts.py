"""What a payment can come to: amounts as conditions on scores, one multiplier at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dsl.core.evaluate import times
from dsl.core.model import (
    Amount,
    And,
    Arithmetic,
    Compare,
    Feature,
    Formula,
    Game,
    Linear,
    NamedWin,
    Not,
    Number,
    Or,
    Score,
    Times,
    Transfer,
    Truth,
)


def can_be_negative(game: Game, transfer: Transfer) -> Formula | None:
    """The amount is below zero; None when it is no linear term of the scores."""
    found: list[Formula] = []
    if not _can_fall(transfer.amount):
        return Truth(False)
    for multiplier, given in multipliers(game, transfer.outcome):
        term = linear_amount(game, transfer.amount, multiplier)
        if term is None:
            return None
        found.append(And((given, Compare(term, "<", Linear()))))
    return Or(tuple(found))


def _can_fall(amount: Amount) -> bool:
    """Is something subtracted? Prices, multipliers and written numbers are never below zero."""
    match amount:
        case Arithmetic("+" | "*", left, right):
            return _can_fall(left) or _can_fall(right)
        case Arithmetic():
            return True
    return False


def multipliers(game: Game, outcome: str) -> Iterator[tuple[int, Formula]]:
    """Every multiplier the names can give, with the condition under which they do.

    Of a false win any names may have been called.
    """
    worth = [name for name in game.names if name.times != 1]
    seen: set[int] = set()
    for number in range(len(worth) + 1):
        for held in combinations(worth, number):
            factor = times(game, held)
            if outcome == "win":
                yield factor, _exactly(held, worth)
            elif factor not in seen:
                seen.add(factor)
                yield factor, Truth(True)


def _exactly(held: tuple[NamedWin, ...], worth: list[NamedWin]) -> Formula:
    parts = (name.formula if name in held else Not(name.formula) for name in worth)
    return And(tuple(parts))


def linear_amount(game: Game, amount: Amount, multiplier: int) -> Linear | None:
    """The amount as a linear term of the scores; None for a product of two scores or a division."""
    match amount:
        case Number(value):
            return Linear(constant=value)
        case Times():
            return Linear(constant=multiplier)
        case Score(table):
            return Linear(((1, score_feature(game, table)),))
        case Arithmetic(operator, left, right):
            sides = (linear_amount(game, left, multiplier), linear_amount(game, right, multiplier))
            if sides[0] is None or sides[1] is None:
                return None
            return _joined(operator, sides[0], sides[1])


def _joined(operator: str, left: Linear, right: Linear) -> Linear | None:
    match operator:
        case "+":
            return Linear((*left.parts, *right.parts), left.constant + right.constant)
        case "-":
            return _joined("+", left, scaled(right, -1))
        case "*" if not left.parts:
            return scaled(right, left.constant)
        case "*" if not right.parts:
            return scaled(left, right.constant)
    return None


def scaled(term: Linear, factor: int) -> Linear:
    return Linear(tuple((factor * c, f) for c, f in term.parts), factor * term.constant)


def score_feature(game: Game, table: int) -> Feature:
    """The total of a score table as a number that formulas compare."""
    return Feature(game.scores[table], tuple(meld.prices[table].points or 0 for meld in game.melds))
