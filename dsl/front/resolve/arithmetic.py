"""Conditions on the faces of a pattern (`当 点 a + 点 b = 14`), decided while filling it.

A class by a condition (`类 七 当 点 = 7`) and a value worked out (`值 点 = 上 + 下`) speak of one tile that
no letter names: its face is bound to `TILE`.
"""

from __future__ import annotations

from ...text.source import Span
from ..syntax import Clause, Node, name_of, names_of, number_product, tokens, trees, words_of
from .scope import Scope

TILE = ""
"""The letter of the one tile that a condition speaks of."""

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
            sums = [pattern_sum(scope, clause, n, binding) for n in trees(node, "linear")]
            operators = [operator_of(n) for n in trees(node, "comparison")]
            pairs = zip(sums, operators, sums[1:], strict=False)
            return all(a is not None and b is not None and compare(a, op, b) for a, op, b in pairs)
        case "all_in":
            return _all_in(scope, clause, node, binding)
        case "face_in":
            return _face_in(scope, clause, node, binding)
        case "defined" if TILE in binding:
            return binding[TILE] in scope.faces(name_of(node), scope.span(clause, node))
        case _:
            _misplaced(scope, clause, node, binding)
            return False


def _misplaced(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> None:
    wanted = ("这张牌的值或类", "value or class of the tile") if TILE in binding else _WANTED
    _once(scope, "T009", clause.span, name=words_of(node), found=_OTHER, expected=wanted)


_OTHER = ("别的话", "phrase of another kind")
_WANTED = ("对牌面的比较", "comparison of faces")


def _all_in(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> bool:
    names = [n for w in trees(node, "words") for n in names_of(w)]
    for name in names:
        if name not in scope.classes:
            scope.unknown(name, ("类", "class"), scope.classes, clause.span)
            return False
    members = frozenset[int]().union(*(scope.classes[n] for n in names))
    return all(kind in members for kind in binding.values())


def _face_in(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> bool:
    """`a 入 红 天牌`: the face of one letter is among these classes and tiles."""
    variable = next(str(t) for v in trees(node, "variable") for t in tokens(v))
    if variable not in binding:
        _once(scope, "T006", clause.span, name=variable)
        return False
    words = [n for w in trees(node, "words") for n in trees(w, "word")]
    return any(binding[variable] in scope.faces(name_of(n), scope.span(clause, n)) for n in words)


def pattern_sum(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> int | None:
    """A sum of numbers of these faces; None where a face lacks one, or at a fault."""
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
    value = number_product(node)
    for part in trees(node):
        inner = _quantity(scope, clause, part, binding)
        if inner is None:
            return None
        value *= inner
    return value


def _quantity(scope: Scope, clause: Clause, node: Node, binding: dict[str, int]) -> int | None:
    variable = next((str(t) for v in trees(node, "variable") for t in tokens(v)), TILE)
    names = names_of(node, "name")
    if (variable == TILE) != (TILE in binding) or (variable == TILE and len(names) != 1):
        _misplaced(scope, clause, node, binding)
        return None
    if variable not in binding:
        _once(scope, "T006", clause.span, name=variable)
        return None
    if node.data == "quantity_position":
        return scope.kinds[binding[variable]].position
    name = names[0]
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
