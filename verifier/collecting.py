"""How often Python looks for rubbish while a question is answered."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Rubbish is hardly looked for: what checks and counts make lives as long as they do, and to go through
    it takes a seventh of their time.
    """
    usual = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
