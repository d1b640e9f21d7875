"""Many deals, whoever plays them: this process, a pool, a cluster; stopped half way; with intervals."""

from __future__ import annotations

import json
import math
import os
import pickle
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dsl
from dsl.cli import simulate as verb
from dsl.table.intervals import mean_interval, proportion
from dsl.table.many import SHARE, Here, cluster, job, pool, spread
from dsl.table.simulate import BOTS, simulate
from dsl.table.table import Table
from tests.unit.test_schemas import agrees
from verifier.cli import group

GAMES = 2 * SHARE + 3
"""Two whole shares and one that is not."""


def run(*args: str) -> Result:
    return CliRunner().invoke(group, ["simulate", *args], standalone_mode=False)


def test_whoever_plays_the_answer_is_the_same(shifuying: dsl.Game) -> None:
    core, alone = shifuying.core, simulate(shifuying.table, GAMES, 5)
    done: list[int] = []
    assert spread(Here(), 1, job(core, 5), GAMES, done.append) == alone
    assert done == [SHARE, GAMES] or done[-1] == GAMES
    with pool(2) as executor:
        assert spread(executor, 2, job(core, 5), GAMES) == alone
    assert alone.games == GAMES and alone != simulate(shifuying.table, GAMES, 6)


def test_a_cluster_plays_them_too(shifuying: dsl.Game) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as local:
        address = local.scheduler_address
        with cluster(address) as (executor, workers):
            found = spread(executor, workers, job(shifuying.core, 5), SHARE + 1)
        told = json.loads(run("十符硬", "-n", "9", "--seed", "5", "--scheduler", address, "--json").stdout)
    assert found == simulate(shifuying.table, SHARE + 1, 5)
    assert told["games"] == 9


@pytest.mark.parametrize("address", ["nonsense", "foo://here:1"])
def test_a_cluster_that_is_none_is_a_wrong_call(address: str) -> None:
    done = run("十符硬", "-n", "1", "--scheduler", address, "--lang", "en")
    assert "nobody answers" in str(done.exception.diagnostic.message("en"))  # type: ignore[union-attr]


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run("十符硬", "-n", "1", "--scheduler", "tcp://here:1")
    assert "paigui[cluster]" in done.exception.diagnostic.message("zh")  # type: ignore[union-attr]


def test_ctrl_c_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    presses = iter([signal.SIGINT])  # a second one would stop it at once

    def press(*_: object) -> Callable[[int], None]:
        return lambda done: [os.kill(os.getpid(), number) for number in presses].clear()

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(verb, "_telling", press)
    done = run("十符硬", "-n", "9999", "--workers", "1", "--json")
    told = json.loads(done.stdout)
    assert 0 < told["games"] < 9999 and sum(told["outcomes"].values()) == told["games"]
    assert done.return_value == 130 or done.exit_code == 130
    assert signal.getsignal(signal.SIGINT) is before


def test_the_output_is_what_its_schema_says(tmp_path: Path, sijiafei: dsl.Game) -> None:
    told: Any = json.loads(run("四家飞", "-n", "20", "--seed", "3", "--bot", "careless", "--json").stdout)
    agrees("simulate", told)
    assert told["outcomes"]["false_win"] == told["breaches"]["误报"] > 0
    assert sum(seat["false_wins"] for seat in told["seats"].values()) == told["outcomes"]["false_win"]
    assert told["length"]["least"] <= told["length"]["mean"] <= told["length"]["most"]
    deal = sijiafei.new_table(3)
    while not deal.state.over:
        deal.apply(BOTS["eager"](deal.table)(deal.state, random.Random(1)))
    file = tmp_path / "a.play"
    for text in (deal.record(), deal.record().replace("终 ", "终 大家 ")):
        file.write_text(text, encoding="utf-8")
        done = CliRunner().invoke(group, ["replay", str(file), "--json"], standalone_mode=False)
        agrees("replay", json.loads(done.stdout))


def test_a_bot_plays_as_its_name_says(shifuying: dsl.Game) -> None:
    tallies = {name: simulate(shifuying.table, 30, 1, bot(shifuying.table)) for name, bot in BOTS.items()}
    assert not tallies["eager"].outcomes["false_win"] and tallies["careless"].outcomes["false_win"]
    assert tallies["chance"].outcomes["win"] < tallies["eager"].outcomes["win"]


def test_games_travel(shifuying: dsl.Game) -> None:
    assert pickle.loads(pickle.dumps(shifuying.core)) == shifuying.core


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (1, 1000, 0.0002, 0.0056)],
)
def test_wilson_intervals(hits: int, of: int, low: float, high: float) -> None:
    """Against values worked out by hand from the formula."""
    assert proportion(hits, of) == {"rate": hits / of, "low": low, "high": high}


def test_intervals_of_a_mean() -> None:
    numbers = [3, -1, 2, 0, 1]
    found = mean_interval(sum(numbers), sum(n * n for n in numbers), len(numbers))
    half = 1.959964 * math.sqrt(2.5 / 5)
    assert found == {"mean": 1.0, "low": round(1 - half, 4), "high": round(1 + half, 4)}
    assert mean_interval(4, 16, 1) == {"mean": 4.0, "low": 4.0, "high": 4.0}


# ---------------------------------------------------------------- what is remembered on the way

BOUNDS = (
    "dsl.judge.automaton.PLAYED",
    "dsl.judge.fillings.FILLINGS",
    "dsl.table.lookups.KEPT",
    "dsl.table.verdicts.KEPT",
    "dsl.table.hopeless.KEPT",
    "dsl.table.hopeless.PARTED",
    "dsl.core.local.KEPT",
)


def kept(table: Table) -> dict[str, int]:
    """How much a table remembers of what was exposed and held, by its bound."""
    wins = table.verdicts.compiled.wins
    return {
        "dsl.judge.automaton.PLAYED": len(wins._rows) + len(wins._back),
        "dsl.judge.fillings.FILLINGS": len(table.game.memo["fillings"]._known),
        "dsl.table.lookups.KEPT": len(table.claims.lookups._joined),
        "dsl.table.verdicts.KEPT": len(table.verdicts._wins),
        "dsl.table.hopeless.KEPT": len(table.verdicts.hopeless._bad),
        "dsl.table.hopeless.PARTED": len(table.verdicts.hopeless._parted),
    }


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory levels off: each table of what was worked out begins anew, and deals go on as before."""
    told = simulate(dsl.load("十符硬").table, 25, 1)
    for bound in BOUNDS:
        monkeypatch.setattr(bound, 20)
    game = dsl.load("十符硬")
    assert simulate(game.table, 25, 1).to_json(game.core) == told.to_json(game.core)
    room = len(game.core.components)  # all rows of a hand are read at once
    assert all(number <= 21 + room for number in kept(game.table).values()), kept(game.table)
