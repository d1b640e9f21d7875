"""Parts of the hands that the same automata read, compared together, deck by deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from math import comb
from typing import NamedTuple

from dsl.core.hand import Hand
from dsl.judge.automaton import State
from dsl.judge.futures import Futures
from dsl.judge.held import different_hands
from dsl.judge.numbered import Numbered
from dsl.judge.product import Plainest, Product

from .meaning import ASPECTS, SAME, Meaning, Reason, Said, Seat, Tally, Tick, read_alike

Told = Callable[[int], Iterator[tuple[str, Reason | None, Seat]]]
"""By the name of an end what is said of it: per aspect why the sides differ, and who holds the hand."""


class End(NamedTuple):
    """What a pair of final states comes to."""

    last: str | None
    complete: bool
    """Has either side an arrangement?"""
    said: tuple[int, ...]
    """By numbers, for each seat that somebody tells from others."""
    score: Reason | None
    """Why scores differ, SAME, or None where there is nothing to compare or verdicts do not tell."""


class Together:
    """Meanings of parts with as many wild tiles. Raises `LowerIsBetter`, `ScoreDecides`, `TooLarge`."""

    def __init__(self, meanings: Sequence[Meaning], tick: Tick | None) -> None:
        self.meanings = meanings
        self.one = meanings[0]
        self.counted = not self.one.part.wilds.last
        self.tick = tick
        self._ends: Numbered[End] = Numbered()
        self._scores: Numbered[tuple[str | None, Reason]] = Numbered()
        self._places: dict[str | None, dict[tuple[int, int], tuple[int, Seat]]] = {}
        self.verdicts = Futures(self._product(self.one.verdicts), self._verdict)

    # ------------------------------------------------------------ products

    @cached_property
    def scores(self) -> Futures | None:
        """None where both sides add up hands alike, or verdicts tell the scores."""
        if self._scored_alike or self.one.opinions.told:
            return None
        self.one.join("scored")
        return Futures(self._product("scored"), self._score)

    @cached_property
    def _scored_alike(self) -> bool:
        return self._alike(self.one.verdicts) or self._alike("scored")

    def _alike(self, name: str) -> bool:
        return read_alike(self.one.sides, name)

    def _product(self, name: str) -> Product:
        """What is made of two automata; once for all games of which both sides read alike."""
        key = (name, *(m.part.key for m in self.meanings), *(c.game.finished for c in self.one.sides))
        if self._alike(name):
            memo = getattr(self.one.sides[0], name).memo
            found: Product = memo.of(key, partial(self._made, name))
            return found
        return self._made(name)

    def _made(self, name: str) -> Product:
        tick = None if self.tick is None else partial(self.tick, name)
        return Product([meaning.situations(name) for meaning in self.meanings], self.counted, tick)

    # ------------------------------------------------------------ ends

    def _told(self, last: str | None) -> dict[tuple[int, int], tuple[int, Seat]]:
        """The seats that somebody tells from others, by what is told of them, each with its place."""
        if last not in self._places:
            seats = [seat for meaning in self.meanings for seat in meaning.held(last)]
            seats += [self._closed(meaning) for meaning in self.meanings if last is None]
            first: dict[tuple[int, int], tuple[int, Seat]] = {}
            for seat in seats:
                first.setdefault(seat.told, (len(first), seat))
            self._places[last] = first
        return self._places[last]

    def _closed(self, meaning: Meaning) -> Seat:
        return meaning.opinions.seat(meaning.closed)

    def _verdict(self, last: str | None, left: State, right: State, ahead: int) -> int:
        if not (left.complete or right.complete):
            return 0
        said = self.one.opinions.said
        every = tuple([said((left, right), seat) for _, seat in self._told(last).values()])
        return self._ends.number(End(last, True, every, self._score_told(left, right))) + 1

    def _score_told(self, left: State, right: State) -> Reason | None:
        if self._scored_alike:
            return SAME
        opinions = self.one.opinions
        return opinions.score((left, right)) if opinions.told else None

    def _score(self, last: str | None, left: State, right: State, ahead: int) -> int:
        reason = self.one.score((left, right), ahead)
        return 0 if reason is None else self._scores.number((last, reason)) + 1

    def _said(self, end: End, seat: Seat) -> Said:
        return self.one.opinions.sayings[end.said[self._told(end.last)[seat.told][0]]]

    # ------------------------------------------------------------ deck by deck

    def tallies(self, known: Mapping[str, Tally]) -> Iterator[tuple[Meaning, dict[str, Tally]]]:
        """What every aspect comes to, part by part; no hands for reasons for which there is a known one."""
        for deck, meaning in enumerate(self.meanings):
            found = {name: Tally() for name in ASPECTS}
            self._meet(deck, self.verdicts, partial(self._verdicts_of, meaning), known, found)
            if self.scores is not None:
                self._meet(deck, self.scores, partial(self._scores_of, meaning), known, found)
            if self.counted:
                self._weigh(deck, meaning, found)
            yield meaning, found

    def _meet(
        self, deck: int, futures: Futures, told: Told, known: Mapping[str, Tally], found: dict[str, Tally]
    ) -> None:
        fresh = False
        for name in futures.reached(deck):
            for aspect, reason, _ in told(name):
                if reason == SAME:
                    found[aspect].same = True
                elif reason is not None and reason not in known[aspect].first:
                    fresh = True
        for each in futures.plainest(deck) if fresh else ():
            for aspect, reason, seat in told(each.name):
                found[aspect].meet(reason, each.cost, partial(_held_by, seat, each))

    def _verdicts_of(self, meaning: Meaning, name: int) -> Iterator[tuple[str, Reason | None, Seat]]:
        """Per aspect why the sides differ over hands with such an end, and who holds them."""
        end = self._ends[name - 1]
        for seat in meaning.held(end.last):
            for aspect, reason in meaning.reasons(self._said(end, seat)).items():
                yield aspect, reason, seat
        for seat in self._scoring(meaning, end.last):
            yield "score", end.score, seat

    def _scores_of(self, meaning: Meaning, name: int) -> Iterator[tuple[str, Reason | None, Seat]]:
        last, reason = self._scores[name - 1]
        for seat in self._scoring(meaning, last):
            yield "score", reason, seat

    def _scoring(self, meaning: Meaning, last: str | None) -> list[Seat]:
        """Who holds the hands of which scores are shown: the last role."""
        return meaning.held(last)[-len(meaning.contexts) :][:1]

    def closed(self, deck: int) -> Iterator[tuple[Said, Reason | None, int, int]]:
        """What is said of closed hands and their scores, of how many, and in how many ways they are dealt."""
        seat = self._closed(self.meanings[deck])
        for name, (hands, deals) in self.verdicts.weights(deck).items() if self.counted else ():
            end = self._ends[name - 1]
            yield self._said(end, seat), end.score, hands, deals

    def _weigh(self, deck: int, meaning: Meaning, found: dict[str, Tally]) -> None:
        """Count the closed hands of every reason: all tiles the hand's own, the last one drawn."""
        part, hands, deals = meaning.part, 0, 0
        for said, score, more, dealt in self.closed(deck):
            hands, deals = hands + more, deals + dealt
            for name, reason in (*meaning.reasons(said).items(), ("score", score)):
                if reason is not None:
                    found[name].weights[reason].add(more, dealt)
        if self.scores is not None:
            for number, counts in self.scores.weights(deck).items():
                found["score"].weights[self._scores[number - 1][1]].add(*counts)
        every = different_hands(part.deck, meaning.size)
        if hands < every:
            tiles = sum(kind.copies for kind in part.deck.kinds)
            meaning.shapeless(found["payment"], every - hands, comb(tiles, meaning.size) - deals)


def _held_by(seat: Seat, plainest: Plainest) -> Hand:
    return seat.of(plainest.hand)


def together(meanings: Sequence[Meaning], tick: Tick | None) -> list[Together]:
    """Those that the same automata read go together; names on which fewer closed hands differ go first, else
    one common name would hide all others."""
    groups = [list(own) for _, own in groupby(meanings, key=lambda meaning: meaning.part.wilds)]
    found = [Together(own, tick) for own in groups]
    seen: Counter[str] = Counter()
    for group in found:
        for deck, meaning in enumerate(group.meanings):
            for said, _, _, deals in group.closed(deck):
                for name in sorted(frozenset[str]().union(*said.names or ())):
                    seen[name] += deals * meaning.part.times
    for meaning in meanings:
        meaning.names.sort(key=lambda name: seen[name])
    return found
