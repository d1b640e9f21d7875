"""`paigui verify --across A B …`: the games of a family against one another."""

from __future__ import annotations

from collections.abc import Sequence

import dsl
from dsl.cli.command import Usage, complaint
from dsl.cli.common import Exit
from dsl.cli.progress import progress
from dsl.core.model import Game
from dsl.text.codes import Lang

from ..family import Family, across
from ..family_words import family_json, family_text
from ..kept import of_family
from .sending import json_text, keep, send

FORMS = ("text", "json", "markdown", "html")
"""Forms that a family can be written in."""


def compare(games: Sequence[Game], form: str, output: str | None, tests: str | None, lang: Lang) -> Exit:
    """Print the comparison; 1 when two games part on who wins or on a word, 4 when some pair stayed open."""
    _refuse(games, form)
    with progress(lang) as tick:
        family = across([dsl.Game(game) for game in games], tick)
    if output is not None or tests != "-":
        send(written(family, form, lang), output)
    keep(of_family(family, lang) if tests else (), tests, lang)
    if any(finding.severity != "info" for finding in family.findings()):
        return Exit.FINDINGS
    return Exit.UNKNOWN if family.unknown else Exit.OK


def _refuse(games: Sequence[Game], form: str) -> None:
    """A family needs two games, and has no form for single findings."""
    if form not in FORMS:
        known = "、".join(f"`{name}`" for name in FORMS), " or ".join(f"`{name}`" for name in FORMS)
        zh = f"`--across` 不能写成 `{form}`，只能取 {known[0]}"
        raise Usage(complaint(zh, f"`--across` cannot be written as `{form}`, only as {known[1]}"))
    if len(games) < 2:
        zh = "`--across` 要两套以上的规则，例如 `paigui verify --across 十符硬 '十符硬[人数=3]'`"
        en = "`--across` needs two games or more, such as `paigui verify --across 十符硬 '十符硬[人数=3]'`"
        raise Usage(complaint(zh, en))


def written(family: Family, form: str, lang: Lang) -> str:
    """The comparison in one of the forms of `--format`."""
    match form:
        case "json":
            return json_text(family_json(family, lang))
        case "markdown":
            from ..outputs.family_markdown import markdown  # noqa: PLC0415  only when asked for

            return markdown(family, lang)
        case "html":
            from ..outputs.family_html import page  # noqa: PLC0415  jinja2 only for pages

            return page(family, lang)
        case _:
            return family_text(family, lang)
