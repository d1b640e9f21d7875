"""讴经 and 抬胡 at the table: duties and bans door by door, who deals next, what the referee fines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from dsl.core.model import WILD
from dsl.table.playing import Deal
from dsl.table.state import HIDDEN, Action, Player, Result, State, Task
from dsl.table.table import IllegalAction, Table
from dsl.table.words import action_text, result_text
from tests.unit.test_table import codes, does, game, offered, player, refereed

RICH = (("碰", "上上上"), ("碰", "知知知"), ("碰", "礼礼礼"))
"""Nine 胡 on the table: nothing may be broken to gather more."""
DOOR = "八九子"


def held(shape: tuple[int, int, int]) -> str:
    return "".join(face * n for face, n in zip(DOOR, shape, strict=True))


def incoming(
    name: str, shape: tuple[int, int, int], tile: str, *laid: tuple[str, str]
) -> tuple[Table, State]:
    """A tile is turned up by the dealer while the first of the others holds this door and two loose tiles."""
    table = game(name).table
    state = offered(table, {1: player(table, held(shape) + "丘千", *(laid or RICH))}, tile, 0, turned=True)
    return table, replace(state, deck=(table.game.kind_index["丘"],) * 40)


def thrown(table: Table, state: State) -> set[str]:
    return {action_text(table, state, action).removeprefix("闲1 弃 ") for action in state.lawful}


# ---------------------------------------------------------------- the table of door shapes

MUST, MAY, NO = "must", "may", "no"
SHAPES = [
    # shape, incoming, what, how, what may be thrown then (of the door; the loose two go without saying)
    ((1, 0, 0), "九", NO, "", ""),
    ((1, 1, 0), "子", MUST, "半吃 圆句 八九子 手手翻", ""),
    ((2, 0, 0), "八", MUST, "对碰 碰 八八八 手手翻", ""),
    ((2, 1, 0), "八", MUST, "角碰 碰 八八八 手手翻", "九!"),
    ((2, 1, 0), "子", MUST, "角吃 圆句 八九子 手手翻", "八!"),
    ((2, 1, 0), "九", NO, "", ""),
    ((2, 2, 0), "八", MAY, "碰 碰 八八八 手手翻", "九"),
    ((2, 2, 0), "子", MAY, "吃 圆句 八九子 手手翻", "八九"),
    ((1, 1, 1), "八", NO, "", ""),
    ((2, 1, 1), "八", MAY, "碰 碰 八八八 手手翻", "九子"),
    ((2, 1, 1), "九", MAY, "吃 圆句 八九子 手翻手", "八九"),
    ((2, 2, 1), "子", MAY, "吃 圆句 八九子 手手翻", ""),
    ((2, 2, 1), "八", MAY, "碰 碰 八八八 手手翻", "九子"),
    ((2, 2, 2), "八", NO, "", ""),
    ((3, 0, 0), "八", MUST, "明招 明招 八八八八 手手手翻", ""),
    ((3, 1, 0), "八", MUST, "挺招 明招 八八八八 手手手翻", "九!"),
    ((3, 1, 0), "子", NO, "", ""),
    ((3, 1, 1), "八", MUST, "明招 明招 八八八八 手手手翻", "九子"),
    ((3, 1, 1), "九", NO, "", ""),
    ((3, 2, 0), "九", MAY, "碰 碰 九九九 手手翻", ""),
]


@pytest.mark.parametrize(("shape", "tile", "how", "text", "then"), SHAPES)
def test_what_a_door_obliges_to_and_what_may_be_thrown_after(
    shape: tuple[int, int, int], tile: str, how: str, text: str, then: str
) -> None:
    """TH-41 to TH-55 under the default readings; `!` is thrown at once."""
    table, state = incoming("抬胡", shape, tile)
    options = does(table, state) if state.seat == 1 else set()
    assert (f"闲1 {text}" in options) is (how != NO)
    assert ("闲1 过" in options) is (how == MAY)
    if how != NO:
        took = next(a for a in state.lawful if action_text(table, state, a) == f"闲1 {text}")
        free = thrown(table, table.apply(state, took))
        extra = {"丘", "千"} if not then.endswith("!") else set()
        assert free - {"丘", "千"} == set(then.removesuffix("!")) and extra <= free


def test_a_quarter_may_be_taken_for_by_pair_or_straight() -> None:
    """CL-33: 四把手 and 五把手 offer both to a doubled face, but five must not be eaten with."""
    _, state = incoming("抬胡", (2, 1, 1), "八")
    assert {a.name for a in state.asks[0].options + state.asks[1].options} == {"碰", "吃"}
    _, state = incoming("抬胡", (2, 2, 1), "八")
    assert [a.name for ask in state.asks for a in ask.options] == ["碰"]


@pytest.mark.parametrize(
    ("shape", "free"),
    [
        ((1, 1, 1), ""),
        ((2, 1, 1), "八"),
        ((2, 2, 1), "八九"),
        ((2, 2, 2), ""),
        ((3, 0, 0), ""),
        ((3, 1, 0), "九"),
        ((3, 1, 1), "九子"),
        ((3, 2, 2), "九子"),
        ((3, 3, 1), "子"),
        ((3, 3, 3), ""),
        ((2, 1, 0), "八九"),
    ],
)
def test_what_may_be_thrown_from_a_door(shape: tuple[int, int, int], free: str) -> None:
    """The discard table of A-13 R1."""
    assert discards("抬胡", shape, *RICH) == set(free)


def discards(name: str, shape: tuple[int, int, int], *laid: tuple[str, str]) -> set[str]:
    """What the dealer may throw of this door, with what he has to say."""
    state, table = thinking(name, shape, *laid)
    return {action_text(table, state, action).removeprefix("庄 弃 ") for action in state.lawful} - {"丘"}


def thinking(name: str, shape: tuple[int, int, int], *laid: tuple[str, str]) -> tuple[State, Table]:
    table = game(name).table
    nobody = Player((0,) * len(table.game.kinds))
    players = (player(table, held(shape) + "丘", *laid), *(nobody for _ in table.game.seats[1:]))
    return table.settled(State((0,) * 9, 0, players, {}, todo=(Task("discard", 0),))), table


def test_groups_may_be_broken_to_gather_points_when_it_is_said() -> None:
    """TH-56: below seven 胡 anything goes with 剐胡; unsaid it is a breach, above it is one too."""
    assert discards("抬胡", (3, 1, 1)) == {"八 剐胡", "九", "子"}
    assert discards("抬胡", (1, 1, 1)) == {"八 剐胡", "九 剐胡", "子 剐胡"}
    state, table = thinking("抬胡", (1, 1, 1))
    silent = Action("discard", 0, tile=table.game.kind_index["八"])
    assert silent in table.breaches(state)
    assert table.apply(state, silent).result == Result(
        "false_win", 0, (-2, 1, 1), (), 0, "违例", next_dealer=1
    )
    state, table = thinking("抬胡", (1, 1, 1), *RICH)
    assert silent._replace(call="剐胡") in table.breaches(state)


@pytest.mark.parametrize(
    ("reading", "shape", "expected"),
    [
        ("A-11=R2", (3, 1, 1), {"九", "子"}),
        ("A-11=R2", (2, 1, 1), {"八", "九 剐胡", "子 剐胡"}),
        ("A-11=R3", (3, 1, 1), {"八 剐胡", "九", "子"}),
        ("A-11=R3", (1, 1, 1), set()),
        ("A-13=R2", (3, 2, 2), {"八 剐胡", "九 剐胡", "子 剐胡"}),
        ("A-13=R3", (3, 1, 1), {"八", "九", "子"}),
        ("A-13=R3", (2, 1, 1), {"八", "九 剐胡", "子 剐胡"}),
    ],
)
def test_what_the_other_readings_free(reading: str, shape: tuple[int, int, int], expected: set[str]) -> None:
    assert discards(f"抬胡[{reading}]", shape) == expected


def test_points_count_the_marked_tile_and_what_is_laid() -> None:
    """现分: 坎 3, 对 1, 碰 3 of the red door; the dealer's marked tile makes his 坎 6."""
    assert discards("抬胡", (3, 2, 0), ("碰", "上上上")) == {"九"}
    assert discards("抬胡", (3, 1, 0), ("碰", "上上上")) == {"八 剐胡", "九"}
    state, table = thinking("抬胡", (3, 1, 0), ("碰", "上上上"))
    marked = table.settled(replace(state, context={"抬将": "八"}, lawful=()))
    assert {a.call for a in marked.lawful} == {""}


