"""How fast hands of decks are judged whose tiles hang together, from `Hand` objects, one thread, in process.

    python benchmarks/large.py

Hands are dealt at random, or made of melds at random so that they are complete. "First" are 2,000 of
them, tables empty; "unseen" further ones after those; "seen" the first ones again.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dsl import Game, Hand, load
from dsl.core.model import OWN_DRAW

ROOT = Path(__file__).resolve().parent.parent
FIRST, UNSEEN = 2_000, 4_000


def dealt(game: Game, chance: random.Random) -> Iterator[Hand]:
    deck = [k for k, kind in enumerate(game.core.kinds) for _ in range(kind.copies)]
    while True:
        yield drawn(game, chance.sample(deck, game.core.finished))


def complete(game: Game, chance: random.Random) -> Iterator[Hand]:
    core = game.core
    melds = [
        m for m in core.melds if not m.type.laid_only and all(core.hand_origin in s.origins for s in m.slots)
    ]
    while True:
        need, tiles = core.win.shape, list[int]()
        while any(need):
            fit = [m for m in melds if all(g <= n for g, n in zip(m.type.gives, need, strict=True))]
            meld = chance.choice(fit)
            need = tuple(n - g for g, n in zip(meld.type.gives, need, strict=True))
            tiles += meld.tiles
        held = all(tiles.count(k) <= kind.copies for k, kind in enumerate(core.kinds))
        if held and len(tiles) == core.finished:
            yield drawn(game, chance.sample(tiles, len(tiles)))


def drawn(game: Game, tiles: list[int]) -> Hand:
    """The tiles, the last one drawn."""
    *own, last = tiles
    counts = tuple(own.count(k) for k in range(len(game.core.kinds)))
    return Hand(game.core.roles[-1], (), counts, (last, OWN_DRAW))


def rate(game: Game, hands: list[Hand]) -> float:
    start = time.perf_counter()
    for hand in hands:
        game.judge(hand)
    return len(hands) / (time.perf_counter() - start)


def main() -> None:
    for name in ("yao", "er", "t80"):
        for make in (dealt, complete):
            game = load(str(ROOT / f"tests/field/{name}.pai"))
            chance = random.Random(7)
            hands = [hand for hand, _ in zip(make(game, chance), range(FIRST + UNSEEN), strict=False)]
            first, unseen, seen = (rate(game, h) for h in (hands[:FIRST], hands[FIRST:], hands[:FIRST]))
            print(
                f"{game.name:<8} {make.__name__:<10} first {first:>9,.0f}/s   unseen {unseen:>9,.0f}/s   "
                f"seen {seen:>9,.0f}/s",
                flush=True,
            )


if __name__ == "__main__":
    main()
