"""CORE: a game after options and readings are fixed. Finite, ground, typed; no names left to resolve.

Two files give it meaning and are meant to be read side by side: `evaluate.py` (the reference) and
`verifier/encode.py` (its twin in logic). A class added here needs a case in both, and in
`describe.py`; mypy's `assert_never` lists the places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from ..text.source import NOWHERE, Span
from .memo import Memo
from .parts import components_of, contains, index_of, is_called, usual_size

# isort: off
from .flow import Flow as Flow
from .judgements import (
    Apart as Apart,
    Judgement as Judgement,
    NamedWin as NamedWin,
    Need as Need,
    Stacking as Stacking,
    WaitType as WaitType,
)
from .money import (
    DOUBLINGS as DOUBLINGS,
    Amount as Amount,
    Arithmetic as Arithmetic,
    Number as Number,
    Outcome as Outcome,
    Party as Party,
    Score as Score,
    Seat as Seat,
    Times as Times,
    Transfer as Transfer,
)
from .ranks import RankLine as RankLine
from .ranks import Tier as Tier
from .special import Mark as Mark, Wild as Wild
from .statements import (
    CanBe as CanBe,
    Drawn as Drawn,
    EveryAwaited as EveryAwaited,
    Example as Example,
    HandAnd as HandAnd,
    HandAtom as HandAtom,
    HandFormula as HandFormula,
    HandNot as HandNot,
    HandOr as HandOr,
    Printed as Printed,
    Statement as Statement,
    WaitFaces as WaitFaces,
    Waiting as Waiting,
    WaitIs as WaitIs,
    WaitWins as WaitWins,
    WildsHeld as WildsHeld,
    Waiver as Waiver,
)
# isort: on

# ---------------------------------------------------------------- where a tile came from

ORIGINS = ("起手", "自摸", "他摸", "他打")
"""来路: dealt, own draw, another's draw, another's discard (fixed names of the JSON interface)."""

OWN = frozenset({"起手", "自摸"})
"""Origins that owe nothing to another player."""

OWN_DRAW = "自摸"
"""The origin of a last tile where nothing else is said."""

WILD = 1_000_000
"""Stands for the wild tile wherever a kind does; no game has as many kinds."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A clause of the spec as a finding, a reason or a diff points at it."""

    name: str
    """Dotted name, such as `和.门槛` or `价.符.碰`."""
    text: str
    """The author's own words, without the citations."""
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE


# ---------------------------------------------------------------- tiles and melds


@dataclass(frozen=True, slots=True)
class Kind:
    """牌: one face."""

    name: str
    copies: int
    group: int | None = None
    position: int = 0
    """Place in its group, from 1; 0 for a kind without a group."""
    classes: frozenset[str] = frozenset()
    values: tuple[tuple[str, int], ...] = ()
    """Numbers an author gave the face, such as its pips."""
    aliases: frozenset[str] = frozenset()
    """又名: other ways to write it."""


@dataclass(frozen=True, slots=True)
class Group:
    """房, 句, 门: the faces that belong together, in recited order."""

    name: str
    kinds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One tile of a ground meld: its kind and the origins it may have."""

    kind: int
    origins: frozenset[str]
    wild: bool = False
    """A wild tile lies here and stands for `kind`."""
    marked: bool = False
    """The marked tile of its face lies here."""

    @property
    def tile(self) -> int:
        """The kind of tile that lies here."""
        return WILD if self.wild else self.kind


@dataclass(frozen=True, slots=True)
class MeldType:
    """牌型: what the spec says of all melds of one name."""

    index: int
    name: str
    """Full name; a variant of a family is dotted (`招.挂一`)."""
    family: str
    """The name before the dot: what players call it."""
    aliases: frozenset[str]
    gives: tuple[int, ...]
    """What it counts as in a shape, one number per `Game.dims`."""
    locked: bool
    """锁: once exposed it may not be regrouped at the win."""
    laid_only: bool
    """Never found among concealed tiles (it brought an extra tile when it was laid)."""
    extra: int
    """补: tiles drawn to replace its surplus; the finished hand is larger by as many."""
    rule: Rule
    grows: tuple[str, ...] = ()
    """成: names of melds that an exposed one may still be completed to."""
    by_last: bool = False
    """补 末张: its one extra tile is the last tile that made it, so it is made by the last tile too."""


@dataclass(frozen=True, slots=True)
class Price:
    """One cell of a score table. `points` is None where the spec says the source has no row."""

    points: int | None
    rule: Rule
    column: str = field(default="", compare=False)
    """Name of the column, to be shown; empty where the table has but one, or several give the price."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld type with its faces filled in."""

    id: int
    type: MeldType
    slots: tuple[Slot, ...]
    tiles: tuple[int, ...]
    """Kinds in the order of the pattern; for a wild tile the one it stands for."""
    counts: tuple[tuple[int, int], ...]
    """(kind, how many) of the natural tiles, sorted by kind."""
    prices: tuple[Price, ...]
    """One per `Game.scores`."""
    awaits: frozenset[int] = frozenset()
    """待: kinds that would complete it, for wait types."""
    wilds: int = 0
    """Wild tiles in it."""
    base: int | None = None
    """Id of the same meld without the mark, of one that holds the marked tile."""

    @property
    def stand(self) -> bool:
        """Is this no meld but one wild tile that stands for a natural one?

        It takes a wild tile and gives a tile of its face: `counts` is (face, -1), and it has no places.
        """
        return not self.slots

    @property
    def mark(self) -> int | None:
        """The kind of the marked tile in it."""
        return next((slot.kind for slot in self.slots if slot.marked), None)


