"""Every shipped game at the table, as it is and under each of its options: the laws of `test_table_laws`."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest

from dsl import Game, SpecError, load
from dsl.core.hand import to_json
from dsl.core.model import WILD
from dsl.table.playing import Deal
from dsl.table.record import header_of, lines_of
from dsl.table.referee import Replay
from dsl.table.simulate import eager
from dsl.table.state import Action, State
from dsl.table.table import IllegalAction, Table
from dsl.table.verdicts import all_wilds, concealed
from tests.conftest import ROOT
from tests.laws.test_table_laws import everywhere, mixed, shown

GAMES = [
    str(path.relative_to(ROOT))
    for path in sorted(ROOT.glob("specs/*/*/*.pai"))
    if re.search("^规则 ", path.read_text(encoding="utf-8"), re.MULTILINE)
]
"""All that say they are games, whoever adds one."""
LONGEST = 1_000
"""Actions after which a deal would never end."""
LOOKED = 7
"""Every so many states all players' views are looked at, and all that is not lawful is tried."""


def test_the_games_are_found() -> None:
    assert len(GAMES) >= 19 and "specs/hubei/shifuying/game.pai" in GAMES


@pytest.mark.parametrize("path", GAMES)
def test_the_laws_hold_of_every_game(path: str) -> None:
    checked(load(ROOT / path), range(1))


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES)
def test_the_laws_hold_of_hundreds_of_deals(path: str) -> None:
    checked(load(ROOT / path), range(200))


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES)
def test_the_laws_hold_under_every_option(path: str) -> None:
    """Each value of each option by itself, and as many combinations of all."""
    tried = 0
    for number, game in enumerate(under_options(path)):
        checked(game, range(10 * number, 10 * number + 4))
        tried += 1
    assert tried > sum(len(choice.values) - 1 for choice in load(ROOT / path).core.choices) // 2


def under_options(path: str) -> Iterator[Game]:
    """The game under other options than those it has by itself, as far as they go together."""
    choices, source = load(ROOT / path).core.choices, random.Random(1)
    single = [{c.name: value} for c in choices for value in c.values if value != c.default]
    mixes = [{c.name: source.choice(c.values) for c in choices} for _ in single]
    for options in [*single, *mixes]:
        try:
            yield load(ROOT / path, options)
        except SpecError:
            continue


def checked(game: Game, seeds: range) -> None:
    """The laws, of these deals."""
    table = game.table
    for seed in seeds:
        deck = Counter(table.wall(seed))
        deal, source = Deal(table, table.wall(seed)), random.Random(seed)
        for step in count():
            state = deal.state
            assert everywhere(table, state) + shown(table, state) == deck
            assert state.over == (not state.lawful) and step < LONGEST
            if step % LOOKED == 0:
                nobody_sees_more(table, state, seed)
                what_is_not_lawful_is_refused(table, state)
            if state.over:
                break
            action = eager(state, source)
            deal.apply(action)
            if action.kind == "win":
                the_judge_agrees(game, state, action, deal.state)
        the_end_is_right(table, deal)


def the_end_is_right(table: Table, deal: Deal) -> None:
    """Nothing is paid to nobody, and the record says the same."""
    assert deal.result is not None and sum(deal.result.payments) == 0
    if deal.result.outcome == "stuck":
        nothing_may_go(table, deal.state)
    replay = Replay(table)
    replay.run(header_of(lines_of(deal.record(), "a.play")))
    assert replay.faults == [] and replay.state == deal.state


def nothing_may_go(table: Table, state: State) -> None:
    """V112: every tile that he has is under a ban that does not yield."""
    assert state.result is not None and state.result.seat is not None
    player = state.players[state.result.seat]
    held = [kind for kind, n in enumerate(concealed(player)) if n] + [WILD] * bool(all_wilds(player))
    for tile in held:
        bans = table.claims.barred(state, state.result.seat, tile)
        assert any(not ban.yields for ban in bans), tile


def nobody_sees_more(table: Table, state: State, seed: int) -> None:
    for seat in table.playing:
        hidden = mixed(table, state, seat, random.Random(seed))
        assert table.view(hidden, seat) == table.view(state, seat)


def what_is_not_lawful_is_refused(table: Table, state: State) -> None:
    for action in table.unlawful(state):
        assert action not in state.lawful
        if table.breach_of(state, action) is not None:
            after = table.apply(state, action)
            assert after.result is None or sum(after.result.payments) == 0
            continue
        with pytest.raises(IllegalAction) as refused:
            table.apply(state, action)
        assert refused.value.rule is not None


def the_judge_agrees(game: Game, state: State, action: Action, after: State) -> None:
    """The table's win is one of the hand as a program would write it."""
    offer = state.offer if state.asks else None
    verdict = game.judge(to_json(game.core, game.table.verdicts.hand(state, action.seat, offer)))
    result = after.result
    assert result is not None and verdict.win
    assert (result.outcome, result.score, result.names) == ("win", verdict.score, verdict.names)
