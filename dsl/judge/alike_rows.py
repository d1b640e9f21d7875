"""Rows that read alike whatever their faces are called: of each lot one is worked out."""

from __future__ import annotations

from functools import cached_property

from ..core.hand import Laid
from ..core.model import ORIGINS, WILD, Meld
from .alike import Turn
from .row_parts import Loose, RowKey
from .rows import RowMaker

Names = dict[int, int]


class AlikeRows:
    """The rows of one maker."""

    def __init__(self, maker: RowMaker) -> None:
        self.maker = maker
        self.game = maker.game
        self._here: dict[int, tuple[Names, Names]] = {}
        self._orders: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = {}

    def moved(self, key: RowKey) -> RowKey:
        """The same tiles in the first component like this one, those as good as concealed among these."""
        key = self._plainly(key)
        chosen = self.maker.alike[key.component][0]
        if chosen == key.component:
            return key
        faces, melds = self._names(key.component)
        loose = tuple(t._replace(kind=faces.get(t.kind, t.kind)) for t in key.loose)
        laid = (Laid(melds[e.meld], e.origins, tuple(faces[k] for k in e.stands)) for e in key.laid)
        return RowKey(chosen, key.counts, loose, tuple(laid), key.wild)

    def turned(self, key: RowKey) -> RowKey:
        """Of the rows that read like this one with the faces of the component renamed, the fullest first."""
        turns = self.maker.turns(key.component)
        if len(turns) == 1:
            return key
        counts = [turn.moved(key.counts) for turn in turns]
        fullest = max(counts)
        if not key.loose and not key.laid:
            return key._replace(counts=fullest)
        best = (turn for turn, own in zip(turns, counts, strict=True) if own == fullest)
        return max((self._renamed(key, turn) for turn in best), key=_fullness)

    def _names(self, component: int) -> tuple[Names, Names]:
        """The faces and melds of a component by those of the first one like it."""
        if component not in self._here:
            chosen, melds = self.maker.alike[component]
            parts = self.game.components
            faces = dict(zip(parts[component], parts[chosen], strict=True))
            self._here[component] = faces, {here: there for there, here in melds.items()}
        return self._here[component]

    def _plainly(self, key: RowKey) -> RowKey:
        """The row with one name for origins that no meld tells apart, and what was dealt among the rest."""
        known, hand = self.origins, self.game.hand_origin
        counts, kept = list(key.counts), list[Loose]()
        for tile in key.loose:
            origin = known.get(tile.origin, tile.origin)
            if origin == hand and not (tile.last or tile.wild or tile.kind == WILD or self.maker.alike_told):
                counts[self.maker.places[tile.kind]] += 1
            else:
                kept.append(tile if origin == tile.origin else tile._replace(origin=origin))
        kept.sort(key=loose_order)
        laid = [Laid(e.meld, tuple(known.get(o, o) for o in e.origins), e.stands) for e in key.laid]
        laid.sort(key=laid_order)
        return RowKey(key.component, tuple(counts), tuple(kept), tuple(laid), key.wild)

    @cached_property
    def origins(self) -> dict[str | None, str]:
        """Each origin to the first one that goes into the same places of all melds."""
        told = list(dict.fromkeys(slot.origins for meld in self.game.melds for slot in meld.slots))
        first: dict[tuple[bool, ...], str] = {}
        return {o: first.setdefault(tuple(o in places for places in told), o) for o in ORIGINS}

    def _renamed(self, key: RowKey, turn: Turn) -> RowKey:
        """The row with each face of the component gone to another place."""
        part = self.game.components[key.component]
        faces = {kind: part[there] for kind, there in zip(part, turn.places, strict=True)}
        loose = sorted((t._replace(kind=faces.get(t.kind, t.kind)) for t in key.loose), key=loose_order)
        laid = sorted((self._renamed_laid(e, turn, faces) for e in key.laid), key=laid_order)
        return RowKey(key.component, turn.moved(key.counts), tuple(loose), tuple(laid), key.wild)

    def _renamed_laid(self, entry: Laid, turn: Turn, faces: Names) -> Laid:
        """An exposed meld with its faces renamed; the places of the new one may come in another order."""
        there = turn.melds[entry.meld]
        order = self._orders.get((entry.meld, turn.places))
        if order is None:
            order = _order(self.game.melds[entry.meld], self.game.melds[there], faces)
            self._orders[entry.meld, turn.places] = order
        origins = tuple(entry.origins[place] for place in order)
        return Laid(there, origins, tuple(sorted(faces[kind] for kind in entry.stands)))


def _order(meld: Meld, image: Meld, faces: Names) -> tuple[int, ...]:
    """For each place of a renamed meld the place of the meld that it was."""
    mine = [(faces[s.kind], tuple(sorted(s.origins)), s.wild, s.marked) for s in meld.slots]
    theirs = [(s.kind, tuple(sorted(s.origins)), s.wild, s.marked) for s in image.slots]
    places = range(len(mine))
    pairs = zip(sorted(places, key=theirs.__getitem__), sorted(places, key=mine.__getitem__), strict=True)
    return tuple(here for _, here in sorted(pairs))


def loose_order(tile: Loose) -> tuple[int, str, bool, bool]:
    """By face first, so that equal ones are neighbours."""
    return tile.kind, tile.origin or "", tile.last, tile.wild


def laid_order(entry: Laid) -> tuple[int, tuple[str, ...]]:
    return entry.meld, tuple(origin or "" for origin in entry.origins)


def _fullness(key: RowKey) -> tuple[object, ...]:
    return key.counts, tuple(map(loose_order, key.loose)), tuple(map(laid_order, key.laid))
