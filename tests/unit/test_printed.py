"""原文: what a source prints is kept, never tested, and V120 says where its own rules contradict it."""

from __future__ import annotations

from pathlib import Path

import pytest

import dsl
from dsl.core.model import Statement
from dsl.core.tiles import TileEquation
from dsl.front.format import format_source
from dsl.judge.examples import run_examples
from dsl.text.source import Source
from verifier import verify
from verifier.checking import Report
from verifier.findings import Finding

SMALL = (Path(__file__).parents[1] / "cases/shared/small.pai").read_text(encoding="utf-8")
HAND = "身 闲；手 上大人 丘乙己 化；末张 化 自摸"


def game(*clauses: str) -> dsl.Game:
    body = "\n".join(clauses)
    return dsl.loads(f"{SMALL.rstrip()[:-1]}\n{body}\n}}\n")


def report(*clauses: str) -> Report:
    return verify(game(*clauses), ["V119", "V120"])


def said(*clauses: str) -> list[str]:
    return [finding.sentence[1] for finding in report(*clauses).findings]


def example(*lines: str) -> str:
    return f"例 E-1 {{ {HAND}；{'；'.join(lines)} }}"


def names(finding: Finding) -> list[str]:
    return [rule.name for rule in finding.rules]


# ---------------------------------------------------------------- worked hands


def test_what_agrees_is_not_mentioned() -> None:
    assert said(example("原文 和 3", "原文 判 和", "原文 名 无", "原文 诸分 3", "原文 付 庄 -3 闲1 6")) == []


def test_a_printed_score_is_compared_with_the_table() -> None:
    (finding,) = report(example("判 和 3", "原文 和 5 依 K-1")).findings
    assert finding.sentence == (
        "例 `E-1`：原文说 5 分，按价表是 3",
        "example `E-1`: the source says 5 分, by the score table it is 3",
    )
    assert names(finding) == ["例.E-1.原文.判", "价.分.句"] and finding.rules[0].cites == ("K-1",)
    assert finding.severity == "warning" and finding.example is not None
    assert finding.example.totals == (3,) and [m.name for m in finding.example.melds] == ["句", "句", "对"]


@pytest.mark.parametrize(
    ("line", "sentence", "blamed"),
    [
        ("原文 诈和", "the source says a false win, by the rules it is a win", ["和.起和"]),
        ("原文 名 全红", "the source gives the names as 全红, by the rules none", ["名.全红"]),
        ("原文 付 庄 -5", "the source says 庄 -5 are paid, by the rules 庄 -3", ["支付.和"]),
        ("原文 诸分 3 5", "the source gives the scores as 3 5, by the rules 3", ["价.分.句"]),
    ],
)
def test_everything_else_a_source_can_print(line: str, sentence: str, blamed: list[str]) -> None:
    (finding,) = report(example(line)).findings
    assert finding.sentence[1] == f"example `E-1`: {sentence}" and names(finding)[1:] == blamed


def test_a_hand_that_is_no_shape_has_no_score() -> None:
    (finding,) = report("例 E-1 { 身 闲；手 上上丘丘化化大；末张 三 自摸；原文 和 5 }").findings
    assert "score" not in finding.sentence[1] and names(finding) == ["例.E-1.原文.判", "和.形"]


def test_waits_of_the_source() -> None:
    waits = "落叫 { 双对 1组 2对 等 对 }\n改 牌型.对 待 a"
    hand = "手 上大人 丘丘 化化；听 丘 化；叫 双对"
    assert said(waits, f"例 E-1 {{ {hand}；原文 听 化 丘；原文 叫 双对 }}") == []
    (finding,) = report(waits, f"例 E-1 {{ {hand}；原文 听 丘 }}").findings
    assert finding.sentence[1] == "example `E-1`: the source gives the waits as 丘, by the rules 丘 化"
    assert "hand" in (finding.example.hand if finding.example else {})


def test_printed_lines_are_judged_under_the_options_of_the_example(tmp_path: Path) -> None:
    options = "选项 局 大 | 小\n若 局 = 小 { 调 价.分.坎 4 → 6 }"
    hand = "例 E-1 { 于 局 = 小；身 闲；手 上上上 丘乙己 化；末张 化 自摸；原文 和 8 }"
    file = tmp_path / "a.pai"
    file.write_text(f"{SMALL.rstrip()[:-1]}\n{options}\n{hand}\n}}\n", encoding="utf-8")
    (finding,) = verify(str(file), ["V120"]).findings
    assert finding.sentence[1] == "example `E-1`: the source says 8 分, by the score table it is 7"


def test_paigui_test_runs_our_own_expectations_only() -> None:
    spec = game(example("判 和 3", "原文 和 5"))
    (case,) = run_examples(spec, lambda _: spec)
    assert case.ok and case.expected == {"verdict": "win", "score": 3}


def test_an_impossible_hand_stays_open() -> None:
    found = report("例 E-1 { 身 闲；手 上上上上上 丘丘；末张 丘 自摸；原文 和 5 }")
    assert found.findings == () and [u.question for u in found.unknown] == ["E-1"]


