"""Questions about all hands: deterministic machines over the components, run side by side.

A machine reads, per component, the counts of concealed tiles. `search` runs several of them together
over every hand of a given size, layer by layer, and adds up how many hands (and how many ways to be
dealt one) end in each combination of states. No solver, and no sampling: the answer is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import Any, Protocol

from ..core.hand import Hand
from ..core.model import Game, WaitType
from .automaton import Automaton, State
from .compiled import Compiled
from .probes import SumProbe
from .rows import RowKey, RowMaker

Counts = tuple[int, ...]


class Machine(Protocol):
    """Reads one component's counts after the other."""

    @property
    def start(self) -> Hashable: ...

    def letter(self, component: int, counts: Counts) -> Hashable: ...

    def step(self, state: Any, letter: Any) -> Hashable: ...

    def accepts(self, state: Any) -> bool: ...


@dataclass
class Shaped:
    """Accepts hands that can be arranged in the automaton's shape."""

    automaton: Automaton

    @property
    def start(self) -> State:
        return self.automaton.start

    def letter(self, component: int, counts: Counts) -> int:
        return self.automaton.plain[component][counts].letter

    def step(self, state: State, letter: int) -> State:
        return state[letter][0]

    def accepts(self, state: State) -> bool:
        return state.complete


class ClosedWins(Shaped):
    """Accepts finished hands that win when every tile is the hand's own and the last one was drawn."""

    def __init__(self, compiled: Compiled, role: str) -> None:
        super().__init__(compiled.wins)
        self.compiled = compiled
        self.hand = Hand(role, (), (), (0, "自摸"))

    def accepts(self, state: State) -> bool:
        return self.compiled.wins_at(state, self.hand)


class ClosedNames(Shaped):
    """Accepts finished closed hands whose best-paying arrangement can carry a named win."""

    def __init__(self, compiled: Compiled, role: str, name: str) -> None:
        super().__init__(compiled.paid)
        self.compiled = compiled
        self.hand = Hand(role, (), (), (0, "自摸"))
        self.name = name

    def accepts(self, state: State) -> bool:
        paid = self.automaton
        finals = [self.compiled.final(paid, v, s, self.hand) for v, s in paid.finals(state, 0)]
        top = max((f.rank[:2] for f in finals), default=None)
        return any(f.win and f.rank[:2] == top and self.name in f.names for f in finals)


@dataclass
class ClosedScore:
    """Accepts finished closed hands; its states end in the best score of any arrangement."""

    compiled: Compiled

    @property
    def start(self) -> tuple[State, int]:
        return self.compiled.scored.start, 0

    def letter(self, component: int, counts: Counts) -> int:
        return self.compiled.scored.plain[component][counts].letter

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
    """Accepts hands that some further tile brings into a set of final states.

    Deterministic by the subset construction: the state without the tile, and all states with it.
    """

    automaton: Automaton
    goal: Callable[[State], bool]
    origin: str = "自摸"

    @property
    def start(self) -> tuple[State, frozenset[State]]:
        return self.automaton.start, frozenset()

    def letter(self, component: int, counts: Counts) -> tuple[int, frozenset[int]]:
        game = self.automaton.game
        drawn = set()
        for place, kind in enumerate(game.components[component]):
            if counts[place] < game.kinds[kind].copies:
                drawn.add(self.automaton.lasts[component][counts, (kind, self.origin)].letter)
        return self.automaton.plain[component][counts].letter, frozenset(drawn)

    def step(self, state: Any, letter: Any) -> tuple[State, frozenset[State]]:
        plain: State
        drawn: frozenset[State]
        (plain, drawn), (own, added) = state, letter
        after = {s[own][0] for s in drawn} | {plain[a][0] for a in added}
        return plain[own][0], frozenset(s for s in after if s.face)

    def accepts(self, state: Any) -> bool:
        drawn: frozenset[State] = state[1]
        return any(self.goal(s) for s in drawn)


