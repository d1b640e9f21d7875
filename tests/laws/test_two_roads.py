"""Where the solver and the automaton can both answer, they agree, on the real games too."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from dsl import Game, load
from dsl.core.evaluate import Arrangement, Position, Situation, holds
from dsl.core.model import ORIGINS, And, Compare, Complete, Feature, Formula, Linear, Not
from dsl.core.model import Game as Core
from dsl.judge.points import added_up
from verifier import count
from verifier.ask import possible
from verifier.checking import study_of
from verifier.world import World

GAMES = ["specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei/game.pai"]


@pytest.fixture(scope="module", params=GAMES, ids=["十符硬", "四家飞"])
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture(scope="module")
def world(game: Game) -> World:
    return World(game.core)


def _score(game: Game, operator: str, bound: int) -> Formula:
    """符 of the arrangement compared with a number."""
    weights = tuple(m.prices[0].points or 0 for m in game.core.melds)
    left = Linear(((1, Feature("符", weights)),))
    return Compare(left, operator, Linear(constant=bound))  # type: ignore[arg-type]


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_sums_and_solver_agree_on_statements(game: Game, step: int) -> None:
    """Adding melds up proves exactly what the solver proves; elsewhere some melds do come to it."""
    study = study_of(game.core)
    proved = 0
    for statement in [s for s in game.core.statements if s.about == "arrangement"][::step]:
        under = study.reload(statement.options) if statement.options else study
        same = next(s for s in under.game.statements if s.id == statement.id)
        asked = And((Complete(), same.formula))
        melds = added_up(under.game, asked)
        assert (melds is None) is not possible(under.world, asked), statement.id
        assert melds is None or _comes_to(under.game, melds, asked), statement.id
        proved += melds is None
    assert proved >= 10 // step


def _contexts(game: Core) -> list[dict[str, str]]:
    names = [parameter.name for parameter in game.parameters]
    return [dict(zip(names, v, strict=True)) for v in product(*(p.values for p in game.parameters))]


def _comes_to(game: Core, melds: tuple[int, ...], asked: Formula) -> bool:
    """Do the melds fill the shape, and does the formula hold of them in some situation?"""
    gives = [game.melds[meld].type.gives for meld in melds]
    tiles = Counter(kind for meld in melds for kind in game.melds[meld].tiles)
    fits = tuple(map(sum, zip(*gives, strict=True))) == game.win.shape
    ways = product(game.roles, (*ORIGINS, None), (None, *melds), _contexts(game))
    return (
        fits
        and all(n <= game.kinds[k].copies for k, n in tiles.items())
        and any(
            holds(asked, Position(game, Arrangement(melds, last), Situation(role, origin, context)))
            for role, origin, last, context in ways
        )
    )


@pytest.mark.parametrize("bound", range(0, 30, 3))
def test_sums_never_claim_too_much(small: Game, bound: int) -> None:
    world = World(small.core)
    for name in small.core.names:
        for operator in ("=", "<", ">="):
            asked = And((Complete(), name.formula, _score(small, operator, bound)))
            assert not (added_up(small.core, asked) is None and possible(world, asked)), (name.name, operator)


def test_highest_score(game: Game, world: World) -> None:
    """The best own-made hand is the best of all: nothing made with others' tiles is worth more."""
    top = count(game, "scores").scores[-1][0]
    assert possible(world, And((Complete(), _score(game, ">=", top)))) is True
    assert possible(world, And((Complete(), _score(game, ">", top)))) is False


def test_named_wins_that_can_be(game: Game, world: World) -> None:
    for name in game.core.names:
        counted = count(game, name.name).hands
        found = possible(world, And((Complete(), name.formula)))
        assert found is not None
        assert found or not counted, name.name
        if not any(k in name.name for k in ("天", "地")):  # those need a situation the count leaves out
            assert bool(counted) is found, name.name


def test_complete_hands_that_do_not_win(game: Game, world: World) -> None:
    """Count 0 and proof of none are the same thing, for wins and for what falls short."""
    complete, wins = count(game, "complete").hands, count(game, "win").hands
    win = And(tuple(n.formula for n in game.core.win.needs))
    short = And((Complete(), Not(win), _score(game, "<", 10)))
    assert (complete - wins > 0) is possible(world, short)