# ---------------------------------------------------------------- duties in the other readings


@pytest.mark.parametrize(
    ("reading", "shape", "tile", "names", "may"),
    [
        ("A-07=R2", (2, 2, 0), "八", {"碰"}, False),
        ("A-08=R2", (2, 2, 1), "子", {"吃"}, False),
        ("A-10=R2", (1, 1, 0), "子", {"吃"}, True),
        ("A-10=R2", (2, 1, 0), "子", {"角吃"}, False),
        ("A-15=R2", (2, 2, 2), "八", {"碰"}, True),
        ("A-16=R2", (1, 1, 1), "八", {"吃"}, True),
        ("A-17=R2", (2, 2, 0), "子", {"半吃", "吃"}, False),
        ("A-18=R2", (3, 3, 3), "八", {"缓招"}, True),
        ("A-53=R2", (3, 0, 0), "八", {"明招"}, False),
    ],
)
def test_duties_of_the_other_readings(
    reading: str, shape: tuple[int, int, int], tile: str, names: set[str], may: bool
) -> None:
    _, state = incoming(f"抬胡[{reading}]", shape, tile)
    assert {a.name for a in state.lawful} - {""} <= names and state.lawful[0].name in names
    assert (Action("pass", 1) in state.lawful) is may


def test_an_open_group_of_the_door_frees_from_the_duty() -> None:
    """A-09 R2; by default only the hand counts."""
    laid = (("碰", "上上上"), ("碰", "知知知"), ("圆句", "八九子"))
    for name, free in (("抬胡", False), ("抬胡[A-09=R2]", True)):
        _, state = incoming(name, (2, 0, 0), "八", *laid)
        assert (Action("pass", 1) in state.lawful) is free


