"""`paigui count`: how many hands, and how likely a dealt one is one of them."""

from __future__ import annotations

import click

from dsl.cli.command import Usage, complaint, json_option, lang_option, option, verb
from dsl.cli.common import language, write_bytes, write_json
from dsl.cli.progress import progress
from dsl.core.processes import processors
from dsl.judge.words import table
from dsl.text.codes import Lang

from ..counting import Count, count
from ..counts import Counts, count_all
from ..counts_words import counts_text
from .sending import workers_option


@verb(
    "count",
    "数手牌：一共多少副、随手一副碰上的机会，都是准数。GAME 是 .pai 文件或规则名。",
    "Count hands: how many there are and how likely a dealt one is, exactly. GAME is a .pai file or a "
    "game's name.",
)
@click.argument("game")
@option(
    "--of",
    default=None,
    metavar="WHAT",
    zh="complete（不写就是它）、win、waiting、scores，或名、落叫的名字",
    en="complete (the default), win, waiting, scores, or a named win or wait type",
)
@option("--tiles", type=click.IntRange(0), default=None, zh="几张一手", en="size of the hands")
@option(
    "--role",
    default=None,
    metavar="ROLE",
    zh="谁的手，不写就是最后一种身份",
    en="whose hands; the last role by default",
)
@option(
    "--all",
    "everything",
    is_flag=True,
    zh="全数一遍：成形、和、名、倍、分，听、落叫和几种落叫并着的",
    en="count everything: complete hands, wins, names, multipliers, scores, waits and how wait types combine",
)
@option(
    "--context",
    "contexts",
    multiple=True,
    metavar="NAME=VALUE",
    zh="境，可以多写几个；翻出的牌、抬将不写就各种都数",
    en="what is known of the situation; every deal and every marked face is counted unless it is told",
)
@workers_option
@lang_option
@json_option
def command(
    game: str,
    of: str | None,
    tiles: int | None,
    role: str | None,
    everything: bool,
    contexts: tuple[str, ...],
    workers: int | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Exit 0 with the count, 3 when the spec does not load or has no such name, 4 when it takes too much."""
    spoken, told = language(lang), dict(_told(text) for text in contexts)
    if everything and (of is not None or tiles is not None):
        raise Usage(
            complaint("`--all` 同 `--of`、`--tiles` 只能写一样", "`--all` needs no `--of` and no `--tiles`")
        )
    what = of or "complete"
    found: Count | Counts
    with progress(spoken) as tick:
        if tick is not None:
            tick(f"{game} --all" if everything else f"{game} {what}", 0, 0)
        if everything:
            found = count_all(game, role, told, workers or processors())
        else:
            found = count(game, what, tiles, role, told)
    if as_json:
        write_json(found.to_json())
    else:
        text = _text(found, spoken) if isinstance(found, Count) else counts_text(found, spoken)
        write_bytes((text + "\n").encode())


def _told(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise Usage(complaint(f"`--context {text}` 要写成 名=值", f"`--context {text}` must be NAME=VALUE"))
    return name, value


def _text(found: Count, lang: Lang) -> str:
    of, hands, chance = f"{found.of:,}", f"{found.hands:,}", f"{float(found.probability):.6g}"
    title = f"{found.game} {found.what}"
    if lang == "zh":
        line = f"{title}：{found.tiles} 张的手 {of} 副，其中 {hands} 副；随手一副的机会 {chance}"
    else:
        line = f"{title}: {hands} of {of} hands of {found.tiles} tiles; chance of a dealt one {chance}"
    if found.how == "sweep":
        zh, en = "（牌连在一起，一面一面地看）", " (tiles that hang together read kind by kind)"
        line += zh if lang == "zh" else en
    rows = [[str(s), f"{n:,}", f"{float(p):.3e}"] for s, n, p in found.scores]
    return "\n".join([line, table(rows, (0, 1, 2))] if rows else [line])
