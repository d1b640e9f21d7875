"""Checks and statements about players at the table: what they find, and what they leave in peace."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import dsl
from dsl.core.hand import Laid, read_hand
from dsl.core.model import Game
from dsl.core.table_questions import Answers, DeadEnd
from dsl.table.questions import answers, done, says
from dsl.table.state import Offer, Player, State
from verifier import verify
from verifier.checking import Report, study_for
from verifier.cli.explain import page
from verifier.findings import Finding
from verifier.properties.v119_statements import answer
from verifier.report import report_text
from verifier.table_traps import Traps
from verifier.table_world import draws

FOLDER = TemporaryDirectory()


@cache
def game_of(text: str) -> Game:
    path = Path(FOLDER.name) / f"{hash(text)}.pai"
    path.write_text(text, encoding="utf-8")
    return dsl.load(str(path)).core


def page_spec(code: str) -> str:
    spec = re.search(r"```pai\n(.*?)```", page(code, "zh"), re.DOTALL)
    assert spec is not None
    return spec[1]


def found(text: str, code: str) -> Report:
    return verify(game_of(text), [code])


# ---------------------------------------------------------------- mended rulesets are left in peace


def test_v111_is_silent_once_somebody_goes_first() -> None:
    spec = page_spec("V111")
    report = found(spec, "V111")
    assert [[r.name for r in f.rules] for f in report.findings] == [["流程.应.和", "流程.先后"]]
    mended = spec.replace("    先后：和，碰，吃", "    先后：和，碰，吃\n    同级 最近")
    assert found(mended, "V111").findings == ()


def test_v112_is_silent_once_bans_yield() -> None:
    spec = page_spec("V112")
    (finding,) = found(spec, "V112").findings
    assert finding.severity == "error" and [r.name for r in finding.rules] == ["流程.应.碰", "流程.不得.拆句"]
    (empty,) = found(spec.replace("少了 句", "少了 句 可让"), "V112").findings
    assert empty.example is not None and empty.example.table is not None
    (player,) = empty.example.table["players"]
    assert len(player["hand"]) == 2  # all the others are laid, and so are these then
    mended = spec.replace("少了 句", "少了 句 可让\n    禁 留牌：碰 当 打光")
    assert found(mended, "V112").findings == ()
    assert found(spec.replace("必 坎", "许 坎"), "V112").findings == ()  # his own choice


def test_v113_is_silent_once_it_is_a_right() -> None:
    spec = page_spec("V113")
    (finding,) = found(spec, "V113").findings
    assert finding.example is not None and "".join(finding.example.hand["hand"]) == "上上大大人人丘乙化化"
    assert found(spec.replace("必 碰", "许 碰"), "V113").findings == ()


def test_v112_lets_a_player_choose_among_duties_of_one_rank() -> None:
    spec = page_spec("V112")
    other = "    应 拿：任家 必 坎 当 同张 = 2 不打\n    先后：{}\n    不得"
    alike = spec.replace("    不得", other.format("碰 拿"))
    assert found(alike, "V112").findings == ()  # he need not do what leaves him nothing to discard
    after = spec.replace("    不得", other.format("碰，拿"))
    assert [f.subject for f in found(after, "V112").findings] == [("碰",)]
    before = spec.replace("    不得", other.format("拿，碰"))
    assert found(before, "V112").findings == ()


def test_v112_tells_of_duties_that_exclude_each_other() -> None:
    spec = page_spec("V112").replace("少了 句", "少了 句 可让\n    禁 留牌：碰 吃 当 打光")
    more = "    应 吃：任家 必 句\n    先后：{}\n    犯 漏了：碰 吃 作 诈和\n    不得"
    (finding,) = found(spec.replace("    不得", more.format("碰 吃")), "V112").findings
    assert finding.severity == "warning" and finding.subject == ("both", "碰", "吃")
    (player,) = table_of(finding)["players"]
    tile = table_of(finding)["offer"]["tile"]
    assert player["hand"].count(tile) == 2
    assert found(spec.replace("    不得", more.format("碰，吃")), "V112").findings == ()
    free = more.replace("漏了：碰 吃", "漏了：碰").format("碰 吃")
    assert found(spec.replace("    不得", free), "V112").findings == ()


def table_of(finding: Finding) -> Mapping[str, Any]:
    assert finding.example is not None and finding.example.table is not None
    return finding.example.table


def test_v113_tells_of_a_duty_that_goes_before_a_win() -> None:
    spec = page_spec("V113")
    more = "    应 和：任家 许 和\n    先后：{}\n  }}\n}}"
    first = spec.rstrip().removesuffix("}").rstrip().removesuffix("}") + more.format("碰，和")
    (finding,) = (f for f in found(first, "V113").findings if len(f.subject) == 2)
    assert finding.subject == ("碰", "和")
    assert [r.name for r in finding.rules] == ["流程.应.碰", "流程.应.和", "流程.先后"]
    last = first.replace("碰，和", "和，碰")
    assert [f.subject for f in found(last, "V113").findings] == [("流程.应.碰",)]


def test_v113_says_what_is_proved_and_what_was_only_tried() -> None:
    spec = page_spec("V113").replace("同张 = 2", "同张 = 2 且 只有 a a 这张 a")
    report = found(spec, "V113")
    (note,) = report.notes
    assert report.findings == () and note.code == "V113" and "证明了的" in note.text[0]
    assert report_text(report, "zh").splitlines()[2] == f"说明[V113]：{note.text[0]}"
    wild = spec.replace("每张 4", "每张 4\n    赖 神 每张 2")
    assert [n.text[1] for n in found(wild, "V113").notes] == ["`碰`: only tried; none found is no proof"]


@pytest.mark.parametrize("duty", ["碰", "绍龙"])
def test_v113_shows_no_tile_that_is_not_in_play(duty: str) -> None:
    """With 神 the face after the one turned up is nowhere to be had as itself."""
    study = study_for("打神")
    assert study.game.flow is not None
    traps = Traps(study.tables, study.compiled)
    shown = traps.of_response(study.game.flow.responses[duty]).witness
    assert shown is not None
    copies, player = study.game.copies_in(shown.state.context), shown.state.players[shown.seats[0]]
    exposed = Counter(kind for laid in player.laid for kind in study.game.melds[laid.meld].tiles)
    assert 0 in copies and shown.state.offer is not None
    for kind, most in enumerate(copies):
        assert player.counts[kind] + exposed[kind] + (kind == shown.state.offer.tile) <= most


def test_v104_finds_dead_clauses_of_the_flow() -> None:
    spec = page_spec("V111")
    more = """
    应 碰碰：任家 许 坎 当 同张 = 2 且 非 同张 = 2
    禁 白禁：吃 当 同张 ≥ 4
    不得 白留：同张 ≥ 4
    犯 白犯：吃 作 诈和"""
    text = spec.replace("    轮：翻开", "    轮：翻开" + more)
    dead = {f.rules[0].name for f in found(text, "V104").findings}
    assert {"流程.应.碰碰", "流程.禁.白禁", "流程.不得.白留", "流程.犯.白犯"} == {
        name for name in dead if name.startswith("流程.")
    }


def test_v108_finds_a_breach_that_costs_nothing() -> None:
    spec = page_spec("V111").replace("  流程 {", "  流程 {\n    犯 误报：和 作 诈和")
    assert found(spec, "V108").findings == ()
    free = spec.replace("诈和：当家 付 每家 1", "诈和：当家 付 每家 0")
    assert any("流程.犯.误报" in [r.name for r in f.rules] for f in found(free, "V108").findings)


def test_v109_tells_of_a_fine_cheaper_than_the_loss() -> None:
    spec = page_spec("V111").replace("  流程 {", "  流程 {\n    犯 误报：和 作 诈和")
    assert found(spec, "V109").findings == ()
    dear = spec.replace("和：每家 付 当家 1", "和：每家 付 当家 3")
    (finding,) = found(dear, "V109").findings
    assert finding.severity == "info" and "流程.犯.误报" in [r.name for r in finding.rules]


# ---------------------------------------------------------------- statements


def test_a_wrong_answer_shows_the_players() -> None:
    spec = page_spec("V111").replace("  和 {", "  断言 X-1 存在 两家 能应 碰 或 能应 和 答 无\n  和 {")
    report = found(spec, "V119")
    (finding,) = report.findings
    table = json.loads(json.dumps(finding.to_json("zh")))["table"]
    assert table["offer"]["tile"] == "上" and len(table["players"]) == 2
    assert all(len(player["hand"]) == 8 for player in table["players"])
    assert found(spec, "V119").findings == report.findings
    assert f"{table['offer']['seat']} 打出 上" in report_text(report, "zh")
    assert f"{table['offer']['seat']} discarded 上" in report_text(report, "en")


# ---------------------------------------------------------------- worked examples


def at_offer(game: dsl.Game, hand: str, laid: tuple[Mapping[str, object], ...], tile: str) -> State:
    """The last seat with this hand, and a tile that the seat before him discards."""
    core = game.core
    data = {"role": "闲", "laid": list(laid), "hand": list(hand)}
    read, faults = read_hand(core, data, missing=1)
    assert read is not None, faults
    nobody = Player((0,) * len(core.kinds))
    players = (nobody, nobody, nobody, replace_player(nobody, read.counts, read.laid))
    offer = Offer(core.kind_index[tile], 2, False, False)
    return State((), 0, players, {p.name: p.values[0] for p in core.parameters}, offer=offer)


def replace_player(player: Player, counts: tuple[int, ...], laid: tuple[Laid, ...]) -> Player:
    return player._replace(counts=counts, laid=laid, taken=("吃",) * len(laid))


EATEN: tuple[Mapping[str, object], ...] = (
    {"meld": "口", "tiles": ["丘", "乙"], "origins": ["起手", "他打"]},
    {"meld": "口", "tiles": ["上", "大"], "origins": ["起手", "他打"]},
)


@pytest.mark.parametrize(("reading", "stuck"), [("R1", False), ("R2", True)])
def test_we_21_is_stuck_where_bans_do_not_yield(reading: str, stuck: bool) -> None:
    game = dsl.load("四家飞", {"SDR-35": reading})
    state = at_offer(game, "化三千尔小生佳作仁八九子七七", EATEN, "七")
    assert says(Answers(("碰",)), game.table, state, 3)
    assert says(DeadEnd(("碰",)), game.table, state, 3) is stuck
    assert not says(Answers(("和",)), game.table, state, 3)


def test_we_23_waits_no_more_whatever_is_discarded() -> None:
    game = dsl.load("四家飞")
    state = at_offer(game, "上大人丘乙己尔尔小小生生化三七十八九", (), "尔")
    assert {"千", "士", "子"} <= awaited(game, state)
    (action,) = answers(game.table, state, 3, "碰")
    after = done(game.table, state, action)
    discards = [a for a in after.lawful if a.kind == "discard"]
    assert discards
    for discard in discards:
        left = game.table.apply(after, discard).players[3]
        assert not awaited(game, replace(state, players=(*state.players[:3], left)))


def awaited(game: dsl.Game, state: State) -> set[str]:
    """What the last seat waits for."""
    hand = game.table.verdicts.hand(state, 3, None)
    return {game.core.kinds[wait.kind].name for wait in game.compiled.waits(hand)}


def test_c_40_tiles_come_into_the_hand_only_where_rules_say_so() -> None:
    assert not draws(dsl.load("四家飞").core) and draws(dsl.load("打神").core)


def test_a_word_that_must_be_said_in_the_opening_lets_nothing_go() -> None:
    study = study_for("四家飞", {"拦庄": "要喊"})
    stuck = next(s for s in study.game.statements if s.id == "C-28")
    assert (stuck.about, answer(study, stuck).got) == ("table", True)
