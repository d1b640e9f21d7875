"""听: what a waiting hand waits for, and the wait types it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.hand import Hand, tile_name
from ..core.model import OWN_DRAW
from .automaton import Automaton
from .awaited import Wait

if TYPE_CHECKING:
    from .compiled import Compiled

OTHERS = ("他摸", "他打")


@dataclass(frozen=True, slots=True)
class Waits:
    """The awaited tiles of a hand, in deck order.

    `own` gives the verdict of each as an own draw, `others` the verdict from other players, where the
    tile completes the hand too.
    """

    compiled: Compiled
    hand: Hand
    own: tuple[Wait, ...]
    others: tuple[Wait, ...]
    types: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"waits": [self._entry(w) for w in self._firsts()], "types": list(self.types)}

    def _firsts(self) -> list[Wait]:
        """One entry a tile: the own draw, or another's where only that completes the hand."""
        known = {w.kind for w in self.own}
        rest = {w.kind: w for w in reversed(self.others) if w.kind not in known}
        return sorted([*self.own, *rest.values()], key=lambda w: w.kind)

    def _entry(self, wait: Wait) -> dict[str, Any]:
        entry = {"tile": tile_name(self.compiled.game, wait.kind, self.hand.context), **_judged(wait)}
        entry["others"] = [_judged(w) for w in self.others if w.kind == wait.kind and w is not wait]
        return entry


def _judged(wait: Wait) -> dict[str, Any]:
    final = wait.final
    return {
        "from": wait.origin,
        "verdict": "win" if final.win else "false_win",
        "score": final.score,
        "names": list(final.names),
    }


def waits_of(compiled: Compiled, hand: Hand) -> Waits:
    """All waits of a hand that is one tile short."""
    found = compiled.waits(hand, (OWN_DRAW, *OTHERS))
    return Waits(
        compiled,
        hand,
        tuple(w for w in found if w.origin == OWN_DRAW),
        tuple(w for w in found if w.origin != OWN_DRAW),
        tuple(name for name, automaton in compiled.of(hand).wait_types.items() if has_shape(automaton, hand)),
    )


def has_shape(automaton: Automaton, hand: Hand) -> bool:
    """Can all tiles be arranged in the automaton's shape?"""
    state, _ = automaton.run(automaton.rows(hand))
    return state.complete
