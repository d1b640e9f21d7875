"""One tree out of a ruleset, its bases, its deltas and the options chosen.

Order never decides silently: bases come before what extends them, and inside one ruleset two active
deltas that touch the same clause are a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from lark import Token, Tree

from ..text.diagnostics import Diagnostic
from ..text.source import Span
from ..text.spelling import closest
from .chosen import Choices, active, choices_of
from .keys import SECTIONS, key_of, written_path
from .syntax import (
    Clause,
    Frozen,
    Key,
    Node,
    Ruleset,
    all_tokens,
    names_of,
    number_of,
    tokens,
    trees,
)

LISTED = 12
"""Clauses of a section that a message lists when none is near."""


@dataclass(slots=True)
class Assembled:
    """Everything a ruleset says under one choice of options."""

    ruleset: Ruleset
    chain: tuple[Ruleset, ...]
    """Bases first."""
    options: Mapping[str, str]
    choices: Choices
    clauses: dict[Key, Clause] = field(default_factory=dict)
    removed: dict[Key, Clause] = field(default_factory=dict)
    """The changes that took clauses away which nothing put back."""
    examples: list[Clause] = field(default_factory=list)
    claims: list[Clause] = field(default_factory=list)
    sources: list[tuple[Ruleset, Clause]] = field(default_factory=list)
    unmodelled: list[Clause] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    beside: tuple[Ruleset, ...] = ()
    """Rulesets under the same choices that judge other things."""

    def under(self, *prefix: str) -> list[Clause]:
        """Clauses whose key starts with `prefix`, in order."""
        return [c for k, c in self.clauses.items() if k[: len(prefix)] == prefix]


@dataclass(frozen=True, slots=True)
class Step:
    """What a clause does to one key."""

    how: Literal["add", "replace", "remove", "retune"]
    key: Key
    clause: Clause
    """The clause that is put there; of a removal and of another number the change itself."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a ruleset does to what its bases left, whatever is chosen."""

    always: tuple[Step, ...]
    whens: tuple[tuple[Node, tuple[Step, ...]], ...]
    """What each `若` does where its condition holds."""


Planned = Callable[[Ruleset], Plan]
"""Says what a ruleset does."""


def plan_of(ruleset: Ruleset) -> Plan:
    """The steps of a ruleset, in the order in which they are taken."""
    whens = [c for c in ruleset.clauses if c.kind == "when"]
    return Plan(
        tuple(step for c in ruleset.clauses if c.kind != "when" for step in _steps(c)),
        tuple((when.tree, tuple(step for c in when.children for step in _changes(c))) for when in whens),
    )


def _steps(clause: Clause) -> Iterator[Step]:
    if clause.kind in SECTIONS or clause.kind == "price":
        for inner in clause.children:
            yield from (Step("add", c.key, c) for c in split_row(inner))
    elif clause.kind == "parameter":
        yield Step("add", clause.key, clause)
    elif clause.kind == "delta" or clause.kind in ("replace", "add", "remove", "retune"):
        yield from _changes(clause)


def _changes(clause: Clause) -> Iterator[Step]:
    delta = _delta_of(clause)
    match str(delta.data):
        case "remove" | "retune" as how:
            yield Step(how, written_path(trees(delta, "path")[0]), clause)
        case "add":
            yield from (Step("add", c.key, c) for c in split_row(_placed(clause, delta)))
        case "waive":
            key = key_of("waive", delta, ())
            yield Step("add", key, replace(clause, kind="waive", key=key, tree=delta))
        case _:
            yield from (Step("replace", c.key, c) for c in split_row(_placed(clause, delta)))


def _delta_of(clause: Clause) -> Node:
    return clause.tree if clause.kind != "delta" else trees(clause.tree)[0]


def assemble(
    chain: tuple[Ruleset, ...],
    chosen: Mapping[str, str],
    at: Span,
    agreed: tuple[Choices, list[Diagnostic]] | None = None,
    planned: Planned = plan_of,
) -> Assembled:
    """Apply the chain of rulesets (bases first) under the chosen options; missing options take defaults.

    `agreed`: what `choices_of` says of the chain, `planned`: what `plan_of` says of a ruleset, where they are
    known already.
    """
    choices, known = choices_of(chain) if agreed is None else agreed
    faults = list(known)
    options = choices.complete(chosen, faults, at)
    result = Assembled(chain[-1], chain, options, choices, faults=faults)
    carry_out(map(planned, chain), result)
    last = chain[-1]
    result.examples = [c for c in last.clauses if c.kind == "example"]
    result.claims = [c for c in last.clauses if c.kind in ("claim", "printed")]
    result.unmodelled = [c for r in chain for c in r.clauses if c.kind == "unmodelled"]
    result.sources = [(r, c) for r in chain for c in r.clauses if c.kind == "sources"]
    for named in (result.examples, result.claims):
        _once_each(named, faults)
    return result


