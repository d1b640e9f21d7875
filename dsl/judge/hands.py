"""Statements about all hands: witnesses, exact counts, and the soundness of wait types.

A waiting hand here is `game.waiting` tiles of the hand's own, concealed unless a question allows
exposed melds; a finished one is `game.finished`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, assert_never

from ..core.evaluate import compared
from ..core.hand import Hand, Laid
from ..core.model import (
    OWN_DRAW,
    EveryAwaited,
    Game,
    HandAnd,
    HandAtom,
    HandFormula,
    HandNot,
    HandOr,
    Truth,
    WaitFaces,
    Waiting,
    WaitIs,
    WaitType,
    WaitWins,
)
from ..core.waiting import wait_type
from .automaton import Automaton, State
from .compiled import Compiled
from .machines import (
    AwaitedTiles,
    Called,
    Counts,
    Faces,
    Held,
    Machine,
    Reached,
    Shaped,
    ShapedSo,
    all_counts,
    search,
    waiting,
    waiting_to,
    whole,
)
from .rows import RowKey


def atoms(formula: HandFormula) -> Iterator[HandAtom]:
    """The atoms of a formula, each once, in order."""
    match formula:
        case HandAnd(parts) | HandOr(parts):
            yield from dict.fromkeys(a for p in parts for a in atoms(p))
        case HandNot(part):
            yield from atoms(part)
        case Waiting() | WaitIs() | WaitWins() | EveryAwaited() | WaitFaces():
            yield formula
        case _:
            assert_never(formula)


def true_of(formula: HandFormula, facts: dict[HandAtom, bool]) -> bool:
    """The formula when its atoms have these truth values."""
    match formula:
        case HandAnd(parts):
            return all(true_of(p, facts) for p in parts)
        case HandOr(parts):
            return any(true_of(p, facts) for p in parts)
        case HandNot(part):
            return not true_of(part, facts)
        case Waiting() | WaitIs() | WaitWins() | EveryAwaited() | WaitFaces():
            return facts[formula]
        case _:
            assert_never(formula)


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """How many hands satisfy a formula, in how many deals, and the canonical first of them."""

    hands: int
    deals: int
    first: tuple[int, ...] | None
    """Concealed tiles, counts per kind."""
    laid: tuple[Laid, ...] = ()
    """Its exposed melds."""


def ask_hands(
    compiled: Compiled,
    formula: HandFormula,
    role: str | None = None,
    size: int | None = None,
    laid: frozenset[int] = frozenset(),
) -> HandAnswer:
    """Everything about the hands (waiting ones, unless `size` says otherwise) that satisfy the formula.

    `laid`: types (indices) of which melds may lie exposed; everything else is concealed.
    """
    game = compiled.game
    tiles = game.waiting if size is None else size
    wanted = tuple(atoms(formula))
    machines = tuple(_machine(compiled, a, role or game.roles[-1]) for a in wanted)
    hands = deals = 0
    first: tuple[Held, ...] | None = None
    for states, reached in search(game, machines, tiles, laid).items():
        facts = dict(zip(wanted, _accepted(machines, states), strict=True))
        if true_of(formula, facts):
            hands += reached.hands
            deals += reached.deals
            first = reached.first if first is None else min(first, reached.first, key=_order)
    if first is None:
        return HandAnswer(hands, deals, None)
    return HandAnswer(hands, deals, whole(first, game), tuple(entry for part in first for entry in part.laid))


def _accepted(machines: tuple[Machine, ...], states: tuple[Any, ...]) -> list[bool]:
    return [m.accepts(s) for m, s in zip(machines, states, strict=True)]


def _order(parts: tuple[Held, ...]) -> tuple[object, ...]:
    """Hands with fewer exposed melds first, then those with more of the earlier kinds."""
    exposed = sum(len(part.laid) for part in parts)
    return exposed, [[-n for n in part.counts] for part in parts], [part.laid for part in parts]


def _machine(compiled: Compiled, atom: HandAtom, role: str) -> Machine:
    match atom:
        case Waiting():
            return waiting(compiled)
        case WaitIs(name, Truth(True)):
            return Shaped(compiled.wait_types[name])
        case WaitIs(name, where):
            return ShapedSo(compiled.game, wait_type(compiled.game, name).shape, where)
        case WaitWins(wins):
            return waiting_to(compiled, wins, role)
        case EveryAwaited(name, "complete"):
            called = Called(compiled.game, wait_type(compiled.game, name))
            return AwaitedTiles(called, compiled.shaped, lambda state: state.complete)
        case EveryAwaited(name, drawn):
            return _awaited_verdicts(compiled, name, drawn == "win", role)
        case WaitFaces(factor, operator, bound):
            test = lambda faces: compared(factor * faces, operator, bound)  # noqa: E731
            return Faces(compiled.shaped, _limit(compiled.game, test), test)
        case _:
            assert_never(atom)


def _awaited_verdicts(compiled: Compiled, name: str, wins: bool, role: str) -> Machine:
    """Every awaited tile completes the hand, and it then wins, or does not."""
    hand = Hand(role, (), (), (0, OWN_DRAW))

    def goal(state: State) -> bool:
        return state.complete and compiled.wins_at(state, hand) is wins

    return AwaitedTiles(Called(compiled.game, wait_type(compiled.game, name)), compiled.wins, goal)


def _limit(game: Game, test: Callable[[int], bool]) -> int:
    """The least number of faces from which on the test always gives the same answer."""
    changes = (n for n in range(len(game.kinds), 0, -1) if test(n) != test(n - 1))
    return next(changes, 0)


def complete_hands(compiled: Compiled) -> Reached:
    """How many finished hands have the win shape."""
    game = compiled.game
    machine = Shaped(compiled.scored)
    total = Reached(0, 0, ())
    for states, reached in search(game, (machine,), game.finished).items():
        if machine.accepts(states[0]):
            total.hands += reached.hands
            total.deals += reached.deals
            total.first = total.first or reached.first
    return total


# ---------------------------------------------------------------- are stated winning sets right?


_Place = tuple[int, frozenset[Counts], State, bool]
"""Tiles, what the wait type read, the state after drawing, and whether the drawn tile is among them."""
_Way = tuple[tuple[Counts, ...], int | None]
"""The first way to a place: counts per component, and the kind drawn."""
_Marked = list[tuple[int, frozenset[Counts], int, int | None, Counts]]
"""Per counts and marked place: tiles, the wait type's letter, the letter after drawing, place, counts."""


