"""Statements about all hands: witnesses, exact counts, and the soundness of wait types.

A waiting hand here is `game.finished - 1` concealed tiles of the hand's own; a finished one
`game.finished`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, assert_never

from ..core.model import (
    Game,
    HandAnd,
    HandFormula,
    HandNot,
    HandOr,
    Waiting,
    WaitIs,
    WaitType,
    WaitWins,
)
from .automaton import Automaton, State
from .compiled import Compiled
from .machines import Called, Counts, Machine, Reached, Shaped, all_counts, search, waiting, waiting_to, whole

HandAtom = Waiting | WaitIs | WaitWins


def atoms(formula: HandFormula) -> Iterator[HandAtom]:
    """The atoms of a formula, each once, in order."""
    match formula:
        case HandAnd(parts) | HandOr(parts):
            yield from dict.fromkeys(a for p in parts for a in atoms(p))
        case HandNot(part):
            yield from atoms(part)
        case Waiting() | WaitIs() | WaitWins():
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
        case Waiting() | WaitIs() | WaitWins():
            return facts[formula]
        case _:
            assert_never(formula)


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """How many hands satisfy a formula, in how many deals, and the canonical first of them."""

    hands: int
    deals: int
    first: tuple[int, ...] | None
    """Counts per kind."""


def ask_hands(
    compiled: Compiled, formula: HandFormula, role: str | None = None, size: int | None = None
) -> HandAnswer:
    """Everything about the hands (waiting ones, unless `size` says otherwise) that satisfy the formula."""
    game = compiled.game
    tiles = game.finished - 1 if size is None else size
    wanted = tuple(atoms(formula))
    machines = tuple(_machine(compiled, a, role or game.roles[-1]) for a in wanted)
    hands = deals = 0
    first: tuple[int, ...] | None = None
    for states, reached in search(game, machines, tiles).items():
        facts = dict(zip(wanted, _accepted(machines, states), strict=True))
        if true_of(formula, facts):
            hands += reached.hands
            deals += reached.deals
            first = _earlier(first, whole(reached.first, game))
    return HandAnswer(hands, deals, first)


def _accepted(machines: tuple[Machine, ...], states: tuple[Any, ...]) -> list[bool]:
    return [m.accepts(s) for m, s in zip(machines, states, strict=True)]


def _earlier(left: tuple[int, ...] | None, right: tuple[int, ...]) -> tuple[int, ...]:
    """The one with more of the earlier kinds."""
    return right if left is None or right > left else left


def _machine(compiled: Compiled, atom: HandAtom, role: str) -> Machine:
    match atom:
        case Waiting():
            return waiting(compiled)
        case WaitIs(name):
            return Shaped(compiled.wait_types[name])
        case WaitWins(wins):
            return waiting_to(compiled, wins, role)
        case _:
            assert_never(atom)


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


_Place = tuple[int, frozenset[Counts], State, int | None]
_Marked = list[tuple[int, frozenset[Counts], int, int | None, Counts]]
"""Per counts and marked place: tiles, the wait type's letter, the letter after drawing, place, counts."""


def unsound_wait(compiled: Compiled, wait: WaitType) -> tuple[tuple[int, ...], int] | None:
    """A hand of the type and an awaited tile (not all copies held) that does not complete it."""
    game, called, shaped = compiled.game, Called(compiled.game, wait), compiled.scored
    size = game.finished - 1
    start: _Place = (0, called.start, shaped.start, None)
    layer: dict[_Place, tuple[Counts, ...]] = {start: ()}
    known: dict[tuple[int, int], _Marked] = {}
    for index, part in enumerate(game.components):
        face = (called.face(index), shaped.maker.alike[index][0])
        if face not in known:
            known[face] = _marked_letters(game, called, shaped, index, part)
        layer = _marked_step(called, layer, known[face], part, size)
    for (tiles, units, state, mark), path in layer.items():
        if tiles == size and mark is not None and called.accepts(units) and not state.complete:
            return whole(path, game), mark
    return None


def _marked_step(
    called: Called,
    layer: dict[_Place, tuple[Counts, ...]],
    letters: _Marked,
    part: tuple[int, ...],
    size: int,
) -> dict[_Place, tuple[Counts, ...]]:
    after: dict[_Place, tuple[Counts, ...]] = {}
    for (tiles, units, state, mark), path in layer.items():
        for number, own, plain, place, counts in letters:
            if tiles + number > size or (place is not None and mark is not None):
                continue
            reached = called.step(units, own)
            if reached:
                now = mark if place is None else part[place]
                after.setdefault((tiles + number, reached, state[plain][0], now), (*path, counts))
    return after


def _marked_letters(
    game: Game, called: Called, shaped: Automaton, index: int, part: tuple[int, ...]
) -> _Marked:
    copies = [game.kinds[k].copies for k in part]
    found: dict[tuple[int, frozenset[Counts], int, int | None], Counts] = {}
    for counts in all_counts(copies):
        plain = shaped.plain[index][counts].letter
        found.setdefault((sum(counts), called.letter(index, counts, None), plain, None), counts)
        for place, kind in enumerate(part):
            if counts[place] < copies[place]:
                drawn = shaped.lasts[index][counts, (kind, "自摸")].letter
                own = called.letter(index, counts, kind)
                found.setdefault((sum(counts), own, drawn, place), counts)
    return [(*face, counts) for face, counts in found.items()]