def carry_out(plans: Iterable[Plan], result: Assembled) -> None:
    """Take the steps of rulesets, bases first, that are in force under the options."""
    for plan in plans:
        _Level(result).apply(plan)


def _once_each(clauses: list[Clause], faults: list[Diagnostic]) -> None:
    """Two examples or statements of one id would be told apart by nobody."""
    seen: dict[Key, Clause] = {}
    for clause in clauses:
        known = seen.setdefault(clause.key, clause)
        if known is not clause:
            related = ((known.span, "first"),)
            faults.append(Diagnostic("N002", clause.span, {"name": clause.key[-1]}, related))


class _Level:
    """One ruleset of the chain being applied to what its bases left."""

    def __init__(self, result: Assembled) -> None:
        self.result = result
        self.touched: dict[Key, tuple[str, Clause]] = {}

    def apply(self, plan: Plan) -> None:
        self._take(plan.always)
        for condition, steps in plan.whens:
            if active(condition, self.result.options):
                self._take(steps)

    def _take(self, steps: Iterable[Step]) -> None:
        for step in steps:
            match step.how:
                case "add":
                    self._add(step.clause)
                case "replace":
                    self._replace(step.clause)
                case "remove":
                    self._remove(step.clause, step.key)
                case "retune":
                    self._retune(step.clause, step.key)

    def _add(self, clause: Clause) -> None:
        self.result.removed.pop(clause.key, None)
        known = self.result.clauses.setdefault(clause.key, clause)
        if known is not clause:
            code = "N002" if known.span.path == clause.span.path else "N005"
            first = ((known.span, "first"),)
            self._fault(code, clause.span, related=first, name=clause.path, path=clause.path)

    def _replace(self, new: Clause) -> None:
        old = self._target(new.key, new.span)
        if old is None or not self._touch(new.key, "replace", new):
            return
        if new.kind == "meld_change":
            new = _changed_meld(old, new)
        if same_words(old.tree, new.tree) and _same_children(old, new):
            self._fault("N004", new.span, ((old.span, "base"),), path=new.path)
            return
        self.result.clauses[new.key] = new

    def _remove(self, clause: Clause, path: Key) -> None:
        if self._target(path, clause.span) is not None and self._touch(path, "remove", clause):
            del self.result.clauses[path]
            self.result.removed[path] = clause

    def _retune(self, clause: Clause, path: Key) -> None:
        old, new = (number_of(n) for n in trees(_delta_of(clause), "integer"))
        target = self._target(path, clause.span)
        if target is None or not self._touch(path, f"retune {old}", clause):
            return
        if old == new:
            self._fault("N004", clause.span, ((target.span, "base"),), path=".".join(path))
            return
        tree = _with_number(target.tree, old, new)
        if tree is None:
            found = sum(t.type == "NUMBER" and int(t) == abs(old) for t in all_tokens(target.tree))
            base = ((target.span, "base"),)
            self._fault("N016", clause.span, base, path=".".join(path), old=old, found=found)
            return
        text = f"{target.text}（{old} → {new}）"
        cites = (*target.cites, *(c for c in clause.cites if c not in target.cites))
        self.result.clauses[path] = replace(target, tree=tree, text=text, cites=cites, span=clause.span)

    def _target(self, path: Key, span: Span) -> Clause | None:
        found = self.result.clauses.get(path)
        if found is None:
            self.result.faults.append(Diagnostic("N003", span, self._missing(path)))
        return found

    def _missing(self, path: Key) -> dict[str, object]:
        """The values of N003: the nearest clause of the same section, or those that the section has."""
        above = path if any(k[: len(path)] == path for k in self.result.clauses) else path[:-1]
        beside = [k for k in self.result.clauses if k[: len(above)] == above]
        near = closest(path[-1], [k[-1] for k in beside if k[:-1] == path[:-1]])
        values: dict[str, object] = {"path": ".".join(path)}
        if near is not None:
            values["suggestion"] = ".".join([*path[:-1], near])
        elif above and 0 < len(beside) <= LISTED:
            names = [".".join(k[len(above) :]) for k in beside]
            section = ".".join(above)
            zh, en = "、".join(names), ", ".join(names)
            values["help"] = (f"`{section}` 里有：{zh}", f"`{section}` has: {en}")
        return values

    def _touch(self, path: Key, how: str, clause: Clause) -> bool:
        before = self.touched.get(path)
        self.touched[path] = (how, clause)
        if before is None:
            return True
        both_retune = how.startswith("retune") and before[0].startswith("retune") and how != before[0]
        if not both_retune:
            self._fault("N013", clause.span, related=((before[1].span, "change"),), path=".".join(path))
        return both_retune

    def _fault(
        self, code: str, span: Span, related: tuple[tuple[Span, str], ...] = (), **values: object
    ) -> None:
        self.result.faults.append(Diagnostic(code, span, values, related))


