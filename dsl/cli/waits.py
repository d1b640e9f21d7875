"""`paigui waits`: what a hand that is one tile short waits for."""

from __future__ import annotations

import click

from ..api import HandError, load
from ..judge.words import waits_text
from .command import json_option, lang_option, option, verb
from .common import language, write_bytes, write_json
from .hands import read_json, refuse


@verb(
    "waits",
    "差一张的手牌听哪些牌，每张和不和。GAME 是 .pai 文件或规则名；手牌是一个 JSON 对象，不带末张。",
    "Which tiles complete a hand that is one short, and the verdict of each. GAME is a .pai file or a "
    "game's name; the hand is a JSON object without a last tile.",
)
@click.argument("game")
@option(
    "--hand",
    "place",
    required=True,
    metavar="FILE",
    zh="手牌文件，- 是标准输入",
    en="the hand, - for standard input",
)
@lang_option
@json_option
def command(game: str, place: str, lang: str | None, as_json: bool) -> None:
    """Exit 0 with the waits, 2 for an impossible hand, 3 when the spec does not load."""
    spoken = language(lang)
    loaded = load(game)
    try:
        waits = loaded.waits(read_json(place))
    except HandError as error:
        refuse(error.diagnostics, as_json, spoken)
        return
    if as_json:
        write_json(waits.to_json())
    else:
        write_bytes((waits_text(waits, spoken) + "\n").encode())
