"""What the judge says at the table, and who is paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..core.evaluate import Arrangement, Position, holds, settle
from ..core.flow import Told
from ..core.hand import Hand
from ..core.local import Sight, met
from ..core.model import OWN_DRAW, Game
from ..core.reference import Outcome
from ..judge.compiled import Compiled
from .hopeless import Hopeless
from .state import Offer, State

KEPT = 5_000
"""Verdicts that are remembered."""


class Verdicts:
    """Hands of the table as the judge reads them."""

    def __init__(self, compiled: Compiled, game: Game) -> None:
        self.compiled = compiled
        self.game = game
        assert game.flow is not None
        self.told: tuple[Told, ...] = game.flow.told
        self.hopeless = Hopeless(game)
        self.playing = tuple(i for i, seat in enumerate(game.seats) if seat.tiles)
        """Seats that get tiles, in order of turn."""
        self._wins: dict[object, bool] = {}

    def hand(
        self, state: State, seat: int, offer: Offer | None, declared: tuple[str, ...] | None = None
    ) -> Hand:
        """What a player would lay down with the tile on offer, the one he has drawn, or none."""
        player = state.players[seat]
        last = None
        if offer is not None:
            last = (offer.tile, origin_of(offer, seat))
        elif player.drawn is not None:
            last = (player.drawn, OWN_DRAW)
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
            origin_of(offer, seat),
            self.distance(offer.seat, seat),
            offer.first and not offer.turned,
            offer.first and offer.turned,
            tuple(self.game.melds[laid.meld].type.index for laid in player.laid),
            player.taken,
            state.context,
        )

    def distance(self, start: int, seat: int) -> int:
        """How many turns it is from one seat to another; seats without tiles have none."""
        return (self.playing.index(seat) - self.playing.index(start)) % len(self.playing)

    def wins(self, state: State, seat: int, offer: Offer | None) -> bool:
        """Would a declared win hold?"""
        player = state.players[seat]
        if self.hopeless.wins_not(player, player.drawn if offer is None else offer.tile):
            return False
        hand = self.hand(state, seat, offer)
        key = (hand, tuple(sorted(hand.context.items())) if self.told else None)
        known = self._wins.get(key)
        if known is None:
            if len(self._wins) >= KEPT:
                self._wins.clear()
            known = self._wins[key] = self.compiled.is_win(hand)
        return known

    # ------------------------------------------------------------ settling

    def declared(
        self, state: State, seat: int, offer: Offer | None, names: tuple[str, ...] | None
    ) -> tuple[Outcome, tuple[int, ...]]:
        """The verdict on a declared win, and what every seat gets."""
        outcome = self.compiled.outcome(self.hand(state, seat, offer, names))
        return outcome, self._by_seat(dict(outcome.payments), seat)

    def fined(self, state: State, seat: int) -> tuple[int, ...]:
        """What every seat gets when one is treated as after a false win."""
        return self._by_seat(self._settled(state, seat, "false_win"), seat)

    def drawn(self, state: State) -> tuple[int, ...]:
        """What every seat gets when nobody wins."""
        paid = self._settled(state, 0, "draw")
        return tuple(paid[seat.name] for seat in self.game.seats)

    def _settled(self, state: State, seat: int, outcome: str) -> Mapping[str, int]:
        """What an end that no arrangement decides comes to, reckoned for the role of a seat."""
        hand = replace(self.hand(state, seat, None), last=None)
        at = Position(self.game, Arrangement((), None, complete=False), hand.situation)
        active = tuple(t for t in self.game.transfers if holds(t.condition, at))
        zero = (0,) * len(self.game.scores)
        return settle(self.game, hand.role, active, outcome, 1, zero)

    def _by_seat(self, paid: Mapping[str, int], seat: int) -> tuple[int, ...]:
        """Payments as reckoned for the first seat of a role, given to the seat that it was."""
        names = [s.name for s in self.game.seats]
        first = next(i for i, s in enumerate(self.game.seats) if s.role == self.game.seats[seat].role)
        names[first], names[seat] = names[seat], names[first]
        return tuple(paid[name] for name in names)


def origin_of(offer: Offer, seat: int) -> str:
    """Where a tile on offer would come from for the one who takes it."""
    if not offer.turned:
        return "他打"
    return OWN_DRAW if offer.seat == seat else "他摸"
