"""What the solver found, and what the reference says of it under whatever options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from dsl.core.evaluate import Arrangement, Position, Situation, holds
from dsl.core.model import And, Formula, Game


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


class _Told:
    """What the reference says of a model in one game; questions have most of their parts in common."""

    def __init__(self, game: Game, model: Model) -> None:
        self.model = model
        self._at = position(game, model)
        self._known: dict[int, tuple[Formula, bool]] = {}
        """By the identity of a part, which is kept with it."""

    def holds(self, formula: Formula) -> bool:
        if isinstance(formula, And):
            return all(map(self.holds, formula.parts))
        known = self._known.get(id(formula))
        if known is None:
            known = self._known[id(formula)] = formula, holds(formula, self._at)
        return known[1]


@dataclass
class Models:
    """Models of one world, those that answered last in front; the options that share the world share them."""

    found: list[Model] = field(default_factory=list)
    _game: Game | None = None
    _told: dict[int, _Told] = field(default_factory=dict)
    """Of the game last asked about, by the identity of models."""

    def telling(self, game: Game, formula: Formula) -> Model | None:
        """A known model of which the formula holds in this game."""
        if game is not self._game:
            self._game, self._told = game, {}
        for index, model in enumerate(self.found):
            told = self._told.get(id(model))
            if told is None:
                told = self._told[id(model)] = _Told(game, model)
            if told.holds(formula):
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
