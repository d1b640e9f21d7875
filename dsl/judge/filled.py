"""Tables that fill themselves, and begin anew when they hold too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")
KEPT = 200_000
"""Entries that are kept; only of large components, or in long play, there can be more."""


class Filled(dict[K, V]):
    """A table whose missing entries are made when they are asked for."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= KEPT:
            self.clear()
        value = self[key] = self.make(key)
        return value
