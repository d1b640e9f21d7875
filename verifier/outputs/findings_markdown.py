"""A page for those who keep a game: what was found in its text, in Chinese with English beside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from dsl.core.model import Game, Rule
from dsl.judge.verdict import Verdict
from dsl.text.codes import SEVERITIES
from dsl.text.display import visible

from ..checking import Report
from ..findings import Example, Finding, Words
from ..other_readings import Other, Readings
from ..properties import usual_codes
from ..report import WAYS, example_text
from ..study import Answered, answer_words
from .markdown import cell, heads, row

SHOWN = 6
"""Things that the finding says of its example; `paigui verify --json` has all."""
MADE: Words = ("依据", "made from")


def page(reports: Sequence[Report], title: Words) -> str:
    """The findings and statements of the rulesets of one folder, the first of which the others may extend."""
    lines = [f"# {title[0]} · {title[1]}", "", *HEAD, f"<!-- {_mark([r.game for r in reports])} -->"]
    told: set[tuple[str, Words]] = set()
    for report in reports:
        lines += ["", *_ruleset(report, told)]
    return "\n".join(lines) + "\n"


HEAD = (
    "这一页由 `python docs/generate.py` 生成，不要手改。每一条都对所有手牌查过；举出的手牌又判过一遍。",
    "",
    "This page is made by `python docs/generate.py`; do not edit it. Everything is asked of all hands, and",
    "every hand shown was judged again.",
    "",
)


def _mark(games: Iterable[Game]) -> str:
    return f"{MADE[0]} · {MADE[1]}: {digest(games)}"


def digest(games: Iterable[Game]) -> str:
    """Sixteen signs for all that the findings depend on in the texts and in the list of checks.

    Comments, layout and places do not go into it.
    """
    told: list[object] = [usual_codes()]
    for game in games:
        rules = [*game.rules, *(c.rule for c in game.choices), *(s.rule for s in game.statements)]
        waived = [(w.check, w.fingerprint, w.reason) for w in game.waivers]
        told += [
            game.name,
            game.title,
            dict(game.options),
            [(r.name, r.text, r.cites) for r in rules],
            waived,
        ]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def made_from(text: str) -> str | None:
    """The digest that a page was made from; None when it names none."""
    found = re.search(rf"<!-- {MADE[0]} · {MADE[1]}: (\w+) -->", text)
    return found[1] if found else None


def _ruleset(report: Report, told: set[tuple[str, Words]]) -> Iterator[str]:
    game = report.game
    file = PurePosixPath(game.path).name
    yield f"## {cell(game.name)}「{cell(game.title)}」 · [{file}]({file})"
    yield ""
    yield from _both(_summary(report))
    readings = Readings(game)
    known = [f for f in report.findings if (f.code, f.sentence) in told]
    for finding in report.findings:
        if (finding.code, finding.sentence) not in told:
            yield ""
            yield from _finding(finding, report, readings)
    told.update((finding.code, finding.sentence) for finding in report.findings)
    if known:
        codes = " ".join(dict.fromkeys(finding.code for finding in known))
        yield ""
        yield from _both(
            (f"另有 {len(known)} 条同上面一样：{codes}", f"{len(known)} more are as above: {codes}")
        )
    for question in report.unknown:
        zh, en = question.reason
        yield ""
        yield from _both((f"没有答案：{question.question}：{zh}", f"no answer: {question.question}: {en}"))
    yield from _statements(report)


def _both(words: Words) -> Iterator[str]:
    """A Chinese line with the English one below it, in one paragraph."""
    yield f"{words[0]}<br>"
    yield words[1]


def _summary(report: Report) -> Words:
    pressing = len(report.pressing)
    expected = sum(f.severity != "info" and not report.presses(f) for f in report.findings)
    info = sum(f.severity == "info" for f in report.findings)
    right = sum(s.got == s.expected for s in report.statements)
    return (
        f"要理会的 {pressing} 条，断言已料到或已豁免的 {expected} 条，提示 {info} 条；"
        f"断言 {len(report.statements)} 条，{right} 条如所料",
        f"{pressing} to act on, {expected} that a statement expects or the text waives, {info} notes; "
        f"{right} of {len(report.statements)} statements as expected",
    )


# ---------------------------------------------------------------- one finding


def _finding(finding: Finding, report: Report, readings: Readings) -> Iterator[str]:
    severity = SEVERITIES[finding.severity]
    yield f"### {finding.code} {finding.title[0]} · {finding.title[1]}"
    yield ""
    noted = _noted(finding, report)
    yield from _both(
        (
            f"**{severity[0]}**{noted[0]}：{visible(finding.sentence[0])}",
            f"**{severity[1]}**{noted[1]}: {visible(finding.sentence[1])}",
        )
    )
    yield ""
    yield from (f"- {_clause(rule)}" for rule in finding.rules)
    if finding.example is not None:
        yield ""
        yield from _example(finding.example, report.game)
    yield from _said(finding.verdicts)
    if finding.example is not None:
        yield from _others(readings, finding.example.hand)
    if finding.help is not None:
        yield ""
        yield from _both((f"怎么办：{finding.help[0]}", f"what to do: {finding.help[1]}"))


def _noted(finding: Finding, report: Report) -> Words:
    """Who has seen it coming: the statement that expects it, or the waiver."""
    if finding.waived is not None:
        return f"（已豁免：{finding.waived}）", f" (waived: {finding.waived})"
    expecting = [s.id for s in report.game.statements if s.about == "check" and s.check == finding.code]
    if finding.code not in report.expected:
        return "", ""
    names = " ".join(f"`{name}`" for name in expecting)
    return f"（断言 {names} 已料到）", f" (statement {names} expects it)"


def _clause(rule: Rule) -> str:
    words = " ".join(visible(rule.text).split())
    cites = f" 〔{' '.join(rule.cites)}〕" if rule.cites else ""
    return f"`{rule.name}` {cell(words)}{cites}"


def _example(example: Example, game: Game) -> Iterator[str]:
    """The hand in tiles, its melds with their prices, and the totals."""
    lines = list(example_text(example, game, "zh"))
    yield "```text"
    yield from (line.strip() for line in lines)
    yield "```"


def _said(verdicts: Sequence[Words]) -> Iterator[str]:
    if verdicts:
        yield ""
    for zh, en in verdicts[:SHOWN]:
        yield f"- {_shown(zh)}" + ("" if zh == en else "<br>")
        yield from [] if zh == en else [f"  {_shown(en)}"]
    hidden = len(verdicts) - SHOWN
    if hidden > 0:
        yield f"- ……还有 {hidden} 条 · and {hidden} more"


def _shown(text: str) -> str:
    """A sentence whose names stand in backticks; what Markdown would take as a tag is kept as a sign."""
    return visible(text).replace("<", "&lt;")


def _others(found: Readings, hand: Mapping[str, Any]) -> Iterator[str]:
    """What becomes of the hand by default and under the readings that judge it otherwise."""
    usual, others = found.usual(hand), list(found.others(hand))
    if usual is None or not others:
        return
    yield ""
    yield from _both(
        ("这一手，换一种读法就判得不一样：", "The same hand, judged otherwise under other readings:")
    )
    yield ""
    yield from heads(("读法 reading", "说的是 says", "判 verdict", "分 score", "名 names", "收付 gets"))
    yield row(["默认 default", "", *_judged(usual)])
    for other in others:
        name = cell(f"{other.choice.name} = {other.value}")
        yield row([name, cell(_meaning(other)), *_judged(other.verdict)])


def _judged(verdict: Verdict) -> list[str]:
    said = "和 win" if verdict.win else "诈和 false win"
    names = cell(" ".join(verdict.names)) or "—"
    return [said, str(verdict.score), names, f"{verdict.own:+d}"]


def _meaning(other: Other) -> str:
    """What the text says that the value stands for."""
    found = re.search(rf"(?:^|[：\s]){re.escape(other.value)}「([^」]*)」", other.choice.rule.text)
    return found[1] if found else ""


# ---------------------------------------------------------------- statements


def _statements(report: Report) -> Iterator[str]:
    if not report.statements:
        return
    yield ""
    yield "### 断言 · Statements"
    yield ""
    yield from heads(("断言 statement", "说的是 says", "应 expected", "得 found", "办法 how"))
    texts = {s.id: s.rule.text for s in report.game.statements}
    for statement in report.statements:
        yield row(_statement(statement, texts.get(statement.id, "")))


def _statement(statement: Answered, text: str) -> list[str]:
    expected, got = (_answer(statement, value) for value in (statement.expected, statement.got))
    mark = "" if statement.got in (statement.expected, None) else " ✗"
    how = WAYS[statement.how]
    title = f"{cell(statement.title)}<br>" if statement.title else ""
    return [
        cell(statement.id),
        f"{title}{cell(_bare(text))}",
        expected,
        got + mark,
        f"{how[0]} {how[1]}",
    ]


def _bare(text: str) -> str:
    """The sentence of a statement without its keyword, id, title and answer."""
    words = " ".join(visible(text).split())
    words = re.sub(r"""^\S+\s+[^\s「“"]+\s*(「[^」]*」|“[^”]*”|"[^"]*")?\s*""", "", words)
    return re.sub(r"\s+(答|answer)\s+\S+$", "", words)


def _answer(statement: Answered, value: bool | None) -> str:
    return "?" if value is None else " ".join(answer_words(statement.of_truth, value))
