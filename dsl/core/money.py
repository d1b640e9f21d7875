"""CORE: who sits at the table, and who pays whom.

A part of `model.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .model import Formula, Rule


@dataclass(frozen=True, slots=True)
class Seat:
    """座: a player of the table by the name a payment uses."""

    name: str
    role: str
    tiles: int
    """Tiles dealt; the sitting-out seat has 0."""


Outcome = Literal["win", "false_win", "draw"]
Party = Literal["actor", "others", "all"] | str
"""Who pays or is paid: the winner or offender, everybody else at play, all at play, the seats of a role
(`role:庄`), or those of them that are not the winner or offender (`other:庄`)."""


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class Times:
    """倍: the multiplier of the names that hold and were declared, after stacking."""


@dataclass(frozen=True, slots=True)
class Score:
    """The arrangement's total in one score table."""

    table: int


DOUBLINGS = 64
"""More doublings than that count as so many: no table pays them, and numbers stay short."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left // n`: 每满, the whole times that a number n > 0 goes into it, none below zero. `left << right`:
    翻倍, doubled so many times; not at all below zero, and at most `DOUBLINGS` times."""

    operator: Literal["+", "-", "*", "//", "<<"]
    left: Amount
    right: Amount


Amount = Number | Times | Score | Arithmetic


@dataclass(frozen=True, slots=True)
class Transfer:
    """付: in this outcome each payer pays each payee the amount (nobody pays himself)."""

    outcome: Outcome
    payer: Party
    payee: Party
    amount: Amount
    condition: Formula
    rule: Rule
