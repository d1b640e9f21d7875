"""Other processes of this machine that work for this one."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor


def processors() -> int:
    """How many processes can work at once here."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def spawned(workers: int) -> ProcessPoolExecutor:
    """So many of them: spawned on every platform alike, and deaf to Ctrl-C, for who stops is the one that
    asks.
    """
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
