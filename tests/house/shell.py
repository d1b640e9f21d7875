"""Transcripts of a shell inside our papers: run as they stand, and compared with what they show."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.command import Done, paigui
from tests.house.blocks import ROOT, Block

BIN = Path(sys.executable).parent
ELSE = "…"
"""Stands for any number of lines, or for a part of one."""
SHELL = set("|&;<>$`")
"""Characters that a shell does something with."""


@dataclass
class Call:
    """A line `$ command   # exits with N` and the output shown below it."""

    command: str
    code: int
    shown: list[str] = field(default_factory=list)


def calls(block: Block) -> Iterator[Call]:
    """The calls of a block, in order."""
    call: Call | None = None
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if call is not None:
                yield call
            command, _, remark = line[2:].partition("#")
            exits = re.search(r"\d+", remark)
            call = Call(command.strip(), int(exits[0]) if exits else 0)
        elif call is not None:
            call.shown.append(line.rstrip())
    if call is not None:
        yield call


def called(command: str, lang: str) -> Done:
    """A line in the root of the repository, with both streams together. A plain call of `paigui` is done in
    this process; whatever a shell has to read is left to one."""
    if SHELL & set(command) or not command.startswith("paigui "):
        done = run(command, lang)
        return Done(done.returncode, done.stdout, "")
    return paigui(*shlex.split(command)[1:], folder=ROOT, lang=lang, together=True)


def run(command: str, lang: str) -> subprocess.CompletedProcess[str]:
    """The command in a shell in the root, with our own `paigui` and both streams together."""
    variables = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PAIGUI_LANG": lang}
    return subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def agrees(shown: list[str], found: str) -> bool:
    """Does the output read as shown, with `…` for lines or parts of lines left out?"""
    if not shown:
        return True
    lines = shown if shown[-1] else shown[:-1]
    parts = ["(?:.*\n)*?" if line == ELSE else _line(line) for line in lines]
    return re.fullmatch("".join(parts), found.rstrip() + "\n") is not None


def _line(line: str) -> str:
    return ".*".join(re.escape(part) for part in line.split(ELSE)) + " *\n"


def language_of(file: str) -> str:
    return "zh" if file.endswith(".zh.md") else "en"
