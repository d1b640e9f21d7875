"""`paigui fmt`: one look for every spec; `--lang` also translates the keywords."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from ..front.format import format_source
from ..front.load import decoded
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic
from ..text.export import to_json
from ..text.source import Source, shown_path
from .command import json_option, option, verb
from .common import Exit, language, leave, report, say, spec_files, write_atomically, write_bytes, write_json

STDIN = "-"


@verb(
    "fmt",
    "排版：缩进、空行、标点、对齐；文字和注释不动，有错的文件不改。"
    "PATH 是 .pai 文件或文件夹，`-` 是标准输入。",
    "Lay out specs: indentation, blank lines, punctuation, columns. Words and comments stay, a file with "
    "faults is left alone. PATH is a .pai file, a folder, or `-` for standard input.",
)
@click.argument("path", nargs=-1, required=True)
@option(
    "--lang",
    type=click.Choice(["zh", "en"]),
    zh="把关键词和标点换成这种语言（不写就各用各的）",
    en="write keywords and signs in this language (default: each as it is)",
)
@option(
    "--check",
    is_flag=True,
    zh="只看要不要改，不写文件；要改就退出 1",
    en="write nothing; exit 1 if a file would change",
)
@option("--stdout", is_flag=True, zh="把结果印出来，不写文件", en="print the result instead of writing it")
@json_option
def command(path: tuple[str, ...], lang: Lang | None, check: bool, stdout: bool, as_json: bool) -> None:
    """Exit 3 when a file cannot be parsed, 1 with --check when one would change."""
    spoken = language(lang)
    files = [_piped(lang)] if STDIN in path else []
    files += [_read(p, lang) for p in spec_files(p for p in path if p != STDIN)]
    faults = [fault for file in files for fault in file.faults]
    changed = [file for file in files if file.changed]
    shown = [file for file in files if (stdout or file.path is None) and not (check or file.faults)]
    written = [] if check or stdout else [file for file in changed if file not in shown]
    for file in written:
        if file.path is not None:
            write_atomically(file.path, file.after)
    if as_json:
        _tell_programs(changed, shown, faults, spoken)
    else:
        _show(files, shown, faults, spoken)
        _tell_people(changed if check else written, check, spoken)
    leave(Exit.SPEC if faults else Exit.FINDINGS if check and changed else Exit.OK)


@dataclass(frozen=True, slots=True)
class _File:
    """One file before and after; `path` is None for standard input."""

    path: Path | None
    name: str
    before: bytes
    after: bytes
    source: Source | None
    faults: tuple[Diagnostic, ...]

    @property
    def changed(self) -> bool:
        return self.before != self.after


def _read(path: Path, lang: Lang | None) -> _File:
    return _formatted(path, shown_path(path), path.read_bytes(), lang)


def _piped(lang: Lang | None) -> _File:
    return _formatted(None, "<stdin>", sys.stdin.buffer.read(), lang)


def _formatted(path: Path | None, name: str, data: bytes, lang: Lang | None) -> _File:
    source, fault = decoded(data, name)
    if source is None:
        return _File(path, name, data, data, None, () if fault is None else (fault,))
    text, faults = format_source(source, lang)
    return _File(path, name, data, data if faults else text.encode(), source, faults)


def _tell_programs(changed: list[_File], shown: list[_File], faults: list[Diagnostic], lang: Lang) -> None:
    write_json(
        {
            "changed": [file.name for file in changed],
            "texts": {file.name: file.after.decode() for file in shown},
            "diagnostics": [to_json(fault, lang) for fault in faults],
        }
    )


def _show(files: list[_File], shown: list[_File], faults: list[Diagnostic], lang: Lang) -> None:
    for file in shown:
        write_bytes(file.after)
    report(faults, {file.name: file.source for file in files if file.source is not None}, lang)


def _tell_people(files: list[_File], check: bool, lang: Lang) -> None:
    words = ("要改", "would change") if check else ("改好了", "written")
    for file in files:
        say((f"{file.name}：{words[0]}", f"{file.name}: {words[1]}"), lang)
