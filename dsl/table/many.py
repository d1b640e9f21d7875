"""Deals by the hundred thousand, shared out among processes or the machines of a cluster.

Whoever plays them is an executor of `concurrent.futures`: this process, a pool, or Dask's.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from ..core.model import Game
from ..core.processes import processors, spawned
from ..judge.compiled import Compiled
from .simulate import BOTS, Tally, simulate
from .table import Table

SHARE = 25
"""Deals that are given away at once: well under a second's work in most games, so that stopping is quick."""
WORTH = 200
"""Deals that are worth a process of their own: starting one takes as long as playing about so many."""
AHEAD = 2
"""Shares given away for each worker before the first comes back."""
LOOK = 0.2
"""Seconds after which it is asked again whether to stop."""


@dataclass(frozen=True, slots=True)
class Job:
    """What deals to play: all a worker is told, so that it needs none of the files."""

    game: bytes
    seed: int
    bot: str


def job(game: Game, seed: int, bot: str = "eager") -> Job:
    """The deals of a seed. `bot` is one of `BOTS`."""
    return Job(zlib.compress(pickle.dumps(game)), seed, bot)


@lru_cache(maxsize=1)
def _table(packed: bytes) -> Table:
    game: Game = pickle.loads(zlib.decompress(packed))
    return Table(game, Compiled(game))


def share(task: Job, first: int, games: int) -> Tally:
    """Some deals of a job, numbered from `first`: what a worker does."""
    table = _table(task.game)
    return simulate(table, games, task.seed, BOTS[task.bot](table), first)


def spread(
    executor: Executor,
    workers: int,
    task: Job,
    games: int,
    told: Callable[[int], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Tally:
    """Deals 0 to `games` - 1 of a job. The answer does not depend on who plays which.

    `told` is given the number of deals that are done. Once `stopped` says so no more are begun, and
    those that are at work are still counted.
    """
    tally = Tally()
    firsts = iter(range(0, games, SHARE))
    running: set[Future[Tally]] = set()
    while True:
        if stopped():
            running = {future for future in running if not future.cancel()}
        else:
            for first in islice(firsts, AHEAD * workers - len(running)):
                running.add(executor.submit(share, task, first, min(SHARE, games - first)))
        if not running:
            return tally
        done, running = wait(running, LOOK, FIRST_COMPLETED)
        for future in done:
            tally.join(future.result())
            told(tally.games)


# ---------------------------------------------------------------- who plays


class Here(Executor):
    """This process: what is submitted is done at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def workers_for(games: int) -> int:
    """How many processes so many deals are worth, on this machine."""
    return max(1, min(processors(), games // WORTH))


@contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """Processes of this machine; with one worker this very process."""
    if workers == 1:
        yield Here()
        return
    with spawned(workers) as executor:
        yield executor


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask cluster, and how many there are.

    Raises `ImportError` without the extra `[cluster]`, `OSError` when nobody answers at the address.
    """
    from distributed import Client  # noqa: PLC0415  an extra, and slow to import

    with Client(address, timeout=10) as client, client.get_executor(pure=False) as executor:
        yield executor, max(1, len(client.scheduler_info()["workers"]))
