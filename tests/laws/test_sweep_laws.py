"""Large components read kind by kind give what their rows give, and what trying everything gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest

from dsl import Game, Hand, load, loads
from dsl.core import limits
from dsl.core.evaluate import Position, Situation, is_win
from dsl.core.hand import to_json
from dsl.core.limits import TooLarge
from dsl.core.model import EveryAwaited, HandAnd, HandNot, WaitFaces, Waiting, WaitIs, WaitWins
from dsl.core.model import Game as Core
from dsl.core.reference import arrangements, judge
from dsl.judge import automaton, inside, machines, sweep
from dsl.judge.accepted import accepted
from dsl.judge.hands import ask_hands, complete_hands, unsound_wait
from dsl.judge.machines import ClosedScore, ClosedWins, Holding, Shaped, search
from dsl.judge.situations import SituationMaker
from dsl.judge.situations_inside import Reading
from tests.conftest import SMALL, any_hands
from verifier.difference import diff

FIELD = Path(__file__).parents[1] / "field"

TIED = """
规则 小连 {
  牌 {
    房 小 = 一 二 三
    房 大 = 壹 贰 叁
    每张 3
    值 点：一 1 二 2 三 3 壹 1 贰 2 叁 3
  }
  来路 { 他人 = 他摸 他打；手 起手 }
  座 { 庄 6；闲 5 × 2 }
  牌型 {
    顺 a b c 作 1组 当 位 b - 位 a = 1 且 位 c - 位 b = 1  待 a b c
    杂 a a b 作 1组 当 点 a = 点 b 跨房                     待 a b
    对 a a   作 1对 待 a
    搭 a b   作 1对 当 点 a = 点 b 跨房                     待 a b
    单 a     作 1单 待 b
  }
  价 分 { 顺 2；杂 0；对 1；搭 0；单 0 }
  和 { 形 1组 1对 1单；须 够：分 ≥ 2 }
  名 { 对和：数 对 = 1 倍 2；偶：分 模 2 = 0 倍 3 }
  支付 { 和：每家 付 当家 倍；诈和：当家 付 每家 1 }
  落叫 { 两对 2对 1单 等 对 搭；少单 1组 1对 等 单 }
}
"""


@pytest.fixture
def swept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every component counts as large."""
    monkeypatch.setattr(sweep, "FEW", 0)
    monkeypatch.setattr(machines, "FEW", 0)


@pytest.fixture
def tied(tmp_path: Path) -> str:
    path = tmp_path / "game.pai"
    path.write_text(TIED)
    return str(path)


@pytest.mark.usefixtures("swept")
@pytest.mark.parametrize(
    ("path", "number"),
    [
        (SMALL / "两句.pai", 300),
        (SMALL / "坐醒.pai", 150),
        (FIELD / "er.pai", 60),
        (FIELD / "t80.pai", 25),
        (FIELD / "yao.pai", 30),
        (f"{SMALL / '两句标.pai'}[标法=都算]", 200),
    ],
    ids=lambda given: "" if isinstance(given, int) else Path(given).stem,
)
def test_judging_agrees_with_the_reference(path: Path | str, number: int) -> None:
    game = load(str(path))
    complete = 0
    for hand in any_hands(game, number, seed=5):
        wanted = judge(game.core, hand)
        complete += wanted.complete
        assert game.compiled.outcome(hand) == wanted, to_json(game.core, hand)
        assert game.is_win(hand) is wanted.win
    assert complete
    assert game.compiled.full.maker.sweeps.large


def _all_asked(game: Game) -> Iterator[Any]:
    """Answers to many questions about all hands."""
    compiled, core = game.compiled, game.core
    yield complete_hands(compiled)
    for wait in core.waits:
        yield unsound_wait(compiled, wait)
        yield ask_hands(compiled, WaitIs(wait.name))
        yield ask_hands(compiled, HandAnd((WaitIs(wait.name), HandNot(Waiting(False)))))
        if len(core.components) > 1:
            yield ask_hands(compiled, EveryAwaited(wait.name, "win"))
    yield ask_hands(compiled, HandAnd((WaitWins(True), WaitWins(False))))
    for faces in (1, 3):
        yield ask_hands(compiled, WaitFaces(1, "=", faces))
    yield _tally(game, ClosedScore(compiled), core.finished)
    yield _tally(game, ClosedWins(compiled, core.roles[-1]), core.finished)
    both = (Shaped(compiled.shaped), Holding(core, 1))
    found = search(core, both, core.finished)
    yield sorted((a.complete, n, r.hands, r.deals, r.first) for (a, n), r in found.items())


def _tally(game: Game, machine: Any, size: int) -> list[Any]:
    found = search(game.core, (machine,), size)
    return sorted((r.first, r.hands, r.deals) for (s,), r in found.items() if machine.accepts(s))


