"""Small changes of what a player holds, and of what is to be done."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.flow import Act
from ..core.model import WILD, Game
from .state import Player, State, Task, changed
from .verdicts import all_wilds, concealed


def opens_play(todo: tuple[Task, ...]) -> bool:
    """Is somebody still to make the call that opens play?"""
    return any(task.kind == "open" for task in todo)


def task_of(act: Act, seat: int) -> Task:
    return Task(act.kind, seat, act.name, act.must)


def seated(state: State, seat: int, player: Player) -> State:
    """The state with this player in the seat."""
    return changed(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


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


def after_letting_go(game: Game, state: State, seat: int, gone: int) -> Mapping[str, str]:
    """The circumstances once a tile is gone: with the last one of its face that he has, a player lets his
    marked tile go."""
    mark, player = game.mark, state.players[seat]
    if mark is None or mark.every or gone == WILD:
        return state.context
    melds = [game.melds[laid.meld] for laid in player.laid]
    if player.counts[gone] or any(gone in meld.tiles for meld in melds):
        return state.context
    if game.marked_face(game.seats[seat].role, state.context) != gone:
        return state.context
    return {name: value for name, value in state.context.items() if name != mark.parameter}
