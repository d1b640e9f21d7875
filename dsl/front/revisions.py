"""`REV:PATH`: a spec as a git revision has it, with its bases and tables from the same revision.

The texts of the revision are laid out in a temporary folder, which messages call `REV:`; the work tree
and the index are only read by git itself, never written.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from tempfile import TemporaryDirectory

from ..text.diagnostics import Diagnostic
from ..text.source import KNOWN_AS, NOWHERE
from ..text.spelling import closest

TEXTS = (".pai", ".md")
"""Suffixes of the files that a spec can lead to."""


@dataclass(frozen=True)
class Tree:
    """The texts of one revision, laid out in a folder."""

    repository: Path
    folder: Path
    keeper: TemporaryDirectory[str]
    """Removes the folder when the process ends."""


@dataclass(frozen=True)
class Revision:
    """What `REV:PATH` means."""

    path: str
    """The part after the colon."""
    file: Path
    """Where that file of the revision has been laid out."""


UNKNOWN = ("没有这个版本", "unknown revision")


class _Refused(Exception):
    """git said no; the argument is its reason."""


def revision(reference: str) -> Revision | Diagnostic | None:
    """`REV:PATH` or `REV:NAME`; None when the reference is none, a fault when there is no such thing."""
    match = re.fullmatch(r"(@|[^:]{2,}):(.+)", reference)
    if match is None or reference.startswith(".") or Path(reference).exists():
        return None
    rev, path = match[1], match[2]
    try:
        top = Path(_git("rev-parse", "--show-toplevel").decode().strip()).resolve()
        tree = _tree(
            top,
            _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
            .decode()
            .strip(),
        )
    except _Refused as error:
        return Diagnostic("U004", NOWHERE, {"rev": rev, "reason": error.args[0]})
    KNOWN_AS[f"{rev}:"] = tree.folder
    file = tree.folder / _inside(top, path)
    if (path.endswith(".pai") or "/" in path) and not file.is_file():
        return _no_such_file(rev, path, tree)
    return Revision(path, file)


def _inside(top: Path, path: str) -> str:
    """The path from the top of the repository; as in git, `./` starts at the working directory."""
    if not path.startswith("."):
        return path
    here = Path.cwd().resolve()
    return normpath((here.relative_to(top) / path).as_posix()) if here.is_relative_to(top) else path


def _no_such_file(rev: str, path: str, tree: Tree) -> Diagnostic:
    known = [p.relative_to(tree.folder).as_posix() for p in sorted(tree.folder.rglob("*.pai"))]
    same = (p for p in known if p.endswith(f"/{path}"))  # from the working directory instead of from the top
    near = next(same, None) or closest(path, known)
    return Diagnostic("U005", NOWHERE, {"rev": rev, "path": path, "suggestion": near})


def as_it_was(folder: Path, near: Path | None) -> Path:
    """The folder as the revision has it that `near` comes from; itself when it is in no repository."""
    tree = next((t for t in _TREES if near is not None and near.is_relative_to(t.folder)), None)
    if tree is None or not folder.resolve().is_relative_to(tree.repository):
        return folder
    return tree.folder / folder.resolve().relative_to(tree.repository)


# ---------------------------------------------------------------- git


_TREES: list[Tree] = []


@cache
def _tree(repository: Path, commit: str) -> Tree:
    keeper = TemporaryDirectory(prefix="paigui-")
    folder = Path(keeper.name).resolve()
    entries = list(_entries(repository, commit))
    for path, data in zip(
        (p for p, _ in entries), _contents(repository, [o for _, o in entries]), strict=True
    ):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    tree = Tree(repository, folder, keeper)
    _TREES.append(tree)
    return tree


def _entries(repository: Path, commit: str) -> Iterator[tuple[str, str]]:
    """(path, object) of the revision's texts; links and submodules are left out."""
    for line in _git("ls-tree", "-r", "-z", "--full-tree", commit, at=repository).decode().split("\0"):
        facts, _, path = line.partition("\t")
        mode, _, rest = facts.partition(" ")
        if mode.startswith("100") and PurePosixPath(path).suffix in TEXTS:
            yield path, rest.split()[1]


def _contents(repository: Path, objects: list[str]) -> Iterator[bytes]:
    """The contents of objects, in order."""
    told = _git("cat-file", "--batch", at=repository, given="".join(f"{o}\n" for o in objects).encode())
    for _ in objects:
        head, _, told = told.partition(b"\n")
        size = int(head.split()[2])
        yield told[:size]
        told = told[size + 1 :]


def _git(*words: str, at: Path | None = None, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(["git", *words], cwd=at, input=given, capture_output=True, check=False)
    except OSError as error:
        raise _Refused(f"git: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise _Refused(said.partition("\n")[0] or UNKNOWN)
    return done.stdout
