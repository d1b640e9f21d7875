"""大小: what beats what, against the words of the spec and against z3 with tiers as whole numbers."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
import z3

from dsl import Game, loads
from dsl.core.ranks import Place, beats, plays
from verifier import diff, verify
from verifier.plays import beating, by_tiles

LINES = {
    "正门": [
        ["天牌"],
        ["地牌"],
        ["人牌"],
        ["合牌"],
        ["梅子", "长三", "长二"],
        ["猫猫", "高高", "四六", "斧头"],
    ],
    "红点": [["红九"], ["三四"], ["幺四"]],
    "黑点": [["三六"], ["二六", "三五"], ["二五"], ["拐子"]],
}
COMBINED = [
    ("天九", "天牌", "红九 三六"),
    ("地八", "地牌", "二六 三五"),
    ("人七", "人牌", "三四 二五"),
    ("和五", "合牌", "幺四 拐子"),
]

FACES = (
    "天牌 斧头 四六 梅子 红九 三六 人牌 二六 三五 高高 三四 二五 猫猫 二四 长三 幺四 拐子 合牌 长二 丁丁 地牌"
)
TEXT = """
规则 戳牌 {{
  牌 {{
    散牌 {faces}
    每张 4
    类 中山 = 梅子 长三 长二
  }}
  座 {{ 庄 28；闲 28 × 2 }}
  牌型 {{
    单 a 作 1组；双 a a 作 1组；三 a a a 作 1组；四 a a a a 作 1组
    {combined}
  }}
  大小 {{
    正门：天牌 > 地牌 > 人牌 > 合牌 > 中山 > 猫猫 = 高高 = 四六 = 斧头
    红点：红九 > 三四 > 幺四
    黑点：三六 > 二六 = 三五 > 二五 > 拐子
    配：天九 > 地八 > 人七 > 和五
  }}
  和 {{ 形 1组；张数 4 }}
  例 E-1 {{ 出 四六；盖 长三；盖 天牌；不盖 猫猫 }}
  例 E-2 {{ 出 幺四 幺四；盖 三四三四；不盖 三六三六 }}
  断言 CL-28 验 V124 答 无
}}
"""


def text(pattern: str = "a… b… （c…）") -> str:
    third = " 且 c 入 {2}" if "c" in pattern else ""
    line = f"{{0}} {pattern} 作 1组 跨房 当 a 入 {{1}} 且 b 入 {{2}}{third}"
    return TEXT.format(faces=FACES, combined="\n    ".join(line.format(*one) for one in COMBINED))


TANGLED = """
规则 乱 {
  牌 { 散牌 天 地 人；每张 2 }
  座 { 庄 2；闲 2 }
  牌型 {
    甲 a a 作 1组 当 a 入 天
    乙 a a 作 1组 当 a 入 地
    丙 a a 作 1组 当 a 入 人
    丁 a a 作 1组 当 a 入 天
  }
  大小 { 配：甲 > 乙 > 丙 > 丁 }
  和 { 形 1组 }
}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(text())


def told(tiles: tuple[str, ...]) -> tuple[str, int] | None:
    """Line and tier of a play, read from the lists above."""
    if len(set(tiles)) == 1:
        found = ((n, i) for n, tiers in LINES.items() for i, tier in enumerate(tiers) if tiles[0] in tier)
        return next(found, None)
    for i, (_, head, side) in enumerate(COMBINED):
        if head in tiles and set(tiles) - {head} and set(tiles) - {head} <= set(side.split()):
            return "配", i
    return None


def test_every_pair_of_plays_is_compared_as_the_spec_says(game: Game) -> None:
    known = by_tiles(game.core)
    assert len(known) == 4 * 19 + 4 * 96
    for a, b in product(known, repeat=2):
        mine, theirs = told(a), told(b)
        assert mine is not None and theirs is not None
        expected = mine[0] == theirs[0] and len(a) == len(b) and mine[1] < theirs[1]
        assert beating(known[a], known[b]) is expected, (a, b)


