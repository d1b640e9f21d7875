"""A hand as strips of card: what a page draws, free of how it draws it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dsl.core.hand import is_red
from dsl.core.model import Game

from ..findings import ShownMeld


@dataclass(frozen=True, slots=True)
class Card:
    """One strip: its face, its colour, and where it came from when that is told."""

    face: str
    red: bool
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie together, with a word above and a price below."""

    cards: tuple[Card, ...]
    name: str = ""
    price: str = ""
    kind: str = ""
    """`laid`, `last`, or nothing."""


def hand_piles(game: Game, hand: Mapping[str, Any]) -> list[Pile]:
    """A hand in its JSON form: exposed melds, concealed tiles by component, the last tile."""
    piles = [_laid_pile(game, laid) for laid in hand.get("laid", ())]
    held: dict[int, list[str]] = {}
    for face in hand.get("hand", ()):
        held.setdefault(game.component_of[game.kind_index[face]], []).append(face)
    piles += [Pile(cards(game, held[part])) for part in sorted(held)]
    last = hand.get("last")
    if last is not None:
        piles.append(Pile(cards(game, [last["tile"]], [last["from"]]), kind="last"))
    return piles


def _laid_pile(game: Game, laid: Mapping[str, Any]) -> Pile:
    origins = [o if o != game.hand_origin else "" for o in laid.get("origins", ())]
    return Pile(cards(game, laid["tiles"], origins), str(laid.get("meld", "")), kind="laid")


def cards(game: Game, faces: Sequence[str], origins: Sequence[str] = ()) -> tuple[Card, ...]:
    told = [*origins, *[""] * (len(faces) - len(origins))]
    return tuple(Card(face, _red(game, face), origin) for face, origin in zip(faces, told, strict=True))


def _red(game: Game, face: str) -> bool:
    index = game.kind_index.get(face)
    return index is not None and is_red(game, index)


def meld_piles(game: Game, melds: Iterable[ShownMeld]) -> list[Pile]:
    """An arrangement; a meld without a price has a question mark."""
    return [Pile(cards(game, m.tiles), m.name, _price(m.points)) for m in melds]


def _price(points: tuple[int | None, ...]) -> str:
    return "/".join("?" if p is None else str(p) for p in points)


def judged_piles(game: Game, melds: Iterable[Mapping[str, Any]]) -> list[Pile]:
    """The arrangement of a verdict, as its JSON form spells it."""
    return [Pile(cards(game, m["tiles"]), str(m["type"]), str(m["score"])) for m in melds]
