"""How a meld can hold the last tile, and how a meld without it can be shown as a hand.

The reference judge groups concealed tiles (all of one origin), tiles of exposed melds that may be
regrouped, and the last tile; exposed locked melds stay as they are or grow. So a meld that needs
another origin must lie exposed, and a meld that holds the last tile must be made in one of three ways:
from concealed tiles, by growing an exposed meld, or with tiles of exposed melds that were regrouped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

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
    """Does what the meld counts as fit into the win shape?"""
    return all(g <= s for g, s in zip(meld.type.gives, game.win.shape, strict=True))


def concealable(game: Game, meld: Meld) -> bool:
    """Can the meld be found among concealed tiles?"""
    return not meld.type.laid_only and all(game.hand_origin in slot.origins for slot in meld.slots)


def shown(game: Game, meld: Meld) -> Laid:
    """The meld laid openly, with the plainest origins its places allow."""
    return Laid(meld.id, tuple(plainest(game, slot.origins) for slot in meld.slots))


def plainest(game: Game, origins: frozenset[str]) -> str:
    """The concealed tiles' own origin where it is allowed, else the first that is."""
    return game.hand_origin if game.hand_origin in origins else next(o for o in ORIGINS if o in origins)


class Holdings:
    """The ways in which the melds of a game can hold the last tile."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lent: dict[Slot, tuple[tuple[Laid, Counter[int]], ...]] = {}
        self._known: dict[tuple[int, str, bool], tuple[Holding, ...]] = {}
        self._smaller: dict[int, list[Meld]] = {}
        for small, larger in game.growth.items():
            for meld in larger:
                if game.melds[small].type.locked and game.melds[small].type.extra == meld.type.extra:
                    self._smaller.setdefault(meld.id, []).append(game.melds[small])

    def of(self, meld: Meld, origin: str, wild: bool = False) -> tuple[Holding, ...]:
        """The ways for a (wild) last tile of this origin: one that asks nothing of other melds, else all."""
        key = (meld.id, origin, wild)
        if key not in self._known:
            places = [i for i in _places(meld, origin) if meld.slots[i].wild == wild]
            places = places if self.game.can_hold_last(meld) else []
            ways = (self._from_hand, self._grown, self._regrouped)
            found = [holding for way in ways for place in places for holding in way(meld, place)]
            kinds = dict.fromkeys(holding.kind for holding in found)
            by_kind = [[h for h in found if h.kind == kind] for kind in kinds]
            apart = by_kind if self.game.wild_free else [found]
            # Where wild tiles stand for any tile it matters which face the last one has.
            self._known[key] = tuple(holding for some in apart for holding in _without_need(some))
        return self._known[key]

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
        for small in self._smaller.get(meld.id, []):
            origins = _seats(self.game, small.slots, meld.slots, last)
            if origins is not None:
                yield Holding(meld.slots[last].tile, (Laid(small.id, origins),))

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
            found = [p for m in self.game.melds if (p := self._lender(m, slot)) is not None]
            found.sort(key=lambda pair: sum(pair[1].values()))
            kept: list[tuple[Laid, Counter[int]]] = []
            for laid, rest in found:
                if not any(less <= rest for _, less in kept):
                    kept.append((laid, rest))
            self._lent[slot] = tuple(kept)
        return self._lent[slot]

    def _lender(self, meld: Meld, place: Slot) -> tuple[Laid, Counter[int]] | None:
        game = self.game
        if meld.type.locked or meld.type.extra or meld.wilds or not can_stand(game, meld):
            return None
        for i, slot in enumerate(meld.slots):
            shared = slot.origins & place.origins
            if slot.kind == place.tile and shared and not self._odd(_others(meld, i)):
                origins = [game.hand_origin] * len(meld.slots)
                origins[i] = plainest(game, shared)
                return Laid(meld.id, tuple(origins)), Counter(s.kind for s in _others(meld, i))
        return None


def _without_need(found: Iterable[Holding]) -> tuple[Holding, ...]:
    """The first way that asks nothing of other melds, else all of them, each need once."""
    tied: dict[tuple[tuple[int, int], ...], Holding] = {}
    for holding in found:
        if not holding.spare:
            return (holding,)
        tied.setdefault(holding.spare, holding)
    return tuple(tied.values())


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


def _seats(game: Game, small: tuple[Slot, ...], large: tuple[Slot, ...], last: int) -> tuple[str, ...] | None:
    """Origins for the small meld's tiles so that the places left over can be filled from the hand."""

    def seat(index: int, free: list[int]) -> tuple[str, ...] | None:
        if index == len(small):
            return () if all(game.hand_origin in large[i].origins for i in free) else None
        tried: set[Slot] = set()
        for i in free:
            shared = small[index].origins & large[i].origins
            if small[index].tile == large[i].tile and shared and large[i] not in tried:
                tried.add(large[i])
                rest = seat(index + 1, [j for j in free if j != i])
                if rest is not None:
                    return (plainest(game, shared), *rest)
        return None

    return seat(0, [i for i in range(len(large)) if i != last])
