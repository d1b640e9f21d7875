"""Conditions taken apart down to their smallest parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .model import (
    And,
    Compare,
    Complete,
    Congruent,
    Defined,
    Feature,
    Formula,
    Game,
    LastAlike,
    Linear,
    Not,
    Or,
    RoleIs,
    Truth,
)


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


def components_asked(game: Game, formula: Formula) -> frozenset[int] | None:
    """Components whose melds the formula looks at; None when it also asks about the situation."""
    match formula:
        case Compare(left, _, right):
            return _support(game, left) | _support(game, right)
        case Congruent(left, _, _):
            return _support(game, left)
        case Not(part):
            return components_asked(game, part)
        case Defined(_, _, body):
            return components_asked(game, body)
        case And(parts) | Or(parts):
            found = [components_asked(game, p) for p in parts]
            return None if None in found else frozenset[int]().union(*(f for f in found if f is not None))
        case Truth():
            return frozenset()
        case _:
            return None


def _support(game: Game, term: Linear) -> frozenset[int]:
    owner = game.component_of
    return frozenset(
        owner[game.melds[i].tiles[0]] for _, f in term.parts for i, w in enumerate(f.weights) if w
    )


def by_component(game: Game, formula: Formula) -> tuple[tuple[int, Formula], ...] | None:
    """A conjunction as (component, what it asks of the melds there); None where a part of it asks of more.

    A part that no meld decides is asked of the first component.
    """
    match formula:
        case Defined(_, _, body):
            return by_component(game, body)
        case And(parts):
            split = [by_component(game, part) for part in parts]
            return None if None in split else tuple(pair for pairs in split for pair in pairs or ())
        case _:
            found = components_asked(game, formula)
            return ((min(found, default=0), formula),) if found is not None and len(found) < 2 else None


def in_role(formula: Formula, role: str) -> Formula:
    """What is left to ask once the declarer's role is known; `Truth` where nothing is."""
    return settled(formula, lambda atom: Truth(atom.role == role) if isinstance(atom, RoleIs) else atom)


def settled(formula: Formula, told: Callable[[Formula], Formula]) -> Formula:
    """What is left to ask when `told` makes a `Truth` of each known atom; `Truth` where nothing is."""
    match formula:
        case Not(part):
            inner = settled(part, told)
            return Truth(not inner.value) if isinstance(inner, Truth) else Not(inner)
        case And(parts):
            return _left(And, [settled(part, told) for part in parts], Truth(False))
        case Or(parts):
            return _left(Or, [settled(part, told) for part in parts], Truth(True))
        case Defined(name, rule, body):
            inner = settled(body, told)
            return inner if isinstance(inner, Truth) else Defined(name, rule, inner)
        case _:
            return told(formula)


def _left(kind: type[And | Or], parts: list[Formula], deciding: Truth) -> Formula:
    """The parts that are not decided yet, unless one of them decides the whole."""
    if deciding in parts:
        return deciding
    asked = tuple(part for part in parts if not isinstance(part, Truth))
    return (asked[0] if len(asked) == 1 else kind(asked)) if asked else Truth(not deciding.value)


def win_formula(game: Game) -> Formula:
    """和 as one formula."""
    return And((Complete(), *(need.formula for need in game.win.needs)))


def false_win_formula(game: Game) -> Formula:
    """诈和 as one formula."""
    return Or(tuple(reason.formula for reason in game.false_win))


def speaks_of_alike(formula: Formula) -> bool:
    """Does it ask how many concealed tiles are like the last one?"""
    return any(isinstance(atom, LastAlike) for atom in atoms(formula))


def asks_alike(game: Game) -> bool:
    """Does any condition or statement of the game ask that?"""

    def find() -> bool:
        conditions = [need.formula for need in (*game.win.needs, *game.false_win)]
        conditions += [name.formula for name in game.names]
        conditions += [transfer.condition for transfer in game.transfers]
        said = (s.formula for s in game.statements)
        conditions += [formula for formula in said if isinstance(formula, Formula)]
        return any(map(speaks_of_alike, conditions))

    return game.memo.of("asks alike", find)


def score_feature(game: Game, table: int) -> Feature:
    """The total of a score table as a number that formulas compare; a price the source lacks counts 0."""
    return Feature(game.scores[table], tuple(meld.prices[table].points or 0 for meld in game.melds))
