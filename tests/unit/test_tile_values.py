"""Values that are worked out, classes by a condition, and prices counted tile by tile."""

from __future__ import annotations

import pytest

import dsl
from dsl.front.format import format_source
from dsl.text.codes import Lang
from dsl.text.source import Source

DOTS = """
规则 点子 {
  牌 {
    散牌 天牌 斧头 人牌 三四 二五 丁丁 地牌 听用
    每张 4
    值 倍点 = 2 × 点 - 1
    值 点 = 上 + 下
    值 上：天牌 6 斧头 5 人牌 4 三四 3 二五 2 丁丁 1 地牌 1
    值 下：天牌 6 斧头 6 人牌 4 三四 4 二五 5 丁丁 2 地牌 1
    类 红 = 红点 天牌
    类 红点 当 上 = 1 或 上 = 4 或 下 = 1 或 下 = 4
    类 黑 = 非 红
    类 七 当 点 = 7
    类 红七 当 七 且 红
    类 中 当 3 ≤ 倍点 < 14 且 非 三四
    类 不是七 当 非 点 = 7
    %(deck)s
  }
  座 { 庄 6；闲 5 }
  牌型 {
    坎 a a a 作 1组
    吃 a a b 作 1组 跨房 当 点 a + 点 b = 14
    三七 a b c 作 1组 跨房 当 皆 七 或 点 a = 13
  }
  价 陀 {
    列 %(columns)s
    坎 8 4
    %(row)s
  }
  和 { 形 2组；须 起和：陀 ≥ 3 }
}
"""


def load(deck: str = "", columns: str = "红 黑", row: str = "吃 三七 逐张 1 0") -> dsl.Game:
    return dsl.loads(DOTS % {"deck": deck, "columns": columns, "row": row})


def codes(**changed: str) -> list[str]:
    with pytest.raises(dsl.SpecError) as told:
        load(**changed)
    return [fault.code for fault in told.value.diagnostics]


def members(game: dsl.Game, name: str) -> str:
    return " ".join(kind.name for kind in game.core.kinds if name in kind.classes)


def test_values_are_worked_out_whatever_the_order() -> None:
    values = {kind.name: dict(kind.values) for kind in load().core.kinds}
    assert values["斧头"] == {"上": 5, "下": 6, "点": 11, "倍点": 21}
    assert values["听用"] == {}


def test_classes_by_a_condition_and_lists_go_together() -> None:
    game = load()
    assert members(game, "红点") == "人牌 三四 丁丁 地牌"
    assert members(game, "红") == "天牌 人牌 三四 丁丁 地牌"
    assert members(game, "红七") == "三四"
    assert members(game, "中") == "二五 丁丁 地牌"
    assert members(game, "不是七") == "天牌 斧头 人牌 丁丁 地牌 听用"


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        ("值 甲 = 乙；值 乙 = 甲 + 1", "N017"),
        ("值 甲 = 甲 + 1", "N017"),
        ("值 甲 = 点 + 没有", "N001"),
        ("值 侧：天牌 6；值 甲 = 点 - 侧", "T057"),
        ("值 甲 = 点 a", "T009"),
        ("值 甲 = 数 坎", "T009"),
        ("类 甲 当 没有 = 3", "N001"),
        ("类 甲 当 没有", "T001"),
        ("类 甲 当 点 a = 3", "T009"),
        ("类 甲 当 位 a = 3", "T009"),
        ("类 甲 当 点 于 红 = 3", "T009"),
        ("类 甲 当 听", "T009"),
        ("类 甲 当 乙；类 乙 当 非 甲", "N017"),
    ],
)
def test_what_is_wrong_with_them_is_told_once(deck: str, code: str) -> None:
    assert codes(deck=deck) == [code]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_difference_is_laid_out_as_one(lang: Lang) -> None:
    shown, _ = format_source(Source("a.pai", "规则 甲 { 牌 { 值 点=上-下；值 上：天牌-1 } }"), lang)
    assert "点 = 上 - 下" in shown and "天牌 -1" in shown


def test_an_empty_class_is_a_warning() -> None:
    game = load(deck="类 甲 当 点 = 99")
    assert members(game, "甲") == ""


# ---------------------------------------------------------------- tile by tile


def prices(game: dsl.Game, meld: str) -> dict[str, int | None]:
    kinds = game.core.kinds
    found = (m for m in game.core.melds if m.type.name == meld)
    return {" ".join(kinds[t].name for t in m.tiles): m.prices[0].points for m in found}


def test_every_tile_counts_its_own_cell() -> None:
    assert prices(load(), "吃") == {
        "天牌 天牌 地牌": 3,
        "斧头 斧头 丁丁": 1,
        "三四 三四 二五": 2,
        "二五 二五 三四": 1,
        "丁丁 丁丁 斧头": 2,
        "地牌 地牌 天牌": 3,
    }


def test_a_hole_under_one_tile_is_a_hole() -> None:
    assert prices(load(row="吃 三七 逐张 1 缺"), "吃")["丁丁 丁丁 斧头"] is None
    assert prices(load(row="吃 三七 逐张 1 缺"), "吃")["天牌 天牌 地牌"] == 3


def test_an_exception_may_be_a_row_of_the_other_kind() -> None:
    text = DOTS.replace("坎 a a a 作 1组", "坎 a a a 作 1组；坎.三 a a a 作 1组 锁")
    row = "吃 三七 逐张 1 0；坎.三 逐张 3 2 代 坎"
    game = dsl.loads(text % {"deck": "", "columns": "红 黑", "row": row})
    assert set(prices(game, "坎").values()) == {4, 8}
    assert set(prices(game, "坎.三").values()) == {9, 6}


@pytest.mark.parametrize(
    ("columns", "row", "code"),
    [
        ("红 黑", "吃 三七 1 0", "T004"),
        ("红 七", "吃 三七 逐张 1 0", "T059"),
        ("红 皆", "吃 三七 逐张 1 0", "T018"),
        ("红 黑", "吃 三七 逐张 1", "T008"),
    ],
)
def test_a_tile_in_no_column_or_in_two(columns: str, row: str, code: str) -> None:
    assert code in codes(columns=columns, row=row)


def test_columns_may_meet_where_cells_agree() -> None:
    text = DOTS.replace("坎 8 4", "坎 8 4 8") % {
        "deck": "",
        "columns": "红 黑 红点",
        "row": "吃 三七 逐张 1 0 1",
    }
    assert prices(dsl.loads(text), "吃") == prices(load(), "吃")
