"""V108: outcomes that nobody pays, payments without effect or below zero, seats that money never reaches.

What one seat pays another gets, in whole units: sums of zero need no check. What can still go wrong does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.core.amounts import can_be_negative
from dsl.core.evaluate import actor_seat, party
from dsl.core.formulas import false_win_formula
from dsl.core.model import Formula, Game, RoleIs, Rule, Seat, Transfer

from ..findings import Finding, Words
from ..study import Study, every, none_of
from ..table_money import costless

TITLE = ("收付", "payments")
OUTCOMES: dict[str, Words] = {"win": ("和", "win"), "false_win": ("诈和", "false win")}
NO_TRANSFERS = ("规则没有写收付", "the ruleset describes no payments")


def findings(study: Study) -> Iterator[Finding]:
    """Unpaid outcomes, idle payments, negative amounts, seats left out."""
    game = study.game
    if not game.transfers:
        if game.judgement:
            return  # what is not a win need not be paid for
        yield study.finding("info", NO_TRANSFERS, [game.win.rule], subject=["none"])
        return
    for outcome, words in OUTCOMES.items():
        yield from _unpaid(study, outcome, words)
    for transfer in game.transfers:
        if not any(_moves(game, transfer, role) for role in game.roles):
            yield _idle(study, transfer)
        elif transfer.outcome in OUTCOMES:
            yield from _negative(study, transfer)
    yield from _left_out(study)
    yield from costless(study)


def _moves(game: Game, transfer: Transfer, role: str) -> bool:
    """Does money change hands when the winner or offender has this role?"""
    return bool(_reached(game, transfer, role))


def _reached(game: Game, transfer: Transfer, role: str) -> frozenset[str]:
    """Seats that pay or are paid."""
    actor = actor_seat(game, role)
    payers, payees = party(game, transfer.payer, actor), party(game, transfer.payee, actor)
    return frozenset(seat for a in payers for b in payees if a != b for seat in (a, b))


# ---------------------------------------------------------------- outcomes


def happens(study: Study, outcome: str) -> Formula:
    """The outcome as a condition."""
    if outcome == "win":
        return study.win
    return false_win_formula(study.game)


def _unpaid(study: Study, outcome: str, words: Words) -> Iterator[Finding]:
    """One finding for an outcome: the first role in which it can come about and nobody pays."""
    game = study.game
    own = [t for t in game.transfers if t.outcome == outcome]
    for role in game.roles:
        paying = [t.condition for t in own if _moves(game, t, role)]
        free = every(happens(study, outcome), RoleIs(role), none_of(paying))
        witness = study.witness(free, f"{words[0]} 且 无人付")
        if witness is not None:
            said = (
                f"`{role}` {words[0]}了，没有一笔要付",
                f"a {words[1]} of `{role}` for which nobody pays anything",
            )
            rules = [t.rule for t in own] or [game.win.rule, *(t.rule for t in game.transfers)]
            help_ = (f"在 支付 里写明 `{words[0]}：…`", f"say in the payments what a {words[1]} costs")
            yield study.finding("warning", said, rules, witness, mend=help_, subject=["unpaid", outcome])
            return


# ---------------------------------------------------------------- single payments


def _idle(study: Study, transfer: Transfer) -> Finding:
    name = transfer.rule.name
    said = (
        f"`{name}` 付的和收的总是同一家，等于没付",
        f"in `{name}` payer and payee are always the same seat, so nothing changes hands",
    )
    return study.finding("warning", said, [transfer.rule, *seat_rules(study.game)], subject=["idle", name])


def _negative(study: Study, transfer: Transfer) -> Iterator[Finding]:
    name = transfer.rule.name
    formula = can_be_negative(study.game, transfer)
    if formula is None:
        study.leave_open(f"{name} < 0", ("数额不是分的一次式", "the amount is not linear in the scores"))
        return
    witness = study.witness(
        every(happens(study, transfer.outcome), transfer.condition, formula), f"{name} < 0"
    )
    if witness is not None:
        said = (
            f"`{name}` 这一笔可以小于零，收的反而付",
            f"the payment `{name}` can be negative, so that the payee pays",
        )
        help_ = ("给它加上条件，或者改数额", "put a condition on it, or change the amount")
        subject = ["negative", name]
        yield study.finding("warning", said, [transfer.rule], witness, mend=help_, subject=subject)


# ---------------------------------------------------------------- seats


def _left_out(study: Study) -> Iterator[Finding]:
    """Seats that neither pay nor are paid, whoever wins or offends."""
    game = study.game
    reached = {s for t in game.transfers for role in game.roles for s in _reached(game, t, role)}
    for seat in (seat for seat in game.seats if seat.name not in reached):
        playing = seat.tiles > 0
        said = (
            f"`{seat.name}` 从来不付也不收",
            f"`{seat.name}` never pays and is never paid",
        )
        rules = [*_rules_of(game, seat), *(t.rule for t in game.transfers)]
        yield study.finding("warning" if playing else "info", said, rules, subject=["seat", seat.name])


def _rules_of(game: Game, seat: Seat) -> Sequence[Rule]:
    return [rule for rule in game.rules if rule.name == f"座.{seat.role}"]


def seat_rules(game: Game) -> list[Rule]:
    """The clauses that say who sits at the table."""
    return [rule for rule in game.rules if rule.name.startswith("座.")]
