"""Questions about tiles before anybody has arranged them, and what the reference says of one hand.

A hand here is concealed tiles of its owner's own; a condition on an arrangement is judged as if the
last of them had been drawn, and a hand that takes one more tile draws it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from dsl.core.evaluate import Position, Situation, holds
from dsl.core.formulas import score_feature
from dsl.core.hand import Hand
from dsl.core.model import (
    OWN_DRAW,
    And,
    CanBe,
    Compare,
    Complete,
    Formula,
    Game,
    HandAnd,
    HandFormula,
    HandNot,
    HandOr,
    Linear,
    Operator,
    Waiting,
    WaitIs,
    WaitWins,
)
from dsl.core.reference import arrangements
from dsl.core.waiting import closed, wait_type

More = Literal["none", "some", "one"]
"""Which tile is added before the hand is arranged: none, any that can be drawn (one that makes the
condition true is enough), or the one tile that the whole question speaks of."""


ANY = Complete()


@dataclass(frozen=True, eq=False)
class Arranged:
    """The tiles can be arranged in a shape (of a win by default) so that a condition holds."""

    game: Game
    condition: Formula = ANY
    shape: tuple[int, ...] | None = None
    more: More = "none"
    role: str | None = None
    """Who holds the hand; the last role by default."""
    last_from: str | None = OWN_DRAW
    """How its last tile came; None when it was dealt whole."""

    @property
    def situation(self) -> Situation:
        return Situation(self.role or self.game.roles[-1], self.last_from)


@dataclass(frozen=True, eq=False)
class Denied:
    part: Question


@dataclass(frozen=True, eq=False)
class All:
    parts: tuple[Question, ...]


@dataclass(frozen=True, eq=False)
class Some:
    parts: tuple[Question, ...]


Question = Arranged | Denied | All | Some
"""A condition on tiles alone. Its games, one or several, share a deck."""


def leaves(question: Question) -> Iterator[Arranged]:
    """What is asked about arrangements, in order."""
    match question:
        case Arranged():
            yield question
        case Denied(part):
            yield from leaves(part)
        case All(parts) | Some(parts):
            for part in parts:
                yield from leaves(part)
        case _:
            assert_never(question)


def takes_one(question: Question) -> bool:
    """Does the question speak of one tile that is drawn?"""
    return any(leaf.more == "one" for leaf in leaves(question))


# ---------------------------------------------------------------- questions in words


def wins(game: Game, more: More = "none", role: str | None = None) -> Question:
    """Some arrangement is a win."""
    return Arranged(game, And((Complete(), *(n.formula for n in game.win.needs))), None, more, role)


def scores(game: Game, operator: Operator, points: int) -> Question:
    """Some complete arrangement has such a total in the first score table."""
    total = Linear(((1, score_feature(game, 0)),))
    return Arranged(game, Compare(total, operator, Linear(constant=points)))


def waits(game: Game) -> Question:
    """Some draw completes the hand."""
    return Arranged(game, more="some")


def has_wait(game: Game, name: str, where: Formula = ANY) -> Question:
    """The tiles have the composition of a wait type, in an arrangement of which `where` holds."""
    return Arranged(game, where, wait_type(game, name).shape)


def stated(game: Game, formula: HandFormula) -> Question:
    """A formula of a statement about tiles.

    Raises `ValueError` where it speaks of every tile that can be drawn, as a denied 听诈 does.
    """
    match formula:
        case HandAnd(parts):
            return All(tuple(stated(game, part) for part in parts))
        case HandOr(parts):
            return Some(tuple(stated(game, part) for part in parts))
        case HandNot(part):
            inner = stated(game, part)
            if takes_one(inner):
                raise ValueError("a denied 听诈 speaks of every tile, not of one")
            return Denied(inner)
        case Waiting(False):
            return waits(game)
        case WaitIs(name, where):
            return has_wait(game, name, where)
        case WaitWins(True):
            return wins(game, "some")
        case WaitWins():
            return All((Arranged(game, more="one"), Denied(wins(game, "one"))))
        case CanBe(where):
            situation = closed(game).situation
            return Arranged(game, where, role=situation.role, last_from=situation.last_from)
        case _:
            raise ValueError(f"clauses cannot ask {formula}")


# ---------------------------------------------------------------- what the reference says


def true_of(question: Question, counts: tuple[int, ...], taken: int | None = None) -> bool:
    """The answer for one hand (counts per kind) and the one tile it takes, every arrangement tried."""
    match question:
        case Arranged():
            return any(_arranged(question, counts, kind) for kind in _added(question, counts, taken))
        case Denied(part):
            return not true_of(part, counts, taken)
        case All(parts):
            return all(true_of(part, counts, taken) for part in parts)
        case Some(parts):
            return any(true_of(part, counts, taken) for part in parts)
        case _:
            assert_never(question)


def draws(game: Game, counts: tuple[int, ...]) -> list[int]:
    """Kinds of which the hand does not hold all copies."""
    return [k for k, n in enumerate(counts) if n < game.kinds[k].copies]


def _added(asked: Arranged, counts: tuple[int, ...], taken: int | None) -> list[int | None]:
    if asked.more == "some":
        return list(draws(asked.game, counts))
    return [taken if asked.more == "one" else None]


def _arranged(asked: Arranged, counts: tuple[int, ...], kind: int | None) -> bool:
    game, situation = asked.game, asked.situation
    last = None if kind is None else (kind, OWN_DRAW)
    found = arrangements(game, Hand(situation.role, (), counts, last), asked.shape)
    return any(holds(asked.condition, Position(game, a, situation)) for a in found)
