"""Claims of the 川牌 text that are numbers: chances of a dealt hand, and complete hands, counted exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest

from dsl import Hand, load, loads
from verifier import count


@pytest.mark.parametrize(
    ("name", "percent"),
    [("有番", "57.70"), ("能叫", "61.91"), ("三张", "69.69"), ("四张", "9.10"), ("五张", "0.34")],
)
def test_chances_of_twenty_dealt_tiles(name: str, percent: str) -> None:
    """CL-19."""
    assert f"{float(100 * count('幺地人.发牌', name).probability):.2f}" == percent


def test_a_hand_without_tian_and_jiu() -> None:
    """CL-21, of one player: 28 of 84 tiles, none of twelve."""
    assert count("天地人和.空门", "win").probability == Fraction(comb(72, 28), comb(84, 28))


def test_a_deal_in_which_somebody_has_neither() -> None:
    """CL-21, of all three: of two players at once only if the third was dealt all twelve."""
    one = count("天地人和.空门", "win").probability
    both = Fraction(comb(72, 16), comb(84, 28))
    chance, deals, rng = 3 * one - 3 * both, 20_000, Random(21)
    void = 0
    for _ in range(deals):
        held = Counter(place // 28 for place in rng.sample(range(84), 12))
        void += len(held) < 3
    assert abs(void / deals - chance) < 4 * (float(chance) / deals) ** 0.5
    assert f"{float(100 * chance):.3f}" == "1.482"


def test_waits_of_two_tian_and_three_di() -> None:
    """CL-10: with sets of three both complete the hand; with pairs of fourteen only a third 天牌 does."""
    for pair, awaited in (("吃 a a b", ["天牌", "地牌"]), ("吃 a b", ["天牌"])):
        game = loads(TWO_SETS.format(pair=pair))
        waits = game.waits({"role": "闲", "hand": ["天牌", "天牌", "地牌", "地牌", "地牌"]}).to_json()
        assert [entry["tile"] for entry in waits["waits"]] == awaited


TWO_SETS = """
规则 两样 {{
  牌 {{ 散牌 天牌 地牌；每张 5；值 点：天牌 12 地牌 2 }}
  来路 {{ 手 起手 }}
  座 {{ 庄 6；闲 5 }}
  牌型 {{ 碰 a a a；{pair} 当 点 a + 点 b = 14 跨房 }}
  和 {{ 形 不限；张数 6 }}
  支付 {{ 和：每家 付 当家 1；诈和：当家 付 每家 1 }}
}}
"""


def test_hands_of_twenty_tiles_that_are_good_enough() -> None:
    """CL-19, seven 卯 and 33 陀: all hands, and a sample judged one by one."""
    game = load("幺地人").judgement("资格")
    found = count(game, "win", role="闲")
    assert (found.hands, found.of) == (105_403_310_641, 109_267_435_200)
    rng, kinds = Random(19), len(game.core.kinds)
    hands = []
    for _ in range(300):
        dealt = Counter(tile // 5 for tile in rng.sample(range(5 * kinds), 20))
        hands.append(Hand("闲", (), tuple(dealt[k] for k in range(kinds)), None))
    share = float(game.win_many(hands).mean())
    assert abs(share - found.probability) < 4 * (0.25 / len(hands)) ** 0.5


def test_hands_that_are_all_fourteens() -> None:
    """As many tiles of each number of pips as of what it lacks to 14, and an even number of sevens."""
    wanted = 9
    ways = Counter({0: 1})
    for low in range(2, 7):
        faces = Counter(count_of(low))
        ways = _added(ways, {n: many * many for n, many in faces.items()}, wanted)
    sevens = {n // 2: many for n, many in count_of(7).items() if n % 2 == 0}
    assert count("割胡").hands == _added(ways, sevens, wanted)[wanted]


def count_of(pips: int) -> Counter[int]:
    """Ways to hold so many tiles with these pips, four copies of each face."""
    faces = sum(a <= pips - a <= 6 for a in range(1, 7))
    return Counter(map(sum, product(range(5), repeat=faces)))


def _added(ways: Counter[int], more: dict[int, int], most: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for (a, m), (b, n) in product(ways.items(), more.items()):
        if a + b <= most:
            found[a + b] += m * n
    return found
