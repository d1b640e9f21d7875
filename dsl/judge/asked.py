"""What the conditions of a game ask of the context of a hand."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.model import And, ContextIs, Defined, Formula, Game, Not, Or


def contexts_asked(game: Game) -> tuple[ContextIs, ...]:
    """Every question after the context that a condition asks, each once, in order."""
    formulas = [n.formula for n in (*game.win.needs, *game.false_win)] + [n.formula for n in game.names]
    formulas += [t.condition for t in game.transfers]
    return tuple(dict.fromkeys(atom for formula in formulas for atom in _asked(formula)))


def _asked(formula: Formula) -> Iterator[ContextIs]:
    match formula:
        case ContextIs():
            yield formula
        case Not(part):
            yield from _asked(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _asked(part)
        case Defined(_, _, body):
            yield from _asked(body)
        case _:
            pass
