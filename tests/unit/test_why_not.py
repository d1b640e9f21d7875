"""Why there is no such hand: the fewest clauses that forbid it, and what each of them holds up."""

from __future__ import annotations

import json
from functools import cache
from itertools import chain, combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import dsl
from dsl.core.model import Complete, Defined, Not, Or, Rule, Truth
from tests.conftest import ROOT
from verifier.cli import group
from verifier.formulas import definitions, struck_out
from verifier.schemas import schema
from verifier.study import every
from verifier.why_not import NotOfArrangements, WhyNot, _Search, why_not
from verifier.why_not_words import change_text, why_not_json, why_not_text

SMALL = "tests/small/两句.pai"
DEAR = "清 且 符 > 8"
"""Two 句 and a 口, the dearest, make eight."""


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@cache
def asked(condition: str, game: str = SMALL) -> WhyNot:
    return why_not(str(ROOT / game), condition)


def names(why: WhyNot) -> list[str]:
    return [part.rule.name for part in why.parts]


def paigui(*words: str) -> Result:
    return CliRunner().invoke(group, ["why-not", *words])


# ---------------------------------------------------------------- the clauses


def test_two_names_that_exclude_each_other() -> None:
    why = asked("清 且 绍和")
    assert why.possible is False and why.minimal and why.example is None
    assert names(why) == ["名.清", "名.绍和"]
    assert all(part.alone and part.example is not None and not part.change for part in why.parts)


def test_a_false_win_that_nothing_is_said_of_stands_where_the_win_does(tmp_path: Path) -> None:
    spec = tmp_path / "base.pai"
    spec.write_text("""规则 小 {
  牌 { 房 上大人；每张 4 }
  座 { 庄 3；闲 2 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组 }
  和 { 形 1组 }
}""")
    (part,) = why_not(str(spec), "和 且 诈和").parts
    assert (part.rule.name, part.rule.span.path, part.rule.span.line) == ("诈和", str(spec), 5)


def test_a_need_is_to_blame_when_the_question_speaks_of_wins() -> None:
    why = asked("和 且 符 < 5 且 非 素")
    assert names(why) == ["和.门槛"]
    (part,) = why.parts
    assert part.example is not None and part.example.totals[0] < 5


def test_the_limit_of_the_last_tile_is_a_clause_too() -> None:
    assert names(asked("和 且 末张 他打")) == ["和.末张"]


def test_prices_and_their_nearest_change() -> None:
    why = asked(DEAR)
    assert names(why) == ["名.清", "和.形", "价.符.口", "价.符.句"]
    assert [part.alone for part in why.parts] == [True, False, True, True]
    assert [change_text(part) for part in why.parts] == ["", "", "2 → 3", "3 → 4"]
    shown = [part.example.totals for part in why.parts[2:] if part.example is not None]
    assert shown == [(9,), (10,)]


def test_many_prices_are_shown_without_hands() -> None:
    parts = asked("素 且 符 模 2 = 1").parts
    prices = [part for part in parts if part.rule.name.startswith("价.")]
    assert len(prices) > 4 and all(change_text(part) and part.example is None for part in prices)
    assert parts[0].rule.name == "名.素" and parts[0].example is not None


def test_copies_shape_and_size(tmp_path: Path) -> None:
    path = tmp_path / "一类.pai"
    path.write_text(f"规则 一类 继承 「{ROOT / SMALL}#两句」 {{ 牌 {{ 类 单七 = 七 }} }}", encoding="utf-8")
    parts = {part.rule.name: part for part in why_not(str(path), "数 单七 ≥ 5").parts}
    assert change_text(parts["牌.每张"]) == "4 → 5"
    assert parts["牌.每张"].example is not None
    (shape,) = asked("数 句 = 2 且 数 口 = 2 且 非 素").parts
    assert (shape.rule.name, shape.alone) == ("和.形", False)
    (shape,) = asked("数 口 = 4").parts
    assert (shape.rule.name, change_text(shape)) == ("和.形", "2组 1口 → 4口")


def test_a_contradiction_in_itself_blames_no_clause() -> None:
    why = asked("符 > 3 且 符 < 2")
    assert why.possible is False and why.parts == ()
    assert "不干哪一条的事" in why_not_text(why, "zh") and "no clause is to blame" in why_not_text(why, "en")


def test_a_hand_that_does_refutes_it_and_the_judge_agrees() -> None:
    why = asked("存在 清 且 满 且 和")
    assert why.possible and why.example is not None and why.condition == "清 且 满 且 和"
    assert {"清", "满"} <= set(dsl.load(SMALL).judge(why.example.hand).names)


def test_waiting_hands_are_not_asked_about() -> None:
    with pytest.raises(NotOfArrangements):
        why_not(SMALL, "听 且 叫 双口")