def test_tiles_are_plays_in_any_order_and_spelling(game: Game) -> None:
    assert game.beats(["三四", "三四"], ["幺四", "幺四"]) and game.beats("三四三四", "幺四 幺四")
    assert not game.beats("幺四 幺四", "三四 三四")
    assert game.beats("红九 天牌 三六", "二六 地牌 二六") and not game.beats("天牌 红九", "地牌 二六 二六")
    core = game.core
    melds = {m.type.name: m for m in core.melds if set(m.tiles) & {core.kind_index["天牌"]}}
    assert not beats(core, melds["单"], melds["双"])


def test_a_meld_of_several_sizes_has_every_choice_of_tiles_once(game: Game) -> None:
    own = [m for m in game.core.melds if m.type.name == "天九"]
    assert len({m.counts for m in own}) == len(own) == 4 * (5 * 5 - 1)
    assert Counter(len(m.tiles) for m in own) == Counter(
        a + b + c for a, b, c in product(range(1, 5), range(5), range(5)) if b + c
    )
    one_kind = loads(text("a… b…"))
    assert sum(m.type.name == "天九" for m in one_kind.core.melds) == 4 * 4 * 2


def test_the_same_is_asked_of_z3_with_tiers_as_numbers(game: Game) -> None:
    """No play beats itself, no two beat each other, chains close: for all places there are."""
    places = sorted({place for _, place in plays(game.core)})
    solver = z3.Solver()
    p, q, r = ([z3.Int(f"{name} {part}") for part in Place._fields] for name in "pqr")
    for one in (p, q, r):
        solver.add(z3.Or([z3.And([v == n for v, n in zip(one, place, strict=True)]) for place in places]))

    def over(a: list[z3.ArithRef], b: list[z3.ArithRef]) -> z3.BoolRef:
        return z3.And(a[0] == b[0], a[2] == b[2], a[1] < b[1])

    for broken in (
        over(p, p),
        z3.And(over(p, q), over(q, p)),
        z3.And(over(p, q), over(q, r), z3.Not(over(p, r))),
    ):
        solver.push()
        solver.add(broken)
        assert solver.check() == z3.unsat
        solver.pop()
    solver.add(over(p, q), over(q, r))
    assert solver.check() == z3.sat


def test_v124_finds_nothing_in_an_order_and_says_what_breaks_one(game: Game) -> None:
    report = verify(game, ["V119", "V124"])
    assert not report.findings and [a.got for a in report.statements] == [False]
    found = verify(loads(TANGLED), ["V124"]).findings
    assert [f.subject for f in found] == [("itself",), ("mutual",), ("chain",)]
    said = [f.sentence[1] for f in found]
    assert said[0] == "`天 天` beats itself" and said[1] == "`天 天` and `地 地` beat each other"
    assert said[2] == "`人 人` beats `天 天` and `天 天` beats `地 地`, but `人 人` not `地 地`"
    alone = text().replace("中山 > 猫猫 = 高高 = 四六 = 斧头", "中山\n    幺：猫猫 = 高高")
    lonely = {f.subject[1:] for f in verify(loads(alone), ["V124"]).findings}
    assert lonely == {("高高",) * n for n in range(1, 5)}  # one of those that rank alike


def test_the_diff_counts_plays_that_rank_otherwise(game: Game) -> None:
    same = diff(game, loads(text())).aspects["plays"]
    assert same.relation == "equal"
    other = loads(text().replace("中山 > 猫猫", "梅子 > 长三 = 长二 > 猫猫"))
    found = diff(game, other).aspects["plays"]
    assert (
        found.relation == "overlap" and "8 pairs differ: 梅子 beats 长三 on the right only" in found.note[1]
    )
    fewer = diff(game, loads(text("a… b…"))).aspects["plays"]
    assert (
        "plays are known to one side only" in fewer.note[1]
        and "such as 天牌 红九 三六 on the left" in fewer.note[1]
    )
    changes = diff(game, other).clauses
    assert [c.name for c in changes] == ["大小.正门"]
