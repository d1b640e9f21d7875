"""Diffs: equal to itself, true to brute force, every witness judged anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from dsl import Game, Hand, load
from dsl.core.evaluate import Position, Situation, is_win
from dsl.core.hand import to_json
from dsl.core.reference import arrangements, judge
from tests.conftest import SMALL, any_hands
from verifier.difference import diff

PATH = str(SMALL / "两句.pai")


def test_a_ruleset_equals_itself() -> None:
    found = diff(PATH, PATH)
    assert found.equal and not found.clauses
    assert {a.relation for a in found.aspects.values()} == {"equal"}
    assert all(not a.classes for a in found.aspects.values())
    assert found.aspects["win"].hands["left_only"] == found.aspects["win"].hands["right_only"] == 0


@pytest.fixture(scope="module")
def strict_and_loose():  # type: ignore[no-untyped-def]
    return diff(f"{PATH}[底=5]", f"{PATH}[底=3]")


def test_a_lower_threshold_only_adds_wins(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    win = strict_and_loose.aspects["win"]
    assert win.relation == "subset"
    assert [c.name for c in strict_and_loose.clauses] == ["和.门槛"]
    for item in win.classes:
        assert not item.left.win and item.right.win
        assert "门槛" in item.reason
        assert {r.name for r in item.rules} >= {"和.门槛"}
    assert strict_and_loose.aspects["score"].relation == "equal"


def test_closed_counts_equal_brute_force(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    games = (strict_and_loose.left, strict_and_loose.right)
    role = games[0].core.roles[-1]
    tally = {"both": 0, "left_only": 0, "right_only": 0}
    for counts in product(*(range(k.copies + 1) for k in games[0].core.kinds)):
        if sum(counts) == games[0].core.finished:
            a, b = (_closed_win(g, counts, role) for g in games)
            if a or b:
                tally["both" if a and b else "left_only" if a else "right_only"] += 1
    assert strict_and_loose.aspects["win"].hands == tally
    assert tally["right_only"] > 0


def _closed_win(game: Game, counts: tuple[int, ...], role: str) -> bool:
    """All tiles as dealt, judged as if the last one had been an own draw: every arrangement tried."""
    core, situation = game.core, Situation(role, "自摸")
    found = arrangements(core, Hand(role, (), counts, None))
    return any(is_win(Position(core, a, situation)) for a in found)


def test_relations_hold_on_random_hands(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    left, right = strict_and_loose.left, strict_and_loose.right
    seen = 0
    for hand in any_hands(left, 500, seed=23):
        plain = replace(hand, context={}, declared=None)
        a, b = judge(left.core, plain), judge(right.core, plain)
        assert b.win or not a.win, to_json(left.core, plain)
        assert a.score == b.score or a.win != b.win
        seen += a.win != b.win
    assert seen > 0


def test_witnesses_replay_in_the_reference(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    for aspect in strict_and_loose.aspects.values():
        for item in aspect.classes:
            for verdict in (item.left, item.right):
                outcome = judge(verdict.compiled.game, verdict.hand)
                assert (outcome.win, outcome.score, outcome.names) == (
                    verdict.win,
                    verdict.score,
                    verdict.names,
                )


def test_different_decks_stay_unknown(shifuying: Game) -> None:
    found = diff(load(PATH), shifuying)
    assert found.unknown and found.aspects["win"].relation == "unknown"


@pytest.mark.slow
def test_real_games(sijiafei: Game, shifuying: Game) -> None:
    assert diff(shifuying, shifuying).equal
    found = diff(sijiafei, shifuying)
    assert found.aspects["win"].relation == "subset"
    for hand in any_hands(sijiafei, 400, seed=29):
        plain = replace(hand, context={}, declared=None)
        if all(m.type.locked for m in (sijiafei.core.melds[x.meld] for x in plain.laid)):
            assert shifuying.is_win(plain) or not sijiafei.is_win(plain)
