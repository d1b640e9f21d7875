"""A question put to a ruleset in its own language: a witness, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal

import dsl
from dsl.core.model import Game, Statement
from dsl.text.codes import Lang
from dsl.text.diagnostics import Diagnostic
from dsl.text.source import NOWHERE, Source, Span, real_path

from .checking import study_of
from .decode import Witness
from .findings import AT_THE_TABLE, Example, example_of, pick
from .properties import codes
from .properties.v119_statements import answer
from .report import example_text
from .study import Study

Asked = Literal["exists", "every", "plain"]
"""Is there one, is it so for every one, or is it plain arithmetic?"""

SHOWN_AS = "问"
"""What messages call the text of the question."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`holds`: is there such a hand (存在), or is it so for every one (凡); None when it stayed open."""

    game: Game
    question: str
    holds: bool | None
    how: str
    """What decided it, as `Answered.how`."""
    example: Example | None
    workings: tuple[tuple[str, str], ...]
    """Of numbers: those that answer it, or where the arithmetic does not come out."""
    reason: tuple[str, str] | None
    seconds: float
    asked: Asked

    def to_json(self, lang: Lang) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "question": self.question,
            "holds": self.holds,
            "how": self.how,
            "witness": None if self.example is None else dict(self.example.hand),
            "workings": [pick(line, lang) for line in self.workings],
            "reason": None if self.reason is None else pick(self.reason, lang),
            "seconds": round(self.seconds, 3),
        }


def put(reference: str, question: str, options: Mapping[str, object] | None = None) -> Reply:
    """Answer `存在 F`, `凡 F 则 G` or `算 F` about a game. Raises `SpecError` for what cannot be read."""
    base, study = stated(reference, question, options)
    start = perf_counter()
    statement = study.game.statements[-1]
    outcome = answer(study, statement)
    shown = outcome.shows
    return Reply(
        game=base.core,
        question=question,
        holds=outcome.got,
        how=outcome.how,
        example=example_of(shown) if isinstance(shown, Witness) else shown,
        workings=outcome.workings,
        reason=study.unknown[0].reason if study.unknown else None,
        seconds=perf_counter() - start,
        asked=_asked(statement),
    )


def _asked(statement: Statement) -> Asked:
    if statement.about == "numbers" and not statement.numbers:
        return "plain"
    return statement.quantifier


def stated(
    reference: str, question: str, options: Mapping[str, object] | None = None
) -> tuple[dsl.Game, Study]:
    """The game, and a study of it whose last statement is the question. Raises `SpecError`."""
    base = dsl.load(reference, options)
    core = _asking(base, question).core
    *others, last = core.statements
    if last.check and last.check not in codes():
        raise _refused(f"没有查验项 `{last.check}`", f"there is no check `{last.check}`")
    likely = replace(last, expected=_asked(last) != "exists")  # so that any hand there is to show is shown
    return base, study_of(replace(core, statements=(*others, likely)))


def _asking(base: dsl.Game, question: str) -> dsl.Game:
    """The game, or the judgement of one, with the question for a statement of its own."""
    path, judgement = real_path(base.core.path).resolve(), base.core.judgement
    opening, closing = ('"', '"') if "」" in str(path) else ("「", "」")
    head = f"规则 {SHOWN_AS} 继承 {opening}{path}#{base.core.owner}{closing} {{\n"
    head += f"}}\n判 '{judgement}' 于 {SHOWN_AS} {{\n" if judgement else ""
    begun, asked = f"断言 {SHOWN_AS} ", " ".join(question.split("\n"))
    try:
        game = dsl.loads(f"{head}{begun}{asked} 答 真\n}}\n", base.options, shown=SHOWN_AS)
        return game.judgement(judgement) if judgement else game
    except dsl.SpecError as error:
        line, end = head.count("\n") + 1, len(begun) + len(asked)
        if min((f.span.line, f.span.column) for f in error.diagnostics) > (line, end):
            raise _refused(*UNFINISHED) from None  # the fault is in the words put after it
        faults = [_in_question(fault, line, len(begun)) for fault in error.diagnostics]
        raise dsl.SpecError(faults, {**error.sources, SHOWN_AS: Source(SHOWN_AS, asked)}) from None


def _in_question(fault: Diagnostic, line: int, columns: int) -> Diagnostic:
    """The fault where it is in the question alone, which stands in that line after so many columns."""
    span = fault.span
    if (span.path, span.line) != (SHOWN_AS, line):
        return fault
    start, end = (max(column - columns, 1) for column in (span.column, span.end_column))
    return replace(fault, span=Span(SHOWN_AS, 1, start, 1, end))


UNFINISHED = (
    "问题没有写完，或者写多了（不用写 `答`）",
    "the question is not finished, or it says too much (it needs no `answer`)",
)


def _refused(zh: str, en: str) -> dsl.SpecError:
    """A question that cannot be put."""
    return dsl.SpecError((Diagnostic("U003", NOWHERE, {"reason": (zh, en)}),), {})


SWEPT = (
    "路子：牌连在一起，自动机一面一面地看",
    "road: an automaton read tiles that hang together kind by kind",
)


def reply_text(reply: Reply, lang: Lang) -> str:
    """The answer in one line, and the hand that shows it."""
    lines = [pick(_said(reply), lang)]
    if reply.example is not None:
        lines += example_text(reply.example, reply.game, lang)
    lines += [f"  {pick(line, lang)}" for line in reply.workings]
    if reply.reason is not None:
        lines.append(pick(reply.reason, lang))
    if reply.how == "table" and reply.holds is not None:
        lines.append(pick(AT_THE_TABLE, lang).lstrip("；; "))
    if reply.how == "sweep":
        lines.append(pick(SWEPT, lang))
    return "\n".join(lines)


def _said(reply: Reply) -> tuple[str, str]:
    match reply.holds, reply.asked:
        case None, _:
            return "没有答案", "no answer"
        case True, "plain":
            return "真", "true"
        case False, "plain":
            return "假", "false"
        case True, "exists":
            return "有", "there is"
        case False, "exists":
            return "没有（已证）", "there is none (proved)"
        case True, _:
            return "都是（已证）", "always (proved)"
        case _:
            return "不都是", "not always"
