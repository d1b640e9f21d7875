"""V111: two players may take one tile by claims of equal rank, and nothing says who goes first."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.table_questions import Answers
from dsl.table.questions import says

from ..findings import Finding
from ..study import Study
from ..table_shown import TableWitness, table_example

TITLE = ("同级的应", "claims of equal rank")
MEND = (
    "写明 `同级 最近`（或 `同级 庄起`），或者在 先后 里把它们分开",
    "say `tie nearest` (or `tie from_dealer`), or give them different ranks in the order",
)


def at_table(study: Study) -> Iterator[Finding]:
    """One finding for each rank; none where the flow says who goes first among equals."""
    game, flow = study.game, study.game.flow
    if flow is None or any(rule.name == TIE for rule in game.rules):
        return
    order = [rule for rule in game.rules if rule.name == ORDER]
    for rank in flow.order:
        answer = Answers(rank)
        possible = study.tables.possible(answer, answer)
        if possible is None:
            study.leave_open("、".join(rank), study.tables.why_open)
        if not possible:
            continue
        shown = study.tables.witness(answer, answer).witness
        assert shown is not None
        names = [_named(study, shown, place, rank) for place in (0, 1)]
        said = (
            f"一张牌两家都要得，`{names[0]}` 和 `{names[1]}` 同级，没说谁先",
            f"two players can take one tile, `{names[0]}` and `{names[1]}` rank alike, "
            "and nothing says who goes first",
        )
        rules = [*(flow.responses[name].rule for name in names), *order]
        yield study.finding("warning", said, rules, table_example(shown), mend=MEND, subject=list(rank))


TIE, ORDER = "流程.同级", "流程.先后"


def _named(study: Study, shown: TableWitness, place: int, rank: tuple[str, ...]) -> str:
    """The first of the rank's responses that the player has."""
    table, seat = study.tables.table, shown.seats[place]
    return next(name for name in rank if says(Answers((name,)), table, shown.state, seat))
