"""Tricks: the worked examples of 天地人和, its readings, and small trick games of other rules."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import Game, SpecError, load, loads
from dsl.front.resolve.scope import split_tiles
from dsl.table.record import header_of, lines_of
from dsl.table.referee import Replay
from dsl.table.state import Action, Player, State, Task
from dsl.table.table import IllegalAction, Table
from dsl.table.words import action_text, result_text
from verifier import verify
from verifier.cli import group

PLAYS = Path(__file__).parents[1] / "plays"


@cache
def game(name: str = "天地人和") -> Game:
    return load(name)


def kinds(table: Table, tiles: str) -> tuple[int, ...]:
    return tuple(k for word in tiles.split() for k in split_tiles(word, dict(table.game.kind_index)) or ())


def player(table: Table, tiles: str, front: str = "") -> Player:
    held = Counter(kinds(table, tiles))
    counts = tuple(held[kind] for kind in range(len(table.game.kinds)))
    return Player(counts, front=kinds(table, front))


def leading(table: Table, *hands: str, fronts: tuple[str, ...] = ("", "", "")) -> State:
    """The first seat is to lead, the others hold what is said."""
    players = tuple(player(table, tiles, front) for tiles, front in zip(hands, fronts, strict=False))
    return table.settled(State((), 0, players, {}, todo=(Task("trick", 0), Task("win", 0)), leader=0))


def does(table: Table, state: State) -> set[str]:
    return {action_text(table, state, action) for action in state.lawful}


def then(table: Table, state: State, *lines: str) -> State:
    """The state after these lines of a record."""
    for line in lines:
        known = [*state.lawful, *table.unlawful(state)]
        state = table.apply(state, next(a for a in known if action_text(table, state, a) == line))
    return state


# ---------------------------------------------------------------- the worked examples


def test_what_is_higher_has_to_be_played_and_any_of_it_may() -> None:
    """WE-T1, TDRH-22, TDRH-23, TDRH-25: an equal tile does not beat, the last player beats the second."""
    table = game().table
    state = leading(table, "四六 拐子", "猫猫 长三 天牌", "梅子 合牌 地牌")
    assert does(table, state) == {"庄 领 单 四六", "庄 领 单 拐子"}
    state = then(table, state, "庄 领 单 四六")
    assert does(table, state) == {"闲1 盖过 单 长三", "闲1 盖过 单 天牌"}
    equal = next(a for a in table.unlawful(state) if action_text(table, state, a) == "闲1 盖过 单 猫猫")
    assert table.clause_against(state, equal).name == "流程.跟.盖过"  # type: ignore[union-attr]
    state = then(table, state, "闲1 盖过 单 长三")
    assert does(table, state) == {"闲2 盖过 单 合牌", "闲2 盖过 单 地牌"}
    state = then(table, state, "闲2 盖过 单 合牌")
    assert state.seat == 2 and state.players[2].front == kinds(table, "合牌")
    assert Counter(state.pool) == Counter([(kinds(table, "四六")[0], 0), (kinds(table, "长三")[0], 1)])


def test_a_tie_is_covered_instead() -> None:
    """WE-T1: 梅子 would only tie with 长三; whoever cannot beat gives a tile of his choice face down."""
    table = game().table
    state = then(table, leading(table, "四六", "长三", "梅子 长二"), "庄 领 单 四六", "闲1 盖过 单 长三")
    assert does(table, state) == {"闲2 扣牌 梅子", "闲2 扣牌 长二"}
    state = then(table, state, "闲2 扣牌 长二")
    assert state.players[2].covered == kinds(table, "长二") and state.leader == 1


def test_only_a_pair_of_the_same_colour_beats_a_pair() -> None:
    """WE-T2."""
    table = game().table
    state = then(
        table, leading(table, "幺四幺四", "三四三四 红九 三六三六", "天牌 天牌"), "庄 领 双 幺四幺四"
    )
    assert does(table, state) == {"闲1 盖过 双 三四三四"}
    state = then(table, state, "闲1 盖过 双 三四三四")
    assert does(table, state) == {"闲2 扣牌 天牌"}
    state = then(table, state, "闲2 扣牌 天牌")
    assert does(table, state) == {"闲2 扣牌 天牌"}
    assert then(table, state, "闲2 扣牌 天牌").leader == 1


def test_combinations_beat_combinations_of_as_many_tiles() -> None:
    """TDRH-12 to TDRH-16; under the other reading one kind of side tiles alone."""
    hands = ("人牌 三四 二五", "天牌 红九 三六 地牌 二六 地牌 三五", "天牌 红九")
    table = game().table
    state = leading(table, *hands)
    assert "庄 领 人七 人牌三四二五" in does(table, state)
    state = then(table, state, "庄 领 人七 人牌三四二五")
    beats = {"天九 天牌红九三六", "地八 地牌二六三五", "地八 地牌地牌二六", "地八 地牌地牌三五"}
    assert does(table, state) == {f"闲1 盖过 {play}" for play in beats}
    other = game("天地人和[TDRH-16=R2]").table
    assert "庄 领 人七 人牌三四二五" not in does(other, leading(other, *hands))


def test_who_runs_short_gives_what_he_has() -> None:
    """TDRH-24: three are led, the second has two; under the other reading nobody gives anything."""
    hands = ("人牌人牌人牌 长二", "拐子 幺四", "猫猫猫猫 高高 斧头")
    table = game().table
    state = then(table, leading(table, *hands), "庄 领 三 人牌人牌人牌", "闲1 扣牌 拐子", "闲1 扣牌 幺四")
    assert state.seat == 2 and state.todo[:3] == (Task("follow", 2), Task("close", 0), Task("win", 0))
    state = then(table, state, "闲2 扣牌 猫猫", "闲2 扣牌 高高", "闲2 扣牌 斧头")
    assert state.seat == 0 and does(table, state) == {"庄 领 单 长二"}
    other = game("天地人和[TDRH-24=R2]").table
    state = then(other, leading(other, *hands), "庄 领 三 人牌人牌人牌")
    assert state.seat == 0 and sum(state.players[1].counts) == 2 and state.players[1].covered == ()


def test_hard_tiles_are_laid_before_anything_is_led() -> None:
    """TDRH-10, TDRH-11."""
    table = game().table
    seed = next(s for s in range(20) if table.start(s).lawful[0].kind == "lay")
    state = table.start(seed)
    assert Action("pass", state.lawful[0].seat) in table.unlawful(state)
    while state.lawful[0].kind == "lay":
        state = table.apply(state, state.lawful[0])
    hard = kinds(table, "丁丁 二四")
    assert not any(p.counts[kind] for p in state.players for kind in hard)
    assert sum(len(p.laid) for p in state.players) == 8
    assert {action.kind for action in state.lawful} == {"lead"} and state.seat == 0


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("WE-T6", "流局 闲1 脱手"),
        ("WE-T7", "和 闲2 17 小胡； 庄 -4 闲2 +4"),
        ("CL-22", "和 闲1 16 小胡； 庄 -1 闲1 +2 闲2 -1"),
        ("CL-22-short", "和 闲1 16 小胡； 庄 -1 闲1 +2 闲2 -1"),
        ("CL-23", "流局 闲1 脱手"),
        ("CL-24", "流局"),
    ],
)
def test_records_of_whole_deals(name: str, end: str) -> None:
    replay = replayed(name)
    assert replay.faults == [] and replay.state is not None and replay.state.result is not None
    assert result_text(replay.table.game.seats, replay.state.result) == end


def test_records_of_the_first_tricks() -> None:
    """WE-T1 and WE-T2 as they are played, and with a tile that is only as high, or of the other colour."""
    for name, played, wrong in (
        ("WE-T1", "闲1 盖过 单 长三", "闲1 盖过 单 猫猫"),
        ("WE-T1", "闲2 盖过 单 合牌", "闲2 盖过 单 梅子"),
        ("WE-T2", "闲1 盖过 双 三四三四", "闲1 盖过 双 三六三六"),
    ):
        assert [fault.code for fault in replayed(name).faults] == ["R008"]
        text = (PLAYS / f"{name}.play").read_text(encoding="utf-8")
        before = text[: text.index(played)]
        (said,) = refereed(before + wrong)
        assert said.startswith(f"{wrong[:2]} 犯了 `流程.犯.藏牌（TDRH-35）`：{wrong}")


def replayed(name: str, reference: str = "天地人和") -> Replay:
    text = (PLAYS / f"{name}.play").read_text(encoding="utf-8")
    replay = Replay(game(reference).table)
    replay.run(header_of(lines_of(text, f"{name}.play")))
    return replay


def test_a_record_is_replayed_from_the_shell() -> None:
    outcome = CliRunner().invoke(group, ["replay", str(PLAYS / "WE-T7.play"), "--lang", "zh"])
    assert (outcome.exit_code, outcome.stdout) == (0, "和 闲2 17 小胡； 庄 -4 闲2 +4\n")


def totals(state: State | None) -> list[tuple[int, int]]:
    """For each seat the hard tiles and all tiles that lie before it."""
    assert state is not None
    return [(len(p.laid), len(p.laid) + len(p.front)) for p in state.players]


def test_what_the_records_show() -> None:
    """WE-T6, CL-22, CL-23, CL-24 and CL-25 by numbers."""
    end = replayed("WE-T6").state
    assert end is not None and totals(end)[1] == (2, 15)
    lost = [tile for tile, seat in end.pool if seat == 1]
    assert len(end.players[1].covered) + len(lost) == 8 and sum(end.players[1].counts) == 5
    assert totals(replayed("CL-22").state) == [(4, 16), (4, 16), (0, 0)]
    assert totals(replayed("CL-22-short").state) == [(8, 16), (0, 16), (0, 0)]
    assert totals(replayed("CL-23").state) == [(8, 16), (0, 15), (0, 0)]
    assert totals(replayed("CL-24").state) == [(2, 10), (3, 12), (3, 11)]


def test_who_led_high_tiles_pays_for_all() -> None:
    """WE-T7; TDRH-36 and TDRH-21 under their other readings."""
    ends = {
        "天地人和": (-4, 0, 4),
        "天地人和[TDRH-36=R1]": (-2, 0, 2),
        "天地人和[TDRH-21=R2]": (-4, 0, 4),
    }
    for reference, paid in ends.items():
        state = replayed("WE-T7", reference).state
        assert state is not None and state.result is not None and state.result.payments == paid
        assert "先出大牌" in state.players[0].taken


def test_only_the_first_trick_makes_liable_under_the_other_reading() -> None:
    """TDRH-21: followers never are, and a combination with such a tile counts like the tile."""
    for reference, later in (("天地人和", True), ("天地人和[TDRH-21=R2]", False)):
        table = game(reference).table
        state = leading(table, "天牌 红九 猫猫", "长三", "合牌")
        assert (
            then(table, state, "庄 领 单 猫猫", "闲1 盖过 单 长三", "闲2 盖过 单 合牌").players[0].taken == ()
        )
        assert then(table, state, "庄 领 天九 天牌红九").players[0].taken == ("先出大牌",)
        after = then(table, replace(state, tricks=3), "庄 领 单 红九")
        assert ("先出大牌" in after.players[0].taken) is later
        state = then(table, leading(table, "合牌", "天牌", "长三"), "庄 领 单 合牌", "闲1 盖过 单 天牌")
        assert state.players[1].taken == ()


FIFTEEN = "地牌地牌 三四三四三四 二五二五 幺四幺四 拐子拐子 斧头斧头 高高高高"


def test_sixteen_may_stop_or_go_on_and_must_stop_under_the_other_reading() -> None:
    """TDRH-38."""
    hands, fronts = ("天牌 长三", "猫猫", "四六"), (FIFTEEN, "", "")
    lines = ("庄 领 单 天牌", "闲1 扣牌 猫猫", "闲2 扣牌 四六")
    table = game().table
    state = then(table, leading(table, *hands, fronts=fronts), *lines)
    assert does(table, state) == {"庄 和", "庄 过"}
    assert does(table, then(table, state, "庄 过")) == {"庄 领 单 长三"}
    other = game("天地人和[TDRH-38=R2]").table
    start = replace(leading(other, *hands, fronts=fronts), todo=(Task("trick", 0), Task("win", 0, must=True)))
    state = then(other, other.settled(start), *lines)
    assert does(other, state) == {"庄 和"} and game("天地人和[TDRH-38=R2]").core.flow.turn[1].must  # type: ignore[union-attr]
    with pytest.raises(IllegalAction) as refused:
        other.apply(state, Action("pass", 0))
    assert refused.value.rule is not None and refused.value.rule.name == "流程.轮"


def test_when_the_tiles_are_gone_who_has_enough_wins() -> None:
    """TDRH-37: the taker of the last trick is asked first, and nobody can go on."""
    table = game().table
    state = leading(table, "人牌", "天牌", "猫猫", fronts=(FIFTEEN + " 合牌", "长三", ""))
    state = then(table, state, "庄 领 单 人牌", "闲1 盖过 单 天牌", "闲2 扣牌 猫猫")
    assert does(table, state) == {"庄 和"}
    result = then(table, state, "庄 和").result
    assert result is not None and (result.outcome, result.score) == ("win", 16)
    state = leading(table, "人牌", "天牌", "猫猫", fronts=(FIFTEEN, "长三", ""))
    result = then(table, state, "庄 领 单 人牌", "闲1 盖过 单 天牌", "闲2 扣牌 猫猫").result
    assert result is not None and (result.outcome, result.payments, result.halt) == ("draw", (0, 0, 0), "")


def test_getting_off_ends_the_deal_only_after_an_unbeaten_lead() -> None:
    """TDRH-34: fifteen laid and five left; a trick that he took from another is not enough."""
    table = game().table
    fourteen, rest = FIFTEEN.removeprefix("地牌"), "长三长三 梅子梅子 长二"
    state = leading(table, f"天牌 {rest}", "人牌", "猫猫", fronts=(fourteen, "", ""))
    result = then(table, state, "庄 领 单 天牌", "闲1 扣牌 人牌", "闲2 扣牌 猫猫").result
    assert result is not None and (result.halt, result.seat, result.payments) == ("脱手", 0, (0, 0, 0))
    state = leading(table, "人牌", "猫猫", f"天牌 {rest}", fronts=("", "", fourteen))
    state = then(table, state, "庄 领 单 人牌", "闲1 扣牌 猫猫", "闲2 盖过 单 天牌")
    assert state.result is None and state.leader == 2
    fewer = leading(table, "天牌 长三", "人牌", "猫猫", fronts=(fourteen, "", ""))
    assert then(table, fewer, "庄 领 单 天牌", "闲1 扣牌 人牌", "闲2 扣牌 猫猫").result is None
    other = game("天地人和[TDRH-34=R2]").table
    result = then(other, fewer, "庄 领 单 天牌", "闲1 扣牌 人牌", "闲2 扣牌 猫猫").result
    assert result is not None and result.halt == "脱手"


def test_the_dealer_keeps_the_deal_where_that_is_agreed() -> None:
    """TDRH-20."""
    for reference, dealer in (("天地人和", 1), ("天地人和[赢家连庄=on]", 0)):
        table = game(reference).table
        state = leading(table, "天牌 长三", "猫猫", "四六", fronts=(FIFTEEN, "", ""))
        state = then(table, state, "庄 领 单 天牌", "闲1 扣牌 猫猫", "闲2 扣牌 四六", "庄 和")
        assert state.result is not None and state.result.next_dealer == dealer
    state = leading(table, "猫猫", "天牌 长三", "四六", fronts=("", FIFTEEN, ""))
    state = then(table, state, "庄 领 单 猫猫", "闲1 盖过 单 天牌", "闲2 扣牌 四六", "闲1 和")
    assert state.result is not None and state.result.next_dealer == 1


# ---------------------------------------------------------------- what is against the rules


def test_not_beating_ends_the_deal_and_is_fined() -> None:
    """TDRH-35."""
    table = game().table
    state = then(table, leading(table, "四六", "长三 猫猫", "梅子"), "庄 领 单 四六")
    assert {action_text(table, state, a) for a in table.breaches(state)} == {
        "闲1 扣牌 长三",
        "闲1 扣牌 猫猫",
        "闲1 盖过 单 猫猫",
    }
    result = then(table, state, "闲1 扣牌 猫猫").result
    assert result is not None and (result.outcome, result.seat, result.breach) == ("false_win", 1, "藏牌")
    assert result.payments == (1, -2, 1)


def refereed(record: str, reference: str = "天地人和") -> list[str]:
    replay = Replay(game(reference).table)
    replay.run(header_of(lines_of(record, "a.play")))
    return [fault.message("zh") for fault in replay.faults]


def test_the_referee_reports_what_broke_the_duty() -> None:
    """A tile covered instead of beating, a play that does not beat, a duty passed over in silence."""
    text = (PLAYS / "CL-23.play").read_text(encoding="utf-8")
    before = list(takewhile(lambda line: not line.startswith("闲1 盖过"), text.splitlines()))
    (said,) = refereed("\n".join([*before, "闲1 扣牌 长二"]))
    assert said.startswith("闲1 犯了 `流程.犯.藏牌（TDRH-35）`：") and "诈和 闲1 藏牌" in said
    after = next(line for line in text.splitlines()[len(before) :] if line.startswith("闲2 "))
    (said,) = refereed("\n".join([*before, after]))  # 闲1 has to do one thing or another
    assert said.startswith(f"记录里这一行读不懂：`{after}`")
    first = list(takewhile(lambda line: not line.startswith("闲1 扣牌"), text.splitlines()))
    (said,) = refereed("\n".join([*first, "闲1 盖过 四 人牌人牌人牌人牌"]))
    assert "不合 `流程.跟.盖过（TDRH-22 TDRH-23）`" in said
    quiet = [line for line in before if "扣牌" not in line]
    (said,) = refereed("\n".join([*quiet, "闲2 和"]), "天地人和[TDRH-24=R2]")
    assert said.startswith("闲1 犯了 `流程.犯.藏牌（TDRH-35）`")


# ---------------------------------------------------------------- other trick games

SMALL = """
规则 小墩「两家，四种牌，赢的墩多」 {
  选项 人数 2 | 3
  牌 { 散牌 王 大 中 小；每张 3 }
  座 { 庄 4；闲 4 }
  若 人数 = 3 { 改 座.闲 4 × 2 }
  牌型 { 单 a；对 a a }
  价 分 { 单 1；对 2 }
  大小 { 明：王 > 大 > 中 = 小 }
  和 { 形 不限；张数 不限；须 四张：分 ≥ 4；取 分数 }
  支付 { 和：每家 付 当家 分 }
  流程 {
    轮：走墩 和
    跟 压：许
    垫 贴
  }
}
"""


def small(more: str = "", **options: object) -> Table:
    return loads(SMALL.replace("    垫 贴\n", more or "    垫 贴\n"), options).table


def test_ranks_of_the_game_itself_and_no_duty_to_beat() -> None:
    table = small()
    state = leading(table, "小 中中", "王 大 小小")
    assert does(table, state) == {"庄 领 单 小", "庄 领 单 中", "庄 领 对 中中"}
    state = then(table, state, "庄 领 单 小")
    assert does(table, state) == {"闲 压 单 王", "闲 压 单 大", "闲 贴 王", "闲 贴 大", "闲 贴 小"}
    assert table.breaches(state) == ()
    assert then(table, state, "闲 贴 王").leader == 0
    without = small("\n")
    state = then(without, leading(without, "小 中中", "王 大 小小"), "庄 领 单 小")
    assert does(without, state) == {"闲 压 单 王", "闲 压 单 大", "闲 过"}
    assert then(without, state, "闲 过").leader == 0


def test_announcements_see_tricks_and_notes_see_melds() -> None:
    """Whoever asks, a player's view holds the tricks that are over and the melds that lie before him."""
    more = """
    垫 贴
    宣 亮：许 单 当 墩数 ≥ 1
    记 亮过：已摆 单 ≥ 1
    境 亮牌 亮了 当 已摆 单 ≥ 1"""
    text = SMALL.replace("    垫 贴\n", more + "\n").replace("  流程 {", "  境 亮牌：没亮 亮了\n  流程 {")
    table = loads(text).table
    state = leading(table, "小 中中", "王 大 小小")
    assert table.claims.announced(state, 0, "亮") == ()
    later = replace(state, tricks=1)
    laid = next(a.laid for a in table.claims.announced(later, 0, "亮"))
    assert laid is not None
    assert table.verdicts.hand(state, 0, None).context.get("亮牌") != "亮了"
    shown = replace(later, players=(later.players[0]._replace(laid=(laid,)), later.players[1]))
    assert table.verdicts.hand(shown, 0, None).context["亮牌"] == "亮了"
    led = next(a for a in shown.lawful if a.kind == "lead")
    assert table.apply(shown, led).players[0].taken == ("亮过",)
    assert table.apply(state, state.lawful[0]).players[0].taken == ()


