"""How fast deals are played by chance, one thread, in process, and whether memory levels off.

    python benchmarks/play.py [GAME …] [--deals N] [--step N]

A decision is an action of a player; drawing a tile is none. Cold are the first deals, with tables empty; warm
those after them. Growth is what further deals add to the memory in use, in steps and in all.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dsl import load
from dsl.table.simulate import simulate
from dsl.table.table import Table

GAMES = (
    "十符硬",
    "十符硬[人数=3]",
    "四家飞",
    "打神",
    "追口符",
    "对对符[人数=4]",
    "抬胡",
    "抬胡[赖子=on]",
    "讴经",
    "幺地人",
    "天地人和",
)
COLD = 200


def main() -> None:
    """One line for each game, and one for each step of its deals."""
    asked = argparse.ArgumentParser()
    asked.add_argument("games", nargs="*", default=GAMES)
    asked.add_argument("--deals", type=int, default=1_000, help="deals after the first ones")
    asked.add_argument("--step", type=int, default=500, help="deals after which memory is looked at")
    given = asked.parse_args()
    for name in given.games:
        table = load(name).table
        print(f"{name}: cold {_rate(table, 0, COLD):,.0f} decisions/s")
        first, done = _memory(), COLD
        while done < COLD + given.deals:
            before, rate = _memory(), _rate(table, done, given.step)
            done += given.step
            grown, slope = _memory() - first, (_memory() - before) * 1000 / given.step
            print(
                f"  {done:>7} deals: warm {rate:,.0f} decisions/s, {_memory():.0f} MB, "
                f"{grown:+.0f} MB since the first, {slope:+.1f} MB per 1,000 deals",
                flush=True,
            )


def _rate(table: Table, first: int, deals: int) -> float:
    """Decisions a second of processor time."""
    start = time.process_time()
    tally = simulate(table, deals, 1, first=first)
    return tally.decisions / (time.process_time() - start)


def _memory() -> float:
    """MB in use now, where the system tells; else nothing."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 / 1e6 if status.exists() else 0.0


if __name__ == "__main__":
    main()
