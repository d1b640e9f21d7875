"""`paigui verify` and `paigui explain`: exit codes and shapes of what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.command import paigui
from verifier.schemas import schema

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, messages in English."""
    code = "from verifier.cli import main; main()"
    known = {**os.environ, "PAIGUI_LANG": "en", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, env=known, capture_output=True, encoding="utf-8"
    )


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "漏抄.pai"
    path.write_text("规则 漏抄 继承 四家飞 { 改 诈和.当 不够符：符 < 10 }", encoding="utf-8")
    return path


def test_findings_exit_with_1_and_have_the_promised_keys(spec: Path) -> None:
    done = run("verify", spec.name, "--only", "v101，V105", "--json", folder=spec.parent)
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert set(data) == {"findings", "statements", "unknown"}
    finding = data["findings"][0]
    assert {"code", "severity", "game", "title", "rules", "witness", "verdicts"} <= set(finding)
    assert {"name", "file", "line", "cites"} <= set(finding["rules"][0])
    assert finding["code"] == "V101" and finding["witness"]["last"] == {"tile": "七", "from": "自摸"}


def test_information_alone_is_no_failure(spec: Path) -> None:
    assert paigui("verify", "四家飞", "--only", "V105", folder=spec.parent).returncode == 0


def test_what_a_statement_expects_is_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "知.pai"
    path.write_text("规则 知 继承 四家飞 { 断言 一 验 V109 答 有 }", encoding="utf-8")
    done = paigui("verify", path.name, "--only", "V109,V119", folder=tmp_path)
    assert done.returncode == 0 and "(a statement expects it)" in done.stdout


def test_a_refuted_expectation_exits_with_1_and_an_open_one_with_4(tmp_path: Path) -> None:
    path = tmp_path / "断.pai"
    path.write_text("规则 断 继承 四家飞 { 断言 一 存在 形 且 符 > 54 答 有 }", encoding="utf-8")
    assert paigui("verify", path.name, "--only", "V119", folder=tmp_path).returncode == 1
    path.write_text("规则 断 继承 四家飞 { 断言 一 验 V999 答 无 }", encoding="utf-8")
    assert paigui("verify", path.name, "--only", "V119", folder=tmp_path).returncode == 4


def test_a_spec_that_does_not_load_exits_with_3(tmp_path: Path) -> None:
    path = tmp_path / "坏.pai"
    path.write_text("规则 坏 继承 没有这家 { }", encoding="utf-8")
    assert paigui("verify", path.name, folder=tmp_path).returncode == 3


def test_a_folder_means_all_its_games_but_no_templates(tmp_path: Path) -> None:
    (tmp_path / "底.pai").write_text("底本 底子 继承 上大人十九张 { 座 { 庄 19；闲 18 } }", encoding="utf-8")
    two = "规则 甲 继承 四家飞 { 座 {} }\n规则 乙 继承 四家飞 { 座 {} }"
    (tmp_path / "二.pai").write_text(two, encoding="utf-8")
    done = paigui("verify", ".", "--only", "V106", folder=tmp_path)
    assert done.returncode == 0 and "甲" in done.stdout and "乙" in done.stdout


