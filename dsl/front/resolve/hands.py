"""Conditions on tiles that nobody has arranged yet: 听, 叫, 听和, 听诈, 听面, 凡 等, 数 神, and 能成."""

from __future__ import annotations

from ...core.formulas import atoms
from ...core.model import (
    CanBe,
    Compare,
    Congruent,
    Drawn,
    EveryAwaited,
    Formula,
    HandAnd,
    HandFormula,
    HandNot,
    HandOr,
    Operator,
    Truth,
    WaitFaces,
    Waiting,
    WaitIs,
    WaitWins,
    WildsHeld,
)
from ...core.waiting import hand_atoms
from ..syntax import Clause, Node, child, dotted, has_token, names_of, number_product, trees, words_of
from .arithmetic import operator_of
from .conditions import Conditions

DRAWN: dict[str, Drawn] = {"is_shape": "complete", "is_win": "win", "is_false_win": "false_win"}
OUTCOMES = ("`形`、`和` 或 `诈和`", "`shape`, `win` or `false_win`")
OF_SITUATION = frozenset({"role_is", "last_from", "last_in", "last_alike", "is_misnamed"})
COMPARISON = ("只看摆法的比较", "comparison that looks at the arrangement only")


def hand_statement(conditions: Conditions, clause: Clause, question: Node) -> HandFormula:
    """What `存在 甲` or `凡 甲 则 乙` looks for; of waiting hands or of finished ones, not of both (T055)."""
    parts = [hand_formula(conditions, clause, node) for node in trees(question, "condition")]
    formula = HandAnd((parts[0], HandNot(parts[1]))) if question.data == "every" else parts[0]
    of_tiles = [atom for atom in hand_atoms(formula) if not isinstance(atom, WildsHeld)]
    if len({isinstance(atom, CanBe) for atom in of_tiles}) > 1:
        conditions.scope.fault("T055", conditions.scope.span(clause, question))
    return formula


def hand_formula(conditions: Conditions, clause: Clause, node: Node) -> HandFormula:
    """A condition on tiles alone. What speaks of an arrangement is a fault (T017)."""
    match str(node.data):
        case "condition":
            parts = tuple(hand_formula(conditions, clause, n) for n in trees(node))
            return parts[0] if len(parts) == 1 else HandOr(parts)
        case "conjunction":
            parts = tuple(hand_formula(conditions, clause, n) for n in trees(node))
            return parts[0] if len(parts) == 1 else HandAnd(parts)
        case "negated":
            return HandNot(hand_formula(conditions, clause, trees(node)[0]))
        case "grouped":
            return hand_formula(conditions, clause, trees(node)[0])
        case _:
            return _Atom(conditions, clause).read(node)


