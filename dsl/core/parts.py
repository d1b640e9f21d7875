"""How a game falls into parts: components of its deck, melds inside larger ones."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Game, Kind, Meld, MeldType, NamedWin


def index_of(kinds: Iterable[Kind]) -> dict[str, int]:
    """The place of the kind that a word names; its names first, then other ways to write it."""
    kinds = list(kinds)
    found = {kind.name: i for i, kind in enumerate(kinds)}
    return found | {word: i for i, kind in enumerate(kinds) for word in sorted(kind.aliases)}


def names_by_word(names: Iterable[NamedWin]) -> dict[str, str]:
    """The named win that a word calls; their names first, then aliases."""
    names = list(names)
    return {word: n.name for n in names for word in sorted(n.aliases)} | {n.name: n.name for n in names}


def is_called(meld_type: MeldType, names: tuple[str, ...]) -> bool:
    """Has the type one of these names, or is it a variant of one?"""
    return any(meld_type.name == n or meld_type.name.startswith(n + ".") for n in names)


def usual_size(game: Game) -> int:
    """Tiles of the largest deal; where any size is judged, the next number of tiles that melds can have."""
    own = {apart.role for apart in game.apart}
    dealt = max((game.dealt[role] for role in game.roles if role not in own), default=0)
    step = gcd(*(len(m.tiles) - m.type.extra for m in game.melds)) if game.any_size else 1
    return dealt if step < 2 else -(-dealt // step) * step


def contains(large: Meld, small: Meld) -> bool:
    """Has the larger meld all natural tiles of the smaller one, and more?"""
    have = dict(large.counts)
    return len(large.tiles) > len(small.tiles) and all(have.get(k, 0) >= n for k, n in small.counts)


def tiles_in_play(game: Game) -> int:
    """Tiles of the whole deck, wild ones included."""
    return sum(kind.copies for kind in game.kinds) + (0 if game.wild is None else game.wild.copies)


def components_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """Kinds split so that every meld, every group and whatever is tied lies inside one part; each sorted."""
    parent = list(range(len(game.kinds)))

    def root(kind: int) -> int:
        while parent[kind] != kind:
            kind = parent[kind]
        return kind

    ties = [tuple(k for k, _ in meld.counts) for meld in game.melds]
    for tie in [*ties, *(group.kinds for group in game.groups), *game.tied]:
        for kind in tie[1:]:
            low, high = sorted((root(tie[0]), root(kind)))
            parent[high] = low
    parts: dict[int, list[int]] = {}
    for kind in range(len(game.kinds)):
        parts.setdefault(root(kind), []).append(kind)
    return tuple(tuple(part) for part in parts.values())
