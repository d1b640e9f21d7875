"""`paigui check`: every mistake of every ruleset, under the defaults and under every option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import click

from ..front.assemble import assemble
from ..front.clashes import Clashes
from ..front.cover import changed, every_condition, every_pair, single_changes
from ..front.load import Library, Loaded, load_ruleset, rulesets_of
from ..front.syntax import Ruleset
from ..text.diagnostics import Diagnostic, ordered
from ..text.export import to_json
from ..text.source import NOWHERE
from .command import json_option, lang_option, verb
from .common import Exit, language, leave, report, say, spec_files, write_json
from .language import Words

COMBINED = frozenset({"N011", "W004"})
"""What a combination of options may be told; nobody chose the ones that are tried here."""


@verb(
    "check",
    "检查每个文件里的每套规则：默认的选项查一遍，每个选项换一次再查一遍。PATH 是 .pai 文件或文件夹。",
    "Check every ruleset of every file, under its defaults and under every single change of an option. "
    "PATH is a .pai file or a folder.",
)
@click.argument("path", nargs=-1, required=True)
@lang_option
@json_option
def command(path: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Exit 3 when a spec does not load; warnings alone are no failure."""
    spoken = language(lang)
    result = check(spec_files(path))
    broken = any(fault.severity == "error" for fault in result.faults)
    if as_json:
        write_json({"rulesets": result.rulesets, "diagnostics": [to_json(f, spoken) for f in result.faults]})
    else:
        report(result.faults, result.library.sources, spoken)
        if not broken:
            say(_fine(len(result.rulesets)), spoken)
    leave(Exit.SPEC if broken else Exit.OK)


def _fine(many: int) -> Words:
    return f"查过 {many} 套规则，没有错误", f"{many} ruleset{'s' if many > 1 else ''} checked, no errors"


@dataclass(frozen=True, slots=True)
class Result:
    """What was looked at, and what was found, in order and each thing once."""

    rulesets: list[str]
    faults: list[Diagnostic]
    library: Library


def check(paths: Iterable[Path]) -> Result:
    """Check all rulesets of these files."""
    library, names, found = Library(), list[str](), list[Diagnostic]()
    for path in paths:
        rulesets = rulesets_of(path, library)
        found += library.faults_of(path)
        for ruleset in rulesets:
            names.append(ruleset.name)
            found += check_ruleset(ruleset, library)
    return Result(names, ordered(found), library)


def check_ruleset(ruleset: Ruleset, library: Library) -> Iterator[Diagnostic]:
    """Faults under the defaults, then what other choices of options add, with the choice named."""
    first = load_ruleset(ruleset, {}, library)
    yield from first.faults
    if first.assembled is None:
        return
    tried = [dict(first.assembled.options)]
    claims = () if first.game is None else first.game.statements
    claimed = [{**first.assembled.options, **claim.options} for claim in claims]
    for options in (*single_changes(first.assembled), *every_condition(first.assembled), *claimed):
        if options not in tried:
            tried.append(options)
            yield from _added(first, load_ruleset(ruleset, options, library).faults, options)
    clashes = Clashes(first.assembled, library.planned)
    for options in every_pair(first.assembled):
        if options not in tried and clashes.possible(options):
            chain = first.assembled.chain
            both = assemble(chain, options, ruleset.span, library.agreed(chain), library.planned)
            yield from _added(first, both.faults, options)


def _added(first: Loaded, faults: Iterable[Diagnostic], options: Mapping[str, str]) -> Iterator[Diagnostic]:
    assert first.assembled is not None
    changes = changed(first.assembled.choices, options)
    label = "[" + ", ".join(f"{name} = {value}" for name, value in changes.items()) + "]"
    for fault in faults:
        if fault.code not in COMBINED and fault not in first.faults:
            yield replace(fault, related=(*fault.related, (NOWHERE, label)))
