"""`paigui waits`: what a hand that is one tile short waits for."""

from __future__ import annotations

import click

from ..judge.words import waits_text
from .command import json_option, lang_option, verb
from .common import language, write_bytes, write_json
from .hands import answered, hand_option


@verb(
    "waits",
    "差一张的手牌听哪些牌，每张和不和。GAME 是 .pai 文件或规则名；手牌是一个 JSON 对象，不带末张。",
    "Which tiles complete a hand that is one short, and the verdict of each. GAME is a .pai file or a "
    "game's name; the hand is a JSON object without a last tile.",
)
@click.argument("game")
@hand_option
@lang_option
@json_option
def command(game: str, place: str, lang: str | None, as_json: bool) -> None:
    """Exit 0 with the waits, 2 for an impossible hand, 3 when the spec does not load."""
    spoken = language(lang)
    waits = answered(game, place, as_json, spoken, lambda g, hand: g.waits(hand))
    if as_json:
        write_json(waits.to_json())
    else:
        write_bytes((waits_text(waits, spoken) + "\n").encode())
