"""What `--json` prints, as JSON Schemas (draft 2020-12): one file each, this folder is the list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PREFIX = "urn:paigui:schema:"
"""A schema's `$id` before its name."""


@cache
def names() -> tuple[str, ...]:
    """Names of all schemas, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def schema(name: str) -> dict[str, Any]:
    """A schema with those it refers to embedded, so that it stands alone. `KeyError` for an unknown one."""
    top = _read(name)
    needed: dict[str, Any] = {}
    waiting = [top]
    while waiting:
        for other in _referred(waiting.pop()):
            if other != name and other not in needed:
                needed[other] = _read(other)
                waiting.append(needed[other])
    if needed:
        top["$defs"] = top.get("$defs", {}) | dict(sorted(needed.items()))
    return top


def _read(name: str) -> dict[str, Any]:
    if name not in names():
        raise KeyError(name)
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def _referred(part: object) -> Iterator[str]:
    """Names of the schemas that a part of one refers to."""
    if isinstance(part, dict):
        target = part.get("$ref", "")
        if target.startswith(PREFIX):
            yield target.removeprefix(PREFIX)
        for value in part.values():
            yield from _referred(value)
    elif isinstance(part, list):
        for value in part:
            yield from _referred(value)
