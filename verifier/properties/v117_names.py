"""V117: named wins that imply, equal or exclude one another, and what happens when two meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from dsl.core.model import NamedWin, Not, Rule

from .. import ask
from ..decode import Witness
from ..findings import Finding, Words
from ..study import Study, every

TITLE = ("名与名", "named wins and one another")

Pairs = list[tuple[NamedWin, NamedWin]]


def findings(study: Study) -> Iterator[Finding]:
    """Equal and implied names one by one; pairs that meet or exclude each other in one finding each."""
    wins = _Wins(study)
    live = [name for name in study.game.names if wins.some_has((name,)) is not False]
    pairs = list(combinations(live, 2))
    apart = [pair for pair in pairs if wins.some_has(pair) is False]
    meeting = [pair for pair in pairs if pair not in apart]
    for left, right in meeting:
        yield from _implied(study, wins, left, right)
    yield from _excluding(study, apart)
    yield from _meeting(study, meeting)


class _Wins:
    """Which combinations of names winning hands have; every model found answers for later pairs too."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.seen: set[frozenset[str]] = set()

    def some_has(self, names: Sequence[NamedWin], without: Sequence[NamedWin] = ()) -> bool | None:
        """Is there a win with all of these names and none of those?"""
        wanted, unwanted = {n.name for n in names}, {n.name for n in without}
        if any(wanted <= held and not unwanted & held for held in self.seen):
            return True
        formula = every(self.study.win, *(n.formula for n in names), *(Not(n.formula) for n in without))
        answer = self.study.possible(formula, " 且 ".join([*wanted, *(f"非 {name}" for name in unwanted)]))
        if answer:
            self.seen.add(ask.true_names(self.study.world))
        return answer


def _implied(study: Study, wins: _Wins, left: NamedWin, right: NamedWin) -> Iterator[Finding]:
    onward = wins.some_has((left,), (right,)) is False
    back = wins.some_has((right,), (left,)) is False
    if onward and back:
        said = (f"`{left.name}` 和 `{right.name}` 是一回事", f"`{left.name}` and `{right.name}` are the same")
    elif onward:
        said = (f"凡 `{left.name}` 都是 `{right.name}`", f"every `{left.name}` is `{right.name}`")
    elif back:
        said = (f"凡 `{right.name}` 都是 `{left.name}`", f"every `{right.name}` is `{left.name}`")
    else:
        return
    subject = [left.rule.name, right.rule.name]
    yield study.finding("info", said, [left.rule, right.rule], subject=subject)


def _excluding(study: Study, pairs: Pairs) -> Iterator[Finding]:
    if pairs:
        said = (
            f"有 {len(pairs)} 对名永远碰不到一起",
            f"{len(pairs)} pair{'s' if len(pairs) > 1 else ''} of names exclude each other",
        )
        subject = ["apart"]
        yield study.finding("info", said, _rules(pairs), verdicts=_listed(pairs), subject=subject)


def _meeting(study: Study, pairs: Pairs) -> Iterator[Finding]:
    """Names that can hold together: fine as long as 叠法 says what they are worth then."""
    game = study.game
    worth = [(a, b) for a, b in pairs if a.times > 1 and b.times > 1]
    if not worth or (game.stacking_rule is not None and game.stacking != "highest"):
        return
    left, right = worth[0]
    shows: Witness | None = study.witness(every(study.win, left.formula, right.formula), "叠法")
    many = (
        f"有 {len(worth)} 对加倍的名可以同时成立",
        f"{len(worth)} pairs of multiplying names can hold together",
    )
    if game.stacking_rule is None:
        said = (f"{many[0]}，却没有写怎么叠，算作只取最高", f"{many[1]} and no clause says how they stack")
        help_ = ("在 名 里写明 `叠法 …`", "say `stacking …` among the names")
        yield study.finding("warning", said, _rules(worth), shows, _listed(worth), help_, ["meeting"])
        return
    name = game.stacking_rule.name
    said = (f"{many[0]}，按 `{name}` 只算最高的", f"{many[1]}; by `{name}` only the highest counts")
    rules = [game.stacking_rule, *_rules(worth)]
    yield study.finding("info", said, rules, shows, _listed(worth), subject=["meeting"])


def _rules(pairs: Pairs) -> list[Rule]:
    return [name.rule for pair in pairs for name in pair]


def _listed(pairs: Pairs) -> list[Words]:
    return [(f"`{a.name}` 与 `{b.name}`", f"`{a.name}` and `{b.name}`") for a, b in pairs]
