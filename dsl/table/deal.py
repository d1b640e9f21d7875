"""Shuffling and dealing."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ..core.model import WILD, Game
from .state import Player, State


def shuffled(game: Game, chance: random.Random) -> tuple[int, ...]:
    """Every tile of the deck in an order that the source of chance decides."""
    cut = chance.choice(tiles_in(game, None)) if cuts(game) else None
    tiles = tiles_in(game, cut)
    chance.shuffle(tiles)
    if cut is not None:
        tiles.remove(cut)
        tiles.insert(sum(seat.tiles for seat in game.seats), cut)
    return tuple(tiles)


def cuts(game: Game) -> bool:
    """Does the tile turned up at the deal make tiles of its face wild, beside those of the deck's own?"""
    wild = game.wild
    return wild is not None and wild.own and wild.parameter is not None


def tiles_in(game: Game, cut: int | None) -> list[int]:
    """The tiles of the deck. `cut` is the face that is cut: its wild tiles and what stands in for it count as
    `WILD`, and the tile that was turned up lies beside those in play."""
    tiles = [kind for kind, face in enumerate(game.kinds) for _ in range(face.copies)]
    wild = game.wild
    if cut is not None and wild is not None:
        for _ in range(wild.gone - 1):
            tiles.remove(cut)
    if wild is not None and wild.own and (cut is not None or not cuts(game)):
        tiles += [WILD] * wild.copies
    return tiles


def deal(game: Game, deck: tuple[int, ...], given: Mapping[str, str]) -> State:
    """The tiles of every seat in turn, then the one that is turned up to decide something.

    In which order a player took his tiles is forgotten, unless one of them may be raised.
    """
    assert game.flow is not None
    deck = _sorted(game, deck)
    context, at = dict(given), sum(seat.tiles for seat in game.seats)
    if game.flow.reveal is not None:
        context[game.flow.reveal] = game.kinds[deck[at]].name
        if game.wild is not None and game.wild.gone:
            at += 1
        else:
            deck = (*deck[:at], *deck[at + 1 :], deck[at])
    face = game.wild_face(context)
    players, start = [], 0
    for seat in game.seats:
        players.append(_player(game, deck[start : start + seat.tiles], face))
        start += seat.tiles
    return State(deck, at, tuple(players), context)


def _sorted(game: Game, deck: tuple[int, ...]) -> tuple[int, ...]:
    found, start = list[int](), 0
    for seat in game.seats:
        own = deck[start : start + seat.tiles]
        found += own if raises(game, seat.role) else sorted(own)
        start += seat.tiles
    return (*found, *deck[start:])


def raises(game: Game, role: str) -> bool:
    """Does it matter in which order this role was dealt its tiles?"""
    return game.flow is not None and game.flow.raised is not None and game.flow.raised.role == role


def _player(game: Game, tiles: tuple[int, ...], face: int | None) -> Player:
    counts, wilds = [0] * len(game.kinds), 0
    for tile in tiles:
        if tile in (face, WILD):
            wilds += 1
        else:
            counts[tile] += 1
    return Player(tuple(counts), wilds)
