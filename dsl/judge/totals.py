"""Totals of further score tables that payments count: each is an entry of the final vector, cut off nowhere.

The first table's total is carried beside the vector; of the others a payment would else know nothing.
"""

from __future__ import annotations

from ..core.formulas import score_feature
from ..core.model import Amount, Arithmetic, Compare, Formula, Game, Linear, Score
from .probes import Condition, Probed, ScoreIs, Sight

UNCAPPED = 1_000_000_000
"""More than any score."""


def tables_paid(game: Game) -> tuple[int, ...]:
    """The score tables that amounts count, in order."""
    return tuple(sorted({table for t in game.transfers for table in _tables(t.amount)}))


def _tables(amount: Amount) -> frozenset[int]:
    match amount:
        case Score(table):
            return frozenset({table})
        case Arithmetic(_, left, right):
            return _tables(left) | _tables(right)
        case _:
            return frozenset()


def total_asked(game: Game, table: int) -> Formula:
    """A comparison that no hand meets: to answer it the total is carried as it is."""
    term = Linear(((_sign(game, table), score_feature(game, table)),))
    return Compare(term, ">=", Linear(constant=UNCAPPED))


def total_told(game: Game, table: int, condition: Condition, at: Sight) -> int:
    """The total of a table, read where the rewritten `total_asked` looks."""
    match condition:
        case ScoreIs():
            return _sign(game, table) * at.score
        case Probed(index, _, _):
            return _sign(game, table) * at.vector[index]
        case _:
            return 0


def _sign(game: Game, table: int) -> int:
    """-1 for a table of prices below zero: the comparison is then of what is above it."""
    return -1 if max(score_feature(game, table).weights, default=0) <= 0 else 1
