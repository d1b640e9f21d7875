"""What two rulesets make of the same hands: every situation of their product, sorted by how they differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, Literal

from dsl.core.hand import Hand
from dsl.core.model import OWN_DRAW, Game, Parameter
from dsl.core.reference import refused
from dsl.judge.automaton import State
from dsl.judge.compiled import Compiled, Final
from dsl.judge.machines import ClosedScore, ClosedWins, Counts, Reached, Shaped, search, whole
from dsl.judge.product import Meeting, Product
from dsl.judge.situations import SOURCES

Relation = Literal["equal", "subset", "superset", "overlap", "disjoint", "unknown"]
Tick = Callable[[str, int, int], None]
Reason = tuple[str, ...]
"""The side it is about (left, right, both), then names or numbers."""
Finals = tuple[Final, ...]
"""The best-paying outcomes of one hand on one side; none when no arrangement has the shape."""
SAME: Reason = ("same",)
ASPECTS = ("win", "score", "names", "payment")


@dataclass(slots=True)
class Weight:
    """How many closed hands, and in how many ways they are dealt."""

    hands: int = 0
    deals: int = 0

    def add(self, reached: Reached) -> None:
        self.hands += reached.hands
        self.deals += reached.deals


@dataclass(slots=True)
class Tally:
    """One aspect: the reasons for which hands differ. Each hand has one, so the classes are disjoint."""

    same: bool = False
    first: dict[Reason, tuple[int, Hand]] = field(default_factory=dict)
    """Per reason the plainest hand and its cost."""
    weights: defaultdict[Reason, Weight] = field(default_factory=lambda: defaultdict(Weight))
    """Closed hands per reason, and those on which both agree."""

    def meet(self, reason: Reason | None, cost: int, hand: Hand) -> None:
        """A hand that differs for a reason, is the same, or cannot be compared (None)."""
        if reason == SAME:
            self.same = True
        elif reason is not None:
            self.first.setdefault(reason, (cost, hand))

    @property
    def set_relation(self) -> Relation:
        """The relation of the two sets of hands."""
        left, right = (any(r[0] == side for r in self.first) for side in ("left", "right"))
        if not left and not right:
            return "equal"
        if not self.same:
            return "disjoint"
        if left and right:
            return "overlap"
        return "superset" if left else "subset"

    @property
    def value_relation(self) -> Relation:
        """The relation of two functions on the hands they share."""
        if not self.first:
            return "equal"
        return "overlap" if self.same else "disjoint"

    @property
    def sides(self) -> dict[str, Weight]:
        """Closed hands that both, only the left, only the right have."""
        names = {"same": "both", "left": "left_only", "right": "right_only"}
        return self._grouped(names)

    @property
    def values(self) -> dict[str, Weight]:
        """Closed hands on which both give the same, and on which they do not."""
        names = dict.fromkeys(("left", "right", "both"), "different")
        return self._grouped({"same": "same", **names})

    def _grouped(self, names: dict[str, str]) -> dict[str, Weight]:
        found = {name: Weight() for name in names.values()}
        for reason, weight in self.weights.items():
            group = found[names[reason[0]]]
            group.hands += weight.hands
            group.deals += weight.deals
        return found


class Meaning:
    """Two compiled rulesets over one deck."""

    def __init__(self, left: Compiled, right: Compiled, tick: Tick | None = None) -> None:
        self.sides = (left, right)
        self.game = left.game
        self.tick = tick
        self.roles = [r for r in left.game.roles if r in right.game.roles]
        last = None if any(c.game.on_top for c in self.sides) else (0, OWN_DRAW)
        self.closed = Hand(self.roles[-1], (), (), last)
        """The situation in which closed hands are counted."""
        self.names = list(dict.fromkeys(n.name for c in self.sides for n in c.game.names))
        self.contexts = list(_contexts(left.game, right.game))
        self.parameters = [{p.name for p in c.game.parameters} for c in self.sides]
        self._best: dict[Hashable, Finals] = {}

    def tallies(self) -> dict[str, Tally]:
        """What every aspect comes to."""
        found = {name: Tally() for name in ASPECTS}
        self._order_names()
        for meeting in self._product("paid"):
            for hand in self._held(meeting):
                for name, reason in self._reasons(self._finals(meeting.states, hand)).items():
                    found[name].meet(reason, meeting.cost, hand)
        for meeting in self._product("scored"):
            reason = self._score(meeting.states, meeting.ahead)
            for hand in list(self._held(meeting))[-len(self.contexts) :][:1]:
                found["score"].meet(reason, meeting.cost, hand)
        self._weigh(found)
        self._shapeless(found["payment"])
        return found

    def _product(self, name: str) -> list[Meeting]:
        tick = self.tick
        told = None if tick is None else lambda done, of: tick(name, done, of)
        left, right = (getattr(c, name) for c in self.sides)
        return Product(left, right).meetings(told)

    def _held(self, meeting: Meeting) -> Iterator[Hand]:
        """The meeting's hand in every role and context it can be held in."""
        for role in self.roles:
            hand = meeting.hand
            if hand.last is not None or all(c.game.dealt[role] >= c.game.finished for c in self.sides):
                for context in self.contexts:
                    yield Hand(role, hand.laid, hand.counts, hand.last, context)

    # ------------------------------------------------------------ what each side says

    def _finals(self, states: tuple[State, State], hand: Hand) -> tuple[Finals, Finals]:
        return self._final(0, states[0], hand), self._final(1, states[1], hand)

    def _final(self, side: int, state: State, hand: Hand) -> Finals:
        """The best-paying outcomes of a final state; scores beyond the last threshold do not count."""
        last = None if hand.last is None else hand.last[1]
        key = (side, state.index, hand.role, last, self._told(side, hand.context))
        if key not in self._best:
            compiled = self.sides[side]
            found = [compiled.final(compiled.paid, v, s, hand) for v, s in compiled.paid.finals(state, 0)]
            top = max((f.rank[:2] for f in found), default=None)
            self._best[key] = tuple(f for f in found if f.rank[:2] == top)
        return self._best[key]

    def _told(self, side: int, context: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """What of the context a side knows of."""
        return tuple((name, value) for name, value in context.items() if name in self.parameters[side])

    def _reasons(self, finals: tuple[Finals, Finals]) -> dict[str, Reason | None]:
        """Per aspect but the score why the sides differ, SAME, or None where they cannot be compared."""
        left, right = finals
        wins = tuple(bool(f) and f[0].win for f in finals)
        return {
            "win": _win_reason(left, right) if any(wins) else None,
            "names": self._names_reason(left, right) if all(wins) else None,
            "payment": _payment_reason(left, right) if left and right and wins[0] == wins[1] else None,
        }

    def _names_reason(self, left: Finals, right: Finals) -> Reason:
        """The rarest name that only one side gives."""
        a, b = (_named(side) for side in (left, right))
        for name in self.names:
            if (name in a) != (name in b):
                return ("left" if name in a else "right", name)
        return SAME

    def _order_names(self) -> None:
        """Names on which fewer closed hands differ first: else one common name hides all others."""
        seen = dict.fromkeys(self.names, 0)
        for states, reached in self._paid.items():
            left, right = self._finals(states, self.closed)
            if left and right and left[0].win and right[0].win:
                for name in _named(left) ^ _named(right):
                    seen[name] += reached.deals
        self.names.sort(key=lambda name: seen[name])

    def _score(self, states: tuple[State, State], ahead: int) -> Reason | None:
        """By how much the best score of the left is higher."""
        tops = [max((s for _, s in c.scored.finals(st, 0)), default=None) for c, st in self._pairs(states)]
        if tops[0] is None or tops[1] is None:
            return None
        ahead += tops[0] - tops[1]
        return ("both", f"{ahead:+d}") if ahead else SAME

    def _pairs(self, states: tuple[State, State]) -> Iterator[tuple[Compiled, State]]:
        return zip(self.sides, states, strict=True)

    # ------------------------------------------------------------ closed hands

    def _weigh(self, found: dict[str, Tally]) -> None:
        """Count the closed hands of every reason: all tiles the hand's own, the last one drawn."""
        for states, reached in self._paid.items():
            for name, reason in self._reasons(self._finals(states, self.closed)).items():
                if reason is not None:
                    found[name].weights[reason].add(reached)
        machines = tuple(ClosedScore(c) for c in self.sides)
        for (left, right), reached in search(self.game, machines, self.game.finished).items():
            reason = self._score((left[0], right[0]), left[1] - right[1])
            if reason is not None:
                found["score"].weights[reason].add(reached)
        self._count_again(found["win"])

    @cached_property
    def _paid(self) -> dict[Any, Reached]:
        """Closed hands by what both sides pay for them."""
        return search(self.game, tuple(Shaped(c.paid) for c in self.sides), self.game.finished)

    def _count_again(self, tally: Tally) -> None:
        """The classes of wins must add up to what two plain win tests count."""
        role, again = self.roles[-1], {"both": 0, "left_only": 0, "right_only": 0}
        machines = tuple(ClosedWins(c, role, self.closed) for c in self.sides)
        for states, reached in search(self.game, machines, self.game.finished).items():
            a, b = (m.accepts(s) for m, s in zip(machines, states, strict=True))
            if a or b:
                again["both" if a and b else "left_only" if a else "right_only"] += reached.hands
        if again != {name: weight.hands for name, weight in tally.sides.items()}:
            raise AssertionError("the classes do not add up to the whole difference")

    # ------------------------------------------------------------ hands without any shape

    def _shapeless(self, tally: Tally) -> None:
        """Declared wins that neither side can arrange pay for a false win as well."""
        found = [reached for states, reached in self._paid.items() if not any(s.complete for s in states)]
        if not found:
            return
        counts = whole(found[0].first, self.game)
        for role in self.roles:
            for drawn in self._refused(role, counts):
                for hand in (replace(drawn, context=context) for context in self.contexts):
                    tally.meet(self._refusal_reason(hand), sum(n * n for n in counts), hand)
        reason = self._refusal_reason(next(self._refused(self.closed.role, counts)))
        for reached in found:
            tally.weights[reason].add(reached)

    def _refused(self, role: str, counts: Counts) -> Iterator[Hand]:
        """The role's closed hands of these tiles, an own draw first; one without where it comes on top."""
        if self.closed.last is None:
            yield Hand(role, (), counts, None)
            return
        kind = next(i for i, n in enumerate(counts) if n)
        rest = (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])
        yield from (Hand(role, (), rest, (kind, origin)) for origin in SOURCES)

    def _refusal_reason(self, hand: Hand) -> Reason:
        left, right = (dict(refused(c.game, hand).payments) for c in self.sides)
        return SAME if left == right else ("both", "不成形")


