"""`paigui ask`: a question in the spec's own words."""

from __future__ import annotations

import click

from dsl.cli.command import json_option, lang_option, verb
from dsl.cli.common import Exit, language, leave, write_bytes, write_json

from ..kept import of_reply
from ..questions import put, reply_text
from .sending import keep, write_test_option


@verb(
    "ask",
    "问一套规则：`存在 和 且 清符 且 符 < 10`、`凡 听 则 叫 三条口`。有就给一手牌，没有就给证明。",
    "Ask a ruleset: `exists win and 清符 and 符 < 10`, `every waiting then called 三条口`. The answer is a "
    "hand, or a proof that there is none.",
)
@click.argument("game")
@click.argument("question")
@write_test_option
@lang_option
@json_option
def command(game: str, question: str, tests: str | None, lang: str | None, as_json: bool) -> None:
    """Exit 0 with an answer, 3 when spec or question cannot be read, 4 when it stays open."""
    spoken = language(lang)
    reply = put(game, question)
    keep(of_reply(reply, spoken) if tests else (), tests, spoken)
    if tests == "-":
        pass
    elif as_json:
        write_json(reply.to_json(spoken))
    else:
        write_bytes((reply_text(reply, spoken) + "\n").encode())
    leave(Exit.UNKNOWN if reply.holds is None else Exit.OK)
