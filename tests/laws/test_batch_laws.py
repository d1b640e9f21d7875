"""Steps made many at a time, components read in another order, best scores alone: the same comes out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dsl import load
from dsl.core.model import Game
from dsl.judge import weighed as counting
from dsl.judge.automaton import Automaton
from dsl.judge.batch import Batch
from dsl.judge.compiled import Compiled
from dsl.judge.edges import edges_of
from dsl.judge.machines import ClosedScore, Holding, Shaped, search
from dsl.judge.rows import Wilds
from dsl.judge.weighed import weighed, weighed_by
from tests.conftest import SMALL
from verifier import difference, meaning
from verifier.difference import diff

WILD = load(str(SMALL / "两句神.pai"), {"种": "另有", "限": "单张"}).core
PLAIN = load(str(SMALL / "两句.pai")).core


def automata(core: Game, wilds: int) -> list[Automaton]:
    made = Compiled(core).with_wilds(Wilds(wilds)) if wilds else Compiled(core)
    return [made.shaped, made.scored, made.wins, made.every_outcome, made.full]


@pytest.mark.parametrize(("core", "wilds"), [(PLAIN, 0), (WILD, 1), (WILD, 3)])
@pytest.mark.parametrize("place", range(5))
def test_steps_made_together_are_those_made_one_by_one(core: Game, wilds: int, place: int) -> None:
    automaton = automata(core, wilds)[place]
    weighed(core, (automaton,), core.finished - wilds)
    pairs = [(i, j) for i in range(len(automaton.states)) for j in range(len(automaton.letters))][:3000]
    states, letters = (np.array(column, np.int64) for column in zip(*pairs, strict=True))
    following, added = Batch(automaton).steps(states, letters)
    for (i, j), target, points in zip(pairs, following.tolist(), added.tolist(), strict=True):
        wanted, score = automaton.step(automaton.states[i].held, j)
        assert (target, points) == (wanted.index, score)
    assert len(set(following.tolist())) > 1


def test_two_states_that_are_mixed_to_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.judge.batch._mixed", lambda sizes, vectors, scores: sizes.astype(np.uint64))
    plain, mixed = (Compiled(PLAIN).every_outcome for _ in range(2))
    monkeypatch.setattr("dsl.judge.edges.MANY", 1)
    found = {tuple(s.face for s in w.states): w.deals for w in weighed(PLAIN, (mixed,), PLAIN.finished)}
    slow = search(PLAIN, (Shaped(plain),), PLAIN.finished)
    assert found == {tuple(s.face for s in states): r.deals for states, r in slow.items()}


@pytest.mark.parametrize("face", [0, 4])
def test_of_hands_with_a_marked_face_those_that_hold_it_count(face: int) -> None:
    compiled = Compiled(PLAIN)
    machines = (ClosedScore(compiled), Shaped(compiled.shaped))
    wanted: dict[object, tuple[int, int]] = {}
    for (*states, held), reached in search(PLAIN, (*machines, Holding(PLAIN, face)), PLAIN.finished).items():
        if held:
            hands, deals = wanted.get(tuple(states), (0, 0))
            wanted[tuple(states)] = hands + reached.hands, deals + reached.deals * held
    found = {w.states: (w.hands, w.deals) for w in weighed_by(PLAIN, machines, PLAIN.finished, face)}
    assert found == wanted
    alone = weighed_by(PLAIN, machines[:1], PLAIN.finished, face)
    assert sum(w.deals for w in alone) == sum(deals for _, deals in wanted.values())


@pytest.mark.parametrize("most", [counting.SHORT, 10])
def test_hands_alone_are_as_many(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(counting, "SHORT", most)
    automaton = Compiled(PLAIN).every_outcome
    both, alone = (weighed(PLAIN, (automaton,), 8, dealt=dealt) for dealt in (True, False))
    assert [(w.states, w.hands) for w in both] == [(w.states, w.hands) for w in alone]
    assert all(w.deals >= w.hands for w in both) and not any(w.deals for w in alone)
    assert all(type(w.hands) is int for w in alone)


def test_what_one_deck_comes_to_serves_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decks that lack a tile of some face, read by one automaton and each by its own."""
    shared = Compiled(PLAIN).paid
    read = []
    advance = counting._advance
    monkeypatch.setattr(counting, "_advance", lambda *a: read.append(1) or advance(*a))
    for face in (None, 0, 5, 7):
        kinds = tuple(replace(k, copies=k.copies - (i == face)) for i, k in enumerate(PLAIN.kinds))
        deck = replace(PLAIN, kinds=kinds)
        own = Compiled(PLAIN).paid
        told = [
            sorted((s.face, w.ahead, w.hands, w.deals) for w in weighed(deck, (one,), 8) for s in w.states)
            for one in (shared, own)
        ]
        assert told[0] == told[1]
    assert len(read) < 8 * len(PLAIN.components)
    assert edges_of(shared) is edges_of(shared)


def test_the_best_score_of_a_vector_is_enough_or_all_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Payments that rise with the score compare alike by either road; where they fall, only one is right."""
    pairs = [(f"{SMALL / '两句.pai'}[底=5]", f"{SMALL / '两句.pai'}[底=3]")]
    fast = [diff(*pair).aspects for pair in pairs]
    monkeypatch.setattr(meaning.Opinions, "_make_sure", _refuse)
    slow = [diff(*pair).aspects for pair in pairs]
    told = [
        [(a.relation, a.hands, [c.witness for c in a.classes]) for a in one[0].values()]
        for one in (fast, slow)
    ]
    assert told[0] == told[1]
    assert difference.LowerIsBetter is meaning.LowerIsBetter


def _refuse(*_: object) -> None:
    raise meaning.LowerIsBetter
