"""Diagnostics for other programs."""

from __future__ import annotations

from .codes import Lang
from .diagnostics import Diagnostic


def to_json(diagnostic: Diagnostic, lang: Lang) -> dict[str, object]:
    """One diagnostic as JSON. Lines and columns count from 1, columns in characters; null without a place."""
    span = diagnostic.span
    placed = bool(span.path and span.line)
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message(lang),
        "help": diagnostic.help(lang),
        "file": span.path or None,
        "line": span.line if placed else None,
        "column": span.column if placed else None,
        "end_line": span.end_line if placed else None,
        "end_column": span.end_column if placed else None,
    }
