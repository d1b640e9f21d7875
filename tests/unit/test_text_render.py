"""Messages: their words in both languages, and carets that stand right under Chinese text."""

from __future__ import annotations

import pickle
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dsl.text.codes import CODES, LABELS, Code, Lang, fields
from dsl.text.diagnostics import Diagnostic, SpecError, one_line, ordered
from dsl.text.display import visible
from dsl.text.export import to_json
from dsl.text.render import LIMIT, display_width, render, render_all, summary
from dsl.text.source import NOWHERE, Source, Span

LANGS: tuple[Lang, ...] = ("zh", "en")
PATH = "specs/a.pai"


def sources(text: str, path: str = PATH) -> dict[str, Source]:
    return {path: Source(path, text)}


def at(line: int, column: int, end: int | None = None, path: str = PATH) -> Span:
    return Span(path, line, column, line, column + 1 if end is None else end)


def unexpected(span: Span) -> Diagnostic:
    return Diagnostic("P001", span, {"char": "@"})


def pointed(text: str, span: Span) -> tuple[str, str]:
    """The source line and the caret line of a rendered diagnostic, without the gutter."""
    shown = render(unexpected(span), sources(text), "en").split("\n")
    return shown[3].split("| ", 1)[1], shown[4].split("| ", 1)[1]


def under(text: str, span: Span) -> str:
    """What stands over the carets, column by column."""
    line, carets = pointed(text, span)
    start, end = carets.index("^"), len(carets)
    assert set(carets[start:]) == {"^"}
    over, column, inside = "", 0, False
    for char in line:
        inside = start <= column < end if display_width(char) else inside
        over += char if inside else ""
        column += display_width(char)
    return over


# ---------------------------------------------------------------- the table of codes


def samples(code: Code) -> dict[str, object]:
    templates = [text for text in (code.zh, code.en, code.help_zh, code.help_en) if text]
    return {name: f"<{name}>" for template in templates for name in fields(template)}


@pytest.mark.parametrize("code", CODES)
def test_a_code_says_the_same_in_both_languages(code: str) -> None:
    entry = CODES[code]
    assert fields(entry.zh) == fields(entry.en)
    assert (entry.help_zh is None) == (entry.help_en is None)
    assert fields(entry.help_zh or "") == fields(entry.help_en or "")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("code", CODES)
def test_a_template_shows_all_its_values(code: str, lang: Lang) -> None:
    entry = CODES[code]
    diagnostic = Diagnostic(code, at(1, 1), samples(entry))
    shown = diagnostic.message(lang)
    assert all(f"<{name}>" in shown for name in fields(entry.sentence(lang)))
    assert (diagnostic.help(lang) is None) == (entry.advice(lang) is None)
    assert all(f"<{name}>" in str(diagnostic.help(lang)) for name in fields(entry.advice(lang) or ""))
    assert "?" not in shown


@pytest.mark.parametrize("code", CODES)
def test_the_wording_keeps_the_house_style(code: str) -> None:
    entry = CODES[code]
    assert not entry.en[0].isupper()
    assert entry.en[-1] not in ".!" and entry.zh[-1] not in "。！."
    assert not any(char in string.ascii_letters for char in entry.zh[0])
    assert any("\u4e00" <= char <= "\u9fff" for char in entry.zh)
    for text in (entry.zh, entry.en, entry.help_zh or "", entry.help_en or ""):
        assert text.count("`") % 2 == 0


def test_the_first_letter_of_a_code_tells_its_weight() -> None:
    for code, entry in CODES.items():
        assert len(code) == 4 and code[0] in "PNTWHUR" and code[1:].isdigit()
        if code[0] != "R":  # what a player did wrong, or what a recorder only noted
            assert entry.severity == ("warning" if code[0] == "W" else "error")


def test_no_two_codes_read_alike_within_a_letter() -> None:
    for letter in "PNTWHUR":
        for lang in LANGS:
            words = [entry.sentence(lang) for code, entry in CODES.items() if code[0] == letter]
            assert len(words) == len(set(words))


# ---------------------------------------------------------------- values


def test_a_pair_is_picked_by_language() -> None:
    diagnostic = Diagnostic("N001", NOWHERE, {"name": "碰碰", "what": ("牌型", "meld")})
    assert diagnostic.message("zh") == "没有叫 `碰碰` 的牌型"
    assert diagnostic.message("en") == "unknown meld `碰碰`"


