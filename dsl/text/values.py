"""Values inside sentences: picked by language, made visible, joined, counted, given an article."""

from __future__ import annotations

from collections.abc import Mapping

from .codes import Lang
from .display import shorten, visible

LIMIT = 200
"""Characters of one value that a sentence shows."""


def in_language(value: object, lang: Lang) -> str:
    """`value` as text: a pair `(zh, en)` of texts is picked by language, a list is joined."""
    return _separator(lang).join(_items(value, lang))


def shown(values: Mapping[str, object], lang: Lang) -> Mapping[str, Shown]:
    """`values` ready for `str.format_map`; None counts as absent, and an absent value shows as `?`."""
    return _Values({name: Shown(value, lang) for name, value in values.items() if value is not None})


class Shown(str):
    """One value; `codes` says what may follow its colon in a template."""

    items: tuple[str, ...]
    separator: str

    def __new__(cls, value: object, lang: Lang) -> Shown:
        items = tuple(shorten(visible(item), LIMIT) for item in _items(value, lang))
        self = super().__new__(cls, _separator(lang).join(items))
        self.items, self.separator = items, _separator(lang)
        return self

    def __format__(self, spec: str) -> str:
        match spec:
            case "":
                return str(self)
            case "each":
                return self.separator.join(f"`{item}`" for item in self.items)
            case "an":
                return f"{'an' if self.startswith(('a', 'e', 'i', 'o')) else 'a'} {self}"
            case noun:
                return f"{self} {noun}" if self == "1" else f"{self} {noun}s"


class _Values(dict[str, Shown]):
    def __missing__(self, name: str) -> Shown:
        return Shown("?", "en")


def _separator(lang: Lang) -> str:
    return "、" if lang == "zh" else ", "


def _items(value: object, lang: Lang) -> list[str]:
    match value:
        case (str(zh), str(en)) if isinstance(value, tuple):
            return [zh if lang == "zh" else en]
        case list() | tuple():
            return [in_language(item, lang) for item in value]
        case set() | frozenset():
            return sorted(in_language(item, lang) for item in value)
    return [str(value)]
