"""The checks: every file `vNNN_….py` of this folder is one.

A check's file has a `TITLE` (zh, en) and `findings(study)`, which yields what it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..findings import Finding, Words
    from ..study import Study


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the catalogue."""

    code: str
    title: Words
    findings: Callable[[Study], Iterable[Finding]]


ON_REQUEST = frozenset({"V116", "V118"})
"""Checks that try many variants of a game; they run only when they are asked for."""

FAMILY = "V121"
"""The check of `paigui verify --across`: it compares games, so no game has it by itself."""
FAMILY_TITLE: Words = ("一家里的各种打法", "the games of a family")


@cache
def codes() -> tuple[str, ...]:
    """Codes of all checks, sorted; loads none of them."""
    names = (module.name for module in iter_modules(__path__))
    return tuple(sorted(name.partition("_")[0].upper() for name in names if name.startswith("v")))


def documented() -> dict[str, Words]:
    """Every check that has a page, that of families included, with its title."""
    found = {**{code: check_called(code).title for code in codes()}, FAMILY: FAMILY_TITLE}
    return dict(sorted(found.items()))


def usual_codes() -> tuple[str, ...]:
    """Codes of the checks that run when nothing is said."""
    return tuple(code for code in codes() if code not in ON_REQUEST)


@cache
def check_called(code: str) -> Check:
    """The check with this code. Raises `KeyError` for an unknown one."""
    for module in iter_modules(__path__):
        if module.name.partition("_")[0].upper() == code:
            loaded = import_module(f".{module.name}", __name__)
            return Check(code, loaded.TITLE, loaded.findings)
    raise KeyError(code)
