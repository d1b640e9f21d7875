"""What the parts of a hand come to together: all hands at once, as far as it matters which of them wait.

Each way to group the tiles of one part of the deck adds up to a vector, and of a hand it matters only which
vectors its parts come to: as they lie, with one tile more, and with one tile less. There are few different
sets of vectors. So all hands are gone through by adding part after part, and of those that count alike one
is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, product
from operator import mul
from typing import Generic, NamedTuple, TypeVar

from dsl.core.hand import Hand, Laid
from dsl.core.model import ORIGINS, OWN, Game
from dsl.judge.automaton import Automaton, apart, loose_order
from dsl.judge.compiled import Compiled
from dsl.judge.numbered import Numbered
from dsl.judge.row_parts import Loose, RowKey
from dsl.judge.rows import Wilds

Counts = tuple[int, ...]
S = TypeVar("S", bound=Hashable)


class Held(NamedTuple):
    """What a player holds of one part of the deck."""

    counts: Counts
    """Concealed natural tiles, per kind of the part."""
    laid: tuple[Laid, ...] = ()

    def named(self, melds: Mapping[int, int]) -> Held:
        """The same in a part whose melds are called so."""
        return self._replace(laid=tuple(replace(laid, meld=melds[laid.meld]) for laid in self.laid))


Hands = tuple[tuple[int, Held], ...]
"""Parts of the deck, each with what is held of it; nothing of all others."""


class Sets(NamedTuple):
    """The vectors that tiles come to, as bits: see `Adder`."""

    whole: int = 0
    """As they lie."""
    drawn: int = 0
    """With one natural tile more."""
    wild: int = 0
    """With a wild tile drawn last, which may lie in any part."""

    def either(self, other: Sets) -> Sets:
        return Sets(self.whole | other.whole, self.drawn | other.drawn, self.wild | other.wild)


class Adder:
    """Sets of vectors up to a bound: bits of an integer, one for each vector."""

    def __init__(self, bounds: Counts) -> None:
        self.bounds = bounds
        self._steps = tuple(accumulate((b + 1 for b in bounds[:-1]), mul, initial=1)) if bounds else ()
        self.top = 1 << self._place(bounds)
        """The set of the bound itself."""
        self._room: dict[int, int] = {}
        self._sums: dict[tuple[int, int], int] = {}

    def _place(self, vector: Iterable[int]) -> int:
        return sum(map(mul, vector, self._steps))

    def bits(self, vectors: Iterable[Counts]) -> int:
        """A set of vectors, of which only the entries that have a bound count."""
        found = 0
        for vector in vectors:
            found |= 1 << self._place(vector)
        return found

    def sum(self, one: int, other: int) -> int:
        """All sums of a vector of one set and one of the other, up to the bound."""
        if not one or not other:
            return 0
        key = (one, other) if one < other else (other, one)
        known = self._sums.get(key)
        if known is None:
            known = 0
            for place in range(other.bit_length()):
                if other >> place & 1:
                    known |= (one & self._beside(place)) << place
            self._sums[key] = known
        return known

    def _beside(self, place: int) -> int:
        """The vectors that stay within the bound with this one added."""
        if place not in self._room:
            vector = [place // step % (b + 1) for step, b in zip(self._steps, self.bounds, strict=True)]
            ranges = (range(b - n + 1) for b, n in zip(self.bounds, vector, strict=True))
            self._room[place] = self.bits(product(*ranges))
        return self._room[place]


class Sums:
    """The sets of vectors of hands like this one: of its role and circumstances, with as many wild tiles."""

    def __init__(self, compiled: Compiled, hand: Hand) -> None:
        own, wilds = compiled.of(hand), hand.wilds
        self.game: Game = own.game
        self.copies = self.game.copies_in(hand.context)
        self.automaton = own.shaped
        named = self.automaton.likes.origins
        self.origins = tuple(dict.fromkeys(named[origin] for origin in ORIGINS[1:]))
        """Where a drawn tile can come from, one for those that no meld tells apart."""
        self.adder = Adder(self.automaton.final_dims)
        wild = self.game.wild
        more = wild is not None and wilds < wild.copies
        self.last_wild = own.with_wilds(Wilds(wilds + 1, last=True)).shaped if more else None
        self.wild_adder = Adder(() if self.last_wild is None else self.last_wild.final_dims)
        self.nothing = Sets(1, 0, int(more))
        self._of: dict[tuple[int, Held], Sets] = {}

    def of(self, part: int, held: Held) -> Sets:
        """What is held of one part of the deck."""
        known = self._of.get((part, held))
        if known is None:
            loose, laid = self._apart(part, held)
            known = self._of[part, held] = Sets(
                self._told(self.automaton, RowKey(part, held.counts, loose, laid)),
                self._drawn(part, held, loose, laid),
                self._wild(part, held.counts, loose, laid),
            )
        return known

    def like(self, part: int) -> tuple[int, Mapping[int, int]]:
        """The first part whose melds come to the same, and what each of them is called here."""
        return self.automaton.maker.alike[part]

    def with_tile(self, part: int, held: Held, tile: int, origin: str) -> int:
        """The vectors with this tile last, of this origin."""
        loose, laid = self._apart(part, held)
        tiles = _sorted((*loose, Loose(tile, origin, True)))
        return self._told(self.automaton, RowKey(part, held.counts, tiles, laid))

    def _apart(self, part: int, held: Held) -> tuple[tuple[Loose, ...], tuple[Laid, ...]]:
        hand = Hand("", held.laid, (0,) * len(self.game.kinds), None)
        loose, laid = apart(self.game, hand)
        return tuple(loose.get(part, ())), tuple(laid.get(part, ()))

    def _told(self, automaton: Automaton, key: RowKey) -> int:
        adder = self.adder if automaton is self.automaton else self.wild_adder
        return adder.bits(vector for vector, _ in automaton.letters[automaton.letter(key)])

    def _drawn(self, part: int, held: Held, loose: tuple[Loose, ...], laid: tuple[Laid, ...]) -> int:
        found, exposed = 0, Counter(k for m in held.laid for k in self.game.melds[m.meld].tiles)
        for kind, number in zip(self.game.components[part], held.counts, strict=True):
            for origin in self.origins if number + exposed[kind] < self.copies[kind] else ():
                tiles = _sorted((*loose, Loose(kind, origin, True)))
                found |= self._told(self.automaton, RowKey(part, held.counts, tiles, laid))
        return found

    def _wild(self, part: int, counts: Counts, loose: tuple[Loose, ...], laid: tuple[Laid, ...]) -> int:
        found = 0
        for origin in (o for o in ORIGINS[1:] if o in OWN):
            if self.last_wild is not None:
                found |= self._told(self.last_wild, RowKey(part, counts, loose, laid, origin))
        return found

    def together(self, one: Sets, other: Sets) -> Sets:
        """Two parts of a hand."""
        if not any(one) or not any(other):
            return Sets()
        add = self.adder.sum
        drawn = add(one.drawn, other.whole) | add(one.whole, other.drawn)
        return Sets(add(one.whole, other.whole), drawn, self.wild_adder.sum(one.wild, other.wild))

    def reaches(self, one: int, other: int) -> bool:
        """Do vectors of one set and the other come to a whole shape?"""
        return bool(self.adder.sum(one, other) & self.adder.top)

    def complete(self, sets: Sets) -> bool:
        """Is there a whole shape as the tiles lie?"""
        return bool(sets.whole & self.adder.top)

    def waits(self, one: Sets, other: Sets) -> bool:
        """Is there one with one tile more, of two parts of a hand?"""
        if self.reaches(one.drawn, other.whole) or self.reaches(one.whole, other.drawn):
            return True
        wild = self.wild_adder
        return self.last_wild is not None and bool(wild.sum(one.wild, other.wild) & wild.top)


def _sorted(tiles: tuple[Loose, ...]) -> tuple[Loose, ...]:
    return tuple(sorted(tiles, key=loose_order))


class Adding(Generic[S]):
    """Adds what parts of the deck come to; the same two things only once.

    `add` gives None for what is of no use in any hand.
    """

    def __init__(self, add: Callable[[S, S], S | None]) -> None:
        self.add = add
        self._things = Numbered[S]()
        self._sums: dict[tuple[int, int], int | None] = {}

    def _sum(self, pair: tuple[int, int]) -> int | None:
        total = self.add(self._things[pair[0]], self._things[pair[1]])
        known = self._sums[pair] = None if total is None else self._things.number(total)
        return known

    def fold(self, parts: Sequence[tuple[int, Mapping[S, Held]]], start: S) -> dict[S, Hands]:
        """All hands that hold something of each of these parts, the plainest for each sum, in order.

        Of hands as plain those are preferred that hold more of the first parts, and what a part has first.
        """
        found: dict[int, tuple[Plainness, Hands]] = {self._things.number(start): ((0, 0, 0), ())}
        for part, choices in reversed(parts):
            found = self._grown(found, part, choices)
        plainest = sorted(found.items(), key=lambda entry: entry[1][0])
        return {self._things[number]: hands for number, (_, hands) in plainest}

    def _grown(
        self, found: dict[int, tuple[Plainness, Hands]], part: int, choices: Mapping[S, Held]
    ) -> dict[int, tuple[Plainness, Hands]]:
        """With one part more. Most pairs give what is known, so they are looked at by hand."""
        numbered = [(self._things.number(more), held, *_plainness(held)) for more, held in choices.items()]
        grown: dict[int, tuple[Plainness, Hands]] = {}
        sums = self._sums
        for known, (plain, hands) in found.items():
            exposed, most, parts = plain
            for more, held, laid, here, any_ in numbered:
                pair = known, more
                total = sums[pair] if pair in sums else self._sum(pair)
                if total is not None:
                    now = exposed + laid, here if here > most else most, parts + any_
                    best = grown.get(total)
                    if best is None or now < best[0]:
                        grown[total] = now, hands if now == plain else ((part, held), *hands)
        return grown


Plainness = tuple[int, int, int]
"""Few exposed melds, few tiles of one part, few parts."""


def _plainness(held: Held) -> Plainness:
    here = sum(held.counts)
    return len(held.laid), here, int(bool(held.laid or here))


def holdings(copies: Counts, spare: Counts) -> Iterator[Counts]:
    """Every way to hold tiles of a part, few first, when these lie elsewhere."""
    every = product(*(range(n - m + 1) for n, m in zip(copies, spare, strict=True)))
    yield from sorted(every, key=lambda counts: (sum(counts), [-n for n in counts]))
