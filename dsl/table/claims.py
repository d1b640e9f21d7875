"""Who may take the tile on offer, and what may be let go: the clauses of the flow, asked of a state."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.flow import Ban, Response, Veto
from ..core.local import Sight, met
from ..core.model import WILD, Game, Rule
from .lookups import Fit, Lookups
from .state import Action, Ask, Offer, Player, State
from .verdicts import Verdicts, origin_of


class Claims:
    """Reads the responses, announcements and bans of one game."""

    def __init__(self, game: Game, verdicts: Verdicts) -> None:
        assert game.flow is not None
        self.game = game
        self.flow = game.flow
        self.verdicts = verdicts
        self.lookups = Lookups(game)
        self.ranks = tuple(tuple(self.flow.responses[name] for name in rank) for rank in self.flow.order)
        self.playing = verdicts.playing
        self.vetoes: dict[str, tuple[Veto, ...]] = {
            name: tuple(v for v in self.flow.vetoes if name in v.responses) for name in self.flow.responses
        }

    # ------------------------------------------------------------ tiles on offer

    def asks(self, state: State, offer: Offer) -> tuple[Ask, ...]:
        """Everybody who may take the tile, best rank first; of one rank the one whose turn comes soonest."""
        start = self.playing.index(offer.seat)
        order = self.playing[start:] + self.playing[:start]
        found = []
        for rank in self.ranks:
            for distance, seat in enumerate(order):
                if distance == 0 and not offer.turned:
                    continue
                ask = self._ask(state, offer, seat, distance, rank)
                if ask is not None:
                    found.append(ask)
        return tuple(found)

    def _ask(
        self, state: State, offer: Offer, seat: int, distance: int, rank: tuple[Response, ...]
    ) -> Ask | None:
        duties: list[Action] = []
        rights: list[Action] = []
        for response in rank:
            if _invited(response, distance):
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
        for fit in self.fits(state.players[seat], offer, seat, response):
            used = self._used(fit)
            if met(response.where, self.verdicts.sight(state, seat, offer, used)) and not self._vetoed(
                state, offer, seat, response, used
            ):
                yield Action("lay", seat, response.name, laid=fit.laid, joined=fit.joined)

    def fits(self, player: Player, offer: Offer, seat: int, response: Response) -> Iterator[Fit]:
        """The melds of a response that the player's tiles allow."""
        origin = origin_of(offer, seat)
        counts = player.counts
        for found in (
            self.lookups.fresh(response, offer.tile, origin),
            self.lookups.joined(response, offer.tile, origin, player.laid),
        ):
            for fit in found:
                for kind, n in fit.need:
                    if counts[kind] < n:
                        break
                else:
                    yield fit

    def _vetoed(
        self, state: State, offer: Offer, seat: int, response: Response, used: tuple[int, ...]
    ) -> Veto | None:
        vetoes = self.vetoes[response.name]
        if not vetoes:
            return None
        sight = self.verdicts.sight(state, seat, offer, used)
        return next((veto for veto in vetoes if met(veto.where, sight)), None)

    def _used(self, fit: Fit) -> tuple[int, ...]:
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
                veto = self._vetoed(state, offer, action.seat, response, self._used(fit))
                if veto is not None:
                    return veto.rule
        return response.rule

    # ------------------------------------------------------------ announcements and discards

    def announced(self, state: State, seat: int, name: str) -> tuple[Action, ...]:
        """Melds that a player may lay from his hand."""
        announcement, player = self.flow.announcements[name], state.players[seat]
        counts = concealed(player)
        return tuple(
            Action("lay", seat, name, laid=fit.laid)
            for fit in self.lookups.announced(announcement)
            if all(counts[kind] >= n for kind, n in fit.need)
        )

    def discards(self, state: State, seat: int) -> tuple[Action, ...]:
        """Tiles that a player may let go; where bans that yield leave none, they do not count."""
        tiles = self._tiles(state.players[seat])
        barred = {tile: self.barred(state, seat, tile) for tile in tiles}
        free = [tile for tile in tiles if not barred[tile]]
        if not free:
            free = [tile for tile in tiles if all(ban.yields for ban in barred[tile])]
        return tuple(Action("discard", seat, tile=tile) for tile in free)

    def barred(self, state: State, seat: int, tile: int) -> list[Ban]:
        """The bans on one discard."""
        if not self.flow.bans:
            return []
        player = state.players[seat]
        counts = concealed(player)
        used = tuple(int(kind == tile) for kind in range(len(counts)))
        laid = tuple(self.game.melds[m.meld].type.index for m in player.laid)
        role = self.game.seats[seat].role
        sight = Sight(
            self.game, role, counts, tile, used, laid=laid, taken=player.taken, context=state.context
        )
        return [ban for ban in self.flow.bans if met(ban.where, sight)]

    def _tiles(self, player: Player) -> list[int]:
        tiles = [kind for kind, n in enumerate(concealed(player)) if n]
        return tiles + ([WILD] if player.wilds or player.drawn == WILD else [])


def _invited(response: Response, distance: int) -> bool:
    if distance == 0:
        return response.own
    return response.others == "any" or (response.others == "next" and distance == 1)


def concealed(player: Player) -> tuple[int, ...]:
    """Concealed natural tiles with the one just drawn."""
    if player.drawn is None or player.drawn == WILD:
        return player.counts
    kind = player.drawn
    return (*player.counts[:kind], player.counts[kind] + 1, *player.counts[kind + 1 :])
