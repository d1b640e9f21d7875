"""What two rulesets make of the same hands: every situation of their product, sorted by how they differ."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Literal, NamedTuple

from dsl.core.formulas import score_feature
from dsl.core.hand import Hand
from dsl.core.memo import Memo
from dsl.core.model import OWN_DRAW, WILD
from dsl.core.reference import refused
from dsl.judge.asked import contexts_asked
from dsl.judge.automaton import Automaton, State, Vector
from dsl.judge.compiled import Compiled, Final, preferred
from dsl.judge.machines import Counts, Shaped, search, whole
from dsl.judge.numbered import Numbered
from dsl.judge.probes import turning_points
from dsl.judge.situations import SOURCES, SituationMaker, regrouped
from dsl.judge.totals import UNCAPPED, tables_paid

from .common_hands import Part
from .verdicts import LowerIsBetter, ScoreDecides, alike_but_for_score

Relation = Literal["equal", "subset", "superset", "overlap", "disjoint", "different", "unknown"]
Tick = Callable[[str, int, int], None]
Reason = tuple[str, ...]
"""The side it is about (left, right, both), then names or numbers."""
Finals = tuple[Final, ...]
"""The outcome of one hand on one side, all that it may be where scores are not told apart; none when no
arrangement has the shape."""
SAME: Reason = ("same",)


class Said(NamedTuple):
    """What two sides say of a hand, compared: why they differ, SAME, or None where they cannot be."""

    win: Reason | None
    names: tuple[frozenset[str], frozenset[str]] | None
    """Those that only one side gives."""
    payment: Reason | None


ASPECTS = ("win", "score", "names", "payment")


@dataclass(slots=True)
class Weight:
    """How many closed hands, in how many ways they are dealt, and how likely one of them is."""

    hands: int = 0
    deals: int = 0
    chance: Fraction = Fraction(0)

    def add(self, hands: int, deals: int) -> None:
        self.hands += hands
        self.deals += deals


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


class Best(NamedTuple):
    """The outcomes of a final state that the owner of the hand likes best."""

    number: int
    """Of what is taken, or may be."""
    ends: tuple[int, ...]
    """What they come from."""
    unsure: bool
    """May they differ, and in scores that are not told apart?"""


READINGS = {
    (True, False): "highest",
    (False, False): "paid",
    (True, True): "told_highest",
    (False, True): "told",
}
"""The automata that tell verdicts: with the best score of a vector only? with all scores told apart?"""


class Opinions:
    """What two sides make of final states, worked out once for all parts that they read alike.

    `reading`: one of `READINGS`. Raises `LowerIsBetter` where lower scores of a vector have to be kept, and
    `ScoreDecides` where scores have to be told apart.
    """

    def __init__(self, sides: tuple[Compiled, Compiled], reading: str) -> None:
        self.sides = sides
        self.automata: list[Automaton] = [getattr(side, reading) for side in sides]
        self._alike = read_alike(sides, reading)
        self.told = all(a.cap == UNCAPPED or not a.maker.scored for a in self.automata)
        """Are all scores told apart?"""
        if not (self.told or self._alike) and any(side.game.names for side in sides):
            raise ScoreDecides  # sooner or later
        self._doubted = [
            side.paid.keep_all and not a.keep_all for a, side in zip(self.automata, sides, strict=True)
        ]
        self._by_score = [0 in tables_paid(side.game) for side in sides]
        self._rising: set[tuple[int, int, Vector]] = set()
        self._turning = [_turning(automaton) for automaton in self.automata]
        self.sayings: Numbered[Said] = Numbered()
        """Whatever has been said of hands."""
        self._finals: Numbered[Finals] = Numbered()
        self._asked = [{atom.parameter for atom in contexts_asked(c.game)} for c in sides]
        self._told: dict[Hashable, int] = {}
        self._ends: dict[tuple[int, int], dict[int, Final]] = {}
        self._turned: dict[tuple[int, int, Vector, int], Final] = {}
        self._best: dict[tuple[int, int, State], Best] = {}
        self._bests: dict[tuple[int, int, tuple[int, ...]], Best] = {}
        self._tops: dict[tuple[int, State], int | None] = {}
        self._said: dict[tuple[int, int], int] = {}
        self._surely: dict[tuple[tuple[int, int], Best, Best], int] = {}

    def seat(self, hand: Hand) -> Seat:
        """Who holds the hand, as far as conditions ask."""
        last = None if hand.last is None else hand.last[1]
        told = []
        for asked in self._asked:
            context = tuple((name, value) for name, value in hand.context.items() if name in asked)
            told.append(self._told.setdefault((hand.role, last, context), len(self._told)))
        return Seat(hand, (told[0], told[1]))

    def said(self, states: tuple[State, State], seat: Seat) -> int:
        """What can be said of hands that end so, as a number."""
        left, right = self._final(0, states[0], seat), self._final(1, states[1], seat)
        if left.unsure or right.unsure:
            return self._said_anyway(left, right, seat)
        pair = left.number, right.number
        if pair not in self._said:
            taken = [next(iter(self._finals[number]), None) for number in pair]
            self._said[pair] = self.sayings.number(_said(*taken))
        return self._said[pair]

    def _said_anyway(self, left: Best, right: Best, seat: Seat) -> int:
        """What is said whichever of those liked best score highest: where all pairs say the same, so do any
        number of them. Sides that read hands alike and like the same best choose the same."""
        key = seat.told, left, right
        if key not in self._surely:
            if self._alike and left.ends == right.ends:
                finals = [self._ends[self._judges[side], seat.told[side]] for side in (0, 1)]
                found = {_said(finals[0][end], finals[1][end]) for end in left.ends}
            else:
                either = [self._finals[best.number] or (None,) for best in (left, right)]
                found = {_said(*pair) for pair in product(*either)}
            if len(found) > 1:
                raise ScoreDecides
            self._surely[key] = self.sayings.number(found.pop())
        return self._surely[key]

    def score(self, states: tuple[State, State]) -> Reason | None:
        """By how much the best score of the left is higher; None where one side has no arrangement."""
        left, right = (self._highest(side, state) for side, state in enumerate(states))
        return higher(left, right)

    def _highest(self, side: int, state: State) -> int | None:
        """The best score."""
        key = side, state
        if key not in self._tops:
            automaton = self.automata[side]
            self._tops[key] = max((automaton.end(end)[1] for end in automaton.ends(state)), default=None)
        return self._tops[key]

    @cached_property
    def _judges(self) -> tuple[int, int]:
        """Whose conditions and payments decide on either side: the left ones on both where they are alike."""
        faces = [_judging(*both) for both in zip(self.sides, self.automata, strict=True)]
        return 0, int(faces[0] != faces[1])

    def _final(self, side: int, state: State, seat: Seat) -> Best:
        """The outcomes that its owner likes best; scores beyond the last threshold are alike."""
        key = self._judges[side], seat.told[side], state
        best = self._best.get(key)
        if best is None:
            best = self._best[key] = self._liked(key[0], state, seat)
        return best

    def _liked(self, side: int, state: State, seat: Seat) -> Best:
        told = seat.told[side]
        known = self._ends.setdefault((side, told), {})
        top: tuple[bool, int, int] | None = None
        liked: list[int] = []
        for end in self.automata[side].ends(state):
            final = known.get(end)
            if final is None:
                final = known[end] = self._end(side, *self.automata[side].end(end), seat)
            if top is None or final.rank > top:
                top, liked = final.rank, [end]
            elif final.rank == top:
                liked.append(end)
        key = side, told, tuple(liked)
        if key not in self._bests:
            self._bests[key] = self._together(*key)
        return self._bests[key]

    def _together(self, side: int, told: int, ends: tuple[int, ...]) -> Best:
        """Several outcomes that are liked alike."""
        best = sorted([self._ends[side, told][end] for end in ends], key=_in_order)
        unsure = alike_but_for_score(self.automata[side], best)
        said = dict.fromkeys(map(_but_for_rank, best if unsure else preferred(best)[:1]))
        return Best(self._finals.number(tuple(said)), ends, unsure)

    def _end(self, side: int, vector: Vector, score: int, seat: Seat) -> Final:
        if self._doubted[side] and (side, seat.told[side], vector) not in self._rising:
            self._make_sure(side, vector, seat)
        turning, automaton = self._turning[side], self.automata[side]
        if self._by_score[side]:
            return self.sides[side].final(automaton, vector, score, seat.hand)
        below = turning[bisect_right(turning, score) - 1]
        key = (side, seat.told[side], vector, below)
        if key not in self._turned:
            self._turned[key] = self.sides[side].final(automaton, vector, below, seat.hand)
        return self._turned[key].at(score, self.sides[side].game.win.choice != "payment")

    def _make_sure(self, side: int, vector: Vector, seat: Seat) -> None:
        """From score to score nothing that is liked gets lost.

        Between two scores at which a condition may turn nothing changes but the score.
        """
        self._rising.add((side, seat.told[side], vector))
        made = partial(self.sides[side].final, self.automata[side], vector, hand=seat.hand)
        ranks = [made(score=score).rank for score in self._turning[side]]
        if ranks != sorted(ranks):
            raise LowerIsBetter


@dataclass(slots=True)
class Known:
    """What one part of the hands leaves for the others."""

    automata: dict[str, list[Automaton]] = field(default_factory=dict)
    """Those that read it, by what they are for; those of other parts join them."""
    opinions: dict[tuple[Compiled, Compiled, str], Opinions] = field(default_factory=dict)
    letters: Memo = field(default_factory=Memo)
    """What they read of components."""

    def of(self, sides: tuple[Compiled, Compiled], reading: str) -> Opinions:
        """What both make of final states."""
        key = (*sides, reading)
        if key not in self.opinions:
            self.opinions[key] = Opinions(sides, reading)
        return self.opinions[key]


class Meaning:
    """Two compiled rulesets over a part of the hands.

    `known`: what other parts leave for this one. `reading`: see `Opinions`.
    """

    def __init__(
        self,
        left: Compiled,
        right: Compiled,
        part: Part,
        known: Known | None = None,
        reading: str = READINGS[True, False],
    ) -> None:
        self.verdicts = reading
        self.sides = (_reading(left, part), _reading(right, part))
        self.sides[1].borrow(self.sides[0])
        self._known = known = Known() if known is None else known
        self.opinions = known.of(self.sides, reading)
        self.join(reading)
        self.game = left.game
        self.part = part
        self.mark = left.mark if left.mark is not None else right.mark
        self.roles = [r for r in left.game.roles if r in right.game.roles and self._may_hold(r)]
        last = None if any(c.game.on_top for c in self.sides) else (0, OWN_DRAW)
        self.closed = Hand(self.roles[-1], (), (), last, part.deal)
        """The situation in which closed hands are counted."""
        self.names = list(dict.fromkeys(n.name for c in self.sides for n in c.game.names))
        self.contexts = [c for c in part.contexts if self._fits(c)]
        self._seats: dict[str | None, list[Seat]] = {}
        self.size = self.game.finished - part.wilds.number
        """Natural tiles of a finished hand."""

    def join(self, name: str) -> None:
        """Steps of automata of that name are worked out once for all that add up alike."""
        for compiled in self.sides:
            automaton: Automaton = getattr(compiled, name)
            others = self._known.automata.setdefault(name, [])
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

    def situations(self, name: str) -> SituationMaker:
        """All that its hands can hold, as the automata of that name read it."""
        left, right = (getattr(c, name) for c in self.sides)
        part = self.part
        exposed, drawn = not part.wilds.number, not part.any_last
        known = self._known.letters
        return SituationMaker(left, right, exposed, deck=part.deck, drawn=drawn, known=known)

    def held(self, last: str | None) -> list[Seat]:
        """Every role and context in which a hand can be held whose last tile comes from there."""
        if last not in self._seats:
            kind = WILD if self.part.wilds.last else 0
            self._seats[last] = [
                self.opinions.seat(Hand(role, (), (), None if last is None else (kind, last), context))
                for role in self.roles
                if last is not None or all(c.game.dealt[role] >= c.game.finished for c in self.sides)
                for context in self.contexts
            ]
        return self._seats[last]

    def reasons(self, said: Said) -> dict[str, Reason | None]:
        """Per aspect but the score why the sides differ, SAME, or None where they cannot be compared."""
        return {"win": said.win, "names": self._names_reason(said), "payment": said.payment}

    def _names_reason(self, said: Said) -> Reason | None:
        """The rarest name that only one side gives."""
        if said.names is None:
            return None
        for name in self.names:
            for side, only in zip(("left", "right"), said.names, strict=True):
                if name in only:
                    return side, name
        return SAME

    def score(self, states: tuple[State, State], ahead: int) -> Reason | None:
        """By how much the best score of the left is higher."""
        pairs = zip(self.sides, states, strict=True)
        left, right = (max((s for _, s in c.scored.finals(st, 0)), default=None) for c, st in pairs)
        return higher(left, right, ahead)

    # ------------------------------------------------------------ hands without any shape

    def shapeless(self, tally: Tally, hands: int, deals: int) -> None:
        """Declared wins that neither side can arrange pay for a false win as well; there are so many."""
        counts = (1, *(0 for _ in self.game.kinds[1:]))
        if any(self._refusal_reason(hand) != SAME for hand in self._all_refused(counts)):
            counts = self._plainest_shapeless()
        for hand in self._all_refused(counts):
            tally.meet(self._refusal_reason(hand), sum(n * n for n in counts), partial(replace, hand))
        own = replace(next(self._refused(self.closed.role, counts)), context=self.closed.context)
        tally.weights[self._refusal_reason(own)].add(hands, deals)

    def _all_refused(self, counts: Counts) -> Iterator[Hand]:
        for role in self.roles:
            for drawn in self._refused(role, counts):
                yield from (replace(drawn, context=dict(context)) for context in self.contexts)

    def _plainest_shapeless(self) -> Counts:
        """The tiles of the first closed hand that neither side can arrange."""
        machines = tuple(Shaped(c.shaped) for c in self.sides)
        found = search(self.part.deck, machines, self.size).items()
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


def _reading(compiled: Compiled, part: Part) -> Compiled:
    """What reads the hands of the part."""
    return compiled if compiled.game.wild is None else compiled.with_wilds(part.wilds)


def read_alike(sides: tuple[Compiled, Compiled], name: str) -> bool:
    """Do the automata of that name read all hands alike on both sides?"""
    left, right = sides
    if regrouped(left.game) != regrouped(right.game):
        return False
    return getattr(left, name).maker is getattr(right, name).maker


def _judging(compiled: Compiled, automaton: Automaton) -> Hashable:
    """All that decides what a final state comes to."""
    game, start = compiled.game, automaton.start
    return (
        *(start, automaton.conditions, automaton.asked, automaton.cap, automaton.keep_all),
        *(game.stacking, game.seats, game.scores, game.win.choice),
        tuple((parameter.name, parameter.values) for parameter in game.parameters),
        tuple((name.name, name.times, name.uncalled) for name in game.names),
        tuple((t.outcome, t.payer, t.payee, t.amount) for t in game.transfers),
        tuple(score_feature(game, table).weights for table in tables_paid(game) if table),
        tuple(need.name for need in game.win.needs),
    )


def _turning(automaton: Automaton) -> list[int]:
    """The least and the highest score, and those on both sides of where a condition may turn."""
    least, most = automaton.least, automaton.cap or 0
    points = frozenset[int]().union(*map(turning_points, automaton.conditions))
    beside = {score for point in points for score in (point - 1, point)}
    return sorted({least, most, *(score for score in beside if least <= score <= most)})


def _but_for_rank(final: Final) -> Final:
    return replace(final, vector=(), score=0, rank=(final.win, 0, 0), among_equals=())


def _in_order(final: Final) -> tuple[Vector, int]:
    return final.vector, final.score


def _said(left: Final | None, right: Final | None) -> Said:
    a, b = (final is not None and final.win for final in (left, right))
    given, other = (frozenset(() if final is None else final.names) for final in (left, right))
    return Said(
        _win_reason(left, right) if a or b else None,
        (given - other, other - given) if a and b else None,
        payment_reason(left, right) if left is not None and right is not None and a == b else None,
    )


def higher(left: int | None, right: int | None, ahead: int = 0) -> Reason | None:
    """By how much the left score is higher, which is so much more; None where a side has none."""
    if left is None or right is None:
        return None
    more = ahead + left - right
    return ("both", f"{more:+d}") if more else SAME


def _win_reason(left: Final | None, right: Final | None) -> Reason:
    """Needs that the refusing side finds unmet, of two of which one wins at least."""
    a, b = (final is not None and final.win for final in (left, right))
    if a and b:
        return SAME
    return ("left" if a else "right", *lacking(right if a else left))


def lacking(final: Final | None) -> Reason:
    """What a hand that does not win lacks."""
    return ("形",) if final is None else final.missing


def payment_reason(left: Final, right: Final) -> Reason:
    """The multipliers of both sides where they differ, else just that it is paid in another way."""
    if dict(left.payments) == dict(right.payments):
        return SAME
    outcome = "和" if left.win else "诈和"
    times = (str(left.times), str(right.times))
    return ("both", outcome, *times) if times[0] != times[1] else ("both", outcome)
