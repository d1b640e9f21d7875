"""The canonical look, example by example."""

from __future__ import annotations

import pytest

from dsl.front.format import WIDTH, format_source
from dsl.front.respell import ordinal
from dsl.text.display import display_width
from dsl.text.source import Source


def formatted(text: str, lang: str | None = None) -> str:
    shown, faults = format_source(Source("a.pai", text), lang)  # type: ignore[arg-type]
    assert not faults, [fault.message("en") for fault in faults]
    return shown


def inside(*lines: str, lang: str | None = None) -> list[str]:
    """The clauses of a ruleset, formatted, without its own two lines and indentation."""
    text = formatted("规则 甲 {\n" + "\n".join(lines) + "\n}\n", lang)
    return [line.removeprefix("  ") for line in text.split("\n")[1:-2]]


# ---------------------------------------------------------------- white space


def test_a_clause_a_line_two_blanks_a_level() -> None:
    assert formatted("规则 甲{牌{房 上大人\n每张 4};座{庄 3}}") == (
        "规则 甲 {\n  牌 {\n    房 上大人\n    每张 4\n  }\n  座 { 庄 3 }\n}\n"
    )


def test_blank_lines_are_kept_single_and_not_at_the_edges() -> None:
    text = "\n\n规则 甲 {\n\n  牌 { 每张 4 }\n\n\n\n  座 { 庄 3 }\n\n}\n\n\n规则 乙 { }\n\n"
    assert formatted(text) == "规则 甲 {\n  牌 { 每张 4 }\n\n  座 { 庄 3 }\n}\n\n规则 乙 {}\n"


def test_an_ideographic_blank_makes_no_line() -> None:
    assert inside("牌 { 每张 4 }", "\u3000", "座 { 庄 3 }") == ["牌 { 每张 4 }", "", "座 { 庄 3 }"]


def test_windows_line_ends_stay() -> None:
    text = "规则 甲 { // 开头\r\n牌 { 每张 4 }\r\n}\r\n"
    assert formatted(text) == "规则 甲 {  // 开头\r\n  牌 { 每张 4 }\r\n}\r\n"


def test_a_byte_order_mark_goes() -> None:
    assert formatted("\ufeff规则 甲 {}").startswith("规则")


def test_a_brace_on_the_next_line_comes_up_with_its_comments() -> None:
    assert inside("牌  // 牌", "{  // 开头", "每张 4", "}") == ["牌 {  // 牌", "  // 开头", "  每张 4", "}"]


# ---------------------------------------------------------------- signs and words


def test_chinese_signs() -> None:
    assert inside('读法 A-1 "问" {R1 "一" default;R2 "二"}', lang="zh") == [
        "读法 A-1「问」 { R1「一」默认；R2「二」 }"
    ]
    assert inside("断言 C-1 存在 (数 句>=1 or 分!=2)and not 形 答 有", lang="zh") == [
        "断言 C-1 存在（数 句 ≥ 1 或 分 ≠ 2）且 非 形 答 有"
    ]


def test_english_signs() -> None:
    assert inside("读法 A-1「问」 { R1「一」默认；R2「二」 }", lang="en") == [
        'reading A-1 "问" { R1 "一" default; R2 "二" }'
    ]
    assert inside("断言 C-1 存在（数 句≥1 或 分≠2）且 非 形 答 有", lang="en") == [
        "claim C-1 exists (count 句 >= 1 or 分 != 2) and not shape answer some"
    ]


def test_the_last_tile_as_the_extra_one_is_one_attribute() -> None:
    shown = inside("牌型 {", "句 a b c 作 1组", "配 a a 作 1张 锁 第二 他打 补 末张", "}")
    assert shown[2].endswith("锁  第二 他打  补 末张")


def test_without_a_language_keywords_stay_and_signs_follow_the_majority() -> None:
    assert inside("claim C-1 exists 形 且 分>=1 answer some") == [
        "claim C-1 exists 形 且 分 >= 1 answer some"
    ]
    assert inside("断言 C-1 存在 形 and 分>=1 答 有") == ["断言 C-1 存在 形 and 分 ≥ 1 答 有"]


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("第四", "第四", "slot 4"),
        ("slot  12", "第12", "slot 12"),
        ("第 3", "第三", "slot 3"),
        ("第４", "第四", "slot 4"),
    ],
)
def test_ordinals(text: str, zh: str, en: str) -> None:
    assert (ordinal(text, "zh"), ordinal(text, "en")) == (zh, en)


def test_numbers_stay_glued_or_apart_and_lose_their_full_width() -> None:
    assert inside("和 { 形 ５组 2 口 }") == ["和 { 形 5组 2 口 }"]


def test_minus_is_a_sign_in_a_table_and_an_operator_in_a_sum() -> None:
    assert inside("价 分 { 句 2 - 1 }") == ["价 分 { 句 2 -1 }"]
    assert inside("断言 C-1 存在 分-1>2 答 有") == ["断言 C-1 存在 分 - 1 > 2 答 有"]
    assert inside("支付 { 和：庄 付 闲 分-1 }") == ["支付 { 和：庄 付 闲 分 - 1 }"]
    assert inside("调 价.分.句 -1→- 2") == ["调 价.分.句 -1 → -2"]


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("「一」", "「一」", '"一"'),
        ('"一"', "「一」", '"一"'),
        ('「说"一"」', '「说"一"」', '“说"一"”'),
        ('“有」有"”', '“有」有"”', '“有」有"”'),
    ],
)
def test_quotes_follow_the_language_when_the_content_allows(text: str, zh: str, en: str) -> None:
    assert inside(f"出处 {text}", lang="zh") == [f"出处 {zh}"]
    assert inside(f"出处 {text}", lang="en") == [f"sources {en}"]


