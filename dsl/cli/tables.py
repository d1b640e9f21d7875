"""The table of a game for the verbs that play."""

from __future__ import annotations

from ..api import Game
from ..table.table import Table
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic
from ..text.source import NOWHERE
from .common import Exit, leave, report


def table_of(game: Game, lang: Lang) -> Table:
    """The interpreter of a game's flow; the verb is left where the rules have none."""
    if game.core.flow is None:
        report((Diagnostic("R007", NOWHERE, {"game": game.name}),), {}, lang)
        leave(Exit.USAGE)
    return game.table
