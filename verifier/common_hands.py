"""The hands that two rulesets are compared on, in parts: deal by deal, by how many wild tiles they have."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb

from dsl.core.deals import deals
from dsl.core.model import Game, Parameter
from dsl.judge.compiled import Compiled
from dsl.judge.rows import Wilds
from dsl.judge.wild_hands import face_of_deal

Context = Mapping[str, str]

ANY_LAST = 1
"""Wild tiles with which a hand's last tile may come from anywhere; with more it is drawn, and not wild.

Automata that tell where the last tile lies grow with every wild tile.
"""

MOST_DEALS = 12
"""Different deals that are worked through, one after the other."""


@dataclass(frozen=True)
class Part:
    """Hands with as many wild tiles in decks that are alike."""

    deck: Game
    """The left game with the natural tiles that both sides have in play."""
    deal: Context
    """One of those that leave the deck so."""
    contexts: tuple[Context, ...]
    """Those a hand can be held in, the deal among them."""
    times: int
    """How many deals do."""
    share: Fraction
    """The chance of a hand for each way to deal its natural tiles."""
    wilds: Wilds

    @property
    def any_last(self) -> bool:
        """May the last tile come from anywhere?"""
        return self.wilds.number <= ANY_LAST

    @property
    def key(self) -> Hashable:
        """What of it a search depends on."""
        return tuple(kind.copies for kind in self.deck.kinds), self.wilds


def parts(left: Compiled, right: Compiled) -> Iterator[Part]:
    """Without wild tiles first; each part has other hands than the others."""
    free = tuple(_contexts(left.game, right.game))
    found = _decks(left, right)
    number = sum(times for _, _, times in found)
    most = min(_most(left.game), _most(right.game))
    held = max(_most(left.game), _most(right.game))
    for wilds in range(most + 1):
        for last in (False, True) if 0 < wilds <= ANY_LAST else (False,):
            for deck, deal, times in found:
                contexts = tuple({**context, **deal} for context in free)
                dealt = comb(sum(k.copies for k in deck.kinds) + held, left.game.finished)
                share = Fraction(times * comb(held, wilds), number * dealt)
                yield Part(deck, deal, contexts, times, share, Wilds(wilds, last))


def _most(game: Game) -> int:
    return 0 if game.wild is None else game.wild.copies


def _decks(left: Compiled, right: Compiled) -> list[tuple[Game, Context, int]]:
    """Decks that differ, a deal that leaves each so, and how many deals do."""
    decider = left.game if left.game.wild is not None else right.game
    groups: dict[Hashable, list[Context]] = {}
    for deal in deals(decider):
        face = face_of_deal((left, right), deal)
        groups.setdefault(face, []).append(deal)
    return [(_deck(left.game, right.game, group[0]), group[0], len(group)) for group in groups.values()]


def _deck(left: Game, right: Game, deal: Context) -> Game:
    copies = map(min, left.copies_in(deal), right.copies_in(deal))
    kinds = tuple(replace(kind, copies=n) for kind, n in zip(left.kinds, copies, strict=True))
    return left if kinds == left.kinds else replace(left, kinds=kinds)


def _contexts(left: Game, right: Game) -> Iterator[dict[str, str]]:
    """Every choice of contexts but the deal, usual values left out.

    Values that only one side knows cannot be compared.
    """
    deciding = {g.wild.parameter for g in (left, right) if g.wild is not None}
    known: dict[str, list[Parameter]] = {}
    for parameter in (*left.parameters, *right.parameters):
        if parameter.name not in deciding:
            known.setdefault(parameter.name, []).append(parameter)
    usual = {name: {p.values[0] for p in both} for name, both in known.items()}
    shared = [[v for v in both[0].values if all(v in p.values for p in both)] for both in known.values()]
    for values in product(*shared):
        yield {n: v for n, v in zip(known, values, strict=True) if usual[n] != {v}}


# ---------------------------------------------------------------- what cannot be compared


def other_wilds(left: Compiled, right: Compiled) -> tuple[str, str] | None:
    """Why the wild tiles of both games are not the same tiles, or too many deals differ."""
    wilds = [game.wild for game in (left.game, right.game) if game.wild is not None]
    if len({(w.own, w.name if w.own else None, w.parameter) for w in wilds}) > 1:
        return "两边的赖子不是一样的牌，没法对着看", "other tiles are wild on either side, so no comparing"
    if len(_decks(left, right)) > MOST_DEALS:
        return (
            "条件里问到翻出的是哪张，要比的翻法太多",
            "conditions ask which tile is turned up: too many deals would have to be compared",
        )
    return None


def bounds(left: Game, right: Game) -> tuple[str, str]:
    """What of the hands with wild tiles is compared; nothing to say where there are none."""
    if left.wild is None and right.wild is None:
        return "", ""
    if left.wild is None or right.wild is None:
        name = next(game.wild.name for game in (left, right) if game.wild is not None)
        return (
            f"；只比手里没有 {name} 的，每种开局都比",
            f"; only hands without {name}, in every deal",
        )
    return (
        f"；每种开局、手里每种 {left.wild.name} 的张数都比，有 {left.wild.name} 的手没有摆出的牌，"
        f"过了 {ANY_LAST} 张的只看末张是自摸来的别的牌",
        f"; every deal and number of {left.wild.name}, with one of which no meld lies exposed, and with more "
        f"than {ANY_LAST} of which the last tile is drawn and another",
    )
