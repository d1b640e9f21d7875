"""The reference meaning: what a formula says of one arrangement in one situation.

Twin of `verifier/encode.py`: same cases, same order, same names. Nothing here is clever; the fast
judge (`judge/`) and the solver are tested against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from .model import (
    DOUBLINGS,
    Amount,
    And,
    Arithmetic,
    Compare,
    Complete,
    Congruent,
    ContextIs,
    Defined,
    Feature,
    Formula,
    Game,
    LastAlike,
    LastFrom,
    LastIn,
    LastWild,
    Linear,
    Meld,
    Misnamed,
    NamedWin,
    Not,
    Number,
    Operator,
    Or,
    RoleIs,
    Score,
    Times,
    Transfer,
    Truth,
)


@dataclass(frozen=True, slots=True)
class Situation:
    """局面 apart from the tiles: who declares, where the last tile came from, what is called."""

    role: str
    last_from: str | None
    """Origin of the last tile; None when nothing was drawn."""
    context: Mapping[str, str] = field(default_factory=dict)
    declared: tuple[str, ...] | None = None
    """Names called; None means that the right ones are."""
    last_wild: bool = False
    """The last tile is a wild one."""
    last_alike: int = 0
    """Concealed tiles of the last tile's face besides it; 0 where there is no natural last tile."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """摆法: ids of ground melds, sorted; which of them holds the last tile; is the win shape met."""

    melds: tuple[int, ...]
    last_in: int | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Position:
    """All that a formula can ask about."""

    game: Game
    arrangement: Arrangement
    situation: Situation


def marked(game: Game, arrangement: Arrangement, face: int) -> list[Arrangement]:
    """The arrangement with the marked tile in each meld where it is worth most; itself when none holds it.

    Where every meld of the face counts as marked (皆), the one arrangement in which they all do.
    """
    if game.mark is not None and game.mark.every:
        names = {m: game.with_mark[m, face].id for m in arrangement.melds if (m, face) in game.with_mark}
        last = arrangement.last_in
        whole = tuple(sorted(names.get(m, m) for m in arrangement.melds))
        return [replace(arrangement, melds=whole, last_in=None if last is None else names.get(last, last))]
    melds = [game.with_mark.get((m, face)) for m in dict.fromkeys(arrangement.melds)]
    fitting = [(m, gain(m, game)) for m in melds if m is not None]
    most = max((points for _, points in fitting), default=0)
    found = [a for m, points in fitting if points == most for a in _with_mark(arrangement, m)]
    return found or [arrangement]


def gain(meld: Meld, game: Game) -> int:
    """What the mark in it adds to the first score table."""
    if not meld.prices or meld.base is None:
        return 0
    return (meld.prices[0].points or 0) - (game.melds[meld.base].prices[0].points or 0)


def _with_mark(arrangement: Arrangement, meld: Meld) -> Iterator[Arrangement]:
    """One meld replaced by its like with the mark: the one that holds the last tile, or another."""
    base = meld.base
    assert base is not None
    rest = list(arrangement.melds)
    rest.remove(base)
    melds = tuple(sorted((*rest, meld.id)))
    if arrangement.last_in != base or base in rest:
        yield replace(arrangement, melds=melds)
    if arrangement.last_in == base:
        yield replace(arrangement, melds=melds, last_in=meld.id)


def value(feature: Feature, arrangement: Arrangement) -> int:
    return sum(feature.weights[m] for m in arrangement.melds)


def linear(term: Linear, arrangement: Arrangement) -> int:
    assert not term.free, "a number was left open"
    return term.constant + sum(c * value(f, arrangement) for c, f in term.parts)


def compared(left: int, operator: Operator, right: int) -> bool:
    """The truth of `left operator right`."""
    match operator:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case "=":
            return left == right
        case "!=":
            return left != right
        case ">=":
            return left >= right
        case ">":
            return left > right
        case _:
            assert_never(operator)


def holds(formula: Formula, at: Position) -> bool:
    """Is the formula true of this arrangement in this situation?"""
    match formula:
        case Truth(known):
            return known
        case Compare(left, operator, right):
            return compared(linear(left, at.arrangement), operator, linear(right, at.arrangement))
        case Congruent(left, modulus, residue):
            return linear(left, at.arrangement) % modulus == residue
        case Not(part):
            return not holds(part, at)
        case And(parts):
            return all(holds(part, at) for part in parts)
        case Or(parts):
            return any(holds(part, at) for part in parts)
        case Defined(_, _, body):
            return holds(body, at)
        case Complete():
            return at.arrangement.complete
        case RoleIs(role):
            return at.situation.role == role
        case LastFrom(origins):
            return at.situation.last_from in origins
        case LastIn(types):
            last = at.arrangement.last_in
            return last is not None and at.game.melds[last].type.index in types
        case LastWild():
            return at.situation.last_wild
        case LastAlike(operator, bound):
            return compared(at.situation.last_alike, operator, bound)
        case ContextIs(parameter, wanted):
            return context_value(at.game, at.situation, parameter) == wanted
        case Misnamed():
            return misnamed(at)
        case _:
            assert_never(formula)


def context_value(game: Game, situation: Situation, parameter: str) -> str:
    """The value of a context parameter, its first value when the situation does not say."""
    default = next(p.values[0] for p in game.parameters if p.name == parameter)
    return situation.context.get(parameter, default)


