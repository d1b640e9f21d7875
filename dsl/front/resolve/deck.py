"""牌 and 来路: faces, copies, groups, classes, values, origin sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...core.model import ORIGINS, Group, Kind, Parameter
from ...text.spelling import closest
from ..syntax import Clause, child, first_number, name_of, names_of, number_of, trees
from .scope import Scope, rule_of


def resolve_deck(scope: Scope) -> None:
    """Fill kinds, groups, classes, values, origins and parameters of the scope."""
    deck = scope.assembled.under("牌")
    for clause in deck:
        _faces(scope, clause)
    if not scope.kinds:
        _missing(scope, "牌", "牌 { 房 上大人 丘乙己；每张 4 }", "deck { group 上大人 丘乙己; copies 4 }")
    for clause in deck:
        _copies(scope, clause)
    missing = [kind.name for kind in scope.kinds if kind.copies == 0]
    if missing:
        _missing(scope, "牌.每张", "每张 4", "copies 4")
    classes = [c for c in deck if c.kind in ("class_of", "class_not")]
    for clause in in_order(scope, classes):
        _class(scope, clause)
    for clause in (c for c in deck if c.kind == "value_of"):
        _value(scope, clause)
    _attach(scope)
    _origins(scope)
    _parameters(scope)


def _missing(scope: Scope, section: str, zh: str, en: str) -> None:
    scope.fault("T016", scope.assembled.ruleset.span, section=section, example=(zh, en))


def _faces(scope: Scope, clause: Clause) -> None:
    match clause.kind:
        case "groups":
            for word in names_of(child(clause.tree, "words")):
                _group(scope, clause, word, list(word))
        case "group":
            _group(scope, clause, names_of(clause.tree, "name")[0], names_of(child(clause.tree, "words")))
        case "loose":
            for word in names_of(child(clause.tree, "words")):
                _face(scope, clause, Kind(word, 0))


def _group(scope: Scope, clause: Clause, name: str, faces: list[str]) -> None:
    index, first = len(scope.groups), len(scope.kinds)
    for position, face in enumerate(faces, start=1):
        _face(scope, clause, Kind(face, 0, index, position))
    scope.groups.append(Group(name, tuple(range(first, len(scope.kinds)))))


def _face(scope: Scope, clause: Clause, kind: Kind) -> None:
    if any(kind.name == known.name for known in scope.kinds):
        scope.fault("T011", clause.span, tile=kind.name)
        return
    scope.kinds.append(kind)


def _copies(scope: Scope, clause: Clause) -> None:
    if clause.kind == "copies":
        number = first_number(clause.tree)
        scope.kinds[:] = [replace(k, copies=k.copies or number) for k in scope.kinds]
    elif clause.kind == "copies_of":
        number = first_number(clause.tree)
        for word in names_of(child(clause.tree, "words")):
            for kind in scope.tiles_or_fault(word, clause.span):
                scope.kinds[kind] = replace(scope.kinds[kind], copies=number)


def in_order(scope: Scope, clauses: list[Clause]) -> Iterator[Clause]:
    """The clauses, each after those whose names its words use; N017 for what leads back to itself."""
    names = {names_of(c.tree, "name")[0]: c for c in clauses}
    uses = {
        name: [w for w in names_of(child(c.tree, "words")) if w in names and w != name]
        for name, c in names.items()
    }
    done: set[str] = set()
    while len(done) < len(names):
        ready = next((n for n in names if n not in done and done.issuperset(uses[n])), None)
        if ready is None:
            stuck = next(n for n in names if n not in done)
            scope.fault("N017", names[stuck].span, name=stuck)
            return
        done.add(ready)
        yield names[ready]


def _class(scope: Scope, clause: Clause) -> None:
    name, faults = names_of(clause.tree, "name")[0], len(scope.faults)
    members = _members(scope, clause)
    if clause.kind == "class_not":
        members = frozenset(range(len(scope.kinds))) - members
    scope.classes[name] = members
    if not members and len(scope.faults) == faults:
        scope.fault("W003", clause.span, name=name)


def _value(scope: Scope, clause: Clause) -> None:
    name = names_of(clause.tree, "name")[0]
    words = [name_of(n) for n in trees(clause.tree, "word")]
    numbers = [number_of(n) for n in trees(clause.tree, "integer")]
    table = scope.values.setdefault(name, {})
    for word, number in zip(words, numbers, strict=True):
        table.update(dict.fromkeys(scope.tiles_or_fault(word, clause.span), number))


def _members(scope: Scope, clause: Clause) -> frozenset[int]:
    found: set[int] = set()
    for node in trees(child(clause.tree, "words") or clause.tree, "word"):
        word = name_of(node)
        if word in scope.classes:
            found |= scope.classes[word]
        else:
            found.update(scope.tiles_or_fault(word, scope.span(clause, node)))
    return frozenset(found)


def _attach(scope: Scope) -> None:
    """Write classes and values onto the kinds."""
    for i, kind in enumerate(scope.kinds):
        classes = frozenset(name for name, members in scope.classes.items() if i in members)
        values = tuple((name, table[i]) for name, table in scope.values.items() if i in table)
        scope.kinds[i] = replace(kind, classes=classes, values=values)


def _origins(scope: Scope) -> None:
    clauses = scope.assembled.under("来路")
    for clause in (c for c in clauses if c.kind == "hand_origin"):
        name = names_of(clause.tree, "name")[0]
        if name in ORIGINS:
            scope.hand_origin = name
        else:
            scope.fault("T013", clause.span, name=name, suggestion=closest(name, ORIGINS))
    for clause in in_order(scope, [c for c in clauses if c.kind != "hand_origin"]):
        words = names_of(child(clause.tree, "words"))
        scope.origin_sets[names_of(clause.tree, "name")[0]] = origins_of(scope, clause, words)


def origins_of(scope: Scope, clause: Clause, words: list[str]) -> frozenset[str]:
    """The union of the origins or origin sets that `words` name."""
    found: set[str] = set()
    for word in words:
        if word in scope.origin_sets:
            found |= scope.origin_sets[word]
        else:
            scope.unknown(word, ("来路", "origin"), scope.origin_sets, clause.span)
    return frozenset(found)


def _parameters(scope: Scope) -> None:
    for clause in scope.assembled.under("境"):
        values = tuple(names_of(child(clause.tree, "words")))
        scope.parameters.append(Parameter(clause.key[-1], values, rule_of(clause)))
