"""V118: a ruleset whose tests leave clauses unwatched, and what silences it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import dsl
from dsl.api import Damage
from verifier import verify
from verifier.findings import Finding
from verifier.properties import codes, usual_codes

SMALL = (Path(__file__).parents[1] / "small/两句.pai").read_text(encoding="utf-8")

UNWATCHED = """
规则 漏试 {
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 6；闲 5 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组 }
  价 分 { 句 1；坎 2 }
  名 { 全坎：无 句 倍 3 }
  和 { 形 2组；须 起和：分 ≥ 2 }
  支付 { 和：每家 付 当家 1 × 倍 }
  例 E-1「两句刚好」 { 身 闲；手 上大人 丘乙；末张 己 自摸；判 和 2 }
  %s
}"""


@cache
def found(more: str) -> dict[str, Finding]:
    return {f.rules[0].name: f for f in verify(dsl.loads(UNWATCHED % more), ["V118"]).findings}


def test_runs_only_when_asked_for() -> None:
    assert "V118" in codes() and "V118" not in usual_codes()


def test_a_clause_that_an_example_needs_is_left_in_peace() -> None:
    assert not {"价.分.句", "和.形", "和.起和", "座.闲"} & set(found(""))


def test_a_missed_clause_is_shown_with_a_hand_that_tells() -> None:
    finding = found("")["名.全坎"]
    assert finding.severity == "warning" and finding.example is not None
    lines = [line[1] for line in finding.verdicts]
    assert lines[0].startswith("tried: left out; `无 句` → `非 (无 句)`; `3` → `2`")
    assert lines[1] == "as it is: a win, 4 分, 全坎; 庄 +3 闲 -3"
    assert lines[2] == "with left out: a win, 4 分; 庄 +1 闲 -1"


def test_without_a_telling_hand_it_is_only_mentioned() -> None:
    finding = found("")["牌.每张"]
    assert finding.severity == "info" and finding.example is None


def test_an_example_silences_it() -> None:
    more = "例 E-2「两坎」 { 身 闲；手 上上上 乙乙；末张 乙 自摸；判 和 4；名 全坎；付 闲 3 }"
    assert set(found("")) - set(found(more)) == {"牌型.坎", "价.分.坎", "名.全坎", "支付.和"}


@pytest.mark.parametrize("statement", ["存在 和 且 分 = 4 答 有", "凡 全坎 则 分 = 4 答 真"])
def test_a_statement_silences_it(statement: str) -> None:
    assert "价.分.坎" in found("") and "价.分.坎" not in found(f"断言 S-1 {statement}")


def test_a_clause_of_another_reading_is_tried_under_that_reading() -> None:
    more = "选项 高 否 | 是\n若 高 = 是 { 调 和.起和 2 → 3 }"
    finding = found(more)["若 高 = 是：和.起和"]
    assert finding.verdicts[-1] == ("于 高 = 是", "at 高 = 是")
    told = "例 E-3 { 于 高 = 是；身 闲；手 上大人 丘乙；末张 己 自摸；判 诈和 2 }"
    assert "若 高 = 是：和.起和" not in found(f"{more}\n{told}")


@pytest.mark.parametrize(("answer", "right"), [("有", True), ("无", False)])
def test_a_statement_may_expect_it(answer: str, right: bool) -> None:
    report = verify(dsl.loads(UNWATCHED % f"断言 V-1 验 V118 答 {answer}"), ["V118", "V119"])
    (statement,) = report.statements
    assert (statement.got == statement.expected) is right
    assert ("V118" in report.expected) is right


def test_damages_of_the_small_ruleset() -> None:
    """Every kind of change occurs; each is one change of one clause; the same every time."""
    game = dsl.loads(SMALL)
    damages = game.loader.damages(game.core)
    assert {d.kind for d in damages} == {"drop", "shift", "swap", "negate"}
    again = dsl.loads(SMALL)
    assert [d.text for d in again.loader.damages(again.core)] == [d.text for d in damages]
    told = [(d.rule.name, d.words[1]) for d in damages]
    for wanted in (
        ("和.门槛", "`除非 素` left out"),
        ("和.门槛", "`5` → `6`"),
        ("牌型.碰", "`锁` left out"),
        ("名.叠法", "`相乘` → `最高`"),
        ("名.双数", "`且 身 庄` left out"),
        ("价.符.口", "`2` → `1`"),
        ("支付.和.庄加", "`若 雨 = 是` left out"),
        ("若 底 = 3：和.门槛", "`3` → `4`"),
    ):
        assert wanted in told
    assert [(d.rule.name, d.text) for d in damages if not _only_that_clause(game, d)] == []


def _only_that_clause(game: dsl.Game, damage: Damage) -> bool:
    """Has the damaged game, if there is one, the same clauses but for that one?"""
    loader = game.loader.damaged(damage)
    try:
        core = None if loader is None else loader.again(game.core, {})
    except dsl.SpecError:
        return True
    assert core is not None
    old, new = ({rule.name: rule.text for rule in g.rules} for g in (game.core, core))
    changed = {name for name in {**old, **new} if old.get(name) != new.get(name)}
    moved = damage.kind == "swap" and damage.rule.name.startswith("支付")
    return changed <= {damage.rule.name, "价.符.绍"} or damage.rule.name.startswith("若") or moved
