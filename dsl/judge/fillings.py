"""Ways to fill the places of a meld with concealed tiles, loose ones, and those of an exposed meld.

A part of `rows.py`. Which faces they are does not matter: melds that differ only in their faces have one
form, and each form is filled once.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import NamedTuple

from ..core.model import WILD, Game, Meld, Slot
from .filled import Filled
from .row_parts import FILLINGS, Counts, Filling, Loose, Own, fits


class Form(NamedTuple):
    """A meld whose faces have numbers in the order in which they come."""

    number: int
    """Of melds with the same places."""
    faces: dict[int, int]
    """The number of each face of the meld; a wild tile keeps its own."""
    places: tuple[int, ...]
    """For each face of the component its number in the meld; of those that are not in it one beyond."""


class Fillings:
    """The fillings of one game's melds."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.holders: Filled[Loose, frozenset[int]] = Filled(self._holders)
        """For a loose tile the melds that have a place for it."""
        self._forms: Filled[int, Form] = Filled(self._form)
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[tuple[int, tuple[Loose, ...], Own], list[Filling]] = {}
        """By form."""

    def needs(self, meld: Meld, loose: tuple[Loose, ...], own: Own) -> list[Filling]:
        """Ways to fill the slots, all of `own` in them, as if tiles were plenty: what else goes in."""
        holders, number = self.holders, meld.id
        form, faces, places = self._forms[number]
        named = [
            (faces[tile.kind], tile.origin or "", tile.last, tile.wild, i)
            for i, tile in enumerate(loose)
            if number in holders[tile]
        ]
        named.sort()
        order = [i for *_, i in named]
        tiles = tuple([Loose(face, loose[i].origin, last, wild) for face, _, last, wild, i in named])
        key = form, tiles, tuple([(faces.get(kind, -1), origin) for kind, origin in own])
        known = self._known.get(key)
        if known is None:
            if len(self._known) > FILLINGS:
                self._known.clear()
            known = self._known[key] = fillings(meld.slots, faces, *key[1:], self.game.hand_origin)
        return [
            (tuple([(*need, 0)[at] for at in places]), frozenset([order[i] for i in used]))
            for need, used in known
        ]

    def _holders(self, tile: Loose) -> frozenset[int]:
        melds = (m for m in self._with.get(tile.kind, ()) if not tile.last or self.game.can_hold_last(m))
        return frozenset(
            m.id
            for m in melds
            if not (tile.wild and self.game.bars(m))
            and any(slot.tile == tile.kind and fits(tile.origin, slot.origins) for slot in m.slots)
        )

    @cached_property
    def _with(self) -> dict[int, list[Meld]]:
        """For each tile the melds in which it lies."""
        found: dict[int, list[Meld]] = {}
        for meld in self.game.melds:
            for tile in dict.fromkeys(slot.tile for slot in meld.slots):
                found.setdefault(tile, []).append(meld)
        return found

    def _form(self, number: int) -> Form:
        meld = self.game.melds[number]
        faces = {kind: i for i, kind in enumerate(dict.fromkeys(slot.kind for slot in meld.slots))}
        places = tuple((faces[s.kind], s.origins, s.wild, s.marked) for s in meld.slots)
        part = self.game.components[self.game.component_of[meld.tiles[0]]]
        form = self._numbers.setdefault(places, len(self._numbers))
        return Form(form, {**faces, WILD: WILD}, tuple(faces.get(kind, len(faces)) for kind in part))


def fillings(
    slots: tuple[Slot, ...], faces: dict[int, int], loose: tuple[Loose, ...], own: Own, hand: str
) -> list[Filling]:
    """Ways to fill the slots, with faces by number; `hand` is the origin of concealed tiles."""
    found: dict[tuple[Counts, tuple[Loose, ...]], Filling] = {}
    wanted = [faces[slot.tile] for slot in slots]

    def fill(index: int, need: Counts, used: frozenset[int], own_left: Own, before: int = -2) -> None:
        """`before`: what lies in the place before; -2 one of `own`, -1 a concealed tile."""
        if index == len(slots):
            if not own_left:
                found.setdefault((need, tuple(loose[i] for i in sorted(used))), (need, used))
            return
        slot, tile = slots[index], wanted[index]
        alike = index > 0 and slot == slots[index - 1]
        least = before if alike else -2  # of equal places one order will do
        for other in dict.fromkeys(own_left) if least == -2 else ():
            if other[0] == tile and (other[1] is None or other[1] in slot.origins):
                i = own_left.index(other)
                fill(index + 1, need, used, own_left[:i] + own_left[i + 1 :])
        if len(own_left) > len(slots) - index - 1:
            return
        if hand in slot.origins and least <= -1:
            place = faces[slot.kind]
            more = (*need[:place], need[place] + 1, *need[place + 1 :])
            fill(index + 1, need if slot.wild else more, used, own_left, -1)
        for i, other_tile in enumerate(loose):
            if i < least or i in used or (i and i - 1 not in used and loose[i - 1] == other_tile):
                continue  # of equal tiles (they are neighbours) the first one left is taken
            if other_tile.kind == tile and fits(other_tile.origin, slot.origins):
                fill(index + 1, need, used | {i}, own_left, i)

    fill(0, (0,) * (len(faces) - 1), frozenset(), own)
    return list(found.values())