class Called:
    """Accepts (hand, awaited tile) pairs of a wait type; the tile is marked in one component's counts.

    A state is the set of (units so far, does a meld await the marked tile).
    """

    def __init__(self, game: Game, wait: WaitType) -> None:
        self.game = game
        self.wait = wait
        self.bounds = tuple(n for n in wait.shape if n)
        self.plain = self._maker((0,) * len(game.melds))
        self._marked: dict[int, RowMaker] = {}

    def _maker(self, weights: tuple[int, ...]) -> RowMaker:
        return RowMaker(self.game, self.wait.shape, (SumProbe(weights, 1),), scored=False)

    def _maker_for(self, kind: int | None) -> RowMaker:
        if kind is None:
            return self.plain
        if kind not in self._marked:
            self._marked[kind] = self._maker(_awaiting(self.game, self.wait, kind))
        return self._marked[kind]

    def face(self, component: int) -> int:
        """Components with equal faces have the same letters."""
        return self.plain.alike[component][0]

    @property
    def start(self) -> frozenset[Counts]:
        return frozenset({(0,) * (len(self.bounds) + 1)})

    def letter(self, component: int, counts: Counts, kind: int | None) -> frozenset[Counts]:
        """The vectors of a component's counts, with the tile marked in it (or none)."""
        outcomes = self._maker_for(kind).outcomes(RowKey(component, counts))
        return frozenset(vector for vector, _ in outcomes)

    def step(self, state: frozenset[Counts], letter: frozenset[Counts]) -> frozenset[Counts]:
        totals = (self.plain.add(a, b) for a, b in product(state, letter))
        return frozenset(t for t in totals if t is not None)

    def accepts(self, state: frozenset[Counts]) -> bool:
        return (*self.bounds, 1) in state


def _awaiting(game: Game, wait: WaitType, kind: int) -> tuple[int, ...]:
    return tuple(int(m.type.index in wait.on and kind in m.awaits) for m in game.melds)


# ---------------------------------------------------------------- running them together


@dataclass(slots=True)
class Reached:
    """A combination of states: how many hands lead to it, in how many ways they are dealt, and one."""

    hands: int
    deals: int
    first: tuple[Counts, ...]
    """Counts per component of the hand that is first in canonical order."""


def search(game: Game, machines: tuple[Machine, ...], size: int) -> dict[tuple[Any, ...], Reached]:
    """Final states of all hands of `size` tiles read by the machines, in order of their first hands."""
    start = (0, tuple(m.start for m in machines))
    layer: dict[tuple[int, tuple[Hashable, ...]], Reached] = {start: Reached(1, 1, ())}
    steps: dict[tuple[int, Hashable, Hashable], Hashable] = {}
    rest = [
        sum(game.kinds[k].copies for part in game.components[i + 1 :] for k in part)
        for i in range(len(game.components))
    ]
    for index in range(len(game.components)):
        letters = _letters(game, machines, index)
        after: dict[tuple[int, tuple[Hashable, ...]], Reached] = {}
        for (tiles, states), before in layer.items():
            for (number, faces), (hands, deals, counts) in letters.items():
                total = tiles + number
                if total > size or total + rest[index] < size:
                    continue
                target = []
                for i, machine in enumerate(machines):
                    key = (i, states[i], faces[i])
                    if key not in steps:
                        steps[key] = machine.step(states[i], faces[i])
                    target.append(steps[key])
                place = (total, tuple(target))
                known = after.get(place)
                if known is None:
                    after[place] = Reached(
                        before.hands * hands, before.deals * deals, (*before.first, counts)
                    )
                else:
                    known.hands += before.hands * hands
                    known.deals += before.deals * deals
        layer = after
    return {states: reached for (_, states), reached in layer.items()}


Lettered = dict[tuple[int, tuple[Hashable, ...]], tuple[int, int, Counts]]


def _letters(game: Game, machines: tuple[Machine, ...], component: int) -> Lettered:
    """(tiles, letters) of a component to how many counts have them, in how many deals, and the first."""
    copies = [game.kinds[k].copies for k in game.components[component]]
    found: Lettered = {}
    for counts in all_counts(copies):
        face = (sum(counts), tuple(m.letter(component, counts) for m in machines))
        deals = prod(comb(c, n) for c, n in zip(copies, counts, strict=True))
        hands, ways, first = found.get(face, (0, 0, counts))
        found[face] = (hands + 1, ways + deals, first)
    return found


def all_counts(copies: list[int]) -> Iterator[Counts]:
    """Every number of tiles per kind, more of the earlier kinds first."""
    return product(*(range(c, -1, -1) for c in copies))


def whole(parts: tuple[Counts, ...], game: Game) -> Counts:
    """Counts per component as counts per kind."""
    result = [0] * len(game.kinds)
    for part, counts in zip(game.components, parts, strict=True):
        for kind, number in zip(part, counts, strict=True):
            result[kind] = number
    return tuple(result)


def waiting(compiled: Compiled) -> OneMore:
    """Hands that some own draw completes."""
    return OneMore(compiled.wins, lambda state: state.complete)


def waiting_to(compiled: Compiled, wins: bool, role: str) -> OneMore:
    """Hands that some own draw completes so that it is a win (or completes and is not one)."""
    hand = Hand(role, (), (), (0, "自摸"))
    return OneMore(compiled.wins, lambda s: s.complete and compiled.wins_at(s, hand) is wins)
