"""Everything a player can hold in one component under two rulesets at once: the letters of a product."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from math import prod
from operator import itemgetter, sub
from typing import NamedTuple

from ..core.hand import Laid, can_lie
from ..core.limits import check_exposures
from ..core.memo import Memo
from ..core.model import ORIGINS, Game, Meld
from .alike_rows import loose_order
from .automaton import Automaton
from .machines import Counts
from .rows import Loose

Origins = tuple[str | None, ...]
"""Whence the tiles of an exposed meld are, slot by slot; None where it does not matter."""


class Shared(NamedTuple):
    """A meld that lies exposed, as both games know it."""

    left: Meld
    right: Meld
    origins: Origins

    @property
    def freed(self) -> bool:
        """Is it taken apart again in one game only?"""
        return self.left.type.locked != self.right.type.locked

    @property
    def told(self) -> tuple[tuple[int, str], ...]:
        """The tiles with their origins, whatever slots they are in."""
        return tuple(sorted((s.tile, o or "") for s, o in zip(self.left.slots, self.origins, strict=True)))


Exposure = tuple[Shared, ...]
Places = tuple[int, ...]
"""Where each face of a component goes."""

USUAL = ("起手", "自摸", "他打", "他摸")
"""Origins in the order in which a reader expects them."""
SOURCES = ORIGINS[1:]
"""Origins a last tile can have."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What lies in one component: exposed melds (in both games' numbering), concealed tiles, the last."""

    laid: tuple[tuple[int, int, Origins], ...]
    counts: Counts
    last: tuple[int, str] | None
    """(place in the component, origin)."""


@dataclass(frozen=True, slots=True)
class Letter:
    """Situations that both automata read alike, with the simplest of them."""

    tiles: tuple[int, int]
    """Tiles that count towards a finished hand, per game (replacement tiles, a last one on top, do not)."""
    last: int
    """0: the last tile is elsewhere; 1 + index in `SOURCES`: here, from there."""
    rows: tuple[int, int]
    cost: int
    """How unusual the situation is: equal tiles and exposed melds count. A witness has the least in sum."""
    first: Situation


Key = tuple[tuple[int, int], int, tuple[int, int]]
"""What automata read of a situation: tiles, last and rows of a `Letter`."""
Order = tuple[int, tuple[tuple[int, int, Origins], ...], Counts, tuple[int, int]]
"""Simplest first: cost, exposed melds, more of the earlier tiles, the last tile."""
NO_LAST = (-1, -1)


