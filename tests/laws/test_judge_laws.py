"""The fast judge says what the reference says, whatever the hand."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dsl import ORIGINS, Game, Hand, load
from dsl.core.hand import read_hand, to_json
from dsl.core.model import HandAnd, HandNot, HandOr, Waiting, WaitIs, WaitWins
from dsl.core.reference import arrangements, judge
from dsl.judge.certificate import faults
from dsl.judge.hands import ask_hands, complete_hands, unsound_wait
from tests.conftest import SMALL, any_hands

SWITCHES = [{}, {"底": "3"}]


@pytest.mark.parametrize("options", SWITCHES, ids=str)
def test_small_deck_agrees_with_the_reference(options: dict[str, str]) -> None:
    game = load(str(SMALL / "两句.pai"), options)
    for hand in any_hands(game, 700, seed=len(options)):
        assert game.compiled.outcome(hand) == judge(game.core, hand), to_json(game.core, hand)
        assert game.is_win(hand) is judge(game.core, hand).win


def test_real_games_agree_with_the_reference(shifuying: Game, sijiafei: Game) -> None:
    for game in (shifuying, sijiafei):
        for hand in any_hands(game, 40, seed=3):
            assert game.compiled.outcome(hand) == judge(game.core, hand), to_json(game.core, hand)


READINGS = ["SH-05=R2", "SH-08=R2", "SH-08=R3", "SDR-66=R2", "SDR-66=R3", "VO-05=R2", "NW-03=R2", "NW-21=R3"]


@pytest.mark.parametrize("reading", READINGS)
def test_readings_agree_with_the_reference(reading: str) -> None:
    name, value = reading.split("=")
    game = load(str(Path(__file__).parents[2] / "specs/hubei/shifuying/game.pai"), {name: value})
    for hand in any_hands(game, 12, seed=5):
        assert game.compiled.outcome(hand) == judge(game.core, hand), to_json(game.core, hand)


def test_every_certificate_is_sound(small: Game, shifuying: Game) -> None:
    checked = 0
    for game, number in ((small, 400), (shifuying, 100)):
        for hand in any_hands(game, number, seed=11):
            verdict = _verdict(game, hand)
            if verdict.complete:
                assert faults(game.core, hand, verdict.arrangement) == []
                checked += 1
    assert checked > 100


def test_a_false_certificate_is_noticed(small: Game) -> None:
    hand = next(h for h in any_hands(small, 200, seed=2) if small.compiled.outcome(h).complete)
    good = small.compiled.outcome(hand).arrangement
    other = next(m.id for m in small.core.melds if m.id not in good.melds)
    assert faults(small.core, hand, replace(good, melds=(*good.melds[1:], other)))
    assert faults(small.core, hand, replace(good, melds=good.melds[1:]))


def test_order_of_tiles_never_matters(shifuying: Game) -> None:
    chance = random.Random(4)
    for hand in any_hands(shifuying, 60, seed=7):
        data = to_json(shifuying.core, hand)
        shuffled = {**data, "hand": chance.sample(data["hand"], len(data["hand"]))}
        shuffled["laid"] = chance.sample(data.get("laid", []), len(data.get("laid", [])))
        assert _answer(shifuying, data) == _answer(shifuying, shuffled)


def test_hands_survive_their_json_form(small: Game) -> None:
    for hand in any_hands(small, 300, seed=9):
        again, wrong = read_hand(small.core, to_json(small.core, hand))
        assert wrong == () and again is not None
        assert small.compiled.outcome(again) == small.compiled.outcome(hand)


def test_payments_sum_to_zero(small: Game, shifuying: Game) -> None:
    for game in (small, shifuying):
        for hand in any_hands(game, 150, seed=13):
            assert sum(dict(game.compiled.outcome(hand).payments).values()) == 0


def test_batches_say_what_single_hands_do(small: Game, shifuying: Game) -> None:
    for game in (small, shifuying):
        role = game.core.roles[-1]
        hands = [
            replace(h, role=role, laid=(), declared=None, context={})
            for h in any_hands(game, 300, seed=17)
            if not h.laid and h.last is not None
        ]
        counts = np.array([h.counts for h in hands])
        last = np.array([h.last[0] for h in hands if h.last])
        origin = np.array([ORIGINS.index(h.last[1]) for h in hands if h.last])
        batch = game.judge_many(counts, last, origin, role)
        wins = game.win_many(counts, last, origin, role)
        for i, hand in enumerate(hands):
            verdict = _verdict(game, hand)
            assert (bool(batch.complete[i]), bool(batch.win[i])) == (verdict.complete, verdict.win)
            assert bool(wins[i]) is verdict.win
            assert int(batch.score[i]) == verdict.score


def test_waits_are_exactly_the_completing_tiles(small: Game) -> None:
    for hand in any_hands(small, 150, seed=19):
        waiting = replace(hand, last=None, declared=None)
        if hand.last is None:
            continue
        found = {(w.kind, w.origin): w.final.win for w in small.waits(waiting).own}
        for kind in range(len(small.core.kinds)):
            drawn = replace(waiting, last=(kind, "自摸"))
            if drawn.tiles(small.core)[kind] <= small.core.kinds[kind].copies:
                outcome = judge(small.core, drawn)
                assert ((kind, "自摸") in found) is outcome.complete
                assert found.get((kind, "自摸"), False) is outcome.win


# ---------------------------------------------------------------- all hands


def test_counts_equal_brute_force(small: Game) -> None:
    core, size = small.core, small.core.finished
    whole = [c for c in _all_counts(small) if sum(c) == size]
    complete = [c for c in whole if arrangements(core, Hand(core.roles[0], (), c, None))]
    assert complete_hands(small.compiled).hands == len(complete) > 0


@pytest.mark.parametrize("name", ["waiting", "wins", "fails", "types", "no type"])
def test_statements_about_hands_equal_brute_force(small: Game, name: str) -> None:
    types = HandOr(tuple(WaitIs(w.name) for w in small.core.waits))
    formula = {
        "waiting": Waiting(),
        "wins": WaitWins(True),
        "fails": HandAnd((WaitWins(False), WaitWins(True))),
        "types": HandAnd((types, HandNot(Waiting()))),
        "no type": HandAnd((Waiting(), HandNot(WaitIs(small.core.waits[0].name)))),
    }[name]
    hands = [c for c in _all_counts(small) if sum(c) == small.core.finished - 1]
    truth = [c for c in hands if _true_of(small, c, formula)]
    answer = ask_hands(small.compiled, formula, small.core.roles[-1])
    assert answer.hands == len(truth)
    assert (answer.first is None) is (not truth)
    assert answer.first is None or answer.first in truth


def test_stated_winning_sets_are_sound_or_refuted_truly(small: Game) -> None:
    for wait in small.core.waits:
        found = unsound_wait(small.compiled, wait)
        if found is not None:
            counts, kind = found
            drawn = Hand(small.core.roles[-1], (), counts, (kind, "自摸"))
            assert not judge(small.core, drawn).complete


def _true_of(game: Game, counts: tuple[int, ...], formula: object) -> bool:
    """The formula by trying every tile and every arrangement."""
    match formula:
        case HandAnd(parts):
            return all(_true_of(game, counts, p) for p in parts)
        case HandOr(parts):
            return any(_true_of(game, counts, p) for p in parts)
        case HandNot(part):
            return not _true_of(game, counts, part)
        case WaitIs(name):
            shape = next(w.shape for w in game.core.waits if w.name == name)
            return bool(arrangements(game.core, Hand(game.core.roles[-1], (), counts, None), shape))
        case _:
            drawn = [
                judge(game.core, Hand(game.core.roles[-1], (), counts, (k, "自摸")))
                for k, kind in enumerate(game.core.kinds)
                if counts[k] < kind.copies
            ]
            done = [o for o in drawn if o.complete]
            return bool(done) if formula == Waiting() else any(o.win is formula.wins for o in done)  # type: ignore[attr-defined]


def _all_counts(game: Game) -> list[tuple[int, ...]]:
    return list(product(*(range(k.copies + 1) for k in game.core.kinds)))


def _verdict(game: Game, hand: Hand):  # type: ignore[no-untyped-def]
    rows = game.compiled.full.rows(hand)
    from dsl import Verdict  # noqa: PLC0415

    return Verdict(game.compiled, hand, rows, *game.compiled.best(hand, rows))


def _answer(game: Game, data: dict[str, object]) -> object:
    hand, wrong = read_hand(game.core, data)
    assert hand is not None, wrong
    return game.compiled.outcome(hand)
