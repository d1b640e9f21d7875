"""What 收 says a seat gets is what the judge's payments come to, for every arrangement of the hands tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest

import dsl
from dsl.core.evaluate import Position, holds, names_held, payments, scores, times
from dsl.core.model import Formula, Game, Linear, Outcome, Times
from dsl.core.receipts import Part, Receipt, compared_receipts
from dsl.core.reference import arrangements
from dsl.core.statements import Statement
from tests.arranged import Arranger
from tests.conftest import ROOT, SMALL
from verifier.checking import study_of
from verifier.properties.v119_statements import answer

PAYMENTS = """
  删 名.满；删 名.绍和
  改 支付.和：每家 付 当家 1 × 倍 + （符 - 6） 每满 3
  加 支付.和 庄让：庄 付 每家 1 翻倍 倍 若 素 且 身 闲
  加 支付.流局 穿：每家 付 庄 3 若 雨 = 是
"""


def small(more: str = "") -> Game:
    return dsl.loads(f"规则 试 继承 「{SMALL}/两句.pai」 {{ {PAYMENTS} {more} }}", shown="试").core


TAIHU = str(ROOT / "specs/hubei/xiantao/game.pai")
GAMES: dict[str, Callable[[], Game]] = {
    "两句": small,
    "叠法": lambda: small("改 名.叠法 最高"),
    "抬胡": lambda: dsl.load(TAIHU, {"人数": "4"}).core,
    "抬胡罚": lambda: dsl.load(TAIHU, {"人数": "4", "A-38": "R1", "A-39": "R2", "A-43": "R2"}).core,
    "十符硬": lambda: dsl.load(str(ROOT / "specs/hubei/shifuying/game.pai")).core,
}


def positions(game: Game, number: int) -> Iterator[Position]:
    """Every arrangement of hands near a win, each in its situation."""
    for seed, hand in enumerate(islice(Arranger(game).hands(number * 9, seed=7), number)):
        context = {p.name: p.values[seed % len(p.values)] for p in game.parameters}
        view = game.seen_by(hand.role)
        for arrangement in arrangements(view, hand, view.win.shape):
            yield Position(game, arrangement, replace(hand.situation, context=context))


def paid(at: Position, outcome: Outcome, called: tuple[str, ...]) -> dict[str, int]:
    """By the reference: the right names of a win, those called of a false one."""
    names = names_held(at) if outcome == "win" else tuple(n for n in at.game.names if n.name in called)
    return payments(at, outcome, times(at.game, names), scores(at.game, at.arrangement))


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_gets_what_the_reference_pays(name: str) -> None:
    game, met = GAMES[name](), set()
    outcomes: list[tuple[Outcome, tuple[str, ...]]] = [("win", ()), ("draw", ())]
    outcomes += [("false_win", ()), ("false_win", (game.names[-1].name,))]
    said: dict[object, Formula] = {}

    def exactly(at: Position, value: int, *parts: Part) -> bool:
        if (parts, value) not in said:
            said[parts, value] = equal(game, value, *parts)
        return holds(said[parts, value], at)

    for at in positions(game, 8):
        for outcome, called in outcomes:
            due = paid(at, outcome, called)
            for seat, amount in due.items():
                part = (1, Receipt(seat, outcome, called))
                assert exactly(at, amount, part) and not exactly(at, amount + 1, part)
                met.add((outcome, amount))
            assert exactly(at, 0, *((2, Receipt(seat, outcome, called)) for seat in due))
    assert len(met) > 8


def equal(game: Game, value: int, *parts: Part) -> Formula:
    formula = compared_receipts(game, Linear(), "=", Linear(constant=value), parts)
    assert formula is not None
    return formula


def test_the_names_come_to_what_the_reference_multiplies_by() -> None:
    for game in (small(), small("改 名.叠法 最高"), small("改 名.叠法 相加")):
        met = set()
        for at in positions(game, 15):
            factor = times(game, names_held(at))
            assert holds(equal(game, -factor, (1, Times()), (-2, Times())), at)
            assert not holds(equal(game, factor + 1, (1, Times())), at)
            met.add(factor)
        assert len(met) > 3


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("凡 和 则 收 庄 + 收 闲1 + 收 闲2 = 0", True),
        ("凡 和 且 身 庄 且 符 = 9 则 收 当家 = 2 × 倍 + 2", True),
        ("凡 和 且 身 庄 且 符 = 9 则 收 当家 = 2 × 倍", False),
        ("凡 和 且 身 闲 且 非 素 且 雨 = 否 则 收 庄 = 收 闲2", True),
        ("凡 和 且 身 闲 则 收 庄 = 收 闲2", False),
        ("存在 和 且 收 当家 > 50", True),
        ("存在 身 庄 且 1 ≤ 收 庄 于 诈和 清 < 4", False),
        ("存在 身 庄 且 收 庄 于 诈和 清 = 0 - 8", True),
        ("存在 雨 = 否 且 收 庄 于 流局 ≠ 0", False),
        ("存在 雨 = 是 且 收 庄 于 流局 = 6", True),
    ],
)
def test_the_solver_answers_about_what_seats_get(claim: str, expected: bool) -> None:
    game = small(f"断言 Q-1 {claim} 答 真")
    statement: Statement = game.statements[-1]
    assert answer(study_of(game), statement).got is expected


@pytest.mark.parametrize(("more", "expected"), [(6, True), (7, False)])
def test_two_arrangements_of_one_hand_can_be_paid_differently(more: int, expected: bool) -> None:
    claim = f"断言 Q-1 存在 能成（收 庄 = 4）且 能成（收 庄 = {more}）答 有"
    game = dsl.loads(f"规则 试 继承 「{TAIHU}」 {{ {claim} }}", shown="试").core
    assert answer(study_of(game), game.statements[-1]).got is expected
