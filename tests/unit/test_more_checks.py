"""Choice between arrangements, tiers, payments, tile counts: a bad case and a good one for each."""

from __future__ import annotations

from functools import cache
from operator import add, le
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import dsl
from verifier import verify
from verifier.findings import Finding
from verifier.properties import codes, usual_codes, v115_counts
from verifier.report import report_text

FOLDER = TemporaryDirectory()


@cache
def found(text: str, code: str) -> tuple[Finding, ...]:
    path = Path(FOLDER.name) / f"{hash(text)}.pai"
    path.write_text(text, encoding="utf-8")
    return verify(str(path), [code]).findings


def names(finding: Finding) -> list[str]:
    return [rule.name for rule in finding.rules]


# ---------------------------------------------------------------- V103


def test_v103_shows_both_arrangements_when_no_clause_chooses() -> None:
    (finding,) = found("规则 没说取 继承 四家飞 { 删 和.取 }", "V103")
    assert finding.severity == "warning" and names(finding) == ["和.形", "和.抱柱"]
    assert "519,726" in finding.sentence[0] and "61,216,008" in finding.sentence[0]
    assert [line[1].split(": ")[1].split(",")[0] for line in finding.verdicts] == ["win", "no win"]
    assert finding.example is not None
    game = dsl.load("四家飞")
    assert game.judge(finding.example.hand).to_json()["scores"][:2] == [25, 30]


def test_v103_only_counts_when_a_clause_chooses() -> None:
    (finding,) = found("规则 照旧 继承 十符硬 { 座 {} }", "V103")
    assert finding.severity == "info" and names(finding) == ["和.取", "名.大符"]


def test_v103_is_silent_when_every_arrangement_pays_alike() -> None:
    gone = "和.取 和.门槛 和.抱柱 诈和.不够符 诈和.没抱柱 名.大符 名.荤大符"
    assert not found(f"规则 平 继承 四家飞 {{ {'；'.join(f'删 {name}' for name in gone.split())} }}", "V103")


# ---------------------------------------------------------------- V107


def test_v107_finds_the_hole_between_two_tiers() -> None:
    (finding,) = found("规则 漏档 继承 四家飞 { 加 名.中符：16 ≤ 符 ≤ 21 倍 2 }", "V107")
    assert names(finding) == ["名.中符", "名.大符"]
    assert "符 22–23" in finding.sentence[1]
    assert finding.example is not None and 22 <= finding.example.totals[0] <= 23


def test_v107_tiers_that_meet_have_no_hole() -> None:
    assert not found("规则 接档 继承 四家飞 { 加 名.中符：16 ≤ 符 < 24 倍 2 }", "V107")
    assert not found("规则 叠档 继承 四家飞 { 加 名.中符：符 ≥ 16 倍 2 }", "V107")
    assert not found(
        "规则 或档 继承 四家飞 { 加 名.小符：11 ≤ 符 < 16 倍 2；加 名.中符：16 ≤ 符 < 24 或 荤符 倍 2 }",
        "V107",
    )


def test_v107_a_hole_that_no_hand_falls_into_is_none() -> None:
    text = "规则 高档 继承 四家飞 { 改 名.大符：24 ≤ 符 ≤ 54 倍 2；加 名.天大符：符 ≥ 60 倍 8 }"
    assert not found(text, "V107")


def test_v107_overlapping_tiers_count_twice_unless_only_the_highest_does() -> None:
    text = "规则 叠乘 继承 四家飞 { 加 名.中符：符 ≥ 16 倍 3；改 名.叠法 相乘 }"
    (finding,) = found(text, "V107")
    assert names(finding) == ["名.中符", "名.大符", "名.叠法"] and "6 in all" in finding.sentence[1]
    assert finding.verdicts[0][1] == "`中符`: 16 ≤ 符, 3×"


# ---------------------------------------------------------------- V108


def test_v108_a_win_for_nothing() -> None:
    (finding,) = found("规则 白和 继承 四家飞 { 改 支付.和：每家 付 当家 1 × 倍 若 符 ≥ 10 }", "V108")
    assert names(finding) == ["支付.和"] and finding.severity == "warning"
    assert finding.example is not None and finding.example.totals[0] < 10


def test_v108_a_false_win_for_nothing_has_no_shape_to_blame() -> None:
    (finding,) = found("规则 不罚 继承 四家飞 { 删 支付.诈和 }", "V108")
    assert "false win" in finding.sentence[1] and names(finding) == ["和.形", "支付.和"]


