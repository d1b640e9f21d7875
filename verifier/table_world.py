"""The symbolic table: one or two players with unknown tiles, and one tile on offer or a discard to make.

Bounds. A player's tiles are as many as between turns, with every duty of the opening done where tiles never
come into the hand later; the melds he has exposed can have come from the announcements and responses he
made. Whether play leads there is not asked. Exposed melds have the plainest origins their places allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from operator import add, le
from typing import Literal, NamedTuple

from dsl.core.flow import Announcement, LocalAnd, LocalCompare, Response, SameFace
from dsl.core.hand import Laid
from dsl.core.model import WILD, Game, Meld, MeldType
from dsl.table.claims import Claims
from dsl.table.lookups import Fit
from dsl.table.state import Offer, Player, State
from dsl.table.verdicts import Verdicts

from .encode_local import Opened, SightView
from .holding import shown
from .smt import Bool, Int, Smt

Mood = Literal["offer", "opening"]
"""A tile lies open; or somebody who was dealt more than the others is about to discard."""

MOST = 30
"""More often than anybody has tiles, nobody has answered in one way."""


class Way(NamedTuple):
    """How a tile comes to a player."""

    turned: bool
    distance: int
    origin: str


class Take(NamedTuple):
    """One meld that a player can lay: the exposed melds it takes up, and the concealed tiles it needs."""

    laid: Laid
    joined: tuple[int, ...]
    """Ids of ground melds."""
    need: tuple[tuple[int, int], ...]

    @property
    def changes(self) -> tuple[tuple[int, int], ...]:
        """How many more lie before the player of each ground meld: (number, meld)."""
        return ((1, self.laid.meld), *((-1, meld) for meld in self.joined))


Joined = tuple[tuple[Meld, ...], list[Meld]]
"""Exposed melds that are taken up together, and the melds they can become part of."""


@dataclass(frozen=True)
class Seated:
    """One player, as terms."""

    name: str
    sits: Mapping[int, Bool]
    """Seat to whether it is his."""
    roles: Mapping[str, Bool]
    counts: tuple[Int, ...]
    """Concealed natural tiles per kind."""
    wilds: Int
    melds: Mapping[int, Int]
    """Ground meld to how many of it he has exposed."""
    taken: Mapping[str, Int]
    did: tuple[str, int] | None = ("", 0)
    """What he did in this turn, and the kind of the tile he took; None where that is not known."""


class TableWorld:
    """Players around one tile of a given kind (`tile`, None in the opening), as far as the bounds go."""

    def __init__(self, claims: Claims, players: int, tile: int | None) -> None:
        self.game = claims.game
        self.flow = claims.flow
        self.lookups = claims.lookups
        self.verdicts: Verdicts = claims.verdicts
        self.playing = claims.playing
        self.tile = tile
        self.smt = Smt()
        self.opened = Opened()
        self.known: dict[object, Bool] = {}
        self.turned = self.smt.boolean("turned up")
        self.first = self.smt.boolean("first")
        self.offerer = {s: self.smt.boolean(f"from {s}") for s in self.playing}
        self.context = {
            (p.name, v): self.smt.boolean(f"context {i} {j}")
            for i, p in enumerate(self.game.parameters)
            for j, v in enumerate(p.values)
        }
        self.players = tuple(self._player(str(i)) for i in range(players))
        self._require_situation()
        self._require_tiles()
        for player in self.players:
            self._require_size(player)
            self._require_history(player)
            self._require_duties_done(player)
            self._require_spent(player)

    @property
    def mood(self) -> Mood:
        return "opening" if self.tile is None else "offer"

    # ------------------------------------------------------------ variables

    def _player(self, name: str) -> Seated:
        smt, game = self.smt, self.game
        sits = {s: smt.boolean(f"{name} sits {s}") for s in self.playing}
        roles: dict[str, list[Bool]] = {}
        for seat, here in sits.items():
            roles.setdefault(game.seats[seat].role, []).append(here)
        return Seated(
            name,
            sits,
            {role: smt.either(parts) for role, parts in roles.items()},
            tuple(smt.integer(f"{name} holds {k}", 0, kind.copies) for k, kind in enumerate(game.kinds)),
            smt.integer(f"{name} wild", 0, 0 if game.wild is None else game.wild.copies),
            {m.id: smt.integer(f"{name} laid {m.id}", 0, None) for m in self.layable},
            {name_: smt.integer(f"{name} took {i}", 0, None) for i, name_ in enumerate(self.flow.responses)},
        )

    @cached_property
    def layable(self) -> tuple[Meld, ...]:
        """Ground melds that a player can have exposed."""
        types = self.flow.laid if self.mood == "offer" else self.flow.announced
        return tuple(self.lookups.melds_of(types))

    @cached_property
    def layable_with(self) -> dict[int, list[tuple[int, int]]]:
        """Kinds to (how many of it, meld) of the layable melds that have it."""
        found: dict[int, list[tuple[int, int]]] = {}
        for meld in self.layable:
            for kind, number in meld.counts:
                found.setdefault(kind, []).append((number, meld.id))
        return found

    # ------------------------------------------------------------ constraints

    def _require_situation(self) -> None:
        smt = self.smt
        smt.require(smt.exactly_one(list(self.offerer.values())))
        for player in self.players:
            smt.require(smt.exactly_one(list(player.sits.values())))
        for seat in self.playing if len(self.players) > 1 else ():
            both = [player.sits[seat] for player in self.players]
            smt.require(smt.negate(smt.both(both)))
        for parameter in self.game.parameters:
            smt.require(smt.exactly_one([self.context[parameter.name, v] for v in parameter.values]))

    def _require_tiles(self) -> None:
        """No more of a face than there are, with the tile on offer."""
        smt, totals = self.smt, list[Int]()
        for kind, face in enumerate(self.game.kinds):
            parts = [(1, p.counts[kind]) for p in self.players]
            parts += [(n, p.melds[m]) for p in self.players for n, m in self.layable_with.get(kind, ())]
            totals.append(smt.total(parts, int(kind == self.tile)))
            smt.require(smt.compare(totals[kind], "<=", face.copies))
        wild = self.game.wild
        if wild is not None:
            wilds = [(1, p.wilds) for p in self.players]
            smt.require(smt.compare(smt.total(wilds, int(self.tile == WILD)), "<=", wild.copies))
        parameter = None if wild is None else wild.parameter
        for p, value in self.context:
            left = self.game.copies_in({p: value}) if p == parameter else ()
            for kind, copies in enumerate(left):
                if copies < self.game.kinds[kind].copies:
                    bound = smt.compare(totals[kind], "<=", copies)
                    smt.require(smt.implies(self.context[p, value], bound))

    def _require_size(self, player: Seated) -> None:
        """As many tiles as between turns, or as dealt to one who has to discard."""
        smt = self.smt
        parts = [(1, n) for n in player.counts] + [(1, player.wilds)]
        parts += [(len(m.slots) - m.type.extra, player.melds[m.id]) for m in self.layable]
        held = smt.total(parts)
        for role, here in player.roles.items():
            if self.mood == "opening":
                smt.require(smt.implies(here, smt.compare(held, "=", self.game.dealt[role])))
            elif self.game.any_size:
                smt.require(smt.implies(here, smt.compare(held, "<=", self.game.dealt[role])))
            else:
                wanted = self.game.seen_by(role).waiting
                smt.require(smt.implies(here, smt.compare(held, "=", wanted)))
        if self.mood == "opening":
            whole = smt.total([*((1, n) for n in player.counts), (1, player.wilds)])
            for role, here in player.roles.items():  # follows, but the solver is slow to see it
                left = rests(self.game.dealt[role], self.announced_sizes)
                smt.require(smt.implies(here, smt.either([smt.compare(whole, "=", n) for n in left])))
            discards = {s.role for s in self.flow.opening if any(a.kind == "discard" for a in s.acts)}
            smt.require(smt.either([b for role, b in player.roles.items() if role in discards]))

    @cached_property
    def announced_sizes(self) -> frozenset[int]:
        """How much smaller announcements make a hand: no more than least; drawn tiles come back."""
        melds, found = self.game.melds, set[int]()
        for announcement in self.flow.announcements.values():
            needs = set(self._least(announcement))
            takes = (take for take in self.announced(announcement) if take.need in needs)
            found |= {sum(n for _, n in t.need) - melds[t.laid.meld].type.extra for t in takes}
        return frozenset(found)

    @cached_property
    def wholes(self) -> frozenset[int]:
        """How many concealed tiles a player can have, by the numbers."""
        game = self.game
        if self.mood == "opening":
            whole, sizes = {game.dealt[role] for role in game.roles}, self.announced_sizes
        elif game.any_size:
            return frozenset(range(max(game.dealt.values()) + 1))
        else:
            whole = {game.seen_by(role).waiting for role in game.roles}
            sizes = frozenset(len(m.slots) - m.type.extra for m in self.layable)
        return frozenset(n for most in whole for n in rests(most, sizes))

    def _require_history(self, player: Seated) -> None:
        """Melds of each type are as many as his announcements and responses made, less those taken up."""
        smt = self.smt
        made: dict[int, list[tuple[int, Int]]] = {t.index: [] for t in self.types}
        announced = self.flow.announced
        for t in self.types:
            if t.index in announced:
                made[t.index].append((1, smt.integer(f"{player.name} announced {t.index}", 0, MOST)))
        responses = {} if self.mood == "opening" else self.flow.responses
        for name in () if responses else self.flow.responses:
            smt.require(smt.compare(player.taken[name], "=", 0))
        for number, name in enumerate(responses):
            ways = []
            for way, (before, after) in enumerate(self._changes[name]):
                times = smt.integer(f"{player.name} did {number} {way}", 0, MOST)
                ways.append((1, times))
                made[after].append((1, times))
                for index in before:
                    made[index].append((-1, times))
            smt.require(smt.compare(player.taken[name], "=", smt.total(ways)))
        for t in self.types:
            laid = self.laid(player)[t.index]
            smt.require(smt.compare(laid, "=", smt.total(made[t.index])))

    @cached_property
    def types(self) -> tuple[MeldType, ...]:
        """Those of the melds that can lie exposed."""
        return tuple(dict.fromkeys(m.type for m in self.layable))

    @cached_property
    def _changes(self) -> dict[str, tuple[tuple[tuple[int, ...], int], ...]]:
        """(types taken up, type made) of each response, by their sizes; all players have the same."""
        return {name: tuple(self._find_changes(r)) for name, r in self.flow.responses.items()}

    @cached_property
    def sizes(self) -> dict[int, int]:
        """Types of the melds that can lie exposed to how many tiles they have."""
        sizes: dict[int, int] = {}
        for meld in self.layable:
            sizes.setdefault(meld.type.index, len(meld.slots))
        return sizes

    def _find_changes(self, response: Response) -> Iterator[tuple[tuple[int, ...], int]]:
        sizes = self.sizes
        for after in sorted(response.types & sizes.keys()):
            if response.from_hand:
                yield (), after
            joins = sorted(response.joins & sizes.keys())
            for before in (*((t,) for t in joins), *combinations_with_replacement(joins, 2)):
                if sum(sizes[t] for t in before) < sizes[after]:
                    yield before, after

    def _require_duties_done(self, player: Seated) -> None:
        """What he had to lay in the opening is laid, and of what he laid himself no more than least."""
        smt = self.smt
        must = (a for a in self.flow.announcements.values() if a.must)
        needs = [need for a in must for need in self._least(a)]
        if self.mood == "opening":
            announcements = self.flow.announcements.values()
            takes = ((take, self._least(a)) for a in announcements for take in self.announced(a))
            least = {take.laid.meld for take, needs_ in takes if take.need in needs_}
            for meld in self.layable:
                if meld.id not in least:
                    smt.require(smt.compare(player.melds[meld.id], "=", 0))
        elif not self.draws:
            for need in dict.fromkeys(needs):
                smt.require(smt.either([smt.compare(player.counts[k], "<", n) for k, n in need]))

    def _least(self, announcement: Announcement) -> list[tuple[tuple[int, int], ...]]:
        """The concealed tiles for each of its melds that has no smaller one among them."""
        key = "least to announce", announcement.name
        return self.game.memo.of(key, lambda: least({take.need for take in self.announced(announcement)}))

    def _require_spent(self, player: Seated) -> None:
        """Where no tile comes into the hand, nobody holds more of a face than when he answered with it."""
        if self.mood == "opening" or self.draws:
            return
        smt = self.smt
        announced = self.flow.announced
        for t in (t for t in self.types if t.index not in announced):
            makers = [r for r in self.flow.responses.values() if t.index in r.types]
            most = [_held_when(r) for r in makers]
            if all(n is not None for n in most) and not any(r.joins for r in makers):
                for meld in (m for m in self.layable if m.type is t and len(m.counts) == 1):
                    kind, number = meld.counts[0]
                    left = max(n for n in most if n is not None) - (number - 1)
                    none = smt.compare(player.melds[meld.id], "=", 0)
                    smt.require(smt.either([none, smt.compare(player.counts[kind], "<=", left)]))

    @cached_property
    def draws(self) -> bool:
        """Can a tile come into a hand after the opening?"""
        return draws(self.game)

    # ------------------------------------------------------------ who sees what

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Every way in which the tile comes to a player."""
        found = []
        for turned in (False, True):
            offer = Offer(self.tile or 0, self.playing[0], turned, False)
            for distance, seat in enumerate(self.playing):
                if turned or distance:
                    found.append(Way(turned, distance, self.verdicts.origin_of(offer, seat)))
        return tuple(found)

    def comes(self, player: Seated, way: Way) -> Bool:
        """The tile comes to the player so."""
        smt, seats = self.smt, self.playing
        pairs = (
            smt.both([self.offerer[start], player.sits[seats[(place + way.distance) % len(seats)]]])
            for place, start in enumerate(seats)
        )
        turned = self.turned if way.turned else smt.negate(self.turned)
        return smt.both([turned, smt.either(list(pairs))])

    def sight(self, player: Seated, way: Way | None, tile: int, used: tuple[int, ...]) -> SightView:
        """What the player sees of a tile: on offer, or (without a way) about to be let go."""
        smt = self.smt
        nothing = smt.truth(False)
        turned = way is not None and way.turned
        return SightView(
            smt=smt,
            game=self.game,
            name=player.name,
            roles=player.roles,
            counts=player.counts,
            tile=tile,
            used=used,
            origin=None if way is None else way.origin,
            distance=0 if way is None else way.distance,
            first_discard=nothing if way is None or turned else self.first,
            first_turn=self.first if turned else nothing,
            laid=self.laid(player),
            taken=player.taken,
            context=self.context,
            did=player.did,
            opened=self.opened,
            known=self.known,
        )

    def laid(self, player: Seated) -> Mapping[int, Int]:
        """Types to how many melds of them he has exposed."""
        key = "laid", player.name
        if key not in self._laid:
            parts: dict[int, list[tuple[int, Int]]] = {}
            for meld, count in player.melds.items():
                parts.setdefault(self.game.melds[meld].type.index, []).append((1, count))
            self._laid[key] = {t: self.smt.total(p) for t, p in parts.items()}
        return self._laid[key]

    @cached_property
    def _laid(self) -> dict[object, Mapping[int, Int]]:
        return {}

    # ------------------------------------------------------------ what can be laid

    def takes(self, response: Response, way: Way) -> tuple[Take, ...]:
        """The ways to make a response."""
        assert self.tile is not None
        key = "takes", response.name, self.tile, way.origin
        return self.game.memo.of(key, lambda: tuple(self._taking(response, way)))

    def _taking(self, response: Response, way: Way) -> Iterator[Take]:
        assert self.tile is not None
        found = [Take(f.laid, (), f.need) for f in self.lookups.fresh(response, self.tile, way.origin)]
        for chosen, wholes in self._parts(response):
            exposed = tuple(shown(self.game, m) for m in chosen)
            fits = self.lookups.made_of(wholes, self.tile, way.origin, exposed)
            ids = tuple(m.id for m in chosen)
            found += [Take(f.laid, ids, f.need) for f in fits]
        yield from dict.fromkeys(found)

    def _parts(self, response: Response) -> tuple[Joined, ...]:
        """One or two of the exposed melds that melds of the response hold beside the tile, and these."""
        if response.name not in self._known_parts:
            self._known_parts[response.name] = tuple(self._find_parts(response))
        return self._known_parts[response.name]

    @cached_property
    def _known_parts(self) -> dict[str, tuple[Joined, ...]]:
        return {}

    def _find_parts(self, response: Response) -> Iterator[Joined]:
        assert self.tile is not None
        kinds = self.game.components[self.game.component_of[self.tile]]
        near = [
            (m, tuple(map(m.tiles.count, kinds)))
            for m in self.layable
            if m.type.index in response.joins and m.tiles[0] in kinds
        ]
        found: dict[tuple[int, ...], Joined] = {}
        for whole in self.game.melds_with.get(self.tile, ()) if near else ():
            if whole.type.index in response.types and not whole.wilds:
                rest = tuple(whole.tiles.count(k) - (k == self.tile) for k in kinds)
                inside = [(m, tiles) for m, tiles in near if all(map(le, tiles, rest))]
                pairs = combinations_with_replacement(inside, 2)
                both = ((m, o) for (m, a), (o, b) in pairs if all(map(le, map(add, a, b), rest)))
                for chosen in (*((m,) for m, _ in inside), *both):
                    found.setdefault(tuple(m.id for m in chosen), (chosen, []))[1].append(whole)
        yield from found.values()

    def announced(self, announcement: Announcement) -> tuple[Take, ...]:
        """The ways to make an announcement with concealed tiles alone."""
        fits: tuple[Fit, ...] = () if announcement.joins else self.lookups.announced(announcement, ())
        return tuple(Take(fit.laid, (), fit.need) for fit in fits)

    def used(self, take: Take) -> tuple[int, ...]:
        """Concealed tiles per kind that go into it."""
        need = dict(take.need)
        return tuple(need.get(k, 0) for k in range(len(self.game.kinds)))

    def has(self, player: Seated, take: Take) -> Bool:
        """The player has the tiles and exposed melds for it."""
        smt = self.smt
        tiles = [smt.compare(player.counts[k], ">=", n) for k, n in take.need]
        return smt.both(
            [*tiles, *(smt.compare(player.melds[m], ">=", n) for m, n in Counter(take.joined).items())]
        )

    # ------------------------------------------------------------ a given table

    def told(self, state: State, seats: tuple[int, ...]) -> list[Bool]:
        """Everything that a state says of the tile on offer and of players in these seats."""
        smt, offer = self.smt, state.offer
        flags, numbers = list[tuple[Bool, bool]](), list[tuple[Int, int]]()
        if offer is not None:
            flags += [(self.turned, offer.turned), (self.first, offer.first)]
            flags += [(b, s == offer.seat) for s, b in self.offerer.items()]
        given = {p.name: p.values[0] for p in self.game.parameters} | dict(state.context)
        flags += [(b, given[name] == value) for (name, value), b in self.context.items()]
        for player, seat in zip(self.players, seats, strict=True):
            real = state.players[seat]
            laid, taken = Counter(m.meld for m in real.laid), Counter(real.taken)
            flags += [(b, s == seat) for s, b in player.sits.items()]
            numbers += [*zip(player.counts, real.counts, strict=True), (player.wilds, real.wilds)]
            numbers += [(n, laid[m]) for m, n in player.melds.items()]
            numbers += [(n, taken[name]) for name, n in player.taken.items()]
        return [*(b if value else smt.negate(b) for b, value in flags), *smt.equal(numbers)]

    # ------------------------------------------------------------ reading a model

    def state(self) -> tuple[State, tuple[int, ...]]:
        """The table of the solver's last model, and the seats of the players, in order."""
        smt, game = self.smt, self.game
        offerer = next(s for s, b in self.offerer.items() if smt.truth_value(b))
        seats, players = [], [Player((0,) * len(game.kinds)) for _ in game.seats]
        for player in self.players:
            seats.append(next(s for s, b in player.sits.items() if smt.truth_value(b)))
            players[seats[-1]] = self._read(player)
        context = {name: v for (name, v), b in self.context.items() if smt.truth_value(b)}
        offer = None
        if self.tile is not None:
            turned, first = smt.truth_value(self.turned), smt.truth_value(self.first)
            offer = Offer(self.tile, offerer, turned, first)
        return State((), 0, tuple(players), context, offer=offer), tuple(seats)

    def _read(self, player: Seated) -> Player:
        smt = self.smt
        melds = zip(self.layable, smt.integer_values([player.melds[m.id] for m in self.layable]), strict=True)
        taken = zip(player.taken, smt.integer_values(list(player.taken.values())), strict=True)
        return Player(
            tuple(smt.integer_values(player.counts)),
            smt.integer_value(player.wilds),
            tuple(shown(self.game, m) for m, n in melds for _ in range(n)),
            tuple(name for name, n in taken for _ in range(n)),
        )


