"""With wild tiles that stand for any tile, a last tile that is none of them is a natural one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import dsl
from dsl.core.hand import Hand
from dsl.core.model import WILD
from dsl.core.reference import arrangements
from verifier import verify

TEXT = """
规则 小赖 {{
  牌 {{ 房 上大人；每张 2；赖 神 每张 4 }}
  座 {{ 庄 4；闲 3 }}
  牌型 {{ 对 a a 作 1组；口 a b 作 1组；碰 a a 作 1组 锁 第二 他打 }}
  和 {{ 形 2组 }}
  名 {{ 怪：数 神 = 4 且 非 末张 神 且 末张 自摸 }}
{}
}}
"""
TYPES = ("对", "口")
ORIGINS = ("自摸", "他打")

Fact = tuple[int, bool, str, str]
"""Wild tiles, is one of them the last tile, where that came from, the type that holds it."""


def facts(game: dsl.Game) -> Iterator[Fact]:
    """Those of all hands without exposed melds that have a last tile."""
    core = game.core
    for counts in product(range(3), repeat=3):
        wilds = 3 - sum(counts)
        for last, origin in product((0, 1, 2, WILD), ORIGINS) if wilds >= 0 else ():
            full = last == WILD and (wilds == 4 or origin == "他打")
            if full or (last != WILD and counts[last] == 2):
                continue
            for found in arrangements(core, Hand("闲", (), counts, (last, origin), wilds=wilds)):
                kinds = [core.melds[m].type.name for m in found.melds]
                if "碰" not in kinds and found.last_in is not None:
                    kind = core.melds[found.last_in].type.name
                    yield wilds + (last == WILD), last == WILD, origin, kind


def in_words(wilds: int, is_wild: bool, origin: str, kind: str) -> str:
    """The fact as a statement has it, of hands that hold no 碰."""
    last = "末张 神" if is_wild else "非 末张 神"
    return f"数 神 = {wilds} 且 {last} 且 末张 {origin} 且 末张 入 {kind} 且 无 碰"


def test_statements_on_the_last_tile_say_what_hands_have() -> None:
    asked = list(product(range(5), (True, False), ORIGINS, TYPES))
    claims = [f"断言 C-{i} 存在 {in_words(*fact)} 答 有" for i, fact in enumerate(asked)]
    game = dsl.loads(TEXT.format("\n".join(claims)))
    had = set(facts(game))
    report = verify(game, ["V104", "V119"])
    found = {fact for fact, said in zip(asked, report.statements, strict=True) if said.got}
    assert found == had
    assert not report.unknown
    assert [f.rules[0].name for f in report.findings if f.code == "V104"] == ["名.怪"]
