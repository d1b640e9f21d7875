"""The reference meaning of conditions on tiles that nobody has arranged: every draw, every arrangement.

Twin of the machines in `judge/hands.py`: same cases, same names. Slow, and what they are tested against.
Conditions are of waiting hands, one tile short, but for `CanBe`, which is of finished ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from .evaluate import Position, compared, holds
from .hand import Hand
from .model import (
    OWN_DRAW,
    WILD,
    CanBe,
    EveryAwaited,
    Game,
    HandAnd,
    HandAtom,
    HandFormula,
    HandNot,
    HandOr,
    WaitFaces,
    Waiting,
    WaitIs,
    WaitType,
    WaitWins,
    WildsHeld,
)
from .reference import Outcome, arrangements, judge


def hand_holds(formula: HandFormula, game: Game, hand: Hand) -> bool:
    """Is the condition true of the hand?"""
    match formula:
        case HandAnd(parts):
            return all(hand_holds(part, game, hand) for part in parts)
        case HandOr(parts):
            return any(hand_holds(part, game, hand) for part in parts)
        case HandNot(part):
            return not hand_holds(part, game, hand)
        case Waiting(wild):
            kinds = (kind for kind in drawable(game, hand) if kind == WILD or not wild)
            return any(completes(game, hand, kind) for kind in kinds)
        case WaitIs(name, where):
            found = arrangements(game, hand, wait_type(game, name).shape)
            return any(holds(where, Position(game, a, hand.situation)) for a in found)
        case WaitWins(wins):
            outcomes = [draw(game, hand, kind) for kind in drawable(game, hand)]
            return any(o.complete and o.win is wins for o in outcomes)
        case EveryAwaited(name, drawn):
            outcomes = [draw(game, hand, k) for k in awaited(game, hand, wait_type(game, name))]
            return all(o.complete and (drawn == "complete" or o.win is (drawn == "win")) for o in outcomes)
        case WaitFaces(factor, operator, bound):
            faces = sum(completes(game, hand, kind) for kind in drawable(game, hand))
            return compared(factor * faces, operator, bound)
        case WildsHeld(factor, operator, bound):
            return compared(factor * hand.wilds, operator, bound)
        case CanBe(where):
            found = arrangements(game, pooled(hand))
            return any(holds(where, Position(game, a, hand.situation)) for a in found)
        case _:
            assert_never(formula)


def hand_atoms(formula: HandFormula) -> Iterator[HandAtom]:
    """The atoms of a formula, each once, in order."""
    match formula:
        case HandAnd(parts) | HandOr(parts):
            yield from dict.fromkeys(a for p in parts for a in hand_atoms(p))
        case HandNot(part):
            yield from hand_atoms(part)
        case _:
            yield formula


def of_finished(formula: HandFormula) -> bool:
    """Does the condition speak of finished hands?"""
    return any(isinstance(atom, CanBe) for atom in hand_atoms(formula))


def closed(game: Game) -> Hand:
    """A hand of the owner's own tiles only: the whole deal if some role gets one, else a draw ends it."""
    whole_deal = [role for role in game.roles if game.dealt[role] >= game.finished]
    last = None if whole_deal else (0, OWN_DRAW)
    return Hand(whole_deal[0] if whole_deal else game.roles[-1], (), (0,) * len(game.kinds), last)


def pooled(hand: Hand) -> Hand:
    """The hand with its last tile among the others: which one came last is left open."""
    if hand.last is None:
        return hand
    counts = tuple(n + (kind == hand.last[0]) for kind, n in enumerate(hand.counts))
    return replace(hand, counts=counts, wilds=hand.wilds + hand.last_wild, last=None)


def wait_type(game: Game, name: str) -> WaitType:
    return next(wait for wait in game.waits if wait.name == name)


def drawable(game: Game, hand: Hand) -> Iterator[int]:
    """Kinds of which the hand does not hold all copies in play, a wild tile last."""
    held = hand.tiles(game)
    yield from (kind for kind, copies in enumerate(game.copies_in(hand.context)) if held[kind] < copies)
    if game.wild is not None and held[WILD] < game.wild.copies:
        yield WILD


def completes(game: Game, hand: Hand, kind: int) -> bool:
    """Does an own draw of this tile give the win shape?"""
    return bool(arrangements(game, replace(hand, last=(kind, OWN_DRAW))))


def draw(game: Game, hand: Hand, kind: int) -> Outcome:
    """The verdict after an own draw of this tile."""
    return judge(game, replace(hand, last=(kind, OWN_DRAW)))


def awaited(game: Game, hand: Hand, wait: WaitType) -> list[int]:
    """Tiles, not all copies held, that some meld of an arrangement in the wait's shape says it awaits."""
    melds = {m for a in arrangements(game, hand, wait.shape) for m in a.melds}
    stated = (game.melds[m].awaits for m in melds if game.melds[m].type.index in wait.on)
    faces = frozenset[int]().union(*stated)
    return [kind for kind in drawable(game, hand) if kind in faces]
