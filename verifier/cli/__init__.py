"""The command `paigui`: the verbs of the language and those of the verifier."""

from __future__ import annotations

import sys

import click

import dsl.cli
from dsl.cli import Verb
from dsl.cli.command import VerbGroup
from dsl.cli.common import asked_language, guarded

from .stopping import listen


def verbs() -> dict[str, Verb]:
    """The verifier's verbs; their modules may import what they like, they load when called."""
    return {
        "verify": Verb(
            "verifier.cli.verify", "command", "查验规则：矛盾、死条、断言", "prove a ruleset consistent"
        ),
        "ask": Verb("verifier.cli.ask", "command", "问规则一句话", "put a question to a ruleset"),
        "why-not": Verb(
            "verifier.cli.why_not", "command", "为什么没有这样的一手", "the clauses that forbid a hand"
        ),
        "diff": Verb("verifier.cli.diff", "command", "比两套规则", "compare two rulesets"),
        "count": Verb(
            "verifier.cli.count", "command", "数手牌，算机会", "count hands, and how likely they are"
        ),
        "explain": Verb("verifier.cli.explain", "command", "讲一项查验", "explain a check"),
        "schema": Verb("verifier.cli.schema", "command", "说明 JSON 的样子", "the shape of the JSON output"),
    }


group = VerbGroup(
    "paigui",
    verbs={**dsl.cli.verbs(), **verbs()},
    words=("字牌规则的语言与查验工具", "rules of Chinese strip-card games: write, check, judge, prove"),
    no_args_is_help=True,
)
click.version_option(package_name="paigui", prog_name="paigui")(group)


def main() -> None:
    """Entry point: one message and the right exit code, whatever happens."""
    with guarded(asked_language()):
        listen()
        code = group.main(prog_name="paigui", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
