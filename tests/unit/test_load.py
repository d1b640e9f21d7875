"""Games that cannot be found, cannot be judged, or should not be chosen; hands that are no hands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dsl
from dsl.cli.check import check
from dsl.cli.common import guarded
from dsl.front.load import load_game
from dsl.text.codes import Lang
from verifier.cli import group
from verifier.questions import put

SMALL = Path(__file__).parents[1] / "cases/shared/small.pai"


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def small(path: str, *changes: tuple[str, str]) -> None:
    text = SMALL.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def codes(error: pytest.ExceptionInfo[dsl.SpecError]) -> list[str]:
    return [fault.code for fault in error.value.diagnostics]


def test_two_games_of_one_name() -> None:
    small("specs/a.pai")
    small("specs/b.pai")
    with pytest.raises(dsl.SpecError) as error:
        dsl.load("小牌")
    assert codes(error) == ["N014"]
    assert [span.path for span, _ in error.value.diagnostics[0].related] == ["specs/a.pai", "specs/b.pai"]
    assert dsl.load("specs/b.pai").name == "小牌"


def test_a_template_is_not_judged() -> None:
    small("a.pai", ("规则 小牌", "底本 小牌"))
    with pytest.raises(dsl.SpecError) as error:
        dsl.load("a.pai")
    assert codes(error) == ["N015"]


def test_an_unusual_choice_is_warned_of() -> None:
    small("a.pai", ("  座 {", "  选项 人数 3 | 2\n  不许 人数 = 2 警告\n  座 {"))
    assert check([Path("a.pai")]).faults == []
    loaded = load_game("a.pai[人数=2]")
    assert [fault.code for fault in loaded.faults] == ["W004"] and loaded.game is not None


@pytest.mark.parametrize("path", ["a#b.pai", "C#/[1]/a.pai", "小「牌」/a 1.pai"])
def test_signs_in_the_names_of_files_and_folders(path: str) -> None:
    small(path, ("  座 {", "  选项 人数 3 | 2\n  座 {"))
    assert dsl.load(f"{path}[人数=2]").core.options == {"人数": "2"}
    assert dsl.load(f"{path}#小牌[人数=2]").name == "小牌"
    assert put(path, "存在 和").holds
    beside = Path(path).with_name("b.pai")
    beside.write_text(f'规则 乙 继承 "{Path(path).name}#小牌" {{ 座 {{}} }}', encoding="utf-8")
    assert dsl.load(str(beside)).name == "乙"


def test_options_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    small("a.pai")
    with pytest.raises(SystemExit), guarded("en"):
        dsl.load("a.pai[人数=3]")
    assert "help: the ruleset has no options\n" in capsys.readouterr().err


def test_a_context_has_known_values() -> None:
    small("a.pai", ("  座 {", "  境 首张：否 是\n  座 {"))
    hand = {"role": "闲", "hand": list("上大人丘乙己化"), "last": {"tile": "化", "from": "自摸"}}
    game = dsl.load("a.pai")
    assert game.judge({**hand, "context": {"首张": "是"}}).win
    with pytest.raises(dsl.HandError) as error:
        game.judge({**hand, "context": {"首张": "也许"}})
    assert codes(error) == ["H013"]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["judge", "a.pai", "--hand", "hand.json"], "H001"),
        (["judge", "a.pai"], "U003"),
        (["verify", "a.pai", "--only", "V999"], "U003"),
    ],
)
def test_wrong_calls(arguments: list[str], code: str, lang: Lang, capsys: pytest.CaptureFixture[str]) -> None:
    small("a.pai")
    Path("hand.json").write_text(json.dumps({"role": "闲"})[:-1], encoding="utf-8")
    with pytest.raises(SystemExit) as ended, guarded(lang):
        group.main([*arguments, "--lang", lang], prog_name="paigui", standalone_mode=False)
    assert ended.value.code == 2 and f"[{code}]" in capsys.readouterr().err
