"""Tiles put together and taken away (`手 尔尔小生 + 小 - 尔小生 = 尔小`), worked out while resolving."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from ...core.tiles import TileEquation, TileSum
from ..syntax import Clause, Node, has_token, name_of, trees, words_of
from .scope import Scope


def tile_equation(scope: Scope, clause: Clause, node: Node) -> TileEquation:
    """Both sides of a `tiles_compare` node. Unknown tiles are faults (T001)."""
    left, right = (_worked(scope, clause, side) for side in trees(node, "bag"))
    return TileEquation(left, "=" if has_token(node, "EQ") else "!=", right)


def _worked(scope: Scope, clause: Clause, bag: Node) -> TileSum:
    """A sum step by step; it stops where a tile is not there to be taken, or the deck has no more of it."""
    held: Counter[int] = Counter()
    taking = False
    for part in trees(bag):
        if part.data == "sign":
            taking = has_token(part, "MINUS")
            continue
        for kind in _kinds(scope, clause, part):
            wrong = _wrong(scope, held, kind, taking)
            if wrong is not None:
                return _sum(scope, bag, held, wrong, scope.kinds[kind].name)
            held[kind] += -1 if taking else 1
    return _sum(scope, bag, held)


def _wrong(scope: Scope, held: Counter[int], kind: int, taking: bool) -> Literal["absent", "beyond"] | None:
    if taking:
        return None if held[kind] else "absent"
    return None if held[kind] < scope.kinds[kind].copies else "beyond"


def _sum(
    scope: Scope,
    bag: Node,
    held: Counter[int],
    wrong: Literal["absent", "beyond"] | None = None,
    tile: str = "",
) -> TileSum:
    words = words_of(bag)
    tiles = tuple(scope.kinds[kind].name for kind in sorted(held.elements()))
    return TileSum(words, tiles, wrong, tile)


def _kinds(scope: Scope, clause: Clause, part: Node) -> list[int]:
    """The tiles of a run of words; none for 无."""
    found: list[int] = []
    for word in trees(part, "word"):
        found += scope.tiles_or_fault(name_of(word), scope.span(clause, word))
    return found
