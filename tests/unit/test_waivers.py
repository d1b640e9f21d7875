"""Waivers: what stands is shown with its reason, counts for nothing, and is told of once it is stale."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import dsl
from dsl.front.format import format_source
from dsl.text.source import Source
from tests.conftest import ROOT
from verifier import verify
from verifier.checking import Report
from verifier.cli import group
from verifier.cli.verify import reports_json
from verifier.outputs.html import page
from verifier.outputs.junit import junit
from verifier.outputs.sarif import sarif
from verifier.report import report_text
from verifier.schemas import schema

BASE = ROOT / "tests/small/两句.pai"
HEAD = f"继承 「{BASE}#两句」"
ROW, WAIT = "9ac56ea3", "2da00827"
"""V104 of 两句: the row 招.裸, the wait 满滚."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(folder: Path, text: str, *checks: str, options: dict[str, str] | None = None) -> Report:
    (folder / "豁.pai").write_text(text, encoding="utf-8")
    return verify(str(folder / "豁.pai"), checks or ("V104", "V123"), options)


def prints(found: Report) -> list[str]:
    return [f.fingerprint for f in found.findings]


def paigui(*words: str) -> Result:
    return CliRunner().invoke(group, list(words))


def both(folder: Path) -> Report:
    """One finding waived, one not."""
    return report(folder, f"规则 豁 {HEAD} {{ 豁免 V104 {ROW}「X-16：原文如此，照印」 }}")


# ---------------------------------------------------------------- what a waiver does


def test_a_waived_finding_presses_nobody(here: Path) -> None:
    found = both(here)
    assert [(f.fingerprint, f.waived) for f in found.findings] == [
        (ROW, "X-16：原文如此，照印"),
        (WAIT, None),
    ]
    assert [f.fingerprint for f in found.pressing] == [WAIT]
    assert paigui("verify", "豁.pai", "--only", "V104,V123").exit_code == 1
    report(here, f"规则 豁 {HEAD} {{ 豁免 V104 {ROW}「甲」；豁免 V104 {WAIT}「乙」 }}")
    assert paigui("verify", "豁.pai", "--only", "V104,V123").exit_code == 0


def test_waivers_are_inherited_changed_removed_and_chosen(here: Path) -> None:
    text = f"""规则 甲 {HEAD} {{ 豁免 V104 {ROW}「甲」 }}
规则 豁 继承 甲 {{
  选项 新 否 | 是 | 换
  若 新 = 是 {{ 删 豁免.V104.{ROW}；豁免 V104 {WAIT}「乙」 }}
  若 新 = 换 {{ 改 豁免.V104.{ROW}「丙」 }}
}}"""
    (here / "豁.pai").write_text(text, encoding="utf-8")
    waived = {
        new: [f.waived for f in verify("豁.pai#豁", ["V104", "V123"], {"新": new}).findings]
        for new in ("否", "是", "换")
    }
    assert waived == {"否": ["甲", None], "是": [None, "乙"], "换": ["丙", None]}


def test_waivers_are_no_clauses_of_play(here: Path) -> None:
    found = both(here)
    assert found.game.rules == dsl.load(str(BASE)).core.rules
    assert [w.rule.name for w in found.game.waivers] == [f"豁免.V104.{ROW}"]


def test_layout_and_the_other_language_keep_a_waiver() -> None:
    text = "规则 豁 {\n  豁免  V104   9ac56ea3 「照印」  依 X-16\n  若 新 = 是 { 删 豁免.V104.9ac56ea3 }\n}\n"
    english, faults = format_source(Source("", text), "en")
    assert not faults and '  waive V104 9ac56ea3 "照印"  cites X-16\n' in english
    assert "remove waive.V104.9ac56ea3" in english
    again, _ = format_source(Source("", english), "zh")
    assert "  豁免 V104 9ac56ea3「照印」  依 X-16\n" in again
    assert format_source(Source("", again), "en")[0] == english


