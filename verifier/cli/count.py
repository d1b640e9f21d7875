"""`paigui count`: how many hands, and how likely a dealt one is one of them."""

from __future__ import annotations

import click

from dsl.cli.command import json_option, lang_option, option, verb
from dsl.cli.common import language, write_bytes, write_json
from dsl.judge.words import table
from dsl.text.codes import Lang

from ..counting import Count, count
from .progress import progress


@verb(
    "count",
    "数手牌：一共多少副、随手一副碰上的机会，都是准数。GAME 是 .pai 文件或规则名。",
    "Count hands: how many there are and how likely a dealt one is, exactly. GAME is a .pai file or a "
    "game's name.",
)
@click.argument("game")
@option(
    "--of",
    default="complete",
    metavar="WHAT",
    zh="complete、win、waiting、scores，或名、落叫的名字",
    en="complete, win, waiting, scores, or a named win or wait type",
)
@option("--tiles", type=click.IntRange(0), default=None, zh="几张一手", en="size of the hands")
@option(
    "--role",
    default=None,
    metavar="ROLE",
    zh="谁的手，不写就是最后一种身份",
    en="whose hands; the last role by default",
)
@lang_option
@json_option
def command(game: str, of: str, tiles: int | None, role: str | None, lang: str | None, as_json: bool) -> None:
    """Exit 0 with the count, 3 when the spec does not load or has no such name."""
    spoken = language(lang)
    with progress(spoken) as tick:
        if tick is not None:
            tick(f"{game} {of}", 0, 0)
        found = count(game, of, tiles, role)
    if as_json:
        write_json(found.to_json())
    else:
        write_bytes((_text(found, spoken) + "\n").encode())


def _text(found: Count, lang: Lang) -> str:
    of, hands, chance = f"{found.of:,}", f"{found.hands:,}", f"{float(found.probability):.6g}"
    title = f"{found.game} {found.what}"
    if lang == "zh":
        line = f"{title}：{found.tiles} 张的手 {of} 副，其中 {hands} 副；随手一副的机会 {chance}"
    else:
        line = f"{title}: {hands} of {of} hands of {found.tiles} tiles; chance of a dealt one {chance}"
    rows = [[str(s), f"{n:,}", f"{float(p):.3e}"] for s, n, p in found.scores]
    return "\n".join([line, table(rows, (0, 1, 2))] if rows else [line])
