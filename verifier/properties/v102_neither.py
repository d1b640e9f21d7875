"""V102: can a declared win be neither 和 nor 诈和?"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Complete, Need, Not

from ..blame import says
from ..findings import Finding
from ..study import Study, every, none_of

TITLE = ("既不和又不诈和", "neither a win nor a false win")


def findings(study: Study) -> Iterator[Finding]:
    """One finding for each condition of a win whose breach is no 诈和, its only fault."""
    game = study.game
    fine = none_of([reason.formula for reason in game.false_win])
    wants = (Need("形", Complete(), game.win.rule), *game.win.needs)
    for want in wants:
        others = [w.formula for w in wants if w is not want and want.name != "形"]
        limbo = every(*others, Not(want.formula), fine)
        witness = study.witness(limbo, f"非 {want.rule.name} 且 非 诈和")
        if witness is not None:
            name = want.rule.name
            yield study.finding(
                "error",
                (
                    f"报了和却只差 `{name}` 的，不是和，也没有说是诈和",
                    f"a declared hand that only fails `{name}` is no win, and no clause makes it a false win",
                ),
                (want.rule, *(reason.rule for reason in game.false_win)),
                witness,
                [says(need, witness) for need in (want, *game.false_win)],
                (
                    f"在 诈和 里加一条 `当 …：非 {want.name}`",
                    f"add `where …: not {want.name}` to the false wins",
                ),
                subject=[name],
            )