def test_v108_a_payment_to_oneself() -> None:
    text = "规则 自付 继承 四家飞 { 加 支付.和 庄加：庄 付 庄 2 }"
    assert [names(f)[0] for f in found(text, "V108")] == ["支付.和.庄加"]


def test_v108_an_amount_below_zero_needs_a_hand_that_shows_it() -> None:
    text = "规则 倒贴 继承 四家飞 { 加 支付.和 按符：每家 付 当家 %s }"
    (finding,) = found(text % "符 - 10 × 倍", "V108")
    assert "can be negative" in finding.sentence[1] and finding.example is not None
    assert not found(text % "符 × 倍 + 40 - 10 × 倍", "V108")


def test_v108_a_seat_that_money_never_reaches() -> None:
    text = """
    规则 闲 继承 四家飞 {
      改 支付.和：庄 付 当家 1 × 倍
      改 支付.诈和：当家 付 庄 1
      座 { 醒 0 }
    }"""
    findings = {names(f)[0]: f.severity for f in found(text, "V108")}
    assert findings["座.醒"] == "info"


def test_v108_is_silent_about_the_shipped_games() -> None:
    assert not verify("四家飞", ["V108"]).findings and not verify("十符硬", ["V108"]).findings


# ---------------------------------------------------------------- V115


def test_v115_a_wait_of_the_wrong_size() -> None:
    (finding,) = found("规则 错数 继承 四家飞 { 改 落叫.满园滚 5组 等 句 }", "V115")
    assert names(finding) == ["落叫.满园滚", "和.形"]
    assert "19 - 1 = 18" in finding.sentence[1]


def test_v115_a_shape_that_the_deal_cannot_fill() -> None:
    (finding,) = found("规则 错形 继承 四家飞 { 改 和.形 6组 1口；座 {} }", "V115")
    assert finding.severity == "error" and names(finding)[:1] == ["和.形"]
    assert any(line[1].startswith("句、") and "1组 = 3 tiles" in line[1] for line in finding.verdicts)


PAIRS = """
规则 对对 {
  牌 { 房 上大人 丘乙己 化三千 七十士 尔小生 八九子 佳作仁 可知礼；每张 4 }
  来路 { 手 起手 }
  座 { 家 %d × 4 }
  牌型 { 对 a a 作 1对 }
  和 { 形 6对 }
}"""


def test_v115_taking_a_tile_makes_thirteen_of_twelve() -> None:
    (finding,) = found(PAIRS % 12, "V115")
    assert "12 + 1 = 13" in finding.sentence[1] and finding.severity == "warning"


@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (3, 0)])
def test_v115_counts_the_tiles_of_every_choice_of_melds(shape: tuple[int, int]) -> None:
    game, most = dsl.load("打神").core, 12 * sum(shape)
    kinds = {(m.type.gives, len(m.tiles) - m.type.extra) for m in game.melds}
    wanted = (*shape, *(0 for _ in game.dims[2:]))
    reached = fresh = {((0,) * len(wanted), 0)}
    while fresh:
        added = {(tuple(map(add, have, gives)), n + more) for have, n in fresh for gives, more in kinds}
        fresh = {(have, n) for have, n in added if n <= most and all(map(le, have, wanted))} - reached
        reached = reached | fresh
    found = v115_counts.sizes(game, wanted, most)
    assert found == tuple(sorted(n for have, n in reached if have == wanted))
    assert found[0] == 3 * shape[0] + 2 * shape[1] and found[-1] == most


def test_v115_is_silent_where_one_tile_is_missing() -> None:
    assert not verify("四家飞", ["V115"]).findings
    assert not found("规则 照旧 继承 四家飞 { 座 {} }", "V115")


# ---------------------------------------------------------------- V116

SMALL = (Path(__file__).parents[1] / "small/两句.pai").read_text(encoding="utf-8")


def with_readings(clauses: str) -> str:
    """The small ruleset with further readings and what they change."""
    return SMALL.rstrip().removesuffix("}") + clauses + "}\n"


def table(text: str) -> list[str]:
    return [line[1] for line in found(text, "V116")[-1].verdicts]


def test_v116_runs_only_when_asked_for() -> None:
    assert "V116" in codes() and "V116" not in usual_codes()