class SituationMaker:
    """Enumerates situations of a component for a pair of automata.

    `deck`: the game with the tiles in play, where it is not the left one. No exposed meld has wild tiles.
    `drawn`: a last tile has been drawn. `known`: what other makers of the same two games have left.
    """

    def __init__(
        self,
        left: Automaton,
        right: Automaton,
        exposed: bool = True,
        deck: Game | None = None,
        drawn: bool = False,
        known: Memo | None = None,
    ) -> None:
        self.left = left
        self.right = right
        self.deck = deck or left.game
        self.known = Memo() if known is None else known
        self.sources = () if left.maker.wilds.last else SOURCES[: 1 if drawn else len(SOURCES)]
        """Whence a last tile that is not wild can be."""
        self.sides = (left, right)
        key = "exposed", left, right
        self.pairs: list[Shared] = self.known.of(key, partial(_exposed, left, right)) if exposed else []
        self.stand_ins = [{o: _stand_in(a.game, o) for o in SOURCES} for a in self.sides]
        self._sets: dict[int, list[tuple[int, ...]]] = {}
        self._steadies: dict[tuple[Counts, tuple[Places, ...]], dict[Counts, set[int]]] = {}

    def face(self, component: int) -> tuple[int, int, Counts]:
        """Components with equal faces have the same letters."""
        alike = self.left.maker.alike[component][0], self.right.maker.alike[component][0]
        return *alike, self._copies(component, ())

    def reading(self, component: int) -> Hashable:
        """Makers of the same two games of which this is the same have the same letters of a component."""
        read = (_reading(a, component).tables for a in self.sides)
        return component, *read, self.sources, bool(self.pairs), self._copies(component, ())

    def letters(self, component: int) -> list[Letter]:
        """All letters of a component but those that neither automaton can arrange, simplest first."""
        found: dict[Key, tuple[Order, Letter]] = {}
        for laid, places in self._exposures(component):
            for key, order, situation in self._with_laid(component, laid, places):
                known = found.get(key)
                if known is None or order < known[0]:
                    found[key] = order, Letter(*key, order[0], situation)
        return [letter for _, letter in sorted(found.values(), key=itemgetter(0))]

    def _with_laid(
        self, component: int, laid: Exposure, places: list[Places]
    ) -> Iterator[tuple[Key, Order, Situation]]:
        """What can lie beside exposed melds, one for all that `places` turn into each other."""
        pairs, copies = tuple((a.id, b.id, o) for a, b, o in laid), self._copies(component, laid)
        steady = self._steady(copies, tuple(places))
        melds, nothing = _lying(laid), [a.tables.nothing for a in self.sides]
        exposed = sum(len(m.tiles) for m, *_ in laid)
        cost = sum(2 + sum(n * n for _, n in m.counts) for m, *_ in laid)
        for number, last in enumerate((NO_LAST, *_lasts(copies, len(self.sources)))):
            place, source = last
            rows = self._rows(component, melds, last)
            one, other = (
                exposed - sum(pair[:2][i].type.extra for pair in laid) + (number > 0 and not a.game.on_top)
                for i, a in enumerate(self.sides)
            )
            spoken = None if number == 0 else (place, SOURCES[source])
            for counts in rows[0].keys() | rows[1].keys():
                if counts in steady and (number == 0 or place in steady[counts]):
                    tiles = sum(counts)
                    letters = rows[0].get(counts, nothing[0]), rows[1].get(counts, nothing[1])
                    order = (cost + sum(n * n for n in counts), pairs, tuple(-n for n in counts), last)
                    key = ((one + tiles, other + tiles), source + 1, letters)
                    yield key, order, Situation(pairs, counts, spoken)

    def _rows(self, component: int, melds: list[Lying], last: tuple[int, int]) -> list[dict[Counts, int]]:
        """Per side what can lie beside exposed melds and a last tile, and its letters."""
        rows = []
        for side, automaton in enumerate(self.sides):
            laid, loose = melds[side]
            if last != NO_LAST:
                origin = self.stand_ins[side][SOURCES[last[1]]]
                loose = (*loose, Loose(self._part(component)[last[0]], origin, True))
            rows.append(automaton.tables.letters(component, laid, loose))
        return rows

    def _copies(self, component: int, laid: Exposure) -> Counts:
        """Copies per face that do not lie exposed."""
        part = self._part(component)
        copies = [self.deck.kinds[k].copies for k in part]
        for meld, *_ in laid:
            for kind, number in meld.counts:
                copies[part.index(kind)] -= number
        return tuple(copies)

    def _steady(self, copies: Counts, places: tuple[Places, ...]) -> dict[Counts, set[int]]:
        """Concealed tiles, one of those that turn into each other, and where the last may lie besides."""
        known = self._steadies.get((copies, places))
        if known is None:
            known = self._steadies[copies, places] = {}
            for counts in product(*(range(n + 1) for n in copies)):
                turned = [(_moved(counts, p), p) for p in places]
                if all(other <= counts for other, _ in turned):
                    still = [p for other, p in turned if other == counts]
                    fitting = (i for i, n in enumerate(counts) if n < copies[i])
                    known[counts] = {i for i in fitting if all(p[i] >= i for p in still)}
        return known

    def _exposures(self, component: int) -> Iterator[tuple[Exposure, list[Places]]]:
        """Sets of exposed melds, one of those that turn into each other, and the turns that leave it be."""
        choices = self.choices(component)
        turned = list(self._turned(component, choices))
        for chosen in self.exposures(component):
            images = [(tuple(sorted(names[i] for i in chosen)), places) for places, names in turned]
            if all(image >= chosen for image, _ in images):
                still = [places for image, places in images if image == chosen]
                yield tuple(choices[i] for i in chosen), still

    def _turned(self, component: int, choices: list[Shared]) -> Iterator[tuple[Places, dict[int, int]]]:
        """Turns both automata allow: where the faces go, and where each of the choices goes."""
        right = {t.places: t.melds for t in self.right.maker.turns(component)}
        copies = self._copies(component, ())
        places = {self._seen(pair): i for i, pair in enumerate(choices)}
        both = {(one.left.id, one.right.id, one.told): one for one in self.pairs}
        part = self._part(component)
        for turn in self.left.maker.turns(component):
            if turn.places in right and _moved(copies, turn.places) == copies:
                there = right[turn.places]
                face = {kind: part[place] for kind, place in zip(part, turn.places, strict=True)}
                told = (tuple(sorted((face[kind], origin) for kind, origin in one.told)) for one in choices)
                names = ((turn.melds[a.id], there[b.id]) for a, b, _ in choices)
                images = [both.get((*ids, tiles)) for ids, tiles in zip(names, told, strict=True)]
                if None not in images:
                    found = (places[self._seen(pair)] for pair in images if pair is not None)
                    yield turn.places, dict(enumerate(found))

    def _part(self, component: int) -> tuple[int, ...]:
        return self.left.game.components[component]

    def exposures(self, component: int) -> list[tuple[int, ...]]:
        """Every set of exposed melds the component's copies allow, by their places among the choices.

        There is at most one that only one side regroups. Raises `TooLarge`.
        """
        if component in self._sets:
            return self._sets[component]
        part, choices = self._part(component), self.choices(component)
        takes = [tuple(dict(meld.counts).get(k, 0) for k in part) for meld, *_ in choices]
        freed = {i for i, one in enumerate(choices) if one.freed}
        found: list[tuple[int, ...]] = []
        holdings = 0

        def extend(start: int, free: Counts, chosen: tuple[int, ...]) -> None:
            nonlocal holdings
            holdings += prod([n + 1 for n in free])
            check_exposures(holdings)
            found.append(chosen)
            for i in range(start, len(choices)):
                rest = tuple(map(sub, free, takes[i]))
                if min(rest) >= 0 and (i not in freed or freed.isdisjoint(chosen)):
                    extend(i, rest, (*chosen, i))

        extend(0, self._copies(component, ()), ())
        self._sets[component] = found
        return found

    def choices(self, component: int) -> list[Shared]:
        """Melds that can lie exposed in a component; of those that no automaton tells apart, the first."""
        seen: dict[Hashable, Shared] = {}
        for pair in (p for p in self.pairs if p[0].tiles[0] in self._part(component)):
            seen.setdefault(self._seen(pair), pair)
        return list(seen.values())

    def _seen(self, shared: Shared) -> Hashable:
        sides = tuple(_seen(a, m) for a, m in zip(self.sides, shared[:2], strict=True))
        grows = any(m.id in a.game.growth for a, m in zip(self.sides, shared[:2], strict=True))
        regroups = tuple(not m.type.locked for m in shared[:2])
        return sides, regroups, (grows or shared.freed) and shared.told


