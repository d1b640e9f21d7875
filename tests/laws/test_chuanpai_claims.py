"""Claims of the 川牌 text that are numbers: chances of a dealt hand, and complete hands, counted exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

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
