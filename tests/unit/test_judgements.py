"""判: found by name, judged, asked about, tested and kept like any ruleset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dsl
from dsl.cli.check import check
from dsl.cli.test import cases_of
from verifier.cli import group
from verifier.cli.verify import games_of

TEXT = """
规则 小戏 {
  出处 「SOURCES.md」
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 6；闲 5 }
  选项 底 3 | 4
  读法 K-02「一对」 { R1「算」默认；R2「不算」 }
  牌型 { 坎 a a a 作 1组 }
  价 分 { 坎 1 }
  和 { 形 2组；须 有分：分 ≥ 1 }
  支付 { 和：每家 付 当家 1；诈和：当家 付 每家 1 }
}
判 资格 于 小戏「够不够打」 {
  牌型 { 对 a a 作 1卯；坎 a a a 作 1卯；散 a }
  价 陀 { 对 2；坎 3 }
  和 { 形 2卯；张数 不限；须 够陀：陀 ≥ 5 除非 身 闲 且 陀 ≥ 4  依 K-01 }
  若 K-02 = R2 { 删 牌型.对；删 价.陀.对 }
  例 Z-1 { 手 上上大大人；判 和 4 }
  断言 Z-2 存在 和 且 陀 = 4 答 有
}
规则 长戏 继承 小戏 { 改 牌.每张 5 }
"""
SOURCES = "| 编号 | 要义 | 状态 |\n|---|---|---|\n| K-01 | 五陀 | 明言 |\n| K-02 | 对 | 两可 |\n"
PAIRS = {"role": "庄", "hand": ["上", "上", "大", "大", "人"]}


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/game.pai").write_text(TEXT, encoding="utf-8")
    Path("specs/SOURCES.md").write_text(SOURCES, encoding="utf-8")
    Path("hand.json").write_text(json.dumps(PAIRS), encoding="utf-8")


def paigui(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(group, words)
    assert result.exit_code == code, result.output
    return result


def test_it_is_found_by_name_and_by_file() -> None:
    for reference in ("小戏.资格", "specs/game.pai#小戏.资格", "长戏.资格", "specs/game.pai#长戏.资格"):
        game = dsl.load(reference)
        assert game.name == reference.rpartition("#")[2]
        assert not game.is_win(PAIRS)
    assert dsl.load("specs/game.pai#小戏").judgement("资格").name == "小戏.资格"
    assert dsl.load("小戏.资格[K-02=R2]").judge(PAIRS).complete is False
    assert "specs/game.pai" in str(dsl.load("长戏.资格").core.path)


@pytest.mark.parametrize("reference", ["小戏.资历", "specs/game.pai#小戏.资历"])
def test_one_that_is_not_there_is_missed(reference: str) -> None:
    with pytest.raises(dsl.SpecError) as error:
        dsl.load(reference)
    (fault,) = error.value.diagnostics
    assert (fault.code, fault.values["suggestion"]) == ("N027", "资格")
    with pytest.raises(dsl.SpecError) as error:
        dsl.load("小戏").judgement("资历")
    assert [fault.code for fault in error.value.diagnostics] == ["N027"]


def test_the_judge_does_not_speak_of_wins() -> None:
    told = paigui("judge", "小戏.资格", "--hand", "hand.json", "--lang", "zh").output
    assert told.startswith("资格：不成，4 陀\n")
    assert "诈和" not in told
    assert (
        json.loads(paigui("judge", "小戏.资格", "--hand", "hand.json", "--json").output)["game"]
        == "小戏.资格"
    )
    Path("short.json").write_text('{"hand": ["上", "上", "大"]}', encoding="utf-8")
    waits = paigui("waits", "小戏.资格", "--hand", "short.json", "--lang", "zh").output
    assert "大  自摸 资格：成 4" in waits


def test_a_file_means_its_judgements_too() -> None:
    names = ["小戏", "小戏.资格", "长戏", "长戏.资格"]
    assert [game.name for game in games_of("specs/game.pai")] == names
    assert sorted(check([Path("specs/game.pai")]).rulesets) == sorted(names)
    assert [(case.game, case.id, case.ok) for case in cases_of(Path("specs/game.pai"))] == [
        ("小戏.资格", "Z-1", True)
    ]
    assert "Z-2" in paigui("verify", "specs/game.pai", "--only", "V119").output
    assert [game.name for game in games_of("小戏")] == ["小戏"]


def test_what_it_cites_counts_for_its_game() -> None:
    found = json.loads(paigui("coverage", "specs/game.pai", "--json").output)["specs"]
    assert [one["game"] for one in found] == ["小戏", "长戏"]
    assert [[cited["id"] for cited in one["cited"]] for one in found] == [["K-01", "K-02"]] * 2


def test_questions_may_be_put_to_it() -> None:
    assert paigui("ask", "长戏.资格", "存在 和 且 陀 = 7", "--lang", "zh").output.startswith("没有")
    assert paigui("ask", "长戏.资格", "存在 和 且 陀 = 6", "--lang", "zh").output.startswith("有\n")


def test_waivers_and_hands_go_into_a_judgement_of_the_variant() -> None:
    (finding,) = json.loads(
        paigui("verify", "specs/game.pai#长戏.资格", "--only", "V103", "--json", code=1).output
    )["findings"]
    where = ("verify", "specs/game.pai#长戏.资格", "--only", "V103", "--lang", "zh")
    paigui(*where, "--write-test", "kept.pai", code=1)
    assert "判 资格 于 长戏见证 {" in Path("kept.pai").read_text(encoding="utf-8")
    assert [(case.game, case.ok) for case in cases_of(Path("kept.pai"))] == [("长戏见证.资格", True)]
    paigui(*where, "--waive", finding["fingerprint"], "--reason", "由打的人挑")
    assert "判 资格 于 长戏 {\n  豁免 V103" in Path("specs/game.pai").read_text(encoding="utf-8")
    paigui(*where)


def test_it_is_laid_out_and_respelled() -> None:
    text = paigui("fmt", "specs/game.pai", "--lang", "en", "--stdout").output
    assert 'verdict 资格 at 小戏 "够不够打" {' in text
    Path("specs/game.pai").write_text(text, encoding="utf-8")
    assert dsl.load("小戏.资格").judge(PAIRS).score == 4
