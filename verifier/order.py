"""Comparing melds: which are made of the same tiles, grown from one another, or split into others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
    found = _Splits(inside, table).best(tuple(meld.slots), tuple(meld.type.gives))
    return () if found is None else found[1]


class _Splits:
    """Ways to make tiles into some of these melds; what is left over by several ways is looked at once."""

    def __init__(self, parts: list[Meld], table: int) -> None:
        self.parts = [(part, frozenset(map(lying, part.slots)), worth(part, table)) for part in parts]
        self.known: dict[tuple[tuple[Slot, ...], tuple[int, ...]], tuple[int, tuple[Meld, ...]] | None] = {}

    def best(self, slots: tuple[Slot, ...], gives: tuple[int, ...]) -> tuple[int, tuple[Meld, ...]] | None:
        """What the dearest way is worth, and that way; None when there is none."""
        if not slots:
            return None if any(gives) else (0, ())
        key = (slots, gives)
        if key not in self.known:
            self.known[key] = max(self._ways(slots, gives), key=itemgetter(0), default=None)
        return self.known[key]

    def _ways(
        self, slots: tuple[Slot, ...], gives: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[Meld, ...]]]:
        """Every meld with the first tile in it, and the dearest way to go on."""
        first = lying(slots[0])
        for part, faces, price in self.parts:
            rest = tuple(g - p for g, p in zip(gives, part.type.gives, strict=True))
            if first in faces and min(rest, default=0) >= 0:
                for left in _without(slots, part.slots):
                    others = self.best(left, rest)
                    if others is not None:
                        yield price + others[0], (part, *others[1])


def _without(slots: tuple[Slot, ...], part: tuple[Slot, ...]) -> list[tuple[Slot, ...]]:
    """What is left when the part takes the first tile and fitting others."""
    found: list[tuple[Slot, ...]] = []

    def take(wanted: tuple[Slot, ...], left: tuple[Slot, ...], first_used: bool) -> None:
        if not wanted:
            if first_used and left not in found:
                found.append(left)
            return
        tried: set[Slot] = set()
        for i, slot in enumerate(left):
            if lying(slot) == lying(wanted[0]) and slot.origins & wanted[0].origins and slot not in tried:
                tried.add(slot)
                is_first = not first_used and i == 0
                take(wanted[1:], left[:i] + left[i + 1 :], first_used or is_first)

    take(part, slots, False)
    return found
