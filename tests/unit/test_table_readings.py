"""Readings of the table in the 上大人 family: what each of them lets a player do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from dsl import load
from dsl.table.record import Recorder
from dsl.table.state import Action, State
from dsl.table.table import Table
from tests.unit.test_table import does, offered, player, refereed


def table_of(name: str) -> Table:
    return load(name).table


def dealt(table: Table, first: str) -> State:
    """A deal in which the dealer's tiles are these, and nobody else has four of a face."""
    game = table.game
    own = [game.kind_index[tile] for tile in first.replace(" ", "")]
    used, rest = Counter(own), []
    for copy in range(game.kinds[0].copies):
        rest += [kind for kind in range(len(game.kinds)) if used[kind] <= copy]
    assert len(own) == game.seats[0].tiles
    return table.dealt((*own, *rest))


# ---------------------------------------------------------------- 摆龙 (SDR-24, SDR-27)

DRAGONS = {
    "七七七七 上大 丘乙 化三 尔小生 八九子 佳作仁": {"": {"裸"}, "R2": {"裸"}, "R3": {"裸"}},
    "七七七七十 上大 丘乙 化三 尔小生 八九子 佳作": {"": {"裸", "一"}, "R2": {"一"}, "R3": {"一"}},
    "七七七七十十 上大 丘乙 化三 尔小生 八九子 佳": {"": {"裸", "一"}, "R2": {"一"}, "R3": {"一"}},
    "七七七七十士 上大 丘乙 化三 尔小生 八九子 佳": {
        "": {"裸", "一", "满"},
        "R2": {"满"},
        "R3": {"一", "满"},
    },
}


@pytest.mark.parametrize("reading", ["", "R2", "R3"])
def test_how_many_tiles_are_hung_on_a_dealt_dragon(reading: str) -> None:
    """SDR-24: as one likes, as many as there are, or at least one if there is any."""
    table = table_of("十符硬" + (f"[SDR-24={reading}]" if reading else ""))
    for tiles, expected in DRAGONS.items():
        state = dealt(table, tiles)
        types = [table.game.melds[a.laid.meld].type.name for a in state.lawful if a.laid is not None]
        assert {name.split(".")[1] for name in types} == expected[reading], tiles
        assert all(action.kind == "lay" for action in state.lawful)


@pytest.mark.parametrize(
    ("reading", "over", "fined"), [("R1", False, 0), ("R2", True, -3), ("R3", False, -3)]
)
@pytest.mark.parametrize("hung", ["", ",SDR-24=R2", ",SDR-24=R3"])
def test_what_a_dragon_that_is_not_laid_costs(reading: str, over: bool, fined: int, hung: str) -> None:
    """SDR-27: it counts as a 坎 only, as a false win, or a fixed fine while play goes on."""
    table = table_of(f"四家飞[SDR-27={reading}{hung}]")
    state = dealt(table, "七七七七 上大 丘乙 化三 尔小生 八九子 佳作仁")
    state = table.apply(state, Action("pass", 0))
    assert state.over is over
    paid = state.fines if state.result is None else state.result.payments
    assert (paid or (0,))[0] == fined


# ---------------------------------------------------------------- 三个尖 (SDR-46)


@pytest.mark.parametrize(("reading", "must"), [("R1", True), ("R2", False)])
def test_the_third_face_to_two_and_one(reading: str, must: bool) -> None:
    """SDR-46: the missing face beside a a b is chased, and has to be, or eaten, which one may leave."""
    table = table_of(f"十符硬[SDR-46={reading}]")
    state = offered(table, {1: player(table, "尔尔小 上丘化")}, "生", 0, turned=False)
    straight = "句 尔小生 手手打"
    assert does(table, state) == ({f"闲1 追 {straight}"} if must else {f"闲1 头吃 {straight}", "闲1 过"})
    state = offered(table, {1: player(table, "尔小 上丘化")}, "生", 0, turned=False)
    assert does(table, state) == {f"闲1 追 {straight}"}
    eaten = player(table, "尔尔小 上丘化")._replace(taken=("吃", "头吃"))
    state = offered(table, {1: eaten}, "生", 0, turned=False)
    assert bool(state.asks) is must


# ---------------------------------------------------------------- other forms and places