@pytest.mark.parametrize("values", [{}, {"suggestion": None}])
def test_help_needs_all_its_values(values: dict[str, object]) -> None:
    base: dict[str, object] = {"name": "x", "what": "meld"}
    assert Diagnostic("N001", NOWHERE, base | values).help("en") is None
    found = Diagnostic("N001", NOWHERE, base | {"suggestion": "碰"})
    assert found.help("en") == "did you mean `碰`?"
    assert found.help("zh") == "是不是想写 `碰`？"


def test_own_help_stands_in_for_the_table() -> None:
    own = ("先写 {牌}", "write {deck} first")
    diagnostic = Diagnostic("P008", NOWHERE, {"help": own})
    assert diagnostic.help("zh") == "先写 {牌}"
    assert diagnostic.help("en") == "write {deck} first"
    assert Diagnostic("P008", NOWHERE).help("en") == "start with `rules NAME { … }`"


def test_lists_articles_and_counts() -> None:
    allowed = Diagnostic("N010", NOWHERE, {"name": "人数", "value": 7, "allowed": [3, 4]})
    assert allowed.message("zh") == "选项 `人数` 不能取 `7`，只能取 `3`、`4`"
    assert allowed.message("en") == "option `人数` cannot be `7`, allowed: `3`, `4`"
    sort = Diagnostic("T009", NOWHERE, {"name": "x", "found": "unit", "expected": "arrangement"})
    assert sort.message("en") == "`x` is a unit, an arrangement is needed"
    row = Diagnostic("T008", NOWHERE, {"found": 1, "expected": 2})
    assert row.message("en") == "the row has 1 cell, the table has 2 columns"


def test_braces_of_the_author_are_only_text() -> None:
    diagnostic = Diagnostic("P002", NOWHERE, {"found": "{x}", "expected": "`}`"})
    assert diagnostic.message("en") == "unexpected word `{x}`, expected `}`"


def test_a_value_cannot_steer_the_terminal_or_flood_it() -> None:
    shown = Diagnostic("P001", NOWHERE, {"char": "\x1b[31m\u200b\n"}).message("en")
    assert shown == "unexpected character `<U+001B>[31m<U+200B><U+000A>`"
    assert len(Diagnostic("P001", NOWHERE, {"char": "大" * 10_000}).message("zh")) < 300


def test_a_forgotten_value_does_not_hide_the_message() -> None:
    assert Diagnostic("N010", NOWHERE).message("en") == "option `?` cannot be `?`, allowed: `?`"


# ---------------------------------------------------------------- widths


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("上大人", 6),
        ("，；（）", 8),
        ("Ａ１", 4),
        ("\u3000", 2),
        ("ｶ", 1),
        ("e\u0301", 1),
        ("か\u3099", 2),
        ("葛\U000e0100", 2),
        ("\t", 4),
        ("𠮷", 2),
        ("a\u200bb", 2),
        ("≥“”", 3),
    ],
)
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


def test_what_is_invisible_is_shown_by_its_number() -> None:
    assert visible("a\ufeffb\u202ec\x7f") == "a<U+FEFF>b<U+202E>c<U+007F>"
    assert visible("\ud800") == "<U+D800>"
    assert visible("上\t大") == "上    大"


# ---------------------------------------------------------------- carets


def test_the_whole_picture_in_english() -> None:
    diagnostic = Diagnostic(
        "P002", at(2, 9, 11), {"found": "每章", "expected": "`每张`", "suggestion": "每张"}
    )
    assert render(diagnostic, sources("规则 甲 {\n  牌 { 上；每章 4 }\n}\n"), "en").split("\n") == [
        "error[P002]: unexpected word `每章`, expected `每张`",
        " --> specs/a.pai:2:9",
        "  |",
        "2 |   牌 { 上；每章 4 }",
        "  |            ^^^^",
        "help: did you mean `每张`?",
    ]


def test_the_whole_picture_in_chinese() -> None:
    second = Diagnostic("N002", at(12, 3, 5), {"name": "清符"}, ((at(4, 1, 3), "first"),))
    text = "\n".join(["", "", "", "清符 无 碰", *[""] * 7, "  清符 无 坎"])
    assert render(second, sources(text), "zh").split("\n") == [
        "错误[N002]：`清符` 定义了两次",
        "  --> specs/a.pai:12:3",
        "   |",
        "12 |   清符 无 坎",
        "   |   ^^^^",
        "  ::: specs/a.pai:4:1",
        "   |",
        " 4 | 清符 无 碰",
        "   | ---- 先写在这里",
        "帮助：给其中一个改名，或者删去一个",
    ]


