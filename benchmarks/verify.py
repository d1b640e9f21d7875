"""How long verifying and comparing take: each check, each question, the whole.

python benchmarks/verify.py [game …]    two games (by default 十符硬 and 四家飞) are compared as well
python benchmarks/verify.py --every     every shipped game and judgement, one line each, the worst at the end
python benchmarks/verify.py --diffs     every game against those that stand on the same base

Seconds of computing, in all threads: other work on the machine does not count. A question is one that is
put to the solver, to the table's solver or to the automata by a check or a statement. Last comes what a user
waits for who has two processors to himself: those seconds are long if anything else runs.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import dsl
from dsl.front.load import Library, Ruleset, rulesets_of
from verifier import ask, checking, diff
from verifier.ask_table import TableAsker
from verifier.checking import study_for
from verifier.collecting import seldom_collected
from verifier.properties import usual_codes, v119_statements

LONG = 5.0
"""Seconds that one may have to wait for a verify after load, or for a diff."""
DEAR = 0.5
"""Seconds that a question may take."""


class Questions:
    """Times questions; one that another asks on its way is part of that."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._inside = False
        for name in ("possible", "confirmed", "ask"):
            setattr(ask, name, self._timed(getattr(ask, name)))
        for name in ("possible", "witness"):
            setattr(TableAsker, name, self._timed(getattr(TableAsker, name)))
        v119_statements.any_hand = self._timed(v119_statements.any_hand)

    def _timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **more: Any) -> Any:
            if self._inside:
                return function(*args, **more)
            start, self._inside = time.process_time(), True
            try:
                return function(*args, **more)
            finally:
                self._inside = False
                self.seconds.append(time.process_time() - start)

        return run

    def taken(self) -> list[float]:
        """Those since the last call, sorted."""
        found, self.seconds = sorted(self.seconds), []
        return found


@dataclass
class Timing:
    """What verifying one game took, in seconds."""

    name: str
    load: float
    checks: dict[str, float] = field(default_factory=dict)
    questions: list[float] = field(default_factory=list)
    found: int = 0
    open: int = 0
    waited: float = 0.0
    """Until the answers were there, two processes working."""

    @property
    def verify(self) -> float:
        return sum(self.checks.values())

    @property
    def median(self) -> float:
        return statistics.median(self.questions) if self.questions else 0.0

    @property
    def p95(self) -> float:
        return self.questions[int(len(self.questions) * 0.95)] if self.questions else 0.0

    def __str__(self) -> str:
        most = max(self.checks, key=lambda code: self.checks[code])
        dear = sum(seconds > DEAR for seconds in self.questions)
        return (
            f"{self.verify:6.2f} s ({self.waited:.2f} s by two processes) after {self.load:.2f} s of load, "
            f"{most} {self.checks[most]:.2f} s, "
            f"{len(self.questions)} questions, median {self.median * 1000:.0f} ms, "
            f"p95 {self.p95 * 1000:.0f} ms{f', {dear} over {DEAR * 1000:.0f} ms' if dear else ''}, "
            f"open {self.open}: {self.name}{'  (long)' if self.waited > LONG else ''}"
        )


def verify(reference: str, questions: Questions, told: Callable[[str], None] = lambda line: None) -> Timing:
    """Every check of a game in turn; `told` hears of each."""
    questions.taken()
    start = time.process_time()
    study = study_for(reference)
    timing = Timing(study.game.name, time.process_time() - start)
    for code in usual_codes():
        before = time.process_time()
        with seldom_collected():
            found = study.findings(code)
        timing.checks[code] = time.process_time() - before
        timing.found += len(found)
        told(f"  {code}  {timing.checks[code]:6.2f} s  {len(found)} findings")
    timing.questions, timing.open = questions.taken(), len(study.unknown)
    timing.waited = float(subprocess.check_output([sys.executable, __file__, "--waited", reference]))
    return timing


def waited(reference: str) -> float:
    """How long a user waits for the answers after load, two processes working: asked in a fresh process."""
    game, start = dsl.load(reference), time.perf_counter()
    checking.verify(game, workers=2)
    return time.perf_counter() - start


def shipped() -> Iterator[Ruleset]:
    """Every ruleset that can be verified, in order of the files."""
    library, root = Library(), Path(__file__).resolve().parent.parent / "specs"
    for path in sorted(root.rglob("*.pai")):
        yield from (ruleset for ruleset in rulesets_of(path, library) if not ruleset.template)


def survey(questions: Questions) -> None:
    """A line for every game and judgement as soon as it is done, and one for the worst of them."""
    every: list[Timing] = []
    for ruleset in shipped():
        every.append(verify(f"{ruleset.path}#{ruleset.name}", questions))
        print(every[-1], flush=True)
    worst = [
        ("verify", max(every, key=lambda t: t.verify), lambda t: f"{t.verify:.2f} s"),
        ("by two processes", max(every, key=lambda t: t.waited), lambda t: f"{t.waited:.2f} s"),
        ("load", max(every, key=lambda t: t.load), lambda t: f"{t.load:.2f} s"),
        ("median", max(every, key=lambda t: t.median), lambda t: f"{t.median * 1000:.0f} ms"),
        ("p95", max(every, key=lambda t: t.p95), lambda t: f"{t.p95 * 1000:.0f} ms"),
        ("question", max(every, key=_dearest), lambda t: f"{_dearest(t) * 1000:.0f} ms"),
    ]
    print(f"{len(every)} games; worst:", ", ".join(f"{what} {said(t)} {t.name}" for what, t, said in worst))


def _dearest(timing: Timing) -> float:
    return max(timing.questions, default=0.0)


def compare(left: str, right: str) -> None:
    start, spent = time.perf_counter(), time.process_time()
    diff(left, right)
    spent, whole = time.process_time() - spent, time.perf_counter() - start
    long = "  (long)" if spent > LONG else ""
    print(f"{spent:6.2f} s of computing, {whole:.2f} s in all: {left} {right}{long}", flush=True)


def families() -> None:
    """Every two games that stand on the same base, compared."""
    bases: dict[str, list[str]] = {}
    for ruleset in shipped():
        if ruleset.of is None and ruleset.base is not None:
            bases.setdefault(ruleset.base, []).append(ruleset.name)
    for names in bases.values():
        for left, right in combinations(names, 2):
            compare(left, right)


def main() -> None:
    if "--waited" in sys.argv:
        print(waited(sys.argv[-1]))
        return
    if "--diffs" in sys.argv:
        families()
        return
    questions = Questions()
    if "--every" in sys.argv:
        survey(questions)
        return
    games = sys.argv[1:] or ["十符硬", "四家飞"]
    for game in games:
        print(verify(game, questions, print))
    if len(games) == 2:
        compare(*games)


if __name__ == "__main__":
    main()
