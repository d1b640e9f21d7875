"""Long work: bars on a terminal and nowhere else, and Ctrl-C that stops it with one line, z3 or not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread, Timer
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from dsl.cli import progress
from tests.conftest import ROOT
from tests.unit.test_verifier_cli import run
from verifier import smt, verify
from verifier.cli import stopping
from verifier.smt import Smt, _checked

SMALL = str(ROOT / "tests/small/两句.pai")
SLOW = """
from itertools import combinations
from threading import Timer
import os, signal
from verifier.cli import group, main
from verifier import smt
import click

@click.command("pigeons")
def pigeons():
    solver = smt.Smt()
    holes = [[solver.boolean(f"{i} {j}") for j in range(11)] for i in range(12)]
    solver.require(*(solver.either(row) for row in holes))
    for a, b in combinations(holes, 2):
        for here, there in zip(a, b):
            solver.require(solver.either([solver.negate(here), solver.negate(there)]))
    Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    solver.check(budget=10**12)

group.get_command = lambda context, name: pigeons
group.resolve_command = lambda context, args: ("pigeons", pigeons, [])
signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background it would be ignored
main()
"""
"""A question that z3 works on for hours, interrupted after a moment."""


@contextmanager
def listening() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    stopping.listen()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------- Ctrl-C


class Stuck:
    """An engine that Ctrl-C meets at work and that only ends when it is told to."""

    def __init__(self) -> None:
        self.stopped = Event()
        self.ctx = SimpleNamespace(interrupt=self.stopped.set)

    def check(self) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        self.stopped.wait()
        return "unknown"


def test_an_engine_at_work_is_stopped_before_the_interrupt_goes_on() -> None:
    engine = Stuck()
    with listening(), pytest.raises(KeyboardInterrupt):
        _checked(engine)
    assert engine.stopped.is_set()


class Late(Thread):
    """A thread that Ctrl-C meets when it has been asked to start and does not live yet."""

    def start(self) -> None:
        self.made.append(self)
        signal.raise_signal(signal.SIGINT)

    made: ClassVar[list[Thread]] = []


def test_an_engine_that_has_not_begun_never_does(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(smt, "Thread", Late)
    with listening(), pytest.raises(KeyboardInterrupt):
        _checked(SimpleNamespace(check=lambda: begun.append("sat")))
    (worker,) = Late.made
    Thread.start(worker)
    worker.join()
    assert not begun


def test_what_z3_raises_comes_through() -> None:
    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        _checked(SimpleNamespace(check=fail))


def test_z3_itself_is_stopped() -> None:
    known = {**os.environ, "PAIGUI_LANG": "en", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", SLOW, "pigeons"], env=known, capture_output=True, text=True)
    assert (done.returncode, done.stderr.split(), done.stdout) == (130, ["interrupted"], "")


def test_an_interrupt_inside_z3s_own_code_waits_until_it_is_over() -> None:
    """There it would be lost: z3 has finalizers and callbacks in Python."""
    inside = interrupted_z3()
    with listening(), pytest.raises(KeyboardInterrupt):
        inside["work"]()
        assert inside["over"]
        Event().wait()
    assert inside["over"]


class Slow(Timer):
    """A timer that is not started yet when it goes off: the machine has other things to do."""

    def start(self) -> None:
        if not self.met:
            self.met.append(self)
            signal.raise_signal(signal.SIGINT)
        super().start()

    met: ClassVar[list[Timer]] = []


def test_an_interrupt_that_comes_again_too_soon_waits_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "Timer", Slow)
    inside = interrupted_z3()
    with listening(), pytest.raises(KeyboardInterrupt):
        inside["work"]()
        Event().wait()
    assert Slow.met and inside["over"]


def interrupted_z3() -> dict[str, Any]:
    """Code that passes for z3's own and is interrupted before it is over."""
    Smt()
    inside: dict[str, Any] = {"__name__": "z3.fake", "signal": signal, "over": False}
    text = "def work():\n    global over\n    signal.raise_signal(signal.SIGINT)\n    over = True\n"
    exec(text, inside)
    return inside


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        stopping.listen()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------- bars


def test_nothing_is_drawn_where_nobody_sits(tmp_path: Path) -> None:
    calls = (
        ["verify", SMALL, "--only", "V101,V119"],
        ["verify", "--across", SMALL, f"{SMALL}[底=3]"],
        ["diff", SMALL, f"{SMALL}[底=3]"],
        ["count", SMALL],
    )
    assert [run(*call, folder=tmp_path).stderr for call in calls] == [""] * len(calls)


def test_nothing_is_loaded_where_nobody_sits() -> None:
    code = (
        "import sys\nfrom dsl.cli.progress import progress\n"
        "with progress('zh') as tick: assert tick is None\n"
        "assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, stderr=subprocess.PIPE)


class Drawn:
    """A stand-in for rich's bars: what is on the screen."""

    def __init__(self) -> None:
        self.shown: dict[int, tuple[str, int, int | None]] = {}
        self.made = 0

    def add_task(self, what: str, total: int | None) -> int:
        self.made += 1
        self.shown[self.made] = (what, 0, total)
        return self.made

    def update(self, task: int, completed: int, total: int | None) -> None:
        self.shown[task] = (self.shown[task][0], completed, total)

    def remove_task(self, task: int) -> None:
        del self.shown[task]

    @property
    def screen(self) -> list[tuple[str, int, int | None]]:
        return list(self.shown.values())


def test_there_is_always_a_bar_and_never_one_for_what_is_done() -> None:
    drawn = Drawn()
    tick = progress._Bars(drawn, "working")  # type: ignore[arg-type]
    assert drawn.screen == [("working", 0, None)]
    tick("a", 1, 3)
    tick("b", 0, 0)
    assert drawn.screen == [("a", 1, 3), ("b", 0, None)]
    tick("a", 3, 3)
    assert drawn.screen == [("b", 0, None)]
    tick("b", 1, 1)
    tick("c", 2, 2)
    assert drawn.screen == [("working", 0, None)]


def test_long_checks_tell_how_far_they_are() -> None:
    told: list[tuple[str, int, int]] = []
    verify(SMALL, ["V116"], step=lambda code, done, of: told.append((code, done, of)))
    counted = [done for _, done, _ in told[:-1]]
    assert len(counted) > 1 and counted == sorted(counted) and told[-1] == ("V116", 1, 1)
    assert all(code == "V116" and done <= of for code, done, of in told)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_terminal_shows_bars_and_is_left_clean() -> None:
    import pty  # noqa: PLC0415  not on every system

    here, there = pty.openpty()
    known = {**os.environ, "PAIGUI_LANG": "en", "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "90"}
    call = [sys.executable, "-c", "from verifier.cli import main; main()", "count", SMALL]
    with subprocess.Popen(call, env=known, stdout=subprocess.PIPE, stderr=there) as process:
        os.close(there)
        drawn = _everything(here)
        shown = (process.stdout.read() if process.stdout else b"").decode()
    assert shown.startswith("两句 complete: ") and "━" in drawn
    assert drawn.rstrip().endswith("\x1b[2K")


def _everything(terminal: int) -> str:
    """What was written to a terminal until nobody holds it any more."""
    found = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            more = b""
        if not more:
            os.close(terminal)
            return found.decode(errors="replace")
        found += more