@pytest.mark.parametrize(
    ("text", "column", "end", "over"),
    [
        ("上大人", 2, 3, "大"),
        ("上大人", 1, 4, "上大人"),
        ("类　将＝上，大", 4, 5, "＝"),
        ("ｘＹab，大", 6, 7, "大"),
        ("\t\t碰 a", 3, 4, "碰"),
        ("a\t大\t人", 5, 6, "人"),
        ("e\u0301e\u0301大", 5, 6, "大"),
        ("か\u3099大", 3, 4, "大"),
        ("葛\U000e0100人大", 3, 4, "人"),
        ("𠮷野家", 2, 4, "野家"),
        ("“上”≥大", 5, 6, "大"),
    ],
)
def test_the_caret_stands_under_its_text(text: str, column: int, end: int, over: str) -> None:
    assert under(text, at(1, column, end)) == over


def test_a_caret_for_a_combining_character_takes_its_base() -> None:
    assert under("大e\u0301人", at(1, 3)) == "e\u0301"


def test_a_caret_marks_an_invisible_character() -> None:
    assert under("上\u200b大", at(1, 2)) == "<U+200B>"
    assert under("上\u200b大", at(1, 3)) == "大"


def test_a_tab_in_the_marked_part_is_as_wide_as_it_looks() -> None:
    assert pointed("a\tb", at(1, 2)) == ("a    b", " ^^^^")


@pytest.mark.parametrize("column", [4, 9])
def test_the_end_of_a_line_can_be_pointed_at(column: int) -> None:
    assert pointed("上大人\n可", at(1, column, column)) == ("上大人", "      ^")


def test_windows_line_ends_do_not_show() -> None:
    assert pointed("上\r\n大人\r\n", at(2, 2)) == ("大人", "  ^^")


def test_a_long_stretch_shows_its_first_line_to_the_end() -> None:
    assert pointed("和 { 形  \n 5组\n}", Span(PATH, 1, 3, 3, 2)) == ("和 { 形", "   ^^^^")


def test_the_gutter_fits_the_largest_line_number() -> None:
    shown = render(unexpected(at(100, 1)), sources("\n" * 99 + "@"), "en").split("\n")
    assert shown[1:] == ["   --> specs/a.pai:100:1", "    |", "100 | @", "    | ^"]


# ---------------------------------------------------------------- long lines


@pytest.mark.parametrize("column", [1, 20, 500, 999, 1000])
def test_a_long_line_is_cut_around_the_caret(column: int) -> None:
    text = "".join(chr(0x4E00 + index) for index in range(1000))
    line, carets = pointed(text, at(1, column))
    assert display_width(line) <= LIMIT and display_width(line) > LIMIT - 10
    assert under(text, at(1, column)) == text[column - 1]
    assert line.startswith("...") == (column > 20)
    assert line.endswith("...") == (column < 999)
    assert len(carets) <= LIMIT


