"""Duties that cost their owner his win or his waiting hand.

What a hand waits for is told by the sums of its parts (`table_sums.py`): so all hands with nothing exposed
and no wild tile are gone through, and others as far as `Tried` says. What is found is shown to the table
before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice, takewhile
from typing import NamedTuple

from dsl.core.flow import Announcement, First, JustDid, Response, SitsAt
from dsl.core.hand import Hand
from dsl.core.local import Sight
from dsl.core.model import ORIGINS, Game
from dsl.judge.compiled import Compiled
from dsl.table.lookups import Fit
from dsl.table.questions import answers, done
from dsl.table.state import Action, Offer, Player, State, Task

from .ask_table import TableAsker
from .encode_table import in_force
from .holding import shown
from .stuck import some_hold, told
from .table_faces import local_atoms
from .table_parts import Part, Parts, Tried, settled_on_offer
from .table_shown import TableWitness
from .table_sums import Adding, Counts, Hands, Held, Sets, Sums
from .table_world import draws

BUDGET = 5_000_000
"""Work spent to see whether exposed melds can have come about."""
MOST_TRIES = 200
"""Hands that are shown to the table, where sums leave something to it."""
MOST_BESIDE = 4
"""Of them, those that hold the same beside the tile."""


class Dealt(NamedTuple):
    """Tiles of some parts of the deck as they are dealt, and what they are once all is laid."""

    tiles: int
    good: Sets
    ends: Sets
    first: int
    """Place of the first announcement that has to be made, among those of the role; their number if none."""


class Doing(NamedTuple):
    """One way to do a duty: the part of the tile afterwards, and whether it is surely open."""

    after: Part
    sure: bool


class Found(NamedTuple):
    """A hand that a duty spoils; or none."""

    witness: TableWitness | None
    proved: bool
    """Is it certain that there is none with nothing exposed and no wild tile?"""


Rests = Sequence[tuple[Part, Hands]]
"""What can be held of all parts but one."""


class Traps:
    """Looks for hands that a duty spoils."""

    def __init__(self, asker: TableAsker, compiled: Compiled) -> None:
        self.asker = asker
        self.table = table = asker.table
        self.game: Game = table.game
        self.compiled = compiled
        self.parts = Parts(table, compiled)
        self._rests: dict[object, Mapping[int, Rests]] = {}
        self._deals: dict[object, dict[Dealt, Held]] = {}
        self._coming: dict[tuple[int, int], tuple[tuple[Offer, object], ...]] = {}

    @cached_property
    def _seats(self) -> tuple[int, ...]:
        """One seat of each role, the last role first."""
        last = {self.game.seats[seat].role: seat for seat in self.table.playing}
        return tuple(reversed(last.values()))

    def _role(self, seat: int) -> str:
        return self.game.seats[seat].role

    # ------------------------------------------------------------ a tile on offer

    def of_response(self, response: Response) -> Found:
        """The first hand that waits and does not any more, whatever is let go, once the duty is done."""
        if response.into_hand:
            return Found(None, False)  # what a turn asks for after drawing is not gone through
        proved = self.parts.whole
        one_wild = () if self.game.wild is None else (Tried(wilds=1),)
        for tried in (Tried(), Tried(exposed=True), *one_wild):
            for seat in self._seats:
                found = self._first_spoilt(response, seat, tried)
                if found.witness is not None:
                    return found
                proved = proved and (found.proved or tried != Tried())
        return Found(None, proved)

    def before_winning(self, response: Response, win: Response) -> TableWitness | None:
        """The first hand that the tile makes a win, kept from its owner by the duty, which goes first."""
        for tried in (Tried(), Tried(exposed=True)):
            for seat in self._seats:
                for hands, offer in islice(self._spoilt(response, seat, tried, wins=True), MOST_TRIES):
                    state = self._state(hands, seat, offer)
                    both = (any(answers(self.table, state, seat, name)) for name in (response.name, win.name))
                    if all(both) and self._dutiful(state, seat) and self._within_bounds(state, seat, offer):
                        origins = (self.table.verdicts.origin_of(offer, seat),)
                        return TableWitness(self.game, state, (seat,), origins)
        return None

    def _first_spoilt(self, response: Response, seat: int, tried: Tried) -> Found:
        refused = False
        for hands, offer in islice(self._spoilt(response, seat, tried), MOST_TRIES):
            state = self._state(hands, seat, offer, tried.wilds)
            if self._stands(state, seat, response) and self._within_bounds(state, seat, offer):
                origins = (self.table.verdicts.origin_of(offer, seat),)
                return Found(TableWitness(self.game, state, (seat,), origins), True)
            refused = True
        return Found(None, not refused)

    def _stands(self, state: State, seat: int, response: Response) -> bool:
        """Does the table say so too?"""
        if not self._dutiful(state, seat) or not self._waits(state, seat):
            return False
        if self.table.verdicts.wins(state, seat, state.offer):
            return False
        actions = tuple(answers(self.table, state, seat, response.name))
        return bool(actions) and not any(self._goes_on(state, action, response) for action in actions)

    def _within_bounds(self, state: State, seat: int, offer: Offer) -> bool:
        """Can the exposed melds have come about?"""
        if not state.players[seat].laid:
            return True
        world = self.asker.world(1, offer.tile)
        return world.smt.allows(*world.told(state, (seat,)), budget=BUDGET)

    def _dutiful(self, state: State, seat: int) -> bool:
        """Is everything laid that had to be in the opening, as far as it cannot have been drawn?"""
        must = (a.name for a in self.table.flow.announcements.values() if a.must and a.types)
        return draws(self.game) or not any(self.table.claims.announced(state, seat, name) for name in must)

    def _goes_on(self, state: State, action: Action, response: Response) -> bool:
        """Can he still wait, or win, once it is done?"""
        player, laid = state.players[action.seat], action.laid
        assert laid is not None
        if self._draws(Held((), player.laid), Fit(laid, (), action.joined)):
            return True  # a further tile comes, and with it anything
        after = done(self.table, state, action)
        if response.keeps:
            return self._waits(after, action.seat)
        discards = (a for a in after.lawful if a.kind == "discard")
        return any(self._waits(self.table.apply(after, a), action.seat) for a in discards)

    # ------------------------------------------------------------ by sums

    def _spoilt(
        self, response: Response, seat: int, tried: Tried, wins: bool = False
    ) -> Iterator[tuple[Hands, Offer]]:
        """Hands that the duty may spoil, by their sums; the plainest of those that count alike.

        `wins`: those that the tile makes complete, instead of those that do not wait any more.
        """
        spoilt = self._complete_with if wins else self._spoilt_with
        size = self.game.seen_by(self._role(seat)).waiting - tried.wilds
        for tile in self.parts.faces:
            part = self.game.component_of[tile]
            others = self._others(seat, part, response, tried)
            for held in self._here(part, tile, response, tried):
                rests = others.get(size - self.parts.size(held), ())
                player = Player(self.parts.full(part, held.counts), tried.wilds, held.laid)
                found: dict[object, list[Hands]] = {}
                for offer, face in self._offers(tile, seat) if rests else ():
                    if face not in found:
                        fits = self.table.claims.fits(player, offer, seat, response)  # nearly always none
                        every = spoilt(held, rests, response, offer, seat, tried.wilds) if fits else ()
                        found[face] = list(islice(every, MOST_BESIDE))
                    for hands in found[face]:
                        yield tuple(sorted(((part, held), *hands))), offer

    def _spoilt_with(
        self, held: Held, rests: Rests, response: Response, offer: Offer, seat: int, wilds: int
    ) -> Iterator[Hands]:
        """What else he may hold so that his hand is spoilt."""
        sums, doings = self.parts.sums(self._role(seat), wilds), dict[bool, list[Doing]]()
        good = sums.of(self.game.component_of[offer.tile], held)
        wins = 0 if self.game.win.needs else self._last(sums, held, offer, seat)
        for rest, hands in rests:
            if rest.held not in doings:
                doings[rest.held] = self._doings(held, response, offer, seat, wilds, rest.held)
            ways = doings[rest.held]
            if not ways or sums.reaches(wins, rest.good.whole):
                continue
            if sums.waits(good, rest.good):
                after = (way.after for way in ways if way.sure)
                if not any(self._goes_well(sums, then, rest, response) for then in after):
                    yield hands

    def _last(self, sums: Sums, held: Held, offer: Offer, seat: int) -> int:
        """The vectors of the tile's part with the tile as the last one."""
        origin = self.table.verdicts.origin_of(offer, seat)
        return sums.with_tile(self.game.component_of[offer.tile], held, offer.tile, origin)

    def _complete_with(
        self, held: Held, rests: Rests, response: Response, offer: Offer, seat: int, wilds: int
    ) -> Iterator[Hands]:
        """What else he may hold so that the tile makes a whole shape, and the duty can be done."""
        sums = self.parts.sums(self._role(seat), wilds)
        if self._doings(held, response, offer, seat, wilds, more=True):
            last = self._last(sums, held, offer, seat)
            yield from (hands for rest, hands in rests if sums.reaches(last, rest.good.whole))

    def _goes_well(self, sums: Sums, after: Part, rest: Part, response: Response) -> bool:
        """Does he still wait, with some tile let go that surely may be?"""
        if response.keeps:
            return sums.waits(after.good, rest.good)
        free = after.some or after.doubtful or rest.some or rest.doubtful
        mine, others = (after.free, rest.free) if free else (after.yielding, rest.yielding)
        return sums.waits(mine, rest.good) or sums.waits(after.good, others)

    def _offers(self, tile: int, seat: int) -> tuple[tuple[Offer, object], ...]:
        """The ways for the tile to come to the seat, one of those that nobody can tell apart.

        Each with what conditions ask of it, besides the tile.
        """
        if (tile, seat) not in self._coming:
            self._coming[tile, seat] = tuple(self._each_offer(tile, seat))
        return self._coming[tile, seat]

    def _each_offer(self, tile: int, seat: int) -> Iterator[tuple[Offer, object]]:
        seen, verdicts = set(), self.table.verdicts
        nobody = self._seated(self._nobody, seat, None)
        for giver in reversed(self.table.playing):
            for turned in (False, True) if giver != seat else (True,):
                for first in (False, True) if self._asks(First) else (False,):
                    offer = Offer(tile, giver, turned, first)
                    away, origin = verdicts.distance(nobody, giver, seat), verdicts.origin_of(offer, seat)
                    key = turned, first, away, origin
                    if key not in seen:
                        seen.add(key)
                        asked = turned if self._asks(First) else None, away if self._asks(SitsAt) else None
                        yield offer, (first, origin, *asked)

    def _asks(self, kind: type[First | SitsAt]) -> bool:
        return any(isinstance(a, kind) for c in self.parts.conditions for a in local_atoms(c))

    @cached_property
    def _asks_what_was_done(self) -> bool:
        return any(isinstance(a, JustDid) for ban, _ in self.parts.bans for a in local_atoms(ban))

    def _others(self, seat: int, part: int, response: Response, tried: Tried) -> Mapping[int, Rests]:
        """What can be held of the other parts of the deck, by the number of tiles."""
        role, did = self._role(seat), response.name if self._asks_what_was_done else ""
        key = role, part, did, tried
        if key not in self._rests:
            choices = [(i, self.parts.choices(i, role, did, tried)) for i in self.parts if i != part]
            start = Part(0, self.parts.sums(role, tried.wilds).nothing, Sets(), Sets(), False, False, False)
            found: dict[int, list[tuple[Part, Hands]]] = {}
            for total, hands in self.parts.adding(role, tried.wilds).fold(choices, start).items():
                found.setdefault(total.tiles, []).append((total, hands))
            for rests in found.values():  # the plainest first; of those as plain, what is grouped as it lies
                rests.sort(
                    key=lambda rest: (sum(len(held.laid) for _, held in rest[1]), not rest[0].good.whole)
                )
            self._rests[key] = found
        return self._rests[key]

    def _here(self, part: int, tile: int, response: Response, tried: Tried) -> Iterator[Held]:
        """What can be held of the part in which the tile on offer is."""
        if not self.parts.few(part):
            return
        kinds = self.game.components[part]
        exposable = self.parts.exposable(part) if tried.exposed else ()
        for meld in (None, *(m for m in exposable if m.type.index in response.joins)):
            tiles = () if meld is None else meld.tiles
            laid = () if meld is None else (shown(self.game, meld),)
            spare = tuple(tiles.count(kind) + (kind == tile) for kind in kinds)
            if self.parts.room(part, spare):
                yield from (Held(counts, laid) for counts in self.parts.counts(part, spare))

    # ------------------------------------------------------------ what can be done

    def _doings(
        self, held: Held, response: Response, offer: Offer, seat: int, wilds: int, more: bool
    ) -> list[Doing]:
        """The ways to do the duty, if he has other concealed tiles (`more`) or not; none where a further tile
        comes."""
        part, role, verdicts = self.game.component_of[offer.tile], self._role(seat), self.table.verdicts
        player = Player(self.parts.full(part, held.counts), wilds, held.laid)
        fits = tuple(self.table.claims.fits(player, offer, seat, response))
        if fits and more:
            player = player._replace(counts=self._with_another(part, player.counts))
        found = []
        for fit in fits:
            sight = verdicts.sight(
                self._seated(player, seat, offer), seat, offer, self.table.claims.used(fit)
            )
            open_ = self._open(response, sight)
            if open_ and self._draws(held, fit):
                return []
            if open_ is not False and not self._draws(held, fit):
                did, after = (response.name, offer.tile), self._after(held, fit)
                left = self.parts.part(self.parts.sums(role, wilds), part, after, did, role)
                found.append(Doing(left, bool(open_)))
        return found

    def _with_another(self, part: int, counts: Counts) -> Counts:
        """The same tiles and one of another part."""
        other = next(k for k in range(len(counts)) if self.game.component_of[k] != part)
        return tuple(n + (k == other) for k, n in enumerate(counts))

    def _open(self, response: Response, sight: Sight) -> bool | None:
        """Is the response open? None where something else decides."""
        vetoes = (in_force(v) for v in self.table.flow.vetoes if response.name in v.responses)
        vetoed = some_hold([told(veto, sight, None, settled_on_offer) for veto in vetoes])
        where = told(response.where, sight, None, settled_on_offer)
        if vetoed or where is False:
            return False
        return None if vetoed is None or where is None else True

    def _draws(self, held: Held, fit: Fit) -> bool:
        """Does the meld bring a further tile?"""
        kinds = [self.game.melds[m.meld].type for m in (fit.laid, *(held.laid[i] for i in fit.joined))]
        extra = [0 if kind.by_last else kind.extra for kind in kinds]
        return extra[0] > sum(extra[1:])

    def _after(self, held: Held, fit: Fit) -> Held:
        kept = tuple(laid for place, laid in enumerate(held.laid) if place not in fit.joined)
        part = self.game.components[self.game.component_of[self.game.melds[fit.laid.meld].tiles[0]]]
        need = dict(fit.need)
        counts = tuple(n - need.get(kind, 0) for kind, n in zip(part, held.counts, strict=True))
        return Held(counts, (*kept, fit.laid))

    # ------------------------------------------------------------ the opening

    def of_announcement(self, announcement: Announcement) -> Found:
        """The first dealt hand that is complete (or waits) and is no more once all is laid."""
        proved = self.parts.whole
        for role in self.game.roles:
            seat = next(i for i, s in enumerate(self.game.seats) if s.role == role)
            size, view = self.game.dealt[role], self.game.seen_by(role)
            acts = self._before_winning(role)
            if size in (view.finished, view.waiting) and announcement.name in acts:
                found = self._first_spoilt_as_dealt(seat, announcement.name, acts)
                if found.witness is not None:
                    return found
                proved = proved and found.proved
        return Found(None, proved)

    def _before_winning(self, role: str) -> tuple[str, ...]:
        """Announcements that are asked in the opening, before the role may win."""
        acts = (a for step in self.table.flow.opening if step.role == role for a in step.acts)
        return tuple(act.name for act in takewhile(lambda act: act.kind == "announce", acts))

    def _first_spoilt_as_dealt(self, seat: int, name: str, acts: tuple[str, ...]) -> Found:
        refused = False
        for hands in islice(self._spoilt_as_dealt(seat, name, acts), MOST_TRIES):
            dealt = self._state(hands, seat, None)
            state = self._opening(dealt, seat, acts)
            asked = state.lawful[0].name == name and self._good(dealt, seat)
            if asked and not any(end.over or self._good(end, seat) for end in self._ends(state)):
                return Found(TableWitness(self.game, dealt, (seat,), ()), True)
            refused = True
        return Found(None, not refused)

    def _spoilt_as_dealt(self, seat: int, name: str, acts: tuple[str, ...]) -> Iterator[Hands]:
        """Hands that what has to be laid may spoil, by their sums."""
        role = self._role(seat)
        sums, size = self.parts.sums(role, 0), self.game.dealt[role]
        finished = size == self.game.seen_by(role).finished
        good = sums.complete if finished else partial(sums.waits, sums.nothing)

        def add(one: Dealt, other: Dealt) -> Dealt | None:
            if one.tiles + other.tiles > size:
                return None
            both, ends = sums.together(one.good, other.good), sums.together(one.ends, other.ends)
            found = Dealt(one.tiles + other.tiles, both, ends, min(one.first, other.first))
            return found if any(both) else None

        start = Dealt(0, sums.nothing, sums.nothing, len(acts))
        every = [(part, self._as_dealt(part, seat, acts)) for part in self.parts]
        for total, hands in Adding(add).fold(every, start).items():
            whole = (total.tiles, total.first) == (size, acts.index(name))
            if whole and good(total.good) and not good(total.ends):
                yield hands

    def _as_dealt(self, part: int, seat: int, acts: tuple[str, ...]) -> dict[Dealt, Held]:
        """What can be dealt of a part, one for each sum; without what brings further tiles."""
        sums = self.parts.sums(self._role(seat), 0)
        part = self.parts.like(sums, part)[0]
        key = part, seat, acts
        if key not in self._deals:
            found = self._deals[key] = {}
            for held in map(Held, self.parts.dealt(part)):
                state = self._state(((part, held),), seat, None)
                owed = (i for i, a in enumerate(acts) if self.table.claims.announced(state, seat, a))
                first = next(owed, len(acts))
                ends = [held] if first == len(acts) else self._laid_out(part, state, seat, acts)
                after = Sets()
                for end in ends:
                    after = after.either(sums.of(part, end))
                if ends:
                    found.setdefault(Dealt(sum(held.counts), sums.of(part, held), after, first), held)
        return self._deals[key]

    def _laid_out(self, part: int, state: State, seat: int, acts: tuple[str, ...]) -> list[Held]:
        """What is held of the part once all is laid, in every way; nothing where a further tile comes."""
        found = []
        for end in self._ends(self._opening(state, seat, acts)):
            if end.over:
                return []
            player = end.players[seat]
            found.append(Held(tuple(player.counts[k] for k in self.game.components[part]), player.laid))
        return found

    def _opening(self, dealt: State, seat: int, acts: tuple[str, ...]) -> State:
        """The state in which the first announcement is asked."""
        todo = (*(Task("announce", seat, act) for act in acts), Task("turn_up", seat))
        return self.table.settled(replace(dealt, todo=todo))

    def _ends(self, state: State) -> Iterator[State]:
        """Every state after all that is announced; over, where a further tile would come."""
        if state.over or state.todo[0].kind != "announce":
            yield state
        else:
            for action in state.lawful:
                yield from self._ends(self.table.apply(state, action))

    # ------------------------------------------------------------ hands

    @cached_property
    def _nobody(self) -> Player:
        return Player((0,) * len(self.game.kinds))

    def _seated(self, player: Player, seat: int, offer: Offer | None) -> State:
        players = tuple(player if i == seat else self._nobody for i in range(len(self.game.seats)))
        return State((), 0, players, self.parts.context, offer=offer)

    def _state(self, hands: Hands, seat: int, offer: Offer | None, wilds: int = 0) -> State:
        """The table with a player who has these tiles, his melds exposed in the first way there is."""
        counts = [0] * len(self.game.kinds)
        for part, held in hands:
            for kind, number in zip(self.game.components[part], held.counts, strict=True):
                counts[kind] = number
        laid = tuple(meld for _, held in hands for meld in held.laid)
        types = [self.game.melds[meld.meld].type.index for meld in laid]
        responses = self.table.flow.responses.values()
        made = [next((r.name for r in responses if index in r.types), "") for index in types]
        taken = tuple(name for name in made if name)
        return self._seated(Player(tuple(counts), wilds, laid, taken), seat, offer)

    def _good(self, state: State, seat: int) -> bool:
        """Complete as it lies, or waiting where it is one tile short."""
        player = state.players[seat]
        if self.parts.size(Held(player.counts, player.laid)) == self.game.seen_by(self._role(seat)).finished:
            return self.compiled.outcome(self._hand(state, seat)).complete
        return self._waits(state, seat)

    def _waits(self, state: State, seat: int) -> bool:
        """Does some tile complete the player's hand?"""
        return bool(self.compiled.waits(self._hand(state, seat), ORIGINS[1:]))

    def _hand(self, state: State, seat: int) -> Hand:
        player = state.players[seat]
        return Hand(self._role(seat), player.laid, player.counts, None, state.context, None, player.wilds)
