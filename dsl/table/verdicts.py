"""What the judge says at the table, and who is paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ..core.evaluate import Arrangement, Position, claimed_times, holds, payments, scores, settle
from ..core.flow import Told
from ..core.hand import Hand, Laid, tiles_of
from ..core.local import Sight, met
from ..core.model import OWN_DRAW, WILD, Game
from ..core.reference import Outcome
from ..core.tricks import Halt
from ..judge.compiled import Compiled
from .hopeless import Hopeless
from .state import Offer, Player, State

KEPT = 5_000
"""Verdicts that are remembered."""


class Verdicts:
    """Hands of the table as the judge reads them."""

    def __init__(self, compiled: Compiled, game: Game) -> None:
        self.compiled = compiled
        self.game = game
        assert game.flow is not None
        self.told: tuple[Told, ...] = game.flow.told
        self.tricks = game.flow.tricks is not None
        """Are hands what was laid before the players, and not what they hold?"""
        self.hopeless = Hopeless(game)
        order = {name: place for place, name in enumerate(game.flow.seating)}
        seated = sorted(range(len(game.seats)), key=lambda i: order.get(game.seats[i].name, i))
        self.playing = tuple(i for i in seated if game.seats[i].tiles)
        """Seats that get tiles, in order of turn."""
        self._wins: dict[object, bool] = {}
        self._distances: dict[tuple[int, ...], int] = {}
        self._judged: dict[str, Compiled] = {}

    def hand(
        self, state: State, seat: int, offer: Offer | None, declared: tuple[str, ...] | None = None
    ) -> Hand:
        """What a player would lay down with the tile on offer, the one he has drawn, or none."""
        if self.tricks:
            return self._front(state, seat, declared)
        player = state.players[seat]
        last = None
        if offer is not None:
            last = (offer.tile, self.origin_of(offer, seat))
        elif player.drawn is not None:
            last = (player.drawn, player.came or OWN_DRAW)
        role = self.game.seats[seat].role
        context = self._context(state, seat, offer) if self.told else state.context
        return Hand(role, player.laid, player.counts, last, context, declared, player.wilds)

    def _context(self, state: State, seat: int, offer: Offer | None) -> Mapping[str, str]:
        if offer is None:
            return state.context
        sight = self.sight(state, seat, offer)
        return {**state.context, **{t.parameter: t.value for t in self.told if met(t.where, sight)}}

    def sight(self, state: State, seat: int, offer: Offer, used: tuple[int, ...] = ()) -> Sight:
        """What a player sees of a tile on offer."""
        player = state.players[seat]
        return Sight(
            self.game,
            self.game.seats[seat].role,
            player.counts,
            offer.tile,
            used or (0,) * len(player.counts),
            self.origin_of(offer, seat),
            self.distance(state, offer.seat, seat),
            offer.first and not offer.turned,
            offer.first and offer.turned,
            player.taken,
            state.context,
            tuple(laid.meld for laid in player.laid),
            wilds=player.wilds,
            short=partial(self.short, state, seat, offer),
        )

    def origin_of(self, offer: Offer, seat: int) -> str:
        """Where a tile on offer would come from for the one who takes it."""
        assert self.game.flow is not None
        return origin_of(offer, seat, self.game.flow.own_turned)

    def _front(self, state: State, seat: int, declared: tuple[str, ...] | None) -> Hand:
        """What lies before a player: melds laid from the hand, and what he won in tricks."""
        player, context = state.players[seat], dict(state.context)
        tiles = [*player.front, *(tile for laid in player.laid for tile in tiles_of(self.game, laid))]
        counts = tuple(tiles.count(kind) for kind in range(len(self.game.kinds)))
        sight = self.own_sight(state, seat)
        context |= {t.parameter: t.value for t in self.told if met(t.where, sight)}
        return Hand(self.game.seats[seat].role, (), counts, None, context, declared)

    def own_sight(self, state: State, seat: int, tile: int = WILD, used: tuple[int, ...] = ()) -> Sight:
        """What a player sees while no tile is on offer, perhaps of one he could let go, or of tiles (`used`)
        that would leave his hand."""
        player = state.players[seat]
        return Sight(
            self.game,
            self.game.seats[seat].role,
            concealed(player),
            tile,
            used or (0,) * len(player.counts),
            taken=player.taken,
            context=state.context,
            melds=tuple(laid.meld for laid in player.laid),
            turn=player.turn,
            unbeaten=state.unbeaten and state.leader == seat,
            tricks=state.tricks,
            wilds=all_wilds(player),
            short=partial(self.short, state, seat, None),
        )

    def halted(self, state: State, seat: int, at: str) -> Halt | None:
        """The clause that calls the deal off at this moment, by the tiles of a seat."""
        assert self.game.flow is not None
        for halt in (halt for halt in self.game.flow.halts if halt.at == at):
            judge = self.judged(halt.judgement)
            if judge.is_win(
                self._whole(state, seat, judge) if at == "deal" else self.hand(state, seat, None)
            ):
                return halt
        return None

    def judged(self, name: str) -> Compiled:
        """What judges hands by one of the judgements that the flow names."""
        known = self._judged.get(name)
        if known is None:
            assert self.game.flow is not None
            known = self._judged[name] = Compiled(self.game.flow.judged[name])
        return known

    def active(self, state: State, start: int | None = None) -> tuple[int, ...]:
        """Seats that get tiles and have not left, in order of turn from `start` or the dealer."""
        at = 0 if start is None else self.playing.index(start)
        return tuple(i for i in self.playing[at:] + self.playing[:at] if not state.players[i].left)

    def distance(self, state: State, start: int, seat: int) -> int:
        """How many turns it is from one seat to another; seats that have none do not count."""
        key = start, seat, *[bool(player.left) for player in state.players]
        known = self._distances.get(key)
        if known is None:
            assert self.game.flow is not None
            skipped = self.game.flow.skipped
            gone = {i for i in self.playing if state.players[i].left or self.game.seats[i].role in skipped}
            way = [i for i in self.playing if i in (start, seat) or i not in gone]
            known = self._distances[key] = (way.index(seat) - way.index(start)) % len(way)
        return known

    def standing(self, state: State, seat: int, name: str) -> Outcome:
        """What a judgement says of all tiles that a player has."""
        judge = self.judged(name)
        return judge.outcome(self._whole(state, seat, judge))

    def _whole(self, state: State, seat: int, judge: Compiled) -> Hand:
        player, role = state.players[seat], self.game.seats[seat].role
        laid = tuple(_as_judged(self.game, judge.game, meld) for meld in player.laid)
        return Hand(role, laid, concealed(player), None, state.context, None, all_wilds(player))

    def wins(self, state: State, seat: int, offer: Offer | None) -> bool:
        """Would a declared win hold, and may he declare it?"""
        player = state.players[seat]
        tile = player.drawn if offer is None else offer.tile
        if player.fouls or (not self.tricks and self.hopeless.wins_not(player, tile)):
            return False
        hand = self.hand(state, seat, offer)
        key = (hand, tuple(sorted(hand.context.items())) if self.told else None)
        known = self._wins.get(key)
        if known is None:
            if len(self._wins) >= KEPT:
                self._wins.clear()
            known = self._wins[key] = self.compiled.is_win(hand)
        return known

    def short(self, state: State, seat: int, offer: Offer | None) -> bool:
        """Do the player's tiles, with the one on offer, have the shape of a win and make none?"""
        player = state.players[seat]
        if self.hopeless.wins_not(player, player.drawn if offer is None else offer.tile):
            return False
        outcome = self.compiled.outcome(self.hand(state, seat, offer))
        return outcome.complete and not outcome.win

    # ------------------------------------------------------------ settling

    def declared(
        self, state: State, seat: int, offer: Offer | None, names: tuple[str, ...] | None
    ) -> tuple[Outcome, tuple[int, ...]]:
        """The verdict on a declared win, and what every seat gets."""
        hand = self.hand(state, seat, offer, names)
        outcome = self.compiled.outcome(hand)
        paid, gone = dict(outcome.payments), self._gone(state, seat)
        if gone:
            at = Position(self.game, outcome.arrangement, hand.situation)
            end = "win" if outcome.win else "false_win"
            paid = payments(at, end, outcome.times, scores(self.game, outcome.arrangement), gone)
        return outcome, self._by_seat(paid, seat)

    def fined(self, state: State, seat: int, called: tuple[str, ...] = ()) -> tuple[int, ...]:
        """What every seat gets when one is treated as after a false win in which he called these names."""
        return self._by_seat(self._settled(state, seat, "false_win", called), seat)

    def drawn(self, state: State) -> tuple[int, ...]:
        """What every seat gets when nobody wins."""
        return self._by_seat(self._settled(state, 0, "draw"), 0)

    def _gone(self, state: State, seat: int) -> frozenset[str]:
        """Seats that left and have no part in payments, as those are reckoned for this seat."""
        assert self.game.flow is not None
        exits = self.game.flow.exits
        out = (i for i, player in enumerate(state.players) if player.left and not exits[player.left].pays)
        names = self._names_for(seat)
        return frozenset(names[i] for i in out)

    def _settled(
        self, state: State, seat: int, outcome: str, called: tuple[str, ...] = ()
    ) -> Mapping[str, int]:
        """What an end that no arrangement decides comes to, reckoned for the role of a seat."""
        hand = replace(self.hand(state, seat, None, called or None), last=None)
        at = Position(self.game, Arrangement((), None, complete=False), hand.situation)
        active = tuple(t for t in self.game.transfers if holds(t.condition, at))
        zero = (0,) * len(self.game.scores)
        factor = claimed_times(self.game, hand.situation)
        return settle(self.game, hand.role, active, outcome, factor, zero, self._gone(state, seat))

    def _by_seat(self, paid: Mapping[str, int], seat: int) -> tuple[int, ...]:
        """Payments as reckoned for the first seat of a role, given to the seat that it was."""
        return tuple(paid[name] for name in self._names_for(seat))

    def _names_for(self, seat: int) -> list[str]:
        """What each seat is called in payments that are reckoned for this one."""
        names = [s.name for s in self.game.seats]
        first = next(i for i, s in enumerate(self.game.seats) if s.role == self.game.seats[seat].role)
        names[first], names[seat] = names[seat], names[first]
        return names


def _as_judged(game: Game, judged: Game, laid: Laid) -> Laid:
    """An exposed meld as a judgement knows it: of the same name and tiles."""
    meld = game.melds[laid.meld]
    return next(
        Laid(m.id, laid.origins)
        for m in judged.melds
        if m.base is None and m.tiles == meld.tiles and m.type.name == meld.type.name
    )


def concealed(player: Player) -> tuple[int, ...]:
    """Concealed natural tiles with the one just drawn."""
    if player.drawn is None or player.drawn == WILD:
        return player.counts
    kind = player.drawn
    return (*player.counts[:kind], player.counts[kind] + 1, *player.counts[kind + 1 :])


def all_wilds(player: Player) -> int:
    """Concealed wild tiles with the one just drawn."""
    return player.wilds + (player.drawn == WILD)


def origin_of(offer: Offer, seat: int, own_turned: str = OWN_DRAW) -> str:
    """Where a tile on offer would come from for the one who takes it."""
    if not offer.turned:
        return "他打"
    return own_turned if offer.seat == seat else "他摸"
