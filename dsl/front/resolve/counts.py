"""What conditions count: tiles of classes and faces, melds, equal tiles, and what the whole deck has."""

from __future__ import annotations

from ...core.evaluate import Arrangement, Position, Situation, holds
from ...core.formulas import features, settled
from ...core.model import (
    And,
    Compare,
    Congruent,
    Feature,
    Formula,
    Linear,
    Meld,
    Operator,
    Or,
    Price,
    Truth,
)
from ...text.source import Span
from ..syntax import Node, dotted, first_number, has_token, names_of, span_of_node, trees
from .arithmetic import operator_of
from .scope import Scope

Class = frozenset[int] | None
"""The faces after 于; None where no class is named."""


def counted(scope: Scope, names: list[str], within: Class, span: Span) -> list[int]:
    """Per ground meld how much it adds to 数 of these classes (tiles), melds (melds) or tiles.

    Of a class after 于 only its tiles, and melds that lie wholly in it, are counted.
    """
    key = (tuple(names), within)
    known = scope.countings.get(key)
    if known is None:
        before = len(scope.faults)
        known = _counted(scope, names, within, span)
        if len(scope.faults) > before:
            return known
        scope.countings[key] = known
    return list(known)


def _counted(scope: Scope, names: list[str], within: Class, span: Span) -> list[int]:
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


def weights_of_faces(
    scope: Scope, node: Node, within: frozenset[int] | None, span: Span
) -> list[tuple[str, list[int]]]:
    """Per face of a class, or of the deck, what counting its tiles is called, and how many each meld has."""
    natural = _only_natural(scope, node, span)
    found = []
    for kind in (k for k in range(len(scope.kinds)) if within is None or k in within):
        name, melds = f"数 {scope.kinds[kind].name}", scope.melds
        if natural and scope.wild is not None:
            found.append((f"{name} 无 {scope.wild.name}", [dict(m.counts).get(kind, 0) for m in melds]))
        else:
            found.append((name, [sum(s.kind == kind for s in m.slots) for m in melds]))
    return found


def _only_natural(scope: Scope, node: Node, span: Span) -> bool:
    """`同张 无 神`: a wild tile is none of the face it stands for; `有 神`: it is. One must be said."""
    wild, told = scope.wild, next(iter(trees(node, "wild_told")), None)
    if told is None:
        if wild is not None:
            scope.fault("T071", span, wild=wild.name)
        return False
    name = names_of(told, "name")[0]
    if wild is None or name != wild.name:
        known = [] if wild is None else [wild.name]
        scope.unknown(name, ("赖子", "wild tile"), known, span_of_node(span.path, told))
    return has_token(told, "NONE")


# ---------------------------------------------------------------- every meld


def left_of_melds(scope: Scope, formula: Formula, dims: list[int], span: Span) -> dict[Formula, list[int]]:
    """What is left to ask where melds that count as these units are there, each looked at alone.

    Its melds have weight 1. `Truth(False)`, nothing can help them, is first. T075 for a wild tile that lies
    in no certain meld.
    """
    stands = [m.id for m in scope.melds if m.stand]
    if scope.wild is not None and any(f.weights[m] for f in features(formula) for m in stands):
        scope.fault("T075", span, wild=scope.wild.name)
    found: dict[Formula, list[int]] = {Truth(False): [0] * len(scope.melds)}
    for meld in scope.melds:
        if not meld.stand and all(meld.type.gives[d] for d in dims):
            found.setdefault(_alone(formula, meld.id), [0] * len(scope.melds))[meld.id] = 1
    return {rest: weights for rest, weights in found.items() if rest != Truth(True)}


def _alone(formula: Formula, meld: int) -> Formula:
    """What is left to ask where the numbers that are compared are those of this one meld."""
    position = Position(None, Arrangement((meld,)), Situation("", None))  # type: ignore[arg-type]
    return settled(formula, lambda a: Truth(holds(a, position)) if isinstance(a, Compare | Congruent) else a)


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


# ---------------------------------------------------------------- prices


def priced(scope: Scope, name: str, types: frozenset[int], members: frozenset[int]) -> list[Price]:
    """Cells of the first score table for melds of the name that lie in the class; of a type without its
    variants, if there is one of just that name."""
    if not scope.scores:
        return []
    own = {t.index for t in scope.types if t.name == name} or types
    return [m.prices[0] for m in scope.melds if m.type.index in own and set(m.tiles) <= members]


def single_price(scope: Scope, cells: list[Price], span: Span, words: str) -> int:
    """The one price of these cells; T009 where there are several, or none."""
    prices = {cell.points for cell in cells}
    if len(prices) == 1:
        return next(iter(prices)) or 0
    if scope.scores:
        found, expected = str(sorted(map(str, prices))), ("唯一的价", "single price")
        scope.fault("T009", span, name=words, found=found, expected=expected)
    return 0
