"""Questions about all hands: deterministic machines over the components, run side by side.

A machine reads, per component, the counts of concealed tiles, and exposed melds where a question allows
them. `search` runs several machines together over every hand of a given size, layer by layer, and adds up
how many hands (and how many ways to be dealt one) end in each combination of states. No solver, and no
sampling: the answer is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import comb, prod
from typing import Any

from ..core.evaluate import Situation
from ..core.hand import Hand
from ..core.model import OWN_DRAW, Formula, Game
from .automaton import Automaton, State
from .compiled import Compiled
from .filled import Filled

# isort: off
from .held import (
    Counts as Counts,
    Held as Held,
    all_counts as all_counts,
    different_hands as different_hands,
    drawable as drawable,
    drawn_letter as drawn_letter,
    holdings as holdings,
    in_all as in_all,
    plain_letter as plain_letter,
    row_key as row_key,
    whole as whole,
)

# isort: on
from ..core.limits import MOST, check_holdings, too_many_states
from .inside import Inside, Number, drawing, holdings_of, plainly, run
from .probes import Sight, foreseen, met
from .reading import Machine as Machine
from .reading import Settling as Settling
from .reading import Swept as Swept
from .sweep import FEW, read_in


@dataclass
class Shaped:
    """Accepts hands that can be arranged in the automaton's shape."""

    automaton: Automaton

    @property
    def start(self) -> State:
        return self.automaton.start

    def face(self, component: int) -> int:
        return self.automaton.maker.alike[component][0]

    def letter(self, component: int, held: Held) -> int:
        return plain_letter(self.automaton, component, held)

    def inside(self, component: int) -> Inside | None:
        return plainly(self.automaton, component)

    def step(self, state: State, letter: int) -> State:
        return state[letter][0]

    def accepts(self, state: State) -> bool:
        return state.complete

    def settled(self, state: State) -> bool | None:
        return None if state.held else False

    def settles(self, letter: int) -> bool | None:
        return None if self.automaton.letters[letter] else False

    def accepts_so(self, vector: Counts, score: int) -> bool:
        """Does it accept arrangements of the whole shape that come to this?"""
        return True


class ShapedSo(Shaped):
    """Accepts hands that can be arranged in a shape (of a win by default) so that a formula holds."""

    def __init__(
        self, compiled: Compiled, formula: Formula, situation: Situation, shape: Counts | None = None
    ) -> None:
        super().__init__(Automaton(compiled.game, [formula], shape=shape, wilds=compiled.wilds))
        self.situation = situation
        self.width, (self.condition,) = len(self.automaton.final_dims), self.automaton.conditions
        self.automaton.vectors.hopeless = self._hopeless

    def _hopeless(self, vector: Counts) -> bool:
        """Does the formula hold of no arrangement that begins so?"""
        return foreseen(self.condition, self.automaton.maker.probes, self._sight(vector, 0)) is False

    def _sight(self, vector: Counts, score: int) -> Sight:
        return Sight(self.automaton.game, vector[self.width :], score, self.situation)

    def accepts(self, state: State) -> bool:
        finals = self.automaton.finals(state, 0)
        return any(met(self.condition, self._sight(vector, score)) for vector, score in finals)


def closed_last(game: Game) -> tuple[int, str] | None:
    """Whence closed finished hands have their last tile: an own draw, or none where that comes on top."""
    return None if game.on_top else (0, OWN_DRAW)


class ClosedWins(Shaped):
    """Accepts finished hands that win when every tile is the hand's own and the last one was drawn."""

    def __init__(self, compiled: Compiled, role: str, hand: Hand | None = None) -> None:
        super().__init__(compiled.wins)
        self.compiled = compiled
        self.hand = Hand(role, (), (), closed_last(compiled.game)) if hand is None else hand

    def accepts(self, state: State) -> bool:
        return self.compiled.wins_at(state, self.hand)

    def accepts_so(self, vector: Counts, score: int) -> bool:
        return self.compiled.wins_with(vector, score, self.hand)


