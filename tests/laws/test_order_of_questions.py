"""What a report says of a statement depends on the statement alone, not on what was asked before it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import dsl
from dsl.core.model import Game, Statement
from verifier.checking import study_of
from verifier.properties.v119_statements import answer

GAME = "specs/hubei/shifuying/game.pai"


@pytest.fixture(scope="module")
def game() -> Game:
    return dsl.load(GAME).core


def told(game: Game, asked: Sequence[Statement], *before: str) -> dict[str, tuple[bool | None, str]]:
    """What each statement is answered and how, asked in this order after these checks."""
    study = study_of(game)
    for code in before:
        study.findings(code)
    found = {statement.id: answer(study, statement) for statement in asked}
    assert not study.unknown
    return {id: (outcome.got, outcome.how) for id, outcome in found.items()}


def test_answers_are_the_same_in_every_order(game: Game) -> None:
    asked = [s for s in game.statements if s.about == "arrangement" and not s.options and not s.printed]
    assert len(asked) > 20
    first = told(game, asked)
    assert told(game, asked[::-1]) == first
    assert told(game, asked[1::2] + asked[::2], "V101", "V106") == first
