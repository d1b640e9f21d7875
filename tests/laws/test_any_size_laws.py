"""Questions and checks where hands of any size are judged: what brute force over all sizes says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from dsl import load, loads
from dsl.core.hand import Hand
from dsl.core.model import EveryAwaited, Game, HandAnd, HandFormula, HandNot, Waiting, WaitIs
from dsl.core.reference import arrangements, judge, outcome_of
from dsl.core.waiting import closed, hand_holds, of_finished
from dsl.judge.compiled import Compiled
from dsl.judge.hands import ask_hands, complete_hands, unsound_wait
from verifier import verify
from verifier.choices import open_choices
from verifier.questions import Reply, put
from verifier.report import summary
from verifier.waits import wait_classes
from verifier.why_not import why_not

TEXT = """
规则 局 {{
  牌 {{ 散牌 天 地 人；每张 3；值 点：天 3 地 1 人 2{wild} }}
  座 {{ 庄 7；闲 2 }}
  {body}
  支付 {{ 和：每家 付 当家 胡 }}
}}
"""
FREE = """牌型 { 合 a b 跨房 当 点 a + 点 b = 4；刻 a a a；单 a 当 点 a = 1 }
  价 胡 { 刻 3；合 2；单 0 }
  和 { 形 不限；张数 不限；须 起：胡 ≥ 5 }"""
LOOSE = """牌型 { 合 a b 作 1卯 跨房 当 点 a + 点 b = 4；刻 a a a 作 1卯；散 a；孤 a 作 1孤 待 a }
  价 胡 { 刻 3；合 1 }
  和 { 形 2卯；张数 不限；取 分数；须 起：胡 ≥ 3 }
  落叫 { 单吊 1卯 1孤 等 孤；够 2卯 等 孤 }"""
TIGHT = """牌型 { 合 a b 作 1卯 跨房 当 点 a + 点 b = 4；刻 a a a 作 1卯；孤 a 作 1孤 待 a }
  价 胡 { 刻 3；合 1 }
  和 { 形 2卯；张数 不限；须 起：胡 ≥ 3 }
  落叫 { 够 2卯 等 孤；两孤 2孤 等 孤 }"""
WILD = "；赖 神 每张 1"
GAMES = {"free": (FREE, ""), "loose": (LOOSE, ""), "tight": (TIGHT, ""), "wild": (LOOSE, WILD)}


def text_of(name: str, *more: str) -> str:
    body, wild = GAMES[name]
    return TEXT.format(body="\n  ".join((body, *more)), wild=wild)


def every_hand(game: Game, role: str) -> Iterator[Hand]:
    """Concealed hands of every size, those without wild tiles and the smaller ones first."""
    most = 0 if game.wild is None else game.wild.copies
    counts = list(product(*(range(kind.copies, -1, -1) for kind in game.kinds)))
    counts.sort(key=sum)
    for wilds in range(most + 1):
        yield from (Hand(role, (), own, None, {}, None, wilds) for own in counts)


def tiles(reply: Reply) -> int:
    """Of the hand that is shown."""
    assert reply.example is not None
    hand = reply.example.hand
    return len(hand["hand"]) + ("last" in hand) + sum(len(m["tiles"]) for m in hand.get("laid", ()))


@pytest.mark.parametrize("name", ["free", "loose", "tight"])
def test_arrangements_of_every_size_are_asked_about(name: str, tmp_path: Path) -> None:
    path = tmp_path / "局.pai"
    path.write_text(text_of(name), encoding="utf-8")
    game = load(path).core
    sizes: dict[int, set[int]] = {}
    for hand in every_hand(game, "庄"):
        for score in judge(game, hand).scores:
            sizes.setdefault(score, set()).add(sum(hand.counts))
    assert len({min(own) for own in sizes.values()}) > 2
    for total in range(max(sizes) + 2):
        reply = put(str(path), f"存在 形 且 胡 = {total}")
        assert reply.holds is (total in sizes), total
        least = put(str(path), f"凡 形 则 胡 ≤ {total}")
        assert least.holds is (max(sizes) <= total), total
        if reply.example is not None:
            assert tiles(reply) == min(sizes[total], key=lambda n: (n == 0, n)), total
    assert put(str(path), "存在 形 且 身 闲 且 末张 无").holds  # any hand may be declared as it is held
    unshaped = put(str(path), "存在 非 形")
    assert unshaped.holds
    assert tiles(unshaped) == 1
    assert why_not(str(path), f"胡 = {max(sizes)}").possible
    low = next(total for total in sorted(sizes) if total)
    assert [part.rule.name for part in why_not(str(path), f"和 且 胡 = {low}").parts] == ["和.起"]
    assert "价.胡.刻" in {part.rule.name for part in why_not(str(path), "胡 = 40").parts if part.alone}


@pytest.mark.parametrize("name", ["free", "loose", "tight"])
def test_checks_speak_of_every_size(name: str) -> None:
    totals = range(14)
    names = "；".join(f"恰{n}：胡 = {n}" for n in totals)
    game = loads(text_of(name, f"名 {{ {names} }}"))
    reached: Counter[int] = Counter()
    for hand in every_hand(game.core, "庄"):
        found = [outcome_of(game.core, hand, a) for a in arrangements(game.core, hand)]
        reached.update({outcome.score for outcome in found if outcome.win and outcome.score is not None})
    report = verify(game, ["V104", "V114", "V115"])
    dead = {f.rules[0].name for f in report.findings}
    dead = {name for name in dead if not name.startswith("落叫.")}
    assert dead == {f"名.恰{n}" for n in totals if not reached[n]}
    assert 0 < len(dead) < len(totals)


FORMULAS = {
    "free": ("听", "非 听", "听和 且 听面 = 1", "能成（胡 = 6）", "能成（形） 且 非 能成（胡 ≥ 4）"),
    "loose": (
        "听",
        "叫 单吊",
        "叫 单吊 且 非 听和",
        "能成（胡 = 6）",
        "能成（胡 = 2） 且 能成（胡 = 4）",
        "听面 = 2",
    ),
    "tight": ("听", "能成（胡 ≤ 4）", "叫 两孤", "听 且 叫 两孤", "非 听"),
    "wild": ("听", "叫 单吊 且 非 听", "能成（胡 = 6）", "听面 = 1", "叫 单吊 且 数 神 = 1"),
}


@pytest.mark.parametrize("name", GAMES)
def test_hands_of_every_size_are_asked_about(name: str) -> None:
    claims = [f"断言 甲{i} 存在 {formula} 答 有" for i, formula in enumerate(FORMULAS[name])]
    game = loads(text_of(name, *claims)).core
    varied = set()
    for given in game.statements:
        formula: HandFormula = given.formula  # type: ignore[assignment]
        role = closed(game).role if of_finished(formula) else "闲"
        hands = [hand for hand in every_hand(game, role) if hand_holds(formula, game, hand)]
        answer = ask_hands(Compiled(game), formula)
        first = min(hands, key=lambda h: (h.wilds, sum(h.counts), [-n for n in h.counts]), default=None)
        assert answer.hands == len(hands), given.title
        assert answer.first == (None if first is None else first.counts)
        varied |= {sum(hand.counts) for hand in hands}
    assert len(varied) > 4
    assert complete_hands(Compiled(game)).hands == sum(
        bool(arrangements(game, hand)) for hand in every_hand(game, "庄") if not hand.wilds
    )


def claims_wrongly(name: str) -> HandFormula:
    return HandAnd((WaitIs(name), HandNot(EveryAwaited(name, "complete"))))


@pytest.mark.parametrize("name", GAMES)
def test_waits_of_every_size_agree_with_brute_force(name: str) -> None:
    game = loads(text_of(name)).core
    counted: Counter[tuple[bool, frozenset[str]]] = Counter()
    wrong: set[str] = set()
    for hand in every_hand(game, "闲"):
        named = frozenset(w.name for w in game.waits if arrangements(game, hand, w.shape))
        counted[hand_holds(Waiting(False), game, hand), named] += 1
        for wait in game.waits:
            wrong |= {wait.name} if hand_holds(claims_wrongly(wait.name), game, hand) else set()
    del counted[False, frozenset[str]()]
    assert {(c.waits, c.names): c.hands for c in wait_classes(Compiled(game))} == counted
    assert {w.name for w in game.waits if unsound_wait(Compiled(game), w) is not None} == wrong


def test_hands_of_one_size_are_asked_for_choices_and_the_summary_says_so() -> None:
    game = loads(text_of("loose"))
    hands = (hand for hand in every_hand(game.core, "庄") if sum(hand.counts) == 7)
    assert open_choices(game.compiled).of == sum(bool(arrangements(game.core, hand)) for hand in hands) > 0
    report = verify(game, ["V103", "V104"])
    assert "V103 只问了 7 张的手" in summary(report, "zh")
    assert "hands of 7 tiles only" in summary(report, "en")


def test_a_judgement_of_more_tiles_than_anybody_is_dealt_is_no_fault_of_the_deal() -> None:
    text = text_of("tight", "") + "判 全 于 局 {\n牌型 { 单 a }\n和 { 形 不限；张数 9 }\n}\n"
    game = loads(text).judgement("全")
    assert not verify(game, ["V114", "V115"]).findings
    assert verify(loads(text_of("tight").replace("张数 不限", "张数 6")), ["V114"]).findings


ALL = """牌型 { 合 a b 跨房 当 点 a + 点 b = 4；散 a }
  价 胡 { 合 2；散 0 }
  和 { 形 不限；张数 不限；须 起：胡 ≥ 2 }"""


def test_a_hand_without_the_shape_is_shown_or_the_question_stays_open() -> None:
    """Every hand of this game has the shape, which the solver, that only knows arrangements, cannot know."""
    claims = "断言 一 存在 非 形 答 无\n断言 二 存在 非 形 或 胡 ≥ 5 答 有\n断言 三 存在 胡 ≥ 5 答 有"
    report = verify(loads(TEXT.format(body=f"{ALL}\n{claims}", wild="")), ["V119"])
    assert [s.got for s in report.statements] == [None, True, True]
    assert [u.reason[1] for u in report.unknown] == ["no hand without the win shape was found to show it"]
    free = verify(loads(text_of("free", "断言 一 存在 非 形 答 有")), ["V119"])
    assert [s.got for s in free.statements] == [True] and not free.unknown
