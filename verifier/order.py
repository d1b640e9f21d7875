"""Comparing melds: which are made of the same tiles, grown from one another, or split into others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter

from dsl.core.model import OWN, Meld, Slot


def worth(meld: Meld, table: int) -> int:
    """The meld's price in a score table."""
    return meld.prices[table].points or 0


def priced(melds: Sequence[Meld], table: int) -> list[Meld]:
    """Melds that the source gives a price; a gap is no price to compare with."""
    return [meld for meld in melds if meld.prices[table].points is not None]


Lying = tuple[int, bool, bool]
"""A face, whether a wild tile stands for it, and whether it is the marked one: both are other tiles."""


def lying(slot: Slot) -> Lying:
    """What lies in a place."""
    return slot.kind, slot.wild, slot.marked


def tiles(meld: Meld) -> Counter[Lying]:
    """What lies in the meld."""
    return Counter(map(lying, meld.slots))


def foreign(meld: Meld) -> int:
    """How many tiles must have come from other players."""
    return sum(not slot.origins & OWN for slot in meld.slots)


def made_within(meld: Meld, made: Mapping[frozenset[int], Sequence[Meld]]) -> Iterator[Meld]:
    """The melds that have no faces but those of `meld`; `made`: all melds by their faces."""
    faces = sorted(set(meld.tiles))
    for number in range(len(faces) + 1):
        for some in combinations(faces, number):
            yield from made.get(frozenset(some), ())


def fits(small: Sequence[Slot], large: Sequence[Slot]) -> bool:
    """Can the tiles of the first places fill some of the second, one for one?"""
    if not small:
        return True
    first, *rest = small
    for i, slot in enumerate(large):
        if lying(slot) == lying(first) and slot.origins & first.origins:
            return fits(rest, [*large[:i], *large[i + 1 :]])
    return False


def longer_by_one(small: Meld, large: Meld) -> bool:
    """Is `small` n times one face, and `large` grown from it by one more, with other faces hung on?"""
    if len(small.counts) != 1 or len(small.slots) < 2 or small.wilds or small.mark != large.mark:
        return False
    ((face, number),), more = small.counts, Counter((slot.kind, slot.wild) for slot in large.slots)
    hung = [n for tile, n in more.items() if tile != (face, False)]
    return (
        more[face, False] == number + 1 and max(hung, default=0) < number and fits(small.slots, large.slots)
    )


def dearest_split(meld: Meld, parts: Sequence[Meld], table: int) -> tuple[Meld, ...]:
    """The tiles of `meld`, where they came from, made into other melds that count the same and are worth
    most together; of those worth as much the first. Empty when there are none.
    """
    whole, faces = tiles(meld), frozenset(meld.tiles)
    near = [m for m in parts if m is not meld and m.slots and faces.issuperset(m.tiles)]
    inside = [m for m in near if not tiles(m) - whole]
    found = _Splits(inside, table).best(_places(meld), tuple(meld.type.gives))
    return () if found is None else found[1]


Place = tuple[Lying, frozenset[str]]
"""What lies in a place of a meld, and where it can have come from."""
Places = tuple[Place, ...]


def _places(meld: Meld) -> Places:
    return tuple((lying(slot), slot.origins) for slot in meld.slots)


class _Splits:
    """Ways to make tiles into some of these melds; what is left over by several ways is looked at once."""

    def __init__(self, parts: list[Meld], table: int) -> None:
        self.parts = [(part, _places(part), frozenset(map(lying, part.slots))) for part in parts]
        self.table = table
        self.known: dict[tuple[Places, tuple[int, ...]], tuple[int, tuple[Meld, ...]] | None] = {}

    def best(self, places: Places, gives: tuple[int, ...]) -> tuple[int, tuple[Meld, ...]] | None:
        """What the dearest way is worth, and that way; None when there is none."""
        if not places:
            return None if any(gives) else (0, ())
        key = (places, gives)
        if key not in self.known:
            self.known[key] = max(self._ways(places, gives), key=itemgetter(0), default=None)
        return self.known[key]

    def _ways(self, places: Places, gives: tuple[int, ...]) -> Iterator[tuple[int, tuple[Meld, ...]]]:
        """Every meld with the first tile in it, and the dearest way to go on."""
        first = places[0][0]
        for part, own, faces in self.parts:
            if first not in faces or len(own) > len(places):
                continue
            rest = tuple(map(int.__sub__, gives, part.type.gives))
            for left in _without(places, own) if min(rest, default=0) >= 0 else ():
                others = self.best(left, rest)
                if others is not None:
                    yield worth(part, self.table) + others[0], (part, *others[1])


def _without(places: Places, part: Places) -> list[Places]:
    """What is left when the part takes the first tile and fitting others."""
    found: dict[Places, None] = {}

    def take(wanted: Places, left: Places, first_used: bool) -> None:
        if not wanted:
            if first_used:
                found.setdefault(left)
            return
        tried: set[Place] = set()
        (face, origins), others = wanted[0], wanted[1:]
        for i, place in enumerate(left):
            if place[0] == face and place not in tried and not origins.isdisjoint(place[1]):
                tried.add(place)
                take(others, left[:i] + left[i + 1 :], first_used or i == 0)

    take(part, places, False)
    return list(found)
