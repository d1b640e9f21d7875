"""What resolving one choice of options leaves for the next: decks, ground melds, prices, examples.

Everything is kept under the clauses it was read from, compared by their words, so that a change of any
of them is a different key. What was found faulty is never kept: faults have places, words have none.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from ...core.model import Example, Feature, Group, Kind, Mark, Meld, MeldType, Parameter, Wild
from ..assemble import Assembled
from ..playing import of_play_only
from ..syntax import Clause, Ruleset
from .scope import Patterns, Scope

DECK = frozenset({"牌", "来路", "境", "牌型"})
"""Sections that say which ground melds there are."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The deck and the ground melds, once in the scope of every choice that leaves their clauses alone."""

    kinds: tuple[Kind, ...]
    groups: tuple[Group, ...]
    classes: Mapping[str, frozenset[int]]
    values: Mapping[str, Mapping[int, int]]
    origin_sets: Mapping[str, frozenset[str]]
    hand_origin: str
    dims: tuple[str, ...]
    types: tuple[MeldType, ...]
    melds: tuple[Meld, ...]
    parameters: tuple[Parameter, ...]
    wild: Wild | None
    mark: Mark | None
    insides: dict[int, tuple[bool, ...]]
    countings: dict[tuple[tuple[str, ...], frozenset[int] | None], list[int]]


@dataclass(frozen=True, slots=True)
class Priced:
    """Ground melds with their prices, and the names of the tables."""

    scores: tuple[str, ...]
    melds: tuple[Meld, ...]


@dataclass(slots=True)
class Memory:
    """One per `Library`; rulesets that share clauses share what was made of them."""

    grounds: dict[Hashable, Ground] = field(default_factory=dict)
    priced: dict[Hashable, Priced] = field(default_factory=dict)
    examples: dict[Hashable, tuple[Example, ...]] = field(default_factory=dict)
    features: dict[Feature, Feature] = field(default_factory=dict)
    patterns: dict[Hashable, Patterns] = field(default_factory=dict)
    """What each meld clause's pattern comes to over a deck."""
    playing: dict[tuple[int, ...], tuple[tuple[Ruleset, ...], frozenset[str]]] = field(default_factory=dict)

    def of_play_only(self, assembled: Assembled) -> frozenset[str]:
        """As the function of this name; a chain decides it, whatever is chosen."""
        chain, beside = assembled.chain, assembled.beside
        key = (len(chain), *map(id, chain), *map(id, beside))
        if key not in self.playing:
            self.playing[key] = ((*chain, *beside), of_play_only(chain, beside))
        return self.playing[key][1]

    def copy(self) -> Memory:
        """What is known so far; neither learns from the other any more."""
        return Memory(
            dict(self.grounds),
            dict(self.priced),
            dict(self.examples),
            dict(self.features),
            dict(self.patterns),
            dict(self.playing),
        )

    def ground(self, scope: Scope, read: Callable[[Scope], None]) -> Hashable:
        """Fill the scope's deck and melds by `read`, or as it did for the same clauses; their key."""
        key = ground_key(scope.assembled)
        known = self.grounds.get(key)
        if known is not None:
            _restore(scope, known)
            return key
        read(scope)
        if not scope.faults:
            self.grounds[key] = _taken(scope)
        return key

    def prices(
        self, scope: Scope, ground: Hashable, shape: tuple[int, ...], read: Callable[[Scope], None]
    ) -> tuple[Meld, ...]:
        """Price the scope's melds by `read`, or as it did for the same ground, shape and price clauses.

        Games with the same melds at the same prices get the very same tuple.
        """
        key = (ground, shape, _under(scope.assembled, frozenset({"价"})))
        known = self.priced.get(key)
        if known is None:
            read(scope)
            known = Priced(tuple(scope.scores), tuple(scope.melds))
            if not scope.faults:
                self.priced[key] = known
        scope.scores[:], scope.melds[:] = known.scores, known.melds
        return known.melds

    def told(
        self, scope: Scope, ground: Hashable, read: Callable[[Scope], tuple[Example, ...]]
    ) -> tuple[Example, ...]:
        """The examples by `read`, or as it gave them for the same ground, choices and example clauses."""
        assembled = scope.assembled
        key = (ground, tuple(assembled.choices.by_name.values()), tuple(assembled.examples))
        if key not in self.examples:
            before = len(scope.faults)
            found = read(scope)
            if len(scope.faults) > before:
                return found
            self.examples[key] = found
        return self.examples[key]


def ground_key(assembled: Assembled) -> Hashable:
    """The clauses that decide which ground melds there are."""
    return _under(assembled, DECK), assembled.clauses.get(("和", "重组"))


def _under(assembled: Assembled, sections: frozenset[str]) -> tuple[Clause, ...]:
    return tuple(clause for key, clause in assembled.clauses.items() if key[0] in sections)


def _taken(scope: Scope) -> Ground:
    return Ground(
        kinds=tuple(scope.kinds),
        groups=tuple(scope.groups),
        classes=dict(scope.classes),
        values={name: dict(table) for name, table in scope.values.items()},
        origin_sets=dict(scope.origin_sets),
        hand_origin=scope.hand_origin,
        dims=tuple(scope.dims),
        types=tuple(scope.types),
        melds=tuple(scope.melds),
        parameters=tuple(scope.parameters),
        wild=scope.wild,
        mark=scope.mark,
        insides=scope.insides,
        countings=scope.countings,
    )


def _restore(scope: Scope, known: Ground) -> None:
    """Lists and tables of its own, for later steps may add to them."""
    scope.kinds[:], scope.groups[:] = known.kinds, known.groups
    scope.classes = dict(known.classes)
    scope.values = {name: dict(table) for name, table in known.values.items()}
    scope.origin_sets = dict(known.origin_sets)
    scope.hand_origin = known.hand_origin
    scope.dims[:], scope.types[:], scope.melds[:] = known.dims, known.types, known.melds
    scope.parameters[:] = known.parameters
    scope.wild, scope.mark = known.wild, known.mark
    scope.insides, scope.countings = known.insides, known.countings
