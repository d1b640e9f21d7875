"""V112: a duty is done, and the player who has to discard may let go of nothing."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Rule
from dsl.core.table_questions import DeadEnd

from ..encode_table import discards_after
from ..findings import Finding
from ..study import Study
from ..table_shown import table_example

TITLE = ("没有出路", "no way out")
MEND = (
    "让不得打的几条有退路（`可让`），或者用 `禁` 让这时不必应",
    "let the bans yield (`yields`), or take the duty back there with a veto (`off_limits`)",
)


def findings(study: Study) -> Iterator[Finding]:
    """One finding for the opening and one for each response that is a duty."""
    flow = study.game.flow
    if flow is None:
        return
    bans = [ban.rule for ban in flow.bans if not ban.yields]
    for announcement in (a for a in flow.announcements.values() if a.must):
        found = _stuck(study, DeadEnd((announcement.name,), opening=True), [announcement.rule, *bans])
        if found is not None:
            yield found
            break
    for response in (r for r in flow.responses.values() if r.must and discards_after(r)):
        found = _stuck(study, DeadEnd((response.name,), opening=False), [response.rule, *bans])
        if found is not None:
            yield found


def _stuck(study: Study, question: DeadEnd, rules: list[Rule]) -> Finding | None:
    name = question.names[0]
    possible = study.tables.possible(question)
    if possible is None:
        study.leave_open(name, study.tables.why_open)
    if not possible:
        return None
    shown = study.tables.witness(question).witness
    assert shown is not None
    said = (
        f"`{name}` 必须做，做了手里却没有一张打得",
        f"`{name}` has to be done, and after it no tile in the hand may be discarded",
    )
    subject = ["opening"] if question.opening else [name]
    return study.finding("error", said, rules, table_example(shown), mend=MEND, subject=subject)
