"""Text to tokens: lark's lexer, then names that are keywords get their keyword as type."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lark import Lark, Token

from ..text.diagnostics import Diagnostic
from ..text.source import Source, Span
from .keywords import KEYWORDS, SPELLINGS
from .syntax import Frozen

BLOCKS = (
    *("file", "ruleset", "reading", "delta", "deck", "origins", "seats", "melds", "variant", "price"),
    *("names", "win", "false_win", "payment", "waits", "ranks", "flow", "example", "outside"),
)
STARTS = tuple(f"{name}_clause" for name in BLOCKS)
"""Start symbols of the grammar, one per kind of block."""


@cache
def grammar() -> Lark:
    """The LALR tables; built once per process, and kept in the user's cache folder between processes."""
    text = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    declared = f"%declare {' '.join(KEYWORDS)} BLOCK LETTER\n"
    return Lark(
        text + declared,
        parser="lalr",
        lexer="basic",
        start=list(STARTS),
        maybe_placeholders=False,
        keep_all_tokens=True,
        lexer_callbacks={"NAME": _keyword_or_name},
        tree_class=Frozen,
        cache=_cache_file(),
    )


def _cache_file() -> str | bool:
    """Where lark keeps its tables (it checks that they fit the grammar); no cache if we may not write."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paigui"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return False
    return str(folder / "grammar.lark-cache") if os.access(folder, os.W_OK) else False


def _keyword_or_name(token: Token) -> Token:
    key = SPELLINGS.get(token.value)
    if key is not None:
        token.type = key
    elif re.fullmatch("[a-e]", token.value):
        token.type = "LETTER"
    return token


def span_of(path: str, token: Token) -> Span:
    """Where a token stands."""
    return Span(
        path,
        token.line or 1,
        token.column or 1,
        token.end_line or token.line or 1,
        token.end_column or (token.column or 1) + 1,
    )


def lex(source: Source) -> tuple[list[Token], list[Diagnostic]]:
    """All tokens, comments and line ends included; characters that fit nowhere become diagnostics."""
    tokens: list[Token] = []
    faults: list[Diagnostic] = []
    for token in _raw(source):
        if token.type == "BAD":
            faults.append(_bad(source, token))
        else:
            tokens.append(token)
    _free_values(tokens)
    return tokens, faults


def _free_values(tokens: list[Token]) -> None:
    """`on` as a value of an option (`off | on`, `= on`) is a name; as a keyword it never stands there."""
    around = [None, *tokens, None]
    for before, token, after in zip(around, tokens, around[2:], strict=False):
        valued = before is not None and before.type in ("BAR", "EQ", "NE")
        if token.type == "ON" and (valued or (after is not None and after.type == "BAR")):
            token.type = "NAME"


def _raw(source: Source) -> Iterator[Token]:
    return iter(grammar().lex(source.text, dont_ignore=False))


def _bad(source: Source, token: Token) -> Diagnostic:
    code = "P006" if token.value in "「」\"“”'‘’『』" else "P001"
    return Diagnostic(code, span_of(source.path, token), {"char": token.value, "quote": token.value})
