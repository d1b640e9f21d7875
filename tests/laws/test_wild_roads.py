"""Shorter roads to the same answers: hands counted layer by layer, automata that share questions, waits."""

from __future__ import annotations

from itertools import product

import pytest

from dsl import load
from dsl.core.formulas import false_win_formula, win_formula
from dsl.judge import rows
from dsl.judge.automaton import Automaton
from dsl.judge.awaited import halves
from dsl.judge.machines import Shaped, search
from dsl.judge.rows import RowKey, Wilds
from dsl.judge.weighed import weighed
from dsl.judge.wild_hands import different_deals
from tests.conftest import SMALL

PATH = str(SMALL / "两句神.pai")
KINDS = [("随翻", "随便"), ("另有", "单张")]


def game(kind: str, limit: str):
    return load(PATH, {"种": kind, "限": limit})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wilds", [0, 2])
def test_hands_counted_together_are_those_counted_one_by_one(kind: tuple[str, str], wilds: int) -> None:
    one, other = (game(*k).compiled.with_wilds(Wilds(wilds)) for k in (kind, (kind[0], "不设限")))
    for deal in different_deals(one):
        size = one.game.finished - wilds
        for sides in ((one.paid,), (one.paid, other.paid)):
            slow = search(deal.deck, tuple(map(Shaped, sides)), size)
            fast = {w.states: (w.hands, w.deals) for w in weighed(deal.deck, sides, size)}
            assert fast == {states: (r.hands, r.deals) for states, r in slow.items()}
            assert sum(hands for hands, _ in fast.values()) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_twin_with_its_questions_in_another_order_says_the_same(kind: tuple[str, str]) -> None:
    core = game(*kind).core
    asked = [win_formula(core), false_win_formula(core), *(n.formula for n in core.names)]
    how = {"scored": True, "capped": True, "wilds": Wilds(1)}
    known, own = Automaton(core, asked, **how), Automaton(core, asked[::-1], **how)
    assert known.reads_like(own) and (known.maker.probes == own.maker.probes) == known.reads_like(own, True)
    twin = known.twin(own)
    sides = (twin, own)
    for deal in different_deals(game(*kind).compiled):
        for found in weighed(deal.deck, sides, core.finished - 1):
            mine, others = (a.finals(state, 0) for a, state in zip(sides, found.states, strict=True))
            assert mine == others


def test_what_is_forgotten_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "WORKED_OUT", 2)
    few, plenty = (game(*KINDS[0]) for _ in range(2))
    keys = [RowKey(0, (i, j, k)) for i in range(3) for j in range(3) for k in range(3)]
    makers = [g.compiled.with_wilds(Wilds(2)).full.maker for g in (few, plenty)]
    forgetful = [makers[0].options(key) for key in keys]
    monkeypatch.setattr(rows, "WORKED_OUT", 1 << 40)
    assert forgetful == [makers[1].options(key) for key in keys]
    assert len(makers[0].packed) < len(makers[1].packed) or len(makers[0]._memo) < len(makers[1]._memo)


@pytest.mark.parametrize("components", range(1, 10))
def test_every_component_is_left_out_once(components: int) -> None:
    read, left = [()] * (components + 2), []
    steps, place = halves(components), 0
    for level, others, one, other, after in steps:
        done = (*read[level], *others)
        read[level + 1] = done
        if not after:
            left += {one, other}
            assert sorted({*done, one, other}) == list(range(components))
            assert len(done) == components - len({one, other})
        place += 1
    assert sorted(left) == list(range(components)) and place == steps[0][4] + 1


def test_what_melds_come_to_is_the_same_packed_in_one_number() -> None:
    packed = game(*KINDS[0]).compiled.with_wilds(Wilds(2)).full.maker.packed
    bounded, width = len(packed.maker.bounds), len(packed.maker.summed)
    assert width > 1
    for score, number in product((-7, 0, 9), (-3, 0, 2)):
        sums = (*range(bounded), *(number for _ in range(width - 1)), -number)
        assert list(packed._open_all([packed._pack(sums, score)])) == [(sums, score, -1)]
