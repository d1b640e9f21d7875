"""抬胡 and 讴经: misdeals, breaches rated, a hand broken up that falls short, a wild tile taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl import load
from dsl.core.model import WILD
from dsl.table.playing import Deal
from dsl.table.state import Action, Player, Result, State, Task
from dsl.table.table import Table
from tests.unit.test_table import codes, does, game, offered, player, refereed
from tests.unit.test_xiantao_table import RICH, held, thinking
from verifier.difference import clause_changes

SHORT = "丘乙己 化三千 七十士 尔小生 八九子 上大人 佳作仁 佳佳"
"""A whole hand of four 胡."""


# ---------------------------------------------------------------- misdeals


def opened(name: str) -> tuple[Table, Deal]:
    table = game(name).table
    return table, Deal(table, table.wall(7))


@pytest.mark.parametrize(
    ("name", "paid"),
    [("抬胡", (0, 0, 0)), ("抬胡[人数=2]", (0, 0)), ("抬胡[人数=4,赖子=on]", (0, 0, 0, 0))],
)
def test_the_dealer_misdeals_and_drops(name: str, paid: tuple[int, ...]) -> None:
    """TH-07, TH-99, SL-04: nobody pays, not even the seat that sits out is paid, and the next seat deals."""
    table, deal = opened(name)
    wrong = [action for action in deal.breaches() if action.kind == "misdeal"]
    assert wrong == [Action("misdeal", 0, "误起")]
    deal.apply(wrong[0])
    assert deal.result == Result("void", 0, paid, breach="误起", next_dealer=1)
    record = deal.record()
    assert record.splitlines()[-2:] == ["庄 误起", "终 重发 庄 误起"]
    assert codes(table, record) == ["R004"] and refereed(table, record).state == deal.state


def test_it_is_found_before_anything_is_done() -> None:
    table, deal = opened("抬胡")
    while not deal.state.discarded:
        deal.apply(deal.legal_actions()[0])
    assert not any(action.kind == "misdeal" for action in deal.breaches())
    assert codes(table, deal.record() + "庄 误起\n") == ["R001"]


@pytest.mark.parametrize(
    ("name", "seat", "code"),
    [("抬胡", "庄", "R012"), ("抬胡", "闲1", "R011"), ("抬胡旧文", "庄", "R011"), ("讴经", "庄", "R011")],
)
def test_a_wrong_number_of_tiles(name: str, seat: str, code: str) -> None:
    """TH-100, OJ-40, DF-09: only the later text says what comes of it, and only of the dealer."""
    table, deal = opened(name)
    lines = deal.record().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(f"发 {seat} "))
    lines[at], _, tile = lines[at].rpartition(" ")
    lines[-1] += f" {tile}"
    assert codes(table, "\n".join(lines)) == [code]
    assert ("庄 误起" in does(table, deal.state)) is False
    if code == "R012":
        state = refereed(table, "\n".join(lines)).state
        assert state is not None and state.result is not None and state.result.outcome == "void"


def test_a_breach_of_the_number_that_is_fined() -> None:
    """十符硬 fines whoever has a wrong number of tiles."""
    table, deal = opened("十符硬")
    wrong = [action for action in deal.breaches() if action.kind == "misdeal"]
    assert [action.seat for action in wrong] == [0, 1, 2, 3]
    result = table.apply(deal.state, wrong[2]).result
    assert result is not None and (result.outcome, result.payments) == ("false_win", (1, 1, -3, 1))


# ---------------------------------------------------------------- what a breach is rated by


@pytest.mark.parametrize(
    ("options", "held_", "wilds", "due"),
    [
        ("", "八八八丘", 0, 1),
        ("", "八八八丘上上上知知知", 0, 2),
        ("", "八八八上上上大大大知知知丘", 0, 4),
        ("赖子=on", "八八八丘", 1, 1),
        ("赖子=on", "八八八丘", 0, 2),
        ("赖子=on", "八八八丘上上上知知知", 0, 3),
        ("A-33=R2", "八八八丘", 0, 2),
        ("A-33=R3", "八八八上上上大大大知知知丘", 0, 3),
    ],
)
def test_a_breach_costs_what_the_hand_counts(options: str, held_: str, wilds: int, due: int) -> None:
    """A-41 R3: the tier of the melds as they lie; three of a face let go with 八 on the table."""
    for more in ("", ",A-42=R2"):
        given = f"{options},A-41=R3".strip(",")
        table = game(f"抬胡[{given}{more}]").table
        laid = RICH[:2] if "大" not in held_ and "上" not in held_ else ()
        own = player(table, held_, *laid)._replace(wilds=wilds)
        after = table.apply(offered(table, {1: own}, "八", 2, turned=False), Action("pass", 1))
        paid = after.fines if more else after.result and after.result.payments
        assert paid == (due, -2 * due, due)


def test_a_false_win_is_fined_once_for_one_tile() -> None:
    """A-42 R2: play goes on, and the same call is not made again before something happens."""
    table = game("抬胡[A-42=R2]").table
    state = offered(table, {1: player(table, "八八八丘", *RICH)}, "千", 2, turned=False)
    call = Action("win", 1)
    after = table.apply(state, call)
    assert call in table.breaches(state) and call not in table.breaches(after)
    assert after.fines == (1, -2, 1)


# ---------------------------------------------------------------- a hand that falls short


def whole(name: str, tiles: str) -> tuple[Table, State]:
    """The dealer has these tiles and is to discard."""
    table = game(name).table
    nobody = Player((0,) * len(table.game.kinds))
    players = (player(table, tiles), *(nobody for _ in table.game.seats[1:]))
    return table, table.settled(State((0,) * 9, 0, players, {}, todo=(Task("discard", 0),)))


def test_a_whole_hand_that_falls_short_may_be_broken_up() -> None:
    """A-12 R2: only such a hand; by the default any whose melds do not come to seven."""
    for reading, tiles, free in (
        ("A-12=R1", SHORT, True),
        ("A-12=R1", SHORT.replace("佳佳", "佳千"), True),
        ("A-12=R2", SHORT, True),
        ("A-12=R2", SHORT.replace("佳佳", "佳千"), False),
        ("A-12=R2", SHORT.replace("尔小生", "可知礼"), False),
    ):
        table, state = whole(f"抬胡[{reading}]", tiles)
        assert ("庄 弃 七 剐胡" in does(table, state)) is free, (reading, tiles)


def test_with_the_tile_on_offer_as_well() -> None:
    """A-12 R2: a 坎 may be broken to eat where the hand is whole with the tile, and falls short."""
    tiles = "丘乙己化三千七十士尔小生佳作仁八八八九上大人"
    for last, free in (("子", True), ("千", False)):
        table = game("抬胡[A-12=R2]").table
        state = offered(table, {1: player(table, tiles)}, last, 0, turned=True)
        assert any("剐胡" in a.call for ask in state.asks for a in ask.options) is free


# ---------------------------------------------------------------- a wild tile on the table


@pytest.mark.parametrize("name", ["抬胡[赖子=on,A-21=R3]", "讴经[赖子=on,A-21=R3]"])
def test_a_wild_tile_thrown_away_may_be_taken_into_the_hand(name: str) -> None:
    """A-21 R3: by anybody, who then discards; it helps at a later win, not at this moment."""
    table = game(name).table
    state = offered(table, {1: player(table, "丘千八九佳可上")}, "丘", 0, turned=False)
    assert state.offer is not None
    wild = state.offer._replace(tile=WILD)
    state = table.settled(replace(state, offer=wild, opened=False, asks=(), lawful=(), todo=()))
    assert {"闲1 取赖", "闲1 过"} <= does(table, state)
    after = table.apply(state, next(a for a in state.lawful if a.kind == "grab"))
    assert after.offer is None and after.seat == 1
    assert {a.kind for a in after.lawful} == {"discard"} and after.players[1].drawn == WILD
    rest = table.apply(after, next(a for a in after.lawful if a.tile != WILD))
    assert rest.players[1].wilds == 1


# ---------------------------------------------------------------- two texts


def changed(options: str) -> set[str]:
    left, right = (load(f"{name}[{options}]") for name in ("抬胡", "抬胡旧文"))
    rules = (change.left or change.right for change in clause_changes(left, right))
    return {rule.name for rule in rules if rule is not None}


DIFFER = {
    "DF-01": {"流程.应.对碰", "流程.应.半吃"},
    "DF-02": {"流程.禁.拆坎"},
    "DF-03": {"流程.不得.拆句"},
    "DF-04": {"流程.禁.拆句", "流程.禁.五把手", "流程.禁.六把手"},
    "DF-09": {"流程.犯.误起"},
    "DF-10": {"流程.下庄.诈和.庄", "流程.下庄.诈和.闲"},
    "DF-13": {"境.首弃", "流程.境.首弃.是", "名.天和", "名.地和"},
}
"""The table of differences between the two texts, as far as play and judging tell of it."""
OF_WILDS = {"DF-06": {"牌型.虚对", "价.胡.虚对", "和.素坎单张", "和.虚对"}}


def test_the_clauses_that_differ_are_those_of_the_table() -> None:
    assert changed("人数=3") == set().union(*DIFFER.values())
    assert changed("赖子=on") == set().union(*DIFFER.values(), *OF_WILDS.values())


def test_the_earlier_text_does_not_say_who_deals_after_a_false_win() -> None:
    for name, dealer in (("抬胡", 1), ("抬胡旧文", 0)):
        table = game(name).table
        state = offered(table, {0: player(table, held((1, 1, 0)))}, "千", 1, turned=False)
        result = table.apply(state, Action("win", 0)).result
        assert result is not None and (result.outcome, result.next_dealer) == ("false_win", dealer)


def test_a_win_on_the_first_discard_has_a_name_there() -> None:
    """DF-13, OJ-07: 地和, and 天和 on the tiles as dealt."""
    tiles = "丘乙己化三千七十士尔小生上大人可知礼八九子佳"
    for name, own, named in (("抬胡", tiles, False), ("抬胡旧文", tiles, True), ("讴经", tiles[3:], True)):
        table = game(name).table
        state = offered(table, {1: player(table, own)}, "佳", 0, turned=False)
        assert state.offer is not None
        thrown = state.offer._replace(first=True)
        first = replace(state, offer=thrown, opened=False, asks=(), lawful=())
        for at, there in ((table.settled(first), named), (state, False)):
            result = table.apply(at, Action("win", 1, "和")).result
            assert result is not None and ("地和" in result.names) is there
    state, table = thinking("抬胡", (1, 0, 0), *RICH)
    assert "天和" not in [n.name for n in table.game.names]
