"""Every waiting hand sorted by the named waits it has: one sweep over the deck answers all questions."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Counts per kind of the one with most of the early kinds."""


def wait_classes(compiled: Compiled) -> tuple[WaitClass, ...]:
    """All hands of `game.finished - 1` concealed tiles that wait or have a named wait."""
    game = compiled.game
    machines: list[Machine] = [waiting(compiled), *map(Shaped, compiled.wait_types.values())]
    found: dict[tuple[bool, ...], tuple[int, tuple[int, ...]]] = {}
    for states, reached in search(game, tuple(machines), game.finished - 1).items():
        face = tuple(m.accepts(s) for m, s in zip(machines, states, strict=True))
        if any(face):
            hands, first = found.get(face, (0, ()))
            found[face] = hands + reached.hands, max(first, whole(reached.first, game))
    names = [wait.name for wait in game.waits]
    return tuple(
        WaitClass(face[0], frozenset(n for n, yes in zip(names, face[1:], strict=True) if yes), *counted)
        for face, counted in sorted(found.items(), reverse=True)
    )
