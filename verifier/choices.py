"""Hands that can be arranged in several ways which come to different verdicts or payments."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from dsl.core.hand import Hand
from dsl.core.model import OWN_DRAW, Game
from dsl.core.reference import Outcome, arrangements, outcome_of
from dsl.judge.automaton import State
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Shaped, search, whole

from .findings import dealt

Face = tuple[bool, tuple[tuple[str, int], ...]]
"""A verdict and what it pays."""


@dataclass(frozen=True, slots=True)
class Open:
    """How many closed hands leave a choice, out of how many complete ones, and the first of them."""

    hands: int
    of: int
    first: tuple[int, ...] | None
    """Counts per kind."""


def closed(game: Game) -> Hand:
    """A hand of the owner's own tiles only: the whole deal if some role gets one, else a draw ends it."""
    whole_deal = [role for role in game.roles if game.dealt[role] >= game.finished]
    last = None if whole_deal else (0, OWN_DRAW)
    return Hand(whole_deal[0] if whole_deal else game.roles[-1], (), (0,) * len(game.kinds), last)


def open_choices(compiled: Compiled) -> Open:
    """Every finished closed hand, sorted by whether its arrangements come to one outcome or several."""
    game = compiled.game
    machine = Shaped(compiled.every_outcome)
    hands = complete = 0
    first: tuple[int, ...] | None = None
    for (state,), reached in search(game, (machine,), game.finished).items():
        faces = _faces(compiled, state)
        complete += reached.hands if faces else 0
        if len(faces) > 1:
            hands += reached.hands
            first = max(first or (), whole(reached.first, game))
    return Open(hands, complete, first)


def _faces(compiled: Compiled, state: State) -> set[Face]:
    """The outcomes of a final state's arrangements; what only a refused hand would pay is left aside."""
    automaton, hand = compiled.every_outcome, closed(compiled.game)
    finals = [compiled.final(automaton, v, s, hand) for v, s in automaton.finals(state, 0)]
    return {(f.win, f.payments) for f in finals}


def shown(game: Game, counts: tuple[int, ...]) -> tuple[Hand, list[Outcome]]:
    """The hand with one arrangement for each outcome, the best-paid first.

    The last tile is the first one that leaves the choice open; where none does, the outcomes are empty.
    """
    plain = closed(game)
    for last in [None] if plain.last is None else [k for k, n in enumerate(counts) if n]:
        drawn = None if last is None else (last, OWN_DRAW)
        hand = dealt(game, Hand(plain.role, (), _without(counts, last), drawn))
        found: dict[Face, Outcome] = {}
        for arrangement in arrangements(game, hand):
            outcome = outcome_of(game, hand, arrangement)
            found.setdefault((outcome.win, outcome.payments), outcome)
        if len(found) > 1:
            seat = next(s.name for s in game.seats if s.role == hand.role)
            order = sorted(found.values(), key=lambda o: (o.win, dict(o.payments)[seat]), reverse=True)
            return hand, order
    return dealt(game, Hand(plain.role, (), counts, None)), []


def _without(counts: tuple[int, ...], last: int | None) -> tuple[int, ...]:
    left = Counter({k: n for k, n in enumerate(counts) if n}) - Counter(() if last is None else (last,))
    return tuple(left[k] for k in range(len(counts)))
