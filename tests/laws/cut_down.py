"""Cut-down games: one small ruleset in parts; what a part can be exchanged for lets checks speak or not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import dsl
from dsl.core.model import Game

SPEC = """
规则 试 {
  %(deck)s
  来路 { 自家 = 起手 自摸；他人 = 他摸 他打；手 起手 }
  座 { %(deal)s }
  牌型 {
    句 a b c 作 1组 待 a b c
    口 a b 作 1口 待 c
    碰 a a a 作 1组 锁 其余 起手 第三 他人
    坎 a a a 作 1组 皆 起手
    绍 a a a 作 1组 锁 其余 起手 第三 自摸 成 招
    %(dragon)s
    单 a 作 1单 待 b c
    对 a a 作 1对 待 a
  }
  价 符 {
    列 将 闲
    %(prices)s
  }
  名 {
    %(names)s
  }
  和 {
    形 %(shape)s
    %(needs)s
    重组 无
  }
  诈和 { %(false_win)s }
  %(payments)s
  %(waits)s
%(claims)s
}
"""

Tier = tuple[str, float, float]
"""Name, least and most score."""

INF = float("inf")

TIERS: dict[str, tuple[Tier, ...]] = {
    "gap": (("低", -INF, 5), ("高", 8, INF)),
    "overlap": (("低", -INF, 6), ("中", 6, 9), ("高", 10, INF)),
    "around": (("无底", 0, INF), ("没有", 50, INF), ("高", 60, INF)),
    "nested": (("全", 0, INF), ("四十", 1, 1), ("高", 6, INF)),
    "highest": (("低", -INF, 6), ("高", 0, INF)),
}
"""What the names of some alternatives stand for."""

PARTS: dict[str, dict[str, str]] = {
    "deck": {
        "two": "牌 { 房 上大人 七十士；每张 上 4；每张 大 2；每张 人 1；每张 七十士 1；"
        "类 将 = 上大人；类 闲 = 非 将 }",
        "even": "牌 { 房 上大人 七十士；每张 上 3；每张 大 1；每张 人 1；每张 七 3；每张 十士 1；"
        "类 将 = 上大人；类 闲 = 非 将 }",
        "nine": "牌 { 房 上大人 七十士；每张 上大人 3；每张 七十士 1；类 将 = 上大人；类 闲 = 非 将 }",
        "three": "牌 { 房 上大人 七十士 可知礼；每张 上 4；每张 大人 1；每张 七十士 1；每张 可知礼 1；"
        "类 将 = 上大人；类 闲 = 非 将 }",
    },
    "deal": {
        "plain": "庄 5；闲 4 × 2",
        "all": "庄 5；闲 5 × 2",
        "many": "庄 5；闲 4 × 4",
        "few": "庄 5；闲 3 × 2",
        "odd": "庄 6；闲 5",
        "醒": "庄 5；闲 4；醒 0",
        "nine": "庄 9；闲 8",
    },
    "dragon": {
        "hung": "招.裸 a a a a 作 1组 1单 锁 第一 第二 起手 第三 自家 第四 他人 成 招.一\n"
        "    招.一 a a a a b 作 1组 1口 锁 第一 第二 起手 第三 自家 第四 他人",
        "drawn": "招.裸 a a a a 作 1组 补 1 锁 第一 第二 起手 第三 自家 第四 他人 成 招.一\n"
        "    招.一 a a a a b 作 1组 1单 补 1 锁 第一 第二 起手 第三 自家 第四 他人",
    },
    "prices": {
        "gap": "句 3 0；口 2 0；碰 缺 2；坎 绍 6 4；招 10 6",
        "whole": "句 3 0；口 2 0；碰 3 2；坎 绍 6 4；招 10 6；招.一 11 6 代 招",
        "stored": "句 3 0；口 2 0；碰 3 2；坎 绍 6 4；招.裸 10 6；招.一 11 6；对 1 0",
        "turned": "句 3 0；口 2 0；碰 7 2；坎 6 4；绍 1 4；招 5 5",
        "apart": "句 3 0；口 9 0；碰 3 2；坎 绍 6 4；招 10 6",
        "flat": "句 0 0；口 0 0；碰 缺 缺；坎 绍 0 0；招 缺 0",
    },
    "names": {
        "base": "素：无 将 倍 2；大：符 ≥ 6 倍 3；两门：凡 房 有牌：数 将 ≤ 4 且 符 ≥ 1 倍 2；叠法 相乘",
        "gap": "低：符 ≤ 5 倍 2；高：符 ≥ 8 倍 3；叠法 相加",
        "overlap": "低：符 ≤ 6 倍 2；中：6 ≤ 符 且 符 ≤ 9 倍 2；高：符 ≥ 10 倍 4；叠法 相加",
        "around": "无底：符 ≥ 0 倍 2；没有：符 ≥ 50 倍 2；高：符 ≥ 60 倍 2；叠法 相乘",
        "nested": "全：符 ≥ 0 倍 2；四十：符 = 1 倍 2；高：符 ≥ 6 倍 2；叠法 相乘",
        "highest": "低：符 ≤ 6 倍 2；高：符 ≥ 0 倍 3；叠法 最高",
        "loose": "怪：符 ≥ 50 倍 2；素：无 将 倍 2；纯：皆 闲 倍 2；庄素：素 且 身 庄 倍 3；"
        "有口：数 口 ≥ 1 倍 2；"
        "庄自：末张 自摸 且 身 庄 倍 3",
        "one": "大：符 ≥ 6 倍 3",
        "ones": "招和：末张 入 招 倍 1；自：末张 自摸 且 有 口 倍 1；双：符 模 2 = 0 或 符 ≥ 0 倍 1；"
        "清：无 碰 绍 招 倍 1；净：数 碰 绍 招 = 0 倍 1",
    },
    "shape": {"one": "1组 1口", "never": "1组", "pairs": "3口", "three": "3组"},
    "needs": {
        "base": "须 门槛：符 ≥ 4 除非 无 将\n    须 和张：末张 自摸 他摸 无\n    须 喊准：非 错名",
        "hard": "须 门槛：符 ≥ 4\n    须 和张：末张 自摸 无\n    取 支付",
        "low": "须 门槛：符 ≥ 0",
        "never": "须 门槛：符 ≥ 40",
        "idle": "须 门槛：符 ≥ 4 除非 无 将 或 符 ≥ 6\n    须 有组：组 ≥ 1\n    取 分数",
        "claimed": "须 门槛：末张 入 碰 招 或 身 庄",
    },
    "false_win": {
        "base": "当 不成形：非 形；当 不足：符 < 4；当 喊错：错名",
        "all": "当 不和：非 和",
        "shape": "当 不成形：非 形",
        "named": "当 喊错：错名",
        "dead": "当 不成形：非 形；当 没有：符 < 0；当 喊错：错名",
    },
    "payments": {
        "wins": "支付 { 和：每家 付 当家 1 × 倍 }",
        "both": "支付 { 和：每家 付 当家 1 × 倍；诈和：当家 付 每家 1 × 倍 }",
        "minus": "支付 { 和：每家 付 当家 符 - 5；诈和：当家 付 每家 倍 - 1 }",
        "times": "境 首张：否 是\n  支付 { 和：每家 付 当家 倍 - 2；诈和：当家 付 每家 3 - 倍 若 首张 = 是 }",
        "idle": "支付 { 和：庄 付 庄 1；诈和：当家 付 每家 1 若 身 庄 }",
        "dealer": "支付 { 和：庄 付 当家 1；和 大和：庄 付 当家 2 若 符 ≥ 50；"
        "诈和：庄 付 当家 1 若 身 庄 且 身 闲 }",
        "nothing": "",
    },
    "waits": {
        "base": "落叫 { 单钓 1组 1单 等 单；对倒 1口 1对 等 对；双口 2口 等 口 }",
        "gap": "落叫 { 单钓 1组 1单 等 单 }",
        "wrong": "落叫 { 单钓 1组 1单 等 单；对倒 1口 1对 等 对 口；四单 4单 等 单；双对 2对 等 对 }",
        "short": "落叫 { 单钓 1组 1单 等 单；三单 3单 等 单；又钓 1组 1单 等 单 }",
        "nothing": "",
    },
    "claims": {
        "none": "",
        "some": """
  断言 A-1 存在 和 且 诈和 答 有
  断言 A-2 存在 和 且 诈和 答 无
  断言 A-3 存在 非 和 且 非 诈和 答 有
  断言 A-4 存在 符 = 12 答 有
  断言 A-5 存在 符 > 17 答 有
  断言 A-6 凡 和 则 符 ≥ 4 答 真
  断言 A-7 凡 有 碰 则 符 ≥ 2 且 末张 他摸 自摸 无 答 假
  断言 A-8 存在 和 且 末张 无 答 无
  断言 A-9 存在 末张 无 且 身 闲 答 无
  断言 B-1 凡 听 则 叫 单钓 答 真
  断言 B-2 存在 听和 且 听诈 答 有
  断言 B-3 凡 叫 单钓 则 听 答 真
  断言 B-4 存在 听 且 非 听和 答 无
  断言 N-1 算 价 句 于 将 ≥ 价 口 于 将 答 真
  断言 N-2 算 价 坎 于 将 + 1 = 价 绍 于 将 答 真
  断言 V-1 验 V101 答 有
  断言 V-2 验 V104 答 无
  断言 V-3 验 V105 答 无""",
    },
}

BASE = {part: next(iter(alternatives)) for part, alternatives in PARTS.items()}


@dataclass(frozen=True)
class Variant:
    """A choice of one alternative for each part."""

    parts: tuple[tuple[str, str], ...]

    @property
    def label(self) -> str:
        """The parts that are not the usual ones."""
        return " ".join(f"{p}={a}" for p, a in self.parts if BASE[p] != a) or "base"

    @property
    def tiers(self) -> tuple[Tier, ...]:
        return TIERS.get(dict(self.parts)["names"], ())


def variant(**parts: str) -> Variant:
    """The usual game with these parts; what its statements speak of is there."""
    chosen = {**BASE, **parts}
    if chosen["waits"] == "nothing":
        chosen["claims"] = "none"
    return Variant(tuple(chosen.items()))


def one_by_one(**fixed: str) -> Iterator[Variant]:
    """The usual game, and it with one part exchanged."""
    yield variant(**fixed)
    for part, alternatives in PARTS.items():
        for name in alternatives:
            if part not in fixed and part != "deck" and name != BASE[part]:
                yield variant(**{**fixed, part: name})


def covering(**fixed: str) -> Iterator[Variant]:
    """Few games in which every alternative occurs once at least, but shapes and deals that cannot win."""
    fixed = {"shape": "one", **fixed}
    deals = ("plain", "all", "many", "few", "醒")
    for i in range(max(len(alternatives) for alternatives in PARTS.values())):
        parts = {part: list(alternatives)[i % len(alternatives)] for part, alternatives in PARTS.items()}
        yield variant(**{**parts, "deal": deals[i % len(deals)], **fixed})


def mixed(number: int, seed: int, **fixed: str) -> Iterator[Variant]:
    """Parts put together by lot, again without what cannot win."""
    chance = random.Random(seed)
    fixed = {"shape": "one", "deal": "plain", **fixed}
    for _ in range(number):
        parts = {part: chance.choice(list(alternatives)) for part, alternatives in PARTS.items()}
        yield variant(**{**parts, **fixed})


@cache
def game_of(chosen: Variant) -> Game:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.pai"
        path.write_text(text_of(chosen), encoding="utf-8")
        return dsl.load(str(path)).core


def text_of(chosen: Variant) -> str:
    return SPEC % {part: PARTS[part][name] for part, name in chosen.parts}