def _contexts(left: Game, right: Game) -> Iterator[dict[str, str]]:
    """Every choice of contexts, usual values left out; values only one side knows cannot be compared."""
    known: dict[str, list[Parameter]] = {}
    for parameter in (*left.parameters, *right.parameters):
        known.setdefault(parameter.name, []).append(parameter)
    usual = {name: {p.values[0] for p in both} for name, both in known.items()}
    shared = [[v for v in both[0].values if all(v in p.values for p in both)] for both in known.values()]
    for values in product(*shared):
        yield {n: v for n, v in zip(known, values, strict=True) if usual[n] != {v}}


def _named(finals: Finals) -> frozenset[str]:
    return frozenset(name for final in finals for name in final.names)


def _win_reason(left: Finals, right: Finals) -> Reason:
    """Needs that the refusing side finds unmet."""
    a, b = (bool(f) and f[0].win for f in (left, right))
    if a and b:
        return SAME
    loser = right if a else left
    return ("left" if a else "right", *(loser[0].missing if loser else ("形",)))


def _payment_reason(left: Finals, right: Finals) -> Reason:
    """The multipliers of both sides where they differ, else just that it is paid in another way."""
    if dict(left[0].payments) == dict(right[0].payments):
        return SAME
    outcome = "和" if left[0].win else "诈和"
    times = (str(left[0].times), str(right[0].times))
    return ("both", outcome, *times) if times[0] != times[1] else ("both", outcome)
