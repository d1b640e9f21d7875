"""All counts of a role's hands: against going through them, and against dealing many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, prod, sqrt
from typing import Any

import numpy as np
import pytest

from dsl import Game, Hand, load
from dsl.core.deals import deals
from dsl.core.model import OWN_DRAW
from dsl.core.reference import Outcome, among_equals, arrangements, outcome_of, rank
from dsl.judge.compiled import Compiled
from dsl.judge.waiting import waits_of
from tests.conftest import SMALL
from tests.laws.cut_down import game_of, mixed
from verifier.counts import count_all
from verifier.tallies import Held
from verifier.verdicts import LowerIsBetter, ScoreDecides, verdict_sort, verdicts

Sums = dict[Any, tuple[int, Fraction]]
"""Hands and their chance, by what they are."""

MARKED, WILD, APART = (str(SMALL / f"{name}.pai") for name in ("两句标", "两句神", "坐醒"))
SETTINGS: list[tuple[str, dict[str, str], str, dict[str, str]]] = [
    (MARKED, {}, "庄", {}),
    (MARKED, {}, "庄", {"抬将": "上"}),
    (MARKED, {}, "闲", {"雨": "是"}),
    (MARKED, {"赖子": "有赖", "取法": "照分"}, "庄", {"抬将": "丘"}),
    (MARKED, {"标法": "都算"}, "庄", {"抬将": "花"}),
    (WILD, {"种": "刻定", "限": "单张"}, "庄", {}),
    (WILD, {"种": "随翻", "限": "不设限"}, "闲", {"翻": "大"}),
    (WILD, {"种": "另有", "限": "单张"}, "闲", {}),
    (APART, {"赖子": "on"}, "坐醒", {}),
]
SLOW = [SETTINGS[5]]


@pytest.fixture(
    scope="module",
    params=[pytest.param(s, marks=pytest.mark.slow) if s in SLOW else s for s in SETTINGS],
    ids=lambda s: "-".join([s[0][-6:-4], *s[1].values(), s[2], *s[3].values()]),
)
def setting(request: pytest.FixtureRequest) -> tuple[Game, str, dict[str, str]]:
    path, options, role, context = request.param
    return load(path, options), role, context


def closed(game: Game, role: str, told: dict[str, str], size: int) -> Iterator[tuple[Hand, Fraction]]:
    """Every hand in every deal with every face marked, and how likely it is before anything is told."""
    core = game.core.seen_by(role)
    wilds_in_all = 0 if core.wild is None else core.wild.copies
    every = list(deals(core))
    for deal in (d for d in every if all(told.get(name, value) == value for name, value in d.items())):
        copies = core.copies_in(deal)
        total = comb(sum(copies) + wilds_in_all, size) * len(every)
        for counts in product(*(range(c + 1) for c in copies)):
            wilds = size - sum(counts)
            if not 0 <= wilds <= wilds_in_all:
                continue
            chance = Fraction(prod(map(comb, copies, counts)) * comb(wilds_in_all, wilds), total)
            for context, share in marks(game, role, told, counts):
                yield Hand(role, (), counts, None, {**told, **deal, **context}, None, wilds), chance * share


def marks(
    game: Game, role: str, told: dict[str, str], counts: tuple[int, ...]
) -> Iterator[tuple[dict[str, str], Fraction]]:
    """Each face that the marked tile may have, with the share of the hand's tiles that have it."""
    mark = game.core.mark
    if mark is None or role not in mark.roles:
        yield {}, Fraction(1)
        return
    for kind, number in zip(game.core.kinds, counts, strict=True):
        if number and told.get(mark.parameter, kind.name) == kind.name:
            yield {mark.parameter: kind.name}, Fraction(number, sum(counts))