def _reading(automaton: Automaton, component: int) -> Automaton:
    """What reads hands without a marked face, where that is in another component."""
    other = automaton.unmarked
    if other is None or other.letters is not automaton.letters or automaton.marks(component):
        return automaton
    return other


def _moved(counts: Counts, places: Places) -> Counts:
    """Counts after the faces have moved."""
    moved = list(counts)
    for here, there in enumerate(places):
        moved[there] = counts[here]
    return tuple(moved)


def _lasts(copies: Counts, sources: int) -> Iterator[tuple[int, int]]:
    """Last tiles of which there are copies: place, and index in `SOURCES`."""
    return ((place, source) for place, n in enumerate(copies) if n for source in range(sources))


def _seen(automaton: Automaton, meld: Meld) -> Hashable:
    """What an automaton sees of an exposed meld."""
    growth = tuple(m.id for m in automaton.game.growth.get(meld.id, ()))
    return meld.counts, meld.type.extra, automaton.maker.added[meld.id], _gives(meld), growth and meld.slots


def _gives(meld: Meld) -> tuple[int, ...]:
    return meld.type.gives


def common_origins(a: Meld, b: Meld) -> tuple[frozenset[str], ...]:
    """Per slot the origins that both melds allow."""
    return tuple(s.origins & t.origins for s, t in zip(a.slots, b.slots, strict=True))


Lying = tuple[tuple[Laid, ...], tuple[Loose, ...]]
"""Exposed melds as one side takes them: those that stay, and the tiles of those that it regroups."""


def _lying(exposure: Exposure) -> list[Lying]:
    """The exposed melds per side."""
    sides = zip(*(((a, o), (b, o)) for a, b, o in exposure), strict=True)
    return [_parted(side) for side in sides] or [((), ()), ((), ())]


def _parted(side: tuple[tuple[Meld, Origins], ...]) -> Lying:
    laid = tuple(Laid(meld.id, origins) for meld, origins in side if meld.type.locked)
    free = [(meld.slots, origins) for meld, origins in side if not meld.type.locked]
    tiles = ((s.tile, o) for slots, origins in free for s, o in zip(slots, origins, strict=True))
    return laid, tuple(sorted((Loose(kind, origin, False) for kind, origin in tiles), key=loose_order))


def _freed(left: Game, right: Game) -> list[Shared]:
    """Exposed melds that one game leaves as they are and the other regroups, with the usual origins."""
    there: dict[Hashable, list[Meld]] = {}
    for meld in (m for m in right.melds if _plain(right, m)):
        there.setdefault(_shown(meld), []).append(meld)
    found: dict[Hashable, Shared] = {}
    for a in (m for m in left.melds if _plain(left, m)):
        for b in (m for m in there.get(_shown(a), ()) if m.type.locked != a.type.locked):
            common = common_origins(a, b)
            if all(common):
                shared = Shared(a, b, tuple(next(o for o in USUAL if o in some) for some in common))
                found.setdefault((a.id, b.id, shared.told), shared)
    return list(found.values())


