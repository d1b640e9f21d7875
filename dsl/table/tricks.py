"""Tricks: what may be led, what has to beat it, what is covered, and what the taker lays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..core.local import met
from ..core.model import Game, Meld, Rule
from ..core.ranks import Place, higher, plays
from ..core.tricks import Liable, Tricks
from .changes import seated, without
from .state import Action, Player, Put, State, Task, changed
from .verdicts import Verdicts

TASKS = ("trick", "follow", "cover")
"""What a player does in a trick: lead, beat or not, give one more tile."""


class Play(NamedTuple):
    """A play that tiles can make."""

    meld: Meld
    place: Place


class TrickPlay:
    """Reads the clauses of tricks of one game. Each method gives a new state and leaves the old one."""

    def __init__(self, game: Game, rules: Tricks, verdicts: Verdicts) -> None:
        assert game.flow is not None
        self.game = game
        self.rules = rules
        self.verdicts = verdicts
        self.judge = game.flow.judged[rules.judgement] if rules.judgement else game
        """The ruleset whose melds are the plays; its tiles are the game's."""
        known = {(meld.type.index, meld.counts): Play(meld, place) for meld, place in plays(self.judge)}
        self._known = {play.meld.id: play for play in known.values()}

    # ------------------------------------------------------------ what may be done

    def doable(self, state: State, task: Task) -> tuple[Action, ...]:
        """What a player may do in a trick; nothing where he has no choice to make."""
        player = state.players[task.seat]
        match task.kind:
            case "trick":
                return tuple(Action("lead", task.seat, play=p.meld.id) for p in self._held(player))
            case "follow":
                return self._following(state, task.seat)
            case "cover":
                return self._covers(player, task.seat)
            case _:
                return ()

    def _following(self, state: State, seat: int) -> tuple[Action, ...]:
        follow, player = self.rules.follow, state.players[seat]
        best = self._place(state.trick[-1])
        over = (p for p in self._held(player) if higher(p.place, best))
        beats = tuple(Action("beat", seat, follow.name, play=p.meld.id) for p in over)
        if beats and follow.must:
            return beats
        covers = self._covers(player, seat)
        return beats + covers if covers or not beats else (*beats, Action("pass", seat))

    def _covers(self, player: Player, seat: int) -> tuple[Action, ...]:
        cover = self.rules.cover
        if cover is None:
            return ()
        return tuple(Action("cover", seat, cover.name, tile) for tile, n in enumerate(player.counts) if n)

    def _held(self, player: Player) -> Iterator[Play]:
        """The plays that a player's concealed tiles make."""
        counts = player.counts
        return (p for p in self._known.values() if all(counts[kind] >= n for kind, n in p.meld.counts))

    def _place(self, put: Put) -> Place:
        return self._known[put.play].place

    # ------------------------------------------------------------ what comes of it

    def done(self, state: State, action: Action) -> State:
        """Somebody led, beat what was best, or covered one tile."""
        first, *rest = state.todo
        if action.kind == "cover":
            return self._covered(state, action, first, tuple(rest))
        if action.kind == "lead":
            others = (Task("follow", seat) for seat in self.verdicts.active(state, action.seat)[1:])
            rest = [*others, Task("close", action.seat), *rest]
        return changed(self._put(state, action), todo=tuple(rest), lawful=())

    def _put(self, state: State, action: Action) -> State:
        meld, player = self.judge.melds[action.play], state.players[action.seat]
        used = [0] * len(player.counts)
        for kind, n in meld.counts:
            used[kind] = n
        led = action.kind == "lead"
        sight = self.verdicts.own_sight(state, action.seat)._replace(used=tuple(used), led=led)
        noted = tuple(note.name for note in self.rules.notes if met(note.where, sight))
        player = player._replace(counts=without(player.counts, meld.counts), taken=player.taken + noted)
        trick = (*state.trick, Put(action.seat, action.play, meld.tiles))
        return changed(seated(state, action.seat, player), trick=trick)

    def _covered(self, state: State, action: Action, task: Task, rest: tuple[Task, ...]) -> State:
        player, tile = state.players[action.seat], action.tile
        counts = without(player.counts, ((tile, 1),))
        player = player._replace(counts=counts, covered=(*player.covered, tile))
        more = 0
        if task.kind == "follow":
            more = min(len(state.trick[0].tiles) - 1, sum(counts))
        todo = (Task("cover", action.seat),) * more + rest
        return changed(seated(state, action.seat, player), todo=todo, lawful=())

    def closed(self, state: State) -> State:
        """The best play is laid before its player, who leads next; the others are turned down."""
        best = state.trick[-1]
        taker = state.players[best.seat]
        down = ((tile, put.seat) for put in state.trick[:-1] for tile in put.tiles)
        state = changed(
            seated(state, best.seat, taker._replace(front=taker.front + best.tiles)),
            pool=(*state.pool, *down),
            trick=(),
            tricks=state.tricks + 1,
            leader=best.seat,
            unbeaten=len(state.trick) == 1,
        )
        return changed(state, todo=self._afterwards(state, best.seat))

    def _afterwards(self, state: State, taker: int) -> tuple[Task, ...]:
        """What the taker does; where he cannot lead any more, whoever has a win has to declare it."""
        own = tuple(task._replace(seat=taker) for task in state.todo[1:])
        if any(True for _ in self._held(state.players[taker])):
            return own
        wins = (Task("win", seat, must=True) for seat in self.verdicts.active(state, taker))
        return (*(task for task in own if task.kind != "win"), *wins)

    # ------------------------------------------------------------ what is against the rules

    def unlawful(self, state: State) -> tuple[Action, ...]:
        """What can be done in a trick and is not lawful: neither leading nor beating, or beating nothing."""
        task, player = state.todo[0], state.players[state.todo[0].seat]
        if task.kind != "follow":
            return (Action("pass", task.seat),) if task.kind == "trick" else ()
        found: list[Action] = []
        if self.bound(state):
            found += self._covers(player, task.seat) or [Action("pass", task.seat)]
        size, free = len(state.trick[0].tiles), {action.play for action in state.lawful}
        wrong = (p.meld.id for p in self._held(player) if p.place.size == size and p.meld.id not in free)
        return (*found, *(Action("beat", task.seat, self.rules.follow.name, play=meld) for meld in wrong))

    def bound(self, state: State) -> bool:
        """Does the one who follows have to beat what is best?"""
        return state.todo[0].kind == "follow" and all(action.kind == "beat" for action in state.lawful)

    def clause_against(self, action: Action) -> Rule:
        """The clause that forbids something unlawful."""
        return self.rules.follow.rule if action.kind in ("beat", "cover") else self.rules.rule

    def rules_of(self, actions: tuple[Action, ...]) -> list[Rule]:
        """The clauses by which a player leads, beats or covers."""
        kinds, rules = {action.kind for action in actions}, self.rules
        found = [rules.rule] if "lead" in kinds else []
        found += [rules.follow.rule] if "beat" in kinds else []
        return found + ([rules.cover.rule] if "cover" in kinds and rules.cover is not None else [])

    # ------------------------------------------------------------ money

    def paid(self, state: State, winner: int, paid: tuple[int, ...]) -> tuple[int, ...]:
        """What every seat gets at a win once those who are liable pay for the others."""
        losers = [seat for seat in self.verdicts.active(state) if seat != winner and paid[seat] < 0]
        for liable in self.rules.liable:
            marked = [seat for seat in losers if self._liable(state, seat, liable)]
            if marked:
                return _shifted(paid, winner, marked, losers, liable.shares)
        return paid

    def _liable(self, state: State, seat: int, liable: Liable) -> bool:
        return liable.note in state.players[seat].taken and not self.verdicts.wins(state, seat, None)


def _shifted(
    paid: tuple[int, ...], winner: int, marked: list[int], losers: list[int], shares: bool
) -> tuple[int, ...]:
    """The payments without those of losers who are not liable; the first who is pays `shares` of them."""
    found = list(paid)
    for seat in losers:
        if seat not in marked:
            found[marked[0] if shares else winner] += paid[seat]
            found[seat] = 0
    return tuple(found)
