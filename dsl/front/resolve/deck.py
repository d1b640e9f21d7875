"""牌 and 来路: faces, copies, groups, classes, values, origin sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...core.model import ORIGINS, Group, Kind, Parameter
from ...text.spelling import closest
from ..syntax import Clause, child, first_number, name_of, names_of, number_of, trees
from .arithmetic import TILE, pattern_condition, pattern_sum
from .scope import Scope, rule_of

CLASSES = ("class_of", "class_not", "class_where")


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
    for clause in (c for c in deck if c.kind == "value_of"):
        _value(scope, clause)
    sums = [c for c in deck if c.kind == "value_sum"]
    scope.values.update({names_of(c.tree, "name")[0]: {} for c in sums})
    for clause in in_order(scope, sums):
        _worked_out(scope, clause)
    for clause in in_order(scope, [c for c in deck if c.kind in CLASSES]):
        _class(scope, clause)
    _attach(scope)
    _origins(scope)
    _parameters(scope)


def _missing(scope: Scope, section: str, zh: str, en: str) -> None:
    if not scope.assembled.ruleset.template:
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
    uses = {name: [w for w in _uses(c) if w in names] for name, c in names.items()}
    done: set[str] = set()
    while len(done) < len(names):
        ready = next((n for n in names if n not in done and done.issuperset(uses[n])), None)
        if ready is None:
            stuck = next(n for n in names if n not in done)
            scope.fault("N017", names[stuck].span, name=stuck)
            return
        done.add(ready)
        yield names[ready]


def _uses(clause: Clause) -> list[str]:
    """Names that what the clause says may lean on; a list may have a tile called like itself."""
    if clause.kind == "value_sum":
        return _summands(clause)
    if clause.kind == "amount_named":
        return [n for q in clause.tree.find_data("amount_score") for n in names_of(q)]
    parts = [n for n in clause.tree.iter_subtrees() if n.data in ("words", "defined")]
    own = names_of(clause.tree, "name")[0]
    return [w for n in parts for w in names_of(n) if w != own]


def _summands(clause: Clause) -> list[str]:
    return [n for q in clause.tree.find_data("quantity_name") for n in names_of(q, "name")[:1]]


def _class(scope: Scope, clause: Clause) -> None:
    name, faults = names_of(clause.tree, "name")[0], len(scope.faults)
    members = _fitting(scope, clause) if clause.kind == "class_where" else _members(scope, clause)
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


def _worked_out(scope: Scope, clause: Clause) -> None:
    """A value that is a sum of others; a face with none of them has no such value."""
    name, faults = names_of(clause.tree, "name")[0], len(scope.faults)
    terms, node = dict.fromkeys(_summands(clause)), trees(clause.tree, "linear")[0]
    for i, kind in enumerate(scope.kinds):
        total = pattern_sum(scope, clause, node, {TILE: i})
        if total is not None:
            scope.values[name][i] = total
        elif len(scope.faults) > faults:
            return
        else:
            known, lacks = ([t for t in terms if (i in scope.values[t]) is has] for has in (True, False))
            if known:
                values = {"tile": kind.name, "name": name, "known": known[0], "lacks": lacks[0]}
                scope.fault("T057", clause.span, **values)


def _fitting(scope: Scope, clause: Clause) -> frozenset[int]:
    """The faces of which the condition holds; a comparison with a value that a face lacks is false."""
    node = trees(clause.tree, "condition")[0]
    kinds = range(len(scope.kinds))
    return frozenset(i for i in kinds if pattern_condition(scope, clause, node, {TILE: i}))


def _members(scope: Scope, clause: Clause) -> frozenset[int]:
    words = trees(child(clause.tree, "words") or clause.tree, "word")
    return frozenset(i for n in words for i in scope.faces(name_of(n), scope.span(clause, n)))


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
