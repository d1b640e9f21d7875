"""`paigui coverage`: what of a sources table is cited, left out with a reason, or open."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from dsl.cli.check import check
from dsl.front.coverage import Coverage, compressed, coverage_of, stale, together
from dsl.front.format import format_source
from dsl.front.load import Library, chain_of
from dsl.front.parse import parse
from dsl.text.source import Source
from tests.command import paigui as run
from tests.conftest import ROOT
from tests.unit.test_schemas import agrees

IDS = ("LF-1", "LF-2", "LF-3", "WE-1", "C-1", "SH-1", "PN-1", "PN-2", "PN-2′", "PN-9")
TABLE = "| 编号 | 要义 | 状态 |\n|---|---|---|\n" + "".join(f"| {id} | 第 {id} 条 | 明言 |\n" for id in IDS)
BASE = """规则 甲 {
  出处 「SOURCES.md」
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 6；闲 5 }  依 LF-1
  读法 SH-1「坎算不算」 { R1「算」默认；R2「不算」 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组 }
  价 分 { 句 1；坎 2 依 LF-2 }
  和 { 形 2组 }
  例 WE-1b { 身 庄；手 上大人 丘乙己；判 和 2 }
  断言 C-1「」存在 和 答 有
  未建模 PN-1 至 PN-2 因为 「桌上的规矩」
}
"""
MORE = "规则 乙 继承 甲 { 改 价.分.句 2 依 LF-3 }\n"


def coverages(path: Path, text: str) -> list[Coverage]:
    (path / "SOURCES.md").write_text(TABLE, encoding="utf-8")
    (path / "a.pai").write_text(text, encoding="utf-8")
    library = Library()
    rulesets = library.read(path / "a.pai")
    return [coverage_of(chain_of(ruleset, library)[0]) for ruleset in rulesets]


def outdated(path: Path, text: str) -> list[Sequence[object]]:
    (path / "SOURCES.md").write_text(TABLE, encoding="utf-8")
    (path / "a.pai").write_text(text, encoding="utf-8")
    library = Library()
    chains = [chain_of(ruleset, library)[0] for ruleset in library.read(path / "a.pai")]
    return [(f.code, f.values["id"], f.span.line) for chain in chains for f in stale(chain)]


def test_clauses_examples_statements_and_readings_cite(tmp_path: Path) -> None:
    (found,) = coverages(tmp_path, BASE)
    assert list(found.cited) == ["LF-1", "SH-1", "LF-2", "WE-1", "C-1"]
    assert list(found.left) == ["PN-1", "PN-2", "PN-2′"]
    assert [fact.id for fact in found.open] == ["LF-3", "PN-9"]
    assert found.counts()["PN"] == (4, 0, 3, 1) and found.total() == (10, 5, 3, 2)
    assert found.reasons() == {"桌上的规矩": ["PN-1", "PN-2", "PN-2′"]}


def test_a_ruleset_inherits_what_its_base_cites_and_one_of_several_is_enough(tmp_path: Path) -> None:
    base, more = coverages(tmp_path, BASE + MORE)
    assert set(more.cited) == {*base.cited, "LF-3"} and [fact.id for fact in more.open] == ["PN-9"]
    assert [fact.id for fact in together([base, more]).open] == ["PN-9"]


def test_what_one_leaves_out_another_may_cite(tmp_path: Path) -> None:
    base, more = coverages(tmp_path, BASE + MORE.replace("LF-3", "PN-1"))
    assert "PN-1" not in more.left and sum(more.total()[1:]) == len(IDS)
    whole = together([base, more])
    assert "PN-1" in base.left and "PN-1" in whole.cited and "PN-1" not in whole.left


def test_left_out_and_cited_by_the_same_ruleset_or_its_base_is_out_of_date(tmp_path: Path) -> None:
    cited = BASE.replace("坎 2 依 LF-2", "坎 2 依 LF-2 PN-2")
    assert outdated(tmp_path, cited) == [("W005", "PN-2", 11)]
    again = BASE + "规则 乙 继承 甲 { 未建模 LF-1 因为 「不用」 }"
    assert outdated(tmp_path, again) == [("W005", "LF-1", 13)]
    assert outdated(tmp_path, BASE + MORE.replace("LF-3", "PN-1")) == []


def test_runs_are_shown_short() -> None:
    assert compressed(["LF-1", "LF-3", "PN-1", "PN-2", "PN-2′"], IDS) == ["LF-1", "LF-3", "PN-1–PN-2′"]
    assert compressed(["LF-3", "WE-1", "C-1"], IDS) == ["LF-3", "WE-1", "C-1"]


def test_the_clause_is_laid_out_and_translated() -> None:
    text = "规则 甲 {\n  未建模 PN-1 至 PN-2，LF-1 因为 「桌上的规矩」\n}\n"
    english, faults = format_source(Source("a", text), "en")
    assert not faults
    assert english == 'rules 甲 {\n  unmodelled PN-1 to PN-2, LF-1 because "桌上的规矩"\n}\n'
    assert format_source(Source("a", english), "zh")[0] == text
    assert not parse(Source("a", english))[1]


def test_the_command_says_what_is_open(tmp_path: Path) -> None:
    coverages(tmp_path, BASE + MORE)
    done = run("coverage", "a.pai", "--lang", "zh", folder=tmp_path)
    assert done.returncode == 1 and done.stderr == ""
    assert "  PN-9  第 PN-9 条  明言" in done.stdout
    assert "  桌上的规矩\n    PN-1–PN-2′" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith(("甲", "乙", "合计"))]
    counted = [["甲", "10", "5", "3", "2"], ["乙", "10", "6", "3", "1"], ["合计", "10", "6", "3", "1"]]
    assert [row[:5] for row in rows] == counted


def test_the_command_is_content_or_names_what_is_out_of_date(tmp_path: Path) -> None:
    whole = BASE.replace("PN-1 至 PN-2 因为", "PN-1 至 PN-9 LF-3 因为")
    coverages(tmp_path, whole)
    assert run("coverage", ".", folder=tmp_path).returncode == 0
    coverages(tmp_path, whole.replace("依 LF-2", "依 LF-2 LF-3"))
    done = run("coverage", "a.pai", folder=tmp_path)
    assert done.returncode == 1 and "warning[W005]" in done.stderr and "used here" in done.stderr


def test_a_spec_that_does_not_load_exits_with_3_and_no_table_is_no_finding(tmp_path: Path) -> None:
    coverages(tmp_path, BASE.replace("依 LF-1", "依 LF-7"))
    assert run("coverage", "a.pai", folder=tmp_path).returncode == 3
    coverages(tmp_path, BASE.replace("形 2组", "形 2组 {"))
    assert run("coverage", "a.pai", folder=tmp_path).returncode == 3
    done = run("coverage", str(ROOT / "tests/small/两句.pai"), folder=tmp_path)
    assert done.returncode == 0 and "no sources table" in done.stdout


@pytest.mark.parametrize("text", [BASE, BASE + MORE, BASE.replace("依 LF-2", "依 PN-2")])
def test_json_is_as_its_schema_says(tmp_path: Path, text: str) -> None:
    coverages(tmp_path, text)
    data = json.loads(run("coverage", "a.pai", "--json", folder=tmp_path).stdout)
    agrees("coverage", data)
    assert data["specs"][0]["cited"][0] == {"id": "LF-1", "rule": "座", "place": "a.pai:4:3"}


def test_a_cited_fact_has_a_reading_for_each_that_its_table_lists(tmp_path: Path) -> None:
    """The default is what the citing clause says; another can be chosen, or is left out with a reason."""
    listed = TABLE.replace("第 LF-2 条", "谁付：R1 每家（默认）；R2 一家；R3 没有人").replace(
        "第 SH-1 条", "坎：R1 算（默认）；R2 不算"
    )

    def unread(more: str) -> list[tuple[str, tuple[str, ...]]]:
        (tmp_path / "a.pai").write_text(BASE.replace("  例 WE", f"  {more}\n  例 WE", 1), encoding="utf-8")
        (tmp_path / "SOURCES.md").write_text(listed, encoding="utf-8")
        library = Library()
        (ruleset,) = library.read(tmp_path / "a.pai")
        assert not list(stale(chain_of(ruleset, library)[0]))
        return [(fact.id, missing) for fact, missing in coverage_of(chain_of(ruleset, library)[0]).unread]

    assert unread("") == [("LF-2", ("R2", "R3"))]
    assert unread("未建模 LF-2 R2 因为 「手牌里看不出」") == [("LF-2", ("R3",))]
    assert unread("未建模 LF-2 R2 R3 因为 「手牌里看不出」") == []
    unread("未建模 LF-2 R4 因为 「没有这一读」")
    assert [fault.code for fault in check([tmp_path / "a.pai"]).faults] == ["N012"]
    unread("未建模 LF-2 R2 R3 因为 「手牌里看不出」")
    done = run("coverage", "a.pai", "--lang", "zh", folder=tmp_path)
    assert "没着落的读法" not in done.stdout
    unread("")
    assert "  LF-2  R2 R3  谁付" in run("coverage", "a.pai", "--lang", "zh", folder=tmp_path).stdout


def test_ranges_need_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.pai"
    path.write_text(BASE.replace("  出处 「SOURCES.md」\n", ""), encoding="utf-8")
    assert [fault.code for fault in check([path]).faults] == ["W002"]