def test_a_line_that_just_fits_is_not_cut() -> None:
    assert pointed("大" * (LIMIT // 2), at(1, 80))[0] == "大" * (LIMIT // 2)
    line, carets = pointed("大" * (LIMIT // 2) + "a", at(1, 81))
    assert line.startswith("...") and line.endswith("大a") and len(carets) == display_width(line)


def test_carets_stop_where_a_cut_line_stops() -> None:
    line, carets = pointed("x" * 1000, at(1, 101, 900))
    assert len(carets) == len(line) - len("...")


@given(st.text("aＡ大，\u0301\u3099\t\u200b≥", min_size=1, max_size=400), st.integers(0, 399))
def test_the_caret_is_right_in_any_mixture(text: str, index: int) -> None:
    index %= len(text)
    assume(text[index] not in "\u0301\u3099\t" and not text.isspace())
    assert under(text, at(1, index + 1)).rstrip("\u0301\u3099") == visible(text[index])


# ---------------------------------------------------------------- without a source, without a place


def test_a_place_without_its_text_is_still_named() -> None:
    related = ((at(4, 2, path="b.pai"), "first"), (NOWHERE, "自己写的话"))
    diagnostic = Diagnostic("N002", at(3, 2), {"name": "x"}, related)
    assert render(diagnostic, {}, "en").split("\n")[1:] == [
        " --> specs/a.pai:3:2",
        " ::: b.pai:4:2  first written here",
        "  = 自己写的话",
        "help: rename or remove one of them",
    ]


def test_nowhere_leaves_the_sentence_alone() -> None:
    diagnostic = Diagnostic("U001", NOWHERE, {"name": "x"})
    assert render(diagnostic, {}, "en") == "error[U001]: no game is called `x`"


def test_an_empty_file_has_no_line_to_show() -> None:
    shown = render(Diagnostic("P008", Span(PATH)), sources("\n \n"), "zh")
    assert shown.split("\n")[1:] == [" --> specs/a.pai:1:1", "帮助：从 `规则 名字 { … }` 写起"]


def test_help_of_several_lines_is_indented() -> None:
    shown = render(Diagnostic("P008", NOWHERE, {"help": "一\n二"}), {}, "zh")
    assert shown.endswith("帮助：一\n      二")


# ---------------------------------------------------------------- many at once


def many() -> list[Diagnostic]:
    return [
        Diagnostic("W003", at(1, 1, path="z.pai"), {"name": "将"}),
        unexpected(at(10, 1)),
        unexpected(at(2, 7)),
        unexpected(at(2, 3)),
        Diagnostic("N002", at(2, 3), {"name": "x"}),
        unexpected(at(2, 3)),
    ]


def test_all_are_shown_in_order_and_once() -> None:
    shown = render_all(many(), {}, "en")
    assert [line for line in shown.split("\n") if "-->" in line or "[" in line] == [
        "error[N002]: `x` is defined twice",
        " --> specs/a.pai:2:3",
        "error[P001]: unexpected character `@`",
        " --> specs/a.pai:2:3",
        "error[P001]: unexpected character `@`",
        " --> specs/a.pai:2:7",
        "error[P001]: unexpected character `@`",
        "  --> specs/a.pai:10:1",
        "warning[W003]: class `将` is empty",
        " --> z.pai:1:1",
    ]
    assert shown.endswith("\n\n4 errors, 1 warning")
    assert render_all(reversed(many()), {}, "en") == shown


def test_the_same_code_with_other_words_is_another_message() -> None:
    span = at(1, 1)
    both = [Diagnostic("N002", span, {"name": name}) for name in ("乙", "甲", "乙")]
    assert [d.values["name"] for d in ordered(both)] == ["乙", "甲"]


@pytest.mark.parametrize(
    ("codes", "zh", "en"),
    [
        (["P008"], "1 个错误", "1 error"),
        (["P008"] * 3 + ["W002"], "3 个错误，1 个警告", "3 errors, 1 warning"),
        (["W002"] * 2, "2 个警告", "2 warnings"),
        ([], "", ""),
    ],
)
def test_summary(codes: list[str], zh: str, en: str) -> None:
    found = [Diagnostic(code, NOWHERE) for code in codes]
    assert (summary(found, "zh"), summary(found, "en")) == (zh, en)


def test_nothing_found_says_nothing() -> None:
    assert render_all([], {}, "zh") == ""


# ---------------------------------------------------------------- for programs


def test_json_has_the_place_in_characters() -> None:
    values = {"name": "碰碰", "what": ("牌型", "meld"), "suggestion": "碰"}
    diagnostic = Diagnostic("N001", at(3, 4, 6), values)
    assert to_json(diagnostic, "en") == {
        "code": "N001",
        "severity": "error",
        "message": "unknown meld `碰碰`",
        "help": "did you mean `碰`?",
        "file": PATH,
        "line": 3,
        "column": 4,
        "end_line": 3,
        "end_column": 6,
    }


def test_json_without_a_place_has_nulls() -> None:
    found = to_json(Diagnostic("U002", NOWHERE, {"path": "x.pai"}), "zh")
    assert {found[key] for key in ("file", "line", "column", "end_line", "end_column", "help")} == {None}
    assert found["message"] == "没有文件 `x.pai`"


def test_a_spec_error_reads_as_one_line_each_and_survives_pickling() -> None:
    error = SpecError([unexpected(at(2, 1)), unexpected(at(1, 5))], sources("@"))
    assert str(error).split("\n") == [
        "specs/a.pai:1:5: error[P001]: unexpected character `@`",
        "specs/a.pai:2:1: error[P001]: unexpected character `@`",
    ]
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnostics == error.diagnostics and again.sources == error.sources


def test_diagnostics_can_be_kept_in_sets() -> None:
    assert len({unexpected(at(1, 1)), unexpected(at(1, 1)), unexpected(at(1, 2))}) == 2


def test_one_line_in_chinese() -> None:
    assert one_line(unexpected(at(1, 2)), "zh") == "specs/a.pai:1:2: 错误[P001]：这里不该有字符 `@`"


def test_labels_are_in_both_languages() -> None:
    for zh, en in LABELS.values():
        assert any("\u4e00" <= char <= "\u9fff" for char in zh) and en.isascii() and en[0].islower()
