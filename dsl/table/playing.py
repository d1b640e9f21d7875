"""One deal while it is played: the state as it stands, and the record so far."""

from __future__ import annotations

from .record import Recorder
from .state import Action, Result, State
from .table import Table


class Deal:
    """A deal at the table. `state` never changes in place, so any earlier one can be kept."""

    def __init__(self, table: Table, deck: tuple[int, ...]) -> None:
        self.table = table
        self.state: State = table.dealt(deck)
        self._recorder = Recorder(table, deck)

    @property
    def result(self) -> Result | None:
        """How it ended; None while it goes on."""
        return self.state.result

    def legal_actions(self) -> tuple[Action, ...]:
        """What may be done now, all by one player; empty at the end."""
        return self.state.lawful

    def breaches(self) -> tuple[Action, ...]:
        """What could be done against the rules, where they say what comes of it."""
        return self.table.breaches(self.state)

    def apply(self, action: Action) -> State:
        """Do it. Raises `IllegalAction` with the clause that forbids it."""
        after = self.table.apply(self.state, action)
        self._recorder.done(self.state, action)
        self.state = after
        return after

    def view(self, seat: int) -> State:
        """What one player sees."""
        return self.table.view(self.state, seat)

    def record(self) -> str:
        """The deal so far as a `.play` text."""
        return self._recorder.text(self.state)
