"""Every `--json` output is what its published schema says, and has no key that the schema leaves out."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import dsl
from dsl.cli.test import cases_of
from dsl.core.hand import to_json as hand_json
from dsl.text.export import to_json as fault_json
from tests.conftest import ROOT, any_hands
from verifier import count, diff, verify
from verifier.cli.verify import reports_json
from verifier.counts import count_all
from verifier.difference_words import difference_json
from verifier.questions import put
from verifier.schemas import names, schema

SMALL = str(ROOT / "tests/small/两句.pai")
SHIPPED = str(ROOT / "specs/hubei/shifuying/game.pai")


def closed(part: Any) -> Any:
    """The schema with every object closed: what is not described must not be there."""
    if isinstance(part, list):
        return [closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    found = {key: closed(value) for key, value in part.items()}
    if "properties" in part and isinstance(part["properties"], dict) and part.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


def agrees(name: str, value: object) -> None:
    plain = json.loads(json.dumps(value))
    faults = Draft202012Validator(closed(schema(name))).iter_errors(plain)
    assert [f"{fault.json_path}: {fault.message}" for fault in faults] == []


@pytest.mark.parametrize("name", names())
def test_schema_is_one_and_is_listed(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert f"../../verifier/schemas/{name}.json" in (ROOT / "docs/schema/README.md").read_text(
        encoding="utf-8"
    )


def test_a_missing_or_further_key_is_noticed() -> None:
    whole = count(SMALL).to_json()
    for wrong in ({**whole, "more": 1}, {k: v for k, v in whole.items() if k != "of"}):
        with pytest.raises(AssertionError):
            agrees("count", wrong)


def test_verify() -> None:
    reports = [
        verify(SMALL),
        verify("四家飞", ["V104", "V117"]),
        verify(str(ROOT / "examples/delta.pai"), ["V101", "V102"]),
    ]
    data: Any = reports_json(reports, "zh")
    assert any(f["witness"] for f in data["findings"])
    agrees("verify", data)


def test_verify_with_open_and_refuted_statements(tmp_path: Path) -> None:
    path = tmp_path / "断.pai"
    claims = "断言 一 验 V999 答 无；断言 二 存在 形 且 符 > 54 答 有；断言 三 存在 形 且 符 > 9 答 无"
    path.write_text(f"规则 断 继承 四家飞 {{ {claims} }}", encoding="utf-8")
    data: Any = reports_json([verify(str(path), ["V119"])], "en")
    assert data["unknown"] and any(f["witness"] for f in data["findings"])
    agrees("verify", data)


@pytest.mark.parametrize("right", [f"{SMALL}[底=3]", SMALL, SHIPPED], ids=["option", "same", "other deck"])
def test_diff(right: str) -> None:
    agrees("diff", difference_json(diff(SMALL, right), "en"))


@pytest.mark.parametrize("game", ["small", "shifuying", "sijiafei"])
def test_judge_and_its_hands(game: str, request: pytest.FixtureRequest) -> None:
    loaded: dsl.Game = request.getfixturevalue(game)
    for hand in any_hands(loaded, 12, seed=7):
        agrees("hand", hand_json(loaded.core, hand))
        with suppress(dsl.HandError):
            agrees("judge", loaded.judge(hand).to_json("zh"))


def test_refusals() -> None:
    with pytest.raises(dsl.HandError) as caught:
        dsl.load(SMALL).judge({"hand": ["上"], "role": "王"})
    refusal = {"errors": [fault_json(f, "zh") for f in caught.value.diagnostics]}
    agrees("judge", refusal)
    agrees("waits", refusal)


def test_waits_count_ask_and_test(small: dsl.Game) -> None:
    agrees("waits", small.waits({"hand": list("上上上大大人七")}).to_json())
    agrees("waits", small.waits({"hand": list("上上上大大七七")}).to_json())
    for of in ("complete", "scores", "waiting", "素"):
        agrees("count", count(small, of).to_json())
    agrees("count-all", count_all(small).to_json())
    for question in ("存在 和 且 符 < 5", "凡 和 则 符 ≥ 5", "凡 听 则 叫 大碰"):
        agrees("ask", put(SMALL, question).to_json("en"))
    cases = [case.to_json() for case in cases_of(Path(SHIPPED))]
    agrees("test", {"passed": len(cases), "failed": 0, "cases": cases})
