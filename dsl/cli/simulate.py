"""`paigui simulate`: many deals by chance."""

from __future__ import annotations

import time

import click

from ..api import load
from ..table.simulate import Tally, simulate
from ..table.table import Table
from .command import json_option, lang_option, option, verb
from .common import language, write_bytes, write_json
from .language import Words
from .tables import table_of

OUTCOMES: dict[str, Words] = {
    "win": ("和", "wins"),
    "false_win": ("诈和", "false wins"),
    "draw": ("流局", "drawn"),
    "stuck": ("打不下去", "stuck"),
}


@verb(
    "simulate",
    "随机打许多局，看怎样收场。GAME 是 .pai 文件（可带 [选项=值]）或规则名。",
    "Play many deals by chance and say how they end. GAME is a .pai file (with [option=value] if wanted) "
    "or a game's name.",
)
@click.argument("game")
@option("-n", "games", type=click.IntRange(1), default=100, zh="打几局", en="how many deals")
@option("--seed", type=int, default=0, zh="随机数的种子", en="seed of the chance")
@lang_option
@json_option
def command(game: str, games: int, seed: int, lang: str | None, as_json: bool) -> None:
    """Exit 0 when every deal came to an end, 1 when some got stuck, 2 and 3 as everywhere."""
    spoken = language(lang)
    table = table_of(load(game), spoken)
    start = time.perf_counter()
    tally = simulate(table, games, seed)
    seconds = time.perf_counter() - start
    if as_json:
        write_json({**tally.to_json(table), "seconds": round(seconds, 3)})
    else:
        write_bytes((_text(table, tally, spoken == "zh") + "\n").encode())
    if tally.outcomes["stuck"]:
        click.get_current_context().exit(1)


def _text(table: Table, tally: Tally, zh: bool) -> str:
    ends = "，".join if zh else ", ".join
    counted = ends(f"{words[not zh]} {tally.outcomes[key]}" for key, words in OUTCOMES.items())
    lines = [f"{tally.games} 局：{counted}" if zh else f"{tally.games} deals: {counted}"]
    for i, seat in enumerate(table.game.seats):
        wins, paid = tally.wins[i], tally.payments[i]
        lines.append(
            f"{seat.name}：和 {wins}，收付 {paid:+d}" if zh else f"{seat.name}: {wins} won, {paid:+d}"
        )
    named = ends(f"{name} {n}" for name, n in sorted(tally.names.items()))
    if named:
        lines.append(f"名：{named}" if zh else f"names: {named}")
    return "\n".join(lines)
