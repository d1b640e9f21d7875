"""The command line as its users meet it, mistakes included."""

from __future__ import annotations

import errno
import io
import json
import os
import shlex
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import dsl.cli.check
from dsl.cli.common import Exit, asked_language, language, spec_files, write_atomically
from verifier.cli import group, main

SMALL = Path(__file__).parents[1] / "cases/shared/small.pai"
PAIGUI = [sys.executable, "-c", "from verifier.cli import main; main()"]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """`run("check", "a.pai")` in an empty folder; `stdin` are the bytes of standard input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PAIGUI_DEBUG", raising=False)
    monkeypatch.setenv("PAIGUI_LANG", "en")

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["paigui", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return Outcome(int(ended.value.code), captured.out, captured.err)

    return call


def small(path: str = "a.pai", *changes: tuple[str, str]) -> str:
    text = SMALL.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    Path(path).write_text(text, encoding="utf-8")
    return path


# ---------------------------------------------------------------- start and language


def test_help_loads_nothing_heavy() -> None:
    heavy = "lark numpy z3 rich jinja2 dsl.front dsl.judge"
    code = (
        "import sys\nfrom verifier.cli import main\nsys.argv = ['paigui', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([m for m in '{heavy}'.split() if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == "[]" and "check" in done.stdout


@pytest.mark.parametrize("name", sorted(group.verbs))
def test_every_verb_loads_and_has_help_in_both_languages(name: str, run: Run) -> None:
    assert group.verbs[name].zh and group.verbs[name].en
    for lang in ("zh", "en"):
        shown = run(name, "--help", "--lang", lang)
        assert shown.code == 0 and ("用法：" in shown.out) is (lang == "zh")


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"PAIGUI_LANG": "zh", "LANG": "en_US.UTF-8"}, "zh"),
        ({"PAIGUI_LANG": "en", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "zh_TW.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_language(variables: dict[str, str], lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAIGUI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language() == lang
    assert (language("zh"), language("en")) == ("zh", "en")
    assert asked_language(["check", "--lang", "zh"]) == asked_language(["--lang=zh"]) == "zh"
    assert asked_language(["check", "--lang"]) == asked_language(["--lang", "fr"]) == lang


@pytest.mark.parametrize(
    ("arguments", "zh", "en"),
    [
        (["chekc"], "没有命令 `chekc`", "no such command `chekc`"),
        (["check"], "缺少参数 `PATH`", "missing argument `PATH`"),
        (["check", "--jsn", "a.pai"], "没有选项 `--jsn`", "no such option `--jsn`"),
        (["check", "--lang", "fr", "a.pai"], "`--lang` 只能取 `zh`、`en`", "`--lang` must be `zh` or `en`"),
        (["simulate", "x", "-n", "0"], "`-n` 要一个整数，至少 1", "`-n` must be a whole number, 1 at least"),
        (["play", "x", "--seed", "一"], "`--seed` 要一个整数", "`--seed` must be a whole number"),
        (["check", "a.pai", "--lang"], "选项 `--lang` 后面要写值", "option `--lang` needs a value"),
        (["new", "a.pai", "甲", "乙"], "多出了参数 `乙`", "unexpected argument `乙`"),
    ],
)
def test_usage_errors_in_both_languages(
    arguments: list[str], zh: str, en: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lang, words in (("zh", zh), ("en", en)):
        monkeypatch.setenv("PAIGUI_LANG", lang)
        shown = run(*arguments)
        assert shown.code == Exit.USAGE and words in shown.err and shown.out == ""


def test_no_arguments_show_the_help(run: Run) -> None:
    shown = run()
    assert shown.code == Exit.USAGE and "Commands:" in shown.err


def test_near_names_are_offered(run: Run) -> None:
    small("小牌.pai")
    assert "did you mean `check`?" in run("chekc").err
    assert "did you mean `小牌.pai`?" in run("check", "大牌.pai").err
    assert "did you mean `小牌.pai`?" in run("check", "小牌").err


# ---------------------------------------------------------------- failing


def test_a_bug_is_one_line_unless_debugged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(dsl.cli.check, "check", broken)
    small()
    shown = run("check", "a.pai")
    assert shown.code == Exit.BUG
    assert (
        shown.err.count("\n") == 1
        and "internal error: ZeroDivisionError: two lines; please report" in shown.err
    )
    monkeypatch.setenv("PAIGUI_LANG", "zh")
    assert "内部错误" in run("check", "a.pai").err
    monkeypatch.setenv("PAIGUI_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["paigui", "check", "a.pai"])
    with pytest.raises(ZeroDivisionError):
        main()


def test_control_c(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dsl.cli.check, "check", interrupted)
    small()
    shown = run("check", "a.pai")
    assert (shown.code, shown.err.strip()) == (Exit.INTERRUPTED, "interrupted")


def test_a_file_that_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "a.pai")

    small("a.pai", ("每张 4", "每张   4"))
    monkeypatch.setattr(os, "replace", full)
    shown = run("fmt", "a.pai")
    assert shown.code == Exit.USAGE and "`a.pai`: No space left on device" in shown.err
    assert "每张   4" in Path("a.pai").read_text(encoding="utf-8")
    assert [p.name for p in Path().iterdir()] == ["a.pai"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
@pytest.mark.parametrize("verb", [["check", "a.pai", "--json"], ["explain", "V101"]])
def test_a_result_that_nobody_can_keep_is_no_bug_of_ours(verb: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.pai").write_bytes(SMALL.read_bytes())
    command = shlex.join([*PAIGUI, *verb])
    known = {**os.environ, "PAIGUI_LANG": "en"}
    for end, said in ((">/dev/full", "`<stdout>`: No space left on device"), (">&-", "`<stdout>`: Bad file")):
        done = subprocess.run(
            f"{command} {end}", shell=True, cwd=tmp_path, stderr=subprocess.PIPE, env=known, check=False
        )
        assert done.returncode == Exit.USAGE and said in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1


def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, b"told")
    assert os.read(end, 9) == b"told" and pipe.is_fifo()
    os.close(end)


def test_a_protected_file_is_left_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    small("a.pai", ("每张 4", "每张   4"))

    def refused(self: Path, _: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever may do anything is told otherwise
    monkeypatch.setattr(Path, "write_bytes", refused)
    shown = run("fmt", "a.pai")
    assert shown.code == Exit.USAGE and "`a.pai`: Permission denied" in shown.err
    assert "每张   4" in Path("a.pai").read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="needs pipes that break")
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    for name in ("a.pai", "b.pai", "c.pai"):
        text = f"// {'长' * 250_000}\n{SMALL.read_text(encoding='utf-8')}"
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [*PAIGUI, "fmt", "--stdout", "."]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == Exit.CLOSED_PIPE


# ---------------------------------------------------------------- check


def test_check_says_that_all_is_well(run: Run) -> None:
    shown = run("check", small())
    assert (shown.code, shown.out, shown.err) == (0, "", "1 ruleset checked, no errors\n")
    Path("sub").mkdir()
    small("sub/b.pai", ("小牌", "另一副"))
    assert "2 rulesets" in run("check", ".").err


def test_check_reports_all_files(run: Run) -> None:
    small("a.pai", ("每张 4", "每张 四"))
    small("b.pai", ("列  红", "列  蓝"))
    shown = run("check", "a.pai", "b.pai", "--lang", "zh")
    assert shown.code == Exit.SPEC
    assert "a.pai:4:9" in shown.err and "b.pai:15:8" in shown.err and "2 个错误" in shown.err


def test_check_as_json(run: Run) -> None:
    shown = run("check", small("a.pai", ("列  红", "列  蓝")), "--json")
    answer = json.loads(shown.out)
    assert shown.code == Exit.SPEC and shown.err == ""
    assert answer["rulesets"] == ["小牌"]
    assert [(d["code"], d["file"], d["line"], d["column"]) for d in answer["diagnostics"]] == [
        ("N001", "a.pai", 15, 8)
    ]


def test_warnings_alone_are_no_failure(run: Run) -> None:
    small("a.pai", ("    类 黑 = 非 红\n", "    类 黑 = 非 红\n    类 全 = 红 黑\n    类 空 = 非 全\n"))
    shown = run("check", "a.pai")
    assert shown.code == 0 and "1 warning" in shown.err and "no errors" in shown.err


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (SMALL.read_text(encoding="utf-8").encode("gbk"), "P007", "looks like GBK"),
        (SMALL.read_text(encoding="utf-8").encode("utf-16"), "P007", "looks like UTF-16"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\xff", "P007", "not UTF-8"),
        (b"", "P008", "no ruleset yet"),
        (b" \n\xef\xbb\xbf\n", "P008", "no ruleset yet"),
        ("// 很长\n".encode() * 500_000, "P009", "5000000 bytes"),
        (("规则 甲 {" + "若 甲 = 乙 {" * 9_000).encode(), "P015", "nested too deeply"),
        (f"规则 甲 {{ 断言 C-1 存在 {'（' * 9_000}".encode(), "P015", "nested too deeply"),
        (f"规则 甲 {{ 断言 C-1 存在 {'非 ' * 9_000}".encode(), "P015", "nested too deeply"),
    ],
    ids=["gbk", "utf-16", "picture", "empty", "blank", "5 MB", "braces", "brackets", "nots"],
)
def test_files_that_are_no_specs(data: bytes, code: str, words: str, run: Run) -> None:
    Path("a.pai").write_bytes(data)
    for arguments in (["check", "a.pai"], ["fmt", "a.pai"]):
        shown = run(*arguments)
        assert shown.code == Exit.SPEC and code in shown.err and words in shown.err
        assert shown.err.count("error[") == 1
    assert Path("a.pai").read_bytes() == data


@pytest.mark.parametrize(
    "arguments",
    [
        *(["check"], ["fmt"], ["test"], ["coverage"], ["verify"], ["simulate"], ["play"], ["count"]),
        *(["ask", "存在 和"], ["why-not", "和"], ["diff", "other.pai"], ["verify", "--across"]),
        *(["judge", "--hand", "-"], ["waits", "--hand", "-"]),
    ],
    ids=" ".join,
)
def test_a_file_that_is_not_there_does_not_load(arguments: list[str], run: Run) -> None:
    shown = run(arguments[0], "none.pai", *arguments[1:], stdin=b'{"hand": []}')
    assert (shown.code, shown.out) == (Exit.SPEC, "")
    assert "error[U002]: there is no file `none.pai`" in shown.err


@pytest.mark.parametrize("verb", ["check", "verify", "count"])
@pytest.mark.parametrize("link", ["round", "nowhere"])
def test_links_that_lead_to_no_file(verb: str, link: str, run: Run) -> None:
    Path("round").symlink_to("round")
    Path("nowhere").symlink_to("none.pai")
    shown = run(verb, f"./{link}")
    assert (shown.code, shown.out) == (Exit.SPEC, "") and "error[U002]" in shown.err


def test_all_files_that_are_not_there_are_named(run: Run) -> None:
    shown = run("check", small(), "none.pai", "naught.pai", "--lang", "zh")
    assert shown.code == Exit.SPEC and "`none.pai`" in shown.err and "2 个错误" in shown.err


def test_a_folder_without_specs(run: Run) -> None:
    shown = run("check", ".")
    assert shown.code == Exit.USAGE and "no .pai files below" in shown.err


def test_files_named_twice_are_read_once(run: Run) -> None:
    small()
    assert spec_files(["a.pai", ".", "a.pai"]) == [Path("a.pai")]


# ---------------------------------------------------------------- fmt


def test_fmt_writes_only_what_changes(run: Run) -> None:
    small("a.pai", ("每张 4", "每张   4"))
    small("b.pai")
    run("fmt", "b.pai")
    untouched = os.stat("b.pai").st_mtime_ns
    shown = run("fmt", "a.pai", "b.pai")
    assert (shown.code, shown.out, shown.err) == (0, "", "a.pai: written\n")
    assert os.stat("b.pai").st_mtime_ns == untouched
    assert Path("a.pai").read_text(encoding="utf-8") == Path("b.pai").read_text(encoding="utf-8")


def test_fmt_check_writes_nothing(run: Run) -> None:
    small("a.pai", ("每张 4", "每张   4"))
    before = Path("a.pai").read_bytes()
    shown = run("fmt", "--check", "a.pai")
    assert (shown.code, shown.err) == (Exit.FINDINGS, "a.pai: would change\n")
    assert Path("a.pai").read_bytes() == before
    run("fmt", "a.pai")
    assert run("fmt", "--check", "a.pai").code == 0


def test_fmt_there_and_back(run: Run) -> None:
    run("fmt", small())
    before = Path("a.pai").read_bytes()
    run("fmt", "--lang", "en", "a.pai")
    assert b"deck {" in Path("a.pai").read_bytes()
    assert run("check", "a.pai").code == 0
    run("fmt", "--lang", "zh", "a.pai")
    assert Path("a.pai").read_bytes() == before


def test_fmt_of_standard_input(run: Run) -> None:
    shown = run("fmt", "-", stdin="规则 甲{\r\n}\r\n".encode())
    assert (shown.code, shown.out.replace("\r", ""), shown.err) == (0, "规则 甲 {}\n", "")
    shown = run("fmt", "-", stdin="规则 {".encode())
    assert shown.code == Exit.SPEC and shown.out == "" and "<stdin>:1:4" in shown.err
    assert run("fmt", "-", "--check", stdin=b"rules it{}").code == Exit.FINDINGS
    assert run("fmt", "-", stdin="规则".encode("gbk")).code == Exit.SPEC


def test_fmt_stdout_and_json(run: Run) -> None:
    small("a.pai", ("每张 4", "每张   4"))
    before = Path("a.pai").read_bytes()
    shown = run("fmt", "--stdout", "a.pai")
    assert "每张 4\n" in shown.out and shown.err == ""
    answer = json.loads(run("fmt", "--stdout", "--json", "a.pai").out)
    assert answer["changed"] == ["a.pai"] and answer["texts"]["a.pai"] == shown.out
    assert Path("a.pai").read_bytes() == before


def test_fmt_keeps_going_past_a_faulty_file(run: Run) -> None:
    small("a.pai", ("每张 4", "每张 四"))
    small("b.pai", ("每张 4", "每张   4"))
    shown = run("fmt", "a.pai", "b.pai")
    assert shown.code == Exit.SPEC and "a.pai:4:9" in shown.err and "b.pai: written" in shown.err


def test_writing_keeps_permissions_and_links(tmp_path: Path) -> None:
    (tmp_path / "real.pai").write_bytes(b"1")
    (tmp_path / "real.pai").chmod(0o640)
    (tmp_path / "link.pai").symlink_to("real.pai")
    write_atomically(tmp_path / "link.pai", b"2")
    assert (tmp_path / "link.pai").is_symlink() and (tmp_path / "real.pai").read_bytes() == b"2"
    assert stat.S_IMODE((tmp_path / "real.pai").stat().st_mode) == 0o640


# ---------------------------------------------------------------- new


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    "name", ["我的牌", "3人牌", "和", "rules", "第一副", "a", "VO-01", "带 空格", "it's"]
)
def test_new_passes_check_and_is_laid_out(name: str, lang: str, run: Run) -> None:
    assert run("new", "a.pai", name, "--lang", lang).code == 0
    assert run("check", "a.pai").err == "1 ruleset checked, no errors\n"
    assert run("fmt", "--check", "--lang", lang, "a.pai").code == 0
    assert run("new", "deep/er/b.pai", f"{name}二", "--extends", "a.pai").code == 0
    shown = run("check", "deep/er/b.pai")
    assert (shown.code, shown.err) == (0, "1 ruleset checked, no errors\n")


def test_new_extends_a_template_by_name(run: Run) -> None:
    assert run("new", "a.pai", "我的十九张", "--extends", "上大人十九张", "--lang", "zh").code == 0
    text = Path("a.pai").read_text(encoding="utf-8")
    assert "继承 上大人十九张" in text and "座 {" in text and "//   牌型：句 口" in text
    assert run("check", "a.pai").code == 0


def test_new_refuses(run: Run) -> None:
    small()
    before = Path("a.pai").read_bytes()
    for arguments, code, words in (
        (["a.pai", "甲"], Exit.USAGE, "is not overwritten"),
        (["b", "甲"], Exit.USAGE, "must end in .pai"),
        (["b.pai", ""], Exit.USAGE, "cannot be a name"),
        (["b.pai", "两\n行"], Exit.USAGE, "cannot be a name"),
        (["b.pai", "甲", "--extends", "没有的"], Exit.SPEC, "no game is called `没有的`"),
        (["b.pai", "甲", "--extends", "aa.pai"], Exit.SPEC, "did you mean `a.pai`?"),
    ):
        shown = run("new", *arguments)
        assert shown.code == code and words in shown.err
    assert Path("a.pai").read_bytes() == before and not Path("b.pai").exists()
    shown = run("new", "c.pai", "甲", "--json")
    assert json.loads(shown.out) == {"file": "c.pai", "ruleset": "甲"}