class _Atom:
    """Reads one smallest part of a condition on tiles."""

    def __init__(self, conditions: Conditions, clause: Clause) -> None:
        self.conditions = conditions
        self.scope = conditions.scope
        self.clause = clause

    def read(self, node: Node) -> HandFormula:
        match str(node.data):
            case "waiting":
                return self._waiting(node)
            case "wait_wins" | "wait_fails":
                return WaitWins(node.data == "wait_wins")
            case "called":
                return self._called(node)
            case "every_awaited":
                return self._every_awaited(node)
            case "can_be":
                return self._can_be(trees(node)[0])
            case "compare":
                return self._compare(node)
            case "has" | "has_none" if self._is_wild(words_of(node).partition(" ")[2]):
                return WildsHeld(1, ">=" if node.data == "has" else "=", int(node.data == "has"))
            case _:
                return self._mixed(node)

    def _is_wild(self, name: str) -> bool:
        """Is it a name of the wild tile?"""
        wild = self.scope.wild
        return wild is not None and (name == wild.name or name in wild.aliases)

    def _waiting(self, node: Node) -> HandFormula:
        """`听`, and `听 神`: a wild tile completes the hand."""
        for name in names_of(node, "name"):
            if not self._is_wild(name):
                known = [] if self.scope.wild is None else [self.scope.wild.name]
                self.scope.unknown(name, ("赖子", "wild tile"), known, self.scope.span(self.clause, node))
            return Waiting(wild=True)
        return Waiting()

    def _mixed(self, node: Node) -> HandFormula:
        self.scope.fault("T017", self.scope.span(self.clause, node), name=words_of(node))
        return Waiting()

    def _wait_type(self, node: Node) -> str:
        name = names_of(node, "name")[0]
        known = [k[-1] for k in self.scope.assembled.clauses if k[0] == "落叫"]
        if name not in known:
            self.scope.unknown(name, ("落叫", "wait type"), known, self.scope.span(self.clause, node))
        return name

    def _called(self, node: Node) -> HandFormula:
        name, where = self._wait_type(node), child(node, "condition")
        if where is None:
            return WaitIs(name)
        formula = self.conditions.formula(self.clause, where)
        if not _looks_at_melds_only(formula):
            self._wrong(where, ("局面", "condition on the situation"), COMPARISON)
        return WaitIs(name, formula)

    def _every_awaited(self, node: Node) -> HandFormula:
        name, body = self._wait_type(node), trees(node)[-1]
        drawn = DRAWN.get(str(body.data))
        if drawn is None:
            self._wrong(body, ("另一种条件", "condition of another kind"), OUTCOMES)
            return Waiting()
        return EveryAwaited(name, drawn)

    def _can_be(self, node: Node) -> HandFormula:
        """`能成 大符`: how the hand came about is not told, so nothing may be asked of it."""
        told = next((n for n in node.iter_subtrees() if n.data in OF_SITUATION), None)
        if told is not None:
            self._wrong(told, ("局面", "condition on the situation"), COMPARISON)
        return CanBe(self.conditions.formula(self.clause, node))

    def _wrong(self, node: Node, found: tuple[str, str], expected: tuple[str, str]) -> None:
        span = self.scope.span(self.clause, node)
        self.scope.fault("T009", span, name=words_of(node), found=found, expected=expected)

    # ------------------------------------------------------------ how many faces, how many wild tiles

    def _compare(self, node: Node) -> HandFormula:
        """`听面 ≥ 3`, `2 ≤ 听面 ≤ 5`, `数 神 = 1`."""
        kinds = {str(n.data) for n in node.iter_subtrees()}
        counted = next((k for k in ("quantity_faces", "quantity_count") if k in kinds), None)
        if counted is None:
            return self._mixed(node)
        atom = WaitFaces if counted == "quantity_faces" else WildsHeld
        sides = [self._sum(n, counted) for n in trees(node, "linear")]
        operators: list[Operator] = [operator_of(n) for n in trees(node, "comparison")]  # type: ignore[misc]
        parts: list[HandFormula] = [
            atom(left[0] - right[0], op, right[1] - left[1])
            for left, op, right in zip(sides, operators, sides[1:], strict=False)
        ]
        return parts[0] if len(parts) == 1 else HandAnd(tuple(parts))

    def _sum(self, node: Node, counted: str) -> tuple[int, int]:
        """(factor of what is counted, constant)."""
        factor = constant = 0
        sign = 1
        for item in trees(node):
            if item.data == "sign":
                sign = -1 if has_token(item, "MINUS") else 1
                continue
            number, counts = sign * number_product(item), trees(item)
            if not counts:
                constant += number
            elif len(counts) == 1 and counts[0].data == counted and self._countable(counts[0]):
                factor += number
            elif len(counts) > 1:
                self.scope.fault("T072", self.scope.span(self.clause, item), what=words_of(item))
            else:
                self._mixed(item)
        return factor, constant

    def _countable(self, quantity: Node) -> bool:
        """The faces that complete the hand, or the wild tiles in it."""
        if quantity.data == "quantity_faces":
            return True
        names = [dotted(n) for n in trees(quantity, "meld_name")]
        return len(names) == 1 and self._is_wild(names[0]) and child(quantity, "name") is None


def _looks_at_melds_only(formula: Formula) -> bool:
    return all(isinstance(atom, Truth | Compare | Congruent) for atom in atoms(formula))
