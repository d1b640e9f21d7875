"""Diffs: equal to itself, true to brute force, every witness judged anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from dsl import Game, Hand, load, loads
from dsl.core.evaluate import Position, Situation, is_win
from dsl.core.hand import Laid, to_json
from dsl.core.memo import Memo
from dsl.core.model import ORIGINS
from dsl.core.reference import arrangements, judge
from dsl.judge.automaton import Automaton
from dsl.judge.rows import Loose, RowKey
from dsl.judge.situations import SituationMaker
from dsl.judge.situations_inside import letters
from tests.conftest import SMALL, any_hands
from verifier import arranged
from verifier.difference import diff

PATH = str(SMALL / "两句.pai")


def test_a_ruleset_equals_itself() -> None:
    found = diff(PATH, PATH)
    assert found.equal and not found.clauses
    assert {a.relation for a in found.aspects.values()} == {"equal"}
    assert all(not a.classes for a in found.aspects.values())
    assert found.aspects["win"].hands["left_only"] == found.aspects["win"].hands["right_only"] == 0


@pytest.fixture(scope="module")
def strict_and_loose():  # type: ignore[no-untyped-def]
    return diff(f"{PATH}[底=5]", f"{PATH}[底=3]")


def test_a_lower_threshold_only_adds_wins(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    win = strict_and_loose.aspects["win"]
    assert win.relation == "subset"
    assert [c.name for c in strict_and_loose.clauses] == ["和.门槛"]
    for item in win.classes:
        assert not item.left.win and item.right.win
        assert "门槛" in item.reason
        assert {r.name for r in item.rules} >= {"和.门槛"}
    assert strict_and_loose.aspects["score"].relation == "equal"


def test_closed_counts_equal_brute_force(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    games = (strict_and_loose.left, strict_and_loose.right)
    role = games[0].core.roles[-1]
    tally = {"both": 0, "left_only": 0, "right_only": 0}
    for counts in product(*(range(k.copies + 1) for k in games[0].core.kinds)):
        if sum(counts) == games[0].core.finished:
            a, b = (_closed_win(g, counts, role) for g in games)
            if a or b:
                tally["both" if a and b else "left_only" if a else "right_only"] += 1
    assert strict_and_loose.aspects["win"].hands == tally
    assert tally["right_only"] > 0


def _closed_win(game: Game, counts: tuple[int, ...], role: str) -> bool:
    """All tiles as dealt, judged as if the last one had been an own draw: every arrangement tried."""
    core, situation = game.core, Situation(role, "自摸")
    found = arrangements(core, Hand(role, (), counts, None))
    return any(is_win(Position(core, a, situation)) for a in found)


def test_classes_are_the_whole_difference(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    for aspect in strict_and_loose.aspects.values():
        reasons = [(c.side, c.reason) for c in aspect.classes]
        assert len(reasons) == len(set(reasons))
        differing = sum(n for k, n in aspect.hands.items() if k not in ("both", "same"))
        assert sum(c.hands for c in aspect.classes) == differing
        assert sum(c.probability for c in aspect.classes) == sum(
            Fraction(p) for k, p in aspect.probability.items() if k not in ("both", "same")
        )


CHANGES = {
    "payment of a win": ("和：每家 付 当家 1 × 倍", "和：每家 付 当家 2 × 倍", {"payment"}),
    "payment of a false win": ("诈和：当家 付 每家 2 × 倍", "诈和：当家 付 每家 1 × 倍", {"payment"}),
    "payment under a context": ("和 庄加：庄 付 当家 1 若", "和 庄加：庄 付 当家 3 若", {"payment"}),
    "a name's factor": (
        "分：凡 房 有牌：符 ≥ 1                        倍 3",
        "分：凡 房 有牌：符 ≥ 1 倍 4",
        {"payment"},
    ),
    "a name under a context": ("皆 红 或 雨 = 是 且", "皆 红 或 雨 = 否 且", {"names", "payment"}),
    "a name of the dealer": ("符 模 2 = 0 且 身 庄", "符 模 2 = 0 且 身 闲", {"names"}),
    "a price": ("招.一 11   6", "招.一 11   7", {"score", "names"}),
    "a last tile": ("末张 自摸 他摸 无\n", "末张 自摸 他摸\n", {"win"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen_where_it_matters(change: str) -> None:
    text = (SMALL / "两句.pai").read_text(encoding="utf-8")
    old, new, aspects = CHANGES[change]
    assert old in text
    found = diff(loads(text), loads(text.replace(old, new)))
    differing = {a.name for a in found.aspects.values() if a.relation != "equal"}
    assert differing >= aspects, found.aspects
    for hand in any_hands(found.left, 300, seed=41):
        plain = replace(hand, declared=None)
        a, b = (judge(g.core, plain) for g in (found.left, found.right))
        said = {
            "win": a.win != b.win,
            "score": a.complete and b.complete and a.scores[-1:] != b.scores[-1:],
            "names": a.win and b.win and a.names != b.names,
            "payment": a.win == b.win and a.payments != b.payments,
        }
        assert {name for name, differs in said.items() if differs} <= differing, to_json(
            found.left.core, plain
        )


def test_arrangements_tell_the_relation_that_all_hands_have() -> None:
    """The road for decks that are too large, on one that is not."""
    text = (SMALL / "两句.pai").read_text(encoding="utf-8")
    changed = [(old, new) for old, new, _ in CHANGES.values()]
    changed.append(("和：每家 付 当家 1 × 倍", "和：每家 付 当家 2 × 倍 - 1 × 倍"))
    pairs = [(loads(text), loads(text.replace(old, new))) for old, new in changed]
    pairs += [(load(f"{PATH}[底={low}]"), load(f"{PATH}[底={high}]")) for low, high in ((5, 3), (3, 5))]
    known, paid_so = [], []
    for left, right in pairs:
        if arranged.comparable(left.core, right.core):
            relation, only = arranged.wins(left.compiled, right.compiled)
            wanted = diff(left, right).aspects
            assert relation in (wanted["win"].relation, "unknown")
            for hand in (hand for hand in only if hand is not None):
                assert left.is_win(hand) is not right.is_win(hand)
            known.append(relation)
            paid, differing = arranged.payments(left.compiled, right.compiled, relation == "equal")
            assert paid in (wanted["payment"].relation, "unknown")
            for hand in differing:
                one, other = left.judge(hand), right.judge(hand)
                assert one.win is other.win and one.payments != other.payments
            paid_so.append(paid)
    assert {"equal", "subset", "superset"} <= set(known)
    assert {"equal", "overlap"} <= set(paid_so)


def test_payments_of_too_many_hands_are_compared_by_arrangements() -> None:
    game = load("幺地人")
    assert diff(game, game).aspects["payment"].relation == "equal"
    text = f"规则 别付 继承 「{game.core.path}」 {{ 改 支付.诈和：当家 付 每家 2 }}"
    found = diff(game, loads(text))
    assert found.how == "solver"
    assert {name: a.relation for name, a in found.aspects.items() if a.relation != "equal"} == {
        "payment": "overlap"
    }
    (only,) = found.aspects["payment"].classes
    assert (only.side, only.reason, only.counted) == ("both", ("诈和",), False)
    assert not only.left.win and not only.right.win
    assert sorted(only.right.payments.values()) == [2 * n for n in sorted(only.left.payments.values())]


def test_turning_the_faces_of_a_sentence_changes_nothing(shifuying: Game) -> None:
    """Letters are worked out for one of the situations that turn into each other; all must agree."""
    automaton = shifuying.compiled.paid
    turns = automaton.maker.turns(0)
    assert len(turns) == 6
    for turn in turns:
        for counts in product(range(4), repeat=3):
            moved = tuple(counts[turn.places.index(i)] for i in range(3))
            assert automaton.letter(RowKey(0, counts)) == automaton.letter(RowKey(0, moved))
            if counts[0] < 4:
                last = (Loose(0, "自摸", True),), (Loose(turn.places[0], "自摸", True),)
                assert automaton.letter(RowKey(0, counts, last[0])) == automaton.letter(
                    RowKey(0, moved, last[1])
                )


def test_neighbouring_pairs_turn_only_one_way() -> None:
    game = load("十符硬", {"VO-05": "R2"})
    assert [t.places for t in game.compiled.paid.maker.turns(0)] == [(0, 1, 2), (2, 1, 0)]


PAIRED = """
规则 配对 {
  牌 { 房 上大人；每张 4 }
  来路 { 取来 = 自摸 他摸 他打 }
  座 { 庄 2；闲 2 }
  牌型 {
    对 a a 作 2张 皆 起手
    配 a a 作 1张 锁 第一 起手 第二 取来 补 末张
  }
  和 { 形 2张 }
}
"""


def test_melds_are_shared_that_may_come_from_some_of_the_same_places() -> None:
    """Two pairs need one that lies exposed, and neither game knows just the other's."""
    found = diff(loads(PAIRED), loads(PAIRED.replace("自摸 他摸 他打", "自摸 他摸")))
    assert found.aspects["win"].relation == "superset"
    (item,) = found.aspects["win"].classes
    assert item.witness["laid"][0]["origins"] == ["起手", "自摸"]
    assert item.witness["last"]["from"] == "他打"


