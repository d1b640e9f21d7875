"""The table: duties, ranks and bans of the worked examples, and what the referee says of a record."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import Game, load, loads
from dsl.cli.command import Usage
from dsl.core.hand import Laid
from dsl.table.playing import Deal
from dsl.table.record import header_of, lines_of
from dsl.table.referee import Replay
from dsl.table.simulate import eager
from dsl.table.state import Action, Offer, Player, State
from dsl.table.table import IllegalAction, Table
from dsl.table.words import action_text, result_text
from verifier.cli import group


@cache
def game(name: str = "十符硬") -> Game:
    return load(name)


def player(table: Table, tiles: str, *laid: tuple[str, str]) -> Player:
    """A seat with concealed tiles, and exposed melds as (type, tiles) with their first origins."""
    held = Counter(table.game.kind_index[tile] for tile in tiles.replace(" ", ""))
    melds = []
    for name, faces in laid:
        kinds = tuple(table.game.kind_index[face] for face in faces)
        meld = next(m for m in table.game.melds if m.type.name == name and m.tiles == kinds)
        origins = tuple("起手" if "起手" in slot.origins else min(slot.origins) for slot in meld.slots)
        melds.append(Laid(meld.id, origins))
    counts = tuple(held[kind] for kind in range(len(table.game.kinds)))
    return Player(counts, 0, tuple(melds))


def offered(table: Table, players: dict[int, Player], tile: str, seat: int, turned: bool) -> State:
    """The moment at which a tile comes on offer; seats that are not given hold nothing."""
    nobody = Player((0,) * len(table.game.kinds))
    everyone = tuple(players.get(i, nobody) for i in range(len(table.game.seats)))
    kind = table.game.kind_index[tile]
    state = State((kind,) * 40, 0, everyone, {}, offer=Offer(kind, seat, turned, False))
    return table.settled(state)


def does(table: Table, state: State) -> set[str]:
    """What may be done, in words."""
    return {action_text(table, state, action) for action in state.lawful}


# ---------------------------------------------------------------- the worked examples


def test_a_compulsory_pair_into_a_dead_end_may_break_anything() -> None:
    """WE-21: the pair's third tile is discarded, all that is left are straights: the ban yields (SDR-35)."""
    table = game().table
    held = player(table, "化三千 尔小生 佳作仁 八九子 七七", ("口", "丘乙"), ("口", "上大"))
    state = offered(table, {2: held}, "七", 0, turned=False)
    assert does(table, state) == {"闲2 碰 碰 七七七 手手打"}
    after = table.apply(state, state.lawful[0])
    assert len(after.lawful) == 12 and {a.kind for a in after.lawful} == {"discard"}
    loose = player(table, "化三千 尔小生 佳作仁 八九子 七七 可", ("口", "丘乙"), ("口", "上大"))
    state = offered(table, {2: loose}, "七", 0, turned=False)
    assert does(table, table.apply(state, state.lawful[0])) == {"闲2 弃 可"}


def test_a_pair_must_be_taken_though_it_costs_the_wait() -> None:
    """WE-23: no passing, also where the pair lies in straights; under the other reading it need not be."""
    held = "上大人 丘乙己 尔尔小小生生 化三 七十 八九"
    for name, expected in (("十符硬", {"闲2 碰 碰 尔尔尔 手手打"}), ("十符硬[SDR-38=R2]", set())):
        table = game(name).table
        state = offered(table, {2: player(table, held)}, "尔", 0, turned=False)
        assert {a for a in does(table, state) if "碰" in a} == expected


def test_a_drawn_pair_outranks_a_win_and_a_win_a_pair_of_others() -> None:
    """SDR-40 and SDR-56: 绍 before 和, 和 before 碰; the other reading turns the latter round."""
    waiting = "上大人 丘乙己 七七七 尔小生 八九子 化三 化"
    for name, ranks in (("十符硬", ["绍", "和"]), ("十符硬[SDR-56=R2]", ["绍", "和"])):
        table = game(name).table
        state = offered(
            table, {1: player(table, "千千 可知礼"), 2: player(table, waiting)}, "千", 1, turned=True
        )
        assert [ask.options[0].name for ask in state.asks[:2]] == ranks
    for name, ranks in (("十符硬", ["和", "碰"]), ("十符硬[SDR-56=R2]", ["碰", "和"])):
        table = game(name).table
        state = offered(
            table, {3: player(table, "千千 可知礼"), 2: player(table, waiting)}, "千", 1, turned=True
        )
        assert [ask.options[0].name for ask in state.asks[:2]] == ranks


