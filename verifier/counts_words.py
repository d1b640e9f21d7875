"""All counts of a game as tables."""

from __future__ import annotations

from dsl.core.model import Game
from dsl.judge.words import table
from dsl.text.codes import Lang

from .counts import Counts, Finished, Short
from .tallies import Share

Row = tuple[str, Share]


def counts_text(found: Counts, lang: Lang) -> str:
    """What, how many hands, how likely a dealt one is one of them: finished hands, then waiting ones."""
    zh, core = lang == "zh", found.game.core
    told = "".join(f" {name}={value}" for name, value in found.context.items())
    full, short = found.finished, found.short
    lines = [f"{found.game.name} {found.role}{told}"]
    lines += _block(full.tiles, full.verdicts.of, _finished(full, core, zh), zh)
    lines += _block(short.tiles, short.sorts.of, _short(short, core, zh), zh)
    return "\n".join(lines)


def _block(tiles: int, of: int, rows: list[Row], zh: bool) -> list[str]:
    head = (
        f"{tiles} 张的手 {of:,} 副，随手一副的机会"
        if zh
        else f"{of:,} hands of {tiles} tiles; chance of a dealt one"
    )
    return ["", head, table([[n, f"{s.hands:,}", f"{float(s.chance):.4g}"] for n, s in rows], (1, 2))]


def _finished(found: Finished, game: Game, zh: bool) -> list[Row]:
    unit = game.scores[0] if game.scores else ""
    times, best = ("倍", "最多") if zh else ("times", "best")
    rows = [("成形" if zh else "complete", found.complete), ("和" if zh else "win", found.win)]
    rows += [(name.name, found.named(name.name)) for name in game.names]
    rows += [(f"{times} {number}", share) for number, share in found.times().items()]
    return rows + [(f"{best} {n} {unit}".rstrip(), share) for n, share in sorted(found.scores.shares.items())]


def _short(found: Short, game: Game, zh: bool) -> list[Row]:
    rows = [("听" if zh else "waiting", found.waiting)]
    rows += [(wait.name, found.typed(wait.name)) for wait in game.waits]
    combined = found.combined() if game.waits else []
    return rows + [(_just(waits, types, zh), share) for waits, types, share in combined]


def _just(waits: bool, types: tuple[str, ...], zh: bool) -> str:
    """`只有 单吊＋双口`: these wait types and no others."""
    joined = ("＋" if zh else " + ").join(types)
    text = (f"只有 {joined}" if zh else f"just {joined}") if types else ("没有落叫" if zh else "no wait type")
    return text if waits else text + ("，不听" if zh else ", not waiting")
