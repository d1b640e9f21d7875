"""A game compiled for judging: verdicts, win tests and waits on the automaton."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

from ..core.evaluate import Arrangement, Situation, claimed_times, counts, settle, times
from ..core.formulas import false_win_formula, win_formula
from ..core.hand import Hand
from ..core.model import OWN, OWN_DRAW, WILD, Amount, Arithmetic, Formula, Game
from ..core.reference import Outcome, canonical, refused
from .asked import contexts_asked
from .automaton import Automaton, State
from .awaited import Awaited, Left, Wait, halves
from .filled import KEPT
from .probes import Condition, Sight, met, rises, situation_key
from .rows import NO_WILDS, Row, Wilds
from .totals import UNCAPPED, tables_paid, total_asked, total_told


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
    among_equals: tuple[Any, ...] = ()
    """What decides where rules leave a choice."""
    missing: tuple[str, ...] = ()
    """Names of the needs of 和 that are not met."""

    def at(self, score: int, by_score: bool) -> Final:
        """The same with another score that no condition and no payment tells from this one.

        `by_score`: are hands liked by their score?
        """
        win, by, own = self.rank
        rank = (win, score if by_score else by, score)
        return self if score == own else replace(self, score=score, rank=rank)


class BestFinals(dict[tuple[int, int], tuple[Final, ...]]):
    """The outcomes of final states of `full`, by state and score, that the declarer of a hand likes best."""

    def __init__(self, compiled: Compiled, hand: Hand) -> None:
        super().__init__()
        self.compiled = compiled
        self.hand = hand
        """Of which only the situation counts."""

    def __missing__(self, key: tuple[int, int]) -> tuple[Final, ...]:
        index, score = key
        full = self.compiled.full
        ends = full.finals(full.states[index], score)
        finals = [self.compiled.final(full, vector, total, self.hand) for vector, total in ends]
        if len(self) >= KEPT:
            self.clear()
        best = self[key] = preferred(liked(finals))
        return best


def liked(finals: Iterable[Final]) -> tuple[Final, ...]:
    """The outcomes that a declarer likes best."""
    return _greatest(finals, attrgetter("rank"))


def preferred(finals: Iterable[Final]) -> tuple[Final, ...]:
    """Of outcomes that are liked alike those that are taken: they come to the same."""
    return _greatest(finals, attrgetter("among_equals"))


def _greatest(finals: Iterable[Final], key: Callable[[Final], Any]) -> tuple[Final, ...]:
    every = tuple(finals)
    if len(every) < 2:
        return every
    top = max(map(key, every))
    return tuple(final for final in every if key(final) == top)


class Compiled:
    """The automata of one game and the caches of their final states.

    Hands with as many wild tiles, and the same face marked, share automata; `of` gives the ones that read
    a hand.
    """

    def __init__(self, game: Game, wilds: Wilds = NO_WILDS, mark: int | None = None) -> None:
        self.game = game.views[0]
        self.views = (self, *(Compiled(view) for view in game.views[1:]))
        """This one, and one for each further shape that finished hands of some roles have."""
        self.apart = {role: view for view in self.views[1:] for role in view.game.roles}
        self.wilds = wilds
        self.mark = mark
        self._lender: Compiled | None = None
        self._others: dict[tuple[Wilds, int | None], Compiled] = {(wilds, mark): self}
        self._by_number: dict[tuple[int, bool], Compiled] = {}
        self._in_context = game.wild is None or bool(contexts_asked(game))
        self._best: dict[object, BestFinals] = {}
        self._awaited: dict[object, Awaited] = {}
        self._halves = halves(len(game.components))
        self._wins: dict[tuple[int, object], bool] = {}
        self._decks: dict[str | None, tuple[tuple[int, ...], frozenset[int]]] = {}
        self._seats = {seat.role: seat.name for seat in reversed(game.seats)}
        self._paid_tables = tables_paid(game)

    def of(self, hand: Hand) -> Compiled:
        """The automata that read hands with as many wild tiles as this one."""
        if hand.role in self.apart:
            return self.apart[hand.role].of(hand)
        if self.game.mark is not None:
            return self.marked(self.game.marked_face(hand.role, hand.context))._of(hand)
        return self._of(hand)

    def _of(self, hand: Hand) -> Compiled:
        """The same of hands with the same face marked."""
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
        return self._other(wilds, self.mark)

    def marked(self, mark: int | None) -> Compiled:
        """The automata that read hands with the marked tile of this face, or with none."""
        return self if mark == self.mark else self._other(self.wilds, mark)

    def _other(self, wilds: Wilds, mark: int | None) -> Compiled:
        known = self._others.get((wilds, mark))
        if known is None:
            known = self._others[wilds, mark] = Compiled(self.game, wilds, mark)
            known._others = self._others
        return known

    def borrow(self, lender: Compiled) -> None:
        """Share the automata that read hands alike with another game, such as one this is a variant of."""
        if self._lender is None and self not in lender._lenders():
            self._lender = lender

    def _lenders(self) -> Iterator[Compiled]:
        """This one, whoever lends to it, and so on."""
        yield self
        if self._lender is not None:
            yield from self._lender._lenders()

    def _lent(self, name: str, automaton: Automaton, in_order: bool = False) -> Automaton:
        """The automaton, or a twin of the lender's if that reads like it."""
        if self.mark is not None:
            automaton.read_like(getattr(self.marked(None), name))
        known: Automaton | None = None if self._lender is None else getattr(self._lender, name)
        if known is None or not known.reads_like(automaton, in_order):
            return automaton
        return known.twin(automaton)

    def _automaton(self, formulas: Sequence[Formula] = (), **how: Any) -> Automaton:
        return Automaton(self.game, formulas, wilds=self.wilds, mark=self.mark, **how)

    @cached_property
    def full(self) -> Automaton:
        """Everything a verdict needs: the win, the false win, the names, the conditions of payments."""
        automaton = self._as_needed(self._automaton(self._formulas(), scored=True))
        return self._lent("full", automaton, in_order=True)

    @cached_property
    def paid(self) -> Automaton:
        """As `full`, but scores are told apart only as far as a condition or a payment does."""
        return self._lent("paid", self._as_needed(self._by_score(keep_all=False)))

    @cached_property
    def told(self) -> Automaton:
        """As `paid`, but all scores are told apart."""
        return self._lent("told", self._as_needed(self._telling(UNCAPPED)))

    @cached_property
    def told_ahead(self) -> Automaton:
        """As `told`, but a state says only by how much scores differ; edges have what they have in common."""
        return self._lent("told_ahead", self._as_needed(self._telling(None)))

    @cached_property
    def highest(self) -> Automaton:
        """As `paid`, but of each vector only its best score is kept, where that score has a bound.

        Right only for readers to whom a lower score is never better; they have to make sure of it.
        """
        bounded = self.paid.keep_all and self.paid.cap != UNCAPPED
        return self._lent("highest", self._by_score(keep_all=False)) if bounded else self.paid

    @cached_property
    def told_highest(self) -> Automaton:
        """What `highest` is to `paid`, but all scores are told apart."""
        bounded = self.paid.cap != UNCAPPED
        return self._lent("told_highest", self._telling(UNCAPPED)) if bounded else self.paid

    @cached_property
    def every_outcome(self) -> Automaton:
        """As `paid`, but lower scores of a vector are kept: all outcomes, not just the best."""
        return self._by_score(keep_all=True)

    def _by_score(self, keep_all: bool) -> Automaton:
        """Scores stand in the states, so that a final state says all; where they are paid, without a cap."""
        automaton = self._automaton(self._formulas(), scored=True, keep_all=keep_all, capped=True)
        if 0 in self._paid_tables:
            automaton.cap = UNCAPPED
        return automaton

    def _telling(self, cap: int | None) -> Automaton:
        """The same, but all scores are told apart."""
        automaton = self._by_score(keep_all=False)
        automaton.cap = cap
        return automaton

    def _as_needed(self, automaton: Automaton) -> Automaton:
        """It keeps lower scores where one may win, name or earn more."""
        automaton.keep_all = not _higher_is_better(self.game, automaton)
        return automaton

    @cached_property
    def wins(self) -> Automaton:
        """Just whether some arrangement wins."""
        automaton = self._automaton([win_formula(self.game)], scored=True, capped=True)
        automaton.keep_all = not rises(automaton.conditions[0])
        return self._lent("wins", automaton)

    @cached_property
    def shaped(self) -> Automaton:
        """Just whether there is a complete arrangement."""
        return self._lent("shaped", self._automaton())

    @cached_property
    def scored(self) -> Automaton:
        """Just the best score of any complete arrangement."""
        return self._lent("scored", self._automaton(scored=True))

    @cached_property
    def wait_types(self) -> dict[str, Automaton]:
        """An automaton per wait type."""
        found = {w.name: self._automaton(shape=w.shape) for w in self.game.waits}
        for name, automaton in found.items() if self.mark is not None else ():
            automaton.read_like(self.marked(None).wait_types[name])
        return found

    def _formulas(self) -> list[Formula]:
        formulas = [win_formula(self.game), false_win_formula(self.game)]
        formulas += [n.formula for n in self.game.names]
        formulas += [t.condition for t in self.game.transfers]
        formulas += [total_asked(self.game, table) for table in self._paid_tables if table]
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
        return self._bests(hand, None if hand.last is None else hand.last[1])[state.index, score]

    def _bests(self, hand: Hand, origin: str | None) -> BestFinals:
        """The same for every final state and score of such a hand whose last tile comes from there."""
        key = self._situation(hand, origin)
        known = self._best.get(key)
        if known is None:
            last = None if origin is None else (WILD if self.wilds.last else 0, origin)
            known = self._best[key] = BestFinals(self, replace(hand, last=last))
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
        counted = tuple(n for n in held if counts(n, situation))
        factor = times(game, counted) if is_win else claimed_times(game, situation)
        outcome = "win" if is_win else "false_win"
        paid = self._payments(automaton.conditions, hand, outcome, factor, sight)
        money, names = paid[self._seats[hand.role]], tuple(n.name for n in held)
        by = score if game.win.choice != "payment" else money if is_win else 0
        return Final(
            vector,
            score,
            is_win,
            is_false,
            names,
            factor,
            tuple(paid.items()),
            (is_win, by, score),
            (money, tuple(paid.values()), factor, tuple(n.name in names for n in game.names)),
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
        totals = self._totals(conditions[start + len(own) :], sight)
        return settle(self.game, hand.role, active, outcome, factor, totals)

    def _totals(self, conditions: tuple[Condition, ...], sight: Sight) -> tuple[int, ...]:
        """The total of every score table, as far as a payment counts it."""
        found = [sight.score, *(0 for _ in self.game.scores[1:])]
        asked = (table for table in self._paid_tables if table)
        for table, condition in zip(asked, conditions, strict=False):
            found[table] = total_told(self.game, table, condition, sight)
        return tuple(found)

    # ------------------------------------------------------------ fast win test

    def is_win(self, hand: Hand) -> bool:
        """Does some arrangement of the hand win?"""
        return self.of(hand)._is_win(hand)

    def _is_win(self, hand: Hand) -> bool:
        state = self.wins.start
        for row in self.wins.rows(hand):
            state = state[row.letter][0]
        key = (state.index, self._situation(hand, None if hand.last is None else hand.last[1]))
        known = self._wins.get(key)
        if known is None:
            if len(self._wins) >= KEPT:
                self._wins.clear()
            known = self._wins[key] = self.wins_at(state, hand)
        return known

    def wins_at(self, state: State, hand: Hand) -> bool:
        """Does this final state win in the hand's situation?"""
        return any(self.wins_with(vector, score, hand) for vector, score in self.wins.finals(state, 0))

    def wins_with(self, vector: tuple[int, ...], score: int, hand: Hand) -> bool:
        """Does an arrangement that comes to this, as `wins` reads it, win in the hand's situation?"""
        width, condition = len(self.wins.final_dims), self.wins.conditions[0]
        return met(condition, Sight(self.game, vector[width:], score, hand.situation))

    def _situation(self, hand: Hand, origin: str | None) -> object:
        """A key for caches; short when nothing but role and origin matters."""
        if hand.declared is None and not (hand.context and self._in_context):
            return hand.role, origin
        return situation_key(Situation(hand.role, origin, hand.context, hand.declared))

    # ------------------------------------------------------------ waits

    def waits(self, hand: Hand, origins: tuple[str, ...] = (OWN_DRAW,)) -> list[Wait]:
        """Every tile and origin that completes the hand, in deck order, with its best outcome."""
        return self.of(hand)._waits(hand, origins)

    def _waits(self, hand: Hand, origins: tuple[str, ...]) -> list[Wait]:
        held = self.full.held(hand)
        waiting = self.full.waiting(hand, origins, held)
        key = self._situation(hand, None), origins
        known = self._awaited.get(key)
        if known is None:
            known = self._awaited[key] = self._awaiting(hand, origins)
        left, nowhere, skipped = self._left(hand), self.full.nowhere, 0
        found: list[Wait] = []
        reached = [(self.full.start, 0)] * len(self._halves)
        for level, others, one, other, after in self._halves:
            if skipped:
                skipped -= 1
                continue
            state, score = reached[level]
            for place in others:
                state, added = state[waiting[place][0]]
                score += added
            if state is nowhere:
                skipped = after
            elif after:
                reached[level + 1] = state, score
            else:
                waits = known[state.index, score, waiting[one][1], waiting[other][1]]
                if waits:
                    found += waits if left.plenty else left.in_play(waits)
        for origin, automaton, best in known.wild:
            state, score = automaton.start, 0
            for letter in automaton.wild_drawn(hand, origin, held):
                state, added = state[letter]
                score += added
            if state.complete:
                found.append(Wait(WILD, origin, best[state.index, score][0]))
        return found

    def _awaiting(self, hand: Hand, origins: tuple[str, ...]) -> Awaited:
        """What hands of the situation can wait for."""
        known = Awaited(self.full, origins, [self._bests(hand, origin) for origin in origins])
        wild = self.game.wild
        if wild is not None and self.wilds.number < wild.copies:
            own, more = (o for o in origins if o in OWN), self._one_more
            known.wild = [(origin, more.full, more._bests(hand, origin)) for origin in own]
        return known

    @cached_property
    def _one_more(self) -> Compiled:
        """The automata that read such hands with a wild tile drawn last."""
        return self.with_wilds(Wilds(self.wilds.number + 1, last=True))

    def _left(self, hand: Hand) -> Left:
        """What is left to draw of the tiles that what counts a hand's concealed tiles takes for plenty."""
        wild = self.game.wild
        deciding = None if wild is None or wild.parameter is None else hand.context.get(wild.parameter)
        known = self._decks.get(deciding)
        if known is None:
            copies = self.game.copies_in(hand.context)
            fewer = frozenset(k for k, kind in enumerate(self.game.kinds) if copies[k] < kind.copies)
            known = self._decks[deciding] = copies, fewer
        copies, fewer = known
        if hand.laid:
            return Left(hand.tiles(self.game), copies, range(len(copies)))
        return Left(hand.counts, copies, [k for k in fewer if hand.counts[k] >= copies[k]])


def _higher_is_better(game: Game, automaton: Automaton) -> bool:
    """Can a lower score never win, name or earn more than a higher one with the same vector?"""
    win, _, *rest = automaton.conditions
    growing = all(n.times >= 1 for n in game.names) and all(_grows(t.amount) for t in game.transfers)
    return growing and rises(win) and all(rises(c) for c in rest)


def _grows(amount: Amount) -> bool:
    """Is the amount built so that more points never make it smaller?"""
    match amount:
        case Arithmetic(operator, left, right):
            return operator != "-" and _grows(left) and _grows(right)
        case _:
            return True
