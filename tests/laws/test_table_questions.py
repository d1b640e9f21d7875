"""Questions about the table: the logic says what the table says, and its bounds leave no real deal out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from dsl import Game, load
from dsl.core import local
from dsl.core.flow import Flow
from dsl.core.table_questions import Answers, Bites, DeadEnd, SeatFormula
from dsl.table.questions import says
from dsl.table.simulate import eager
from dsl.table.state import State
from dsl.table.table import Table
from verifier.ask_table import Question, Stage, TableAnswer, TableAsker
from verifier.encode_local import met
from verifier.encode_table import Encoder
from verifier.table_faces import conditions_of
from verifier.table_wins import Hands
from verifier.table_world import TableWorld

GAMES = ("十符硬[SDR-35=R2]", "四家飞[SDR-33=R2]", "打神", "对对符")
BUDGET = 50_000_000
ENDS = ("碰", "追", "配")
"""Responses after which the way out is looked at; for all of them it would take long."""


@cache
def game(name: str) -> Game:
    return load(name)


@cache
def offers(name: str) -> tuple[State, ...]:
    """States of deals by chance in which a tile lies open."""
    table, found = game(name).table, list[State]()
    for seed in range(3):
        source, state = random.Random(seed), table.start(seed)
        while not state.over:
            if state.offer is not None and state.offer.tile < len(table.game.kinds):
                found.append(state)
            state = table.apply(state, eager(state, source))
    return tuple(found)


@cache
def of_one_face(name: str) -> tuple[State, ...]:
    """Those in which the face lies open that does so most often."""
    tiles = Counter(s.offer.tile for s in offers(name) if s.offer is not None)
    tile = min(tiles, key=lambda t: (-tiles[t], t))
    return tuple(s for s in offers(name) if s.offer is not None and s.offer.tile == tile)


@cache
def world_of(name: str) -> TableWorld:
    offer = of_one_face(name)[0].offer
    assert offer is not None
    return TableWorld(game(name).table.claims, 1, offer.tile)


@pytest.mark.parametrize("name", GAMES)
def test_every_deal_is_within_the_bounds(name: str) -> None:
    """What is proved of the symbolic table is true of every real one."""
    table, world = game(name).table, world_of(name)
    for state in of_one_face(name):
        for seat in table.playing:
            assert world.smt.check(*world.told(state, (seat,)), budget=BUDGET) == "sat", (state, seat)


@pytest.mark.parametrize("name", GAMES)
def test_local_conditions_are_the_same_in_logic(name: str) -> None:
    table, world = game(name).table, world_of(name)
    conditions = conditions_of(table.flow)
    seen: Counter[bool] = Counter()
    for state, seat in asked_of(name):
        offer = state.offer
        assert offer is not None
        distance = table.verdicts.distance(state, offer.seat, seat)
        way = next(w for w in world.ways if w[:2] == (offer.turned, distance))
        used = one_used(state.players[seat].counts)
        sight = table.verdicts.sight(state, seat, offer, used)
        terms = [met(c, world.sight(world.players[0], way, offer.tile, used)) for c in conditions]
        assert world.smt.check(*world.told(state, (seat,)), budget=BUDGET) == "sat"
        for condition, term in zip(conditions, terms, strict=True):
            assert world.smt.truth_value(term) == local.met(condition, sight), (condition, sight)
            seen[local.met(condition, sight)] += 1
    assert seen[True] and (seen[False] or name == "对对符")


def asked_of(name: str) -> list[tuple[State, int]]:
    """A few states, each with a player who may be asked about its tile; who can answer comes first."""
    table, found = game(name).table, list[tuple[bool, int, State, int]]()
    every = Answers(tuple(r.name for r in table.flow.responses.values() if not r.win))
    for number, state in enumerate(of_one_face(name)):
        assert state.offer is not None
        for seat in table.playing:
            if seat != state.offer.seat or state.offer.turned:
                found.append((not says(every, table, state, seat), number, state, seat))
    found.sort(key=lambda one: one[:2])
    return [(state, seat) for _, _, state, seat in (*found[:4], *found[-2:])]


def one_used(counts: tuple[int, ...]) -> tuple[int, ...]:
    """One tile of the first face that is held twice or more, else none."""
    kind = next((k for k, n in enumerate(counts) if n >= 2), None)
    return tuple(int(k == kind) for k in range(len(counts)))


@pytest.mark.parametrize("name", GAMES)
def test_players_are_the_same_in_logic(name: str) -> None:
    """Responses, dead ends, vetoes and bans: asked of real states, with everything fixed."""
    table, world = game(name).table, world_of(name)
    encoder = Encoder(world, Hands(world, wide=False), thorough=True)
    asked = tuple(questions(table.flow))
    terms = [encoder.says(formula, world.players[0]) for formula in asked]
    seen: Counter[bool] = Counter()
    for state, seat in asked_of(name):
        assert world.smt.check(*world.told(state, (seat,)), budget=BUDGET) == "sat"
        for formula, term in zip(asked, terms, strict=True):
            truth = says(formula, table, state, seat)
            assert world.smt.truth_value(term) == truth, (formula, state)
            seen[truth] += 1
    assert not world.opened.truths and not world.opened.numbers
    assert seen[False] and seen[True]


def questions(flow: Flow) -> Iterator[SeatFormula]:
    responses = [r for r in flow.responses.values() if not r.win]
    for response in responses:
        yield Answers((response.name,))
        if response.name in ENDS:
            yield DeadEnd((response.name,), opening=False)
    yield from (Bites("veto", v.name) for v in flow.vetoes)
    yield from (Bites("ban", b.name) for b in flow.bans)


# ---------------------------------------------------------------- one question after another

ASKED = (
    Answers(("碰",)),
    Bites("ban", "拆句"),
    Answers(("吃",)),
    DeadEnd(("对碰",), opening=False),
    Answers(("明招",)),
)


@pytest.mark.parametrize("name", ["抬胡", "抬胡[A-13=R2]"])
def test_no_answer_depends_on_what_was_asked_before(name: str) -> None:
    """Some of the questions leave things open (`现分`); the others do not even after those were asked."""
    found = []
    for order in (ASKED, ASKED[::-1]):
        asker = TableAsker(game(name).table)
        found.append({formula: (asker.possible(formula), asker.witness(formula)) for formula in order})
    one, other = found
    assert set(one) == set(other) and one == other
    assert {possible for possible, _ in one.values()} == ({True, False} if name == "抬胡" else {True})


def test_each_question_knows_what_itself_leaves_open() -> None:
    table = game("抬胡").table
    world = TableWorld(table.claims, 1, 0)
    hands = Hands(world, wide=False)

    def guessed(formula: SeatFormula) -> bool:
        return Question(table, world, hands, (formula,), Stage()).guessed

    for _ in range(2):
        assert not guessed(Answers(("明招",))) and guessed(Answers(("碰",)))


def question_of_one_table(*free: str) -> Question:
    """Whether 碰 is open, of one table of 抬胡 only; whether the tile was turned up may be free."""
    table, formula = game("抬胡").table, Answers(("碰",))
    found = TableAsker(table).witness(formula).witness
    assert found is not None and found.state.offer is not None
    world = TableWorld(table.claims, 1, found.state.offer.tile)
    given = world.told(found.state, found.seats)
    world.smt.require(*(given[1:] if free else given))  # the first says if the tile is turned up
    return Question(table, world, Hands(world, wide=False), (formula,), Stage())


def test_a_table_that_is_ruled_out_rules_out_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another with the same concealed tiles may stand; and where none does, that is proved."""
    asked: list[State] = []
    two, again, one = (question_of_one_table(*free) for free in (("turned",), ("turned",), ()))

    def later(formula: SeatFormula, table: Table, state: State, seat: int) -> bool:
        asked.append(state)
        return len(asked) > 1

    monkeypatch.setattr("verifier.ask_table.says", later)
    found = two.answer().witness
    assert found is not None and found.state.players == asked[0].players
    assert found.state.offer != asked[0].offer
    monkeypatch.setattr("verifier.ask_table.says", lambda *_: False)
    assert again.answer() == TableAnswer() == one.answer()