# ---------------------------------------------------------------- tiles


def equation(text: str) -> tuple[Statement, TileEquation]:
    statement = game(f"断言 S-1 算 {text} 答 真").core.statements[0]
    return statement, statement.equations[0]


@pytest.mark.parametrize(
    ("text", "holds", "tiles", "wrong"),
    [
        ("手 上上大人 + 大 - 上大人 = 大上", True, "上大", None),
        ("手 上上大人 + 大 - 上大人 = 大人", False, "上大", None),
        ("手 上 大人 = 上大人", True, "上大人", None),
        ("手 上 - 上 = 无", True, "", None),
        ("手 无 = 上 - 上", True, "", None),
        ("手 上 ≠ 大", True, "上", None),
        ("手 上大 ≠ 大上", False, "上大", None),
        ("手 上 - 大 = 无", False, "上", "absent"),
        ("手 上 - 大 ≠ 人", False, "上", "absent"),
        ("手 上 - 大 + 大 = 上", False, "上", "absent"),
        ("手 上上上上 + 上 - 上 = 上上上上", False, "上上上上", "beyond"),
    ],
)
def test_tiles_are_added_and_taken_step_by_step(
    text: str, holds: bool, tiles: str, wrong: str | None
) -> None:
    _, found = equation(text)
    assert (found.holds, "".join(found.left.tiles), found.left.wrong) == (holds, tiles, wrong)


def test_a_claim_about_tiles_says_how_it_comes_out() -> None:
    (finding,) = report("断言 S-1 算 手 上上大人 + 大 - 上大人 = 大人 答 真").findings
    assert finding.code == "V119"
    assert finding.verdicts == (
        (
            "`上上大人 + 大 - 上大人` 得 `上大`，不是 `大人`",
            "`上上大人 + 大 - 上大人` comes to `上大`, not `大人`",
        ),
    )
    (finding,) = report("断言 S-1 算 手 上 - 大 = 上 答 真").findings
    assert finding.verdicts[0][1].endswith("with `上` in hand there is no `大` to take away")
    (finding,) = report("断言 S-1 算 手 上上上上 + 上 = 无 答 真").findings
    assert finding.verdicts[0][1].endswith("in hand the deck has no further `上`")


# ---------------------------------------------------------------- claims


def test_a_claim_of_the_source_is_no_expectation() -> None:
    found = report("原文 S-1「还剩大人」算 手 上上大人 + 大 - 上大人 = 大人 依 K-1")
    assert found.statements == ()
    (finding,) = found.findings
    assert finding.code == "V120" and finding.rules[0].cites == ("K-1",)
    assert finding.sentence[1] == (
        "the source miscounts in `S-1`: `上上大人 + 大 - 上大人` comes to `上大`, not `大人`"
    )


def test_wrong_sums_of_prices_blame_the_rows() -> None:
    (finding,) = report("原文 S-1 算 价 坎 于 红 + 价 对 于 红 = 6").findings
    assert finding.sentence[1] == "the source miscounts in `S-1`: the left side is 5, the right side 6"
    assert names(finding) == ["原文.S-1", "价.分.坎", "价.分.对"]


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("存在 分 = 3", False),
        ("存在 分 = 3 答 无", True),
        ("存在 分 > 90", True),
        ("凡 全红 则 分 ≥ 3", False),
        ("凡 和 则 全红", True),
        ("算 价 坎 于 红 = 4", False),
    ],
)
def test_claims_of_every_kind(claim: str, wrong: bool) -> None:
    found = report(f"原文 S-1 {claim}").findings
    assert [f.code for f in found] == ["V120"] * wrong
    if wrong and claim.startswith("存在 分 = 3"):
        assert found[0].example is not None


def test_a_statement_may_expect_the_misprint() -> None:
    found = report("原文 S-1 算 手 上 = 大", "断言 S-2 验 V120 答 有")
    assert found.pressing == () and [(s.id, s.got) for s in found.statements] == [("S-2", True)]


def test_the_same_id_may_be_claimed_and_stated() -> None:
    found = report("原文 S-1 算 手 上 = 大", "断言 S-1 算 手 上 = 上 答 真")
    assert [s.got for s in found.statements] == [True] and [f.code for f in found.findings] == ["V120"]


# ---------------------------------------------------------------- both languages


def test_it_goes_to_english_and_back() -> None:
    text = (Path(__file__).parents[1] / "cases/types/good/printed.pai").read_text(encoding="utf-8")
    english, _ = format_source(Source("a.pai", text), "en")
    assert "printed pays 庄 -3 闲1 6 闲2 -3" in english and "printed win 5" in english
    assert 'printed S-3 "还剩大人" compute hand 上上大人 + 大 - 上大人 = 大人' in english
    assert format_source(Source("a.pai", english), "zh")[0] == format_source(Source("a.pai", text), "zh")[0]
