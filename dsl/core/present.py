"""现分: what the melds that a hand has now come to by the first score table, before it is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .model import OWN, Game, Meld

Pattern = tuple[tuple[int, ...], int, int]
"""Tiles of each kind of a component, the points of a meld of them, and what the marked tile adds."""


def present_score(game: Game, counts: tuple[int, ...], laid: Iterable[int], marked: int | None) -> int:
    """The most that melds of these concealed natural tiles come to, with exposed ones.

    `laid` are ids of melds, `marked` is the face of the player's marked tile. Tiles that are in no meld come
    to nothing; halves and pairs are melds too, as many as there are.
    """
    total = gain = 0
    for part, kinds in enumerate(game.components):
        face = marked if marked in kinds else None
        plain, with_mark = _best(game, part, face, tuple(counts[kind] for kind in kinds))
        total += plain
        gain = max(gain, with_mark - plain)
    for meld in laid:
        total += _points(game.melds[meld])
        added = _added(game, game.melds[meld], marked)
        if game.mark is not None and game.mark.every:
            total += added
        else:
            gain = max(gain, added)
    return total + gain


def _best(game: Game, part: int, marked: int | None, held: tuple[int, ...]) -> tuple[int, int]:
    """The most points of melds of these tiles, without the marked tile in one and with it."""
    key = ("present score", part, marked, held)
    return game.memo.of(key, lambda: _found(game, part, marked, held))


def _found(game: Game, part: int, marked: int | None, held: tuple[int, ...]) -> tuple[int, int]:
    first = next((i for i, n in enumerate(held) if n), None)
    if first is None:
        return 0, 0
    best = _best(game, part, marked, (*held[:first], held[first] - 1, *held[first + 1 :]))
    for tiles, points, added in _patterns(game, part, marked):
        rest = tuple(h - t for h, t in zip(held, tiles, strict=True))
        if tiles[first] and min(rest) >= 0:
            plain, with_mark = _best(game, part, marked, rest)
            best = max(best[0], points + plain), max(best[1], points + max(plain + added, with_mark))
    return best


def _patterns(game: Game, part: int, marked: int | None) -> tuple[Pattern, ...]:
    key = ("present patterns", part, marked)
    return game.memo.of(key, lambda: tuple(dict.fromkeys(_concealed(game, part, marked))))


def _concealed(game: Game, part: int, marked: int | None) -> Iterator[Pattern]:
    """Every meld of the component that concealed natural tiles make and that has a price."""
    kinds = game.components[part]
    for meld in game.melds:
        if meld.wilds or not meld.slots or meld.base is not None or meld.type.laid_only:
            continue
        if meld.tiles[0] in kinds and all(slot.origins & OWN for slot in meld.slots):
            tiles, added = tuple(meld.tiles.count(kind) for kind in kinds), _added(game, meld, marked)
            every = game.mark is not None and game.mark.every
            yield tiles, _points(meld) + added * every, 0 if every else added


def _points(meld: Meld) -> int:
    price = meld.prices[0].points if meld.prices else None
    return price or 0


def _added(game: Game, meld: Meld, marked: int | None) -> int:
    """What the marked tile adds to the meld when it lies in it."""
    twin = None if marked is None else game.with_mark.get((meld.id, marked))
    return 0 if twin is None else _points(twin) - _points(meld)
