"""The nearest known name."""

from __future__ import annotations

import pytest

from dsl.text.spelling import closest, distance


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("清胡", ["清符", "碰", "坎"], "清符"),
        ("符清", ["清符"], "清符"),
        ("上大", ["上大人", "丘乙己"], "上大人"),
        ("丘已己", ["上大人", "丘乙己"], "丘乙己"),
        ("qinfu", ["qingfu", "sufu"], "qingfu"),
        ("PLAYERS", ["players"], "players"),
        ("ａｂ", ["ab"], "ab"),
        ("双龙抱住", ["双龙抱柱", "双龙"], "双龙抱柱"),
    ],
)
def test_near(name: str, candidates: list[str], expected: str) -> None:
    assert closest(name, candidates) == expected


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("碰", ["坎", "绍"]),
        ("清符", ["乌飘", "上大人"]),
        ("ab", ["ac"]),
        ("x", []),
        ("清符", ["清符"]),
        ("", ["上大人"]),
        ("大" * 1000, ["上大人"]),
    ],
)
def test_not_near(name: str, candidates: list[str]) -> None:
    assert closest(name, candidates) is None


def test_ties_do_not_depend_on_the_order() -> None:
    candidates = ["素符", "大符", "清符"]
    assert closest("分符", candidates) == closest("分符", reversed(candidates)) == min(candidates)


def test_fewer_slips_come_before_code_points() -> None:
    assert closest("乌飘胡", ["一飘符", "乌飘符"]) == "乌飘符"


@pytest.mark.parametrize(
    ("left", "right", "slips"),
    [
        ("", "", 0),
        ("", "ab", 2),
        ("abcd", "acbd", 1),
        ("abc", "abc", 0),
        ("kitten", "sitting", 3),
        ("ca", "abc", 3),
    ],
)
def test_distance(left: str, right: str, slips: int) -> None:
    assert distance(left, right) == distance(right, left) == slips
