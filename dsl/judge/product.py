"""Two automata read every situation together, layer by layer: what each makes of the same hand.

Exact over all hands: exposed melds that both games know, concealed tiles, the last tile and its origin.
Exposed melds that may be regrouped are taken as the hand's own tiles (the bound that reports print).

Decks that the same automata read go together: what any of them leads to is worked out once, and pairs of
states from which the same comes of whatever follows are one from then on. So there are few of them left
when the plainest hands are looked for, and closed hands counted, deck by deck.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.hand import Hand, Laid
from ..core.limits import MOST, too_many_states
from ..core.model import OWN_DRAW, WILD
from .automaton import State
from .grid import Cells, Ints
from .machines import Shaped, component_letters
from .pairs import DEAD, START, Pairs, pairs_of
from .situations import SOURCES, USUAL, Letter, Origins, Situation, SituationMaker, common_origins
from .situations_inside import check
from .situations_inside import letters as swept_letters
from .weighed import Numbers

LASTS = len(SOURCES) + 1
"""Where a last tile can come from, or that it is elsewhere."""

Named = Callable[[str | None, State, State, int], int]
"""What an end is called by the origin of the last tile (None: there is none, or it is not told), the states
of both sides and what the left score is ahead; 0: nobody asks about it."""


@dataclass(frozen=True)
class Plainest:
    """The simplest hand with an end of some name."""

    name: int
    cost: int
    found: Callable[[], Hand]

    @cached_property
    def hand(self) -> Hand:
        """In the left game's numbering, role left open (the first)."""
        return self.found()


@dataclass(frozen=True, slots=True)
class _Alphabet:
    """The letters of a component, as they are and as numbers."""

    letters: list[Letter]
    columns: Ints
    """(n, 5): tiles left, tiles right, last, row left, row right."""
    costs: Ints
    places: Ints
    """In the order of paths: fuller components first."""


@dataclass(frozen=True, slots=True)
class _Closed:
    """What closed hands hold of a component."""

    columns: Ints
    """As of an alphabet, the last tile not told."""
    counts: Numbers
    """(n, 2): of how many holdings, in how many deals."""


@dataclass(frozen=True, slots=True)
class _Letters:
    """The letters of a component in all decks together."""

    columns: Ints
    """(n, 3): tiles left, tiles right, last."""
    kinds: Ints
    """The same in one number."""
    numbers: Ints
    """Those of the letters of both sides."""
    own: list[Ints]
    """Per deck those of its alphabet, one after the other."""
    closed: list[Ints]
    """Per deck those that closed hands can hold."""
    most: tuple[int, int]
    """Tiles of the fullest letter, per side."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Steps from pairs of states with so many tiles, each with every letter."""

    kind: int
    pairs: Ints
    letters: Ints
    following: Cells


Layer = dict[int, Ints]
"""By tiles and last, as one number, the pairs of states after some components, in order."""


