"""What machines read inside a large component: kind by kind, with states of their own.

`search` would have to go through every number of tiles of a component to know its letters. Where a
component is large, the machines are run over its kinds instead, as they are over components, and what they
end in is their letter. Work then grows with the states that are met, not with the holdings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import comb, prod
from typing import Any, NamedTuple, Protocol

from ..core.limits import HEAVIEST, MOST, too_many_states
from ..core.model import OWN_DRAW, Game
from .automaton import Automaton
from .roads import swept
from .row_parts import Counts, Loose
from .rows import RowMaker
from .sweep import SweepState


class Inside(Protocol):
    """A machine inside one component."""

    @property
    def start(self) -> Hashable: ...

    @property
    def order(self) -> Counts:
        """Places of the component's kinds as they are read."""

    def step(self, state: Any, place: int, number: int) -> Hashable: ...

    def weight(self, state: Any) -> int:
        """How much it takes to go on from there."""

    def letter(self, state: Any) -> Hashable:
        """The machine's letter of a component that ends so."""


At = tuple[SweepState, int]
"""A state of the sweep, and the score added so far."""


class Plainly:
    """Concealed tiles as an automaton reads them."""

    def __init__(self, automaton: Automaton, component: int) -> None:
        self.automaton = automaton
        self.component = component
        self.sweep = automaton.sweep(component)
        self.start: At = (self.sweep.start, 0)
        self.order = self.sweep.order
        self._letters: dict[At, int] = {}

    def step(self, state: At, place: int, number: int) -> At:
        reached, added = self.sweep.step(state[0], number)
        return reached, state[1] + added

    def weight(self, state: At) -> int:
        return state[0].size

    def letter(self, state: At) -> int:
        known = self._letters.get(state)
        if known is None:
            outcomes = self.sweep.outcomes(*state)
            known = self._letters[state] = self.automaton.lettered_so(self.component, outcomes)
        return known


class Drawing:
    """The same, and with a further tile drawn from the deck: by how many of the kinds it comes to what."""

    def __init__(self, automaton: Automaton, component: int, deck: Game, limit: int | None = None) -> None:
        self.plainly = Plainly(automaton, component)
        self.order = self.plainly.order
        part = deck.components[component]
        self.copies = [deck.kinds[kind].copies for kind in part]
        self.drawn = [Loose(kind, OWN_DRAW, True) for kind in part]
        self.limit = limit
        """From how many kinds on the number makes no difference; None: there are some or none."""

    @property
    def start(self) -> tuple[At, frozenset[tuple[At, int]]]:
        return self.plainly.start, frozenset()

    def step(
        self, state: tuple[At, frozenset[tuple[At, int]]], place: int, number: int
    ) -> tuple[At, frozenset[tuple[At, int]]]:
        plain, drawn = state
        after: Counter[At] = Counter()
        for before, many in drawn:
            after[self.plainly.step(before, place, number)] += many
        if number < self.copies[place]:
            after[self.draw(plain, place, number)] += 1
        most = 1 if self.limit is None else self.limit
        kept = frozenset((at, min(many, most)) for at, many in after.items() if at[0].face)
        return self.plainly.step(plain, place, number), kept

    def draw(self, state: At, place: int, number: int) -> At:
        """Further tiles of a kind, the last one among them."""
        tile = self.drawn[place]
        if self.plainly.sweep.like_concealed(tile):
            return self.plainly.step(state, place, number + 1)
        reached, added = self.plainly.sweep.step(state[0], number, (tile,))
        return reached, state[1] + added

    def weight(self, state: tuple[At, frozenset[tuple[At, int]]]) -> int:
        return state[0][0].size + sum(at[0].size for at, _ in state[1])

    def letter(self, state: tuple[At, frozenset[tuple[At, int]]]) -> tuple[int, Hashable]:
        plain, drawn = state
        if self.limit is None:
            return self.plainly.letter(plain), frozenset(self.plainly.letter(at) for at, _ in drawn)
        tally: Counter[int] = Counter()
        for at, many in drawn:
            tally[self.plainly.letter(at)] += many
        return self.plainly.letter(plain), tuple(sorted(tally.items()))


class DrawnAt:
    """Concealed tiles and one drawn of a certain kind, not all copies of it held; or none drawn."""

    def __init__(self, drawing: Drawing, wanted: int | None) -> None:
        self.drawing = drawing
        self.wanted = wanted
        self.order = drawing.order
        self.start: At | None = drawing.plainly.start

    def step(self, state: At | None, place: int, number: int) -> At | None:
        if state is None or place != self.wanted:
            return state and self.drawing.plainly.step(state, place, number)
        return self.drawing.draw(state, place, number) if number < self.drawing.copies[place] else None

    def weight(self, state: At | None) -> int:
        return state[0].size if state else 0

    def letter(self, state: At | None) -> int | None:
        return state and self.drawing.plainly.letter(state)


