"""`paigui diff`: what two rulesets really disagree about."""

from __future__ import annotations

import click

from dsl.cli.command import json_option, lang_option, verb
from dsl.cli.common import Exit, language, leave
from dsl.cli.progress import progress
from dsl.text.codes import Lang

from ..difference import Difference, diff
from ..difference_words import difference_json, difference_text
from ..kept import of_difference
from ..outputs.markdown import markdown
from .sending import form_asked, format_option, json_text, keep, output_option, send, write_test_option


@verb(
    "diff",
    "比两套规则：哪些条文不同，哪些手牌因此不同。LEFT、RIGHT 是 .pai 文件（可带 [选项=值]）或规则名。",
    "Compare two rulesets: which clauses differ, and which hands that changes. LEFT and RIGHT are .pai files "
    "(with [option=value] if wanted) or names of games.",
)
@click.argument("left")
@click.argument("right")
@format_option("text", "json", "html", "markdown")
@output_option
@write_test_option
@lang_option
@json_option
def command(
    left: str,
    right: str,
    form: str,
    output: str | None,
    tests: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Exit 0 when nothing differs, 1 when something does, 3 when a spec does not load, 4 when unknown."""
    spoken, form = language(lang), form_asked(form, as_json)
    with progress(spoken) as tick:
        found = diff(left, right, tick)
    if output is not None or tests != "-":
        send(written(found, form, spoken), output)
    keep(of_difference(found, spoken) if tests else (), tests, spoken)
    leave(_exit(found))


def written(found: Difference, form: str, lang: Lang) -> str:
    """The comparison in one of the forms of `--format`."""
    match form:
        case "json":
            return json_text(difference_json(found, lang))
        case "markdown":
            return markdown(found, lang)
        case "html":
            from ..outputs.diff_html import page  # noqa: PLC0415  jinja2 only for pages

            return page(found, lang)
        case _:
            return difference_text(found, lang) + "\n"


def _exit(found: Difference) -> Exit:
    if found.unknown:
        return Exit.UNKNOWN
    return Exit.OK if found.equal else Exit.FINDINGS
