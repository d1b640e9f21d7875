"""Hands to measure with: near-complete ones from a fixed seed, as a judge meets them."""

from __future__ import annotations

import random

from dsl import Game, Hand


def hands(game: Game, number: int, seed: int = 1) -> list[Hand]:
    """Finished hands of five units and two 口, all concealed, the last tile drawn by anybody."""
    chance, found = random.Random(seed), list[Hand]()
    while len(found) < number:
        counts = [0] * len(game.core.kinds)
        for _ in range(5):
            group = chance.randrange(8) * 3
            for kind in (
                [group, group + 1, group + 2] if chance.random() < 0.6 else [group + chance.randrange(3)] * 3
            ):
                counts[kind] += 1
        for _ in range(2):
            group = chance.randrange(8) * 3
            for offset in chance.sample(range(3), 2):
                counts[group + offset] += 1
        if chance.random() < 0.3:
            _spoil(counts, chance)
        if max(counts) <= 4:
            last = chance.choice([k for k, n in enumerate(counts) if n])
            counts[last] -= 1
            origin = chance.choice(["自摸", "他摸", "他打"])
            found.append(Hand(chance.choice(game.core.roles), (), tuple(counts), (last, origin)))
    return found


def _spoil(counts: list[int], chance: random.Random) -> None:
    """Move one tile, so that most such hands are not complete."""
    counts[chance.choice([k for k, n in enumerate(counts) if n])] -= 1
    counts[chance.randrange(len(counts))] += 1
