"""A role with a win shape of its own: everything that reads hands against going through all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice, product
from math import comb, prod
from pathlib import Path

import pytest

import dsl
from dsl import Game, Hand, load, loads
from dsl.core.evaluate import Position, holds
from dsl.core.hand import Laid, can_lie, read_hand, to_json
from dsl.core.model import WILD, And, Compare, Complete, Feature, Formula, LastFrom, LastIn, Linear, RoleIs
from dsl.core.reference import arrangements, judge
from dsl.judge.certificate import faults
from dsl.judge.points import added_up
from tests.conftest import SMALL
from verifier import count, diff, verify
from verifier.ask import Refuted, ask, possible
from verifier.why_not import why_not
from verifier.world import World

PATH = str(SMALL / "坐醒.pai")
LASTS = ("自摸", "他摸", "他打", "起手")


@pytest.fixture(scope="module", params=["off", "on"])
def game(request: pytest.FixtureRequest) -> Game:
    return load(PATH, {"赖子": request.param})


def tiles_of(game: Game, size: int, left: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every choice of so many tiles: counts of natural ones, and wild ones."""
    most = 0 if game.core.wild is None else game.core.wild.copies
    for counts in product(*(range(n + 1) for n in left)):
        wilds = size - sum(counts)
        if 0 <= wilds <= most:
            yield counts, wilds


def exposed(game: Game, role: str) -> Iterator[tuple[Laid, ...]]:
    """Nothing, or one meld that may lie, with every choice of origins that the game tells apart."""
    core = game.core.seen_by(role)
    yield ()
    for meld in (m for m in core.melds if can_lie(core, m) and not m.wilds):
        for origins in product(*(sorted(s.origins & {"起手", "自摸", "他摸", "他打"}) for s in meld.slots)):
            yield (Laid(meld.id, origins),)


def finished(game: Game, role: str, laid: tuple[Laid, ...] = ()) -> Iterator[Hand]:
    """Finished hands of a role: every set of tiles, every one of them as the last, from everywhere."""
    core = game.core.seen_by(role)
    used = Counter(k for entry in laid for k in core.melds[entry.meld].tiles)
    left = [kind.copies - used[k] for k, kind in enumerate(core.kinds)]
    if min(left) < 0:
        return
    size = core.finished - used.total()
    for counts, wilds in tiles_of(game, size, left):
        if core.dealt[role] >= core.finished:
            yield Hand(role, laid, counts, None, wilds=wilds)
        for last in [*(k for k, n in enumerate(counts) if n), *([WILD] if wilds else [])]:
            rest = tuple(n - (k == last) for k, n in enumerate(counts))
            for origin in LASTS:
                yield Hand(role, laid, rest, (last, origin), wilds=wilds - (last == WILD))


def test_every_hand_is_judged_by_the_shape_of_its_role(game: Game) -> None:
    shapes = {"庄": "1组 1半", "闲": "1组 1半", "坐醒": "1组"}
    complete = Counter[str]()
    for role in game.core.roles:
        for hand in finished(game, role):
            outcome = judge(game.core, hand)
            assert game.compiled.outcome(hand) == outcome, to_json(game.core, hand)
            assert game.is_win(hand) == outcome.win
            if outcome.complete:
                complete[role] += 1
                assert not faults(game.core, hand, outcome.arrangement)
                if complete[role] < 20:
                    told = game.judge(to_json(game.core, hand)).to_json()
                    assert any(shapes[role] in reason["text"] for reason in told["reasons"])
    assert min(complete.values()) > 20 and len(complete) == 3


def test_exposed_melds(game: Game) -> None:
    """Three tiles on the table leave the role with the small shape nothing to win on."""
    assert not any(list(finished(game, "坐醒", laid)) for laid in exposed(game, "坐醒") if laid)
    seen = 0
    every = [(role, laid) for role in game.core.roles for laid in exposed(game, role) if laid]
    for role, laid in every:
        for hand in islice(finished(game, role, laid), 60):
            outcome = judge(game.core, hand)
            assert game.compiled.outcome(hand) == outcome
            read, found = read_hand(game.core, to_json(game.core, hand))
            assert read is not None and read.counts == hand.counts, [f.code for f in found]
            seen += 1
    assert seen > 10


