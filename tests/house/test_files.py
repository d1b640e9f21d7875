"""Sizes, words and habits that every file keeps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.blocks import ROOT

LONGEST_FUNCTION = 40
LONGEST_FILE = 600
SKIPPED = (".git", ".venv", ".hypothesis", "__pycache__", "build", "dist")


def files(*suffixes: str) -> list[Path]:
    """Files of the project with these suffixes, generated and installed ones left out."""
    tops = [p for p in ROOT.iterdir() if not skipped(p.name)]
    found = [p for top in tops for p in ([top] if top.is_file() else top.rglob("*")) if p.suffix in suffixes]
    return sorted(p for p in found if p.is_file() and not any(map(skipped, p.relative_to(ROOT).parts)))


def skipped(name: str) -> bool:
    return name in SKIPPED or name.endswith("_cache")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


CODE = [p for p in files(".py") if shown(p).startswith(("dsl/", "verifier/"))]
TESTS = [p for p in files(".py") if shown(p).startswith("tests/")]
TEXTS = files(".py", ".pai", ".md", ".sh", ".toml", ".lark", ".json", ".txt")


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.name, node.end_lineno - node.lineno + 1


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_code_is_short(path: Path) -> None:
    assert [f"{name}: {size}" for name, size in functions(path) if size > LONGEST_FUNCTION] == []
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_code_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), "a line on top"


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_no_test_depends_on_the_clock(path: Path) -> None:
    """A slow machine must not fail a test."""
    clocks = re.compile(r"assert .*(perf_counter|monotonic|\btime\.time|elapsed|seconds) *(\(\))?.*[<>]")
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [n for n, line in enumerate(lines, 1) if clocks.search(line)]
    assert path == Path(__file__) or found == []


FORBIDDEN = re.compile(
    r"/work/|/home/\w|/root/|/Users/|shared/(design|rules|sources)|localhost|127\.0\.0\.1"
    r"|\bTODO\b|\bFIXME\b|\bXXX\b|DESIGN §|DESIGN\.md|LAYOUT\.md|CHECKS\.md|SOLVER-NOTES",
)
"""Paths of one machine, papers that are not part of the project, and loose ends."""


def test_the_project_speaks_of_itself_alone() -> None:
    found = [
        f"{shown(path)}:{n}: {line.strip()}"
        for path in TEXTS
        if path != Path(__file__)
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert found == []


def test_lines_end_cleanly() -> None:
    bad = [shown(p) for p in TEXTS if (t := p.read_bytes()) and (b"\r" in t or not t.endswith(b"\n"))]
    assert [p for p in bad if not p.startswith("tests/")] == []
