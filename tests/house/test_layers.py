"""Who may import whom: `.importlinter` says it, and z3 is loaded behind one door."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.house.blocks import ROOT

CODE = sorted([*(ROOT / "dsl").rglob("*.py"), *(ROOT / "verifier").rglob("*.py")])


def test_layers() -> None:
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_one_door_to_the_solver() -> None:
    """z3 is loaded by name, which the import graph does not show."""
    loads = re.compile(r"import_module\(.z3|import z3|from z3")
    doors = [p.relative_to(ROOT).as_posix() for p in CODE if loads.search(p.read_text(encoding="utf-8"))]
    assert doors == ["verifier/smt.py"]


def test_importing_is_light() -> None:
    code = (
        "import sys, dsl, verifier; print([m for m in ('lark', 'numpy', 'z3', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
