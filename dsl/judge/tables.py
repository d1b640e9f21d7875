"""All rows of a component beside the same exposed melds, worked out together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

from ..core.hand import Laid
from ..core.limits import check_holdings
from ..core.model import OWN_DRAW
from .rows import Counts, Loose, Outcome, RowKey, Way
from .sweep import rows_of

if TYPE_CHECKING:
    from .automaton import Automaton

Beside = tuple[int, tuple[Laid, ...], tuple[Loose, ...]]
"""Component, exposed melds (locked ones) and loose tiles, beside which concealed tiles lie."""

Groups = Mapping[Counts, Collection[Outcome]]
"""Concealed tiles, and what all ways to group them come to."""


class Tables:
    """Letters by the concealed tiles of a component. Rows that cannot be grouped are left out.

    Where the automaton reads hands of which the last tile is wild, it has been drawn.
    """

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.wild = OWN_DRAW if automaton.maker.wilds.last else None
        self.nothing = automaton.lettered(())
        """The letter of the rows left out."""
        self._letters: dict[Beside, dict[Counts, int]] = {}
        self._groups: dict[Beside, Groups] = {}
        self._standing: dict[tuple[Laid, tuple[Loose, ...]], list[Way]] = {}

    def letters(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> dict[Counts, int]:
        """What can lie beside these melds and tiles, as far as there are copies, to its letter.

        Raises `TooLarge`.
        """
        key = self._like(component, laid, loose)
        known = self._letters.get(key)
        if known is None:
            known = self._letters[key] = self._made(*key)
        return known

    def _made(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> dict[Counts, int]:
        maker, marked, other = self.automaton.maker, self.automaton.marks(component), self.automaton.unmarked
        check_holdings(rows_of(maker.game, component))
        if other is not None and not marked:
            found = other.tables.letters(component, laid, loose)
            return {counts: self.automaton.lettered(other.letters[n]) for counts, n in found.items()}
        plain = not maker.stands and (not marked or maker.marks.every) and self.wild is None
        return (self._together if plain else self._each)(component, laid, loose)

    def _like(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> Beside:
        """The same in the first component like this one."""
        chosen, names = self.automaton.maker.alike[component]
        if chosen == component or any(entry.stands for entry in laid):
            return component, laid, loose
        game = self.automaton.game
        here, there = game.components[component], game.components[chosen]
        back = {own: like for like, own in names.items()}
        melds = tuple(Laid(back[entry.meld], entry.origins) for entry in laid)
        return chosen, melds, tuple(t._replace(kind=there[here.index(t.kind)]) for t in loose)

    def _each(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> dict[Counts, int]:
        """One row after the other, where wild tiles or a single marked one have a say."""
        free = self._free(component, laid, loose)
        counted = product(*(range(n + 1) for n in free)) if min(free) >= 0 else ()
        found = {c: self.automaton.letter(RowKey(component, c, loose, laid, self.wild)) for c in counted}
        return {counts: letter for counts, letter in found.items() if letter != self.nothing}

    def _together(
        self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]
    ) -> dict[Counts, int]:
        """All rows at once: what is beside a few exposed melds is known when one more comes to them."""
        maker, found = self.automaton.maker, {}
        for counts, outcomes in self._beside(component, laid, loose).items():
            alike = maker.alike_last(counts, loose)
            seen = ((maker.vector(component, sums, held, alike), score) for sums, score, held in outcomes)
            letter = self.automaton.lettered((vector, score) for vector, score in seen if vector is not None)
            if letter != self.nothing:
                found[counts] = letter
        return found

    def _beside(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> Groups:
        """What melds come to, those that lie exposed included, by the concealed tiles."""
        key = (component, laid, loose)
        known = self._groups.get(key)
        if known is None:
            known = self._groups[key] = self._more(*key) if laid else self._plain(component, loose)
        return known

    def _plain(self, component: int, loose: tuple[Loose, ...]) -> Groups:
        free = self._free(component, (), loose)
        cover = self.automaton.maker.covered
        every = ((c, [*cover(component, c, loose)]) for c in product(*(range(n + 1) for n in free)))
        return {counts: found for counts, found in every if found}

    def _more(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> Groups:
        """For each way the last of the exposed melds can stand, what there is beside the others."""
        maker, free = self.automaton.maker, self._free(component, laid, loose)
        found: dict[Counts, set[Outcome]] = {}
        for way in self._ways(component, laid[-1], loose):
            more, points = maker.added[way.meld]
            for counts, outcomes in self._beside(component, laid[:-1], way.left).items():
                total = tuple(map(int.__add__, counts, way.need))
                if all(map(int.__le__, total, free)):
                    into = found.setdefault(total, set())
                    for sums, score, held in outcomes:
                        whole = tuple(map(int.__add__, sums, more))
                        if all(map(int.__le__, whole, maker.bounds)):
                            into.add(
                                (whole, score + points, maker.holding[way.meld] if way.holds_last else held)
                            )
        return {counts: outcomes for counts, outcomes in found.items() if outcomes}

    def _ways(self, component: int, entry: Laid, loose: tuple[Loose, ...]) -> list[Way]:
        """An exposed meld as it is, and what it can become by concealed and loose tiles."""
        known = self._standing.get((entry, loose))
        if known is None:
            known = self._standing[entry, loose] = list(self._grown(component, entry, loose))
        return known

    def _grown(self, component: int, entry: Laid, loose: tuple[Loose, ...]) -> Iterator[Way]:
        maker = self.automaton.maker
        if maker.fits[entry.meld]:
            named = maker.marks.named(entry.meld)
            yield Way(named, (0,) * len(maker.game.components[component]), loose, False)
        kinds = (slot.tile for slot in maker.game.melds[entry.meld].slots)
        own = tuple(zip(kinds, entry.origins, strict=True))
        for larger in maker.melds.growth[entry.meld]:
            for need, used in maker.needs(larger, loose, own):
                left = tuple(t for i, t in enumerate(loose) if i not in used)
                yield Way(maker.marks.named(larger.id), need, left, any(loose[i].last for i in used))

    def _free(self, component: int, laid: tuple[Laid, ...], loose: tuple[Loose, ...]) -> Counts:
        """Copies that neither lie exposed nor are loose."""
        game = self.automaton.game
        part = game.components[component]
        free = [game.kinds[kind].copies for kind in part]
        for entry in laid:
            for kind, number in game.melds[entry.meld].counts:
                free[part.index(kind)] -= number
        for tile in loose:
            free[part.index(tile.kind)] -= 1
        return tuple(free)
