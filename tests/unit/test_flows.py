"""Two flows compared: what is the same in other words, and which clauses differ."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import dsl
from dsl.core.flow import Flow
from verifier import diff
from verifier.cli import group
from verifier.flows import GROUPS, compared
from verifier.schemas import schema

TEXT = """
规则 小局 {
  牌 { 房 上大人 丘乙己 化三千 七十士；每张 4 }
  座 { 庄 8；闲 7 × 2 }
  牌型 { 句 a b c 作 1组；口 a b 作 1口；碰 a a a 作 1组 锁 其余 起手 第三 他摸 他打
    坎 a a a 作 1组 皆 起手 }
  和 { 形 2组 1口 }
  支付 { 和：每家 付 当家 1；诈和：当家 付 每家 1 }
  流程 {
    开局：庄 和 弃牌
    轮：翻开
    应 和：本家 任家 许 和
    应 碰：任家 必 碰 当 同张 = 2 且 非 首打
    应 吃：下家 许 口 当 多出 口
    禁 留牌：碰 吃 当 打光
    先后：和，碰，吃
    不得 拆句：少了 句 可让
    犯 误报：和 碰 作 诈和
    下庄 和：当家
  }
}
"""


def differing(left: str, right: str) -> dict[str, list[str]]:
    one, other = dsl.loads(left).core, dsl.loads(right).core
    groups = compared(one, other)
    assert groups is not None
    return {g.name: [name for name, _, _ in g.clauses] for g in groups if g.clauses}


def test_every_field_of_a_flow_is_in_one_group() -> None:
    grouped = [name for _, keywords in GROUPS.values() for name in keywords]
    assert sorted(grouped) == sorted(field.name for field in fields(Flow))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("同张 = 2 且 非 首打", "非 首打 且 同张 = 2"),
        ("非 首打", "非（非（非 首打））"),
        ("非 首打", "非 首打 且（非 首打 或 非 首打）"),
        ("句 a b c 作 1组；口 a b 作 1口", "口 a b 作 1口；句 a b c 作 1组"),
        ("犯 误报：和 碰", "犯 误报：碰 和"),
        ("下庄 和：当家", "下庄 和：当家\n    下庄 流局：连庄"),
    ],
)
def test_what_is_the_same_in_other_words(old: str, new: str) -> None:
    found = differing(TEXT, TEXT.replace(old, new))
    assert found == ({"end": ["流程.下庄.流局"]} if "流局" in new else {})


@pytest.mark.parametrize(
    ("old", "new", "name", "clauses"),
    [
        ("同张 = 2", "同张 = 3", "claims", ["流程.应.碰"]),
        ("同张 = 2 且 非 首打", "同张 = 2 或 非 首打", "claims", ["流程.应.碰"]),
        ("许 口 当", "许 句 当", "claims", ["流程.应.吃"]),
        ("先后：和，碰，吃", "先后：碰，和，吃", "claims", ["流程.先后"]),
        ("先后：和，碰，吃", "先后：和，碰，吃\n    同级 庄起", "claims", ["流程.同级"]),
        ("    不得 拆句：少了 句 可让\n", "", "discards", ["流程.不得.拆句"]),
        ("轮：翻开", "轮：摸牌 弃牌", "turn", ["流程.轮"]),
        ("轮：翻开", "轮：翻开\n    留底 3", "deal", ["流程.留底"]),
        ("作 诈和", "作 照打", "breaches", ["流程.犯.误报"]),
        ("下庄 和：当家", "下庄 和：下家", "end", ["流程.下庄.和"]),
    ],
)
def test_what_differs_is_named(old: str, new: str, name: str, clauses: list[str]) -> None:
    assert differing(TEXT, TEXT.replace(old, new)) == {name: clauses}


def test_a_clause_that_one_side_has_is_named_once() -> None:
    """What lists it says the same of all others."""
    fewer = TEXT.replace("    应 碰：任家 必 碰 当 同张 = 2 且 非 首打\n", "")
    fewer = fewer.replace("碰 吃 当", "吃 当").replace("和，碰，吃", "和，吃").replace("和 碰 作", "和 作")
    assert differing(TEXT, fewer) == {"claims": ["流程.应.碰"]}


def test_a_game_that_does_not_say_how_it_is_played() -> None:
    silent = TEXT[: TEXT.index("  流程")] + "}"
    assert compared(dsl.loads(silent).core, dsl.loads(silent).core) is None
    found = differing(TEXT, silent)
    assert {"流程.轮", "流程.应.碰", "流程.犯.误报"} <= {name for names in found.values() for name in names}


def test_clauses_of_tricks_are_named_apart() -> None:
    """TDRH-24 R2 only takes 垫 away, TDRH-36 R1 only changes who pays."""
    names = {}
    for reading in ("TDRH-24=R2", "TDRH-36=R1"):
        groups = compared(dsl.load("天地人和").core, dsl.load(f"天地人和[{reading}]").core)
        assert groups is not None
        names[reading] = [name for found in groups for name, _, _ in found.clauses]
    assert [name.split(".")[1] for name in names["TDRH-24=R2"]] == ["垫"]
    assert {name.split(".")[1] for name in names["TDRH-36=R1"]} == {"包"}


def told(*games: str) -> dict[str, Any]:
    done = CliRunner().invoke(group, ["diff", *games, "--json", "--lang", "en"], standalone_mode=False)
    data: dict[str, Any] = json.loads(done.stdout)
    Draft202012Validator(schema("diff")).validate(data)
    return data


def test_the_two_texts_of_one_game_differ_at_the_table() -> None:
    """DF-01 to DF-05, DF-09, DF-10, DF-13: the older text has fewer duties, bans and rules of dealing."""
    table = told("抬胡", "抬胡旧文")["aspects"]["table"]
    assert table["relation"] == "different"
    named = {g["group"]: [c["name"] for c in g["clauses"]] for g in table["groups"] if g["clauses"]}
    assert named == {
        "claims": [
            *("流程.应.对碰", "流程.应.半吃"),
            *("流程.禁.拆坎", "流程.禁.拆句", "流程.禁.五把手", "流程.禁.六把手"),
        ],
        "discards": ["流程.不得.拆句"],
        "breaches": ["流程.犯.误起"],
        "end": ["流程.下庄.诈和.庄", "流程.下庄.诈和.闲", "流程.境.首弃"],
    }
    ban = next(c for g in table["groups"] for c in g["clauses"] if c["name"] == "流程.不得.拆句")
    assert "DF-03" in ban["right"]["cites"] and "TH-49" in ban["left"]["cites"]


def test_readings_of_play_alone_show_at_the_table_alone() -> None:
    game = dsl.load("十符硬")
    found = diff(game, dsl.load("十符硬[SDR-34=R2]"))
    relations = {name: aspect.relation for name, aspect in found.aspects.items()}
    assert relations.pop("table") == "different" and set(relations.values()) == {"equal"}
    assert not found.equal and diff(game, game).equal
