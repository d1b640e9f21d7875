"""`paigui count`: what it prints, and what it says to a wrong call."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from dsl import load
from dsl.text.diagnostics import SpecError
from tests.conftest import SMALL
from verifier import count
from verifier.cli import main
from verifier.counts import count_all

WILD, MARKED = str(SMALL / "两句神.pai"), str(SMALL / "两句标.pai")


Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Said:
    """Exit code and what was printed, in English."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["paigui", "count", *words, "--lang", "en"])
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    return run


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--context", "反=上"), 3, "H012"),
        (("--context", "翻=甲"), 3, "H013"),
        (("--context", "翻"), 2, "`--context 翻` must be NAME=VALUE"),
        (("--of", "waitin"), 3, "did you mean `waiting`?"),
        (("--role", "王"), 3, "H010"),
        (("--all", "--of", "win"), 2, "`--all` needs no `--of`"),
        (("--all", "--tiles", "5"), 2, "`--all` needs no `--of`"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_calls(said: Said, words: tuple[str, ...], code: int, told: str) -> None:
    got, out, err = said(WILD, *words)
    assert (got, out) == (code, "") and told in err


def test_one_deal_of_many(said: Said) -> None:
    """All deals together are as many hands as each by itself."""
    code, out, _ = said(WILD, "--of", "waiting", "--context", "翻=上", "--json")
    one = json.loads(out)
    values = next(p.values for p in load(WILD).core.parameters if p.name == "翻")
    each = [count(WILD, "waiting", context={"翻": value}) for value in values]
    assert code == 0 and each[values.index("上")].to_json() == one
    assert count(WILD, "waiting").hands == sum(c.hands for c in each)
    assert one["of"] * len(values) == count(WILD, "waiting").of


def test_the_marked_tile_is_counted_for_its_role_only() -> None:
    """A face that is marked gives its role more, and others nothing."""
    scores = {
        (role, face): max(
            score for score, *_ in count(MARKED, "scores", role=role, context={"抬将": face}).scores
        )
        for role in ("庄", "闲")
        for face in ("无", "上")
    }
    assert scores["庄", "上"] > scores["庄", "无"] == scores["闲", "上"] == scores["闲", "无"]


def test_everything_in_words(said: Said) -> None:
    """Each row of the table says what `--of` says of it."""
    code, out, _ = said(MARKED, "--all", "--role", "庄", "--context", "抬将=上")
    assert code == 0
    rows = {
        line.rsplit(maxsplit=2)[0].strip(): line.split()[-2] for line in out.splitlines() if line[:2] == "  "
    }
    context = {"抬将": "上"}
    for what in ("complete", "win", "waiting", "素", "将坎"):
        assert rows[what] == f"{count(MARKED, what, role='庄', context=context).hands:,}"
    assert out.startswith("两句标 庄 抬将=上\n\n") and rows["times 3"] and rows["best 0 分"]


def test_a_dealt_hand_wins_without_a_last_tile() -> None:
    """天和 is a win of who is dealt a whole hand, and of nobody else."""
    game = load("讴经")
    whole, short = count_all(game, "庄").finished, count_all(game, "闲").finished
    assert whole.named("天和") == whole.win and whole.win.hands > 0
    assert short.named("天和").hands == 0 and short.win.hands > 0


def test_unknown_words_are_told_to_programs() -> None:
    with pytest.raises(SpecError, match="N001"):
        count(MARKED, "素胡")
    with pytest.raises(SpecError, match="H012"):
        count_all(MARKED, context={"雪": "是"})
