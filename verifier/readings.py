"""A ruleset under other options and readings: what of it comes into play, and what is the same game.

A witness found under one choice is first tried under the next, by the reference meaning; the solver is
only asked what no known witness answers, and each question once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace

from dsl.core.evaluate import Arrangement, Position, Situation, holds
from dsl.core.hand import Hand
from dsl.core.model import And, Complete, Formula, Game, Misnamed, NamedWin, Not, Or, Rule, Truth

from . import ask
from .decode import Model, Undecodable, decode, read
from .essence import Key, plain, world_key
from .formulas import atoms
from .holding import can_stand
from .study import every, some
from .world import World


@dataclass(frozen=True, slots=True)
class Question:
    """Can the clause come into play?"""

    rule: Rule
    formula: Formula


def win_of(game: Game) -> Formula:
    return And((Complete(), *(need.formula for need in game.win.needs)))


def questions(game: Game) -> Iterator[Question]:
    """Every name, reason of a false win, payment and price row, and the win itself."""
    win, false = win_of(game), Or(tuple(reason.formula for reason in game.false_win))
    yield Question(game.win.rule, win)
    for name in game.names:
        yield Question(name.rule, every(win, name.formula))
    for reason in game.false_win:
        yield Question(reason.rule, reason.formula)
    for transfer in game.transfers:
        outcome = {"win": win, "false_win": false}.get(transfer.outcome)
        if outcome is not None:
            yield Question(transfer.rule, every(outcome, transfer.condition))
    yield from _rows(game, win)


def _rows(game: Game, win: Formula) -> Iterator[Question]:
    for table in range(len(game.scores)):
        melds: dict[Rule, list[int]] = {}
        for meld in game.melds:
            standing = melds.setdefault(meld.prices[table].rule, [])
            if can_stand(game, meld):
                standing.append(meld.id)
        for rule, ids in melds.items():
            if rule.name.startswith("价."):
                has = every(win, some(rule.name, game, [game.melds[i] for i in ids]))
                yield Question(rule, has if ids else Truth(False))


def sure(game: Game) -> Iterator[tuple[NamedWin, Rule, Formula]]:
    """(name, need, formula): a hand with the name that misses the need; asked of needs on the hand alone."""
    for name in game.names:
        for need in game.win.needs:
            if not any(isinstance(atom, Misnamed) for atom in atoms(need.formula)):
                yield name, need.rule, every(Complete(), name.formula, Not(need.formula))


# ---------------------------------------------------------------- asking many games


@dataclass(slots=True)
class _Pool:
    """What is known of all games that share a world."""

    world: World
    models: list[Model]
    answers: dict[Formula, bool | None]
    hints: dict[str, Model]


class Prober:
    """Asks the same questions of one ruleset under many options."""

    def __init__(self) -> None:
        self._pools: dict[Key, _Pool] = {}

    def of(self, game: Game) -> Probe:
        """The game with what is known of all games of its world."""
        key = world_key(game)
        if key not in self._pools:
            self._pools[key] = _Pool(World(game), [], {}, {})
        return Probe(game, self._pools[key])


@dataclass(frozen=True, slots=True)
class Probe:
    """One game to be asked."""

    game: Game
    pool: _Pool

    def possible(self, label: str, formula: Formula) -> bool | None:
        """Is there a witness? None when the solver gave up. Questions of one label tend to share theirs."""
        if formula == Truth(False):
            return False
        hint = self.pool.hints.get(label)
        if hint is not None and true_of(self.game, hint, formula):
            return True
        asked = plain(formula)
        if asked not in self.pool.answers:
            self.pool.answers[asked] = self._answer(label, formula)
        return self.pool.answers[asked]

    def _answer(self, label: str, formula: Formula) -> bool | None:
        """The answer by a known witness, else by the solver."""
        for model in reversed(self.pool.models):
            if true_of(self.game, model, formula):
                self.pool.hints[label] = model
                return True
        world = copy(self.pool.world)
        world.game, world.view = self.game, replace(self.pool.world.view, game=self.game, named={})
        answer = ask.possible(world, formula)
        if answer:
            self.pool.hints[label] = read(world)
            self.pool.models.append(self.pool.hints[label])
        return answer

    def hand_of(self, formula: Formula) -> Iterator[Hand]:
        """A hand of which the formula holds in this game, if there is one."""
        if self.possible(f"{len(self.pool.answers)}", formula):
            model = next(m for m in reversed(self.pool.models) if true_of(self.game, m, formula))
            with suppress(Undecodable):
                yield decode(self.pool.world, model).hand


def true_of(game: Game, model: Model, formula: Formula) -> bool:
    """What the reference says of a model of some game with the same world."""
    return holds(formula, position(game, model))


def position(game: Game, model: Model) -> Position:
    """The model as an arrangement in a situation of this game."""
    holder = next((m for m in model.melds if game.melds[m].type.index == model.holder), None)
    arrangement = Arrangement(model.melds, holder, model.complete)
    situation = Situation(model.role, model.origin, model.context)
    at = Position(game, arrangement, situation)
    wrong = [n.name for n in game.names if not holds(n.formula, at)] if model.misnaming else []
    if not wrong:
        return at
    return Position(game, arrangement, replace(situation, declared=(wrong[0],)))
