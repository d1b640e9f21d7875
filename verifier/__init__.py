"""The verifier: proves and refutes statements about rulesets."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diff import diff
    from .verify import verify

__all__ = ["diff", "verify"]


class _Package(ModuleType):
    """The public functions are named like their files; here the name always means the function."""

    def __setattr__(self, name: str, value: Any) -> None:
        named_like_it = name in __all__ and isinstance(value, ModuleType)
        super().__setattr__(name, getattr(value, name) if named_like_it else value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Public names come from their files on first use, so that `import verifier` costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module(f".{name}", __name__)
    return globals()[name]
