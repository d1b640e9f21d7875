"""Which clauses a finding points at, and what each of them says of the witness."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.core.describe import describe
from dsl.core.evaluate import holds
from dsl.core.model import Complete, Formula, Need, Rule

from .decode import Witness
from .findings import Words
from .formulas import alternatives, bare, topics
from .study import Study, every


def resisting(study: Study, denied: Formula) -> tuple[Need, ...]:
    """Needs of a win that are at odds with a condition and let it through all the same.

    Such a need has an alternative that the condition rules out, beside one that it does not. Failing
    that, needs that look at the same things; failing that, none.
    """
    needs = study.game.win.needs
    found = tuple(need for need in needs if _has_denied_alternative(study, need, denied))
    if found:
        return found
    return tuple(need for need in needs if topics(need.formula) & topics(denied))


def _has_denied_alternative(study: Study, need: Need, denied: Formula) -> bool:
    question = f"{need.rule.name} against a false win"
    return any(
        study.impossible(every(Complete(), alternative, denied), question)
        and not study.impossible(every(Complete(), alternative), question)
        for alternative in alternatives(need.formula)
    )


def rules_of(needs: Sequence[Need], otherwise: Rule) -> tuple[Rule, ...]:
    """The clauses of these needs, or another one when there are none."""
    return tuple(need.rule for need in needs) or (otherwise,)


def says(need: Need, witness: Witness) -> Words:
    """Whether a condition holds of the witness, with the numbers that decide."""
    kept = holds(need.formula, witness.position)
    zh, en = (describe(bare(need.formula), lang, witness.position) for lang in ("zh", "en"))
    return (
        f"`{need.rule.name}` {'成立' if kept else '不成立'}：{zh}",
        f"`{need.rule.name}` {'holds' if kept else 'fails'}: {en}",
    )
