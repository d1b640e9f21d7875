"""`paigui beats`, plays in examples, and statements about the deck, as an author uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import dsl
from dsl.front.written import _Writer
from dsl.judge.examples import run_examples
from verifier import verify
from verifier.cli import group
from verifier.schemas import schema

TEXT = """
规则 小墩 {
  牌 {
    散牌 天 地 人 鹅 九 七
    每张 2
    类 点子 = 九 七
    值 点：天 12 地 2 人 8 鹅 4 九 9 七 7
    又名 鹅 和牌
  }
  座 { 庄 4；闲 4 × 2 }
  牌型 {
    单 a 作 1组
    对 a a 作 1组
    天九 a… b… 作 1组 跨房 当 a 入 天 且 b 入 点子
    地七 a… b… 作 1组 跨房 当 a 入 地 且 b 入 点子
    十六 a b 作 1组 跨房 当 点 a + 点 b = 16
  }
  大小 { 正门：天 > 地 > 人 = 鹅；点子：九 > 七；配：天九 > 地七 }
  和 { 形 1组；张数 2 }
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "墩.pai"
    found.write_text(TEXT + "}", encoding="utf-8")
    return found


def paigui(*words: str) -> Result:
    return CliRunner().invoke(group, ["beats", *words])


def test_beats_says_yes_by_0_and_no_by_1(path: Path) -> None:
    yes, no = (
        paigui(str(path), "天天", "地 地", "--lang", "zh"),
        paigui(str(path), "人", "鹅", "--lang", "en"),
    )
    assert (yes.exit_code, yes.stdout) == (0, "天天 盖得住 地 地\n")
    assert (no.exit_code, no.stdout) == (1, "人 does not beat 鹅\n")
    assert paigui(str(path), "天", "和牌").exit_code == 0


def test_beats_as_json_says_where_plays_stand(path: Path) -> None:
    answer = paigui(str(path), "天九九", "七地七", "--json")
    data = json.loads(answer.stdout)
    assert data == {
        "beats": True,
        "play": [{"line": "配", "tier": 1, "tiles": 3}],
        "other": [{"line": "配", "tier": 2, "tiles": 3}],
    }
    Draft202012Validator(schema("beats")).validate(data)


@pytest.mark.parametrize(
    ("play", "code"),
    [("天地", "H023"), ("九七", "H023"), ("天天天", "H023"), ("天日", "H003"), ("", "H023")],
)
def test_tiles_that_are_no_play_are_refused(path: Path, play: str, code: str) -> None:
    answer = paigui(str(path), "天", play, "--json", "--lang", "en")
    assert answer.exit_code == 2
    data = json.loads(answer.stdout)
    assert [e["code"] for e in data["errors"]] == [code]
    Draft202012Validator(schema("beats")).validate(data)


def test_a_game_without_ranks_compares_nothing() -> None:
    with pytest.raises(dsl.HandError) as caught:
        dsl.load("四家飞").beats(["七"], ["十"])
    assert [d.code for d in caught.value.diagnostics] == ["H024"]


def cases(lines: str) -> dict[str, tuple[bool, dict[str, object]]]:
    game = dsl.loads(TEXT + lines + "}")
    found = run_examples(game, lambda options: dsl.loads(TEXT + lines + "}", options))
    return {c.id: (c.ok, dict(c.got)) for c in found}


def test_examples_of_plays_pass_and_fail() -> None:
    found = cases(
        """
        例 E-1 { 出 人；盖 天；盖 地；不盖 鹅；不盖 天天 }
        例 E-2 { 出 人；盖 天；盖 鹅；不盖 地 }
        例 E-3 { 出 地七；盖 天九 }
        例 E-4 { 出 地人；盖 天九 }
        """
    )
    assert [ok for ok, _ in found.values()] == [True, False, True, False]
    assert found["E-2"][1] == {"beaten_by": [["天"]], "unbeaten_by": []}


def test_an_example_of_plays_is_written_as_it_was_read() -> None:
    game = dsl.loads(TEXT + "例 E-1「人」 { 出 人人；盖 天天；不盖 鹅鹅 }\n}").core
    (example,) = game.examples
    for lang in ("zh", "en"):
        text = _Writer(game, lang).example(example, ())  # type: ignore[arg-type]
        again = dsl.loads(TEXT + text + "}").core.examples
        assert [(e.hand, e.expected) for e in again] == [(example.hand, example.expected)]


# ---------------------------------------------------------------- the deck


@pytest.mark.parametrize(
    ("asked", "truth"),
    [
        ("几种 = 6 且 全副 = 12", True),
        ("几种 点子 = 2 且 全副 点子 = 4 且 全副 鹅 = 2", True),
        ("几种 十六 = 2 且 几种 对 = 6 且 几种 天九 = 8", True),
        ("全副 点子 + 全副 天 < 6", False),
        ("凡 牌 a 有 牌 b：点 a + 点 b ≥ 14", True),
        ("凡 牌 a 有 牌 b：点 a + 点 b = 16", False),
        ("凡 牌 a 入 点子 有 牌 b 入 点子：点 a + 点 b = 16", True),
        ("存在 牌 a：2 × 点 a = 16", True),
        ("存在 牌 a b 入 点子：点 a + 点 b = 14", True),
        ("存在 牌 a 凡 牌 b：点 a ≤ 点 b", True),
        ("存在 牌 a 凡 牌 b：点 a < 点 b", False),
    ],
)
def test_statements_about_the_deck(asked: str, truth: bool) -> None:
    game = dsl.loads(TEXT + f"断言 C-1 算 {asked} 答 真\n}}")
    (answered,) = verify(game, ["V119"]).statements
    assert answered.got is truth and answered.how == "arithmetic"


def test_a_statement_about_faces_names_the_face_that_refutes_it() -> None:
    game = dsl.loads(
        TEXT + "断言 C-1 算 凡 牌 a 有 牌 b：点 a + 点 b = 16 答 真；"
        "断言 C-2 算 存在 牌 a b：点 a + 点 b = 4 答 无\n}"
    )
    first, second = verify(game, ["V119"]).findings
    assert first.verdicts == (("`a` 是 `地` 时不成立", "it fails when `a` is `地`"),)
    assert second.verdicts[0][1] == "it holds when `a` is `地` and `b` is `地`"


def test_damages_swap_neighbours_of_a_line(path: Path) -> None:
    game = dsl.load(str(path))
    lines = {d.text for d in game.loader.damages(game.core) if d.rule.name == "大小.正门"}
    assert {"正门：地 > 天 > 人 = 鹅", "正门：天 > 人 = 鹅 > 地", ""} <= {line.strip() for line in lines}
