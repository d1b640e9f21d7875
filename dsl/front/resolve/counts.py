"""What conditions count: tiles of classes and faces, melds, equal tiles, and what the whole deck has."""

from __future__ import annotations

from ...core.model import And, Compare, Feature, Formula, Linear, Meld, Operator, Or
from ...text.source import Span
from ..syntax import Node, dotted, first_number, names_of, trees
from .arithmetic import operator_of
from .scope import Scope

Class = frozenset[int] | None
"""The faces after 于; None where no class is named."""


def counted(scope: Scope, names: list[str], within: Class, span: Span) -> list[int]:
    """Per ground meld how much it adds to 数 of these classes (tiles), melds (melds) or tiles.

    Of a class after 于 only its tiles, and melds that lie wholly in it, are counted.
    """
    total = [0] * len(scope.melds)
    for name in names:
        types = {t.index for t in scope.types_named(name)}
        if name in scope.classes and types:
            _both(scope, name, span)
        if scope.wild is not None and name == scope.wild.name:
            added = [wilds(m, within) for m in scope.melds]
        elif name in scope.classes:
            added = _tiles(scope, scope.classes[name], within)
        elif types:
            added = [
                int(m.type.index in types and (within is None or set(m.tiles) <= within)) for m in scope.melds
            ]
        elif (face := scope.face(name)) is not None:
            added = _tiles(scope, frozenset({face}), within)
        else:
            _unknown(scope, name, span, [kind.name for kind in scope.kinds])
            continue
        total = [a + b for a, b in zip(total, added, strict=True)]
    return total


def _tiles(scope: Scope, kinds: frozenset[int], within: Class) -> list[int]:
    members = kinds if within is None else kinds & within
    return [sum(s.kind in members for s in m.slots) for m in scope.melds]


def wilds(meld: Meld, within: Class) -> int:
    """Wild tiles of a meld; after 于 only those that stand for a face of the class."""
    if meld.stand:
        return int(within is None or meld.tiles[0] in within)
    return sum(s.wild and (within is None or s.kind in within) for s in meld.slots)


def _both(scope: Scope, name: str, span: Span) -> None:
    """A name that is of a class and of a meld counts neither."""
    found, expected = ("类兼牌型", "class and meld"), ("类或牌型之一", "class or meld, not both")
    scope.fault("T009", span, name=name, found=found, expected=expected)


def _unknown(scope: Scope, name: str, span: Span, tiles: list[str]) -> None:
    known = [*scope.classes, *(t.family for t in scope.types), *(t.name for t in scope.types), *tiles]
    what = ("类、牌型或牌", "class, meld or tile") if tiles else ("类或牌型", "class or meld")
    scope.unknown(name, what, known, span)


# ---------------------------------------------------------------- equal tiles


def bounded(node: Node) -> tuple[Operator, int]:
    """The comparison of a node with a number at its end."""
    operator: Operator = operator_of(trees(node, "comparison")[0])  # type: ignore[assignment]
    return operator, first_number(node)


def most_alike(counts: list[Feature], operator: Operator, bound: int) -> Formula:
    """`同张 ≥ 4`: the greatest of these numbers is so many."""
    terms = [Linear(((1, count),)) for count in counts]

    def some(least: int) -> Formula:
        return Or(tuple(Compare(term, ">=", Linear(constant=least)) for term in terms))

    def none(least: int) -> Formula:
        return And(tuple(Compare(term, "<", Linear(constant=least)) for term in terms))

    match operator:
        case ">=" | ">":
            return some(bound + (operator == ">"))
        case "<" | "<=":
            return none(bound + (operator == "<="))
        case "=":
            return And((some(bound), none(bound + 1)))
        case _:
            return Or((none(bound), some(bound + 1)))


# ---------------------------------------------------------------- the deck


def kinds_of(scope: Scope, node: Node, span: Span) -> int:
    """`几种 十四`: different tiles that make such a meld; `几种 红`: faces of a class; `几种`: all faces."""
    name = next((dotted(n) for n in trees(node, "meld_name")), None)
    if name is None:
        return len(scope.kinds)
    types = {t.index for t in scope.types_named(name)}
    if name in scope.classes and types:
        _both(scope, name, span)
    if name in scope.classes:
        return len(scope.classes[name])
    if not types:
        _unknown(scope, name, span, [])
    return len({m.counts for m in scope.melds if m.type.index in types and not m.wilds})


def tiles_in_deck(scope: Scope, node: Node, span: Span) -> int:
    """`全副 红`: tiles of a class or a face in the deck; `全副`: all of them."""
    names = names_of(node, "name")
    kinds = scope.faces(names[0], span) if names else range(len(scope.kinds))
    return sum(scope.kinds[kind].copies for kind in kinds)
