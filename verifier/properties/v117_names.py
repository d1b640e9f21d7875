"""V117: named wins that imply, equal or exclude one another, and what happens when two meet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dsl.core.model import NamedWin, Not, Rule

from ..decode import Witness
from ..findings import Finding, Words
from ..study import Study, every

TITLE = ("名与名", "named wins and one another")


def findings(study: Study) -> Iterator[Finding]:
    """Equal and implied names one by one; pairs that meet or exclude each other in one finding each."""
    live = [n for n in study.game.names if not study.impossible(every(study.win, n.formula), n.rule.name)]
    meeting: list[tuple[NamedWin, NamedWin]] = []
    apart: list[tuple[NamedWin, NamedWin]] = []
    for left, right in combinations(live, 2):
        both = every(study.win, left.formula, right.formula)
        if study.impossible(both, f"{left.name} 且 {right.name}"):
            apart.append((left, right))
            continue
        meeting.append((left, right))
        yield from _implied(study, left, right)
    yield from _excluding(study, apart)
    yield from _meeting(study, meeting)


def _implied(study: Study, left: NamedWin, right: NamedWin) -> Iterator[Finding]:
    onward = _implies(study, left, right)
    back = _implies(study, right, left)
    if onward and back:
        said = (f"`{left.name}` 和 `{right.name}` 是一回事", f"`{left.name}` and `{right.name}` are the same")
    elif onward:
        said = (f"凡 `{left.name}` 都是 `{right.name}`", f"every `{left.name}` is `{right.name}`")
    elif back:
        said = (f"凡 `{right.name}` 都是 `{left.name}`", f"every `{right.name}` is `{left.name}`")
    else:
        return
    yield study.finding("info", said, [left.rule, right.rule])


def _implies(study: Study, left: NamedWin, right: NamedWin) -> bool:
    question = f"{left.name} 则 {right.name}"
    return study.impossible(every(study.win, left.formula, Not(right.formula)), question)


def _excluding(study: Study, pairs: list[tuple[NamedWin, NamedWin]]) -> Iterator[Finding]:
    if pairs:
        said = ("有的名永远碰不到一起", "some names exclude each other")
        yield study.finding("info", said, _rules(pairs), verdicts=[_pair(a, b) for a, b in pairs])


def _meeting(study: Study, pairs: list[tuple[NamedWin, NamedWin]]) -> Iterator[Finding]:
    """Names that can hold together: fine as long as 叠法 says what they are worth then."""
    game = study.game
    worth = [(a, b) for a, b in pairs if a.times > 1 and b.times > 1]
    if not worth:
        return
    left, right = worth[0]
    shows: Witness | None = study.witness(every(study.win, left.formula, right.formula), "叠法")
    if game.stacking_rule is None:
        said = (
            "几个加倍的名可以同时成立，却没有写怎么叠，算作只取最高",
            "names that multiply can hold together and no clause says how they stack; the highest counts",
        )
        yield study.finding("warning", said, _rules(worth), shows, [_pair(a, b) for a, b in worth])
    elif game.stacking == "highest":
        said = (
            f"几个加倍的名可以同时成立，按 `{game.stacking_rule.name}` 只算最高的",
            f"names that multiply can hold together; by `{game.stacking_rule.name}` only the highest counts",
        )
        rules = [game.stacking_rule, *_rules(worth)]
        yield study.finding("info", said, rules, shows, [_pair(a, b) for a, b in worth])


def _rules(pairs: list[tuple[NamedWin, NamedWin]]) -> list[Rule]:
    return [name.rule for pair in pairs for name in pair]


def _pair(left: NamedWin, right: NamedWin) -> Words:
    return f"`{left.name}` 与 `{right.name}`", f"`{left.name}` and `{right.name}`"
