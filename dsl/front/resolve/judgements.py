"""和, 诈和, 名, 落叫, 座, 支付."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ...core.formulas import by_component
from ...core.model import (
    Amount,
    And,
    Apart,
    Complete,
    Formula,
    Game,
    LastFrom,
    NamedWin,
    Need,
    Not,
    Or,
    Rule,
    Seat,
    Stacking,
    Transfer,
    Truth,
    WaitType,
)
from ..keywords import spell
from ..syntax import (
    Clause,
    Node,
    all_tokens,
    child,
    first_number,
    has_token,
    name_of,
    names_of,
    tokens,
    trees,
)
from .amounts import amount_node, amount_of, named_amounts
from .conditions import Conditions, last_origins
from .scope import Scope, rule_of

STACKINGS: dict[str, Stacking] = {"HIGHEST": "highest", "PRODUCT": "product", "SUM": "sum"}


class Judgements:
    """Reads the sections that judge and pay; `read` fills the attributes."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.shape_rule = Rule("和.形", "")
        self.shapes: dict[str, tuple[tuple[int, ...], Clause]] = {}
        """What a role's own 和.形 asks for."""
        self.apart: tuple[Apart, ...] = ()
        self.choice: Literal["payment", "score"] = "payment"
        self.size: int | None = None
        self.any_size = False
        self.needs: tuple[Need, ...] = ()
        self.groupings: tuple[Need, ...] = ()
        self.false_win: tuple[Need, ...] = ()
        self.names: tuple[NamedWin, ...] = ()
        self.stacking: Stacking = "highest"
        self.stacking_rule: Rule | None = None
        self.waits: tuple[WaitType, ...] = ()
        self.seats: tuple[Seat, ...] = ()
        self.transfers: tuple[Transfer, ...] = ()

    @property
    def _clauses(self) -> dict[tuple[str, ...], Clause]:
        return self.scope.assembled.clauses

    def win_shape(self) -> tuple[int, ...]:
        """What 和.形 asks for, per dim."""
        clause = self._clauses.get(("和", "形"))
        for key, own in self._clauses.items():
            if key[:2] == ("和", "形") and len(key) > 2:
                self.shapes[key[2]] = (self._gives(own, child(own.tree, "gives")), own)
        if clause is None:
            if not self.scope.assembled.ruleset.template:
                self.scope.fault("T005", self.scope.assembled.ruleset.span)
            return (0,) * len(self.scope.dims)
        self.shape_rule = rule_of(clause)
        if has_token(clause.tree, "UNLIMITED") and self.scope.dims:
            self.scope.fault("T064", clause.span)
        return self._gives(clause, child(clause.tree, "gives"))

    def _gives(self, clause: Clause, node: Node | None) -> tuple[int, ...]:
        shape = [0] * len(self.scope.dims)
        if node is not None:
            for number, at in zip(tokens(node, "NUMBER"), trees(node), strict=True):
                name = name_of(at)
                if name in self.scope.dims:
                    shape[self.scope.dims.index(name)] += int(number)
                elif self.scope.types:
                    self.scope.unknown(name, ("单位", "unit"), self.scope.dims, self.scope.span(clause, at))
        return tuple(shape)

    def read(self, conditions: Conditions) -> None:
        """All judging sections, in the order in which they may refer to each other."""
        self.conditions = conditions
        self._seats()
        self._sizes()
        self._shapes()
        self._choose()
        self._win_needs()
        win: Formula = And((Complete(), *(n.formula for n in self.needs)))
        conditions.win = win
        self._false_win(win)
        conditions.false_win = Or(tuple(n.formula for n in self.false_win))
        self._names()
        self._waits()
        self._transfers()

    def _sizes(self) -> None:
        """What 和.张数 says a finished hand has, and one of a role with a shape of its own."""
        self.sizes: dict[str, int] = {}
        for key, clause in self._clauses.items():
            if key[:2] != ("和", spell("SIZE", "zh")):
                continue
            if has_token(clause.tree, "UNLIMITED"):
                self.any_size = True
                continue
            size = first_number(clause.tree)
            if size < 1:
                self.scope.fault("T036", clause.span)
            if len(key) == 2:
                self.size = size
            elif key[2] in self.shapes:
                self.sizes[key[2]] = size
            else:
                what = ("另写了形的身份", "role with a shape of its own")
                self.scope.unknown(key[2], what, self.shapes, clause.span)

    def _shapes(self) -> None:
        """The roles with a shape of their own; their finished hand has one tile more than is dealt."""
        playing = {seat.role: seat.tiles for seat in self.seats if seat.tiles}
        known, own = list(playing), []
        for role, (shape, clause) in self.shapes.items():
            if role not in playing:
                self.scope.unknown(role, ("在打的身份", "role at play"), known, clause.span)
                continue
            size = playing[role] + (not any(t.by_last for t in self.scope.types))
            own.append(Apart(role, shape, self.sizes.get(role, size), rule_of(clause)))
        if playing and len(own) == len(playing):
            self.scope.fault("T054", self.shapes[own[-1].role][1].span, role=own[-1].role)
        self.apart = tuple(own)

    def widest(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Per dim the most that this shape, or a role's own, asks for."""
        shapes = (shape, *(own for own, _ in self.shapes.values()))
        return tuple(max(asked) for asked in zip(*shapes, strict=True))

    def _choose(self) -> None:
        clause = self._clauses.get(("和", spell("CHOOSE", "zh")))
        if clause is not None and has_token(clause.tree, "SCORE"):
            self.choice = "score"

    def _win_needs(self) -> None:
        needs: list[Need] = []
        groupings: list[Need] = []
        for clause in self.scope.assembled.under("和"):
            if clause.kind == "win_last":
                origins = last_origins(self.scope, clause, clause.tree)
                needs.append(Need("末张", LastFrom(origins), rule_of(clause)))
            elif clause.kind in ("need", "grouping"):
                name = clause.key[-1]
                found = needs if clause.kind == "need" else groupings
                found.append(Need(name, self.conditions.named(name, clause.span), rule_of(clause)))
        self.needs, self.groupings = tuple(needs), tuple(groupings)

    def _false_win(self, win: Formula) -> None:
        clauses = self.scope.assembled.under("诈和")
        if not clauses:
            rule = Rule("诈和", "报和 而 非 和", (), self.shape_rule.span)  # it follows from what a win is
            self.false_win = (Need("诈和", Not(win), rule),)
            return
        self.false_win = tuple(
            Need(c.key[-1], self.conditions.guarded(c, trees(c.tree, "guarded")[0]), rule_of(c))
            for c in clauses
        )

    def _names(self) -> None:
        names = []
        for clause in self.scope.assembled.under("名"):
            if clause.kind == "stacking":
                kind = next(t.type for t in tokens(clause.tree) if t.type in STACKINGS)
                self.stacking, self.stacking_rule = STACKINGS[kind], rule_of(clause)
            else:
                name = clause.key[-1]
                factor = first_number(clause.tree) if has_token(clause.tree, "NUMBER") else 1
                formula = self.conditions.named(name, clause.span)
                aliases = frozenset(names_of(child(clause.tree, "words")))
                uncalled = has_token(clause.tree, "UNCALLED")
                names.append(NamedWin(name, formula, factor, rule_of(clause), aliases, uncalled))
        self.names = tuple(names)

    def _waits(self) -> None:
        waits = []
        for clause in self.scope.assembled.under("落叫"):
            name, *on = names_of(clause.tree, "name")
            types: set[int] = set()
            for family in on:
                types |= {t.index for t in self.scope.types_or_fault(family, clause.span)}
            shape = self._gives(clause, child(clause.tree, "gives"))
            waits.append(WaitType(name, shape, frozenset(types), rule_of(clause)))
        self.waits = tuple(waits)

    def _seats(self) -> None:
        seats: list[Seat] = []
        for clause in self.scope.assembled.under("座"):
            role = names_of(clause.tree, "name")[0]
            tiles, many = (*[int(t) for t in tokens(clause.tree, "NUMBER")], 1)[:2]
            if many == 1:
                seats.append(Seat(role, role, tiles))
            else:
                seats.extend(Seat(f"{role}{i}", role, tiles) for i in range(1, many + 1))
        if not seats and not self.scope.assembled.ruleset.template:
            self.scope.fault("T012", self.scope.assembled.ruleset.span)
        self.seats = tuple(seats)

    # ------------------------------------------------------------ money

    def _transfers(self) -> None:
        named = named_amounts(self.scope)
        clauses = (c for c in self.scope.assembled.under("支付") if c.kind == "transfer")
        self.transfers = tuple(self._transfer(c, named) for c in clauses)

    def _transfer(self, clause: Clause, named: Mapping[str, Amount]) -> Transfer:
        tree = clause.tree
        outcome = tokens(trees(tree, "outcome")[0])[0].type.lower()
        payer, payee = (self._party(clause, n, outcome) for n in trees(tree, "party"))
        condition = child(tree, "condition")
        formula = Truth(True) if condition is None else self.conditions.formula(clause, condition)
        return Transfer(
            "win" if outcome == "win" else "false_win" if outcome == "false_win" else "draw",
            payer,
            payee,
            amount_of(self.scope, clause, amount_node(tree), named),
            formula,
            rule_of(clause),
        )

    def _party(self, clause: Clause, node: Node, outcome: str) -> str:
        if has_token(node, "EACH"):
            return "all" if outcome == "draw" else "others"
        if outcome == "draw" and (has_token(node, "ACTOR") or has_token(node, "OTHER")):
            self.scope.fault("T051", clause.span, what=" ".join(map(str, all_tokens(node))))
        if has_token(node, "ACTOR"):
            return "actor"
        name = names_of(node, "name")[0]
        roles = list(dict.fromkeys(s.role for s in self.seats))
        if name not in roles:
            self.scope.unknown(name, ("身份", "role"), roles, clause.span)
        return f"{'other' if has_token(node, 'OTHER') else 'role'}:{name}"


def check_groupings(scope: Scope, game: Game) -> None:
    """Every 摆法 looks at the melds of one component at a time, and at nothing else."""
    for need in game.win.groupings:
        if need.rule.span is not None and by_component(game, need.formula) is None:
            scope.fault("T073", need.rule.span, name=need.name)
