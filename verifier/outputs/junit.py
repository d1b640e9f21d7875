"""JUnit XML: a suite per game, a test case per check and per statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as xml

from dsl.text.codes import Lang

from ..checking import Report
from ..findings import Finding, Words, chosen_game, pick
from ..properties import check_called
from ..report import finding_text
from ..study import Answered, answer_words

UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold."""

NO_ANSWER: Words = ("没有答案", "no answer")


def junit(reports: Sequence[Report], lang: Lang) -> str:
    """The whole document: findings fail their check, waived ones skip it, open questions are errors."""
    root = xml.Element("testsuites", name="paigui verify")
    for report in reports:
        _add_suite(root, report, lang)
    _count(root, list(root.iter("testcase")))
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=False).join((HEAD, "\n"))


HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _add_suite(root: xml.Element, report: Report, lang: Lang) -> None:
    suite = xml.SubElement(root, "testsuite", name=chosen_game(report.game), file=report.game.path)
    suite.extend(_checks(report, lang))
    suite.extend(_statement(s, report, lang) for s in report.statements)
    _count(suite, list(suite))
    suite.set("time", f"{report.seconds:.3f}")


def _count(element: xml.Element, cases: list[xml.Element]) -> None:
    element.set("tests", str(len(cases)))
    for plural, singular in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(plural, str(sum(case.find(singular) is not None for case in cases)))


def _checks(report: Report, lang: Lang) -> Iterator[xml.Element]:
    for code in report.checks:
        case = xml.Element("testcase", classname=chosen_game(report.game))
        case.set("name", f"{code} {pick(check_called(code).title, lang)}")
        found = [f for f in report.findings if f.code == code]
        pressing = [f for f in found if f in report.pressing]
        if pressing:
            said = " · ".join(pick(f.sentence, lang) for f in pressing)
            _say(case, "failure", said, _texts(pressing, report, lang), pressing[0].severity)
        for question in (q for q in report.unknown if q.code == code):
            _say(case, "error", question.question, pick(question.reason, lang), "unknown")
        waived = [f for f in found if f.waived is not None]
        if waived and not pressing:
            said = " · ".join(f"{f.fingerprint} {f.waived}" for f in waived)
            _say(case, "skipped", said, "", "waived")
        rest = [f for f in found if f not in pressing]
        if rest:
            _say(case, "system-out", "", _texts(rest, report, lang), "")
        yield case


def _texts(findings: Sequence[Finding], report: Report, lang: Lang) -> str:
    texts = (finding_text(f, report.game, lang, f.code in report.expected) for f in findings)
    return "\n\n".join(texts)


def _statement(statement: Answered, report: Report, lang: Lang) -> xml.Element:
    case = xml.Element("testcase", classname=chosen_game(report.game), time=f"{statement.seconds:.3f}")
    case.set("name", _plain(f"{pick(('断言', 'statement'), lang)} {statement.id} {statement.title}".rstrip()))
    expected, got = (_answer(statement, value, lang) for value in (statement.expected, statement.got))
    if statement.got is None:
        _say(case, "error", pick(NO_ANSWER, lang), "", "unknown")
    elif statement.got != statement.expected:
        said = pick((f"应是{expected}，得到{got}", f"expected {expected}, found {got}"), lang)
        _say(case, "failure", said, "", "error")
    return case


def _answer(statement: Answered, value: bool | None, lang: Lang) -> str:
    return "?" if value is None else pick(answer_words(statement.of_truth, value), lang)


def _say(case: xml.Element, tag: str, message: str, text: str, kind: str) -> None:
    """A failure or an error with its message and type; plain output has neither."""
    child = xml.SubElement(case, tag)
    child.text = _plain(text)
    if tag != "system-out":
        child.set("message", _plain(message))
        child.set("type", kind)


def _plain(text: str) -> str:
    return UNPRINTABLE.sub("\ufffd", text)
