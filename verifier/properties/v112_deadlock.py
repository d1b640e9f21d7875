"""V112: a duty is done, and no tile may be discarded; or two duties on one tile exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dsl.core.flow import Flow, Response
from dsl.core.model import Rule
from dsl.core.table_questions import Answers, DeadEnd, SeatAnd, SeatFormula, SeatNot, SeatOr
from dsl.table.questions import says

from ..encode_table import discards_after
from ..findings import Finding
from ..study import Study
from ..table_shown import TableWitness, table_example

TITLE = ("没有出路", "no way out")
MEND = (
    "让不得打的几条有退路（`可让`），或者用 `禁` 让这时不必应",
    "let the bans yield (`yields`), or take the duty back there with a veto (`off_limits`)",
)
IN_ORDER = (
    "在 先后 里把两样分开，或者用 `禁` 说清哪样不必做",
    "give them different ranks in the order, or take one back with a veto (`off_limits`)",
)


def at_table(study: Study) -> Iterator[Finding]:
    """One finding for the opening, one for each response that is a duty, one for each two that exclude each
    other."""
    flow = study.game.flow
    if flow is None:
        return
    bans = [ban.rule for ban in flow.bans if not ban.yields]
    for announcement in (a for a in flow.announcements.values() if a.must):
        shown = _table(study, DeadEnd((announcement.name,), opening=True), announcement.name)
        if shown is not None:
            yield _stuck(study, announcement.name, shown, [announcement.rule, *bans], "opening")
            break
    for response in (r for r in flow.responses.values() if r.must and discards_after(r)):
        shown = _forced(study, flow, response)
        if shown is not None:
            yield _stuck(study, response.name, shown, [response.rule, *bans], response.name)
    yield from _exclusive(study, flow)


def _table(study: Study, question: SeatFormula, name: str) -> TableWitness | None:
    """A table at which it holds of a player."""
    possible = study.tables.possible(question)
    if possible is None:
        study.leave_open(name, study.tables.why_open)
    return study.tables.witness(question).witness if possible else None


def _stuck(study: Study, name: str, shown: TableWitness, rules: list[Rule], subject: str) -> Finding:
    said = (
        f"`{name}` 必须做，做了手里却没有一张打得",
        f"`{name}` has to be done, and after it no tile in the hand may be discarded",
    )
    return study.finding("error", said, rules, table_example(shown), mend=MEND, subject=[subject])


def _dead_end(name: str) -> DeadEnd:
    return DeadEnd((name,), opening=False)


def _duties(flow: Flow) -> list[list[str]]:
    """The responses that are duties, by rank."""
    return [[name for name in rank if flow.responses[name].must] for rank in flow.order]


def _forced(study: Study, flow: Flow, response: Response) -> TableWitness | None:
    """A table at which a player has to go to a dead end by it.

    Every other duty that he may do instead has to lead to one too, and none may go before it; this is asked
    for only where the plainest dead end is no such one.
    """
    alone = _dead_end(response.name)
    shown, every = _table(study, alone, response.name), SeatAnd((alone, *_instead(flow, response)))
    if shown is None or says(every, study.tables.table, shown.state, shown.seats[0]):
        return shown
    return _table(study, every, response.name)


def _instead(flow: Flow, response: Response) -> Iterator[SeatFormula]:
    """What has to hold of the duties that go before it or are of its rank."""
    for rank in _duties(flow):
        for name in (n for n in rank if n != response.name):
            closed = SeatNot(Answers((name,)))
            dead = response.name in rank and discards_after(flow.responses[name])
            yield SeatOr((closed, _dead_end(name))) if dead else closed
        if response.name in rank:
            return


def _exclusive(study: Study, flow: Flow) -> Iterator[Finding]:
    """Two duties that one tile brings, of one rank, where letting either go is a breach."""
    fined = {name for breach in flow.breaches for name in breach.clauses}
    order = [rule for rule in study.game.rules if rule.name == "流程.先后"]
    for rank in _duties(flow):
        for pair in combinations([name for name in rank if name in fined], 2):
            shown = _table(study, SeatAnd(tuple(Answers((name,)) for name in pair)), "、".join(pair))
            if shown is not None:
                zh, en = "`{}`、`{}`".format(*pair), "`{}` and `{}`".format(*pair)
                said = (
                    f"{zh} 都必须做，不做都算犯规；一张牌却只做得了一样，同级，没说先做哪样",
                    f"{en} both have to be done, and letting either go is a breach; with one tile only one "
                    "can be done, they rank alike, and nothing says which",
                )
                rules = [*(flow.responses[name].rule for name in pair), *order]
                shows, subject = table_example(shown), ["both", *pair]
                yield study.finding("warning", said, rules, shows, mend=IN_ORDER, subject=subject)