def test_v116_blames_the_value_and_what_it_kills() -> None:
    text = with_readings("读法 难 { 否「不」默认；是「难」 }\n若 难 = 是 { 改 名.满：符 ≥ 90 倍 2 }\n")
    killing = [f for f in found(text, "V116") if f.severity == "warning"]
    assert [names(f) for f in killing] == [["读法.难", "名.满"]]


def test_v116_a_pair_can_kill_what_either_keeps() -> None:
    text = with_readings(
        "读法 甲 { 否 默认；是 }\n读法 乙 { 否 默认；是 }\n"
        "若 甲 = 是 { 加 和.须 少：符 ≤ 9 }\n若 乙 = 是 { 改 名.清：符 ≥ 10 倍 2 }\n"
    )
    killing = [f for f in found(text, "V116") if f.severity == "warning"]
    assert [names(f) for f in killing][-1] == ["读法.甲", "读法.乙", "名.清"]


def test_v116_sees_what_a_change_makes_of_marked_tiles_and_of_ranks() -> None:
    text = """
    规则 样样 {
      选项 全标 关 | 开
      选项 标闲 关 | 开
      选项 人大 关 | 开
      选项 白写 关 | 开
      牌 { 房 上大人 丘乙己；每张 3；标 将 随 抬将 身 庄 }
      座 { 庄 6；闲 5 }
      牌型 { 句 a b c 作 1组；坎 a a a 作 1组 }
      价 分 { 句 0；坎 3；句.将 2 代 句；坎.将 9 代 坎 }
      大小 { 小：上 > 大 = 人 }
      和 { 形 2组；取 分数 }
      支付 { 和：每家 付 当家 分 }
      若 全标 = 开 { 改 牌.标 将 随 抬将 身 庄 皆 }
      若 标闲 = 开 { 改 牌.标 将 随 抬将 身 闲 }
      若 人大 = 开 { 改 大小.小：上 > 人 > 大 }
      若 白写 = 开 { 改 价.分.坎 03 }
    }"""
    said = [line for line in table(text) if "by itself" in line]
    assert said == ["`白写 = 开` has no effect by itself"]


def test_v116_asks_each_variant_in_a_world_of_its_own_prices_of_marks_and_last_tiles() -> None:
    text = """
    规则 各样 {
      选项 贵 句 | 坎
      选项 杠 关 | 开
      牌 { 房 上大人 丘乙己；每张 4；标 将 随 抬将 身 庄 }
      座 { 庄 6；闲 5 }
      牌型 { 句 a b c 作 1组；坎 a a a 作 1组 }
      价 分 { 句 0；坎 3；句.将 9 代 句；坎.将 4 代 坎 }
      和 { 形 2组；取 分数 }
      名 { 坎里：数 坎.将 = 1 且 数 句 = 1 且 数 上 = 4 且 抬将 = 上 倍 2；怪：分 ≥ 60 倍 2 }
      支付 { 和：每家 付 当家 分 }
      若 贵 = 坎 { 改 价.分.坎.将 30 代 坎 }
      若 杠 = 开 { 改 名.怪：末张 同张 ≥ 2 倍 2 }
    }"""
    killing = [f for f in found(text, "V116") if f.severity == "warning"]
    assert [(f.sentence[1], names(f)) for f in killing] == [
        ("under `贵 = 句` `名.坎里` never comes into play, otherwise it can", ["选项.贵", "名.坎里"]),
        ("under `杠 = 关` `名.怪` never comes into play, otherwise it can", ["选项.杠", "名.怪"]),
    ]


def test_v116_finds_a_wait_that_a_grouping_makes_wrong() -> None:
    text = """
    规则 摆样 {
      选项 旁 可 | 不可
      牌 { 房 上大人 丘乙己；每张 4 }
      座 { 庄 5；闲 4 }
      牌型 { 句 a b c 作 1组；坎 a a a 作 1组；对 a a 作 1对 待 a }
      价 分 { 句 1；坎 2；对 0 }
      和 { 形 1组 1对；取 分数；摆法 坎旁：凡 房：数 坎 ≤ 1 }
      落叫 { 双碰 2对 等 对 }
      若 旁 = 不可 { 改 和.摆法 坎旁：凡 房：（数 坎 = 0 或 数 对 = 0） }
    }"""
    (wrong,) = [f for f in found(text, "V116") if "does not complete" in f.sentence[1]]
    assert wrong.sentence[1].startswith("under `旁 = 不可` `双碰` claims to wait for `上`")


