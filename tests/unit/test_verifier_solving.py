"""The solver behind its door: terms, budgets, canonical witnesses, symmetry, comparing melds."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

import dsl
from dsl.core.formulas import win_formula
from dsl.core.hand import to_json
from dsl.core.model import (
    And,
    Compare,
    Complete,
    Feature,
    Formula,
    Game,
    LastFrom,
    LastWild,
    Linear,
    Misnamed,
    Not,
    RoleIs,
)
from verifier import ask, symmetry
from verifier.decode import Witness, decode
from verifier.encode import holds
from verifier.holding import Holdings
from verifier.order import dearest_split, foreign, longer_by_one, worth
from verifier.replay import ReplayError, replay
from verifier.smt import Smt
from verifier.world import World

WORK = 10_000_000


@pytest.fixture(scope="module")
def game() -> Game:
    return dsl.load("十符硬").core


@pytest.fixture(scope="module")
def world(game: Game) -> World:
    return World(game)


def points(game: Game, operator: str, number: int) -> Formula:
    feature = Feature("符", tuple(m.prices[0].points or 0 for m in game.melds))
    return Compare(Linear(((1, feature),)), operator, Linear(constant=number))  # type: ignore[arg-type]


def witness(world: World, *parts: Formula) -> Witness:
    answer = ask.ask(world, And((Complete(), *parts)))
    assert isinstance(answer, ask.Refuted)
    return answer.witness


# ---------------------------------------------------------------- smt


def test_z3_is_loaded_by_the_first_solver_and_not_before() -> None:
    code = "import sys, verifier.checking; assert 'z3' not in sys.modules; import verifier.smt as s; s.Smt()"
    subprocess.run([sys.executable, "-c", code + "; assert 'z3' in sys.modules"], check=True)


def test_terms_mean_what_they_say() -> None:
    smt = Smt()
    a, b = smt.integer("a", 0, 9), smt.integer("b", 0, 9)
    smt.require(smt.compare(smt.total([(2, a), (-3, b)], 1), "=", 0))
    smt.require(smt.compare(smt.remainder(a, 5), "=", 2), smt.compare(a, "!=", b))
    assert smt.check(budget=WORK) == "sat"
    assert (smt.integer_value(a), smt.integer_value(b)) == (7, 5)
    assert smt.check(smt.compare(a, "<", 7), budget=WORK) == "unsat"


def test_exactly_one() -> None:
    smt = Smt()
    flags = [smt.boolean(f"b{i}") for i in range(3)]
    smt.require(smt.exactly_one(flags))
    assert smt.check(flags[0], flags[1], budget=WORK) == "unsat"
    assert smt.check(*(smt.negate(f) for f in flags), budget=WORK) == "unsat"
    assert smt.check(flags[2], budget=WORK) == "sat" and not smt.truth_value(flags[0])


def test_a_scope_forgets_what_was_required_in_it() -> None:
    smt = Smt()
    a = smt.integer("a", 0, 9)
    with smt.scope():
        smt.require(smt.compare(a, ">", 9))
        assert smt.check(budget=WORK) == "unsat"
    assert smt.check(budget=WORK) == "sat"


def test_a_spent_budget_is_unknown_and_never_a_proof(game: Game) -> None:
    world = World(game)
    world.smt.require(world.view.complete)
    assert world.smt.check(budget=1) == "unknown"


def test_numbers_that_come_to_nothing_are_said_all_at_once() -> None:
    smt = Smt()
    a, b, c = (smt.integer(name, 0, 9) for name in "abc")
    said = smt.equal([(a, 0), (b, 3), (c, 0)])
    assert len(said) == 2 and smt.allows(*said, budget=WORK)
    wrong = [smt.compare(a, ">=", 1), smt.compare(b, "!=", 3), smt.compare(c, ">=", 1)]
    assert not any(smt.allows(*said, other, budget=WORK) for other in wrong)
    assert all(smt.allows(other, budget=WORK) for other in wrong)


# ---------------------------------------------------------------- witnesses


def test_the_plainest_witness_has_plain_melds_low_faces_and_the_first_role(world: World, game: Game) -> None:
    shown = to_json(game, witness(world).hand)
    assert shown["role"] == game.roles[0] and "laid" not in shown and "declare" not in shown
    assert "".join(shown["hand"]) == "上上大大人人丘乙己化三千七十士尔小生"
    assert shown["last"] == {"tile": "上", "from": "自摸"}


def test_only_what_cannot_be_concealed_is_exposed(world: World, game: Game) -> None:
    has = Feature("碰", tuple(int(m.type.name == "碰") for m in game.melds))
    two = Compare(Linear(((1, has),)), ">=", Linear(constant=2))
    shown = witness(world, two, LastFrom(frozenset({"他摸"})), RoleIs("闲")).hand
    assert len(shown.laid) == 2 and shown.last is not None and shown.last[1] == "他摸"


def test_a_wrong_name_is_declared_only_when_asked_for(world: World, game: Game) -> None:
    assert witness(world, Not(Misnamed())).hand.declared is None
    assert witness(world, Misnamed()).hand.declared == ("清符",) or witness(world, Misnamed()).hand.declared


def test_replay_rejects_a_claim_that_does_not_hold(world: World, game: Game) -> None:
    with pytest.raises(ReplayError):
        replay(witness(world, points(game, "=", 13)), points(game, "=", 14))


def test_clash_finds_a_smallest_choice(world: World, game: Game) -> None:
    parts = [Complete(), RoleIs("闲"), points(game, ">", 9), LastFrom(frozenset({None}))]
    assert ask.clash(world, parts) == (1, 3)


def test_the_largest_number_of_points_is_54(world: World, game: Game) -> None:
    assert isinstance(ask.ask(world, And((Complete(), points(game, ">", 54)))), ask.Proved)
    assert witness(world, points(game, "=", 54)).hand


def test_a_known_hand_with_another_meld_in_it_is_one_that_the_solver_would_have_found(game: Game) -> None:
    world, wanted = World(game), And((win_formula(game), points(game, "=", 10)))
    assert ask.possible(world, wanted)
    shown, first = set[int](), world.model
    for one in game.melds[::11]:
        world.models.found = [first]
        if ask.with_one_of(world, wanted, [one]):
            shown.add(one.id)
            assert one.id in world.model.melds and world.model.holder == first.holder
            numbers = ((count, world.model.melds.count(m)) for m, count in world.view.counts.items())
            fixed = [world.smt.compare(count, "=", number) for count, number in numbers]
            with world.smt.scope():
                world.smt.require(holds(wanted, world.view))
                assert world.smt.check(*fixed, budget=WORK) == "sat"
            assert replay(decode(world, world.model), wanted)
        else:
            assert world.models.found == [first]
    assert 0 < len(shown) < len(game.melds[::11])


def test_a_hand_without_wild_tiles_is_adopted_where_there_are_none() -> None:
    game = dsl.load("打神").core
    world, plain = World(game), World(game, wilds=False)
    wanted = And((win_formula(game), Not(Misnamed())))
    assert ask.possible(plain, wanted) and world.natural is not None
    assert ask.adopted(world, plain.model)
    assert world.model == world.natural.model == plain.model
    with world.smt.scope():
        told = [holds(wanted, world.view), world.smt.negate(world.view.last_wild)]
        fixed = [world.smt.compare(n, "=", plain.model.melds.count(m)) for m, n in world.view.counts.items()]
        assert world.smt.check(*told, *fixed, budget=WORK) == "sat"
    assert not ask.adopted(world, replace(plain.model, melds=plain.model.melds[1:]))
    wild = And((wanted, LastWild()))
    assert ask.possible(world, wild) and world.natural.model != world.model
    assert ask.adopted(World(game), world.model)


# ---------------------------------------------------------------- symmetry


def test_a_question_about_points_tells_two_sorts_of_sentences_apart(game: Game) -> None:
    assert symmetry.interchangeable(game, points(game, ">", 9)) == [[0, 1, 2], [3, 4, 5, 6, 7]]
    assert symmetry.interchangeable(game, Complete()) == [list(range(8))]


def test_putting_components_in_order_keeps_the_answer(world: World, game: Game) -> None:
    for number in (0, 1, 10, 30, 54, 55):
        formula = And((Complete(), points(game, "=", number)))
        plain = ask.possible(world, formula)
        with world.smt.scope():
            world.smt.require(*symmetry.in_order(world, formula))
            assert ask.possible(world, formula) is plain


# ---------------------------------------------------------------- melds


def meld(game: Game, name: str, tiles: str) -> int:
    return next(
        m.id
        for m in game.melds
        if m.type.name == name and "".join(game.kinds[k].name for k in m.tiles) == tiles
    )


def test_comparing_melds(game: Game) -> None:
    melds = game.melds
    own, others = (
        melds[meld(game, "双龙.自", "七七七七十十十十士")],
        melds[meld(game, "双龙.两外", "七七七七十十十十士")],
    )
    assert (foreign(own), foreign(others)) == (0, 2)
    triple, hung = melds[meld(game, "坎", "七七七")], melds[meld(game, "招.一", "七七七七十")]
    assert longer_by_one(triple, hung) and not longer_by_one(hung, own) and not longer_by_one(triple, own)


def test_the_dearest_split_has_the_tiles_counts_the_same_and_is_worth_most(game: Game) -> None:
    whole = game.melds[meld(game, "双龙.自", "七七七七十十十十士")]
    way = dearest_split(whole, game.melds, 0)
    assert sorted(k for m in way for k in m.tiles) == sorted(whole.tiles)
    assert tuple(map(sum, zip(*(m.type.gives for m in way), strict=True))) == whole.type.gives
    assert not any("碰" in m.type.name for m in way)
    others = [m for m in game.melds if m not in way]
    cheaper = dearest_split(whole, others, 0)
    assert cheaper and sum(worth(m, 0) for m in cheaper) <= sum(worth(m, 0) for m in way)
    assert dearest_split(whole, [], 0) == ()


def test_a_triple_of_others_cannot_hold_a_last_tile_of_ones_own(game: Game) -> None:
    holdings = Holdings(game)
    assert not holdings.of(game.melds[meld(game, "碰", "七七七")], "自摸")
    (way,) = holdings.of(game.melds[meld(game, "绍", "七七七")], "自摸")
    assert not way.laid and not way.spare
