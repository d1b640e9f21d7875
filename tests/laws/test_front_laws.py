"""Whatever an author types, the front end answers with messages and never falls over."""

from __future__ import annotations

from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.cli.check import check_ruleset
from dsl.front.lex import lex
from dsl.front.load import Library
from dsl.front.parse import parse
from dsl.text.diagnostics import Diagnostic
from dsl.text.render import render_all
from dsl.text.source import Source

CASES = Path(__file__).parents[1] / "cases"
TEXTS = {path: path.read_text(encoding="utf-8") for path in sorted(CASES.rglob("*.pai"))}


def slip(text: str, chance: Random) -> str:
    """One slip of the hand: a token lost, doubled, or exchanged for another, often one of its own kind."""
    tokens, _ = lex(Source("", text))
    token = chance.choice(tokens)
    alike = [t for t in tokens if t.type == token.type]
    other = chance.choice(alike if chance.random() < 0.7 else tokens)
    written = chance.choice(["", f"{token} {token}", str(other), str(other), str(other)])
    return text[: token.start_pos] + written + text[token.end_pos :]


def checked(path: Path, text: str) -> tuple[list[Diagnostic], Library]:
    source, library = Source(path.as_posix(), text), Library()
    library.sources[source.path] = source
    library.rulesets[source.path], library.faults[source.path] = parse(source)
    found = list(library.faults[source.path])
    for ruleset in library.rulesets[source.path]:
        found += check_ruleset(ruleset, library)
    return found, library


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(TEXTS)), st.integers(0, 10**6))
def test_slips_are_answered_in_both_languages(path: Path, seed: int) -> None:
    chance = Random(seed)
    text = TEXTS[path]
    for _ in range(chance.randint(1, 3)):
        text = slip(text, chance)
    found, library = checked(path, text)
    for lang in ("zh", "en"):
        assert bool(render_all(found, library.sources, lang)) is bool(found)
    lines = text.count("\n") + 2
    assert all(fault.span.line < lines for fault in found if fault.span.path == path.as_posix())
