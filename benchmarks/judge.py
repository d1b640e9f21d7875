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
    single(game, some, waiting, (200_000, 20_000, 20_000))
    rate("  the same from JSON objects", len(data), lambda: [game.judge(d) for d in data], 0)
    batch(game, some, (5_000_000, 1_000_000))
    wild("打神", {}, lambda h: True, "any number of wild tiles")
    wild("打神", {}, lambda h: h.wilds > 0, "one to four wild tiles")
    wild("打神", {"DS-12": "R2"}, lambda h: h.wilds > 0, "one to four, conditions that ask for the face")
    peer()


def single(game, some, waiting, aims) -> None:  # type: ignore[no-untyped-def]
    """One hand after the other."""
    rate("is it a win (Hand)", len(some), lambda: [game.is_win(h) for h in some], aims[0])
    rate(
        "full verdict: melds, score, names, payment",
        len(some),
        lambda: [game.judge(h) for h in some],
        aims[1],
    )
    rate(
        "waits with a verdict for each tile (Hand)",
        len(waiting),
        lambda: [game.compiled.waits(h) for h in waiting],
        aims[2],
    )
    print(f"  {sum(len(game.compiled.waits(h)) for h in waiting) / len(waiting):.1f} tiles a hand")


def game_json(game, hand):  # type: ignore[no-untyped-def]
    return to_json(game.core, hand)


def batch(game, some, aims) -> None:  # type: ignore[no-untyped-def]
    """All hands of one role at once, as a list and as arrays."""
    same = [h for h in some if h.role == some[0].role]
    rate("win_many (list of Hand)", len(same), lambda: game.win_many(same), 0)
    rate("judge_many (list of Hand)", len(same), lambda: game.judge_many(same), 0)
    times = -(-100_000 // len(same))
    many = {
        "hands": np.array([h.counts for h in same] * times, np.uint8),
        "last": np.array([h.last[0] for h in same] * times),
        "origin": np.array([ORIGINS.index(h.last[1]) for h in same] * times),
        "role": some[0].role,
    }
    if game.core.wild is not None:
        many |= {"wilds": np.array([h.wilds for h in same] * times)}
        many |= {"context": [h.context for h in same] * times}
    rate("win_many, 100,000 rows", len(many["hands"]), lambda: game.win_many(**many), aims[0])
    rate("judge_many, 100,000 rows", len(many["hands"]), lambda: game.judge_many(**many), aims[1])


def wild(name, options, wanted, which) -> None:  # type: ignore[no-untyped-def]
    """Hands with up to four wild tiles: half the speed of plain ones is the aim."""
    game = load(name, options)
    some = [h for h in with_wilds(game, NUMBER // 4) if wanted(h)]
    waiting = [replace(h, last=None) for h in some[:2000]]
    print(f"{name}, {which}: {len(some):,} hands, {sum(game.is_win(h) for h in some):,} of them wins")
    game = load(name, options)
    single(game, some, waiting, (100_000, 10_000, 10_000))
    batch(game, some, (2_500_000, 500_000))


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
