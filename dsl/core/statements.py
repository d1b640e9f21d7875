"""CORE: what a spec says of itself – examples, and statements about hands, tiles and numbers.

The other half of `model.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .table_questions import SeatFormula
from .tiles import TileEquation

if TYPE_CHECKING:
    from .model import Formula, Operator, Rule


def _always() -> Formula:
    from .model import Truth  # noqa: PLC0415  the two files need one another

    return Truth(True)


@dataclass(frozen=True, slots=True)
class Printed:
    """原文: what the source itself prints of an example's hand. It is compared, never tested."""

    expected: Mapping[str, object]
    """Keys as in `Example.expected`."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Example:
    """例: a hand as the JSON interface spells it, and what the judge must say of it."""

    id: str
    title: str
    options: Mapping[str, str]
    hand: Mapping[str, object]
    expected: Mapping[str, object]
    """Keys of the judge's answer: verdict, score, scores, names, payments; also `waits` and `types`."""
    rule: Rule
    printed: tuple[Printed, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """听: one more tile (of which fewer than all copies are held) gives the win shape."""

    wild: bool = False
    """Only a wild tile is asked about."""


@dataclass(frozen=True, slots=True)
class WaitIs:
    """叫: the tiles have the composition of this wait type, in an arrangement of which `where` holds."""

    name: str
    where: Formula = field(default_factory=_always)
    """Compares numbers of that arrangement; asks nothing of the situation."""


@dataclass(frozen=True, slots=True)
class WaitWins:
    """听和 / 听诈: some completing own draw would be a win (or would be a false win)."""

    wins: bool


Drawn = Literal["complete", "win", "false_win"]
"""What an own draw makes of a hand: the win shape, and then a win or not."""


@dataclass(frozen=True, slots=True)
class EveryAwaited:
    """凡 等 名：… – every tile the wait type says it waits for, unless used up, does this when drawn."""

    name: str
    drawn: Drawn


@dataclass(frozen=True, slots=True)
class WaitFaces:
    """听面: factor · (faces an own draw of which gives the win shape) compared with a number."""

    factor: int
    operator: Operator
    bound: int


@dataclass(frozen=True, slots=True)
class WildsHeld:
    """数 神: factor · (concealed wild tiles held) compared with a number."""

    factor: int
    operator: Operator
    bound: int


@dataclass(frozen=True, slots=True)
class CanBe:
    """能成: the tiles of a finished hand can be arranged in the win shape so that `where` holds."""

    where: Formula


HandAtom = Waiting | WaitIs | WaitWins | EveryAwaited | WaitFaces | WildsHeld | CanBe


@dataclass(frozen=True, slots=True)
class HandNot:
    part: HandFormula


@dataclass(frozen=True, slots=True)
class HandAnd:
    parts: tuple[HandFormula, ...]


@dataclass(frozen=True, slots=True)
class HandOr:
    parts: tuple[HandFormula, ...]


HandFormula = HandAtom | HandNot | HandAnd | HandOr
"""A condition on tiles alone, before they are arranged: of waiting hands, with `CanBe` of finished ones."""


@dataclass(frozen=True, slots=True)
class Statement:
    """断言: a sentence to be proved or refuted, with the answer its author expects.

    `about` says of what: one arrangement in a situation, a hand of tiles (waiting or finished), plain
    numbers, players at the table, or the findings of a check.
    """

    id: str
    title: str
    options: Mapping[str, str]
    about: Literal["arrangement", "hand", "numbers", "table", "check"]
    quantifier: Literal["exists", "every"]
    formula: Formula | HandFormula | None
    check: str
    """Code of the check, for `about="check"`."""
    expected: bool
    rule: Rule
    printed: bool = False
    """原文: the source claims it; `expected` is then what the source says."""
    equations: tuple[TileEquation, ...] = ()
    """The comparisons of tiles in it, in order."""
    prices: tuple[Rule, ...] = ()
    """The rows of score tables whose prices it uses as numbers."""
    laid: frozenset[int] = frozenset()
    """摆: indices of meld types; the hands spoken of may have exposed melds of these, and no others."""
    numbers: tuple[str, ...] = ()
    """整数: names of the whole numbers a statement about numbers leaves open."""
    highest: int = 0
    """The greatest value such a number takes; the least is 0."""
    faces: tuple[tuple[str, str], ...] = ()
    """Of a statement about faces: letters and the faces with which it comes out as it does."""
    seats: tuple[SeatFormula, ...] = ()
    """一家, 两家: what is asked of each player spoken of; of `凡` what a counterexample has."""


@dataclass(frozen=True, slots=True)
class Waiver:
    """豁免: a finding of a check that the author knows and lets stand."""

    check: str
    """Code of the check, such as `V109`."""
    fingerprint: str
    reason: str
    rule: Rule
