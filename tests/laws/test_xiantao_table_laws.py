"""What holds while 讴经 and 抬胡 are played under every option: hands, draws, who may take."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from dsl import load
from dsl.core.model import WILD
from dsl.table.simulate import BOTS
from dsl.table.state import Action, Player, State
from dsl.table.table import Table
from dsl.table.verdicts import all_wilds, concealed
from tests.laws.test_table_laws import everywhere, shown

QUADS = ("明招", "暗招")
SOME = (
    "抬胡",
    "抬胡[人数=4,经=3]",
    "抬胡[人数=2,赖子=on,夹赖=on]",
    "抬胡[赖子=on,牌=97,A-06=R2,A-42=R2]",
    "抬胡[A-13=R3,A-10=R2,A-16=R2]",
    "抬胡旧文",
    "讴经",
    "讴经[人数=4,赖子=on]",
    "讴经[人数=4,A-47=R2]",
)


def every_option() -> Iterator[str]:
    """All legal options; three red groups with wild tiles are only warned of."""
    for game, seats, red, wild, deck in product(("抬胡", "讴经"), "324", "23", ("off", "on"), ("100", "97")):
        for within in ("off", "on") if wild == "on" else ("off",):
            yield f"{game}[人数={seats},经={red},赖子={wild},夹赖={within},牌={deck}]"


def steps(table: Table, seed: int) -> Iterator[tuple[State, Action | None]]:
    """A deal by chance, half of them by players who win when they can."""
    source = random.Random(seed)
    bot = BOTS["eager" if seed % 2 else "chance"](table)
    state = table.start(seed)
    while not state.over:
        action = bot(state, source)
        yield state, action
        state = table.apply(state, action)
    yield state, None


def tiles(player: Player) -> int:
    return sum(concealed(player)) + all_wilds(player)


def quads(table: Table, player: Player) -> int:
    return sum(table.game.melds[laid.meld].type.family in QUADS for laid in player.laid)


def discarding(state: State, seat: int) -> bool:
    return any(task == (("discard", seat, *task[2:])) for task in state.todo)


def checked(name: str, deals: int) -> None:
    table = load(name).table
    for seed in range(deals):
        drawn, start, first = 0, None, Counter(table.wall(seed))
        for state, action in steps(table, seed):
            start = state if start is None else start
            assert everywhere(table, state) + shown(table, state) == first
            if state.over:
                assert state.result is not None and state.result.outcome != "stuck"
                assert sum(state.result.payments) == 0
                break
            hands_are_whole(table, state)
            nobody_is_torn(state)
            one_goes_first(table, state)
            assert state.at - start.at == drawn + sum(quads(table, p) for p in state.players)
            if "抬胡" in name:
                nothing_is_gained(table, start, state)
            drawn += action is not None and action.kind in ("turn_up", "take")


def hands_are_whole(table: Table, state: State) -> None:
    """CL-03: 1 modulo 3 at rest, 2 before a discard; the seat with two tiles has two and three."""
    for seat in table.playing:
        held, more = tiles(state.players[seat]), discarding(state, seat)
        drawing = any(task.kind == "take" and task.seat == seat for task in state.todo)
        if table.game.seats[seat].role == "坐醒":
            assert held == 2 + (more and not drawing)
        else:
            assert held % 3 == 1 + (more and not drawing)


def nobody_is_torn(state: State) -> None:
    """CL-32, CL-55: one player at most has the pair or the triple, and no tile obliges one to two things."""
    lays = [(ask.seat, a) for ask in state.asks for a in ask.options if a.laid is not None]
    alike = {seat for seat, a in lays if "碰" in a.name or "招" in a.name}
    assert len(alike) <= 1
    duties = Counter(ask.seat for ask in state.asks if ask.must)
    assert all(n == 1 for n in duties.values())
    assert all(len({a.name for a in ask.options}) == 1 for ask in state.asks if ask.must)


def one_goes_first(table: Table, state: State) -> None:
    """CL-49: those who may win on one tile are asked in the order of the deal, or of the turns after it."""
    wins = [ask.seat for ask in state.asks if ask.options[0].kind == "win"]
    order, asked = list(table.playing), len(set(wins))
    if wins and state.offer is not None and table.game.options["A-06"] == "R2":
        at = order.index(state.offer.seat)
        order = order[at:] + order[:at]
    assert len(wins) == asked and wins == [seat for seat in order if seat in wins]


def nothing_is_gained(table: Table, start: State, state: State) -> None:
    """CL-53: without a 招 (so without a hidden draw) nobody gets three of a face that he was not dealt."""
    for seat in table.playing:
        now = state.players[seat]
        if not quads(table, now):
            dealt = start.players[seat].counts
            assert all(dealt[kind] >= 3 for kind, n in enumerate(concealed(now)) if n >= 3)


@pytest.mark.parametrize("name", SOME)
def test_hands_draws_and_duties(name: str) -> None:
    """CL-03, CL-32, CL-53 to CL-55."""
    checked(name, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(every_option()))
def test_hands_draws_and_duties_under_every_option(name: str) -> None:
    checked(name, 100)


def test_a_fallback_discard_is_a_wild_tile() -> None:
    """CL-36: some natural tile may always go, unless two wild ones are left beside locked tiles."""
    table = load("抬胡[赖子=on]").table
    seen = 0
    for seed in range(12):
        for state, _ in steps(table, seed):
            if state.todo and state.todo[0].kind == "discard" and state.lawful:
                seen += 1
                if any(action.tile == WILD for action in state.lawful):
                    assert all_wilds(state.players[state.todo[0].seat]) >= 2
    assert seen > 100
