"""What is said early of a hand, a situation or a mirror image never contradicts what is said in the end."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, pairwise, product

import pytest

import dsl
from dsl.core.evaluate import Situation
from dsl.core.model import ORIGINS, And, Complete, Formula, Game
from dsl.core.table_questions import Answers, Bites, SeatFormula
from dsl.judge.compiled import Compiled
from dsl.judge.hands import any_hand, ask_hands
from dsl.judge.probes import Condition, Probe, Sight, asked_of, foreseen, met, most_told, situated
from dsl.table.table import Table
from verifier.ask_table import TableAsker
from verifier.symmetry import exchange, interchangeable, put_in_order
from verifier.world import World

WILD = "抬胡[赖子=on]"


@cache
def game(name: str) -> Game:
    return dsl.load(name).core


def asked(of: Game) -> tuple[tuple[Condition, ...], tuple[Probe, ...]]:
    """What the win and statements ask of arrangements."""
    stated = [s.formula for s in of.statements if s.about == "arrangement" and isinstance(s.formula, Formula)]
    return asked_of(of, [*(need.formula for need in of.win.needs), *stated], scored=False)


def vectors(probes: tuple[Probe, ...], chance: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """One vector, and what it comes to with another."""
    one, more = (tuple(chance.randint(0, min(most_told(p), 40)) for p in probes) for _ in range(2))
    return one, tuple(min(a + b, most_told(p)) for a, b, p in zip(one, more, probes, strict=True))


def situations(of: Game) -> list[Situation]:
    face = {p.name: p.values[0] for p in of.parameters}
    return [Situation(role, origin, face) for role, origin in product(of.roles, (*ORIGINS, None))]


@pytest.mark.parametrize("name", ["抬胡", WILD])
def test_what_is_foreseen_comes_true(name: str) -> None:
    of, chance, said = game(name), random.Random(1), set[bool | None]()
    conditions, probes = asked(of)
    for _ in range(400):
        before, after = vectors(probes, chance)
        where = chance.choice(situations(of))
        for condition in conditions:
            early = foreseen(condition, probes, Sight(of, before, 0, where))
            assert early in (None, met(condition, Sight(of, after, 0, where)))
            said.add(early)
    assert said == {None, True, False}


@pytest.mark.parametrize("name", ["抬胡", WILD])
def test_a_known_situation_leaves_the_rest_to_ask(name: str) -> None:
    of, chance = game(name), random.Random(2)
    conditions, probes = asked(of)
    elsewhere = Situation(of.roles[0], None)
    for _ in range(200):
        vector, where = vectors(probes, chance)[1], chance.choice(situations(of))
        for condition in conditions:
            left = situated(condition, Sight(of, (), 0, where))
            wanted = met(condition, Sight(of, vector, 0, where))
            assert met(left, Sight(of, vector, 0, elsewhere)) is wanted


def test_the_first_hand_is_the_same_when_nobody_counts() -> None:
    compiled = Compiled(game(WILD))
    shown = 0
    for statement in compiled.game.statements:
        if statement.id in ("CL-14b", "CL-47"):
            counted, quick = (ask_hands(compiled, statement.formula, counted=c) for c in (True, False))  # type: ignore[arg-type]
            assert (quick.first, quick.wilds, quick.context) == (
                counted.first,
                counted.wilds,
                counted.context,
            )
            shown += quick.hands < counted.hands
    assert shown == 2


def test_whether_there_is_a_hand_is_the_same_when_none_is_shown() -> None:
    seen = set[bool]()
    for of, wanted in ((game("四家飞"), "C-"), (game(WILD), "CL-14b")):
        compiled, hands = Compiled(of), (s for s in of.statements if s.about == "hand")
        for one in (s for s in hands if s.formula is not None and s.id.startswith(wanted)):
            known = ask_hands(compiled, one.formula, laid=one.laid, counted=False)  # type: ignore[arg-type]
            assert any_hand(compiled, one.formula, one.laid) == bool(known.hands)  # type: ignore[arg-type]
            seen.add(bool(known.hands))
    assert seen == {True, False}


@pytest.mark.parametrize("options, question", [("", Bites("ban", "弃赖")), (",A-21=R3", Answers(("取赖",)))])
def test_wild_tiles_are_let_go_and_taken(options: str, question: SeatFormula) -> None:
    of = game(f"抬胡[赖子=on{options}]")
    assert TableAsker(Table(of, Compiled(of))).possible(question)


def test_a_wild_tile_goes_along_with_the_face_it_stands_for() -> None:
    of = game("打神")
    here, there = next(pair for pair in combinations(range(len(of.components)), 2) if exchange(of, *pair))
    moved = exchange(of, here, there)
    assert moved is not None and sorted(moved) == [m.id for m in of.melds]
    faces = dict(zip(of.components[here], of.components[there], strict=True))
    stands = [m for m in of.melds if m.stand and m.tiles[0] in faces]
    assert stands and all(of.melds[moved[m.id]].tiles == (faces[m.tiles[0]],) for m in stands)
    assert all(moved[moved[m.id]] == m.id for m in of.melds)


def test_melds_are_put_in_the_order_that_is_asked_for() -> None:
    of, chance, formula, moved = game(WILD), random.Random(3), And((Complete(),)), 0
    world = World(of)
    classes = interchangeable(of, formula, world.exchanges)
    for _ in range(20):
        melds = chance.sample([m.id for m in of.melds], 6)
        ordered = put_in_order(world, formula, melds)
        kinds = [sorted(of.melds[m].type.name for m in chosen) for chosen in (melds, ordered)]
        assert kinds[0] == kinds[1]
        for alike in classes:
            mine = [[m for m in ordered if of.component_of[of.melds[m].tiles[0]] == part] for part in alike]
            sizes = [sum(len(of.melds[m].tiles) for m in part) for part in mine]
            assert all(a >= b for a, b in pairwise(sizes))
        moved += sorted(melds) != sorted(ordered)
    assert classes and moved
