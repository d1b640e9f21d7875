"""Amounts of payments: numbers, score tables and the multiplier, and what is worked out from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ...core.model import Amount, Arithmetic, Number, Score, Times
from ..syntax import Clause, Node, first_number, names_of, trees
from .deck import in_order
from .scope import Scope

SIGNS: dict[str, Literal["+", "-", "*", "<<"]] = {
    "amount_add": "+",
    "amount_sub": "-",
    "amount_mul": "*",
    "amount_doubled": "<<",
}


def named_amounts(scope: Scope) -> dict[str, Amount]:
    """数: the amounts that have a name of their own, whatever order they stand in."""
    clauses = [c for c in scope.assembled.under("支付") if c.kind == "amount_named"]
    found: dict[str, Amount] = {names_of(c.tree, "name")[0]: Number(0) for c in clauses}
    for clause in in_order(scope, clauses):
        name = names_of(clause.tree, "name")[0]
        if name in scope.scores:
            scope.fault("N002", clause.span, name=name)
        found[name] = amount_of(scope, clause, amount_node(clause.tree), found)
    return found


def amount_node(tree: Node) -> Node:
    """The amount that a clause gives."""
    return next(n for n in trees(tree) if str(n.data).startswith(("amount", "measure")))


def amount_of(scope: Scope, clause: Clause, node: Node, named: Mapping[str, Amount]) -> Amount:
    """The amount that a node writes; T058, or N001 for a name of nothing."""
    match str(node.data):
        case "amount_number":
            return Number(first_number(node))
        case "amount_times":
            return Times()
        case "amount_score":
            return _called(scope, clause, node, named)
        case "amount_per":
            size = first_number(node)
            if not size:
                scope.fault("T058", scope.span(clause, node))
            return Arithmetic("//", amount_of(scope, clause, trees(node)[0], named), Number(size or 1))
        case sign if sign in SIGNS:
            left, right = (amount_of(scope, clause, n, named) for n in trees(node))
            return Arithmetic(SIGNS[sign], left, right)
        case _:  # in brackets
            return amount_of(scope, clause, trees(node)[0], named)


def _called(scope: Scope, clause: Clause, node: Node, named: Mapping[str, Amount]) -> Amount:
    name = names_of(node, "name")[0]
    if name in named:
        return named[name]
    if name in scope.scores:
        return Score(scope.scores.index(name))
    scope.unknown(name, ("价或数", "score table or number"), [*scope.scores, *named], clause.span)
    return Number(0)
