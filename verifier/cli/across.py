"""`paigui verify --across A B …`: the games of a family against one another."""

from __future__ import annotations

from collections.abc import Sequence

import dsl
from dsl.cli.common import Exit
from dsl.core.model import Game
from dsl.text.codes import Lang

from ..family import Family, across, family_json
from ..report import finding_text
from .progress import progress
from .sending import json_text, send


def compare(games: Sequence[Game], as_json: bool, output: str | None, lang: Lang) -> Exit:
    """Print the comparison; 1 when some word means two things, 4 when some pair stayed open."""
    with progress(lang) as tick:
        family = across([dsl.Game(game) for game in games], tick)
    text = json_text(family_json(family, lang)) if as_json else _text(family, lang)
    send(text, output)
    if any(finding.severity != "info" for finding in family.findings()):
        return Exit.FINDINGS
    return Exit.UNKNOWN if any(found.unknown for found in family.differences) else Exit.OK


def _text(family: Family, lang: Lang) -> str:
    game = family.games[0].core
    return "".join(f"{finding_text(finding, game, lang)}\n\n" for finding in family.findings())