def test_five_chases_six_and_is_no_eating() -> None:
    """SDR-48, SDR-51: c to a a b b c is a straight more, b to a a b c a half sentence more."""
    table = game().table
    state = offered(table, {1: player(table, "尔尔小小生 上丘化")}, "生", 0, turned=False)
    assert does(table, state) == {"闲1 追 句 尔小生 手手打"}
    state = offered(table, {1: player(table, "尔尔小生 上丘化")}, "小", 0, turned=False)
    assert does(table, state) == {"闲1 头吃 句 尔小生 手打手", "闲1 过"}
    state = offered(table, {1: player(table, "尔小生 上丘化")}, "小", 0, turned=False)
    assert state.asks == ()


def test_two_eaten_halves_are_enough() -> None:
    """SDR-50: a laid dragon's tail counts as one."""
    table = game().table
    one = player(table, "尔 丘化千", ("口", "上大"))._replace(taken=("吃",))
    state = offered(table, {1: one}, "小", 0, turned=False)
    assert {action.name for action in state.lawful} == {"吃", ""}
    tailed = player(table, "尔 丘化千", ("口", "上大"), ("龙.一.起手", "七七七七十"))._replace(taken=("吃",))
    assert offered(table, {1: tailed}, "小", 0, turned=False).asks == ()


def test_dead_discards_with_three_players() -> None:
    """L3-03: a discard is dead, a tile turned up is not; the clause that says so is named."""
    table = game("十符硬[人数=3]").table
    held = player(table, "七七 可知 上丘化")
    assert offered(table, {2: held}, "七", 0, turned=False).asks == ()
    assert does(table, offered(table, {2: held}, "七", 0, turned=True)) == {"闲2 碰 碰 七七七 手手翻"}
    state = offered(table, {2: held}, "七", 0, turned=False)
    lay = offered(game().table, {2: held}, "七", 0, turned=False).lawful[0]
    with pytest.raises(IllegalAction) as refused:
        table.apply(state, lay)
    assert refused.value.rule is not None and refused.value.rule.name == "流程.应.碰"


def test_a_dealt_dragon_not_laid_is_fined() -> None:
    table = game().table
    deal = next(
        d for seed in range(200) if (d := Deal(table, table.wall(seed))).state.lawful[0].kind == "lay"
    )
    seat = deal.state.lawful[0].seat
    assert Action("pass", seat) not in deal.legal_actions()
    assert Action("pass", seat) in deal.breaches()
    result = deal.apply(Action("pass", seat)).result
    assert result is not None and (result.outcome, result.seat, result.breach) == ("false_win", seat, "烧龙")
    assert sum(result.payments) == 0 and result.payments[seat] == -3


# ---------------------------------------------------------------- the referee


def until(found: str, table: Table) -> tuple[Deal, State]:
    """A deal played to the moment at which somebody must do what `found` names."""
    for seed in range(100):
        deal, source = Deal(table, table.wall(seed)), random.Random(seed)
        while not deal.state.over:
            state = deal.state
            if state.lawful[0].name == found and Action("pass", state.lawful[0].seat) not in state.lawful:
                return deal, state
            deal.apply(eager(state, source))
    raise AssertionError(found)


def refereed(table: Table, record: str) -> Replay:
    replay = Replay(table)
    replay.run(header_of(lines_of(record, "a.play")))
    return replay


def codes(table: Table, record: str) -> list[str]:
    return [fault.code for fault in refereed(table, record).faults]


@pytest.fixture(scope="module")
def whole() -> str:
    """A record of one deal."""
    table = game().table
    deal, source = Deal(table, table.wall(5)), random.Random(5)
    while not deal.state.over:
        deal.apply(eager(deal.state, source))
    return deal.record()


def test_a_missed_duty_is_reported(whole: str) -> None:
    table = game().table
    deal, state = until("碰", table)
    assert state.offer is not None
    after = table.let_pass(state)
    record = deal.record() + action_text(table, after, after.lawful[0]) + "\n"
    fault, *rest = refereed(table, record).faults
    assert fault.code == "R003" and "流程.应.碰（SDR-37 SDR-38）" in fault.message("zh")
    assert [f.code for f in rest] == ["R008"]


def test_a_barred_discard_is_reported() -> None:
    table = game().table
    for seed in range(50):
        deal = Deal(table, table.wall(seed))
        barred = [a for a in table.unlawful(deal.state) if a.kind == "discard"]
        if barred:
            break
    record = deal.record() + action_text(table, deal.state, barred[0]) + "\n"
    (fault,) = refereed(table, record).faults
    assert fault.code == "R002" and "流程.不得.拆" in fault.message("en")


