"""What a statement says of a player at the table, as logic.

Twin of `dsl/table/questions.py`: same cases, same order, same names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from dsl.core.flow import Announcement, Ban, Call, LocalAnd, LocalNot, NothingLeft, Response, Veto
from dsl.core.model import WILD
from dsl.core.table_questions import Answers, Bites, DeadEnd, SeatAnd, SeatFormula, SeatNot, SeatOr, Sees
from dsl.table.claims import invited

from .encode_local import SightView, decided, met
from .smt import Bool, Int
from .stuck import GroupStuck, Keeping, keeping
from .table_wins import Hands
from .table_world import Seated, TableWorld, Take, Way, less, rests

Doing = tuple[Take, Bool]
"""Something to do, and whether it is open."""


class Encoder:
    """Reads conditions on the players of a world. `hands` says what can win."""

    def __init__(self, world: TableWorld, hands: Hands, thorough: bool) -> None:
        self.world = world
        self.hands = hands
        self.smt = world.smt
        self.thorough = thorough
        """Look at everything that can be done before calling it a dead end; else the table will."""
        self.guessed = False
        """Is something left to the judge or the table to say?"""

    def says(self, formula: SeatFormula, player: Seated, positive: bool = True) -> Bool:
        """Is the condition true of the player? What is asked `positive`ly may be shown by one arrangement."""
        smt = self.smt
        match formula:
            case Sees(condition):
                return smt.either(
                    [
                        smt.both([self.world.comes(player, way), met(condition, self._looks(player, way))])
                        for way in self.world.ways
                    ]
                )
            case Answers(names):
                return smt.either([b for n in names for b in self._answers(player, n, positive)])
            case DeadEnd(names, opening):
                names = () if opening is (self.world.tile is not None) else names
                return smt.either([b for n in names for b in self._dead_ends(player, n, positive)])
            case Bites(kind, name):
                barred = self._barring if kind == "ban" else self._vetoing
                return smt.either(list(barred(player, name)))
            case SeatNot(part):
                return smt.negate(self.says(part, player, not positive))
            case SeatAnd(parts):
                return smt.both([self.says(part, player, positive) for part in parts])
            case SeatOr(parts):
                return smt.either([self.says(part, player, positive) for part in parts])
            case _:
                assert_never(formula)

    def _looks(self, player: Seated, way: Way) -> SightView:
        """What he sees while no tile would leave his hand."""
        assert self.world.tile is not None
        return self.world.sight(player, way, self.world.tile, (0,) * len(player.counts))

    # ------------------------------------------------------------ responses

    def _answers(self, player: Seated, name: str, positive: bool) -> Iterator[Bool]:
        """The cases in which the response is open."""
        response = self.world.flow.responses.get(name)
        if response is None or self.world.tile is None:
            return
        for way in self.world.ways:
            if invited(response, way.distance):
                comes = self.world.comes(player, way)
                free = self.smt.negate(self._vetoed(response, self._looks(player, way)))
                if response.win:
                    yield self.smt.both([comes, free, self._wins(player, way, positive)])
                    continue
                if response.into_hand:
                    yield self.smt.both([comes, free, met(response.where, self._looks(player, way))])
                    continue
                open_ = [self._open(player, response, way, take) for take in self.world.takes(response, way)]
                yield self.smt.both([comes, self.smt.either(open_)])

    def _open(self, player: Seated, response: Response, way: Way, take: Take) -> Bool:
        assert self.world.tile is not None
        sight = self.world.sight(player, way, self.world.tile, self.world.used(take))
        where = met(response.where, sight)
        return self.smt.both(
            [self.world.has(player, take), where, self.smt.negate(self._vetoed(response, sight))]
        )

    def _vetoed(self, response: Response, sight: SightView) -> Bool:
        vetoes = [v for v in self.world.flow.vetoes if response.name in v.responses]
        return self.smt.either([met(in_force(veto), sight) for veto in vetoes])

    def _wins(self, player: Seated, way: Way, positive: bool) -> Bool:
        self.guessed = self.guessed or not positive or not self.hands.exact
        if positive:
            return self.hands.wins(player, way)
        return self.hands.unknown(player, way)

    # ------------------------------------------------------------ vetoes and bans

    def _barring(self, player: Seated, name: str) -> Iterator[Bool]:
        """The cases in which the ban keeps the tile in the hand."""
        world, smt, tile = self.world, self.smt, self.world.tile
        for ban in (b for b in world.flow.bans if b.name == name and tile is not None):
            used = tuple(int(k == tile) for k in range(len(player.counts)))
            held = smt.compare(player.wilds if tile == WILD else player.counts[tile or 0], ">=", 1)
            yield smt.both([held, met(ban.where, world.sight(player, None, tile or 0, used))])

    def _vetoing(self, player: Seated, name: str) -> Iterator[Bool]:
        """The cases in which the veto keeps closed what would be open."""
        world, smt = self.world, self.smt
        for veto in (v for v in world.flow.vetoes if v.name == name and world.tile is not None):
            for response in (world.flow.responses[n] for n in sorted(veto.responses)):
                for way in world.ways if not response.win else ():
                    if invited(response, way.distance):
                        kept = [
                            self._kept_from(player, response, veto, way, t)
                            for t in self.world.takes(response, way)
                        ]
                        yield smt.both([world.comes(player, way), smt.either(kept)])

    def _kept_from(self, player: Seated, response: Response, veto: Veto, way: Way, take: Take) -> Bool:
        assert self.world.tile is not None
        sight = self.world.sight(player, way, self.world.tile, self.world.used(take))
        return self.smt.both(
            [self.world.has(player, take), met(response.where, sight), met(veto.where, sight)]
        )

    # ------------------------------------------------------------ dead ends

    def _dead_ends(self, player: Seated, name: str, positive: bool) -> Iterator[Bool]:
        """The cases in which it can be done, and nothing may be let go however it is done."""
        announcement, response = self.world.flow.announcements.get(name), self.world.flow.responses.get(name)
        if self.world.tile is None and announcement is not None and self._can_get_stuck():
            doings = [
                self._announcing(player, announcement, take) for take in self.world.announced(announcement)
            ]
            yield self._no_way_out(player, doings, "", positive)
        if self.world.tile is None or response is None or not discards_after(response):
            return
        anything = frozenset(range(max(self.world.wholes) + 1))
        if self._leaves_some(response) and self._keeping(name, anything).sizes <= {0}:
            return  # what he may keep is nothing, and nothing is what he may not be left with
        for way in self.world.ways:
            if invited(response, way.distance):
                doings = [
                    (take, self._open(player, response, way, take))
                    for take in self.world.takes(response, way)
                ]
                dead = self._no_way_out(player, doings, name, positive)
                yield self.smt.both([self.world.comes(player, way), dead])

    def _can_get_stuck(self) -> bool:
        """Are there bans that do not yield; or can a dealt hand be laid to the last tile, by the numbers?"""
        world, sizes = self.world, self.world.announced_sizes
        discarding = [s for s in world.flow.opening if any(act.kind == "discard" for act in s.acts)]
        dealt = {world.game.dealt[step.role] for step in discarding}
        empty = any(n in sizes for whole in dealt for n in rests(whole, sizes))
        return empty or any(not ban.yields for ban in world.flow.bans)

    def _no_way_out(self, player: Seated, doings: list[Doing], name: str, positive: bool) -> Bool:
        """Something can be done, and then nothing be let go: whatever is done, or first something."""
        laid = {sum(n for _, n in take.need) for take, _ in doings}
        keeping = self._keeping(name, frozenset(n - k for n in self.world.wholes for k in laid))
        if not keeping.sizes:
            return self.smt.truth(False)
        if self.thorough or not positive:
            return self._after_all(player, doings, name, keeping)
        self.guessed = True
        doings = [(take, open_) for take, open_ in doings if not self._draws(take)]
        if keeping.settled:
            doings = self._by_need(doings)
        if keeping.sizes == {0}:
            stuck = (self._stuck_once(player, take, name, keeping) for take, _ in doings)
            return self.smt.either(
                [self.smt.both([open_, then]) for (_, open_), then in zip(doings, stuck, strict=True)]
            )
        return self._after_one(player, doings, name, keeping)

    def _by_need(self, doings: list[Doing]) -> list[Doing]:
        """Doings with the same concealed tiles as one, where nothing else matters to what comes after."""
        first: dict[tuple[tuple[int, int], ...], Take] = {}
        open_: dict[tuple[tuple[int, int], ...], list[Bool]] = {}
        for take, here in doings:
            first.setdefault(take.need, take)
            open_.setdefault(take.need, []).append(here)
        return [(take, self.smt.either(open_[need])) for need, take in first.items()]

    def _after_all(self, player: Seated, doings: list[Doing], name: str, keeping: Keeping) -> Bool:
        smt = self.smt
        stuck = [self._stuck_once(player, take, name, keeping) for take, _ in doings]
        each = [smt.implies(open_, then) for (_, open_), then in zip(doings, stuck, strict=True)]
        least = [i for i, (t, _) in enumerate(doings) if not any(less(o.need, t.need) for o, _ in doings)]
        one = [smt.both([doings[i][1], stuck[i]]) for i in (range(len(doings)) if name else least)]
        return smt.both([smt.either(one), *each])  # who can lay more in the opening, can lay the least of it

    def _after_one(self, player: Seated, doings: list[Doing], name: str, keeping: Keeping) -> Bool:
        """With one unknown for each thing to do, so that what comes after is written only once."""
        smt, number = self.smt, len(self.world.known)
        self.world.known["done", player.name, name, number] = smt.truth(True)
        chosen = [smt.boolean(f"{player.name} does {number} {i}") for i in range(len(doings))]
        does = [smt.indicator(b) for b in chosen]
        used: dict[int, list[tuple[int, Int]]] = {}
        melds = {m: [(1, n)] for m, n in player.melds.items()}
        for (take, _), one in zip(doings, does, strict=True):
            for kind, n in take.need:
                used.setdefault(kind, []).append((-n, one))
            for change, meld in take.changes:
                if meld in melds:
                    melds[meld].append((change, one))
        after = replace(
            player,
            name=f"{player.name} after {name} {number}",
            counts=tuple(smt.total([(1, n), *used.get(k, ())]) for k, n in enumerate(player.counts)),
            melds={m: smt.total(parts) if len(parts) > 1 else player.melds[m] for m, parts in melds.items()},
            taken={n: smt.total([(1, t)], int(n == name)) for n, t in player.taken.items()},
            did=None if self.world.tile is None else (name, self.world.tile),
        )
        opens = [smt.implies(b, open_) for b, (_, open_) in zip(chosen, doings, strict=True)]
        one_of = smt.compare(smt.total((1, one) for one in does), "=", 1)
        return smt.both([one_of, *opens, self._stuck(after, keeping)])

    def _stuck_once(self, player: Seated, take: Take, name: str, keeping: Keeping) -> Bool:
        """He may let nothing go once it is done."""
        if self._draws(take):
            return self.smt.truth(False)
        if keeping.sizes <= {0}:
            return self._used_up(player, take, keeping)
        return self._stuck(self._once_done(player, take, name), keeping)

    def _used_up(self, player: Seated, take: Take, keeping: Keeping) -> Bool:
        """It takes his last natural tile; a wild one may not go."""
        smt, needed = self.smt, sum(n for _, n in take.need)
        none = smt.compare(smt.total((1, n) for n in player.counts), "=", needed)  # as `NothingLeft` is put
        return smt.both([none, self._wild_tiles(player, keeping)])

    def _stuck(self, after: Seated, keeping: Keeping) -> Bool:
        """He may let nothing go; in the opening he has no more duties either."""
        duties = [self._duties_done(after)] if self.world.tile is None else []
        return self.smt.both([*duties, self._nothing_to_discard(after, keeping)])

    def _announcing(self, player: Seated, announcement: Announcement, take: Take) -> Doing:
        world = self.world
        sight = world.sight(player, None, take.need[0][0], world.used(take))
        return take, self.smt.both([world.has(player, take), met(announcement.where, sight)])

    def _draws(self, take: Take) -> bool:
        """Does the meld bring a further tile, which may always be let go?"""
        kind = self.world.game.melds[take.laid.meld].type
        return bool(kind.extra) and not kind.by_last

    def _once_done(self, player: Seated, take: Take, name: str = "") -> Seated:
        """The player with the meld laid."""
        smt, need = self.smt, dict(take.need)
        melds = dict(player.melds)
        for change, meld in take.changes:
            if meld in melds:
                melds[meld] = smt.total([(1, melds[meld])], change)
        return replace(
            player,
            name=f"{player.name} after {take}",
            counts=tuple(smt.total([(1, n)], -need.get(k, 0)) for k, n in enumerate(player.counts)),
            melds=melds,
            taken={n: smt.total([(1, t)], int(n == name)) for n, t in player.taken.items()},
            did=None if self.world.tile is None else (name, self.world.tile),
        )

    def _duties_done(self, player: Seated) -> Bool:
        """None of the announcements that must be made is left to be made."""
        world, left = self.world, list[Bool]()
        for announcement in world.flow.announcements.values():
            if announcement.must:
                left += [world.has(player, take) for take in world.announced(announcement)]
        return self.smt.negate(self.smt.either(left))

    def _nothing_to_discard(self, player: Seated, keeping: Keeping) -> Bool:
        """Every tile in the hand is one that a ban without an exception keeps there."""
        smt = self.smt
        whole = smt.total((1, n) for n in player.counts)
        sizes = smt.either([smt.compare(whole, "=", n) for n in sorted(keeping.sizes)])
        groups = [self._of_group(player, group, keeping.bans) for group in keeping.groups]
        return smt.both([sizes, self._wild_tiles(player, keeping), *groups])

    def _keeping(self, name: str, lefts: frozenset[int]) -> Keeping:
        """The bans that nothing lifts, and what they can keep of so many tiles after the response."""
        world = self.world
        did = None if world.tile is None else (name, world.tile)
        bans = tuple(in_force(ban) for ban in world.flow.bans if not ban.yields)
        return keeping(world.game, bans, did, lefts)

    def _leaves_some(self, response: Response) -> bool:
        """Does a veto without an exception keep the last tile in the hand?"""
        vetoes = (v for v in self.world.flow.vetoes if response.name in v.responses)
        return any(v.call is None and v.where == NothingLeft() for v in vetoes)

    def _wild_tiles(self, player: Seated, keeping: Keeping) -> Bool:
        """He has no wild tile, or may not let it go."""
        smt = self.smt
        if self.world.game.wild is None:
            return smt.truth(True)
        barred = [self._barred(ban, player, WILD, (0,) * len(player.counts)) for ban in keeping.bans]
        return smt.either([smt.compare(player.wilds, "=", 0), *barred])

    def _of_group(self, player: Seated, group: GroupStuck, bans: tuple[LocalAnd, ...]) -> Bool:
        """No tile of the group may go: by its tiles alone as far as these tell."""
        smt, kept = self.smt, list[Bool]()
        if group.verdicts is not None:
            copies = [self.world.game.kinds[k].copies for k in group.members]
            may = tuple(group.possible.values())
            kept.append(decided(smt, [player.counts[k] for k in group.members], copies, may))
        for kind in () if group.settled else group.members:
            used = tuple(int(k == kind) for k in range(len(player.counts)))
            barred = [self._barred(ban, player, kind, used) for ban in bans]
            kept.append(smt.either([smt.compare(player.counts[kind], "=", 0), *barred]))
        return smt.both(kept)

    def _barred(self, ban: LocalAnd, player: Seated, tile: int, used: tuple[int, ...]) -> Bool:
        return met(ban, self.world.sight(player, None, tile, used))


def in_force(clause: Ban | Veto) -> LocalAnd:
    """When the clause holds and no word lifts it."""
    call: Call | None = clause.call
    return LocalAnd((clause.where,) if call is None else (clause.where, LocalNot(call.where)))


def discards_after(response: Response) -> bool:
    """Does the player lay a meld and then let a tile go?"""
    return not (response.win or response.keeps or response.into_hand)
