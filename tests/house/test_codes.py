"""Every code is raised somewhere, shows up in a test, and stands in the list of messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.text.codes import CODES
from tests.house.blocks import ROOT
from verifier.properties import check_called
from verifier.properties import codes as checks

TABLES = tuple(ROOT.glob("dsl/text/*codes.py"))
MESSAGES = (ROOT / "docs/messages.md").read_text(encoding="utf-8")


def texts(*patterns: str) -> str:
    paths = (p for pattern in patterns for p in ROOT.glob(pattern) if p not in (Path(__file__), *TABLES))
    return "\n".join(p.read_text(encoding="utf-8") for p in sorted(paths))


RAISING = texts("dsl/**/*.py", "verifier/**/*.py")
TESTS = texts(*(f"tests/**/*.{suffix}" for suffix in ("py", "pai", "json", "txt")))


def named(code: str, text: str) -> bool:
    return re.search(rf"\b{code}\b", text) is not None


@pytest.mark.parametrize("code", CODES)
def test_code_is_raised_tested_and_listed(code: str) -> None:
    assert f'"{code}"' in RAISING, "no line reports it"
    assert named(code, TESTS), "no test expects it"
    assert f"| {code} |" in MESSAGES, "run `make specs`"


def test_no_code_is_made_up() -> None:
    raised = set(re.findall(r'"([PNTWHUR]\d{3})"', RAISING))
    assert raised <= set(CODES)


@pytest.mark.parametrize("code", checks())
def test_check_has_its_pages(code: str) -> None:
    """Each with a ruleset that triggers the check; `tests/unit/test_verifier_checks.py` runs it."""
    assert all(check_called(code).title)
    for name in (f"{code}.md", f"{code}.en.md"):
        page = (ROOT / "docs/checks" / name).read_text(encoding="utf-8")
        assert page.startswith(f"# {code} ") and "```pai\n" in page
    assert f"| {code} |" in MESSAGES, "run `make specs`"
