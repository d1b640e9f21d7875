"""Wild tiles: the automaton, the reference, the solver and the certificate say the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from dsl import Game, Hand, load
from dsl.core.hand import Laid, can_lie, read_hand, to_json
from dsl.core.model import OWN, WILD, And, Compare, Complete, Feature, Linear
from dsl.core.reference import arrangements, judge
from dsl.judge.certificate import faults
from dsl.judge.points import impossible
from tests.conftest import SMALL
from verifier import verify
from verifier.ask import possible
from verifier.world import World

PATH = str(SMALL / "两句神.pai")
VARIANTS = [
    {"种": kind, "限": limit}
    for kind, limit in product(("随翻", "另有"), ("不限", "实张", "单张", "随便", "随便实张"))
]


@pytest.fixture(scope="module", params=VARIANTS, ids=lambda v: "-".join(v.values()))
def game(request: pytest.FixtureRequest) -> Game:
    return load(PATH, request.param)


def wild_hands(game: Game, number: int, seed: int) -> Iterator[Hand]:
    """Finished hands with up to three wild tiles, some of them exposed, some of them last."""
    chance = random.Random(seed)
    made = 0
    while made < number:
        hand = _hand(game, chance)
        if hand is not None:
            made += 1
            yield hand


def _hand(game: Game, chance: random.Random) -> Hand | None:
    core = game.core
    assert core.wild is not None
    context = {p.name: chance.choice(p.values) for p in core.parameters}
    left, wilds = list(core.copies_in(context)), chance.choice([0, 1, 1, 2, 2, 3])
    laid, size = [], core.finished
    if chance.random() < 0.4:
        fitting = [m for m in core.melds if m.type.locked and can_lie(core, m) and m.wilds <= wilds]
        meld = chance.choice([m for m in fitting if all(left[k] >= n for k, n in m.counts)])
        laid.append(Laid(meld.id, tuple(chance.choice(sorted(s.origins)) for s in meld.slots)))
        wilds, size = wilds - meld.wilds, size - len(meld.tiles)
        for kind, count in meld.counts:
            left[kind] -= count
    tiles = _natural(game, chance, left, size - wilds) + [WILD] * wilds
    if len(tiles) != size or not tiles:
        return None
    role, last = chance.choice(core.roles), None
    if role != "庄" or chance.random() > 0.15:
        last = (tiles.pop(chance.randrange(len(tiles))), chance.choice(["自摸", "自摸", "他摸", "他打"]))
    held = Counter(tiles)
    counts = tuple(held[k] for k in range(len(left)))
    return Hand(role, tuple(laid), counts, last, context, None, held[WILD])


def _natural(game: Game, chance: random.Random, left: list[int], size: int) -> list[int]:
    """Natural tiles, most of them in groups."""
    plain = [m for m in game.core.melds if len(m.tiles) <= 3 and not m.wilds]
    tiles: list[int] = []
    for _ in range(60):
        meld = chance.choice(plain)
        for kind in meld.tiles if chance.random() < 0.6 else meld.tiles[:1]:
            if left[kind] and len(tiles) < size:
                left[kind] -= 1
                tiles.append(kind)
    return tiles


def test_judge_equals_reference(game: Game) -> None:
    complete = 0
    for hand in wild_hands(game, 150, seed=3):
        expected = judge(game.core, hand)
        assert game.compiled.outcome(hand) == expected, to_json(game.core, hand)
        assert game.is_win(hand) is expected.win
        complete += expected.complete
        if expected.complete:
            assert not faults(game.core, hand, expected.arrangement)
    assert complete > 30


def test_one_choice_of_stands_is_part_of_all(game: Game) -> None:
    """Asking what the wild tiles of one arrangement allow gives those arrangements, no more and no fewer."""
    asked = 0
    for hand in wild_hands(game, 60, seed=7):
        found = arrangements(game.core, hand)
        for one in found[:3]:
            stands = tuple(m for m in one.melds if game.core.melds[m].stand)
            same = [a for a in found if tuple(m for m in a.melds if game.core.melds[m].stand) == stands]
            assert list(arrangements(game.core, hand, stands=stands)) == same
            asked += 1
    assert asked > 20


def test_hands_survive_json(game: Game) -> None:
    for hand in wild_hands(game, 100, seed=5):
        again, found = read_hand(game.core, to_json(game.core, hand))
        assert again is not None, [f.code for f in found]
        assert (again.counts, again.wilds, again.last) == (hand.counts, hand.wilds, hand.last)


def test_waits_are_what_judging_every_tile_says(game: Game) -> None:
    seen = 0
    for hand in wild_hands(game, 24, seed=11):
        if hand.last is None:
            continue
        waiting = Hand(hand.role, hand.laid, hand.counts, None, hand.context, None, hand.wilds)
        found = {(w.kind, w.origin): w.final.win for w in game.compiled.waits(waiting)}
        left = game.core.copies_in(hand.context)
        held = waiting.tiles(game.core)
        for kind in (*range(len(left)), WILD):
            most = game.core.wild.copies if kind == WILD else left[kind]
            if held[kind] < most:
                drawn = Hand(
                    hand.role, hand.laid, hand.counts, (kind, "自摸"), hand.context, None, hand.wilds
                )
                outcome = judge(game.core, drawn)
                assert ((kind, "自摸") in found) == outcome.complete, to_json(game.core, drawn)
                assert not outcome.complete or found[kind, "自摸"] == outcome.win
                seen += outcome.complete
    assert seen > 3


def test_only_own_tiles_are_wild(game: Game) -> None:
    """A wild tile that another player drew or played completes nothing."""
    seen = 0
    for hand in wild_hands(game, 150, seed=17):
        if hand.last is not None and hand.last_wild and hand.last[1] not in OWN:
            assert not arrangements(game.core, hand)
            seen += 1
    assert seen > 5


def test_solver_finds_what_hands_show(game: Game) -> None:
    """What a real hand shows, the solver does not prove impossible."""
    core, world = game.core, World(game.core)
    names = {n.name: possible(world, n.formula) for n in core.names}
    seen = set()
    for hand in wild_hands(game, 150, seed=23):
        for name in judge(core, hand).names:
            assert names[name], (name, to_json(core, hand))
            seen.add(name)
    assert len(seen) > 5


def test_sums_never_claim_too_much(game: Game) -> None:
    """What adding melds up proves impossible, the solver finds nowhere, and no hand shows."""
    core, world = game.core, World(game.core)
    weights = tuple(m.prices[0].points or 0 if m.prices else 0 for m in core.melds)
    wild = tuple(m.wilds for m in core.melds)
    none = 0
    for number, points in product(range(4), (0, 3, 5, 10, 13, 22)):
        parts = [(Feature("符", weights), points), (Feature("神", wild), number)]
        asked = And(tuple(Compare(Linear(((1, f),)), "=", Linear((), n)) for f, n in parts))
        proved = impossible(core, And((Complete(), asked)))
        assert not (proved and possible(world, And((Complete(), asked)))), (number, points)
        none += proved
    assert 0 < none < 24


def test_checks_leave_nothing_open(game: Game) -> None:
    report = verify(game, checks=["V101", "V102", "V104"])
    assert not report.unknown


def test_batches_say_what_single_hands_say(game: Game) -> None:
    """Hands of one role with any number of wild tiles, drawn last or not, in any context."""
    some = [h for h in wild_hands(game, 400, seed=29) if not h.laid]
    for role in game.core.roles:
        batch = [h for h in some if h.role == role]
        told, wins = game.judge_many(batch), game.win_many(batch)
        assert len({h.all_wilds(game.core) for h in batch}) > 2
        for i, hand in enumerate(batch):
            outcome = game.compiled.outcome(hand)
            assert bool(told.complete[i]) == outcome.complete
            assert bool(told.win[i]) == bool(wins[i]) == outcome.win, to_json(game.core, hand)
            if outcome.complete:
                assert (told.score[i], told.times[i]) == (outcome.score, outcome.times)
                held = {n.name for j, n in enumerate(game.core.names) if told.names[i] >> j & 1}
                compiled = game.compiled.of(hand)
                state, score = compiled.full.run(compiled.full.rows(hand))
                best = compiled.best_finals(state, score, hand)  # equally good ones may have other names
                assert held in [set(final.names) for final in best]
