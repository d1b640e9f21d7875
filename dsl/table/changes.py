"""Small changes of what a player holds, and of what is to be done."""

from __future__ import annotations

from dataclasses import replace

from ..core.flow import Act
from .state import Player, State, Task
from .verdicts import all_wilds, concealed


def opens_play(todo: tuple[Task, ...]) -> bool:
    """Is somebody still to make the call that opens play?"""
    return any(task.kind == "open" for task in todo)


def task_of(act: Act, seat: int) -> Task:
    return Task(act.kind, seat, act.name, act.must)


def seated(state: State, seat: int, player: Player) -> State:
    """The state with this player in the seat."""
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def settled_in(player: Player) -> Player:
    """The drawn tile put among the others."""
    if player.drawn is None:
        return player
    return player._replace(counts=concealed(player), wilds=all_wilds(player), drawn=None, came="")


def without(counts: tuple[int, ...], tiles: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    rest = list(counts)
    for kind, n in tiles:
        rest[kind] -= n
    return tuple(rest)
