"""Hands that cannot be are refused with a code and a sentence; the cases carry their expectation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import Game, HandError, load, loads
from dsl.core.hand import read_hand
from tests.conftest import SMALL
from verifier.cli import group

CASES = sorted((Path(__file__).parents[1] / "cases" / "hands").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_cases(path: Path, shifuying: Game) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    _, faults = read_hand(shifuying.core, case["hand"])
    assert sorted(f.code for f in faults) == sorted(case["expect"])
    for fault in faults:
        for lang in ("zh", "en"):
            assert "{" not in fault.message(lang) and "?" not in fault.message(lang)


def test_the_tile_turned_up_must_be_told(small: Game) -> None:
    wild = load(str(SMALL / "两句神.pai"))
    hand = {"role": "闲", "hand": list("上大人七十士上"), "last": {"tile": "大", "from": "自摸"}}
    assert [f.code for f in read_hand(wild.core, hand)[1]] == ["H019"]
    told = {**hand, "context": {"翻": "人", "神": "大"}}
    assert [f.code for f in read_hand(wild.core, told)[1]] == ["H020"]
    for context in ({"翻": "人"}, {"神": "上"}):
        found, _ = read_hand(wild.core, {**hand, "context": context})
        assert found is not None and found.wilds == 2 and found.context == {"翻": "人"}


def test_a_type_called_what_its_family_is_is_meant_by_that_name() -> None:
    """`碰` and `碰.摸` take the same tiles here: only the plain name says which."""
    rules = "牌型 { 碰 a a a 作 1组 锁；碰.摸 a a a 作 1组 锁；句 a b c 作 1组 }"
    text = f"规则 甲 {{ 牌 {{ 房 上大人；每张 4 }}\n座 {{ 庄 3；闲 2 × 2 }}\n{rules}\n和 {{ 形 1组 }} }}"
    game = loads(text)
    for name in ("碰", "碰.摸"):
        hand, faults = read_hand(
            game.core,
            {"role": "庄", "laid": [{"meld": name, "tiles": list("上上上"), "origins": ["起手"] * 3}]},
        )
        assert not faults and hand is not None
        assert game.core.melds[hand.laid[0].meld].type.name == name


def test_every_refusal_has_a_case() -> None:
    seen = {code for p in CASES for code in json.loads(p.read_text(encoding="utf-8"))["expect"]}
    assert seen >= {f"H{n:03}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18)}


def test_a_bad_hand_leaves_with_2_and_says_why_in_both_forms() -> None:
    hand = json.dumps({"role": "闲", "hand": ["龙"]})
    told = CliRunner().invoke(group, ["judge", "十符硬", "--hand", "-", "--lang", "zh"], input=hand)
    assert told.exit_code == 2
    assert "H003" in told.output
    machine = CliRunner().invoke(group, ["judge", "十符硬", "--hand", "-", "--json"], input=hand)
    assert machine.exit_code == 2
    assert '"H003"' in machine.output


def test_silent_exposed_straight_is_refused_only_when_it_decides(shifuying: Game) -> None:
    rest = ["上", "上", "丘", "乙", "己", "七", "十", "士", "尔", "小", "生", "八", "九", "化", "三"]
    laid = [{"meld": "句", "tiles": ["上", "大", "人"]}]
    fine = {"role": "闲", "laid": laid, "hand": ["丘", "乙", "己", *rest[5:], "佳", "作"], "last": None}
    fine["hand"] = ["丘", "乙", "己", "七", "十", "士", "尔", "小", "生", "八", "九", "子", "化", "三", "化"]
    fine["last"] = {"tile": "千", "from": "自摸"}
    assert shifuying.judge(fine).win
    # 上上 in hand and the 上 of the exposed straight: a 坎 if it was dealt, a 碰 if another's
    doubtful = {
        "role": "闲",
        "laid": laid,
        "hand": ["上", "上", "丘", "乙", "己", "七", "十", "士", "尔", "小", "生", "八", "九", "化", "三"],
        "last": {"tile": "子", "from": "自摸"},
    }
    with pytest.raises(HandError) as refused:
        shifuying.judge(doubtful)
    assert [d.code for d in refused.value.diagnostics] == ["H017"]
    laid[0]["origins"] = ["他打", "起手", "起手"]  # type: ignore[assignment]
    assert shifuying.judge(doubtful).score == 3 + 2 + 3 + 2
