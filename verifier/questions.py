"""A question put to a ruleset in its own language: a witness, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import dsl
from dsl.core.model import Game
from dsl.text.codes import Lang
from dsl.text.source import real_path

from .checking import study_of
from .decode import Witness
from .findings import Example, example_of, pick
from .properties.v119_statements import answer
from .report import example_text

SHOWN_AS = "问"
"""What messages call the text of the question."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`holds`: is there such a hand (存在), or is it so for every one (凡); None when it stayed open."""

    game: Game
    question: str
    holds: bool | None
    method: str
    example: Example | None
    reason: tuple[str, str] | None
    seconds: float

    @property
    def universal(self) -> bool:
        """Was it asked of every hand?"""
        return not self.question.lstrip().startswith(("存在", "exists"))

    def to_json(self, lang: Lang) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "question": self.question,
            "holds": self.holds,
            "method": self.method,
            "witness": None if self.example is None else dict(self.example.hand),
            "reason": None if self.reason is None else pick(self.reason, lang),
            "seconds": round(self.seconds, 3),
        }


def put(reference: str, question: str, options: Mapping[str, object] | None = None) -> Reply:
    """Answer `存在 F`, `凡 F 则 G` or `算 F` about a game. Raises `SpecError` for what cannot be read."""
    base = dsl.load(reference, options)
    universal = question.lstrip().startswith(("凡", "every"))
    expected = "答 真" if universal else "答 无"
    path = real_path(base.core.path).resolve()
    text = f"规则 {SHOWN_AS} 继承 「{path}#{base.name}」 {{\n断言 {SHOWN_AS} {question} {expected}\n}}\n"
    core = dsl.loads(text, base.options, shown=SHOWN_AS).core
    study = study_of(core)
    start = perf_counter()
    outcome = answer(study, core.statements[-1])
    shown = outcome.shows
    return Reply(
        game=base.core,
        question=question,
        holds=outcome.got,
        method=outcome.method,
        example=example_of(shown) if isinstance(shown, Witness) else shown,
        reason=study.unknown[0].reason if study.unknown else None,
        seconds=perf_counter() - start,
    )


def reply_text(reply: Reply, lang: Lang) -> str:
    """The answer in one line, and the hand that shows it."""
    lines = [pick(_said(reply), lang)]
    if reply.example is not None:
        lines += example_text(reply.example, reply.game, lang)
    if reply.reason is not None:
        lines.append(pick(reply.reason, lang))
    return "\n".join(lines)


def _said(reply: Reply) -> tuple[str, str]:
    match reply.holds, reply.universal:
        case None, _:
            return "没有答案", "no answer"
        case True, False:
            return "有", "there is"
        case False, False:
            return "没有（已证）", "there is none (proved)"
        case True, True:
            return "都是（已证）", "always (proved)"
        case _:
            return "不都是", "not always"
