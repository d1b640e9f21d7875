"""Components that are the same but for the names of their faces.

Eight sentences of a 上大人 deck are only two or four different things to a judge: what it works out for
one it need not work out again for the next.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from ..core.model import And as AndOf
from ..core.model import Compare, Congruent, Defined, Formula, Game, Linear, Meld, Not, Rule, Wild
from ..core.model import Or as OrOf
from .probes import AlikeProbe, LastProbe, LocalProbe, Probe, SumProbe

Likeness = tuple[tuple[int, dict[int, int]], ...]
"""Per component the first one like it, and the ids of that one's melds by this one's place of them."""


def likeness(game: Game, usable: tuple[bool, ...], probes: tuple[Probe, ...], scored: bool) -> Likeness:
    """For each component its representative and the map from the representative's melds to its own."""
    melds, builds = _by_component(game), _builds(game)
    first: dict[Hashable, int] = {}
    result = []
    for index, own in enumerate(melds):
        face = builds[index], _told(index, own, usable, probes, scored)
        chosen = first.setdefault(face, index)
        pairs = zip(melds[chosen], own, strict=True)
        result.append((chosen, {there.id: here.id for there, here in pairs}))
    return tuple(result)


NO_RULE = Rule("", "")


def grouped_alike(one: Game, other: Game, wilds: int) -> bool:
    """Do hands with so many wild tiles come to the same in both, meld by meld, whatever clauses say so?"""
    if one.melds is not other.melds and _melds(one) != _melds(other):
        return False
    return _wild(one, wilds) == _wild(other, wilds) and (one.hand_origin, one.mark) == (
        other.hand_origin,
        other.mark,
    )


def _melds(game: Game) -> Hashable:
    """All of the melds but the clauses that they and their prices come from."""
    return game.memo.of("melds", lambda: (game.components, _copies(game), tuple(map(_meld, game.melds))))


def _copies(game: Game) -> tuple[int, ...]:
    return tuple(kind.copies for kind in game.kinds)


def _meld(meld: Meld) -> Hashable:
    points = tuple(price.points for price in meld.prices)
    plain = replace(meld.type, rule=NO_RULE)
    return plain, meld.slots, meld.tiles, meld.counts, points, meld.awaits, meld.wilds, meld.base


def _wild(game: Game, wilds: int) -> Wild | None:
    """The wild tile, without what its clause says beside it."""
    wild = game.wild
    return wild and replace(wild, rule=NO_RULE, aliases=frozenset(), within=wild.within and wilds > 0)


def _by_component(game: Game) -> tuple[list[Meld], ...]:
    """The melds of each component, found once."""

    def find() -> tuple[list[Meld], ...]:
        found: tuple[list[Meld], ...] = tuple([] for _ in game.components)
        for meld in game.melds:
            found[game.component_of[meld.tiles[0]]].append(meld)
        return found

    return game.memo.of("melds by component", find)


def _builds(game: Game) -> tuple[int, ...]:
    """For each component the first one that is built like it, whatever anybody asks."""

    def find() -> tuple[int, ...]:
        first: dict[Hashable, int] = {}
        faces = (_face(game, index, own) for index, own in enumerate(_by_component(game)))
        return tuple(first.setdefault(face, i) for i, face in enumerate(faces))

    return game.memo.of("builds", find)


MOST = 6
"""Kinds of a component of which all ways to rename them are tried."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A way to rename the faces inside a component that changes nothing a judge works out."""

    places: tuple[int, ...]
    """Where each face of the component goes."""
    melds: dict[int, int]
    """Where each meld of the component goes."""

    def moved(self, counts: tuple[int, ...]) -> tuple[int, ...]:
        """The tiles of the component with its faces renamed."""
        return moved(counts, self.places)


