"""How long verifying and comparing take: each check, each question, the whole.

python benchmarks/verify.py [game …]    two games (by default 十符硬 and 四家飞) are compared as well
python benchmarks/verify.py --every     every shipped game, one line each

Seconds of computing, in all threads: other work on the machine does not count.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dsl.front.load import Library, rulesets_of
from verifier import ask, diff
from verifier.checking import core_of, seldom_collected, study_of
from verifier.properties import usual_codes


def timed(function: Callable[..., Any], into: list[float]) -> Callable[..., Any]:
    """The function, with the seconds of each call added to a list."""

    def run(*args: Any, **more: Any) -> Any:
        start = time.process_time()
        try:
            return function(*args, **more)
        finally:
            into.append(time.process_time() - start)

    return run


def verify(reference: str) -> None:
    """Every check in turn; every question to the solver is timed apart."""
    questions: list[float] = []
    witnesses: list[float] = []
    ask.possible = timed(ask.possible, questions)
    ask.confirmed = timed(ask.confirmed, questions)
    ask.ask = timed(ask.ask, witnesses)
    start = time.process_time()
    study = study_of(core_of(reference))
    loaded = time.process_time()
    print(f"{study.game.name}: load {loaded - start:.2f} s")
    for code in usual_codes():
        before = time.process_time()
        with seldom_collected():
            found = study.findings(code)
        print(f"  {code}  {time.process_time() - before:6.2f} s  {len(found)} findings")
    print(f"  after load {time.process_time() - loaded:.2f} s, {len(study.statements)} statements")
    for what, some in (("question", questions), ("witness", witnesses)):
        if some:
            some.sort()
            p95 = some[int(len(some) * 0.95)]
            median = statistics.median(some)
            print(f"  {what}: {len(some)}, median {median * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms")


def survey() -> None:
    """The whole of every game and judgement, the dearest check with it."""
    library = Library()
    root = Path(__file__).resolve().parent.parent / "specs"
    rulesets = (
        r for path in sorted(root.rglob("*.pai")) for r in rulesets_of(path, library) if not r.template
    )
    for ruleset in rulesets:
        start = time.process_time()
        study = study_of(core_of(f"{ruleset.path}#{ruleset.name}"))
        loaded, spent = time.process_time(), dict[str, float]()
        with seldom_collected():
            for code in usual_codes():
                before = time.process_time()
                study.findings(code)
                spent[code] = time.process_time() - before
        most = max(spent, key=lambda code: spent[code])
        print(
            f"{sum(spent.values()):6.2f} s after {loaded - start:.2f} s of loading, "
            f"{most} {spent[most]:.2f} s, open {len(study.unknown)}: {ruleset.name}"
        )


def main() -> None:
    if "--every" in sys.argv:
        survey()
        return
    games = sys.argv[1:] or ["十符硬", "四家飞"]
    for game in games:
        verify(game)
    if len(games) == 2:
        start, spent = time.perf_counter(), time.process_time()
        diff(games[0], games[1])
        spent, whole = time.process_time() - spent, time.perf_counter() - start
        print(f"diff {games[0]} {games[1]}: {whole:.2f} s, {spent:.2f} s of them computing")


if __name__ == "__main__":
    main()
