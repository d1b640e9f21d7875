"""No two findings of a game have one fingerprint, whatever is wrong with it.

The rulesets on the pages of the checks are looked at where they are verified, in `unit`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.conftest import ROOT, SMALL
from tests.unit.test_verifier_checks import game_of
from verifier import verify
from verifier.cli.verify import games_of
from verifier.findings import Finding

SHIPPED = sorted({path.parent for folder in ("specs", "examples") for path in (ROOT / folder).rglob("*.pai")})
MANY_AT_ONCE = (
    """规则 百病 继承 四家飞 {
  改 价.符.坎 6 缺
  改 价.符.绍 6 1
  加 名.八房全：凡 房：符 ≥ 1 倍 4
  加 名.重：符 ≥ 3 或 符 ≥ 3 或 符 ≥ 2 倍 2
  加 名.捡：末张 他打 倍 2
  加 名.六十：符 ≥ 60
  豁免 V104 3f9a2c1b「甲」
  豁免 V104 4f9a2c1b「乙」
}""",
    "规则 二表 继承 四家飞 { 价 番 { 列 皆；口 0；句 1；碰 2；坎 绍 1；招 龙 双龙 对龙 三龙 1 } }",
)
SMALL_GAME = f"继承 「{SMALL / '两句.pai'}#两句」"
FEW_TILES = (
    f"""规则 小病 {SMALL_GAME} {{
  改 价.符.坎 6 缺
  改 价.符.绍 6 1
  加 名.全房：凡 房：符 ≥ 1 倍 4
  加 名.重：符 ≥ 3 或 符 ≥ 3 或 符 ≥ 2 倍 2
  加 名.捡：末张 他打 倍 2
  加 名.六十：符 ≥ 60
  加 名.七十：符 ≥ 70
  加 名.有无：有 碰 且 无 碰
  豁免 V104 3f9a2c1b「甲」
  豁免 V104 4f9a2c1b「乙」
}}""",
    f"""规则 小二表 {SMALL_GAME} {{
  价 番 {{ 列 将 非将；口 3 9；句 1 5；碰 2 1；坎 0 7；绍 6 4；招.裸 1 2；招.一 0 5 }}
  价 花 {{ 列 将 非将；口 9 3；句 5 1；碰 1 2；坎 7 0；绍 4 6；招.裸 2 1；招.一 5 0 }}
}}""",
)


def doubles(findings: tuple[Finding, ...]) -> dict[str, list[str]]:
    """Sentences of findings that share a fingerprint."""
    said: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        said[finding.fingerprint].append(f"{finding.code} {finding.sentence[1]}")
        assert re.fullmatch("[0-9][a-f][0-9a-f]{6}", finding.fingerprint)
    return {fingerprint: sentences for fingerprint, sentences in said.items() if len(sentences) > 1}


@pytest.mark.parametrize(
    "text",
    [*FEW_TILES, *(pytest.param(text, marks=pytest.mark.slow) for text in MANY_AT_ONCE)],
    ids=["faults of few tiles", "two tables of few tiles", "many faults", "two tables"],
)
def test_findings_of_a_bad_ruleset_are_told_apart(text: str) -> None:
    report = verify(game_of(text), ["V104", "V105", "V106", "V109", "V123"])
    assert len(report.findings) > 10 and doubles(report.findings) == {}


def test_a_duty_to_answer_and_one_to_lay_under_one_name_are_told_apart() -> None:
    findings = verify("十符硬", ["V113"]).findings
    assert len({f.sentence for f in findings if "流程.应.抱柱" in (r.name for r in f.rules)}) > 0
    assert len({f.sentence for f in findings if "流程.宣.抱柱" in (r.name for r in f.rules)}) > 0
    assert doubles(findings) == {}


@pytest.mark.slow
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_findings_of_shipped_rulesets_are_told_apart(folder: Path) -> None:
    for game in games_of(str(folder)):
        assert doubles(verify(game).findings) == {}
