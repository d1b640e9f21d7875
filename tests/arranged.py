"""Random hands made of melds that fill the shape, so that most of them are near a win."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.core.hand import Hand, Laid, can_lie, read_hand, to_json
from dsl.core.model import Game, Meld


class Arranger:
    """Makes hands of a game. Every type of meld is as likely as any other, however many melds it has."""

    def __init__(self, game: Game) -> None:
        self.game = game
        types: dict[int, list[Meld]] = {}
        for meld in game.melds:
            if meld.base is None and not meld.wilds and any(meld.type.gives):
                types.setdefault(meld.type.index, []).append(meld)
        self.types = list(types.values())

    def hands(self, number: int, seed: int, wanted: Sequence[Meld] = ()) -> Iterator[Hand]:
        """At most so many hands, each with one of the melds that are wanted."""
        chance = random.Random(seed)
        for _ in range(number):
            melds = self._melds(chance, [chance.choice(wanted)] if wanted else [])
            hand = None if melds is None else self._held(chance, melds)
            read = None if hand is None else read_hand(self.game, to_json(self.game, hand))[0]
            if read is not None:
                yield replace(read, declared=None)

    def _melds(self, chance: random.Random, melds: list[Meld]) -> list[Meld] | None:
        """Melds that fill the shape, after those that are given; None when it does not work out."""
        need, left = list(self.game.win.shape), [k.copies for k in self.game.kinds]
        for meld in melds:
            self._take(meld, need, left)
        while min(need) >= 0 and min(left) >= 0:
            if not any(need):
                return melds
            fitting = [own for own in self.types if all(map(int.__le__, own[0].type.gives, need))]
            chosen = chance.choice(fitting) if fitting else []
            free = [m for m in chosen if all(left[k] >= n for k, n in m.counts)]
            if not free:
                return None
            melds.append(chance.choice(free))
            self._take(melds[-1], need, left)
        return None

    def _take(self, meld: Meld, need: list[int], left: list[int]) -> None:
        for dim, number in enumerate(meld.type.gives):
            need[dim] -= number
        for kind, number in meld.counts:
            left[kind] -= number

    def _held(self, chance: random.Random, melds: list[Meld]) -> Hand | None:
        """The melds in a hand: what cannot be concealed lies, one tile may be the last."""
        game, laid, last = self.game, [], None
        counts = [0] * len(game.kinds)
        for meld in melds:
            foreign = [s for s in meld.slots if game.hand_origin not in s.origins]
            lies = meld.type.locked and can_lie(game, meld)
            hidden = not meld.type.laid_only and (not foreign or (len(foreign) == 1 and last is None))
            if lies and (not hidden or chance.random() < 0.3):
                laid.append(Laid(meld.id, tuple(chance.choice(sorted(s.origins)) for s in meld.slots)))
                continue
            for slot in meld.slots:
                if slot in foreign and last is None:
                    last = slot.kind, chance.choice(sorted(slot.origins))
                else:
                    counts[slot.kind] += 1
        role = chance.choice(game.roles)
        if last is None and (chance.random() < 0.9 or game.dealt[role] < game.finished) and any(counts):
            kind = chance.choice([k for k, n in enumerate(counts) if n])
            counts[kind] -= 1
            last = kind, chance.choice(("自摸", "他摸", "他打"))
        context = {p.name: chance.choice(p.values) for p in game.parameters if chance.random() < 0.5}
        return Hand(role, tuple(laid), tuple(counts), last, context)
