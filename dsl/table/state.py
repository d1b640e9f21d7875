"""Where a deal stands: what is on the table, whose turn it is, and what may be done. Nothing here changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ..core.hand import Laid
from ..core.local import Did

Kind = Literal[
    "turn_up",
    "take",
    "pass",
    "discard",
    "lay",
    "win",
    "leave",
    "open",
    "lead",
    "beat",
    "cover",
    "raise",
    "call",
    "grab",
    "misdeal",
]
HIDDEN = Laid(-1, ())
"""A meld that lies face down, for those who did not lay it."""


class Action(NamedTuple):
    """What a player does."""

    kind: Kind
    seat: int
    name: str = ""
    """Of the announcement or response that it is done by, of the clause of one who leaves or opens."""
    tile: int = -1
    """Kind of the tile that is discarded or raised."""
    laid: Laid | None = None
    joined: tuple[int, ...] = ()
    """Places of the exposed melds that the new one takes up."""
    declared: tuple[str, ...] | None = None
    """Names called with a win; None for the right ones."""
    call: str = ""
    """What is said with it, to lift a ban."""
    play: int = -1
    """Id of the meld that is led or beats, in the ruleset whose 大小 ranks it."""


class Task(NamedTuple):
    """Something that a player is to do before the deal goes on."""

    kind: Literal[
        "announce",
        "win",
        "discard",
        "turn_up",
        "take",
        "leave",
        "open",
        "trick",
        "follow",
        "cover",
        "close",
        "raise",
    ]
    seat: int
    name: str = ""
    must: bool = False
    """A win that has to be declared."""


class Put(NamedTuple):
    """A play of the trick that lies on the table."""

    seat: int
    play: int
    """Id of its meld, as in `Action`."""
    tiles: tuple[int, ...]


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
    """Names of the responses made so far, and of what is noted of his plays."""
    drawn: int | None = None
    """The tile just drawn (`WILD` for a wild one), not among the others yet."""
    left: str = ""
    """The clause by which he left the deal."""
    turn: tuple[Did, ...] = ()
    """What he laid since it became his turn; in the opening, since the deal."""
    fouls: tuple[str, ...] = ()
    """Breaches that he will be fined for when the deal ends; nobody else knows of them."""
    front: tuple[int, ...] = ()
    """Tiles laid from the tricks that he took."""
    covered: tuple[int, ...] = ()
    """Tiles that he gave face down; -1 for each in the view of another."""
    came: str = ""
    """Origin of the tile just drawn, where it was taken from the table."""
    denied: tuple[int, int] = (-1, -1)
    """Tiles drawn and discarded when he was last fined for a false win, and play went on."""


def seen(player: Player, laid: tuple[Laid, ...]) -> Player:
    """What the others see of a player whose melds look like this: neither his hand nor what he covered."""
    down = (-1,) * len(player.covered)
    return Player((), 0, laid, player.taken, left=player.left, front=player.front, covered=down)


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended. Payments are in units of the stake, one per seat."""

    outcome: Literal["win", "false_win", "draw", "stuck", "void"]
    """`void`: nothing is paid, and it is dealt anew."""
    seat: int | None
    payments: tuple[int, ...]
    names: tuple[str, ...] = ()
    score: int = 0
    breach: str = ""
    """Name of the clause that was broken, for a false win or a void deal."""
    halt: str = ""
    """Name of the clause that called the deal off, by the tiles of `seat`."""
    next_dealer: int = 0


@dataclass(frozen=True)
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
    opener: int | None = None
    """Who made the call that opens play."""
    fines: tuple[int, ...] = ()
    """What was paid on the way, one per seat; empty for nothing."""
    trick: tuple[Put, ...] = ()
    """The lead and each play that beat the one before; the last is best."""
    tricks: int = 0
    """How many tricks are over."""
    leader: int | None = None
    """Who took the last one."""
    unbeaten: bool = False
    """He had led it."""
    lawful: tuple[Action, ...] = ()
    result: Result | None = None

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return self.lawful[0].seat if self.lawful else None


def changed(state: State, **changes: Any) -> State:
    """As `dataclasses.replace`, in a tenth of the time: a deal goes through hundreds of states."""
    made = object.__new__(State)
    made.__dict__.update(state.__dict__)
    made.__dict__.update(changes)
    if len(made.__dict__) != len(state.__dict__):
        raise TypeError(f"a state has no such fields: {sorted(changes)}")
    return made
