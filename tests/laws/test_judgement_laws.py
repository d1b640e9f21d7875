"""判: it judges like a ruleset of its own. Loose melds and hands of any size: judged as brute force does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from dsl import Game, SpecError, load, loads
from dsl.core.reference import judge
from verifier import count, diff

FACES = "天地人梅"
PIPS = (3, 1, 2, 2)

DECK = """
  牌 { 散牌 天 地 人 梅；每张 3；值 点：天 3 地 1 人 2 梅 2 }
  座 { 庄 5；闲 4 }
  境 风：天 地
  选项 底 3 | 4
  读法 A-1「对子」 { R1「算」默认；R2「不算」 }
"""
OWN = """
  牌型 { 对 a a 作 1卯；合 a b 作 1卯 跨房 当 点 a + 点 b = 4；刻 a a a 作 1卯；散 a }
  价 陀 { 对 2；合 1；刻 4 }
  和 { 形 2卯；取 分数；须 够陀：陀 ≥ 4 除非 身 闲 且 风 入 地 }
  诈和 { 当 不够：非 够陀 }
  名 { 大：陀 ≥ 7 倍 2 }
  若 A-1 = R2 { 删 牌型.对；删 价.陀.对 }
  若 底 = 4 { 调 和.够陀 4 → 5 }
"""
GAME = f"""
规则 戏 {{{DECK}
  牌型 {{ 单 a 作 1张 }}
  价 分 {{ 单 1 }}
  和 {{ 形 5张；须 都是：分 ≥ 5 }}
  支付 {{ 和：每家 付 当家 分 }}
  若 底 = 4 {{ 调 价.分.单 1 → 2 }}
}}
判 资格 于 戏「够不够打」 {{{OWN}}}
规则 短局 继承 戏 {{ 改 牌.每张 2；改 座.闲 5 }}
规则 宽 继承 短局 {{ 改 境.风：地 天 }}
判 资格 于 宽 {{ 调 和.够陀 4 → 3 }}
"""
PLAIN = f"规则 资格 {{{DECK}{OWN}}}"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a judgement, and variants of it."""
    path = tmp_path_factory.mktemp("specs") / "戏.pai"
    path.write_text(GAME, encoding="utf-8")
    return path


def hands(game: Game, sizes: range) -> Iterator[dict[str, list[str]]]:
    """Every concealed hand of these sizes, as the interface spells it."""
    for counts in product(*(range(kind.copies + 1) for kind in game.core.kinds)):
        if sum(counts) in sizes:
            yield {"hand": [face for face, n in zip(FACES, counts, strict=True) for _ in range(n)]}


SITUATIONS = [("庄", "天"), ("闲", "天"), ("闲", "地")]


@pytest.mark.parametrize("options", [{}, {"A-1": "R2"}, {"底": "4"}], ids=str)
def test_a_judgement_judges_like_a_ruleset_of_its_own(file: Path, options: dict[str, str]) -> None:
    own, plain = load(f"{file}#戏.资格", options), loads(PLAIN, options)
    assert own.options == plain.options
    seen = set()
    for hand, (role, wind) in product(hands(plain, range(4, 5)), SITUATIONS):
        told = {**hand, "role": role, "context": {"风": wind}, "last": {"tile": "天", "from": "自摸"}}
        if hand["hand"].count("天") < 3:
            left, right = own.judge(told).to_json(), plain.judge(told).to_json()
            assert (left.pop("game"), right.pop("game")) == ("戏.资格", "资格")
            assert left == right
            seen.add((left["verdict"], bool(left["names"])))
    assert len(seen) > 1
    for of in ("complete", "win", "scores", "大"):
        assert count(own, of).hands == count(plain, of).hands
    assert {aspect.relation for aspect in diff(own, plain).aspects.values()} == {"equal"}


def test_a_game_does_not_notice_its_judgement(file: Path) -> None:
    game, alone = load(f"{file}#戏"), loads(GAME.partition("判 资格")[0])
    assert [r.name for r in game.core.rules] == [r.name for r in alone.core.rules]
    assert game.judgements == ("资格",)
    assert alone.judgements == ()
    assert {c.name for c in game.core.choices if c.of_play} == {"A-1"}  # only the judgement asks for it
    assert {c.name for c in game.judgement("资格").core.choices if c.of_play} == set()


def test_variants_have_the_judgement_over_their_own_deck_and_may_change_it(file: Path) -> None:
    few, wide = load(f"{file}#短局").judgement("资格"), load(f"{file}#宽.资格")
    assert few.name == "短局.资格"
    assert {kind.copies for kind in few.core.kinds} == {2}
    assert few.core.dealt == {"庄": 5, "闲": 5}
    mixed = {"hand": ["天", "天", "人", "梅", "地"], "role": "庄"}  # a pair and one of four pips: 3 陀
    pairs = {"hand": ["天", "天", "地", "地", "人"], "role": "庄"}  # two pairs: 4
    won = [[game.is_win(hand) for hand in (mixed, pairs)] for game in (few, wide)]
    assert won == [[False, True], [True, True]]
    assert wide.core.parameters[0].values == ("地", "天")