@dataclass
class ClosedScore:
    """Accepts finished closed hands; its states end in the best score of any arrangement."""

    compiled: Compiled

    @property
    def start(self) -> tuple[State, int]:
        return self.compiled.scored.start, 0

    def face(self, component: int) -> int:
        return self.compiled.scored.maker.alike[component][0]

    def letter(self, component: int, held: Held) -> int:
        return plain_letter(self.compiled.scored, component, held)

    def inside(self, component: int) -> Inside | None:
        return plainly(self.compiled.scored, component)

    def step(self, state: tuple[State, int], letter: int) -> tuple[State, int]:
        reached, added = state[0][letter]
        return reached, state[1] + added

    def accepts(self, state: tuple[State, int]) -> bool:
        return state[0].complete

    def best(self, state: tuple[State, int]) -> int:
        """The best score that an accepted state stands for."""
        return max(score for _, score in self.compiled.scored.finals(*state))


@dataclass
class OneMore:
    """Accepts hands that some further tile of the deck brings into a set of final states.

    Deterministic by the subset construction: the state without the tile, and all states with it.
    """

    automaton: Automaton
    goal: Callable[[State], bool]
    deck: Game | None = None
    """The game with the tiles that can be drawn, where it is not the automaton's own."""

    @property
    def start(self) -> tuple[State, frozenset[State]]:
        return self.automaton.start, frozenset()

    def face(self, component: int) -> int:
        return self.automaton.maker.alike[component][0]

    def letter(self, component: int, held: Held) -> tuple[int, frozenset[int]]:
        automaton, kinds = self.automaton, drawable(self.deck or self.automaton.game, component, held)
        drawn = frozenset(drawn_letter(automaton, component, held, (k, OWN_DRAW)) for k in kinds)
        return plain_letter(automaton, component, held), drawn

    def inside(self, component: int) -> Inside | None:
        return drawing(self.automaton, component, self.deck)

    def step(self, state: Any, letter: Any) -> tuple[State, frozenset[State]]:
        plain: State
        drawn: frozenset[State]
        (plain, drawn), (own, added) = state, letter
        after = {s[own][0] for s in drawn} | {plain[a][0] for a in added}
        return plain[own][0], frozenset(s for s in after if s.face)

    def accepts(self, state: Any) -> bool:
        drawn: frozenset[State] = state[1]
        return any(self.goal(s) for s in drawn)

    def settled(self, state: Any) -> bool | None:
        return None if state[0].held or state[1] else False

    def settles(self, letter: tuple[int, frozenset[int]]) -> bool | None:
        return None if _comes_to_any(self.automaton, letter[0], letter[1]) else False


@dataclass(frozen=True)
class Holding:
    """Accepts every hand; its states are the number of concealed tiles of one kind."""

    game: Game
    kind: int
    start: int = 0

    def face(self, component: int) -> int:
        place = self.game.component_of[self.kind]
        return place if component == place else -1

    def letter(self, component: int, held: Held) -> int:
        place = self.game.component_of[self.kind]
        return held.counts[self.game.components[place].index(self.kind)] if component == place else 0

    def inside(self, component: int) -> Inside | None:
        part = self.game.components[component]
        return Number(read_in(self.game, component), part.index(self.kind) if self.kind in part else -1)

    def step(self, state: int, letter: int) -> int:
        return state + letter

    def accepts(self, state: int) -> bool:
        return True


Tally = tuple[tuple[State, int], ...]
"""States after drawing, each with the number of faces that lead to it, in order of the states."""


