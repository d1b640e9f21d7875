"""讴经 and 抬胡 played under every reading: no deal gets stuck, money adds up, a record replays as played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from dsl import load
from dsl.front.chosen import choices_of
from dsl.front.load import Library, chain_of, games_in
from dsl.table.playing import Deal
from dsl.table.record import header_of, lines_of
from dsl.table.referee import Replay
from dsl.table.simulate import BOTS
from dsl.table.table import Table
from dsl.text.diagnostics import Diagnostic
from dsl.text.source import Span
from tests.laws.test_xiantao_table_laws import every_option

SETTINGS = ("", "赖子=on", "人数=4", "人数=4,赖子=on,牌=97", "人数=2,赖子=on,夹赖=on")
"""Options beside which each reading is tried: every reading says something under one of them."""
SOME = (
    "抬胡[A-12=R2]",
    "抬胡[A-13=R2,A-42=R2]",
    "抬胡[赖子=on,A-21=R2]",
    "抬胡[赖子=on,A-21=R3]",
    "抬胡[A-18=R2,A-53=R2]",
    "抬胡[A-41=R3]",
    "抬胡[赖子=on,A-41=R3,A-42=R2]",
    "抬胡[A-15=R3,A-16=R2]",
    "抬胡旧文[A-11=R3]",
    "讴经[人数=4,A-49=R2,A-55=R2]",
    "讴经[赖子=on,A-21=R3]",
)


@cache
def readings(game: str, setting: str) -> tuple[str, ...]:
    """The game under every value of every reading that is not the default, one at a time."""
    found = []
    for choice in (c for c in load(f"{game}[{setting}]").core.choices if c.is_reading):
        for value in (v for v in choice.values if v != choice.default):
            found.append(f"{game}[{','.join(filter(None, (setting, f'{choice.name}={value}')))}]")
    return tuple(found)


def dealt(table: Table, bot: str, deals: int) -> Iterator[Deal]:
    """Deals by one kind of player, each played to its end."""
    for number in range(deals):
        source = random.Random(f"{bot} {number}")
        deal, act = Deal(table, table.wall(source.getrandbits(32))), BOTS[bot](table)
        while not deal.state.over:
            deal.apply(act(deal.state, source))
        yield deal


def holds_up(name: str, bot: str, deals: int) -> None:
    table = load(name).table
    for deal in dealt(table, bot, deals):
        result, record = deal.result, deal.record()
        assert result is not None and result.outcome in ("win", "false_win", "draw"), record
        assert sum(result.payments) == 0, record
        replay = Replay(table)
        replay.run(header_of(lines_of(record, "a.play")))
        assert {fault.code for fault in replay.faults} <= ({"R004"} if bot == "careless" else set()), record
        assert replay.state == deal.state, record


@pytest.mark.parametrize("name", SOME)
def test_deals_end_and_replay(name: str) -> None:
    for bot in BOTS:
        holds_up(name, bot, 1)


@pytest.mark.parametrize(("path", "free", "warned"), [("game", 18, 18), ("oujing", 24, 12)])
def test_the_options_are_those_of_the_texts(path: str, free: int, warned: int) -> None:
    """Seats, deck, red groups, wild tiles: three red groups with wild ones are warned of, and so are two
    wild tiles in a meld of 抬胡, of which no text lets players agree on."""
    library = Library()
    (ruleset,) = games_in(library.read(Path(f"specs/hubei/xiantao/{path}.pai")))
    choices, faults = choices_of(chain_of(ruleset, library)[0])
    names = ("人数", "经", "赖子", "夹赖", "牌")
    codes = Counter[str]()
    for values in product(*(choices.by_name[name].allowed for name in names)):
        found = list[Diagnostic]()
        choices.complete(dict(zip(names, values, strict=True)), found, Span(""))
        codes[min((fault.code for fault in found), default="")] += 1
    assert not faults and codes == {"": free, "W004": warned, "N011": 12}


@pytest.mark.slow
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("game", ["抬胡", "抬胡旧文", "讴经"])
def test_deals_end_and_replay_under_every_reading(game: str, setting: str, bot: str) -> None:
    assert len(readings(game, setting)) > 15
    for name in readings(game, setting):
        holds_up(name, bot, 24)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(every_option()))
def test_deals_end_and_replay_under_every_option(name: str) -> None:
    for bot in BOTS:
        holds_up(name, bot, 24)
