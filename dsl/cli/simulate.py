"""`paigui simulate`: many deals by chance."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from types import FrameType

import click

from ..api import load
from ..core.model import Game
from ..table.intervals import mean_interval, proportion
from ..table.many import cluster, job, pool, spread, workers_for
from ..table.simulate import BOTS, Tally
from .command import Usage, complaint, json_option, lang_option, option, verb
from .common import Exit, language, leave, say, write_bytes, write_json
from .language import Words
from .progress import Tick, progress
from .tables import table_of

OUTCOMES: dict[str, Words] = {
    "win": ("和", "wins"),
    "false_win": ("诈和", "false wins"),
    "draw": ("流局", "drawn"),
    "stuck": ("打不下去", "stuck"),
}


@verb(
    "simulate",
    "随机打许多局，看怎样收场。GAME 是 .pai 文件（可带 [选项=值]）或规则名。Ctrl-C 停下，打完的照算。",
    "Play many deals by chance and say how they end. GAME is a .pai file (with [option=value] if wanted) "
    "or a game's name. Ctrl-C stops; the deals that are done are told.",
)
@click.argument("game")
@option("-n", "games", type=click.IntRange(1), default=100, zh="打几局", en="how many deals")
@option("--seed", type=int, default=0, zh="随机数的种子", en="seed of the chance")
@option(
    "--bot",
    type=click.Choice(list(BOTS)),
    default="eager",
    zh="怎样打：eager 能和就和，chance 全凭运气，careless 成了牌就喊和",
    en="eager wins when it can, chance does anything lawful, careless declares any complete hand",
)
@option("--workers", type=click.IntRange(1), zh="几个进程，不写就看要打多少", en="processes; else as pays")
@option("--scheduler", metavar="ADDRESS", zh="交给这个 Dask 集群打", en="a Dask cluster that plays them")
@lang_option
@json_option
def command(
    game: str,
    games: int,
    seed: int,
    bot: str,
    workers: int | None,
    scheduler: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Exit 0 when every deal came to an end, 1 when some got stuck, 130 when stopped, 2 and 3 as ever."""
    spoken = language(lang)
    core = table_of(load(game), spoken).game
    start = time.perf_counter()
    with ExitStack() as stack:
        executor, players = _executor(stack, workers or workers_for(games), scheduler)
        stopped = stack.enter_context(_stopping())
        tick = stack.enter_context(progress(spoken))
        tally = spread(executor, players, job(core, seed, bot), games, _telling(core, games, tick), stopped)
    if as_json:
        write_json({**tally.to_json(core), "seconds": round(time.perf_counter() - start, 3)})
    else:
        write_bytes((_text(core, tally, spoken == "zh") + "\n").encode())
    if tally.games < games:
        say(
            (f"打了 {tally.games} 局停下，要打的是 {games} 局", f"stopped after {tally.games} of {games}"),
            spoken,
        )
        leave(Exit.INTERRUPTED)
    if tally.outcomes["stuck"]:
        leave(Exit.FINDINGS)


def _executor(stack: ExitStack, workers: int, address: str | None) -> tuple[Executor, int]:
    """Who plays, and how many they are: processes here, or the workers of a cluster."""
    if address is None:
        return stack.enter_context(pool(workers)), workers
    try:
        return stack.enter_context(cluster(address))
    except ImportError:
        need = "pip install 'paigui[cluster]'"
        raise Usage(complaint(f"没有装 Dask：`{need}`", f"Dask is not installed: `{need}`")) from None
    except (OSError, ValueError) as error:
        zh, en = f"`{address}` 没有应答：{error}", f"nobody answers at `{address}`: {error}"
        raise Usage(complaint(zh, en)) from None


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed meanwhile; the second time it stops everything at once."""
    pressed = threading.Event()

    def press(_: int, __: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def _telling(game: Game, games: int, tick: Tick | None) -> Callable[[int], None]:
    return lambda done: None if tick is None else tick(game.name, done, games)


# ---------------------------------------------------------------- in words


def _text(game: Game, tally: Tally, zh: bool) -> str:
    """How they ended, with intervals of 95 %, and what every seat got."""
    rates = [f"{_word(key, zh)} {_rate(tally.outcomes[key], tally.games)}" for key in _told(tally.outcomes)]
    ends, colon = ("，", "：") if zh else (", ", ": ")
    lines = [f"{tally.games} {'局' if zh else 'deals'}{colon}{ends.join(rates)}"]
    lines += [f"{seat.name}{colon}{ends.join(_seat(tally, i, zh))}" for i, seat in enumerate(game.seats)]
    steps = f"{tally.decisions / max(1, tally.games):.1f}"
    lines.append(f"每局 {steps} 步" if zh else f"{steps} decisions a deal")
    clauses = ((("犯", "breaches"), tally.breaches), (("流局", "called off"), tally.halts))
    for title, counted in ((("名", "names"), tally.names), *clauses):
        if counted:
            told = ends.join(f"{name} {n}" for name, n in sorted(counted.items()))
            lines.append(f"{title[not zh]}{colon}{told}")
    return "\n".join(lines)


def _told(outcomes: Mapping[str, int]) -> list[str]:
    """Those that always are told, and what else happened."""
    return [*OUTCOMES, *sorted(set(outcomes) - set(OUTCOMES))]


def _word(outcome: str, zh: bool) -> str:
    return OUTCOMES[outcome][not zh] if outcome in OUTCOMES else outcome


def _rate(hits: int, of: int) -> str:
    """`3 (15.0 %, 5.2–36.0)`."""
    found = proportion(hits, of)
    return f"{hits} ({found['rate']:.1%}, {100 * found['low']:.1f}–{100 * found['high']:.1f})"


def _seat(tally: Tally, seat: int, zh: bool) -> list[str]:
    paid = mean_interval(tally.payments[seat], tally.squares[seat], tally.games)
    each = f"{paid['mean']:+.2f} ({paid['low']:+.2f} … {paid['high']:+.2f})"
    wins, false, sum_ = tally.wins[seat], tally.false_wins[seat], f"{tally.payments[seat]:+d}"
    if zh:
        return [f"和 {wins}", *([f"诈和 {false}"] if false else []), f"收付 {sum_}", f"每局 {each}"]
    return [f"{wins} won", *([f"{false} false"] if false else []), sum_, f"{each} a deal"]
