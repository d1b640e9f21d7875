"""A deal played by the flow of the rules: what may be done now, and what comes of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import dropwhile, takewhile
from typing import Any

from ..core.flow import Breach, Veto
from ..core.hand import Laid, tiles_of
from ..core.local import Did, grouped, met
from ..core.model import WILD, Game, Rule
from ..judge.compiled import Compiled
from .changes import after_letting_go, opens_play, seated, settled_in, task_of, without
from .claims import Claims
from .deal import deal, shuffled
from .state import HIDDEN, Action, Offer, Player, Result, State, Task, changed, seen
from .tricks import TASKS, TrickPlay
from .verdicts import Verdicts

FALSE_WIN = "和"
"""What a breach calls a declared win that does not hold."""
WRONG_DEAL = "张数"
"""What a breach calls a deal of too many or too few tiles."""

UNSEEN = ("announce", "win", "leave", "open")
"""Tasks of which nobody else knows: whether there is something to do tells of the tiles."""


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
        rules = self.flow.tricks
        self.tricks = None if rules is None else TrickPlay(game, rules, self.verdicts)
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
        raised = self.flow.raised
        raising = [i for i in self.playing if raised is not None and self.game.seats[i].role == raised.role]
        todo = tuple(Task("raise", seat) for seat in raising) + tuple(
            task_of(act, seat)
            for step in self.flow.opening
            for seat in self.playing
            if self.game.seats[seat].role == step.role
            for act in step.acts
        )
        state = changed(state, todo=todo)
        return self.settled(self._halted(state, "deal", self.playing) if self.flow.halts else state)

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
        plain = action._replace(declared=None)
        if plain in state.lawful:
            return self.settled(self._done(state, action))
        breach = self.breach_of(state, action) if plain in self.unlawful(state) else None
        if breach is None:
            raise IllegalAction(action, self.clause_against(state, action))
        return self._broken(state, action, breach)

    def view(self, state: State, seat: int) -> State:
        """The state without what this player cannot see: -1 stands for a tile he does not know.

        What the others may do is hidden with their tiles: only his own actions are listed.
        """
        players = tuple(
            p if i == seat else seen(p, p.laid if state.over else self._shown(p.laid))
            for i, p in enumerate(state.players)
        )
        return changed(
            state,
            deck=(-1,) * len(state.deck),
            players=players,
            asks=tuple(ask for ask in state.asks[:1] if ask.seat == seat),
            lawful=tuple(a for a in state.lawful if a.seat == seat or a.kind in ("turn_up", "take")),
            todo=tuple(t for t in state.todo if t.seat == seat or t.kind not in UNSEEN),
        )

    # ------------------------------------------------------------ going on

    def settled(self, state: State) -> State:
        """Go on until somebody has to act or the deal is over."""
        while state.result is None:
            if state.asks:
                ask = state.asks[0]
                passing = () if ask.must else (Action("pass", ask.seat),)
                return changed(state, lawful=ask.options + passing)
            if state.todo:
                lawful = self._doable(state, state.todo[0])
                if lawful:
                    return changed(state, lawful=lawful)
                if state.todo[0].kind == "discard":
                    return self._over(state, Result("stuck", state.todo[0].seat, self._nothing))
                state = self._skipped(state)
            elif state.offer is not None and not state.opened:
                state = changed(state, asks=self.claims.asks(state, state.offer), opened=True)
            else:
                state = changed(state, todo=self._turn(state))
        return state

    @cached_property
    def _nothing(self) -> tuple[int, ...]:
        return (0,) * len(self.game.seats)

    @cached_property
    def dealt_tiles(self) -> int:
        """Tiles that are gone from the stock once they are dealt."""
        return deal(self.game, self.wall(0), {}).at

    def _turn(self, state: State) -> tuple[Task, ...]:
        """What the next player has to do."""
        if state.offer is None:
            first = self.verdicts.active(state)[0]
            return self._turn_of(first if state.leader is None else state.leader)
        return self._turn_of(self.after(state, state.offer.seat))

    def _turn_of(self, seat: int) -> tuple[Task, ...]:
        return tuple(task_of(act, seat) for act in self.flow.turn)

    def after(self, state: State, seat: int) -> int:
        """Who comes next of those who have not left."""
        at = self.playing.index(seat) + 1
        order = [i for i in self.playing[at:] + self.playing[:at] if not state.players[i].left]
        return next(i for i in order if self.game.seats[i].role not in self.flow.no_turn)

    def _doable(self, state: State, task: Task) -> tuple[Action, ...]:
        match task.kind:
            case "announce":
                found = self.claims.announced(state, task.seat, task.name)
                if found and not self.flow.announcements[task.name].must:
                    return (*found, Action("pass", task.seat))
                return found
            case "win":
                wins = self.verdicts.wins(state, task.seat, None)
                found = (Action("win", task.seat), Action("pass", task.seat)) if wins else ()
                return found[:1] if task.must else found
            case "discard":
                return self.claims.discards(state, task.seat)
            case "raise":
                return self._raisable(state, task.seat)
            case "leave":
                return self._leaving(state, task)
            case "open":
                return self._opening(state, task)
            case "trick" | "follow" | "cover" | "close":
                return () if self.tricks is None else self.tricks.doable(state, task)
            case _:
                return (Action(task.kind, task.seat),)

    def _raisable(self, state: State, seat: int) -> tuple[Action, ...]:
        """The tile that a player may show: the one dealt at that place, or the next that is not wild."""
        raised = self.flow.raised
        assert raised is not None
        start = sum(s.tiles for s in self.game.seats[:seat])
        own = [self._face(state, t) for t in state.deck[start : start + self.game.seats[seat].tiles]]
        tile = next((t for t in own[raised.place - 1 :] if t != WILD), None)
        if tile is None:
            return ()
        action = Action("raise", seat, raised.parameter, tile=tile)
        return (action,) if raised.must else (action, Action("pass", seat))

    def _leaving(self, state: State, task: Task) -> tuple[Action, ...]:
        leave, player = self.flow.exits[task.name], state.players[task.seat]
        if player.fouls or not self.claims.holds(state, task.seat, leave.where):
            return ()
        if self.verdicts.standing(state, task.seat, leave.judgement).win:
            return ()
        found = (Action("leave", task.seat, task.name),)
        return found if leave.must else (*found, Action("pass", task.seat))

    def _opening(self, state: State, task: Task) -> tuple[Action, ...]:
        opener = self.flow.openers[task.name]
        if state.opener is not None or state.players[task.seat].fouls:
            return ()
        hand = self.verdicts.standing(state, task.seat, opener.judgement)
        if not hand.win or opener.named not in hand.names:
            return ()
        return (Action("open", task.seat, task.name), Action("pass", task.seat))

    def _skipped(self, state: State) -> State:
        """Nobody has anything to do about the first task."""
        task = state.todo[0]
        if task.kind == "trick":
            return self._drawn_out(state)
        if task.kind == "close" and self.tricks is not None:
            state = self.tricks.closed(state)
            return self._halted(state, "trick", () if state.leader is None else (state.leader,))
        return self._next(state)

    def _halted(self, state: State, at: str, seats: tuple[int, ...]) -> State:
        """The state; or the end of the deal where the tiles of one of these seats call it off."""
        for seat in seats:
            halt = self.verdicts.halted(state, seat, at)
            if halt is not None:
                paid = self.verdicts.drawn(state)
                return self._over(state, Result("draw", seat, paid, halt=halt.name))
        return state

    def _next(self, state: State) -> State:
        return self._go_on(state, state.todo[1:])

    def _go_on(self, state: State, todo: tuple[Task, ...]) -> State:
        """These tasks are left. Where nobody can open play any more, the deal is over."""
        opens = opens_play(state.todo) and state.opener is None and not opens_play(todo)
        for seat in {task.seat for task in state.todo[:1]} - {task.seat for task in todo}:
            state = seated(state, seat, settled_in(state.players[seat]))
        state = changed(state, todo=todo, lawful=())
        return self._drawn_out(state) if opens else state

    def _drawn_out(self, state: State) -> State:
        """Nobody wins."""
        return self._over(state, Result("draw", None, self.verdicts.drawn(state)))

    # ------------------------------------------------------------ actions

    def _done(self, state: State, action: Action) -> State:
        match action.kind:
            case "pass":
                return changed(state, asks=state.asks[1:], lawful=()) if state.asks else self._next(state)
            case "turn_up" | "take":
                return self._drawn(state, action)
            case "discard":
                return self._discarded(state, action)
            case "lay":
                return self._laid(state, action)
            case "lead" | "beat" | "cover" if self.tricks is not None:
                return self.tricks.done(state, action)
            case "leave":
                return self._gone(state, action)
            case "raise":
                context = {**state.context, action.name: self.game.kinds[action.tile].name}
                return self._next(changed(state, context=context))
            case "open":
                return self._next(changed(state, opener=action.seat))
            case "call":
                return self._next(state)
            case "misdeal":
                return state
            case "grab":
                return self._grabbed(state, action)
            case _:
                return self._declared(state, action)

    def _gone(self, state: State, action: Action) -> State:
        """A player leaves the deal; his turn is over, and the others go on."""
        seat = action.seat
        state = self._with(state, seat, left=action.name)
        if not self.verdicts.active(state):
            return self._drawn_out(state)
        todo = tuple(task for task in state.todo if task.seat != seat)
        if not todo and (state.turned or state.discarded):
            todo = self._turn_of(self.after(state, seat))
        return self._go_on(state, todo)

    def _drawn(self, state: State, action: Action) -> State:
        """The next tile of the stock: on offer where it is turned up, else in the hand."""
        if state.at >= len(state.deck) - self.flow.reserve:
            return self._drawn_out(state)
        tile, seat = self._face(state, state.deck[state.at]), action.seat
        state = changed(self._next(self._pooled(state)), at=state.at + 1)
        if action.kind == "turn_up" and not self._goes_in(state, seat, tile):
            offer = Offer(tile, seat, True, state.turned == 0)
            return changed(state, offer=offer, opened=False, turned=state.turned + 1)
        rest = state.todo
        if action.kind == "turn_up":
            rest = self._again(seat, (Task("discard", seat), *rest))
        player = settled_in(state.players[seat])._replace(drawn=tile, turn=())
        return changed(seated(state, seat, player), todo=rest)

    def _grabbed(self, state: State, action: Action) -> State:
        """The tile on offer goes into the hand; then all that a turn asks for after drawing."""
        offer, seat = state.offer, action.seat
        assert offer is not None
        player = state.players[seat]
        came, taken = self.verdicts.origin_of(offer, seat), (*player.taken, action.name)
        player = player._replace(drawn=offer.tile, came=came, taken=taken, turn=())
        todo = tuple(dropwhile(lambda task: task.kind != "take", self._turn_of(seat)))[1:]
        todo = todo or self._again(seat, (Task("discard", seat),))
        state = seated(state, seat, player)
        return changed(state, todo=todo, asks=(), offer=None, opened=False, lawful=())

    def _again(self, seat: int, todo: tuple[Task, ...]) -> tuple[Task, ...]:
        """What is to do once the seat has one tile more than before."""
        acts = self.flow.after_extra
        if acts is None:
            return (Task("win", seat), *todo) if todo[:1] == (Task("discard", seat),) else todo
        if Task("discard", seat) not in todo:
            return self._from_first(todo)
        again = tuple(task_of(act, seat) for act in acts)
        return (*again, *dropwhile(lambda task: task in again, todo))

    def _from_first(self, todo: tuple[Task, ...]) -> tuple[Task, ...]:
        """In the opening: what stands before the first task in its step may be open now, and comes again."""
        for step in self.flow.opening if todo else ():
            tasks = [task_of(act, todo[0].seat) for act in step.acts]
            if step.role == self.game.seats[todo[0].seat].role and todo[0] in tasks:
                again = takewhile(lambda task: task != todo[0], tasks)
                return (*(task for task in again if task.kind == "announce"), *todo)
        return todo

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
        return changed(state, pool=pool, offer=None, opened=False)

    def _discarded(self, state: State, action: Action) -> State:
        player = settled_in(state.players[action.seat])._replace(turn=())
        if action.tile == WILD:
            player = player._replace(wilds=player.wilds - 1)
        else:
            player = player._replace(counts=without(player.counts, ((action.tile, 1),)))
        offer = Offer(action.tile, action.seat, False, state.discarded == 0)
        state = self._next(seated(state, action.seat, player))
        context = after_letting_go(self.game, state, action.seat, action.tile)
        return changed(state, offer=offer, opened=False, discarded=state.discarded + 1, context=context)

    def _laid(self, state: State, action: Action) -> State:
        """A meld is laid: from the hand, or with the tile on offer."""
        player, laid = settled_in(state.players[action.seat]), action.laid
        assert laid is not None
        before = [player.laid[place] for place in action.joined]
        announced = state.todo[:1] == (Task("announce", action.seat, action.name),)
        claimed = not announced and action.name in self.flow.responses
        need = self._from_hand(laid, before, state.offer if claimed else None)
        kept = tuple(meld for place, meld in enumerate(player.laid) if place not in action.joined)
        player = player._replace(counts=without(player.counts, need), laid=(*kept, laid))
        done = self._did(action.name, player)
        player = player._replace(turn=(done,) if claimed else (*player.turn, done))
        if not claimed:
            state = changed(seated(state, action.seat, player), lawful=())
            return self._extra(state, action.seat, laid, before)
        player = player._replace(taken=(*player.taken, action.name))
        state = changed(seated(state, action.seat, player), asks=(), offer=None, opened=False, lawful=())
        if self.flow.responses[action.name].keeps:
            turn = self._turn_of(self.after(state, action.seat))
            return self._extra(changed(state, todo=turn), action.seat, laid, before)
        return self._extra(changed(state, todo=(Task("discard", action.seat),)), action.seat, laid, before)

    def _did(self, name: str, player: Player) -> Did:
        """What a player did who has just laid his last meld."""
        tile = self.game.melds[player.laid[-1].meld].tiles[0]
        return Did(name, tile, tuple(kind for kind in grouped(self.game, tile) if player.counts[kind]))

    def _shown(self, melds: tuple[Laid, ...]) -> tuple[Laid, ...]:
        """Exposed melds as the others see them."""
        down = self.face_down
        return tuple(HIDDEN if self.game.melds[m.meld].type.index in down else m for m in melds)

    @cached_property
    def face_down(self) -> frozenset[int]:
        """Types of melds that nobody but their owner sees."""
        hidden = (clause.types for clause in self.flow.announcements.values() if clause.hidden)
        return frozenset(index for types in hidden for index in types)

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
                return self._drawn_out(state)
            tile = self._face(state, state.deck[state.at])
            state = seated(state, seat, settled_in(state.players[seat])._replace(drawn=tile))
            state = changed(state, at=state.at + 1)
        if drawn[0] > sum(drawn[1:]):
            return changed(state, todo=self._again(seat, state.todo))
        return state

    def _declared(self, state: State, action: Action) -> State:
        offer = state.offer if state.asks else None
        outcome, paid = self.verdicts.declared(state, action.seat, offer, action.declared)
        if not outcome.win:
            return self._fined(state, action.seat, paid, outcome.score, FALSE_WIN)
        if self.tricks is not None:
            paid = self.tricks.paid(state, action.seat, paid)
        return self._over(state, Result("win", action.seat, paid, outcome.names, outcome.score))

    # ------------------------------------------------------------ breaches

    def unlawful(self, state: State) -> tuple[Action, ...]:
        """What can physically be done now and is not lawful."""
        if state.over:
            return ()
        found = self._misdeals(state)
        if self.tricks is not None and state.todo and state.todo[0].kind in TASKS:
            return (*found, *self.tricks.unlawful(state))
        discarding = bool(state.todo) and not state.asks and state.todo[0].kind == "discard"
        bound = not any(action.kind in ("pass", "turn_up", "take") for action in state.lawful)
        if bound and not discarding:
            found.append(Action("pass", state.lawful[0].seat))
        if discarding:
            found += self.claims.barred_discards(state, state.todo[0].seat)
        asked = [action for ask in state.asks for action in ask.options]
        winners = {a.seat for a in (*state.lawful, *asked) if a.kind == "win"}
        if discarding and (state.players[state.todo[0].seat].drawn is not None or not state.discarded):
            found.append(Action("win", state.todo[0].seat))
        if state.offer is not None:
            active = self.verdicts.active(state)
            others = [s for s in active if state.offer.turned or s != state.offer.seat]
            found += [Action("win", seat) for seat in others if seat not in winners]
            found += [action for action, _ in self._vetoed(state)]
        denied = {s for s, p in enumerate(state.players) if p.denied == (state.at, state.discarded)}
        return tuple(a for a in found if a.kind != "win" or a.seat not in denied)

    def _misdeals(self, state: State) -> list[Action]:
        """Whose tiles can be found to have been dealt wrongly: before anything is done with them."""
        if state.at != self.dealt_tiles or state.discarded or any(p.laid for p in state.players):
            return []
        found = ((seat, self._breach(state, seat, {WRONG_DEAL})) for seat in self.playing)
        return [Action("misdeal", seat, breach.name) for seat, breach in found if breach is not None]

    def _vetoed(self, state: State) -> Iterator[tuple[Action, tuple[Veto, ...]]]:
        """Ways to take the tile on offer against a veto whose breach has its consequence."""
        known = {name for breach in self.flow.breaches for name in breach.clauses}
        if not any(veto.name in known for veto in self.flow.vetoes) or state.offer is None:
            return
        for seat in (state.asks[0].seat,) if state.asks else self.verdicts.active(state):
            for action, vetoes in self.claims.vetoed(state, seat):
                if any(veto.name in known for veto in vetoes):
                    yield action, vetoes

    def breach_of(self, state: State, action: Action) -> Breach | None:
        """The clause that says what comes of an unlawful action."""
        return self._breach(state, action.seat, self._broken_names(state, action))

    def _breach(self, state: State, seat: int, names: set[str]) -> Breach | None:
        broken = (b for b in self.flow.breaches if names & set(b.clauses))
        return next((b for b in broken if self.claims.holds(state, seat, b.where)), None)

    def _rated(self, state: State, seat: int, breach: Breach) -> tuple[str, ...]:
        """The names that a breach is settled by, as if they had been called."""
        ratings = self.flow.ratings if breach.rated else ()
        return tuple(r.name for r in ratings if self.claims.holds(state, seat, r.where))

    def _broken_names(self, state: State, action: Action) -> set[str]:
        """Names of the clauses that the action breaks."""
        match action.kind:
            case "win":
                return {FALSE_WIN}
            case "misdeal":
                return {WRONG_DEAL}
            case "discard":
                return {ban.name for ban in self.claims.barred(state, action.seat, action.tile)}
            case "pass":
                return {a.name for a in state.lawful if a.name}
            case "lay":
                return {
                    veto.name for found, vetoes in self._vetoed(state) if found == action for veto in vetoes
                }
            case "beat" | "cover" if self.tricks is not None and self.tricks.bound(state):
                return {self.tricks.rules.follow.name}
            case _:
                return set()

    def clause_against(self, state: State, action: Action) -> Rule | None:
        """The clause that forbids an action, where one does."""
        names = self._broken_names(state, action)
        rules = [
            *(ban.rule for ban in self.flow.bans if ban.name in names and action.kind == "discard"),
            *(clause.rule for name, clause in self.flow.announcements.items() if name in names),
            *(clause.rule for name, clause in self.flow.exits.items() if name in names),
            *(clause.rule for name, clause in self.flow.responses.items() if name in names),
        ]
        if self.tricks is not None and not rules:
            return self.tricks.clause_against(action)
        return rules[0] if rules else self.claims.refused(state, action)

    def misdealt(self, state: State, seat: int) -> tuple[State, Breach | None]:
        """What comes of a deal in which the seat has a wrong number of tiles, and by which clause."""
        breach = self._breach(state, seat, {WRONG_DEAL})
        if breach is None or not (breach.ends or breach.void):
            return state, breach
        return self._broken(state, Action("misdeal", seat, breach.name), breach), breach

    def let_pass(self, state: State) -> State:
        """The state after somebody let go what he had to take, where nothing comes of it."""
        return self.settled(self._done(state, Action("pass", state.lawful[0].seat)))

    def _broken(self, state: State, action: Action, breach: Breach) -> State:
        if breach.void:
            return self._over(state, Result("void", action.seat, self._nothing, breach=breach.name))
        fined = self.verdicts.fined(state, action.seat, self._rated(state, action.seat, breach))
        if action.kind == "win":
            outcome, paid = self.verdicts.declared(state, action.seat, state.offer, action.declared)
            paid = fined if outcome.win else paid
            if breach.fined:
                state = self._with(state, action.seat, denied=(state.at, state.discarded))
                return self._fined_now(state, paid)
            return self._fined(state, action.seat, paid, outcome.score, breach.name)
        if breach.fined:
            return self.settled(self._done(self._fined_now(state, fined), action))
        if breach.ends:
            return self._fined(state, action.seat, fined, 0, breach.name)
        if breach.later:
            fouls = (*state.players[action.seat].fouls, breach.name)
            state = self._with(state, action.seat, fouls=fouls)
        return self.settled(self._done(state, action))

    def _fined_now(self, state: State, paid: tuple[int, ...]) -> State:
        return changed(state, fines=tuple(map(sum, zip(paid, state.fines or self._nothing, strict=True))))

    def _fined(self, state: State, seat: int, paid: tuple[int, ...], score: int, breach: str) -> State:
        return self._over(state, Result("false_win", seat, paid, (), score, breach))

    # ------------------------------------------------------------ the end

    def _over(self, state: State, result: Result) -> State:
        who, dealer = self._deals(result), self.playing[0]
        if who == "actor" and result.seat is not None:
            dealer = result.seat
        elif who == "next":
            dealer = self.playing[1 % len(self.playing)]
        paid = self._with_fines(state, result)
        result = replace(result, payments=paid, next_dealer=dealer)
        return changed(state, result=result, lawful=(), asks=(), todo=())

    def _deals(self, result: Result) -> str:
        """Who deals next: `actor`, `same` or `next`."""
        broken = next((breach for breach in self.flow.breaches if breach.name == result.breach), None)
        if broken is not None and broken.dealer:
            return broken.dealer
        role = "" if result.seat is None else self.game.seats[result.seat].role
        known = self.flow.next_dealer
        return known.get((result.outcome, role), known.get((result.outcome, ""), "same"))

    def _with_fines(self, state: State, result: Result) -> tuple[int, ...]:
        """The payments of an end, and the fines of those who broke a clause that is settled then."""
        fines = (
            self.verdicts.fined(state, seat)
            for seat, player in enumerate(state.players)
            for _ in player.fouls
            if (seat, result.outcome) != (result.seat, "false_win")
        )
        before = state.fines or self._nothing
        return tuple(map(sum, zip(result.payments, before, *fines, strict=True)))

    # ------------------------------------------------------------ small changes

    def _with(self, state: State, seat: int, **changes: Any) -> State:
        return seated(state, seat, state.players[seat]._replace(**changes))
