"""What statements say of tiles, of classes and of plain numbers, by two roads each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product

import pytest

import dsl
from dsl.core import waiting
from dsl.core.describe import describe
from dsl.core.evaluate import Position, Situation, holds
from dsl.core.hand import Hand, Laid
from dsl.core.model import ORIGINS, Compare, EveryAwaited, Game, HandAnd, HandNot, WaitIs
from dsl.core.reference import arrangements
from dsl.core.waiting import hand_holds
from dsl.judge.compiled import Compiled
from dsl.judge.hands import ask_hands, unsound_wait
from dsl.judge.sound import sound_by_melds
from tests.conftest import ROOT, SMALL
from verifier import verify
from verifier.numbers import by_solving, by_trying

SHIFUYING = ROOT / "specs/hubei/shifuying/game.pai"
CHANGES = {"未锁": "", "皆": "加 和.重组 皆", "窄": "改 牌型.口 当 位 b - 位 a = 1；改 牌型.单 待 a b c"}
"""The small game as it is, with everything regrouped at the win, and with waits that claim too much."""


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference tries the arrangements of a hand once, however often it is asked."""
    known: dict[object, object] = {}

    def remembered(function: Callable[..., object]) -> Callable[..., object]:
        def asked(game: Game, *rest: object) -> object:
            key = (function, id(game), *rest)
            if key not in known:
                known[key] = function(game, *rest)
            return known[key]

        return asked

    for function in (waiting.arrangements, waiting.judge):
        monkeypatch.setattr(waiting, function.__name__, remembered(function))


def stated(claims: tuple[str, ...], change: str = "未锁") -> Game:
    """The small game with these questions as statements."""
    lines = "\n".join(f"  断言 Q-{i} {claim} 答 有" for i, claim in enumerate(claims))
    text = f"规则 问 继承 「{SMALL / '两句.pai'}#两句」 {{\n  {CHANGES[change]}\n{lines}\n}}\n"
    return dsl.loads(text, shown="问").core


# ---------------------------------------------------------------- every meld


def test_every_meld_is_asked_the_same_of_the_situation() -> None:
    claims = (
        "存在 凡 型：身 庄",
        "凡 凡 型：身 庄 则 身 庄",
        "凡 身 庄 则 凡 型：身 庄",
        "存在 （凡 型：（符 ≥ 2 或 末张 自摸）） 且 非 （凡 型：符 ≥ 2）",
        "凡 （凡 型：（符 ≥ 2 或 末张 自摸）） 且 非 末张 自摸 则 凡 型：符 ≥ 2",
        "凡 末张 自摸 则 凡 型：（符 ≥ 2 或 末张 自摸）",
        "存在 凡 型：（末张 无 且 符 ≥ 1）",
        "凡 凡 型：（末张 无 且 符 ≥ 1） 则 末张 无",
        "凡 凡 型：非 错名 则 非 错名",
    )
    report = verify(stated(claims), ["V119"])
    assert [s.got for s in report.statements] == [True] * len(claims)


# ---------------------------------------------------------------- tiles

OF_TILES = (
    "存在 听面 = 0", "存在 听面 ≥ 1 且 非 听", "存在 听面 = 2", "存在 3 ≤ 听面 ≤ 4",
    "存在 2 × 听面 - 1 > 9",
    "存在 听面 ≠ 2 且 叫 单吊", "存在 6 = 听面", "存在 叫 单吊（有 句）", "存在 叫 单吊（数 坎 = 2）且 非 听",
    "存在 叫 大碰（皆 将 或 符 ≥ 9）", "存在 叫 单吊（凡 房：数 句 ≤ 1）且 听面 > 2",
    "存在 叫 双口（数 口 于 将 = 1 且 无 坎）", "凡 叫 单吊 则 凡 等 单吊：形",
    "凡 叫 双口 则 凡 等 双口：和",
    "凡 叫 大碰 且 听 则 凡 等 大碰：诈和", "存在 叫 大碰 且 非（凡 等 大碰：形）", "存在 凡 等 双口：诈和",
    "凡 叫 单吊（有 句）则 叫 双口", "凡 叫 单吊 则 叫 双口", "存在 听诈 且 听面 = 1", "存在 听诈 且 听和",
    "存在 非 听和 且 听",
)  # fmt: skip


def closed(game: Game) -> tuple[Hand, ...]:
    """Every concealed hand that is one tile short."""
    copies = [range(kind.copies + 1) for kind in game.kinds]
    found = (counts for counts in product(*copies) if sum(counts) == game.finished - 1)
    return tuple(Hand(game.roles[-1], (), counts, None) for counts in found)


@pytest.mark.parametrize("change", ["未锁", "窄"])
def test_questions_about_tiles_equal_brute_force(change: str) -> None:
    game = stated(OF_TILES, change)
    hands = closed(game)
    for text, statement in zip(OF_TILES, game.statements, strict=True):
        truth = [h.counts for h in hands if hand_holds(statement.formula, game, h)]  # type: ignore[arg-type]
        answer = ask_hands(Compiled(game), statement.formula)  # type: ignore[arg-type]
        assert (answer.hands, answer.first) == (len(truth), max(truth, default=None)), text


