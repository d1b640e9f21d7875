"""Choices that need not be assembled are those under which nothing new goes wrong."""

from __future__ import annotations

from itertools import permutations

import pytest

from dsl.front.assemble import assemble
from dsl.front.clashes import Clashes
from dsl.front.load import Library, load_text
from dsl.text.diagnostics import Diagnostic

TEXT = """
规则 试 {
  选项 甲 一 | 二
  选项 乙 一 | 二
  选项 丙 一 | 二
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 6；闲 5 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组 }
  价 分 { 句 1；坎 2 }
  和 { 形 2组；须 起和：分 ≥ 3 }
WHENS
}
"""
CASES = {
    "none": "若 甲 = 二 { 调 和.起和 3 → 2 }\n若 乙 = 二 { 调 价.分.坎 2 → 3 }",
    "both replace": "若 甲 = 二 { 改 和.须 起和：分 ≥ 1 }\n若 乙 = 二 { 改 和.须 起和：分 ≥ 2 }",
    "one removes": "若 甲 = 二 { 删 价.分.坎 }\n若 乙 = 二 { 调 价.分.坎 2 → 3 }",
    "both add": "若 甲 = 二 { 加 和.须 多：分 ≥ 1 }\n若 乙 = 二 且 丙 = 二 { 加 和.须 多：分 ≥ 2 }",
    "helped": "若 甲 = 一 { 删 价.分.坎 }\n若 乙 = 二 { 加 价.分.坎 5 }",
}


@pytest.mark.parametrize("whens", CASES.values(), ids=CASES)
def test_nothing_goes_wrong_where_it_is_said_to_be_impossible(whens: str) -> None:
    library = Library()
    first = load_text(TEXT.replace("WHENS", whens), "-", {}, library).assembled
    assert first is not None
    choices = list(first.choices.legal())
    found = {str(o): assemble(first.chain, o, first.ruleset.span).faults for o in choices}
    for order in (choices, choices[::-1], *list(permutations(choices))[::5000]):
        clashes, seen = Clashes(first, library.planned), set[Diagnostic]()
        for options in order:
            if clashes.possible(options):
                seen.update(found[str(options)])
            assert seen.issuperset(found[str(options)])


def test_most_choices_are_passed_over() -> None:
    library = Library()
    first = load_text(TEXT.replace("WHENS", CASES["both replace"]), "-", {}, library).assembled
    assert first is not None
    clashes = Clashes(first, library.planned)
    assert [clashes.possible(options) for options in first.choices.legal()].count(True) == 1
