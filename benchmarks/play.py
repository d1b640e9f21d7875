"""How fast deals are played by chance, one thread, in process.

    python benchmarks/play.py

A decision is an action of a player; drawing a tile is none. "First" are deals with tables empty, "later"
those after them. Memory is the most that the process had.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dsl import load
from dsl.table.simulate import simulate

GAMES = ("十符硬", "十符硬[人数=3]", "四家飞", "追口符", "打神", "对对符[人数=4]")
FIRST, LATER = 200, 800


def main() -> None:
    """One line for each game."""
    for name in GAMES:
        table = load(name).table
        rates = []
        for deals, seed in ((FIRST, 1), (LATER, 2)):
            start = time.process_time()
            tally = simulate(table, deals, seed)
            rates.append(tally.decisions / (time.process_time() - start))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name}: first {rates[0]:,.0f}, later {rates[1]:,.0f} decisions/s; {memory} MB")


if __name__ == "__main__":
    main()
