"""CORE: what decides a declared win – shapes, conditions, names, waits.

A part of `model.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .model import Formula, Rule


@dataclass(frozen=True, slots=True)
class Need:
    """One named condition of a judgement."""

    name: str
    formula: Formula
    rule: Rule


@dataclass(frozen=True, slots=True)
class Judgement:
    """判: a shape that must be met exactly, and conditions on the arrangement and the situation."""

    shape: tuple[int, ...]
    """Per `Game.dims`."""
    needs: tuple[Need, ...]
    rule: Rule
    choice: Literal["payment", "score"] = "payment"
    """取: which arrangement the winner takes."""
    groupings: tuple[Need, ...] = ()
    """摆法: an arrangement for which one of these fails is none; each looks at melds of one component at a
    time."""


@dataclass(frozen=True, slots=True)
class Apart:
    """形 of one role: what its finished hands are arranged as, where that is not what the others' are."""

    role: str
    shape: tuple[int, ...]
    size: int
    """Tiles of a finished hand of that role, before extra draws."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class NamedWin:
    """名: a predicate on an arrangement in a situation, and what it multiplies the stake by."""

    name: str
    formula: Formula
    times: int
    """1 for a name that pays like an ordinary win."""
    rule: Rule
    aliases: frozenset[str] = frozenset()
    """又名: other words that call it."""
    uncalled: bool = False
    """自计: it counts whether it is called or not."""


Stacking = Literal["highest", "product", "sum"]
"""叠法. `sum` adds the multipliers of all names that have one (above 1)."""


@dataclass(frozen=True, slots=True)
class WaitType:
    """落叫: a shape one tile short, and the meld types whose awaited faces complete it."""

    name: str
    shape: tuple[int, ...]
    on: frozenset[int]
    """Indices of meld types."""
    rule: Rule
