"""What a seat gains or loses in an outcome, as cases of linear terms: a number that statements compare.

It means what `evaluate.payments` pays when the names that hold are called; a law keeps the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .amounts import Case, amount_cases, multiplied, multipliers, plus, scaled
from .evaluate import actor_seat, party, times
from .formulas import in_role
from .model import (
    And,
    Compare,
    Formula,
    Game,
    Linear,
    Not,
    Operator,
    Or,
    Outcome,
    RoleIs,
    Times,
    Transfer,
    Truth,
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """收: what a seat gets in an outcome, less than nothing when it pays."""

    seat: str | None
    """Its name; None for the seat of whoever wins or offends."""
    outcome: Outcome
    called: tuple[str, ...] = ()
    """Names that a false win called; those of a win are the ones that hold."""


MOST_SUMS = 2_000
"""Cases of a sum, for one role, that are still compared."""

Part = tuple[int, Receipt | Times]
"""A factor, and what it multiplies."""


def compared_receipts(
    game: Game, left: Linear, operator: Operator, right: Linear, parts: Sequence[Part]
) -> Formula | None:
    """`left + Σ parts` compared with `right`: which case it is, and then a comparison of scores.

    None for what is not linear in the scores, or has too many cases.
    """
    by_role = [_cases(game, role, left, parts) for role in game.roles]
    if any(cases is None or len(cases) > MOST_SUMS for cases in by_role):
        return None
    same = all(cases == by_role[0] for cases in by_role)
    found = [
        _both(Truth(True) if same else RoleIs(role), _both(when, Compare(term, operator, right)))
        for role, cases in zip(game.roles[:1] if same else game.roles, by_role, strict=False)
        for when, term in cases or ()
    ]
    return Or(tuple(found))


def receipt_cases(game: Game, role: str, receipt: Receipt) -> list[Case] | None:
    """What the seat gets when `role` wins or offends; None as for `compared_receipts`."""
    return _cases(game, role, Linear(), ((1, receipt),))


def _cases(game: Game, role: str, start: Linear, parts: Sequence[Part]) -> list[Case] | None:
    """The sum, when `role` wins or offends."""
    found: list[Case] = []
    for multiplier, held in _multipliers(game, parts):
        holds = in_role(held, role)
        times_over = sum(factor for factor, part in parts if isinstance(part, Times))
        sums: list[Case] | None = [(holds, plus(start, Linear(constant=times_over * multiplier)))]
        for share, transfer, called in _dues(game, role, parts):
            factor = multiplier if transfer.outcome == "win" else called
            sums = _added(sums, _due_cases(game, role, share, transfer, factor))
        if sums is None:
            return None
        found += sums if holds != Truth(False) else []
    return found


def _multipliers(game: Game, parts: Sequence[Part]) -> Iterator[tuple[int, Formula]]:
    """What the names come to, where a part asks for it."""
    won = any(isinstance(part, Receipt) and part.outcome == "win" for _, part in parts)
    paid = won and any(multiplied(t.amount) for t in game.transfers if t.outcome == "win")
    if paid or any(isinstance(part, Times) for _, part in parts):
        return multipliers(game, "win")
    return iter([(1, Truth(True))])


def _dues(game: Game, role: str, parts: Sequence[Part]) -> Iterator[tuple[int, Transfer, int]]:
    """How many times over each payment counts in the sum, and what the names called come to."""
    actor = actor_seat(game, role)
    shares: dict[tuple[Transfer, int], int] = {}
    for factor, part in parts:
        if isinstance(part, Receipt):
            called = times(game, tuple(name for name in game.names if name.name in part.called))
            for transfer in (t for t in game.transfers if t.outcome == part.outcome):
                share = factor * _share(game, transfer, actor, part.seat or actor)
                shares[transfer, called] = shares.get((transfer, called), 0) + share
    for (transfer, called), share in shares.items():
        if share:
            yield share, transfer, called


def _due_cases(game: Game, role: str, share: int, transfer: Transfer, multiplier: int) -> list[Case] | None:
    """What one payment comes to so many times over, when `role` wins or offends."""
    when = in_role(transfer.condition, role)
    if when == Truth(False):
        return [(Truth(True), Linear())]
    due = amount_cases(game, transfer.amount, multiplier)
    if due is None:
        return None
    paid = [(_both(when, case), scaled(term, share)) for case, term in due]
    return paid if when == Truth(True) else [*paid, (Not(when), Linear())]


def _added(sums: list[Case] | None, others: list[Case] | None) -> list[Case] | None:
    """Every sum with every case of what is added to it; None where either has none, or they are too many."""
    if sums is None or others is None or len(sums) * len(others) > MOST_SUMS:
        return None
    return [(_both(when, other), plus(term, more)) for when, term in sums for other, more in others]


def _both(left: Formula, right: Formula) -> Formula:
    if Truth(True) in (left, right):
        return right if left == Truth(True) else left
    return And((left, right))


def _share(game: Game, transfer: Transfer, actor: str, seat: str) -> int:
    """How many times over the seat gets the amount; below zero when it pays."""
    payers, payees = (party(game, who, actor) for who in (transfer.payer, transfer.payee))
    pairs = [(payer, payee) for payer in payers for payee in payees if payer != payee]
    return sum((payee == seat) - (payer == seat) for payer, payee in pairs)
