"""Hands that two versions of a ruleset are likely to judge differently, found by asking for what differs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import dsl
from dsl.core.formulas import false_win_formula, win_formula
from dsl.core.hand import to_json
from dsl.core.model import And, Complete, Formula, Game, Meld, Not, Or, Truth, WaitIs
from dsl.judge.hands import ask_hands

from .essence import plain, points, wait_key, world_key
from .findings import counted_hand
from .readings import Prober
from .study import some

NO, YES = Truth(False), Truth(True)
JUDGED = ("complete", "verdict", "score", "scores", "names", "points", "payments", "conflict")


def telling(prober: Prober, old: dsl.Game, new: dsl.Game) -> dict[str, Any] | None:
    """A hand (as the JSON interface spells it) that the two judge differently, or None where none was found.

    None is no proof: only the hands that come to mind are tried, one for each thing that differs.
    """
    for hand in likely(prober, old.core, new.core):
        if judged(old, hand) != judged(new, hand):
            return hand
    if wait_key(old.core) != wait_key(new.core):
        for hand in _waiting(old, new):
            if waits(old, hand) != waits(new, hand):
                return hand
    return None


def judged(game: dsl.Game, hand: dict[str, Any]) -> Any:
    """What is said of a finished hand, or the code of why it cannot be one."""
    try:
        answer = game.judge(hand).to_json()
    except dsl.HandError as error:
        return [fault.code for fault in error.diagnostics]
    return {key: answer.get(key) for key in JUDGED}


def waits(game: dsl.Game, hand: dict[str, Any]) -> Any:
    """What is said of a waiting hand, or the code of why it cannot be one."""
    try:
        answer = game.waits(hand).to_json()
    except dsl.HandError as error:
        return [fault.code for fault in error.diagnostics]
    return [answer["types"], [wait["tile"] for wait in answer["waits"]]]


def likely(prober: Prober, old: Game, new: Game) -> Iterator[dict[str, Any]]:
    """A hand for each difference, held by every role in turn."""
    for game, formula in parted(old, new):
        for hand in prober.of(game).hand_of(formula):
            shown = to_json(game, hand)
            yield shown
            yield from (
                {**shown, "role": role} for role in game.seen_by(hand.role).roles if role != hand.role
            )


def _waiting(old: dsl.Game, new: dsl.Game) -> Iterator[dict[str, Any]]:
    """One waiting hand of each type, as either side understands it."""
    for game in (old, new):
        for wait in game.core.waits:
            found = ask_hands(game.compiled, WaitIs(wait.name))
            if found.first is not None:
                yield dict(counted_hand(game.core, found.hand(game.core.roles[-1])).hand)


# ---------------------------------------------------------------- what differs


def parted(old: Game, new: Game) -> Iterator[tuple[Game, Formula]]:
    """What holds of a hand that the two may judge differently, and the game in whose words that is said."""
    if world_key(old) != world_key(new):
        for mine, other in ((old, new), (new, old)):
            there = {_look(meld) for meld in other.melds}
            melds = [meld for meld in mine.melds if _look(meld) not in there]
            yield mine, And((win_formula(mine), some("牌型", mine, melds) if melds else YES))
            yield mine, And((Complete(), Not(win_formula(mine))))
        return
    wins = Or((win_formula(old), win_formula(new)))
    yield from ((old, formula) for formula in _conditions(old, new, wins))
    melds = [m for m, n in zip(old.melds, new.melds, strict=True) if points(m) != points(n)]
    yield old, And((wins, some("价", old, melds) if melds else YES))
    yield old, And((Complete(), some("价", old, melds) if melds else Not(wins)))
    if (old.stacking, old.win.choice) != (new.stacking, new.win.choice):
        for first, second in combinations([n for n in old.names if n.times > 1], 2):
            yield old, And((wins, first.formula, second.formula))


@dataclass(frozen=True, slots=True)
class _Part:
    """A condition, where it matters, what it is when nothing is said, and what else belongs to it."""

    formula: Formula
    guard: Formula
    unsaid: Formula
    value: Hashable = None


def _conditions(old: Game, new: Game, wins: Formula) -> Iterator[Formula]:
    before, after = _parts(old, wins), _parts(new, wins)
    for key in dict.fromkeys((*before, *after)):
        known = before.get(key) or after[key]
        one, other = (side[key].formula if key in side else known.unsaid for side in (before, after))
        if plain(one) != plain(other):
            yield And((known.guard, one, Not(other)))
            yield And((known.guard, other, Not(one)))
        elif before[key].value != after[key].value:
            yield And((known.guard, one))


def _parts(game: Game, wins: Formula) -> dict[tuple[str, str], _Part]:
    parts: dict[tuple[str, str], _Part] = {}
    for need in game.win.needs:
        parts["须", need.name] = _Part(need.formula, Complete(), YES)
    for reason in game.false_win:
        parts["当", reason.name] = _Part(reason.formula, YES, NO)
    for name in game.names:
        parts["名", name.name] = _Part(name.formula, wins, NO, (name.times, name.aliases, name.uncalled))
    false = false_win_formula(game)
    for t in game.transfers:
        guard = wins if t.outcome == "win" else false
        parts["付", t.rule.name] = _Part(t.condition, guard, NO, (t.outcome, t.payer, t.payee, t.amount))
    return parts


def _look(meld: Meld) -> Hashable:
    t = meld.type
    return (t.name, t.gives, t.locked, t.laid_only, t.extra, t.by_last, t.grows, meld.slots)
