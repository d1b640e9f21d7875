"""川牌 at the table: how many tiles one holds, who may not take what, who leaves and who is fined; the worked
examples that are deals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dsl import Game, load
from dsl.core.hand import Hand, tiles_of, to_json
from dsl.table.playing import Deal
from dsl.table.record import header_of, lines_of
from dsl.table.referee import Replay
from dsl.table.simulate import eager
from dsl.table.state import Action, Offer, Player, State, Task
from dsl.table.table import Table
from dsl.table.verdicts import concealed
from dsl.table.words import action_text

PLAYS = Path(__file__).parents[1] / "plays"


@cache
def game(name: str) -> Game:
    return load(name)


def careless(table: Table, state: State, source: random.Random) -> Action:
    """Lets a duty go now and then, as far as a clause says what comes of it."""
    broken = [a for a in table.breaches(state) if a.kind == "pass"]
    return broken[0] if broken and source.random() < 0.2 else eager(state, source)


def states(table: Table, seed: int, strict: bool = True) -> Iterator[tuple[State, Action | None]]:
    """The states of one deal by chance, each with the action that follows."""
    source, state = random.Random(seed), table.start(seed)
    while not state.over:
        action = eager(state, source) if strict else careless(table, state, source)
        yield state, action
        state = table.apply(state, action)
    yield state, None


def held(player: Player) -> int:
    return sum(concealed(player)) + player.wilds


def sizes(table: Table, player: Player) -> list[int]:
    """How many tiles each exposed meld has."""
    return [len(tiles_of(table.game, laid)) for laid in player.laid]


def melds(table: Table, player: Player) -> list[str]:
    return [table.game.melds[laid.meld].type.name for laid in player.laid]


def staying(state: State) -> list[Player]:
    return [player for player in state.players if not player.left]


def at_rest(state: State) -> bool:
    """Has nobody to discard, and is nobody in the middle of a meld?"""
    return state.offer is not None and not state.todo and bool(state.turned or state.discarded)


# ---------------------------------------------------------------- how many tiles one has


def test_tiles_held_and_laid_in_幺地人() -> None:
    """YDR-50, CL-15: twenty, and one more for each tile that a set has beyond three."""
    table, seen = game("幺地人").table, Counter[str]()
    for seed in range(60):
        for state, action in states(table, seed):
            seen.update([action.name] if action is not None and action.kind == "lay" else [])
            for player in staying(state) if at_rest(state) else ():
                extra = sum(max(size - 3, 0) for size in sizes(table, player))
                assert held(player) + sum(sizes(table, player)) == 20 + extra
    assert {"吃", "碰", "杠", "吐火", "响"} <= set(seen)


@pytest.mark.parametrize(("name", "changes"), [("幺地人", True), ("割胡", False)])
def test_a_discard_gives_back_what_was_taken(name: str, changes: bool) -> None:
    """Nobody has more or fewer tiles at his turn but for the extra ones of his melds."""
    table = game(name).table
    for seed in range(20):
        for state, _ in states(table, seed):
            for seat, player in zip(table.game.seats, state.players, strict=True):
                if at_rest(state) and not player.left:
                    extra = sum(table.game.melds[laid.meld].type.extra for laid in player.laid)
                    dealt = seat.tiles - (seat.role == "庄" and name == "割胡")
                    assert held(player) + sum(sizes(table, player)) == dealt + extra
                    assert changes or extra == melds(table, player).count("扯")


def test_with_a_draw_for_扯_a_seat_can_finish_and_without_it_cannot() -> None:
    """CL-27: who waits for one tile has an odd number of loose ones; one that is not made up spoils it."""
    for name, drawn in (("割胡", True), ("割胡[GH-06=R2]", False)):
        table, seen = game(name).table, 0
        for seed in range(25):
            for state, _ in states(table, seed):
                for player in state.players if at_rest(state) else ():
                    taken = melds(table, player).count("扯")
                    assert held(player) % 2 == (1 if drawn else (1 + taken) % 2)
                    seen += taken
        assert seen


def test_each_set_of_挤儿_leaves_two_fewer_in_the_hand() -> None:
    """CL-29, JE-17: once the tiles for it are drawn and one is let go; 起 leaves as many."""
    seen = Counter[str]()
    for name in ("挤儿", "挤儿[人数=5]", "挤儿[人数=6,JE-19=R2]"):
        table = game(name).table
        for seed in range(20):
            for state, action in states(table, seed):
                if action is None or action.kind != "lay":
                    continue
                after = table.apply(state, action)
                if after.over:
                    continue
                before, now = (held(s.players[action.seat]) for s in (state, after))
                claimed = bool(state.asks)
                assert now - claimed - before == (0 if action.name == "起" else -2)
                seen[f"{action.name}{'要' if claimed else ''}"] += 1
    assert {"摆挤要", "碰要", "燕要", "燕", "暗", "起"} <= set(seen)


def test_a_kong_of_挤儿_draws_two() -> None:
    """JE-16, CL-29: three that are tied to partners, and the fourth that comes."""
    table = game("挤儿").table
    state = offered(table, {1: tiles(table, "天牌 天牌 天牌 人牌 二六 三五 高高")}, "天牌", 0)
    state = table.apply(state, next(a for a in state.lawful if a.name == "扛"))
    assert held(state.players[1]) == 7 - 3 + 2 and melds(table, state.players[1]) == ["扛"]
    after = table.apply(state, next(a for a in state.lawful if a.kind == "discard"))
    assert held(after.players[1]) == 5


def test_four_in_the_hand_of_挤儿_draw_two() -> None:
    """JE-14, CL-29: and whoever lays three of them keeps the fourth for later (JE-15)."""
    table = game("挤儿").table
    nobody = Player((0,) * len(table.game.kinds))
    everyone = (tiles(table, "天牌 天牌 天牌 天牌 高高"), nobody, nobody, nobody)
    tasks = (Task("announce", 0, "亮"), Task("announce", 0, "暗"), Task("announce", 0, "起"))
    state = table.settled(State((0,) * 40, 0, everyone, {}, todo=tasks))
    four = table.apply(state, state.lawful[0])
    assert melds(table, four.players[0]) == ["亮"] and held(four.players[0]) == 5 - 4 + 2
    three = table.apply(state, Action("pass", 0))
    three = table.apply(three, three.lawful[0])
    assert melds(table, three.players[0]) == ["暗"] and held(three.players[0]) == 5 - 3 + 1
    grown = table.apply(three, next(a for a in three.lawful if a.name == "起"))
    assert melds(table, grown.players[0]) == ["起"] and held(grown.players[0]) == 3 - 1 + 1


def test_hands_of_挤儿_are_odd_at_rest() -> None:
    """JE-05: so a hand that ends by a pair is odd before it."""
    table = game("挤儿[人数=6]").table
    for seed in range(20):
        for state, _ in states(table, seed):
            if at_rest(state):
                assert all(held(player) % 2 == 1 for player in state.players)


def test_the_winner_of_挤儿_gets_at_least_one_from_each() -> None:
    """CL-31, JE-30, JE-31."""
    table, least = game("挤儿").table, 99
    for seed in range(60):
        result = [state for state, _ in states(table, seed)][-1].result
        assert result is not None
        if result.outcome == "win":
            others = [paid for seat, paid in enumerate(result.payments) if seat != result.seat]
            assert set(others) == {-result.score - 1}
            least = min(least, result.score + 1)
    assert least == 1


# ---------------------------------------------------------------- claims


def offered(table: Table, hands: dict[int, Player], tile: str, seat: int, turned: bool = True) -> State:
    """The moment at which a tile comes on offer; seats that are not given hold nothing."""
    nobody = Player((0,) * len(table.game.kinds))
    everyone = tuple(hands.get(i, nobody) for i in range(len(table.game.seats)))
    kind = table.game.kind_index[tile]
    return table.settled(State((kind,) * 40, 0, everyone, {}, offer=Offer(kind, seat, turned, False)))


def tiles(table: Table, text: str) -> Player:
    counts = [0] * len(table.game.kinds)
    for word in text.split():
        counts[table.game.kind_index[word]] += 1
    return Player(tuple(counts))


def does(table: Table, state: State) -> set[str]:
    return {action_text(table, state, action) for action in state.lawful}


def test_a_pair_that_another_took_can_only_be_eaten() -> None:
    """CL-16, 阻碰: the nearer of two with a pair is asked first; five tiles make one triple and a pair."""
    table = game("幺地人").table
    pair = tiles(table, "长三 长三 天牌 地牌")
    state = offered(table, {1: pair, 2: pair}, "长三", 0)
    assert does(table, state) == {"闲1 碰 碰 长三长三长三 翻手手", "闲1 过"}
    state = table.apply(state, state.lawful[0])
    assert state.players[1].laid and all(ask.seat != 2 for ask in state.asks)
    for other in ("人牌", "二六", "三五"):
        line, marks = f"长三长三{other}", "手手翻"
        eaten = offered(table, {2: pair}, other, 1)
        assert does(table, eaten) == {f"闲2 吃 吃 {line} {marks}", "闲2 过"}


@pytest.mark.parametrize("name", ["幺地人", "幺地人[人数=4]"])
def test_two_players_never_have_a_set_of_one_face(name: str) -> None:
    """CL-16 over play."""
    table = game(name).table
    for seed in range(30):
        *_, (state, _) = states(table, seed)
        of_a_kind = [
            table.game.melds[laid.meld].tiles[0]
            for player in state.players
            for laid in player.laid
            if table.game.melds[laid.meld].type.name in ("碰", "杠", "吐火", "响")
        ]
        assert len(of_a_kind) == len(set(of_a_kind))


def test_the_short_seat_may_not_take_for_a_pair() -> None:
    """JE-06, WE-J3: what it turns up is its own; a tile that passes makes no pair for it."""
    table = game("挤儿[人数=5]").table
    short = tiles(table, "三四 丁丁 高高")
    for turned in (False, True):
        assert not offered(table, {4: short}, "丁丁", 3, turned).asks
    full = offered(table, {3: tiles(table, "三四 高高 天牌")}, "丁丁", 2)
    assert does(table, full) == {"家4 摆挤 挤十 三四丁丁 手翻", "家4 摆挤 挤十 高高丁丁 手翻"}


def test_three_alike_that_all_have_partners_need_not_go_down() -> None:
    """JE-12."""
    table = game("挤儿").table
    for hand, must in (
        ("拐子 拐子 拐子 幺四 幺四 幺四 地牌", False),
        ("拐子 拐子 拐子 幺四 幺四 天牌 地牌", True),  # one would have to pair with its like
        ("天牌 天牌 天牌 人牌 二六 三五 地牌", False),
        ("天牌 天牌 天牌 人牌 二六 三五 高高", False),
        ("天牌 天牌 天牌 人牌 二六 地牌 高高", True),
        ("天牌 天牌 天牌 人牌 人牌 二六 高高", False),
    ):
        player = tiles(table, hand)
        nobody = Player((0,) * len(table.game.kinds))
        state = State((0,) * 40, 0, (player, nobody, nobody, nobody), {})
        assert bool(table.claims.announced(state, 0, "暗")) is must, hand


# ---------------------------------------------------------------- who stays, and who is fined


def test_who_leaves_is_who_the_judgement_sends_away() -> None:
    """YDR-18: asked of the judgement as a program would; and nobody turns a tile unless somebody opened."""
    played, table = game("幺地人"), game("幺地人").table
    judgement, left = played.judgement("资格"), 0
    for seed in range(40):
        found = [state for state, _ in states(table, seed)]
        for seat, player in enumerate(table.start(seed).players):
            hand = Hand(table.game.seats[seat].role, (), player.counts, None)
            verdict = judgement.judge(to_json(judgement.core, hand))
            goes = found[-1].players[seat].left == "下课"
            assert verdict.win is not goes
            left += goes
        opened = found[-1].opener
        assert (opened is not None) == bool(found[-1].turned or found[-1].discarded)
        if opened is not None:
            assert not found[-1].players[opened].left.startswith("下")
    assert left


def test_those_who_left_have_no_part_and_offenders_are_fined_at_the_end() -> None:
    """YDR-64 to YDR-68: an offender plays on, never wins, and pays everybody who stayed."""
    fouled = 0
    for name, pays in (("幺地人", False), ("幺地人[YDR-68=R2]", True)):
        table = game(name).table
        for seed in range(40):
            *_, (state, _) = states(table, seed, strict=False)
            result, out = state.result, [bool(p.left) for p in state.players]
            assert result is not None and sum(result.payments) == 0
            for seat, player in enumerate(state.players):
                fouled += len(player.fouls)
                assert not (player.fouls and seat == result.seat)
                hidden = table.view(state, (seat + 1) % len(out)).players[seat]
                assert (hidden.fouls, hidden.left) == ((), player.left)
                if player.left and not pays:
                    assert result.payments[seat] == 0
            if result.outcome == "draw" and not any(out):
                fines = [len(p.fouls) for p in state.players]
                assert list(result.payments) == [sum(fines) - len(fines) * n for n in fines]
    assert fouled > 20


def test_a_missed_kong_may_befall_who_was_good_enough() -> None:
    """CL-17: whoever may play can still become an offender later."""
    replay = refereed("WE-Y7-missed")
    state = replay.table.dealt(replay.state.deck)  # type: ignore[union-attr]
    assert replay.table.verdicts.standing(state, 1, "资格").win
    assert replay.state is not None and replay.state.players[1].fouls == ("包子",)


def test_where_only_one_is_left_nobody_pays_him() -> None:
    """YDR-69: he plays on alone."""
    replay = refereed("WE-Y7")
    assert replay.state is not None and replay.state.result is not None
    assert (replay.state.result.outcome, replay.state.result.payments) == ("win", (0, 0))


# ---------------------------------------------------------------- the worked examples as records


def refereed(name: str) -> Replay:
    header = header_of(lines_of((PLAYS / f"{name}.play").read_text(encoding="utf-8"), f"{name}.play"))
    replay = Replay(game(header.game).table)
    replay.run(header)
    return replay


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        ("WE-Y3a", []),
        ("WE-Y3b", []),
        ("WE-Y3c", []),
        ("WE-Y3d", []),
        ("WE-Y4-stays", ["R004"]),
        ("WE-Y7", []),
        ("WE-Y7-missed", ["R004"]),
        ("WE-J3", []),
        ("JE-21", ["R004"]),
        ("WE-G1", []),
    ],
)
def test_a_worked_example_is_played_as_it_says(name: str, faults: list[str]) -> None:
    replay = refereed(name)
    assert [fault.code for fault in replay.faults] == faults
    assert replay.state is not None and replay.state.over


@pytest.mark.parametrize("name", ["幺地人", "幺地人[YDR-67=R2]", "挤儿"])
def test_the_referee_finds_every_duty_that_was_missed(name: str) -> None:
    """A record does not say who passed; what follows does, and so does an end that nothing else explains."""
    table, missed = game(name).table, 0
    for seed in range(25):
        deal, source = Deal(table, table.wall(seed)), random.Random(seed)
        broken = 0
        while not deal.state.over:
            action = careless(table, deal.state, source)
            broken += action not in deal.state.lawful
            deal.apply(action)
        replay = Replay(table)
        replay.run(header_of(lines_of(deal.record(), "a.play")))
        assert [fault.code for fault in replay.faults] == ["R004"] * broken
        assert replay.state == deal.state
        missed += broken
    assert missed > 5


def test_only_two_replacements_send_the_short_hand_away() -> None:
    """WE-Y3, YDR-62, YDR-63: of all faces that may come for the kong."""
    table = game("幺地人").table
    hand = tiles(
        table,
        "天牌 天牌 天牌 红九 红九 红九 梅子 梅子 梅子 二六 二六 二六 地牌 地牌 四六 三五 人牌 二五 长三 丁丁",
    )
    away = set()
    for kind, face in enumerate(table.game.kinds):
        state = offered(table, {1: hand}, "二六", 1)
        state = replace(state, deck=(kind,) * 40)
        state = table.apply(state, next(a for a in state.lawful if a.name == "杠"))
        away |= {face.name} if any(a.kind == "leave" for a in state.lawful) else set()
    assert away == {"三六", "二六"}
