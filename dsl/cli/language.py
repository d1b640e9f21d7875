"""Which language to speak: `--lang`, else PAIGUI_LANG, else the locale."""

from __future__ import annotations

import itertools
import locale
import os
import sys
from collections.abc import Sequence

from ..text.codes import Lang

Words = tuple[str, str]
"""The same in Chinese and in English."""


def language(explicit: str | None = None) -> Lang:
    """Chinese for anything that starts with `zh`, English for everything else."""
    wanted = explicit or os.environ.get("PAIGUI_LANG") or _locale()
    return "zh" if wanted.lower().startswith(("zh", "chinese")) else "en"


def _locale() -> str:
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, names), None) or locale.getlocale()[0] or "en"


def asked_language(arguments: Sequence[str] | None = None) -> Lang:
    """The language for what is said before the arguments are understood: help and usage errors."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    given = [b for a, b in itertools.pairwise(words) if a == "--lang"]
    given += [a.partition("=")[2] for a in words if a.startswith("--lang=")]
    return language(given[-1] if given and given[-1] in ("zh", "en") else None)


def pick(words: Words, lang: Lang) -> str:
    """One of the two."""
    return words[0 if lang == "zh" else 1]
