"""The verifier: proves and refutes statements about rulesets, compares them, counts hands."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .checking import verify
    from .counting import count
    from .difference import diff

_HOMES = {"verify": "checking", "diff": "difference", "count": "counting"}

__all__ = ["count", "diff", "verify"]


def __getattr__(name: str) -> Any:
    """Public names come from their files on first use, so that `import verifier` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