def unsound_wait(compiled: Compiled, wait: WaitType) -> tuple[tuple[int, ...], int] | None:
    """A hand of the type and an awaited tile (not all copies held) that does not complete it."""
    game, called, shaped = compiled.game, Called(compiled.game, wait), compiled.scored
    size = game.waiting
    start: _Place = (0, called.start, shaped.start, False)
    layer: dict[_Place, _Way] = {start: ((), None)}
    known: dict[tuple[int, int], _Marked] = {}
    step = cache(called.step)
    for index, part in enumerate(game.components):
        face = (called.face(index), shaped.maker.alike[index][0])
        if face not in known:
            known[face] = _marked_letters(game, called, shaped, index, part)
        layer = _marked_step(step, layer, known[face], part, size)
    for (tiles, units, state, _), (path, mark) in layer.items():
        if tiles == size and mark is not None and called.accepts(units) and not state.complete:
            return whole(tuple(map(Held, path)), game), mark
    return None


def _marked_step(
    step: Callable[[frozenset[Counts], frozenset[Counts]], frozenset[Counts]],
    layer: dict[_Place, _Way],
    letters: _Marked,
    part: tuple[int, ...],
    size: int,
) -> dict[_Place, _Way]:
    """Which kind was drawn makes no difference to what follows, so places do not tell it."""
    after: dict[_Place, _Way] = {}
    for (tiles, units, state, marked), (path, mark) in layer.items():
        for number, own, plain, place, counts in letters:
            if tiles + number > size or (place is not None and marked):
                continue
            reached = step(units, own)
            if reached:
                now = mark if place is None else part[place]
                key = (tiles + number, reached, state[plain][0], now is not None)
                after.setdefault(key, ((*path, counts), now))
    return after


def _marked_letters(
    game: Game, called: Called, shaped: Automaton, index: int, part: tuple[int, ...]
) -> _Marked:
    copies = [game.kinds[k].copies for k in part]
    found: dict[tuple[int, frozenset[Counts], int, int | None], Counts] = {}
    for counts in all_counts(copies):
        key = RowKey(index, counts)
        plain = shaped.plain[index][counts].letter
        found.setdefault((sum(counts), called.letter(key, None), plain, None), counts)
        for place, kind in enumerate(part):
            if counts[place] < copies[place]:
                drawn = shaped.lasts[index][counts, (kind, OWN_DRAW)].letter
                own = called.letter(key, kind)
                found.setdefault((sum(counts), own, drawn, place), counts)
    return [(*face, counts) for face, counts in found.items()]
