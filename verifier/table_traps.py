"""Duties that cost their owner his win or his waiting hand: found by trying, group by group.

Tried are hands that hold anything in one part of the deck and a whole meld, or nothing, in each of the
others; of those the ones that wait (or are complete as dealt) while the duty is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import combinations_with_replacement, product, takewhile
from math import prod

from dsl.core.flow import Announcement, Response
from dsl.core.hand import Hand
from dsl.core.model import ORIGINS, Game, Meld
from dsl.judge.compiled import Compiled
from dsl.table.questions import answers, done
from dsl.table.state import Action, Offer, Player, State, Task
from dsl.table.table import Table

from .holding import can_stand, concealable
from .table_faces import conditions_of, faces_to_ask
from .table_shown import TableWitness
from .table_world import draws

MOST_WAYS = 300
"""Ways to hold the tiles of one part that are tried; larger parts are left out."""

Counts = tuple[int, ...]


class Traps:
    """Looks for hands that a duty spoils."""

    def __init__(self, table: Table, compiled: Compiled) -> None:
        self.table = table
        self.game: Game = table.game
        self.compiled = compiled
        self.draws = draws(self.game)
        self.faces = faces_to_ask(self.game, conditions_of(table.flow), wins=False)

    # ------------------------------------------------------------ a tile on offer

    def of_response(self, response: Response) -> TableWitness | None:
        """The first hand that waits and does not any more, whatever is let go, once the duty is done."""
        for tile in self.faces:
            for held in self._near(tile):
                for offer, seat in self._offers(tile):
                    near = self._state(self._hand(held, ()), seat, offer)
                    if any(True for _ in answers(self.table, near, seat, response.name)):
                        found = self._spoilt(held, tile, offer, seat, response)
                        if found is not None:
                            return found
        return None

    def _offers(self, tile: int) -> Iterator[tuple[Offer, int]]:
        """The ways for the tile to come to the last seat, which nobody's role makes special."""
        seats = self.table.playing
        last = seats[-1]
        for giver in (seats[-2], seats[0], last):
            for turned in (False, True) if giver != last else (True,):
                yield Offer(tile, giver, turned, False), last

    def _spoilt(
        self, held: Counts, tile: int, offer: Offer, seat: int, response: Response
    ) -> TableWitness | None:
        size = self.game.seen_by(self.game.seats[seat].role).waiting
        for rest in self._fillers(tile, size - sum(held)):
            counts = self._hand(held, rest)
            state = self._state(counts, seat, offer)
            if (
                self._dutiful(state, seat)
                and self._waits(state, seat)
                and not self.table.verdicts.wins(state, seat, offer)
            ):
                actions = tuple(answers(self.table, state, seat, response.name))
                if actions and not any(self._goes_on(state, action) for action in actions):
                    origins = (self.table.verdicts.origin_of(offer, seat),)
                    return TableWitness(self.game, state, (seat,), origins)
        return None

    def _dutiful(self, state: State, seat: int) -> bool:
        """Is everything laid that had to be in the opening, as far as it cannot have been drawn?"""
        must = (a.name for a in self.table.flow.announcements.values() if a.must and a.types)
        return self.draws or not any(self.table.claims.announced(state, seat, name) for name in must)

    def _goes_on(self, state: State, action: Action) -> bool:
        """Can he still wait, or win, once it is done?"""
        after = done(self.table, state, action)
        if after.over:
            return False
        if after.todo[0].kind != "discard":
            return True  # a further tile comes, and with it anything
        discards = (a for a in after.lawful if a.kind == "discard")
        return any(self._waits(self.table.apply(after, a), action.seat) for a in discards)

    # ------------------------------------------------------------ the opening

    def of_announcement(self, announcement: Announcement) -> TableWitness | None:
        """The first dealt hand that is complete (or waits) and is no more once all is laid."""
        for role in self.game.roles:
            seat = next(i for i, s in enumerate(self.game.seats) if s.role == role)
            size, view = self.game.dealt[role], self.game.seen_by(role)
            acts = self._before_winning(role)
            if size in (view.finished, view.waiting) and announcement.name in acts:
                for tile in self.faces:
                    found = self._spoilt_as_dealt(tile, seat, size, announcement.name, acts)
                    if found is not None:
                        return found
        return None

    def _before_winning(self, role: str) -> tuple[str, ...]:
        """Announcements that are asked in the opening, before the role may win."""
        acts = (a for step in self.table.flow.opening if step.role == role for a in step.acts)
        return tuple(act.name for act in takewhile(lambda act: act.kind == "announce", acts))

    def _spoilt_as_dealt(
        self, tile: int, seat: int, size: int, name: str, acts: tuple[str, ...]
    ) -> TableWitness | None:
        for held in self._near(tile):
            if not self.table.claims.announced(self._state(self._hand(held, ()), seat, None), seat, name):
                continue
            for rest in self._fillers(tile, size - sum(held)):
                dealt = self._state(self._hand(held, rest), seat, None)
                state = self._opening(dealt, seat, acts)
                if state.lawful[0].name == name and self._good(dealt, seat):
                    ends = tuple(self._ends(state))
                    if ends and not any(self._good(end, seat) for end in ends):
                        return TableWitness(self.game, dealt, (seat,), ())
        return None

    def _opening(self, dealt: State, seat: int, acts: tuple[str, ...]) -> State:
        """The state in which the first announcement is asked."""
        todo = (*(Task("announce", seat, act) for act in acts), Task("discard", seat))
        return self.table.settled(replace(dealt, todo=todo))

    def _ends(self, state: State) -> Iterator[State]:
        """Every state after all that is announced."""
        if not state.over and state.todo[0].kind != "announce":
            yield state
        for action in () if state.over or state.todo[0].kind != "announce" else state.lawful:
            yield from self._ends(self.table.apply(state, action))

    # ------------------------------------------------------------ hands

    def _near(self, tile: int) -> list[Counts]:
        """The ways to hold the tiles of one part of the deck, few first."""
        part = self.game.components[self.game.component_of[tile]]
        copies = [self.game.kinds[k].copies for k in part]
        if prod(n + 1 for n in copies) > MOST_WAYS:
            return []
        held = [dict(zip(part, n, strict=True)) for n in product(*(range(c + 1) for c in copies))]
        every = [tuple(h.get(k, 0) for k in range(len(self.game.kinds))) for h in held]
        return sorted(every, key=lambda counts: (sum(counts), [-n for n in counts]))

    def _fillers(self, tile: int, size: int) -> Iterator[tuple[Meld, ...]]:
        """Whole melds in the other parts of the deck, with so many tiles together."""
        near = self.game.component_of[tile]
        parts = [i for i in range(len(self.game.components)) if i != near]
        for number in range(len(parts) + 1):
            for chosen in combinations_with_replacement(sorted(self._plain), number):
                if sum(size_of for size_of, _ in chosen) == size:
                    melds = [self._meld_in(parts[i], chosen[i]) for i in range(number)]
                    if None not in melds:
                        yield tuple(m for m in melds if m is not None)

    @cached_property
    def _plain(self) -> dict[tuple[int, Counts], None]:
        """(tiles, what they count as) of melds that can be concealed."""
        own = (m for m in self.game.melds if m.base is None and m.slots and not m.wilds)
        fit = (m for m in own if can_stand(self.game, m) and concealable(self.game, m))
        return dict.fromkeys((len(m.slots), m.type.gives) for m in fit if not m.type.locked)

    def _meld_in(self, part: int, wanted: tuple[int, Counts]) -> Meld | None:
        """The first such meld in a part of the deck."""
        return self._first.get((part, wanted))

    @cached_property
    def _first(self) -> dict[tuple[int, tuple[int, Counts]], Meld]:
        """The first meld of each kind in each part of the deck."""
        found: dict[tuple[int, tuple[int, Counts]], Meld] = {}
        own = (m for m in self.game.melds if m.base is None and m.slots and not m.wilds and not m.type.locked)
        for m in own:
            found.setdefault((self.game.component_of[m.tiles[0]], (len(m.slots), m.type.gives)), m)
        return found

    def _hand(self, held: Counts, melds: tuple[Meld, ...]) -> Counts:
        counts = list(held)
        for meld in melds:
            for kind, n in meld.counts:
                counts[kind] += n
        return tuple(counts)

    def _state(self, counts: Counts, seat: int, offer: Offer | None) -> State:
        nobody = Player((0,) * len(counts))
        players = tuple(Player(counts) if i == seat else nobody for i in range(len(self.game.seats)))
        context = {p.name: p.values[0] for p in self.game.parameters}
        return State((), 0, players, context, offer=offer)

    def _good(self, state: State, seat: int) -> bool:
        """Complete as it lies, or waiting where it is one tile short."""
        role, player = self.game.seats[seat].role, state.players[seat]
        size = sum(player.counts) + sum(
            len(self.game.melds[m.meld].slots) - self.game.melds[m.meld].type.extra for m in player.laid
        )
        if size == self.game.seen_by(role).finished:
            return self.compiled.outcome(Hand(role, player.laid, player.counts, None, state.context)).complete
        return self._waits(state, seat)

    def _waits(self, state: State, seat: int) -> bool:
        """Does some tile complete the player's hand?"""
        player = state.players[seat]
        hand = Hand(self.game.seats[seat].role, player.laid, player.counts, None, state.context)
        return bool(self.compiled.waits(hand, ORIGINS[1:]))
