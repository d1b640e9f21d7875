"""Evaluator = encoder = brute force, on a deck small enough to try every hand.

Brute force lays every meld with every origin, arranges every pool with the reference judge, and asks
the evaluator of every arrangement in every situation. The solver must know the same arrangements and
give the same answers, and each of its witnesses must replay (`ask` raises when one does not).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory

import cvc5
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dsl
from dsl.core.evaluate import Arrangement, Position, Situation, holds, is_win, names_held
from dsl.core.hand import Hand, Laid, fixed
from dsl.core.model import ORIGINS, And, Complete, Formula, Game, Meld, Not, Or
from dsl.core.reference import arrangements, pool
from dsl.judge.compiled import Compiled
from verifier import encode, verify
from verifier.ask import FIRST_TRY, Proved, Refuted, ask, possible
from verifier.decode import decode, read
from verifier.formulas import atoms, exchanged, speaks_of_shape
from verifier.replay import replay
from verifier.waits import wait_classes
from verifier.world import World

SPEC = """
规则 小样 {
  牌 { 房 上大人 七十士；每张 上大人 4；每张 七十士 1；类 将 = 上大人；类 闲 = 非 将 }
  来路 { 自家 = 起手 自摸；他人 = 他摸 他打；手 起手 }
  座 { 庄 5；闲 4 × 2 }
  境 首张：否 是
  境 季：春 夏 秋
  牌型 {
    句 a b c 作 1组 待 a b c
    口 a b 作 1口 待 c
    碰 a a a 作 1组 锁 其余 起手 第三 他人
    坎 a a a 作 1组 皆 起手
    绍 a a a 作 1组 锁 其余 起手 第三 自摸 成 招
    招.裸 a a a a %(bare)s 锁 第一 第二 起手 第三 自家 第四 他人 成 招.一
    招.一 a a a a b %(hung)s 锁 第一 第二 起手 第三 自家 第四 他人
    单 a 作 1单 待 b c
    对 a a 作 1对 待 a
  }
  价 符 {
    列 将 闲
    句 3 0
    口 2 0
    碰 3 缺
    坎 绍 6 4
    招 10 6
  }
  名 {
    素：无 将 倍 2
    大：符 ≥ 6 倍 3
    两门：凡 房 有牌：数 将 ≤ 4 且 符 ≥ 1 倍 2
    叠法 相乘
  }
  和 {
    形 1组 1口
    须 门槛：符 ≥ 4 除非 素
    须 和张：末张 自摸 他摸 无
    须 喊准：非 错名
    重组 %(regroup)s
  }
  诈和 { 当 不成形：非 形；当 不足：符 < 4；当 喊错：错名 }
  支付 { 和：每家 付 当家 1 × 倍 }
  落叫 { 单钓 1组 1单 等 单；对倒 1口 1对 等 对；双口 2口 等 口 }
%(claims)s
}
"""

CLAIMS = tuple(
    claim.strip()
    for line in """
