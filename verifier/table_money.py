"""Money at the table: breaches that cost nothing (V108), fines cheaper than what they ward off (V109)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dsl.core.flow import Breach
from dsl.core.model import And, Formula, Linear, RoleIs
from dsl.core.receipts import Receipt, compared_receipts
from dsl.table.state import Player, State

from .findings import Finding

if TYPE_CHECKING:
    from .study import Study


def costless(study: Study) -> Iterator[Finding]:
    """Breaches that are fined, and nobody pays; where no false win costs anything that is told as such."""
    payments = [t for t in study.game.transfers if t.outcome == "false_win"]
    for breach in _fined(study) if payments else ():
        if not any(any(_paid(study, seat)) for seat in study.tables.table.playing):
            said = (
                f"犯了 `{breach.name}` 要照诈和罚，却没有一笔要付",
                f"`{breach.name}` is fined like a false win, and nothing is paid for it",
            )
            rules = [breach.rule, *(t.rule for t in payments)]
            yield study.finding("warning", said, rules, subject=["unpaid", breach.rule.name])


def cheap(study: Study) -> Iterator[Finding]:
    """A breach that ends the deal, and costs less than another's win would."""
    ending = [breach for breach in _fined(study) if breach.ends]
    table = study.tables.table if ending else None
    for seat in () if table is None else table.playing:
        fine = -_paid(study, seat)[seat]
        dearer = _loses_more(study, seat, fine)
        witness = None if dearer is None else study.witness(dearer, f"和 且 付 > {fine}")
        if fine > 0 and witness is not None:
            name = study.game.seats[seat].name
            said = (
                f"`{name}` 犯规只罚 {fine}，别家和了他要付得更多：犯了规，这一局就完了",
                f"a breach costs `{name}` {fine}, another's win can cost more, and the breach ends the deal",
            )
            rules = [*(b.rule for b in ending), *(t.rule for t in study.game.transfers)]
            yield study.finding("info", said, rules, witness, subject=["fine", name])
            return


def _fined(study: Study) -> tuple[Breach, ...]:
    """Breaches that are settled like a false win."""
    flow = study.game.flow
    breaches = () if flow is None else flow.breaches
    return tuple(b for b in breaches if b.ends or b.later or b.fined)


def _paid(study: Study, seat: int) -> tuple[int, ...]:
    """What every seat gets when this one is fined, in the first of every circumstance."""
    game = study.game
    nobody = Player((0,) * len(game.kinds))
    context = {p.name: p.values[0] for p in game.parameters}
    state = State((), 0, (nobody,) * len(game.seats), context)
    return study.tables.table.verdicts.fined(state, seat)


def _loses_more(study: Study, seat: int, fine: int) -> Formula | None:
    """Another seat's win that costs this one more than the fine."""
    game = study.game
    name = game.seats[seat].name
    others = [role for role in game.roles if role != game.seats[seat].role] or list(game.roles)
    cost = compared_receipts(game, Linear(), "<", Linear(constant=-fine), ((1, Receipt(name, "win")),))
    return None if cost is None else And((study.win, RoleIs(others[0]), cost))
