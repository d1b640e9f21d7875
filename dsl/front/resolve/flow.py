"""流程: how a deal is played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal

from lark import Token, Tree

from ...core.flow import (
    Act,
    Always,
    Announcement,
    Ban,
    Breach,
    Call,
    Changes,
    Exit,
    Exposed,
    First,
    Flow,
    Given,
    HoldsOnly,
    JustDid,
    LeadHas,
    LeftOver,
    Local,
    LocalAnd,
    LocalCompare,
    LocalNot,
    LocalOr,
    LocalSum,
    NothingLeft,
    Opener,
    PlayerIs,
    PresentScore,
    Quantity,
    Raised,
    Rating,
    Response,
    SameFace,
    Short,
    SitsAt,
    Step,
    Taken,
    Tied,
    TileFrom,
    TileIn,
    TileNamed,
    TilesLeft,
    TileWild,
    Told,
    TricksDone,
    Unbeaten,
    Veto,
    WildsHeld,
)
from ...core.model import OWN_DRAW, Operator
from ..keywords import spell
from ..syntax import (
    Clause,
    Node,
    child,
    dotted,
    first_number,
    has_token,
    name_of,
    names_of,
    tokens,
    trees,
    unquoted,
)
from .arithmetic import operator_of
from .deck import origins_of
from .melds import ordinal
from .scope import Scope, rule_of
from .tricks import resolve_halts, resolve_tricks

WIN = spell("WIN", "zh")
SIZE = spell("SIZE", "zh")
ACTS: dict[str, Literal["turn_up", "take", "discard", "win", "trick"]] = {
    "TURN_UP": "turn_up",
    "TAKE": "take",
    "DISCARD": "discard",
    "WIN": "win",
    "TRICK": "trick",
}


def resolve_flow(scope: Scope, roles: tuple[str, ...]) -> Flow | None:
    """The flow of play; None where the ruleset says nothing of it. `roles` are those of its seats."""
    clauses = scope.assembled.under(spell("FLOW", "zh"))
    return Reader(scope, clauses, roles).flow() if clauses else None


class Reader:
    """Reads the clauses of the flow, and conditions that name them."""

    def __init__(self, scope: Scope, clauses: list[Clause], roles: tuple[str, ...]) -> None:
        self.scope = scope
        self.clauses = clauses
        self.roles = roles
        self.announced = [c.key[2] for c in clauses if c.kind == "announce"]
        self.exits = [c.key[2] for c in clauses if c.kind == "leave"]
        self.openers = [c.key[2] for c in clauses if c.kind == "opener"]
        self.answers = [c.key[2] for c in clauses if c.kind == "respond"]
        self.banned = [c.key[2] for c in clauses if c.kind == "ban"]
        self.called = [c.key[-1] for c in scope.assembled.under("名") if c.kind == "named_win"]

    @cached_property
    def before(self) -> frozenset[str]:
        """Names that a base had; what lists them need not be written again where they are gone."""
        return _once_stated(self.scope)

    def of(self, kind: str) -> Iterator[Clause]:
        return (clause for clause in self.clauses if clause.kind == kind)

    def one(self, kind: str) -> Clause | None:
        return next(self.of(kind), None)

    def flow(self) -> Flow:
        reserve, reveal = self.one("reserve"), self.one("reveal")
        into_hand = self.one("into_hand")
        return Flow(
            reserve=0 if reserve is None else first_number(reserve.tree),
            reveal=None if reveal is None else self._parameter(reveal, trees(reveal.tree, "name")[0]),
            opening=self._opening(),
            turn=self._turn(),
            raised=self._raised(),
            seating=self._seating(),
            no_turn=self._roles("no_turn"),
            skipped=self._roles("skipped"),
            own_turned=self._own_turned(),
            after_extra=self._after_extra(),
            into_hand=None if into_hand is None else self._local(into_hand),
            announcements={c.key[2]: self._announcement(c) for c in self.of("announce")},
            exits={c.key[2]: self._exit(c) for c in self.of("leave")},
            openers={c.key[2]: _opener(c) for c in self.of("opener")},
            responses={c.key[2]: self._response(c) for c in self.of("respond")},
            vetoes=tuple(self._veto(c) for c in self.of("veto")),
            order=self._order(),
            dealer_first=any(has_token(clause.tree, "FROM_DEALER") for clause in self.of("tie")),
            bans=tuple(self._ban(c) for c in self.of("ban")),
            told=tuple(self._told(c) for c in self.of("told")),
            next_dealer=dict(self._next_dealer(c) for c in self.of("next_dealer")),
            breaches=tuple(self._breach(c) for c in self.of("breach")),
            ratings=tuple(self._rating(c) for c in self.of("rating")),
            halts=resolve_halts(self.clauses),
            tricks=resolve_tricks(self.scope, self.clauses, self._local),
        )

    # ------------------------------------------------------------ what is done

    def _opening(self) -> tuple[Step, ...]:
        clause = self.one("opening")
        steps = [] if clause is None else trees(clause.tree, "step_of")
        return tuple(self._step(clause, node) for node in steps if clause is not None)

    def _step(self, clause: Clause, node: Node) -> Step:
        at = trees(node, "name")[0]
        self._role(clause, at)
        return Step(name_of(at), self._acts(clause, node))

    def _turn(self) -> tuple[Act, ...]:
        clause = self.one("turn")
        if clause is None:
            example = ("流程 { 轮：翻开 }", "flow { turn: turn_up }")
            self.scope.fault("T016", self.scope.assembled.ruleset.span, section="流程.轮", example=example)
            return ()
        return self._acts(clause, clause.tree)

    def _after_extra(self) -> tuple[Act, ...] | None:
        clause = self.one("after_extra")
        return None if clause is None else self._acts(clause, clause.tree)

    def _raised(self) -> Raised | None:
        clause = self.one("raised")
        if clause is None:
            return None
        parameter, role = trees(clause.tree, "name")
        self._role(clause, role)
        place = ordinal(str(tokens(clause.tree, "ORDINAL")[0]))
        named = self._parameter(clause, parameter)
        return Raised(named, name_of(role), _must(clause.tree), place, rule_of(clause))

    def _seating(self) -> tuple[str, ...]:
        clause = self.one("seating")
        return () if clause is None else tuple(names_of(clause.tree, "name"))

    def _roles(self, kind: str) -> frozenset[str]:
        found = set[str]()
        for clause in self.of(kind):
            for node in trees(clause.tree, "name"):
                self._role(clause, node)
                found.add(name_of(node))
        return frozenset(found)

    def _own_turned(self) -> str:
        clause = self.one("own_turned")
        if clause is None:
            return OWN_DRAW
        return next(iter(origins_of(self.scope, clause, names_of(clause.tree, "name"))), OWN_DRAW)

    def _acts(self, clause: Clause, node: Node) -> tuple[Act, ...]:
        return tuple(self._act(clause, act) for act in trees(node, "act"))

    def _act(self, clause: Clause, node: Node) -> Act:
        for token in tokens(node, *ACTS):
            return Act(ACTS[token.type], must=has_token(node, "MUST"))
        node = trees(node, "name")[0]
        name = name_of(node)
        if name in self.exits:
            return Act("leave", name)
        if name in self.openers:
            return Act("open", name)
        self._known(clause, node, ("宣的名", "announcement"), self.announced)
        return Act("announce", name)

    def _announcement(self, clause: Clause) -> Announcement:
        joining = child(clause.tree, "joining")
        return Announcement(
            clause.key[2],
            _must(clause.tree),
            self._types(clause, trees(clause.tree, "meld_name")),
            self._local(clause),
            rule_of(clause),
            frozenset() if joining is None else self._types(clause, trees(joining, "meld_name")),
            has_token(clause.tree, "FACE_DOWN"),
        )

    def _exit(self, clause: Clause) -> Exit:
        judgement = name_of(trees(clause.tree, "name")[1])
        pays = has_token(clause.tree, "STILL_PAYS")
        return Exit(clause.key[2], _must(clause.tree), judgement, self._local(clause), pays, rule_of(clause))

    def _response(self, clause: Clause) -> Response:
        tree = clause.tree
        who = {token.type for node in trees(tree, "who") for token in tokens(node)}
        joining = child(tree, "joining")
        return Response(
            name=clause.key[2],
            own="SELF" in who,
            others="any" if "ANYONE" in who else "next" if "NEXT" in who else "",
            must=_must(tree),
            win=_wins(tree),
            types=self._types(clause, trees(tree, "meld_name")),
            from_hand=joining is None or has_token(joining, "HAND"),
            joins=frozenset() if joining is None else self._types(clause, trees(joining, "meld_name")),
            where=self._local(clause),
            keeps=has_token(tree, "KEEPS"),
            rule=rule_of(clause),
            into_hand=has_token(tree, "INTO_HAND"),
        )

    def _order(self) -> tuple[tuple[str, ...], ...]:
        clause = self.one("order")
        if clause is None:
            return (tuple(self.answers),)
        ranks = tuple(self.names(clause, rank, self.answers) for rank in trees(clause.tree, "rank"))
        unranked = tuple(name for name in self.answers if name not in {n for rank in ranks for n in rank})
        return (*ranks[:-1], ranks[-1] + unranked)

    def names(self, clause: Clause, node: Node, known: list[str]) -> tuple[str, ...]:
        """Names of clauses below a node, the win among them, in order."""
        found = []
        for item in node.children:
            if isinstance(item, Tree) and item.data == "name":
                found.append(name_of(item))
                if found[-1] not in self.before:
                    self._known(clause, item, ("流程里的名", "name in the flow"), known)
            elif isinstance(item, Token) and item.type in ("WIN", "SIZE"):
                found.append(spell(item.type, "zh"))
        return tuple(name for name in found if name in known)

    def _veto(self, clause: Clause) -> Veto:
        names = frozenset(self.names(clause, _listed(clause.tree), self.answers))
        return Veto(clause.key[2], names, self._local(clause), rule_of(clause), self._call(clause))

    def _ban(self, clause: Clause) -> Ban:
        yields = has_token(clause.tree, "YIELDS")
        return Ban(clause.key[2], self._local(clause), yields, rule_of(clause), self._call(clause))

    def _call(self, clause: Clause) -> Call | None:
        node = child(clause.tree, "lifting")
        if node is None:
            return None
        name, where = name_of(trees(node)[0]), child(node, "local")
        parts = [self._local(said) for said in self.of("saying") if said.key[2] == name]
        parts += [] if where is None else [self.condition(clause, where)]
        return Call(name, parts[0] if len(parts) == 1 else LocalAnd(tuple(parts)) if parts else Always())

    def _told(self, clause: Clause) -> Told:
        parameter, value = trees(clause.tree, "name")
        name = self._parameter(clause, parameter)
        self._value(clause, name, value)
        return Told(name, name_of(value), self._local(clause), rule_of(clause))

    def _next_dealer(self, clause: Clause) -> tuple[tuple[str, str], str]:
        outcome = tokens(trees(clause.tree, "outcome")[0])[0].type
        outcomes = {"WIN": "win", "FALSE_WIN": "false_win", "DRAW": "draw"}
        words = {"ACTOR": "actor", "NEXT": "next", "SAME_DEALER": "same"}
        for node in trees(clause.tree, "name"):
            self._role(clause, node)
        role = next(iter(names_of(clause.tree, "name")), "")
        return (outcomes[outcome], role), next(words[t.type] for t in tokens(clause.tree, *words))

    def _breach(self, clause: Clause) -> Breach:
        vetoed = [c.key[2] for c in self.of("veto")]
        follows = [c.key[2] for c in self.of("follow")]
        known = [*self.announced, *self.exits, *self.answers, *vetoed, *self.banned, *follows, WIN, SIZE]
        how = trees(clause.tree, "outcome_of")[0]
        dealers = {"NEXT": "next", "SAME_DEALER": "same"}
        return Breach(
            clause.key[2],
            self.names(clause, _listed(clause.tree), known),
            ends=has_token(how, "FALSE_WIN"),
            rule=rule_of(clause),
            later=has_token(how, "FINED_LATER"),
            fined=has_token(how, "FINED"),
            dealer=next((dealers[t.type] for t in tokens(how, *dealers)), ""),
            void=has_token(how, "VOID"),
            rated=has_token(how, "RATED"),
            where=self._local(clause),
        )

    def _rating(self, clause: Clause) -> Rating:
        name = trees(clause.tree, "name")[0]
        self._known(clause, name, ("名", "named win"), self.called)
        return Rating(name_of(name), self._local(clause), rule_of(clause))

    # ------------------------------------------------------------ names

    def _known(
        self, clause: Clause, node: Node, what: tuple[str, str], known: list[str] | tuple[str, ...]
    ) -> None:
        if name_of(node) not in known:
            self.scope.unknown(name_of(node), what, known, self.scope.span(clause, node))

    def _role(self, clause: Clause, node: Node) -> None:
        """Must be a role of the seats; a template may leave those to the games made from it."""
        if self.roles or not self.scope.assembled.ruleset.template:
            self._known(clause, node, ("身份", "role"), self.roles)

    def _types(self, clause: Clause, nodes: list[Node]) -> frozenset[int]:
        found: set[int] = set()
        for node in nodes:
            named = self.scope.types_or_fault(dotted(node), self.scope.span(clause, node))
            found |= {t.index for t in named}
        return frozenset(found)

    def _parameter(self, clause: Clause, node: Node) -> str:
        known = [p.name for p in self.scope.parameters]
        self._known(clause, node, ("境", "circumstance"), known)
        return name_of(node)

    def _value(self, clause: Clause, parameter: str, node: Node) -> None:
        values = next((p.values for p in self.scope.parameters if p.name == parameter), None)
        if values is not None:
            self._known(clause, node, ("境的值", "value of the circumstance"), values)

    # ------------------------------------------------------------ conditions

    def _local(self, clause: Clause) -> Local:
        node = child(clause.tree, "local")
        return Always() if node is None else self.condition(clause, node)

    def condition(self, clause: Clause, node: Node) -> Local:
        match str(node.data):
            case "local" | "local_and":
                parts = tuple(self.condition(clause, part) for part in trees(node))
                if len(parts) == 1:
                    return parts[0]
                return LocalOr(parts) if node.data == "local" else LocalAnd(parts)
            case "local_negated":
                return LocalNot(self.condition(clause, trees(node)[0]))
            case "local_grouped":
                return self.condition(clause, trees(node)[0])
            case "local_compare":
                left, comparison, right = trees(node)
                operator: Operator = operator_of(comparison)  # type: ignore[assignment]
                return LocalCompare(self._sum(clause, left), operator, self._sum(clause, right))
            case _:
                return self._atom(clause, node)

    def _atom(self, clause: Clause, node: Node) -> Local:
        match str(node.data):
            case "tile_from":
                return TileFrom(origins_of(self.scope, clause, names_of(node)))
            case "player_is":
                self._role(clause, trees(node)[0])
                return PlayerIs(names_of(node)[0])
            case "given_in":
                return self._given(clause, node)
            case "tile_in":
                return self._tile_in(clause, node)
            case "tile_wild":
                return TileWild()
            case "tile_named":
                return TileNamed(self._parameter(clause, trees(node)[0]))
            case "just_did":
                known = [*self.announced, *self.answers]
                return JustDid(frozenset(self.names(clause, node, known)))
            case "left_over":
                return LeftOver()
            case "there_only":
                return replace(_holds_only(node), there=True)
            case "changes":
                return self._changes(clause, node)
            case "holds_only":
                return _holds_only(node)
            case "nothing_left":
                return NothingLeft()
            case "lead_has":
                named = self._tile_in(clause, node)
                return LeadHas(named.kinds, named.name)
            case "unbeaten":
                return Unbeaten()
            case "short":
                return Short()
            case "first_discard" | "first_turn":
                return First(node.data == "first_turn")
            case _:
                return SitsAt(0 if node.data == "sits_self" else 1)

    def _given(self, clause: Clause, node: Node) -> Local:
        name = self._parameter(clause, trees(node, "name")[0])
        values = trees(trees(node, "words")[0], "word")
        for value in values:
            self._value(clause, name, value)
        parts = tuple(Given(name, name_of(value)) for value in values)
        return parts[0] if len(parts) == 1 else LocalOr(parts)

    def _tile_in(self, clause: Clause, node: Node) -> TileIn:
        words, kinds = names_of(child(node, "words")), set[int]()
        for word in words:
            named = self.scope.classes.get(word)
            kinds |= (
                named
                if named is not None
                else set(self.scope.tiles_or_fault(word, self.scope.span(clause, node)))
            )
        return TileIn(frozenset(kinds), " ".join(words))

    def _changes(self, clause: Clause, node: Node) -> Local:
        beyond = next((i for i, t in enumerate(node.children) if getattr(t, "type", "") == "BEYOND"), None)
        names = [t for t in node.children if isinstance(t, Tree)]
        cut = len(names) if beyond is None else beyond - 1
        counted, first = names[:cut], names[cut:]
        name = " ".join(map(dotted, counted)) + (f" 除开 {' '.join(map(dotted, first))}" if first else "")
        return Changes(
            has_token(node, "MORE"), self._types(clause, counted), self._types(clause, first), name
        )

    def _sum(self, clause: Clause, node: Node) -> LocalSum:
        constant, parts = 0, list[tuple[int, Quantity]]()
        for term in trees(node):
            match str(term.data):
                case "local_number":
                    constant += first_number(term)
                case "same_face":
                    parts.append((1, SameFace()))
                case "wilds_held":
                    parts.append((1, WildsHeld()))
                case "tricks_done":
                    parts.append((1, TricksDone()))
                case "tiles_left":
                    parts.append((1, TilesLeft()))
                case "taken":
                    parts.append((1, Taken(self.names(clause, term, self.answers))))
                case "present_score":
                    parts.append((1, PresentScore()))
                case _:
                    parts.append((1, self._of_melds(clause, term)))
        return LocalSum(constant, tuple(parts))

    def _of_melds(self, clause: Clause, term: Node) -> Quantity:
        names = trees(term, "meld_name")
        types, name = self._types(clause, names), " ".join(map(dotted, names))
        if term.data == "exposed":
            return Exposed(types, name, has_token(term, "SAME_GROUP"))
        return Tied(types, name)


def _opener(clause: Clause) -> Opener:
    _, judgement, named = map(name_of, trees(clause.tree, "name"))
    return Opener(clause.key[2], judgement, named, rule_of(clause))


def _once_stated(scope: Scope) -> frozenset[str]:
    """Names of the flow's clauses in any ruleset of the chain."""
    nodes = (
        node
        for ruleset in scope.assembled.chain
        for outer in ruleset.clauses
        if outer.kind not in ("example", "claim", "printed", "unmodelled")
        for clause in (outer, *outer.children)
        for node in clause.tree.iter_subtrees()
        if node.data in ("announce", "respond", "ban", "veto", "leave", "follow")
    )
    return frozenset(name_of(named[0]) for node in nodes if (named := trees(node, "name")))


def _listed(tree: Node) -> Node:
    """The names that a clause lists after its own."""
    own = next(i for i, item in enumerate(tree.children) if isinstance(item, Tree) and item.data == "name")
    return Tree("names", tree.children[own + 1 :])


def _must(tree: Node) -> bool:
    duty = child(tree, "duty")
    return duty is not None and has_token(duty, "MUST")


def _wins(tree: Node) -> bool:
    """Is the answer a win? The word also stands for its name."""
    duty = next(i for i, item in enumerate(tree.children) if isinstance(item, Tree) and item.data == "duty")
    return any(isinstance(item, Token) and item.type == "WIN" for item in tree.children[duty:])


def _holds_only(node: Node) -> HoldsOnly:
    letters = [unquoted(tokens(v)[0]) for v in trees(node, "variable")]
    this = letters.pop() if has_token(node, "THIS") else None
    names = list(dict.fromkeys(letters))
    pattern = tuple(letters.count(name) for name in names)
    if this is None:
        return HoldsOnly(pattern, None)
    return HoldsOnly(pattern, names.index(this) if this in names else len(names))
