"""Statements about the faces of the deck (`算 凡 牌 a 有 牌 b：点 a = 点 b`), worked out while resolving."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ..syntax import Clause, Node, child, has_token, name_of, tokens, trees
from .arithmetic import pattern_condition
from .scope import Scope

Instance = tuple[tuple[str, str], ...]
"""Letters and the names of the faces they stand for."""


def faces_statement(scope: Scope, clause: Clause, question: Node) -> tuple[bool, Instance]:
    """Is it true of the deck, and for which faces of its first letters it is, or is not.

    Letters range over all faces, or over those after 入; two letters may be the same face.
    """
    blocks = trees(question, "faces")
    letters = [letter for block in blocks for letter in _letters(block)]
    twice = next((letter for i, letter in enumerate(letters) if letter in letters[:i]), None)
    if twice is not None:
        scope.fault("T063", scope.span(clause, question), letter=twice)
        return False, ()
    deciding = _Deciding(scope, clause, trees(question, "condition")[0])
    truth, found = deciding.decide(blocks, {})
    return truth, tuple((letter, scope.kinds[kind].name) for letter, kind in found.items())


def _letters(block: Node) -> list[str]:
    return [str(t) for v in trees(block, "variable") for t in tokens(v)]


class _Deciding:
    """One statement with its quantifiers tried one after the other."""

    def __init__(self, scope: Scope, clause: Clause, condition: Node) -> None:
        self.scope = scope
        self.clause = clause
        self.condition = condition

    def decide(self, blocks: Sequence[Node], bound: dict[str, int]) -> tuple[bool, dict[str, int]]:
        """Is the rest true, and the faces of its first block that settle it; none when all are alike."""
        if not blocks:
            return pattern_condition(self.scope, self.clause, self.condition, bound), {}
        block, rest = blocks[0], blocks[1:]
        every, letters = has_token(block, "EVERY"), _letters(block)
        for kinds in product(self._pool(block), repeat=len(letters)):
            own = dict(zip(letters, kinds, strict=True))
            truth, _ = self.decide(rest, {**bound, **own})
            if truth is not every:
                return truth, own
        return every, {}

    def _pool(self, block: Node) -> list[int]:
        """The faces a block ranges over."""
        words = child(block, "words")
        if words is None:
            return list(range(len(self.scope.kinds)))
        named = (self.scope.faces(name_of(w), self.scope.span(self.clause, w)) for w in trees(words, "word"))
        return sorted(frozenset[int]().union(*named))
