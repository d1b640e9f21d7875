"""大小: lines of tiers, each of faces, classes and names of melds."""

from __future__ import annotations

from ...core.model import RankLine, Tier
from ...text.source import Span
from ..syntax import Clause, name_of, names_of, trees
from .scope import Scope, rule_of

MEMBER = ("牌、类或牌型", "tile, class or meld")

Member = tuple[str, int]
"""A face or a meld type: `tile` or `meld`, and its index."""


def resolve_ranks(scope: Scope) -> tuple[RankLine, ...]:
    """The lines; a face or a meld stands in one of them, and once (T060, T061)."""
    standing: dict[Member, str] = {}
    return tuple(_line(scope, clause, standing) for clause in scope.assembled.under("大小"))


def _line(scope: Scope, clause: Clause, standing: dict[Member, str]) -> RankLine:
    name = names_of(clause.tree, "name")[0]
    own: set[Member] = set()
    tiers = []
    for node in trees(clause.tree, "tier"):
        tier: set[Member] = set()
        for word in trees(node, "word"):
            span = scope.span(clause, word)
            for member in _members(scope, name_of(word), span):
                _check(scope, member, name, span, own, standing)
                own.add(member)
                tier.add(member)
        kinds, types = (frozenset(i for what, i in tier if what == sort) for sort in ("tile", "meld"))
        tiers.append(Tier(kinds, types))
    standing |= dict.fromkeys(own, name)
    return RankLine(name, tuple(tiers), rule_of(clause))


def _check(
    scope: Scope, member: Member, line: str, span: Span, own: set[Member], standing: dict[Member, str]
) -> None:
    what, index = member
    shown = scope.kinds[index].name if what == "tile" else scope.types[index].name
    if member in own:
        scope.fault("T060", span, name=shown, line=line)
    elif member in standing:
        scope.fault("T061", span, name=shown, line=line, other=standing[member])


def _faces(scope: Scope, word: str) -> tuple[int, ...]:
    """The one face or the group of this name: faces written together might be the name of a meld."""
    group = next((g.kinds for g in scope.groups if g.name == word), ())
    face = scope.face(word)
    return group if face is None else (face,)


def _members(scope: Scope, word: str, span: Span) -> list[Member]:
    """The faces of a class, a group or a face, or the meld types of this name."""
    types = scope.types_named(word)
    kinds = scope.classes.get(word) or _faces(scope, word)
    if kinds and types:
        found = ("牌兼牌型", "tile and meld")
        scope.fault("T009", span, name=word, found=found, expected=("其中一样", "tile or meld, not both"))
    if kinds:
        return [("tile", kind) for kind in sorted(kinds)]
    if not types and word not in scope.classes:
        names = [*scope.classes, *(k.name for k in scope.kinds), *(t.family for t in scope.types)]
        scope.unknown(word, MEMBER, names, span)
    return [("meld", t.index) for t in types]
