"""The checks: every file `vNNN_….py` of this folder is one.

A check's file has a `TITLE` (zh, en) and functions that yield what it finds: `findings(study)` looks at
arrangements and hands, `at_table(study)` at players, `afterwards(study)` at what other checks found. A check
whose findings take long and that shares nothing with others says `APART = True`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from ..findings import Finding, Words
    from ..study import Study


Part = Literal["findings", "at_table", "afterwards"]
"""The functions of a check, in the order in which they run; the first two ask nothing of each other."""
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the catalogue, with those of `PARTS` that it has, in their order."""

    code: str
    title: Words
    parts: Mapping[Part, Callable[[Study], Iterable[Finding]]]
    apart: bool
    """Does it make nothing that others use, so that it may as well run elsewhere?"""


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
            parts = {part: getattr(loaded, part) for part in PARTS if hasattr(loaded, part)}
            return Check(code, loaded.TITLE, parts, getattr(loaded, "APART", False))
    raise KeyError(code)
