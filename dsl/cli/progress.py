"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..text.codes import Lang
from ..text.display import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Tick = Callable[[str, int, int], None]
"""Told (what, done, of); `of` 0 when nobody knows how much there is to do."""
WORKING = {"zh": "在算", "en": "working"}


@contextmanager
def progress(lang: Lang) -> Iterator[Tick | None]:
    """A callback that draws bars on stderr and wipes them at the end, or None when stderr is no terminal.

    Nothing else may be written to the terminal meanwhile.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415  only on a terminal
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    with Progress(console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        yield _Bars(bar, WORKING[lang])


class _Bars:
    """One bar for each thing at work; what is done has none, and when nothing is known one bar just moves."""

    def __init__(self, drawn: Progress, working: str) -> None:
        self.drawn = drawn
        self.working = working
        self.tasks: dict[str, TaskID] = {}
        self._rest()

    def __call__(self, what: str, done: int, of: int) -> None:
        if of and done >= of:
            self._drop(what)
            return
        self._drop("")
        if what not in self.tasks:
            self.tasks[what] = self.drawn.add_task(_plain(what), total=of or None)
        self.drawn.update(self.tasks[what], completed=done, total=of or None)

    def _drop(self, what: str) -> None:
        if what in self.tasks:
            self.drawn.remove_task(self.tasks.pop(what))
            if what:
                self._rest()

    def _rest(self) -> None:
        if not self.tasks:
            self.tasks[""] = self.drawn.add_task(self.working, total=None)


def _plain(what: str) -> str:
    """A name as rich prints it: its brackets are no markup."""
    return visible(what).replace("[", "\\[")
