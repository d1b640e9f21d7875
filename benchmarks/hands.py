"""Hands to measure with: near-complete ones from a fixed seed, as a judge meets them."""

from __future__ import annotations

import random

from dsl import Game, Hand
from dsl.core.deals import deals


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


def with_wilds(game: Game, number: int, seed: int = 1) -> list[Hand]:
    """The same hands in deals that leave their tiles in play, up to four of their tiles made wild."""
    chance, found = random.Random(seed), list[Hand]()
    every = list(deals(game.core))
    assert game.core.wild is not None
    for hand in hands(game, 12 * number, seed):
        context, wilds = chance.choice(every), chance.choice([0, 1, 1, 2, 2, 3, 4])
        counts = list(hand.counts)
        for _ in range(wilds):
            counts[chance.choice([k for k, n in enumerate(counts) if n])] -= 1
        copies = game.core.copies_in(context)
        assert hand.last is not None
        held = [n + (k == hand.last[0]) for k, n in enumerate(counts)]
        if all(n <= c for n, c in zip(held, copies, strict=True)) and len(found) < number:
            found.append(Hand(hand.role, (), tuple(counts), hand.last, context, None, wilds))
    return found
