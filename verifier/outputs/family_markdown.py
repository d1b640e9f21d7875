"""A family as Markdown: the matrix, then every finding with its hand."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.text.codes import SEVERITIES, Lang
from dsl.text.diagnostics import place

from ..family import Family
from ..family_words import legend, matrix
from ..findings import Finding, pick
from ..report import example_text
from .markdown import cell, heads, row


def markdown(family: Family, lang: Lang) -> str:
    """The whole comparison."""
    lines = [f"### {' ⇄ '.join(map(cell, family.labels))}", "", cell(legend(family, lang)), ""]
    lines += [*heads(["", *map(cell, family.labels)]), *_matrix(family)]
    for finding in family.findings():
        lines += ["", *_finding(family, finding, lang)]
    return "\n".join(lines) + "\n"


def _matrix(family: Family) -> Iterator[str]:
    for label, *signs in matrix(family):
        yield row([f"**{cell(label)}**", *(f"`{sign}`" for sign in signs)])


def _finding(family: Family, finding: Finding, lang: Lang) -> Iterator[str]:
    weight = pick(SEVERITIES[finding.severity], lang)
    yield f"**{weight} {finding.code}** {cell(pick(finding.sentence, lang))}"
    yield ""
    for rule in finding.rules:
        where = place(rule.span)
        yield f"- {cell(rule.name)}：{cell(rule.text)}" + (f" <sub>{cell(where)}</sub>" if where else "")
    if finding.example is not None:
        yield from ("", "```text", *example_text(finding.example, family.games[0].core, lang), "```")
    if finding.verdicts:
        yield ""
    yield from (f"- {cell(pick(verdict, lang))}" for verdict in finding.verdicts)