GROWING = """
规则 长碰 {
  牌 { 房 上大人；每张 4 }
  来路 { 自家 = 起手 自摸 }
  座 { 庄 4；闲 3 }
  牌型 {
    单 a 作 1单
    碰 a a 作 2单 锁 第一 起手 第二 自家 成 大碰 中碰
    大碰 a a a 作 1组 第一 起手 第二 他打
    中碰 a a a 作 1组 第一 第二 起手
  }
  和 { 形 1组 1单 }
}
"""


def test_exposed_melds_grow_by_origins_they_may_have() -> None:
    """What the product reads of an exposed meld is what the judge reads of it, whencever its tiles are."""
    automaton = loads(GROWING).compiled.paid
    maker = SituationMaker(automaton, automaton)
    (kept, grown) = sorted(
        {one.origins for one in maker.pairs if one.left.tiles[0] == 0},
        key=lambda origins: "自摸" not in origins,
    )
    assert (kept, grown) == (("起手", "自摸"), ("起手", "起手"))
    meld = maker.pairs[0].left
    for origins in product(*(sorted(slot.origins) for slot in meld.slots)):
        rows = _all_rows(automaton, Laid(meld.id, origins))
        assert rows == _all_rows(automaton, Laid(meld.id, kept if "自摸" in origins else grown))
    assert _all_rows(automaton, Laid(meld.id, kept)) != _all_rows(automaton, Laid(meld.id, grown))