@dataclass
class Faces:
    """Counts the faces that bring a hand into the shape; `limit`: from where on counts look alike."""

    automaton: Automaton
    limit: int
    test: Callable[[int], bool]
    deck: Game | None = None
    """As for `OneMore`."""

    @property
    def start(self) -> tuple[State, Tally]:
        return self.automaton.start, ()

    def face(self, component: int) -> int:
        return self.automaton.maker.alike[component][0]

    def letter(self, component: int, held: Held) -> tuple[int, tuple[tuple[int, int], ...]]:
        automaton, kinds = self.automaton, drawable(self.deck or self.automaton.game, component, held)
        drawn = [drawn_letter(automaton, component, held, (k, OWN_DRAW)) for k in kinds]
        return plain_letter(automaton, component, held), tuple(sorted(Counter(drawn).items()))

    def inside(self, component: int) -> Inside | None:
        return drawing(self.automaton, component, self.deck, self.limit)

    def step(self, state: Any, letter: Any) -> tuple[State, Tally]:
        plain: State
        (plain, tally), (own, added) = state, letter
        after: Counter[State] = Counter()
        for drawn, number in tally:
            after[drawn[own][0]] += number
        for drawn, number in added:
            after[plain[drawn][0]] += number
        kept = ((s, min(n, self.limit)) for s, n in after.items() if s.face)
        return plain[own][0], tuple(sorted(kept, key=lambda pair: pair[0].index))

    def number(self, state: Any) -> int:
        """How many faces an accepted state stands for."""
        tally: Tally = state[1]
        return sum(number for drawn, number in tally if drawn.complete)

    def accepts(self, state: Any) -> bool:
        return self.test(self.number(state))

    def settled(self, state: Any) -> bool | None:
        return None if state[0].held or state[1] else self.test(0)

    def settles(self, letter: tuple[int, tuple[tuple[int, int], ...]]) -> bool | None:
        own, drawn = letter
        return None if _comes_to_any(self.automaton, own, (d for d, _ in drawn)) else self.test(0)


def _comes_to_any(automaton: Automaton, own: int, drawn: Iterable[int]) -> bool:
    """Can the tiles be grouped, as they are or with another one?"""
    return any(automaton.letters[letter] for letter in (own, *drawn))


# ---------------------------------------------------------------- running them together


@dataclass(slots=True)
class Reached:
    """A combination of states: how many hands lead to it, in how many ways they are dealt, and the first."""

    hands: int
    deals: int
    first: tuple[Held, ...]
    """What the hand that is first in canonical order, of the smallest, holds per component."""
    tiles: int = 0
    """How many natural tiles that hand has, without extra ones."""


Size = int | range
"""How many natural tiles hands have, or how few and how many at most."""


def sizes(game: Game, tiles: int) -> range:
    """So many natural tiles, or any number that there can be, where hands of any size are judged."""
    if game.any_size:
        return range(sum(kind.copies for kind in game.kinds) + 1)
    return range(tiles, tiles + 1)


Answers = tuple[bool | None, ...]
"""For each machine what it says of every hand that begins so; None where that is open."""

Idle = Callable[[Answers], bool]
"""Are hands that are answered so of no interest?"""


def search(
    game: Game,
    machines: tuple[Machine, ...],
    size: Size,
    laid: frozenset[int] = frozenset(),
    idle: Idle | None = None,
    counted: bool = True,
) -> dict[tuple[Any, ...], Reached]:
    """Final states of all hands of `size` tiles read by the machines, the smallest first, in order of their
    first hands.

    `laid`: types (indices) of which melds may lie exposed; `size` is without extra tiles they drew.
    `idle`: hands that are answered so are of no interest; not all of them are in what is found.
    `counted`: else only the states mean anything, in no order: that is quicker.
    """
    onward = _spread if counted else _reach
    layer: dict[tuple[Any, ...], Reached] = {(0, *(m.start for m in machines)): Reached(1, 1, ())}
    least, most = (size, size) if isinstance(size, int) else (size.start, size.stop - 1)
    steps = [_Steps(machine) for machine in machines]
    many = [sum(_copies(game, i)) for i in range(len(game.components))]
    rest = [sum(many[i + 1 :]) for i in range(len(many))]
    for index, letters in enumerate(component_letters(game, machines, (least, most), laid, idle)):
        after: dict[tuple[Any, ...], Reached] = {}
        fitting: dict[int, Fitting] = {}
        for (tiles, *states), before in layer.items():
            if tiles not in fitting:
                fitting[tiles] = _fitting(letters, tiles, least - rest[index], most)
            rows = [known[state] for known, state in zip(steps, states, strict=True)]
            onward(after, rows, before, fitting[tiles])
            if len(after) > MOST:
                raise too_many_states()
        layer = after if idle is None else _without_idle(after, steps, idle)
    return _of_all_sizes(layer)


