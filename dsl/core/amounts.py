"""What a payment can come to: amounts as conditions on scores, one multiplier at a time.

Whole quotients and doublings are taken apart into cases: for each number they can come to, when they do.
That is exact, for a score has a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from .evaluate import doubled, times
from .formulas import score_feature
from .model import (
    DOUBLINGS,
    Amount,
    And,
    Arithmetic,
    Compare,
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
from .parts import tiles_in_play


def can_be_negative(game: Game, transfer: Transfer) -> Formula | None:
    """The amount is below zero; None when it is not linear in the scores, or has too many cases."""
    found: list[Formula] = []
    if not _can_fall(transfer.amount):
        return Truth(False)
    given = multipliers(game, transfer.outcome) if multiplied(transfer.amount) else [(1, Truth(True))]
    for multiplier, held in given:
        cases = amount_cases(game, transfer.amount, multiplier)
        if cases is None:
            return None
        found += [And((held, when, Compare(term, "<", Linear()))) for when, term in cases]
    return Or(tuple(found)) if len(found) <= MOST else None


def _can_fall(amount: Amount) -> bool:
    """Is something subtracted? Prices, multipliers and written numbers are never below zero."""
    match amount:
        case Arithmetic("+" | "*", left, right):
            return _can_fall(left) or _can_fall(right)
        case Arithmetic("<<", left, _):
            return _can_fall(left)
        case Arithmetic("-"):
            return True
    return False


def multiplied(amount: Amount) -> bool:
    """Does the amount ask which names hold?"""
    match amount:
        case Arithmetic(_, left, right):
            return multiplied(left) or multiplied(right)
    return isinstance(amount, Times)


def multipliers(game: Game, outcome: str) -> Iterator[tuple[int, Formula]]:
    """Every multiplier the names can give, with the condition under which they do.

    Of a false win any names may have been called.
    """
    worth = [name for name in game.names if name.times != 1]
    if outcome == "win" and game.stacking == "highest":
        yield from _levels(worth)
        return
    found: dict[int, list[Formula]] = {}
    for number in range(len(worth) + 1):
        for held in combinations(worth, number):
            when = _exactly(held, worth) if outcome == "win" else Truth(True)
            found.setdefault(times(game, held), []).append(when)
    for factor, cases in found.items():
        yield factor, cases[0] if len(cases) == 1 or outcome != "win" else Or(tuple(cases))


def _levels(worth: list[NamedWin]) -> Iterator[tuple[int, Formula]]:
    """Every multiplier where the highest counts: a name of that worth holds, and none above it."""
    above: list[NamedWin] = []
    for level in sorted({name.times for name in worth}, reverse=True):
        equal = [name for name in worth if name.times == level]
        some = Or(tuple(name.formula for name in equal))
        yield level, And((some, *(Not(name.formula) for name in above)))
        above += equal
    yield 1, And(tuple(Not(name.formula) for name in above))


def _exactly(held: tuple[NamedWin, ...], worth: list[NamedWin]) -> Formula:
    parts = (name.formula if name in held else Not(name.formula) for name in worth)
    return And(tuple(parts))


MOST = 500
"""Cases of a payment that are still asked of the solver."""

Case = tuple[Formula, Linear]
"""When the amount is this linear term of the scores. Of the cases of an amount one holds."""


def amount_cases(game: Game, amount: Amount, multiplier: int) -> list[Case] | None:
    """The cases of an amount; None for a product of two scores, or for too many."""
    match amount:
        case Number(value):
            return [(Truth(True), Linear(constant=value))]
        case Times():
            return [(Truth(True), Linear(constant=multiplier))]
        case Score(table):
            return [(Truth(True), Linear(((1, score_feature(game, table)),)))]
        case Arithmetic(operator, left, right):
            first, second = (amount_cases(game, side, multiplier) for side in (left, right))
            if first is None or second is None:
                return None
            pairs = product(first, second)
            found = [c for a, b in pairs for c in _together(game, operator, a, b)]
            known = [(when, term) for when, term in found if term is not None]
            return known if len(known) == len(found) <= MOST else None


def _together(game: Game, operator: str, left: Case, right: Case) -> Iterator[tuple[Formula, Linear | None]]:
    """The cases of what two cases come to; no term for one that is not linear."""
    given, other = left[0], right[0]
    match operator:
        case "//":
            size = right[1].constant
            for when, number in _steps(left[1], size, _highest(game, left[1]) // size):
                yield And((given, when)), Linear(constant=number)
        case "<<":
            for when, number in _steps(right[1], 1, min(DOUBLINGS, _highest(game, right[1]))):
                yield And((given, other, when)), scaled(left[1], doubled(number))
        case _:
            yield And((given, other)), _joined(operator, left[1], right[1])


def _steps(term: Linear, size: int, last: int) -> Iterator[tuple[Formula, int]]:
    """How many times `size` goes into a term, from 0 for all below it to `last` for all above, and when."""
    last = max(last, 0)
    if not term.parts:
        yield Truth(True), min(max(term.constant, 0) // size, last)
        return
    for number in range(last + 1):
        least = Compare(term, ">=", Linear(constant=number * size)) if number else Truth(True)
        below = Compare(term, "<", Linear(constant=(number + 1) * size)) if number < last else Truth(True)
        yield And((least, below)), number


def _highest(game: Game, term: Linear) -> int:
    """No finished hand brings the term above this: its melds count as something, or take up tiles."""
    melds = max(sum(view.win.shape) for view in game.views)
    if any(not any(m.type.gives) and not m.stand for m in game.melds):
        melds += tiles_in_play(game) if game.any_size else max(view.finished for view in game.views)
    return term.constant + sum(max(c * w for w in f.weights) * melds for c, f in term.parts)


def _joined(operator: str, left: Linear, right: Linear) -> Linear | None:
    match operator:
        case "+":
            return plus(left, right)
        case "-":
            return plus(left, scaled(right, -1))
        case "*" if not left.parts:
            return scaled(right, left.constant)
        case "*" if not right.parts:
            return scaled(left, right.constant)
    return None


def plus(left: Linear, right: Linear) -> Linear:
    return Linear((*left.parts, *right.parts), left.constant + right.constant, left.free)


def scaled(term: Linear, factor: int) -> Linear:
    return Linear(tuple((factor * c, f) for c, f in term.parts), factor * term.constant)