def _all_rows(automaton: Automaton, laid: Laid) -> list[int]:
    """Letters of everything that can lie beside a pair of the first face."""
    lasts = [(), *((Loose(0, origin, True),) for origin in ORIGINS[1:])]
    return [
        automaton.letter(RowKey(0, counts, loose, (laid,)))
        for loose in lasts
        for counts in product(range(2), range(3), range(3))
    ]


def test_rows_worked_out_together_are_those_worked_out_one_by_one(small: Game, shifuying: Game) -> None:
    chance = Random(5)
    marked = load(f"{SMALL / '两句标.pai'}[标法=都算]").compiled.marked(0)
    for compiled in (small.compiled, shifuying.compiled, marked):
        for automaton in (compiled.paid, compiled.scored):
            for _ in range(60 if compiled is marked else 12):
                _same_rows(automaton, chance)


def test_a_marked_face_changes_nothing_in_other_components() -> None:
    sides = [load(f"{SMALL / '两句标.pai'}[标法=都算]").compiled for _ in range(2)]
    known, lettered = Memo(), 0
    size = sides[0].game.finished
    for mark, fresh in ((None, 3), (0, 1), (1, 1), (3, 1)):
        left, right = (side.marked(mark).paid for side in sides)
        for component in range(len(left.game.components)):
            found = letters(SituationMaker(left, right, known=known), component, (size, size))
            assert found == SituationMaker(left, right).letters(component)
        before, lettered = lettered, sum(key[0] != "exposed" for key in known if isinstance(key, tuple))
        assert lettered == before + fresh


def _same_rows(automaton: Automaton, chance: Random) -> None:
    """Beside some exposed melds and perhaps a last tile, in any component."""
    game, index = automaton.game, chance.randrange(len(automaton.game.components))
    part = game.components[index]
    locked = [m for m in game.melds if m.type.locked and m.tiles[0] in part]
    chosen = [chance.choice(locked) for _ in range(chance.randrange(3))] if locked else []
    laid = tuple(
        Laid(m.id, tuple(chance.choice([None, *sorted(s.origins)]) for s in m.slots)) for m in chosen
    )
    loose = (Loose(chance.choice(part), chance.choice(ORIGINS[1:]), True),) if chance.random() < 0.7 else ()
    taken = [tile for m in chosen for tile in m.tiles] + [t.kind for t in loose]
    free = [game.kinds[k].copies - taken.count(k) for k in part]
    found = automaton.tables.letters(index, laid, loose) if min(free) >= 0 else {}
    for counts in product(*(range(n + 1) for n in free)):
        alone = automaton.letter(RowKey(index, counts, loose, laid))
        assert found.get(counts, automaton.tables.nothing) == alone


def test_payments_by_score_are_compared_too() -> None:
    text = (SMALL / "两句.pai").read_text(encoding="utf-8")
    paid = text.replace("和：每家 付 当家 1 × 倍", "和：每家 付 当家 符 × 倍")
    assert paid != text and diff(loads(paid), loads(paid)).equal
    stricter = paid.replace("符 ≥ 5 除非 素", "符 ≥ 6 除非 素")
    found = diff(loads(paid), loads(stricter))
    assert found.aspects["win"].relation == "superset"
    dearer = paid.replace("坎 绍  6   4", "坎 绍  6   5")
    for hand in any_hands(found.left, 300, seed=43):
        plain = replace(hand, declared=None)
        a, b = (judge(loads(t).core, plain) for t in (paid, dearer))
        if a.win == b.win and a.payments != b.payments:
            assert diff(loads(paid), loads(dearer)).aspects["payment"].relation != "equal"
            return
    raise AssertionError("no hand is paid otherwise")


