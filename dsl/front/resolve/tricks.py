"""The clauses of 流程 that speak of tricks, and those that call a deal off by a judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from ...core.flow import Local
from ...core.tricks import Cover, Follow, Halt, Liable, Note, Tricks
from ..syntax import Clause, has_token, name_of, trees
from .scope import Scope, rule_of

CLAUSES = ("plays_by", "follow", "cover", "note", "liable")
"""Kinds of clauses that say something of tricks alone."""


def resolve_halts(clauses: list[Clause]) -> tuple[Halt, ...]:
    """流局 with a name. Whether the judgement is there is looked up when it is loaded."""
    return tuple(_halt(clause) for clause in clauses if clause.kind == "halt")


def _halt(clause: Clause) -> Halt:
    at: Literal["deal", "trick"] = "deal" if has_token(clause.tree, "OPENING") else "trick"
    return Halt(clause.key[2], at, name_of(trees(clause.tree, "name")[1]), rule_of(clause))


def resolve_tricks(scope: Scope, clauses: list[Clause], local: Callable[[Clause], Local]) -> Tricks | None:
    """What 走墩 in 轮 means; None where it is not there. `local` reads the condition of a clause."""
    turn = next((c for c in clauses if c.kind == "turn"), None)
    if turn is None or not any(has_token(act, "TRICK") for act in trees(turn.tree, "act")):
        _unused(scope, clauses)
        return None
    follow = _one(clauses, "follow")
    if follow is None:
        _missing(scope, turn, "跟", ("跟 盖过：必", "follow 盖过: must"))
        return None
    plays = _one(clauses, "plays_by")
    if plays is None and not scope.assembled.under("大小"):
        _missing(scope, turn, "出法", ("出法 出牌", "plays 出牌"))
    cover = _one(clauses, "cover")
    return Tricks(
        "" if plays is None else name_of(trees(plays.tree, "name")[0]),
        Follow(follow.key[2], any(has_token(n, "MUST") for n in trees(follow.tree, "duty")), rule_of(follow)),
        None if cover is None else Cover(cover.key[2], rule_of(cover)),
        tuple(Note(c.key[2], local(c), rule_of(c)) for c in clauses if c.kind == "note"),
        tuple(_liable(scope, clauses)),
        rule_of(turn),
    )


def _one(clauses: list[Clause], kind: str) -> Clause | None:
    return next((clause for clause in clauses if clause.kind == kind), None)


def _liable(scope: Scope, clauses: list[Clause]) -> Iterator[Liable]:
    noted = [clause.key[2] for clause in clauses if clause.kind == "note"]
    for clause in (c for c in clauses if c.kind == "liable"):
        if clause.key[2] not in noted:
            scope.unknown(clause.key[2], ("记下的事", "note"), noted, clause.span)
        yield Liable(clause.key[2], has_token(clause.tree, "EACH"), rule_of(clause))


def _missing(scope: Scope, turn: Clause, section: str, example: tuple[str, str]) -> None:
    scope.fault("T016", turn.span, section=f"流程.{section}", example=example)


def _unused(scope: Scope, clauses: list[Clause]) -> None:
    """T070 for clauses and moments of tricks where no trick is played."""
    for clause in clauses:
        after = clause.kind == "halt" and has_token(clause.tree, "TRICK")
        if after or clause.kind in CLAUSES:
            scope.fault("T070", clause.span, name=clause.path)
