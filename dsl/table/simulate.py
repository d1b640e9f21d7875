"""Many deals played by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .state import Action, State
from .table import Table

Bot = Callable[[State, random.Random], Action]


def chance(state: State, source: random.Random) -> Action:
    """Any lawful action, each as likely as the others."""
    return source.choice(state.lawful)


def eager(state: State, source: random.Random) -> Action:
    """Wins when it can; else any lawful action."""
    return next((action for action in state.lawful if action.kind == "win"), None) or chance(state, source)


@dataclass
class Tally:
    """What came of many deals. Payments are in units of the stake."""

    games: int = 0
    decisions: int = 0
    """Actions of the players, drawing a tile not counted."""
    outcomes: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    breaches: Counter[str] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    """Per seat."""
    payments: Counter[int] = field(default_factory=Counter)
    """Per seat."""

    def add(self, state: State, decisions: int) -> None:
        """One deal that is over."""
        result = state.result
        assert result is not None
        self.games += 1
        self.decisions += decisions
        self.outcomes[result.outcome] += 1
        self.names.update(result.names)
        self.payments.update(dict(enumerate(result.payments)))
        if result.breach:
            self.breaches[result.breach] += 1
        if result.outcome == "win" and result.seat is not None:
            self.wins[result.seat] += 1

    def to_json(self, table: Table) -> dict[str, Any]:
        """For programs; keys as the JSON interface names them, without the time it took."""
        seats = table.game.seats
        return {
            "games": self.games,
            "decisions": self.decisions,
            "outcomes": {name: self.outcomes[name] for name in sorted(self.outcomes)},
            "names": {name.name: self.names[name.name] for name in table.game.names},
            "breaches": dict(sorted(self.breaches.items())),
            "seats": {
                seat.name: {"wins": self.wins[i], "payments": self.payments[i]}
                for i, seat in enumerate(seats)
            },
            "payments_sum": sum(self.payments.values()),
        }


def played(table: Table, seed: str, bot: Bot = eager) -> tuple[State, int]:
    """One deal to its end, and how many decisions it took."""
    source = random.Random(seed)
    state, decisions = table.start(source.getrandbits(64)), 0
    while not state.over:
        action = bot(state, source)
        decisions += action.kind not in ("turn_up", "take")
        state = table.apply(state, action)
    return state, decisions


def simulate(
    table: Table, games: int, seed: int, bot: Bot = eager, each: Callable[[], None] | None = None
) -> Tally:
    """`games` deals; the nth is the same whatever comes before it."""
    tally = Tally()
    for number in range(games):
        tally.add(*played(table, f"{seed}:{number}", bot))
        if each is not None:
            each()
    return tally
