"""Things numbered as they come."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Numbered(Generic[T]):
    """Equal things have one number."""

    def __init__(self) -> None:
        self.every: list[T] = []
        """By number."""
        self._numbers: dict[T, int] = {}

    def __len__(self) -> int:
        return len(self.every)

    def __getitem__(self, number: int) -> T:
        return self.every[number]

    def number(self, thing: T) -> int:
        """Its number, a new one if it is new."""
        number = self._numbers.setdefault(thing, len(self.every))
        if number == len(self.every):
            self.every.append(thing)
        return number
