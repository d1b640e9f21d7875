"""Faults that others have met in judging such games: each case comes out right here.

Cases that one hand shows are examples of the specs in this folder, under their ids.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from dsl import Game, Hand, load
from dsl.api import HandError
from dsl.cli.common import Exit
from dsl.core.model import OWN_DRAW
from dsl.judge import inside
from dsl.judge.certificate import faults
from tests.conftest import any_hands
from verifier import diff
from verifier.cli import main

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
