"""Which clauses and readings do not change how a hand is judged: they are of play, or of other judgements."""

from __future__ import annotations

from .assemble import touched
from .keywords import spell
from .syntax import Clause, Ruleset, name_of, names_of, trees


def of_play(clause: Clause) -> bool:
    """Does the change touch nothing but the flow of play?"""
    changes = clause.kind == "delta" or clause.kind in ("replace", "add", "remove", "retune")
    return changes and touched(clause)[:1] == (spell("FLOW", "zh"),)


def of_play_only(chain: tuple[Ruleset, ...], beside: tuple[Ruleset, ...] = ()) -> frozenset[str]:
    """Names of the options and readings that decide about the flow of play and nothing else.

    `beside`: rulesets that judge other things; what only they ask decides nothing here.
    """
    others = (clause for ruleset in beside for clause in ruleset.clauses)
    playing, judging = {name for c in others for name in _asked(c) | _read(c)}, set[str]()
    for clause in (c for ruleset in chain for c in ruleset.clauses):
        if clause.kind == "when":
            asked = _asked(clause)
            playing |= asked
            judging |= set() if all(map(of_play, clause.children)) else asked
        elif clause.kind == "forbid":
            judging |= _asked(clause)
        elif clause.kind != "flow":
            judging |= _read(clause)
    return frozenset(playing - judging)


def _asked(clause: Clause) -> set[str]:
    pairs = (n for n in clause.tree.iter_subtrees() if n.data in ("chosen_is", "chosen_is_not"))
    return {name_of(trees(pair)[0]) for pair in pairs}


def _read(clause: Clause) -> set[str]:
    """Readings that a condition inside a clause asks for."""
    found = {str(n.children[0]) for n in clause.tree.iter_subtrees() if n.data == "reading_is"}
    for node in clause.tree.iter_subtrees():
        if node.data == "quantity_name":
            found |= set(names_of(node, "name"))
    return found.union(*map(_read, clause.children))