# ---------------------------------------------------------------- stale ones


def test_a_stale_waiver_is_a_finding_that_lists_what_there_is(here: Path) -> None:
    found = report(here, f"规则 豁 {HEAD} {{ 豁免 V104 3f9a2c1b「旧」；豁免 V104 {ROW}「新」 }}")
    (stale,) = (f for f in found.findings if f.code == "V123")
    assert stale in found.pressing and [r.name for r in stale.rules] == ["豁免.V104.3f9a2c1b"]
    assert "is stale" in stale.sentence[1]
    assert [line[0].partition("：")[0] for line in stale.verdicts] == [f"`{WAIT}`"]


def test_an_unknown_check_is_a_finding_with_advice(here: Path) -> None:
    found = report(here, f"规则 豁 {HEAD} {{ 豁免 V999 3f9a2c1b「甲」；豁免 V194 3f9a2c1b「乙」 }}", "V123")
    assert [f.sentence[1] for f in found.findings] == [
        "there is no check `V999`",
        "there is no check `V194`",
    ]
    assert found.findings[1].help == ("是不是 `V104`？", "did you mean `V104`?")


def test_waivers_not_in_force_and_of_checks_on_request_are_not_stale(here: Path) -> None:
    text = f"规则 豁 {HEAD} {{ 若 底 = 3 {{ 豁免 V104 3f9a2c1b「甲」 }}；豁免 V116 3f9a2c1b「乙」 }}"
    assert not report(here, text, "V123").findings
    assert [f.code for f in report(here, text, "V123", options={"底": "3"}).findings] == ["V123"]


# ---------------------------------------------------------------- fingerprints


def test_fingerprints_do_not_depend_on_place_language_and_other_clauses(here: Path) -> None:
    text = BASE.read_text(encoding="utf-8")
    plain = prints(report(here, text, "V104"))
    assert plain == [ROW, WAIT]
    english, _ = format_source(Source("", "// 一\n// 二\n" + text.replace("规则 两句", "规则 别名")), "en")
    assert prints(report(here, english, "V104")) == plain
    more = text.replace("  落叫 {", "  名 { 又一个：有 将 倍 2 }\n  落叫 {")
    assert prints(report(here, more, "V104")) == plain


def test_another_price_is_another_finding(here: Path) -> None:
    def of(points: int) -> list[str]:
        return prints(report(here, f"规则 豁 {HEAD} {{ 改 价.符.绍 6 {points} }}", "V109"))

    assert len(of(1)) == 1 and of(1) != of(0)


# ---------------------------------------------------------------- what is shown


def test_text_shows_it_shortly_and_offers_a_waiver_for_the_rest(here: Path) -> None:
    found = both(here)
    zh, en = report_text(found, "zh"), report_text(found, "en")
    assert "已豁免[V104]：`价.符.招.裸` 这一行从来不计" in zh
    assert "  理由：X-16：原文如此，照印  豁.pai:1:" in zh
    assert "1 个警告，1 个已豁免；" in zh and "1 warning, 1 waived; " in en
    assert f"要留着就写：豁免 V104 {WAIT}「……」" in zh and f'waive V104 {WAIT} "……"' in en
    assert f"豁免 V104 {ROW}" not in zh
    assert found.findings[0].rules[0].text not in zh


def test_what_is_pasted_still_wants_a_reason(here: Path) -> None:
    line = report_text(both(here), "zh").partition("要留着就写：")[2].partition("\n")[0]
    with pytest.raises(dsl.SpecError) as caught:
        report(here, f"规则 豁 {HEAD} {{ {line} }}")
    assert [f.code for f in caught.value.diagnostics] == ["N022"]


