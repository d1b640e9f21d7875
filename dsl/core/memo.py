"""What readers of a thing have worked out about it, kept beside it for the next one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo(dict[Hashable, Any]):
    """By keys that are the readers' own."""

    def of(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is known under the key; `make` makes it the first time."""
        if key not in self:
            self[key] = make()
        known: T = self[key]
        return known

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        """It stays here when its owner is sent to another process, for which it may mean nothing."""
        return Memo, ()