def test_a_false_win_is_fined(whole: str) -> None:
    table = game().table
    lines = whole.splitlines()
    first = next(i for i, line in enumerate(lines) if " 翻 " in line)
    record = "\n".join([*lines[: first + 1], "闲3 和"])
    replay = refereed(table, record)
    assert [f.code for f in replay.faults] == ["R004"]
    assert replay.state is not None and replay.state.result is not None
    assert result_text(table.game.seats, replay.state.result) == "诈和 闲3 误报； 庄 +1 闲1 +1 闲2 +1 闲3 -3"


def test_a_false_win_that_nobody_was_asked_for_may_come_with_names() -> None:
    table = load("抬胡").table
    deal = Deal(table, table.wall(1))
    while deal.state.offer is None:
        deal.apply(deal.state.lawful[0])
    record = deal.record() + "闲2 和 八倍胡\n"
    (fault,) = refereed(table, record).faults
    assert fault.code == "R004" and "闲2 和 八倍胡" in fault.message("zh")


def test_what_else_can_be_wrong_with_a_record(whole: str) -> None:
    table = game().table
    lines = whole.splitlines()
    assert codes(table, whole) == []
    assert codes(table, "\n".join([*lines[:8], "闲9 睡觉"])) == ["R001"]
    assert codes(table, whole.replace("终 ", "终 大家 ")) == ["R005"]
    assert codes(table, whole.replace(lines[1], "规则 00000000")) == ["R006"]
    assert codes(table, "\n".join(lines[:-1][:-2])) == ["R008"]
    assert codes(table, "\n".join(line for line in lines if not line.startswith("发 闲2"))) == ["R009"]
    assert "R010" in codes(table, whole.replace("铺 ", "铺 上 "))


def test_simulate_and_replay_as_commands(whole: str, tmp_path: Path) -> None:
    run = CliRunner()
    done = run.invoke(
        group, ["simulate", "十符硬", "-n", "3", "--seed", "2", "--json"], standalone_mode=False
    )
    told = json.loads(done.stdout)
    assert told["games"] == 3 and told["payments_sum"] == 0 and sum(told["outcomes"].values()) == 3
    assert told["decisions"] > 50
    file = tmp_path / "a.play"
    file.write_text(whole, encoding="utf-8")
    done = run.invoke(group, ["replay", str(file), "--lang", "zh"], standalone_mode=False)
    assert done.return_value in (None, 0) and done.stdout.strip() == whole.splitlines()[-1].removeprefix(
        "终 "
    )
    file.write_text(whole.replace("终 ", "终 大家 "), encoding="utf-8")
    done = run.invoke(group, ["replay", str(file), "--json"], standalone_mode=False)
    assert done.return_value == 1 or done.exit_code == 1
    assert [f["code"] for f in json.loads(done.stdout)["findings"]] == ["R005"]


def test_play_as_a_command(tmp_path: Path) -> None:
    run, file = CliRunner(), tmp_path / "a.play"
    words = ["play", "十符硬", "--seed", "1", "--lang", "zh", "--record", str(file)]
    done = run.invoke(group, words, input="?\n99\n乱写\n1\n" + "1\n" * 200)
    assert done.exit_code == 0 and "✗ " in done.stdout and "流程" not in done.stdout
    assert done.stdout.count("直接回车是 1，? 看条文，q 收摊") == 3
    assert run.invoke(group, ["replay", str(file)]).exit_code == 0
    said = "输入 1–"
    begun = run.invoke(group, words, input="").stdout
    assert said not in begun and "选几？" in begun
    assert file.read_text(encoding="utf-8").startswith("局 十符硬\n")  # Ctrl-C keeps the record too


def test_who_cannot_be_seated_and_where_nothing_can_be_written(tmp_path: Path) -> None:
    run = CliRunner()
    done = run.invoke(group, ["play", "十符硬", "--seat", "东"], standalone_mode=False)
    assert isinstance(done.exception, Usage)
    assert "有 庄 闲1 闲2 闲3" in done.exception.diagnostic.message("zh")
    nowhere = str(tmp_path / "none" / "a.play")
    done = run.invoke(group, ["play", "十符硬", "--record", nowhere], standalone_mode=False)
    assert isinstance(done.exception, FileNotFoundError) and done.stdout == ""


def test_a_game_without_a_flow_cannot_be_played(tmp_path: Path) -> None:
    text = "规则 哑 { 牌 { 房 上大人；每张 4 }\n座 { 庄 3；闲 2 }\n牌型 { 句 a b c 作 1组 }\n和 { 形 1组 } }"
    with pytest.raises(ValueError, match="flow"):
        loads(text).new_table(1)
    file = tmp_path / "a.pai"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(group, ["simulate", str(file)], standalone_mode=False)
    assert "R007" in done.stderr and (done.return_value == 2 or done.exit_code == 2)