def test_a_straight_is_broken_with_a_word() -> None:
    """DS-17: after 三个打 any tile of a straight may go in 打神; without the word none may, as in 十符硬."""
    held = "尔小生 八九子 佳作仁 丘乙己 七十士 可知"
    ours = "庄 碰 碰 可可可 手手打"
    for name, more in (("十符硬", set()), ("打神", {f"庄 弃 {tile} 三个打" for tile in "尔小生八九子"})):
        table = table_of(name)
        state = offered(table, {0: player(table, held + "可")}, "可", 3, turned=False)
        action = next(a for a in state.lawful if a.name == "碰")
        after = does(table, table.apply(state, action))
        assert ours in does(table, state)
        assert "庄 弃 知" in after
        assert more <= after and ("庄 弃 尔" in after) is False


@pytest.mark.parametrize(
    ("name", "duty"), [("十符硬", False), ("革勒车十符硬", True), ("革勒车十符硬[LC-02=R2]", False)]
)
def test_four_of_a_house_must_chase_in_one_township(name: str, duty: bool) -> None:
    """LC-01 to LC-03."""
    table = table_of(name)
    state = offered(table, {1: player(table, "上上大人 丘七佳")}, "大", 0, turned=False)
    assert (Action("pass", 1) in state.lawful) is not duty
    assert state.asks[0].must is duty


def drawn_out(name: str) -> int:
    """How many tiles are drawn before the stock is at its end."""
    table = table_of(name)
    state = table.start(3)
    before = len(state.deck) - sum(seat.tiles for seat in table.game.seats)
    return before - table.flow.reserve


def test_the_twelve_tiles_at_the_bottom() -> None:
    """ZK-05."""
    assert drawn_out("追口符") == 20
    assert drawn_out("追口符[ZK-05=R2]") == 32


@pytest.mark.parametrize(
    ("name", "takers"),
    [
        ("追口符[ZK-12=R2]", set()),
        ("追口符[ZK-12=R2,ZK-07=R2]", {"闲2 碰"}),
        ("追口符[ZK-07=R2]", set()),
    ],
)
def test_who_may_not_take_the_dealers_first_tile(name: str, takers: set[str]) -> None:
    """ZK-07: nobody, or only the next player."""
    table = table_of(name)
    players = {1: player(table, "尔小 上丘"), 2: player(table, "生生 上丘")}
    later = offered(table, players, "生", 0, turned=False)
    assert later.offer is not None
    first = replace(later, offer=later.offer._replace(first=True), opened=False, asks=(), lawful=())
    state = table.settled(first)
    assert {f"{table.game.seats[a.seat].name} {a.name}" for a in state.lawful if a.kind == "lay"} == takers


@pytest.mark.parametrize(
    ("name", "turned", "doing"),
    [
        (
            "追口符",
            False,
            {"闲1 吃 句 尔小生 手手打", "闲1 吃 口 尔生 手打", "闲1 吃 口 小生 手打", "闲1 过"},
        ),
        (
            "追口符[ZK-09=R1]",
            True,
            {"闲1 吃 句 尔小生 手手翻", "闲1 吃 口 尔生 手翻", "闲1 吃 口 小生 手翻", "闲1 过"},
        ),
        ("追口符[ZK-09=R1,ZK-11=R2]", True, set()),
    ],
)
def test_a_tile_turned_up_and_put_down(name: str, turned: bool, doing: set[str]) -> None:
    """ZK-09 and ZK-11: the next player may have it, or only what comes out of a hand."""
    table = table_of(name)
    state = offered(table, {1: player(table, "尔小 上丘")}, "生", 0, turned)
    assert does(table, state) >= doing
    assert any(a.kind == "lay" for a in state.lawful) is bool(doing)
    assert {act.kind for act in table.flow.turn} == ({"turn_up"} if turned else {"take", "win", "discard"})


# ---------------------------------------------------------------- the deal itself


def record(table: Table, actions: list[Action]) -> str:
    """A record of the first deal, with these actions and no end."""
    wall = table.wall(3)
    recorder, state = Recorder(table, wall), table.dealt(wall)
    for action in actions:
        recorder.done(state, action)
        state = table.apply(state, action)
    return recorder.text(state)


