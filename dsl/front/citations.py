"""依: every cited id must stand in a table of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ..text.diagnostics import Diagnostic
from ..text.source import Span, real_path
from ..text.spelling import closest
from .assemble import Assembled
from .lex import span_of
from .syntax import Clause, string_of, tokens

ROW = re.compile(r"^\|\s*([A-Z][A-Z0-9]*-\d+[a-z]?′?)\s*\|\s*(.*?)\s*\|\s*(.*?)\s*\|?\s*$", re.MULTILINE)


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
        table = sources_table(real_path(ruleset.path).parent / name)
        if table is None:
            faults.append(Diagnostic("N018", clause.span, {"path": name}))
        else:
            known |= table
    if faults:
        return faults
    for clause in walked(c for ruleset in assembled.chain for c in ruleset.clauses):
        for cite, span in _cited(clause):
            if known and cite not in known:
                faults.append(Diagnostic("N012", span, {"id": cite, "suggestion": closest(cite, known)}))
    if not assembled.sources and not assembled.ruleset.template:
        own = next((span for c in walked(assembled.ruleset.clauses) for _, span in _cited(c)), None)
        if own is not None:
            faults.append(Diagnostic("W002", own))
    return faults


def walked(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Every clause that may cite: those in force, examples, statements, and readings not chosen."""
    for clause in clauses:
        yield clause
        yield from walked(clause.children)


def _cited(clause: Clause) -> Iterator[tuple[str, Span]]:
    """The ids a clause cites, as a table writes them, and where each stands."""
    for node in clause.tree.find_data("cites"):
        for token in tokens(node, "FACT"):
            yield str(token.value).replace("'", "′"), span_of(clause.span.path, token)
