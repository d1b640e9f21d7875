"""How a meld can hold the last tile, and how a meld without it can be shown as a hand.

The reference judge groups concealed tiles (all of one origin), tiles of exposed melds that may be
regrouped, and the last tile; exposed locked melds stay as they are or grow. So a meld that needs
another origin must lie exposed, and a meld that holds the last tile must be made in one of three ways:
from concealed tiles, by growing an exposed meld, or with tiles of exposed melds that were regrouped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from dsl.core.formulas import asks_alike
from dsl.core.hand import Laid
from dsl.core.model import ORIGINS, Game, Meld, Slot


@dataclass(frozen=True, slots=True)
class Holding:
    """One way in which a meld comes to hold the last tile."""

    kind: int
    """Face of the last tile, `WILD` for a wild one."""
    laid: tuple[Laid, ...] = ()
    """Exposed melds from which it is made, apart from concealed tiles."""
    spare: tuple[tuple[int, int], ...] = ()
    """(kind, number) of tiles of those exposed melds that must go into other, concealable melds."""


def can_stand(game: Game, meld: Meld) -> bool:
    """Does what the meld counts as fit into the win shape (of some role)?"""
    return all(g <= s for g, s in zip(meld.type.gives, game.widest, strict=True))


def concealable(game: Game, meld: Meld) -> bool:
    """Can the meld be found among concealed tiles?"""
    return not meld.type.laid_only and all(game.hand_origin in slot.origins for slot in meld.slots)


def shown(game: Game, meld: Meld) -> Laid:
    """The meld laid openly, with the plainest origins its places allow."""
    base = meld.id if meld.base is None else meld.base
    return Laid(base, tuple(plainest(game, slot.origins) for slot in meld.slots))


def plainest(game: Game, origins: frozenset[str]) -> str:
    """The concealed tiles' own origin where it is allowed, else the first that is."""
    return game.hand_origin if game.hand_origin in origins else next(o for o in ORIGINS if o in origins)


