"""Waiting hands with wild tiles: statements, counts and choices against going through hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

import dsl
from dsl.core.deals import deals
from dsl.core.hand import Hand
from dsl.core.model import OWN_DRAW, EveryAwaited, Game, HandAnd, HandFormula, HandNot, WaitIs
from dsl.core.reference import arrangements, outcome_of
from dsl.core.waiting import closed, hand_holds
from dsl.judge import edges
from dsl.judge.compiled import Compiled
from dsl.judge.hands import ask_hands, unsound_wait
from dsl.judge.wild_hands import hands_sought
from tests.conftest import SMALL
from tests.laws.test_statement_laws import once as once
from verifier import waits
from verifier.choices import MOST_WILDS, open_choices
from verifier.waits import wait_classes

VARIANTS = [("随翻", "不设限"), ("另有", "单张"), ("随翻", "随便真碰")]

ASKED = (
    "存在 听 且 有 神", "凡 听 且 无 神 则 听 神", "存在 听 神 且 数 神 = 1", "存在 听 且 非 听 神",
    "存在 叫 大碰 且 非 听", "凡 叫 双口（有 神）则 听", "存在 叫 单吊（数 神 = 1）且 数 神 ≥ 1",
    "存在 听诈 且 有 神", "凡 听 则 听和", "存在 听面 = 7", "存在 听面 = 1 且 数 神 < 2",
    "存在 叫 双口 且 非（凡 等 双口：形）", "凡 叫 单吊 且 有 神 则 凡 等 单吊：和",
    "存在 2 × 数 神 > 2 且 听面 ≥ 6", "存在 非（无 神 或 听）且 叫 大碰", "存在 有 神 且 数 神 = 0 且 听",
)  # fmt: skip


@cache
def stated(kind: str, limit: str) -> Game:
    """A deck of two tiles of each face, and these questions as statements."""
    lines = "\n".join(f"  断言 Q-{i} {claim} 答 有" for i, claim in enumerate(ASKED))
    base = f"规则 问 继承 「{SMALL / '两句神.pai'}#两句神」 {{\n  改 牌.每张 2\n{lines}\n}}\n"
    return dsl.loads(base, {"种": kind, "限": limit}, shown="问").core


@pytest.fixture(params=VARIANTS, ids=lambda v: "-".join(v))
def game(request: pytest.FixtureRequest) -> Game:
    return stated(*request.param)


def held(game: Game, size: int) -> Iterator[Hand]:
    """Every concealed hand of this size in every deal."""
    assert game.wild is not None
    for deal in deals(game):
        for counts in product(*(range(n + 1) for n in game.copies_in(deal))):
            wilds = size - sum(counts)
            if 0 <= wilds <= game.wild.copies:
                yield Hand(game.roles[-1], (), counts, None, deal, None, wilds)


def test_statements_equal_brute_force(game: Game) -> None:
    hands = list(held(game, game.waiting))
    open_ended = 0
    for text, statement in zip(ASKED, game.statements, strict=True):
        formula: HandFormula = statement.formula  # type: ignore[assignment]
        truth = [h for h in hands if hand_holds(formula, game, h)]
        answer = ask_hands(Compiled(game), formula)
        assert answer.hands == len(truth), text
        if truth:
            first = answer.hand(game.roles[-1])
            assert first in truth, text
            assert first.wilds == min(h.wilds for h in truth)
        open_ended += 0 < len(truth) < len(hands)
    assert open_ended > len(ASKED) // 2


def order(hand: Hand) -> tuple[int, int, tuple[int, ...]]:
    """The plainest hands come first."""
    return hand.wilds, sum(hand.counts), tuple(-n for n in hand.counts)


def test_named_waits_equal_brute_force(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the hands of a deal are counted one by one, together, or first one way and then the other."""
    hands: dict[tuple[bool, frozenset[str]], list[Hand]] = {}
    compiled = Compiled(game)
    for hand in held(game, game.waiting):
        names = frozenset(w.name for w in game.waits if arrangements(game, hand, w.shape))
        hands.setdefault((bool(compiled.waits(hand)), names), []).append(hand)
    hands.pop((False, frozenset()), None)
    wanted = {face: (len(alike), min(map(order, alike))) for face, alike in hands.items()}
    for shown in (-1, 0, 9):
        monkeypatch.setattr(waits, "SHOWN", shown)
        found = wait_classes(Compiled(game))
        assert {(group.waits, group.names): (group.hands, order(group.first)) for group in found} == wanted


@pytest.mark.parametrize("many", [1, edges.MANY])
def test_waiting_hands_counted_together_are_as_many(
    game: Game, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edges, "MANY", many)
    for number, sought in enumerate(hands_sought(Compiled(game), game.roles[-1], game.waiting)):
        wanted: Counter[tuple[bool, ...]] = Counter()
        for face, hands, *_ in waits._classes(sought, number):
            wanted[face] += hands
        assert waits._counted(sought) == wanted
        assert wanted


def test_a_wrong_winning_set_is_found_where_statements_find_it(game: Game) -> None:
    for wait in game.waits:
        unsound = HandAnd((WaitIs(wait.name), HandNot(EveryAwaited(wait.name, "complete"))))
        answer = ask_hands(Compiled(game), unsound)
        found = unsound_wait(Compiled(game), wait)
        assert (found is None) is (answer.first is None)
        if found is not None:
            hand, kind = found
            assert hand_holds(unsound, game, hand)
            assert not arrangements(game, replace(hand, last=(kind, OWN_DRAW)))


def test_open_choices_equal_brute_force(game: Game) -> None:
    plain = closed(game)
    complete, several = 0, []
    for hand in held(game, game.finished):
        if hand.wilds > MOST_WILDS:
            continue
        whole = Hand(plain.role, (), hand.counts, None, hand.context, None, hand.wilds)
        found = arrangements(game, whole)
        outcomes = {(o.win, o.payments) for o in (outcome_of(game, whole, a) for a in found)}
        complete += bool(outcomes)
        several += [hand] if len(outcomes) > 1 else []
    told = open_choices(Compiled(game))
    assert (told.hands, told.of) == (len(several), complete)
    assert told.first is not None
    assert order(told.first) == min(map(order, several))
