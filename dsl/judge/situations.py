"""Everything a player can hold in one component under two rulesets at once: the letters of a product."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import product

from ..core.hand import Laid
from ..core.model import ORIGINS, Game, Meld
from .automaton import Automaton
from .machines import Counts
from .rows import Loose, RowKey

Exposure = tuple[tuple[Meld, Meld], ...]
"""Exposed melds, each as both games know it."""
Places = tuple[int, ...]
"""Where each face of a component goes."""

SOURCES = ORIGINS[1:]
"""Origins a last tile can have."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What lies in one component: exposed melds (in both games' numbering), concealed tiles, the last."""

    laid: tuple[tuple[int, int], ...]
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


class SituationMaker:
    """Enumerates situations of a component for a pair of automata."""

    def __init__(self, left: Automaton, right: Automaton, exposed: bool = True) -> None:
        self.left = left
        self.right = right
        self.pairs = shared_locked(left.game, right.game) if exposed else []
        self.stand_ins = [{o: _stand_in(a.game, o) for o in SOURCES} for a in (left, right)]

    def face(self, component: int) -> tuple[int, int]:
        """Components with equal faces have the same letters."""
        return self.left.maker.alike[component][0], self.right.maker.alike[component][0]

    def letters(self, component: int) -> list[Letter]:
        """All letters of a component, simplest first."""
        found: dict[Hashable, Letter] = {}
        for laid, places in self._exposures(component):
            for letter in self._with_laid(component, laid, places):
                key = (letter.tiles, letter.last, letter.rows)
                known = found.get(key)
                if known is None or _order(letter) < _order(known):
                    found[key] = letter
        return sorted(found.values(), key=_order)

    def _with_laid(self, component: int, laid: Exposure, places: list[Places]) -> Iterator[Letter]:
        """Letters of what can lie beside exposed melds, one for all that `places` turn into each other."""
        part = self.left.game.components[component]
        copies = [self.left.game.kinds[k].copies for k in part]
        for meld, _ in laid:
            for kind, number in meld.counts:
                copies[part.index(kind)] -= number
        exposed = sum(len(m.tiles) for m, _ in laid)
        extra = tuple(sum(pair[i].type.extra for pair in laid) for i in (0, 1))
        exposed_cost = sum(2 + sum(n * n for _, n in m.counts) for m, _ in laid)
        pairs = tuple((a.id, b.id) for a, b in laid)
        for counts in product(*(range(c + 1) for c in copies)):
            turned = [(_moved(counts, p), p) for p in places]
            if any(other > counts for other, _ in turned):
                continue
            still = [p for other, p in turned if other == counts]
            for last in (None, *self._lasts(counts, copies, still)):
                tiles = exposed + sum(counts)
                own = tuple(last is not None and not a.game.on_top for a in (self.left, self.right))
                yield Letter(
                    (tiles - extra[0] + own[0], tiles - extra[1] + own[1]),
                    0 if last is None else 1 + SOURCES.index(last[1]),
                    self._rows(component, laid, counts, last),
                    exposed_cost + sum(n * n for n in counts),
                    Situation(pairs, counts, last),
                )

    def _lasts(self, counts: Counts, copies: list[int], places: list[Places]) -> Iterator[tuple[int, str]]:
        for place, number in enumerate(counts):
            if number < copies[place] and all(p[place] >= place for p in places):
                for origin in SOURCES:
                    yield place, origin

    def _rows(
        self,
        component: int,
        laid: Exposure,
        counts: Counts,
        last: tuple[int, str] | None,
    ) -> tuple[int, int]:
        part = self.left.game.components[component]
        rows = []
        for side, automaton in enumerate((self.left, self.right)):
            loose: tuple[Loose, ...] = ()
            if last is not None:
                loose = (Loose(part[last[0]], self.stand_ins[side][last[1]], True),)
            melds = tuple(Laid(pair[side].id, _unknown(pair[side])) for pair in laid)
            rows.append(automaton.letter(RowKey(component, counts, loose, melds)))
        return rows[0], rows[1]

    def _exposures(self, component: int) -> Iterator[tuple[Exposure, list[Places]]]:
        """Sets of exposed melds, one of those that turn into each other, and the turns that leave it be."""
        choices = self._distinct([p for p in self.pairs if p[0].tiles[0] in self._part(component)])
        turned = list(self._turned(component, choices))
        for chosen in self._laid(component, choices):
            images = [(tuple(sorted(names[i] for i in chosen)), places) for places, names in turned]
            if all(image >= chosen for image, _ in images):
                still = [places for image, places in images if image == chosen]
                yield tuple(choices[i] for i in chosen), still

    def _turned(
        self, component: int, choices: list[tuple[Meld, Meld]]
    ) -> Iterator[tuple[Places, dict[int, int]]]:
        """Turns both automata allow: where the faces go, and where each of the choices goes."""
        right = {t.places: t.melds for t in self.right.maker.turns(component)}
        places = {self._seen(pair): i for i, pair in enumerate(choices)}
        both = {(a.id, b.id): (a, b) for a, b in self.pairs}
        for turn in self.left.maker.turns(component):
            if turn.places in right:
                there = right[turn.places]
                images = [both.get((turn.melds[a.id], there[b.id])) for a, b in choices]
                if None not in images:
                    found = (places[self._seen(pair)] for pair in images if pair is not None)
                    yield turn.places, dict(enumerate(found))

    def _part(self, component: int) -> tuple[int, ...]:
        return self.left.game.components[component]

    def _laid(self, component: int, choices: list[tuple[Meld, Meld]]) -> list[tuple[int, ...]]:
        """Every set of exposed melds the component's copies allow, by their places among the choices."""
        copies = {k: self.left.game.kinds[k].copies for k in self._part(component)}
        found: list[tuple[int, ...]] = []

        def extend(start: int, free: dict[int, int], chosen: tuple[int, ...]) -> None:
            found.append(chosen)
            for i in range(start, len(choices)):
                counts = choices[i][0].counts
                if all(free[k] >= n for k, n in counts):
                    rest = {k: n - dict(counts).get(k, 0) for k, n in free.items()}
                    extend(i, rest, (*chosen, i))

        extend(0, copies, ())
        return found

    def _distinct(self, pairs: list[tuple[Meld, Meld]]) -> list[tuple[Meld, Meld]]:
        """Of exposed melds that neither automaton can tell apart, the first."""
        seen: dict[Hashable, tuple[Meld, Meld]] = {}
        for pair in pairs:
            seen.setdefault(self._seen(pair), pair)
        return list(seen.values())

    def _seen(self, pair: tuple[Meld, Meld]) -> Hashable:
        return tuple(_seen(a, m) for a, m in zip((self.left, self.right), pair, strict=True))


