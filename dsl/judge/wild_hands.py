"""All hands with some number of wild tiles: decks as a deal leaves them, machines that draw from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..core.model import OWN_DRAW, Game
from .compiled import Compiled
from .machines import Held, Machine, Shaped, waiting
from .rows import RowKey, Wilds


def deck_in(game: Game, context: Mapping[str, str]) -> Game:
    """The game with the natural tiles that this deal leaves in play: only good for asking what there is."""
    copies = game.copies_in(context)
    kinds = tuple(replace(kind, copies=n) for kind, n in zip(game.kinds, copies, strict=True))
    return replace(game, kinds=kinds)


class WildDrawn(Shaped):
    """Accepts hands that one more wild tile, drawn last, completes. The automaton counts that tile too."""

    def letter(self, component: int, held: Held) -> int:
        return self.automaton.letter(RowKey(component, held.counts, (), (), OWN_DRAW))


@dataclass
class Either:
    """Accepts what one of the machines accepts."""

    machines: tuple[Machine, ...]

    @property
    def start(self) -> tuple[Any, ...]:
        return tuple(m.start for m in self.machines)

    def face(self, component: int) -> int:
        faces = {m.face(component) for m in self.machines}
        return faces.pop() if len(faces) == 1 else component

    def letter(self, component: int, held: Held) -> tuple[Any, ...]:
        return tuple(m.letter(component, held) for m in self.machines)

    def step(self, state: Any, letter: Any) -> tuple[Any, ...]:
        return tuple(m.step(s, x) for m, s, x in zip(self.machines, state, letter, strict=True))

    def accepts(self, state: Any) -> bool:
        return any(m.accepts(s) for m, s in zip(self.machines, state, strict=True))


def waiting_with(compiled: Compiled, deck: Game, number: int) -> Machine:
    """Hands with so many wild tiles that some own draw from the deck completes, a wild one included."""
    natural = waiting(compiled.with_wilds(Wilds(number)), deck)
    if deck.wild is None or number >= deck.wild.copies:
        return natural
    return Either((natural, WildDrawn(compiled.with_wilds(Wilds(number + 1, last=True)).shaped)))
