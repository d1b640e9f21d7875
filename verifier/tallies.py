"""Sorting all closed hands of one size, exactly: deal by deal, by wild tiles held and by the face marked.

Deals, and marked faces, that nothing tells apart are counted once. All deals are equally likely, every
natural tile of a hand is equally likely to be its marked one, and a hand counts once for every deal and
every marked face that it can be held with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

from dsl.core.hand import Hand
from dsl.core.model import Game
from dsl.judge.asked import contexts_asked
from dsl.judge.compiled import Compiled
from dsl.judge.machines import (
    Machine,
    Shaped,
    closed_last,
    different_hands,
)
from dsl.judge.wild_hands import Sought, hands_sought

Sort = tuple[tuple[Machine, ...], Callable[[tuple[Any, ...]], Hashable]]
"""Machines, and what the hands that end in their states are; None for those that are left aside."""


def accepting(machine: Machine) -> Sort:
    """Hands that a machine accepts, all as one sort."""
    return (machine,), partial(_accepted, machine)


def _accepted(machine: Machine, states: tuple[Any, ...]) -> Hashable:
    return True if machine.accepts(states[0]) else None


@dataclass(slots=True)
class Share:
    """Some of the hands, and the chance that a dealt one is one of them."""

    hands: int = 0
    chance: Fraction = Fraction(0)

    def add(self, other: Share) -> None:
        self.hands += other.hands
        self.chance += other.chance


@dataclass(frozen=True, slots=True)
class Tally:
    """How many hands there are, and the share of every sort."""

    of: int
    shares: dict[Any, Share]

    def join(self, other: Tally) -> None:
        """What others of the same hands are."""
        for sort, share in other.shares.items():
            self.shares.setdefault(sort, Share()).add(share)

    def share(self, test: Callable[[Any], bool] = lambda sort: True) -> Share:
        """That of all sorts that pass the test."""
        total = Share()
        for sort, share in self.shares.items():
            if test(sort):
                total.add(share)
        return total


@dataclass(frozen=True, slots=True)
class Held:
    """Closed hands of so many tiles, held by a role; `context` is what is known of the situation.

    A deal that is not known may be any, and so may the face of the marked tile of a role that has one.
    """

    compiled: Compiled
    role: str
    tiles: int
    context: Mapping[str, str]
    only: int | None = None
    """Of hands with so many wild tiles alone it is asked what they are, where this is not None."""

    @property
    def wilds(self) -> list[int]:
        """How many wild tiles the hands can have."""
        every = hands_sought(self.compiled, self.role, self.tiles, self.context)
        return sorted({sought.wilds for sought in every})

    def tally(self, sort: Callable[[Sought], Sort]) -> Tally:
        """All the hands, sorted."""
        of, whole, shares = 0, Fraction(0), dict[Any, Share]()
        for part in self._parts():
            of += part.hands
            whole += part.unit * part.ways
            if self.only is None or self.only == part.sought.wilds:
                for name, share in part.sorted(*sort(part.sought)).items():
                    shares.setdefault(name, Share()).add(share)
        for share in shares.values():
            share.chance /= whole or 1
        return Tally(of, shares)

    def _parts(self) -> Iterator[_Part]:
        every = list(hands_sought(self.compiled, self.role, self.tiles, self.context))
        deals = sum(sought.deal.times for sought in every if not sought.wilds)
        for sought in every:
            deck, most = sought.deal.deck, sought.deal.most
            dealt = comb(sum(kind.copies for kind in deck.kinds) + most, self.tiles)
            unit = Fraction(comb(most, sought.wilds), deals * dealt) if dealt else Fraction(0)
            for mark, times in self._marks(sought).items():
                marked = sought if mark is None else _marked(sought, mark)
                yield _Part(marked, mark, self.tiles - sought.wilds, times * sought.deal.times, unit)

    def _marks(self, sought: Sought) -> dict[int | None, int]:
        """Faces that the marked tile may have: of those that nothing tells apart one, and how many."""
        mark = self.compiled.game.mark
        if mark is None or self.role not in mark.roles:
            return {None: 1}
        if mark.parameter in self.context:
            return {self.compiled.game.marked_face(self.role, self.context): 1}
        faces: dict[Hashable, list[int]] = {}
        for kind, face in enumerate(sought.deal.deck.kinds):
            if face.copies:
                faces.setdefault(_likeness(sought, kind), []).append(kind)
        return {alike[0]: len(alike) for alike in faces.values()}


@dataclass(frozen=True, slots=True)
class _Part:
    """Hands with as many wild tiles, in deals that leave the deck alike, with marked tiles that are alike."""

    sought: Sought
    mark: int | None
    natural: int
    """Natural tiles of a hand."""
    times: int
    """How many deals and faces this stands for."""
    unit: Fraction
    """The chance of one choice of natural tiles in one of the deals."""

    @property
    def hands(self) -> int:
        """How many there are."""
        deck = self.sought.deal.deck
        every = different_hands(deck, self.natural)
        if self.mark is None:
            return self.times * every
        return self.times * (every - different_hands(_without(deck, self.mark), self.natural))

    @property
    def ways(self) -> Fraction:
        """In how many ways they can be dealt; with a marked tile, the share of its face in the hand."""
        deck = self.sought.deal.deck
        tiles = sum(kind.copies for kind in deck.kinds)
        if self.mark is None:
            return Fraction(self.times * comb(tiles, self.natural))
        if not self.natural:
            return Fraction(0)
        copies = deck.kinds[self.mark].copies
        return Fraction(self.times * copies * comb(tiles - 1, self.natural - 1), self.natural)

    def sorted(
        self, machines: tuple[Machine, ...], face: Callable[[tuple[Any, ...]], Hashable]
    ) -> dict[Hashable, Share]:
        """The share of every sort."""
        whole = self._all_at_once(machines, face)
        if whole is not None:
            hands, deals = whole
            return {True: Share(self.times * hands, self.unit * self.times * deals)}
        from dsl.judge.weighed import weighed_by  # noqa: PLC0415  numpy only for what it is good for

        found: dict[Hashable, list[int]] = {}
        for reached in weighed_by(self.sought.deal.deck, machines, self.natural, self.mark):
            name = face(reached.states)
            if name is not None:
                row = found.setdefault(name, [0, 0])
                row[0] += reached.hands
                row[1] += reached.deals
        chance = self.unit * self.times / (1 if self.mark is None else self.natural)
        return {name: Share(self.times * hands, chance * deals) for name, (hands, deals) in found.items()}

    def _all_at_once(
        self, machines: tuple[Machine, ...], face: Callable[[tuple[Any, ...]], Hashable]
    ) -> tuple[int, int] | None:
        """Hands and deals that one machine accepts; None where a table of all sorts is not much slower."""
        machine = machines[0]
        plain = isinstance(face, partial) and face.func is _accepted and self.mark is None
        if not plain or not isinstance(machine, Shaped) or not machine.automaton.maker.sweeps.large:
            return None
        from dsl.judge.accepted import accepted  # noqa: PLC0415  numpy only for large decks

        return accepted(self.sought.deal.deck, machine, self.natural)


def _without(deck: Game, kind: int) -> Game:
    """The deck with no tile of this face."""
    kinds = tuple(replace(k, copies=0) if i == kind else k for i, k in enumerate(deck.kinds))
    return replace(deck, kinds=kinds)


def _marked(sought: Sought, face: int) -> Sought:
    """The same hands with a tile of this face marked."""
    game = sought.game.game
    assert game.mark is not None
    context = {**sought.deal.context, game.mark.parameter: game.kinds[face].name}
    return replace(sought, game=sought.game.marked(face), deal=replace(sought.deal, context=context))


def _likeness(sought: Sought, face: int) -> Hashable:
    """The same for faces that conditions, prices and the deal treat alike."""
    game, maker, deck = sought.game.game, sought.compiled.highest.maker, sought.deal.deck
    asked = {atom.parameter for atom in contexts_asked(game)}
    if game.mark is not None and game.mark.parameter in asked:
        return face
    component = game.component_of[face]
    part = game.components[component]
    copies = tuple(deck.kinds[k].copies for k in part)
    turned = (
        (tuple(copies[places.index(p)] for p in range(len(part))), places[part.index(face)])
        for places in (turn.places for turn in maker.turns(component))
    )
    return maker.alike[component][0], min(turned)


def closed(sought: Sought) -> Hand:
    """A finished closed hand as far as its situation goes: as it was dealt if the role gets so many tiles,
    else one's own draw ended it; a natural tile is the last one."""
    game = sought.game.game
    last = None if game.dealt[sought.role] >= game.finished else closed_last(game)
    return Hand(sought.role, (), (), last, sought.deal.context)