# ---------------------------------------------------------------- numbers and conditions


@dataclass(frozen=True, slots=True)
class Feature:
    """A number of an arrangement, additive over its melds: Σ weights[m.id]."""

    name: str
    weights: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Linear:
    """constant + Σ coefficient · feature + Σ coefficient · whole number a statement leaves open."""

    parts: tuple[tuple[int, Feature], ...] = ()
    constant: int = 0
    free: tuple[tuple[int, str], ...] = ()
    """(coefficient, name) of each open number; only statements that introduce it have any."""


Operator = Literal["<", "<=", "=", "!=", ">=", ">"]


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Compare:
    left: Linear
    operator: Operator
    right: Linear


@dataclass(frozen=True, slots=True)
class Congruent:
    """left ≡ residue (mod modulus), 0 ≤ residue < modulus."""

    left: Linear
    modulus: int
    residue: int


@dataclass(frozen=True, slots=True)
class Not:
    part: Formula


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Defined:
    """A condition the spec has a name for (清符, 和.门槛); it means its body."""

    name: str
    rule: Rule
    body: Formula


@dataclass(frozen=True, slots=True)
class Complete:
    """形: the arrangement covers every tile and has the win shape."""


@dataclass(frozen=True, slots=True)
class RoleIs:
    """身: the declarer's role."""

    role: str


@dataclass(frozen=True, slots=True)
class LastFrom:
    """末张: the origin of the last tile is one of these; None stands for no last tile."""

    origins: frozenset[str | None]


@dataclass(frozen=True, slots=True)
class LastIn:
    """末张 入: the meld that holds the last tile is of one of these types (indices)."""

    types: frozenset[int]


@dataclass(frozen=True, slots=True)
class LastWild:
    """末张 是 赖: the last tile is a wild one."""


@dataclass(frozen=True, slots=True)
class LastAlike:
    """末张 同张: concealed tiles of the last tile's face besides it; none without a natural last tile."""

    operator: Operator
    bound: int


@dataclass(frozen=True, slots=True)
class ContextIs:
    """境: a parameter of the situation has this value."""

    parameter: str
    value: str


@dataclass(frozen=True, slots=True)
class Misnamed:
    """错名: a declared name does not hold."""


Formula = (
    Truth
    | Compare
    | Congruent
    | Not
    | And
    | Or
    | Defined
    | Complete
    | RoleIs
    | LastFrom
    | LastIn
    | LastWild
    | LastAlike
    | ContextIs
    | Misnamed
)


# ---------------------------------------------------------------- situation and choices


@dataclass(frozen=True, slots=True)
class Parameter:
    """境: a named value of the situation with its finite range; the first is the default."""

    name: str
    values: tuple[str, ...]
    rule: Rule


@dataclass(frozen=True, slots=True)
class Choice:
    """选项 or 读法: what could be chosen before the game was fixed."""

    name: str
    values: tuple[str, ...]
    default: str
    is_reading: bool
    rule: Rule
    of_play: bool = False
    """It only changes how the game is played, not how a hand is judged."""


# ---------------------------------------------------------------- the game


