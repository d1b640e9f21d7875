"""CORE: how a deal is played – the order of what happens, what may be taken, what may not be let go.

A part of `model.py`, which gives these names on; import them from there. `local.py` says what a local
condition means; `dsl/table` plays by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .tricks import Halt, Tricks

if TYPE_CHECKING:
    from .model import Game, Operator, Rule

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
    """只有, 那房 只有: the concealed tiles of its group are just this pattern, such as (2, 1) for a a b.

    `this` is the place in `pattern` of the face the tile has, `len(pattern)` for a face not among them;
    None when it may be any.
    """

    pattern: tuple[int, ...]
    this: int | None
    there: bool = False
    """那房: the group is that of the tile he took or laid last in this turn."""


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
class TileNamed:
    """这张 随: the tile has the face that a circumstance of the deal names."""

    parameter: str


@dataclass(frozen=True, slots=True)
class JustDid:
    """刚应: in this turn the player answered so, or laid a meld by this announcement."""

    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """留张: the tile was left concealed in the group of a tile that the player took or laid in this turn,
    before he drew for it."""


@dataclass(frozen=True, slots=True)
class LeadHas:
    """领 有: the tiles that leave the hand are led, and one of these kinds is among them."""

    kinds: frozenset[int]
    name: str


@dataclass(frozen=True, slots=True)
class Short:
    """成形不和: the player's tiles, with the one on offer, have the shape of a win, and make none."""


@dataclass(frozen=True, slots=True)
class Unbeaten:
    """无人盖: the player led the trick that is just over, and nobody beat it."""


@dataclass(frozen=True, slots=True)
class WildsHeld:
    """赖数: how many wild tiles the player has concealed."""


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
    same_group: bool = False
    """同房: only those in the tile's group count."""


@dataclass(frozen=True, slots=True)
class PresentScore:
    """现分: the most by the first score table that melds of the concealed natural tiles come to, with those
    laid and with the marked tile in one of them."""


@dataclass(frozen=True, slots=True)
class Tied:
    """有配: how many of the tiles that would leave the hand could each lie in such a meld with tiles that
    stay, the melds side by side."""

    types: frozenset[int]
    name: str


@dataclass(frozen=True, slots=True)
class TricksDone:
    """墩数: how many tricks are over."""


@dataclass(frozen=True, slots=True)
class TilesLeft:
    """余张: how many concealed tiles stay in the hand."""


Quantity = SameFace | WildsHeld | Taken | Exposed | PresentScore | Tied | TricksDone | TilesLeft


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
    | TileNamed
    | JustDid
    | LeftOver
    | LeadHas
    | Unbeaten
    | Short
    | LocalCompare
)
"""Finite, linear and local: about one player's tiles in one group, and what was done so far."""

# ---------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a player does when it is his turn to."""

    kind: Literal["announce", "win", "discard", "turn_up", "take", "leave", "open", "trick"]
    name: str = ""
    """Of the announcement, of the way to leave or of the call that opens play."""
    must: bool = False
    """A win that has to be declared."""


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
    """None for a call: a word that is said once, with nothing laid."""
    where: Local
    """Asked with the first of the concealed tiles that are laid."""
    rule: Rule
    joins: frozenset[int] = frozenset()
    """接: types of the exposed melds that they are added to; empty where they make a meld of their own."""
    hidden: bool = False
    """扣: laid face down, so that nobody else sees which tiles they are."""


