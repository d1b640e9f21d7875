"""`paigui diff`: what two rulesets really disagree about."""

from __future__ import annotations

import click

from dsl.cli.command import json_option, lang_option, verb
from dsl.cli.common import Exit, language, leave, write_bytes, write_json

from ..difference import Difference, diff
from ..difference_words import difference_json, difference_text
from .progress import progress


@verb(
    "diff",
    "比两套规则：哪些条文不同，哪些手牌因此不同。LEFT、RIGHT 是 .pai 文件（可带 [选项=值]）或规则名。",
    "Compare two rulesets: which clauses differ, and which hands that changes. LEFT and RIGHT are .pai files "
    "(with [option=value] if wanted) or names of games.",
)
@click.argument("left")
@click.argument("right")
@lang_option
@json_option
def command(left: str, right: str, lang: str | None, as_json: bool) -> None:
    """Exit 0 when nothing differs, 1 when something does, 3 when a spec does not load, 4 when unknown."""
    spoken = language(lang)
    with progress(spoken) as tick:
        found = diff(left, right, tick)
    if as_json:
        write_json(difference_json(found, spoken))
    else:
        write_bytes((difference_text(found, spoken) + "\n").encode())
    leave(_exit(found))


def _exit(found: Difference) -> Exit:
    if found.unknown:
        return Exit.UNKNOWN
    return Exit.OK if found.equal else Exit.FINDINGS