def told(table: Table, text: str) -> list[str]:
    return [f"{fault.code} {dict(fault.values).get('penalty', '')}" for fault in refereed(table, text).faults]


def test_the_dealer_stops_the_taking_with_a_word() -> None:
    """SDR-08, SDR-09, PN-02: only where the call is part of the record."""
    table = table_of("十符硬[拦庄=要喊]")
    state = table.start(3)
    assert does(table, state) == {"庄 拦庄"}
    assert not any(action.kind == "call" for action in table.apply(state, state.lawful[0]).lawful)
    assert all(action.kind != "call" for action in table_of("十符硬").start(3).lawful)
    whole = record(table, [state.lawful[0]])
    assert [code[:4] for code in told(table, whole)] == ["R008"]
    fine = ("诈和 庄 没拦； 庄 -3 闲1 +1 闲2 +1 闲3 +1",) * 2
    assert told(table, whole.replace("庄 拦庄", "庄 弃 上"))[0] == f"R004 {fine}"


@pytest.mark.parametrize(("seat", "tiles"), [("庄", 20), ("庄", 18), ("闲2", 19), ("闲3", 17)])
def test_a_wrong_number_of_tiles_is_a_foul(seat: str, tiles: int) -> None:
    """SDR-10, PN-03: the referee counts what was dealt; without a clause of it the record is refused."""
    table = table_of("十符硬")
    lines = record(table, []).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(f"发 {seat}"))
    dealt, stock = lines[at].split(), lines[-1].split()
    right = len(dealt) - 2
    moved = stock[1 : 1 + max(tiles - right, 0)]
    lines[at] = " ".join([*dealt[: 2 + min(tiles, right)], *moved])
    lines[-1] = " ".join(["铺", *dealt[2 + min(tiles, right) :], *stock[1 + len(moved) :]])
    money = " ".join(f"{name} {-3 if name == seat else 1:+d}" for name in ("庄", "闲1", "闲2", "闲3"))
    end = f"诈和 {seat} 错牌； {money}"
    assert told(table, "\n".join([*lines, f"终 {end}"])) == [f"R012 {(end, end)}"]
    silent = table_of("对对符")
    lines = record(silent, []).splitlines()
    moved_one = [lines[2].rpartition(" ")[0], *lines[3:-1], f"{lines[-1]} {lines[2].split()[-1]}"]
    assert told(silent, "\n".join([*lines[:2], *moved_one])) == ["R011 "]


@pytest.mark.parametrize(
    ("options", "seats"),
    [("DD-09=R1", ["闲1", "闲2"]), ("DD-09=R3", ["闲1", "闲2"]), ("DD-09=R3,DD-08=R2", ["闲1"])],
)
def test_a_tile_of_another_taken_into_the_hand(options: str, seats: list[str]) -> None:
    """DD-08, DD-09: whoever takes it holds thirteen tiles, and lets one go."""
    table = table_of(f"对对符[人数=3,{options}]")
    hand = "七七十十士士尔尔小小生八"
    state = offered(table, {1: player(table, hand), 2: player(table, hand)}, "生", 0, turned=False)
    assert [table.game.seats[ask.seat].name for ask in state.asks] == seats
    assert does(table, state) == {"闲1 收牌", "闲1 过"}
    after = table.apply(state, Action("grab", 1, "收牌"))
    assert after.offer is None and {action.kind for action in after.lawful} == {"discard"}
    assert after.players[1].came == "他打"
    rest = table.apply(after, next(a for a in after.lawful if table.game.kinds[a.tile].name == "八"))
    assert rest.players[1].came == "" and sum(rest.players[1].counts) == 12
    assert ("闲1 和" in does(table, rest)) is options.startswith("DD-09=R3")


def test_what_is_laid_in_play_can_be_regrouped_though_it_could_not_stand() -> None:
    """SH-08 R2: 招.裸 keeps its owner a single tile too many, unless that becomes part of something else."""
    laid = [{"meld": "招.裸", "tiles": list("十十十十"), "origins": ["起手", "起手", "起手", "他打"]}]
    hand = {
        "role": "闲",
        "laid": laid,
        "hand": list("上大人上大人上大人七士八九子"),
        "last": {"tile": "上", "from": "他摸"},
    }
    assert load("十符硬[SH-08=R2]").judge(hand).win