class Product:
    """All that two automata come to over the situations of some decks, with as many wild tiles as they say.

    `counted`: are closed hands to be counted? Raises `TooLarge`.
    """

    def __init__(
        self,
        makers: Sequence[SituationMaker],
        counted: bool,
        tick: Callable[[int, int], None] | None = None,
    ) -> None:
        one = makers[0]
        self.makers = makers
        self.left, self.right = one.left, one.right
        self.game = one.left.game
        self.wilds = one.left.maker.wilds
        sizes = [side.game.finished - self.wilds.number for side in one.sides]
        self.sizes = sizes[0], sizes[1]
        self.pairs: Pairs = pairs_of(self.left, self.right)
        self._alphabets: dict[Hashable, _Alphabet] = {}
        every = range(len(self.game.components))
        first = {maker.face(i): (maker, i) for maker in reversed(makers) for i in reversed(every)}
        for maker, component in first.values():
            check(maker, component, self.sizes)  # before any work is done
        self.alphabets = [[self._alphabet(maker, i) for i in every] for maker in makers]
        self.closed = [_closed(maker, self.sizes[0]) if counted else [] for maker in makers]
        self.letters = [self._together(i) for i in every]
        self.layers: list[Layer] = [{0: np.array([START])}]
        self.blocks: list[list[_Block]] = []
        for index in every:
            self._advance(index)
            if tick is not None:
                tick(index + 1, len(every))

    def _alphabet(self, maker: SituationMaker, component: int) -> _Alphabet:
        """The letters of a component, the same for components that look alike."""
        face = maker.face(component)
        if face not in self._alphabets:
            letters = swept_letters(maker, component, self.sizes)
            place = {i: n for n, i in enumerate(sorted(range(len(letters)), key=lambda i: -letters[i].cost))}
            rows = [(*a.tiles, a.last, *a.rows) for a in letters]
            columns = np.array(rows, np.int64).reshape(-1, 5)
            costs, places = ([a.cost for a in letters], [place[i] for i in range(len(letters))])
            self._alphabets[face] = _Alphabet(letters, columns, np.array(costs), np.array(places))
        return self._alphabets[face]

    def _together(self, component: int) -> _Letters:
        """The letters of a component in all decks."""
        lists = [own[component].columns for own in self.alphabets]
        lists += [own[component].columns for own in self.closed if own]
        columns, place = np.unique(np.concatenate(lists), axis=0, return_inverse=True)
        parts = np.split(place.reshape(-1), np.cumsum([len(one) for one in lists])[:-1])
        decks, told = len(self.makers), columns[:, :3]
        number = self.pairs.letters.number
        numbers = np.array([number((a, b)) for a, b in columns[:, 3:].tolist()], np.int64)
        most = told[:, :2].max(axis=0, initial=0).tolist()
        return _Letters(told, self._kinds(told), numbers, parts[:decks], parts[decks:], tuple(most))

    def _kinds(self, told: Ints) -> Ints:
        """Tiles and last as one number; those of a hand's parts add up."""
        kinds: Ints = (told[:, 0] * (self.sizes[1] + 1) + told[:, 1]) * LASTS + told[:, 2]
        return kinds

    def told(self, kind: int) -> tuple[int, int, int]:
        """The inverse: tiles on both sides, last."""
        tiles, last = divmod(kind, LASTS)
        return *divmod(tiles, self.sizes[1] + 1), last

    # ------------------------------------------------------------ one component

    def _advance(self, index: int) -> None:
        letters, layer = self.letters[index], self.layers[-1]
        fitting = self._fitting(list(layer), index)
        wanted = [(pairs, letters.numbers[fit]) for pairs, fit in zip(layer.values(), fitting, strict=True)]
        steps = zip(layer.items(), fitting, self.pairs.blocks(wanted), strict=True)
        blocks = [_Block(kind, pairs, fit, block) for (kind, pairs), fit, block in steps]
        self.blocks.append(blocks)
        self.layers.append(_reached(blocks, letters.kinds, len(self.pairs.states)))
        if sum(len(pairs) for kind, pairs in self.layers[-1].items() if not kind % LASTS) > MOST:
            raise too_many_states()

    def _fitting(self, kinds: list[int], index: int) -> list[Ints]:
        """Per kind the letters with which a finished hand can still come of it."""
        letters, found = self.letters[index].columns, []
        later = [one.most for one in self.letters[index + 1 :]]
        rest = [sum(most[side] for most in later) for side in (0, 1)]
        for *tiles, last in map(self.told, kinds):
            fits = (letters[:, 2] == 0) | (last == 0)
            for side, size in enumerate(self.sizes):
                total = letters[:, side] + tiles[side]
                fits &= (total <= size) & (total + rest[side] >= size)
            found.append(np.flatnonzero(fits))
        return found

    # ------------------------------------------------------------ hands

    def hand(self, deck: int, letters: Sequence[int]) -> Hand:
        """The simplest hand with these letters of a deck."""
        own = zip(self.alphabets[deck], letters, strict=True)
        return self._joined(deck, [alphabet.letters[letter].first for alphabet, letter in own])

    def _exposed(self, deck: int, component: int, shared: tuple[int, int, Origins]) -> Laid:
        """An exposed meld of the first component like this one, here."""
        *ids, origins = shared
        sides = zip(self.makers[deck].sides, ids, strict=True)
        meld, other = (a.game.melds[a.maker.alike[component][1].get(id, id)] for a, id in sides)
        allowed = zip(origins, common_origins(meld, other), strict=True)
        return Laid(meld.id, tuple(known or next(o for o in USUAL if o in some) for known, some in allowed))

    def _joined(self, deck: int, situations: list[Situation]) -> Hand:
        game, counts = self.game, [0] * len(self.game.kinds)
        laid: list[Laid] = []
        last = (WILD, OWN_DRAW) if self.wilds.last else None
        for index, (part, situation) in enumerate(zip(game.components, situations, strict=True)):
            for kind, number in zip(part, situation.counts, strict=True):
                counts[kind] = number
            if situation.last is not None:
                last = (part[situation.last[0]], situation.last[1])
            laid += (self._exposed(deck, index, shared) for shared in situation.laid)
        concealed = self.wilds.number - self.wilds.last
        return Hand(game.roles[0], tuple(laid), tuple(counts), last, wilds=concealed)


def _reached(blocks: list[_Block], kinds: Ints, pairs: int) -> Layer:
    """Where steps lead."""
    every = [np.unique(block.kind + kinds[block.letters]) for block in blocks]
    found = np.unique(np.concatenate(every)) if every else np.empty(0, np.int64)
    marked = np.zeros((len(found), pairs), np.bool_)
    for block in blocks:
        marked[np.searchsorted(found, block.kind + kinds[block.letters]), block.following] = True
    marked[:, DEAD] = False
    layer = {kind: np.flatnonzero(row) for kind, row in zip(found.tolist(), marked, strict=True)}
    return {kind: own for kind, own in layer.items() if len(own)}


def _closed(maker: SituationMaker, size: int) -> list[_Closed]:
    """What closed hands hold of each component, and how often."""
    machines = tuple(Shaped(side) for side in maker.sides)
    found = []
    for letters in component_letters(maker.deck, machines, (size, size)):
        columns = np.array([(tiles, tiles, 0, *faces) for tiles, faces in letters], np.int64)
        counts = np.array([(hands, deals) for hands, deals, _ in letters.values()], object)
        found.append(_Closed(columns.reshape(-1, 5), counts.reshape(-1, 2)))
    return found
