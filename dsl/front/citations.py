"""依 and 未建模: every id must stand in a table of sources, and what is left out needs a reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lark import Token

from ..text.diagnostics import Diagnostic
from ..text.source import Span, real_path
from ..text.spelling import closest
from .assemble import Assembled
from .lex import span_of
from .syntax import Clause, Ruleset, names_of, span_of_node, string_of, tokens, trees

ROW = re.compile(
    r"^\|\s*([A-Z][A-Z0-9]*-[A-Z]?\d+[a-z]?′?)\s*\|\s*(.*?)\s*\|\s*(.*?)\s*\|?\s*$", re.MULTILINE
)

READING = re.compile(r"[：；]\s*(R\d+)\s([^；]*)")
"""How a table lists the readings of a fact: `…：R1 …（默认）；R2 …`."""


def sources_table(path: Path) -> dict[str, tuple[str, str]] | None:
    """Rows of a SOURCES file: id to (gist, status); None when the file is missing."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return None
    return _rows(text)


@lru_cache(maxsize=64)
def _rows(text: str) -> dict[str, tuple[str, str]]:
    return {m[1]: (m[2], m[3]) for m in ROW.finditer(text)}


def check_citations(assembled: Assembled) -> list[Diagnostic]:
    """N018 for a missing table, N012 for an id no table has, W002 for cites without any table; and what is
    wrong with `未建模`."""
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
        if clause.kind != "unmodelled":
            faults += _not_listed(clause, known)
    faults += _check_unmodelled(assembled.chain, known)
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
    """The ids a clause names, as a table writes them, and where each stands."""
    for node in clause.tree.find_pred(lambda n: n.data in ("cites", "facts", "readings")):
        for token in tokens(node, "FACT"):
            yield _as_listed(token), span_of(clause.span.path, token)


def _as_listed(token: Token) -> str:
    return str(token.value).replace("'", "′")


def _not_listed(clause: Clause, known: Mapping[str, object]) -> Iterator[Diagnostic]:
    """N012 for each id that a clause names and no table has, where there is a table."""
    for cite, span in _cited(clause):
        if known and cite not in known:
            yield Diagnostic("N012", span, {"id": cite, "suggestion": closest(cite, known)})


# ---------------------------------------------------------------- 未建模


def left_out(clause: Clause, known: Iterable[str]) -> Iterator[tuple[str, Span]]:
    """The ids an `未建模` names and where; `甲 至 乙` are those of the table `known` between the two."""
    listed = list(known)
    for node in trees(clause.tree, "facts"):
        span = span_of_node(clause.span.path, node)
        ends = [_as_listed(token) for token in tokens(node, "FACT")]
        yield from ((cite, span) for cite in _between(ends, listed))


def _between(ends: list[str], listed: list[str]) -> list[str]:
    """The listed ids of one prefix whose numbers lie between the ends; a single id as it is."""
    if len(ends) == 1:
        return ends
    (prefix, first), (other, last) = (_number(end) for end in ends)
    if prefix != other:
        return []
    return [cite for cite in listed if _number(cite)[0] == prefix and first <= _number(cite)[1] <= last]


def _number(cite: str) -> tuple[str, int]:
    prefix, _, rest = cite.rpartition("-")
    digits = re.match(r"\d+", rest)
    return prefix, int(digits[0]) if digits else 0


def reason_of(clause: Clause) -> str:
    """Why an `未建模` leaves its ids out, white space folded."""
    return " ".join(string_of(clause.tree).split())


def _check_unmodelled(chain: Iterable[Ruleset], known: Mapping[str, tuple[str, str]]) -> Iterator[Diagnostic]:
    """N012 for an id no table has, N025 for a range that holds nothing, N026 for no reason, N024 for ids that
    the same ruleset has put down before."""
    for ruleset in chain:
        seen: dict[str, Span] = {}
        for clause in (c for c in ruleset.clauses if c.kind == "unmodelled"):
            if not re.search(r"\w", reason_of(clause)):  # `「……」` says nothing yet
                yield Diagnostic("N026", clause.span)
            faults = [*_check_ends(clause, known), *_check_readings(clause, known)]
            yield from faults or _again(clause, known, seen)


def _check_ends(clause: Clause, known: Mapping[str, object]) -> Iterator[Diagnostic]:
    yield from _not_listed(clause, known)
    for node in trees(clause.tree, "facts"):
        ends = [_as_listed(token) for token in tokens(node, "FACT")]
        if known and set(ends) <= known.keys() and not _between(ends, list(known)):
            span = span_of_node(clause.span.path, node)
            yield Diagnostic("N025", span, {"first": ends[0], "last": ends[-1]})


def _check_readings(clause: Clause, known: Mapping[str, tuple[str, str]]) -> Iterator[Diagnostic]:
    """N012 for each reading of a listed id that its row does not list."""
    for node in trees(clause.tree, "readings"):
        cite = _as_listed(tokens(node, "FACT")[0])
        listed = [name for name, _ in READING.findall(known.get(cite, ("", ""))[0])]
        for name in names_of(node, "name") if cite in known else []:
            if name not in listed:
                values = {"id": f"{cite} {name}", "suggestion": closest(name, listed)}
                yield Diagnostic("N012", span_of_node(clause.span.path, node), values)


def _again(clause: Clause, known: Iterable[str], seen: dict[str, Span]) -> Iterator[Diagnostic]:
    """One fault for each place that repeats ids; `seen` grows."""
    repeated: dict[Span, list[str]] = {}
    for cite, span in left_out(clause, known):
        if cite in seen:
            repeated.setdefault(span, []).append(cite)
        seen.setdefault(cite, span)
    for span, cites in repeated.items():
        yield Diagnostic("N024", span, {"ids": cites}, ((seen[cites[0]], "first"),))
