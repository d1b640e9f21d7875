"""Many deals played by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from ..core.model import Game
from .intervals import mean_interval, proportion
from .state import Action, State
from .table import Table

Bot = Callable[[State, random.Random], Action]


def chance(state: State, source: random.Random) -> Action:
    """Any lawful action, each as likely as the others."""
    return source.choice(state.lawful)


def eager(state: State, source: random.Random) -> Action:
    """Wins when it can; else any lawful action."""
    return next((action for action in state.lawful if action.kind == "win"), None) or chance(state, source)


def careless(table: Table) -> Bot:
    """Declares a win whenever its tiles make one, worth it or not; else any lawful action."""

    def act(state: State, source: random.Random) -> Action:
        claims = (action for action in table.breaches(state) if action.kind == "win")
        complete = (
            a for a in claims if table.verdicts.declared(state, a.seat, state.offer, None)[0].complete
        )
        return next(complete, None) or eager(state, source)

    return act


BOTS: dict[str, Callable[[Table], Bot]] = {
    "eager": lambda _: eager,
    "chance": lambda _: chance,
    "careless": careless,
}
"""Ways to play, by the names that users give."""


@dataclass
class Tally:
    """What came of many deals. Payments are in units of the stake."""

    outcomes: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    breaches: Counter[str] = field(default_factory=Counter)
    halts: Counter[str] = field(default_factory=Counter)
    """Clauses that called a deal off."""
    wins: Counter[int] = field(default_factory=Counter)
    """Per seat."""
    false_wins: Counter[int] = field(default_factory=Counter)
    """Per seat."""
    payments: Counter[int] = field(default_factory=Counter)
    """Per seat."""
    squares: Counter[int] = field(default_factory=Counter)
    """Sums of the squares of the payments, per seat."""
    lengths: Counter[int] = field(default_factory=Counter)
    """Deals for each number of decisions: actions of the players, drawing a tile not counted."""

    @property
    def games(self) -> int:
        return self.outcomes.total()

    @property
    def decisions(self) -> int:
        """Of all deals together."""
        return sum(length * deals for length, deals in self.lengths.items())

    def add(self, state: State, decisions: int) -> None:
        """One deal that is over."""
        result = state.result
        assert result is not None
        self.lengths[decisions] += 1
        self.outcomes[result.outcome] += 1
        self.names.update(result.names)
        self.payments.update(dict(enumerate(result.payments)))
        self.squares.update({seat: paid * paid for seat, paid in enumerate(result.payments)})
        if result.breach:
            self.breaches[result.breach] += 1
        if result.halt:
            self.halts[result.halt] += 1
        by_seat = {"win": self.wins, "false_win": self.false_wins}.get(result.outcome)
        if by_seat is not None and result.seat is not None:
            by_seat[result.seat] += 1

    def join(self, other: Tally) -> None:
        """The deals of another tally as well."""
        for part in fields(self):
            getattr(self, part.name).update(getattr(other, part.name))

    def to_json(self, game: Game) -> dict[str, Any]:
        """For programs; keys as the JSON interface names them, without the time it took."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "outcomes": {name: self.outcomes[name] for name in sorted(self.outcomes)},
            "rates": {name: proportion(n, self.games) for name, n in sorted(self.outcomes.items())},
            "names": {name.name: self.names[name.name] for name in game.names},
            "breaches": dict(sorted(self.breaches.items())),
            "halts": dict(sorted(self.halts.items())),
            "length": {
                "mean": round(self.decisions / self.games, 2) if self.games else 0,
                "least": min(self.lengths, default=0),
                "most": max(self.lengths, default=0),
            },
            "seats": {seat.name: self._seat(i) for i, seat in enumerate(game.seats)},
            "payments_sum": sum(self.payments.values()),
        }

    def _seat(self, seat: int) -> dict[str, Any]:
        return {
            "wins": self.wins[seat],
            "false_wins": self.false_wins[seat],
            "win_rate": proportion(self.wins[seat], self.games),
            "payments": self.payments[seat],
            "mean": mean_interval(self.payments[seat], self.squares[seat], self.games),
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


def simulate(table: Table, games: int, seed: int, bot: Bot = eager, first: int = 0) -> Tally:
    """`games` deals from number `first` on; the nth is the same whatever comes before it."""
    tally = Tally()
    for number in range(first, first + games):
        tally.add(*played(table, f"{seed}:{number}", bot))
    return tally
