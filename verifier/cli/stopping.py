"""Ctrl-C at any time: raised at once, but never inside z3's own Python code, which would lose it."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from types import FrameType

AGAIN = 0.005
"""Seconds until a signal is tried again that came while z3's Python code was running."""


def listen() -> None:
    """Turn SIGINT into `KeyboardInterrupt` from now on, unless whoever started us has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)


@dataclass(slots=True)
class _PutOff:
    """Whether a signal is to be tried again; one is enough, however many come."""

    waiting: bool = False


_PUT_OFF = _PutOff()


def _stop(_: int, frame: FrameType | None) -> None:
    """z3 has callbacks and finalizers in Python; an exception in one of them is printed and forgotten."""
    if not _inside_z3(frame):
        _PUT_OFF.waiting = False
        raise KeyboardInterrupt
    if _PUT_OFF.waiting:
        return
    from threading import Timer  # noqa: PLC0415  only when there is something to stop

    _PUT_OFF.waiting = True
    later = Timer(AGAIN, _again)
    later.daemon = True
    later.start()


def _again() -> None:
    """The signal once more, to the main thread: it may be waiting for another by now."""
    from threading import main_thread  # noqa: PLC0415

    number = main_thread().ident
    if number is not None and _PUT_OFF.waiting:
        _PUT_OFF.waiting = False
        signal.pthread_kill(number, signal.SIGINT)


def _inside_z3(frame: FrameType | None) -> bool:
    """Did our code call z3, or a finalizer of z3 run in the middle of ours?

    What `_stop` does is no code of ours here: the next signal may come while it is still starting the timer.
    """
    while frame is not None and "z3" in sys.modules:
        name = str(frame.f_globals.get("__name__", ""))
        package = name.partition(".")[0]
        if package == "z3":
            return True
        if package in ("verifier", "dsl") and name != __name__:
            return False
        frame = frame.f_back
    return False