def test_the_fourth_that_one_turns_up_oneself() -> None:
    """A-53: 明招 by default, 暗招 in the other reading."""
    for name, kind in (("抬胡", "明招"), ("抬胡[A-53=R2]", "暗招")):
        table = game(name).table
        state = offered(table, {1: player(table, "八八八丘", *RICH)}, "八", 1, turned=True)
        assert {table.game.melds[a.laid.meld].type.name for a in state.lawful if a.laid} == {kind}


def test_after_a_quad_the_lone_tile_goes_at_once() -> None:
    """WE-28: also when the tile drawn is another of its face; A-19 R2 lets a pair stay."""
    for name, free in (("抬胡", {"作"}), ("抬胡[A-19=R2]", {"作", "丘"})):
        table = game(name).table
        state = offered(table, {1: player(table, "佳佳佳作丘", *RICH)}, "佳", 0, turned=False)
        state = replace(state, deck=(table.game.kind_index["作"],) * 40)
        assert thrown(table, table.apply(state, state.lawful[0])) == free


def test_the_extra_tile_may_win_or_make_another_quad() -> None:
    """TH-34, CM-21, TH-44: he may win on it; a fourth drawn so has to be laid face down, and draws."""
    table = game("抬胡").table
    kinds = table.game.kind_index
    ready = player(table, "佳佳佳丘", *RICH, ("碰", "可可可"), ("碰", "大大大"), ("碰", "人人人"))
    state = offered(table, {1: ready}, "佳", 0, turned=False)
    after = table.apply(replace(state, deck=(kinds["乙"],) * 40), state.lawful[0])
    assert does(table, after) == {"闲1 和", "闲1 过"}
    two = player(table, "佳佳佳八八八丘千", *RICH)
    state = offered(table, {1: two}, "佳", 0, turned=False)
    after = table.apply(replace(state, deck=(kinds["八"], *(kinds["丘"],) * 39)), state.lawful[0])
    assert does(table, after) == {"闲1 亮招 暗招 八八八八 手手手手"}
    assert {a.kind for a in table.apply(after, after.lawful[0]).lawful} == {"discard"}


