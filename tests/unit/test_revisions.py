"""`REV:PATH` reads a spec, its bases and its tables from one git revision, and touches nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import dsl
from tests.unit.test_verifier_cli import run
from verifier import diff, verify
from verifier.questions import put

BASE = """底本 底子 {{
  出处 「SOURCES.md」
  牌 {{ 房 上大人 丘乙己；每张 4 }}
  座 {{ 庄 6；闲 6 }}
  牌型 {{ 句 a b c 作 1组；坎 a a a 作 1组 }}
  价 分 {{ 列 皆；句 1；坎 {price} 依 K-01 }}
  和 {{ 形 2组；须 起和：分 ≥ 4 }}
}}
"""
GAME = "规则 变 继承 底子 { 选项 底 4 | 2；若 底 = 2 { 调 和.起和 4 → 2 } }\n"


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *names, *words], cwd=folder, capture_output=True, check=True, text=True)
    return done.stdout


def write(folder: Path, price: int) -> None:
    (folder / "specs/甲").mkdir(parents=True, exist_ok=True)
    (folder / "specs/甲/底.pai").write_text(BASE.format(price=price), encoding="utf-8")
    (folder / "specs/甲/SOURCES.md").write_text("| K-01 | 坎 | 明言 |\n", encoding="utf-8")
    (folder / "specs/乙").mkdir(exist_ok=True)
    (folder / "specs/乙/game.pai").write_text(GAME, encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """First 坎 is worth 2, then 3; in the work tree the base and its table are gone."""
    git(tmp_path, "init", "-q")
    for price in (2, 3):
        write(tmp_path, price)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", str(price))
    (tmp_path / "specs/甲/底.pai").unlink()
    (tmp_path / "specs/甲/SOURCES.md").unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def price(game: dsl.Game) -> set[int | None]:
    return {m.prices[0].points for m in game.core.melds if m.type.name == "坎"}


def test_bases_come_from_the_revision(repository: Path) -> None:
    before = git(repository, "status", "--porcelain")
    assert price(dsl.load("HEAD~1:specs/乙/game.pai")) == {2}
    assert price(dsl.load("HEAD:specs/乙/game.pai#变[底=2]")) == {3}
    assert dsl.load("HEAD:specs/乙/game.pai[底=2]").options == {"底": "2"}
    assert git(repository, "status", "--porcelain") == before
    with pytest.raises(dsl.SpecError, match="no ruleset `底子`"):
        dsl.load("specs/乙/game.pai")


def test_names_are_looked_up_in_the_revision(repository: Path) -> None:
    assert price(dsl.load("HEAD~1:变")) == {2}
    with pytest.raises(dsl.SpecError, match="no game is called `彎`"):
        dsl.load("HEAD:彎")


def test_dots_start_at_the_working_directory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "specs/乙")
    assert price(dsl.load("HEAD~1:./game.pai")) == {2}
    assert price(dsl.load("HEAD~1:specs/乙/game.pai")) == {2}


def test_diff_between_revisions_names_them(repository: Path) -> None:
    found = diff("HEAD~1:specs/乙/game.pai", "HEAD:specs/乙/game.pai")
    (change,) = found.clauses
    assert change.left is not None and change.left.span.path == "HEAD~1:specs/甲/底.pai"
    assert change.right is not None and change.right.span.path == "HEAD:specs/甲/底.pai"
    assert found.aspects["win"].relation == "subset"
    done = run("diff", "HEAD~1:变", "HEAD:变", "--format", "markdown", folder=repository)
    assert (
        done.returncode == 1 and "paigui-" not in done.stdout and "### HEAD~1:变 ⇄ HEAD:变\n" in done.stdout
    )


def test_other_verbs_read_revisions_too(repository: Path) -> None:
    assert {f.code for f in verify("HEAD:specs/乙/game.pai", ["V104", "V105"]).findings} <= {"V104", "V105"}
    assert [put(f"{rev}:变", "存在 和 且 分 = 4").holds for rev in ("HEAD~1", "HEAD")] == [True, True]
    assert [put(f"{rev}:变", "存在 和 且 分 = 6").holds for rev in ("HEAD~1", "HEAD")] == [False, True]


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("nowhere:specs/乙/game.pai", "U004"),
        ("HEAD:specs/丙/game.pai", "U005"),
        ("HEAD:./没有.pai", "U005"),
        ("./HEAD:specs/乙/game.pai", "U002"),
    ],
)
def test_what_is_not_there(reference: str, code: str, repository: Path) -> None:
    with pytest.raises(dsl.SpecError) as caught:
        dsl.load(reference)
    assert [fault.code for fault in caught.value.diagnostics] == [code]


def test_a_path_from_the_working_directory_is_shown_from_the_top(repository: Path) -> None:
    with pytest.raises(dsl.SpecError) as caught:
        dsl.load("HEAD:乙/game.pai")
    (fault,) = caught.value.diagnostics
    assert (fault.code, fault.values["suggestion"]) == ("U005", "specs/乙/game.pai")


def test_outside_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(dsl.SpecError) as caught:
        dsl.load("HEAD:a.pai")
    assert caught.value.diagnostics[0].code == "U004"
