"""The nearest known name to one that is not known."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` most likely means, or None when none is near.

    Half-width and full-width, upper and lower case count as equal. One slip in three characters is
    near, and one in two for Chinese names, which are short. Ties go to the candidate of the nearer
    length, then to the first in code point order, so the order of `candidates` does not matter.
    """
    wanted = _folded(name)
    near = []
    for candidate in set(candidates) - {name}:
        other = _folded(candidate)
        allowed = _slips(wanted, other)
        if abs(len(wanted) - len(other)) <= allowed and (slips := distance(wanted, other)) <= allowed:
            near.append((slips, abs(len(wanted) - len(other)), candidate))
    return min(near)[2] if near else None


def closest_file(path: Path) -> str | None:
    """The spec that a path without its ending means, else the file beside it with the nearest name."""
    with suppress(OSError):
        if path.with_suffix(".pai").is_file():
            return path.with_suffix(".pai").as_posix()
        name = closest(path.name, [p.name for p in path.parent.iterdir() if p.suffix == path.suffix])
        return None if name is None else path.with_name(name).as_posix()
    return None


def distance(left: str, right: str) -> int:
    """Fewest insertions, deletions, replacements and swaps of neighbours from one to the other.

    The optimal string alignment distance: no stretch is edited twice.
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(right, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == right[j - 2] and b == left[i - 2]:
                row[j] = min(row[j], last[j - 2] + 1)
    return row[-1]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _slips(left: str, right: str) -> int:
    """How many slips still count as near."""
    longest = max(len(left), len(right))
    chinese = longest >= 2 and not (left.isascii() and right.isascii())
    return max(longest // 3, 1 if chinese else 0)
