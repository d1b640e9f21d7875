"""paigui: a language for the rules of Chinese strip-card games, and its interpreter."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import Game, HandError, Loader, load, loads
    from .core.hand import Hand
    from .core.model import ORIGINS
    from .judge.verdict import Verdict
    from .text.diagnostics import SpecError

_HOMES = {
    "Game": "api",
    "HandError": "api",
    "Loader": "api",
    "load": "api",
    "loads": "api",
    "Hand": "core.hand",
    "ORIGINS": "core.model",
    "Verdict": "judge.verdict",
    "SpecError": "text.diagnostics",
}

__all__ = ["ORIGINS", "Game", "Hand", "HandError", "Loader", "SpecError", "Verdict", "load", "loads"]


def __getattr__(name: str) -> Any:
    """Public names come from their homes on first use, so that `import dsl` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
