"""`paigui beats`: does one play of a trick beat another?"""

from __future__ import annotations

import click

from ..api import HandError, load
from ..core.ranks import Place, higher
from .command import json_option, lang_option, verb
from .common import Exit, language, leave, write_bytes, write_json
from .hands import refuse


@verb(
    "beats",
    "照 `大小` 比两手出牌：PLAY 盖不盖得住 OTHER。一手牌写成一个参数，如 '三四 三四'。",
    "Compare two plays by the section `ranks`: does PLAY beat OTHER? Each play is one argument, such as "
    "'三四 三四'.",
)
@click.argument("game")
@click.argument("play")
@click.argument("other")
@lang_option
@json_option
def command(game: str, play: str, other: str, lang: str | None, as_json: bool) -> None:
    """Exit 0 when it beats, 1 when not, 2 for tiles that are no play, 3 when the spec does not load."""
    spoken = language(lang)
    loaded = load(game)
    try:
        mine, theirs = loaded.places(play), loaded.places(other)
    except HandError as error:
        refuse(error.diagnostics, as_json, spoken)
    beaten = any(higher(a, b) for a in mine for b in theirs)
    if as_json:
        lines = [line.name for line in loaded.core.ranks]
        write_json({"beats": beaten, "play": _told(mine, lines), "other": _told(theirs, lines)})
    else:
        zh, en = ("盖得住", "beats") if beaten else ("盖不住", "does not beat")
        said = f"{play} {zh if spoken == 'zh' else en} {other}"
        write_bytes(f"{said}\n".encode())
    leave(Exit.OK if beaten else Exit.FINDINGS)


def _told(places: tuple[Place, ...], lines: list[str]) -> list[dict[str, object]]:
    """Where the plays stand that the tiles make; tier 1 is the highest."""
    return [{"line": lines[p.line], "tier": p.tier + 1, "tiles": p.size} for p in places]
