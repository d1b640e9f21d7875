"""What one choice of options leaves for the next must never be taken for something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

import dsl
from dsl.core.model import Game
from dsl.front.load import Library, load_text
from verifier import verify
from verifier.checking import core_of, study_for
from verifier.essence import Numbers, essence, in_full, world_key

TEXT = """
规则 试 {
  选项 几张 四张 | 三张
  选项 坎价 两分 | 三分
  选项 碰牌 锁住 | 散开
  选项 门槛 高 | 低
  牌 { 房 上大人 丘乙己；每张 4 }
  座 { 庄 6；闲 5 }
  牌型 { 句 a b c 作 1组；坎 a a a 作 1组；碰 a a a 作 1组 锁 }
  价 分 { 句 1；坎 2；碰 1 }
  和 { 形 2组；重组 未锁；须 起和：分 ≥ 3 }
  若 几张 = 三张 { 改 牌.每张 3 }
  若 坎价 = 三分 { 调 价.分.坎 2 → 3 }
  若 碰牌 = 散开 { 改 和.重组 皆 }
  若 门槛 = 低 { 调 和.起和 3 → 2 }
  断言 S-1「有坎」存在 和 且 数 坎 = 1 答 有
}
"""


def alone(options: dict[str, str]) -> Game:
    """The game as it is when nothing else has been loaded before."""
    return dsl.loads(TEXT, options).core


@pytest.fixture(scope="module")
def choices() -> list[dict[str, str]]:
    named = {choice.name: choice.values for choice in alone({}).choices}
    return [dict(zip(named, values, strict=True)) for values in product(*named.values())]


def test_games_of_one_library_are_those_of_a_library_each(choices: list[dict[str, str]]) -> None:
    library = Library()
    for options in [*choices, *reversed(choices)]:
        loaded = load_text(TEXT, "-", options, library)
        assert loaded.game == alone(options)
    assert len(library.memory.grounds) == 4
    assert len(library.memory.priced) == 8


def test_only_choices_that_touch_no_meld_share_their_melds(choices: list[dict[str, str]]) -> None:
    library = Library()
    games = [(o, load_text(TEXT, "-", o, library).game) for o in choices]
    for (one, left), (other, right) in product(games, games):
        assert left is not None and right is not None
        assert (left.melds is right.melds) == ({**one, "门槛": ""} == {**other, "门槛": ""})


def test_faults_are_found_every_time() -> None:
    library, wrong = Library(), TEXT.replace("坎 2；", "坎 2；空 1；")
    first = load_text(wrong, "-", {}, library).faults
    assert [fault.code for fault in first] == ["N001"]
    assert load_text(wrong, "-", {"门槛": "低"}, library).faults == first
    assert load_text(TEXT, "-", {}, library).faults == ()


def test_without_claims_only_examples_and_statements_are_missing() -> None:
    game = dsl.loads(TEXT)
    bare = game.loader.again(game.core, {}, claims=False)
    assert game.core.statements and not bare.statements
    assert essence(bare) == essence(game.core)


def test_numbers_tell_apart_what_keys_tell_apart(choices: list[dict[str, str]]) -> None:
    numbers, library = Numbers(), Library()
    games = [load_text(TEXT, "-", options, library).game for options in choices]
    known = [g for g in games if g is not None]
    for key in (essence, world_key):
        short = [numbers.of(key(game, numbers.part)) for game in known]
        long = [key(game, in_full) for game in known]
        for i, j in product(range(len(known)), repeat=2):
            assert (short[i] == short[j]) == (long[i] == long[j])


# ---------------------------------------------------------------- rulesets that are in no file


def lines() -> Iterator[str]:
    report = verify(dsl.loads(TEXT), ["V116"])
    assert report.unknown == ()
    table = next(f for f in report.findings if f.subject == ("table",))
    yield table.sentence[1]
    yield from (verdict[1] for verdict in table.verdicts)


def test_options_of_a_text_can_be_tried() -> None:
    assert "tried 4 changes and 6 pairs" in next(lines())


def test_a_text_is_verified_under_other_options() -> None:
    game = dsl.loads(TEXT)
    assert core_of(game, {"门槛": "低"}).options["门槛"] == "低"
    known = study_for(game, {"坎价": "三分"}).reload({"几张": "三张"}).game
    assert known == replace(alone({"坎价": "三分", "几张": "三张"}), statements=())
