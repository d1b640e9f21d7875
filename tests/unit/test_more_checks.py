"""Choice between arrangements, tiers, payments, tile counts: a bad case and a good one for each."""

from __future__ import annotations

from functools import cache

import dsl
from verifier import verify
from verifier.findings import Finding


@cache
def found(text: str, code: str) -> tuple[Finding, ...]:
    return verify(dsl.loads(text), [code]).findings


def names(finding: Finding) -> list[str]:
    return [rule.name for rule in finding.rules]


# ---------------------------------------------------------------- V103


def test_v103_shows_both_arrangements_when_no_clause_chooses() -> None:
    (finding,) = found("规则 没说取 继承 四家飞 { 删 和.取 }", "V103")
    assert finding.severity == "warning" and names(finding) == ["和.形", "和.门槛"]
    assert "443,160" in finding.sentence[0] and "61,216,008" in finding.sentence[0]
    assert [line[1].split(": ")[1].split(",")[0] for line in finding.verdicts] == ["win", "no win"]
    assert finding.example is not None
    game = dsl.load("四家飞")
    assert game.judge(finding.example.hand).to_json()["scores"][:2] == [9, 14]


def test_v103_only_counts_when_a_clause_chooses() -> None:
    (finding,) = found("规则 照旧 继承 十符硬 { 座 {} }", "V103")
    assert finding.severity == "info" and names(finding) == ["和.取", "名.大符"]


def test_v103_is_silent_when_every_arrangement_pays_alike() -> None:
    assert not found(
        "规则 平 继承 四家飞 { 删 和.取；删 和.门槛；删 诈和.不够符；删 名.大符；删 名.荤大符 }", "V103"
    )


# ---------------------------------------------------------------- V107


def test_v107_finds_the_hole_between_two_tiers() -> None:
    (finding,) = found("规则 漏档 继承 四家飞 { 加 名.中符：16 ≤ 符 ≤ 21 倍 2 }", "V107")
    assert names(finding) == ["名.中符", "名.大符"]
    assert "符 22–23" in finding.sentence[1]
    assert finding.example is not None and 22 <= finding.example.totals[0] <= 23


def test_v107_tiers_that_meet_have_no_hole() -> None:
    assert not found("规则 接档 继承 四家飞 { 加 名.中符：16 ≤ 符 < 24 倍 2 }", "V107")
    assert not found("规则 叠档 继承 四家飞 { 加 名.中符：符 ≥ 16 倍 2 }", "V107")


def test_v107_a_hole_that_no_hand_falls_into_is_none() -> None:
    text = "规则 高档 继承 四家飞 { 改 名.大符：24 ≤ 符 ≤ 54 倍 2；加 名.天大符：符 ≥ 60 倍 8 }"
    assert not found(text, "V107")


def test_v107_overlapping_tiers_count_twice_unless_only_the_highest_does() -> None:
    text = "规则 叠乘 继承 四家飞 { 加 名.中符：符 ≥ 16 倍 3；改 名.叠法 相乘 }"
    (finding,) = found(text, "V107")
    assert names(finding) == ["名.中符", "名.大符", "名.叠法"] and "6 in all" in finding.sentence[1]
    assert finding.verdicts[0][1] == "`中符`: 16 ≤ 符, 3×"


# ---------------------------------------------------------------- V108


def test_v108_a_win_for_nothing() -> None:
    (finding,) = found("规则 白和 继承 四家飞 { 改 支付.和：每家 付 当家 1 × 倍 若 符 ≥ 10 }", "V108")
    assert names(finding) == ["支付.和"] and finding.severity == "warning"
    assert finding.example is not None and finding.example.totals[0] < 10


def test_v108_a_false_win_for_nothing_has_no_shape_to_blame() -> None:
    (finding,) = found("规则 不罚 继承 四家飞 { 删 支付.诈和 }", "V108")
    assert "false win" in finding.sentence[1] and names(finding) == ["和.形", "支付.和"]


def test_v108_a_payment_to_oneself() -> None:
    text = "规则 自付 继承 四家飞 { 加 支付.和 庄加：庄 付 庄 2 }"
    assert [names(f)[0] for f in found(text, "V108")] == ["支付.和.庄加"]


def test_v108_an_amount_below_zero_needs_a_hand_that_shows_it() -> None:
    text = "规则 倒贴 继承 四家飞 { 加 支付.和 按符：每家 付 当家 %s }"
    (finding,) = found(text % "符 - 10 × 倍", "V108")
    assert "can be negative" in finding.sentence[1] and finding.example is not None
    assert not found(text % "符 × 倍 + 40 - 10 × 倍", "V108")


def test_v108_a_seat_that_money_never_reaches() -> None:
    text = """
    规则 闲 继承 四家飞 {
      改 支付.和：庄 付 当家 1 × 倍
      改 支付.诈和：当家 付 庄 1
      座 { 醒 0 }
    }"""
    findings = {names(f)[0]: f.severity for f in found(text, "V108")}
    assert findings["座.醒"] == "info"


def test_v108_is_silent_about_the_shipped_games() -> None:
    assert not verify("四家飞", ["V108"]).findings and not verify("十符硬", ["V108"]).findings


# ---------------------------------------------------------------- V115


def test_v115_a_wait_of_the_wrong_size() -> None:
    (finding,) = found("规则 错数 继承 四家飞 { 改 落叫.满园滚 5组 等 句 }", "V115")
    assert names(finding) == ["落叫.满园滚", "和.形"]
    assert "19 - 1 = 18" in finding.sentence[1]


def test_v115_a_shape_that_the_deal_cannot_fill() -> None:
    (finding,) = found("规则 错形 继承 四家飞 { 改 和.形 6组 1口；座 {} }", "V115")
    assert finding.severity == "error" and names(finding)[:1] == ["和.形"]
    assert any(line[1].startswith("句、") and "1组 = 3 tiles" in line[1] for line in finding.verdicts)


PAIRS = """
规则 对对 {
  牌 { 房 上大人 丘乙己 化三千 七十士 尔小生 八九子 佳作仁 可知礼；每张 4 }
  来路 { 手 起手 }
  座 { 家 %d × 4 }
  牌型 { 对 a a 作 1对 }
  和 { 形 6对 }
}"""


def test_v115_taking_a_tile_makes_thirteen_of_twelve() -> None:
    (finding,) = found(PAIRS % 12, "V115")
    assert "12 + 1 = 13" in finding.sentence[1] and finding.severity == "warning"


def test_v115_is_silent_where_one_tile_is_missing() -> None:
    assert not verify("四家飞", ["V115"]).findings
    assert not found("规则 照旧 继承 四家飞 { 座 {} }", "V115")