def less(one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]) -> bool:
    """Is it part of the other tiles, and not all of them?"""
    return one != other and all(n <= dict(other).get(k, 0) for k, n in one)


def least(needs: set[tuple[tuple[int, int], ...]]) -> list[tuple[tuple[int, int], ...]]:
    """Those that no other of them is part of."""
    found: dict[int, list[tuple[tuple[int, int], ...]]] = {}
    for need in sorted(needs, key=lambda n: (sum(c for _, c in n), n)):
        if not any(less(other, need) for kind, _ in need for other in found.get(kind, ())):
            found.setdefault(need[0][0], []).append(need)  # a part of another shares its first kind
    return sorted(n for those in found.values() for n in those)


def rests(whole: int, sizes: frozenset[int]) -> list[int]:
    """What can be left of so many tiles after any number of parts of these sizes."""
    found = {whole}
    for n in range(whole, 0, -1):
        if n in found:
            found |= {n - size for size in sizes if 0 < size <= n}
    return sorted(found)


def _held_when(response: Response) -> int | None:
    """How many of the face are concealed when it is made, where its condition says just how many."""
    parts = response.where.parts if isinstance(response.where, LocalAnd) else (response.where,)
    for part in parts:
        equal = isinstance(part, LocalCompare) and part.operator == "=" and not part.right.parts
        if isinstance(part, LocalCompare) and equal and part.left.parts == ((1, SameFace()),):
            return part.right.constant - part.left.constant
    return None


def draws(game: Game) -> bool:
    """Can a tile come into a hand after the opening?"""
    flow = game.flow
    assert flow is not None
    laid = flow.laid
    extra = any(t.extra and not t.by_last for t in game.types if t.index in laid)
    takes = any(act.kind == "take" for act in flow.turn)
    taken = any(response.into_hand for response in flow.responses.values())
    return extra or takes or taken or flow.into_hand is not None