def summed(hands: Iterator[tuple[Hand, Fraction]], sort: Callable[[Hand], Any]) -> tuple[int, Sums]:
    """All hands, and those of each sort with their chance."""
    of, whole = 0, Fraction(0)
    found: defaultdict[Any, list[Any]] = defaultdict(lambda: [0, Fraction(0)])
    for hand, chance in hands:
        of, whole = of + 1, whole + chance
        name = sort(hand)
        if name is not None:
            found[name][0] += 1
            found[name][1] += chance
    return of, {name: (hands, chance / whole) for name, (hands, chance) in found.items()}


def total(sums: Sums, test: Callable[[Any], bool]) -> dict[str, Any]:
    """As `--json` prints it."""
    chosen = [share for name, share in sums.items() if test(name)]
    return {"hands": sum(n for n, _ in chosen), "probability": str(sum((p for _, p in chosen), Fraction(0)))}


def judged(game: Game, hand: Hand) -> Outcome:
    """What the arrangement comes to that is taken."""
    core = game.core.seen_by(hand.role)
    whole_deal = core.dealt[hand.role] >= core.finished
    drawn = hand if whole_deal else replace(hand, last=(0, OWN_DRAW))
    found = [outcome_of(core, drawn, a) for a in arrangements(core, hand)]
    return max(found, key=lambda o: (rank(core, drawn, o), among_equals(core, drawn, o)))


def test_finished_hands_equal_brute_force(setting: tuple[Game, str, dict[str, str]]) -> None:
    game, role, told = setting
    core = game.core.seen_by(role)
    seen = Game(core, game.loader).compiled

    def sort(hand: Hand) -> Any:
        if not seen.outcome(hand).complete:  # quicker than the reference, and held against it elsewhere
            return None
        found = judged(game, hand)
        best = max(outcome_of(core, hand, a).score for a in arrangements(core, hand))
        return best, found.win, found.times, frozenset(found.names if found.win else ())

    of, sums = summed(closed(game, role, told, core.finished), sort)
    data = count_all(game, role, told).to_json()["finished"]
    assert (data["tiles"], data["of"]) == (core.finished, of)
    assert data["complete"] == total(sums, lambda s: True) and data["complete"]["hands"] > 5
    assert data["win"] == total(sums, lambda s: s[1])
    for name in core.names:
        expected = {"name": name.name, **total(sums, lambda s, n=name.name: n in s[3])}
        assert expected in data["names"]
    for number in {s[2] for s in sums if s[1]}:
        assert {"times": number, **total(sums, lambda s, n=number: s[1] and s[2] == n)} in data["times"]
    for score in {s[0] for s in sums}:
        assert {"score": score, **total(sums, lambda s, n=score: s[0] == n)} in data["scores"]
    assert sum(row["hands"] for row in data["times"]) == data["win"]["hands"]
    assert sum(row["hands"] for row in data["scores"]) == data["complete"]["hands"]


def test_waiting_hands_equal_brute_force(setting: tuple[Game, str, dict[str, str]]) -> None:
    game, role, told = setting
    core = game.core.seen_by(role)
    seen = Game(core, game.loader).compiled

    def sort(hand: Hand) -> Any:
        found = waits_of(seen, hand)
        waits, types = bool(found.own), found.types
        return (waits, types) if waits or types else None

    of, sums = summed(closed(game, role, told, core.waiting), sort)
    data = count_all(game, role, told).to_json()["waiting"]
    assert (data["tiles"], data["of"]) == (core.waiting, of)
    assert data["waiting"] == total(sums, lambda s: s[0]) and data["waiting"]["hands"] > 5
    for wait in core.waits:
        assert {"name": wait.name, **total(sums, lambda s, n=wait.name: n in s[1])} in data["types"]
    combined = {(row["waits"], tuple(row["types"])): row for row in data["combinations"]}
    assert combined.keys() == sums.keys()
    for (waits, types), row in combined.items():
        assert row == {"waits": waits, "types": list(types), **total(sums, (waits, types).__eq__)}


