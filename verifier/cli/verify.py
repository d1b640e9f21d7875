"""`paigui verify`: prove a ruleset consistent, or show the hand on which it breaks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

import dsl
from dsl.api import split_reference
from dsl.cli.command import Usage, complaint, json_option, lang_option, option, verb
from dsl.cli.common import Exit, language, leave, say, spec_files, write_atomically
from dsl.cli.progress import progress
from dsl.core.model import Game
from dsl.core.processes import processors
from dsl.text.codes import Lang
from dsl.text.source import shown_path

from ..checking import Report, verify_many
from ..findings import changed_options, pick
from ..kept import of_reports
from ..outputs.junit import junit
from ..outputs.sarif import sarif
from ..properties import FAMILY, codes, usual_codes
from ..report import report_text, statement_row
from ..waiving import NotWaived, waived_text
from .across import compare
from .sending import (
    form_asked,
    format_option,
    json_text,
    keep,
    output_option,
    send,
    workers_option,
    write_test_option,
)


@verb(
    "verify",
    "逐项查验规则是否自相矛盾，并回答规则里的断言。PATH 是 .pai 文件（可带 [选项=值]）、规则名或文件夹。",
    "Check rulesets for contradictions and answer their statements. PATH is a .pai file (with "
    "[option=value] if wanted), a game's name, or a folder.",
)
@click.argument("path", nargs=-1, required=True)
@option("--only", metavar="V101,…", zh="只做这几项", en="run only these checks")
@option(
    "--across",
    is_flag=True,
    zh="把这些规则两两相比（V121）：哪一手在一家和、在另一家不和，哪个词不是一回事；有就退 1",
    en="compare these games with one another (V121): hands that win in one only, words that mean two things; "
    "exit 1 when there are any",
)
@format_option("text", "json", "sarif", "junit", "html", "markdown")
@output_option
@write_test_option
@option(
    "--waive",
    metavar="FINGERPRINT",
    zh="把这一条发现的豁免写进规则",
    en="write a waiver of this finding into the spec",
)
@option("--reason", metavar="TEXT", zh="豁免的理由", en="why the finding may stand")
@workers_option
@lang_option
@json_option
def command(
    path: tuple[str, ...],
    only: str | None,
    across: bool,
    form: str,
    output: str | None,
    tests: str | None,
    waive: str | None,
    reason: str | None,
    workers: int | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Exit 0 when nothing was found, 1 for findings, 3 when a spec does not load, 4 when unknown."""
    spoken, form = language(lang), form_asked(form, as_json)
    if across:
        _only_of_families(only)
        games = [game for game in _all(path) if not game.judgement]
        leave(compare(games, form, output, tests, spoken))
    wanted = _wanted(only, form)
    if waive is not None or reason is not None:
        leave(_waive(list(_reports(path, wanted, workers, spoken)), waive, reason, spoken))
    reports = []
    for report in _reports(path, wanted, workers, spoken):
        reports.append(report)
        if form == "text" and output is None and tests != "-":
            send(written([report], form, spoken), None)
    if output is not None or (form != "text" and tests != "-"):
        send(written(reports, form, spoken), output)
    keep(of_reports(reports, spoken) if tests else (), tests, spoken)
    leave(exit_of(reports))


def _wanted(only: str | None, form: str) -> tuple[str, ...]:
    """The codes asked for; the usual ones when nothing is said."""
    if form == "markdown":
        zh = "`--format markdown` 只在 `--across` 时能用"
        raise Usage(complaint(zh, "`--format markdown` goes with `--across` only"))
    if only is None:
        return usual_codes()
    asked = _asked(only)
    if not asked:
        raise Usage(complaint("`--only` 没有写查验项", "`--only` names no check"))
    if FAMILY in asked:
        zh = f"`{FAMILY}` 比的是几套规则，写 `paigui verify --across 甲 乙 …`"
        raise Usage(complaint(zh, f"`{FAMILY}` compares games: `paigui verify --across A B …`"))
    unknown = [code for code in asked if code not in codes()]
    if unknown:
        name, known = unknown[0], " ".join(codes())
        zh = f"没有查验项 `{name}`，有的是 {known}"
        raise Usage(complaint(zh, f"there is no check `{name}`, only {known}"))
    return asked


def _asked(only: str) -> tuple[str, ...]:
    return tuple(code.strip().upper() for code in only.replace("，", ",").split(",") if code.strip())


def _only_of_families(only: str | None) -> None:
    """`--across` is one check; naming another beside it is a mistake."""
    if only is not None and set(_asked(only)) != {FAMILY}:
        zh = f"`--across` 只做 {FAMILY}，不能同 `--only` 的别项一起"
        raise Usage(complaint(zh, f"`--across` is the check {FAMILY} and takes no others from `--only`"))


