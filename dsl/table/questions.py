"""What a statement says of a player at the table, for given tiles. The reference meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ..core.local import met
from ..core.model import WILD
from ..core.table_questions import Answers, Bites, DeadEnd, SeatAnd, SeatFormula, SeatNot, SeatOr, Sees
from .claims import invited
from .state import Action, Ask, State, Task, changed
from .table import Table


def says(formula: SeatFormula, table: Table, state: State, seat: int) -> bool:
    """Is the condition true of the player, for the tile on offer or, without one, before his discard?"""
    match formula:
        case Sees(condition):
            offer = state.offer
            return offer is not None and met(condition, table.verdicts.sight(state, seat, offer))
        case Answers(names):
            return any(True for name in names for _ in answers(table, state, seat, name))
        case DeadEnd(names, opening):
            names = () if opening is (state.offer is not None) else names
            ways = (tuple(doable(table, state, seat, name)) for name in names)
            return any(acts and all(_stuck(table, state, action) for action in acts) for acts in ways)
        case Bites(kind, name):
            return _bites(table, state, seat, kind, name)
        case SeatNot(part):
            return not says(part, table, state, seat)
        case SeatAnd(parts):
            return all(says(part, table, state, seat) for part in parts)
        case SeatOr(parts):
            return any(says(part, table, state, seat) for part in parts)
        case _:
            assert_never(formula)


def answers(table: Table, state: State, seat: int, name: str) -> Iterator[Action]:
    """How the player may take the tile on offer by this response, whatever the others may do."""
    response, offer = table.flow.responses.get(name), state.offer
    if response is None or offer is None:
        return
    distance = table.verdicts.distance(state, offer.seat, seat)
    if invited(response, distance) and (distance or offer.turned):
        yield from table.claims.options(state, offer, seat, response)


def doable(table: Table, state: State, seat: int, name: str) -> Iterator[Action]:
    """The same, or how he may make an announcement where no tile is on offer."""
    if state.offer is not None:
        yield from answers(table, state, seat, name)
    elif name in table.flow.announcements:
        yield from table.claims.announced(state, seat, name)


def done(table: Table, state: State, action: Action) -> State:
    """The state once the player has done it, as if nobody went before him."""
    if state.offer is not None:
        asks = (Ask(action.seat, (action,), True),)
        return table.apply(changed(state, asks=asks, opened=True, lawful=(action,)), action)
    acts = (act.name for step in table.flow.opening for act in step.acts if act.kind == "announce")
    laying = (n for n in acts if n == action.name or table.flow.announcements[n].types)  # no mere words
    todo = tuple(Task("announce", action.seat, name) for name in laying)
    todo = (*dict.fromkeys(todo), Task("discard", action.seat))
    return table.apply(changed(state, todo=todo, lawful=(action,)), action)


def _bites(table: Table, state: State, seat: int, kind: str, name: str) -> bool:
    """Does the veto, or the ban, make a difference?"""
    offer = state.offer
    if offer is None:
        return False
    player = state.players[seat]
    if kind == "ban":
        held = player.wilds if offer.tile == WILD else player.counts[offer.tile]
        barred = table.claims.barred(state, seat, offer.tile) if held else []
        return any(ban.name == name for ban in barred)
    stopped = table.claims.vetoed(state, seat)
    return any(veto.name == name for _, vetoes in stopped for veto in vetoes)


def _stuck(table: Table, state: State, action: Action) -> bool:
    """Does the deal end then, with the player unable to let a tile go?"""
    state = done(table, state, action)
    while not state.over and state.todo and state.todo[0].kind == "announce":
        if state.lawful[-1].kind != "pass":
            return False
        state = table.apply(state, state.lawful[-1])
    return state.result is not None and state.result.outcome == "stuck"
