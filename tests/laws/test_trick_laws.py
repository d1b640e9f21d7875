"""What holds of every trick of 天地人和: against the tiers in words, all choices of tiles, exact counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from dsl import Game, load
from dsl.core.hand import to_json
from dsl.core.ranks import higher, plays
from dsl.table.simulate import chance
from dsl.table.state import Action, State
from dsl.table.table import Table
from tests.laws.test_ranks_laws import told

NAME = "天地人和"
DEALS = 12


@cache
def game(name: str = NAME) -> Game:
    return load(name)


def states(table: Table, seed: int) -> Iterator[tuple[State, Action]]:
    """The states of one deal by chance, in which nobody stops before he has to."""
    source, state = random.Random(seed), table.start(seed)
    while not state.over:
        going_on = tuple(a for a in state.lawful if a.kind != "win") or state.lawful
        action = chance(replace(state, lawful=going_on), source)
        yield state, action
        state = table.apply(state, action)


def tiles(table: Table, kinds: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(table.game.kinds[kind].name for kind in kinds)


def held(table: Table, state: State, seat: int) -> list[int]:
    return [kind for kind, n in enumerate(state.players[seat].counts) for _ in range(n)]


def over(mine: tuple[str, ...], best: tuple[str, ...]) -> bool:
    """Does a play beat the best one, by the tiers in words?"""
    a, b = told(mine), told(best)
    return a is not None and b is not None and len(mine) == len(best) and a[0] == b[0] and a[1] < b[1]


def test_what_may_follow_is_every_choice_of_tiles_that_beats() -> None:
    """TDRH-22 to TDRH-25: all ways to take so many tiles, and what is given where none beats."""
    table, seen = game().table, Counter[str]()
    for seed in range(DEALS):
        for state, _ in states(table, seed):
            if not state.todo or state.todo[0].kind != "follow":
                continue
            seat, best = state.todo[0].seat, tiles(table, state.trick[-1].tiles)
            size, own = len(best), held(table, state, seat)
            if comb(len(own), size) > 3_000:
                continue
            ways = {tiles(table, way) for way in combinations(own, size)}
            expected = {tuple(sorted(way)) for way in ways if over(way, best)}
            beats = [a for a in state.lawful if a.kind == "beat"]
            melds = [table.tricks.judge.melds[a.play] for a in beats]  # type: ignore[union-attr]
            assert {tuple(sorted(tiles(table, meld.tiles))) for meld in melds} == expected
            assert len(melds) == len(expected)
            covers = {a.tile for a in state.lawful if a.kind == "cover"}
            assert covers == (set() if expected else set(own))
            seen["beats" if expected else "covers"] += 1
    assert min(seen.values()) > 50


def test_the_taker_lays_his_own_play_and_everybody_gave_as_many() -> None:
    """TDRH-24, TDRH-26, TDRH-27: fewer only where a hand has no more."""
    table, tricks, short = game().table, 0, 0
    for seed in range(DEALS):
        before = None
        for state, action in states(table, seed):
            if action.kind == "lead":
                if before is not None:
                    given = [
                        sum(b.counts) - sum(p.counts)
                        for b, p in zip(before.players, state.players, strict=True)
                    ]
                    size = max(given)
                    laid = [
                        len(p.front) - len(b.front)
                        for b, p in zip(before.players, state.players, strict=True)
                    ]
                    assert [n for n in laid if n] == [size] and laid.index(size) == state.leader
                    assert all(
                        n == min(size, sum(b.counts)) for n, b in zip(given, before.players, strict=True)
                    )
                    tricks, short = tricks + 1, short + (min(given) < size)
                before = state
    assert tricks > 100 and short


def test_a_lead_that_no_unseen_tiles_beat_is_never_beaten() -> None:
    """TDRH-28: laying it at once would come to the same."""
    table, sure, judge = game().table, 0, game().judgement("出牌").core
    known = {meld.id: (meld, place) for meld, place in plays(judge)}
    for seed in range(DEALS):
        lead: Action | None = None
        for state, action in states(table, seed):
            if action.kind == "lead":
                lead = action if certain(table, state, action, known) else None
                sure += lead is not None
            assert lead is None or action.kind != "beat"
    assert sure > 20


def certain(table: Table, state: State, action: Action, known: dict) -> bool:  # type: ignore[type-arg]
    """Can the tiles that the leader has not seen make no play that beats it?"""
    unseen = Counter({i: kind.copies for i, kind in enumerate(table.game.kinds)})
    unseen.subtract(held(table, state, action.seat))
    unseen.subtract(state.players[action.seat].covered)
    unseen.subtract(tile for tile, _ in state.pool)
    for player in state.players:
        unseen.subtract(player.front)
        unseen.subtract(table.game.melds[laid.meld].tiles[0] for laid in player.laid)
    place = known[action.play][1]
    return not any(
        higher(other, place) and all(unseen[kind] >= n for kind, n in meld.counts)
        for meld, other in known.values()
    )


def test_the_table_stops_where_the_judgements_say() -> None:
    """空门 of every dealt hand, 脱手 after every trick; each as a program would ask the judge."""
    table, off = game().table, game().judgement("脱手")
    halted = 0
    for seed in range(30):
        last: tuple[State, Action] | None = None
        leader = -1
        for state, action in states(table, seed):
            last = state, action
            if action.kind != "lead":
                continue
            if state.leader is not None:
                hand = to_json(table.game, table.verdicts.hand(state, state.leader, None))
                assert not off.judge(hand).win
                own = leader == state.leader
                assert hand.get("context", {}).get("末手") == ("无人能盖" if own else None)
                for seat in range(3):
                    context = table.verdicts.hand(state, seat, None).context
                    assert ("末手" in context) == (own and seat == leader)
            leader = action.seat
        if last is None:
            continue
        end = table.apply(*last)
        if end.result is not None and end.result.halt == "脱手":
            assert end.result.seat is not None
            seat, player = end.result.seat, end.players[end.result.seat]
            assert len(player.front) + len(player.laid) == 15 and sum(player.counts) == 5
            lost = sum(owner == seat for _, owner in end.pool) + len(player.covered)
            assert lost == 8  # CL-25
            assert off.judge(to_json(table.game, table.verdicts.hand(end, seat, None))).win
            halted += 1
    assert halted


def test_as_often_void_as_counted() -> None:
    """CL-21: somebody holds none of twelve tiles; 3 hands one by one, less the pairs (all three cannot)."""
    table, empty, deals = game().table, game().judgement("空门"), 4_000
    one = Fraction(comb(72, 28), comb(84, 28))
    both = Fraction(comb(72, 56), comb(84, 56))
    expected = deals * float(3 * one - 3 * both)
    void = 0
    for seed in range(deals):
        deck = table.wall(seed)
        hands = [Counter(deck[at : at + 28]) for at in (0, 28, 56)]
        kinds = [table.game.kind_index[name] for name in ("天牌", "红九", "三六")]
        without = [not any(hand[kind] for kind in kinds) for hand in hands]
        void += any(without)
        if any(without) or seed < 200:
            result = table.dealt(deck).result
            assert (result is not None and result.halt == "无天九") is any(without)
            words = [table.game.kinds[kind].name for kind in hands[0].elements()]
            assert empty.judge({"role": "庄", "hand": words}).win is without[0]
    assert abs(void - expected) < 3 * expected**0.5, (void, expected)


def test_two_with_sixteen_while_nobody_runs_short() -> None:
    """CL-22 in deals by chance: they lay 33 tiles at most, and one of them sixteen."""
    table = game().table
    for seed in range(100, 100 + 3 * DEALS):
        for state, action in states(table, seed):
            played = [28 - len(p.laid) - sum(p.counts) for p in state.players]
            if action.kind != "lead" or len(set(played)) > 1:
                continue
            laid = [len(p.laid) + len(p.front) for p in state.players]
            assert sum(laid) <= 33 and sum(n >= 16 for n in laid) <= 1


@pytest.mark.parametrize("name", [NAME, f"{NAME}[TDRH-24=R2]"])
def test_a_view_tells_nothing_of_hands_and_covered_tiles(name: str) -> None:
    """The unseen tiles of the others, in the hand or face down, may be any: the view is the same."""
    table = game(name).table
    for seed in range(4):
        for state, _ in states(table, seed):
            for seat in range(3):
                other = redealt(table, state, seat, random.Random(seed))
                assert table.view(other, seat) == table.view(state, seat)


def redealt(table: Table, state: State, seat: int, source: random.Random) -> State:
    """Concealed and covered tiles of the others mixed, as many for each as before."""
    others = [i for i in range(3) if i != seat]
    pool = [tile for i in others for tile in [*held(table, state, i), *state.players[i].covered]]
    source.shuffle(pool)
    players = list(state.players)
    for i in others:
        n, m = sum(players[i].counts), len(players[i].covered)
        mine, down, pool = pool[:n], pool[n : n + m], pool[n + m :]
        counts = tuple(mine.count(kind) for kind in range(len(table.game.kinds)))
        players[i] = players[i]._replace(counts=counts, covered=tuple(down))
    lawful = tuple(a for a in state.lawful if a.seat == seat)
    return replace(state, players=tuple(players), lawful=lawful)


def test_money_goes_to_the_winner_whoever_is_liable() -> None:
    """TDRH-36 R2 moves what the losers owe; R1 lets those off who are not liable."""
    shifted = 0
    for reading in ("R1", "R2"):
        table = game(f"{NAME}[TDRH-36={reading}]").table
        for seed in range(DEALS):
            for state, _ in states(table, seed):
                wins = [action for action in state.lawful if action.kind == "win"]
                if not wins:
                    continue
                winner = wins[0].seat
                result = table.apply(state, wins[0]).result
                owed = table.verdicts.declared(state, winner, None, None)[1]
                assert result is not None and sum(result.payments) == 0
                marked = [i for i in range(3) if i != winner and "先出大牌" in state.players[i].taken]
                marked = [i for i in marked if not table.verdicts.wins(state, i, None)]
                paid = result.payments
                assert paid[winner] == (
                    owed[winner] if reading == "R2" or len(marked) != 1 else owed[winner] // 2
                )
                if len(marked) == 1:
                    free = 3 - winner - marked[0]
                    assert paid[free] == 0
                    shifted += 1
                else:
                    assert paid == owed
    assert shifted
