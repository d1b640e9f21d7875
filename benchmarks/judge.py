"""How fast hands are judged, one thread, in process; `mahjong` beside ours as the peer.

    python benchmarks/judge.py [game]

Every figure is the median of five runs over hands that were seen once before (tables filled); the line
"first time" is the run that fills them.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.hands import hands, with_wilds
from dsl import ORIGINS, load
from dsl.core.hand import to_json

NUMBER = 20_000


def rate(what: str, number: int, run: Callable[[], object], aim: int) -> None:
    """Print runs per second: the first, and the median of five more."""
    times = []
    for _ in range(6):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    first, *rest = times
    median = number / statistics.median(rest)
    print(
        f"{what:<44} {median:>13,.0f}/s   first time {number / first:>11,.0f}/s   aim {aim:>9,}/s", flush=True
    )


def main() -> None:
    game = load(sys.argv[1] if len(sys.argv) > 1 else "十符硬")
    some = hands(game, NUMBER)
    waiting = [replace(h, last=None) for h in some[:5000]]
    data = [game_json(game, h) for h in some[:5000]]
    print(f"{game.name}: {NUMBER:,} hands, {sum(game.is_win(h) for h in some):,} of them wins")
    game = load(game.name)
    rate("is it a win (Hand)", NUMBER, lambda: [game.is_win(h) for h in some], 200_000)
    rate("full verdict: melds, score, names, payment", NUMBER, lambda: [game.judge(h) for h in some], 20_000)
    rate("  the same from JSON objects", len(data), lambda: [game.judge(d) for d in data], 0)
    rate(
        "waits with a verdict for each tile (Hand)",
        len(waiting),
        lambda: [game.compiled.waits(h) for h in waiting],
        20_000,
    )
    batch(game, some)
    same = [h for h in some if h.role == some[0].role]
    rate("judge_many (list of Hand): win", len(same), lambda: game.win_many(same), 0)
    rate("judge_many (list of Hand): full", len(same), lambda: game.judge_many(same), 0)
    wild()
    peer()


def game_json(game, hand):  # type: ignore[no-untyped-def]
    return to_json(game.core, hand)


def batch(game, some) -> None:  # type: ignore[no-untyped-def]
    same = [h for h in some if h.role == some[0].role]
    reps = -(-100_000 // len(same))
    counts = np.array([h.counts for h in same] * reps, np.uint8)[:100_000]
    last = np.array([h.last[0] for h in same] * reps)[:100_000]
    origin = np.array([ORIGINS.index(h.last[1]) for h in same] * reps)[:100_000]
    role = some[0].role
    rate(
        "judge_many, 100,000 rows: win", 100_000, lambda: game.win_many(counts, last, origin, role), 5_000_000
    )
    rate(
        "judge_many, 100,000 rows: full",
        100_000,
        lambda: game.judge_many(counts, last, origin, role),
        1_000_000,
    )


def wild() -> None:
    """Hands with up to four wild tiles: half the speed of plain ones is the aim."""
    game = load("打神")
    some = with_wilds(game, NUMBER)
    waiting = [replace(h, last=None) for h in some[:5000]]
    print(f"{game.name}: {len(some):,} hands, {sum(game.is_win(h) for h in some):,} of them wins")
    game = load("打神")
    rate("is it a win (Hand)", len(some), lambda: [game.is_win(h) for h in some], 100_000)
    rate(
        "full verdict: melds, score, names, payment",
        len(some),
        lambda: [game.judge(h) for h in some],
        10_000,
    )
    rate(
        "waits with a verdict for each tile (Hand)",
        len(waiting),
        lambda: [game.compiled.waits(h) for h in waiting],
        10_000,
    )
    same = [h for h in some if h.role == some[0].role]
    rate("judge_many (list of Hand): win", len(same), lambda: game.win_many(same), 0)
    rate("judge_many (list of Hand): full", len(same), lambda: game.judge_many(same), 0)


def peer() -> None:
    """`mahjong`: value of a hand of 14 tiles, its own example hand."""
    try:
        from mahjong.hand_calculating.hand import HandCalculator  # noqa: PLC0415  an extra
        from mahjong.tile import TilesConverter  # noqa: PLC0415
    except ImportError:
        print("peer `mahjong` is not installed (extra [bench])")
        return
    tiles = TilesConverter.string_to_136_array(man="22444", pin="333567", sou="444")
    win = TilesConverter.string_to_136_array(sou="4")[0]
    calculator = HandCalculator()
    number = 2000
    rate(
        "peer mahjong: value of one hand",
        number,
        lambda: [calculator.estimate_hand_value(tiles, win) for _ in range(number)],
        20_000,
    )


if __name__ == "__main__":
    main()