def test_most_questions_about_tiles_have_hands_and_hands_without() -> None:
    game = stated(OF_TILES)
    answers = [ask_hands(Compiled(game), s.formula).hands for s in game.statements]  # type: ignore[arg-type]
    assert sum(0 < hands < len(closed(game)) for hands in answers) > len(OF_TILES) // 3


def test_the_two_ways_to_look_for_a_wrong_winning_set_agree() -> None:
    wrong = set()
    for change in CHANGES:
        game = stated((), change)
        for wait in game.waits:
            unsound = HandAnd((WaitIs(wait.name), HandNot(EveryAwaited(wait.name, "complete"))))
            found = ask_hands(Compiled(game), unsound).hands
            assert (unsound_wait(Compiled(game), wait) is None) is (found == 0)
            wrong |= {change} if found else set()
    assert wrong == {"窄"}


def test_what_single_melds_tell_of_winning_sets_spares_the_search() -> None:
    """The search is what the other tests are about; real wait types leave nothing to it but what is wrong."""
    assert all(_told_by_melds(dsl.load(str(SHIFUYING)).core).values())
    wrong = _told_by_melds(dsl.load(str(SHIFUYING), {"VO-05": "R2"}).core)
    assert [name for name, sound in wrong.items() if sound] == ["大碰头", "三条口"]


def _told_by_melds(game: Game) -> dict[str, bool]:
    return {wait.name: sound_by_melds(Compiled(game), wait) for wait in game.waits}


# ---------------------------------------------------------------- exposed melds

WITH_LAID = (
    "摆 碰 存在 叫 单吊（数 碰 = 2）且 听面 = 2",
    "摆 碰 存在 叫 单吊（数 碰 = 2）且 听面 > 2", "摆 碰 存在 叫 单吊（数 碰 = 3）",
    "摆 碰 存在 叫 双口（有 碰）且 非（凡 等 双口：和）", "摆 碰 绍 存在 叫 大碰（有 碰 绍 且 皆 将）且 听和",
    "摆 绍 存在 听 且 叫 双口（数 招.一 = 1）",
    "摆 招 存在 叫 单吊（有 招）且 听", "摆 句 存在 叫 单吊（数 句 = 2）且 听面 = 6",
)  # fmt: skip


def ends(origins: list[str]) -> list[str]:
    return list(dict.fromkeys((origins[0], origins[-1])))


def exposed(game: Game, types: frozenset[int], own: int) -> Iterator[Hand]:
    """Every hand of so many tiles with up to two melds of these types exposed, dealt or claimed."""
    lying = [
        Laid(m.id, origins)
        for m in game.melds
        if m.type.index in types
        for origins in product(*(ends([o for o in ORIGINS[:3] if o in s.origins]) for s in m.slots))
    ]
    for many in range(3):
        for laid in combinations_with_replacement(lying, many):
            used = Counter(k for entry in laid for k in game.melds[entry.meld].tiles)
            free = [range(kind.copies - used[k] + 1) for k, kind in enumerate(game.kinds)]
            if all(used[k] <= kind.copies for k, kind in enumerate(game.kinds)):
                size = own - sum(used.values())
                yield from (Hand(game.roles[-1], laid, c, None) for c in product(*free) if sum(c) == size)


@pytest.mark.parametrize(
    ("change", "claims"),
    [
        ("未锁", WITH_LAID[:-1]),
        pytest.param("未锁", WITH_LAID[-1:], marks=pytest.mark.slow),
        pytest.param("皆", WITH_LAID, marks=pytest.mark.slow),
    ],
    ids=["未锁", "未锁 句", "皆"],
)
def test_questions_about_exposed_melds_equal_brute_force(change: str, claims: tuple[str, ...]) -> None:
    game = stated(claims, change)
    answers = []
    for text, statement in zip(claims, game.statements, strict=True):
        formula = statement.formula
        assert isinstance(formula, HandAnd | WaitIs)
        answer = ask_hands(Compiled(game), formula, laid=statement.laid)
        truth = any(hand_holds(formula, game, h) for h in exposed(game, statement.laid, game.waiting))
        assert (answer.first is not None) is truth, text
        if answer.first is not None:
            assert hand_holds(formula, game, Hand(game.roles[-1], answer.laid, answer.first, None))
        answers.append(truth)
    assert len(claims) == 1 or len(set(answers)) == 2


# ---------------------------------------------------------------- counts within a class

WITHIN = ("数 句 口 于 将", "数 红 于 将", "符 于 非将", "组 于 将")