@pytest.mark.parametrize("options", [{"赖子": "有赖"}, {"标法": "都算"}], ids=str)
def test_a_marked_face_that_is_not_told_may_be_any(options: dict[str, str]) -> None:
    """All faces of this deck have as many tiles, so each is as likely to be the marked one."""
    game = load(MARKED, options)
    every: Any = count_all(game, "庄").to_json()
    faces = [kind.name for kind in game.core.kinds]
    each: Any = [count_all(game, "庄", {"抬将": face}).to_json() for face in faces]
    for part, what in (("finished", "complete"), ("finished", "win"), ("waiting", "waiting")):
        told = [one[part][what] for one in each]
        assert every[part][what]["hands"] == sum(row["hands"] for row in told)
        mean = sum(Fraction(row["probability"]) for row in told) / len(faces)
        assert Fraction(every[part][what]["probability"]) == mean
        assert len({row["probability"] for row in told}) > 1


# ---------------------------------------------------------------- real games, dealt
DEALT = 120_000


def dealt(game: Game, size: int, first: int | None = None) -> np.ndarray[Any, Any]:
    """Hands of this size dealt by lot, tiles per face with the wild ones last; one tile may be given."""
    core, lot = game.core, np.random.default_rng(20)
    copies = [k.copies for k in core.kinds] + ([core.wild.copies] if core.wild else [0])
    hands = np.zeros((DEALT, len(copies)), np.int32)
    if first is not None:
        copies[first] -= 1
        hands[:, first] += 1
        size -= 1
    deck = np.repeat(np.arange(len(copies)), copies)
    picked = deck[np.argpartition(lot.random((DEALT, len(deck))), size, axis=1)[:, :size]]
    np.add.at(hands, (np.arange(DEALT)[:, None], picked), 1)
    return hands


@pytest.mark.parametrize(
    ("name", "context"),
    [("讴经[赖子=on]", {}), ("抬胡[赖子=on]", {"抬将": "无"}), ("抬胡[赖子=on]", {"抬将": "上"})],
    ids=["oujing", "declined", "marked"],
)
def test_hands_dealt_by_lot_come_near(name: str, context: dict[str, str]) -> None:
    """天和, tiers and scores of a dealer who is dealt a whole hand; within five standard deviations."""
    game = load(name)
    core = game.core
    assert core.dealt["庄"] == core.finished
    face = core.marked_face("庄", context)
    hands = dealt(game, core.finished, face)
    batch = game.judge_many(hands[:, :-1], role="庄", wilds=hands[:, -1], context=context)
    told: Any = count_all(game, "庄", context).to_json()["finished"]
    tried = [("complete", batch.complete, told["complete"]), ("win", batch.win, told["win"])]
    tried += [(f"times {r['times']}", batch.win & (batch.times == r["times"]), r) for r in told["times"]]
    held = [(batch.names >> i & 1).astype(bool) & batch.win for i in range(len(core.names))]
    tried += [(n.name, held[i], told["names"][i]) for i, n in enumerate(core.names)]
    for what, found, row in tried:
        expected = DEALT * float(Fraction(row["probability"]))
        assert abs(found.sum() - expected) <= 5 * sqrt(expected) + 1, what
    assert batch.complete.sum() > 10


# ---------------------------------------------------------------- where a lower score can be better


def test_scores_are_dropped_only_where_higher_is_never_worse() -> None:
    """Cut-down games whose tiers pay now more, now less with more points."""
    dropped = kept = 0
    for chosen in mixed(24, seed=9):
        core = game_of(chosen)
        held = Held(Compiled(core), core.roles[-1], core.finished, {})
        every = held.tally(partial(verdict_sort, rises=False, told=True))
        assert verdicts(held) == every, chosen.label
        try:
            assert held.tally(partial(verdict_sort, rises=True)) == every, chosen.label
            dropped += Compiled(core).highest is not held.compiled.paid
        except (LowerIsBetter, ScoreDecides):
            kept += 1
    assert dropped and kept
