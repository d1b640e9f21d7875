"""Tokens as canonical text in one language: keywords, signs, numbers, quotes, and the gaps between them.

What a token says never changes, only how it is spelled; so going to the other language and back
gives the same text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from lark import Token

from ..text.codes import Lang
from .keywords import KEYWORDS, LANGUAGES, PUNCTUATION, spell

DIGITS = "一二三四五六七八九十"
QUOTES = {
    ("STRING", "zh"): ("「」", "“”", '""'),
    ("STRING", "en"): ('""', "“”", "「」"),
    ("QNAME", "zh"): ("''", "‘’", "『』"),
    ("QNAME", "en"): ("''", "‘’", "『』"),
}
"""Quotes to choose from; the first pair whose closing half does not occur inside is taken."""

WORDS = frozenset({"NAME", "QNAME", "FACT", "LETTER", *KEYWORDS})
BEFORE_TEXT = frozenset({"SOURCES", "BECAUSE", "EXTENDS"})
"""Keywords that keep their distance from `「`."""


@dataclass(frozen=True, slots=True)
class Style:
    """Which spellings to use; `keywords` None keeps the language each keyword is written in."""

    keywords: Lang | None
    punctuation: Lang

    @classmethod
    def of(cls, lang: Lang | None, tokens: Iterable[Token]) -> Style:
        """The style for `lang`; without one the punctuation follows the language of most keywords."""
        if lang is not None:
            return cls(lang, lang)
        found = [language_of(token) for token in tokens if token.type in KEYWORDS]
        return cls(None, "en" if found.count("en") > found.count("zh") else "zh")

    def text(self, tokens: list[Token], signed: bool = False) -> str:
        """A run of tokens; `signed` says that a minus belongs to the number after it."""
        written, before = "", None
        for token in tokens:
            word = self.word(token)
            if before is not None and self._gap(before, token, signed):
                written += " "
            written, before = written + word, token
        return written

    def word(self, token: Token) -> str:
        """One token on its own."""
        text, signs = str(token.value), LANGUAGES.index(self.punctuation)
        match token.type:
            case kind if kind in KEYWORDS:
                return text if self.keywords is None else spell(kind, self.keywords)
            case kind if kind in PUNCTUATION:
                return PUNCTUATION[kind][signs]
            case "NUMBER":
                return unicodedata.normalize("NFKC", text)
            case "ORDINAL":
                return ordinal(text, self.keywords or language_of(token))
            case "STRING" | "QNAME" as kind:
                return _quoted(text[1:-1], QUOTES[kind, self.punctuation])
            case _:
                return text

    def _gap(self, before: Token, token: Token, signed: bool) -> bool:
        """Does a blank stand between two neighbours?"""
        if before.type == "NUMBER" and token.type in WORDS:
            return token.start_pos != before.end_pos
        if before.type == "MINUS" and signed:
            return False
        if token.type == "EXTENDS" or (before.type in BEFORE_TEXT and token.type == "STRING"):
            return True
        return not (self._hugs_right(before) or self._hugs_left(token))

    def _hugs_left(self, token: Token) -> bool:
        """Nothing stands before this sign; full-width signs carry their own white."""
        if token.type in {"COLON", "COMMA", "SEMI", "RPAR", "DOT", "MANY"}:
            return True
        return self.punctuation == "zh" and (token.type == "LPAR" or self._is_title(token))

    def _hugs_right(self, token: Token) -> bool:
        if token.type in {"LPAR", "DOT"}:
            return True
        wide = token.type in {"COLON", "COMMA", "SEMI", "RPAR"} or self._is_title(token)
        return self.punctuation == "zh" and wide

    def _is_title(self, token: Token) -> bool:
        return token.type == "STRING" and self.word(token).startswith("「")


def language_of(token: Token) -> Lang:
    """The language in which a keyword or an ordinal is spelled."""
    return "en" if str(token.value)[0].isascii() else "zh"


def ordinal(text: str, lang: Lang) -> str:
    """`第四` or `slot 4` in `lang`; above ten both write digits."""
    word = re.sub(r"^第|^slot|\s", "", text)
    number = DIGITS.index(word) + 1 if word in DIGITS else int(word)
    if lang == "en":
        return f"slot {number}"
    return f"第{DIGITS[number - 1]}" if 1 <= number <= len(DIGITS) else f"第{number}"


def _quoted(content: str, pairs: tuple[str, ...]) -> str:
    """`content` between the first pair of quotes that it does not close itself."""
    pair = next((p for p in pairs if p[1] not in content), pairs[0])
    return pair[0] + content + pair[1]
