"""Conditions on the faces of a pattern (`当 点 a + 点 b = 14`), decided while filling it."""

from __future__ import annotations

from ...text.source import Span
from ..syntax import Clause, Node, all_tokens, first_number, names_of, tokens, trees
from .scope import Scope

COMPARISONS = {"EQ": "=", "NE": "!=", "GE": ">=", "LE": "<=", "GT": ">", "LT": "<"}


def compare(left: int, operator: str, right: int) -> bool:
    """The truth of `left operator right`."""
    match operator:
        case "=":
            return left == right
        case "!=":
            return left != right
        case ">=":
            return left >= right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left < right


def operator_of(node: Node) -> str:
    """The operator a `comparison` node spells."""
    return COMPARISONS[tokens(node)[0].type]


def pattern_condition(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> bool:
    """Does the condition hold for these faces? Faults count as false."""
    match str(node.data):
        case "condition":
            return any(pattern_condition(scope, clause, n, binding) for n in trees(node))
        case "conjunction":
            return all(pattern_condition(scope, clause, n, binding) for n in trees(node))
        case "grouped":
            return pattern_condition(scope, clause, trees(node)[0], binding)
        case "negated":
            return not pattern_condition(scope, clause, trees(node)[0], binding)
        case "compare":
            sums = [_sum(scope, clause, n, binding) for n in trees(node, "linear")]
            operators = [operator_of(n) for n in trees(node, "comparison")]
            pairs = zip(sums, operators, sums[1:], strict=False)
            return all(a is not None and b is not None and compare(a, op, b) for a, op, b in pairs)
        case "all_in":
            return _all_in(scope, clause, node, binding)
        case _:
            _once(scope, "T009", clause.span, name=_words(node), found=str(node.data), expected=_WANTED)
            return False


_WANTED = ("对牌面的比较", "comparison of faces")


def _words(node: Node) -> str:
    return " ".join(str(t) for t in all_tokens(node))


def _all_in(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> bool:
    names = [n for w in trees(node, "words") for n in names_of(w)]
    for name in names:
        if name not in scope.classes:
            scope.unknown(name, ("类", "class"), scope.classes, clause.span)
            return False
    members = frozenset[int]().union(*(scope.classes[n] for n in names))
    return all(kind in members for kind in binding.values())


def _sum(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> int | None:
    total, sign = 0, 1
    for part in trees(node):
        if part.data == "sign":
            sign = -1 if tokens(part)[0].type == "MINUS" else 1
            continue
        value = _addend(scope, clause, part, binding)
        if value is None:
            return None
        total += sign * value
    return total


def _addend(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> int | None:
    match str(node.data):
        case "literal":
            return first_number(node)
        case "scaled":
            inner = _quantity(scope, clause, trees(node)[0], binding)
            return None if inner is None else first_number(node) * inner
        case _:
            return _quantity(scope, clause, trees(node)[0], binding)


def _quantity(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> int | None:
    variable = next((str(t) for v in trees(node, "variable") for t in tokens(v)), None)
    if variable is None:
        _once(scope, "T009", clause.span, name=_words(node), found=str(node.data), expected=_WANTED)
        return None
    if variable not in binding:
        _once(scope, "T006", clause.span, name=variable)
        return None
    if node.data == "quantity_position":
        return scope.kinds[binding[variable]].position
    name = names_of(node, "name")[0]
    if name not in scope.values:
        _once_unknown(scope, name, clause.span)
        return None
    return scope.values[name].get(binding[variable])


def _once(scope: Scope, code: str, span: Span, **values: object) -> None:
    """A fault inside a pattern is met for every choice of faces; say it once."""
    if not any(f.code == code and f.span == span for f in scope.faults):
        scope.fault(code, span, **values)


def _once_unknown(scope: Scope, name: str, span: Span) -> None:
    if not any(f.code == "N001" and f.span == span for f in scope.faults):
        scope.unknown(name, ("值", "value"), scope.values, span)
