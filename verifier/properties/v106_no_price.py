"""V106: melds that a winning hand can hold and for which the source gives no price."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Complete, Meld
from dsl.text.source import Span

from ..findings import Finding
from ..study import Study, every, some

TITLE = ("没有价", "no price")


def findings(study: Study) -> Iterator[Finding]:
    """One finding per clause that leaves the price out."""
    for table, name in enumerate(study.game.scores):
        for melds in _unpriced(study, table):
            rules = list(dict.fromkeys(m.prices[table].rule for m in melds))
            has = some(rules[0].name, study.game, melds)
            witness = study.witness(every(study.win, has), rules[0].name)
            witness = witness or study.witness(every(Complete(), has), rules[0].name)
            if witness is not None:
                kinds = "、".join(dict.fromkeys(m.type.name for m in melds))
                yield study.finding(
                    "warning",
                    (
                        f"`{name}` 里没有这些 `{kinds}` 的价，算牌时当作 0",
                        f"`{name}` has no price for these melds `{kinds}`; they count as 0",
                    ),
                    [*rules, *dict.fromkeys(m.type.rule for m in melds)],
                    witness,
                    mend=("查原文，或者用读法写明算多少", "look it up, or settle it with a reading"),
                    subject=sorted(rule.name for rule in rules),
                )


def _unpriced(study: Study, table: int) -> list[list[Meld]]:
    """Melds that can stand in a win and have no price, by the place in the text that says so."""
    found: dict[Span, list[Meld]] = {}
    for meld in study.world.melds:
        if not meld.stand and meld.prices[table].points is None:
            found.setdefault(meld.prices[table].rule.span, []).append(meld)
    return list(found.values())
