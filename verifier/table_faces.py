"""Faces of the deck that questions about the table cannot tell apart: one of them is asked about for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from dsl.core.flow import Flow, Given, Local, LocalAnd, LocalNot, LocalOr, TileIn, TileNamed
from dsl.core.model import Game

from .symmetry import built

Classes = frozenset[frozenset[int]]
"""Classes of faces that conditions speak of."""


def faces_to_ask(game: Game, conditions: tuple[Local, ...], wins: bool) -> tuple[int, ...]:
    """The first face of every class. `wins`: may the question ask for a win, so that prices matter?"""
    if any(_names_faces(game, part) for part in conditions):
        return tuple(range(len(game.kinds)))
    classes = frozenset(a.kinds for c in conditions for a in local_atoms(c) if isinstance(a, TileIn))

    def find() -> tuple[int, ...]:
        first: list[int] = []
        for kind in range(len(game.kinds)):
            if not any(_alike(game, other, kind, classes, wins) for other in first):
                first.append(kind)
        return tuple(first)

    return game.memo.of(("faces to ask", classes, wins), find)


def _alike(game: Game, a: int, b: int, classes: Classes, wins: bool) -> bool:
    """Does some exchange of faces that changes nothing put one in the place of the other?"""
    turns = game.wild is None or game.wild.parameter is None  # else the next face in its group counts
    one, other = (game.components[game.component_of[k]] for k in (a, b))
    if one == other:
        swaps = [{a: b, b: a}] if turns else []
    elif len(one) == len(other):
        swap = {**dict(zip(one, other, strict=True)), **dict(zip(other, one, strict=True))}
        swaps = [swap | _turned(swap, a, b)] if turns or swap[a] == b else []
    else:
        return False
    return any(_changes_nothing(game, swap, classes, wins) for swap in swaps)


def _turned(swap: dict[int, int], a: int, b: int) -> dict[int, int]:
    """The exchange of two components with a going to b, and what went there to where a did."""
    there, here = swap[a], swap[b]
    return {here: there, there: here, a: b, b: a}


def _names_faces(game: Game, condition: Local) -> bool:
    """Does it speak of the face that a circumstance names?"""
    atoms = tuple(local_atoms(condition))
    named = any(isinstance(atom, Given) and atom.value in game.kind_index for atom in atoms)
    return named or any(isinstance(atom, TileNamed) for atom in atoms)


def _changes_nothing(game: Game, swap: dict[int, int], classes: Classes, wins: bool) -> bool:
    for a, b in swap.items():
        one, other = game.kinds[a], game.kinds[b]
        if one.copies != other.copies or (
            wins and (one.classes, one.values) != (other.classes, other.values)
        ):
            return False
        if _group(game, a, swap) != _group(game, b, {}):
            return False
    if any({swap.get(k, k) for k in kinds} != kinds for kinds in classes):
        return False
    known = _known(game, wins)
    part = {k for kind in swap for k in game.components[game.component_of[kind]]}
    near = (m for m in game.melds if m.tiles and m.tiles[0] in part)
    return all((built(game, m, swap), m.prices if wins else ()) in known for m in near)


def _group(game: Game, kind: int, swap: dict[int, int]) -> Hashable:
    group = game.kinds[kind].group
    return None if group is None else frozenset(swap.get(k, k) for k in game.groups[group].kinds)


def _known(game: Game, wins: bool) -> frozenset[Hashable]:
    def find() -> frozenset[Hashable]:
        return frozenset((built(game, m, {}), m.prices if wins else ()) for m in game.melds)

    return game.memo.of(("melds as built", wins), find)


# ---------------------------------------------------------------- conditions


def local_atoms(condition: Local) -> Iterator[Local]:
    """The conditions it is made of."""
    match condition:
        case LocalNot(part):
            yield from local_atoms(part)
        case LocalAnd(parts) | LocalOr(parts):
            for part in parts:
                yield from local_atoms(part)
        case _:
            yield condition


def conditions_of(flow: Flow) -> tuple[Local, ...]:
    """Every condition of the flow that is asked of a tile on offer or about to be let go."""
    asked = [r.where for r in flow.responses.values()] + [a.where for a in flow.announcements.values()]
    asked += [v.where for v in flow.vetoes] + [b.where for b in flow.bans] + [t.where for t in flow.told]
    calls = [v.call for v in flow.vetoes] + [b.call for b in flow.bans]
    return tuple(dict.fromkeys((*asked, *(call.where for call in calls if call is not None))))
