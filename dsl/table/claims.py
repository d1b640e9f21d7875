"""Who may take the tile on offer, and what may be let go: the clauses of the flow, asked of a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core.flow import Ban, Call, Local, Response, Veto
from ..core.local import Sight, met
from ..core.model import WILD, Game, Rule
from .lookups import Fit, Lookups
from .state import Action, Ask, Offer, Player, State
from .verdicts import Verdicts, all_wilds, concealed


class Claims:
    """Reads the responses, announcements and bans of one game."""

    def __init__(self, game: Game, verdicts: Verdicts) -> None:
        assert game.flow is not None
        self.game = game
        self.flow = game.flow
        self.verdicts = verdicts
        self.lookups = Lookups(game)
        self.ranks = [[self._invited(rank, distance) for distance in range(3)] for rank in self.flow.order]
        """Per rank the responses of the one whose tile it is, of the next player, and of the others."""
        self.playing = verdicts.playing
        kinds = range(len(game.kinds))
        self._single = {tile: tuple(int(kind == tile) for kind in kinds) for tile in kinds}
        """One tile of a kind, as tiles that would leave the hand."""
        self.vetoes: dict[str, tuple[Veto, ...]] = {
            name: tuple(v for v in self.flow.vetoes if name in v.responses) for name in self.flow.responses
        }

    # ------------------------------------------------------------ tiles on offer

    def asks(self, state: State, offer: Offer) -> tuple[Ask, ...]:
        """Everybody who may take the tile, best rank first; of one rank as `同级` says."""
        order = self.verdicts.active(state, None if self.flow.dealer_first else offer.seat)
        found = []
        away = {seat: self.verdicts.distance(state, offer.seat, seat) for seat in order}
        for rank in self.ranks:
            for seat, distance in away.items():
                responses = rank[min(distance, 2)] if distance or offer.turned else ()
                ask = self._ask(state, offer, seat, responses) if responses else None
                if ask is not None:
                    found.append(ask)
        return tuple(found)

    def _invited(self, rank: Iterable[str], distance: int) -> tuple[Response, ...]:
        responses = (self.flow.responses[name] for name in rank)
        return tuple(response for response in responses if invited(response, distance))

    def _ask(self, state: State, offer: Offer, seat: int, responses: tuple[Response, ...]) -> Ask | None:
        duties: list[Action] = []
        rights: list[Action] = []
        player, origin = state.players[seat], self.verdicts.origin_of(offer, seat)
        for response in responses:
            lays = not (response.win or response.into_hand)
            if lays and not self._fits(player, offer.tile, origin, response):
                continue  # as nearly always
            found = self.options(state, offer, seat, response)
            (duties if response.must else rights).extend(found)
        if duties:
            return Ask(seat, tuple(duties), True)
        return Ask(seat, tuple(rights), False) if rights else None

    def options(self, state: State, offer: Offer, seat: int, response: Response) -> Iterator[Action]:
        """How a player may make one response."""
        if response.win:
            if not self._vetoed(state, offer, seat, response, ()) and self.verdicts.wins(state, seat, offer):
                yield Action("win", seat, response.name)
            return
        if response.into_hand:
            sight = self.verdicts.sight(state, seat, offer)
            if met(response.where, sight) and not self._vetoes(sight, response):
                yield Action("grab", seat, response.name)
            return
        for fit in self.fits(state.players[seat], offer, seat, response):
            used = self.used(fit)
            sight = self.verdicts.sight(state, seat, offer, used)
            if met(response.where, sight):
                call = lifted(self._vetoes(sight, response), sight)
                if call is not None:
                    yield Action("lay", seat, response.name, laid=fit.laid, joined=fit.joined, call=call)

    def vetoed(self, state: State, seat: int) -> Iterator[tuple[Action, tuple[Veto, ...]]]:
        """How a player could take the tile on offer if vetoes that hold did not keep him from it."""
        offer = state.offer
        assert offer is not None
        distance = self.verdicts.distance(state, offer.seat, seat)
        for response in self.flow.responses.values():
            if response.win or not invited(response, distance) or not (distance or offer.turned):
                continue
            for fit in self.fits(state.players[seat], offer, seat, response):
                sight = self.verdicts.sight(state, seat, offer, self.used(fit))
                vetoes = self._vetoes(sight, response)
                if vetoes and met(response.where, sight):
                    yield Action("lay", seat, response.name, laid=fit.laid, joined=fit.joined), vetoes

    def fits(self, player: Player, offer: Offer, seat: int, response: Response) -> list[Fit]:
        """The melds of a response that the player's tiles allow."""
        return self._fits(player, offer.tile, self.verdicts.origin_of(offer, seat), response)

    def _fits(self, player: Player, tile: int, origin: str, response: Response) -> list[Fit]:
        found = self.lookups.fresh(response, tile, origin)
        if player.laid and response.joins:
            found += self.lookups.joined(response, tile, origin, player.laid)
        counts = player.counts
        return [fit for fit in found if suffices(counts, fit)]

    def _vetoed(
        self, state: State, offer: Offer, seat: int, response: Response, used: tuple[int, ...]
    ) -> Veto | None:
        if not self.vetoes[response.name]:
            return None
        sight = self.verdicts.sight(state, seat, offer, used)
        return next(iter(self._vetoes(sight, response)), None)

    def _vetoes(self, sight: Sight, response: Response) -> tuple[Veto, ...]:
        """Those that keep a response from being open."""
        return tuple(veto for veto in self.vetoes[response.name] if met(veto.where, sight))

    def used(self, fit: Fit) -> tuple[int, ...]:
        """Concealed tiles that go into a meld, per kind of the deck."""
        used = [0] * len(self.game.kinds)
        for kind, n in fit.need:
            used[kind] = n
        return tuple(used)

    def refused(self, state: State, action: Action) -> Rule | None:
        """The clause that keeps a response from being open; None when no clause knows it."""
        response, offer = self.flow.responses.get(action.name), state.offer
        if response is None or offer is None:
            return None
        for fit in self.fits(state.players[action.seat], offer, action.seat, response):
            if fit.laid == action.laid and fit.joined == action.joined:
                veto = self._vetoed(state, offer, action.seat, response, self.used(fit))
                if veto is not None:
                    return veto.rule
        return response.rule

    # ------------------------------------------------------------ announcements and discards

    def announced(self, state: State, seat: int, name: str) -> tuple[Action, ...]:
        """Melds that a player may lay from his hand."""
        announcement, player = self.flow.announcements[name], state.players[seat]
        if not announcement.types:
            return (Action("call", seat, name),) if self.holds(state, seat, announcement.where) else ()
        counts = concealed(player)
        found = []
        for fit in self.lookups.announced(announcement, player.laid):
            if suffices(counts, fit):
                sight = self.verdicts.own_sight(state, seat, fit.need[0][0], self.used(fit))
                if met(announcement.where, sight):
                    found.append(Action("lay", seat, name, laid=fit.laid, joined=fit.joined))
        return tuple(found)

    def discards(self, state: State, seat: int) -> tuple[Action, ...]:
        """Tiles that a player may let go; where bans that yield leave none, they do not count."""
        tiles = self._tiles(state.players[seat])
        barred = {tile: self.barred(state, seat, tile) for tile in tiles}
        calls = {
            t: lifted(bans, self._letting_go(state, seat, t)) if bans else "" for t, bans in barred.items()
        }
        free = {tile: call for tile, call in calls.items() if call is not None}
        if not free:
            free = {tile: "" for tile in tiles if all(ban.yields for ban in barred[tile])}
        return tuple(Action("discard", seat, tile=tile, call=call) for tile, call in free.items())

    def barred(self, state: State, seat: int, tile: int) -> list[Ban]:
        """The bans on one discard."""
        if not self.flow.bans:
            return []
        sight = self._letting_go(state, seat, tile)
        return [ban for ban in self.flow.bans if met(ban.where, sight)]

    def barred_discards(self, state: State, seat: int) -> list[Action]:
        """Discards that are not lawful, with and without what could be said to lift a ban."""
        calls = dict.fromkeys(["", *(ban.call.name for ban in self.flow.bans if ban.call is not None)])
        actions = (
            Action("discard", seat, tile=tile, call=call)
            for tile in self._tiles(state.players[seat])
            for call in calls
            if not call or self.barred(state, seat, tile)
        )
        return [action for action in actions if action not in state.lawful]

    def _letting_go(self, state: State, seat: int, tile: int) -> Sight:
        return self.verdicts.own_sight(state, seat, tile, self._single.get(tile, ()))

    def holds(self, state: State, seat: int, condition: Local) -> bool:
        """Does a condition that asks of no tile hold for a player?"""
        return met(condition, self.verdicts.own_sight(state, seat))

    def _tiles(self, player: Player) -> list[int]:
        tiles = [kind for kind, n in enumerate(concealed(player)) if n]
        return tiles + ([WILD] if all_wilds(player) else [])


def suffices(counts: tuple[int, ...], fit: Fit) -> bool:
    """Are the tiles that a meld needs among these?"""
    for kind, n in fit.need:  # noqa: SIM110  a loop by hand: it is asked of every meld of every response
        if counts[kind] < n:
            return False
    return True


def lifted(clauses: Iterable[Ban | Veto], sight: Sight) -> str | None:
    """What has to be said so that none of these clauses holds, or ""; None where one holds anyway."""
    calls: list[Call | None] = [clause.call for clause in clauses]
    if any(call is None or not met(call.where, sight) for call in calls):
        return None
    return " ".join(dict.fromkeys(call.name for call in calls if call is not None))


def invited(response: Response, distance: int) -> bool:
    if distance == 0:
        return response.own
    return response.others == "any" or (response.others == "next" and distance == 1)
