"""Machines for what a wait type states: the tiles it awaits, and what comes of each of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from ..core.model import OWN_DRAW, Game, WaitType
from .automaton import Automaton, State
from .filled import Filled
from .held import Counts, Held, drawable, drawn_letter, plain_letter, row_key
from .inside import Vectors
from .probes import SumProbe
from .rows import NO_WILDS, RowKey, RowMaker, Wilds


class Called:
    """Accepts (hand, awaited tile) pairs of a wait type; the tile is marked in one component's counts.

    A state is the set of (units so far, does a meld await the marked tile).
    """

    def __init__(self, game: Game, wait: WaitType, wilds: Wilds = NO_WILDS) -> None:
        self.game = game
        self.wait = wait
        self.wilds = wilds
        self.plain = self._maker((0,) * len(game.melds))
        self.bounds = self.plain.bounds
        self._marked: dict[int, RowMaker] = {}
        self._letters = Filled(self._letter)
        self._steps = Filled(self._step)

    def _maker(self, weights: tuple[int, ...]) -> RowMaker:
        return RowMaker(self.game, self.wait.shape, (SumProbe(weights, 1),), scored=False, wilds=self.wilds)

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

    def letter(self, key: RowKey, kind: int | None) -> frozenset[Counts]:
        """The vectors of what a component holds, with the tile marked in it (or none)."""
        return self._letters[key, kind]

    def _letter(self, held: tuple[RowKey, int | None]) -> frozenset[Counts]:
        key, kind = held
        return frozenset(vector for vector, _ in self._maker_for(kind).outcomes(key))

    def inside(self, component: int, kind: int | None) -> Vectors:
        """The same of a large component, kind by kind."""
        return Vectors(self._maker_for(kind), component)

    def step(self, state: frozenset[Counts], letter: frozenset[Counts]) -> frozenset[Counts]:
        return self._steps[state, letter]

    def _step(self, read: tuple[frozenset[Counts], frozenset[Counts]]) -> frozenset[Counts]:
        totals = (self.plain.add(a, b) for a, b in product(*read))
        return frozenset(t for t in totals if t is not None)

    def accepts(self, state: frozenset[Counts]) -> bool:
        return (*self.bounds, 1) in state


def called(game: Game, wait: WaitType, wilds: Wilds = NO_WILDS) -> Called:
    """The machine of a wait type of the game, made once."""
    return game.memo.of(("called", wait.shape, wait.on, wilds), lambda: Called(game, wait, wilds))


class AwaitedTiles:
    """Accepts hands that each tile a wait type states, not all copies held, brings to a good end.

    A state is what has been read without such a tile, and every (units, state) with one marked.
    """

    def __init__(
        self, called: Called, automaton: Automaton, goal: Callable[[State], bool], deck: Game | None = None
    ) -> None:
        self.called = called
        self.automaton = automaton
        self.goal = goal
        self.deck = deck or called.game

    @property
    def start(self) -> Any:
        return self.called.start, self.automaton.start, frozenset()

    def face(self, component: int) -> int:
        both = self.called.face(component), self.automaton.maker.alike[component][0]
        return both[0] if both[0] == both[1] else component

    def letter(self, component: int, held: Held) -> Any:
        automaton, key = self.automaton, row_key(self.called.game, component, held)
        marked = {
            (units, drawn_letter(automaton, component, held, (kind, OWN_DRAW)))
            for kind in drawable(self.deck, component, held)
            if (units := self.called.letter(key, kind))
        }
        return self.called.letter(key, None), plain_letter(automaton, component, held), frozenset(marked)

    def step(self, state: Any, letter: Any) -> Any:
        (units, plain, marks), (own_units, own, added) = state, letter
        after = {(self.called.step(u, own_units), s[own][0]) for u, s in marks}
        after |= {(self.called.step(units, u), plain[drawn][0]) for u, drawn in added}
        return self.called.step(units, own_units), plain[own][0], frozenset(p for p in after if p[0])

    def accepts(self, state: Any) -> bool:
        return all(self.goal(s) for units, s in state[2] if self.called.accepts(units))

    def settled(self, state: Any) -> bool | None:
        return None if state[0] or state[2] else True

    def settles(self, letter: Any) -> bool | None:
        return None if letter[0] or letter[2] else True


def _awaiting(game: Game, wait: WaitType, kind: int) -> tuple[int, ...]:
    return tuple(int(m.type.index in wait.on and kind in m.awaits) for m in game.melds)
