"""One shape for everything that is said to an author: a code, a place, and the values of its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .codes import CODES, LABELS, SEVERITIES, Lang, Severity, fields
from .display import visible
from .source import Source, Span
from .values import in_language, shown

__all__ = ["Diagnostic", "Lang", "Severity", "SpecError", "headline", "one_line", "ordered", "place"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding of the front end or of the hand reader.

    `values` fill the templates of `codes.CODES[code]`. A 2-tuple `(zh, en)` of texts is picked by
    language, a list is joined, None counts as absent. The value `help` replaces the table's help.
    `related` holds second places, each with a key of `codes.LABELS` or plain text.
    """

    code: str
    span: Span
    values: Mapping[str, object] = field(default_factory=dict, hash=False)
    related: tuple[tuple[Span, str], ...] = ()

    @property
    def severity(self) -> Severity:
        """How grave it is; the code alone decides."""
        return CODES[self.code].severity

    def message(self, lang: Lang) -> str:
        """The sentence in `lang`."""
        return CODES[self.code].sentence(lang).format_map(shown(self.values, lang))

    def help(self, lang: Lang) -> str | None:
        """The advice in `lang`; None when there is none or one of its values is absent."""
        own = self.values.get("help")
        if own is not None:
            return "\n".join(map(visible, in_language(own, lang).split("\n")))
        template, values = CODES[self.code].advice(lang), shown(self.values, lang)
        complete = template is not None and fields(template) <= values.keys()
        return template.format_map(values) if template is not None and complete else None

    def labels(self, lang: Lang) -> tuple[tuple[Span, str], ...]:
        """The second places with their labels in `lang`."""
        return tuple((span, visible(in_language(LABELS.get(key, key), lang))) for span, key in self.related)


class SpecError(Exception):
    """A spec that does not load. Its text has one line per diagnostic, in `lang`."""

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], lang: Lang = "en"
    ) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        self.sources: Mapping[str, Source] = sources
        self.lang: Lang = lang
        super().__init__(self.diagnostics, sources, lang)

    def __str__(self) -> str:
        return "\n".join(one_line(diagnostic, self.lang) for diagnostic in ordered(self.diagnostics))


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by path, line, column and code; what says the same of the same place appears once."""
    unique: dict[tuple[str, int, int, str, Span, str], Diagnostic] = {}
    for d in diagnostics:
        key = (d.span.path, d.span.line, d.span.column, d.code, d.span, d.message("en"))
        unique.setdefault(key, d)
    return [unique[key] for key in sorted(unique)]


def headline(diagnostic: Diagnostic, lang: Lang) -> str:
    """`error[P001]: unexpected …`, without the place."""
    colon = "：" if lang == "zh" else ": "
    severity = in_language(SEVERITIES[diagnostic.severity], lang)
    return f"{severity}[{diagnostic.code}]{colon}{diagnostic.message(lang)}"


def one_line(diagnostic: Diagnostic, lang: Lang) -> str:
    """`path:line:column: ` and the headline."""
    where = place(diagnostic.span)
    return f"{where}: {headline(diagnostic, lang)}" if where else headline(diagnostic, lang)


def place(span: Span) -> str:
    """`path:line:column`, the path alone when there is no line, empty for nowhere."""
    path = visible(span.path)
    return f"{path}:{span.line}:{span.column}" if path and span.line else path
