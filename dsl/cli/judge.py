"""`paigui judge`: the verdict on one declared hand."""

from __future__ import annotations

import click

from ..judge.words import verdict_text
from .command import json_option, lang_option, verb
from .common import language, write_bytes, write_json
from .hands import answered, hand_option


@verb(
    "judge",
    "判一手报了和的牌。GAME 是 .pai 文件（可带 [选项=值]）或规则名；手牌是一个 JSON 对象。",
    "Judge a declared hand. GAME is a .pai file (with [option=value] if wanted) or a game's name; the hand "
    "is a JSON object.",
)
@click.argument("game")
@hand_option
@lang_option
@json_option
def command(game: str, place: str, lang: str | None, as_json: bool) -> None:
    """Exit 0 with a verdict, 2 for an impossible hand, 3 when the spec does not load."""
    spoken = language(lang)
    verdict = answered(game, place, as_json, spoken, lambda g, hand: g.judge(hand))
    if as_json:
        write_json(verdict.to_json(spoken))
    else:
        write_bytes((verdict_text(verdict, spoken) + "\n").encode())
