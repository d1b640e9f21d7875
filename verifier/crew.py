"""Work shared out among processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.process import BaseProcess
from threading import Lock
from types import TracebackType
from typing import Any, Generic, TypeVar

from dsl.core.processes import spawned

J = TypeVar("J")
T = TypeVar("T")


class Crew(Generic[J, T]):
    """Processes that work on jobs from the last on, while this one takes them from the first on.

    So what is small is done here before another process has even started. `work` and the jobs are sent to
    the others: `work` has to be a function of a module. They are spawned on every platform alike, and
    stopped when the crew is left, whatever they are at.
    """

    def __init__(self, work: Callable[[J], T], jobs: Sequence[J], helpers: int) -> None:
        """`helpers` other processes at most, no more than there are jobs."""
        self._work, self._jobs = work, jobs
        self._untaken = list(range(len(jobs)))
        self._begun: dict[int, Future[T]] = {}
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._processes: list[BaseProcess] = []
        if jobs and helpers > 0:
            self._start(min(helpers, len(jobs)))

    def _start(self, helpers: int) -> None:
        others = multiprocessing.active_children()
        self._pool = spawned(helpers)
        for _ in range(helpers):
            self._pool.submit(_ready, self._work).add_done_callback(self._next)
        self._processes = [p for p in multiprocessing.active_children() if p not in others]

    def __enter__(self) -> Crew[J, T]:
        return self

    def __exit__(
        self, sort: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nobody waits for what is not asked for any more, nor for processes that are still starting."""
        with self._lock:
            self._untaken.clear()
        for process in self._processes:
            process.terminate()
        if self._pool is not None:  # whose thread reads a pipe that this process closes at its end
            self._pool.shutdown(wait=True, cancel_futures=True)

    def result(self, job: int, here: Callable[[J], T] | None = None) -> T:
        """What the work brings for a job, by its number; if nobody has begun it, it is done here (by `here`).

        What goes wrong elsewhere is done here again, so that an error is raised where it can be understood.
        """
        with self._lock:
            begun = self._begun.get(job)
            if begun is None:
                self._untaken.remove(job)
        if begun is not None:
            with suppress(Exception):  # of any kind: it comes again here, or was that process's own
                return begun.result()
        return (here or self._work)(self._jobs[job])

    def _next(self, free: Future[Any]) -> None:
        """A process has nothing to do: give it the last job that nobody has begun."""
        with self._lock:
            if free.cancelled() or free.exception() is not None or not self._untaken or self._pool is None:
                return
            job = self._untaken[-1]
            try:
                future = self._pool.submit(self._work, self._jobs[job])
            except RuntimeError:  # the other processes are gone
                return
            self._begun[self._untaken.pop()] = future
        future.add_done_callback(self._next)


def _ready(work: Callable[..., Any]) -> None:
    """Says that a process is there and has loaded what the work needs."""
