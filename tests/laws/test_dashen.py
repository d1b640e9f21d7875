"""打神: what its sources claim of all hands, and what a real deck refuses."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest

from dsl import Game, HandError, load, loads
from dsl.judge.machines import Shaped, search, waiting
from dsl.judge.rows import Wilds
from dsl.judge.wild_hands import WildDrawn
from tests.conftest import ROOT, SMALL
from verifier import verify
from verifier.questions import put

PATH = str(ROOT / "specs/hubei/dashen/game.pai")
THREE = ("大碰头", "三条口", "单钓鱼")


@pytest.fixture(scope="module")
def dashen() -> Game:
    return load(PATH)


def missed(game: Game) -> tuple[int, int]:
    """Hands without a wild tile that a natural tile completes, or that have one of the three waits, and that
    a wild one does not complete. Any eighteen of 24 faces are in play in some deal."""
    core, compiled = game.core, game.compiled
    wild = WildDrawn(compiled.with_wilds(Wilds(1, last=True)).shaped)
    machines = (waiting(compiled), wild, *(Shaped(compiled.wait_types[name]) for name in THREE))
    natural = shaped = 0
    for states, reached in search(core, machines, core.waiting).items():
        waits, made, *called = (m.accepts(s) for m, s in zip(machines, states, strict=True))
        natural += reached.hands * (waits and not made)
        shaped += reached.hands * (any(called) and not made)
    return natural, shaped


def test_every_waiting_hand_completes_on_a_wild_tile(dashen: Game) -> None:
    assert missed(dashen) == (0, 0)


def test_without_fifth_copies_some_wait_for_nothing() -> None:
    """C-06: one house with all its tiles, and a triple of one face in each of two of the other seven."""
    assert missed(load(PATH, {"DS-08": "R2"})) == (0, 8 * comb(7, 2) * 3**2)


def hand(**changes: Any) -> dict[str, Any]:
    tiles = "丘乙己丘乙己化三千七十士尔小生八九上"
    return {"hand": list(tiles), "last": {"tile": "人", "from": "自摸"}, "context": {"翻": "上"}, **changes}


def test_the_tile_turned_up_is_out_of_play(dashen: Game) -> None:
    """With one 上 on the table nobody has four of them, unless it stays in the stock."""
    four = hand(hand=list("上上上上丘乙己化三千七十士尔小生八九"))
    with pytest.raises(HandError) as refusal:
        dashen.judge(four)
    assert [d.code for d in refusal.value.diagnostics] == ["H022"]
    assert load(PATH, {"DS-04": "R2"}).judge(four).win
    dashen.judge(hand(hand=list("上上上丘乙己化三千七十士尔小生八九可")))


def test_five_wild_tiles_are_refused(dashen: Game) -> None:
    with pytest.raises(HandError) as refusal:
        dashen.judge(hand(hand=list("大大大大大丘乙己化三千七十士尔小生八")))
    assert [d.code for d in refusal.value.diagnostics] == ["H004"]


@pytest.mark.parametrize("check", ["V103", pytest.param("V110", marks=pytest.mark.slow)])
def test_examples_can_be_judged_as_they_stand(dashen: Game, check: str) -> None:
    """Hands that findings and answers show name a deal that leaves them in play."""
    can_be_judged(dashen, check)


def test_examples_of_a_small_game_can_be_judged_as_they_stand() -> None:
    """Two tiles of each face: the tile turned up is missed where a wait would need both."""
    small = f"规则 小 继承 「{SMALL / '两句神.pai'}#两句神」 {{ 改 牌.每张 2 }}"
    can_be_judged(loads(small, {"种": "随翻", "限": "不设限"}), "V110")


def can_be_judged(game: Game, check: str) -> None:
    findings = verify(game, checks=[check]).findings
    assert findings
    for finding in findings:
        assert finding.example is not None
        shown = finding.example.hand
        assert shown["context"]
        game.hand(shown, missing=int(check == "V110"))


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param("存在 叫 大碰头 且 听面 = 1", marks=pytest.mark.slow),
        "存在 非 形 且 末张 神 且 末张 他摸",
    ],
)
def test_questions_show_hands_in_a_deal(asked: str) -> None:
    answer = put(PATH, asked)
    assert answer.holds is True
    assert answer.example is not None
    assert answer.example.hand["context"]
