"""V123: waivers that let nothing stand any more, or name a check that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Waiver
from dsl.text.spelling import closest

from ..findings import Finding, Words
from ..properties import ON_REQUEST, codes
from ..study import Study

TITLE = ("过期的豁免", "stale waivers")
MEND = (
    "删去它；只在某些选项下才有的，写进 `若 … { }`",
    "remove it; if the finding is there under some options only, put the waiver inside `if … { }`",
)


def afterwards(study: Study) -> Iterator[Finding]:
    """Waivers in force under these very options; a check they name is run if it has not been."""
    for waiver in study.game.waivers:
        if waiver.check not in codes():
            yield _unknown(study, waiver)
        elif _known(study, waiver.check):
            found = study.findings(waiver.check)
            settled = not any(question.code == waiver.check for question in study.unknown)
            if settled and waiver.fingerprint not in {f.fingerprint for f in found}:
                yield _stale(study, waiver, found)


def _known(study: Study, code: str) -> bool:
    """Can it be said what this check finds? Those on request only when they were asked for."""
    return study.ran(code) or (code not in ON_REQUEST and code not in study.asking)


def _unknown(study: Study, waiver: Waiver) -> Finding:
    said = (f"没有 `{waiver.check}` 这一项查验", f"there is no check `{waiver.check}`")
    near = closest(waiver.check, codes())
    known = " ".join(codes())
    help_ = (f"有的是 {known}", f"there are {known}")
    if near is not None:
        help_ = (f"是不是 `{near}`？", f"did you mean `{near}`?")
    return _finding(study, waiver, said, (), help_)


def _stale(study: Study, waiver: Waiver, found: tuple[Finding, ...]) -> Finding:
    """The findings of the check that nothing waives are listed: one of them may be meant."""
    said = (
        f"`{waiver.check}` 照现在的规则没有 `{waiver.fingerprint}` 这一条发现，豁免过期了",
        f"the waiver is stale: `{waiver.check}` has no finding `{waiver.fingerprint}` in these rules",
    )
    waived = {w.fingerprint for w in study.game.waivers}
    others = [f for f in found if f.severity != "info" and f.fingerprint not in waived]
    return _finding(study, waiver, said, tuple(map(_line, others)), MEND)


def _line(finding: Finding) -> Words:
    zh, en = finding.sentence
    return f"`{finding.fingerprint}`：{zh}", f"`{finding.fingerprint}`: {en}"


def _finding(study: Study, waiver: Waiver, said: Words, lines: tuple[Words, ...], help_: Words) -> Finding:
    subject = [waiver.check, waiver.fingerprint]
    return study.finding("warning", said, [waiver.rule], verdicts=lines, mend=help_, subject=subject)
