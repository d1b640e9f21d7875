"""C-40: where no tile ever comes into the hand, nobody conceals what he was not dealt."""

from __future__ import annotations

import pytest

from dsl import load
from dsl.table.state import Player, State
from dsl.table.table import Table
from tests.laws.test_table_laws import states
from verifier.table_world import draws

KEEPING = ("四家飞", "十符硬", "十符硬[人数=3]", "追口符[ZK-09=R1]")
DRAWING = ("打神", "追口符")
DEALS = 8


def gained(table: Table, start: State, state: State) -> bool:
    """Does somebody conceal more of a face than he was dealt?"""
    pairs = ((held(state.players[s]), held(start.players[s])) for s in table.playing)
    return any(now > dealt for a, b in pairs for now, dealt in zip(a, b, strict=True))


def held(player: Player) -> tuple[int, ...]:
    """Concealed tiles per kind, wild ones last."""
    return (*player.counts, player.wilds)


def gaining(table: Table) -> bool:
    """Does it ever happen in a few deals by chance?"""
    deals = ((seed, next(states(table, seed))[0]) for seed in range(DEALS))
    return any(gained(table, start, state) for seed, start in deals for state, _ in states(table, seed))


@pytest.mark.parametrize("name", KEEPING)
def test_concealed_tiles_were_dealt(name: str) -> None:
    game = load(name)
    assert not draws(game.core)
    assert not gaining(game.table)


@pytest.mark.parametrize("name", DRAWING)
def test_where_tiles_are_drawn_they_were_not(name: str) -> None:
    game = load(name)
    assert draws(game.core)
    assert gaining(game.table)