class Holdings:
    """The ways in which the melds of a game can hold the last tile."""

    def __init__(self, game: Game) -> None:
        self.game = game.views[0]
        self.by_face = game.wild_free or asks_alike(game)
        """Does it matter which face the last tile has?"""
        self.apart = {role: Holdings(view) for view in game.views[1:] for role in view.roles}
        """Those of roles with a shape of their own."""
        self._lent: dict[Slot, tuple[tuple[Laid, Counter[int]], ...]] = {}
        self._known: dict[tuple[int, str, bool], tuple[Holding, ...]] = {}
        self._seated: dict[tuple[Places, Places, int], tuple[frozenset[str], ...] | None] = {}
        self._smaller: dict[int, list[Meld]] = {}
        for small, larger in game.growth.items():
            for meld in larger:
                if game.melds[small].type.locked and game.melds[small].type.extra == meld.type.extra:
                    self._smaller.setdefault(meld.id, []).append(game.melds[small])

    def seen_by(self, role: str) -> Holdings:
        """The ways in a hand of this role."""
        return self.apart.get(role, self)

    def of(self, meld: Meld, origin: str, wild: bool = False) -> tuple[Holding, ...]:
        """The ways for a (wild) last tile of this origin: one that asks nothing of other melds, else all."""
        key = (meld.id, origin, wild)
        if key not in self._known:
            places = [i for i in _places(meld, origin) if meld.slots[i].wild == wild]
            self._known[key] = self._plainest(meld, places if self.game.can_hold_last(meld) else [])
        return self._known[key]

    def _plainest(self, meld: Meld, places: list[int]) -> tuple[Holding, ...]:
        """The first way that asks nothing of other melds, else all of them, each need once.

        For each face by itself where it matters which the last one has.
        """
        found: dict[int, dict[tuple[tuple[int, int], ...], Holding]] = {}
        for way in (self._from_hand, self._grown, self._regrouped):
            for place in places:
                face = meld.slots[place].tile if self.by_face else 0
                if () not in found.get(face, ()):
                    for holding in way(meld, place):
                        found.setdefault(face, {}).setdefault(holding.spare, holding)
                        if not holding.spare:
                            found[face] = {(): holding}
                            break
        return tuple(holding for needs in found.values() for holding in needs.values())

    def _from_hand(self, meld: Meld, last: int) -> Iterator[Holding]:
        """All other tiles concealed."""
        if not meld.type.laid_only and not self._odd(_others(meld, last)):
            yield Holding(meld.slots[last].tile)

    def _odd(self, slots: list[Slot]) -> list[Slot]:
        """Places that no concealed tile can take."""
        return [slot for slot in slots if self.game.hand_origin not in slot.origins]

    # ------------------------------------------------------------ growing

    def _grown(self, meld: Meld, last: int) -> Iterator[Holding]:
        """Exposed locked melds that the last tile, with concealed ones, completes to `meld`.

        Growth that would change the number of extra tiles is left out.
        """
        larger = _places_from(meld, meld.tiles[0])
        for small in self._smaller.get(meld.id if meld.base is None else meld.base, []):
            key = _places_from(small, meld.tiles[0]), larger, last
            if key not in self._seated:
                self._seated[key] = _seats(*key, self.game.hand_origin)
            allowed = self._seated[key]
            if allowed is not None:
                laid = Laid(small.id, tuple(plainest(self.game, origins) for origins in allowed))
                yield Holding(meld.slots[last].tile, (laid,))

    # ------------------------------------------------------------ regrouping

    def _regrouped(self, meld: Meld, last: int) -> Iterator[Holding]:
        """Exposed unlocked melds that lend a tile to every place that no concealed tile can take.

        Their other tiles go into the meld's own plain places as far as they can; the rest must find
        room in concealable melds.
        """
        others = _others(meld, last)
        odd = self._odd(others)
        if meld.type.laid_only or not odd:
            return
        plain = Counter(slot.tile for slot in others) - Counter(slot.tile for slot in odd)
        for chosen in product(*(self._lenders(slot) for slot in odd)):
            spare = Counter[int]()
            for _, rest in chosen:
                spare += rest
            spare -= plain
            laid = tuple(lender for lender, _ in chosen)
            yield Holding(meld.slots[last].tile, laid, tuple(sorted(spare.items())))

    def _lenders(self, slot: Slot) -> tuple[tuple[Laid, Counter[int]], ...]:
        """Exposed melds that can lend a tile to this place, each with its other tiles; fewest first."""
        if slot not in self._lent:
            found = [p for m in self._lending if (p := self._lender(m, slot)) is not None]
            found.sort(key=lambda pair: sum(pair[1].values()))
            kept: list[tuple[Laid, Counter[int]]] = []
            for laid, rest in found:
                if not any(less <= rest for _, less in kept):
                    kept.append((laid, rest))
            self._lent[slot] = tuple(kept)
        return self._lent[slot]

    @cached_property
    def _lending(self) -> tuple[Meld, ...]:
        """Melds of which the tiles may be regrouped."""
        plain = (m for m in self.game.melds if m.base is None and not m.wilds)
        return tuple(m for m in plain if not (m.type.locked or m.type.extra) and can_stand(self.game, m))

    def _lender(self, meld: Meld, place: Slot) -> tuple[Laid, Counter[int]] | None:
        game = self.game
        for i, slot in enumerate(meld.slots):
            shared = slot.origins & place.origins
            if slot.kind == place.tile and shared and not self._odd(_others(meld, i)):
                origins = [game.hand_origin] * len(meld.slots)
                origins[i] = plainest(game, shared)
                return Laid(meld.id, tuple(origins)), Counter(s.kind for s in _others(meld, i))
        return None


def _others(meld: Meld, place: int) -> list[Slot]:
    return [slot for i, slot in enumerate(meld.slots) if i != place]


def _places(meld: Meld, origin: str) -> list[int]:
    """Places that can take a tile of this origin, one per face and set of origins."""
    seen: set[Slot] = set()
    places = []
    for i, slot in enumerate(meld.slots):
        if origin in slot.origins and slot not in seen:
            seen.add(slot)
            places.append(i)
    return places


Places = tuple[tuple[int, frozenset[str]], ...]
"""Places of a meld: tile, and the origins it may have."""


def _places_from(meld: Meld, base: int) -> Places:
    """The meld's places with tiles counted from `base`, so that melds of other faces look alike."""
    return tuple((slot.tile - base, slot.origins) for slot in meld.slots)


def _seats(small: Places, large: Places, last: int, own: str) -> tuple[frozenset[str], ...] | None:
    """Origins for the small meld's tiles so that tiles of origin `own` can fill the places left over."""

    def seat(index: int, free: tuple[int, ...]) -> tuple[frozenset[str], ...] | None:
        if sum(own not in large[i][1] for i in free) > len(small) - index:
            return None
        if index == len(small):
            return ()
        tile, origins = small[index]
        tried: set[tuple[int, frozenset[str]]] = set()
        for i in free:
            if large[i][0] == tile and origins & large[i][1] and large[i] not in tried:
                tried.add(large[i])
                rest = seat(index + 1, tuple(j for j in free if j != i))
                if rest is not None:
                    return (origins & large[i][1], *rest)
        return None

    return seat(0, tuple(i for i in range(len(large)) if i != last))