@dataclass(frozen=True)
class Game:
    """A ruleset with every option and reading chosen."""

    name: str
    title: str
    path: str
    options: Mapping[str, str]
    kinds: tuple[Kind, ...]
    groups: tuple[Group, ...]
    dims: tuple[str, ...]
    """Names of what melds count as in a shape: 组, 口, 单 …"""
    types: tuple[MeldType, ...]
    melds: tuple[Meld, ...]
    scores: tuple[str, ...]
    """Names of the score tables; the first is the one the judge reports."""
    hand_origin: str
    """Origin of a concealed tile of which nothing else is said."""
    win: Judgement
    false_win: tuple[Need, ...]
    """Any of them makes a declared win a false one."""
    names: tuple[NamedWin, ...]
    stacking: Stacking
    stacking_rule: Rule | None
    waits: tuple[WaitType, ...]
    seats: tuple[Seat, ...]
    transfers: tuple[Transfer, ...]
    parameters: tuple[Parameter, ...]
    examples: tuple[Example, ...]
    statements: tuple[Statement, ...]
    rules: tuple[Rule, ...]
    """Every clause in the order of the text, for diff and coverage."""
    choices: tuple[Choice, ...] = ()
    """Every option and reading there was to choose; `options` says what was chosen."""
    waivers: tuple[Waiver, ...] = ()
    """Findings let stand under these options, those of the bases first. They are not among `rules`."""
    wild: Wild | None = None
    mark: Mark | None = None
    size: int | None = None
    """张数: tiles of a finished hand, where the win says so."""
    any_size: bool = False
    """张数 不限: a hand of any size is judged; `finished` is only what counts and comparisons take."""
    apart: tuple[Apart, ...] = ()
    """Roles with a shape of their own. `win` and `finished` are those of the others; see `seen_by`."""
    ranks: tuple[RankLine, ...] = ()
    """大小: how plays of a trick game rank; see `ranks.py`."""
    flow: Flow | None = None
    """How a deal is played, where the ruleset says."""
    judgement: str = ""
    """判: what is judged of a game's hands besides their win; `name` is then `GAME.JUDGEMENT`."""
    only: frozenset[str] | None = None
    """The roles whose hands it judges, of a game as `seen_by` some of its roles."""
    tied: frozenset[tuple[int, ...]] = frozenset()
    """Kinds that another game has melds of: with those, both fall into the same parts and are read alike."""

    @property
    def owner(self) -> str:
        """Name of the game whose hands it judges; its own, where that is their win."""
        return self.name.removesuffix(f".{self.judgement}") if self.judgement else self.name

    @cached_property
    def memo(self) -> Memo:
        """What readers of the game have worked out about its melds."""
        return Memo()

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Kinds split so that every meld, every group and what is `tied` lies in one part; each sorted."""
        return components_of(self)

    @cached_property
    def component_of(self) -> tuple[int, ...]:
        """For each kind the index of its component."""
        owner = {k: i for i, part in enumerate(self.components) for k in part}
        return tuple(owner[k] for k in range(len(self.kinds)))

    @cached_property
    def kind_index(self) -> Mapping[str, int]:
        """The kind that a word names, by its name or another way to write it."""
        return index_of(self.kinds)

    @cached_property
    def growth(self) -> Mapping[int, tuple[Meld, ...]]:
        """For each exposed meld that may still grow, the larger melds it may become."""
        found: dict[int, tuple[Meld, ...]] = {}
        unmarked = [m for m in self.melds if m.base is None]
        types = {m.type.name: m.type for m in unmarked}
        for meld_type in (t for t in self.types if t.grows):
            called = {name for name, t in types.items() if is_called(t, meld_type.grows)}
            named: dict[int, list[Meld]] = {}
            for large in (m for m in unmarked if m.type.name in called):
                for kind, _ in large.counts:
                    named.setdefault(kind, []).append(large)
            for meld in (m for m in unmarked if m.type is meld_type):
                larger = tuple(m for m in named.get(meld.tiles[0], ()) if contains(m, meld))
                if larger:
                    found[meld.id] = larger
        return found

    @cached_property
    def melds_with(self) -> Mapping[int, tuple[Meld, ...]]:
        """For each kind of tile the ground melds that have a place for it, in order; none with a mark."""
        found: dict[int, list[Meld]] = {}
        for meld in (m for m in self.melds if m.base is None):
            for tile in dict.fromkeys(slot.tile for slot in meld.slots):
                found.setdefault(tile, []).append(meld)
        return {tile: tuple(melds) for tile, melds in found.items()}

    @property
    def wild_free(self) -> bool:
        """Does a wild tile stand for any tile of one's own?"""
        return self.wild is not None and self.wild.free

    def bars(self, meld: Meld) -> bool:
        """Does the meld hold natural tiles only, though wild ones stand for any tile elsewhere?"""
        return self.wild is not None and meld.type.index in self.wild.barred

    def wild_face(self, context: Mapping[str, str]) -> int | None:
        """The face that is wild in a context; None when the wild tiles have none, or it is not known."""
        shown = self.shown_face(context)
        if shown is None or self.wild is None or self.wild.own:
            return None
        kind = self.kinds[shown]
        others = self.groups[kind.group].kinds if kind.group is not None else (shown,)
        return others[kind.position % len(others)]

    def shown_face(self, context: Mapping[str, str]) -> int | None:
        """The face turned up at the deal that decides which one is wild, or that is cut."""
        if self.wild is None or self.wild.parameter is None:
            return None
        return self.kind_index.get(context.get(self.wild.parameter, ""))

    @cached_property
    def with_mark(self) -> Mapping[tuple[int, int], Meld]:
        """(id of a ground meld, kind) to the same meld with the marked tile of that kind in it."""
        marked = ((m, m.mark) for m in self.melds if m.base is not None)
        return {(m.base or 0, kind): m for m, kind in marked if kind is not None}

    def marked_face(self, role: str, context: Mapping[str, str]) -> int | None:
        """The face of which one tile of this role is marked."""
        if self.mark is None or role not in self.mark.roles:
            return None
        return self.kind_index.get(context.get(self.mark.parameter, ""))

    def copies_in(self, context: Mapping[str, str]) -> tuple[int, ...]:
        """How many natural tiles of each face are in play."""
        copies = [kind.copies for kind in self.kinds]
        shown, face = self.shown_face(context), self.wild_face(context)
        if shown is not None and self.wild is not None:
            copies[shown] -= self.wild.gone
        if face is not None:
            copies[face] = 0
        return tuple(copies)

    @cached_property
    def dealt(self) -> Mapping[str, int]:
        """For each role the tiles it is dealt."""
        return {seat.role: seat.tiles for seat in self.seats}

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Roles that play, in seat order without repeats; those with a shape of their own come first."""
        playing = dict.fromkeys(seat.role for seat in self.seats if seat.tiles)
        own = {apart.role for apart in self.apart}
        judged = (role for role in playing if self.only is None or role in self.only)
        return tuple(sorted(judged, key=lambda role: role not in own))

    @cached_property
    def views(self) -> tuple[Game, ...]:
        """The game as the roles see it whose hands have one shape and size; those without their own first.

        Every view has one shape for all of its roles. All of them have the same melds.
        """
        if not self.apart:
            return (self,)
        alike: dict[tuple[tuple[int, ...], int], list[Apart]] = {}
        for apart in self.apart:
            alike.setdefault((apart.shape, apart.size), []).append(apart)
        rest = frozenset(self.roles) - {apart.role for apart in self.apart}
        others = (
            replace(
                self,
                apart=(),
                only=frozenset(apart.role for apart in found),
                win=replace(self.win, shape=shape, rule=found[0].rule),
                size=size,
            )
            for (shape, size), found in alike.items()
        )
        return (replace(self, apart=(), only=rest), *others)

    def seen_by(self, role: str) -> Game:
        """The game with the shape and size of this role's finished hands; itself where all have the same."""
        if not self.apart:
            return self
        return next((view for view in self.views if role in view.roles), self.views[0])

    @cached_property
    def shapes(self) -> tuple[tuple[tuple[str, ...], tuple[int, ...], int], ...]:
        """(roles, shape, tiles of a finished hand) of every view."""
        return tuple((view.roles, view.win.shape, view.finished) for view in self.views)

    @cached_property
    def widest(self) -> tuple[int, ...]:
        """Per `dims` the most that the shape of some role asks for."""
        return tuple(max(asked) for asked in zip(*(view.win.shape for view in self.views), strict=True))

    @cached_property
    def finished(self) -> int:
        """Tiles of a finished hand before extra draws: as the win says, else as the deal does."""
        return usual_size(self) if self.size is None else self.size

    @cached_property
    def on_top(self) -> bool:
        """Does the last tile come on top of the finished hand? Then only a `by_last` meld can hold it."""
        return any(meld_type.by_last for meld_type in self.types)

    @property
    def waiting(self) -> int:
        """Tiles of a hand that waits for its last one, before extra draws; with that one it has one more."""
        return self.finished if self.on_top else self.finished - 1

    def can_hold_last(self, meld: Meld) -> bool:
        """May the meld hold the last tile, as far as the size of the hand goes?"""
        return meld.type.by_last or not self.on_top
