"""The page of findings for those who keep a game: both languages, hands, readings, statements, no clock."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dsl
from dsl.front.load import Library
from tests.conftest import ROOT
from verifier import verify
from verifier.checking import Report
from verifier.other_readings import Readings
from verifier.outputs.findings_markdown import digest, made_from, page
from verifier.report import WAYS

TITLE = ("查出了什么", "what was found")
BLAMED = """规则 断「甲|乙」 继承 四家飞 {
  改 诈和.当 不够符：符 < 10  依 X-15
  断言 一「素符也和」存在 和 且 素符 且 符 < 10 答 有
  断言 二 于 NW-03 = R1 存在 分符 答 有
  断言 三 验 V101 答 有
  断言 四 验 V999 答 无
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("断")


@pytest.fixture(scope="module")
def blamed(folder: Path) -> Report:
    return checked(folder, BLAMED)


@pytest.fixture(scope="module")
def shown(blamed: Report) -> str:
    return page([blamed], TITLE)


def checked(folder: Path, text: str) -> Report:
    path = folder / f"{digest([dsl.loads(text).core])}.pai"
    path.write_text(text, encoding="utf-8")
    return verify(str(path), ["V101", "V119"])


def test_a_finding_is_told_in_both_languages_with_its_clauses_and_hand(shown: str) -> None:
    text = shown
    assert "**错误**（断言 `三` 已料到）：同一手牌既是和，又因 `诈和.不够符` 算诈和<br>\n**error**" in text
    assert r"- `诈和.不够符` 改 诈和.当 不够符：符 &lt; 10 〔X-15〕" in text
    block = re.search(r"```text\n例如：(.*)\n(.*)\n合计 符 0\n```", text)
    assert block is not None and "末张 七（自摸）" in block[1] and "句 七十士 0 · " in block[2]
    assert r"断「甲\|乙」" in text and "没有答案" in text


def test_readings_that_judge_the_hand_otherwise_stand_below_it(blamed: Report, shown: str) -> None:
    finding = blamed.findings[0]
    assert finding.example is not None
    readings = Readings(blamed.game, dsl.Loader())
    hand = finding.example.hand
    told = re.findall(r"^\| (\S+) = (\S+) \| .* \| (和|诈和) \w+ ?\w* \| (\d+) \|", shown, re.MULTILINE)
    found = [(o.choice.name, o.value, o.verdict.win, o.verdict.score) for o in readings.others(hand)]
    assert [(name, value, word == "和", int(score)) for name, value, word, score in told] == found
    assert ("NW-21", "R2", True, 4) in found
    default = readings.usual(hand)
    assert default is not None and f"| 默认 default |  | 和 win | {default.score} |" in shown
    assert list(readings.others({"hand": ["上"]})) == []


def test_statements_are_a_table(shown: str) -> None:
    rows = re.findall(r"^\| (一|二|三|四) \| (.*) \| ([^|]+) \|$", shown, re.MULTILINE)
    assert [row[:2] for row in rows] == [
        ("一", "素符也和<br>存在 和 且 素符 且 符 &lt; 10 | 有 some | 有 some"),
        ("二", "于 NW-03 = R1 存在 分符 | 有 some | 无 none ✗"),
        ("三", "验 V101 | 有 some | 有 some"),
        ("四", "验 V999 | 无 none | ?"),
    ]
    ways = {f"{zh} {en}" for zh, en in WAYS.values()}
    assert {row[2] for row in rows} <= ways and rows[2][2] == "查验 check"


def test_what_a_second_ruleset_shares_is_not_told_twice(folder: Path, blamed: Report) -> None:
    other = checked(folder, "规则 又 继承 四家飞 { 改 诈和.当 不够符：符 < 10 }")
    text = page([blamed, other], TITLE)
    assert text.count("### V101") == 1 and "另有 1 条同上面一样：V101<br>\n1 more are as above: V101" in text


def test_same_input_same_page_and_no_clock(folder: Path, shown: str) -> None:
    again = checked(folder, BLAMED)
    assert page([again], TITLE) == shown
    assert not re.search(r"\d 秒|\d s\b|second", shown)


def test_the_digest_follows_the_rules_and_not_their_layout(shown: str) -> None:
    game = dsl.loads(BLAMED).core
    assert made_from(shown) == digest([game])
    moved = BLAMED.replace("规则 断", "// 说明\n\n规则 断").replace("依 X-15", "依 X-15  // 原文")
    assert digest([dsl.loads(moved).core]) == digest([game])
    for old, new in (("符 < 10  依", "符 < 9  依"), ("验 V101 答 有", "验 V101 答 无"), ("X-15", "X-34")):
        assert digest([dsl.loads(BLAMED.replace(old, new)).core]) != digest([game])
    assert made_from("# 没有") is None


def test_pages_of_the_shipped_games_name_every_statement() -> None:
    """Whether they are fresh, `tests/house/test_docs.py` asks."""
    loader = dsl.Loader()
    for path in sorted((ROOT / "specs").glob("*/*/FINDINGS.md")):
        text = path.read_text(encoding="utf-8")
        named = set(re.findall(r"^\| ([^|]+?) \| ", text, re.MULTILINE))
        for spec in sorted(path.parent.glob("*.pai")):
            for ruleset in (r for r in Library().read(spec) if not r.template):
                statements = loader.load(f"{spec}#{ruleset.name}").core.statements
                assert {s.id for s in statements if not s.printed} <= named
