"""V104 at the table: responses, announcements, vetoes, bans and breaches that nothing ever calls for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dsl.core.flow import Breach, HoldsOnly, JustDid, LeftOver, Local, Veto
from dsl.core.model import Rule
from dsl.core.table_questions import Answers, Bites, SeatFormula

from .findings import Finding, Words
from .table_faces import local_atoms

if TYPE_CHECKING:
    from .study import Study

ADVICE = ("删去它，或者改宽它的条件", "remove it, or relax its condition")


def dead_at_the_table(study: Study) -> Iterator[Finding]:
    """Clauses of the flow that make no difference in any position within the bounds of `table_world`."""
    flow = study.game.flow
    if flow is None:
        return
    for name, response in flow.responses.items():
        if not _alive(study, Answers((name,)), response.where, response.rule):
            said = (f"没有一张牌应得了 `{name}`", f"no tile can ever be answered with `{name}`")
            yield _dead(study, said, response.rule)
    for veto in flow.vetoes:
        if not _bites(study, veto):
            said = (f"`{veto.name}` 从来禁不住什么", f"`{veto.name}` never keeps anything closed")
            yield _dead(study, said, veto.rule)
    for ban in flow.bans:
        if not _alive(study, Bites("ban", ban.name), ban.where, ban.rule):
            said = (f"没有一张牌是 `{ban.name}` 不得打的", f"`{ban.name}` never bars a discard")
            yield _dead(study, said, ban.rule)
    for breach in flow.breaches:
        if not any(_broken(study, name) for name in breach.clauses):
            yield _never_broken(study, breach)


def _dead(study: Study, said: Words, rule: Rule) -> Finding:
    return study.finding("warning", said, [rule], mend=ADVICE, subject=[rule.name])


def _never_broken(study: Study, breach: Breach) -> Finding:
    said = (
        f"`{breach.name}` 没有人犯得了：说的都是许做的事，或者用不上的条文",
        f"nobody can commit `{breach.name}`: what it names is never demanded or never applies",
    )
    return study.finding("warning", said, [breach.rule], subject=[breach.rule.name])


def _bites(study: Study, veto: Veto) -> bool:
    flow = study.game.flow
    assert flow is not None
    named = [flow.responses[name] for name in veto.responses]
    laying = any(not response.win and not response.into_hand for response in named)
    return not laying or _alive(study, Bites("veto", veto.name), veto.where, veto.rule)


def _alive(study: Study, question: SeatFormula, where: Local, rule: Rule) -> bool:
    """Does it ever come about? What speaks of the turn so far is taken to."""
    if of_this_turn(where):
        return True
    found = study.tables.possible(question)
    if found is None:
        study.leave_open(rule.name, study.tables.why_open)
    return found is not False


def _broken(study: Study, name: str) -> bool:
    """Can what has this name be broken? A false win always can be declared, tiles be too many."""
    flow = study.game.flow
    assert flow is not None
    if flow.tricks is not None and name == flow.tricks.follow.name:
        return flow.tricks.follow.must
    if name in flow.announcements:
        return flow.announcements[name].must
    if name in flow.responses:
        response = flow.responses[name]
        if response.win:
            return True
        return response.must and study.tables.possible(Answers((name,))) is not False
    vetoes = [v for v in flow.vetoes if v.name == name]
    bans = [b.where for b in flow.bans if b.name == name]
    if not vetoes and not bans:
        return True
    barred = (of_this_turn(where) or study.tables.possible(Bites("ban", name)) is not False for where in bans)
    return any(barred) or any(_bites(study, veto) for veto in vetoes)


def of_this_turn(condition: Local) -> bool:
    """Does it speak of what the player did in this turn?"""
    atoms = local_atoms(condition)
    return any(isinstance(a, JustDid | LeftOver) or (isinstance(a, HoldsOnly) and a.there) for a in atoms)
