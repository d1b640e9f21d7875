"""Who pays whom where a seat sits out: the sheet of a four-handed game, worked out by hand."""

from __future__ import annotations

import pytest

import dsl
from dsl.core.evaluate import settle

SPEC = """
规则 小抬胡 {
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 5；闲 4 × 2；歇醒 0 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组；对 a a 作 1半 }
  价 胡 { 句 1；坎 7；对 0 }
  名 { 大：胡 ≥ 7 倍 3 }
  和 { 形 1组 1半；须 有胡：胡 ≥ 7 }
  支付 {
    和：每家 付 当家 倍
    和 坐庄：闲 付 庄 1 若 身 庄
    和 下庄：庄 付 当家 1 若 身 闲
    和 谢醒：别的 闲 付 歇醒 1
    诈和：当家 付 每家 倍
    诈和 谢醒：当家 付 歇醒 2
    流局：每家 付 歇醒 1
  }
}
"""
WIN = {"hand": ["上", "上", "上", "丘"], "last": {"tile": "丘", "from": "自摸"}}
FALSE = {"hand": ["上", "大", "人", "丘"], "last": {"tile": "丘", "from": "自摸"}}


@pytest.fixture(scope="module")
def game() -> dsl.Game:
    return dsl.loads(SPEC)


@pytest.mark.parametrize(
    ("role", "hand", "paid"),
    [
        ("庄", WIN, (8, -5, -5, 2)),
        ("闲", WIN, (-4, 7, -4, 1)),
        ("庄", {**FALSE, "declare": ["大"]}, (-8, 3, 3, 2)),
        ("闲", {**FALSE, "declare": ["大"]}, (3, -8, 3, 2)),
        ("闲", FALSE, (1, -4, 1, 2)),
    ],
)
def test_the_sheet(game: dsl.Game, role: str, hand: dict[str, object], paid: tuple[int, ...]) -> None:
    """`别的 闲` leaves the winner out; whoever offends pays by what was called, once if nothing was."""
    expected = dict(zip(("庄", "闲1", "闲2", "歇醒"), paid, strict=True))
    assert game.judge({"role": role, **hand}).to_json()["payments"] == expected


def test_everybody_at_play_pays_when_nobody_wins(game: dsl.Game) -> None:
    """Whose role is asked about makes no difference: nobody declared."""
    for role in game.core.roles:
        paid = settle(game.core, role, game.core.transfers, "draw", 1, (0,))
        assert paid == {"庄": -1, "闲1": -1, "闲2": -1, "歇醒": 3}


def test_who_sits_out_cannot_declare(game: dsl.Game) -> None:
    with pytest.raises(dsl.HandError) as caught:
        game.judge({"role": "歇醒", **WIN})
    assert [d.code for d in caught.value.diagnostics] == ["H010"]
