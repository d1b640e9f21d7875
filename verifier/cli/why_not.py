"""`paigui why-not`: the clauses that together forbid a hand."""

from __future__ import annotations

import click

from dsl.cli.command import Usage, complaint, json_option, lang_option, verb
from dsl.cli.common import Exit, language, leave, write_bytes, write_json

from ..why_not import NotOfArrangements, WhyNot, why_not
from ..why_not_words import why_not_json, why_not_text


@verb(
    "why-not",
    "为什么没有这样的一手：`清符 且 大符`、`和 且 符 < 10`。答的是合起来不许的那几条，少一条都不行。",
    "Why there is no such hand: `清符 and 大符`, `win and 符 < 10`. The answer is the few clauses that "
    "together forbid it.",
)
@click.argument("game")
@click.argument("condition")
@lang_option
@json_option
def command(game: str, condition: str, lang: str | None, as_json: bool) -> None:
    """Exit 0 with the clauses, 1 when there is such a hand, 3 when nothing can be read, 4 when open."""
    spoken = language(lang)
    try:
        why = why_not(game, condition)
    except NotOfArrangements:
        zh = "这里只问成形的牌；听、叫这样的条件用 `paigui ask` 问"
        en = "only finished hands can be asked about here; use `paigui ask` for waiting ones"
        raise Usage(complaint(zh, en)) from None
    if as_json:
        write_json(why_not_json(why))
    else:
        write_bytes((why_not_text(why, spoken) + "\n").encode())
    leave(_exit(why))


def _exit(why: WhyNot) -> Exit:
    """A hand refutes that there is none."""
    if why.possible is None:
        return Exit.UNKNOWN
    return Exit.FINDINGS if why.possible else Exit.OK