@pytest.mark.parametrize("seats", [2, 3])
def test_other_numbers_of_players(seats: int) -> None:
    table = small(人数=seats)
    for seed in range(30):
        state, steps = table.start(seed), 0
        while not state.over:
            state = table.apply(state, state.lawful[(seed + steps) % len(state.lawful)])
            steps += 1
        assert state.result is not None and len(state.result.payments) == seats
        assert sum(state.result.payments) == 0


def test_clauses_of_tricks_without_a_trick_and_tricks_without_clauses() -> None:
    with pytest.raises(SpecError) as caught:
        loads(SMALL.replace("走墩 和", "摸牌 和 弃牌"))
    assert {d.code for d in caught.value.diagnostics} == {"T070"}
    for gone in ("    跟 压：许\n", "  大小 { 明：王 > 大 > 中 = 小 }\n"):
        with pytest.raises(SpecError) as caught:
            loads(SMALL.replace(gone, ""))
        assert [d.code for d in caught.value.diagnostics] == ["T016"]


# ---------------------------------------------------------------- as a user sees it


def test_a_player_sees_plays_and_not_what_is_covered() -> None:
    done = CliRunner().invoke(
        group, ["play", "天地人和", "--seed", "3", "--lang", "zh"], input="1\n1\n1\n?\n1\n1\n?\nq\n"
    )
    lines = done.stdout.splitlines()
    assert any("轮：走墩 和  TDRH-20 TDRH-26 TDRH-27 TDRH-38" in line for line in lines)
    assert any(line.endswith("跟 盖过：必  TDRH-22 TDRH-23") for line in lines)
    assert {line for line in lines if "扣牌" in line} == {"闲1 扣牌", "闲2 扣牌"}
    assert any(line.startswith("  ↳ 闲") for line in lines)


def test_simulated_deals_tell_what_called_them_off() -> None:
    words = ["simulate", "天地人和", "-n", "60", "--seed", "1"]
    told = json.loads(CliRunner().invoke(group, [*words, "--json"]).stdout)
    assert told["payments_sum"] == 0 and set(told["halts"]) == {"脱手"}
    assert sum(told["halts"].values()) < told["outcomes"]["draw"]
    assert f"流局：脱手 {told['halts']['脱手']}" in CliRunner().invoke(group, [*words, "--lang", "zh"]).stdout


@pytest.mark.parametrize(("duty", "found"), [("必", []), ("许", ["流程.犯.留牌"])])
def test_a_breach_of_the_duty_to_beat_is_dead_where_there_is_none(duty: str, found: list[str]) -> None:
    text = SMALL.replace("跟 压：许", f"跟 压：{duty}").replace("垫 贴", "垫 贴\n    犯 留牌：压 作 诈和")
    subjects = [f.subject[0] for f in verify(loads(text), ["V104"]).findings]
    assert [subject for subject in subjects if subject.startswith("流程")] == found
