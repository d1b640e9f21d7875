"""`paigui` called in this process, where what was loaded before need not be loaded again."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from verifier.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """Exit code, and both streams; with `together` the second is part of the first."""

    returncode: int
    stdout: str
    stderr: str


def paigui(*words: str, folder: Path, lang: str = "en", together: bool = False) -> Done:
    """The command in a folder, with its messages in a language, as a process of its own would do it."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = out if together else io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PAIGUI_LANG", lang)
        patch.setattr(sys, "argv", ["paigui", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    assert isinstance(ended.value.code, int)
    return Done(ended.value.code, _read(out), "" if together else _read(err))


def _read(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
