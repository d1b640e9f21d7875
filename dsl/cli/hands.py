"""Reading a hand for `judge` and `waits`: a JSON file or standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ..text.codes import Lang
from ..text.diagnostics import Diagnostic
from ..text.export import to_json
from ..text.source import NOWHERE
from .command import Usage
from .common import Exit, leave, report, write_json


def read_json(place: str) -> Any:
    """The JSON value in a file, or on standard input for `-`."""
    try:
        text = sys.stdin.read() if place == "-" else Path(place).read_text(encoding="utf-8-sig")
    except OSError:
        raise Usage(Diagnostic("U002", NOWHERE, {"path": place})) from None
    except UnicodeDecodeError:
        raise Usage(Diagnostic("H001", NOWHERE, {"reason": ("不是 UTF-8", "not UTF-8")})) from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = (f"第 {error.lineno} 行第 {error.colno} 列", f"line {error.lineno} column {error.colno}")
        raise Usage(Diagnostic("H001", NOWHERE, {"reason": where})) from None


def refuse(faults: tuple[Diagnostic, ...], as_json: bool, lang: Lang) -> None:
    """Say what is wrong with a hand and leave."""
    if as_json:
        write_json({"errors": [to_json(f, lang) for f in faults]})
    report(faults, {}, lang)
    leave(Exit.USAGE)
