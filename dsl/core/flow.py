"""CORE: how a deal is played – the order of what happens, what may be taken, what may not be let go.

A part of `model.py`, which gives these names on; import them from there. `local.py` says what a local
condition means; `dsl/table` plays by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .model import Operator, Rule

# ---------------------------------------------------------------- conditions on what one player sees


@dataclass(frozen=True, slots=True)
class Always:
    """No condition."""


@dataclass(frozen=True, slots=True)
class LocalNot:
    part: Local


@dataclass(frozen=True, slots=True)
class LocalAnd:
    parts: tuple[Local, ...]


@dataclass(frozen=True, slots=True)
class LocalOr:
    parts: tuple[Local, ...]


@dataclass(frozen=True, slots=True)
class TileFrom:
    """末张: where the tile on offer would come from for the one who takes it."""

    origins: frozenset[str]


@dataclass(frozen=True, slots=True)
class PlayerIs:
    """身: the player's role."""

    role: str


@dataclass(frozen=True, slots=True)
class Given:
    """境: a circumstance of the deal has this value."""

    parameter: str
    value: str


@dataclass(frozen=True, slots=True)
class TileIn:
    """这张 入: the tile on offer, or about to be let go, is one of these kinds."""

    kinds: frozenset[int]
    name: str


@dataclass(frozen=True, slots=True)
class TileWild:
    """这张 赖: it is a wild one."""


@dataclass(frozen=True, slots=True)
class Changes:
    """多出, 少了: the concealed tiles of its group make more of these melds with the tile, or fewer when
    those are gone that are let go or laid with it.

    Counted is the most of them that lie side by side, after the most of `first` has been taken out.
    """

    more: bool
    types: frozenset[int]
    first: frozenset[int]
    name: str


@dataclass(frozen=True, slots=True)
class HoldsOnly:
    """只有: the concealed tiles of its group are just this pattern, such as (2, 1) for a a b.

    `this` is the place in `pattern` of the face the tile has, `len(pattern)` for a face not among them;
    None when it may be any.
    """

    pattern: tuple[int, ...]
    this: int | None


@dataclass(frozen=True, slots=True)
class NothingLeft:
    """打光: no concealed tile would be left to discard, wild ones not counted."""


@dataclass(frozen=True, slots=True)
class First:
    """首打, 首翻: the tile is the first discard of the deal, or the first one turned up."""

    turned: bool


@dataclass(frozen=True, slots=True)
class SitsAt:
    """本家, 下家: the player turned the tile up himself, or sits next after the one it comes from."""

    distance: int


@dataclass(frozen=True, slots=True)
class SameFace:
    """同张: how many of the tile's face are concealed, itself not counted."""


@dataclass(frozen=True, slots=True)
class Taken:
    """已应: how often the player has answered so in this deal."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exposed:
    """已摆: how many melds of these types the player has laid."""

    types: frozenset[int]
    name: str


Quantity = SameFace | Taken | Exposed


@dataclass(frozen=True, slots=True)
class LocalSum:
    constant: int
    parts: tuple[tuple[int, Quantity], ...] = ()


@dataclass(frozen=True, slots=True)
class LocalCompare:
    left: LocalSum
    operator: Operator
    right: LocalSum


Local = (
    Always
    | LocalNot
    | LocalAnd
    | LocalOr
    | TileFrom
    | PlayerIs
    | Given
    | TileIn
    | TileWild
    | Changes
    | HoldsOnly
    | NothingLeft
    | First
    | SitsAt
    | LocalCompare
)
"""Finite, linear and local: about one player's tiles in one group, and what was done so far."""

# ---------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a player does when it is his turn to."""

    kind: Literal["announce", "win", "discard", "turn_up", "take"]
    name: str = ""
    """Of the announcement."""


@dataclass(frozen=True, slots=True)
class Step:
    """开局: what the seats of a role do one after the other, before the turns begin."""

    role: str
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Announcement:
    """宣: melds that are laid from concealed tiles alone."""

    name: str
    must: bool
    types: frozenset[int]
    where: Local
    rule: Rule


@dataclass(frozen=True, slots=True)
class Response:
    """应: what may (or must) be done with a tile on offer, and by whom."""

    name: str
    own: bool
    """本家: the one who turned the tile up."""
    others: Literal["", "next", "any"]
    must: bool
    win: bool
    types: frozenset[int]
    """Melds the tile may be laid in; empty for a win."""
    from_hand: bool
    """The rest of the meld is concealed."""
    joins: frozenset[int]
    """接: types of the exposed melds that it may be added to."""
    where: Local
    keeps: bool
    """不打: nothing is discarded afterwards."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Veto:
    """禁: answers that are not open where the condition holds."""

    name: str
    responses: frozenset[str]
    where: Local
    rule: Rule


@dataclass(frozen=True, slots=True)
class Ban:
    """不得: tiles that may not be discarded."""

    name: str
    where: Local
    yields: bool
    """可让: it does not hold where it leaves nothing to discard."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Told:
    """境 in 流程: what the table says of a circumstance at a win."""

    parameter: str
    value: str
    where: Local
    rule: Rule


@dataclass(frozen=True, slots=True)
class Breach:
    """犯: clauses that can be broken, and what comes of it."""

    name: str
    clauses: tuple[str, ...]
    """Names of announcements, responses and bans; `和` is a false win."""
    ends: bool
    """The deal ends, and the offender is settled with as after a false win; else play goes on."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Flow:
    """流程 of a game."""

    reserve: int = 0
    """留底: tiles at the bottom of the stock that are never drawn."""
    reveal: str | None = None
    """揭: the circumstance that is decided by turning a tile up after the deal."""
    opening: tuple[Step, ...] = ()
    turn: tuple[Act, ...] = ()
    into_hand: Local | None = None
    """入手: tiles that go into the hand of the one who turns them up, who then discards."""
    announcements: Mapping[str, Announcement] = field(default_factory=dict)
    responses: Mapping[str, Response] = field(default_factory=dict)
    vetoes: tuple[Veto, ...] = ()
    order: tuple[tuple[str, ...], ...] = ()
    """先后: names of responses of each rank, best first."""
    nearest: bool = False
    """同级 最近: among equals the one whose turn comes soonest goes first."""
    bans: tuple[Ban, ...] = ()
    told: tuple[Told, ...] = ()
    next_dealer: Mapping[str, str] = field(default_factory=dict)
    """For an outcome who deals next: `actor`, `same` or `next`."""
    breaches: tuple[Breach, ...] = ()
