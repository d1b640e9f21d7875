"""Faults that others have met in judging such games: each case comes out right here.

Cases that one hand shows are examples of the specs in this folder, under their ids. What is not here is about
play: F-043, F-044, F-047, F-057, F-061, F-063, the claims of F-031 and the wait passed in F-055.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from dsl import Game, Hand, SpecError, load, loads
from dsl.api import HandError
from dsl.cli.common import Exit
from dsl.core.model import OWN_DRAW
from dsl.judge import inside, situations_inside
from dsl.judge.certificate import faults
from dsl.judge.words import verdict_text
from tests.conftest import any_hands
from verifier import count, diff
from verifier.checking import study_for
from verifier.cli import main
from verifier.difference_words import difference_json, difference_text
from verifier.questions import put, reply_text

HERE = Path(__file__).parent
SPECS = sorted(HERE.glob("*.pai"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_examples_of_each_spec_hold(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["paigui", "test", str(path), "--lang", "en"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


def test_a_count_that_would_take_too_much_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(inside, "HEAVIEST", 20_000)
    monkeypatch.setattr(sys, "argv", ["paigui", "count", str(HERE / "t80.pai"), "--lang", "en"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == Exit.UNKNOWN
    assert "too many unfinished arrangements" in capsys.readouterr().err


def test_every_reading_of_a_hand_is_looked_at() -> None:
    """F-023: three of a kind thrice and three equal runs are the same tiles."""
    game = load(str(HERE / "t80.pai"))
    hand = game.hand({"role": "庄", "hand": list("四四四五五五六六六壹贰叁贰柒拾捌捌八玖玖九")})
    assert {21, 12} <= set(game.judge(hand).scores)


def test_five_copies_of_a_face_are_refused() -> None:
    """F-037."""
    game = load(str(HERE / "s96.pai#S96"))
    laid = [{"meld": "碰", "tiles": ["上", "上", "上"]}]
    rest = "丘乙己化三千七十士尔小"
    assert game.judge({"role": "庄", "laid": laid, "hand": list("上大人" + rest)}).complete
    with pytest.raises(HandError):
        game.judge({"role": "庄", "laid": laid, "hand": list("上上人" + rest)})


def test_a_refusal_names_its_clause_and_a_diff_the_one_that_differs(tmp_path: Path) -> None:
    """F-055."""
    game = load(str(HERE / "t80.pai"))
    verdict = game.judge({"role": "庄", "hand": list("一二三壹贰叁四四四伍伍五陆陆六玖玖九捌捌八")})
    assert verdict.final is not None
    assert verdict.final.missing == ("够胡",)
    other = tmp_path / "game.pai"
    other.write_text(f"规则 别处 继承 「{HERE / 's96.pai'}#S96」 {{ 加 和.须 有坎：有 坎 }}")
    found = diff(str(HERE / "s96.pai#S96"), str(other))
    assert [change.name for change in found.clauses] == ["和.有坎"]
    assert found.aspects["win"].relation == "superset"


def test_a_sum_of_names_and_its_cap_are_shown() -> None:
    """F-049."""
    game = load(str(HERE / "s96.pai#S96封顶"))
    verdict = game.judge({"role": "庄", "hand": list("上大人丘乙己化三千七十士尔小生尔小")})
    assert verdict.points == 13
    assert "13 - （13 - 12） 每满 1 ＝ 12  [支付.和]" in verdict_text(verdict, "zh")
    assert "13 - (13 - 12) per_full 1 = 12  [支付.和]" in verdict_text(verdict, "en")


def test_two_changes_of_one_clause_demand_an_order() -> None:
    """F-051: whichever comes first in the text, two that meet are refused, two that do not are one game."""
    wild, copies, other = "加 牌.赖 神 每张 2", "改 牌.每张 3", "改 牌.每张 5"
    for one, two, code in ((copies, other, "N013"), (wild, "加 牌.赖 鬼 每张 1", "T030")):
        for first, second in ((one, two), (two, one)):
            with pytest.raises(SpecError) as refused:
                loads(_overlaid(first, second), {"甲": "是", "乙": "是"})
            assert [fault.code for fault in refused.value.diagnostics] == [code]
            told = [f.sentence[1] for f in study_for(loads(_overlaid(first, second))).findings("V116")]
            assert [t for t in told if t.startswith("`甲 = 是` + `乙 = 是` does not load: " + code)]
    orders = ((wild, copies), (copies, wild))
    assert diff(*(loads(_overlaid(*order), {"甲": "是", "乙": "是"}) for order in orders)).equal


def _overlaid(first: str, second: str) -> str:
    """Two options that change S96, in this order."""
    return (
        f"规则 叠 继承 「{HERE / 's96.pai'}#S96」 {{ 选项 甲 否 | 是；选项 乙 否 | 是；"
        f"若 甲 = 是 {{ {first} }}\n若 乙 = 是 {{ {second} }} }}"
    )


def test_both_fines_of_a_source_are_shown_side_by_side() -> None:
    """F-059."""
    game = str(HERE / "s96.pai#S96罚")
    found = diff(f"{game}[罚数=R1]", f"{game}[罚数=R2]")
    assert [change.name for change in found.clauses] == ["支付.诈和"]
    assert {name for name, a in found.aspects.items() if a.relation != "equal"} == {"payment"}
    text = difference_text(found, "zh")
    assert "当家 付 每家 8" in text and "当家 付 每家 分 + 1" in text


def test_what_is_too_much_to_count_is_compared_by_arrangements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (inside, situations_inside):
        monkeypatch.setattr(module, "HEAVIEST", 20_000)
    toy, other = str(HERE / "t80.pai"), tmp_path / "game.pai"
    changes = {"调 和.够胡 15 → 16": "superset", "改 价.胡.坎 4 6": "subset", "改 价.胡.坎 4 4": "overlap"}
    for change, relation in changes.items():
        other.write_text(f"规则 别处 继承 「{toy}」 {{ {change} }}")
        found = diff(toy, str(other))
        win = found.aspects["win"]
        assert (win.relation, found.how) == (relation, "solver")
        sides = {"superset": ["left"], "subset": ["right"], "overlap": ["left", "right"]}
        assert [c.side for c in win.classes] == sides[relation]
        for item in win.classes:
            verdicts = [load(path).judge(item.witness).win for path in (toy, str(other))]
            assert verdicts == [item.side == "left", item.side == "right"]
        assert (found.aspects["score"].relation == "equal") is ("够胡" in change)
    assert "too many hands, so the solver compared" in difference_text(found, "en")


@pytest.mark.parametrize("name", ["t80.pai", "er.pai", "yao.pai", "s96.pai#S96"])
def test_every_declared_win_has_a_certificate(name: str) -> None:
    """F-065."""
    game = load(str(HERE / name))
    wins = 0
    for hand in (*any_hands(game, 150, seed=6), *_made(game, 40)):
        verdict = game.judge(hand)
        if verdict.complete:
            assert faults(game.core, hand, verdict.arrangement) == []
            wins += verdict.win
    assert wins


def _made(game: Game, number: int) -> list[Hand]:
    """Hands made of melds; the last tile is drawn."""
    chance = random.Random(3)
    core = game.core
    melds = [m for m in core.melds if all(core.hand_origin in slot.origins for slot in m.slots)]
    found: list[Hand] = []
    while len(found) < number:
        counts = [0] * len(core.kinds)
        while sum(counts) < core.finished:
            for kind in chance.choice(melds).tiles:
                counts[kind] += 1
        held = all(n <= kind.copies for n, kind in zip(counts, core.kinds, strict=True))
        if held and sum(counts) == core.finished:
            last = chance.choice([k for k, n in enumerate(counts) if n])
            counts[last] -= 1
            found.append(Hand(core.roles[0], (), tuple(counts), (last, OWN_DRAW)))
    return found


def test_reports_name_the_road() -> None:
    """Rows of every component, or large components kind by kind: in text where that is so, in JSON always."""
    swept, rows = str(HERE / "er.pai"), str(HERE / "s96.pai#S96")
    for path, how in ((swept, "sweep"), (rows, "automaton")):
        assert count(path).how == diff(path, path).how == put(path, "存在 听").how == how
        assert difference_json(diff(path, path), "en")["how"] == count(path).to_json()["how"] == how
        told = difference_text(diff(path, path), "en"), reply_text(put(path, "存在 听"), "en")
        assert all(("kind by kind" in text) == (how == "sweep") for text in told)
    assert put(rows, "存在 和").how == "solver"
