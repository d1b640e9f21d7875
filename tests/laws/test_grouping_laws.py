"""摆法: an arrangement that a grouping rules out is none, for everything that reads hands."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

import pytest

import dsl
from dsl import Game, Hand, loads
from dsl.core.model import WILD, And, Compare, Complete, Feature, Formula, Linear, RoleIs
from dsl.core.reference import arrangements, judge
from dsl.judge.points import added_up
from tests.laws.test_role_shape_laws import LASTS, exposed, finished, names, text, tiles_of
from verifier import count, diff
from verifier.ask import possible
from verifier.world import World

RULES = {
    "坎不配搭": "加 和.摆法 坎不配搭：凡 房：2 × 数 坎 + 数 搭 ≤ 2",
    "半要配坎": "加 和.摆法 半要配坎：凡 房：数 半 ≤ 数 坎",
    "句不配半": "加 和.摆法 句不配半：凡 房：非（数 句 ≥ 1 且 数 半 ≥ 1）",
}
Key = tuple[str, str]


@cache
def ruled(rule: str, wild: str) -> Game:
    return loads(text(*([RULES[rule]] if rule else [])), {"赖子": wild})


@pytest.fixture(scope="module", params=list(product(RULES, ("off", "on"))), ids="-".join)
def key(request: pytest.FixtureRequest) -> Key:
    chosen: Key = request.param
    return chosen


def hands(game: Game) -> Iterator[Hand]:
    """Finished hands of all roles: every third of those with a last tile, all without."""
    for role in game.core.roles:
        for number, hand in enumerate(finished(game, role)):
            if hand.last is None or number % 3 == 0:
                yield hand


def test_the_judge_and_the_reference_agree(key: Key) -> None:
    game, free = ruled(*key), ruled("", key[1])
    lost = 0
    for hand in hands(game):
        outcome = judge(game.core, hand)
        assert game.compiled.outcome(hand) == outcome, (key, hand)
        assert game.is_win(hand) == outcome.win
        before = judge(free.core, hand)
        assert set(outcome.scores) <= set(before.scores)
        lost += before.complete and not outcome.complete
    assert lost


def test_waits_and_batches(key: Key) -> None:
    game = ruled(*key)
    own = [h for h in hands(game) if h.role == "坐醒" and h.last is not None and h.last[1] == LASTS[0]]
    assert [bool(w) for w in game.win_many(own)] == [game.is_win(h) for h in own]
    for counts, wilds in tiles_of(game, 2, [k.copies for k in game.core.kinds]):
        told = game.waits({"role": "坐醒", "hand": names(game, counts, wilds)}).to_json()["waits"]
        drawn = []
        for tile in (*range(len(game.core.kinds)), *([WILD] if game.core.wild else [])):
            full = wilds >= 2 if tile == WILD else counts[tile] >= game.core.kinds[tile].copies
            each = (judge(game.core, Hand("坐醒", (), counts, (tile, o), wilds=wilds)) for o in LASTS[:3:2])
            if not full and any(outcome.complete for outcome in each):
                drawn.append("混江" if tile == WILD else game.core.kinds[tile].name)
        assert [wait["tile"] for wait in told] == drawn


def test_counts(key: Key) -> None:
    game = ruled(*key)
    core, found, chance = game.core, 0, Fraction(0)
    copies, wild = [k.copies for k in core.kinds], 0 if core.wild is None else core.wild.copies
    for counts, wilds in tiles_of(game, 5, copies):
        if arrangements(core, Hand("庄", (), counts, None, wilds=wilds)):
            found += 1
            chance += prod(map(comb, copies, counts)) * comb(wild, wilds)
    told = count(game, "complete", role="庄")
    assert told.hands == found
    assert told.probability == chance / comb(sum(copies) + wild, 5)


@pytest.mark.parametrize("key", [("坎不配搭", "off"), ("半要配坎", "off"), ("句不配半", "on")], ids="-".join)
def test_the_solver_finds_just_what_hands_show(key: Key) -> None:
    game = ruled(*key)
    core, world = game.core, World(game.core)
    points = Feature("胡", tuple(m.prices[0].points or 0 for m in core.melds))
    shown = {
        (role, sum(core.melds[m].prices[0].points or 0 for m in arrangement.melds))
        for role in core.roles
        for laid in exposed(game, role)
        for hand in finished(game, role, laid)
        for arrangement in arrangements(core, hand)
    }
    for role, score in product(core.roles, range(8)):
        is_score = Compare(Linear(((1, points),)), "=", Linear((), score))
        asked: Formula = And((Complete(), RoleIs(role), is_score))
        assert possible(world, asked) == ((role, score) in shown), (role, score)
        assert (role, score) not in shown or added_up(core, asked) is not None


def test_the_diff_counts_what_it_takes_away(key: Key) -> None:
    game, free = ruled(*key), ruled("", key[1])
    wins = diff(free, game).aspects["win"]
    lost = any(free.is_win(h) and not game.is_win(h) for h in hands(free))
    assert lost == (key[0] != "句不配半") and wins.relation == ("superset" if lost else "equal")
    assert not any(game.is_win(h) and not free.is_win(h) for h in hands(free))


@pytest.mark.parametrize("condition", ["数 坎 + 数 搭 ≤ 1", "凡 房：数 坎 ≤ 1 或 身 庄", "末张 自摸"])
def test_it_speaks_of_one_group_at_a_time(condition: str) -> None:
    with pytest.raises(dsl.SpecError) as caught:
        loads(text(f"加 和.摆法 乱：{condition}"))
    assert [d.code for d in caught.value.diagnostics] == ["T073"]


def test_a_name_may_say_the_same() -> None:
    """It is a condition with a name, and two rulesets that differ in it do not judge alike."""
    named = "加 名.无坎：不配 倍 2"
    game = loads(text("加 和.摆法 不配：凡 房：数 坎 ≤ 0", named))
    assert [name.name for name in game.core.names] == ["小和", "大", "碰和", "无坎"]
    assert not diff(game, loads(text("加 名.无坎：凡 房：数 坎 ≤ 0 倍 2"))).equal
