"""Waivers written into a spec: the clause that lets one finding stand, in the ruleset that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dsl.api import written
from dsl.text.codes import Lang
from dsl.text.source import real_path

from .checking import Report
from .findings import Finding
from .kept import options_written


class NotWaived(Exception):
    """The finding cannot be told; `words` says why in both languages."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.words = (zh, en)


def waived_text(reports: Sequence[Report], fingerprint: str, reason: str, lang: Lang) -> tuple[Path, str]:
    """The file of the game that has the finding, and its text with the waiver at the ruleset's end.

    Under options that are not the usual ones the waiver goes inside `若`. Raises `NotWaived` when no game
    or several have the finding, or it is waived already; `OSError` when the file cannot be read;
    `SpecError` when it cannot be parsed.
    """
    report, finding = _meant(reports, fingerprint)
    file = real_path(report.game.path)
    options = options_written(report.game)
    line = written.waiver_text(finding.code, fingerprint, reason, lang, options)
    source, newline = written.opened(file, report.game.path)
    clause = f"{written.INDENT}{line}\n"
    text = written.with_clauses(source, [report.game.name], clause)
    if text is None:  # a judgement that the game has from its base
        added = written.judgement_text(report.game.judgement, report.game.owner, clause, lang)
        text = f"{source.text.rstrip()}\n\n{added}"
    return file, text.replace("\n", newline)


def _meant(reports: Sequence[Report], fingerprint: str) -> tuple[Report, Finding]:
    having = [(r, f) for r in reports for f in r.findings if f.fingerprint == fingerprint]
    if len(having) > 1:
        names = [report.game.name for report, _ in having]
        zh, en = "、".join(names), ", ".join(names)
        raise NotWaived(f"`{fingerprint}` 不止一套规则有：{zh}", f"several games have `{fingerprint}`: {en}")
    if not having:
        known = " ".join(dict.fromkeys(f.fingerprint for r in reports for f in r.pressing)) or "—"
        raise NotWaived(
            f"没有 `{fingerprint}` 这一条发现，有的是 {known}",
            f"no finding is called `{fingerprint}`, only {known}",
        )
    if having[0][1].waived is not None:
        raise NotWaived(f"`{fingerprint}` 已经豁免了", f"`{fingerprint}` is waived already")
    return having[0]
