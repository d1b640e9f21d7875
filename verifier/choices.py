"""Hands that can be arranged in several ways which come to different verdicts or payments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dsl.core.hand import Hand
from dsl.core.limits import LONGEST, TooLarge, too_many_states
from dsl.core.model import OWN_DRAW, Game
from dsl.core.reference import Outcome, arrangements, outcome_of
from dsl.core.waiting import closed
from dsl.judge.asked import contexts_asked
from dsl.judge.automaton import Automaton, State
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Counts, Held, Shaped, component_letters, search, whole
from dsl.judge.weighed import weighed
from dsl.judge.wild_hands import hands_sought

from .findings import dealt

Face = tuple[bool, tuple[tuple[str, int], ...]]
"""A verdict and what it pays."""


MOST_WILDS = 1
"""Wild tiles of the hands that are sorted."""


@dataclass(frozen=True, slots=True)
class Open:
    """How many closed hands leave a choice, out of how many complete ones, and the first of them."""

    hands: int
    of: int
    first: Hand | None
    """All its tiles concealed, of those with the fewest wild ones; how the last one came is left open."""


class _Patient(Shaped):
    """Reads hands until it has worked out so much that the question is left open."""

    spent = 0

    def step(self, state: State, letter: int) -> State:
        if letter not in state:
            self.spent += len(state.held) * len(self.automaton.letters[letter])
            if self.spent > LONGEST:
                raise too_many_states()
        return super().step(state, letter)


def open_choices(compiled: Compiled) -> Open:
    """Finished closed hands of `game.finished` tiles, by whether they come to one outcome or several.

    Raises `TooLarge`.

    With more than one wild tile nearly every hand leaves a choice, and they are left aside. Where a deal
    decides what is wild, a hand counts once for every deal that it can be held in.
    """
    plain = closed(compiled.game)
    asked = [atom.parameter for atom in contexts_asked(compiled.game)]
    known: dict[Hashable, set[Face]] = {}
    sights: dict[Hashable, _Judged] = {}
    hands = complete = 0
    first: Hand | None = None
    for sought in hands_sought(compiled, plain.role, MOST_WILDS):
        deck, times, size = sought.deal.deck, sought.deal.times, compiled.game.finished - sought.wilds
        held = replace(plain, context=sought.deal.context, wilds=sought.wilds)
        sight = (sought.wilds, *(held.context.get(name) for name in asked))
        judged = sights.setdefault(sight, _Judged(sought.compiled, held))
        automaton, shown = sought.compiled.every_outcome, first is None or first.wilds >= sought.wilds
        several: dict[State, Counts] = {}
        for state, number, counts in _ends(deck, automaton, size, shown):
            key = (state.index, sight)
            if key not in known:
                known[key] = judged.faces(state)
            faces = known[key]
            complete += times * number if faces else 0
            if len(faces) > 1:
                hands += times * number
                several[state] = counts
        if several and shown:
            own = replace(held, counts=_first(deck, automaton, size, several), last=None)
            first = own if first is None else min(first, own, key=_order)
    return Open(hands, complete, first)


def _ends(deck: Game, automaton: Automaton, size: int, shown: bool) -> Iterator[tuple[State, int, Counts]]:
    """Where hands end, how many, and the first of them; where there are many decks nothing for that: to
    count is quicker. What is too large to be counted in any order is gone through in the deck's.
    """
    if deck.wild is not None:
        try:
            counted = weighed(deck, (automaton,), size, dealt=False)
        except TooLarge:
            if not shown:
                raise
        else:
            yield from ((each.states[0], each.hands, ()) for each in counted)
            return
    for (state,), reached in search(deck, (_Patient(automaton),), size).items():
        yield state, reached.hands, whole(reached.first, deck)


def _first(deck: Game, automaton: Automaton, size: int, ends: Mapping[State, Counts]) -> Counts:
    """Of the hands that end so the one with most of the early kinds."""
    return max(ends.values()) or _Finder(deck, automaton, size, ends).found()


class _Finder:
    """Tries the components one after the other, most of the early kinds first."""

    def __init__(self, deck: Game, automaton: Automaton, size: int, ends: Collection[State]) -> None:
        self.deck = deck
        self.machine = Shaped(automaton)
        self.size = size
        self.ends = ends
        self.letters = list(component_letters(deck, (self.machine,), (size, size)))
        many = [sum(deck.kinds[kind].copies for kind in part) for part in deck.components]
        self.rest = [sum(many[i:]) for i in range(len(many) + 1)]
        """Tiles of a component and all after it."""
        self.hopeless: set[tuple[int, int, State]] = set()

    def found(self) -> Counts:
        """The first hand; there must be one."""
        parts = self._onward(0, 0, self.machine.start)
        assert parts is not None
        return whole(parts, self.deck)

    def _onward(self, index: int, tiles: int, state: State) -> tuple[Held, ...] | None:
        """What the components from this one on hold, after so many tiles that came to the state."""
        place = (index, tiles, state)
        if not tiles <= self.size <= tiles + self.rest[index] or place in self.hopeless:
            return None
        if index == len(self.letters):
            return () if state in self.ends else None
        letter: Any
        for (more, (letter,)), (_, _, held) in self.letters[index].items():
            rest = self._onward(index + 1, tiles + more, self.machine.step(state, letter))
            if rest is not None:
                return held, *rest
        self.hopeless.add(place)
        return None


def _order(hand: Hand) -> tuple[int, tuple[int, ...]]:
    return hand.wilds, tuple(-n for n in hand.counts)


class _Judged(dict[tuple[tuple[int, ...], int], Face]):
    """What sums of an arrangement come to in a situation; hundreds of them make all final states.

    What only a refused hand would pay is left aside.
    """

    def __init__(self, compiled: Compiled, hand: Hand) -> None:
        super().__init__()
        self.compiled = compiled
        self.hand = hand

    def __missing__(self, sums: tuple[tuple[int, ...], int]) -> Face:
        final = self.compiled.final(self.compiled.every_outcome, *sums, self.hand)
        face = self[sums] = (final.win, final.payments)
        return face

    def faces(self, state: State) -> set[Face]:
        """The outcomes of a final state's arrangements."""
        return {self[sums] for sums in self.compiled.every_outcome.finals(state, 0)}


def shown(game: Game, tiles: Hand) -> tuple[Hand, list[Outcome]]:
    """The hand with one arrangement for each outcome, the best-paid first.

    The last tile is the first one that leaves the choice open; where none does, the outcomes are empty.
    """
    whole_deal = closed(game).last is None
    for last in [None] if whole_deal else [k for k, n in enumerate(tiles.counts) if n]:
        drawn = None if last is None else (last, OWN_DRAW)
        hand = _in_deal(game, replace(tiles, counts=_without(tiles.counts, last), last=drawn))
        found: dict[Face, Outcome] = {}
        for arrangement in arrangements(game, hand):
            outcome = outcome_of(game, hand, arrangement)
            found.setdefault((outcome.win, outcome.payments), outcome)
        if len(found) > 1:
            seat = next(s.name for s in game.seats if s.role == hand.role)
            order = sorted(found.values(), key=lambda o: (o.win, dict(o.payments)[seat]), reverse=True)
            return hand, order
    return _in_deal(game, tiles), []


def _in_deal(game: Game, hand: Hand) -> Hand:
    return hand if hand.context else dealt(game, hand)


def _without(counts: tuple[int, ...], last: int | None) -> tuple[int, ...]:
    left = Counter({k: n for k, n in enumerate(counts) if n}) - Counter(() if last is None else (last,))
    return tuple(left[k] for k in range(len(counts)))
