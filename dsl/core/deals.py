"""Which deals leave the tiles of a hand in play, where the deal decides which tile is wild."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .model import Game


def deals(game: Game) -> Iterator[dict[str, str]]:
    """Every value of the parameter that decides the wild tile; one empty context where nothing does."""
    wild = game.wild
    if wild is None or wild.parameter is None:
        yield {}
        return
    parameter = next(p for p in game.parameters if p.name == wild.parameter)
    yield from ({parameter.name: value} for value in parameter.values)


def fitting(game: Game, tiles: Mapping[int, int]) -> dict[str, str]:
    """The first deal under which these natural tiles (kind to number) are in play.

    Where no deal is, the first one: the hand is then refused when it is read.
    """
    found = list(deals(game))
    for context in found:
        copies = game.copies_in(context)
        if all(number <= copies[kind] for kind, number in tiles.items() if kind < len(copies)):
            return context
    return found[0]
