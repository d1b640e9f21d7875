"""An independent check that an arrangement is what it claims to be.

Shares no code with the search: it counts tiles, looks at each meld's places, and adds up the shape.
"""

from __future__ import annotations

from collections import Counter

from ..core.evaluate import Arrangement
from ..core.hand import Hand, tiles_of
from ..core.model import WILD, Game, Meld


def faults(game: Game, hand: Hand, arrangement: Arrangement) -> list[str]:
    """What is wrong with the certificate; empty when it is sound."""
    melds = [game.melds[m] for m in arrangement.melds]
    found = []
    used = Counter(slot.tile for m in melds for slot in m.slots)
    for stand in (m for m in melds if m.stand):
        used[stand.tiles[0]] -= 1
        used[WILD] += 1
    used = +used
    if used != hand.tiles(game):
        found.append("the melds do not use exactly the tiles of the hand")
    if _crowded(game, melds):
        found.append("a wild tile lies in a meld of natural tiles only")
    if not _well_marked(game, hand, melds):
        found.append("the marked tile does not lie where it is worth most")
    shape = tuple(sum(m.type.gives[d] for m in melds) for d in range(len(game.dims)))
    if shape != game.seen_by(hand.role).win.shape:
        found.append("the melds do not add up to the win shape")
    if hand.last is not None and not _holds_last(game, hand, arrangement):
        found.append("no meld can hold the last tile")
    found += [
        f"{m.type.name} needs tiles the hand does not have" for m in melds if not _supplied(game, hand, m.id)
    ]
    return found


def _crowded(game: Game, melds: list[Meld]) -> bool:
    """Are there more wild tiles for some face than places for it outside the melds barred to them?"""
    places = Counter(slot.kind for m in melds if not game.bars(m) for slot in m.slots)
    return bool(Counter(m.tiles[0] for m in melds if m.stand) - places)


def _well_marked(game: Game, hand: Hand, melds: list[Meld]) -> bool:
    """Is the mark in one meld of its face, none of the others being worth more with it; or nowhere?"""
    face = game.marked_face(hand.role, hand.context)
    marked = [m for m in melds if m.base is not None]
    places = [p for m in melds if face is not None and (p := game.with_mark.get((m.id, face))) is not None]
    if game.mark is not None and game.mark.every:
        return not places and all(m.mark == face for m in marked)
    if len(marked) != 1:
        return not marked and not places
    worth = [_points(m) - _points(game.melds[m.base or 0]) for m in (*marked, *places)]
    return marked[0].mark == face and max(worth) == worth[0]


def _points(meld: Meld) -> int:
    return (meld.prices[0].points or 0) if meld.prices else 0


def _holds_last(game: Game, hand: Hand, arrangement: Arrangement) -> bool:
    if arrangement.last_in is None or hand.last is None or arrangement.last_in not in arrangement.melds:
        return False
    kind, origin = hand.last
    if not game.can_hold_last(game.melds[arrangement.last_in]):
        return False
    slots = game.melds[arrangement.last_in].slots
    return any(_lies(game, s.tile, kind) and origin in s.origins for s in slots)


def _supplied(game: Game, hand: Hand, meld: int) -> bool:
    """Could the slots of this one meld be filled by tiles of the hand, each used once?"""
    supply: list[tuple[int, str | None]] = [
        (k, game.hand_origin) for k, n in enumerate(hand.counts) for _ in range(n)
    ]
    supply += [(WILD, game.hand_origin)] * hand.wilds
    supply += [hand.last] if hand.last is not None else []
    for laid in hand.laid:
        supply += list(zip(tiles_of(game, laid), laid.origins, strict=True))
    needs = [(s.tile, s.origins) for s in game.melds[meld].slots]
    return _match(game, needs, supply)


def _lies(game: Game, place: int, tile: int) -> bool:
    """Can a tile lie in a place for this face?"""
    return place == tile or (tile == WILD and game.wild_free)


def _match(game: Game, needs: list[tuple[int, frozenset[str]]], supply: list[tuple[int, str | None]]) -> bool:
    if not needs:
        return True
    kind, origins = needs[0]
    for i, (have, origin) in enumerate(supply):
        fits = _lies(game, kind, have) and (origin is None or origin in origins)
        if fits and _match(game, needs[1:], supply[:i] + supply[i + 1 :]):
            return True
    return False
