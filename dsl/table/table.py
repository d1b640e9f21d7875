"""A deal played by the flow of the rules: what may be done now, and what comes of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..core.flow import Act, Breach
from ..core.hand import Laid, tiles_of
from ..core.local import met
from ..core.model import WILD, Game, Rule
from ..judge.compiled import Compiled
from .claims import Claims, concealed
from .deal import deal, shuffled
from .state import Action, Offer, Player, Result, State, Task
from .verdicts import Verdicts

FALSE_WIN = "和"
"""What a breach calls a declared win that does not hold."""


class IllegalAction(Exception):
    """An action that the rules do not know, or that a clause forbids."""

    def __init__(self, action: Action, rule: Rule | None) -> None:
        super().__init__(f"{action} is refused" + (f" by {rule.name}" if rule else ""))
        self.action = action
        self.rule = rule


class Table:
    """The interpreter of one game. All of it is pure: `apply` gives a new state and leaves the old one."""

    def __init__(self, game: Game, compiled: Compiled) -> None:
        if game.flow is None:
            raise ValueError("the game has no flow of play")
        self.game = game
        self.flow = game.flow
        self.verdicts = Verdicts(compiled, game)
        self.claims = Claims(game, self.verdicts)
        self.playing = self.claims.playing

    def wall(self, seed: int) -> tuple[int, ...]:
        """The tiles shuffled by a seed."""
        return shuffled(self.game, random.Random(seed))

    def start(self, seed: int, context: Mapping[str, str] | None = None) -> State:
        """A deal of tiles shuffled by a seed."""
        return self.dealt(self.wall(seed), context)

    def dealt(self, deck: tuple[int, ...], context: Mapping[str, str] | None = None) -> State:
        """A deal of tiles in this order: those of each seat, then the indicator, then the stock."""
        state = deal(self.game, deck, context or {})
        todo = tuple(
            _task(act, seat)
            for step in self.flow.opening
            for seat in self.playing
            if self.game.seats[seat].role == step.role
            for act in step.acts
        )
        return self.settled(replace(state, todo=todo))

    # ------------------------------------------------------------ for players

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """What may be done; empty at the end of the deal."""
        return state.lawful

    def breaches(self, state: State) -> tuple[Action, ...]:
        """What can be done though a clause forbids it, where the rules say what comes of it."""
        return tuple(a for a in self.unlawful(state) if self.breach_of(state, a) is not None)

    def apply(self, state: State, action: Action) -> State:
        """The state after an action. Raises `IllegalAction` with the clause that forbids it."""
        if state.over:
            raise IllegalAction(action, None)
        if action._replace(declared=None) in state.lawful:
            return self.settled(self._done(state, action))
        breach = self.breach_of(state, action) if action in self.unlawful(state) else None
        if breach is None:
            raise IllegalAction(action, self.clause_against(state, action))
        return self._broken(state, action, breach)

    def view(self, state: State, seat: int) -> State:
        """The state without what this player cannot see: -1 stands for a tile he does not know.

        What the others may do is hidden with their tiles: only his own actions are listed.
        """
        hidden = Player((), 0)
        players = tuple(
            p if i == seat else hidden._replace(laid=p.laid, taken=p.taken)
            for i, p in enumerate(state.players)
        )
        return replace(
            state,
            deck=(-1,) * len(state.deck),
            players=players,
            asks=tuple(ask for ask in state.asks[:1] if ask.seat == seat),
            lawful=tuple(a for a in state.lawful if a.seat == seat or a.kind in ("turn_up", "take")),
            todo=tuple(t for t in state.todo if t.seat == seat or t.kind != "announce"),
        )

    # ------------------------------------------------------------ going on

    def settled(self, state: State) -> State:
        """Go on until somebody has to act or the deal is over."""
        while state.result is None:
            if state.asks:
                ask = state.asks[0]
                passing = () if ask.must else (Action("pass", ask.seat),)
                return replace(state, lawful=ask.options + passing)
            if state.todo:
                lawful = self._doable(state, state.todo[0])
                if lawful:
                    return replace(state, lawful=lawful)
                if state.todo[0].kind == "discard":
                    return self._over(state, Result("stuck", state.todo[0].seat, self._nothing))
                state = self._next(state)
            elif state.offer is not None and not state.opened:
                state = replace(state, asks=self.claims.asks(state, state.offer), opened=True)
            else:
                state = replace(state, todo=self._turn(state))
        return state

    @cached_property
    def _nothing(self) -> tuple[int, ...]:
        return (0,) * len(self.game.seats)

    def _turn(self, state: State) -> tuple[Task, ...]:
        """What the next player has to do."""
        seat = self.playing[0] if state.offer is None else self.after(state.offer.seat)
        return tuple(_task(act, seat) for act in self.flow.turn)

    def after(self, seat: int) -> int:
        """Who comes next."""
        return self.playing[(self.playing.index(seat) + 1) % len(self.playing)]

    def _doable(self, state: State, task: Task) -> tuple[Action, ...]:
        match task.kind:
            case "announce":
                found = self.claims.announced(state, task.seat, task.name)
                if found and not self.flow.announcements[task.name].must:
                    return (*found, Action("pass", task.seat))
                return found
            case "win":
                wins = self.verdicts.wins(state, task.seat, None)
                return (Action("win", task.seat), Action("pass", task.seat)) if wins else ()
            case "discard":
                return self.claims.discards(state, task.seat)
            case _:
                return (Action(task.kind, task.seat),)

    def _next(self, state: State) -> State:
        return replace(state, todo=state.todo[1:], lawful=())

    # ------------------------------------------------------------ actions

    def _done(self, state: State, action: Action) -> State:
        match action.kind:
            case "pass":
                return replace(state, asks=state.asks[1:], lawful=()) if state.asks else self._next(state)
            case "turn_up" | "take":
                return self._drawn(state, action)
            case "discard":
                return self._discarded(state, action)
            case "lay":
                return self._laid(state, action)
            case _:
                return self._declared(state, action)

    def _drawn(self, state: State, action: Action) -> State:
        """The next tile of the stock: on offer where it is turned up, else in the hand."""
        if state.at >= len(state.deck) - self.flow.reserve:
            return self._over(state, Result("draw", None, self.verdicts.drawn(state)))
        tile, seat = self._face(state, state.deck[state.at]), action.seat
        state = replace(self._next(self._pooled(state)), at=state.at + 1)
        if action.kind == "turn_up" and not self._goes_in(state, seat, tile):
            offer = Offer(tile, seat, True, state.turned == 0)
            return replace(state, offer=offer, opened=False, turned=state.turned + 1)
        rest = state.todo
        if action.kind == "turn_up":
            rest = (Task("win", seat), Task("discard", seat), *rest)
        return replace(self._with(state, seat, drawn=tile), todo=rest)

    def _goes_in(self, state: State, seat: int, tile: int) -> bool:
        if self.flow.into_hand is None:
            return False
        return met(self.flow.into_hand, self.verdicts.sight(state, seat, Offer(tile, seat, True, False)))

    def _face(self, state: State, tile: int) -> int:
        """The tile as hands count it: a wild one is one of its own kind."""
        return WILD if tile == self.game.wild_face(state.context) else tile

    def _pooled(self, state: State) -> State:
        """The tile that nobody took stays where it is."""
        if state.offer is None:
            return state
        pool = (*state.pool, (state.offer.tile, state.offer.seat))
        return replace(state, pool=pool, offer=None, opened=False)

    def _discarded(self, state: State, action: Action) -> State:
        player = _kept(state.players[action.seat])
        if action.tile == WILD:
            player = player._replace(wilds=player.wilds - 1)
        else:
            player = player._replace(counts=_less(player.counts, ((action.tile, 1),)))
        offer = Offer(action.tile, action.seat, False, state.discarded == 0)
        state = self._next(self._set(state, action.seat, player))
        return replace(state, offer=offer, opened=False, discarded=state.discarded + 1)

    def _laid(self, state: State, action: Action) -> State:
        """A meld is laid: from the hand, or with the tile on offer."""
        player, laid = _kept(state.players[action.seat]), action.laid
        assert laid is not None
        before = [player.laid[place] for place in action.joined]
        claimed = bool(state.asks)
        need = self._from_hand(laid, before, state.offer if claimed else None)
        kept = tuple(meld for place, meld in enumerate(player.laid) if place not in action.joined)
        player = player._replace(counts=_less(player.counts, need), laid=(*kept, laid))
        if not claimed:
            state = replace(self._set(state, action.seat, player), lawful=())
            return self._extra(state, action.seat, laid, before)
        player = player._replace(taken=(*player.taken, action.name))
        state = replace(self._set(state, action.seat, player), asks=(), offer=None, opened=False, lawful=())
        if self.flow.responses[action.name].keeps:
            turn = tuple(_task(act, self.after(action.seat)) for act in self.flow.turn)
            return self._extra(replace(state, todo=turn), action.seat, laid, before)
        return self._extra(replace(state, todo=(Task("discard", action.seat),)), action.seat, laid, before)

    def _from_hand(self, laid: Laid, before: list[Laid], offer: Offer | None) -> tuple[tuple[int, int], ...]:
        tiles = list(tiles_of(self.game, laid))
        for meld in before:
            for tile in tiles_of(self.game, meld):
                tiles.remove(tile)
        if offer is not None:
            tiles.remove(offer.tile)
        return tuple((tile, 1) for tile in tiles)

    def _extra(self, state: State, seat: int, laid: Laid, before: list[Laid]) -> State:
        """The tiles that a meld brings its owner, drawn unseen; he may win on the last of them."""
        kinds = [self.game.melds[meld.meld].type for meld in (laid, *before)]
        drawn = [0 if kind.by_last else kind.extra for kind in kinds]
        for _ in range(drawn[0] - sum(drawn[1:])):
            if state.at >= len(state.deck) - self.flow.reserve:
                return self._over(state, Result("draw", None, self.verdicts.drawn(state)))
            tile = self._face(state, state.deck[state.at])
            state = self._set(state, seat, _kept(state.players[seat])._replace(drawn=tile))
            state = replace(state, at=state.at + 1)
        if drawn[0] > sum(drawn[1:]) and state.todo[:1] == (Task("discard", seat),):
            return replace(state, todo=(Task("win", seat), *state.todo))
        return state

    def _declared(self, state: State, action: Action) -> State:
        offer = state.offer if state.asks else None
        outcome, paid = self.verdicts.declared(state, action.seat, offer, action.declared)
        if not outcome.win:
            return self._fined(state, action.seat, paid, outcome.score, FALSE_WIN)
        return self._over(state, Result("win", action.seat, paid, outcome.names, outcome.score))

    # ------------------------------------------------------------ breaches

    def unlawful(self, state: State) -> tuple[Action, ...]:
        """What can physically be done now and is not lawful."""
        found: list[Action] = []
        if state.over:
            return ()
        discarding = bool(state.todo) and not state.asks and state.todo[0].kind == "discard"
        bound = not any(action.kind in ("pass", "turn_up", "take") for action in state.lawful)
        if bound and not discarding:
            found.append(Action("pass", state.lawful[0].seat))
        if discarding:
            seat = state.todo[0].seat
            free = {action.tile for action in state.lawful}
            tiles = [k for k, n in enumerate(concealed(state.players[seat])) if n and k not in free]
            found += [Action("discard", seat, tile=tile) for tile in tiles]
        asked = [action for ask in state.asks for action in ask.options]
        winners = {a.seat for a in (*state.lawful, *asked) if a.kind == "win"}
        if state.offer is not None:
            others = [s for s in self.playing if state.offer.turned or s != state.offer.seat]
            found += [Action("win", seat) for seat in others if seat not in winners]
        return tuple(found)

    def breach_of(self, state: State, action: Action) -> Breach | None:
        """The clause that says what comes of an unlawful action."""
        names = self._broken_names(state, action)
        return next((b for b in self.flow.breaches if names & set(b.clauses)), None)

    def _broken_names(self, state: State, action: Action) -> set[str]:
        """Names of the clauses that the action breaks."""
        match action.kind:
            case "win":
                return {FALSE_WIN}
            case "discard":
                return {ban.name for ban in self.claims.barred(state, action.seat, action.tile)}
            case "pass":
                return {a.name for a in state.lawful if a.name}
            case _:
                return set()

    def clause_against(self, state: State, action: Action) -> Rule | None:
        """The clause that forbids an action, where one does."""
        names = self._broken_names(state, action)
        rules = [
            *(ban.rule for ban in self.flow.bans if ban.name in names),
            *(clause.rule for name, clause in self.flow.announcements.items() if name in names),
            *(clause.rule for name, clause in self.flow.responses.items() if name in names),
        ]
        return rules[0] if rules else self.claims.refused(state, action)

    def let_pass(self, state: State) -> State:
        """The state after somebody let go what he had to take, where nothing comes of it."""
        return self.settled(self._done(state, Action("pass", state.lawful[0].seat)))

    def _broken(self, state: State, action: Action, breach: Breach) -> State:
        if action.kind == "win":
            outcome, paid = self.verdicts.declared(state, action.seat, state.offer, action.declared)
            return self._fined(state, action.seat, paid, outcome.score, breach.name)
        if breach.ends:
            return self._fined(state, action.seat, self.verdicts.fined(state, action.seat), 0, breach.name)
        return self.settled(self._done(state, action))

    def _fined(self, state: State, seat: int, paid: tuple[int, ...], score: int, breach: str) -> State:
        return self._over(state, Result("false_win", seat, paid, (), score, breach))

    # ------------------------------------------------------------ the end

    def _over(self, state: State, result: Result) -> State:
        who = self.flow.next_dealer.get(result.outcome, "same")
        dealer = self.playing[0]
        if who == "actor" and result.seat is not None:
            dealer = result.seat
        elif who == "next":
            dealer = self.after(dealer)
        return replace(state, result=replace(result, next_dealer=dealer), lawful=(), asks=(), todo=())

    # ------------------------------------------------------------ small changes

    def _set(self, state: State, seat: int, player: Player) -> State:
        players = (*state.players[:seat], player, *state.players[seat + 1 :])
        return replace(state, players=players)

    def _with(self, state: State, seat: int, **changes: Any) -> State:
        return self._set(state, seat, state.players[seat]._replace(**changes))


def _task(act: Act, seat: int) -> Task:
    return Task(act.kind, seat, act.name)


def _kept(player: Player) -> Player:
    """The drawn tile put among the others."""
    if player.drawn is None:
        return player
    wilds = player.wilds + (player.drawn == WILD)
    return player._replace(counts=concealed(player), wilds=wilds, drawn=None)


def _less(counts: tuple[int, ...], tiles: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    rest = list(counts)
    for kind, n in tiles:
        rest[kind] -= n
    return tuple(rest)
