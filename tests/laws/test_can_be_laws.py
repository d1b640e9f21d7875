"""What a finished hand can be made into: the automaton, the reference on every hand, and clauses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

import dsl
from dsl.core.deals import deals
from dsl.core.hand import Hand
from dsl.core.model import Game, HandFormula
from dsl.core.waiting import closed, hand_holds
from dsl.judge.compiled import Compiled
from dsl.judge.hands import ask_hands
from tests.conftest import SMALL
from tests.laws.test_statement_laws import exposed
from tests.laws.test_statement_laws import once as once
from verifier.boolean import find
from verifier.hand_questions import stated as asked_of
from verifier.replay import unarranged

ASKED = (
    "存在 能成 形", "存在 能成 和", "存在 能成 形 且 非 能成 和", "存在 能成 素 且 能成 清",
    "存在 能成（素 且 清）", "凡 能成 清 且 能成 分 则 能成（清 且 分）", "凡 能成 有 坎 则 能成 和",
    "存在 能成 符 ≤ 4 且 能成 符 ≥ 9", "存在 能成（数 坎 = 1 且 数 口 于 将 = 1）且 能成 数 句 = 2",
    "存在 非（能成 分 或 能成 满）且 能成 双数", "凡 能成 形 则 能成（凡 房 有牌：符 ≥ 1）",
    "存在 能成 诈和 且 能成 和", "存在 能成（雨 = 否 且 红头）且 能成 非 红头",
    "凡 能成 数 坎 = 2 且 非 能成 数 句 ≥ 1 则 能成 符 ≥ 11",
)  # fmt: skip

PLAYED = {
    "发满": "",
    "都要摸": "删 座.庄；加 座.庄 7；加 和.张数 8",
    "只和摸来的": "改 和.末张 自摸 他摸",
}
"""The small game; one in which nobody is dealt a whole hand; one in which a whole hand dealt does not win."""


def stated(asked: tuple[str, ...], name: str, change: str, **options: str) -> Game:
    lines = "\n".join(f"  断言 Q-{i} {claim} 答 有" for i, claim in enumerate(asked))
    text = f"规则 问 继承 「{SMALL / name}.pai#{name}」 {{\n  {change}\n{lines}\n}}\n"
    return dsl.loads(text, options, shown="问").core


def formula_of(game: Game, index: int) -> HandFormula:
    return game.statements[index].formula  # type: ignore[return-value]


def whole(game: Game) -> Iterator[Hand]:
    """Every concealed hand of the finished size, in every deal; a last tile's place is left open."""
    plain = closed(game)
    for deal in deals(game) if game.wild is not None else [{}]:
        for counts in product(*(range(n + 1) for n in game.copies_in(deal))):
            wilds = game.finished - sum(counts)
            if 0 <= wilds <= (0 if game.wild is None else game.wild.copies):
                yield replace(plain, counts=counts, context=deal, wilds=wilds)


def truth(game: Game, formula: HandFormula, hands: list[Hand]) -> list[Hand]:
    """Those of which it holds; where the last tile is a draw, the first tile of the hand is that one."""
    return [hand for hand in hands if hand_holds(formula, game, _drawn(hand))]


def _drawn(hand: Hand) -> Hand:
    if hand.last is None:
        return hand
    kind = next(k for k, n in enumerate(hand.counts) if n)
    counts = tuple(n - (k == kind) for k, n in enumerate(hand.counts))
    return replace(hand, counts=counts, last=(kind, hand.last[1]))


@pytest.mark.parametrize("played", PLAYED)
def test_finished_hands_equal_brute_force(played: str) -> None:
    game = stated(ASKED, "两句", PLAYED[played])
    assert (closed(game).last is None) is (played != "都要摸")
    hands, open_ended = list(whole(game)), 0
    for i, text in enumerate(ASKED):
        formula = formula_of(game, i)
        held = truth(game, formula, hands)
        answer = ask_hands(Compiled(game), formula)
        assert (answer.hands, answer.first) == (len(held), max((h.counts for h in held), default=None)), text
        if answer.first is not None:
            unarranged(game, answer.hand(closed(game).role), formula)
        open_ended += 0 < len(held) < len(hands)
    assert open_ended > len(ASKED) // 2


