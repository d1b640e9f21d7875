"""A marked tile: the automaton, the reference, the solver and the certificate say the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dsl import Game, Hand, load
from dsl.core.evaluate import Arrangement, marked, score
from dsl.core.hand import to_json
from dsl.core.model import WILD, Complete
from dsl.core.reference import arrangements, judge
from dsl.judge.certificate import faults
from tests.conftest import SMALL, any_hands
from verifier.ask import FIRST_TRY
from verifier.decode import decode, read
from verifier.replay import replay
from verifier.world import World

PATH = str(SMALL / "两句标.pai")
VARIANTS = [{}, {"取法": "照分"}, {"赖子": "有赖"}, {"标法": "都算", "赖子": "有赖"}]


@pytest.fixture(scope="module", params=VARIANTS, ids=lambda v: "-".join(v.values()) or "照印")
def game(request: pytest.FixtureRequest) -> Game:
    return load(PATH, request.param)


def marked_hands(game: Game, number: int, seed: int) -> Iterator[Hand]:
    """Finished hands of which the context marks a face, most often one that they hold."""
    chance, core = random.Random(seed), game.core
    for hand in any_hands(game, number, seed):
        counts, wilds = list(hand.counts), 0
        while core.wild is not None and wilds < core.wild.copies and any(counts) and chance.random() < 0.4:
            counts[chance.choice([k for k, n in enumerate(counts) if n])] -= 1
            wilds += 1
        held = [core.kinds[k].name for k in hand.tiles(core) if k != WILD]
        face = chance.choice(held if chance.random() < 0.8 else ["无", *(k.name for k in core.kinds)])
        yield replace(hand, counts=tuple(counts), wilds=wilds, context={**hand.context, "抬将": face})


def test_judge_equals_reference(game: Game) -> None:
    seen = Counter[str]()
    for hand in marked_hands(game, 250, seed=3):
        expected = judge(game.core, hand)
        assert game.compiled.outcome(hand) == expected, to_json(game.core, hand)
        assert game.is_win(hand) is expected.win
        if expected.complete:
            assert not faults(game.core, hand, expected.arrangement), to_json(game.core, hand)
            some = any(game.core.melds[m].base is not None for m in expected.arrangement.melds)
            seen["marked" if some else "plain"] += 1
    assert min(seen["marked"], seen["plain"]) > 20


def test_a_grouping_contributes_its_best_score(game: Game) -> None:
    """The mark lies where it is worth most: no placing of it in the same melds gives more."""
    core, told = game.core, 0
    if core.mark is not None and core.mark.every:
        return
    for hand in marked_hands(game, 150, seed=5):
        face = core.marked_face(hand.role, hand.context)
        for found in arrangements(core, hand):
            plain = tuple(sorted(_unmarked(game, found)))
            places = [m for m in set(plain) if face is not None and (m, face) in core.with_mark]
            if not places:
                assert found.melds == plain
                continue
            assert face is not None
            scores = []
            for place in places:
                rest = list(plain)
                rest.remove(place)
                scores.append(score(core, Arrangement((*rest, core.with_mark[place, face].id))))
            assert score(core, found) == max(scores)
            told += len(set(scores)) > 1
    assert told > 5


def _unmarked(game: Game, arrangement: Arrangement) -> Iterator[int]:
    for m in arrangement.melds:
        base = game.core.melds[m].base
        yield m if base is None else base


def test_only_its_own_role_has_a_marked_tile(game: Game) -> None:
    others = 0
    for hand in marked_hands(game, 80, seed=7):
        if hand.role != "庄":
            plain = replace(hand, context={n: v for n, v in hand.context.items() if n != "抬将"})
            assert judge(game.core, hand) == judge(game.core, plain)
            others += 1
    assert others > 10


def test_waits_are_what_judging_every_tile_says(game: Game) -> None:
    seen = 0
    for hand in marked_hands(game, 40, seed=11):
        if hand.last is None:
            continue
        waiting = replace(hand, last=None)
        found = {w.kind: w.final.payments for w in game.compiled.waits(waiting)}
        for kind in range(len(game.core.kinds)):
            if waiting.tiles(game.core)[kind] < game.core.kinds[kind].copies:
                expected = judge(game.core, replace(hand, last=(kind, "自摸")))
                assert expected.complete is (kind in found)
                assert not expected.complete or found[kind] == expected.payments
                seen += expected.complete
    assert seen > 20


def test_batches_say_what_single_hands_say(game: Game) -> None:
    """Hands of one role with the same face marked."""
    faces = Counter[str]()
    some = [h for h in marked_hands(game, 300, seed=19) if not h.laid and h.declared is None]
    for role in game.core.roles:
        for face in ("上", "丘", "花", "无"):
            batch = [replace(h, context={"抬将": face}) for h in some if h.role == role]
            told, wins = game.judge_many(batch), game.win_many(batch)
            for i, hand in enumerate(batch):
                outcome = game.compiled.outcome(hand)
                assert bool(told.complete[i]) == outcome.complete
                assert bool(told.win[i]) == bool(wins[i]) == outcome.win, to_json(game.core, hand)
                if outcome.complete:
                    assert told.score[i] == outcome.score
                    faces[face] += 1
    assert min(faces.values()) > 10
    other = [replace(some[0], role="庄", context={"抬将": face}) for face in ("上", "丘")]
    with pytest.raises(ValueError, match="batch"):
        game.judge_many(other)


def test_the_solver_knows_the_arrangements_that_hands_have(game: Game) -> None:
    world, asked = World(game.core), 0
    smt, view = world.smt, world.view
    for hand in marked_hands(game, 25, seed=13):
        face = game.core.marked_face(hand.role, hand.context)
        for found in arrangements(game.core, hand)[:2]:
            placed = [found] if face is None else marked(game.core, _stripped(game, found), face)
            wrong = _stripped(game, found)
            for one, known in ((found, True), (wrong, wrong in placed)):
                with smt.scope():
                    smt.require(view.complete)
                    smt.require(view.roles[hand.role])
                    smt.require(view.context["抬将", hand.context["抬将"]])
                    for meld in world.melds:
                        smt.require(smt.compare(view.counts[meld.id], "=", one.melds.count(meld.id)))
                    assert (smt.check(budget=FIRST_TRY) == "sat") is known, to_json(game.core, hand)
                asked += not known
    assert asked > 3


def test_the_certificate_knows_a_mark_in_the_wrong_place(game: Game) -> None:
    wrong = 0
    for hand in marked_hands(game, 60, seed=17):
        for found in arrangements(game.core, hand):
            assert not faults(game.core, hand, found)
            without = _stripped(game, found)
            if without != found:
                assert "the marked tile does not lie where it is worth most" in faults(
                    game.core, hand, without
                )
                wrong += 1
    assert wrong > 10


def _stripped(game: Game, arrangement: Arrangement) -> Arrangement:
    last = arrangement.last_in
    base = None if last is None else game.core.melds[last].base
    melds = tuple(sorted(_unmarked(game, arrangement)))
    return replace(arrangement, melds=melds, last_in=last if base is None else base)


def test_what_the_solver_finds_a_hand_can_show(game: Game) -> None:
    world, marks = World(game.core), 0
    smt, view = world.smt, world.view
    with smt.scope():
        smt.require(view.complete)
        smt.require(view.roles["庄"])
        smt.require(smt.negate(view.context["抬将", "无"]))
        for _ in range(60):
            assert smt.check(budget=FIRST_TRY) == "sat"
            model = read(world)
            witness = decode(world, model)
            replay(witness, Complete())
            assert witness.arrangement in arrangements(game.core, witness.hand)
            marks += any(game.core.melds[m].base is not None for m in model.melds)
            other = [smt.compare(view.counts[m.id], "!=", model.melds.count(m.id)) for m in world.melds]
            smt.require(smt.either(other))
    assert marks > 10
