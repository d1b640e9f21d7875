"""What two rulesets make of the same hands: every situation of their product, sorted by how they differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Literal, TypeVar

from dsl.core.hand import Hand
from dsl.core.model import OWN_DRAW, WILD
from dsl.core.reference import refused
from dsl.judge.asked import contexts_asked
from dsl.judge.automaton import Automaton, Filled, State, Vector
from dsl.judge.compiled import Compiled, Final
from dsl.judge.machines import Counts, Shaped, search, whole
from dsl.judge.probes import turning_points
from dsl.judge.product import Meeting, Product
from dsl.judge.situations import SOURCES, SituationMaker
from dsl.judge.weighed import Weighed, weighed

from .common_hands import Part
from .verdicts import LowerIsBetter

T = TypeVar("T")
Relation = Literal["equal", "subset", "superset", "overlap", "disjoint", "different", "unknown"]
Tick = Callable[[str, int, int], None]
Reason = tuple[str, ...]
"""The side it is about (left, right, both), then names or numbers."""
Finals = tuple[Final, ...]
"""The best-paying outcomes of one hand on one side; none when no arrangement has the shape."""
SAME: Reason = ("same",)
ASPECTS = ("win", "score", "names", "payment")


@dataclass(slots=True)
class Weight:
    """How many closed hands, in how many ways they are dealt, and how likely one of them is."""

    hands: int = 0
    deals: int = 0
    chance: Fraction = Fraction(0)

    def add(self, reached: Weighed) -> None:
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

    def meet(self, reason: Reason | None, cost: int, hand: Callable[[], Hand]) -> None:
        """A hand that differs for a reason, is the same, or cannot be compared (None)."""
        if reason == SAME:
            self.same = True
        elif reason is not None and reason not in self.first:
            self.first[reason] = cost, hand()

    def join(self, other: Tally, counted: Part | None = None) -> None:
        """Further hands: of other roles, of another size. `counted`: their part, if they count."""
        self.same = self.same or other.same
        for reason, found in other.first.items():
            self.first.setdefault(reason, found)
        if counted is None:
            return
        for reason, weight in other.weights.items():
            own = self.weights[reason]
            own.hands += weight.hands * counted.times
            own.chance += weight.deals * counted.share

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
            group.chance += weight.chance
        return found


@dataclass(frozen=True, slots=True)
class Seat:
    """Who holds a hand in what context, and whence the last tile is: all of a situation but the tiles."""

    hand: Hand
    """Without tiles."""
    told: tuple[int, int]
    """The same number for what a side does not tell apart."""

    def of(self, hand: Hand) -> Hand:
        """The hand held so."""
        return replace(hand, role=self.hand.role, context=self.hand.context)


class Opinions:
    """What two sides make of final states, worked out once for all parts that they read alike.

    `rises`: automata keep the best score of a vector only. Raises `LowerIsBetter` where that would be wrong.
    """

    def __init__(self, sides: tuple[Compiled, Compiled], rises: bool) -> None:
        self.sides = sides
        self.automata = [_verdicts(side, rises) for side in sides]
        self._doubted = [a is not side.paid for a, side in zip(self.automata, sides, strict=True)]
        self._rising: set[tuple[int, int, Vector]] = set()
        self._turning = [_turning(automaton) for automaton in self.automata]
        self.finals: list[Finals] = []
        """Every choice of outcomes met, in order of their numbers."""
        self._asked = [{atom.parameter for atom in contexts_asked(c.game)} for c in sides]
        self._told: dict[Hashable, int] = {}
        self._ends: dict[tuple[int, int, Vector, int], Final] = {}
        self._best: dict[tuple[int, int, int], int] = {}
        self._outcomes = [Filled(partial(self._outcomes_of, side)) for side in (0, 1)]
        self._numbers: dict[Finals, int] = {}

    def seat(self, hand: Hand) -> Seat:
        """Who holds the hand, as far as conditions ask."""
        last = None if hand.last is None else hand.last[1]
        told = []
        for asked in self._asked:
            context = tuple((name, value) for name, value in hand.context.items() if name in asked)
            told.append(self._told.setdefault((hand.role, last, context), len(self._told)))
        return Seat(hand, (told[0], told[1]))

    def pair(self, states: tuple[State, ...], seat: Seat) -> tuple[int, int]:
        """What either side makes of hands, as places in the list of finals."""
        return self._final(0, states[0], seat), self._final(1, states[1], seat)

    def _final(self, side: int, state: State, seat: Seat) -> int:
        """The outcomes that its owner likes best; scores beyond the last threshold are alike."""
        key = (side, state.index, seat.told[side])
        if key not in self._best:
            found = [self._end(side, vector, score, seat) for vector, score in self._outcomes[side][state]]
            top = max((f.rank for f in found), default=None)
            best = tuple(f for f in found if f.rank == top)
            number = self._best[key] = self._numbers.setdefault(best, len(self._numbers))
            if number == len(self.finals):
                self.finals.append(best)
        return self._best[key]

    def _outcomes_of(self, side: int, state: State) -> list[tuple[Vector, int]]:
        return self.automata[side].finals(state, 0)

    def _end(self, side: int, vector: Vector, score: int, seat: Seat) -> Final:
        if self._doubted[side] and (side, seat.told[side], vector) not in self._rising:
            self._make_sure(side, vector, seat)
        key = (side, seat.told[side], vector, score)
        if key not in self._ends:
            self._ends[key] = self.sides[side].final(self.automata[side], vector, score, seat.hand)
        return self._ends[key]

    def _make_sure(self, side: int, vector: Vector, seat: Seat) -> None:
        """From score to score nothing that is liked gets lost.

        Between two scores at which a condition may turn nothing changes but the score.
        """
        self._rising.add((side, seat.told[side], vector))
        ranks = [self._end(side, vector, score, seat).rank for score in self._turning[side]]
        if ranks != sorted(ranks):
            raise LowerIsBetter


@dataclass(slots=True)
class Known:
    """What one part of the hands leaves for the others."""

    automata: dict[str, list[Automaton]] = field(default_factory=dict)
    """Those that read it, by what they are for; those of other parts join them."""
    opinions: dict[tuple[Compiled, Compiled, bool], Opinions] = field(default_factory=dict)

    def of(self, sides: tuple[Compiled, Compiled], rises: bool) -> Opinions:
        """What both make of final states."""
        key = (*sides, rises)
        if key not in self.opinions:
            self.opinions[key] = Opinions(sides, rises)
        return self.opinions[key]


class Meaning:
    """Two compiled rulesets over a part of the hands.

    `known`: what other parts leave for this one. `rises`: see `Opinions`.
    """

    def __init__(
        self,
        left: Compiled,
        right: Compiled,
        part: Part,
        known: Known | None = None,
        tick: Tick | None = None,
        rises: bool = True,
    ) -> None:
        self.verdicts = "highest" if rises else "paid"
        self.sides = (_reading(left, part), _reading(right, part))
        self.sides[1].borrow(self.sides[0])
        known = Known() if known is None else known
        self._join(known.automata)
        self.game = left.game
        self.part = part
        self.tick = tick
        self.mark = left.mark if left.mark is not None else right.mark
        self.roles = [r for r in left.game.roles if r in right.game.roles and self._may_hold(r)]
        last = None if any(c.game.on_top for c in self.sides) else (0, OWN_DRAW)
        self.closed = Hand(self.roles[-1], (), (), last, part.deal)
        """The situation in which closed hands are counted."""
        self.names = list(dict.fromkeys(n.name for c in self.sides for n in c.game.names))
        self.contexts = [c for c in part.contexts if self._fits(c)]
        self.opinions = known.of(self.sides, rises)
        self._seats: dict[str | None, list[Seat]] = {}
        self._said: dict[tuple[int, int], dict[str, Reason | None]] = {}

    def _join(self, known: dict[str, list[Automaton]]) -> None:
        """Steps are worked out once for all automata that add up alike."""
        for name, compiled in product((self.verdicts, "scored"), self.sides):
            automaton: Automaton = getattr(compiled, name)
            others = known.setdefault(name, [])
            if not any(automaton.join(other) for other in others):
                others.append(automaton)

    def _may_hold(self, role: str) -> bool:
        """Can this role have the marked tile, if there is one?"""
        marks = [c.game.mark for c in self.sides]
        return self.mark is None or any(mark is not None and role in mark.roles for mark in marks)

    def _fits(self, context: Mapping[str, str]) -> bool:
        """Does the context mark the face of which the automata have the marked tile?"""
        for mark in (c.game.mark for c in self.sides):
            if mark is not None:
                face = self.game.kind_index.get(context.get(mark.parameter, ""))
                if face != self.mark:
                    return False
        return True

    def tallies(self) -> dict[str, Tally]:
        """What every aspect comes to."""
        found = {name: Tally() for name in ASPECTS}
        seen: set[tuple[int, int]] = set()
        for meeting in self._product(self.verdicts):
            for seat in self._held(meeting):
                pair = self.opinions.pair(meeting.states, seat)
                if pair not in seen:  # the plainest hand of each comes first
                    seen.add(pair)
                    for name, reason in self._reasons(pair).items():
                        found[name].meet(reason, meeting.cost, partial(self._hand, meeting, seat))
        for meeting in self._product("scored"):
            reason = self._score(meeting.states, meeting.ahead)
            for seat in self._held(meeting)[-len(self.contexts) :][:1]:
                found["score"].meet(reason, meeting.cost, partial(self._hand, meeting, seat))
        if not self.part.wilds.last:
            self._weigh(found)
            self._shapeless(found["payment"])
        return found

    def _product(self, name: str) -> list[Meeting]:
        tick = self.tick
        told = None if tick is None else lambda done, of: tick(name, done, of)
        left, right = (getattr(c, name) for c in self.sides)
        part = self.part
        make = partial(
            SituationMaker,
            left,
            right,
            exposed=not part.wilds.number,
            deck=part.deck,
            drawn=not part.any_last,
        )
        return self._kept(name, "meetings", lambda: Product(make()).meetings(told))

    def _kept(self, name: str, what: str, make: Callable[[], T]) -> T:
        """What is made of two automata; once for all games of which both sides read alike."""
        left, right = (getattr(c, name) for c in self.sides)
        if left.maker is not right.maker:
            return make()
        key = (what, self.part.key, *(c.game.finished for c in self.sides))
        if key not in left.memo:
            left.memo[key] = make()
        kept: T = left.memo[key]
        return kept

    def _closed(self, name: str) -> list[Weighed]:
        """Closed hands by the states of both automata that they lead to."""
        left, right = (getattr(c, name) for c in self.sides)
        size = self.game.finished - self.part.wilds.number
        return self._kept(name, "closed", partial(weighed, self.part.deck, (left, right), size))

    def _held(self, meeting: Meeting) -> list[Seat]:
        """Every role and context the meeting's hand can be held in."""
        last, kind = meeting.last, WILD if self.part.wilds.last else 0
        if last not in self._seats:
            self._seats[last] = [
                self.opinions.seat(Hand(role, (), (), None if last is None else (kind, last), context))
                for role in self.roles
                if last is not None or all(c.game.dealt[role] >= c.game.finished for c in self.sides)
                for context in self.contexts
            ]
        return self._seats[last]

    def _hand(self, meeting: Meeting, seat: Seat) -> Hand:
        return seat.of(meeting.hand)

    # ------------------------------------------------------------ what each side says

    def _reasons(self, pair: tuple[int, int]) -> dict[str, Reason | None]:
        """Per aspect but the score why the sides differ, SAME, or None where they cannot be compared."""
        if pair not in self._said:
            left, right = (self.opinions.finals[number] for number in pair)
            wins = tuple(bool(f) and f[0].win for f in (left, right))
            self._said[pair] = {
                "win": _win_reason(left, right) if any(wins) else None,
                "names": self._names_reason(left, right) if all(wins) else None,
                "payment": _payment_reason(left, right) if left and right and wins[0] == wins[1] else None,
            }
        return self._said[pair]

    def _names_reason(self, left: Finals, right: Finals) -> Reason:
        """The rarest name that only one side gives."""
        a, b = (_named(side) for side in (left, right))
        for name in self.names:
            if (name in a) != (name in b):
                return ("left" if name in a else "right", name)
        return SAME

    def differing_names(self) -> Iterator[tuple[str, int]]:
        """Names on which closed hands differ, and in how many ways those are dealt."""
        seat = self.opinions.seat(self.closed)
        for reached in self._paid if not self.part.wilds.last else ():
            left, right = (self.opinions.finals[n] for n in self.opinions.pair(reached.states, seat))
            if left and right and left[0].win and right[0].win:
                yield from ((name, reached.deals) for name in sorted(_named(left) ^ _named(right)))

    def _score(self, states: tuple[State, ...], ahead: int) -> Reason | None:
        """By how much the best score of the left is higher."""
        tops = [max((s for _, s in c.scored.finals(st, 0)), default=None) for c, st in self._pairs(states)]
        if tops[0] is None or tops[1] is None:
            return None
        ahead += tops[0] - tops[1]
        return ("both", f"{ahead:+d}") if ahead else SAME

    def _pairs(self, states: tuple[State, ...]) -> Iterator[tuple[Compiled, State]]:
        return zip(self.sides, states, strict=True)

    # ------------------------------------------------------------ closed hands

    def _weigh(self, found: dict[str, Tally]) -> None:
        """Count the closed hands of every reason: all tiles the hand's own, the last one drawn."""
        seat = self.opinions.seat(self.closed)
        for reached in self._paid:
            for name, reason in self._reasons(self.opinions.pair(reached.states, seat)).items():
                if reason is not None:
                    found[name].weights[reason].add(reached)
        for reached in self._closed("scored"):
            reason = self._score(reached.states, reached.ahead)
            if reason is not None:
                found["score"].weights[reason].add(reached)
        self._count_again(found["win"])

    @cached_property
    def _paid(self) -> list[Weighed]:
        """Closed hands by what both sides pay for them."""
        return self._closed(self.verdicts)

    def _count_again(self, tally: Tally) -> None:
        """The classes of wins must add up to what two plain win tests count."""
        again = {"both": 0, "left_only": 0, "right_only": 0}
        for reached in self._closed("wins"):
            a, b = (c.wins_at(state, self.closed) for c, state in self._pairs(reached.states))
            if a or b:
                again["both" if a and b else "left_only" if a else "right_only"] += reached.hands
        if again != {name: weight.hands for name, weight in tally.sides.items()}:
            raise AssertionError("the classes do not add up to the whole difference")

    # ------------------------------------------------------------ hands without any shape

    def _shapeless(self, tally: Tally) -> None:
        """Declared wins that neither side can arrange pay for a false win as well."""
        found = [reached for reached in self._paid if not any(s.complete for s in reached.states)]
        if not found:
            return
        counts = self._plainest_shapeless()
        for role in self.roles:
            for drawn in self._refused(role, counts):
                for hand in (replace(drawn, context=dict(context)) for context in self.contexts):
                    tally.meet(self._refusal_reason(hand), sum(n * n for n in counts), partial(replace, hand))
        own = replace(next(self._refused(self.closed.role, counts)), context=self.closed.context)
        reason = self._refusal_reason(own)
        for reached in found:
            tally.weights[reason].add(reached)

    def _plainest_shapeless(self) -> Counts:
        """The tiles of the first closed hand that neither side can arrange."""
        machines = tuple(Shaped(c.shaped) for c in self.sides)
        size = self.game.finished - self.part.wilds.number
        found = search(self.part.deck, machines, size).items()
        first = next(reached for states, reached in found if not any(s.complete for s in states))
        return whole(first.first, self.game)

    def _refused(self, role: str, counts: Counts) -> Iterator[Hand]:
        """The role's closed hands of these tiles, an own draw first; one without where it comes on top."""
        if self.closed.last is None:
            yield Hand(role, (), counts, None, wilds=self.part.wilds.number)
            return
        kind = next(i for i, n in enumerate(counts) if n)
        rest = (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])
        wilds = self.part.wilds.number
        yield from (Hand(role, (), rest, (kind, origin), wilds=wilds) for origin in SOURCES)

    def _refusal_reason(self, hand: Hand) -> Reason:
        left, right = (dict(refused(c.game, hand).payments) for c in self.sides)
        return SAME if left == right else ("both", "不成形")


def ordered(meanings: Sequence[Meaning]) -> None:
    """Names on which fewer closed hands differ first: else one common name hides all others."""
    seen: Counter[str] = Counter()
    for meaning in meanings:
        for name, number in meaning.differing_names():
            seen[name] += number * meaning.part.times
    for meaning in meanings:
        meaning.names.sort(key=lambda name: seen[name])


def _reading(compiled: Compiled, part: Part) -> Compiled:
    """What reads the hands of the part."""
    return compiled if compiled.game.wild is None else compiled.with_wilds(part.wilds)


def _verdicts(compiled: Compiled, rises: bool) -> Automaton:
    """What tells the verdicts of hands."""
    return compiled.highest if rises else compiled.paid


def _turning(automaton: Automaton) -> list[int]:
    """The least and the highest score, and those on both sides of where a condition may turn."""
    least, most = automaton.least, automaton.cap or 0
    points = frozenset[int]().union(*map(turning_points, automaton.conditions))
    beside = {score for point in points for score in (point - 1, point)}
    return sorted({least, most, *(score for score in beside if least <= score <= most)})


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