def test_a_changed_variant_of_a_meld_is_a_changed_clause() -> None:
    text = (SMALL / "两句.pai").read_text(encoding="utf-8")
    drawn = text.replace(
        "绍    a a a        其余 起手 第三 自摸  作 1组 锁  成 招",
        "绍 a a a 作 1组 锁 { 甲：%s；乙：皆 自摸 }",
    )
    left, right = (loads(drawn % slots) for slots in ("其余 起手 第三 自摸", "皆 起手"))
    assert [c.name for c in diff(left, right).clauses] == ["牌型.绍.甲"]


def test_relations_hold_on_random_hands(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    left, right = strict_and_loose.left, strict_and_loose.right
    seen = 0
    for hand in any_hands(left, 500, seed=23):
        plain = replace(hand, context={}, declared=None)
        a, b = judge(left.core, plain), judge(right.core, plain)
        assert b.win or not a.win, to_json(left.core, plain)
        assert a.score == b.score or a.win != b.win
        seen += a.win != b.win
    assert seen > 0


def test_witnesses_replay_in_the_reference(strict_and_loose) -> None:  # type: ignore[no-untyped-def]
    for aspect in strict_and_loose.aspects.values():
        for item in aspect.classes:
            for verdict in (item.left, item.right):
                outcome = judge(verdict.compiled.game, verdict.hand)
                assert (outcome.win, outcome.score, outcome.names) == (
                    verdict.win,
                    verdict.score,
                    verdict.names,
                )


def test_different_decks_stay_unknown(shifuying: Game) -> None:
    found = diff(load(PATH), shifuying)
    assert found.unknown and found.aspects["win"].relation == "unknown"


@pytest.mark.slow
def test_real_games(sijiafei: Game, shifuying: Game) -> None:
    assert diff(shifuying, shifuying).equal
    found = diff(sijiafei, shifuying)
    assert found.aspects["win"].relation == "subset"
    for hand in any_hands(sijiafei, 400, seed=29):
        plain = replace(hand, context={}, declared=None)
        if all(m.type.locked for m in (sijiafei.core.melds[x.meld] for x in plain.laid)):
            assert shifuying.is_win(plain) or not sijiafei.is_win(plain)


REGROUPING = """
规则 拆碰 {
  牌 { 房 上大人 丘乙己；每张 3 }
  座 { 庄 5；闲 4 }
  牌型 { 句 a b c 作 1组；对 a a 作 1对；碰 a a a 作 1组 锁 其余 起手 第三 他打 }
  价 分 { 句 1；对 0；碰 3 }
  和 { 形 1组 1对；须 够分：分 ≥ %d；重组 %s }
}
"""


@pytest.mark.parametrize("sides", [("未锁", "皆"), ("皆", "未锁"), ("无", "皆"), ("无", "未锁")])
@pytest.mark.parametrize("least", [1, 2])
def test_melds_that_one_side_regroups(sides: tuple[str, str], least: int) -> None:
    """An exposed meld that stays on one side and is taken apart on the other: every hand with one."""
    left, right = (loads(REGROUPING % (least, policy)) for policy in sides)
    seen = set()
    for name in ("碰", "句", "对"):
        for hand in _with_one_exposed(left, name):
            seen.add((judge(left.core, hand).win, judge(right.core, hand).win))
    win = diff(left, right).aspects["win"]
    assert {c.side for c in win.classes} == {
        side for side, pair in (("left", (True, False)), ("right", (False, True))) if pair in seen
    }
    assert all(c.left.win != c.right.win for c in win.classes)


def _with_one_exposed(game: Game, name: str) -> Iterator[Hand]:
    core = game.core
    for meld in (m for m in core.melds if m.type.name == name):
        laid = Laid(meld.id, ("起手", "起手", "他打" if name == "碰" else "起手")[: len(meld.slots)])
        free = [k.copies - meld.tiles.count(i) for i, k in enumerate(core.kinds)]
        for kinds in combinations_with_replacement(range(len(core.kinds)), 5 - len(meld.slots)):
            counts = tuple(kinds.count(i) for i in range(len(core.kinds)))
            if all(map(int.__le__, counts, free)):
                yield Hand("庄", (laid,), counts, None)
                for last in dict.fromkeys(kinds):
                    rest = tuple(n - (i == last) for i, n in enumerate(counts))
                    yield from (Hand("庄", (laid,), rest, (last, origin)) for origin in ORIGINS[1:])
