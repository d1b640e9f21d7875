"""An arrangement and the situation around it, as terms that formulas speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from dsl.core.model import Game, NamedWin

from .smt import Bool, Int, Smt


@dataclass(frozen=True)
class View:
    """All that a formula can ask about, as terms. Twin of `dsl.core.evaluate.Position`."""

    smt: Smt
    game: Game
    counts: Mapping[int, Int]
    """Ground meld to how many of it the arrangement has; melds not listed have none."""
    complete: Bool
    roles: Mapping[str, Bool]
    origins: Mapping[str | None, Bool]
    last_in: Mapping[int, Bool]
    """Meld type to whether a meld of it holds the last tile."""
    context: Mapping[tuple[str, str], Bool]
    last_wild: Bool
    last_alike: Int
    """Concealed tiles like the last one; at most those that can be concealed, `decode` finds the rest."""
    misnaming: Bool
    """A name that does not hold is declared, provided that there is one."""
    values: dict[tuple[int, ...], Int] = field(default_factory=dict)
    """Features already encoded, by their weights."""
    named: dict[NamedWin, Bool] = field(default_factory=dict)
    """Conditions of named wins already encoded."""
    numbers: Mapping[str, Int] = field(default_factory=dict)
    """Whole numbers that a statement leaves open."""

    def carried(self, smt: Smt) -> View:
        """The same, said to another solver."""
        number, truth = partial(smt.number_of, self.smt), partial(smt.truth_of, self.smt)
        return View(
            smt=smt,
            game=self.game,
            counts={meld: number(term) for meld, term in self.counts.items()},
            complete=truth(self.complete),
            roles={role: truth(term) for role, term in self.roles.items()},
            origins={origin: truth(term) for origin, term in self.origins.items()},
            last_in={index: truth(term) for index, term in self.last_in.items()},
            context={item: truth(term) for item, term in self.context.items()},
            last_wild=truth(self.last_wild),
            last_alike=number(self.last_alike),
            misnaming=truth(self.misnaming),
        )
