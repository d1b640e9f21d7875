"""What every verb needs: exit codes, output, files, and a calm way to fail."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path
from typing import NoReturn

import click

from ..core.limits import TooLarge
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic, SpecError
from ..text.render import render, render_all
from ..text.source import NOWHERE, Source, shown_path
from ..text.spelling import closest_file
from .command import ClosedPipe, Usage, complaint, in_chinese, usage_fault
from .language import Words, asked_language, language, pick

__all__ = ["Exit", "asked_language", "guarded", "language", "leave", "pick", "say", "spec_files"]


class Exit(IntEnum):
    """Exit codes of every verb; programs rely on them."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    SPEC = 3
    UNKNOWN = 4
    BUG = 70
    INTERRUPTED = 130
    CLOSED_PIPE = 141


def leave(code: Exit) -> NoReturn:
    """End the verb with this exit code."""
    click.get_current_context().exit(code)


# ---------------------------------------------------------------- output


def say(words: Words, lang: Lang) -> None:
    """A sentence for people, on stderr: stdout is for results."""
    click.echo(pick(words, lang), err=True)


def report(faults: Iterable[Diagnostic], sources: Mapping[str, Source], lang: Lang) -> None:
    """All diagnostics with their source lines, on stderr."""
    text = render_all(faults, sources, lang)
    if text:
        click.echo(text, err=True)


STDOUT = "<stdout>"
"""What messages call it."""


def write_json(value: object) -> None:
    """A result for programs: one JSON value on stdout."""
    write_bytes((json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def write_bytes(data: bytes) -> None:
    """A result on stdout, in UTF-8 whatever the terminal's encoding.

    Raises `OSError` where nothing more can be written, with a name for stdout.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), STDOUT)
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        raise OSError(error.errno, error.strerror, STDOUT) from error


# ---------------------------------------------------------------- files


def spec_files(paths: Iterable[str]) -> list[Path]:
    """The `.pai` files meant by arguments: files as they are, folders with all that lie below.

    Raises `SpecError` with every file that is not there, as loading one would.
    """
    found: list[Path] = []
    given = list(paths)
    if any(not path.strip() for path in given):  # an empty one would be the whole folder
        raise Usage(complaint("有一个路径是空的", "a path is empty"))
    named = [Path(path) for path in given]
    if missing := [_missing(path) for path in named if not path.exists()]:
        raise SpecError(missing, {})
    for path in named:
        below = sorted(path.rglob("*.pai")) if path.is_dir() else [path]
        if not below:
            raise Usage(complaint(f"`{path}` 下面没有 .pai 文件", f"there are no .pai files below `{path}`"))
        found += below
    return list(dict.fromkeys(found))


def _missing(path: Path) -> Diagnostic:
    return Diagnostic("U002", NOWHERE, {"path": str(path), "suggestion": closest_file(path)})


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content in one step; its permissions stay, a link keeps pointing at it.

    What is no file, such as /dev/stdout or a pipe, is written to as it is. Raises `OSError` for a file that
    may not be written, even where its folder would let it be replaced.
    """
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        path.write_bytes(data)
        return
    target = path.resolve()
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
    draft = ""
    try:
        handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(draft, mode)
        os.replace(draft, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            os.unlink(draft)


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


# ---------------------------------------------------------------- failing


@contextmanager
def guarded(lang: Lang) -> Iterator[None]:
    """Turn everything that can go wrong into one message and the right exit code."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.UsageError as error:
        _wrong_usage(error, lang)
    except SpecError as error:
        report(error.diagnostics, error.sources, lang)
        sys.exit(Exit.SPEC)
    except TooLarge as error:
        say(error.words, lang)
        sys.exit(Exit.UNKNOWN)
    except (KeyboardInterrupt, click.exceptions.Abort):
        say(("已中断", "interrupted"), lang)
        sys.exit(Exit.INTERRUPTED)
    except (BrokenPipeError, ClosedPipe):
        _drop_output()
        sys.exit(Exit.CLOSED_PIPE)
    except Exception as error:
        _failed(error, lang)


def _wrong_usage(error: click.UsageError, lang: Lang) -> NoReturn:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        sys.exit(Exit.USAGE)
    lines = [render(usage_fault(error), {}, lang)]
    if error.ctx is not None and not isinstance(error, Usage):
        usage = error.ctx.get_usage()
        lines += [in_chinese(usage) if lang == "zh" else usage]
    click.echo("\n".join(lines), err=True)
    sys.exit(Exit.USAGE)


REASONS = {
    errno.ENOENT: "没有这个文件",
    errno.EACCES: "没有权限",
    errno.EPERM: "不许改",
    errno.EISDIR: "是文件夹，不是文件",
    errno.ENOTDIR: "路径里有一段不是文件夹",
    errno.EROFS: "这里只能读",
    errno.ENOSPC: "磁盘满了",
    errno.EBADF: "关着，写不进去",
}
"""What the system says of a file in English, in Chinese."""


def _failed(error: Exception, lang: Lang) -> NoReturn:
    """A file that cannot be read or written is the caller's to mend; all else is our bug."""
    if os.environ.get("PAIGUI_DEBUG") == "1":
        raise error
    if isinstance(error, OSError) and isinstance(error.filename, str):
        where, what = shown_path(Path(error.filename)), str(error.strerror)
        zh = REASONS.get(error.errno or 0, what)
        click.echo(render(complaint(f"`{where}`：{zh}", f"`{where}`: {what}"), {}, lang), err=True)
        sys.exit(Exit.USAGE)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    zh = f"内部错误：{what}。这是 paigui 自己的毛病，请报告（设 PAIGUI_DEBUG=1 可看经过）"
    en = f"internal error: {what}; please report this (PAIGUI_DEBUG=1 shows the trace)"
    say((zh, en), lang)
    sys.exit(Exit.BUG)


def _drop_output() -> None:
    """Nobody reads any more: let the flush at the end go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