def regrouped(game: Game) -> tuple[str, ...]:
    """Names of the melds that are taken apart again at the win."""
    return tuple(t.name for t in game.types if not t.locked)


def _plain(game: Game, meld: Meld) -> bool:
    return not meld.wilds and can_lie(game, meld)


def _exposed(left: Automaton, right: Automaton) -> list[Shared]:
    """All that can lie exposed, as both know it."""
    pairs = (pair for pair in shared_locked(left.game, right.game) if not pair[0].wilds)
    found = [one for pair in pairs for one in _told_apart(left, right, *pair)]
    return found + _freed(left.game, right.game)


def _told_apart(left: Automaton, right: Automaton, a: Meld, b: Meld) -> Iterator[Shared]:
    """An exposed meld, once for all origins with which it can grow into the same melds in the same ways."""
    grown = (*left.game.growth.get(a.id, ()), *right.game.growth.get(b.id, ()))
    larger = [meld for meld in grown if not meld.wilds]
    if not larger:
        yield Shared(a, b, (None,) * len(a.slots))
        return
    places = left.maker.places
    room = [_open(meld, places) for meld in larger]
    known = {slot for slots in room for slot in slots}
    choices = []
    for slot, common in zip(a.slots, common_origins(a, b), strict=True):
        alike: dict[Hashable, str] = {}
        for origin in (o for o in USUAL if o in common):
            fitting = frozenset(o for place, o in known if place == places[slot.tile] and origin in o)
            alike.setdefault(fitting, origin)
        choices.append(tuple(alike.values()))
    seen: dict[Hashable, Shared] = {}
    for origins in product(*choices):
        shared = Shared(a, b, origins)
        own = tuple((places[kind], origin) for kind, origin in shared.told)
        seen.setdefault(tuple(_left_open(slots, own) for slots in room), shared)
    yield from seen.values()


Slots = tuple[tuple[int, tuple[str, ...]], ...]
"""Where in the component the tile of each slot of a meld is, and whence it may be; sorted."""


def _open(meld: Meld, places: Mapping[int, int]) -> Slots:
    return tuple(sorted((places[slot.tile], tuple(sorted(slot.origins))) for slot in meld.slots))


@lru_cache(maxsize=100_000)
def _left_open(slots: Slots, own: tuple[tuple[int, str], ...]) -> frozenset[Slots]:
    """The slots that stay open when these tiles have been put in, in every way."""
    found = {slots}
    for place, origin in own:
        found = {
            rest[:i] + rest[i + 1 :]
            for rest in found
            for i, (where, origins) in enumerate(rest)
            if where == place and origin in origins
        }
    return frozenset(found)


def _stand_in(game: Game, origin: str) -> str:
    """The first origin that every slot of the game treats like this one."""
    origins = {s.origins for m in game.melds for s in m.slots}
    return next(o for o in SOURCES if all((origin in s) == (o in s) for s in origins))


def shared_locked(left: Game, right: Game) -> list[tuple[Meld, Meld]]:
    """Ground melds that stay as they are once exposed and can mean the same tiles in both games."""
    same = _same(left, right)
    taken = {meld.id for meld in same.values()}
    there: dict[Hashable, list[Meld]] = {}
    for meld in (m for m in _locked(right) if m.id not in taken):
        there.setdefault(_shown(meld), []).append(meld)
    pairs = []
    for meld in _locked(left):
        others = [same[meld.id]] if meld.id in same else there.get(_shown(meld), [])
        pairs += [(meld, other) for other in others if all(common_origins(meld, other))]
    return pairs


def _locked(game: Game) -> list[Meld]:
    """Those that stay as they are once exposed; which tile is marked, they do not show."""
    return [m for m in game.melds if m.type.locked and m.base is None]


def _same(left: Game, right: Game) -> dict[int, Meld]:
    """The locked melds of the right by those of the left that are just the same."""
    there = {(m.type.name, m.slots): m for m in _locked(right)}
    twins = ((m.id, there.get((m.type.name, m.slots))) for m in _locked(left))
    return {meld: other for meld, other in twins if other is not None}


def _shown(meld: Meld) -> Hashable:
    return meld.type.name, tuple(slot.tile for slot in meld.slots)


def unshared(left: Game, right: Game) -> tuple[list[str], list[str]]:
    """Names of locked melds of which only one of the games has some, or with some origins."""
    twins, freed = _same(left, right), {one.left.type.name for one in _freed(left, right)}
    known = ({left.melds[m].type.name for m in twins} | freed, {m.type.name for m in twins.values()} | freed)
    names = [{m.type.name for m in _locked(g)} for g in (left, right)]
    return sorted(names[0] - known[0]), sorted(names[1] - known[1])
