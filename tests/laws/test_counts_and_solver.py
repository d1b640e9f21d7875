"""Counts against z3: none counted is the same as none found, for every name, wait type, score and option."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import dsl
from dsl import Game
from tests.conftest import SMALL
from tests.laws.cut_down import game_of, variant
from verifier import count
from verifier.ask import possible
from verifier.boolean import find
from verifier.hand_questions import All, Arranged, Denied, Question, has_wait, scores, waits, wins
from verifier.study import every
from verifier.world import World

GAMES = ("specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei/game.pai")


def compared(game: Game) -> Iterator[tuple[str, bool]]:
    """(what, is there any), once it is sure that clauses and count agree."""
    core = game.core
    full, short = core.finished, core.finished - 1
    asked: dict[str, tuple[Question, int]] = {
        "complete": (Arranged(core), full),
        "win": (wins(core), full),
        "waiting": (waits(core), short),
        **{wait.name: (has_wait(core, wait.name), short) for wait in core.waits},
    }
    for what, (question, size) in asked.items():
        some = count(game, what).hands > 0
        assert (find(question, size).status == "sat") is some, what
        yield what, some


def best_scores(game: Game) -> None:
    """A best score is counted just when some hand reaches it and no more."""
    core = game.core
    counted = {score for score, _, _ in count(game, "scores").scores}
    for score in range(max(counted) + 2):
        best = All((scores(core, ">=", score), Denied(scores(core, ">=", score + 1))))
        assert (find(best, core.finished).status == "sat") is (score in counted), score


def named(game: Game) -> None:
    """What is proved to be no win is never counted as one."""
    core, world = game.core, World(game.core)
    win = every(*(need.formula for need in core.win.needs), Arranged(core).condition)
    for name in core.names:
        found = possible(world, every(win, name.formula))
        assert found is not None
        assert found or count(game, name.name).hands == 0, name.name


def under_each_choice(reference: str) -> Iterator[Game]:
    """The game as it stands, and under every value of every option and reading by itself."""
    base = dsl.load(reference)
    yield base
    for choice in base.core.choices:
        for value in choice.values:
            if value != choice.default:
                try:
                    yield dsl.load(reference, {choice.name: value})
                except dsl.SpecError as error:
                    assert {d.code for d in error.diagnostics} == {"N011"}, (choice.name, value)


def test_counts_of_small_games() -> None:
    games = [*under_each_choice(str(SMALL / "两句.pai"))]
    games += [dsl.Game(game_of(variant(waits=waits, dragon="drawn"))) for waits in ("base", "wrong")]
    games += [dsl.Game(game_of(variant(deck="three", needs="never", waits="short")))]
    seen = set()
    for game in games:
        seen |= {some for _, some in compared(game)}
        best_scores(game)
        named(game)
    assert seen == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=["十符硬", "四家飞"])
def test_counts_of_real_games(path: str) -> None:
    best_scores(dsl.load(path))
    for game in under_each_choice(path):
        assert len(list(compared(game))) == 3 + len(game.core.waits)
        named(game)
