"""What a report says of a statement depends on the statement alone, not on what was asked before it.

Statements are made to expect the contrary, so that their witnesses are shown and compared as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import dsl
from dsl.core.model import Game, Statement
from verifier.checking import study_of
from verifier.properties.v119_statements import Outcome, answer

GAME = "specs/hubei/shifuying/game.pai"


@pytest.fixture(scope="module")
def game() -> Game:
    return dsl.load(GAME).core


def about_arrangements(game: Game) -> list[Statement]:
    asked = (s for s in game.statements if s.about == "arrangement" and not s.printed)
    return [s for s in asked if s.options.items() <= game.options.items()]


def contrary(game: Game, step: int) -> Game:
    """The game with one in `step` of its statements expecting what is not so."""
    wrong = {statement.id for statement in about_arrangements(game)[::step]}
    said = (replace(s, expected=not s.expected) if s.id in wrong else s for s in game.statements)
    return replace(game, statements=tuple(said))


def told(game: Game, asked: Sequence[Statement], *before: str) -> dict[str, Outcome]:
    """What comes of each statement, asked in this order after these checks."""
    study = study_of(game)
    for code in before:
        study.findings(code)
    found = {statement.id: answer(study, statement) for statement in asked}
    assert not study.unknown
    return found


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_answers_are_the_same_in_every_order(game: Game, step: int) -> None:
    game = contrary(game, step)
    asked = about_arrangements(game)
    first = told(game, asked)
    shown = [outcome for outcome in first.values() if outcome.shows is not None]
    assert len(asked) > 20 and len(shown) >= 6 // step
    assert told(game, asked[::-1]) == first
    assert told(game, asked[1::2] + asked[::2], "V101", "V106") == first
