"""What the solver found, and what the reference says of it under whatever options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from dsl.core.evaluate import Arrangement, Position, Situation, holds
from dsl.core.model import Formula, Game


@dataclass(frozen=True)
class Model:
    """The variables of a world with their values."""

    melds: tuple[int, ...]
    complete: bool
    role: str
    origin: str | None
    holder: int | None
    """Index of the meld type that holds the last tile."""
    context: Mapping[str, str]
    misnaming: bool
    last_wild: bool = False
    last_alike: int = 0


@dataclass
class Models:
    """Models of one world, those that answered last in front; the options that share the world share them."""

    found: list[Model] = field(default_factory=list)

    def telling(self, game: Game, formula: Formula) -> Model | None:
        """A known model of which the formula holds in this game."""
        for index, model in enumerate(self.found):
            if true_of(game, model, formula):
                self.found.insert(0, self.found.pop(index))
                return model
        return None

    def add(self, model: Model) -> None:
        self.found.insert(0, model)

    def __iter__(self) -> Iterator[Model]:
        return iter(self.found)


def true_of(game: Game, model: Model, formula: Formula) -> bool:
    """What the reference says of a model of some game with the same world."""
    return holds(formula, position(game, model))


def position(game: Game, model: Model) -> Position:
    """The model as an arrangement in a situation of this game."""
    holder = next((m for m in model.melds if game.melds[m].type.index == model.holder), None)
    arrangement = Arrangement(model.melds, holder, model.complete)
    situation = Situation(model.role, model.origin, model.context, None, model.last_wild, model.last_alike)
    at = Position(game, arrangement, situation)
    wrong = [n.name for n in game.names if not holds(n.formula, at)] if model.misnaming else []
    if not wrong:
        return at
    return Position(game, arrangement, replace(situation, declared=(wrong[0],)))
