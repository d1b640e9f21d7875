"""Same input, same bytes: every command in processes of their own, each with another order of hashes."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

SPEC = "tests/small/两句.pai"

COMMANDS = {
    "verify": ("verify", SPEC, "--json"),
    "readings": ("verify", SPEC, "--only", "V116,V105", "--json"),
    "diff": ("diff", f"{SPEC}[底=5]", f"{SPEC}[底=3]", "--json"),
    "count": ("count", SPEC, "--of", "scores", "--json"),
    "names": ("count", SPEC, "--of", "素", "--json"),
    "waits": ("count", SPEC, "--of", "双口", "--json"),
}
"""Under the reports' one clock, `seconds` of statements, everything is fixed."""

CLOCK = re.compile(rb'"seconds": [0-9.e-]+')


def printed(words: tuple[str, ...], seed: int) -> bytes:
    """What a command prints, but for the seconds that statements took."""
    known = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    code = "from verifier.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, env=known, capture_output=True)
    assert done.returncode in (0, 1), done.stderr.decode()
    return CLOCK.sub(b'"seconds": 0', done.stdout)


def same_each_time(name: str, runs: int) -> None:
    first, *others = (printed(COMMANDS[name], seed) for seed in range(runs))
    assert len(first) > 50
    assert [seed for seed, other in enumerate(others, 1) if other != first] == []


@pytest.mark.parametrize("name", ["verify", "diff", "count"])
def test_three_runs_print_the_same(name: str) -> None:
    same_each_time(name, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_twenty_runs_print_the_same(name: str) -> None:
    same_each_time(name, 20)