def test_quoted_names_are_never_taken_for_keywords() -> None:
    assert inside("牌 { 散牌 『和』 ‘win’ }", lang="en") == ["deck { loose '和' 'win' }"]
    assert inside("牌 { 散牌 『它's』 }", lang="zh") == ["牌 { 散牌 ‘它's’ }"]


# ---------------------------------------------------------------- blocks on one line


def test_a_short_block_stays_a_long_one_is_broken() -> None:
    short = "座 { 庄 19；闲 18 × 3 }"
    assert inside(short) == [short]
    long = "座 { " + "；".join(f"第{n}个名字很长的座位 18" for n in "甲乙丙丁戊己庚") + " }"
    assert inside(long)[0] == "座 {" and len(inside(long)) == 9


def test_what_fits_is_decided_alike_in_both_languages() -> None:
    clause = "读法 A-1「问」 { " + "；".join(f"R{n}「{'字' * 4}」默认" for n in range(4)) + " }"
    assert display_width(clause) <= WIDTH < display_width(clause.replace("默认", " default"))
    assert len(inside(clause, lang="zh")) == len(inside(clause, lang="en")) == 6


def test_an_opened_block_stays_open() -> None:
    assert inside("座 {", "庄 3", "}") == ["座 {", "  庄 3", "}"]


# ---------------------------------------------------------------- comments


def test_comments_stay_where_they_are() -> None:
    lines = [
        "// 前",
        "牌 {  // 开头",
        "  // 里",
        "  每张 4  // 旁",
        "",
        "  // 尾",
        "}  // 后",
        "",
        "// 末",
    ]
    assert inside(*lines) == lines


def test_a_comment_in_a_broken_line_follows_its_clause() -> None:
    assert inside("座 { 庄 3; 闲 4 // 闲", "}") == ["座 {", "  庄 3", "  闲 4  // 闲", "}"]


def test_only_the_end_of_a_comment_is_trimmed() -> None:
    assert inside("//  空  格\t ", "／／全角") == ["//  空  格", "／／全角"]


# ---------------------------------------------------------------- columns


def test_a_price_table() -> None:
    rows = ["列 将 闲 依 A-1", "坎 绍 6 -4 依 A-2", "招.一 11 缺 代 招  // 例外", "龙 1 2"]
    assert inside("价 符 {", *rows, "}") == [
        "价 符 {",
        "  列     将  闲  依 A-1",
        "  坎 绍   6  -4  依 A-2",
        "  招.一  11  缺  代 招  // 例外",
        "  龙      1   2",
        "}",
    ]


def test_melds() -> None:
    rows = ["碰 a a a 第三 他人 作 1组 锁 依 A-1", "招.满 a a a a b c 作 2组", "对 a a 作 1对 待 a 依 A-2"]
    assert inside("牌型 {", *rows, "}") == [
        "牌型 {",
        "  碰     a a a        第三 他人  作 1组  锁  依 A-1",
        "  招.满  a a a a b c  作 2组",
        "  对     a a          作 1对  待 a           依 A-2",
        "}",
    ]


def test_named_wins_and_waits() -> None:
    assert inside("名 {", "甲：有 红 倍 2", "乙丙：无 红", "}") == [
        "名 {",
        "  甲：有 红  倍 2",
        "  乙丙：无 红",
        "}",
    ]
    assert inside("落叫 {", "甲 4组 等 对", "乙丙 4组 1口 等 口", "}") == [
        "落叫 {",
        "  甲    4组      等 对",
        "  乙丙  4组 1口  等 口",
        "}",
    ]


def test_citations_of_neighbours_and_an_empty_line_between() -> None:
    lines = ["牌 {", "每张 4 依 A-1", "类 红 = 上大人 依 A-2", "", "散牌 花 依 A-3", "}"]
    assert inside(*lines) == [
        "牌 {",
        "  每张 4          依 A-1",
        "  类 红 = 上大人  依 A-2",
        "",
        "  散牌 花  依 A-3",
        "}",
    ]


def test_a_long_line_does_not_push_its_neighbours() -> None:
    long = "房 " + " ".join(["上大人"] * 12)
    assert inside("牌 {", f"{long} 依 A-1", "每张 4 依 A-2", "}")[2] == "  每张 4  依 A-2"


def test_blocks_of_one_kind_open_under_each_other() -> None:
    assert inside("若 甲 = 二 { 删 名.子 }", "若 甲乙 = 三 { 删 名.丑 }", "座 { 庄 3 }") == [
        "若 甲 = 二   { 删 名.子 }",
        "若 甲乙 = 三 { 删 名.丑 }",
        "座 { 庄 3 }",
    ]


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("规则 甲 {\n  牌 { 每张   4 @ }\n}", "P001"),
        ("规则 甲 {\n  牌 {\n}", "P004"),
        ("规则 甲 {\n}\n}", "P005"),
        ("规则 甲「 {\n}", "P006"),
        ("规则   甲 {\n  牌 { 散牌 和 }\n}", "P010"),
        ("// 只有\n", "P008"),
        ("", "P008"),
    ],
)
def test_a_faulty_file_is_left_alone(text: str, code: str) -> None:
    shown, faults = format_source(Source("a.pai", text), "en")
    assert shown == text and [fault.code for fault in faults] == [code]
