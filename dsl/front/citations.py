"""依: every cited id must stand in a table of sources."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ..text.diagnostics import Diagnostic
from ..text.spelling import closest
from .assemble import Assembled
from .syntax import Clause, string_of

ROW = re.compile(r"^\|\s*([A-Z]+-\d+[a-z]?′?)\s*\|\s*(.*?)\s*\|\s*(.*?)\s*\|?\s*$", re.MULTILINE)


@cache
def sources_table(path: Path) -> dict[str, tuple[str, str]] | None:
    """Rows of a SOURCES file: id to (gist, status); None when the file is missing."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return None
    return {m[1]: (m[2], m[3]) for m in ROW.finditer(text)}


def check_citations(assembled: Assembled) -> list[Diagnostic]:
    """N018 for a missing table, N012 for an id no table has, W002 for cites without any table."""
    known: dict[str, tuple[str, str]] = {}
    faults: list[Diagnostic] = []
    for ruleset, clause in assembled.sources:
        name = string_of(clause.tree)
        table = sources_table(Path(ruleset.path).parent / name)
        if table is None:
            faults.append(Diagnostic("N018", clause.span, {"path": name}))
        else:
            known |= table
    if faults:
        return faults
    for clause in _citing(assembled):
        for cite in clause.cites:
            if known and cite not in known:
                values = {"id": cite, "suggestion": closest(cite, known)}
                faults.append(Diagnostic("N012", clause.span, values))
    if not assembled.sources:
        first = next((c for c in _citing(assembled) if c.cites), None)
        if first is not None:
            faults.append(Diagnostic("W002", first.span))
    return faults


def _citing(assembled: Assembled) -> list[Clause]:
    """Every clause that may cite: those in force, examples, statements, and readings not chosen."""
    found: list[Clause] = []

    def walk(clauses: tuple[Clause, ...]) -> None:
        for clause in clauses:
            found.append(clause)
            walk(clause.children)

    for ruleset in assembled.chain:
        walk(ruleset.clauses)
    return found
