"""What the other readings of a game say of one hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import dsl
from dsl.core.model import Choice, Game
from dsl.judge.verdict import Verdict

FORBIDDEN = "N011"
"""What a combination of options that is not allowed is told."""


@dataclass(frozen=True, slots=True)
class Other:
    """A reading that changes the verdict on a hand."""

    choice: Choice
    value: str
    verdict: Verdict


@dataclass
class Readings:
    """A game and its siblings under every single change of a reading, each loaded once."""

    game: Game
    loader: dsl.Loader = field(default_factory=dsl.Loader)
    _known: dict[tuple[str, str], dsl.Game | None] = field(default_factory=dict)

    def usual(self, hand: Mapping[str, Any]) -> Verdict | None:
        """The verdict of the game itself; None for a hand that cannot be judged."""
        return _judged(self._itself, hand)

    def others(self, hand: Mapping[str, Any]) -> Iterator[Other]:
        """The readings, each changed alone, under which verdict, score, names or payments differ.

        Nothing for a hand that cannot be judged; a reading under which it cannot be read is left out.
        """
        usual = self.usual(hand)
        for choice in self.game.choices if usual is not None else ():
            for value in _further(choice, self.game) if choice.is_reading and not choice.of_play else ():
                sibling = self._under(choice.name, value)
                verdict = None if sibling is None else _judged(sibling, hand)
                if usual and verdict and _face(verdict) != _face(usual):
                    yield Other(choice, value, verdict)

    @cached_property
    def _itself(self) -> dsl.Game:
        return dsl.Game(self.game, self.loader)

    def _under(self, name: str, value: str) -> dsl.Game | None:
        """The game under one change; None for a combination that is not allowed.

        Raises `SpecError` when the text cannot be read again.
        """
        if (name, value) not in self._known:
            try:
                sibling = dsl.Game(self.loader.again(self.game, {name: value}, claims=False), self.loader)
            except dsl.SpecError as error:
                if all(fault.code != FORBIDDEN for fault in error.diagnostics):
                    raise  # one that is not allowed need not make sense otherwise
                sibling = None
            self._known[name, value] = sibling
        return self._known[name, value]


def _further(choice: Choice, game: Game) -> list[str]:
    return [value for value in choice.values if value != game.options[choice.name]]


def _judged(game: dsl.Game, hand: Mapping[str, Any]) -> Verdict | None:
    try:
        return game.judge(hand)
    except dsl.HandError:
        return None


def _face(verdict: Verdict) -> tuple[object, ...]:
    return verdict.verdict, verdict.score, verdict.names, tuple(verdict.payments.items())
