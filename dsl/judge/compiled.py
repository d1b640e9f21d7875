"""A game compiled for judging: verdicts, win tests and waits on the automaton."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.evaluate import Arrangement, claimed_times, settle, times
from ..core.formulas import false_win_formula, win_formula
from ..core.hand import Hand
from ..core.model import OWN, OWN_DRAW, WILD, Amount, Arithmetic, Formula, Game, Score
from ..core.reference import Outcome, canonical, refused
from .asked import contexts_asked
from .automaton import Automaton, State
from .probes import Condition, Sight, met, rises, situation_key
from .rows import NO_WILDS, Row, Wilds

UNCAPPED = 1_000_000_000
"""More than any score."""


@dataclass(frozen=True, slots=True)
class Final:
    """What one final vector comes to in a situation."""

    vector: tuple[int, ...]
    score: int
    win: bool
    false_win: bool
    names: tuple[str, ...]
    times: int
    payments: tuple[tuple[str, int], ...]
    rank: tuple[bool, int, int]
    missing: tuple[str, ...] = ()
    """Names of the needs of 和 that are not met."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes a hand, and the verdict it would get as an own draw or from another."""

    kind: int
    origin: str
    final: Final


class Compiled:
    """The automata of one game and the caches of their final states.

    Hands with as many wild tiles share automata; `of` gives the ones that read a hand.
    """

    def __init__(self, game: Game, wilds: Wilds = NO_WILDS) -> None:
        self.game = game
        self.wilds = wilds
        self._others: dict[Wilds, Compiled] = {wilds: self}
        self._by_number: dict[tuple[int, bool], Compiled] = {}
        self._in_context = game.wild is None or bool(contexts_asked(game))
        self._best: dict[tuple[int, int, object], tuple[Final, ...]] = {}
        self._wins: dict[tuple[int, object], bool] = {}
        self._seats = {seat.role: seat.name for seat in reversed(game.seats)}

    def of(self, hand: Hand) -> Compiled:
        """The automata that read hands with as many wild tiles as this one."""
        if self.game.wild is None:
            return self
        last = hand.last is not None and hand.last[0] == WILD
        number = hand.all_wilds(self.game) if hand.laid else hand.wilds + last
        known = self._by_number.get((number, last))
        if known is None:
            known = self._by_number[number, last] = self.with_wilds(Wilds(number, last))
        return known

    def with_wilds(self, wilds: Wilds) -> Compiled:
        """The automata that read hands with these wild tiles."""
        known = self._others.get(wilds)
        if known is None:
            known = self._others[wilds] = Compiled(self.game, wilds)
            known._others, known._by_number = self._others, self._by_number
        return known

    def _automaton(self, formulas: Sequence[Formula] = (), **how: Any) -> Automaton:
        return Automaton(self.game, formulas, wilds=self.wilds, **how)

    @cached_property
    def full(self) -> Automaton:
        """Everything a verdict needs: the win, the false win, the names, the conditions of payments."""
        automaton = self._automaton(self._formulas(), scored=True)
        automaton.keep_all = not _higher_is_better(self.game, automaton)
        return automaton

    @cached_property
    def paid(self) -> Automaton:
        """As `full`, but scores are told apart only as far as a condition or a payment does."""
        automaton = self._by_score(keep_all=False)
        automaton.keep_all = not _higher_is_better(self.game, automaton)
        return automaton

    @cached_property
    def every_outcome(self) -> Automaton:
        """As `paid`, but lower scores of a vector are kept: all outcomes, not just the best."""
        return self._by_score(keep_all=True)

    def _by_score(self, keep_all: bool) -> Automaton:
        """Scores stand in the states, so that a final state says all; where they are paid, without a cap."""
        automaton = self._automaton(self._formulas(), scored=True, keep_all=keep_all, capped=True)
        if any(_counts_score(t.amount) for t in self.game.transfers):
            automaton.cap = UNCAPPED
        return automaton

    @cached_property
    def wins(self) -> Automaton:
        """Just whether some arrangement wins."""
        automaton = self._automaton([win_formula(self.game)], scored=True, capped=True)
        automaton.keep_all = not rises(automaton.conditions[0])
        return automaton

    @cached_property
    def shaped(self) -> Automaton:
        """Just whether there is a complete arrangement."""
        return self._automaton()

    @cached_property
    def scored(self) -> Automaton:
        """Just the best score of any complete arrangement."""
        return self._automaton(scored=True)

    @cached_property
    def wait_types(self) -> dict[str, Automaton]:
        """An automaton per wait type."""
        return {w.name: self._automaton(shape=w.shape) for w in self.game.waits}

    def _formulas(self) -> list[Formula]:
        formulas = [win_formula(self.game), false_win_formula(self.game)]
        formulas += [n.formula for n in self.game.names]
        formulas += [t.condition for t in self.game.transfers]
        return formulas + [n.formula for n in self.game.win.needs]

    # ------------------------------------------------------------ verdicts

    def outcome(self, hand: Hand) -> Outcome:
        """The verdict of the best arrangement; equal to `core.reference.judge`."""
        if self.of(hand) is not self:
            return self.of(hand).outcome(hand)
        rows = self.full.rows(hand)
        best, arrangement = self.best(hand, rows)
        if best is None:
            return refused(self.game, hand)
        totals = self.full.totals(rows)
        return Outcome(
            True,
            best.win,
            best.false_win,
            best.score,
            totals,
            best.names,
            best.times,
            best.payments,
            arrangement,
        )

    def best(self, hand: Hand, rows: list[Row]) -> tuple[Final | None, Arrangement]:
        """The best final and its canonical arrangement; no final when the hand is not complete."""
        trace = self.full.trace(rows)
        state, score = trace[-1]
        ties = self.best_finals(state, score, hand)
        if not ties:
            return None, Arrangement((), None, complete=False)
        found = [(f, Arrangement(*self.full.arrangement(rows, trace, f.vector, f.score))) for f in ties]
        if len(found) == 1:
            return found[0]
        return min(found, key=lambda pair: canonical(self.game, pair[1]))

    def best_finals(self, state: State, score: int, hand: Hand) -> tuple[Final, ...]:
        """The complete outcomes of a final state that the declarer likes best."""
        key = (state.index, score, self._situation(hand))
        known = self._best.get(key)
        if known is None:
            finals = [self.final(self.full, v, s, hand) for v, s in self.full.finals(state, score)]
            top = max((f.rank for f in finals), default=None)
            known = self._best[key] = tuple(f for f in finals if f.rank == top)
        return known

    def final(self, automaton: Automaton, vector: tuple[int, ...], score: int, hand: Hand) -> Final:
        """The outcome of a final vector of `full` or `paid`."""
        game, situation = self.game, hand.situation
        probed = vector[len(automaton.final_dims) :]
        sight = Sight(game, probed, score, situation)
        win, false, *rest = automaton.conditions[: 2 + len(game.names)]
        held = [n for n, c in zip(game.names, rest, strict=True) if met(c, sight)]
        declared = situation.declared
        wrong = declared is not None and bool(set(declared) - {n.name for n in held})
        sight = Sight(game, probed, score, situation, wrong)
        is_win, is_false = met(win, sight), met(false, sight)
        counted = tuple(n for n in held if declared is None or n.name in declared)
        factor = times(game, counted) if is_win else claimed_times(game, situation)
        outcome = "win" if is_win else "false_win"
        paid = self._payments(automaton.conditions, hand, outcome, factor, sight)
        money = paid[self._seats[hand.role]] if is_win else 0
        by = money if game.win.choice == "payment" else score
        return Final(
            vector,
            score,
            is_win,
            is_false,
            tuple(n.name for n in held),
            factor,
            tuple(paid.items()),
            (is_win, by, score),
            () if is_win else self._missing(automaton, sight),
        )

    def _missing(self, automaton: Automaton, sight: Sight) -> tuple[str, ...]:
        conditions = automaton.conditions[len(automaton.conditions) - len(self.game.win.needs) :]
        pairs = zip(self.game.win.needs, conditions, strict=True)
        return tuple(need.name for need, condition in pairs if not met(condition, sight))

    def _payments(
        self, conditions: tuple[Condition, ...], hand: Hand, outcome: str, factor: int, sight: Sight
    ) -> dict[str, int]:
        start = 2 + len(self.game.names)
        own = conditions[start : start + len(self.game.transfers)]
        active = tuple(t for t, c in zip(self.game.transfers, own, strict=True) if met(c, sight))
        return settle(self.game, hand.role, active, outcome, factor, (sight.score,))

    # ------------------------------------------------------------ fast win test

    def is_win(self, hand: Hand) -> bool:
        """Does some arrangement of the hand win?"""
        return self.of(hand)._is_win(hand)

    def _is_win(self, hand: Hand) -> bool:
        state = self.wins.start
        for row in self.wins.rows(hand):
            state = state[row.letter][0]
        key = (state.index, self._situation(hand))
        known = self._wins.get(key)
        if known is None:
            known = self._wins[key] = self.wins_at(state, hand)
        return known

    def wins_at(self, state: State, hand: Hand) -> bool:
        """Does this final state win in the hand's situation?"""
        width, condition = len(self.wins.final_dims), self.wins.conditions[0]
        return any(
            met(condition, Sight(self.game, vector[width:], score, hand.situation))
            for vector, score in self.wins.finals(state, 0)
        )

    def _situation(self, hand: Hand) -> object:
        """A key for caches; short when nothing but role and origin matters."""
        if hand.declared is None and not (hand.context and self._in_context):
            return (hand.role, hand.last[1] if hand.last is not None else None)
        return situation_key(hand.situation)

    # ------------------------------------------------------------ waits

    def waits(self, hand: Hand, origins: tuple[str, ...] = (OWN_DRAW,)) -> list[Wait]:
        """Every tile and origin that completes the hand, in deck order, with its best outcome."""
        if self.of(hand) is not self:
            return self.of(hand).waits(hand, origins)
        game, rows = self.game, self.full.rows(hand)
        trace = self.full.trace(rows)
        held = hand.tiles(game) if hand.laid else hand.counts
        copies = game.copies_in(hand.context)
        found: list[Wait] = []
        for index, part in enumerate(game.components):
            after = [row.letter for row in rows[index + 1 :]]
            for kind in part:
                if held[kind] < copies[kind]:
                    for origin in origins:
                        final = self._drawn(hand, index, kind, origin, trace[index], after)
                        if final is not None:
                            found.append(Wait(kind, origin, final))
        return [*found, *self._wild_waits(hand, origins)]

    def _wild_waits(self, hand: Hand, origins: tuple[str, ...]) -> Iterator[Wait]:
        """The wild tile, if one is left and completes the hand."""
        wild = self.game.wild
        if wild is None or self.wilds.number >= wild.copies:
            return
        for origin in (o for o in origins if o in OWN):
            drawn = _with_last(hand, WILD, origin)
            compiled = self.of(drawn)
            state, score = compiled.full.run(compiled.full.rows(drawn))
            if state.complete:
                yield Wait(WILD, origin, compiled.best_finals(state, score, drawn)[0])

    def _drawn(
        self, hand: Hand, component: int, kind: int, origin: str, before: tuple[State, int], after: list[int]
    ) -> Final | None:
        """The best outcome after drawing a last tile; None when it does not complete the hand."""
        state, score = before
        if hand.laid:
            letter = self.full.rows(_with_last(hand, kind, origin))[component].letter
        else:
            counts = self.full.getters[component](hand.counts)
            letter = self.full.lasts[component][counts, (kind, origin)].letter
        state, added = state[letter]
        score += added
        for letter in after:
            state, added = state[letter]
            score += added
        if not state.complete:
            return None
        return self.best_finals(state, score, _with_last(hand, kind, origin))[0]


def _with_last(hand: Hand, kind: int, origin: str) -> Hand:
    return Hand(hand.role, hand.laid, hand.counts, (kind, origin), hand.context, hand.declared, hand.wilds)


def _higher_is_better(game: Game, automaton: Automaton) -> bool:
    """Can a lower score never win, name or earn more than a higher one with the same vector?"""
    win, _, *rest = automaton.conditions
    growing = all(n.times >= 1 for n in game.names) and all(_grows(t.amount) for t in game.transfers)
    return growing and rises(win) and all(rises(c) for c in rest)


def _counts_score(amount: Amount) -> bool:
    match amount:
        case Arithmetic(_, left, right):
            return _counts_score(left) or _counts_score(right)
        case _:
            return isinstance(amount, Score)


def _grows(amount: Amount) -> bool:
    """Is the amount built so that more points never make it smaller?"""
    match amount:
        case Arithmetic(operator, left, right):
            return operator in ("+", "*") and _grows(left) and _grows(right)
        case _:
            return True