def test_after_taking_for_five_a_corner_may_stay() -> None:
    """A-14: by default nothing has to go, else the single does."""
    for name, free in (("抬胡", {"九", "子", "丘", "千"}), ("抬胡[A-14=R2]", {"子"})):
        table, state = incoming(name, (2, 2, 1), "八")
        assert thrown(table, table.apply(state, state.lawful[0])) == free


# ---------------------------------------------------------------- the raised tile


def dealt(table: Table, *own: str) -> State:
    """A deal in which the dealer's first tiles are these, and nobody has four of a face."""
    kinds = [WILD if face == "混" else table.game.kind_index[face] for face in own]
    for seed in range(300):
        wall = list(table.wall(seed))
        for place, kind in enumerate(kinds):
            at = wall.index(kind, place)
            wall[place], wall[at] = wall[at], wall[place]
        state = table.dealt(tuple(wall))
        if state.lawful[0].kind == "raise" and max(max(p.counts) for p in state.players) < 4:
            return state
    raise AssertionError(own)


def test_the_second_tile_is_raised_and_a_wild_one_passed_over() -> None:
    """TH-15, TH-16, TH-21."""
    for name, own, face in (
        ("抬胡", ("佳", "三"), "三"),
        ("抬胡[赖子=on]", ("佳", "混", "混", "可"), "可"),
        ("抬胡", ("佳", "混江"), "混江"),
    ):
        table = game(name).table
        state = dealt(table, *own)
        assert does(table, state) == {f"庄 抬将 {face}", "庄 过"}
        raised = table.apply(state, state.lawful[0])
        assert raised.context == {"抬将": face} and table.view(raised, 1).context == {"抬将": face}
        assert table.apply(state, state.lawful[1]).context == {}


def test_the_bonus_goes_with_the_last_raised_tile() -> None:
    """A-29 R1: discarded, it is no 将 any more; R2: it may not be."""
    for name, lost in (("抬胡", True), ("抬胡[A-28=R2]", False)):
        state, table = thinking(name, (1, 0, 0), *RICH)
        state = table.settled(replace(state, context={"抬将": "八"}, lawful=()))
        after = table.apply(state, Action("discard", 0, tile=table.game.kind_index["八"]))
        assert ("抬将" not in after.context) is lost
    state, table = thinking("抬胡[A-29=R2]", (1, 0, 0), *RICH)
    state = table.settled(replace(state, context={"抬将": "八"}, lawful=()))
    assert [a.tile for a in state.lawful] == [table.game.kind_index["丘"]]


# ---------------------------------------------------------------- order, wild tiles, what others see


WAITING = "丘乙己 化三千 七十士 尔小生 上大人 可知礼 八九子 佳"


def test_the_dealer_goes_first_among_several_wins() -> None:
    """A-06: by the order of the deal, or by turn from the discarder."""
    for name, seat in (("抬胡", 0), ("抬胡[A-06=R2]", 2)):
        table = game(name).table
        both = {i: player(table, WAITING.replace("佳", "佳佳").replace("八九子", "八九")) for i in (0, 2)}
        state = offered(table, both, "子", 1, turned=False)
        assert [ask.seat for ask in state.asks if ask.options[0].kind == "win"] == [seat, 2 - seat]


