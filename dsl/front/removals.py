"""A name that is unknown because a change removed what had it: told at that change, not where it is used."""

from __future__ import annotations

from collections.abc import Iterable

from ..text.diagnostics import Diagnostic
from .assemble import Assembled
from .syntax import Key


def at_removals(assembled: Assembled, faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The faults; for each removal in force one N030 in place of the N001 of all that still speaks of it."""
    kept: list[Diagnostic] = []
    uses: dict[Key, list[Diagnostic]] = {}
    for fault in faults:
        path = _removed(assembled, str(fault.values.get("name"))) if fault.code == "N001" else None
        if path is None:
            kept.append(fault)
        else:
            uses.setdefault(path, []).append(fault)
    for path, own in uses.items():
        places = tuple((span, "used") for span in dict.fromkeys(use.span for use in own))
        kept.append(Diagnostic("N030", assembled.removed[path].span, {"path": ".".join(path)}, places))
    return kept


def _removed(assembled: Assembled, name: str) -> Key | None:
    """The clause of that name which was removed."""
    return next((path for path in assembled.removed if name in (".".join(path[1:]), path[-1])), None)
