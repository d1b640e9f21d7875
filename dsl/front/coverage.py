"""Which ids of its sources a ruleset speaks of, which it leaves out with a reason, and which are open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..text.diagnostics import Diagnostic
from ..text.source import Span, real_path, shown_path
from .citations import READING, left_out, reason_of, sources_table, walked
from .syntax import Clause, Ruleset, name_of, names_of, string_of, tokens, trees

NAMED = ("example", "claim", "printed", "reading")
"""Clauses whose own id may be that of a fact."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of a sources table."""

    id: str
    gist: str
    status: str
    path: str
    """The table's file."""

    @property
    def prefix(self) -> str:
        return self.id.rpartition("-")[0]

    @property
    def readings(self) -> tuple[str, ...]:
        """R1, R2 … that the gist lists besides the default, which is what a clause that cites it says."""
        found = READING.findall(self.gist)
        return tuple(name for name, text in found if "默认" not in text) if len(found) > 1 else ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An id that an `未建模` names, and why."""

    id: str
    reason: str
    span: Span


@dataclass(slots=True)
class Coverage:
    """What one ruleset (with its bases) or several together make of their sources."""

    facts: dict[str, Fact] = field(default_factory=dict)
    cited: dict[str, Clause] = field(default_factory=dict)
    """Ids that something cites, with the first that does."""
    left: dict[str, LeftOut] = field(default_factory=dict)
    """Ids that nothing cites and that are left out with a reason."""
    read: dict[str, frozenset[str]] = field(default_factory=dict)
    """For each id the readings of it that can be chosen or are left out with a reason."""

    @property
    def open(self) -> list[Fact]:
        """Facts that are neither cited nor left out, in the order of the tables."""
        return [f for f in self.facts.values() if f.id not in self.cited and f.id not in self.left]

    @property
    def unread(self) -> list[tuple[Fact, tuple[str, ...]]]:
        """Facts that are cited, with those of their readings that can neither be chosen nor are left out."""
        found = []
        for fact in (f for f in self.facts.values() if f.id in self.cited):
            missing = tuple(r for r in fact.readings if r not in self.read.get(fact.id, frozenset()))
            found += [(fact, missing)] if missing else []
        return found

    @property
    def tables(self) -> list[str]:
        """Files of the tables."""
        return list(dict.fromkeys(fact.path for fact in self.facts.values()))

    def counts(self) -> dict[str, tuple[int, int, int, int]]:
        """For each prefix the number of ids, of cited ones, of those left out, of open ones."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts.values():
            found.setdefault(fact.prefix, []).append(fact)
        return {prefix: self._count(facts) for prefix, facts in found.items()}

    def total(self) -> tuple[int, int, int, int]:
        """The same numbers over all prefixes."""
        return self._count(list(self.facts.values()))

    def _count(self, facts: list[Fact]) -> tuple[int, int, int, int]:
        cited = sum(fact.id in self.cited for fact in facts)
        left = sum(fact.id in self.left for fact in facts)
        return len(facts), cited, left, len(facts) - cited - left

    def reasons(self) -> dict[str, list[str]]:
        """Each reason with the ids that are left out for it."""
        found: dict[str, list[str]] = {}
        for fact in self.facts.values():
            if fact.id in self.left:
                found.setdefault(self.left[fact.id].reason, []).append(fact.id)
        return found


def coverage_of(chain: Sequence[Ruleset]) -> Coverage:
    """The coverage of a ruleset that is given with its bases, bases first."""
    found = Coverage()
    for fact in _facts(chain):
        found.facts.setdefault(fact.id, fact)
    for ruleset in chain:
        for cite, clause in cites_of(ruleset, found.facts):
            found.cited.setdefault(cite, clause)
        for id, names in _read(ruleset):
            found.read[id] = found.read.get(id, frozenset()) | names
    for one in (one for ruleset in chain for one in _left_out(ruleset, found.facts)):
        if one.id not in found.cited:
            found.left[one.id] = one
    return found


def together(parts: Sequence[Coverage]) -> Coverage:
    """Several rulesets as one: an id is cited when one of them cites it, else left out when one says why."""
    whole = Coverage()
    for part in parts:
        whole.facts = {**part.facts, **whole.facts}
        whole.cited = {**part.cited, **whole.cited}
        for id, names in part.read.items():
            whole.read[id] = whole.read.get(id, frozenset()) | names
    for part in parts:
        whole.left |= {k: v for k, v in part.left.items() if k not in whole.cited and k not in whole.left}
    return whole


def stale(chain: Sequence[Ruleset]) -> Iterator[Diagnostic]:
    """W005 for each id that a ruleset leaves out although it, or a base of it, cites it."""
    facts = {fact.id: fact for fact in _facts(chain)}
    cited: dict[str, Clause] = {}
    for ruleset in chain:
        for cite, clause in cites_of(ruleset, facts):
            cited.setdefault(cite, clause)
        for one in _left_out(ruleset, facts):
            if one.id in cited:
                yield Diagnostic("W005", one.span, {"id": one.id}, ((cited[one.id].span, "used"),))


def cites_of(ruleset: Ruleset, known: Mapping[str, object]) -> Iterator[tuple[str, Clause]]:
    """Every id that a clause of the ruleset cites, or bears itself as an example, statement or reading does.

    `WE-14b` and `C-01a` are parts of `WE-14` and `C-01` where the table has only those.
    """
    for clause in walked(ruleset.clauses):
        for cite in clause.cites:
            yield cite, clause
        if clause.kind in NAMED:
            name = name_of(trees(clause.tree, "id")[0])
            bare = re.sub(r"[a-z]$", "", name)
            yield from ((cite, clause) for cite in (name, bare) if cite in known)


def _facts(chain: Sequence[Ruleset]) -> Iterator[Fact]:
    for ruleset in chain:
        for clause in ruleset.clauses:
            if clause.kind == "sources":
                path = real_path(ruleset.path).parent / string_of(clause.tree)
                yield from _rows(path)


def _rows(path: Path) -> Iterator[Fact]:
    for id, (gist, status) in (sources_table(path) or {}).items():
        yield Fact(id, gist, status, shown_path(path))


def _left_out(ruleset: Ruleset, known: Mapping[str, object]) -> Iterator[LeftOut]:
    for clause in ruleset.clauses:
        if clause.kind == "unmodelled":
            yield from (LeftOut(id, reason_of(clause), span) for id, span in left_out(clause, known))


def _read(ruleset: Ruleset) -> Iterator[tuple[str, frozenset[str]]]:
    """The readings that can be chosen, and those that an `未建模` names, by the id of their fact."""
    for clause in ruleset.clauses:
        if clause.kind == "reading":
            values = (names_of(value.tree, "name")[0] for value in clause.children)
            yield name_of(trees(clause.tree, "id")[0]), frozenset(values)
        elif clause.kind == "unmodelled":
            for node in trees(clause.tree, "readings"):
                yield str(tokens(node, "FACT")[0]), frozenset(names_of(node, "name"))


def compressed(ids: Sequence[str], known: Sequence[str]) -> list[str]:
    """Ids with runs of three or more that stand together in `known` written as `SDR-20 … SDR-29`."""
    place = {id: i for i, id in enumerate(known)}
    runs: list[list[str]] = []
    for id in ids:
        joins = runs and place[id] == place[runs[-1][-1]] + 1
        if joins and id.rpartition("-")[0] == runs[-1][-1].rpartition("-")[0]:
            runs[-1].append(id)
        else:
            runs.append([id])
    return [part for run in runs for part in ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else run)]