def test_a_wild_tile_is_kept_and_dead_on_the_table() -> None:
    """A-21: thrown only where nothing else may be, and then nobody wins on it."""
    for name, free in (("抬胡[赖子=on]", False), ("抬胡[赖子=on,A-21=R2]", True)):
        state, table = thinking(name, (1, 0, 0), *RICH)
        players = (state.players[0]._replace(wilds=1), player(table, WAITING, *()), *state.players[2:])
        state = table.settled(replace(state, players=players, lawful=()))
        assert (WILD in {a.tile for a in state.lawful}) is free
        on_offer = offered(table, {1: players[1]}, "八", 0, turned=False)
        assert on_offer.offer is not None
        wild = replace(
            on_offer, offer=on_offer.offer._replace(tile=WILD), opened=False, asks=(), lawful=(), todo=()
        )
        assert wild.offer is not None and table.claims.asks(wild, wild.offer) == ()
        drawn = replace(wild, players=tuple(p._replace(drawn=WILD) for p in players))
        assert table.verdicts.wins(drawn, 1, None)
    state, table = thinking("抬胡[赖子=on]", (3, 0, 0), *RICH)
    locked = state.players[0]._replace(wilds=2, counts=player(table, "八八八").counts)
    state = table.settled(replace(state, players=(locked, *state.players[1:]), lawful=()))
    assert [a.tile for a in state.lawful] == [WILD]


def test_a_wild_tile_turned_up_goes_into_the_hand() -> None:
    """TH-29: into the hand of the one who turned it up, who discards; a natural 混江 does not."""
    table = game("抬胡[赖子=on]").table
    state = offered(table, {1: player(table, "丘千八")}, "可", 0, turned=False)
    state = replace(state, deck=(WILD,) * 40)
    after = table.apply(state, state.lawful[0])
    assert after.players[1].drawn == WILD and after.offer is None and after.lawful[0].kind == "discard"


def test_four_laid_at_the_deal_lie_face_down_until_the_end() -> None:
    """CM-18, CM-22: the others see that there is a 暗招, not which."""
    table = game("抬胡").table
    deal = next(d for seed in range(400) if (d := announcing(table, seed)).state.lawful[0].name == "亮招")
    seat = deal.state.lawful[0].seat
    assert Action("pass", seat) not in deal.state.lawful
    before = deal.state.at
    state = deal.apply(deal.state.lawful[0])
    assert state.at == before + 1 and len(state.players[seat].laid) == 1
    other = next(i for i in table.playing if i != seat)
    assert table.view(state, other).players[seat].laid == (HIDDEN,)
    assert table.view(state, seat).players[seat].laid == state.players[seat].laid
    over = replace(state, result=Result("draw", None, (0, 0, 0)), lawful=())
    assert table.view(over, other).players[seat].laid == state.players[seat].laid


def announcing(table: Table, seed: int) -> Deal:
    """A deal past the raising."""
    deal = Deal(table, table.wall(seed))
    deal.apply(Action("pass", 0))
    return deal


# ---------------------------------------------------------------- how it ends


def last_draw(name: str, taken: int = 0) -> State:
    """The moment at which the stock has run out, or so many tiles are left, and nobody wants the last one."""
    table = game(name).table
    state = offered(table, {1: player(table, "丘千八")}, "可", 0, turned=False)
    return replace(state, at=len(state.deck) - taken)


def test_nobody_wins_and_the_seat_that_sits_out_is_paid() -> None:
    """WE-24, TH-93e, A-56: with no tile left, or in the other reading with the last one drawn."""
    for name, left, paid in (
        ("抬胡[人数=4]", 0, (-1, -1, -1, 3)),
        ("抬胡", 0, (0, 0, 0)),
        ("抬胡[A-56=R2]", 1, (0, 0, 0)),
    ):
        state = last_draw(name, left)
        result = game(name).table.apply(state, state.lawful[0]).result
        assert result == Result("draw", None, paid, next_dealer=0)
    state = last_draw("抬胡", 1)
    assert game("抬胡").table.apply(state, state.lawful[0]).result is None


