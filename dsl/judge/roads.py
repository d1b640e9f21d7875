"""By which road an answer about all hands came, for reports to tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

Road = Literal["automaton", "sweep"]
"""An automaton over a table of the rows of every component, or one that reads large components kind by kind,
making their rows when they are met."""

_swept: ContextVar[list[bool] | None] = ContextVar("swept", default=None)


class Roads:
    """What was noted while somebody listened."""

    def __init__(self, swept: list[bool]) -> None:
        self._swept = swept

    @property
    def road(self) -> Road:
        return "sweep" if self._swept else "automaton"


@contextmanager
def noted() -> Iterator[Roads]:
    """Have it noted which road is taken inside; what is asked further inside counts here too."""
    heard: list[bool] = []
    token = _swept.set(heard)
    try:
        yield Roads(heard)
    finally:
        _swept.reset(token)
        if heard:
            swept()


def swept() -> None:
    """A component was read kind by kind."""
    heard = _swept.get()
    if heard is not None and not heard:
        heard.append(True)
