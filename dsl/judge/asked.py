"""What the conditions of a game ask of the context of a hand."""

from __future__ import annotations

from ..core.formulas import atoms
from ..core.model import ContextIs, Game


def contexts_asked(game: Game) -> tuple[ContextIs, ...]:
    """Every question after the context that a condition asks, each once, in order."""
    formulas = [n.formula for n in (*game.win.needs, *game.false_win)] + [n.formula for n in game.names]
    formulas += [t.condition for t in game.transfers]
    asked = (atom for formula in formulas for atom in atoms(formula))
    return tuple(dict.fromkeys(atom for atom in asked if isinstance(atom, ContextIs)))
