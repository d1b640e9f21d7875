"""The findings of `paigui verify` as a page, its hands drawn as strips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl.core.model import Game, Rule
from dsl.text.codes import SEVERITIES, Lang
from dsl.text.diagnostics import place

from ..checking import Report
from ..findings import Example, Finding, chosen_game, pick
from ..report import situation, statement_row, summary, waivable, waiver_line
from .pages import rendered
from .strips import hand_piles, meld_piles


def page(reports: Sequence[Report], lang: Lang) -> str:
    """One page for all games."""
    return rendered("verify.html.j2", lang, games=[_game(report, lang) for report in reports])


def _game(report: Report, lang: Lang) -> dict[str, Any]:
    return {
        "name": chosen_game(report.game),
        "path": report.game.path,
        "summary": summary(report, lang),
        "findings": [_finding(f, report, lang) for f in report.findings],
        "unknown": [question.to_json(lang) for question in report.unknown],
        "statements": [statement_row(s, lang) for s in report.statements],
    }


def _finding(finding: Finding, report: Report, lang: Lang) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "weight": pick(SEVERITIES[finding.severity], lang),
        "title": pick(finding.title, lang),
        "sentence": pick(finding.sentence, lang),
        "expected": finding.code in report.expected,
        "clauses": list(clauses(finding.rules)),
        "shown": None if finding.example is None else shown(finding.example, report.game, lang),
        "verdicts": [pick(verdict, lang) for verdict in finding.verdicts],
        "help": None if finding.help is None else pick(finding.help, lang),
        "fingerprint": finding.fingerprint,
        "waived": finding.waived,
        "waiver": waiver_line(finding, lang) if report.presses(finding) and waivable(finding) else None,
    }


def clauses(rules: Sequence[Rule]) -> Iterator[dict[str, str]]:
    """Clauses with their places, words and citations."""
    for rule in rules:
        yield {
            "name": rule.name,
            "place": place(rule.span),
            "text": rule.text,
            "cites": " ".join(rule.cites),
        }


def shown(example: Example, game: Game, lang: Lang) -> dict[str, Any]:
    """A hand as it is held, and as it is arranged."""
    totals = zip(game.scores, example.totals, strict=False)
    return {
        "situation": situation(example.hand, lang),
        "hand": hand_piles(game, example.hand),
        "melds": meld_piles(game, example.melds),
        "totals": "，".join(f"{name} {total}" for name, total in totals),
    }