def _moved(counts: Counts, places: Places) -> Counts:
    """Counts after the faces have moved."""
    moved = list(counts)
    for here, there in enumerate(places):
        moved[there] = counts[here]
    return tuple(moved)


def _order(letter: Letter) -> tuple[int, tuple[tuple[int, int], ...], tuple[int, ...], tuple[int, int]]:
    first = letter.first
    last = (-1, 0) if first.last is None else (first.last[0], SOURCES.index(first.last[1]))
    return letter.cost, first.laid, tuple(-n for n in first.counts), last


def _seen(automaton: Automaton, meld: Meld) -> Hashable:
    """What an automaton sees of an exposed meld."""
    growth = tuple(m.id for m in automaton.game.growth.get(meld.id, ()))
    return meld.counts, meld.type.extra, automaton.maker.added[meld.id], _gives(meld), growth and meld.slots


def _gives(meld: Meld) -> tuple[int, ...]:
    return meld.type.gives


def _unknown(meld: Meld) -> tuple[str | None, ...]:
    """Origins of an exposed meld as far as its name settles them."""
    return tuple(next(iter(s.origins)) if len(s.origins) == 1 else None for s in meld.slots)


def _stand_in(game: Game, origin: str) -> str:
    """The first origin that every slot of the game treats like this one."""
    origins = {s.origins for m in game.melds for s in m.slots}
    return next(o for o in SOURCES if all((origin in s) == (o in s) for s in origins))


def shared_locked(left: Game, right: Game) -> list[tuple[Meld, Meld]]:
    """Ground melds that stay as they are once exposed and mean the same tiles in both games."""
    there = {(m.type.name, m.slots): m for m in right.melds if m.type.locked}
    pairs = [(m, there.get((m.type.name, m.slots))) for m in left.melds if m.type.locked]
    return [(a, b) for a, b in pairs if b is not None]


def unshared(left: Game, right: Game) -> tuple[list[str], list[str]]:
    """Names of locked melds that only one of the games has."""
    shared = {(a.type.name, b.type.name) for a, b in shared_locked(left, right)}
    names = [{t.name for t in g.types if t.locked} for g in (left, right)]
    return sorted(names[0] - {a for a, _ in shared}), sorted(names[1] - {b for _, b in shared})