def _placed(clause: Clause, delta: Node) -> Clause:
    """The clause that `改 节.子句` or `加 节.子句` carries, under its full key."""
    placed = trees(delta)[0]
    kind = str(placed.data)
    if kind in ("placed_parameter", "placed_waive"):
        own = kind.removeprefix("placed_")
        return replace(clause, kind=own, key=key_of(own, placed, ()), tree=placed)
    inner = trees(placed)[-1]
    section = kind.removeprefix("placed_")
    above = key_of("price", placed, ()) if section == "price" else key_of(section, placed, ())
    return replace(clause, kind=str(inner.data), key=key_of(str(inner.data), inner, above), tree=inner)


def touched(clause: Clause) -> Key:
    """The key of the clause that a delta speaks of; of any other clause its own."""
    delta = _delta_of(clause)
    if delta.data in ("remove", "retune"):
        return written_path(trees(delta, "path")[0])
    return _placed(clause, delta).key if delta.data in ("add", "replace") else clause.key


def split_row(clause: Clause) -> list[Clause]:
    """A price row that names several melds is one clause for each of them."""
    if clause.kind != "row":
        return [clause]
    table = clause.key[:2]
    names, over = _row_names(clause.tree)
    rest = [n for n in clause.tree.children if not (isinstance(n, Tree) and n.data == "meld_name")]
    result = []
    for name in names:
        tree = Frozen("row", [name, *rest, *over])
        key = (*table, *names_of(name))
        result.append(replace(clause, key=key, tree=tree))
    return result


def _row_names(row: Node) -> tuple[list[Node], list[Node]]:
    """The meld names before the cells, and those after 代."""
    names: list[Node] = []
    over: list[Node] = []
    seen_cell = False
    for item in trees(row):
        if item.data == "meld_name":
            (over if seen_cell else names).append(item)
        else:
            seen_cell = True
    return names, over


def _changed_meld(old: Clause, change: Clause) -> Clause:
    """`old` with the attributes that `change` gives; pattern, origins and variants stay."""
    given = {str(n.data) for n in trees(change.tree) if str(n.data).startswith("meld_")} - {"meld_name"}
    kept = [n for n in old.tree.children if not (isinstance(n, Tree) and str(n.data) in given)]
    new = [n for n in trees(change.tree) if str(n.data) in given]
    tree = Node("meld", [*kept, *new])
    cites = (*old.cites, *(c for c in change.cites if c not in old.cites))
    return replace(old, tree=tree, cites=cites, span=change.span, text=f"{old.text}（{change.text}）")


def _with_number(tree: Node, old: int, new: int) -> Node | None:
    """`tree` with its only number `old` made `new`, or None when there is not exactly one."""
    hits = [t for t in all_tokens(tree) if t.type == "NUMBER" and int(t) == abs(old)]
    if len(hits) != 1 or new < 0:
        return None

    def copy(node: Node) -> Node:
        items: list[Token | Node] = []
        for item in node.children:
            if isinstance(item, Token):
                items.append(item.update(value=str(new)) if item is hits[0] else item)
            else:
                items.append(copy(item))
        return Frozen(node.data, items)

    return copy(tree)


def same_words(left: Node, right: Node) -> bool:
    """Do two trees say the same, citations aside?"""
    return _words(left) == _words(right)


def _words(tree: Node) -> list[str]:
    skipped = {id(t) for sub in tree.iter_subtrees() if sub.data == "cites" for t in tokens(sub)}
    return [f"{t.type}:{t}" for t in all_tokens(tree) if id(t) not in skipped]


def _same_children(left: Clause, right: Clause) -> bool:
    return [_words(c.tree) for c in left.children] == [_words(c.tree) for c in right.children]
