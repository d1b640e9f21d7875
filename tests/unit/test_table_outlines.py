"""Outlines of wins settle some questions about the table, and only those that have no answer."""

from __future__ import annotations

import pytest

from dsl import load
from dsl.core.table_questions import Answers
from verifier.ask_table import TableAsker
from verifier.checking import study_for

SIJIAFEI = "specs/hunan/sijiafei/game.pai"


@pytest.mark.parametrize(("reading", "settled"), [("R1", False), ("R2", True), ("R3", True)])
def test_outlines_settle_what_no_win_can_be_beside(
    reading: str, settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """绍 before 和: once others' tiles win with pairs only, or not at all, a face has too few."""
    tables = study_for(load(SIJIAFEI, {"SDR-66": reading})).tables
    asked = Answers(("绍",)), Answers(("和",))
    with monkeypatch.context() as patch:
        if settled:
            patch.setattr(TableAsker, "_of_face", None)  # nothing else is asked
        assert tables.possible(*asked) is not settled
    monkeypatch.setattr(TableAsker, "_clashes", lambda *_: False)
    assert (tables.witness(*asked).witness is None) is settled
