"""The examples that messages show: one for every clause, and each is right."""

from __future__ import annotations

import pytest

from dsl.front.complain import TOGETHER
from dsl.front.cover import changed, every_condition, every_pair, single_changes
from dsl.front.keywords import KEYWORDS, PUNCTUATION
from dsl.front.lex import BLOCKS, grammar, lex
from dsl.front.load import Library, load_ruleset
from dsl.front.parse import parse
from dsl.front.usage import EXAMPLES, PLACED, SYNONYMS, example, home, in_english
from dsl.text.source import Source

HEADS = {start: keyword for keyword, start in PLACED.items()}


def first_words(start: str) -> set[str]:
    """The kinds of token a clause may begin with; all names and numbers of names count as one."""
    accepted = grammar().parse_interactive(start=f"{start}_clause").accepts()  # type: ignore[no-untyped-call]
    return {kind if kind in KEYWORDS else "NAME" for kind in accepted}


@pytest.mark.parametrize("start", sorted(set(BLOCKS) - {"delta", "outside"}))
def test_every_clause_has_an_example(start: str) -> None:
    assert set(EXAMPLES[start]) == first_words(start)


@pytest.mark.parametrize("start", sorted(EXAMPLES))
def test_every_example_is_right_in_both_languages(start: str) -> None:
    for text in EXAMPLES[start].values():
        for shown in (text, in_english(text)):
            assert faults(start, shown.replace("…", "")) == [], shown


def faults(start: str, clause: str) -> list[str]:
    """Parse a clause inside the block that it belongs to."""
    opener = KEYWORDS[HEADS[start]][0] if start in HEADS else OPENERS.get(start, "")
    inside = f"{opener} {{ {clause} {'}' * (opener.count('{') + 1)}" if opener else clause
    text = inside if start == "file" else f"规则 甲 {{\n{inside}\n}}"
    return [fault.message("en") for fault in parse(Source("a.pai", text))[1]]


OPENERS = {"price": "价 符", "example": "例 E-1", "reading": "读法 A-1", "variant": "牌型 { 龙 a a a a"}


def test_examples_of_changes_follow_the_section() -> None:
    def shown(text: str) -> str:
        found = example("ruleset", lex(Source("", text))[0])
        assert found is not None
        return found[0]

    assert shown("改 和.须 分") == "改 和.须 门槛：符 ≥ 10 除非 素符"
    assert shown("改 和.形 分") == "改 和.形 5组 2口"
    assert shown("加 座.北") == "加 座.闲 18 × 3"
    assert shown("加 支付.和：北") == "加 支付.和：每家 付 当家 1 × 倍"
    assert shown("改 别的") == "改 和.须 门槛：符 ≥ 14"


def test_home() -> None:
    assert home("NEED") == ("和 { … }", "win { … }")
    assert home("COLUMNS") == ("价 … { … }", "price … { … }")
    assert home("VERDICT") == ("例 … { … }", "example … { … }")
    assert home("DECK") == ("规则 … { … }", "rules … { … }")
    assert home("UNLESS") is None


def test_tables_name_tokens_that_exist() -> None:
    kinds = {*KEYWORDS, *PUNCTUATION, "NAME", "NUMBER"}
    assert set(SYNONYMS.values()) <= kinds
    assert all(together <= kinds for together, _ in TOGETHER)


# ---------------------------------------------------------------- options that bring everything into force


SPEC = """规则 甲 {
  选项 人数 4 | 3 | 2
  选项 赖子 关 | 开
  读法 SH-1「问」 { R1「一」；R2「二」默认 }
  不许 人数 = 3 且 赖子 = 关
  若 人数 = 2 { 删 名.子 }
  若 赖子 = 开 且 非 SH-1 = R2 { 删 名.丑 }
  若 人数 = 9 { 删 名.寅 }
}"""


def test_every_value_and_every_condition_is_tried() -> None:
    rulesets, _ = parse(Source("a.pai", SPEC))
    assembled = load_ruleset(rulesets[0], {}, Library()).assembled
    assert assembled is not None

    def shown(tried: object) -> list[dict[str, str]]:
        return [changed(assembled.choices, options) for options in tried]  # type: ignore[attr-defined, union-attr]

    assert shown(single_changes(assembled)) == [
        {"人数": "3", "赖子": "开"},
        {"人数": "2"},
        {"赖子": "开"},
        {"SH-1": "R1"},
    ]
    assert shown(every_condition(assembled)) == [{"人数": "2"}, {"赖子": "开", "SH-1": "R1"}]
    assert shown(every_pair(assembled)) == [{"人数": "2", "赖子": "开", "SH-1": "R1"}]
