"""Shuffling and dealing."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ..core.model import WILD, Game
from .state import Player, State


def shuffled(game: Game, chance: random.Random) -> tuple[int, ...]:
    """Every tile of the deck in an order that the source of chance decides."""
    tiles = [kind for kind, face in enumerate(game.kinds) for _ in range(face.copies)]
    wild = game.wild
    if wild is not None and wild.own:
        tiles += [WILD] * wild.copies
    chance.shuffle(tiles)
    return tuple(tiles)


def deal(game: Game, deck: tuple[int, ...], given: Mapping[str, str]) -> State:
    """The tiles of every seat in turn, then the one that is turned up to decide something.

    In which order a player took his tiles is forgotten.
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
        found += sorted(deck[start : start + seat.tiles])
        start += seat.tiles
    return (*found, *deck[start:])


def _player(game: Game, tiles: tuple[int, ...], face: int | None) -> Player:
    counts, wilds = [0] * len(game.kinds), 0
    for tile in tiles:
        if tile in (face, WILD):
            wilds += 1
        else:
            counts[tile] += 1
    return Player(tuple(counts), wilds)
