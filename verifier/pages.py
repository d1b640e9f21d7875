"""The pages of the checks: what each says, why it matters, an example, how to mend it."""

from __future__ import annotations

from pathlib import Path

from dsl.text.codes import Lang

HERE = Path(__file__).resolve()
SHIPPED, WRITTEN = HERE.with_name("checks"), HERE.parents[1] / "docs" / "checks"
PAGES = SHIPPED if SHIPPED.is_dir() else WRITTEN
"""Where the pages lie: in an installed package, or in a checkout."""


def page_of(code: str, lang: Lang) -> str | None:
    """The page of a check in a language, as Markdown; None when there is none."""
    file = PAGES / (f"{code}.md" if lang == "zh" else f"{code}.en.md")
    return file.read_text(encoding="utf-8") if file.is_file() else None
