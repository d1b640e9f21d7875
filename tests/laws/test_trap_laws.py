"""V113 by sums and by trying every hand: they find a spoilt hand in the same rulesets, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from dsl import Game, load, loads
from dsl.core.hand import Hand, Laid
from dsl.core.model import ORIGINS
from dsl.table.questions import answers, done
from dsl.table.state import Offer, Player, State
from verifier.checking import study_for
from verifier.table_sums import Held
from verifier.table_traps import Found, Traps

SMALL = """
规则 小试 {{
  牌 {{ 房 上大人 丘乙己；每张 3 }}
  座 {{ 庄 {dealer}；闲 {idle} × 2 }}
  牌型 {{
    句 a b c 作 1组
    口 a b 作 1口
    碰 a a a 作 1组 锁 第三 他摸 他打
    坎 a a a 作 1组 皆 起手
  }}
  和 {{ 形 {shape} }}
  支付 {{ 和：每家 付 当家 1；诈和：当家 付 每家 1 }}
  流程 {{
    开局：庄 弃牌
    轮：翻开
    应 碰：任家 必 碰 当 {where}
    {more}
  }}
}}
"""
SIZES = {"1组 1口": (5, 4), "2组": (6, 5), "2组 1口": (8, 7)}
VARIANTS = [
    (shape, where, more)
    for shape in SIZES
    for where in ("同张 = 2", "同张 = 2 且 多出 碰 除开 句", "同张 = 2 且 非 只有 a a b 这张 a")
    for more in (
        "",
        "不得 拆句：少了 句",
        "不得 拆句：少了 句 可让",
        "不得 留双：同张 = 1；禁 满：碰 当 打光",
    )
]


@cache
def game(shape: str, where: str, more: str) -> Game:
    dealer, idle = SIZES[shape]
    lines = "\n    ".join(more.split("；"))
    return loads(SMALL.format(dealer=dealer, idle=idle, shape=shape, where=where, more=lines))


def waits(game: Game, state: State, seat: int) -> bool:
    player, role = state.players[seat], game.core.seats[seat].role
    return bool(game.compiled.waits(Hand(role, player.laid, player.counts, None), ORIGINS[1:]))


def spoilt(game: Game) -> Iterator[State]:
    """Every hand of the last seat that the duty spoils, tried one by one."""
    table, copies = game.table, [kind.copies for kind in game.core.kinds]
    seat, size = 2, game.core.seats[2].tiles
    for counts in product(*(range(n + 1) for n in copies)):
        if sum(counts) == size and max(counts) >= 2:
            player = Player(counts)
            for tile in (k for k, n in enumerate(counts) if n == 2):
                for offer in (Offer(tile, 1, False, False), Offer(tile, 1, True, False)):
                    state = State((), 0, (Player((0,) * 6),) * 2 + (player,), {}, offer=offer)
                    if waits(game, state, seat) and not table.verdicts.wins(state, seat, offer):
                        actions = list(answers(table, state, seat, "碰"))
                        if actions and not any(goes_on(game, done(table, state, a), seat) for a in actions):
                            yield state


def goes_on(game: Game, after: State, seat: int) -> bool:
    discards = (a for a in after.lawful if a.kind == "discard")
    return any(waits(game, game.table.apply(after, a), seat) for a in discards)


@cache
def by_sums(variant: tuple[str, str, str]) -> Found:
    study = study_for(game(*variant))
    flow = study.game.flow
    assert flow is not None
    return Traps(study.tables, study.compiled).of_response(flow.responses["碰"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_sums_find_what_trying_finds(variant: tuple[str, str, str]) -> None:
    found, tried = by_sums(variant), next(spoilt(game(*variant)), None)
    bare = found.witness is not None and not found.witness.state.players[2].laid
    assert bare == (tried is not None)
    assert found.proved


def test_there_are_rulesets_with_a_spoilt_hand_and_without() -> None:
    assert {True, False} == {by_sums(variant).witness is not None for variant in VARIANTS}


# ---------------------------------------------------------------- as it is dealt

DEALT = """
规则 小摆 {{
  牌 {{ 房 上大人 丘乙己；每张 4 }}
  座 {{ 庄 {dealer}；闲 {idle} × 2 }}
  牌型 {{
    句 a b c 作 1组
    口 a b 作 1口
    龙 a a a a 作 {worth} 锁
    坎 a a a 作 1组
  }}
  和 {{ 形 {shape} }}
  支付 {{ 和：每家 付 当家 1；诈和：当家 付 每家 1 }}
  流程 {{
    开局：庄 摆龙 和 弃牌
    轮：翻开
    宣 摆龙：必 龙
  }}
}}
"""


@pytest.mark.parametrize("worth", ["1组", "2口", "1组 1口"])
@pytest.mark.parametrize("shape", ["2组 1口", "3组", "1组 2口"])
def test_sums_find_what_is_spoilt_as_it_is_dealt(shape: str, worth: str) -> None:
    """One complete as dealt that is so no more once every four of a face lie exposed."""
    dealer = sum(int(n[0]) * (3 if n[1] == "组" else 2) for n in shape.split())
    variant = loads(DEALT.format(dealer=dealer, idle=dealer - 1, shape=shape, worth=worth))
    core, study = variant.core, study_for(variant)
    dragons = {m.tiles[0]: Laid(m.id, ("起手",) * 4) for m in core.melds if m.type.name == "龙"}

    def complete(counts: tuple[int, ...], laid: tuple[Laid, ...]) -> bool:
        return variant.compiled.outcome(Hand("庄", laid, counts, None)).complete

    spoils = False
    for counts in product(*(range(kind.copies + 1) for kind in core.kinds)):
        if sum(counts) == dealer and 4 in counts and complete(counts, ()):
            laid = tuple(dragons[kind] for kind, n in enumerate(counts) if n == 4)
            spoils = spoils or not complete(tuple(n % 4 for n in counts), laid)
    assert core.flow is not None
    found = Traps(study.tables, study.compiled).of_announcement(core.flow.announcements["摆龙"])
    assert (found.witness is not None) == spoils and found.proved


def test_what_conditions_ask_of_an_offer_decides_what_can_be_done() -> None:
    study = study_for(load("四家飞"))
    traps, flow = Traps(study.tables, study.compiled), study.game.flow
    assert flow is not None
    seat, known = traps._seats[0], dict[object, object]()
    for response in (r for r in flow.responses.values() if r.must and not r.win):
        for counts in traps.parts.counts(study.game.component_of[0], (1, 0, 0)):
            for offer, face in traps._offers(0, seat):
                ways = traps._doings(Held(counts), response, offer, seat, 0, True)
                assert known.setdefault((response.name, counts, face), ways) == ways
    assert any(known.values())