class Vectors:
    """What the melds of a row maker come to, prices aside."""

    def __init__(self, maker: RowMaker, component: int) -> None:
        self.maker = maker
        self.component = component
        self.sweep = maker.sweeps.of(component)
        self.order = self.sweep.order
        self.start = self.sweep.start

    def step(self, state: SweepState, place: int, number: int) -> SweepState:
        return self.sweep.step(state, number)[0]

    def weight(self, state: SweepState) -> int:
        return state.size

    def letter(self, state: SweepState) -> frozenset[Counts]:
        outcomes = self.sweep.outcomes(state, 0)
        seen = (self.maker.vector(self.component, sums, held) for sums, _, held in outcomes)
        return frozenset(vector for vector in seen if vector is not None)


class Number:
    """How many tiles there are of one kind; of none where it is not here."""

    start = 0

    def __init__(self, order: Counts, wanted: int) -> None:
        self.order = order
        self.wanted = wanted

    def step(self, state: int, place: int, number: int) -> int:
        return number if place == self.wanted else state

    def weight(self, state: int) -> int:
        return 0

    def letter(self, state: int) -> int:
        return state


def plainly(automaton: Automaton, component: int) -> Plainly | None:
    """None where the automaton does not sweep the component."""
    return Plainly(automaton, component) if component in automaton.maker.sweeps.large else None


def drawing(
    automaton: Automaton, component: int, deck: Game | None, limit: int | None = None
) -> Drawing | None:
    """None where the automaton does not sweep the component, or a sweep cannot tell what is drawn."""
    maker = automaton.maker
    if component not in maker.sweeps.large or maker.alike_told:
        return None
    tiles = (Loose(kind, OWN_DRAW, True) for kind in maker.game.components[component])
    if any(automaton.sweep(component).like_concealed(tile) is None for tile in tiles):
        return None
    return Drawing(automaton, component, deck or automaton.game, limit)


class Found(NamedTuple):
    """Holdings of a component that machines read alike."""

    hands: int
    deals: int
    first: Counts
    """The one with most of the earlier kinds."""


def run(
    insides: tuple[Inside, ...], copies: Counts, least: int, most: int
) -> dict[tuple[int, tuple[Hashable, ...]], Found]:
    """(tiles, letters) of all holdings with so many tiles, first ones first. Raises `TooLarge`."""
    swept()
    layer = {(0, *(inside.start for inside in insides)): Found(1, 1, (0,) * len(copies))}
    order, left, load = insides[0].order, sum(copies), 0
    for place in order:
        left -= copies[place]
        load += _weight(insides, layer)
        if load > HEAVIEST:
            raise too_many_states()
        layer = _read(insides, layer, place, copies[place], (least - left, most))
    found: dict[tuple[int, tuple[Hashable, ...]], Found] = {}
    for (tiles, *states), own in layer.items():
        face = (tiles, tuple(i.letter(s) for i, s in zip(insides, states, strict=True)))
        _add(found, face, own)
    return dict(sorted(found.items(), key=lambda item: item[1].first, reverse=True))


def _weight(insides: tuple[Inside, ...], layer: dict[tuple[Any, ...], Found]) -> int:
    """Of all states of a layer together."""
    several = (dict.fromkeys(key[i] for key in layer) for i in range(1, len(insides) + 1))
    return sum(inside.weight(s) for inside, states in zip(insides, several, strict=True) for s in states)


def _read(
    insides: tuple[Inside, ...],
    layer: dict[tuple[Any, ...], Found],
    place: int,
    copies: int,
    bounds: tuple[int, int],
) -> dict[tuple[Any, ...], Found]:
    """The layer after one kind more."""
    after: dict[tuple[Any, ...], Found] = {}
    steps: list[dict[Any, list[Hashable]]] = [{} for _ in insides]
    for (tiles, *states), before in layer.items():
        rows = []
        for inside, known, state in zip(insides, steps, states, strict=True):
            row = known.get(state)
            if row is None:
                row = known[state] = [inside.step(state, place, n) for n in range(copies + 1)]
            rows.append(row)
        for number in range(max(0, bounds[0] - tiles), min(copies, bounds[1] - tiles) + 1):
            first = (*before.first[:place], number, *before.first[place + 1 :])
            own = Found(before.hands, before.deals * comb(copies, number), first)
            _add(after, (tiles + number, *[row[number] for row in rows]), own)
        if len(after) > MOST:
            raise too_many_states()
    return after


def _add(found: dict[Any, Found], key: Any, own: Found) -> None:
    known = found.get(key)
    if known is not None:
        own = Found(known.hands + own.hands, known.deals + own.deals, max(known.first, own.first))
    found[key] = own


def holdings_of(copies: Counts) -> int:
    """In how many ways a hand can hold tiles of kinds with so many copies."""
    return prod(n + 1 for n in copies)
