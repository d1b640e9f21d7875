"""收 and 倍 as numbers of a statement: what a seat gets, and what the names come to."""

from __future__ import annotations

from ...core.model import Formula, Game, Linear, Operator, Outcome, Times, Truth
from ...core.parts import names_by_word
from ...core.receipts import Part, Receipt, compared_receipts
from ..syntax import Clause, Node, child, has_token, name_of, names_of, trees, words_of
from .scope import Scope

STATEMENTS = frozenset({"exists", "every"})
"""Questions about an arrangement, of which it is known who wins with what."""


def receipt(scope: Scope, clause: Clause, node: Node, game: Game | None) -> Receipt | Times | None:
    """`倍`, `收 庄`, `收 歇醒 于 流局`, `收 庄 于 诈和 抬胡`; None where it cannot be asked (T065)."""
    drawn = has_token(node, "DRAW")
    if not (trees(clause.tree, *STATEMENTS) or (drawn and trees(clause.tree, "compute"))):
        scope.fault("T065", scope.span(clause, node), what=words_of(node))
        return None
    if node.data == "quantity_times" or game is None:
        return Times() if node.data == "quantity_times" else None
    known = names_by_word(game.names)
    words = names_of(child(node, "words"))
    for name in (word for word in words if word not in known):
        scope.unknown(name, ("名", "named win"), known, scope.span(clause, node))
    outcome: Outcome = "draw" if drawn else "false_win" if has_token(node, "FALSE_WIN") else "win"
    called = tuple(dict.fromkeys(known.get(word, word) for word in words))
    return Receipt(_seat(scope, clause, node, game), outcome, called)


def _seat(scope: Scope, clause: Clause, node: Node, game: Game) -> str | None:
    """The seat whose money it is; None for that of whoever wins or offends."""
    if has_token(node, "ACTOR"):
        return None
    name, seats = name_of(trees(node, "word")[0]), [seat.name for seat in game.seats]
    if name not in seats:
        scope.unknown(name, ("座位", "seat"), seats, scope.span(clause, node))
    return name


def comparison(
    scope: Scope,
    clause: Clause,
    node: Node,
    game: Game | None,
    sides: tuple[Linear, Operator, Linear],
    parts: list[Part],
) -> Formula:
    """A comparison with such numbers in it, the parts being added to its left side."""
    if game is None:
        return Truth(True)
    left, operator, right = sides
    found = compared_receipts(game, left, operator, right, parts)
    if found is None:
        scope.fault("T066", scope.span(clause, node), what=words_of(node))
        return Truth(True)
    return found