@pytest.mark.parametrize("which", ["tied", "small"])
def test_questions_about_all_hands_have_the_same_answers(
    which: str, tied: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = []
    for few in (0, 10**9):
        monkeypatch.setattr(sweep, "FEW", few)
        monkeypatch.setattr(machines, "FEW", few)
        answers.append(list(_all_asked(load(tied if which == "tied" else str(SMALL / "两句.pai")))))
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("swept")
def test_counts_are_those_of_all_hands_tried_one_by_one(tied: str) -> None:
    game = load(tied)
    core, compiled = game.core, game.compiled
    complete = {c for c in _hands(core.kinds, core.finished) if arrangements(core, Hand("闲", (), c, None))}
    found = complete_hands(compiled)
    assert found.hands == len(complete)
    assert found.deals == sum(
        prod(comb(k.copies, n) for k, n in zip(core.kinds, c, strict=True)) for c in complete
    )
    assert machines.whole(found.first, core) == max(complete)
    waiting = {
        c for c in _hands(core.kinds, core.waiting) if any(m in complete for m in _more(core.kinds, c))
    }
    assert ask_hands(compiled, Waiting(False)).hands == len(waiting)


def _hands(kinds: Any, size: int) -> Iterator[tuple[int, ...]]:
    return (c for c in product(*(range(k.copies + 1) for k in kinds)) if sum(c) == size)


def _more(kinds: Any, counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for place, kind in enumerate(kinds):
        if counts[place] < kind.copies:
            yield (*counts[:place], counts[place] + 1, *counts[place + 1 :])


@pytest.mark.parametrize("which", ["tied", "lying", "两句", "yao"])
def test_hands_counted_all_at_once_are_those_searched_for(which: str, request: Any) -> None:
    made = {"tied": "{}", "lying": "{}#摆出来硬"}
    path = made[which].format(request.getfixturevalue(which)) if which in made else ""
    game = load(path or str((SMALL if which == "两句" else FIELD) / f"{which}.pai"))
    core, compiled = game.core, game.compiled
    for size in (core.finished, core.finished - 2):
        for machine in (ClosedWins(compiled, core.roles[-1]), Shaped(compiled.shaped)):
            every = search(core, (machine,), size)
            held = [r for (state,), r in every.items() if machine.accepts(state)]
            assert accepted(core, machine, size) == (sum(r.hands for r in held), sum(r.deals for r in held))


def test_hands_are_not_counted_all_at_once_where_lower_scores_matter(tied: str) -> None:
    text = Path(tied).read_text(encoding="utf-8").replace("须 够：分 ≥ 2", "须 少：分 ≤ 2")
    game = loads(text)
    assert accepted(game.core, ClosedWins(game.compiled, "闲"), 6) is None


# ---------------------------------------------------------------- two rulesets at once

LYING = """
规则 摆出来 {
  牌 {
    房 小 = 一 二 三
    房 大 = 壹
    每张 4
    值 点：一 1 二 2 三 3 壹 1
  }
  来路 { 他人 = 他摸 他打；手 起手 }
  座 { 庄 6；闲 5 × 2 }
  牌型 {
    顺 a b c   作 1组 当 位 b - 位 a = 1 且 位 c - 位 b = 1
    杂 a a b   作 1组 当 点 a = 点 b 跨房
    吃 a b c   作 1组 锁 当 位 b - 位 a = 1 且 位 c - 位 b = 1
    碰 a a a   作 1组 锁 其余 起手 第三 他人
    杠 a a a a 作 1组 锁 补 1
    对 a a     作 1对
    单 a       作 1单
  }
  价 分 { 顺 2；杂 2；吃 1；碰 1；杠 3；对 1；单 0 }
  和 { 形 1组 1对 1单；须 够：分 ≥ 2 }
  名 { 碰在：有 碰 倍 2；末碰：末张 入 碰 且 末张 他打 倍 3；偶：分 模 2 = 0 倍 3 }
  支付 { 和：每家 付 当家 倍；诈和：当家 付 每家 1 }
}
规则 摆出来硬「分要多些」 继承 摆出来 {
  调 和.够 2 → 4
  调 价.分.对 1 → 0
}
规则 不连「大小不连」 继承 摆出来 { 删 牌型.杂；删 价.分.杂 }
规则 标出来 继承 摆出来 { 加 牌.标 将 随 抬将 身 庄 皆；加 价.分.碰.将 3 代 碰；加 价.分.杂.将 4 代 杂 }
规则 标出来硬 继承 标出来 { 调 和.够 2 → 4；调 价.分.对 1 → 0 }
"""


@pytest.fixture
def lying(tmp_path: Path) -> str:
    path = tmp_path / "game.pai"
    path.write_text(LYING)
    return str(path)


@pytest.mark.parametrize(("sides", "mark"), [(("摆出来", "摆出来硬"), None), (("标出来", "标出来硬"), 1)])
def test_two_rulesets_read_kind_by_kind_as_situation_by_situation(
    sides: tuple[str, str], mark: int | None, lying: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "FEW", 0)
    left, right = (load(f"{lying}#{name}").compiled.marked(mark) for name in sides)
    for which in ("paid", "scored", "every_outcome"):
        maker = SituationMaker(getattr(left, which), getattr(right, which))
        size = left.game.finished
        reading = Reading(maker, 0, (size, size))
        assert reading.possible
        read = {(x.tiles, x.last, x.rows): (x.cost, x.first) for x in reading.letters()}
        every = (x for x in maker.letters(0) if max(x.tiles) <= size)
        assert read == {(x.tiles, x.last, x.rows): (x.cost, x.first) for x in every}
        assert len(read) > 50


def test_a_small_component_in_which_too_much_can_lie_exposed_is_read_kind_by_kind(
    lying: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "FEW", 10**9)
    answers = []
    for largest, how in ((limits.LARGEST, "automaton"), (5_000, "sweep")):
        monkeypatch.setattr(limits, "LARGEST", largest)
        found = diff(f"{lying}#摆出来", f"{lying}#摆出来硬")
        assert found.how == how
        answers.append(
            {
                a.name: (a.relation, a.hands, a.probability, [(c.reason, c.witness) for c in a.classes])
                for a in found.aspects.values()
            }
        )
    assert answers[0] == answers[1]


def test_rulesets_whose_tiles_hang_together_otherwise_are_compared(
    lying: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = []
    for few in (0, 10**9):
        monkeypatch.setattr(sweep, "FEW", few)
        found = diff(f"{lying}#摆出来", f"{lying}#不连")
        answers.append(
            {
                a.name: (a.relation, a.hands, a.probability, [(c.reason, c.side, c.hands) for c in a.classes])
                for a in found.aspects.values()
            }
        )
    assert answers[0] == answers[1]
    tried: Counter[str] = Counter()
    both = (found.left.core, found.right.core)
    for counts in _hands(both[0].kinds, 6):
        a, b = (_wins(game, counts) for game in both)
        tried["both" if a and b else "left_only" if a else "right_only"] += a or b
    assert answers[0]["win"][:2] == ("superset", tried)
    assert tried["left_only"]


def _wins(game: Core, counts: tuple[int, ...]) -> bool:
    situation = Situation("闲", "自摸")
    found = arrangements(game, Hand("闲", (), counts, None))
    return any(is_win(Position(game, a, situation)) for a in found)


# ---------------------------------------------------------------- large decks


def test_large_decks_are_counted() -> None:
    pairs = load(str(FIELD / "er.pai"))
    every = search(pairs.core, (Shaped(pairs.compiled.shaped),), pairs.core.finished)
    assert sum(r.hands for r in every.values()) == machines.different_hands(pairs.core, pairs.core.finished)
    suits = _suit(False), _suit(True)
    assert complete_hands(pairs.compiled).hands == sum(
        suits[a][4 - groups] * suits[1 - a][groups] for a in range(2) for groups in range(5)
    )


def _suit(pair: bool) -> list[int]:
    """By groups of three (runs and triples), with a pair or without: hands of one suit, all tried."""
    runs = [tuple(int(i <= k < i + 3) for k in range(10)) for i in range(8)]
    groups = runs + [tuple(3 * int(i == k) for k in range(10)) for i in range(10)]
    pairs = [tuple(2 * int(i == k) for k in range(10)) for i in range(10)] if pair else [(0,) * 10]
    layer = set(pairs)
    sizes = [len(layer)]
    for _ in range(4):
        sums = {tuple(map(int.__add__, a, b)) for a in layer for b in groups}
        layer = {s for s in sums if max(s) <= 4}
        sizes.append(len(layer))
    return sizes


@pytest.mark.parametrize("name", ["t80", "er", "yao"])
def test_batches_of_large_decks_say_what_single_hands_do(name: str) -> None:
    game = load(str(FIELD / f"{name}.pai"))
    role = game.core.roles[0]
    given = (h for h in any_hands(game, 200, seed=2) if not h.laid and h.last is not None)
    hands = [replace(h, role=role, declared=None, context={}) for h in given]
    batch, wins = game.judge_many(hands), game.win_many(hands)
    verdicts = [game.judge(h) for h in hands]
    assert batch.complete.tolist() == [v.complete for v in verdicts]
    assert batch.score.tolist() == [v.score for v in verdicts]
    assert wins.tolist() == [v.win for v in verdicts]
    assert any(v.complete for v in verdicts)


def test_rows_forgotten_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "KEPT", 5)
    game, usual = (load(str(FIELD / "er.pai")) for _ in range(2))
    for hand in any_hands(game, 60, seed=4):
        assert game.compiled.outcome(hand) == judge(usual.core, hand)


def test_what_would_take_too_much_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "HEAVIEST", 20_000)
    game = load(str(FIELD / "t80.pai"))
    with pytest.raises(TooLarge) as large:
        complete_hands(game.compiled)
    assert large.value.words[1].startswith("the tiles all hang together")
    with pytest.raises(TooLarge) as large:
        search(game.core, (Shaped(game.compiled.shaped),), 21, frozenset({0}))
    assert f"{5**20:,}" in large.value.words[0]
    assert limits.LARGEST < 5**10


def test_a_sweep_forgets_when_it_holds_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "MOST", 500)
    game = load(str(FIELD / "t80.pai"))
    usual = load(str(FIELD / "t80.pai"))
    for hand in any_hands(game, 20, seed=8):
        assert game.compiled.outcome(hand) == usual.compiled.outcome(hand)
    assert game.compiled.full.sweep(0).states < 2_000
