"""V101: can one declared win be both 和 and 诈和?"""

from __future__ import annotations

from collections.abc import Iterator

from ..blame import resisting, rules_of, says
from ..findings import Finding
from ..study import Study, every

TITLE = ("既和又诈和", "both a win and a false win")


def findings(study: Study) -> Iterator[Finding]:
    """One finding for each reason of 诈和 that a win can give."""
    for reason in study.game.false_win:
        witness = study.witness(every(study.win, reason.formula), f"和 且 {reason.rule.name}")
        if witness is None:
            continue
        needs = resisting(study, reason.formula)
        name = reason.rule.name
        yield study.finding(
            "error",
            (
                f"同一手牌既是和，又因 `{name}` 算诈和",
                f"one declared hand is a win and, by `{name}`, a false win",
            ),
            (*rules_of(needs, study.game.win.rule), reason.rule),
            witness,
            [says(need, witness) for need in (*needs, reason)],
            (
                f"把和里的例外也写进 `{name}`，或者写成 `当 {reason.name}：非 …`，只说一遍",
                f"repeat the win's exception in `{name}`, or state the condition once and negate it",
            ),
            subject=[name],
        )