def misnamed(at: Position) -> bool:
    """Is a name declared that does not hold?"""
    true_names = {n.name for n in at.game.names if holds(n.formula, at)}
    return any(name not in true_names for name in at.situation.declared or ())


def is_win(at: Position) -> bool:
    """和: the shape and every need."""
    return at.arrangement.complete and all(holds(n.formula, at) for n in at.game.win.needs)


def well_grouped(at: Position) -> bool:
    """摆法: may the tiles be grouped so at all?"""
    return all(holds(n.formula, at) for n in at.game.win.groupings)


def is_false_win(at: Position) -> bool:
    """诈和: any of the spec's reasons."""
    return any(holds(n.formula, at) for n in at.game.false_win)


def names_held(at: Position) -> tuple[NamedWin, ...]:
    """Named wins that hold, in the spec's order."""
    return tuple(n for n in at.game.names if holds(n.formula, at))


def names_counted(at: Position) -> tuple[NamedWin, ...]:
    """Named wins that hold and count."""
    return tuple(n for n in names_held(at) if counts(n, at.situation))


def counts(name: NamedWin, situation: Situation) -> bool:
    """Does a named win that holds count: it was called, or nothing is said of calling, or it need not be."""
    return situation.declared is None or name.uncalled or name.name in situation.declared


def times(game: Game, names: tuple[NamedWin, ...]) -> int:
    """倍: the multiplier after stacking; 1 without names."""
    factors = [n.times for n in names]
    if not factors:
        return 1
    match game.stacking:
        case "highest":
            return max(factors)
        case "sum":
            return sum(f for f in factors if f > 1) or 1
        case "product":
            result = 1
            for factor in factors:
                result *= factor
            return result
        case _:
            assert_never(game.stacking)


def claimed_times(game: Game, situation: Situation) -> int:
    """倍 of the names that were called, true or not: what a false win is fined by."""
    called = tuple(n for n in game.names if n.name in (situation.declared or ()))
    return times(game, called)


def amount(term: Amount, multiplier: int, scores: tuple[int, ...]) -> int:
    """An amount in units of the stake."""
    match term:
        case Number(number):
            return number
        case Times():
            return multiplier
        case Score(table):
            return scores[table]
        case Arithmetic("+", left, right):
            return amount(left, multiplier, scores) + amount(right, multiplier, scores)
        case Arithmetic("-", left, right):
            return amount(left, multiplier, scores) - amount(right, multiplier, scores)
        case Arithmetic("*", left, right):
            return amount(left, multiplier, scores) * amount(right, multiplier, scores)
        case Arithmetic("//", left, right):
            return max(amount(left, multiplier, scores), 0) // amount(right, multiplier, scores)
        case Arithmetic(_, left, right):
            return amount(left, multiplier, scores) * doubled(amount(right, multiplier, scores))
        case _:
            assert_never(term)


def doubled(times: int) -> int:
    """What so many doublings multiply by."""
    return 1 << min(max(times, 0), DOUBLINGS)


def actor_seat(game: Game, role: str) -> str:
    """The seat that the declarer of `role` takes in payments: the first of that role."""
    return next(s.name for s in game.seats if s.role == role)


def payments(
    at: Position,
    outcome: str,
    multiplier: int,
    scores: tuple[int, ...],
    gone: frozenset[str] = frozenset(),
) -> dict[str, int]:
    """What every seat gains or loses; the sum is 0 by construction. `gone`: seats that have no part in it."""
    active = tuple(t for t in at.game.transfers if holds(t.condition, at))
    return settle(at.game, at.situation.role, active, outcome, multiplier, scores, gone)


def settle(
    game: Game,
    role: str,
    transfers: tuple[Transfer, ...],
    outcome: str,
    multiplier: int,
    scores: tuple[int, ...],
    gone: frozenset[str] = frozenset(),
) -> dict[str, int]:
    """The sum of transfers whose conditions are known to hold; seats that are gone neither pay nor get."""
    net = {seat.name: 0 for seat in game.seats}
    actor = actor_seat(game, role)
    for transfer in transfers:
        if transfer.outcome != outcome:
            continue
        due = amount(transfer.amount, multiplier, scores)
        for payer in party(game, transfer.payer, actor):
            for payee in party(game, transfer.payee, actor):
                if payer != payee and not {payer, payee} & gone:
                    net[payer] -= due
                    net[payee] += due
    return net


def party(game: Game, who: str, actor: str) -> tuple[str, ...]:
    """The seats a payment means by `who`."""
    playing = tuple(s.name for s in game.seats if s.tiles)
    if who == "actor":
        return (actor,)
    if who == "others":
        return tuple(name for name in playing if name != actor)
    if who == "all":
        return playing
    which, role = who.split(":", 1)
    return tuple(s.name for s in game.seats if s.role == role and (which == "role" or s.name != actor))


def score(game: Game, arrangement: Arrangement, table: int = 0) -> int:
    """The arrangement's total in one score table; a price the source lacks counts 0."""
    return sum(game.melds[m].prices[table].points or 0 for m in arrangement.melds)


def scores(game: Game, arrangement: Arrangement) -> tuple[int, ...]:
    """Totals in all score tables."""
    return tuple(score(game, arrangement, i) for i in range(len(game.scores)))
