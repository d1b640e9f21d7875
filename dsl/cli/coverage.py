"""`paigui coverage`: which facts of their sources rulesets speak of, and why they leave others out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from ..front.coverage import Coverage, Fact, compressed, coverage_of, stale, together
from ..front.load import Library, beside, chain_of, games_in, load_ruleset
from ..front.syntax import Ruleset
from ..judge.words import table
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic, SpecError, ordered, place
from ..text.display import display_width, visible
from ..text.export import to_json
from .command import json_option, lang_option, verb
from .common import Exit, language, leave, pick, report, spec_files, write_bytes, write_json
from .language import Words

WIDTH = 100
"""Columns that a list of ids may fill."""


@verb(
    "coverage",
    "对着出处表查漏：哪些编号没有条文、例、断言、读法、豁免来引，又没有用 `未建模 … 因为` 说明。"
    "PATH 是 .pai 文件或文件夹；给几个就合起来算，一家引了就算引了。",
    "Compare rulesets with their sources tables: which ids no clause, example, statement, reading or waiver "
    "cites, and whether `unmodelled … because` says why. PATH is a .pai file or a folder; of several, one "
    "that cites an id covers it.",
)
@click.argument("path", nargs=-1, required=True)
@lang_option
@json_option
def command(path: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Exit 0 when every id and reading is used or left out with a reason and none is out of date, else 1."""
    spoken = language(lang)
    library = Library()
    specs = [spec for file in spec_files(path) for spec in _specs(file, library)]
    whole = together([spec.coverage for spec in specs])
    outdated = ordered(fault for spec in specs for fault in spec.stale)
    if as_json:
        write_json(coverage_json(specs, whole, outdated, spoken))
    else:
        write_bytes((coverage_text(specs, whole, spoken) + "\n").encode())
        report(outdated, library.sources, spoken)
    leave(Exit.FINDINGS if whole.open or whole.unread or outdated else Exit.OK)


@dataclass(frozen=True, slots=True)
class Spec:
    """A ruleset that can be judged, its coverage, and the ids that it wrongly says to leave out."""

    ruleset: Ruleset
    coverage: Coverage
    stale: tuple[Diagnostic, ...]


def _specs(file: Path, library: Library) -> Iterator[Spec]:
    """The games of a file, each with its judgements. Raises `SpecError` for one that does not load."""
    rulesets, faults = library.read(file), library.faults_of(file)
    if any(fault.severity == "error" for fault in faults):
        raise SpecError(faults, library.sources)
    for ruleset in games_in(rulesets):
        loaded = load_ruleset(ruleset, {}, library, claims=False)
        if loaded.broken:
            raise SpecError(loaded.faults, library.sources)
        chain = (*beside(ruleset, library), *chain_of(ruleset, library)[0])
        yield Spec(ruleset, coverage_of(chain), tuple(stale(chain)))


# ---------------------------------------------------------------- for people


def coverage_text(specs: Sequence[Spec], whole: Coverage, lang: Lang) -> str:
    """A table of the rulesets, one of the prefixes, the open ids, and those left out by their reasons."""
    if not whole.facts:
        return pick(("没有指明出处表", "no sources table is named"), lang)
    blocks = [
        _rulesets(specs, lang),
        _prefixes(whole, lang),
        _open(whole.open, lang),
        _unread(whole, lang),
        _reasons(whole, lang),
    ]
    return "\n\n".join(block for block in blocks if block)


COUNTS: tuple[Words, ...] = (("编号", "ids"), ("引了", "cited"), ("未建模", "unmodelled"), ("没着落", "open"))
"""Heads of the four counts."""


def _rulesets(specs: Sequence[Spec], lang: Lang) -> str:
    heads = [pick(("规则", "ruleset"), lang), *(pick(words, lang) for words in COUNTS), ""]
    rows = [[visible(s.ruleset.name), *map(str, s.coverage.total()), visible(s.ruleset.path)] for s in specs]
    return table([heads, *rows], right=(1, 2, 3, 4), indent="")


def _prefixes(whole: Coverage, lang: Lang) -> str:
    heads = [pick(("字头", "prefix"), lang), *(pick(words, lang) for words in COUNTS)]
    rows = [[prefix, *map(str, counts)] for prefix, counts in whole.counts().items()]
    last = [pick(("合计", "all"), lang), *map(str, whole.total())]
    return table([heads, *rows, last], right=(1, 2, 3, 4), indent="")


def _open(facts: Sequence[Fact], lang: Lang) -> str:
    if not facts:
        return ""
    head = pick(
        ("没着落的，没有引也没有说为什么不写：", "open, neither cited nor left out with a reason:"), lang
    )
    rows = [[fact.id, visible(fact.gist), visible(fact.status)] for fact in facts]
    return f"{head}\n{table(rows)}"


def _unread(whole: Coverage, lang: Lang) -> str:
    if not whole.unread:
        return ""
    head = pick(
        (
            "引了的编号里没着落的读法，没有 `读法` 可选，也没有说为什么不写：",
            "readings of cited ids that can neither be chosen nor are left out with a reason:",
        ),
        lang,
    )
    rows = [[fact.id, " ".join(missing), visible(fact.gist)] for fact, missing in whole.unread]
    return f"{head}\n{table(rows)}"


def _reasons(whole: Coverage, lang: Lang) -> str:
    if not whole.left:
        return ""
    known = list(whole.facts)
    lines = [pick(("未建模的，和写明的理由：", "unmodelled, with the reasons given:"), lang)]
    for reason, ids in whole.reasons().items():
        lines += [f"  {visible(reason)}", *_filled(compressed(ids, known))]
    return "\n".join(lines)


def _filled(words: Sequence[str]) -> Iterator[str]:
    line = "   "
    for word in words:
        if line.strip() and display_width(line) + 1 + display_width(word) > WIDTH:
            yield line
            line = "   "
        line += f" {word}"
    yield line


# ---------------------------------------------------------------- for programs


def coverage_json(
    specs: Sequence[Spec], whole: Coverage, outdated: Sequence[Diagnostic], lang: Lang
) -> dict[str, object]:
    """Every ruleset by itself, all together, and what is out of date."""
    return {
        "specs": [
            {"game": s.ruleset.name, "file": s.ruleset.path, **_coverage_json(s.coverage)} for s in specs
        ],
        "together": _coverage_json(whole),
        "stale": [to_json(fault, lang) for fault in outdated],
    }


def _coverage_json(found: Coverage) -> dict[str, object]:
    return {
        "sources": found.tables,
        "prefixes": [
            {"prefix": prefix, **dict(zip(("ids", "cited", "unmodelled", "open"), counts, strict=True))}
            for prefix, counts in found.counts().items()
        ],
        "cited": [
            {"id": id, "rule": found.cited[id].path, "place": place(found.cited[id].span)}
            for id in found.facts
            if id in found.cited
        ],
        "unmodelled": [
            {"id": id, "reason": found.left[id].reason, "place": place(found.left[id].span)}
            for id in found.facts
            if id in found.left
        ],
        "open": [{"id": f.id, "gist": f.gist, "status": f.status, "file": f.path} for f in found.open],
        "unread": [{"id": f.id, "readings": list(missing), "gist": f.gist} for f, missing in found.unread],
    }
