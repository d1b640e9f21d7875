"""A ruleset with one clause left out or changed a little: what its own tests ought to notice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile

from ..core.model import Rule
from ..text.diagnostics import Diagnostic
from ..text.source import NOWHERE, Source
from .assemble import touched
from .chosen import Choices, active, choices_of
from .edits import Edit, Kind, edits
from .lex import lex
from .load import Library, chain_of, ruleset_named
from .parse import INSIDE, parse_clause
from .playing import of_play
from .structure import RawClause, structure
from .syntax import Clause, Node, Ruleset, name_of, trees, words_of

UNTOUCHED = frozenset(
    {
        *("sources", "option", "reading", "forbid", "parameter", "when"),
        *("example", "claim", "printed", "unmodelled", "waive", "flow"),
    }
)
"""Clauses that say how a game may be chosen, what is expected of it, whence it is, or how it is played."""


@dataclass(frozen=True, slots=True)
class Place:
    """A clause of a ruleset that may be damaged: the way to it, and what it takes to read it again."""

    ruleset: Ruleset
    steps: tuple[int, ...]
    """Position in the ruleset's clauses, then in that clause's children, and so on."""
    clause: Clause
    start: int
    end: int
    """Offsets of the clause in the source, braces included."""
    block: str
    above: tuple[str, ...]
    when: Node | None
    """The `若` it stands in."""


@dataclass(frozen=True, slots=True)
class Damage:
    """One change of one clause."""

    rule: Rule
    """The clause; one inside a `若` has the condition before its name."""
    kind: Kind
    before: str
    after: str
    """The words taken out and those put in their place."""
    text: str
    """The clause as damaged; empty when it is left out."""
    options: Mapping[str, str]
    """A choice under which the clause is in force: that of the game if it can be."""
    place: Place
    edit: Edit

    def in_force(self, options: Mapping[str, str]) -> bool:
        """Is the clause there at all under this full choice?"""
        return self.place.when is None or active(self.place.when, options)

    @property
    def words(self) -> tuple[str, str]:
        """What was done, in Chinese and in English."""
        if not self.text:
            return "去掉整条", "left out"
        if not self.after:
            return f"去掉 `{self.before}`", f"`{self.before}` left out"
        changed = f"`{self.before}` → `{self.after}`"
        return changed, changed


def damages(
    path: str, name: str, library: Library, options: Mapping[str, str], bases: bool = False
) -> list[Damage]:
    """Every damage of a ruleset that has been read, in text order.

    With `bases` those of the templates follow that it stands on, nearest first: they have no tests but those
    of the games made from them. A base that is a game has its own.

    `options` is the full choice under which the game was loaded. Whether a damaged ruleset still loads is
    only known when it is loaded.
    """
    ruleset = ruleset_named(path, name, library)
    assert ruleset is not None
    chain, _ = chain_of(ruleset, library)
    choices, _ = choices_of(chain)
    above = takewhile(lambda level: level.template, reversed(chain[:-1])) if bases else ()
    return [
        damage
        for level in (ruleset, *above)
        for place in places(level, library.sources[level.path])
        if (chosen := _in_force(place.when, choices, options)) is not None
        for damage in _of(place, library.sources[level.path], chosen)
    ]


def damaged(damage: Damage, library: Library) -> Library | None:
    """The files as read, but for the one clause; None when the damaged clause is no clause any more."""
    place = damage.place
    path, source = place.ruleset.path, library.sources[place.ruleset.path]
    clause = _read(place, source, damage.edit) if damage.text else None
    if damage.text and clause is None:
        return None
    new = replace(place.ruleset, clauses=_with(place.ruleset.clauses, place.steps, clause))
    rulesets = tuple(new if r == place.ruleset else r for r in library.rulesets[path])
    return library.with_rulesets(path, rulesets)


# ---------------------------------------------------------------- clauses


def places(ruleset: Ruleset, source: Source) -> list[Place]:
    """The clauses of a ruleset that may be damaged, in order. Its file has no faults of form."""
    block, _ = structure(source.path, lex(source)[0])
    starts = {raw.head[0].line: raw for raw in block.clauses if raw.head}
    body = starts[ruleset.span.line].body
    assert body is not None
    return list(_Walk(ruleset).block(ruleset.clauses, body.clauses, "ruleset", (), (), None))


@dataclass(frozen=True, slots=True)
class _Walk:
    ruleset: Ruleset

    def block(
        self,
        clauses: Sequence[Clause],
        raws: Sequence[RawClause],
        block: str,
        above: tuple[str, ...],
        steps: tuple[int, ...],
        when: Node | None,
    ) -> Iterator[Place]:
        for i, (clause, raw) in enumerate(zip(clauses, raws, strict=True)):
            way = (*steps, i)
            section = clause.kind in INSIDE and clause.kind != "meld"
            if not section and clause.kind not in UNTOUCHED and not of_play(clause):
                yield Place(self.ruleset, way, clause, *_stretch(raw), block, above, when)
            if raw.body is not None and clause.kind not in UNTOUCHED - {"when"}:
                inside = INSIDE.get(clause.kind, "variant")
                under = clause.tree if clause.kind == "when" else when
                yield from self.block(clause.children, raw.body.clauses, inside, clause.key, way, under)


def _stretch(raw: RawClause) -> tuple[int, int]:
    last = raw.tail[-1] if raw.tail else raw.body.closed if raw.body is not None else raw.head[-1]
    return raw.head[0].start_pos or 0, (last.end_pos or 0) if last is not None else 0


def _with(clauses: tuple[Clause, ...], steps: tuple[int, ...], new: Clause | None) -> tuple[Clause, ...]:
    """The clauses with the one at the end of the way changed or left out."""
    at, *further = steps
    if further:
        new = replace(clauses[at], children=_with(clauses[at].children, tuple(further), new))
    return (*clauses[:at], *(() if new is None else (new,)), *clauses[at + 1 :])


# ---------------------------------------------------------------- their damages


def _of(place: Place, source: Source, options: Mapping[str, str]) -> Iterator[Damage]:
    """The clause left out, then every change of its words that leaves it a clause."""
    rule = _rule(place)
    whole = source.text[place.start : place.end]
    yield Damage(rule, "drop", whole, "", "", options, place, Edit(place.start, place.end, "", "drop"))
    for edit in edits(place.clause.tree, source.text):
        clause = _read(place, source, edit)
        if clause is not None:
            before = source.text[edit.start : edit.end].strip()
            yield Damage(rule, edit.kind, before, edit.text, clause.text, options, place, edit)


def _read(place: Place, source: Source, edit: Edit) -> Clause | None:
    """The clause with changed words, read where it stands: its lines stay what they are."""
    head = source.text[place.start : edit.start] + edit.text
    text = head + source.text[edit.end : place.end]
    at = place.clause.span
    moved = Source(source.path, "\n" * (at.line - 1) + " " * (at.column - 1) + text)
    return parse_clause(moved, place.block, place.above)


def _rule(place: Place) -> Rule:
    clause = place.clause
    name = ".".join(touched(clause))
    if clause.kind == "variant":
        name = clause.path
    if place.when is not None:
        name = f"若 {words_of(trees(place.when, 'chosen')[0])}：{name}"
    return Rule(name, clause.text, clause.cites, clause.span)


# ---------------------------------------------------------------- the choice under which they tell


def _in_force(when: Node | None, choices: Choices, options: Mapping[str, str]) -> Mapping[str, str] | None:
    """The choice nearest to `options` under which a `若` holds; None when no legal one does."""
    if when is None or active(when, options):
        return options
    pairs = [node for node in when.iter_subtrees() if node.data in ("chosen_is", "chosen_is_not")]
    named = [choices.by_name[n] for n in dict.fromkeys(name_of(trees(pair)[0]) for pair in pairs)]
    found = []
    for values in product(*(choice.allowed for choice in named)):
        chosen = {**options, **{choice.name: value for choice, value in zip(named, values, strict=True)}}
        if active(when, chosen) and not _forbidden(choices, chosen):
            found.append(chosen)
    return min(found, key=lambda chosen: _distance(chosen, options), default=None)


def _distance(chosen: Mapping[str, str], options: Mapping[str, str]) -> int:
    return sum(options[name] != value for name, value in chosen.items())


def _forbidden(choices: Choices, chosen: Mapping[str, str]) -> bool:
    faults: list[Diagnostic] = []
    choices.complete(chosen, faults, NOWHERE)
    return any(fault.severity == "error" for fault in faults)