def test_waits_are_what_judging_every_tile_says(game: Game) -> None:
    for counts, wilds in tiles_of(game, 2, [k.copies for k in game.core.kinds]):
        told = game.waits({"role": "坐醒", "hand": names(game, counts, wilds)}).to_json()["waits"]
        tiles = {**{k.name: i for i, k in enumerate(game.core.kinds)}, "混江": WILD}
        drawn = []
        for name, tile in tiles.items():
            held = counts[tile] < game.core.kinds[tile].copies if tile != WILD else wilds < 2
            if not held or (tile == WILD and game.core.wild is None):
                continue
            own, other = (
                judge(game.core, Hand("坐醒", (), counts, (tile, o), wilds=wilds)) for o in LASTS[:3:2]
            )
            if own.complete or other.complete:
                drawn.append(name)
        assert [wait["tile"] for wait in told] == drawn


def names(game: Game, counts: tuple[int, ...], wilds: int) -> list[str]:
    return [k.name for k, n in zip(game.core.kinds, counts, strict=True) for _ in range(n)] + ["混江"] * wilds


def test_batches_say_what_single_hands_say(game: Game) -> None:
    for role in game.core.roles:
        hands = [h for h in finished(game, role) if h.last is not None and h.last[1] == "自摸"]
        told, wins = game.judge_many(hands), game.win_many(hands)
        assert [bool(w) for w in told.win] == [bool(w) for w in wins] == [game.is_win(h) for h in hands]


@pytest.mark.parametrize("role", ["庄", "闲", "坐醒"])
def test_counts(game: Game, role: str) -> None:
    core, hands, chance = game.core, 0, Fraction(0)
    copies, wild = [k.copies for k in core.kinds], 0 if core.wild is None else core.wild.copies
    size = core.seen_by(role).finished
    for counts, wilds in tiles_of(game, size, copies):
        if arrangements(core, Hand(role, (), counts, None, wilds=wilds)):
            hands += 1
            chance += prod(map(comb, copies, counts)) * comb(wild, wilds)
    told = count(game, "complete", role=role)
    assert (told.tiles, told.hands) == (size, hands)
    assert told.probability == chance / comb(sum(copies) + wild, size)
    assert count(game, "complete").tiles == 5, "the last role without a shape of its own"


# ---------------------------------------------------------------- the solver


@cache
def seen(option: str) -> frozenset[tuple[str, str, str | None, str | None, int]]:
    """(role, names, origin, meld of the last tile, score) of every arrangement of every hand."""
    game, found = load(PATH, {"赖子": option}), set()
    for role in game.core.roles:
        for laid in exposed(game, role):
            for hand in finished(game, role, laid):
                for a in arrangements(game.core, hand):
                    at = Position(game.core, a, hand.situation)
                    held = "".join(n.name for n in game.core.names if holds(n.formula, at))
                    last = None if a.last_in is None else game.core.melds[a.last_in].type.name
                    score = sum(game.core.melds[m].prices[0].points or 0 for m in a.melds)
                    found.add((role, held, hand.situation.last_from, last, score))
    return frozenset(found)


def test_the_solver_finds_just_what_hands_show(game: Game) -> None:
    """For every role: each score, each origin with each meld that can hold the last tile."""
    core, world, facts = game.core, World(game.core), seen(game.options["赖子"])
    points = Feature("胡", tuple(m.prices[0].points or 0 for m in core.melds))
    some = Counter[bool]()
    for role in core.roles:
        for score in range(9):
            is_score = Compare(Linear(((1, points),)), "=", Linear((), score))
            asked: Formula = And((Complete(), RoleIs(role), is_score))
            expected = any(f[0] == role and f[4] == score for f in facts)
            assert possible(world, asked) == expected, (role, score)
            assert not (expected and added_up(core, asked) is None), (role, score)
            some[expected] += 1
        for kind, origin in product(core.types, (*LASTS, None)):
            last_in = LastIn(frozenset({kind.index}))
            asked = And((Complete(), RoleIs(role), LastFrom(frozenset({origin})), last_in))
            expected = any(f[0] == role and f[2:4] == (origin, kind.name) for f in facts)
            assert possible(world, asked) == expected, (role, kind.name, origin)
            some[expected] += 1
    assert min(some.values()) > 20


def test_witnesses_of_either_shape_replay(game: Game) -> None:
    world = World(game.core)
    for role in game.core.roles:
        for name in ("大", "碰和"):
            formula = next(n.formula for n in game.core.names if n.name == name)
            answer = ask(world, And((Complete(), RoleIs(role), formula)))
            assert isinstance(answer, Refuted) and answer.witness.hand.role == role
            assert answer.witness.hand.size(game.core) == game.core.seen_by(role).finished
    answer = ask(world, And((Complete(),)))
    assert isinstance(answer, Refuted) and answer.witness.hand.role == "庄", "the usual shape is shown first"


