"""How wide text is on a terminal, and how characters that show nothing are shown."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

TAB = 4
"""Columns that a tab takes, wherever it stands."""

COMBINING = frozenset({"Mn", "Me"})
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


@lru_cache(maxsize=8192)
def _columns(char: str) -> int:
    if char == "\t":
        return TAB
    if unicodedata.category(char) in COMBINING | INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def display_width(text: str) -> int:
    """Terminal columns of `text`: 2 for wide and full-width characters, 0 for combining ones, 4 for a tab.

    Characters of ambiguous width (UAX #11 class A, such as `“` or `≥`) count 1, as most terminals show them.
    """
    return sum(map(_columns, text))


@lru_cache(maxsize=8192)
def cell(char: str) -> str:
    """One character as a line of output shows it: a tab as blanks, an invisible one by its number."""
    if char == "\t":
        return " " * TAB
    return f"<U+{ord(char):04X}>" if unicodedata.category(char) in INVISIBLE else char


def visible(text: str) -> str:
    """`text` with nothing in it that could hide, break the line or steer the terminal."""
    return "".join(map(cell, text))


def shorten(text: str, limit: int) -> str:
    """`text`, cut to `limit` characters when it is longer."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