def _without_idle(
    layer: dict[tuple[Any, ...], Reached], steps: list[_Steps], idle: Idle
) -> dict[tuple[Any, ...], Reached]:
    """The layer without what nobody wants to know of."""
    known = [step.settled for step in steps]
    return {
        place: reached
        for place, reached in layer.items()
        if not idle(tuple([told[state] for told, state in zip(known, place[1:], strict=True)]))
    }


def component_letters(
    game: Game,
    machines: tuple[Machine, ...],
    bounds: tuple[int, int],
    laid: frozenset[int] = frozenset(),
    idle: Idle | None = None,
) -> Iterator[Lettered]:
    """Per component what hands of so few or so many tiles can hold of it, as the machines read it.

    `idle` as for `search`.
    """
    lettered: dict[Hashable, tuple[int, Lettered]] = {}
    for index in range(len(game.components)):
        face = _face(game, machines, index)
        if face not in lettered:
            lettered[face] = index, _letters(game, machines, index, bounds, laid, idle)
        yield _renamed(game, *lettered[face], index) if laid else lettered[face][1]


def _of_all_sizes(layer: dict[tuple[Any, ...], Reached]) -> dict[tuple[Any, ...], Reached]:
    """Final states without the number of tiles."""
    found: dict[tuple[Any, ...], Reached] = {}
    for (tiles, *states), reached in sorted(layer.items(), key=lambda item: item[0][0]):
        known = found.setdefault(tuple(states), reached)
        if known is reached:
            known.tiles = tiles
        else:
            known.hands += reached.hands
            known.deals += reached.deals
    return found


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a component can hold beside so many tiles."""

    tiles: tuple[int, ...]
    """How many tiles there are then."""
    faces: tuple[tuple[Hashable, ...], ...]
    """For each machine what it reads."""
    found: tuple[tuple[int, int, Held], ...]
    """Of how many holdings, in how many deals, and the first."""


def _fitting(letters: Lettered, tiles: int, least: int, most: int) -> Fitting:
    """Letters with which there are as many tiles as are wanted."""
    fit = [(n + tiles, faces, found) for (n, faces), found in letters.items() if least <= n + tiles <= most]
    numbers, faces, found = zip(*fit, strict=True) if fit else ((), (), ())
    return Fitting(numbers, tuple(zip(*faces, strict=True)), found)


def _spread(
    after: dict[tuple[Any, ...], Reached], rows: list[_Row], before: Reached, letters: Fitting
) -> None:
    """Where the hands of one combination of states come to."""
    for place, (hands, deals, held) in zip(_places(rows, letters), letters.found, strict=True):
        known = after.get(place)
        if known is None:
            after[place] = Reached(before.hands * hands, before.deals * deals, (*before.first, held))
        else:
            known.hands += before.hands * hands
            known.deals += before.deals * deals


def _reach(
    after: dict[tuple[Any, ...], Reached], rows: list[_Row], before: Reached, letters: Fitting
) -> None:
    """The same where nobody counts."""
    after.update(dict.fromkeys(_places(rows, letters), before))


def _places(rows: list[_Row], letters: Fitting) -> Iterable[tuple[Any, ...]]:
    """Tiles and states after each of the letters."""
    states = [map(row.__getitem__, faces) for row, faces in zip(rows, letters.faces, strict=False)]
    return zip(letters.tiles, *states, strict=True)


class _Row(dict[Any, Any]):
    """The steps from one state, by letters, each made once."""

    def __init__(self, machine: Machine, state: Any) -> None:
        super().__init__()
        self.machine = machine
        self.state = state

    def __missing__(self, letter: Any) -> Hashable:
        reached = self[letter] = self.machine.step(self.state, letter)
        return reached


class _Steps(dict[Any, _Row]):
    """The steps of a machine, by states."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine
        says = machine.settled if isinstance(machine, Settling) else _open
        self.settled: Filled[Any, bool | None] = Filled(says)

    def __missing__(self, state: Any) -> _Row:
        row = self[state] = _Row(self.machine, state)
        return row


def _open(state: Any) -> None:
    """Nothing is settled."""


def _copies(game: Game, component: int) -> Counts:
    return tuple(game.kinds[k].copies for k in game.components[component])


