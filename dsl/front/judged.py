"""判: what a judgement has of the game that it belongs to, and what it may not say itself."""

from __future__ import annotations

from dataclasses import replace

from .assemble import touched
from .keys import key_of
from .keywords import spell
from .syntax import Clause, Key, Ruleset

SHARED = frozenset(spell(key, "zh") for key in ("DECK", "ORIGINS", "SEATS", "PARAMETER"))
"""Sections of a game that its judgements have too."""

AGREED = ("option", "reading", "forbid", "sources")
"""Clauses on what is agreed, and on what is cited: they are a game's and its judgements' alike."""

CHANGES = ("delta", "replace", "add", "remove", "retune")


def ground(game: Ruleset) -> Ruleset:
    """The ruleset without all that only says how its own hands are judged and played."""
    found = (_shared(clause) for clause in game.clauses)
    return replace(game, clauses=tuple(clause for clause in found if clause is not None))


def _shared(clause: Clause) -> Clause | None:
    if clause.kind != "when":
        return clause if clause.kind in AGREED or _section(clause) in SHARED else None
    kept = tuple(inner for inner in clause.children if _section(inner) in SHARED)
    return replace(clause, children=kept) if kept else None


def foreign(clause: Clause) -> str | None:
    """The section that a clause of a judgement is about, or its kind, where that is the game's business."""
    section = _section(clause)
    return section if clause.kind in AGREED or section in (*SHARED, spell("FLOW", "zh")) else None


def _section(clause: Clause) -> str:
    """The first step of a clause's key; of a change that of the clause it speaks of."""
    key: Key = touched(clause) if clause.kind in CHANGES else clause.key
    return (key or key_of(clause.kind, clause.tree, ()) or ("",))[0]
