"""`paigui test`: run the examples that specs carry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from ..api import Game
from ..front.load import Library, load_ruleset, rulesets_of
from ..judge.examples import Case, run_examples
from ..text.codes import Lang
from ..text.diagnostics import SpecError
from .command import json_option, lang_option, verb
from .common import Exit, language, leave, say, spec_files, write_bytes, write_json


@verb(
    "test",
    "跑规则里写的例。PATH 是 .pai 文件或文件夹。",
    "Run the examples written in rulesets. PATH is a .pai file or a folder.",
)
@click.argument("path", nargs=-1, required=True)
@lang_option
@json_option
def command(path: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Exit 0 when all pass, 1 when one fails, 3 when a spec does not load."""
    spoken = language(lang)
    cases = [c for file in spec_files(path) for c in cases_of(file)]
    failed = [c for c in cases if not c.ok]
    if as_json:
        passed = len(cases) - len(failed)
        write_json({"passed": passed, "failed": len(failed), "cases": [c.to_json() for c in cases]})
    else:
        write_bytes("".join(_told(c, spoken) + "\n" for c in failed).encode())
        many = (len(cases) - len(failed), len(failed))
        say(
            (f"例：通过 {many[0]}，不通过 {many[1]}", f"examples: {many[0]} passed, {many[1]} failed"), spoken
        )
    leave(Exit.FINDINGS if failed else Exit.OK)


def cases_of(file: Path) -> Iterator[Case]:
    """All examples of all rulesets of a file that are no templates."""
    library = Library()
    rulesets = rulesets_of(file, library)
    faults = library.faults_of(file)
    if any(f.severity == "error" for f in faults):
        raise SpecError(faults, library.sources)
    for ruleset in rulesets:
        if ruleset.template:
            continue

        def reload(options: object, ruleset: object = ruleset) -> Game:
            loaded = load_ruleset(ruleset, options, library)  # type: ignore[arg-type]
            if loaded.game is None:
                raise SpecError(loaded.faults, library.sources)
            return Game(loaded.game)

        yield from run_examples(reload({}), reload)


def _told(case: Case, lang: Lang) -> str:
    lines = [f"{case.file}:{case.line}  {case.id} {case.title}"]
    lines += [f"  {f.message(lang)}" for f in case.faults]
    for key in () if case.faults else case.different:
        expected, got = case.expected[key], case.got.get(key)
        if lang == "zh":
            lines.append(f"  {key}：应是 {_value(expected)}，判出 {_value(got)}")
        else:
            lines.append(f"  {key}: expected {_value(expected)}, got {_value(got)}")
    return "\n".join(lines)


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "-"
    if isinstance(value, dict):
        return " ".join(f"{k} {v:+d}" for k, v in value.items())
    return str(value)
