"""Conditions taken apart down to their smallest parts."""

from __future__ import annotations

from collections.abc import Iterator

from .model import And, Compare, Complete, Congruent, Defined, Feature, Formula, Game, Not, Or


def atoms(formula: Formula) -> Iterator[Formula]:
    """The formula's smallest parts."""
    match formula:
        case Not(part):
            yield from atoms(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from atoms(part)
        case Defined(_, _, body):
            yield from atoms(body)
        case _:
            yield formula


def features(formula: Formula) -> tuple[Feature, ...]:
    """The numbers of an arrangement that the formula compares, in order."""
    found: list[Feature] = []
    for atom in atoms(formula):
        if isinstance(atom, Compare):
            found += [feature for side in (atom.left, atom.right) for _, feature in side.parts]
        elif isinstance(atom, Congruent):
            found += [feature for _, feature in atom.left.parts]
    return tuple(found)


def win_formula(game: Game) -> Formula:
    """和 as one formula."""
    return And((Complete(), *(need.formula for need in game.win.needs)))


def false_win_formula(game: Game) -> Formula:
    """诈和 as one formula."""
    return Or(tuple(reason.formula for reason in game.false_win))