def _waive(reports: list[Report], fingerprint: str | None, reason: str | None, lang: Lang) -> Exit:
    """Write the waiver instead of a report."""
    if not fingerprint or not reason or not re.search(r"\w", reason):
        zh = "`--waive` 和 `--reason` 要一起写，理由不能空着"
        raise Usage(complaint(zh, "`--waive` and `--reason` go together, and the reason must say something"))
    try:
        file, text = waived_text(reports, fingerprint, reason, lang)
    except NotWaived as error:
        raise Usage(complaint(*error.words)) from error
    write_atomically(file, text.encode())
    say((f"豁免写进了 {shown_path(file)}", f"waiver written to {shown_path(file)}"), lang)
    return Exit.OK


def _reports(path: Sequence[str], wanted: Sequence[str], workers: int | None, lang: Lang) -> Iterator[Report]:
    """The reports one after another; nothing is verified unless all of the games load."""
    games = {(game.path, game.name, tuple(sorted(game.options.items()))): game for game in _all(path)}
    yield from verify_many([*games.values()], wanted, workers or processors(), partial(progress, lang))


def _all(path: Sequence[str]) -> list[Game]:
    """The games of all references. Raises `SpecError` with what is wrong with any of them."""
    games: list[Game] = []
    errors: list[dsl.SpecError] = []
    for reference in path:
        try:
            games += games_of(reference)
        except dsl.SpecError as error:
            errors.append(error)
    if errors:
        faults = [fault for error in errors for fault in error.diagnostics]
        raise dsl.SpecError(faults, {k: source for error in errors for k, source in error.sources.items()})
    return games


def games_of(reference: str) -> Iterator[Game]:
    """The games a reference means; a file or a folder means all of its games and their judgements."""
    if not Path(reference).is_dir():
        yield from _games(reference, templates=True)
        return
    for file in spec_files([reference]):
        yield from _games(str(file), templates=False)


def _games(reference: str, templates: bool) -> Iterator[Game]:
    """One game, or each of a file that holds several; a template is an error only when asked for."""
    try:
        yield from _with_judgements(dsl.load(reference), reference)
    except dsl.SpecError as error:
        faults = {fault.code: fault for fault in error.diagnostics if fault.severity == "error"}
        if set(faults) == {"N020"}:
            names = faults["N020"].values["names"]
            assert isinstance(names, Iterable)
            for name in names:
                yield from _with_judgements(dsl.load(f"{reference}#{name}"), reference)
        elif templates or set(faults) != {"N015"}:
            raise


def _with_judgements(game: dsl.Game, reference: str) -> Iterator[Game]:
    """The game, and where a file is asked for its judgements."""
    yield game.core
    if Path(split_reference(reference)[0]).is_file():
        yield from (game.judgement(name).core for name in game.judgements)


def exit_of(reports: list[Report]) -> Exit:
    """Findings outweigh open questions; what a statement expects is no finding."""
    if any(report.pressing for report in reports):
        return Exit.FINDINGS
    return Exit.UNKNOWN if any(report.unknown for report in reports) else Exit.OK


# ---------------------------------------------------------------- output


def written(reports: list[Report], form: str, lang: Lang) -> str:
    """The reports in one of the forms of `--format`."""
    match form:
        case "json":
            return json_text(reports_json(reports, lang))
        case "sarif":
            return json_text(sarif(reports, lang))
        case "junit":
            return junit(reports, lang)
        case "html":
            from ..outputs.html import page  # noqa: PLC0415  jinja2 only for pages

            return page(reports, lang)
        case _:
            return "".join(f"{_text(report, lang)}\n\n" for report in reports)


def reports_json(reports: list[Report], lang: Lang) -> dict[str, object]:
    """The findings, statements and open questions of all games in one object."""
    parts = [({"game": r.game.name, **_chosen(r.game)}, r.to_json(lang)) for r in reports]
    return {
        key: [{**entry, **game} for game, part in parts for entry in part[key]]
        for key in ("findings", "statements", "unknown")
    }


def _chosen(game: Game) -> dict[str, object]:
    """Options of a game that are not as it has them by itself; nothing where there are none."""
    changed = changed_options(game)
    return {"options": {name: game.options[name] for name in changed}} if changed else {}


def _text(report: Report, lang: Lang) -> str:
    table = _table(report, lang)
    return report_text(report, lang) + (f"\n\n{table}" if table else "")


def _table(report: Report, lang: Lang) -> str:
    """The statements, drawn by rich; empty when there are none."""
    if not report.statements:
        return ""
    from rich.console import Console  # noqa: PLC0415  only when there is a table to draw
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for words in HEADS:
        table.add_column(pick(words, lang))
    for statement in report.statements:
        table.add_row(*statement_row(statement, lang))
    drawn = io.StringIO()
    Console(file=drawn, width=100, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in drawn.getvalue().splitlines())


HEADS = (
    ("断言", "statement"),
    ("", ""),
    ("应", "expected"),
    ("得", "found"),
    ("怎么定的", "how"),
    ("秒", "s"),
)
