"""Which of two rulesets wins or pays more, where their hands are too many to be gone through.

Both have to have the same melds. Then an arrangement in a situation is one of both, and the solver answers
whether one can win under the one ruleset and not under the other. If none can, whatever wins here wins there.
If one can, its hand is judged by both: where another arrangement of it wins as well, the question stays open.
So it is with payments: no arrangement under which some seat gets another sum, then the same is paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from itertools import product

from dsl.core.evaluate import actor_seat
from dsl.core.formulas import win_formula
from dsl.core.hand import Hand
from dsl.core.model import (
    And,
    Compare,
    Complete,
    Formula,
    Game,
    Misnamed,
    Not,
    Or,
    Outcome,
    RoleIs,
    Transfer,
)
from dsl.core.receipts import Receipt, receipt_cases
from dsl.judge.compiled import Compiled

from . import ask
from .essence import plain
from .meaning import Relation
from .world import World

Found = tuple[bool | None, Hand | None]
"""Does every win of the one win in the other (None: open), and a hand that does not."""


def comparable(left: Game, right: Game) -> bool:
    """Are the arrangements of the one those of the other, in the same situations?"""
    return _face(left) == _face(right)


def _face(game: Game) -> Hashable:
    melds = tuple((m.type.name, m.type.gives, m.type.locked, m.type.extra, m.slots) for m in game.melds)
    parameters = tuple((p.name, p.values) for p in game.parameters)
    return melds, game.dims, game.win.shape, game.seats, parameters, game.wild, game.mark, game.apart


def priced_alike(left: Game, right: Game) -> bool:
    """Has every arrangement the same score under both?"""
    one, other = ([m.prices[0].points or 0 if m.prices else 0 for m in g.melds] for g in (left, right))
    return one == other


def wins(left: Compiled, right: Compiled) -> tuple[Relation, tuple[Hand | None, Hand | None]]:
    """The relation of the hands that win, and one that wins on the left only, on the right only."""
    (forth, one), (back, other) = _inclusion(left, right), _inclusion(right, left)
    return _relation(forth, back, left, right), (one, other)


def _relation(forth: bool | None, back: bool | None, left: Compiled, right: Compiled) -> Relation:
    if forth is None or back is None:
        return "unknown"
    if forth or back:
        return "equal" if forth and back else "subset" if forth else "superset"
    both = (plain(win_formula(side.game)) for side in (left, right))
    shared = ask.possible(World(left.game), And((*both, Not(Misnamed()))))
    return "overlap" if shared else "unknown"


def _inclusion(one: Compiled, other: Compiled) -> Found:
    """Does what wins in the first win in the second?"""
    win, loses = plain(win_formula(one.game)), Not(plain(win_formula(other.game)))
    answer = ask.ask(World(one.game), And((win, loses, Not(Misnamed()))))
    match answer:
        case ask.Proved():
            return True, None
        case ask.Refuted(witness) if not other.is_win(witness.hand):
            return False, witness.hand
        case _:
            return None, None


# ---------------------------------------------------------------- payments

OUTCOMES: tuple[Outcome, ...] = ("win", "false_win")
MOST = 5_000
"""Cases of two sums of payments that are put to the solver."""
NEVER = Or(())


def payments(left: Compiled, right: Compiled, won_alike: bool) -> tuple[Relation, list[Hand]]:
    """The relation of what hands pay, and hands that pay otherwise, one for an outcome.

    `won_alike`: do the same arrangements win?
    """
    games = _unshared(left.game, right.game)
    differ = {outcome: _otherwise(*games, outcome) for outcome in OUTCOMES}
    found = {outcome: _paid(left, right, differs, outcome) for outcome, differs in differ.items()}
    differing = [hand for _, hand in found.values() if hand is not None]
    if differing:
        plainly = sorted(OUTCOMES, key=lambda outcome: differ[outcome] != NEVER)
        same = any(_same_paid(left, right, differ[outcome], outcome) for outcome in plainly)
        return ("overlap" if same else "different"), differing
    chosen = left.game.win.choice == right.game.win.choice and priced_alike(left.game, right.game)
    fined = _without(left.game, right.game), _without(right.game, left.game)
    refused_alike = not any(t.outcome == "false_win" for own in fined for t in own)
    proved = won_alike and chosen and refused_alike and all(alike for alike, _ in found.values())
    return ("equal" if proved else "unknown"), []


def _paid(left: Compiled, right: Compiled, differs: Formula | None, outcome: Outcome) -> Found:
    """Do all arrangements of that outcome on both sides pay the same, and a hand that does not."""
    if differs is None:
        return None, None
    if differs == NEVER:
        return True, None
    match ask.ask(World(left.game), And((_fall(left.game, right.game, outcome), differs))):
        case ask.Proved():
            return True, None
        case ask.Refuted(witness) if _pay(left, right, witness.hand) is False:
            return False, witness.hand
        case _:
            return None, None


def _same_paid(left: Compiled, right: Compiled, differs: Formula | None, outcome: Outcome) -> bool:
    """Is there a hand of that outcome of which both pay the same?"""
    if differs is None:
        return False
    answer = ask.ask(World(left.game), And((_fall(left.game, right.game, outcome), Not(differs))))
    return isinstance(answer, ask.Refuted) and _pay(left, right, answer.witness.hand) is True


def _pay(left: Compiled, right: Compiled, hand: Hand) -> bool | None:
    """Do both pay the same for the hand? None where only one of them takes it for a win."""
    one, other = left.outcome(hand), right.outcome(hand)
    return one.payments == other.payments if one.win == other.win else None


def _fall(left: Game, right: Game, outcome: Outcome) -> Formula:
    """An arrangement that wins on both sides, or on neither, with the names called rightly."""
    wins = (plain(win_formula(game)) for game in (left, right))
    return And((*(wins if outcome == "win" else map(Not, wins)), Complete(), Not(Misnamed())))


def _otherwise(left: Game, right: Game, outcome: Outcome) -> Formula | None:
    """Some seat gets another sum in the outcome; None where sums have no cases, or too many.

    What all others get says what the one gets who wins or offends.
    """
    found: dict[Formula, None] = {}
    for role, seat in product(left.roles, left.seats):
        if seat.name == actor_seat(left, role):
            continue
        ours, theirs = (receipt_cases(game, role, Receipt(seat.name, outcome)) for game in (left, right))
        if ours is None or theirs is None or len(ours) * len(theirs) > MOST:
            return None
        alike = {when for when, _ in ours} == {given for given, _ in theirs}  # of those one holds
        for (when, term), (given, other) in product(ours, theirs):
            if term != other and not (alike and when != given):
                found[And((RoleIs(role), when, given, Compare(term, "!=", other)))] = None
    return Or(tuple(found))


def _unshared(left: Game, right: Game) -> tuple[Game, Game]:
    """Both without the payments that they share, if names multiply alike."""
    if _multiplying(left) != _multiplying(right):
        return left, right
    own, others = _without(left, right), _without(right, left)
    return replace(left, transfers=own), replace(right, transfers=others)


def _without(game: Game, other: Game) -> tuple[Transfer, ...]:
    """The payments of a game for which the other has none like it."""
    shared, own = Counter(map(_due, other.transfers)), []
    for transfer in game.transfers:
        if shared[_due(transfer)]:
            shared[_due(transfer)] -= 1
        else:
            own.append(transfer)
    return tuple(own)


def _multiplying(game: Game) -> Hashable:
    return game.stacking, tuple((plain(n.formula), n.times) for n in game.names)


def _due(transfer: Transfer) -> Hashable:
    return transfer.outcome, transfer.payer, transfer.payee, transfer.amount, plain(transfer.condition)
