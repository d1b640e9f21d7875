"""What reads hands component by component: machines, and what some of them can do besides."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol, runtime_checkable

from .held import Held
from .inside import Inside


class Machine(Protocol):
    """Reads one component's counts after the other."""

    @property
    def start(self) -> Hashable: ...

    def face(self, component: int) -> int:
        """The first component that it reads like this one; `letter` says the same of both."""

    def letter(self, component: int, held: Held) -> Hashable: ...

    def step(self, state: Any, letter: Any) -> Hashable: ...

    def accepts(self, state: Any) -> bool: ...


@runtime_checkable
class Swept(Protocol):
    """A machine that can also read a large component kind by kind."""

    def inside(self, component: int) -> Inside | None:
        """How it does so; None where it cannot."""


@runtime_checkable
class Settling(Protocol):
    """A machine that knows early what it will say of a hand."""

    def settled(self, state: Any) -> bool | None:
        """Whether it accepts every hand that begins so, or none; None while that is open."""

    def settles(self, letter: Any) -> bool | None:
        """The same of every hand with such a letter, wherever it is read."""
