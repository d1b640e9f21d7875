"""赖: the tile that stands for others, and what melds become when it lies in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from ...core.model import OWN, Meld, MeldType, Parameter, Slot, Wild
from ..syntax import Clause, child, dotted, first_number, has_token, names_of, trees
from .scope import Scope, rule_of


def resolve_wild(scope: Scope) -> None:
    """Fill the wild tile of the scope, and add the melds that it can lie in."""
    clauses = [c for c in scope.assembled.under("牌") if c.kind == "wild"]
    for clause in clauses[1:]:
        scope.fault("T030", clause.span, name=names_of(clause.tree, "name")[0])
    for clause in clauses[:1]:
        scope.wild = _wild(scope, clause)
        if scope.wild is not None and scope.wild.free:
            _stands(scope, scope.wild)
        elif scope.wild is not None:
            _soften(scope, clause, scope.wild)


def _wild(scope: Scope, clause: Clause) -> Wild | None:
    tree, name = clause.tree, names_of(clause.tree, "name")[0]
    if scope.tiles(name) is not None:
        scope.fault("T011", clause.span, tile=name)
        return None
    follows, own = child(tree, "wild_follows"), child(tree, "wild_copies")
    if (follows is None) == (own is None):
        scope.fault("T031", clause.span, name=name)
        return None
    within, free = child(tree, "wild_within") is not None, child(tree, "wild_in") is None
    if free and child(tree, "wild_most") is not None:
        scope.fault("T034", clause.span, name=name)
    if own is not None:
        return Wild(name, first_number(own), None, False, free, within, rule_of(clause))
    assert follows is not None
    parameter = names_of(follows)[0]
    if any(p.name == parameter for p in scope.parameters):
        scope.fault("T032", clause.span, name=parameter)
    faces = tuple(kind.name for kind in scope.kinds if kind.group is not None)
    scope.parameters.append(Parameter(parameter, faces, rule_of(clause)))
    copies = min((kind.copies for kind in scope.kinds if kind.group is not None), default=0)
    return Wild(name, copies, parameter, has_token(follows, "OUT"), free, within, rule_of(clause))


def _stands(scope: Scope, wild: Wild) -> None:
    """For each face the wild tile that stands for it."""
    nothing = tuple(0 for _ in scope.dims)
    kind = MeldType(len(scope.types), wild.name, wild.name, frozenset(), nothing, False, False, 0, wild.rule)
    scope.types.append(kind)
    for face in range(len(scope.kinds)):
        meld = Meld(len(scope.melds), kind, (), (face,), ((face, -1),), (), frozenset(), 1)
        scope.melds.append(meld)


def _soften(scope: Scope, clause: Clause, wild: Wild) -> None:
    """For each meld type the clause names, its variants with one, two … wild tiles."""
    named = [dotted(n) for part in trees(clause.tree, "wild_in") for n in trees(part, "meld_name")]
    limit = child(clause.tree, "wild_most")
    most = wild.copies if limit is None else min(wild.copies, first_number(limit))
    chosen: list[MeldType] = []
    for name in named:
        types = scope.types_named(name)
        if not types:
            scope.unknown(name, ("牌型", "meld"), [t.name for t in scope.types], clause.span)
        chosen += [t for t in types if t not in chosen]
    hard = list(scope.melds)
    for kind in chosen:
        soft: dict[str, list[tuple[Meld, tuple[Slot, ...]]]] = {}
        for number in range(1, most + 1):
            for meld in (m for m in hard if m.type is kind):
                for slots in _softened(meld, number):
                    soft.setdefault(f"{wild.name}{number}{_hung(slots)}", []).append((meld, slots))
        for name, found in soft.items():
            _add(scope, kind, name, found)


def _hung(slots: tuple[Slot, ...]) -> str:
    """Letters of wild tiles that stand beside several of one face: what hangs on a dragon is priced apart."""
    faces = list(dict.fromkeys(s.kind for s in slots))
    many = {s.kind for s in slots if sum(other.kind == s.kind for other in slots) > 1}
    if not many:
        return ""
    return "".join(chr(ord("a") + faces.index(s.kind)) for s in slots if s.wild and s.kind not in many)


def _add(scope: Scope, kind: MeldType, name: str, soft: list[tuple[Meld, tuple[Slot, ...]]]) -> None:
    softened = replace(kind, index=len(scope.types), name=f"{kind.name}.{name}", grows=())
    scope.types.append(softened)
    for meld, slots in soft:
        natural = Counter(s.kind for s in slots if not s.wild)
        wilds = sum(s.wild for s in slots)
        counts = tuple(sorted(natural.items()))
        new = Meld(len(scope.melds), softened, slots, meld.tiles, counts, (), frozenset(), wilds)
        scope.melds.append(new)


def _softened(meld: Meld, number: int) -> Iterator[tuple[Slot, ...]]:
    """The meld with `number` wild tiles in places that a tile of one's own may have, each way once."""
    places = [i for i, slot in enumerate(meld.slots) if slot.origins & OWN]
    seen = set()
    for chosen in combinations(places, number):
        slots = tuple(
            Slot(s.kind, s.origins & OWN, True) if i in chosen else s for i, s in enumerate(meld.slots)
        )
        key = (
            tuple(sorted(s.kind for s in slots if s.wild)),
            tuple(sorted((s.kind, tuple(sorted(s.origins))) for s in slots if not s.wild)),
        )
        if key not in seen:
            seen.add(key)
            yield slots
