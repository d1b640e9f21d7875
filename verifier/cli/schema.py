"""`paigui schema NAME`: the shape of what a verb prints with `--json`."""

from __future__ import annotations

import click

from dsl.cli.command import Usage, complaint, lang_option, verb
from dsl.cli.common import language, write_bytes, write_json

from ..schemas import names, schema


@verb(
    "schema",
    "打印 `--json` 的 JSON Schema。不写 NAME 就列出有哪些。",
    "Print the JSON Schema of what a verb prints with `--json`. Without NAME, list them.",
)
@click.argument("name", required=False)
@lang_option
def command(name: str | None, lang: str | None) -> None:
    """Exit 0 with the schema, 2 for an unknown name."""
    language(lang)
    if name is None:
        write_bytes("".join(f"{known}\n" for known in names()).encode())
        return
    if name not in names():
        known = " ".join(names())
        zh = f"没有 `{name}` 的 schema，有的是 {known}"
        raise Usage(complaint(zh, f"there is no schema `{name}`, only {known}"))
    write_json(schema(name))
