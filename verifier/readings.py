"""A ruleset under other options and readings: what of it comes into play, and what is the same game.

A witness found under one choice is first tried under the next, by the reference meaning; the solver is
only asked what no known witness answers, and each question once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

from dsl.core.evaluate import gain
from dsl.core.formulas import asks_alike, false_win_formula, win_formula
from dsl.core.hand import Hand
from dsl.core.model import Complete, Formula, Game, Meld, Misnamed, NamedWin, Not, Rule, Truth

from . import ask
from .decode import Undecodable, decode
from .essence import Key, Numbers, plain, world_key
from .formulas import atoms
from .holding import can_stand
from .models import Model, true_of
from .study import every, some
from .world import World


@dataclass(frozen=True, slots=True)
class Question:
    """Can the clause come into play?"""

    rule: Rule
    formula: Formula


def questions(game: Game, rows: Iterable[Row]) -> Iterator[Question]:
    """Every name, reason of a false win, payment and price row, and the win itself."""
    win, false = win_formula(game), false_win_formula(game)
    yield Question(game.win.rule, win)
    for name in game.names:
        yield Question(name.rule, every(win, name.formula))
    for reason in game.false_win:
        yield Question(reason.rule, reason.formula)
    for transfer in game.transfers:
        outcome = {"win": win, "false_win": false}.get(transfer.outcome)
        if outcome is not None:
            yield Question(transfer.rule, every(outcome, transfer.condition))
    for rule, has in rows:
        yield Question(rule, Truth(False) if has is None else every(win, has))


Row = tuple[Rule, Formula | None]
"""A row of a score table, and that a hand has a meld it prices; None when no finished hand can have one."""


def rows_of(game: Game) -> Iterator[Row]:
    for table in range(len(game.scores)):
        melds: dict[Rule, list[int]] = {}
        for meld in game.melds:
            standing = melds.setdefault(meld.prices[table].rule, [])
            if can_stand(game, meld):
                standing.append(meld.id)
        for rule, ids in melds.items():
            if rule.name.startswith("价."):
                yield rule, some(rule.name, game, [game.melds[i] for i in ids]) if ids else None


def sure(game: Game) -> Iterator[tuple[NamedWin, Rule, Formula]]:
    """(name, need, formula): a hand with the name that misses the need; asked of needs on the hand alone."""
    for name in game.names:
        for need in game.win.needs:
            if not any(isinstance(atom, Misnamed) for atom in atoms(need.formula)):
                yield name, need.rule, every(Complete(), name.formula, Not(need.formula))


# ---------------------------------------------------------------- asking many games


@dataclass
class _Pool:
    """What is known of all games that share a world."""

    world: World
    answers: dict[Formula, bool | None] = field(default_factory=dict)
    hints: dict[str, Model] = field(default_factory=dict)
    """Per label the model that answered last."""

    @cached_property
    def _melds(self) -> dict[Key, int]:
        return {_look(meld): meld.id for meld in self.world.melds}

    @cached_property
    def _types(self) -> dict[str, int]:
        return {t.name: t.index for t in self.world.types}

    def taken(self, model: Model, other: World) -> Model | None:
        """A model of another world in the words of this one, if it has words for all of it."""
        melds = [self._melds.get(_look(other.game.melds[m])) for m in model.melds]
        named = tuple(sorted(m for m in melds if m is not None))
        holder = None if model.holder is None else self._types.get(other.game.types[model.holder].name)
        lost = len(named) < len(melds) or (holder is None) != (model.holder is None)
        return None if lost or not self.world.knows(model) else replace(model, melds=named, holder=holder)


class Prober:
    """Asks the same questions of one ruleset under many options."""

    def __init__(self) -> None:
        self._pools: dict[Key, _Pool] = {}
        self._numbers = Numbers()
        self._rows: dict[Key, tuple[tuple[Meld, ...], tuple[Row, ...]]] = {}

    def questions(self, game: Game) -> Iterator[Question]:
        """As `questions`; games with the same melds at the same prices share their rows."""
        key = (id(game.melds), game.widest)
        if key not in self._rows:
            self._rows[key] = (game.melds, tuple(rows_of(game)))
        return questions(game, self._rows[key][1])

    def of(self, game: Game) -> Probe:
        """The game with what is known of all games of its world."""
        gains = tuple(gain(meld, game) for meld in game.melds) if game.mark is not None else ()
        key = (world_key(game, self._numbers.part), gains, asks_alike(game))
        if key not in self._pools:
            self._pools[key] = _Pool(World(game))
        return Probe(game, self._pools[key], self._pools.values())


@dataclass(frozen=True, slots=True)
class Probe:
    """One game to be asked."""

    game: Game
    pool: _Pool
    others: Collection[_Pool]
    """Those of the worlds asked so far."""

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
        world = copy(self.pool.world)
        world.game, world.view = self.game, replace(self.pool.world.view, game=self.game, named={})
        if world.models.telling(self.game, formula) is None:
            likely = (m for m in self._elsewhere(label) if true_of(self.game, m, formula))
            any(ask.adopted(world, model) for model in likely)
        answer = ask.possible(world, formula)
        if answer:
            self.pool.hints[label] = world.model
        return answer

    def _elsewhere(self, label: str) -> Iterator[Model]:
        """What answered the question in other worlds, in the words of this one."""
        tried: list[Model] = []
        for other in self.others:
            hint = other.hints.get(label) if other is not self.pool else None
            model = None if hint is None else self.pool.taken(hint, other.world)
            if model is not None and model not in tried:
                tried.append(model)
                yield model

    def hand_of(self, formula: Formula) -> Iterator[Hand]:
        """A hand of which the formula holds in this game, if there is one."""
        if self.possible(f"{len(self.pool.answers)}", formula):
            model = next(m for m in self.pool.world.models if true_of(self.game, m, formula))
            with suppress(Undecodable):
                yield decode(self.pool.world, model).hand


def _look(meld: Meld) -> Key:
    """What makes a meld the same in two worlds."""
    return meld.type.name, meld.slots, meld.tiles