def test_v116_reports_a_combination_that_does_not_load() -> None:
    text = with_readings(
        "读法 甲 { 否 默认；是 }\n读法 乙 { 否 默认；是 }\n"
        "若 甲 = 是 { 改 名.清：符 ≥ 9 倍 2 }\n若 乙 = 是 { 改 名.清：符 ≥ 10 倍 2 }\n"
    )
    faulty = [f for f in found(text, "V116") if f.severity == "error"]
    assert [names(f) for f in faulty] == [["读法.甲", "读法.乙"]]
    mended = text.replace("若 甲", "不许 甲 = 是 且 乙 = 是\n若 甲", 1)
    assert not [f for f in found(mended, "V116") if f.severity == "error"]
    assert "1 more are forbidden" in found(mended, "V116")[-1].sentence[1]


def test_v116_lists_what_has_no_effect_and_what_is_the_same() -> None:
    text = with_readings(
        "读法 甲 { 否 默认；是 }\n读法 乙 { 否 默认；是 }\n读法 丙 { 否 默认；是 }\n"
        "若 甲 = 是 或 乙 = 是 { 改 名.清：无 碰 倍 3 }\n"
        "若 丙 = 是 且 底 = 3 { 改 名.满：符 ≥ 4 倍 2 }\n"
    )
    lines = table(text)
    assert "`丙 = 是` has no effect by itself" in lines
    assert "`甲 = 是` = `乙 = 是`: the same game" in lines
    assert "`丙 = 是` has an effect together with `底 = 3`" in lines


def test_v116_the_text_has_every_line_of_the_table() -> None:
    idle = "".join(f"读法 甲{n} {{ 否 默认；是 }}\n" for n in range(7))
    text = report_text(verify(dsl.loads(with_readings(idle)), ["V116"]), "en")
    assert all(f"  - `甲{n} = 是` has no effect by itself" in text for n in range(7))


def test_v116_proves_that_a_change_of_words_changes_no_judgement() -> None:
    text = with_readings("读法 甲 { 否 默认；是 }\n若 甲 = 是 { 改 名.素：数 将 = 0 倍 2 }\n")
    assert "`甲 = 是` changes clauses, and the judgement of no hand" in table(text)


def test_v116_sees_through_a_need_that_is_split_in_two() -> None:
    text = with_readings(
        "读法 甲 { 否 默认；是 }\n加 和.须 乙：有 碰 坎 绍 招 且 符 ≥ 3 除非 素\n"
        "若 甲 = 是 { 改 和.须 乙：有 碰 坎 绍 招 除非 素；加 和.须 丙：符 ≥ 3 除非 素 }\n"
    )
    assert "`甲 = 是` changes clauses, and the judgement of no hand" in table(text)


def test_v116_finds_waits_that_a_reading_makes_wrong() -> None:
    text = with_readings("读法 邻 { 否 默认；是 }\n若 邻 = 是 { 改 牌型.口 当 位 b - 位 a = 1 }\n")
    wrong = [f for f in found(text, "V116") if "does not complete" in f.sentence[1]]
    assert ["读法.邻", "落叫.单吊", "和.形"] in [names(f) for f in wrong]
    assert all(f.example is not None for f in wrong)


def test_v116_is_silent_without_choices() -> None:
    assert not found(PAIRS % 11, "V116")


def test_v116_reads_a_text_again_but_not_a_bare_game() -> None:
    assert "tried 1 change" in verify(dsl.loads(SMALL), ["V116"]).findings[0].sentence[1]
    report = verify(dsl.loads(SMALL).core, ["V116"])
    assert not report.findings and [u.code for u in report.unknown] == ["V116"]


@pytest.mark.slow
def test_v116_what_the_readings_of_a_shipped_game_do() -> None:
    findings = verify("十符硬", ["V116"]).findings
    blamed = [names(f) for f in findings]
    assert ["读法.SH-05", "价.符.招.裸", "价.符.龙.裸"] in blamed
    assert [
        "读法.SH-05",
        "诈和.没抱柱",
        "价.符.招.一",
        "价.符.龙.一",
        *(f"价.符.双龙.{x}" for x in ("自", "一外", "两外")),
    ] in blamed
    assert ["读法.NW-03", "名.分符"] in blamed
    assert ["读法.VO-05", "落叫.偏口错", "和.形"] in blamed
    lines = [line[1] for line in findings[-1].verdicts]
    assert "under `NW-03 = R2` every `分符` meets `和.门槛`" in lines
    assert "`L3-08 = R2` has an effect together with `人数 = 3`" in lines
