"""A difference as a page: the clauses, the relations, and hands judged on both sides as strips."""

from __future__ import annotations

from typing import Any

from dsl.core.model import Rule
from dsl.judge.verdict import Verdict
from dsl.judge.words import headline
from dsl.text.codes import Lang
from dsl.text.diagnostics import place

from ..difference import Aspect, Class, ClauseChange, Difference
from ..difference_words import ASPECTS, CHANGES, RELATIONS, covering, labels, titled, weight
from ..findings import pick
from ..report import situation
from .html import clauses
from .pages import rendered
from .strips import hand_piles, judged_piles


def page(found: Difference, lang: Lang) -> str:
    """The whole comparison."""
    return rendered(
        "diff.html.j2",
        lang,
        names=labels(found),
        changes=[_change(change, lang) for change in found.clauses],
        aspects=[_aspect(found, aspect, lang) for aspect in found.aspects.values()],
        bounds=pick(found.bounds, lang),
    )


def _change(change: ClauseChange, lang: Lang) -> dict[str, Any]:
    sides = {"left": _words(change.left), "right": _words(change.right)}
    return {"name": change.name, "change": pick(CHANGES[change.change], lang), **sides}


def _words(rule: Rule | None) -> dict[str, str] | None:
    return (
        None
        if rule is None
        else {"text": rule.text, "place": place(rule.span), "cites": " ".join(rule.cites)}
    )


def _aspect(found: Difference, aspect: Aspect, lang: Lang) -> dict[str, Any]:
    return {
        "name": pick(ASPECTS[aspect.name], lang),
        "relation": pick(RELATIONS[aspect.relation], lang),
        "equal": aspect.relation == "equal",
        "weight": weight(found, aspect, lang) if aspect.hands else "",
        "note": pick(aspect.note, lang),
        "covering": covering(aspect, lang) if aspect.classes else "",
        "classes": [_class(found, item, lang) for item in aspect.classes],
    }


def _class(found: Difference, item: Class, lang: Lang) -> dict[str, Any]:
    return {
        "reason": titled(found, item, lang),
        "situation": situation(item.witness, lang),
        "hand": hand_piles(item.left.compiled.game, item.witness),
        "sides": [side(n, v, lang) for n, v in zip(labels(found), (item.left, item.right), strict=True)],
        "clauses": list(clauses(item.rules)),
    }


def side(name: str, verdict: Verdict, lang: Lang) -> dict[str, Any]:
    melds = verdict.melds() if verdict.complete else []
    paid = "  ".join(f"{seat} {amount:+d}" for seat, amount in verdict.payments.items() if amount)
    return {
        "name": name,
        "win": verdict.win,
        "headline": headline(verdict, lang),
        "melds": judged_piles(verdict.compiled.game, melds),
        "paid": paid,
    }
