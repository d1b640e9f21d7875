"""Questions put to a ruleset in its own words."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from dsl import SpecError, load
from verifier.cli import group
from verifier.questions import put

GAME = "tests/small/两句.pai"


def test_a_witness_is_a_hand_the_judge_agrees_with() -> None:
    reply = put(GAME, "存在 清 且 满 且 和")
    assert reply.holds and reply.example is not None
    verdict = load(GAME).judge(reply.example.hand)
    assert verdict.complete


def test_none_is_a_proof_and_every_is_asked_the_other_way() -> None:
    assert put(GAME, "存在 素 且 数 坎 碰 ≥ 3").holds is False
    every = put(GAME, "凡 听 则 叫 大碰 或 叫 双口 或 叫 单吊")
    assert every.holds is True and every.example is None
    some = put(GAME, "凡 听 则 叫 双口")
    assert some.holds is False and some.example is not None
    assert load(GAME).waits(some.example.hand).to_json()["waits"]


def test_english_and_options() -> None:
    assert put(f"{GAME}[底=3]", "exists win and 符 = 3 and not 素").holds is True
    assert put(GAME, "exists win and 符 = 3 and not 素").holds is False


def test_what_cannot_be_read_points_into_the_question() -> None:
    with pytest.raises(SpecError) as error:
        put(GAME, "存在 青")
    fault = error.value.diagnostics[0]
    assert (fault.code, fault.span.path, fault.span.line) == ("N001", "问", 2)


def test_command() -> None:
    asked = CliRunner().invoke(group, ["ask", GAME, "存在 清 且 素", "--json"])
    assert asked.exit_code == 0
    assert json.loads(asked.stdout)["holds"] is True
