"""A text and a place in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from os.path import realpath
from pathlib import Path


@lru_cache(maxsize=16)
def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text under the path that messages show for it."""

    path: str
    text: str

    def line(self, number: int) -> str:
        """Line `number` (from 1) without its newline, empty when out of range."""
        lines = _lines(self.text)
        return lines[number - 1].rstrip("\r") if 1 <= number <= len(lines) else ""


def line_end(text: str) -> str:
    """How the lines of a file end, as on Windows or not; the first line decides."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one source. Lines and columns count from 1, columns in characters, ends exclusive."""

    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


KNOWN_AS: dict[str, Path] = {}
"""Folders that messages call by another name, such as `HEAD~1:` for the tree of a git revision."""


def shown_path(path: Path) -> str:
    """`path` as a message shows it: relative to the working directory when it lies below."""
    real = Path(realpath(path))  # unlike `Path.resolve`, it takes links that lead round as they are
    for name, folder in KNOWN_AS.items():
        if real.is_relative_to(folder):
            return name + real.relative_to(folder).as_posix()
    try:
        return real.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def real_path(shown: str) -> Path:
    """The file that a shown path means."""
    for name, folder in KNOWN_AS.items():
        if shown.startswith(name):
            return folder / shown.removeprefix(name)
    return Path(shown)
