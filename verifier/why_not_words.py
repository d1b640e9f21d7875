"""Why no hand can do something, for readers and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl.text.codes import Lang

from .ask import OUT_OF_WORK
from .findings import Words, pick, rule_json
from .report import clause_lines, example_text
from .why_not import Part, WhyNot

ITSELF: Words = (
    "没有（已证），不干哪一条的事：这话自己就不成，或者牌和牌型凑不出来",
    "there is none (proved), and no clause is to blame: the condition contradicts itself, or the tiles and "
    "melds do not allow it",
)
TOGETHER: Words = (
    "没有（已证）。这几条合起来不许：",
    "there is none (proved). These clauses together forbid it:",
)
ONE: Words = ("没有（已证）。是这一条不许：", "there is none (proved). This clause forbids it:")
UNSURE: Words = (
    "（求解器没能断定每一条都少不得）",
    "(the solver could not tell of every clause whether it is needed)",
)
NOT_ALONE: Words = (
    "去掉它还不够：没列出的条文也不许",
    "without it there is still none, clauses that are not listed forbid it too",
)


def why_not_text(why: WhyNot, lang: Lang) -> str:
    """The clauses with their places, and what each of them holds up."""
    if why.possible is None:
        return "\n".join([pick(("没有答案", "no answer"), lang), pick(OUT_OF_WORK, lang)])
    if why.possible:
        lines = [pick(("有这样的牌：", "there is such a hand:"), lang)]
        return "\n".join([*lines, *(example_text(why.example, why.game, lang) if why.example else ())])
    if not why.parts:
        return pick(ITSELF, lang)
    lines = [pick(ONE if len(why.parts) == 1 else TOGETHER, lang)]
    lines += clause_lines(tuple(part.rule for part in why.parts))
    if not why.minimal:
        lines.append(pick(UNSURE, lang))
    for part in why.parts:
        lines += _without(part, lang)
    return "\n".join(lines)


def _without(part: Part, lang: Lang) -> Iterator[str]:
    """What happens without the clause."""
    name = f"`{part.rule.name}`"
    change = change_text(part)
    if part.alone is False:
        yield pick((f"{name} {NOT_ALONE[0]}", f"{name}: {NOT_ALONE[1]}"), lang)
    elif part.alone is None:
        yield pick((f"{name} 去掉它会怎样，没有答案", f"{name}: what happens without it stayed open"), lang)
    elif change:
        yield pick((f"{name} 改成 {change} 就有", f"{name}: with {change} there is one"), lang)
    else:
        yield pick((f"{name} 去掉就有", f"{name}: without it there is one"), lang)
    if part.example is not None and part.game is not None:
        yield from example_text(part.example, part.game, lang)


def change_text(part: Part) -> str:
    """`2 → 5`; several numbers apart, units after theirs."""
    shape = part.game is not None and part.rule == part.game.win.rule
    turned = [(k, v) for k, v in part.change if v != k.before]
    if shape:
        before = " ".join(f"{k.before}{k.label}" for k, _ in part.change if k.before)
        after = " ".join(f"{v}{k.label}" for k, v in part.change if v)
        return f"{before} → {after}" if turned else ""
    return ", ".join(f"{k.before} → {v}" for k, v in turned)


def why_not_json(why: WhyNot) -> dict[str, Any]:
    """The machine form; it holds no words of ours, so it is the same in every language."""
    return {
        "game": why.game.name,
        "condition": why.condition,
        "possible": why.possible,
        "witness": None if why.example is None else dict(why.example.hand),
        "clauses": [_part_json(part) for part in why.parts],
        "minimal": why.minimal,
        "seconds": round(why.seconds, 3),
    }


def _part_json(part: Part) -> dict[str, Any]:
    return {
        "clause": rule_json(part.rule),
        "alone": part.alone,
        "change": change_text(part) or None,
        "witness": None if part.example is None else dict(part.example.hand),
    }
