"""How long verifying and comparing take: each check, each question, the whole.

python benchmarks/verify.py [game …]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from verifier import ask, diff
from verifier.checking import core_of, seldom_collected, study_of
from verifier.properties import usual_codes


def timed(function: Callable[..., Any], into: list[float]) -> Callable[..., Any]:
    """The function, with the seconds of each call added to a list."""

    def run(*args: Any, **more: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*args, **more)
        finally:
            into.append(time.perf_counter() - start)

    return run


def verify(reference: str) -> None:
    """Every check in turn; every question to the solver is timed apart."""
    questions: list[float] = []
    witnesses: list[float] = []
    ask.possible = timed(ask.possible, questions)
    ask.confirmed = timed(ask.confirmed, questions)
    ask.ask = timed(ask.ask, witnesses)
    start = time.perf_counter()
    study = study_of(core_of(reference))
    print(f"{study.game.name}: load {time.perf_counter() - start:.2f} s")
    for code in usual_codes():
        before = time.perf_counter()
        with seldom_collected():
            found = study.findings(code)
        print(f"  {code}  {time.perf_counter() - before:6.2f} s  {len(found)} findings")
    print(f"  whole {time.perf_counter() - start:.2f} s, {len(study.statements)} statements")
    for what, some in (("question", questions), ("witness", witnesses)):
        if some:
            some.sort()
            p95 = some[int(len(some) * 0.95)]
            median = statistics.median(some)
            print(f"  {what}: {len(some)}, median {median * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms")


def main() -> None:
    games = sys.argv[1:] or ["十符硬", "四家飞"]
    for game in games:
        verify(game)
    if len(games) == 2:
        start, spent = time.perf_counter(), time.process_time()
        diff(*games)
        spent, whole = time.process_time() - spent, time.perf_counter() - start
        print(f"diff {games[0]} {games[1]}: {whole:.2f} s, {spent:.2f} s of them computing")


if __name__ == "__main__":
    main()
