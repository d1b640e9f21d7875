"""Where a deal stands: what is on the table, whose turn it is, and what may be done. Nothing here changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..core.hand import Laid

Kind = Literal["turn_up", "take", "pass", "discard", "lay", "win"]


class Action(NamedTuple):
    """What a player does."""

    kind: Kind
    seat: int
    name: str = ""
    """Of the announcement or response that a meld is laid by."""
    tile: int = -1
    """Kind of the tile that is discarded."""
    laid: Laid | None = None
    joined: tuple[int, ...] = ()
    """Places of the exposed melds that the new one takes up."""
    declared: tuple[str, ...] | None = None
    """Names called with a win; None for the right ones."""


class Task(NamedTuple):
    """Something that a player is to do before the deal goes on."""

    kind: Literal["announce", "win", "discard", "turn_up", "take"]
    seat: int
    name: str = ""


class Offer(NamedTuple):
    """A tile that lies open: turned up or discarded."""

    tile: int
    seat: int
    turned: bool
    first: bool
    """It is the first one turned up, or the first one discarded."""


class Ask(NamedTuple):
    """A player who may take the tile on offer, and how."""

    seat: int
    options: tuple[Action, ...]
    must: bool


class Player(NamedTuple):
    """One seat: its tiles and what it did."""

    counts: tuple[int, ...]
    """Concealed natural tiles per kind."""
    wilds: int = 0
    laid: tuple[Laid, ...] = ()
    taken: tuple[str, ...] = ()
    """Names of the responses made so far."""
    drawn: int | None = None
    """The tile just drawn (`WILD` for a wild one), not among the others yet."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended. Payments are in units of the stake, one per seat."""

    outcome: Literal["win", "false_win", "draw", "stuck"]
    seat: int | None
    payments: tuple[int, ...]
    names: tuple[str, ...] = ()
    score: int = 0
    breach: str = ""
    """Name of the clause that was broken, for a false win."""
    next_dealer: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A deal at one moment. `lawful` is what may be done now, empty at the end."""

    deck: tuple[int, ...] = field(repr=False)
    """Every tile in the order in which it is drawn, those dealt first."""
    at: int
    """How many of them are gone."""
    players: tuple[Player, ...]
    context: Mapping[str, str]
    todo: tuple[Task, ...] = ()
    offer: Offer | None = None
    asks: tuple[Ask, ...] = ()
    opened: bool = False
    """Has everybody been asked about the offer?"""
    pool: tuple[tuple[int, int], ...] = ()
    """(tile, seat) of the tiles that nobody took, in order."""
    turned: int = 0
    discarded: int = 0
    lawful: tuple[Action, ...] = ()
    result: Result | None = None

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return self.lawful[0].seat if self.lawful else None
