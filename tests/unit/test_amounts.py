"""Amounts of payments: whole quotients, doublings, further score tables, and names for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest

import dsl
from dsl import Game
from dsl.core.amounts import amount_cases, multipliers
from dsl.core.evaluate import amount, compared, times
from dsl.core.hand import to_json
from dsl.core.model import And, Compare, Formula, Linear, Truth
from dsl.core.reference import judge
from tests.conftest import SMALL, any_hands
from verifier import verify

TABLES = """
  价 番 { 列 将 非将；口 1 0；句 0 1；碰 2 0；坎 绍 1 3；招.裸 0 缺；招.一 4 0 }
  价 罚 { 列 皆；口 -1；句 0；碰 -2；坎 绍 -1；招.裸 0；招.一 0 }
  价 同 { 列 将 非将；口 2 0；句 3 0；碰 3 2；坎 绍 6 4；招.裸 10 6；招.一 11 6 }
  价 混 { 列 将 非将；口 -1 2；句 0 1；碰 -2 0；坎 绍 1 3；招.裸 0 0；招.一 4 0 }
  价 空 { 列 皆；口 句 碰 坎 绍 招.裸 招.一 0 }
"""

AMOUNTS = [
    "1 翻倍 番",
    "倍 × （番 + （符 - 5） 每满 3）",
    "1 翻倍 （符 - 9） - 番 × 2",
    "罚 + 5 - 空",
    "同 - 符 + 番",
    "混 每满 2 × 2 翻倍 罚",
    "40 - 符 + 番",
    "1 翻倍 （12 - 符）",
    "（符 + 200） 每满 7",
    "（番 + 1） × （混 + 3）",
]


def game(written: str, more: str = "") -> Game:
    text = f"规则 试 继承 「{SMALL}/两句.pai」 {{ {TABLES} 改 支付.和：每家 付 当家 {written}；{more} }}"
    return dsl.loads(text)


@pytest.mark.parametrize("written", AMOUNTS)
def test_the_judge_pays_what_the_reference_does(written: str) -> None:
    played = game(written)
    paid = set()
    for hand in any_hands(played, 250, seed=len(written)):
        outcome = played.compiled.outcome(hand)
        assert outcome == judge(played.core, hand), to_json(played.core, hand)
        paid |= {outcome.payments} if outcome.win else set()
    assert len(paid) > 2


def test_batches_take_the_arrangement_that_is_paid_most() -> None:
    played = game("1 翻倍 番 + 罚 + 混")
    hands = [
        replace(h, role="闲", laid=(), declared=None, context={}) for h in any_hands(played, 300, seed=17)
    ]
    hands = [h for h in hands if h.last is not None and sum(h.counts) == played.core.finished - 1]
    batch = played.judge_many(hands)
    assert [int(s) for s in batch.score] == [judge(played.core, h).score for h in hands]
    assert batch.win.any()


def test_every_waiting_tile_is_paid_by_every_table() -> None:
    played, compared_with = game("1 翻倍 番 + 罚 + 混"), 0
    for hand in any_hands(played, 120, seed=3):
        if hand.last is not None and not hand.laid:
            waiting = replace(hand, last=None)
            for wait in played.compiled.waits(waiting):
                full = judge(played.core, replace(hand, last=(wait.kind, wait.origin)))
                assert full.payments == wait.final.payments
                compared_with += 1
    assert compared_with > 20


@pytest.mark.parametrize(
    ("written", "scores", "due"),
    [
        ("符 每满 10", 29, 2),
        ("（符 - 33） 每满 10", 42, 0),
        ("（符 - 33） 每满 10", 43, 1),
        ("（符 - 33） 每满 10", 3, 0),
        ("3 翻倍 符", 0, 3),
        ("3 翻倍 符", 4, 48),
        ("3 翻倍 （符 - 5）", 2, 3),
        ("1 翻倍 符", 64, 2**64),
        ("1 翻倍 符", 65, 2**64),
        ("1 + 2 翻倍 符 每满 2 - 1", 5, 32),
        ("（1 + 2）", 0, 3),
    ],
)
def test_what_they_come_to(written: str, scores: int, due: int) -> None:
    transfer = game(written).core.transfers[0]
    assert amount(transfer.amount, 1, (scores, 0, 0, 0, 0, 0)) == due


def test_names_stand_in_any_order_and_mean_what_is_written_out() -> None:
    named = game("1 翻倍 总番", "加 支付.数 总番：番 + 高番；加 支付.数 高番：（符 - 5） 每满 3")
    written_out = game("1 翻倍 （番 + （符 - 5） 每满 3）")
    assert named.core.transfers[0].amount == written_out.core.transfers[0].amount


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("加 支付.数 甲：乙 + 1；加 支付.数 乙：甲", "N017"),
        ("加 支付.数 甲：甲 + 1", "N017"),
        ("加 支付.数 番：1", "N002"),
        ("加 支付.数 甲：没有", "N001"),
        ("加 支付.数 甲：番 每满 0", "T058"),
    ],
)
def test_what_cannot_be_worked_out_is_told_once(more: str, code: str) -> None:
    with pytest.raises(dsl.SpecError) as told:
        game("番", more)
    assert [fault.code for fault in told.value.diagnostics] == [code]


# ---------------------------------------------------------------- for the solver


def number(term: Linear, totals: Mapping[str, int]) -> int:
    return term.constant + sum(c * totals[feature.name] for c, feature in term.parts)


def true(formula: Formula, totals: Mapping[str, int]) -> bool:
    match formula:
        case Truth(value):
            return value
        case And(parts):
            return all(true(part, totals) for part in parts)
        case Compare(left, operator, right):
            return compared(number(left, totals), operator, number(right, totals))
    raise AssertionError(formula)


@pytest.mark.parametrize("written", AMOUNTS[:-1])
def test_of_the_cases_one_holds_and_gives_the_amount(written: str) -> None:
    core = game(written).core
    term = core.transfers[0].amount
    for multiplier in (1, 2, 6):
        cases = amount_cases(core, term, multiplier)
        assert cases is not None
        for 符, 番, 罚, 混 in product(range(16), range(6), (-3, 0), range(-3, 5)):
            totals = {"符": 符, "番": 番, "罚": 罚, "同": 符, "混": 混, "空": 0}
            held = [t for when, t in cases if true(when, totals)]
            assert [number(t, totals) for t in held] == [amount(term, multiplier, tuple(totals.values()))]


def test_a_product_of_two_scores_has_no_cases() -> None:
    core = game(AMOUNTS[-1]).core
    assert amount_cases(core, core.transfers[0].amount, 1) is None
    assert {factor for factor, _ in multipliers(core, "win")} >= {times(core, ())}


@pytest.mark.parametrize(
    ("written", "falls"),
    [
        ("符 - 符 每满 2 × 2", False),
        ("符 - 符 每满 2 × 2 - 1", True),
        ("8 翻倍 番 - 符", True),
        ("64 翻倍 番 - 符", False),
        ("符 每满 3", False),
    ],
)
def test_v108_sees_through_quotients_and_doublings(written: str, falls: bool) -> None:
    report = verify(game(written), ["V108"])
    below = [f for f in report.findings if f.subject[:1] == ("negative",)]
    assert bool(below) is falls and not report.unknown
    assert all(f.example is not None for f in below)