def test_a_number_within_a_class_counts_only_what_lies_in_it() -> None:
    game = stated(tuple(f"存在 {what} = 1" for what in WITHIN))
    red = {k for k, kind in enumerate(game.kinds) if "红" in kind.classes}
    jiang = {k for k, kind in enumerate(game.kinds) if "将" in kind.classes}
    seen: set[tuple[int, ...]] = set()
    for hand in closed(game):
        drawn = Hand("闲", (), hand.counts, (0, "自摸"))
        for a in arrangements(game, drawn) if hand.counts[0] < 4 else ():
            melds = [game.melds[m] for m in a.melds]
            inside = [m for m in melds if set(m.tiles) <= jiang]
            meant = (
                sum(m.type.name in ("句", "口") for m in inside),
                sum(k in red and k in jiang for m in melds for k in m.tiles),
                sum(m.prices[0].points or 0 for m in melds if not set(m.tiles) & jiang),
                sum(m.type.gives[game.dims.index("组")] for m in inside),
            )
            seen.add(meant)
            for number, statement in zip(meant, game.statements, strict=True):
                said = holds(statement.formula, Position(game, a, Situation("闲", "自摸")))  # type: ignore[arg-type]
                assert said is (number == 1)
    assert all(len({numbers[i] for numbers in seen}) > 1 for i in range(len(WITHIN)))


# ---------------------------------------------------------------- plain numbers

OF_NUMBERS = (
    "算 凡 整数 k m：3 × k + 2 × m = 19 且 m = 2 则 k = 5", "算 凡 整数 k m：3 × k + 2 × m = 19 则 k = 5",
    "算 存在 整数 k m：3 × k + 2 × m = 1", "算 存在 整数 k：2 × k = 7", "算 存在 整数 k ≤ 3：2 × k = 8",
    "算 存在 整数 k ≤ 4：2 × k = 8", "算 凡 整数 底：底 + 价 碰 于 将 < 10 ≤ 底 + 价 绍 于 将 则 4 ≤ 底 ≤ 6",
    "算 凡 整数 x y ≤ 20：x - y ≥ 3 则 x > y + 2 且 x ≠ y", "算 存在 整数 x ≤ 30：x 模 7 = 3 且 非 x < 20",
    "算 存在 整数 x ≤ 30：x 模 2 = 0 且 x 模 2 = 1 或 x = 31", "算 凡 整数 x y z ≤ 5：x + y + z ≤ 15 则 真",
)  # fmt: skip


def test_numbers_are_the_same_to_the_solver_and_one_by_one() -> None:
    game = stated(OF_NUMBERS)
    found = []
    for text, statement in zip(OF_NUMBERS, game.statements, strict=True):
        tried = by_trying(game, statement, statement.formula)  # type: ignore[arg-type]
        status, _ = by_solving(game, statement, statement.formula)  # type: ignore[arg-type]
        assert status == ("unsat" if tried is None else "sat"), text
        found.append(tried)
    assert found[0] is None and found[1] == {"k": 1, "m": 8} and found[6] is None
    assert found[3] is None and found[4] is None and found[5] == {"k": 4} and found[8] == {"x": 24}


def test_the_range_of_an_open_number_is_the_deck_unless_stated() -> None:
    plain, bounded = stated(("算 存在 整数 k：k > 23", "算 存在 整数 k ≤ 9：k > 8")).statements
    assert (plain.highest, bounded.highest) == (24, 9)


def test_an_open_number_is_described_by_its_name() -> None:
    (statement,) = stated(("算 存在 整数 k m：3 × k + m ≥ 2 × m + 1",)).statements
    assert isinstance(statement.formula, Compare)
    assert describe(statement.formula, "zh") == "3 × k + m ≥ 2 × m + 1"


# ---------------------------------------------------------------- all the way through


def answers_of(claims: tuple[str, ...]) -> list[tuple[bool | None, str]]:
    return [(s.got, s.how) for s in verify(stated(claims), ["V119"]).statements]


def test_statements_say_how_they_were_decided() -> None:
    claims = (
        "算 1 + 1 = 2", "算 存在 整数 k：k = 24", "算 存在 整数 a1 a2 a3 a4 a5：a1 + a2 + a3 + a4 = 97",
        "凡 听 则 听面 ≤ 6", "存在 符 = 3", "验 V101",
    )  # fmt: skip
    assert answers_of(claims) == [
        (True, "arithmetic"), (True, "enumeration"), (False, "solver"), (True, "automaton"), (True, "solver"),
        (True, "check"),
    ]  # fmt: skip


def test_a_refuted_statement_shows_a_hand_with_exposed_melds_or_the_numbers() -> None:
    game = stated(("摆 碰 凡 叫 单吊（数 碰 = 1）则 听面 = 0", "算 凡 整数 k m：2 × k + m = 9 则 k > 3"))
    wrong = {f.subject[0]: f for f in verify(game, ["V119"]).findings}
    hand, numbers = wrong["Q-0"], wrong["Q-1"]
    assert hand.example is not None and [m["meld"] for m in hand.example.hand["laid"]] == ["碰"]
    assert numbers.verdicts == (("k = 0，m = 9", "k = 0, m = 9"),)


def test_every_new_question_is_about_what_it_says() -> None:
    game = stated((*OF_TILES, *WITH_LAID, *OF_NUMBERS))
    wanted = ["hand"] * (len(OF_TILES) + len(WITH_LAID)) + ["numbers"] * len(OF_NUMBERS)
    assert [s.about for s in game.statements] == wanted
