"""Options that say in which form a result comes and where it goes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from os.path import islink, realpath
from pathlib import Path
from typing import Any, TypeVar

import click

from dsl.cli.command import Usage, complaint, option
from dsl.cli.common import say, write_atomically, write_bytes
from dsl.text.codes import Lang

from ..kept import Kept, append, clauses

F = TypeVar("F", bound=Callable[..., Any])


def format_option(*names: str) -> Callable[[F], F]:
    """`--format`; the first name is the default."""
    return option(
        "--format",
        "form",
        type=click.Choice(names),
        default=names[0],
        zh="结果的样式，不写是 text",
        en="form of the result, text unless said otherwise",
    )


def form_asked(form: str, as_json: bool) -> str:
    """The form that `--format` and `--json` ask for."""
    if as_json and form not in ("text", "json"):
        zh, en = f"`--json` 同 `--format {form}` 只能写一样", f"`--json` does not go with `--format {form}`"
        raise Usage(complaint(zh, en))
    return "json" if as_json else form


def _a_place(_: click.Context, __: click.Parameter, file: str | None) -> str | None:
    """A file to write to: said to be impossible before the work is done, not after."""
    if file is None or file == "-":
        return file
    folder = Path(file).parent
    if not file.strip():
        raise Usage(complaint("有一个路径是空的", "a path is empty"))
    if not folder.is_dir():
        raise Usage(complaint(f"没有文件夹 `{folder}`", f"there is no folder `{folder}`"))
    if islink(realpath(file)):
        raise Usage(complaint(f"`{file}` 的链接绕成了圈", f"the links of `{file}` lead round in a circle"))
    if Path(file).is_dir():
        raise Usage(complaint(f"`{file}` 是文件夹，不是文件", f"`{file}` is a folder and no file"))
    return file


output_option = option(
    "--output", metavar="FILE", callback=_a_place, zh="结果写进文件", en="write the result to a file"
)


def send(text: str, output: str | None) -> None:
    """A result to a file, or to stdout (`-`)."""
    if output in (None, "-"):
        write_bytes(text.encode())
    else:
        write_atomically(Path(output), text.encode())


def json_text(value: object) -> str:
    """JSON as every verb prints it."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


workers_option = option(
    "--workers",
    type=click.IntRange(1),
    envvar="PAIGUI_WORKERS",
    zh="几个进程，不写就是几核几个；答案一样",
    en="processes, as many as there are processors unless said otherwise; the answers are the same",
)

# ---------------------------------------------------------------- witnesses as examples

write_test_option = option(
    "--write-test",
    "tests",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    callback=_a_place,
    zh="把举出的手牌写成例：加进文件，不写文件就印出来代替结果",
    en="write the witnesses as examples: into a file, or without one print them instead of the result",
)


def keep(kept: Sequence[Kept], tests: str | None, lang: Lang) -> None:
    """Do as `--write-test` says."""
    if tests is None:
        return
    if tests == "-":
        write_bytes(clauses(kept, lang).encode())
        return
    text, many = append(kept, Path(tests), lang)
    if many:
        write_atomically(Path(tests), text.encode())
    say((f"写了 {many} 个例到 {tests}", f"{many} example{'' if many == 1 else 's'} written to {tests}"), lang)
