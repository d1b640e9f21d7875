"""又名 of a named win: whatever says it says the name."""

from __future__ import annotations

from pathlib import Path

import pytest

import dsl
from dsl.judge.examples import run_examples
from tests.conftest import SMALL
from verifier import count
from verifier.questions import put

TEXT = (SMALL / "两句.pai").read_text(encoding="utf-8")
CLEAR = "清：无 碰 坎 绍 招                           倍 2"
CALLED = TEXT.replace(CLEAR, f"{CLEAR} 又名 白 青").replace("除非 素", "除非 白 且 素")


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "a.pai"
    path.write_text(CALLED, encoding="utf-8")
    return str(path)


def test_a_condition(spec: str) -> None:
    assert CALLED != TEXT
    assert put(spec, "凡 白 则 清").holds and put(spec, "凡 清 则 青").holds
    assert put(spec, "存在 和 且 素 且 符 < 5 且 非 清").holds is False


def test_money_of_a_false_call(spec: str) -> None:
    assert put(spec, "凡 身 闲 则 收 庄 于 诈和 白 青 = 4").holds


def test_a_count(spec: str) -> None:
    assert count(spec, "白") == count(spec, "清") and count(spec, "清").hands > 0


def test_an_example() -> None:
    hand = "身 闲；手 上大人 七十士 上；末张 大 自摸；判 和"
    examples = "".join(f"例 {name}「」 {{ {hand}；名 {name} }}\n" for name in ("白", "清", "素"))
    game = dsl.loads(f"{CALLED.rstrip().removesuffix('}')}{examples}}}")
    cases = list(run_examples(game, lambda _: game))
    assert [case.ok for case in cases] == [True, True, False], cases


def test_a_name_that_leads_back_to_itself() -> None:
    with pytest.raises(dsl.SpecError) as error:
        dsl.loads(CALLED.replace("清：无 碰", "清：非 青 且 无 碰"))
    assert [fault.code for fault in error.value.diagnostics] == ["N017"]
