"""`paigui verify --across`: the matrix, the hand that parts each pair, words that mean two things."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import dsl
from dsl.cli.test import cases_of
from dsl.text.codes import Lang
from dsl.text.display import display_width
from tests.command import paigui as run
from tests.conftest import ROOT
from tests.unit.test_schemas import agrees
from verifier.family import Family, across, family_labels
from verifier.family_words import SIGNS, family_json, family_text, matrix_text, relations
from verifier.findings import Finding
from verifier.kept import append, of_family
from verifier.outputs.family_html import page as html
from verifier.outputs.family_markdown import markdown
from verifier.pages import page_of
from verifier.properties import FAMILY, codes, usual_codes

PATH = ROOT / "tests/small/两句.pai"
SMALL = PATH.read_text(encoding="utf-8")


def changed(clauses: str, name: str = "两句") -> str:
    """The small ruleset with further clauses."""
    return f"{SMALL.rstrip().removesuffix('}')}{clauses}}}\n".replace("规则 两句", f"规则 {name}")


@cache
def family(*texts: str) -> Family:
    return across([dsl.loads(text) for text in texts])


@cache
def three() -> Family:
    """One ruleset under its two options, and a neighbour that is stricter and calls other hands 清."""
    strict = dsl.loads(changed("改 和.须 门槛：符 ≥ 9 除非 素\n改 名.清：无 碰 招 倍 2\n", "邻县两句"))
    return across([dsl.load(str(PATH)), dsl.load(f"{PATH}[底=3]"), strict])


def warnings(found: Family) -> list[Finding]:
    return [finding for finding in found.findings() if finding.severity == "warning"]


# ---------------------------------------------------------------- what is found


def test_a_hand_that_wins_in_one_game_only() -> None:
    (finding,) = family(SMALL, changed("改 和.须 门槛：符 ≥ 9 除非 素\n")).findings()
    assert finding.code == FAMILY and finding.severity == "warning"
    assert finding.example is not None and len(finding.verdicts) == 2
    assert "a win" in finding.verdicts[0][1] and "a false win" in finding.verdicts[1][1]
    assert "和.门槛" in [rule.name for rule in finding.rules]


def test_words_that_mean_two_things() -> None:
    other = changed("改 名.清：无 碰 招 倍 2\n改 牌型.句 又名 整\n改 落叫.双口 1组 2口 等 口 句\n")
    said = {f.sentence[1].split("`")[1] for f in warnings(family(changed("改 牌型.口 又名 整\n"), other))}
    assert {"清", "整", "双口"} <= said and len(said) <= 4


def test_a_word_is_told_once_and_those_who_agree_on_it_together() -> None:
    (finding,) = [f for f in warnings(three()) if "`清`" in f.sentence[0]]
    assert finding.sentence[0] == "`清` 在`两句[底=5]`＝`两句[底=3]`、`邻县两句` 里不是一回事"
    assert [line[1].partition(":")[0] for line in finding.verdicts] == [
        "`两句[底=5]`, `两句[底=3]`",
        "`邻县两句`",
    ]


def test_a_game_and_itself_agree() -> None:
    (finding,) = family(SMALL, SMALL).findings()
    assert finding.severity == "info" and finding.example is None
    assert family_json(family(SMALL, SMALL), "en")["matrix"][0]["win"] == "equal"


def test_names_tell_options_and_files_apart(tmp_path: Path) -> None:
    copy = tmp_path / "抄.pai"
    copy.write_text(SMALL, encoding="utf-8")
    assert three().labels == ("两句[底=5]", "两句[底=3]", "邻县两句")
    here, there = family_labels([dsl.load(str(PATH)), dsl.load(str(copy))])
    assert here.startswith("两句（") and there.endswith("抄.pai）")


def test_a_name_written_otherwise_is_no_other_name_where_no_arrangement_tells() -> None:
    left = """
    规则 甲 {
      牌 { 房 上大人 丘乙己；每张 4；类 红 = 上大人；类 黑 = 非 红 }
      座 { 庄 5；闲 4 }
      牌型 { 句 a b c 作 1组；坎 a a a 作 1组；对 a a 作 1对 待 a }
      价 分 { 句 1；坎 2；对 0 }
      和 { 形 1组 1对 }
      名 { 清：皆 红；两：有 坎 且 无 黑；大：分 > 1；小：数 坎 < 1 }
    }"""
    names = "清：无 黑；两：无 黑 且 有 坎；大：分 ≥ 2；小：无 句"
    right = left.replace("规则 甲", "规则 乙").replace(
        "清：皆 红；两：有 坎 且 无 黑；大：分 > 1；小：数 坎 < 1", names
    )
    found = warnings(across([dsl.loads(left), dsl.loads(right)]))
    assert [f.sentence[1] for f in found] == ["`小` is not the same in `甲` and in `乙`"]


def test_the_page_has_a_spec_that_triggers_it() -> None:
    pages = [page_of(FAMILY, lang) or "" for lang in ("zh", "en")]
    spec = re.search(r"```pai\n(.*?)```", pages[0], re.DOTALL)
    assert spec is not None and spec[1] in pages[1]
    assert dsl.loads(spec[1]).name == "严"


@pytest.mark.slow
def test_the_page_is_right_about_its_spec() -> None:
    spec = re.search(r"```pai\n(.*?)```", page_of(FAMILY, "zh") or "", re.DOTALL)
    assert spec is not None
    assert [
        f.sentence[1].split("`")[1] for f in warnings(across([dsl.load("四家飞"), dsl.loads(spec[1])]))
    ] == [
        "四家飞",
        "清符",
    ]


@pytest.mark.slow
def test_what_the_shipped_games_disagree_about() -> None:
    found = warnings(across([dsl.load("四家飞"), dsl.load("十符硬")]))
    assert [f.sentence[1].split("`")[1] for f in found] == ["四家飞", "清符", "摆桩尾巴龙"]


# ---------------------------------------------------------------- how it is told


def test_rows_and_columns_mirror_each_other() -> None:
    assert relations(three(), 0, 0) == ()
    turned = {"subset": "superset", "superset": "subset"}
    for row, column in ((0, 1), (0, 2), (1, 2)):
        there, back = relations(three(), row, column), relations(three(), column, row)
        assert [turned.get(r, r) for r in there] == list(back)
    assert relations(three(), 0, 1)[0] == "subset" and relations(three(), 0, 2)[0] == "superset"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_columns_of_the_matrix_line_up(lang: Lang) -> None:
    _, head, *rows = matrix_text(three(), lang).split("\n")
    starts = [display_width(head[: head.index(label)]) for label in three().labels]
    assert len(rows) == 3
    for row in rows:
        cells = re.search(r"((?:[.=<>~x?]+\s*){3})$", row)
        assert cells is not None
        before = display_width(row[: cells.start(1)])
        assert [before + m.start() for m in re.finditer(r"\S+", cells[1])] == starts


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_text_shows_the_matrix_and_then_every_finding(lang: Lang) -> None:
    text = family_text(three(), lang)
    assert text.startswith(matrix_text(three(), lang))
    assert text.count("[V121]") == len(list(three().findings()))
    assert "豁免" not in text and "waive" not in text


def test_json_keeps_to_its_schema() -> None:
    for found in (three(), family(SMALL, SMALL)):
        agrees("across", family_json(found, "en"))
    assert [g["options"] for g in family_json(three(), "zh")["games"]][:2] == [{"底": "5"}, {"底": "3"}]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_markdown_has_the_matrix_and_the_hands(lang: Lang) -> None:
    text = markdown(three(), lang)
    table = [line for line in text.split("\n") if line.startswith("|")]
    assert len(table) == 5 and all(line.count("|") - line.count("\\|") == 5 for line in table)
    assert text.count("```text") == sum(pair.disputed is not None for pair in three().pairs)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_page_draws_strips_for_both_sides(lang: Lang) -> None:
    text = html(three(), lang)
    disputed = sum(pair.disputed is not None for pair in three().pairs)
    assert text.count('<div class="sides">') == disputed and 'class="card' in text
    assert "<script" not in text and "http" not in text.replace("http-equiv", "")
    assert all(label in text for label in three().labels)
    assert set(re.findall(r"<b>(.)</b></span>", text)) <= {*SIGNS.values(), "&"} | {"&lt;", "&gt;"}


# ---------------------------------------------------------------- kept as examples


def test_each_hand_is_kept_for_both_games(tmp_path: Path) -> None:
    file = tmp_path / "见证.pai"
    found = across([dsl.load(str(PATH)), dsl.load(f"{PATH}[底=3]")])
    kept = of_family(found, "zh")
    assert [dict(k.example.options) for k in kept] == [{}, {"底": "3"}]
    assert kept[0].remarks[0].startswith("V121 `两句[底=3]` 里：和")
    text, many = append(kept, file, "zh")
    assert many == 2
    file.write_text(text, encoding="utf-8")
    cases = list(cases_of(file))
    assert len(cases) == 2 and all(case.ok for case in cases)
    assert {case.expected["verdict"] for case in cases} == {"win", "false_win"}
    assert append(kept, file, "zh") == (text, 0)


# ---------------------------------------------------------------- the command


def test_it_is_no_check_of_one_game() -> None:
    assert FAMILY not in codes() and FAMILY not in usual_codes()


def test_exit_codes_and_forms(tmp_path: Path) -> None:
    done = run("verify", "--across", str(PATH), f"{PATH}[底=3]", "--json", folder=tmp_path)
    assert done.returncode == 1 and set(json.loads(done.stdout)) == {"games", "matrix", "findings"}
    done = run("verify", "--across", str(PATH), str(PATH), "--only", "v121", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith(
        "each cell: win, score, names, payment; = the same"
    )
    done = run("verify", "--across", str(PATH), f"{PATH}[底=3]", "--write-test", folder=tmp_path)
    assert done.returncode == 1 and done.stdout.count("例 V121-") == 0 and done.stdout.count("example") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "V121", "四家飞"], "paigui verify --across A B"),
        (["--across", "四家飞"], "two games or more"),
        (["--across", "四家飞", "十符硬", "--format", "sarif"], "cannot be written as `sarif`"),
        (["--across", "四家飞", "十符硬", "--only", "V101"], "takes no others from `--only`"),
        (["四家飞", "--format", "markdown"], "goes with `--across` only"),
    ],
)
def test_wrong_calls_say_what_to_write(words: list[str], said: str, tmp_path: Path) -> None:
    done = run("verify", *words, folder=tmp_path)
    assert done.returncode == 2 and said in done.stderr


def test_other_decks_stay_open(tmp_path: Path) -> None:
    other = ROOT / "tests/cases/shared/small.pai"
    done = run("verify", "--across", str(PATH), str(other), folder=tmp_path)
    assert "????" in done.stdout and done.returncode in (1, 4)
    assert "  - win, score, names, payment: the decks differ" in done.stdout


def test_explain_has_it(tmp_path: Path) -> None:
    assert "V121  the games of a family" in run("explain", folder=tmp_path).stdout
    assert run("explain", "v121", folder=tmp_path).stdout.startswith("# V121 ")
