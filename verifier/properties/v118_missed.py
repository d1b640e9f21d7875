"""V118: clauses that no example and no statement would miss."""

from __future__ import annotations

from collections.abc import Iterator

import dsl
from dsl.judge.words import headline

from ..findings import Example, Finding, Words
from ..missed import Missed, Trial
from ..study import Study

TITLE = ("改了也没人发觉的条文", "a clause that could change unnoticed")
NO_FILE = ("原文读不回来，改不了条文来试", "the text cannot be read again, so no clause can be changed")
LISTED = 6
"""Changes of one clause that a finding lists."""

ADD = (
    "添一个用到它的例（`--write-test` 把见证写成例），或者写一条断言",
    "add an example that needs it (`--write-test` makes one of the witness), or a statement",
)
LOOK = (
    "没找到一手牌显得出分别：本来不起作用就删掉，不然添一个例或一条断言",
    "no hand was found that tells: drop it if it has no effect, else add an example or a statement",
)


def findings(study: Study) -> Iterator[Finding]:
    """One finding for each clause of which no change is noticed; a warning where a hand tells."""
    try:
        for missed in Trial(study).run():
            yield _finding(study, missed)
    except dsl.SpecError:
        study.leave_open("V118", NO_FILE)


def _finding(study: Study, missed: Missed) -> Finding:
    number, name = len(missed.damages), missed.rule.name
    sentence = (
        f"`{name}` 试着改了 {number} 处，没有一个例、一条断言发觉",
        f"{number} change{'s' * (number > 1)} of `{name}` tried: no example and no statement noticed",
    )
    return study.finding(
        "info" if missed.hand is None else "warning",
        sentence,
        [missed.rule],
        None if missed.hand is None else Example(missed.hand, options=missed.options),
        verdicts=[*_listed(missed), *_told_apart(missed), *_chosen(study, missed)],
        mend=LOOK if missed.hand is None else ADD,
        subject=[name],
    )


def _listed(missed: Missed) -> Iterator[Words]:
    """What was tried, on one line."""
    shown = [damage.words for damage in missed.damages[:LISTED]]
    more = ("…",) if len(missed.damages) > LISTED else ()
    zh, en = ([*(words[i] for words in shown), *more] for i in (0, 1))
    yield f"试过：{'；'.join(zh)}", f"tried: {'; '.join(en)}"


def _told_apart(missed: Missed) -> Iterator[Words]:
    """What the clause as it is and as damaged says of the witness."""
    if missed.hand is None or missed.shown is None:
        return
    old, new = (_said(game, missed) for game in missed.games)
    yield f"照原文：{old[0]}", f"as it is: {old[1]}"
    yield f"{missed.shown.words[0]}：{new[0]}", f"with {missed.shown.words[1]}: {new[1]}"


def _said(game: dsl.Game, missed: Missed) -> Words:
    """The verdict on the witness in one line, with the money; for a waiting hand what completes it."""
    assert missed.hand is not None
    try:
        return _verdict(game, missed)
    except dsl.HandError as error:
        fault = error.diagnostics[0]
    try:
        return _waits(game, missed)
    except dsl.HandError:
        return f"{fault.code} {fault.message('zh')}", f"{fault.code} {fault.message('en')}"


def _verdict(game: dsl.Game, missed: Missed) -> Words:
    verdict = game.judge(missed.hand or {})
    money = " ".join(f"{seat} {amount:+}" for seat, amount in verdict.payments.items())
    return f"{headline(verdict, 'zh')}；{money}", f"{headline(verdict, 'en')}; {money}"


def _waits(game: dsl.Game, missed: Missed) -> Words:
    answer = game.waits(missed.hand or {}).to_json()
    tiles = " ".join(wait["tile"] for wait in answer["waits"])
    types = " ".join(answer["types"])
    return f"听 {tiles or '无'}，叫 {types or '无'}", f"waits for {tiles or 'none'}, {types or 'no type'}"


def _chosen(study: Study, missed: Missed) -> Iterator[Words]:
    """Options that must be chosen for the clause to count."""
    usual = study.game.options
    pairs = [f"{name} = {value}" for name, value in missed.options.items() if usual.get(name) != value]
    if pairs:
        said = "，".join(pairs)
        yield f"于 {said}", f"at {', '.join(pairs)}"
