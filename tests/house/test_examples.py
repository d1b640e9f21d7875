"""The numbered examples run and print what they say they print; the demo goes through."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.blocks import ROOT, blocks
from tests.house.shell import agrees, calls, run

HERE = ROOT / "examples"
PROGRAMS = sorted(HERE.glob("*.py"))
RULESETS = sorted(HERE.glob("*.pai"))
PRINTS = "# 印出 · prints:\n"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.name)
def test_programs_print_what_they_say(path: Path, tmp_path: Path) -> None:
    said = path.read_text(encoding="utf-8").partition(PRINTS)[2]
    expected = [line.removeprefix("#").strip() for line in said.splitlines()]
    variables = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, path], cwd=tmp_path, env=variables, capture_output=True, check=False
    )
    assert done.stderr.decode() == ""
    assert expected and done.stdout.decode().splitlines() == expected


@pytest.mark.parametrize("path", RULESETS, ids=lambda p: p.name)
def test_rulesets_are_shown(path: Path) -> None:
    """Then they are also checked, as every ruleset that a paper shows."""
    text = path.read_text(encoding="utf-8")
    assert any(block.text == text for page in HERE.glob("*.md") for block in blocks(page, "pai"))


def test_examples_are_numbered() -> None:
    names = [p.name for p in sorted([*PROGRAMS, *HERE.glob("*.md")])]
    assert [int(name[:2]) for name in names] == list(range(1, len(names) + 1))


def test_demo() -> None:
    done = run("bash examples/demo.sh", "zh")
    assert done.returncode == 0, done.stdout
    parts = dict(part.split("\n", 1) for part in done.stdout.split("\n$ ")[1:])
    shown = [call for block in blocks(ROOT / "README.zh.md", "sh") for call in calls(block)]
    told = [call for call in shown if call.command in parts]
    assert len(told) > 4
    assert [c.command for c in told if not agrees(c.shown, _before_heading(parts[c.command]))] == []


def _before_heading(output: str) -> str:
    return output.partition("\n── ")[0]
