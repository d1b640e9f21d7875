"""`paigui explain V109`: what a check says, why it matters, an example, how to mend it."""

from __future__ import annotations

import click

from dsl.cli.command import Usage, complaint, lang_option, verb
from dsl.cli.common import language, write_bytes
from dsl.text.codes import Lang

from ..findings import pick
from ..pages import PAGES, page_of
from ..properties import documented

__all__ = ["PAGES", "command", "page"]


@verb(
    "explain",
    "说明一个查验项：它说什么、为什么要紧、怎么改。不写 CODE 就列出所有查验项。",
    "Explain a check: what it says, why it matters, how to mend it. Without CODE, list all checks.",
)
@click.argument("code", required=False)
@lang_option
def command(code: str | None, lang: str | None) -> None:
    """Exit 0 with the page, 2 for an unknown code."""
    spoken = language(lang)
    text = _list(spoken) if code is None else page(code.upper(), spoken)
    write_bytes((text.rstrip() + "\n").encode())


def _list(lang: Lang) -> str:
    return "\n".join(f"{code}  {pick(title, lang)}" for code, title in documented().items())


def page(code: str, lang: Lang) -> str:
    """The page of a check in a language."""
    text = page_of(code, lang) if code in documented() else None
    if text is None:
        known = " ".join(documented())
        zh = f"没有 `{code}` 的说明，有的是 {known}"
        raise Usage(complaint(zh, f"there is no page `{code}`, only {known}"))
    return text
