"""Where arrangements pay alike and score differently: diffs say what the judge makes of the higher score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from dsl import Game, Hand
from dsl.api import Loader
from dsl.core.model import OWN_DRAW
from dsl.core.reference import Outcome, among_equals, arrangements, outcome_of, rank
from dsl.judge.compiled import Compiled
from verifier import difference
from verifier.meaning import READINGS, Known, Opinions

TEXT = """
规则 两摆 {
  牌 { 房 上大人 丘乙己；每张 3 }
  座 { 庄 9；闲 9 }
  牌型 { 句 a b c 作 1组；刻 a a a 作 1组 }
  价 分 { 句 1；刻 3 }
  和 { 形 3组 }
  名 { 顺：数 句 = 3 倍 2；碰：数 刻 = 3 倍 2 }
  支付 { 和：每家 付 当家 倍；诈和：当家 付 每家 1；诈和 碰加：当家 付 每家 1 若 数 刻 = 3 }
}
"""
NEEDY = ("形 3组", "形 3组；须 非顺：数 句 < 3；须 非碰：数 刻 < 3")
NAMES = ("  名 { 顺：数 句 = 3 倍 2；碰：数 刻 = 3 倍 2 }\n", "")
CHEAP = ("句 1；刻 3", "句 4；刻 3")
ALIKE = ("句 1；刻 3", "句 1；刻 1")
EARNING = ("和：每家 付 当家 倍；", "和：每家 付 当家 倍 + 1；和 句加：每家 付 当家 1 若 数 句 = 3；")
LOADER = Loader()
"""One for all: games share what they spell alike."""
CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    "plain": (),
    "sentences score more": (CHEAP,),
    "by score": (("形 3组", "形 3组；取 分数"),),
    "neither may be whole": (NEEDY,),
    "neither may be whole, sentences score more": (NEEDY, CHEAP),
    "one name more": (("碰：", "全：假 或 数 句 ≥ 0；碰："),),
    "one name less": (("顺：数 句 = 3 倍 2；", "顺：数 句 = 3 且 身 庄；"),),
    "other names": (("顺：", "甲："), ("碰：", "乙：")),
    "sentences earn more": (EARNING,),
    "scores alike": (ALIKE,),
    "scores alike, names turned round": (
        ALIKE,
        ("顺：数 句 = 3 倍 2；碰：数 刻 = 3 倍 2", "碰：数 刻 = 3 倍 2；顺：数 句 = 3 倍 2"),
    ),
    "by score, scores alike, triplets earn more": (
        ("形 3组", "形 3组；取 分数"),
        ALIKE,
        ("和：每家 付 当家 倍；", "和：每家 付 当家 倍；和 刻加：每家 付 当家 1 若 数 刻 = 3；"),
    ),
    "no names": (NAMES,),
    "no names, neither may be whole, sentences score more": (NAMES, NEEDY, CHEAP),
    "a score is asked for": (("形 3组", "形 3组；须 够分：分 ≥ 7"),),
}


@cache
def game_of(change: str) -> Game:
    text = TEXT
    for old, new in CHANGES[change]:
        assert old in text
        text = text.replace(old, new)
    return LOADER.loads(text)


def closed(game: Game) -> Iterator[tuple[int, ...]]:
    every = product(*(range(kind.copies + 1) for kind in game.core.kinds))
    return (counts for counts in every if sum(counts) == game.core.finished)


@cache
def judged(change: str) -> dict[tuple[int, ...], Outcome]:
    """What the arrangements of closed hands come to that are taken; all of them tried."""
    core, found = game_of(change).core, {}
    for counts in closed(game_of(change)):
        hand = Hand(core.roles[-1], (), counts, None)
        drawn = replace(hand, last=(0, OWN_DRAW))
        outcomes = [outcome_of(core, drawn, a) for a in arrangements(core, hand)]
        if outcomes:
            found[counts] = max(outcomes, key=lambda o: (rank(core, drawn, o), among_equals(core, drawn, o)))
    return found


def told(left: str, right: str) -> dict[str, Counter[bool]]:
    """Per aspect how many hands are the same on both sides, and how many are not."""
    found = {name: Counter[bool]() for name in ("win", "names", "payment")}
    both = zip(judged(left).values(), judged(right).values(), strict=True)
    for one, other in both:
        if one.win or other.win:
            found["win"][one.win == other.win] += 1
        if one.win and other.win:
            found["names"][set(one.names) == set(other.names)] += 1
        if one.win == other.win:
            found["payment"][one.payments == other.payments] += 1
    return found


@pytest.mark.parametrize("pair", list(product(CHANGES, repeat=2)), ids=" / ".join)
def test_what_is_said_is_what_the_judge_says_of_all_hands(pair: tuple[str, str]) -> None:
    left, right = map(game_of, pair)
    found, wanted = difference.diff(left, right).aspects, told(*pair)
    assert found["win"].hands["both"] == wanted["win"][True]
    for name in ("names", "payment"):
        assert found[name].hands["different"] == wanted[name][False], name
        for each in found[name].classes:
            mine, other = each.left, each.right
            assert mine.names != other.names if name == "names" else mine.payments != other.payments
    assert found["names"].hands["same"] == wanted["names"][True]
    for each in found["win"].classes:
        loser = each.right if each.left.win else each.left
        assert each.reason == ((loser.final and loser.final.missing) or ("形",))


@pytest.mark.parametrize(
    ("pair", "wanted"),
    [
        (("plain", "plain"), ["highest"]),
        (("plain", "one name more"), ["highest"]),
        (("plain", "one name less"), ["highest", "told_highest"]),
        (("plain", "sentences score more"), ["told_highest"]),
    ],
    ids=str,
)
def test_scores_are_told_apart_only_where_they_may_decide(
    pair: tuple[str, str], wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    plain = Known.of

    def of(self: Known, sides: tuple[Compiled, Compiled], reading: str) -> Opinions:
        found = plain(self, sides, reading)
        kept.append(reading)
        return found

    monkeypatch.setattr(Known, "of", of)
    # games of their own: automata once borrowed from a third game stay so
    left, right = (game_of.__wrapped__(change) for change in pair)
    difference.diff(left, right)
    assert set(kept) <= set(READINGS.values())
    assert list(dict.fromkeys(kept)) == wanted
