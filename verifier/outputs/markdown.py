"""A difference as Markdown, for the description of a pull request: tables first, witnesses folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.core.model import Rule
from dsl.judge.words import headline, table
from dsl.text.codes import Lang
from dsl.text.diagnostics import place

from ..difference import Aspect, Class, Difference
from ..difference_words import (
    ASPECTS,
    CHANGES,
    COLON,
    RELATIONS,
    covering,
    hand_line,
    labels,
    titled,
    weight,
)
from ..findings import pick

SHOWN = 6
"""Classes of one aspect that are shown; `--format json` has all."""


def markdown(found: Difference, lang: Lang) -> str:
    """The whole comparison."""
    left, right = labels(found)
    lines = [f"### {cell(left)} ⇄ {cell(right)}", "", *_clauses(found, lang), "", *_relations(found, lang)]
    for aspect in found.aspects.values():
        if aspect.classes:
            lines += ["", *_details(found, aspect, lang)]
    lines += ["", f"<sub>{cell(pick(found.bounds, lang))}</sub>"]
    return "\n".join(lines) + "\n"


def _clauses(found: Difference, lang: Lang) -> Iterator[str]:
    if not found.clauses:
        yield pick(("条文没有不同。", "No clause differs."), lang)
        return
    columns = ("条文", "", "左", "右") if lang == "zh" else ("clause", "", "left", "right")
    yield from heads(columns)
    for change in found.clauses:
        sides = [_clause(change.left), _clause(change.right)]
        yield row([f"**{cell(change.name)}**", pick(CHANGES[change.change], lang), *sides])


def _clause(rule: Rule | None) -> str:
    if rule is None:
        return ""
    cites = f" 〔{' '.join(rule.cites)}〕" if rule.cites else ""
    return f"{cell(rule.text)}{cites}<br><sub>{cell(place(rule.span))}</sub>"


def _relations(found: Difference, lang: Lang) -> Iterator[str]:
    columns = ("方面", "关系", "") if lang == "zh" else ("aspect", "relation", "")
    yield from heads(columns)
    for aspect in found.aspects.values():
        told = [weight(found, aspect, lang)] if aspect.hands else []
        told += [covering(aspect, lang)] if aspect.classes else []
        told += [pick(aspect.note, lang)] if any(aspect.note) else []
        relation = pick(RELATIONS[aspect.relation], lang)
        yield row(
            [pick(ASPECTS[aspect.name], lang), cell(relation), cell(pick(("；", "; "), lang).join(told))]
        )


def _details(found: Difference, aspect: Aspect, lang: Lang) -> Iterator[str]:
    many = len(aspect.classes)
    summary = pick((f"{many} 类手牌", f"{many} class{'es' if many > 1 else ''} of hands"), lang)
    yield f"<details><summary>{pick(ASPECTS[aspect.name], lang)}{pick(COLON, lang)}{summary}</summary>"
    for item in aspect.classes[:SHOWN]:
        yield from _class(found, item, lang)
    if many > SHOWN:
        yield ""
        yield pick((f"……还有 {many - SHOWN} 类", f"… {many - SHOWN} more"), lang)
    yield ""
    yield "</details>"


def _class(found: Difference, item: Class, lang: Lang) -> Iterator[str]:
    yield ""
    yield f"**{cell(titled(found, item, lang))}**"
    yield ""
    yield "```text"
    yield hand_line(item.left, lang)
    for name, verdict in zip(labels(found), (item.left, item.right), strict=True):
        yield f"{name}{pick(COLON, lang)}{headline(verdict, lang)}"
        if verdict.complete:
            yield table([[m["type"], "".join(m["tiles"]), str(m["score"])] for m in verdict.melds()], (2,))
    yield "```"
    if item.rules:
        yield ""
    for rule in item.rules:
        where = place(rule.span)
        yield f"- {cell(rule.name)}：{cell(rule.text)}" + (f" <sub>{cell(where)}</sub>" if where else "")


# ---------------------------------------------------------------- tables


def heads(names: Sequence[str]) -> Iterator[str]:
    """The two lines that begin a table."""
    yield row(names)
    yield "|" + "---|" * len(names)


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return "| " + " | ".join(cells) + " |"


def cell(text: str) -> str:
    """A text in a table or a line, its marks taken as they are."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    for mark in "|*_`[]":
        plain = plain.replace(mark, "\\" + mark)
    return plain