@pytest.mark.parametrize("played", PLAYED)
def test_clauses_and_automaton_agree_on_finished_hands(played: str) -> None:
    game, answers = stated(ASKED, "两句", PLAYED[played]), []
    for i, text in enumerate(ASKED):
        found = ask_hands(Compiled(game), formula_of(game, i)).first is not None
        assert (find(asked_of(game, formula_of(game, i)), game.finished).status == "sat") is found, text
        answers.append(found)
    assert len(set(answers)) == 2


LAID = (
    "摆 碰 存在 能成（数 碰 = 2）且 能成 数 口 于 将 = 1",
    "摆 碰 存在 能成 数 碰 = 1 且 能成 数 坎 = 1 且 能成 无 坎",
    "摆 碰 存在 能成 数 碰 = 2 且 能成 无 碰", "摆 绍 存在 能成 有 绍 且 能成 满",
    "摆 招 存在 能成 有 招 且 非 能成 和",
)  # fmt: skip


def test_finished_hands_with_exposed_melds_equal_brute_force() -> None:
    game, answers = stated(LAID, "两句", ""), []
    for i, text in enumerate(LAID):
        laid, formula = game.statements[i].laid, formula_of(game, i)
        answer = ask_hands(Compiled(game), formula, laid=laid)
        held = (replace(h, role=closed(game).role) for h in exposed(game, laid, game.finished))
        found = any(hand_holds(formula, game, hand) for hand in held)
        assert (answer.first is not None) is found, text
        if answer.first is not None:
            assert hand_holds(formula, game, answer.hand(closed(game).role)), text
        answers.append(found)
    assert len(set(answers)) == 2


WITH_WILDS = (
    "存在 能成 有 神 且 能成 和", "存在 能成 有 坎 且 能成 无 坎 且 无 神",
    "存在 能成 有 坎 且 能成 无 坎 且 数 神 = 1",
    "凡 能成 符 ≥ 5 则 能成 和", "存在 能成 形 且 非 能成 和 且 有 神",
)  # fmt: skip


@pytest.mark.parametrize(("kind", "limit"), [("随翻", "不设限"), ("另有", "单张")])
def test_finished_hands_with_wild_tiles_equal_brute_force(kind: str, limit: str) -> None:
    game = stated(WITH_WILDS, "两句神", "改 牌.每张 2", 种=kind, 限=limit)
    hands = list(whole(game))
    for i, text in enumerate(WITH_WILDS):
        held = truth(game, formula_of(game, i), hands)
        answer = ask_hands(Compiled(game), formula_of(game, i))
        assert answer.hands == len(held), text
        if held:
            assert answer.hand(closed(game).role) in held, text


XIANTAO = "specs/hubei/xiantao/game.pai[赖子=on]"


@pytest.mark.parametrize(("wilds", "hands"), [(0, 0), (1, 15 * 4 * 3), (2, 120 * 3 + 120 * 9 + 15 * 4 * 6)])
def test_hands_that_are_both_special_wins_have_the_shapes_that_were_worked_out(
    wilds: int, hands: int
) -> None:
    """Copies per face of three 素 doors: one wild tile needs 333 333 22-, two need 333 33- 222 and so on."""
    claim = f"存在 能成 乌飘胡 且 能成 黑八胡 且 数 混江 = {wilds}"
    text = f"规则 问 继承 「{dsl.load(XIANTAO).core.path}#抬胡」 {{\n断言 Q-1 {claim} 答 有\n}}\n"
    game = dsl.loads(text, {"赖子": "on"}, shown="问").core
    statement = game.statements[-1]
    assert ask_hands(Compiled(game), statement.formula).hands == hands  # type: ignore[arg-type]
