"""Conditions of a spec to ground formulas: names looked up, quantifiers written out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...core.model import (
    And,
    Compare,
    Complete,
    Congruent,
    ContextIs,
    Defined,
    Feature,
    Formula,
    Game,
    LastAlike,
    LastFrom,
    LastIn,
    LastWild,
    Linear,
    Misnamed,
    Not,
    Operator,
    Or,
    RoleIs,
    Rule,
    Times,
    Truth,
)
from ...core.receipts import Part, Receipt
from ...core.tiles import TileEquation
from ...text.diagnostics import Diagnostic
from ...text.source import Span
from ..syntax import (
    Clause,
    Node,
    all_tokens,
    child,
    dotted,
    has_token,
    name_of,
    names_of,
    number_product,
    span_of_node,
    tokens,
    trees,
    unquoted,
    words_of,
)
from .arithmetic import operator_of
from .counts import (
    bounded,
    counted,
    kinds_of,
    left_of_melds,
    most_alike,
    priced,
    single_price,
    tiles_in_deck,
    weights_of_faces,
    wilds,
)
from .deck import origins_of
from .receipts import comparison, receipt
from .scope import Scope, rule_of
from .tiles import tile_equation

Sum = tuple[Linear, list[Part]]
"""A number of the arrangement, and what seats get besides."""
NUMBER = ("价或单位", "score or unit")
CONDITION = ("条件", "condition")
HAND_ATOMS = frozenset(
    {"waiting", "called", "wait_wins", "wait_fails", "every_awaited", "quantity_faces", "can_be"}
)


@dataclass(slots=True)
class Conditions:
    """Turns condition trees into formulas; named ones are resolved once, on demand."""

    scope: Scope
    done: dict[str, Defined] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    win: Formula | None = None
    false_win: Formula | None = None
    equations: list[TileEquation] = field(default_factory=list)
    """Comparisons of tiles met so far."""
    prices: list[Rule] = field(default_factory=list)
    """Rows whose prices were read as numbers so far."""
    game: Game | None = None
    """The game whose statements are read; None while it is being read itself, and where it is faulty."""
    faces: tuple[tuple[str, str], ...] = ()
    """Letters and faces with which the last statement about faces came out as it did."""

    def guarded(self, clause: Clause, node: Node) -> Formula:
        """`F 除非 E`: F or E."""
        main, *exception = trees(node, "condition")
        formula = self.formula(clause, main)
        other = self.formula(clause, exception[0]) if exception else Truth(False)
        return formula if other == Truth(False) else Or((formula, other))

    def named(self, name: str, span: Span) -> Formula:
        """The condition a spec calls `name` (a named win or a need of 和)."""
        clause = self.clause_of(name)
        if clause is None:
            self._unknown(name, span)
            return Truth(True)
        name = clause.key[-1]
        if name in self.done:
            return self.done[name]
        if name in self.open:
            self.scope.fault("N017", clause.span, name=" → ".join([*self.open, name]))
            return Truth(True)
        self.open.append(name)
        body = self.guarded(clause, trees(clause.tree, "guarded")[0])
        self.open.pop()
        self.done[name] = Defined(name, rule_of(clause), body)
        return self.done[name]

    def _unknown(self, name: str, span: Span) -> None:
        scope = self.scope
        if name in scope.classes or scope.types_named(name):
            advice = (f"写 `有 {name}` 或 `无 {name}`", f"write `some {name}` or `none {name}`")
            values = {"name": name, "what": CONDITION, "help": advice}
            scope.faults.append(Diagnostic("N001", span, values))
            return
        keys = (k for k in scope.assembled.clauses if k[0] in ("名", "和"))
        scope.unknown(name, CONDITION, [k[-1] for k in keys if self.clause_of(k[-1])], span)

    def clause_of(self, name: str) -> Clause | None:
        """The clause of a named win, by its name or an alias, or of a need."""
        clauses = self.scope.assembled.clauses
        found = clauses.get(("名", name)) or clauses.get(("和", name)) or self._also_called(name)
        return found if found is not None and trees(found.tree, "guarded") else None

    def _also_called(self, name: str) -> Clause | None:
        named = self.scope.assembled.under("名")
        return next((c for c in named if name in names_of(child(c.tree, "words"))), None)

    def formula(
        self, clause: Clause, node: Node, group: int | None = None, numbers: frozenset[str] = frozenset()
    ) -> Formula:
        """A condition tree; inside `凡 房` numbers count only the tiles of `group`.

        `numbers`: names of whole numbers that the clause leaves open.
        """
        return _Reader(self, clause, group, numbers).read(node)


@dataclass(slots=True)
class _Reader:
    """Reads one condition tree of one clause."""

    owner: Conditions
    clause: Clause
    group: int | None
    numbers: frozenset[str]

    @property
    def scope(self) -> Scope:
        return self.owner.scope

    def read(self, node: Node) -> Formula:
        match str(node.data):
            case "condition":
                return self._together(node, Or, False)
            case "conjunction":
                return self._together(node, And, True)
            case "negated":
                return Not(self.read(trees(node)[0]))
            case "grouped":
                return self.read(trees(node)[0])
            case "compare":
                return self._compare(node)
            case "reading_is":
                return self._reading(node)
            case "congruent":
                modulus, residue = (int(t) for t in tokens(node, "NUMBER"))
                return Congruent(self._linear(trees(node)[0]), modulus, residue % modulus)
            case "has" | "has_none":
                return self._presence(node)
            case "all_in":
                return self._all_in(node)
            case "same_tiles":
                return self._same_tiles(node)
            case "every_group":
                return self._every_group(node)
            case "every_meld":
                return self._every_meld(node)
            case _:
                return self._situation(node)

    def _situation(self, node: Node) -> Formula:
        match str(node.data):
            case "role_is":
                return self._roles(node)
            case "last_from":
                return self._last_is(node)
            case "last_in":
                return LastIn(self._types([dotted(n) for n in trees(node, "meld_name")], node))
            case "face_in":
                self.scope.fault("T006", self._span(node), name=words_of(node).partition(" ")[0])
                return Truth(True)
            case "last_alike":
                return LastAlike(*bounded(node))
            case "defined":
                return self._defined(node)
            case "is_win":
                return self._verdict(self.owner.win, node)
            case "is_false_win":
                return self._verdict(self.owner.false_win, node)
            case "is_shape":
                return Complete()
            case "in_place":
                return self._in_place(node)
            case "context_in":
                return self._context_in(node)
            case "is_misnamed":
                return Misnamed()
            case "truth" | "falsehood":
                return Truth(node.data == "truth")
            case "tiles_compare":
                return self._tiles(node)
            case _:
                self.scope.fault("T017", self._span(node), name=words_of(node))
                return Truth(True)

    def _last_is(self, node: Node) -> Formula:
        """末张: an origin, or the wild tile by its name."""
        wild = self.scope.wild
        words = [name_of(n) for n in trees(node, "word")]
        if wild is None or wild.name not in words:
            return LastFrom(last_origins(self.scope, self.clause, node))
        others = origins_of(self.scope, self.clause, [w for w in words if w != wild.name])
        found: set[str | None] = {*others, *((None,) if has_token(node, "NONE") else ())}
        return Or((LastWild(), LastFrom(frozenset(found)))) if found else LastWild()

    def _tiles(self, node: Node) -> Formula:
        """Tiles that are compared with tiles say nothing of a hand, so only 算 may do it."""
        if not trees(self.clause.tree, "compute"):
            self.scope.fault("T019", self._span(node), what=words_of(node))
        equation = tile_equation(self.scope, self.clause, node)
        self.owner.equations.append(equation)
        return Truth(equation.holds)

    def _context_in(self, node: Node) -> Formula:
        """`翻 入 将`: the face a parameter names is one of these, or of these classes and groups."""
        scope, name = self.scope, names_of(node, "name")[0]
        parameter = next((p for p in scope.parameters if p.name == name), None)
        if parameter is None:
            scope.unknown(name, ("境", "context"), [p.name for p in scope.parameters], self._span(node))
            return Truth(False)
        faces: set[str] = set()
        for word in (n for w in trees(node, "words") for n in names_of(w)):
            kinds = scope.classes.get(word)
            if kinds is None:
                kinds = frozenset(scope.tiles_or_fault(word, self._span(node)))
            faces |= {scope.kinds[kind].name for kind in kinds}
        return _any([ContextIs(name, value) for value in parameter.values if value in faces])

    def _in_place(self, node: Node) -> Formula:
        """归位: under some tile that decides the wild face, a wild tile stands for that face."""
        scope = self.scope
        if scope.wild is None or scope.wild.parameter is None or scope.wild.own:
            scope.fault("T033", self._span(node))
            return Truth(False)
        parts: list[Formula] = []
        for group in scope.groups:
            for kind, shown in zip(group.kinds, (*group.kinds[-1:], *group.kinds[:-1]), strict=True):
                standing = [wilds(m, frozenset({kind})) for m in scope.melds]
                feature = self._feature(f"归位 {scope.kinds[kind].name}", standing)
                some = Compare(Linear(((1, feature),)), ">=", Linear(constant=1))
                parts.append(And((ContextIs(scope.wild.parameter, scope.kinds[shown].name), some)))
        return Or(tuple(parts))

    def _verdict(self, formula: Formula | None, node: Node) -> Formula:
        if formula is None:
            self.scope.fault("N017", self._span(node), name=words_of(node))
            return Truth(True)
        return formula

    def _defined(self, node: Node) -> Formula:
        name = names_of(node, "name")[0]
        if self.group is not None:
            self.scope.fault(
                "T009",
                self._span(node),
                name=name,
                found=("条件", "condition"),
                expected=("比较", "comparison"),
            )
        self.owner.used.add(name)
        return self.owner.named(name, self._span(node))

    def _roles(self, node: Node) -> Formula:
        names = [n for w in trees(node, "words") for n in names_of(w)]
        known = list(dict.fromkeys(c.key[-1] for c in self.scope.assembled.under("座")))
        for name in names:
            if name not in known:
                self.scope.unknown(name, ("身份", "role"), known, self._span(node))
        return _any([RoleIs(n) for n in names])

    # ------------------------------------------------------------ numbers

    def _compare(self, node: Node) -> Formula:
        constant = self._context_or_option(node)
        if constant is not None:
            return constant
        sides = [self._sum(n) for n in trees(node, "linear")]
        operators: list[Operator] = [operator_of(n) for n in trees(node, "comparison")]  # type: ignore[misc]
        parts = [
            self._pair(node, left, op, right)
            for left, op, right in zip(sides, operators, sides[1:], strict=False)
        ]
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _pair(self, node: Node, left: Sum, operator: Operator, right: Sum) -> Formula:
        """Two numbers that are compared; what seats get in them stands on the left."""
        parts = [*left[1], *((-factor, part) for factor, part in right[1])]
        if not parts:
            return Compare(left[0], operator, right[0])
        sides = left[0], operator, right[0]
        body = comparison(self.scope, self.clause, node, self.owner.game, sides, parts)
        return Defined(words_of(node), rule_of(self.clause), body)

    def _context_or_option(self, node: Node) -> Formula | None:
        """`抬将 = 三` and `人数 = 3` compare a parameter or an option with a value."""
        left, right = trees(node, "linear")[:2]
        if self.numbers:
            return None
        name, wanted = (" ".join(map(unquoted, all_tokens(side))) for side in (left, right))
        operator = operator_of(trees(node, "comparison")[0])
        parameter = next((p for p in self.scope.parameters if p.name == name), None)
        options = self.scope.assembled.options
        if (parameter is None and name not in options) or operator not in ("=", "!="):
            return None
        if parameter is not None:
            if wanted not in parameter.values:
                self.scope.unknown(wanted, ("境", "context value"), parameter.values, self._span(right))
            formula: Formula = ContextIs(name, wanted)
        else:
            return Truth((options[name] == wanted) is (operator == "="))
        return formula if operator == "=" else Not(formula)

    def _together(self, node: Node, kind: type[And | Or], empty: bool) -> Formula:
        """Parts joined by 且 or 或; what the options alone decide is not among them."""
        parts = []
        for inner in trees(node):
            part = self.read(inner)
            decided = isinstance(part, Truth) and inner.data not in ("truth", "falsehood")
            if decided and part == Truth(not empty):
                return part
            if not decided:
                parts.append(part)
        if not parts:
            return Truth(empty)
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def _reading(self, node: Node) -> Formula:
        """`A-46 = R1`: the reading that is taken."""
        choices = self.scope.assembled.choices.by_name
        name, wanted = str(tokens(node, "FACT")[0]), names_of(node, "name")[0]
        if name not in choices:
            self.scope.unknown(name, ("读法", "reading"), choices, self._span(node))
            return Truth(False)
        if wanted not in choices[name].allowed:
            self.scope.unknown(wanted, ("取法", "value"), choices[name].allowed, self._span(node))
        return Truth((self.scope.assembled.options[name] == wanted) is not has_token(node, "NE"))

    def _linear(self, node: Node) -> Linear:
        """A sum without what seats get."""
        term, paid = self._sum(node)
        if paid:
            self.scope.fault("T065", self._span(node), what=words_of(node))
        return term

    def _sum(self, node: Node) -> Sum:
        parts: list[tuple[int, Feature]] = []
        paid: list[Part] = []
        free: list[tuple[int, str]] = []
        constant, sign = 0, 1
        for item in trees(node):
            if item.data == "sign":
                sign = -1 if has_token(item, "MINUS") else 1
                continue
            factor, inner = self._product(item, sign)
            if inner is None:
                constant += factor
            elif isinstance(inner, str):
                free.append((factor, inner))
            elif isinstance(inner, Receipt | Times):
                paid.append((factor, inner))
            else:
                parts.append((factor, inner))
        return Linear(tuple(parts), constant, tuple(free)), paid

    def _product(self, node: Node, factor: int) -> tuple[int, Feature | str | Receipt | Times | None]:
        """(fixed number, what is multiplied by it if anything); only one factor may not be fixed."""
        factor *= number_product(node)
        found: list[Feature | str | Receipt | Times] = []
        for inner in map(self._quantity, trees(node)):
            if isinstance(inner, int):
                factor *= inner
            else:
                found.append(inner)
        if len(found) > 1:
            self.scope.fault("T072", self._span(node), what=words_of(node))
        return factor, found[0] if found else None

    def _quantity(self, node: Node) -> Feature | int | str | Receipt | Times:
        """A number of the arrangement, a fixed one, the name of one that is left open, or an amount paid."""
        match str(node.data):
            case "quantity_name":
                name = names_of(node, "name")[0]
                return name if name in self.numbers else self._numbered(name, node)
            case "quantity_count":
                names = [dotted(n) for n in trees(node, "meld_name")]
                return self._feature("数 " + " ".join(names) + self._where(node), self._counted(names, node))
            case "quantity_price":
                return self._price(node)
            case "quantity_kinds":
                return kinds_of(self.scope, node, self._span(node))
            case "quantity_deck":
                return tiles_in_deck(self.scope, node, self._span(node))
            case "quantity_gets" | "quantity_times":
                found = receipt(self.scope, self.clause, node, self.owner.game)
                return 0 if found is None else found
            case "quantity_faces":
                self.scope.fault("T017", self._span(node), name=words_of(node))
                return 0
            case _:
                self.scope.fault("T014", self._span(node), what=words_of(node))
                return 0

    def _numbered(self, name: str, node: Node) -> Feature | int:
        scope = self.scope
        if name in scope.scores:
            table = scope.scores.index(name)
            return self._summed(name, [m.prices[table].points or 0 for m in scope.melds], node)
        if name in scope.dims:
            dim = scope.dims.index(name)
            return self._summed(name, [m.type.gives[dim] for m in scope.melds], node)
        known = [*scope.scores, *scope.dims]
        if name in scope.classes or scope.types_named(name):
            values = {
                "name": name,
                "what": NUMBER,
                "help": (f"要数它，写 `数 {name}`", f"count it: `count {name}`"),
            }
            scope.faults.append(Diagnostic("N001", self._span(node), values))
        else:
            scope.unknown(name, NUMBER, known, self._span(node))
        return 0

    def _price(self, node: Node) -> int:
        """`价 碰 于 将`: the one price that melds of this name have in this class."""
        scope, name = self.scope, dotted(trees(node, "meld_name")[0])
        column = names_of(node, "name")[-1]
        members = scope.classes.get(column)
        if members is None:
            scope.unknown(column, ("类", "class"), scope.classes, self._span(node))
            return 0
        types = self._types([name], node)
        cells = priced(scope, name, types, members)
        self.owner.prices += [cell.rule for cell in cells]
        return single_price(scope, cells, self._span(node), words_of(node)) if types else 0

    def _summed(self, name: str, weights: list[int], node: Node) -> Feature:
        """`分 于 将`: only melds that lie wholly in the class count."""
        within = self._class_at(node, 1)
        if within is not None:
            inside = (set(m.tiles) <= within for m in self.scope.melds)
            weights = [w if ok else 0 for w, ok in zip(weights, inside, strict=True)]
        return self._feature(name + self._where(node, 1), weights)

    def _class_at(self, node: Node, place: int = 0) -> frozenset[int] | None:
        """The tiles of the class after 于, None when none is named."""
        names = names_of(node, "name")[place:]
        if not names:
            return None
        if names[0] not in self.scope.classes:
            at = trees(node, "name")[place]
            self.scope.unknown(names[0], ("类", "class"), self.scope.classes, self._span(at))
        return self.scope.classes.get(names[0], frozenset())

    def _where(self, node: Node, place: int = 0) -> str:
        return "".join(f" 于 {name}" for name in names_of(node, "name")[place:])

    def _feature(self, name: str, weights: list[int]) -> Feature:
        if self.group is not None:
            inside = self.scope.inside(self.group)
            weights = [w if ok else 0 for w, ok in zip(weights, inside, strict=True)]
            name = f"{name}@{self.scope.groups[self.group].name}"
        feature = Feature(name, tuple(weights))
        return self.scope.features.setdefault(feature, feature)

    # ------------------------------------------------------------ presence

    def _presence(self, node: Node) -> Formula:
        words = [n for w in trees(node, "words") for n in names_of(w)]
        feature = self._feature("数 " + " ".join(words) + self._where(node), self._counted(words, node))
        some = Compare(Linear(((1, feature),)), ">=", Linear(constant=1))
        return some if node.data == "has" else Not(some)

    def _counted(self, names: list[str], node: Node) -> list[int]:
        return counted(self.scope, names, self._class_at(node), self._span(node))

    def _types(self, names: list[str], node: Node) -> frozenset[int]:
        found: set[int] = set()
        for name in names:
            found |= {t.index for t in self.scope.types_or_fault(name, self._span(node), families=True)}
        return frozenset(found)

    def _all_in(self, node: Node) -> Formula:
        scope = self.scope
        words = [n for w in trees(node, "words") for n in names_of(w)]
        members: set[int] = set()
        for word in words:
            if word not in scope.classes:
                scope.unknown(word, ("类", "class"), scope.classes, self._span(node))
            members |= scope.classes.get(word, frozenset())
        outside = [sum(s.kind not in members for s in m.slots) for m in scope.melds]
        feature = self._feature("非 " + " ".join(words), outside)
        return Compare(Linear(((1, feature),)), "=", Linear())

    def _same_tiles(self, node: Node) -> Formula:
        """`同张 ≥ 4`: the face of which the hand has most has so many tiles, of a class after 于."""
        weighed = weights_of_faces(self.scope, node, self._class_at(node), self._span(node))
        return most_alike([self._feature(name, weights) for name, weights in weighed], *bounded(node))

    # ------------------------------------------------------------ quantifiers

    def _every_group(self, node: Node) -> Formula:
        body, guard = trees(node)[-1], has_token(node, "HELD")
        parts: list[Formula] = []
        for group in range(len(self.scope.groups)):
            inner = replace(self, group=group)
            formula = inner.read(body)
            if guard:
                held = inner._feature("张", [len(m.slots) for m in self.scope.melds])
                formula = Or((Compare(Linear(((1, held),)), "=", Linear()), formula))
            parts.append(formula)
        return And(tuple(parts))

    def _every_meld(self, node: Node) -> Formula:
        """凡 型: no meld of the arrangement breaks the body, each looked at alone."""
        scope, body = self.scope, trees(node)[-1]
        guard = names_of(node, "name")
        dims = [scope.dims.index(n) if n in scope.dims else -1 for n in guard]
        if -1 in dims:
            scope.unknown(guard[0], ("数", "number"), scope.dims, self._span(node))
            return Truth(True)
        left = left_of_melds(scope, self.read(body), dims, self._span(node))
        parts = [self._none_of(rest, weights, body) for rest, weights in left.items()]
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _none_of(self, rest: Formula, weights: list[int], body: Node) -> Formula:
        """No such meld is there, or what is left to ask of it holds."""
        none = Compare(Linear(((1, self._feature("不合 " + words_of(body), weights)),)), "=", Linear())
        return none if rest == Truth(False) else Or((none, rest))

    def _span(self, node: Node) -> Span:
        return span_of_node(self.clause.span.path, node)


def _any(parts: list[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def last_origins(scope: Scope, clause: Clause, node: Node) -> frozenset[str | None]:
    """The origins after 末张; 无 stands for no last tile."""
    words = [name_of(n) for n in trees(node, "word")]
    found: set[str | None] = set(origins_of(scope, clause, words))
    if has_token(node, "NONE"):
        found.add(None)
    return frozenset(found)


def about_hand(node: Node) -> bool:
    """Does the condition speak of tiles that are not arranged yet?"""
    return any(str(sub.data) in HAND_ATOMS for sub in node.iter_subtrees())
