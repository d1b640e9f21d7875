"""`paigui verify` as SARIF, JUnit and HTML: the shapes are right, nothing is lost, nothing is loaded."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from tests.command import paigui as run
from tests.conftest import ROOT
from verifier import verify
from verifier.checking import Report
from verifier.outputs.html import page
from verifier.outputs.junit import junit
from verifier.outputs.sarif import sarif
from verifier.outputs.strips import hand_piles
from verifier.schemas import schema

SMALL = "tests/small/两句.pai"
CHECKS = ("V104", "V109", "V110", "V117", "V119")
BLAMED = """规则 断 继承 四家飞 {
  改 诈和.当 不够符：符 < 10
  断言 一 存在 形 且 符 > 54 答 有
  断言 二 验 V999 答 无
  断言 三 验 V101 答 有
}
"""


@cache
def small() -> Report:
    return verify(str(ROOT / SMALL), CHECKS)


@pytest.fixture
def blamed(tmp_path: Path) -> Report:
    """A finding that a statement expects, a refuted statement, an open one."""
    path = tmp_path / "断.pai"
    path.write_text(BLAMED, encoding="utf-8")
    return verify(str(path), ["V101", "V119"])


# ---------------------------------------------------------------- SARIF


def test_sarif_keeps_to_the_standard(blamed: Report) -> None:
    shape = json.loads((ROOT / "tests/unit/sarif.schema.json").read_text(encoding="utf-8"))
    for lang in ("zh", "en"):
        found = sarif([small(), blamed], lang)
        assert [f"{e.json_path}: {e.message}" for e in Draft202012Validator(shape).iter_errors(found)] == []
        run = found["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
        assert {r["id"] for r in rules} == {*CHECKS, "V101"}


def test_sarif_tells_of_clauses_witnesses_statements_and_open_questions(blamed: Report) -> None:
    run = sarif([blamed], "en")["runs"][0]
    first, refuted = run["results"]
    assert first["suppressions"] and "suppressions" not in refuted
    names = [place["logicalLocations"][0]["fullyQualifiedName"] for place in first["locations"]]
    assert names == ["和.门槛", "诈和.不够符"]
    ends = [unquote(place["physicalLocation"]["artifactLocation"]["uri"]) for place in first["locations"]]
    assert ends[0].endswith("game.pai") and ends[1].startswith("file:///") and ends[1].endswith("/断.pai")
    assert first["locations"][1]["physicalLocation"]["region"]["startLine"] == 2
    Draft202012Validator(schema("hand")).validate(first["properties"]["witness"])
    assert [s["got"] for s in run["properties"]["statements"]] == [False, None, True]
    assert "V999" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    titles = run["tool"]["driver"]["rules"][0]["properties"]["title"]
    assert set(titles) == {"zh", "en"}


# ---------------------------------------------------------------- JUnit


def test_junit_has_a_case_per_check_and_statement(blamed: Report) -> None:
    root = ElementTree.fromstring(junit([small(), blamed], "en").encode())
    suites = list(root)
    assert [suite.get("name") for suite in suites] == ["两句", "断"]
    assert [len(suite) for suite in suites] == [len(CHECKS) + 1, 2 + len(blamed.statements)]
    kinds = {case.get("name"): [child.tag for child in case] for case in suites[1]}
    assert kinds["V101 both a win and a false win"] == ["system-out"]
    assert kinds["V119 statement"] == ["failure", "error"]
    assert kinds["statement 一"] == ["failure"] and kinds["statement 二"] == ["error"]
    assert kinds["statement 三"] == []
    assert int(root.get("failures", 0)) == sum(int(suite.get("failures", 0)) for suite in suites) > 0


# ---------------------------------------------------------------- HTML


class _Tags(HTMLParser):
    """Tags must close in the order they open; nothing may be fetched."""

    EMPTY = frozenset({"meta", "br", "link", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not {"src", "href", "onclick"} & {name for name, _ in attrs}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def whole(text: str) -> list[str]:
    """The tags of a page that closes them all and loads nothing."""
    parser = _Tags()
    parser.feed(text)
    assert not parser.open and not re.search(r"https?:|url\(|@import", text)
    return parser.seen


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_html_stands_alone_and_speaks_one_language(lang: str, blamed: Report) -> None:
    text = page([small(), blamed], lang)  # type: ignore[arg-type]
    assert not {"script", "link", "img", "iframe"} & set(whole(text))
    assert f'<html lang="{lang}">' in text
    assert ("example: " in text, "例如：" in text) == (lang == "en", lang == "zh")


def test_html_draws_red_cards_and_prices(blamed: Report) -> None:
    text = page([small(), blamed], "en")
    assert '<div class="card red"><b>上</b>' in text and '<div class="card"><b>大</b>' in text
    assert '<div class="price">0</div>' in text and "<b>&#39;" not in text


def test_strips_show_exposed_melds_and_where_the_last_tile_came_from() -> None:
    laid = {"meld": "碰", "tiles": list("上上上"), "origins": ["起手", "起手", "他打"]}
    last = {"tile": "七", "from": "自摸"}
    hand = {"role": "闲", "laid": [laid], "hand": list("七十士大"), "last": last}
    piles = hand_piles(small().game, hand)
    assert ["".join(card.face for card in pile.cards) for pile in piles] == ["上上上", "大", "七十士", "七"]
    assert [card.origin for card in piles[0].cards] == ["", "", "他打"]
    assert (piles[0].name, piles[0].kind, piles[-1].kind) == ("碰", "laid", "last")
    assert piles[-1].cards[0].origin == "自摸" and piles[-1].cards[0].red and not piles[1].cards[0].red


def test_text_from_a_spec_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "坏.pai"
    path.write_text("规则 坏 继承 四家飞 { 断言 一「<b>&」存在 形 且 符 > 54 答 有 }", encoding="utf-8")
    report = verify(str(path), ["V119"])
    assert "&lt;b&gt;&amp;" in page([report], "zh") and "<b>&" not in page([report], "zh")
    ElementTree.fromstring(junit([report], "zh").encode())


# ---------------------------------------------------------------- the command


def test_output_goes_to_a_file_and_the_exit_code_stays(tmp_path: Path) -> None:
    spec = str(ROOT / SMALL)
    done = run("verify", spec, "--only", "V104", "--format", "sarif", "--output", "a.sarif", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads((tmp_path / "a.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    both = [run("verify", spec, "--only", "V104", *form, folder=tmp_path) for form in (["--json"], FORM)]
    assert both[0].stdout == both[1].stdout and json.loads(both[0].stdout)


FORM = ["--format", "json"]
