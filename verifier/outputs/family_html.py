"""A family as a page: the matrix, each pair's hand judged on both sides as strips, words that differ."""

from __future__ import annotations

from typing import Any

from dsl.text.codes import SEVERITIES, Lang

from ..difference import Class
from ..family import HEADS, SHOWN, Family, Pair
from ..family_words import MEANT, SIGNS, relations
from ..findings import Finding, Words, pick
from ..report import situation
from .diff_html import side
from .html import clauses
from .pages import rendered
from .strips import hand_piles


def page(family: Family, lang: Lang) -> str:
    """The whole comparison."""
    found = list(family.findings())
    pairs = zip(family.pairs, found, strict=False)
    return rendered(
        "family.html.j2",
        lang,
        labels=family.labels,
        heads=[pick(HEADS[name], lang) for name in SHOWN],
        rows=[_row(family, row, lang) for row in range(len(family.games))],
        meant=[(SIGNS[relation], pick(words, lang)) for relation, words in MEANT.items()],
        pairs=[_finding(finding, lang) | _hand(family, pair, lang) for pair, finding in pairs],
        words=[_finding(finding, lang) for finding in found[len(family.pairs) :]],
    )


def _row(family: Family, row: int, lang: Lang) -> dict[str, Any]:
    """A game and, for each other, the sign and the words of every aspect."""
    cells = [
        [(SIGNS[r], pick(MEANT[r], lang)) for r in relations(family, row, column)]
        for column in range(len(family.games))
    ]
    return {"label": family.labels[row], "cells": cells}


def _finding(finding: Finding, lang: Lang) -> dict[str, Any]:
    return {
        "severity": finding.severity,
        "weight": pick(SEVERITIES[finding.severity], lang),
        "code": finding.code,
        "sentence": pick(finding.sentence, lang),
        "clauses": list(clauses(finding.rules)),
        "verdicts": [pick(verdict, lang) for verdict in finding.verdicts],
    }


def _hand(family: Family, pair: Pair, lang: Lang) -> dict[str, Any]:
    """The hand that wins in one of the two only; nothing when there is none."""
    shown = pair.disputed
    if shown is None:
        return {"hand": [], "situation": "", "sides": []}
    return {
        "hand": hand_piles(shown.left.compiled.game, shown.witness),
        "situation": situation(shown.witness, lang),
        "sides": _sides(family.names_of(pair), shown, lang),
    }


def _sides(names: Words, shown: Class, lang: Lang) -> list[dict[str, Any]]:
    return [side(name, verdict, lang) for name, verdict in zip(names, (shown.left, shown.right), strict=True)]
