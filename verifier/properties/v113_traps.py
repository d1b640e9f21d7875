"""V113: a duty that costs its owner his win or his waiting hand."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Rule

from ..findings import Finding, Words
from ..study import Study
from ..table_shown import TableWitness, table_example
from ..table_traps import Traps

TITLE = ("义务毁了牌", "a duty that spoils the hand")


def findings(study: Study) -> Iterator[Finding]:
    """One finding for each duty. Wild tiles and exposed melds are not tried."""
    game, flow = study.game, study.game.flow
    if flow is None or not any(game.win.shape):
        return
    traps = Traps(study.tables.table, study.compiled)
    for response in flow.responses.values():
        shown = traps.of_response(response) if response.must and not response.win else None
        if shown is not None:
            said = (
                f"`{response.name}` 必须应：本来听着的一手，应了以后打哪张都不听了",
                f"`{response.name}` has to be answered, and a hand that waits does not any more, "
                "whatever is let go",
            )
            yield _trap(study, response.name, shown, said, [response.rule, game.win.rule])
    for announcement in flow.announcements.values():
        shown = traps.of_announcement(announcement) if announcement.must and announcement.types else None
        if shown is not None:
            said = (
                f"`{announcement.name}` 必须摆：起手就成（或者就听）的一手，摆了就不是了",
                f"`{announcement.name}` has to be laid: a hand complete (or waiting) as dealt is so no more",
            )
            yield _trap(study, announcement.name, shown, said, [announcement.rule, game.win.rule])


def _trap(study: Study, name: str, shown: TableWitness, said: Words, rules: list[Rule]) -> Finding:
    return study.finding("warning", said, rules, table_example(shown), subject=[name])