真 | 假 | 形 | 非 形 | 和 | 诈和 | 和 且 诈和 | 非 和 且 非 诈和 | 错名 | 错名 且 大
素 且 错名 | 符 = 0 | 符 = 1 | 符 > 11 | 符 = 12 | 符 ≠ 3 且 符 < 5 | 3 ≤ 符 ≤ 4
2 * 符 - 3 * 数 口 = 5 | 符 模 5 = 3 | 符 模 4 = 1 | 组 = 口 | 数 将 = 2 | 数 碰 坎 绍 ≥ 1
有 招 | 无 句 口 | 皆 闲 | 皆 将 且 无 碰 | 凡 房：符 ≤ 6 | 凡 房 有牌：符 ≥ 2 | 凡 型：符 ≥ 2
凡 型 作 组：符 ≥ 3 | 凡 型 作 口：符 = 0 | 身 庄 | 身 庄 且 末张 无 | 身 闲 且 末张 无
末张 起手 | 末张 他打 且 和 | 末张 自摸 且 末张 入 碰 | 末张 起手 且 末张 入 碰
末张 他摸 且 末张 入 绍 | 末张 他摸 且 末张 入 招 | 末张 自摸 且 末张 入 招.一
末张 入 句 且 有 碰 | 末张 入 口 坎 且 末张 他人 | 首张 = 是 且 季 ≠ 春 且 大
首张 = 否 且 首张 = 是 | (素 或 大) 且 非 (素 且 大) | 两门 且 素 | 两门 且 非 大
门槛 且 符 < 4 | 价 句 于 将 = 3 | 数 句 口 于 将 = 2 | 无 句 口 于 将 且 和 | 符 于 闲 = 0 且 组 于 闲 = 1
""".strip().splitlines()
    for claim in line.split("|")
)

MELDS = {"plain": ("作 1组 1单", "作 1组 1口"), "drawn": ("作 1组 补 1", "作 1组 1单 补 1")}


@cache
def small(regroup: str = "未锁", melds: str = "plain") -> Game:
    """The small game under a policy of regrouping, its dragons with or without an extra tile."""
    bare, hung = MELDS[melds]
    claims = "\n".join(f"  断言 Q-{i} 存在 {claim} 答 有" for i, claim in enumerate(CLAIMS))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "small.pai"
        text = SPEC % {"regroup": regroup, "bare": bare, "hung": hung, "claims": claims}
        path.write_text(text, encoding="utf-8")
        return dsl.load(str(path)).core


@cache
def world_of(regroup: str = "未锁", melds: str = "plain") -> World:
    return World(small(regroup, melds))


def formulas() -> dict[str, Formula]:
    """Every claim as a formula of the small game."""
    found = {}
    for claim, statement in zip(CLAIMS, small().statements, strict=True):
        assert statement.formula is not None
        found[claim] = statement.formula
    return found  # type: ignore[return-value]


# ---------------------------------------------------------------- brute force

Case = tuple[tuple[int, ...], int | None, str | None]
"""Melds of an arrangement, the type that holds the last tile, the origin of the last tile."""


@cache
def cases(regroup: str, melds: str) -> dict[Case, Arrangement]:
    """Every arrangement of every hand; hands with the same pool of tiles are arranged once."""
    game = small(regroup, melds)
    found: dict[Case, Arrangement] = {}
    seen = set()
    for hand in every_hand(game, thorough=(regroup, melds) == ("未锁", "plain")):
        tiles = Counter((t.kind, t.origin, t.last) for t in pool(game, hand))
        face = (fixed(game, hand), frozenset(tiles.items()))
        if face not in seen:
            seen.add(face)
            for a in arrangements(game, hand):
                holder = None if a.last_in is None else game.melds[a.last_in].type.index
                found[a.melds, holder, hand.situation.last_from] = a
    return found


def every_hand(game: Game, thorough: bool) -> Iterator[Hand]:
    """Every finished hand with up to two exposed melds, one where that is known to be enough.

    他打 is left out where no meld tells it from 他摸: in exposed melds.
    """
    lying = [m for m in game.melds if m.type.locked or stands(game, m)]
    for number in range(3 if thorough else 2):
        for melds in combinations_with_replacement(lying, number):
            tiles = [k for m in melds for k in m.tiles]
            size = game.finished + sum(m.type.extra for m in melds) - len(tiles)
            if size >= 0 and fits(game, tiles):
                for laid in product(*(ways_to_lie(m) for m in melds)):
                    yield from hands_with(game, laid, tiles, size)


def stands(game: Game, meld: Meld) -> bool:
    return all(g <= s for g, s in zip(meld.type.gives, game.win.shape, strict=True))


def fits(game: Game, tiles: list[int]) -> bool:
    return all(n <= game.kinds[k].copies for k, n in Counter(tiles).items())


def ways_to_lie(meld: Meld) -> list[Laid]:
    """All origins; tiles that were all dealt might as well be concealed, unless the meld is locked."""
    ways = product(*(sorted(s.origins - {"他打"}) for s in meld.slots))
    return [Laid(meld.id, o) for o in ways if meld.type.locked or set(o) != {"起手"}]


def hands_with(game: Game, laid: tuple[Laid, ...], tiles: list[int], size: int) -> Iterator[Hand]:
    kinds = range(len(game.kinds))
    for free in combinations_with_replacement(kinds, size):
        if fits(game, [*tiles, *free]):
            counts = Counter(free)
            yield Hand("庄", laid, tuple(counts[k] for k in kinds), None)
            for last, origin in product(sorted(counts), ORIGINS):
                rest = counts - Counter((last,))
                yield Hand("闲", laid, tuple(rest[k] for k in kinds), (last, origin))


@lru_cache
def positions() -> tuple[Position, ...]:
    """Every complete arrangement, and the incomplete one, in every situation."""
    game = small()
    contexts = [
        dict(zip([p.name for p in game.parameters], values, strict=True))
        for values in product(*(p.values for p in game.parameters))
    ]
    called: list[tuple[str, ...] | None] = [None, *((n.name,) for n in game.names)]
    every = [(a, origin) for (_, _, origin), a in cases("未锁", "plain").items()]
    every += [(Arrangement((), None, complete=False), origin) for origin in (*ORIGINS, None)]
    return tuple(
        Position(game, a, Situation(role, origin, context, names))
        for a, origin in every
        for role, context, names in product(game.roles, contexts, called)
        if origin is not None or game.dealt[role] >= game.finished
    )


def exists(formula: Formula) -> bool:
    return any(holds(formula, at) for at in positions())


# ---------------------------------------------------------------- the laws


@pytest.mark.parametrize(
    ("regroup", "melds"), [("未锁", "plain"), ("皆", "plain"), ("无", "plain"), ("未锁", "drawn")]
)
def test_the_world_has_exactly_the_arrangements_that_hands_have(regroup: str, melds: str) -> None:
    world = world_of(regroup, melds)
    smt, view = world.smt, world.view
    found = set()
    with smt.scope():
        smt.require(view.complete)
        while smt.check(budget=FIRST_TRY) == "sat":
            model = read(world)
            found.add((model.melds, model.holder, model.origin))
            replay(decode(world, model), Complete())
            other = [smt.compare(view.counts[m.id], "!=", model.melds.count(m.id)) for m in world.melds]
            other.append(smt.negate(view.origins[model.origin]))
            other += [smt.negate(b) for t, b in view.last_in.items() if t == model.holder]
            smt.require(smt.either(other))
    assert found == set(cases(regroup, melds))


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_solver_finds_a_witness_just_when_brute_force_does(claim: str) -> None:
    formula = formulas()[claim]
    answer = ask(world_of(), formula)
    assert isinstance(answer, Refuted if exists(formula) else Proved)


def combined() -> st.SearchStrategy[Formula]:
    """Random conditions over the atoms of all claims."""
    leaves = sorted({atom for f in formulas().values() for atom in atoms(f)}, key=repr)
    pairs = lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple)  # noqa: E731
    return st.recursive(
        st.sampled_from(leaves),
        lambda inner: inner.map(Not) | pairs(inner).map(And) | pairs(inner).map(Or),
        max_leaves=8,
    )


@settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_random_conditions_mean_the_same_to_both(data: st.DataObject) -> None:
    formula = data.draw(combined())
    assert possible(world_of(), formula) is exists(formula)


def test_exchanging_a_meld_in_the_formula_is_exchanging_it_in_the_arrangement() -> None:
    game = small()
    out = next(m for m in game.melds if m.type.name == "坎")
    into = next(m for m in game.melds if m.type.name == "绍" and m.counts == out.counts)
    for at in positions():
        if out.id in at.arrangement.melds and at.arrangement.last_in != out.id:
            melds = list(at.arrangement.melds)
            melds[melds.index(out.id)] = into.id
            changed = Position(game, Arrangement(tuple(sorted(melds)), at.arrangement.last_in), at.situation)
            for formula in formulas().values():
                assert holds(exchanged(formula, out.id, into.id), at) == holds(formula, changed)


def test_witnesses_are_the_same_every_time_and_whatever_was_asked_before() -> None:
    first = [ask(World(small()), f) for f in formulas().values()]
    world = World(small())
    again = [ask(world, f) for f in reversed(formulas().values())]
    assert first == again[::-1]


@pytest.mark.parametrize(
    "claim", ["和 且 诈和", "符 = 1", "符 = 12", "末张 自摸 且 末张 入 碰", "错名 且 大", "符 模 4 = 1"]
)
def test_cvc5_agrees_on_the_exported_text(claim: str) -> None:
    world = World(small())
    formula = formulas()[claim]
    asked = formula if speaks_of_shape(formula) else And((Complete(), formula))
    world.smt.require(encode.holds(asked, world.view))
    assert second_opinion(world.smt.text()) == world.smt.check(budget=FIRST_TRY)


def second_opinion(text: str) -> str:
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols, said = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    return said.strip().splitlines()[-1]


# ---------------------------------------------------------------- the checks


def blamed(code: str) -> set[str]:
    """First clause of each finding of a check on the small game."""
    return {finding.rules[0].name for finding in verify(small(), [code]).findings}


def false_win(at: Position) -> bool:
    return any(holds(reason.formula, at) for reason in small().false_win)


def test_v101_and_v102_agree_with_brute_force() -> None:
    game = small()
    reasons = {f.rules[-1].name for f in verify(game, ["V101"]).findings}
    wins = [at for at in positions() if is_win(at)]
    assert reasons == {r.rule.name for r in game.false_win if any(holds(r.formula, at) for at in wins)}
    limbo = {
        need.rule.name
        for need in game.win.needs
        for at in positions()
        if at.arrangement.complete and not false_win(at)
        if [n for n in game.win.needs if not holds(n.formula, at)] == [need]
    }
    if any(not at.arrangement.complete and not false_win(at) for at in positions()):
        limbo.add(game.win.rule.name)
    assert blamed("V102") == limbo


def test_dead_and_related_names_agree_with_brute_force() -> None:
    game = small()
    held = [frozenset(n.name for n in names_held(at)) for at in positions() if is_win(at)]
    dead = {n.rule.name for n in game.names if not any(n.name in names for names in held)}
    assert {name for name in blamed("V104") if name.startswith("名.")} == dead
    said = {finding.sentence[0] for finding in verify(game, ["V117"]).findings}
    for left, right in permutations(sorted(set().union(*held)), 2):
        implied = all(right in names for names in held if left in names)
        equal = implied and all(left in names for names in held if right in names)
        assert (f"凡 `{left}` 都是 `{right}`" in said) == (implied and not equal)


def test_redundant_needs_agree_with_brute_force() -> None:
    game = small()
    complete = [at for at in positions() if at.arrangement.complete]
    idle = set()
    for need in game.win.needs:
        others = [n.formula for n in game.win.needs if n is not need]
        if all(holds(need.formula, at) for at in complete if all(holds(f, at) for f in others)):
            idle.add(need.rule.name)
    texts = {f.rules[0].name for f in verify(game, ["V105"]).findings if "不写也一样：" in f.sentence[0]}
    assert texts == idle


def test_waiting_hands_by_their_names_agree_with_brute_force() -> None:
    game = small()
    counted: Counter[tuple[bool, frozenset[str]]] = Counter()
    kinds = range(len(game.kinds))
    for tiles in combinations_with_replacement(kinds, game.finished - 1):
        if fits(game, list(tiles)):
            held = Counter(tiles)
            counts = tuple(held[k] for k in kinds)
            plain = Hand("庄", (), counts, None)
            names = frozenset(w.name for w in game.waits if arrangements(game, plain, w.shape))
            more = [k for k in kinds if held[k] < game.kinds[k].copies]
            waits = any(arrangements(game, Hand("闲", (), counts, (k, "自摸"))) for k in more)
            counted[waits, names] += 1
    found = {(group.waits, group.names): group.hands for group in wait_classes(Compiled(game))}
    assert found == {face: hands for face, hands in counted.items() if face != (False, frozenset())}
