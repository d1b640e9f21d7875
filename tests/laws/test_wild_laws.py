"""Wild tiles: the automaton, the reference, the solver and the certificate say the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from dsl import Game, Hand, load
from dsl.core.hand import Laid, can_lie, read_hand, to_json
from dsl.core.model import OWN, WILD, And, Compare, Complete, Feature, Linear
from dsl.core.reference import arrangements, judge
from dsl.judge.certificate import faults
from dsl.judge.points import added_up
from tests.conftest import SMALL
from verifier import verify
from verifier.ask import possible
from verifier.questions import put
from verifier.world import World

PATH = str(SMALL / "两句神.pai")
VARIANTS = [
    {"种": kind, "限": limit}
    for kind, limit in product(("随翻", "另有"), ("不设限", "实张", "单张", "随便", "随便实张", "随便真碰"))
]
VARIANTS += [{"种": "刻定", "限": "单张"}, {"种": "刻定", "限": "随便"}]


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
        entry = _exposed(game, chance, left, wilds)
        meld = core.melds[entry.meld]
        laid.append(entry)
        wilds, size = wilds - meld.wilds - len(entry.stands), size - len(meld.tiles)
        for kind, count in (Counter(dict(meld.counts)) - Counter(entry.stands)).items():
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


def _exposed(game: Game, chance: random.Random, left: list[int], wilds: int) -> Laid:
    """A meld laid openly; where wild tiles stand for any tile, one of its tiles may be wild."""
    core = game.core
    fitting = [m for m in core.melds if can_lie(core, m) and m.wilds <= wilds and not m.stand]
    fitting = [m for m in fitting if m.type.locked or core.wild_free]
    meld = chance.choice([m for m in fitting if all(left[k] >= n for k, n in m.counts)])
    origins = tuple(chance.choice(sorted(s.origins)) for s in meld.slots)
    own = [s.kind for s, o in zip(meld.slots, origins, strict=True) if o in OWN]
    if core.wild_free and wilds and own and not core.bars(meld) and chance.random() < 0.7:
        return Laid(meld.id, origins, (chance.choice(own),))
    return Laid(meld.id, origins)


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
            wilds = tuple(m for m in one.melds if game.core.melds[m].wilds)
            same = [a for a in found if tuple(m for m in a.melds if game.core.melds[m].wilds) == wilds]
            assert list(arrangements(game.core, hand, wilds=wilds)) == same
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
        origins = ("自摸", "他打")
        found = {(w.kind, w.origin): w.final.win for w in game.compiled.waits(waiting, origins)}
        left = game.core.copies_in(hand.context)
        held = waiting.tiles(game.core)
        for kind, origin in product((*range(len(left)), WILD), origins):
            most = game.core.wild.copies if kind == WILD else left[kind]
            if held[kind] < most:
                drawn = replace(waiting, last=(kind, origin))
                outcome = judge(game.core, drawn)
                assert ((kind, origin) in found) == outcome.complete, to_json(game.core, drawn)
                assert not outcome.complete or found[kind, origin] == outcome.win
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
        proved = added_up(core, And((Complete(), asked))) is None
        assert not (proved and possible(world, And((Complete(), asked)))), (number, points)
        none += proved
    assert 0 < none < 24


def test_checks_leave_nothing_open(game: Game) -> None:
    report = verify(game, checks=["V101", "V102", "V104"])
    assert not report.unknown


def test_batches_say_what_single_hands_say(game: Game) -> None:
    """Hands of one role with any number of wild tiles, drawn last or not, in any context."""
    batches: dict[tuple[str, tuple[Laid, ...]], list[Hand]] = {}
    for hand in wild_hands(game, 400, seed=29):
        batches.setdefault((hand.role, hand.laid), []).append(hand)
    for (_, laid), batch in batches.items():
        told, wins = game.judge_many(batch), game.win_many(batch)
        assert laid or len({h.all_wilds(game.core) for h in batch}) > 2
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


def test_each_phrase_has_its_own_limit() -> None:
    """`入 句 ≤ 1 入 口 ≤ 2 入 坎 绍 招` with three wild tiles: two of them can be the half."""
    game = load(PATH, {"种": "刻定", "限": "单张"})
    most = Counter[str]()
    for meld in game.core.melds:
        most[meld.type.family] = max(most[meld.type.family], meld.wilds)
    assert most == {"句": 1, "坎": 3, "口": 2, "绍": 3, "招": 3, "碰": 0, "对": 0, "单": 0}
    tiles = {"hand": [*"上大人七七七神"], "last": {"tile": "神", "from": "自摸"}, "context": {"刻赖": "十"}}
    hand, _ = read_hand(game.core, {"role": "闲", **tiles})
    assert hand is not None
    found = [{game.core.melds[m].type.name for m in a.melds} for a in arrangements(game.core, hand)]
    assert {"句", "坎", "口.神2"} in found


def test_a_cut_face_is_gone() -> None:
    """Three of the four copies of the face that the deal names; the hand must name it."""
    game = load(PATH, {"种": "刻定", "限": "单张"})
    hand = {"role": "闲", "hand": [*"上上大人七十士"], "last": {"tile": "神", "from": "自摸"}}
    for context, codes in (({}, ["H021"]), ({"刻赖": "上"}, ["H022"]), ({"刻赖": "七"}, [])):
        _, found = read_hand(game.core, {**hand, "context": context})
        assert [f.code for f in found] == codes
    waiting = {"role": "闲", "hand": [*"上上大人七十士"]}
    for cut, drawn in (("大", "上人神"), ("七", "上大人神")):
        told = game.waits({**waiting, "context": {"刻赖": cut}}).to_json()["waits"]
        assert "".join(wait["tile"] for wait in told) == drawn


@pytest.mark.parametrize(("limit", "barred"), [("随便", False), ("随便真碰", True)])
def test_some_melds_hold_natural_tiles_only(limit: str, barred: bool) -> None:
    """不入: a wild tile neither makes a pair that takes a third tile nor lies in a 绍 that becomes a 招."""
    game, context = load(PATH, {"种": "随翻", "限": limit}), {"翻": "大"}
    shown = {"meld": "绍", "tiles": ["上", "上", "神"], "origins": ["起手", "起手", "自摸"]}
    hand = {
        "laid": [shown],
        "hand": list("大七十士"),
        "last": {"tile": "上", "from": "他摸"},
        "context": context,
    }
    read, found = read_hand(game.core, {"role": "闲", **hand})
    assert read is not None, found
    assert (
        game.compiled.outcome(read).scores == judge(game.core, read).scores == ((8,) if barred else (8, 11))
    )
    pair = {"meld": "碰", "tiles": ["上", "神", "上"], "origins": ["起手", "起手", "他打"]}
    _, found = read_hand(game.core, {"role": "闲", **hand, "laid": [pair]})
    assert [f.code for f in found] == (["H007"] if barred else [])


@pytest.mark.parametrize(("limit", "exists"), [("随便", True), ("随便真碰", False)])
def test_solver_knows_where_natural_tiles_must_lie(limit: str, exists: bool) -> None:
    """Of the eight tiles of two 碰 and a 口 only the two of the 口 can be wild."""
    for options in ({"种": kind, "限": limit} for kind in ("随翻", "另有")):
        answer = put(PATH, "存在 形 且 数 碰 = 2 且 数 神 = 3", options)
        assert answer.holds is exists
        assert put(PATH, "存在 形 且 数 碰 = 2 且 数 神 = 2", options).holds is True
