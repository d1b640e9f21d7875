"""Diagnostics as plain text: the sentence, the place, the author's line with a caret, the advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .codes import SEVERITIES, Lang
from .diagnostics import Diagnostic, headline, ordered, place
from .display import cell, display_width, visible
from .source import Source, Span

__all__ = ["LIMIT", "display_width", "render", "render_all", "summary"]

LIMIT = 160
"""Columns of a source line that are shown; a longer line is cut around the caret."""

CUT = "..."  # not `…`, which some Chinese terminals draw two columns wide


@dataclass(frozen=True, slots=True)
class _Mark:
    """A stretch to point at, and how."""

    span: Span
    arrow: str
    stroke: str
    label: str


def render(diagnostic: Diagnostic, sources: Mapping[str, Source], lang: Lang) -> str:
    """One diagnostic with the source around it; several lines, no newline at the end."""
    marks = [_Mark(diagnostic.span, "-->", "^", "")]
    marks += [_Mark(span, ":::", "-", label) for span, label in diagnostic.labels(lang)]
    gutter = max(len(str(mark.span.line)) for mark in marks)
    lines = [headline(diagnostic, lang)]
    for mark in marks:
        lines += _excerpt(mark, sources.get(mark.span.path), gutter)
    return "\n".join(lines + _help(diagnostic, lang))


def render_all(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], lang: Lang) -> str:
    """All of them in order, each once, and a summary line; empty when there are none."""
    found = ordered(diagnostics)
    if not found:
        return ""
    return "\n\n".join([*(render(diagnostic, sources, lang) for diagnostic in found), summary(found, lang)])


def summary(diagnostics: Iterable[Diagnostic], lang: Lang) -> str:
    """`3 errors, 1 warning`; empty when there are none."""
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    found = [(counts[severity], names) for severity, names in SEVERITIES.items() if counts[severity]]
    if lang == "zh":
        return "，".join(f"{count} 个{zh}" for count, (zh, _) in found)
    return ", ".join(f"{count} {en}{'s' if count > 1 else ''}" for count, (_, en) in found)


def _help(diagnostic: Diagnostic, lang: Lang) -> list[str]:
    text = diagnostic.help(lang)
    if text is None:
        return []
    head = "帮助：" if lang == "zh" else "help: "
    return [head + text.replace("\n", "\n" + " " * display_width(head))]


def _excerpt(mark: _Mark, source: Source | None, gutter: int) -> list[str]:
    """Where the mark is, and the first of its lines when the source is at hand."""
    pad = " " * gutter
    where = f"{pad}{mark.arrow} {place(mark.span)}"
    if not mark.span.path:
        return [f"{pad} = {mark.label}"] if mark.label else []
    if source is None or not mark.span.line or not source.text.strip():
        return [f"{where}  {mark.label}".rstrip()]
    text, strokes = _underlined(source.line(mark.span.line), mark)
    return [
        where,
        f"{pad} |",
        f"{mark.span.line:>{gutter}} | {text}".rstrip(),
        f"{pad} | {strokes} {mark.label}".rstrip(),
    ]


def _underlined(line: str, mark: _Mark) -> tuple[str, str]:
    """The line as shown, and the strokes that stand under the marked part of it."""
    start, end = _marked(line, mark.span)
    low, high = _window(line, start)
    head, tail = CUT if low else "", CUT if high < len(line) else ""
    before = display_width(head + visible(line[low:start]))
    width = display_width(visible(line[start : min(end, high)]))
    return head + visible(line[low:high]) + tail, " " * before + mark.stroke * max(1, width)


def _marked(line: str, span: Span) -> tuple[int, int]:
    """The span as positions in its first line, from 0; a combining character brings its base along."""
    start = min(max(span.column - 1, 0), len(line))
    while 0 < start < len(line) and not _width(line[start]):
        start -= 1
    end = span.end_column - 1 if span.end_line <= span.line else len(line.rstrip())
    return start, min(max(end, start), len(line))


def _window(line: str, start: int) -> tuple[int, int]:
    """The part of `line` to show: all of it, or as much around `start` as fits between two cuts."""
    if _right(line, 0, LIMIT) == len(line):
        return 0, len(line)
    room = LIMIT - 2 * len(CUT)
    high = _right(line, _left(line, start, room // 4), room)
    return _left(line, high, room), high


def _left(line: str, at: int, room: int) -> int:
    """The furthest position before `at` from which `room` columns reach it."""
    while at > 0 and (room := room - _width(line[at - 1])) >= 0:
        at -= 1
    return at


def _right(line: str, at: int, room: int) -> int:
    """The furthest position that `room` columns from `at` reach."""
    while at < len(line) and (room := room - _width(line[at])) >= 0:
        at += 1
    return at


def _width(char: str) -> int:
    return display_width(cell(char))
