"""Reading a hand for `judge` and `waits`: a JSON file or standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..api import Game, HandError, load
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic
from ..text.export import to_json
from ..text.source import NOWHERE
from .command import Usage, option
from .common import Exit, leave, report, write_json

Answer = TypeVar("Answer")

hand_option = option(
    "--hand",
    "place",
    required=True,
    metavar="FILE",
    zh="手牌文件，- 是标准输入",
    en="the hand, - for standard input",
)


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
    except RecursionError:
        deep = ("括号套得太深", "brackets nested too deep")
        raise Usage(Diagnostic("H001", NOWHERE, {"reason": deep})) from None


def answered(game: str, place: str, as_json: bool, lang: Lang, ask: Callable[[Game, Any], Answer]) -> Answer:
    """What the game says of the hand at `place`; an impossible hand is refused and the verb left."""
    loaded = load(game)
    try:
        return ask(loaded, read_json(place))
    except HandError as error:
        refuse(error.diagnostics, as_json, lang)


def refuse(faults: tuple[Diagnostic, ...], as_json: bool, lang: Lang) -> NoReturn:
    """Say what is wrong with a hand and leave."""
    if as_json:
        write_json({"errors": [to_json(f, lang) for f in faults]})
    report(faults, {}, lang)
    leave(Exit.USAGE)
