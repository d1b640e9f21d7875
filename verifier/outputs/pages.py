"""Self-contained HTML pages: no script, no picture, nothing loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dsl.text.codes import Lang

from ..findings import Words, pick

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def rendered(template: str, lang: Lang, **values: Any) -> str:
    """A template with its values; in it `say(zh, en)` picks by language."""
    return _environment().get_template(template).render(lang=lang, say=speaker(lang), **values)


def speaker(lang: Lang) -> Callable[[str, str], str]:
    def say(zh: str, en: str) -> str:
        words: Words = (zh, en)
        return pick(words, lang)

    return say
