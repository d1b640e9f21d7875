"""SARIF 2.1.0: findings as code hosts and editors read them.

Each finding is a result whose locations are the clauses it blames; a check is a rule. The witness is
in the result's properties, spelled as `verify --json` spells it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dsl.core.model import Rule
from dsl.text.codes import Lang, Severity

from ..checking import Report
from ..findings import Finding, chosen_game, pick
from ..pages import page_of
from ..properties import check_called
from ..study import Unsettled

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
ROOT = "SRCROOT"
"""What relative paths are relative to: the folder in which the command ran."""

SHOWN = ("game", "fingerprint", "witness", "arrangement", "verdicts", "help")
"""What a result's properties take over from the JSON form of a finding."""

EXPECTED = ("规则里有断言料到它", "a statement of the spec expects it")


def sarif(reports: Sequence[Report], lang: Lang) -> dict[str, Any]:
    """One run over all games; texts in one language, titles and pages of the checks in both."""
    checks = list(dict.fromkeys(code for report in reports for code in report.checks))
    run = {
        "tool": {"driver": _driver(checks, lang)},
        "language": lang,
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "the folder in which paigui ran"}}},
        "invocations": [_invocation(reports, lang)],
        "results": [_result(f, report, checks, lang) for report in reports for f in report.findings],
        "properties": {"statements": [s for report in reports for s in _statements(report)]},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver(checks: Sequence[str], lang: Lang) -> dict[str, Any]:
    return {"name": "paigui", "version": version("paigui"), "rules": [_rule(c, lang) for c in checks]}


def _rule(code: str, lang: Lang) -> dict[str, Any]:
    title = check_called(code).title
    pages = {spoken: page_of(code, spoken) or pick(title, spoken) for spoken in _LANGS}
    return {
        "id": code,
        "shortDescription": {"text": pick(title, lang)},
        "help": {"text": pages[lang], "markdown": pages[lang]},
        "properties": {"title": {s: pick(title, s) for s in _LANGS}, "help": pages},
    }


_LANGS: tuple[Lang, ...] = ("zh", "en")


def _invocation(reports: Sequence[Report], lang: Lang) -> dict[str, Any]:
    """Questions that stayed open are what the tool has to say of itself."""
    told = [_open(question, lang) for report in reports for question in report.unknown]
    return {"executionSuccessful": True, "toolExecutionNotifications": told}


def _open(question: Unsettled, lang: Lang) -> dict[str, Any]:
    text = f"{question.question}: {pick(question.reason, lang)}"
    return {"level": "warning", "message": {"text": text}, "associatedRule": {"id": question.code or "V119"}}


def _statements(report: Report) -> list[dict[str, Any]]:
    return [{**statement.to_json(), "game": report.game.name} for statement in report.statements]


# ---------------------------------------------------------------- results


def _result(finding: Finding, report: Report, checks: Sequence[str], lang: Lang) -> dict[str, Any]:
    data = finding.to_json(lang)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": checks.index(finding.code),
        "level": LEVELS[finding.severity],
        "message": {"text": pick(finding.sentence, lang)},
        "locations": [_location(rule) for rule in finding.rules],
        "partialFingerprints": {"paigui/v2": f"{finding.fingerprint} {chosen_game(report.game)}"},
        "properties": {k: data[k] for k in SHOWN},
    }
    reason = pick(EXPECTED, lang) if finding.code in report.expected else finding.waived
    if reason is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.waived or reason}]
    return result


def _location(rule: Rule) -> dict[str, Any]:
    """Where a clause stands; by name alone when the text leaves it unsaid."""
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": rule.name, "kind": "clause"}]}
    span = rule.span
    if span.path and span.line:
        region = {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
            "snippet": {"text": rule.text},
        }
        location["physicalLocation"] = {"artifactLocation": artifact(span.path), "region": region}
        location["message"] = {"text": " ".join([rule.text, *rule.cites])}
    return location


def artifact(path: str) -> dict[str, str]:
    """A file by URI: relative to `SRCROOT` when its path is."""
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path), "uriBaseId": ROOT}
