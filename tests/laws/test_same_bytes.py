"""Same input, same bytes: every report in processes of their own, each with another order of hashes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping

import pytest

from tests.conftest import ROOT

SPEC = "tests/small/两句.pai"
OTHER = "tests/small/两句标.pai"
REAL = "specs/hubei/shifuying/game.pai"

Words = tuple[str, ...]

COMMANDS: dict[str, Words] = {
    "verify": ("verify", SPEC, "--json"),
    "diff": ("diff", f"{SPEC}[底=5]", f"{SPEC}[底=3]", "--json"),
    "count": ("count", SPEC, "--of", "scores", "--json"),
    "across": ("verify", "--across", f"{SPEC}[底=5]", f"{SPEC}[底=3]", OTHER, "--json"),
}

FORMS: dict[str, Words] = {
    **{f"verify {form}": ("verify", SPEC, "--format", form) for form in ("text", "sarif", "junit", "html")},
    **{f"diff {form}": (*COMMANDS["diff"][:3], "--format", form) for form in ("text", "html", "markdown")},
    **{f"across {form}": (*COMMANDS["across"][:-1], "--format", form) for form in ("text", "html")},
    "readings": ("verify", SPEC, "--only", "V116,V105", "--json"),
    "names": ("count", SPEC, "--of", "素", "--json"),
    "waits": ("count", SPEC, "--of", "双口", "--json"),
    "why not": ("why-not", SPEC, "素 且 非 素"),
    "ask": ("ask", SPEC, "存在 和 且 素"),
}

GAMES: dict[str, Words] = {
    "real verify": ("verify", REAL, "--json"),
    "real diff": ("diff", REAL, f"{REAL}[人数=3]", "--json"),
    "real count": ("count", REAL, "--of", "scores", "--json"),
}

RUN = """
import json, sys
from verifier.cli import main
for name, words in json.loads(sys.argv.pop()).items():
    print(f"======== {name}", flush=True)
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as left:
        print(f"-------- {left.code}", flush=True)
"""

CLOCK = re.compile(rb'(?m)(?<="seconds": )[0-9.e-]+|(?<=time=")[0-9.]+|(?<= )[0-9]+\.[0-9]{1,2}(?= s$|$| s<)')
"""The reports' one clock: the time that verifying took."""


def printed(commands: Mapping[str, Words], seed: int) -> dict[str, bytes]:
    """What each command prints, with its exit code, but for the seconds it took; all in one process."""
    known = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    words = [sys.executable, "-c", RUN, json.dumps(commands)]
    done = subprocess.run(words, cwd=ROOT, env=known, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    parts = CLOCK.sub(b"0", done.stdout).split(b"======== ")[1:]
    return dict(zip(commands, parts, strict=True))


def same_each_time(commands: Mapping[str, Words], runs: int) -> None:
    first, *others = (printed(commands, seed) for seed in range(runs))
    for name, said in first.items():
        assert len(said) > 100 and re.search(rb"-------- [01]\n$", said), said.decode()
        assert [seed for seed, other in enumerate(others, 1) if other[name] != said] == [], name


def test_three_runs_print_the_same() -> None:
    same_each_time(COMMANDS, 3)


@pytest.mark.slow
def test_twenty_runs_print_the_same() -> None:
    same_each_time({**COMMANDS, **FORMS}, 20)


@pytest.mark.slow
def test_runs_on_a_real_game_print_the_same() -> None:
    same_each_time(GAMES, 3)
