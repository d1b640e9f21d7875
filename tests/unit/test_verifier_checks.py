"""Each check finds what its page says it finds, and nothing once it is mended."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import dsl
from dsl.core.hand import read_hand
from dsl.core.model import Game
from verifier import verify
from verifier.checking import Report, study_of
from verifier.cli.explain import PAGES, page
from verifier.findings import Finding
from verifier.properties import check_called, codes, documented
from verifier.properties.v119_statements import answer
from verifier.report import finding_text, report_text

FOLDER = TemporaryDirectory()


@cache
def game_of(text: str) -> Game:
    """The game of a spec text; names of other games are found among the shipped specs."""
    path = Path(FOLDER.name) / f"{hash(text)}.pai"
    path.write_text(text, encoding="utf-8")
    return dsl.load(str(path)).core


@cache
def found(text: str, code: str) -> tuple[Finding, ...]:
    return verify(game_of(text), [code]).findings


def spec_of(code: str) -> str:
    """The spec on the page of a check."""
    spec = re.search(r"```pai\n(.*?)```", page(code, "zh"), re.DOTALL)
    assert spec is not None
    return spec[1]


def names(finding: Finding) -> list[str]:
    return [rule.name for rule in finding.rules]


def tiles(finding: Finding) -> str:
    assert finding.example is not None
    return "".join(finding.example.hand["hand"])


# ---------------------------------------------------------------- the pages


@pytest.mark.parametrize("code", codes())
def test_a_page_has_a_spec_that_triggers_its_check(code: str) -> None:
    spec = spec_of(code)
    assert spec in page(code, "en")
    findings = found(spec, code)
    assert findings and all(finding.code == code for finding in findings)
    assert len({finding.fingerprint for finding in findings}) == len(findings)
    assert all(finding.help is not None for finding in findings if finding.severity != "info")


MENDED = {
    "V101": ("符 < 10", "符 < 10 且 非 素符"),
    "V102": ("删 诈和.喊错名", "删 诈和.喊错名；加 诈和.当 乱喊：非 喊准"),
    "V103": ("删 和.取", "改 和.取 分数"),
    "V104": ("凡 房：符 ≥ 1", "凡 房 有牌：符 ≥ 2"),
    "V105": ("符 ≥ 0", "符 ≥ 1"),
    "V106": ("缺 2", "4 2"),
    "V107": ("≤ 21", "< 24"),
    "V108": ("1 × 倍 若 符 ≥ 10", "2 × 倍"),
    "V109": ("改 价.符.绍 6 1", "改 价.符.绍 6 3"),
    "V110": ("删 落叫.大碰头", "删 落叫.满园滚"),
    "V111": ("先后：和，碰，吃", "先后：和，碰，吃\n同级 最近"),
    "V112": ("少了 句", "少了 句 可让\n禁 留牌：碰 当 打光"),
    "V113": ("必 碰", "许 碰"),
    "V114": ("每张 3", "每张 5"),
    "V115": ("5组 等 句", "6组 等 句 坎"),
    "V116": ("素：无 坎", "素：有 坎"),
    "V117": ("无 将 倍 3", "无 将 且 有 碰 倍 3"),
    "V118": ("例 E-1", "例 E-0「两坎」 { 手 上上上 丘丘；末张 丘 自摸；名 全坎；付 庄 -3 }\n例 E-1"),
    "V119": ("答 有", "答 无"),
    "V120": ("原文 和 12", "原文 诈和 9"),
    "V123": ("豁免 V104 3f9a2c1b「原文列了这一行」", "座 {}"),
    "V124": ("双 a a", "双 a b"),
}
"""What the page of each check says to do about the spec that it shows."""


@pytest.mark.parametrize("code", codes())
def test_a_spec_that_was_mended_is_left_in_peace(code: str) -> None:
    spec, (wrong, right) = spec_of(code), MENDED[code]
    assert spec.count(wrong) == 1
    before, after = found(spec, code), found(spec.replace(wrong, right), code)
    told, still = ({(f.severity, f.sentence) for f in findings} for findings in (before, after))
    assert told - still
    assert {said for said in still if said[0] != "info"} <= told


def test_every_page_belongs_to_a_check() -> None:
    assert {p.name for p in PAGES.iterdir()} == {f"{c}{x}" for c in documented() for x in (".md", ".en.md")}


# ---------------------------------------------------------------- V101, V102

FORGOTTEN = "规则 漏抄 继承 四家飞 { 改 诈和.当 不够符：符 < 10 }"


def test_v101_blames_the_need_with_the_exception_and_the_reason_without() -> None:
    (finding,) = found(FORGOTTEN, "V101")
    assert finding.severity == "error"
    assert names(finding) == ["和.门槛", "诈和.不够符"]
    assert finding.example is not None and finding.example.totals == (0,)
    assert finding.verdicts[0][0] == "`和.门槛` 成立：符 ≥ 10（得 0，差 10） 或 素符"
    assert tiles(finding) == "七七十十士士尔小生八九子佳作仁可知礼"


def test_v101_has_nothing_to_say_when_the_reason_negates_the_need() -> None:
    assert not found("规则 抄全 继承 四家飞 { 改 诈和.当 不够符：非 (符 ≥ 10 或 素符) }", "V101")


def test_v102_finds_the_only_fault_that_nothing_covers() -> None:
    (finding,) = found("规则 漏判 继承 四家飞 { 删 诈和.喊错名 }", "V102")
    assert names(finding)[0] == "和.喊准"
    assert finding.example is not None and finding.example.hand["declare"] == ["素符"]


def test_v102_shows_a_hand_without_a_shape() -> None:
    (finding,) = found("规则 不管形 继承 四家飞 { 删 诈和.不成形 }", "V102")
    assert names(finding)[0] == "和.形" and not finding.example.melds  # type: ignore[union-attr]


# ---------------------------------------------------------------- V104, V105, V106


def test_v104_rows_of_bare_dragons_never_count() -> None:
    rows = found("规则 照旧 继承 四家飞 { 座 {} }", "V104")
    assert [names(f)[0] for f in rows] == ["价.符.招.裸", "价.符.龙.裸"]
    assert "和.形" in names(rows[0]) and "no finished hand can hold" in rows[0].sentence[1]


def test_v104_blames_the_clauses_that_cannot_meet() -> None:
    dead = {names(f)[0]: names(f) for f in found(spec_of("V104"), "V104")}
    assert dead["名.八房全"] == ["名.八房全", "和.形"]
    late = "规则 晚张 继承 四家飞 { 加 名.捡：末张 他打 倍 2 }"
    dead = {names(f)[0]: names(f) for f in found(late, "V104")}
    assert dead["名.捡"] == ["名.捡", "和.和张"]


def test_v104_says_when_nobody_can_win() -> None:
    study = study_of(game_of("规则 难 继承 四家飞 { 加 和.须 高：符 ≥ 60 }"))
    study.asking.append("V104")
    finding = next(iter(check_called("V104").parts["findings"](study)))  # what follows from it takes long
    assert finding.severity == "error" and names(finding) == ["和.形", "和.高"]


def test_v104_finds_dead_reasons_payments_and_waits() -> None:
    text = """
    规则 死 继承 四家飞 {
      加 诈和.当 负：符 < 0
      加 支付.和 多：庄 付 当家 1 若 符 > 60
      加 落叫.十对 10对 等 对
    }"""
    dead = {names(f)[0] for f in found(text, "V104")}
    assert {"诈和.负", "支付.和.多", "落叫.十对"} <= dead


def test_v105_is_only_information() -> None:
    report = verify(game_of("规则 多话 继承 四家飞 { 加 和.须 有数：符 ≥ 0 }"), ["V105"])
    assert "和.有数" in [names(f)[0] for f in report.findings]
    assert {f.severity for f in report.findings} == {"info"} and not report.pressing


def test_v105_finds_an_exception_that_is_never_needed() -> None:
    findings = found("规则 空 继承 四家飞 { 加 和.须 有张：符 ≥ 12 除非 素符 或 符 > 60 }", "V105")
    assert ["和.有张"] in [names(f) for f in findings]


def test_v106_shows_a_win_that_holds_the_meld() -> None:
    (finding,) = found("规则 缺价 继承 四家飞 { 改 价.符.碰 缺 2 }", "V106")
    assert names(finding) == ["价.符.碰", "牌型.碰"]
    assert finding.example is not None
    assert [m.points for m in finding.example.melds if m.name == "碰"] == [(None,)]


# ---------------------------------------------------------------- V109


def test_v109_own_worth_less_than_others_with_a_hand_that_loses_by_it() -> None:
    text = """
    规则 倒价 继承 四家飞 {
      改 和.须 门槛：符 ≥ 14 除非 素符
    }"""
    finding = found(text, "V109")[0]
    assert names(finding)[0] == "价.符.双龙.自" and "价.符.双龙.两外" in names(finding)
    assert finding.verdicts[-1][1] == "this hand wins; with `双龙.自` in its place it would not"
    assert finding.example is not None and 14 <= finding.example.totals[0] < 16


def test_v109_one_more_copy_and_the_same_tiles_apart() -> None:
    found_ = found("规则 照旧 继承 四家飞 { 座 {} }", "V109")
    sentences = [f.sentence[1] for f in found_]
    assert "`招.一` has one more copy than `坎` and is worth 4, no more than the 4 it had" in sentences
    assert any(s.startswith("`双龙.自` is worth 10, its tiles apart") for s in sentences)


def test_v109_tells_once_what_holds_in_several_columns() -> None:
    eligible = dsl.load("specs/sichuan/yaodiren/game.pai#幺地人").judgement("资格")
    (finding,) = verify(eligible, ["V109"]).findings
    assert finding.sentence[1] == (
        "`五张` has one more copy than `吐火` and is worth 16, 8, no more than the 16, 8 it had"
    )
    assert {f"`吐火` {4 * face} = {n}" for face, n in (("天牌", 16), ("斧头", 8))} <= {
        zh for zh, _ in finding.verdicts
    }
    assert finding.verdicts[0][0].startswith("价在：`价.陀.吐火` 红 列 16，`价.陀.五张` 红 列 16")
    assert "column 黑 8" in finding.verdicts[0][1]


def test_v109_looks_at_every_column_of_a_meld_that_is_worth_the_same_in_all() -> None:
    text = """
    规则 一样价 {
      牌 { 房 上大人 丘乙己；每张 4；类 红 = 上大人；类 黑 = 非 红 }
      座 { 庄 5 }
      牌型 { 句 a b c 作 1组；坎 a a a 作 1组；对 a a 作 1对 }
      价 分 { 列 红 黑；句 0 0；坎 3 3；对 1 3 }
      和 { 形 1组 1对 }
    }"""
    (finding,) = found(text, "V109")
    assert finding.sentence[1] == "`坎` has one more copy than `对` and is worth 3, no more than the 3 it had"
    assert "`对` 丘丘 = 3" in {zh for zh, _ in finding.verdicts}


def test_v109_is_silent_about_a_table_in_order() -> None:
    assert not verify(dsl.load("十符硬"), ["V109"]).findings


def test_v109_leaves_gaps_alone() -> None:
    assert not found("规则 少价 继承 十符硬 { 改 价.符.绍 6 缺 }", "V109")


# ---------------------------------------------------------------- V110, V117


def test_v110_gaps_and_wrong_winning_sets() -> None:
    (gap, *_) = found("规则 漏叫 继承 四家飞 { 删 落叫.大碰头 }", "V110")
    assert gap.severity == "warning" and len(tiles(gap)) == 18
    wrong = "规则 错叫 继承 四家飞 { 改 落叫.三条口 4组 3口 等 口 句 }"
    assert ["落叫.三条口", "和.形"] in [names(f) for f in found(wrong, "V110")]


def test_v110_counts_overlaps_as_information() -> None:
    (finding,) = found("规则 照旧 继承 四家飞 { 座 {} }", "V110")
    assert finding.severity == "info"
    assert ("`四门叫` 都是 `大碰头`", "every `四门叫` is `大碰头`") in finding.verdicts


def test_v117_relations_between_names() -> None:
    text = "规则 同名 继承 十符硬 { 加 名.无将：无 将 倍 3 }"
    sentences = [f.sentence[1] for f in found(text, "V117")]
    assert "`素符` and `无将` are the same" in sentences


def test_v117_wants_a_stacking_rule() -> None:
    findings = found("规则 不叠 继承 十符硬 { 删 名.叠法 }", "V117")
    assert [f.severity for f in findings].count("warning") == 1


# ---------------------------------------------------------------- V119


def test_v119_answers_every_kind_of_statement() -> None:
    text = """
    规则 断 继承 四家飞 {
      断言 甲 存在 形 且 符 > 54 答 有
      断言 乙 凡 和 则 符 ≥ 10 或 素符 答 真
      断言 丙 凡 听 则 叫 大碰头 或 叫 三条口 答 真
      断言 丁 算 价 碰 于 将 = 3 答 真
      断言 戊 验 V109 答 有
      断言 己 于 X-01 = R2 存在 形 且 有 招 且 皆 闲 且 符 = 6 答 有
    }"""
    report = verify(game_of(text), ["V119"])
    assert [(s.id, s.got) for s in report.statements] == [
        ("甲", False),
        ("乙", True),
        ("丙", False),
        ("丁", True),
        ("戊", True),
        ("己", True),
    ]
    assert [names(f) for f in report.findings] == [["断言.甲"], ["断言.丙"]]
    assert report.expected == frozenset({"V109"})


def test_a_check_under_other_prices_sees_those() -> None:
    """Hands are no different then, so the world is borrowed; its melds are priced anew."""
    corrected = dsl.load("四家飞", {"价表": "校正"}).core
    (claim,) = (s for s in corrected.statements if s.id == "C-14e")
    assert claim.options == {"价表": "照印"}
    assert answer(study_of(corrected), claim).got is True
    assert answer(study_of(corrected), replace(claim, options={})).got is False


def test_a_statement_about_a_check_that_does_not_exist_stays_open() -> None:
    report = verify(game_of("规则 断 继承 四家飞 { 断言 子 验 V999 答 无 }"), ["V119"])
    assert [s.got for s in report.statements] == [None] and report.unknown


# ---------------------------------------------------------------- reports


def test_witnesses_read_back_as_hands() -> None:
    game = game_of(FORGOTTEN)
    for finding in (*found(FORGOTTEN, "V101"), *found(FORGOTTEN, "V109")):
        assert finding.example is not None
        data = json.loads(json.dumps(finding.to_json("zh")["witness"]))
        hand, faults = read_hand(game, data)
        assert hand is not None and not faults


def test_same_input_same_words() -> None:
    def words(report: Report) -> list[str]:
        return [finding_text(f, report.game, lang) for f in report.findings for lang in ("zh", "en")]

    text = FORGOTTEN.replace("改 ", "改 价.符.绍 6 缺；改 ", 1)
    both = words(verify(game_of(text), ["V106", "V101"]))
    assert both == words(verify(game_of(text), ["V106", "V101"]))
    assert words(verify(game_of(text), ["V101"])) == both[-2:]


def test_the_text_names_clauses_places_and_prices() -> None:
    report = verify(game_of(FORGOTTEN), ["V101"])
    text = report_text(report, "en")
    assert "error[V101]: one declared hand is a win and, by `诈和.不够符`, a false win" in text
    assert re.search(r"和\.门槛 .*game\.pai:\d+:\d+ .*须 门槛：符 ≥ 10 除非 素符  〔SDR-61", text)
    assert "句 七十士 0 · 口 七十 0 · 口 七士 0 · 句 尔小生 0" in text
    assert "total 符 0" in text and "1 error; statements: 0 as expected" in text


def test_the_fingerprint_depends_on_the_clauses_names_alone() -> None:
    mine = found(FORGOTTEN, "V101")[0].fingerprint
    assert mine == found(FORGOTTEN.replace("符 < 10", "符 < 9"), "V101")[0].fingerprint
    assert mine == found(FORGOTTEN.replace("漏抄", "漏抄二"), "V101")[0].fingerprint
    other = "规则 漏抄 继承 四家飞 { 加 诈和.当 差符：符 < 10 }"
    assert mine not in {f.fingerprint for f in found(other, "V101")}
