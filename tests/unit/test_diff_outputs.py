"""`paigui diff` as Markdown for a pull request and as a page."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from dsl import loads
from dsl.text.codes import Lang
from tests.command import paigui as run
from tests.conftest import ROOT
from tests.unit.test_outputs import whole
from verifier import diff
from verifier.difference import Difference
from verifier.difference_words import hand_line, labels
from verifier.outputs.diff_html import page
from verifier.outputs.markdown import markdown

SMALL = str(ROOT / "tests/small/两句.pai")


@cache
def found() -> Difference:
    return diff(SMALL, f"{SMALL}[底=3]")


def test_sides_are_told_apart_by_what_differs(tmp_path: Path) -> None:
    assert labels(found()) == ("两句[底=5]", "两句[底=3]")
    assert labels(diff(SMALL, "四家飞")) == ("两句", "四家飞")
    copy = tmp_path / "a.pai"
    copy.write_text(Path(SMALL).read_text(encoding="utf-8"), encoding="utf-8")
    assert labels(diff(SMALL, str(copy)))[1] == f"两句（{copy}）"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_markdown_has_tables_and_folded_witnesses(lang: Lang) -> None:
    text = markdown(found(), lang)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {row.replace("\\|", "").count("|") for row in rows} == {4, 5}
    assert text.count("<details>") == text.count("</details>") == 1
    assert text.count("```") == 2 and re.search(r"```text\n庄：上大人 七七十士 ｜ ← 十（自摸）\n", text)
    assert "**和.门槛**" in text and {"zh": "诈和，3 符", "en": "a false win, 3 符"}[lang] in text


def test_markdown_takes_marks_of_a_spec_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.pai"
    path.write_text("规则 两句 继承 「两句.pai」 { 改 和.须 门槛：2 * 符 < 9 * 口 }", encoding="utf-8")
    (tmp_path / "两句.pai").write_text(Path(SMALL).read_text(encoding="utf-8"), encoding="utf-8")
    assert "门槛：2 \\* 符 &lt; 9 \\* 口" in markdown(diff(SMALL, str(path)), "zh")


def test_nothing_differs() -> None:
    same = diff(SMALL, SMALL)
    assert "No clause differs." in markdown(same, "en") and "<details>" not in markdown(same, "en")
    assert "条文没有不同。" in page(same, "zh")


def test_other_decks_are_said_to_be_incomparable() -> None:
    other = diff(SMALL, "四家飞")
    assert "the decks differ" in markdown(other, "en") and "the decks differ" in page(other, "en")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_page_judges_strips_on_both_sides(lang: Lang) -> None:
    text = page(found(), lang)
    assert "script" not in whole(text) and text.count('<div class="sides">') == 1
    sides = text.split('<div class="sides">')[1].split("</section>")[0]
    assert sides.count('<div class="piles">') == 2 and 'class="card red"><b>上</b>' in sides
    assert '<div class="price">3</div>' in sides and "<del>须 门槛：符 ≥ 5" in text


def test_the_command_writes_to_a_file(tmp_path: Path) -> None:
    done = run("diff", SMALL, f"{SMALL}[底=3]", "--format", "html", "--output", "a.html", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


WILD = """
规则 甲 {
  牌 { 房 上大人 丘乙己；每张 4；赖 神 %s }
  座 { 庄 5；闲 4 }
  牌型 { 句 a b c 作 1组；对 a a 作 1对 }
  价 分 { 句 1；对 0 }
  和 { 形 1组 1对 }
  名 { %s }
}
"""


@pytest.mark.parametrize(
    ("wild", "name", "shown"),
    [
        ("每张 2", "加一：末张 神", "← 神（自摸）"),
        ("随 翻", "加一：末张 神", "← 大（自摸）"),
        ("每张 2", "加一：数 神 = 2", "神＝神神"),
        ("随 翻", "加一：数 神 = 2", "神＝大大"),
    ],
)
def test_wild_tiles_are_shown_in_words(wild: str, name: str, shown: str) -> None:
    left, right = (loads(WILD % (wild, names)) for names in ("素：假", f"素：假；{name}"))
    (item,) = diff(left, right).aspects["names"].classes
    assert shown in hand_line(item.right, "zh")
    assert shown in markdown(diff(left, right), "zh")
