"""V105: conditions that always hold where they are asked, and exceptions that are never needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.core.describe import describe
from dsl.core.model import Complete, Formula, NamedWin, Need, Not, Rule

from ..findings import Finding
from ..formulas import alternatives, conjuncts, features
from ..study import Study, every, none_of

TITLE = ("说了等于没说", "always holds")


def findings(study: Study) -> Iterator[Finding]:
    """Redundant needs of a win, their alternatives, and parts of named wins; what is said twice, once."""
    yield from {finding.subject: finding for finding in _all(study)}.values()


def _all(study: Study) -> Iterator[Finding]:
    if study.impossible(study.win, "和"):
        return
    for need in study.game.win.needs:
        yield from _need(study, need)
    for name in study.game.names:
        if not study.impossible(every(study.win, name.formula), name.rule.name):
            yield from _name(study, name)


def _need(study: Study, need: Need) -> Iterator[Finding]:
    others = [n.formula for n in study.game.win.needs if n is not need]
    given = every(Complete(), *others)
    if study.impossible(every(given, Not(need.formula)), need.rule.name):
        said = (
            f"`{need.rule.name}` 不写也一样：别的条件都满足时它总是成立",
            f"`{need.rule.name}` changes nothing: it holds whenever the other conditions do",
        )
        yield study.finding("info", said, [need.rule, study.game.win.rule], subject=[need.rule.name])
        return
    yield from _choices(study, need.rule, given, alternatives(need.formula))


def _name(study: Study, name: NamedWin) -> Iterator[Finding]:
    if study.impossible(every(study.win, Not(name.formula)), name.rule.name):
        said = (f"凡和的牌都是 `{name.name}`", f"every winning hand is `{name.name}`")
        yield study.finding("info", said, [name.rule], subject=[name.rule.name])
        return
    parts = conjuncts(name.formula)
    for part in _written(parts) if len(parts) > 1 else ():
        others = [p for p in parts if p is not part]
        if study.impossible(every(study.win, *others, Not(part)), name.rule.name):
            yield _idle(study, name.rule, part)
    yield from _choices(study, name.rule, study.win, alternatives(name.formula))


def _written(parts: Sequence[Formula]) -> list[Formula]:
    """Parts that the author wrote one by one, not those that `凡 房` spells out for every group."""
    return [part for part in parts if not any("@" in feature.name for feature in features(part))]


def _choices(study: Study, rule: Rule, given: Formula, choices: Sequence[Formula]) -> Iterator[Finding]:
    """Alternatives of a condition that never make a difference."""
    for i, choice in enumerate(choices if len(choices) > 1 else ()):
        rest = none_of([*choices[:i], *choices[i + 1 :]])
        if study.impossible(every(given, choice, rest), rule.name):
            yield _idle(study, rule, choice)


def _idle(study: Study, rule: Rule, part: Formula) -> Finding:
    zh, en = describe(part, "zh"), describe(part, "en")
    said = (
        f"`{rule.name}` 里的“{zh}”不写也一样",
        f"“{en}” in `{rule.name}` changes nothing",
    )
    return study.finding("info", said, [rule], subject=[rule.name, zh])
