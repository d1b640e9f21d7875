"""Specs with their faults written inside: `// 期望 CODE LINE:COLUMN`, one line each, at the top.

`PAIGUI_BLESS=1 pytest tests/cases` rewrites the expectations and the messages; read the diff before
you commit it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from dsl.cli.check import Result, check
from dsl.text.render import render_all

HERE = Path(__file__).parent
BAD = sorted(HERE.glob("*/bad/*.pai"))
GOOD = sorted([*HERE.glob("*/good/*.pai"), HERE / "shared/small.pai"])
EXPECTED = re.compile(r"// 期望 (.+)\n")
BLESS = os.environ.get("PAIGUI_BLESS") == "1"


def label(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


def expected(text: str) -> list[str]:
    """The expectations at the top of a case."""
    found, at = [], 0
    while match := EXPECTED.match(text, at):
        found.append(match[1])
        at = match.end()
    return found


def found(path: Path) -> Result:
    """What `paigui check` finds, run beside the file so that no message depends on where we stand."""
    os.chdir(path.parent)
    return check([Path(path.name)])


def places(result: Result, name: str) -> list[str]:
    """Code, line and column of every fault; the file too when it is another one."""
    spans = [(fault.code, fault.span) for fault in result.faults]
    return [f"{code} {s.line}:{s.column}" + (f" {s.path}" if s.path != name else "") for code, s in spans]


def messages(result: Result) -> str:
    """Everything an author reads, in both languages."""
    shown = [render_all(result.faults, result.library.sources, lang) for lang in ("zh", "en")]
    return "\n\n----\n\n".join(shown) + "\n"


def bless(path: Path) -> None:
    """Rewrite the expectations until they agree with the lines they push down."""
    body = path.read_text(encoding="utf-8")
    while match := EXPECTED.match(body):
        body = body[match.end() :]
    lines: list[str] = []
    for _ in range(3):
        path.write_text("".join(f"// 期望 {line}\n" for line in lines) + body, encoding="utf-8")
        lines = places(found(path), path.name)


def stored(path: Path) -> Path:
    return HERE / "messages" / f"{label(path).replace('/bad/', '/')}.txt"


@pytest.fixture(autouse=True)
def _stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


@pytest.mark.parametrize("path", BAD, ids=label)
def test_bad(path: Path) -> None:
    if BLESS:
        bless(path)
        stored(path).parent.mkdir(parents=True, exist_ok=True)
        stored(path).write_text(messages(found(path)), encoding="utf-8")
    result = found(path)
    assert places(result, path.name) == expected(path.read_text(encoding="utf-8"))
    assert result.faults, "a bad case without a fault belongs into good/"
    assert messages(result) == stored(path).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", GOOD, ids=label)
def test_good(path: Path) -> None:
    result = found(path)
    assert render_all(result.faults, result.library.sources, "zh") == ""
    assert result.rulesets


def test_no_message_is_left_over() -> None:
    kept = {stored(path) for path in BAD}
    assert sorted(set((HERE / "messages").rglob("*.txt")) - kept) == []