@pytest.mark.parametrize(
    ("name", "winner", "dealer"),
    [
        ("抬胡", 0, 0),
        ("抬胡", 2, 1),
        ("讴经", 0, 1),
        ("讴经", 2, 1),
        ("抬胡[人数=4]", 2, 1),
        ("抬胡[人数=2]", 1, 1),
    ],
)
def test_who_deals_after_a_win(name: str, winner: int, dealer: int) -> None:
    """TH-03, TH-04: the dealer stays after his own win, else his 下家 deals; OJ-02: always that one."""
    table = game(name).table
    tiles = WAITING.replace("佳", "佳佳").replace("八九子", "八九")
    hand = tiles if name.startswith("抬") else tiles.replace("丘乙己", "")
    source = 0 if winner else 1
    state = offered(table, {winner: player(table, hand)}, "子", source, turned=False)
    state = replace(state, todo=state.todo)
    win = next(a for ask in state.asks for a in ask.options if a.kind == "win")
    assert win.seat == winner
    result = table.apply(state, win).result
    assert result is not None and (result.outcome, result.next_dealer) == ("win", dealer)


@pytest.mark.parametrize(
    ("name", "seat", "paid", "dealer"),
    [
        ("抬胡", 0, (-2, 1, 1), 1),
        ("抬胡", 1, (1, -2, 1), 0),
        ("抬胡[人数=4]", 1, (1, -3, 1, 1), 0),
        ("抬胡[人数=4]", 0, (-3, 1, 1, 1), 1),
        ("抬胡[A-41=R2]", 0, (-2, 1, 1), 0),
    ],
)
def test_a_quad_let_go_is_fined(name: str, seat: int, paid: tuple[int, ...], dealer: int) -> None:
    """TH-44, TH-96 to TH-98, WE-25: as after a false win, at the least amount; a dealer who offends drops."""
    table = game(name).table
    state = offered(table, {seat: player(table, "八八八丘", *RICH)}, "八", 2, turned=False)
    result = table.apply(state, Action("pass", seat)).result
    assert result is not None and (result.breach, result.payments, result.next_dealer) == (
        "漏招",
        paid,
        dealer,
    )


def test_play_goes_on_after_a_fine_in_the_other_reading() -> None:
    """A-42 R2: he pays, the deal goes on, and the end adds to it."""
    table = game("抬胡[A-42=R2]").table
    state = offered(table, {1: player(table, "八八八丘", *RICH)}, "八", 2, turned=False)
    after = table.apply(state, Action("pass", 1))
    assert after.result is None and after.fines == (1, -2, 1)
    after = table.apply(after, Action("win", 1))
    assert after.result is None and after.fines == (2, -4, 2)
    end = table.apply(replace(after, at=len(after.deck)), after.lawful[0]).result
    assert end is not None and (end.outcome, end.payments) == ("draw", (2, -4, 2))


# ---------------------------------------------------------------- 讴经


def test_a_discard_is_eaten_by_the_next_player_alone() -> None:
    """OJ-10, OJ-24, A-49: the seat with two tiles is between, unless it does not count."""
    for name, source, eats in (
        ("讴经", 0, True),
        ("讴经", 2, False),
        ("讴经[人数=4]", 0, True),
        ("讴经[人数=4,A-49=R2]", 0, True),
    ):
        table = game(name).table
        state = offered(table, {1: player(table, "八九丘千可")}, "子", source, turned=False)
        assert bool(state.asks) is eats
    for name, eats in (("讴经[人数=4]", False), ("讴经[人数=4,A-49=R2]", True)):
        table = game(name).table
        state = offered(
            table, {2: player(table, "八九丘千可"), 3: player(table, "丘可")}, "子", 1, turned=False
        )
        assert bool(state.asks) is eats