def moved(counts: tuple[int, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers for each face, once every face has gone to its place."""
    found = list(counts)
    for here, there in enumerate(places):
        found[there] = counts[here]
    return tuple(found)


def turns(
    game: Game, index: int, usable: tuple[bool, ...], probes: tuple[Probe, ...], scored: bool
) -> list[Turn]:
    """Every turn of a component, the one that moves nothing first; of large ones just that."""
    own = _by_component(game)[index]
    moves = game.memo.of(("turns", index), lambda: _built_alike(game, index, own))
    whole = _told(index, own, usable, probes, scored)
    return [turn for turn, images in moves if _told(index, images, usable, probes, scored) == whole]


def _built_alike(game: Game, index: int, own: list[Meld]) -> list[tuple[Turn, list[Meld]]]:
    """The ways to rename the faces of a component that make its melds into its melds, and those."""
    part = game.components[index]
    known = {_build(m, part, range(len(part))): m for m in own}
    whole = _grown(game, own, {m.id: m.id for m in own})
    found = []
    copies = [game.kinds[k].copies for k in part]
    every = range(len(part))
    for places in permutations(every) if len(part) <= MOST else [tuple(every)]:
        if [copies[p] for p in places] != copies:
            continue
        moved = [known.get(_build(m, part, places)) for m in own]
        images = [m for m in moved if m is not None]
        if len(images) == len(own):
            names = {m.id: image.id for m, image in zip(own, images, strict=True)}
            back = {there: here for here, there in names.items()}
            if _grown(game, images, back) == whole:
                found.append((Turn(places, names), images))
    return found


def _build(meld: Meld, part: tuple[int, ...], places: Sequence[int]) -> Hashable:
    """What makes two melds of a type the same, with the faces moved."""
    slots = sorted(
        (places[part.index(s.kind)], tuple(sorted(s.origins)), s.wild, s.marked) for s in meld.slots
    )
    stood = places[part.index(meld.tiles[0])] if meld.stand else None
    return _base(meld), tuple(slots), stood


def _base(meld: Meld) -> Hashable:
    """The type; of melds with wild tiles what it was made from, for where those lie changes its name."""
    return meld.type.name.rpartition(".")[0] if meld.wilds and not meld.stand else meld.type.index


def _grown(game: Game, melds: list[Meld], back: dict[int, int]) -> list[frozenset[int]]:
    """What the melds grow into, in this order; `back` gives the names."""
    return [frozenset(back[g.id] for g in game.growth.get(m.id, ())) for m in melds]


def _told(
    index: int, melds: list[Meld], usable: tuple[bool, ...], probes: tuple[Probe, ...], scored: bool
) -> Hashable:
    """What a judge is told of the melds of a component, in this order."""
    points = tuple(m.prices[0].points for m in melds) if scored else None
    return tuple(usable[m.id] for m in melds), points, tuple(_probe(p, index, melds) for p in probes)


def _face(game: Game, index: int, melds: list[Meld]) -> Hashable:
    """How many tiles there are, and what places the melds have."""
    part = game.components[index]
    place = {kind: i for i, kind in enumerate(part)}
    copies = tuple(game.kinds[k].copies for k in part)
    built = ((m.type.index, [(place[s.kind], s.origins, s.wild, s.marked) for s in m.slots]) for m in melds)
    return copies, tuple((number, *slots) for number, slots in built)


def _probe(probe: Probe, index: int, melds: list[Meld]) -> Hashable:
    match probe:
        case SumProbe(weights, cap, modulus):
            return tuple(weights[m.id] for m in melds), cap, modulus
        case LocalProbe(formulas):
            return tuple(_formula(f, melds) for c, f in formulas if c == index)
        case LastProbe(types):
            return types, tuple(m.type.index if m.type.index in types else -1 for m in melds)
        case AlikeProbe(cap):
            return cap


def _formula(formula: Formula, melds: list[Meld]) -> Hashable:
    """The formula as it reads on these melds, whatever their names."""
    match formula:
        case Compare(left, operator, right):
            return "compare", _linear(left, melds), operator, _linear(right, melds)
        case Congruent(left, modulus, residue):
            return "congruent", _linear(left, melds), modulus, residue
        case Not(part):
            return "not", _formula(part, melds)
        case AndOf(parts):
            return "and", tuple(_formula(p, melds) for p in parts)
        case OrOf(parts):
            return "or", tuple(_formula(p, melds) for p in parts)
        case Defined(_, _, body):
            return _formula(body, melds)
        case _:
            return formula


def _linear(term: Linear, melds: list[Meld]) -> Hashable:
    return term.constant, tuple((c, tuple(f.weights[m.id] for m in melds)) for c, f in term.parts)