# ---------------------------------------------------------------- checks, changes, comparison


def text(*changes: str) -> str:
    return f"规则 改过 继承 「{Path(PATH).resolve()}」 {{ {'；'.join(changes)} }}"


def test_what_only_the_role_uses_is_alive() -> None:
    """The row of a meld that is 1小, which only the shape of the role asks for."""
    changes = ("加 牌型.单 a a b 作 1小 皆 起手", "加 价.胡.单 9")
    dead = verify(loads(text(*changes)), checks=["V104"])
    assert any("价.胡.单" in f.sentence[0] for f in dead.findings)
    alive = verify(loads(text(*changes, "改 和.形 坐醒 1小")), checks=["V104"])
    assert not any("价.胡.单" in f.sentence[0] for f in alive.findings)


def test_a_missing_price_of_either_shape_is_an_error() -> None:
    with pytest.raises(dsl.SpecError) as caught:
        loads(text("加 牌型.单 a a b 作 1小", "改 和.形 坐醒 1小"))
    assert [d.code for d in caught.value.diagnostics] == ["T002"]


def test_sizes_are_checked_for_each_shape() -> None:
    assert not verify(load(PATH), checks=["V114", "V115"]).findings
    (found,) = verify(loads(text("改 和.形 坐醒 2组")), checks=["V115"]).findings
    assert "坐醒" in found.sentence[0] and found.severity == "error"
    assert not verify(loads(text("改 和.形 坐醒 2组", "加 和.张数 坐醒 6")), checks=["V115"]).findings
    (found,) = verify(loads(text("改 和.形 坐醒 2组", "加 和.张数 坐醒 6")), checks=["V114"]).findings
    assert "坐醒" in found.sentence[0] and "6" in found.sentence[0]


def test_without_its_shape_the_role_is_like_the_others() -> None:
    game = loads(text("删 和.形.坐醒"))
    assert not game.core.apart and game.core.seen_by("坐醒").finished == 5


def test_choices_of_the_role_are_found() -> None:
    """亮 and 放 pay differently; only the role's own hands leave that choice."""
    melds = ("加 牌型.亮 a a a 作 1小 皆 起手", "加 牌型.放 a a a 作 1小 皆 起手")
    changes = (*melds, "加 价.胡.亮 7", "加 价.胡.放 1")
    game = loads(text(*changes, "改 和.形 坐醒 1小", "删 名.小和", "改 名.大：胡 ≥ 6 倍 3"))
    found = [f for f in verify(game, checks=["V103"]).findings if "坐醒" in f.sentence[0]]
    assert len(found) == 1 and found[0].example is not None and found[0].example.hand["role"] == "坐醒"


def test_why_not_names_the_shape_of_the_role() -> None:
    told = why_not(PATH, "身 坐醒 且 有 半")
    assert told.possible is False and [p.rule.name for p in told.parts] == ["和.形.坐醒"]
    assert why_not(PATH, "身 坐醒 且 有 坎").possible


def test_diff_tells_hands_of_the_role() -> None:
    left, right = load(PATH), loads(text("改 和.须 有胡：胡 ≥ 2"))
    found = diff(left, right).aspects["win"]
    wins = [{h for h in finished(left, "坐醒") if g.is_win(h)} for g in (left, right)]
    assert wins[0] > wins[1] and found.relation == "superset"
    assert [c.left.hand.role for c in found.classes] == ["坐醒"] and not found.classes[0].counted
    assert diff(left, load(PATH)).equal
    other = diff(left, loads(text("删 和.形.坐醒"))).aspects["win"]
    assert other.relation == "unknown" and "3" in other.note[0] and "5" in other.note[0]


def test_faults_of_writing() -> None:
    for change, code in (
        ("加 和.形 闲家 1组", "N001"),
        ("加 和.张数 闲 4", "N001"),
        ("加 和.形 庄 1组；加 和.形 闲 1组", "T054"),
    ):
        with pytest.raises(dsl.SpecError) as caught:
            loads(text(change))
        assert [d.code for d in caught.value.diagnostics] == [code], change


def test_seats_of_one_shape_share_a_view() -> None:
    game = loads(text("改 座.闲 2", "加 和.形 闲 1组"))
    assert [view.roles for view in game.core.views] == [("庄",), ("闲", "坐醒")]