def test_turns_go_round_the_seat_with_two_tiles() -> None:
    """OJ-24, A-47: dealer, 下家, 坐醒, 上家; without a turn it is passed over, and only wins on discards."""
    table = game("讴经[人数=4]").table
    names = [table.game.seats[i].name for i in table.playing]
    assert names == ["庄", "闲1", "坐醒", "闲2"]
    for name, following in (("讴经[人数=4]", 3), ("讴经[人数=4,A-47=R2]", 2)):
        table = game(name).table
        state = offered(
            table, {3: player(table, "尔小"), 2: player(table, "八九丘千可")}, "千", 1, turned=False
        )
        assert state.lawful == (Action("take", following),)
        state = offered(
            table, {3: player(table, "尔小"), 2: player(table, "八九丘千可")}, "生", 1, turned=False
        )
        assert {a.kind for a in state.lawful if a.seat == 3} == {"win", "pass"}


def test_a_win_by_a_straight_on_a_far_discard() -> None:
    """A-55: by default on anybody's discard; else by 碰 only where it is not the 上家's."""
    hand = "化三千 七十士 尔小生 上大人 可知礼 八九 佳佳"
    for name, wins in (("讴经", True), ("讴经[A-55=R2]", False)):
        table = game(name).table
        state = offered(table, {1: player(table, hand)}, "子", 2, turned=False)
        assert any(a.kind == "win" for a in state.lawful) is wins
        state = offered(table, {1: player(table, hand)}, "子", 0, turned=False)
        assert any(a.kind == "win" for a in state.lawful)
        state = offered(table, {1: player(table, hand)}, "佳", 2, turned=False)
        assert any(a.kind == "win" for a in state.lawful)


def test_quads_are_optional_and_may_be_broken_up() -> None:
    """OJ-15, OJ-17, K-19: a 坎 may become a 碰, and nothing is barred."""
    table = game("讴经").table
    state = offered(table, {1: player(table, "八八八九丘千可上")}, "八", 0, turned=False)
    assert {a.name for ask in state.asks for a in ask.options} == {"明招", "碰"}
    state, table = thinking("讴经", (3, 1, 1))
    assert {a.tile for a in state.lawful} == {table.game.kind_index[face] for face in "八九子丘"}


# ---------------------------------------------------------------- records


def recorded(name: str, wanted: Callable[[State], bool]) -> tuple[Table, Deal]:
    """A deal played by the first thing there is to do, up to a state that is wanted."""
    table = game(name).table
    for seed in range(200):
        deal = Deal(table, table.wall(seed))
        while not deal.state.over:
            if wanted(deal.state):
                return table, deal
            deal.apply(next((a for a in deal.state.lawful if a.kind == "win"), deal.state.lawful[-1]))
    raise AssertionError(name)


def bound(name: str) -> Callable[[State], bool]:
    return lambda state: (
        any(a.name == name for a in state.lawful) and all(a.kind != "pass" for a in state.lawful)
    )


@pytest.mark.parametrize("duty", ["明招", "挺招", "角碰", "角吃", "对碰", "半吃"])
def test_a_record_with_a_missed_duty(duty: str) -> None:
    """The next line tells that somebody passed: the deal ends there with what he pays."""
    table, deal = recorded("抬胡", bound(duty))
    seat = deal.state.lawful[0].seat
    name, other = table.game.seats[seat].name, (seat + 1) % 3
    record = deal.record() + f"{table.game.seats[other].name} 翻 上\n"
    replay = refereed(table, record)
    (fault,) = replay.faults[:1]
    breach = "漏招" if "招" in duty else "违例"
    assert fault.code == "R004" and name in fault.message("zh") and f"流程.犯.{breach}" in fault.message("zh")
    assert replay.state is not None and replay.state.result is not None
    assert replay.state.result.payments[seat] == -2


