"""`--write-test`: a witness becomes an 例 that loads, passes, and fails once the rules judge it otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dsl
from dsl.api import written
from dsl.cli.test import cases_of
from dsl.core.hand import to_json
from dsl.core.model import Example, Rule
from dsl.front.format import format_source
from dsl.judge.examples import run_examples
from dsl.text.codes import Lang
from dsl.text.source import Source
from tests.command import paigui as run
from tests.conftest import ROOT, any_hands
from verifier import diff, verify
from verifier.family import across
from verifier.kept import Kept, append, clauses, of_difference, of_family, of_reply, of_reports
from verifier.questions import put

SMALL = ROOT / "tests/small/两句.pai"
QUOTED = """规则 怪名 {
  选项 'win' 3 | 'on'
  牌 { 房 'a''和''作'；散牌 '花1' '花'；每张 4 }
  座 { '庄' 4；'付' 3 }
  境 '若'：'无' '有'
  牌型 { '碰'.'手' a a a 其余 起手 第三 他摸 他打 作 1组 锁；单 a 作 1单 }
  价 分 { 列 皆；'碰'.'手' 1；单 0 }
  和 { 形 1组 1单 }
  名 { '倍'：'若' = '有' 倍 2 }
  支付 { 和：每家 付 当家 倍 }
}
"""


def read_back(kept: list[Kept], lang: Lang) -> list[Example]:
    """The examples as a ruleset that holds them reads them; they pass."""
    game = kept[0].game
    base = f"{Path(game.path).resolve()}#{game.name}"
    text = written.ruleset_text("读回", base, clauses(kept, lang), lang)
    assert format_source(Source("", text), lang) == (text, ())
    loaded = dsl.loads(text)
    cases = list(run_examples(loaded, lambda options: dsl.loads(text, options)))
    assert [case.to_json() for case in cases if not case.ok] == []
    return list(loaded.core.examples)


def plain(hand: Any) -> Any:
    return {key: value for key, value in hand.items() if value or key == "declare"}


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", ["small", "sijiafei"])
def test_any_hand_reads_back_as_the_same_hand(name: str, lang: Lang, request: pytest.FixtureRequest) -> None:
    game: dsl.Game = request.getfixturevalue(name)
    kept = []
    for hand in any_hands(game, 25, seed=11):
        data = to_json(game.core, hand)
        try:
            answer = game.judge(data).to_json()
        except dsl.HandError:
            continue
        expected = {k: answer[k] for k in ("verdict", "score", "names", "payments")}
        kept.append(Kept(game.core, Example("T", "一", {}, data, expected, Rule("", "")), ()))
    assert any(k.example.hand.get("laid") for k in kept)
    found = read_back(kept, lang)
    assert [plain(e.hand) for e in found] == [plain(k.example.hand) for k in kept]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_names_that_are_words_of_the_language(tmp_path: Path, lang: Lang) -> None:
    path = tmp_path / "怪.pai"
    path.write_text(QUOTED, encoding="utf-8")
    game = dsl.load(str(path), {"win": "on"})
    laid = {"meld": "碰.手", "tiles": ["和"] * 3, "origins": ["起手", "起手", "他打"]}
    last = {"tile": "花", "from": "他摸"}
    hand = {
        "role": "付",
        "laid": [laid],
        "hand": [],
        "last": last,
        "context": {"若": "有"},
        "declare": ["倍"],
    }
    expected = {k: game.judge(hand).to_json()[k] for k in ("verdict", "score", "names", "payments")}
    example = Example("例", "一", {"win": "on"}, hand, expected, Rule("", ""))
    (found,) = read_back([Kept(game.core, example, ["有\n两行"])], lang)  # type: ignore[arg-type]
    assert plain(found.hand) == plain(hand) and found.options == {"win": "on"}
    apart = Example("例", "一", {}, {"hand": ["花1", "花", "a", "作"]}, {}, Rule("", ""))
    words = {"zh": "手", "en": "hand"}[lang]
    assert f"{words} 花1 花 'a' '作'\n" in written.example_text(game.core, apart, [], lang)


def test_findings_with_options_and_waits() -> None:
    report = verify(f"{SMALL}[底=3]", ["V101", "V110"])
    kept = of_reports([report], "zh")
    found = read_back(kept, "zh")
    assert [e.id for e in found] == ["V101-1", "V110-1"]
    assert all(e.options == {"底": "3"} for e in found)
    assert found[0].hand["declare"] and "waits" in found[1].expected
    assert kept[0].remarks[0].startswith("V101 ")


def test_a_refuted_statement_is_judged_under_its_own_options(tmp_path: Path) -> None:
    path = tmp_path / "断.pai"
    claim = "断言 一 于 X-01 = R2 存在 形 且 有 招 且 皆 闲 且 符 = 6 答 无"
    path.write_text(f"规则 断 继承 四家飞 {{ {claim} }}", encoding="utf-8")
    (found,) = read_back(of_reports([verify(str(path), ["V119"])], "en"), "en")
    assert found.options == {"X-01": "R2"} and found.expected["score"] == 6


def test_a_question_and_its_hand() -> None:
    question = "存在 和 且 有 碰 且 数 绍 = 1 且 末张 他摸"
    (found,) = read_back(of_reply(put("四家飞", question), "zh"), "zh")
    assert found.title == question and len(found.hand["laid"]) == 2  # type: ignore[arg-type]
    assert of_reply(put(str(SMALL), "凡 和 则 符 ≥ 3 或 素"), "zh") == []


def test_a_difference_is_kept_for_the_right_side() -> None:
    kept = of_difference(diff(str(SMALL), f"{SMALL}[底=3]"), "zh")
    (found,) = read_back(kept, "zh")
    assert found.options == {"底": "3"} and found.expected["verdict"] == "win"
    assert kept[0].remarks[0].startswith("两句[底=5]：诈和")


# ---------------------------------------------------------------- files


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "两句.pai"
    path.write_bytes(SMALL.read_bytes())
    return path


def keep(spec: Path, file: Path) -> int:
    text, many = append(of_reports([verify(str(spec), ["V101", "V110"])], "zh"), file, "zh")
    file.write_text(text, encoding="utf-8")
    return many


def test_into_the_spec_itself_once(spec: Path) -> None:
    before = spec.read_text(encoding="utf-8")
    assert keep(spec, spec) == 2
    after = spec.read_text(encoding="utf-8")
    assert after.startswith(before.rstrip().removesuffix("}"))
    assert [case.ok for case in cases_of(spec)] == [True, True]
    assert keep(spec, spec) == 0 and spec.read_text(encoding="utf-8") == after


def test_into_a_file_of_their_own(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "里").mkdir()
    file = tmp_path / "里/例.pai"
    assert keep(spec, file) == 2
    assert "规则 两句见证 继承 「../两句.pai#两句」" in file.read_text(encoding="utf-8")
    assert [(case.id, case.ok) for case in cases_of(file)] == [("V101-1", True), ("V110-1", True)]
    spec.write_text(spec.read_text(encoding="utf-8").replace("待 a\n", "待 a  // 不动\n"), encoding="utf-8")
    assert keep(spec, file) == 0
    spec.write_text(spec.read_text(encoding="utf-8").replace("口     2", "口     1"), encoding="utf-8")
    assert not all(case.ok for case in cases_of(file))


def test_other_games_get_rulesets_of_their_own(spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "例.pai"
    file.write_text("规则 又一家 继承 四家飞 { 座 {} }\n", encoding="utf-8")
    assert keep(spec, file) == 2
    assert "规则 又一家" in file.read_text(encoding="utf-8")
    assert all(case.ok for case in cases_of(file))


def test_two_games_have_the_same_hand(spec: Path, tmp_path: Path) -> None:
    """Also where both have one name: each gets a ruleset, and the examples go where they belong."""
    other, file = tmp_path / "又.pai", tmp_path / "例.pai"
    other.write_text(spec.read_text(encoding="utf-8").replace("符 ≥ 5", "符 ≥ 6"), encoding="utf-8")
    kept = of_family(across([dsl.load(str(path)) for path in (spec, other)]), "zh")
    assert [k.game.path for k in kept] == [str(spec), str(other)]
    assert kept[0].example.hand == kept[1].example.hand
    for many in (2, 0):
        text, added = append(kept, file, "zh")
        file.write_text(text, encoding="utf-8")
        assert added == many
    assert "规则 两句见证 继承 「两句.pai#两句」" in text and "规则 两句见证2 继承 「又.pai#两句」" in text
    assert [case.ok for case in cases_of(file)] == [True, True]
    text, added = append(kept[1:], spec, "zh")
    assert added == 1 and "规则 两句见证 继承 「又.pai#两句」" in text


def test_lines_end_as_they_did(spec: Path, tmp_path: Path) -> None:
    spec.write_bytes(spec.read_bytes().replace(b"\n", b"\r\n"))
    assert run("ask", spec.name, "存在 和", "--write-test", spec.name, folder=tmp_path).returncode == 0
    after = spec.read_bytes()
    assert after.count(b"example Q-1") == 1 and after.count(b"\n") == after.count(b"\r\n") > 60


def test_a_file_that_is_no_text_is_left_alone(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "乱.pai").write_bytes(b"\xff\xfe\0")
    done = run("ask", spec.name, "存在 和", "--write-test", "乱.pai", folder=tmp_path)
    assert done.returncode == 3 and "P007" in done.stderr
    assert (tmp_path / "乱.pai").read_bytes() == b"\xff\xfe\0"


def test_the_command(spec: Path, tmp_path: Path) -> None:
    done = run("verify", spec.name, "--only", "V110", "--write-test", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("  // V110") and "summary" not in done.stdout
    words = ["verify", spec.name, "--only", "V110", "--json", "--write-test", "例.pai"]
    done = run(*words, folder=tmp_path)
    assert done.stdout.startswith("{") and "1 example written to 例.pai" in done.stderr
    assert run("test", "例.pai", folder=tmp_path).returncode == 0
    asked = run("ask", spec.name, "exists win and 符 > 12", "--write-test", "例.pai", folder=tmp_path)
    assert asked.returncode == 0 and run("test", "例.pai", folder=tmp_path).returncode == 0