def _face(game: Game, machines: tuple[Machine, ...], component: int) -> Hashable:
    """Components with equal faces have the same letters: they are read alike and have as many tiles."""
    return _copies(game, component), tuple(machine.face(component) for machine in machines)


Lettered = dict[tuple[int, tuple[Hashable, ...]], tuple[int, int, Held]]


def _letters(
    game: Game,
    machines: tuple[Machine, ...],
    component: int,
    bounds: tuple[int, int],
    laid: frozenset[int],
    idle: Idle | None,
) -> Lettered:
    """(tiles, letters) of a component to how many holdings have them, in how many deals, and the first."""
    copies = _copies(game, component)
    if holdings_of(copies) > FEW:
        insides = None if laid else _insides(machines, component)
        if insides is not None:
            rest = sum(kind.copies for kind in game.kinds) - sum(copies)
            swept = run(insides, copies, bounds[0] - rest, bounds[1])
            return {face: (n, deals, Held(first)) for face, (n, deals, first) in swept.items()}
        check_holdings(holdings_of(copies))
    found: Lettered = {}
    read = _reader(machines, component, idle)
    for held in holdings(game, component, laid):
        tiles = in_all(game, component, held)
        number = sum(tiles) - sum(game.melds[entry.meld].type.extra for entry in held.laid)
        letters = None if number > bounds[1] else read(held)
        if letters is None:
            continue
        face = number, letters
        deals = prod(comb(c, n) for c, n in zip(copies, tiles, strict=True))
        hands, ways, first = found.get(face, (0, 0, held))
        found[face] = (hands + 1, ways + deals, first)
    return found


def _reader(
    machines: tuple[Machine, ...], component: int, idle: Idle | None
) -> Callable[[Held], tuple[Hashable, ...] | None]:
    """What the machines read of a holding; None where that settles that nobody wants to know of the hand."""
    if idle is None:
        return lambda held: tuple(machine.letter(component, held) for machine in machines)
    say = [machine.settles if isinstance(machine, Settling) else _open for machine in machines]

    def read(held: Held) -> tuple[Hashable, ...] | None:
        letters: list[Hashable] = []
        told: list[bool | None] = [None] * len(machines)
        for place, machine in enumerate(machines):
            letters.append(machine.letter(component, held))
            told[place] = say[place](letters[place])
            if told[place] is not None and idle(tuple(told)):
                return None
        return tuple(letters)

    return read


def _insides(machines: tuple[Machine, ...], component: int) -> tuple[Inside, ...] | None:
    """How the machines read a component kind by kind; None where one cannot, or the orders differ."""
    found = [m.inside(component) if isinstance(m, Swept) else None for m in machines]
    insides = tuple(inside for inside in found if inside is not None)
    alike = len({inside.order for inside in insides}) == 1
    return insides if alike and len(insides) == len(machines) else None


def _renamed(game: Game, there: int, letters: Lettered, here: int) -> Lettered:
    """The letters of a component, with exposed melds of another one that is read alike."""
    own = (m.id for m in game.melds if game.component_of[m.tiles[0]] == here)
    others = (m.id for m in game.melds if game.component_of[m.tiles[0]] == there)
    names = dict(zip(others, own, strict=True))
    return {
        face: (hands, deals, Held(held.counts, tuple(replace(e, meld=names[e.meld]) for e in held.laid)))
        for face, (hands, deals, held) in letters.items()
    }


def waiting(compiled: Compiled, deck: Game | None = None) -> OneMore:
    """Hands that some own draw (from the deck) completes."""
    return OneMore(compiled.shaped, lambda state: state.complete, deck)


def waiting_to(compiled: Compiled, wins: bool, drawn: Hand, deck: Game | None = None) -> OneMore:
    """Hands that some own draw completes so that it is a win (or completes and is not one).

    `drawn`: the situation then.
    """
    return OneMore(compiled.wins, ends_so(compiled, drawn, wins), deck)


def ends_so(compiled: Compiled, drawn: Hand, wins: bool) -> Callable[[State], bool]:
    """The last tile completes the hand, and it then wins, or does not; `drawn`: the situation then."""
    return lambda state: state.complete and compiled.wins_at(state, drawn) is wins