@dataclass(frozen=True, slots=True)
class Exit:
    """退: who does not hold up to a judgement of the game leaves the deal."""

    name: str
    must: bool
    judgement: str
    where: Local
    pays: bool
    """照付: he is paid and pays at the end as if he had stayed."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Opener:
    """报叫: what one of those who stay has to call; where nobody does the deal is drawn."""

    name: str
    judgement: str
    named: str
    """Name in the judgement that his hand must have."""
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
    into_hand: bool = False
    """入手: the tile joins the concealed ones, and what a turn asks for after drawing is done."""


@dataclass(frozen=True, slots=True)
class Call:
    """除非: a word that lifts a ban or veto when it is said with the action, where the condition holds."""

    name: str
    where: Local


@dataclass(frozen=True, slots=True)
class Raised:
    """抬: before anything else a role may show one of its tiles, whose face a circumstance then names.

    It is the one dealt at this place (from 1), or the next that is no wild tile. Otherwise the circumstance
    has its first value.
    """

    parameter: str
    role: str
    must: bool
    place: int
    rule: Rule


@dataclass(frozen=True, slots=True)
class Veto:
    """禁: answers that are not open where the condition holds."""

    name: str
    responses: frozenset[str]
    where: Local
    rule: Rule
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Ban:
    """不得: tiles that may not be discarded."""

    name: str
    where: Local
    yields: bool
    """可让: it does not hold where it leaves nothing to discard."""
    rule: Rule
    call: Call | None = None


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
    """Names of announcements, responses, vetoes and bans, or of the duty to beat; `和` is a false win, `张数`
    a deal of a wrong number of tiles."""
    ends: bool
    """The deal ends, and the offender is settled with as after a false win; else play goes on."""
    rule: Rule
    later: bool = False
    """记罚: play goes on, but he cannot win any more and is settled with so when the deal ends."""
    fined: bool = False
    """罚打: he is settled with, and play goes on; a false win is no win."""
    dealer: str = ""
    """Who deals next, `same` or `next`; else as after any false win."""
    void: bool = False
    """重发: the deal ends, nobody is settled with, and it is dealt anew."""
    rated: bool = False
    """照档: he is settled with as if he had called the names that his hand is rated by."""
    where: Local = field(default_factory=Always)
    """当: whose breach it is, and with what hand; no tile is looked at."""


@dataclass(frozen=True, slots=True)
class Rating:
    """认档: the name that a hand which is no win counts as called by, when a breach is settled."""

    name: str
    where: Local
    """Of the hand alone; no tile is looked at."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Flow:
    """流程 of a game."""

    reserve: int = 0
    """留底: tiles at the bottom of the stock that are never drawn."""
    reveal: str | None = None
    """揭: the circumstance that is decided by turning a tile up after the deal."""
    raised: Raised | None = None
    seating: tuple[str, ...] = ()
    """座次: names of the seats in order of turn, the dealer's first; else as the seats are written."""
    no_turn: frozenset[str] = frozenset()
    """不轮: roles that never have a turn of their own."""
    skipped: frozenset[str] = frozenset()
    """略座: roles that do not count where a response is the next player's."""
    own_turned: str = "自摸"
    """自翻: the origin of a tile for the one who turned it up."""
    after_extra: tuple[Act, ...] | None = None
    """补后: what is done after an extra tile. None: he may win, where he is to discard next."""
    opening: tuple[Step, ...] = ()
    turn: tuple[Act, ...] = ()
    into_hand: Local | None = None
    """入手: tiles that go into the hand of the one who turns them up, who then discards."""
    announcements: Mapping[str, Announcement] = field(default_factory=dict)
    exits: Mapping[str, Exit] = field(default_factory=dict)
    openers: Mapping[str, Opener] = field(default_factory=dict)
    responses: Mapping[str, Response] = field(default_factory=dict)
    vetoes: tuple[Veto, ...] = ()
    order: tuple[tuple[str, ...], ...] = ()
    """先后: names of responses of each rank, best first."""
    dealer_first: bool = False
    """同级 庄起: among equals the dealer goes first; else the one whose turn comes soonest."""
    bans: tuple[Ban, ...] = ()
    told: tuple[Told, ...] = ()
    next_dealer: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """For an outcome and the actor's role (or "") who deals next: `actor`, `same` or `next`."""
    breaches: tuple[Breach, ...] = ()
    ratings: tuple[Rating, ...] = ()
    halts: tuple[Halt, ...] = ()
    tricks: Tricks | None = None
    """How the tricks of a turn are played, where it has any."""
    judged: Mapping[str, Game] = field(default_factory=dict)
    """The judgements of the game that clauses name, under the same options."""

    @property
    def announced(self) -> frozenset[int]:
        """Types of the melds that announcements lay."""
        return frozenset(t for a in self.announcements.values() for t in a.types)

    @property
    def laid(self) -> frozenset[int]:
        """Types of the melds that announcements and responses lay."""
        return self.announced.union(*(r.types for r in self.responses.values()))

    @property
    def judgements(self) -> dict[str, Rule]:
        """Names of the judgements that are asked at the table, each with a clause that names it."""
        asking: list[Exit | Opener | Halt | Tricks] = [*self.exits.values(), *self.openers.values()]
        asking += [*self.halts, *([] if self.tricks is None else [self.tricks])]
        return {clause.judgement: clause.rule for clause in asking if clause.judgement}
