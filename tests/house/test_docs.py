"""What our papers show is true: rulesets check and judge as printed, commands and programs run."""

from __future__ import annotations

import doctest
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from dsl.cli.check import check
from dsl.cli.test import cases_of
from dsl.front.coverage import coverage_of, stale
from dsl.front.keywords import KEYWORDS
from dsl.front.lex import lex
from dsl.front.load import Library, beside, chain_of, games_in
from dsl.text.render import render_all
from dsl.text.source import Source
from tests.house.blocks import ROOT, Block, blocks
from tests.house.shell import agrees, called, calls, language_of
from verifier.checking import verify

LANGUAGE = ROOT / "docs/language.md"
PAPERS = [
    LANGUAGE,
    *(ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "examples").glob("*.md")),
]
RULES = [block for paper in PAPERS for block in blocks(paper, "pai")]
LONG = "paigui diff 四家飞 十符硬"
"""Takes a while; the demo runs it too, and its test compares it with the Chinese paper."""
SHELLS = [
    pytest.param(block, marks=[pytest.mark.slow] if LONG in block.text else [])
    for paper in PAPERS
    for block in blocks(paper, "sh")
]
PROGRAMS = [block for paper in PAPERS for block in blocks(paper, "python")]
SOURCES = blocks(LANGUAGE, "markdown")[0].text
"""The table that the blocks cite."""

STATING = [b for b in RULES if re.search(r"^ *断言", b.text, re.MULTILINE) and "refuted" not in b.info]
"""Blocks with statements; `refuted` marks those that are there to be refuted."""


@pytest.fixture
def paper(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The block as a file of its own, with the table of sources beside it."""
    monkeypatch.chdir(tmp_path)
    block: Block = request.param
    (tmp_path / "SOURCES.md").write_text(SOURCES, encoding="utf-8")
    Path("a.pai").write_text(block.spec, encoding="utf-8")
    return Path("a.pai")


@pytest.mark.parametrize("paper", RULES, ids=str, indirect=True)
def test_rulesets_are_right(paper: Path) -> None:
    result = check([paper])
    assert render_all(result.faults, result.library.sources, "en") == ""
    assert [case.to_json() for case in cases_of(paper) if not case.ok] == []


@pytest.mark.parametrize("paper", STATING, ids=str, indirect=True)
def test_statements_are_answered_right(paper: Path) -> None:
    for name in re.findall(r"^规则 (\w+)", paper.read_text(encoding="utf-8"), re.MULTILINE):
        report = verify(f"a.pai#{name}", ["V119"])
        assert [(s.id, s.got) for s in report.statements if s.got is not s.expected] == []
        assert report.unknown == ()


@pytest.mark.parametrize("block", SHELLS, ids=str)
def test_commands_do_as_shown(block: Block) -> None:
    for call in calls(block):
        done = called(call.command, language_of(block.file))
        assert done.returncode == call.code, done.stdout
        assert call.code in (0, 1) and agrees(call.shown, done.stdout), done.stdout


@pytest.mark.parametrize("block", PROGRAMS, ids=str)
def test_programs_do_as_shown(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    said: list[str] = []
    runner.run(parser.get_doctest(block.text, {}, block.file, block.file, block.line), out=said.append)
    assert runner.tries and not runner.failures, "".join(said)


# ---------------------------------------------------------------- nothing is missing, nothing is stale


@pytest.mark.parametrize("lang", [0, 1], ids=["zh", "en"])
def test_every_keyword_is_shown(lang: int) -> None:
    shown = [b for b in blocks(LANGUAGE, "pai") if ("english" in b.info) == (lang == 1)]
    written = {t.value for b in shown for t in lex(Source("", b.text))[0] if t.type in KEYWORDS}
    assert [pair[lang] for pair in KEYWORDS.values() if pair[lang] not in written] == []


def test_every_passage_has_an_english_twin() -> None:
    shown = blocks(LANGUAGE, "pai")
    pairs = list(zip(shown[::2], shown[1::2], strict=True))
    assert [str(a) for a, b in pairs if "english" in a.info or "english" not in b.info] == []


def test_every_heading_is_in_both_languages() -> None:
    heads = [line for line in LANGUAGE.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert [h for h in heads if not re.search(r"[\u4e00-\u9fff].* · [A-Z]", h)] == []


def test_generated_pages_are_fresh() -> None:
    generate = _generator()
    assert set(generate.MEANINGS) == set(KEYWORDS)
    assert [p.name for p in generate.stale()] == [], "run `make specs`"


def test_pages_of_findings_are_made_from_the_rules_as_they_are() -> None:
    """Quick: of each page only what it was made from. That its words are right, the next test proves."""
    assert [p.parent.name for p in _generator().outdated_findings()] == [], "run `python docs/generate.py`"


@pytest.mark.slow
def test_pages_of_findings_say_what_the_proofs_give() -> None:
    outdated = _generator().outdated_findings(everything=True)
    assert [p.parent.name for p in outdated] == [], "run `python docs/generate.py --findings`"


PLAYED = sorted((ROOT / "specs").glob("*/*/*.pai"))


@pytest.mark.parametrize("path", PLAYED, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_the_specs_leave_nothing_of_their_sources_out_without_a_reason(path: Path) -> None:
    library = Library()
    for ruleset in games_in(library.read(path)):
        chain = (*beside(ruleset, library), *chain_of(ruleset, library)[0])
        found = coverage_of(chain)
        assert not found.open and not found.unread and not list(stale(chain))


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


def test_links_lead_somewhere() -> None:
    papers = [*PAPERS, ROOT / "ARCHITECTURE.md", ROOT / "specs/README.md", ROOT / "dsl/README.md"]
    assert [f"{paper.name}: {link}" for paper in papers for link in _dead(paper)] == []


def _dead(paper: Path) -> Iterator[str]:
    for link in re.findall(r"\]\(([^)#]+)\)", paper.read_text(encoding="utf-8")):
        if "://" not in link and not (paper.parent / link).exists():
            yield link
