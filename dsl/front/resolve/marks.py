"""标: the marked tile, and what melds become when it lies in them."""

from __future__ import annotations

from dataclasses import replace

from ...core.model import Mark, Parameter, Seat
from ...core.parts import index_of
from ..syntax import child, has_token, names_of
from .scope import Scope, rule_of

NO_FACE = "无"
"""The value of the parameter when no tile is marked."""


def resolve_mark(scope: Scope) -> None:
    """Fill the marked tile of the scope, and add the melds that it can lie in."""
    clauses = [c for c in scope.assembled.under("牌") if c.kind == "mark"]
    for clause in clauses[1:]:
        scope.fault("T042", clause.span, name=names_of(clause.tree, "name")[0])
    for clause in clauses[:1]:
        name, parameter, *roles = names_of(clause.tree, "name")
        if any(p.name == parameter for p in scope.parameters):
            scope.fault("T032", clause.span, name=parameter)
        elif scope.wild is not None and scope.wild.free:
            scope.fault("T043", clause.span, name=name, wild=scope.wild.name)
        else:
            every = has_token(clause.tree, "ALL")
            scope.mark = Mark(name, parameter, frozenset(roles), every, rule_of(clause))
            faces = (NO_FACE, *(kind.name for kind in scope.kinds))
            scope.parameters.append(Parameter(parameter, faces, rule_of(clause)))
            _add_marked(scope, scope.mark)


def resolve_aliases(scope: Scope) -> None:
    """又名 in the deck: other ways to write a face, or the wild tile."""
    for clause in (c for c in scope.assembled.under("牌") if c.kind == "face_alias"):
        (name,), words = names_of(clause.tree, "name"), names_of(child(clause.tree, "words"))
        taken = index_of(scope.kinds)
        for word in (w for w in words if w in taken):
            scope.fault("T011", clause.span, tile=word)
        if scope.wild is not None and name == scope.wild.name:
            scope.wild = replace(scope.wild, aliases=frozenset(words))
        elif name in taken:
            kind = scope.kinds[taken[name]]
            scope.kinds[taken[name]] = replace(kind, aliases=frozenset(words))
        else:
            scope.tiles_or_fault(name, clause.span)


def check_mark(scope: Scope, seats: tuple[Seat, ...]) -> None:
    """N001 for a role of the marked tile that no seat has."""
    if scope.mark is not None:
        roles = list(dict.fromkeys(seat.role for seat in seats))
        for role in sorted(scope.mark.roles - set(roles)):
            scope.unknown(role, ("身份", "role"), roles, scope.mark.rule.span)


def _add_marked(scope: Scope, mark: Mark) -> None:
    """For each meld type the same with the marked tile in it, in each of its natural tiles once."""
    plain = list(scope.melds)
    for kind in list(scope.types):
        marked = replace(kind, index=len(scope.types), name=f"{kind.name}.{mark.name}", grows=())
        scope.types.append(marked)
        for meld in (m for m in plain if m.type is kind):
            for face in dict.fromkeys(slot.kind for slot in meld.slots if not slot.wild):
                place = next(i for i, s in enumerate(meld.slots) if s.kind == face and not s.wild)
                slots = tuple(replace(s, marked=i == place) for i, s in enumerate(meld.slots))
                scope.melds.append(replace(meld, id=len(scope.melds), type=marked, slots=slots, base=meld.id))
