"""Questions put to a ruleset in its own words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import SpecError, load
from verifier.cli import group
from verifier.questions import put

GAME = "tests/small/两句.pai"


def test_a_witness_is_a_hand_the_judge_agrees_with() -> None:
    reply = put(GAME, "存在 清 且 满 且 和")
    assert reply.holds and reply.example is not None
    verdict = load(GAME).judge(reply.example.hand)
    assert verdict.complete


def test_none_is_a_proof_and_every_is_asked_the_other_way() -> None:
    assert put(GAME, "存在 素 且 数 坎 碰 ≥ 3").holds is False
    every = put(GAME, "凡 听 则 叫 大碰 或 叫 双口 或 叫 单吊")
    assert every.holds is True and every.example is None
    some = put(GAME, "凡 听 则 叫 双口")
    assert some.holds is False and some.example is not None
    assert load(GAME).waits(some.example.hand).to_json()["waits"]


def test_english_and_options() -> None:
    assert put(f"{GAME}[底=3]", "exists win and 符 = 3 and not 素").holds is True
    assert put(GAME, "exists win and 符 = 3 and not 素").holds is False


def test_what_cannot_be_read_points_into_the_question() -> None:
    with pytest.raises(SpecError) as error:
        put(GAME, "存在 青")
    fault = error.value.diagnostics[0]
    assert (fault.code, fault.span.path, fault.span.line, fault.span.column) == ("N001", "问", 1, 4)


def test_command() -> None:
    asked = CliRunner().invoke(group, ["ask", GAME, "存在 清 且 素", "--json"])
    assert asked.exit_code == 0
    assert json.loads(asked.stdout)["holds"] is True


@pytest.mark.parametrize("question", ["", "存在", "存在 清 且", "凡 清", "存在 （清", "存在 清 答 有"])
def test_a_question_that_does_not_end_well_is_told_without_the_words_put_after_it(question: str) -> None:
    with pytest.raises(SpecError) as error:
        put(GAME, question)
    (fault,) = error.value.diagnostics
    assert fault.code == "U003" and "not finished" in fault.message("en")


def test_there_is_no_such_check() -> None:
    with pytest.raises(SpecError, match="no check `V999`"):
        put(GAME, "验 V999")
    assert put(GAME, "验 V104").holds is not None


def test_a_meld_that_drew_a_tile_stays_as_it_lies_where_all_may_be_regrouped(tmp_path: Path) -> None:
    spec = tmp_path / "龙.pai"
    spec.write_text(
        """规则 龙 {
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 6；闲 5 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组；龙 a a a a 作 1组 补 1 }
  价 分 { 列 皆；句 1；坎 2；龙 4 }
  和 { 形 2组；末张 自摸 无；重组 皆 }
  支付 { 和：每家 付 当家 1；诈和：当家 付 每家 1 }
}""",
        encoding="utf-8",
    )
    reply = put(str(spec), "存在 有 龙 且 和")
    assert reply.holds and reply.example is not None
    assert "龙" in [meld.name for meld in reply.example.melds]
    verdict = load(spec).judge(reply.example.hand)
    assert (verdict.verdict, verdict.score) == ("win", 5)