def against(name: str, kind: str, ban: str) -> tuple[Table, Deal, Action]:
    def fitting(state: State) -> list[Action]:
        table = game(name).table
        return [a for a in table.breaches(state) if a.kind == kind and ban in broken(table, state, a)]

    table, deal = recorded(name, lambda state: bool(fitting(state)))
    return table, deal, fitting(deal.state)[0]


def broken(table: Table, state: State, action: Action) -> set[str]:
    rule = table.clause_against(state, action)
    return set() if rule is None else {rule.name.rsplit(".", 1)[-1]}


@pytest.mark.parametrize(
    ("kind", "ban"),
    [
        ("discard", "拆坎"),
        ("discard", "拆句"),
        ("discard", "挺出"),
        ("lay", "拆坎"),
        ("lay", "拆句"),
        ("lay", "五把手"),
    ],
)
def test_a_record_with_what_may_not_be_done(kind: str, ban: str) -> None:
    """Bans and vetoes, broken in a record: the clause of the breach is named and the deal is over."""
    table, deal, action = against("抬胡", kind, ban)
    record = deal.record() + action_text(table, deal.state, action) + "\n"
    (fault,) = refereed(table, record).faults
    assert fault.code == "R004" and "流程.犯.违例" in fault.message("en")
    assert f"against `流程.{'不得' if kind == 'discard' else '禁'}.{ban}" in fault.message("en")
    legal = deal.record() + action_text(table, deal.state, deal.state.lawful[0]) + "\n"
    assert codes(table, legal) in ([], ["R008"])


def test_a_record_that_goes_on_after_a_breach_is_read_no_further() -> None:
    """What was played on is not called unreadable: the deal was over before."""
    table, deal, action = against("抬胡", "discard", "拆句")
    record = deal.record() + action_text(table, deal.state, action) + "\n闲1 翻 上\n"
    assert codes(table, record) == ["R004"]


def test_a_duty_may_be_written_as_an_ordinary_answer() -> None:
    """Who writes 吃 for 半吃 has not missed his duty, nor is what he took unreadable."""
    table, deal = recorded("抬胡", bound("半吃"))
    line = action_text(table, deal.state, deal.state.lawful[0])
    after = table.apply(deal.state, deal.state.lawful[0])
    replay = refereed(table, deal.record() + line.replace("半吃", "吃") + "\n")
    assert [f.code for f in replay.faults] == ["R008"] and replay.state == after


def test_a_record_with_a_false_win_and_with_a_word_too_much() -> None:
    """A false win on one's own draw is fined; a call where nothing is to be lifted is refused or fined."""
    table, deal = recorded("讴经", lambda state: state.lawful[0].kind == "discard" and state.turned == 0)
    seat = deal.state.lawful[0].seat
    replay = refereed(table, deal.record() + f"{table.game.seats[seat].name} 和\n")
    assert [f.code for f in replay.faults] == ["R004"] and replay.state is not None
    assert replay.state.result is not None
    assert result_text(table.game.seats, replay.state.result).startswith("诈和 庄 炸和； 庄 -2")


def test_the_raised_tile_is_in_the_record() -> None:
    table = game("抬胡[赖子=on,牌=97]").table
    deal = Deal(table, table.wall(3))
    deal.apply(deal.state.lawful[0])
    assert f"庄 抬将 {deal.state.context['抬将']}" in deal.record()
    assert codes(table, deal.record()) == ["R008"]
    lines = deal.record().splitlines()
    assert any(line.startswith("揭 ") for line in lines)
    wrong = deal.record().replace("抬将", "抬将 丘", 1) if "抬将 丘" not in deal.record() else deal.record()
    assert wrong == deal.record() or codes(table, wrong) == ["R001"]
    with pytest.raises(IllegalAction):
        table.apply(table.dealt(table.wall(3)), Action("raise", 0, "抬将", tile=WILD))
