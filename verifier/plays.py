"""Plays of a trick game as an author names them, by their tiles, and what two rulesets rank otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from dsl.core.model import Game
from dsl.core.ranks import Place, higher, plays

from .findings import Words

Tiles = tuple[str, ...]
"""Names of tiles, in the order of the deck."""

Play = frozenset[Place]
"""Where the plays stand that some tiles make; mostly one place."""


def by_tiles(game: Game) -> dict[Tiles, Play]:
    """Every choice of tiles that makes a play, in the order of the melds."""
    found: dict[Tiles, Play] = {}
    for meld, place in plays(game):
        tiles = tuple(game.kinds[kind].name for kind, number in meld.counts for _ in range(number))
        found[tiles] = found.get(tiles, frozenset()) | {place}
    return found


def beating(mine: Play, theirs: Play) -> bool:
    """Do the tiles beat the others, as one of the plays they make?"""
    return any(higher(a, b) for a, b in product(mine, theirs))


# ---------------------------------------------------------------- two rulesets

Relation = Literal["equal", "overlap"]
SHOWN = 3
"""Pairs that a sentence lists."""


def compared(left: Game, right: Game) -> tuple[Relation, Words] | None:
    """Do both rank all plays alike? None where neither ranks any. Pairs that differ are counted."""
    if not left.ranks and not right.ranks:
        return None
    one, other = by_tiles(left), by_tiles(right)
    alone = [tiles for tiles in (*one, *other) if (tiles in one) != (tiles in other)]
    pairs = list(_differing(one, other))
    if not alone and not pairs:
        many = len(one)
        return "equal", (f"{many} 手出牌，谁盖谁两边都一样", f"{many} plays, and each beats the same ones")
    return "overlap", _told(pairs, alone, set(one))


def _differing(one: dict[Tiles, Play], other: dict[Tiles, Play]) -> Iterator[tuple[Tiles, Tiles, bool]]:
    """Plays both know of which the first beats the second on one side only, and whether on the left."""
    both = [tiles for tiles in one if tiles in other]
    seen: dict[tuple[Play, Play], list[Tiles]] = {}
    for tiles in both:
        seen.setdefault((one[tiles], other[tiles]), []).append(tiles)
    for (a, x), (b, y) in product(seen, repeat=2):
        if beating(a, b) != beating(x, y):
            yield from ((m, n, beating(a, b)) for m in seen[a, x] for n in seen[b, y])


def _told(pairs: list[tuple[Tiles, Tiles, bool]], alone: list[Tiles], left: set[Tiles]) -> Words:
    zh, en = [], []
    if pairs:
        listed = [(_joined(a), _joined(b), on_left) for a, b, on_left in pairs[:SHOWN]]
        more = "" if len(pairs) <= SHOWN else " …"
        zh.append(
            f"{len(pairs)} 对不同："
            + "；".join(f"{a} 盖 {b} 只在{'左' if x else '右'}边" for a, b, x in listed)
            + more
        )
        en.append(
            f"{len(pairs)} pairs differ: "
            + "; ".join(f"{a} beats {b} on the {'left' if x else 'right'} only" for a, b, x in listed)
            + more
        )
    if alone:
        first, side = _joined(alone[0]), alone[0] in left
        zh.append(f"{len(alone)} 手只有一边有，如{'左' if side else '右'}边的 {first}")
        which = "left" if side else "right"
        en.append(f"{len(alone)} plays are known to one side only, such as {first} on the {which}")
    return "；".join(zh), "; ".join(en)


def _joined(tiles: Tiles) -> str:
    return " ".join(tiles)
