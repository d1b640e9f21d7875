"""All hands with some number of wild tiles: decks as a deal leaves them, machines that draw from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.deals import deals
from ..core.hand import Hand
from ..core.model import OWN_DRAW, WILD, Game
from .alike import moved
from .asked import contexts_asked
from .automaton import Automaton, State
from .compiled import Compiled
from .machines import Faces, Held, Machine, Settling, Shaped, ends_so, row_key, waiting, waiting_to
from .rows import RowMaker, Wilds

Context = Mapping[str, str]


def deck_in(game: Game, context: Context) -> Game:
    """The game with the natural tiles that this deal leaves in play: only good for asking what there is."""
    copies = game.copies_in(context)
    kinds = tuple(replace(kind, copies=n) for kind, n in zip(game.kinds, copies, strict=True))
    return replace(game, kinds=kinds)


@dataclass(frozen=True)
class Deal:
    """A deck as a deal leaves it; others leave it alike but for the names of faces."""

    deck: Game
    context: Context
    times: int
    """How many deals leave the deck so."""

    @property
    def most(self) -> int:
        """The most wild tiles a hand can have."""
        return 0 if self.deck.wild is None else self.deck.wild.copies


def different_deals(compiled: Compiled) -> list[Deal]:
    """The deals of a game, those together that differ only in the names of faces; one without wild tiles."""
    if compiled.game.wild is None:
        return [Deal(compiled.game, {}, 1)]
    groups: dict[Hashable, list[Context]] = {}
    for context in deals(compiled.game):
        groups.setdefault(face_of_deal([compiled], context), []).append(context)
    return [Deal(deck_in(compiled.game, group[0]), group[0], len(group)) for group in groups.values()]


def _complete(state: State) -> bool:
    return state.complete


def face_of_deal(sides: Sequence[Compiled], context: Context) -> Hashable:
    """What questions about games can tell of a deal: the component it touches, copies left, what is asked."""
    game = next((c.game for c in sides if c.game.wild is not None), sides[0].game)
    read = rows_of_deal(game, [c.every_outcome.maker for c in sides], context)
    asked = (atom for c in sides for atom in contexts_asked(c.game) if atom.parameter in context)
    return read, read and tuple(atom.value == context[atom.parameter] for atom in asked)


def rows_of_deal(game: Game, makers: Sequence[RowMaker], context: Context) -> Hashable:
    """What rows tell of a deal; None where it shows no face."""
    shown = game.shown_face(context)
    if shown is None:
        return None
    part = game.component_of[shown]
    here = [tuple(m.game.copies_in(context)[k] for k in m.game.components[part]) for m in makers]
    common = set.intersection(*({turn.places for turn in maker.turns(part)} for maker in makers))
    turned = max([moved(copies, places) for copies in here] for places in common)
    return tuple(maker.alike[part][0] for maker in makers), tuple(turned)


# ---------------------------------------------------------------- machines


@dataclass(frozen=True)
class Sought:
    """Hands of a role with so many concealed wild tiles, in a deck as a deal leaves it."""

    game: Compiled
    deal: Deal
    wilds: int
    role: str

    @property
    def compiled(self) -> Compiled:
        """The automata that read them."""
        return self.game.with_wilds(Wilds(self.wilds))

    @property
    def with_one_more(self) -> Compiled | None:
        """The automata that read them with one more wild tile, if there is one left."""
        left = self.wilds < self.deal.most
        return self.game.with_wilds(Wilds(self.wilds + 1, last=True)) if left else None

    def drawn(self, kind: int = 0) -> Hand:
        """The situation after an own draw of a natural tile, or of `WILD`."""
        return Hand(self.role, (), (), (kind, OWN_DRAW), self.deal.context)

    def waiting(self) -> Machine:
        """Those that some own draw completes, a wild one included."""
        natural, more = waiting(self.compiled, self.deal.deck), self.with_one_more
        return natural if more is None else Either(natural, WildDrawn(more.shaped))

    def waiting_for_wild(self) -> Machine:
        """Those that a wild tile completes."""
        more = self.with_one_more
        return Settled(False) if more is None else WildDrawn(more.shaped)

    def waiting_to(self, wins: bool) -> Machine:
        """Those that some own draw completes so that it is a win (or completes and is not one)."""
        natural, more = waiting_to(self.compiled, wins, self.drawn(), self.deal.deck), self.with_one_more
        if more is None:
            return natural
        return Either(natural, WildDrawn(more.wins, ends_so(more, self.drawn(WILD), wins)))

    def faces(self, limit: int, test: Callable[[int], bool]) -> Machine:
        """Those of which the number of faces that complete them passes, the wild tile being one of them."""
        natural, more = Faces(self.compiled.shaped, limit, test, self.deal.deck), self.with_one_more
        return natural if more is None else AllFaces(natural, WildDrawn(more.shaped))


def hands_sought(
    compiled: Compiled, role: str, most: int | None = None, context: Context | None = None
) -> Iterator[Sought]:
    """All hands: for every deal that is different, those with no wild tile, with one, and so on.

    `context`: what is known of the situation, perhaps the deal.
    """
    told = context or {}
    wild = compiled.game.wild
    if wild is not None and wild.parameter in told:
        every = [Deal(deck_in(compiled.game, told), told, 1)]
    else:
        every = [replace(deal, context={**told, **deal.context}) for deal in different_deals(compiled)]
    for deal in every:
        for wilds in range(deal.most + 1 if most is None else min(most, deal.most) + 1):
            yield Sought(compiled, deal, wilds, role)


class WildDrawn(Shaped):
    """Accepts hands that one more wild tile, drawn last, brings into a set of final states.

    The automaton counts that tile too.
    """

    def __init__(self, automaton: Automaton, goal: Callable[[State], bool] = _complete) -> None:
        super().__init__(automaton)
        self.goal = goal

    def letter(self, component: int, held: Held) -> int:
        key = row_key(self.automaton.game, component, held)
        return self.automaton.letter(key._replace(wild=OWN_DRAW))

    def accepts(self, state: State) -> bool:
        return self.goal(state)


@dataclass
class Settled:
    """Accepts every hand, or none."""

    answer: bool
    start: int = 0

    def face(self, component: int) -> int:
        return 0

    def letter(self, component: int, held: Held) -> int:
        return 0

    def step(self, state: int, letter: int) -> int:
        return 0

    def accepts(self, state: int) -> bool:
        return self.answer


@dataclass
class _Both:
    """Runs two machines side by side."""

    left: Machine
    right: Machine

    @property
    def start(self) -> tuple[Any, ...]:
        return self.left.start, self.right.start

    def face(self, component: int) -> int:
        left, right = self.left.face(component), self.right.face(component)
        return left if left == right else component

    def letter(self, component: int, held: Held) -> tuple[Any, ...]:
        return self.left.letter(component, held), self.right.letter(component, held)

    def step(self, state: Any, letter: Any) -> tuple[Any, ...]:
        return self.left.step(state[0], letter[0]), self.right.step(state[1], letter[1])


class Either(_Both):
    """Accepts what one of the machines accepts."""

    def accepts(self, state: Any) -> bool:
        return self.left.accepts(state[0]) or self.right.accepts(state[1])

    def settled(self, state: Any) -> bool | None:
        natural, wild = (
            part.settled(s) if isinstance(part, Settling) else None
            for part, s in zip((self.left, self.right), state, strict=True)
        )
        return _one_of(natural, wild)

    def settles(self, letter: Any) -> bool | None:
        natural, wild = (
            part.settles(own) if isinstance(part, Settling) else None
            for part, own in zip((self.left, self.right), letter, strict=True)
        )
        return _one_of(natural, wild)


def _one_of(left: bool | None, right: bool | None) -> bool | None:
    """Is one of two things true? None while that is open."""
    return left or right if left or right or left is right else None


@dataclass
class AllFaces(_Both):
    """As `Faces`, the wild tile being one more face."""

    left: Faces

    def accepts(self, state: Any) -> bool:
        return self.left.test(self.left.number(state[0]) + self.right.accepts(state[1]))
