"""Every waiting hand sorted by the named waits it has: one sweep over the deck answers all questions."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core.hand import Laid
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Machine, Shaped, search, waiting, whole


@dataclass(frozen=True, slots=True)
class WaitClass:
    """Hands one tile short that have exactly these named waits."""

    waits: bool
    """Some tile completes them."""
    names: frozenset[str]
    hands: int
    first: tuple[int, ...]
    """Concealed tiles, counts per kind, of the one with most of the early kinds."""
    laid: tuple[Laid, ...] = ()
    """Its exposed melds."""


_First = tuple[tuple[int, ...], tuple[Laid, ...]]


def wait_classes(compiled: Compiled) -> tuple[WaitClass, ...]:
    """All hands of `game.waiting` tiles that wait or have a named wait.

    They are concealed, but for melds whose extra tile was the last one: without those few hands wait.
    """
    game = compiled.game
    machines: list[Machine] = [waiting(compiled), *map(Shaped, compiled.wait_types.values())]
    laid = frozenset(t.index for t in game.types if t.by_last)
    found: dict[tuple[bool, ...], tuple[int, _First]] = {}
    for states, reached in search(game, tuple(machines), game.waiting, laid).items():
        face = tuple(m.accepts(s) for m, s in zip(machines, states, strict=True))
        if any(face):
            hands, first = found.get(face, (0, ((), ())))
            own = whole(reached.first, game), tuple(entry for part in reached.first for entry in part.laid)
            found[face] = hands + reached.hands, max(first, own, key=lambda pair: pair[0])
    names = [wait.name for wait in game.waits]
    return tuple(
        WaitClass(face[0], frozenset(n for n, yes in zip(names, face[1:], strict=True) if yes), hands, *first)
        for face, (hands, first) in sorted(found.items(), key=lambda item: item[0], reverse=True)
    )
