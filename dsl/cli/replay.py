"""`paigui replay`: the referee reads a record of play."""

from __future__ import annotations

from pathlib import Path

import click

from ..api import load
from ..table.record import header_of, lines_of
from ..table.referee import Replay
from ..table.words import result_text
from ..text.diagnostics import Diagnostic
from ..text.export import to_json
from ..text.source import NOWHERE, Source
from .command import Usage, json_option, lang_option, option, verb
from .common import Exit, language, leave, report, write_bytes, write_json
from .tables import table_of


@verb(
    "replay",
    "照记录重打一局，报出谁犯了哪一条、怎样罚、各家收付多少。FILE 是 .play 文件。",
    "Play a record again: who broke which clause, with what penalty, and what every seat gets. FILE is a "
    ".play file.",
)
@click.argument("file")
@option(
    "--game", metavar="GAME", zh="照哪套规则，不写就照记录说的", en="the rules; else those the record names"
)
@lang_option
@json_option
def command(file: str, game: str | None, lang: str | None, as_json: bool) -> None:
    """Exit 0 when nobody broke a rule, 1 with findings, 2 for a file that is none, 3 as everywhere."""
    spoken = language(lang)
    text = _read(file)
    header = header_of(lines_of(text, file))
    if not (game or header.game):
        raise Usage(Diagnostic("R009", NOWHERE, {"part": "局"}))
    table = table_of(load(game or header.game), spoken)
    replay = Replay(table)
    replay.run(header)
    result = None if replay.state is None else replay.state.result
    said = None if result is None else result_text(table.game.seats, result)
    if as_json:
        paid = None if result is None else dict(zip(_seats(replay), result.payments, strict=True))
        write_json(
            {
                "game": table.game.name,
                "findings": [to_json(fault, spoken) for fault in replay.faults],
                "outcome": None if result is None else result.outcome,
                "payments": paid,
            }
        )
    else:
        report(replay.faults, {file: Source(file, text)}, spoken)
        if said is not None:
            write_bytes(f"{said}\n".encode())
    if any(fault.severity == "error" for fault in replay.faults):
        leave(Exit.FINDINGS)


def _seats(replay: Replay) -> list[str]:
    return [seat.name for seat in replay.table.game.seats]


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise Usage(Diagnostic("U002", NOWHERE, {"path": file})) from None
    except UnicodeDecodeError:
        raise Usage(Diagnostic("H001", NOWHERE, {"reason": ("不是 UTF-8", "not UTF-8")})) from None
