"""`paigui matrix`: one hand under many rulesets, each row what `judge` says, unreadable ones among them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import dsl
from dsl.cli.variants import labels, variants
from dsl.front.load import Library
from dsl.text.display import display_width
from tests.command import paigui as run
from tests.conftest import ROOT
from tests.unit.test_schemas import agrees

NINE = ROOT / "examples/hands/nine.json"
SPECS = ["specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei"]
BROKEN = "规则 坏 继承 没有这家 { }"


def rows(*words: str, code: int = 0, folder: Path = ROOT) -> list[dict[str, Any]]:
    done = run("matrix", *words, "--json", folder=folder)
    assert done.returncode == code, done.stderr
    data = json.loads(done.stdout)
    agrees("matrix", data)
    return list(data["rows"])


def test_every_row_is_what_the_judge_says() -> None:
    found = rows("--hand", str(NINE), *SPECS, "四家飞[X-01=R2,X-02=R2]", "--options")
    hand = json.loads(NINE.read_text(encoding="utf-8"))
    names = ["十符硬", "十符硬[人数=3]", "四家飞照印", "四家飞", "四家飞[X-01=R2,X-02=R2]"]
    assert [row["label"] for row in found] == names
    for row in found:
        verdict = dsl.load(f"{row['file']}#{row['game']}", row["options"]).judge(hand)
        expected = verdict.to_json("en")
        keys = ("verdict", "score", "names", "points", "complete", "payments")
        assert {key: row[key] for key in keys} == {key: expected[key] for key in keys}
        assert row["payment"] == expected["payments"]["闲1"] == verdict.own
        assert bool(row["refused_by"]) is not verdict.win and row["errors"] == []
    assert [row["refused_by"][0]["rule"] for row in found if row["refused_by"]] == ["和.门槛"] * 3


def test_what_is_not_as_in_most_rows_is_named() -> None:
    found = rows("--hand", str(NINE), "十符硬", "specs/hunan/sijiafei")
    assert [row["differs"] for row in found] == [["verdict", "score", "names", "points", "payment"], [], []]
    tie = rows("--hand", str(NINE), "十符硬", "四家飞")
    assert [row["differs"] for row in tie] == [[], ["verdict", "score", "names", "points", "payment"]]


def test_a_called_name_that_does_not_hold_is_refused_by_its_clause(tmp_path: Path) -> None:
    hand = {**json.loads(NINE.read_text(encoding="utf-8")), "declare": ["大符"]}
    (tmp_path / "h.json").write_text(json.dumps(hand), encoding="utf-8")
    (row,) = rows("--hand", "h.json", "十符硬", folder=tmp_path)
    assert [reason["rule"] for reason in row["refused_by"]] == ["和.喊准"]


def test_rows_that_cannot_be_do_not_spoil_the_others(tmp_path: Path) -> None:
    (tmp_path / "坏.pai").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "好.pai").write_text("规则 好 继承 四家飞 { 调 和.门槛 10 → 9 }", encoding="utf-8")
    words = (
        "--hand",
        str(NINE),
        ".",
        str(ROOT / "tests/small/两句.pai"),
        "没这名",
        "四家飞[人数=3]",
        "上大人十九张",
    )
    found = rows(*words, code=3, folder=tmp_path)
    told = [(row["game"], row["verdict"], [e["code"] for e in row["errors"]][:1]) for row in found]
    assert told == [
        ("坏", None, ["N007"]),
        ("好", "win", []),
        ("两句", None, ["H003"]),
        ("没这名", None, ["U001"]),
        ("四家飞", None, ["N009"]),
        ("上大人十九张", None, ["N015"]),
    ]
    done = run("matrix", *words, folder=tmp_path)
    assert done.returncode == 3 and "error[N007]" in done.stderr
    assert re.search(r"^两句 +unread .*H003 unknown tile", done.stdout, re.MULTILINE)
    assert done.stdout.splitlines()[-1] == "6 rulesets: 1 win, 1 unread, 4 no rules"


def test_only_unreadable_rows_are_no_failure(tmp_path: Path) -> None:
    waiting = str(ROOT / "examples/hands/waiting.json")
    assert [row["errors"][0]["code"] for row in rows("--hand", waiting, "四家飞", "十符硬")] == ["H005"] * 2
    (tmp_path / "h.json").write_text("[1]", encoding="utf-8")
    assert rows("--hand", "h.json", "四家飞", folder=tmp_path)[0]["errors"][0]["code"] == "H002"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_columns_stand_under_each_other(lang: str) -> None:
    words = ("--hand", str(NINE), "--lang", lang, "specs/*/s*/**", "tests/small/两句.pai")
    first, second = (run("matrix", *words, folder=ROOT) for _ in range(2))
    assert first.returncode == 0 and first.stdout == second.stdout
    head, *lines = first.stdout.split("\n\n")[0].splitlines()
    last = head.index("不和的条文" if lang == "zh" else "refused by")
    refused = [line for line in lines if "和.门槛" in line]
    assert refused
    for line in refused:
        cut = re.search(r"(门槛|H003)", line)
        assert cut is not None and display_width(line[: cut.start()]) == display_width(head[:last])


def test_bad_calls(tmp_path: Path) -> None:
    for words in (("四家飞",), ("--hand", str(NINE)), ("--hand", "no", "四家飞")):
        assert run("matrix", *words, folder=tmp_path).returncode == 2
    assert run("matrix", "--hand", str(NINE), "x*", folder=tmp_path).returncode == 3


def test_variants_come_once_and_are_told_apart(tmp_path: Path) -> None:
    text = (ROOT / "tests/small/两句.pai").read_text(encoding="utf-8")
    for name in ("a.pai", "b.pai"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = list(variants([str(tmp_path), str(tmp_path / "a.pai"), str(tmp_path / "*.pai")], True, Library()))
    assert len({(v.file, tuple(v.changed.items())) for v in found}) == len(found)
    assert len(set(labels(found))) == len(found)
    assert {v.file for v in found} == {str(tmp_path / "a.pai"), str(tmp_path / "b.pai")}
    settled = list(variants(["十符硬[人数=3]"], True, Library()))
    assert [dict(v.changed) for v in settled] == [{"人数": "3"}]
