"""Actions and results as a record and a player read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..core.hand import tile_name, tiles_of
from ..core.model import ORIGINS, Game, Seat
from .state import Action, Result, State
from .table import Table
from .tricks import TrickPlay

SIMPLE = {"turn_up": "翻", "take": "摸", "discard": "弃", "win": "和", "pass": "过", "lead": "领"}
"""The word of an action that lays nothing."""

ENDS = {"win": "和", "false_win": "诈和", "draw": "流局", "stuck": "打不下去", "void": "重发"}


def action_text(table: Table, state: State, action: Action) -> str:
    """One action as a line of a record: `闲1 碰 碰 丘丘丘`, `庄 弃 上`."""
    seat = table.game.seats[action.seat].name
    if action.kind in ("turn_up", "take"):
        return f"{seat} {SIMPLE[action.kind]}{_next_tile(table, state)}"
    if action.kind == "discard":
        tile = tile_name(table.game, action.tile, state.context)
        return f"{seat} {SIMPLE['discard']} {tile}{_called(action)}"
    if action.kind == "raise":
        return f"{seat} {action.name} {tile_name(table.game, action.tile, state.context)}"
    if action.kind in ("leave", "open", "call", "grab", "misdeal"):
        return f"{seat} {action.name}"
    if table.tricks is not None and action.kind in ("lead", "beat", "cover"):
        return f"{seat} {_put(table, table.tricks, state, action)}"
    if action.kind == "lay":
        return f"{seat} {_laid(table, state, action)}{_called(action)}"
    called = "".join(f" {name}" for name in action.declared or ())
    return f"{seat} {SIMPLE[action.kind]}{called}"


def _called(action: Action) -> str:
    return f" {action.call}" if action.call else ""


def _next_tile(table: Table, state: State) -> str:
    """The tile about to be drawn; nothing where none is left."""
    left = state.at < len(state.deck) - table.flow.reserve
    known = left and state.deck[state.at] >= 0
    return f" {tile_name(table.game, state.deck[state.at], state.context)}" if known else ""


def _put(table: Table, tricks: TrickPlay, state: State, action: Action) -> str:
    """What is done in a trick: `领 天九 天牌红九`, `盖过 双 三四三四`, `扣牌 斧头`."""
    if action.kind == "cover":
        return f"{action.name} {tile_name(table.game, action.tile, state.context)}"
    meld = tricks.judge.melds[action.play]
    tiles = "".join(tile_name(table.game, tile, state.context) for tile in meld.tiles)
    return f"{action.name or SIMPLE['lead']} {meld.type.name} {tiles}"


def _laid(table: Table, state: State, action: Action) -> str:
    laid = action.laid
    assert laid is not None
    meld = table.game.melds[laid.meld]
    tiles = "".join(tile_name(table.game, tile, state.context) for tile in tiles_of(table.game, laid))
    origins = "".join(_SHORT[origin] for origin in laid.origins if origin is not None)
    joined = "".join(f" 接{place + 1}" for place in action.joined)
    return f"{action.name} {meld.type.name} {tiles} {origins}{joined}"


_SHORT = dict(zip(ORIGINS, "手摸翻打", strict=True))
"""A tile's origin in one letter: dealt, own draw, another's draw, another's discard."""


def result_text(seats: Iterable[Seat], result: Result) -> str:
    """The end of a deal in one line."""
    seats = tuple(seats)
    who = "" if result.seat is None else f" {seats[result.seat].name}"
    clause = result.breach or result.halt
    what = f" {clause}" if clause else "".join(f" {name}" for name in result.names)
    score = f" {result.score}" if result.outcome == "win" else ""
    paid = "".join(f" {s.name} {gain:+d}" for s, gain in zip(seats, result.payments, strict=True) if gain)
    return f"{ENDS[result.outcome]}{who}{score}{what}{'；' if paid else ''}{paid}"


def tiles_text(game: Game, tiles: Iterable[int], context: Mapping[str, str]) -> str:
    """Tiles one after the other."""
    return " ".join(tile_name(game, tile, context) for tile in tiles)