# ---------------------------------------------------------------- hands of any size

FREE = """
规则 散局 {
  牌 { 散牌 天 地 人 梅；每张 3；值 点：天 3 地 1 人 2 梅 2 }
  座 { 庄 5；闲 4 }
  牌型 { 合 a b 跨房 当 点 a + 点 b = 4；刻 a a a }
  价 胡 { 刻 3；合 1 }
  和 { 形 不限；张数 不限；须 起：胡 ≥ 2 }
  支付 { 和：每家 付 当家 胡 }
}
"""
LOOSE = """
规则 宽局 {
  牌 { 散牌 天 地 人 梅；每张 3；值 点：天 3 地 1 人 2 梅 2 }
  座 { 庄 5；闲 4 }
  牌型 { 合 a b 作 1卯 跨房 当 点 a + 点 b = 4；刻 a a a 作 1卯；散 a }
  价 胡 { 刻 3；合 1 }
  和 { 形 2卯；张数 不限；取 分数；须 起：胡 ≥ 3 }
  支付 { 和：每家 付 当家 胡 }
}
"""


def scores(counts: tuple[int, ...], melds: int | None) -> set[int]:
    """Totals of every way to part the tiles: into melds, or into so many melds and loose tiles."""
    done = not any(counts) if melds is None else melds == 0
    whole = {0} if done else set()
    taken = [({i: 3}, 3) for i in range(4)]
    taken += [({i: 1, j: 1}, 1) for i, j in combinations(range(4), 2) if PIPS[i] + PIPS[j] == 4]
    for need, points in taken:
        if (melds is None or melds > 0) and all(counts[k] >= n for k, n in need.items()):
            rest = tuple(n - need.get(k, 0) for k, n in enumerate(counts))
            whole |= {points + more for more in scores(rest, None if melds is None else melds - 1)}
    return whole


@pytest.mark.parametrize(("text", "melds", "least"), [(FREE, None, 2), (LOOSE, 2, 3)], ids=["free", "loose"])
def test_hands_of_any_size_are_judged_as_brute_force_says(text: str, melds: int | None, least: int) -> None:
    game = loads(text)
    sizes, rows = set(), []
    for hand in hands(game, range(13)):
        counts = tuple(hand["hand"].count(face) for face in FACES)
        totals = scores(counts, melds)
        known = game.hand({**hand, "role": "闲"})
        verdict = game.judge(known)
        assert verdict.complete is bool(totals)
        assert verdict.scores == tuple(sorted(totals))
        assert game.compiled.outcome(known) == judge(game.core, known)
        assert verdict.win is (max(totals, default=0) >= least)
        rows.append((counts, verdict.win))
        sizes |= {sum(counts)} if verdict.win else set()
    assert len(sizes) > 2
    won = game.win_many(np.array([counts for counts, _ in rows]), role="闲")
    assert won.tolist() == [win for _, win in rows]


@pytest.mark.parametrize(("text", "melds"), [(FREE, None), (LOOSE, 2)], ids=["free", "loose"])
def test_any_hand_can_wait(text: str, melds: int | None) -> None:
    game = loads(text)
    for hand in hands(game, range(7)):
        counts = [hand["hand"].count(face) for face in FACES]
        drawn = {face: [n + (i == k) for k, n in enumerate(counts)] for i, face in enumerate(FACES)}
        completing = [f for f, more in drawn.items() if max(more) <= 3 and scores(tuple(more), melds)]
        assert [wait["tile"] for wait in game.waits(hand).to_json()["waits"]] == completing


@pytest.mark.parametrize(("text", "melds"), [(FREE, None), (LOOSE, 2)], ids=["free", "loose"])
def test_counts_and_differences_are_of_one_size_and_say_so(text: str, melds: int | None) -> None:
    game = loads(text)
    for size, counted in ((5, count(game, "complete")), (7, count(game, "complete", tiles=7))):
        whole = [scores(tuple(c), melds) for c in product(range(4), repeat=4) if sum(c) == size]
        assert counted.hands == sum(map(bool, whole))
    other = loads(text.replace("刻 3", "刻 4"))
    assert "5" in diff(game, other).bounds[0].rpartition("；")[2]


def test_a_shape_of_no_units_wants_melds_without() -> None:
    with pytest.raises(SpecError) as error:
        loads(FREE.replace("刻 a a a", "刻 a a a 作 1卯"))
    assert [fault.code for fault in error.value.diagnostics] == ["T064"]
