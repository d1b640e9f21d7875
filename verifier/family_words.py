"""A family in words, and as JSON: the matrix of its games, then its findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl.judge.words import table
from dsl.text.codes import Lang

from .family import HEADS, SHOWN, Family, Pair
from .findings import Words, pick
from .meaning import Relation
from .report import finding_text

SIGNS: dict[Relation, str] = {
    "equal": "=",
    "subset": "<",
    "superset": ">",
    "overlap": "~",
    "disjoint": "x",
    "unknown": "?",
}
"""A relation in one narrow column, wherever the terminal puts wide ones."""
MEANT: dict[Relation, Words] = {
    "equal": ("相同（已证）", "the same (proved)"),
    "subset": ("行里的列里都有（已证）", "all of the row's are the column's (proved)"),
    "superset": ("列里的行里都有（已证）", "all of the column's are the row's (proved)"),
    "overlap": ("有同有异", "some in common"),
    "disjoint": ("完全不同", "none in common"),
    "unknown": ("不能判定", "unknown"),
}
MIRRORED: dict[Relation, Relation] = {"subset": "superset", "superset": "subset"}
SELF = "."
"""A game against itself."""


def family_text(family: Family, lang: Lang) -> str:
    """The matrix and every finding, for people."""
    core = family.games[0].core
    blocks = [
        matrix_text(family, lang),
        *(finding_text(finding, core, lang) for finding in family.findings()),
    ]
    return "\n\n".join(blocks) + "\n"


def matrix_text(family: Family, lang: Lang) -> str:
    """A row and a column for each game, a sign for each aspect."""
    rows = [["", *family.labels], *matrix(family)]
    return "\n".join([legend(family, lang), table(rows)])


def matrix(family: Family) -> Iterator[list[str]]:
    """The label of each game and its signs against every other."""
    for row, label in enumerate(family.labels):
        yield [label, *(_signs(family, row, column) for column in range(len(family.games)))]


def _signs(family: Family, row: int, column: int) -> str:
    return "".join(SIGNS[r] for r in relations(family, row, column)) or SELF


def relations(family: Family, row: int, column: int) -> tuple[Relation, ...]:
    """How the game of the row stands to that of the column, per aspect; empty for a game and itself."""
    if row == column:
        return ()
    pair = pair_of(family, row, column)
    found = (pair.difference.aspects[name].relation for name in SHOWN)
    return tuple(found if pair.left == row else (MIRRORED.get(r, r) for r in found))


def pair_of(family: Family, row: int, column: int) -> Pair:
    """The comparison of two of the games."""
    low, high = sorted((row, column))
    return next(pair for pair in family.pairs if (pair.left, pair.right) == (low, high))


def legend(family: Family, lang: Lang) -> str:
    """The order of the signs, and what those that occur mean."""
    heads = pick(("、", ", "), lang).join(pick(HEADS[name], lang) for name in SHOWN)
    met = {pair.difference.aspects[name].relation for pair in family.pairs for name in SHOWN}
    met |= {MIRRORED[relation] for relation in met if relation in MIRRORED}
    meant = "  ".join(f"{SIGNS[r]} {pick(words, lang)}" for r, words in MEANT.items() if r in met)
    return pick((f"每格依次是{heads}：{meant}", f"each cell: {heads}; {meant}"), lang)


# ---------------------------------------------------------------- JSON


def family_json(family: Family, lang: Lang) -> dict[str, Any]:
    """The games, how each pair stands, and the findings."""
    games = [
        {"label": label, "game": game.name, "file": game.core.path, "options": dict(game.options)}
        for label, game in zip(family.labels, family.games, strict=True)
    ]
    return {
        "games": games,
        "matrix": [_pair_json(family, pair) for pair in family.pairs],
        "findings": [finding.to_json(lang) for finding in family.findings()],
    }


def _pair_json(family: Family, pair: Pair) -> dict[str, Any]:
    left, right = family.names_of(pair)
    aspects = pair.difference.aspects
    return {"left": left, "right": right, **{name: aspects[name].relation for name in SHOWN}}