def test_json_sarif_junit_and_html(here: Path) -> None:
    found = both(here)
    data = json.loads(json.dumps(reports_json([found], "zh")))
    assert [f["waived"] for f in data["findings"]] == ["X-16：原文如此，照印", None]
    Draft202012Validator(schema("verify")).validate(data)
    first, second = sarif([found], "zh")["runs"][0]["results"]
    assert first["suppressions"] == [{"kind": "inSource", "justification": "X-16：原文如此，照印"}]
    assert "suppressions" not in second
    root = ElementTree.fromstring(junit([found], "zh").encode())
    assert root.get("failures") == "1" and root.get("skipped") == "0"
    text = page([found], "zh")
    assert "已豁免：X-16：原文如此，照印" in text and f"要留着就写：豁免 V104 {WAIT}" in text


def test_junit_skips_a_check_of_which_all_is_waived(here: Path) -> None:
    found = report(here, f"规则 豁 {HEAD} {{ 豁免 V104 {ROW}「甲」；豁免 V104 {WAIT}「乙」 }}", "V104")
    root = ElementTree.fromstring(junit([found], "zh").encode())
    assert (root.get("failures"), root.get("skipped")) == ("0", "1")
    (skipped,) = root.iter("skipped")
    assert skipped.get("message") == f"{ROW} 甲 · {WAIT} 乙"


# ---------------------------------------------------------------- written by the command


def write(folder: Path) -> Path:
    path = folder / "豁.pai"
    path.write_text(f"规则 豁 {HEAD} {{\n  // 留着\n}}\n", encoding="utf-8")
    return path


def test_the_command_writes_a_waiver_that_takes(here: Path) -> None:
    path = write(here)
    words = ("--only", "V104", "--waive", ROW, "--reason", "照「印」", "--lang", "zh")
    done = paigui("verify", "豁.pai", *words)
    assert done.exit_code == 0
    assert path.read_text(encoding="utf-8").endswith(f"  // 留着\n  豁免 V104 {ROW}「照『印』」\n}}\n")
    assert [f.waived for f in verify("豁.pai", ["V104"]).findings] == ["照『印』", None]


def test_lines_end_as_they_did(here: Path) -> None:
    path = write(here)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert paigui("verify", "豁.pai", "--only", "V104", "--waive", ROW, "--reason", "甲").exit_code == 0
    after = path.read_bytes()
    assert ROW.encode() in after and after.count(b"\n") == after.count(b"\r\n") == 4


def test_under_options_it_is_written_inside_if(here: Path) -> None:
    path = write(here)
    words = ("--only", "V104", "--waive", ROW, "--reason", "x", "--lang", "zh")
    assert paigui("verify", "豁.pai[底=3]", *words).exit_code == 0
    assert f"  若 底 = 3 {{ 豁免 V104 {ROW}「x」 }}\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("--waive", "3f9a2c1b", "--reason", "甲"),
        ("--waive", ROW),
        ("--reason", "甲"),
        ("--waive", ROW, "--reason", "……"),
    ],
    ids=["no such finding", "no reason", "no finding", "empty reason"],
)
def test_what_cannot_be_waived_is_wrong_usage(here: Path, words: tuple[str, ...]) -> None:
    path = write(here)
    before = path.read_text(encoding="utf-8")
    with pytest.raises(Exception) as caught:
        group.main(["verify", "豁.pai", "--only", "V104", *words], standalone_mode=False)
    assert type(caught.value).__name__ == "Usage" and path.read_text(encoding="utf-8") == before


def test_twice_and_in_several_games_is_wrong_usage(here: Path) -> None:
    path = write(here)
    words = ["--only", "V104", "--waive", ROW, "--reason", "甲"]
    with pytest.raises(Exception, match=r"several games|不止一套"):
        group.main(["verify", "豁.pai", str(BASE), *words], standalone_mode=False)
    both(here)
    assert path.read_text(encoding="utf-8").count("豁免") == 1
    with pytest.raises(Exception, match=r"waived already|已经豁免"):
        group.main(["verify", "豁.pai", *words], standalone_mode=False)