@pytest.mark.parametrize("condition", ["清 且 绍和", DEAR, "和 且 符 < 5 且 非 素 且 清"])
def test_the_set_is_least_and_forbids(condition: str) -> None:
    """Asked anew, with the clauses left in alone: all of them forbid it, one less does not."""
    why = asked(condition)
    search = _search(condition)
    outside = frozenset(search.clauses) - set(names(why))
    assert search.possible(outside) is False
    assert all(search.possible(outside | {name}) is True for name in names(why))


def _search(condition: str) -> _Search:
    from verifier.questions import stated  # noqa: PLC0415  only here

    _, study = stated(SMALL, f"存在 {condition}")
    formula = study.game.statements[-1].formula
    return _Search(study, every(Complete(), formula))  # type: ignore[arg-type]


def test_same_question_same_answer() -> None:
    first, again = (why_not_json(why_not(SMALL, "清 且 绍和")) for _ in range(2))
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


# ---------------------------------------------------------------- conditions struck out


def test_striking_out_weakens_whatever_way_a_condition_is_asked() -> None:
    name = Defined("甲", Rule("名.甲", ""), Complete())
    assert struck_out(name, ["名.甲"]) == Truth(True)
    assert struck_out(Not(name), ["名.甲"]) == Not(Truth(False))
    both = struck_out(every(name, Not(name)), ["名.甲"])
    assert both == Or((every(Truth(True), Not(Truth(True))), every(Truth(False), Not(Truth(False)))))
    assert struck_out(Complete(), ["名.甲"]) == Complete()
    assert list(definitions(every(name, Not(name)))) == ["名.甲"]


# ---------------------------------------------------------------- the command


def test_text_shows_places_citations_and_what_is_let_in() -> None:
    done = paigui(SMALL, DEAR, "--lang", "zh")
    assert done.exit_code == 0
    assert "没有（已证）。这几条合起来不许：" in done.stdout
    assert f"  名.清     {SMALL}:" in done.stdout and "  清：无 碰 坎 绍 招 倍 2" in done.stdout
    assert "`名.清` 去掉就有" in done.stdout and "`价.符.口` 改成 2 → 3 就有" in done.stdout
    assert "`和.形` 去掉它还不够：没列出的条文也不许" in done.stdout
    english = paigui(SMALL, "清 and 绍和", "--lang", "en").stdout
    assert "These clauses together forbid it:" in english and "`名.清`: without it there is one" in english


def test_json_is_as_its_schema_says() -> None:
    for condition in (DEAR, "清", "数 句 坎 碰 绍 ≥ 3", "符 > 3 且 符 < 2"):
        done = paigui(SMALL, condition, "--json")
        assert done.exit_code == (1 if condition == "清" else 0)
        Draft202012Validator(schema("why-not")).validate(json.loads(done.stdout))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_hand_exits_with_1_and_is_shown(lang: str) -> None:
    done = paigui(SMALL, "清", "--lang", lang)
    assert done.exit_code == 1
    assert done.stdout.startswith({"zh": "有这样的牌：\n  例如：", "en": "there is such a hand:\n"}[lang])


def test_unknown_words_point_into_the_question() -> None:
    with pytest.raises(dsl.SpecError) as error:
        group.main(["why-not", SMALL, "青 且 满"], standalone_mode=False)
    fault = error.value.diagnostics[0]
    assert (fault.code, fault.span.path, fault.span.line, fault.span.column) == ("N001", "问", 1, 4)


def test_options_count() -> None:
    assert why_not(f"{SMALL}[底=3]", "和 且 符 = 3 且 非 素").possible is True
    assert asked("和 且 符 = 3 且 非 素").possible is False


def test_shipped_names() -> None:
    why = why_not("十符硬", "红符 且 有 黑")
    assert names(why) == ["名.红符"] and why.parts[0].rule.cites[0] == "LF-37"


@pytest.mark.slow
def test_shipped_questions() -> None:
    forbidden = names(why_not("十符硬", "清符 且 大符"))
    assert forbidden == ["名.清符", "名.大符", "和.形", "价.符.口", "价.符.句"]
    assert names(why_not("十符硬[NW-03=R1]", "分符"))[:1] == ["名.分符"]
    most = names(why_not("四家飞", "符 > 54"))
    assert {"价.符.双龙.自", "价.符.三龙.自"} <= set(most)


def test_no_smaller_set_is_missed() -> None:
    """On a small question every set of clauses is tried."""
    condition = "清 且 绍和"
    search = _search(condition)
    found = names(asked(condition))
    clauses = [name for name in search.clauses if name.startswith(("名.", "和."))]
    sets = chain.from_iterable(combinations(clauses, n) for n in range(len(found)))
    outside = frozenset(search.clauses)
    assert not any(search.possible(outside - set(kept)) is False for kept in sets)
