"""What bans keep in a hand: by the tiles of a group, and by the numbers."""

from __future__ import annotations

import random

import pytest

from dsl import load
from dsl.core import local
from dsl.core.flow import LocalAnd
from dsl.core.local import Sight
from verifier.checking import study_for
from verifier.encode_table import in_force
from verifier.stuck import Keeping, keeping, told

ANY = frozenset(range(30))


def kept(name: str, response: str, wholes: frozenset[int] = ANY) -> Keeping:
    game = load(name).core
    assert game.flow is not None
    bans = tuple(in_force(ban) for ban in game.flow.bans if not ban.yields)
    return keeping(game, bans, (response, 0), wholes)


def test_locked_doors_are_divisible_by_three() -> None:
    """CL-36: so they are never what is left before a discard, 2 modulo 3."""
    every = kept("抬胡", "对碰")
    assert not every.settled  # whether 剐胡 frees them, the score says
    assert {n % 3 for group in every.groups for n in group.sizes(load("抬胡").core)} == {0}
    assert not kept("抬胡", "对碰", frozenset({2, 5, 8, 11, 14, 17})).sizes


def test_another_reading_locks_more() -> None:
    """CL-36 under A-13 R2: (3,2,2) is locked too."""
    assert kept("抬胡[A-13=R2]", "对碰", frozenset({2, 5, 8, 11, 14, 17})).sizes


def test_bans_that_yield_keep_nothing() -> None:
    assert kept("十符硬", "碰").sizes == {0}
    assert kept("打神", "碰").sizes == {0}  # wild tiles may be left


@pytest.mark.parametrize("name", ["四家飞[SDR-35=R2]", "抬胡", "抬胡[A-11=R2,A-13=R3]"])
def test_what_is_told_is_so(name: str) -> None:
    """Of full hands the reference says the same wherever the group alone decides."""
    game, source, seen = load(name).core, random.Random(1), set()
    assert game.flow is not None
    for ban in game.flow.bans:
        parts = (ban.where, *(ban.where.parts if isinstance(ban.where, LocalAnd) else ()))
        for condition in (*parts, LocalAnd(parts)):
            for _ in range(60):
                counts = tuple(source.choice((0, 0, 1, 2, 3)) for _ in game.kinds)
                kind = next(k for k, n in enumerate(counts) if n)
                at = Sight(game, "", counts, kind, tuple(int(k == kind) for k in range(len(counts))))
                said = told(condition, at, None)
                assert said is None or said == local.met(condition, at)
                seen.add(said)
    assert {True, False} <= seen


@pytest.mark.parametrize("name", ["十符硬", "打神", "抬胡"])
def test_no_question_about_ways_out_stays_open(name: str) -> None:
    study = study_for(name)
    found = study.findings("V112")
    assert not study.unknown
    assert [f.subject for f in found] == ([("opening",)] if name == "打神" else [])