def test_an_unknown_check_is_wrong_usage(spec: Path) -> None:
    done = run("verify", spec.name, "--only", "V000", folder=spec.parent)
    assert done.returncode == 2 and "V101" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("verify", "知.pai", "--only", " , "), "names no check"),
        (("verify", "知.pai", "--json", "--format", "sarif"), "`--json` does not go with `--format sarif`"),
        (("diff", "知.pai", "知.pai", "--json", "--format", "html"), "does not go with"),
        (("verify", ""), "a path is empty"),
        (("fmt", ""), "a path is empty"),
        (("judge", "四家飞", "--hand", "deep.json"), "nested too deep"),
        (("judge", "四家飞[人数=4,人数=3]", "--hand", "deep.json"), "unknown option"),
        (("judge", "十符硬[人数=4,人数=3]", "--hand", "deep.json"), "cannot be `4，3`"),
    ],
)
def test_calls_that_contradict_themselves(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    (tmp_path / "知.pai").write_text("规则 知 继承 四家飞 { 断言 一 验 V109 答 有 }", encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 5000, encoding="utf-8")
    done = run(*arguments, folder=tmp_path)
    assert done.returncode in (2, 3) and says in done.stderr and "internal" not in done.stderr
    assert (tmp_path / "知.pai").read_text(encoding="utf-8").startswith("规则 知 继承 四家飞 { 断言")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("no/x.json", "there is no folder `no`"),
        ("知.pai/x.json", "there is no folder `知.pai`"),
        ("sub", "`sub` is a folder and no file"),
        ("round", "the links of `round` lead round"),
        (" ", "a path is empty"),
    ],
)
@pytest.mark.parametrize("option", ["--output", "--write-test"])
def test_a_place_that_nothing_can_be_written_to_is_told_before_the_work(
    tmp_path: Path, option: str, place: str, says: str
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "知.pai").write_text("规则 知 继承 四家飞 { 断言 一 验 V999 答 无 }", encoding="utf-8")
    done = paigui("verify", "知.pai", "--only", "V119", option, place, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "") and says in done.stderr


def test_a_game_named_twice_is_verified_once(tmp_path: Path) -> None:
    (tmp_path / "里").mkdir()
    (tmp_path / "外").symlink_to("里")
    (tmp_path / "里/甲.pai").write_text("规则 甲 继承 十符硬 { 座 {} }", encoding="utf-8")
    words = ("里", "外/甲.pai", "./里/甲.pai[人数=4]", "里/甲.pai[人数=3]")
    done = paigui("verify", *words, "--only", "V106", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.count("里/甲.pai") == 2
    assert "甲  里/甲.pai" in done.stdout and "甲[人数=3]  里/甲.pai" in done.stdout


def test_two_choices_of_one_game_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "甲.pai").write_text("规则 甲 继承 十符硬 { 改 价.符.碰 缺 2 }", encoding="utf-8")
    words = ("verify", "甲.pai", "甲.pai[人数=3]", "--only", "V106")
    told = json.loads(paigui(*words, "--json", folder=tmp_path).stdout)["findings"]
    assert [(f["game"], f.get("options")) for f in told] == [("甲", None), ("甲", {"人数": "3"})]
    assert all(not list(Draft202012Validator(schema("finding")).iter_errors(finding)) for finding in told)
    sarif = json.loads(paigui(*words, "--format", "sarif", folder=tmp_path).stdout)
    assert len({str(r["partialFingerprints"]) for r in sarif["runs"][0]["results"]}) == 2
    assert 'testsuite name="甲[人数=3]"' in paigui(*words, "--format", "junit", folder=tmp_path).stdout
    assert "甲[人数=3]" in paigui(*words, "--format", "html", folder=tmp_path).stdout


def test_all_that_does_not_load_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "甲.pai").write_text("规则 甲 继承 没有 {}", encoding="utf-8")
    done = paigui("verify", "没有.pai", "甲.pai", "十符硬", "十符硬[人数=9]", folder=tmp_path)
    assert done.returncode == 3 and done.stdout == ""
    assert all(code in done.stderr for code in ("U002", "N007", "N010")) and "3 errors" in done.stderr


def test_a_dash_is_stdout(tmp_path: Path) -> None:
    (tmp_path / "知.pai").write_text("规则 知 继承 四家飞 {}", encoding="utf-8")
    done = paigui("verify", "知.pai", "--only", "V106", "--json", "--output", "-", folder=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout)["findings"] == []
    assert [p.name for p in tmp_path.iterdir()] == ["知.pai"]


def test_explain_prints_a_page_and_lists_the_checks(tmp_path: Path) -> None:
    assert run("explain", "v109", folder=tmp_path).stdout.startswith("# V109 order broken")
    assert "V101  both a win and a false win" in run("explain", folder=tmp_path).stdout
    assert run("explain", "V000", folder=tmp_path).returncode == 2
