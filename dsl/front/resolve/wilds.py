"""赖: the tile that stands for others, and what melds become when it lies in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

from ...core.model import OWN, Meld, MeldType, Parameter, Slot, Wild
from ..syntax import Clause, Node, child, dotted, first_number, has_token, names_of, trees
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
    within = child(tree, "wild_within") is not None
    free = child(tree, "wild_in") is None and not scope.rooms
    for before, part in pairwise(trees(tree)):
        if part.data == "wild_most" and before.data != "wild_in":
            scope.fault("T034", clause.span, name=name)
    if not free and child(tree, "wild_never_in") is not None:
        scope.fault("T037", clause.span, name=name)
    barred = frozenset(t.index for t in _named(scope, clause, trees(tree, "wild_never_in")))
    cut = child(tree, "wild_cut")
    if cut is not None and own is None:
        scope.fault("T052", clause.span, name=name)
    least = min((kind.copies for kind in scope.kinds if kind.group is not None), default=0)
    copies = least if own is None else first_number(own)
    if own is None:
        _as_many_of_each(scope, clause, name)
    gone = int(follows is not None and has_token(follows, "OUT")) if cut is None else first_number(cut)
    if 0 < least < gone:
        scope.fault("T053", clause.span, gone=gone, least=least)
    parameter = _decided_by(scope, clause, follows or cut)
    return Wild(name, copies, own is not None, parameter, gone, free, within, rule_of(clause), barred)


def _as_many_of_each(scope: Scope, clause: Clause, name: str) -> None:
    """Which face is wild a deal decides; how many wild tiles there are may not hang on it."""
    faces = sorted((k for k in scope.kinds if k.group is not None), key=lambda kind: kind.copies)
    if faces and faces[0].copies < faces[-1].copies:
        few, many = faces[0], faces[-1]
        values = {"few": few.name, "least": few.copies, "many": many.name, "most": many.copies}
        scope.fault("T074", clause.span, name=name, **values)


def _decided_by(scope: Scope, clause: Clause, part: Node | None) -> str | None:
    """The new parameter that names a face at the deal, where a part of the clause asks for one."""
    if part is None:
        return None
    parameter = names_of(part)[0]
    if any(p.name == parameter for p in scope.parameters):
        scope.fault("T032", clause.span, name=parameter)
    faces = tuple(kind.name for kind in scope.kinds if kind.group is not None)
    scope.parameters.append(Parameter(parameter, faces, rule_of(clause)))
    return parameter


def _named(scope: Scope, clause: Clause, parts: list[Node]) -> list[MeldType]:
    """The meld types that parts of the clause name, each once."""
    chosen: list[MeldType] = []
    for name in (dotted(n) for part in parts for n in trees(part, "meld_name")):
        chosen += [t for t in scope.types_or_fault(name, clause.span) if t not in chosen]
    return chosen


def _stands(scope: Scope, wild: Wild) -> None:
    """For each face the wild tile that stands for it."""
    nothing = tuple(0 for _ in scope.dims)
    kind = MeldType(len(scope.types), wild.name, wild.name, frozenset(), nothing, False, False, 0, wild.rule)
    scope.types.append(kind)
    for face in range(len(scope.kinds)):
        meld = Meld(len(scope.melds), kind, (), (face,), ((face, -1),), (), frozenset(), 1)
        scope.melds.append(meld)


def _soften(scope: Scope, clause: Clause, wild: Wild) -> None:
    """For each meld type the clause names, its variants with one, two … wild tiles.

    After 不摆 they are not locked: what is never laid need not be kept as it lies.
    """
    hard = list(scope.melds)
    for kind, most in _most(scope, clause, wild).items():
        soft: dict[str, list[tuple[Meld, tuple[Slot, ...]]]] = {}
        for number in range(1, most + 1):
            for meld in (m for m in hard if m.type is kind):
                for slots in _softened(meld, number):
                    soft.setdefault(f"{wild.name}{number}{_hung(slots)}", []).append((meld, slots))
        kept = child(clause.tree, "wild_unlaid") is not None
        for name, found in soft.items():
            _add(scope, replace(kind, locked=kind.locked and not kept), name, found)


def _most(scope: Scope, clause: Clause, wild: Wild) -> dict[MeldType, int]:
    """How many wild tiles a meld of each type may have that its own clause, or this one, names."""
    found = {scope.types[i]: min(room, wild.copies) for i, room in scope.rooms.items()}
    parts = trees(clause.tree)
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        if part.data != "wild_in":
            continue
        most = wild.copies
        if after is not None and after.data == "wild_most":
            most = min(most, first_number(after))
        for kind in _named(scope, clause, [part]):
            if found.setdefault(kind, most) != most:
                scope.fault("T050", clause.span, meld=kind.name)
    return found


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
