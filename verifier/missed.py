"""Clauses that could be damaged without any example or statement of the ruleset noticing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Literal

import dsl
from dsl.api import Damage
from dsl.core.model import Example, Formula, Game, Rule, Statement, Waiting, WaitIs, WildsHeld
from dsl.core.waiting import hand_atoms
from dsl.judge.compiled import Compiled
from dsl.judge.examples import run_examples
from dsl.judge.hands import any_hand

from .checking import study_of
from .essence import Key, essence, plain, wait_key, world_key
from .formulas import ranged
from .properties.v119_statements import answer
from .readings import Prober
from .study import Study
from .telling import telling

Options = tuple[tuple[str, str], ...]
"""A full choice of options, sorted."""
Fate = Literal["broken", "same", "noticed", "open"]
"""The damaged ruleset does not load; means the same; is noticed; is not."""

ORDER = ("numbers", "arrangement", "hand")
"""What statements are about, those that are answered soonest first."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A clause of which no damage that may change the meaning is noticed."""

    rule: Rule
    damages: tuple[Damage, ...]
    options: Mapping[str, str]
    """The choice under which the clause is in force."""
    shown: Damage | None = None
    hand: Mapping[str, Any] | None = None
    """A hand that brings the damage `shown` to light, if one was found."""
    games: tuple[dsl.Game, ...] = ()
    """The game and the game so damaged."""


@dataclass
class Trial:
    """All damages of a study's game, put to its own examples and statements."""

    study: Study
    tried: int = 0
    broken: int = 0
    same: int = 0
    clauses: int = 0
    prober: Prober = field(default_factory=Prober)
    _originals: dict[Options, dsl.Game] = field(default_factory=dict)
    _keys: dict[Options, Key] = field(default_factory=dict)
    _lively: dict[str, int] = field(default_factory=dict)
    """When each example or statement last noticed something: those come first the next time."""

    def run(self) -> Iterator[Missed]:
        """The missed clauses in the order of the text. Raises `SpecError` when it cannot be read again."""
        found = self.study.loader.damages(self.study.game, bases=True)
        for _, group in groupby(found, key=lambda d: (d.place.ruleset.path, d.place.steps)):
            missed = self._clause(list(group))
            if missed is not None:
                yield missed

    def _clause(self, damages: list[Damage]) -> Missed | None:
        self.clauses += 1
        left: list[tuple[Damage, dsl.Loader]] = []
        for damage in damages:
            loader = self.study.loader.damaged(damage)
            fate = self._by_examples(damage, loader)
            if fate == "noticed":
                return None
            if fate == "open" and loader is not None:
                left.append((damage, loader))
        if not left or any(self._by_statements(damage, loader) for damage, loader in left):
            return None
        return self._missed(left)

    def _missed(self, left: Sequence[tuple[Damage, dsl.Loader]]) -> Missed:
        """With a hand that shows one of the damages, if one is found."""
        first, damages = left[0][0], tuple(damage for damage, _ in left)
        for damage, loader in left:
            old, new = self._original(_key(damage.options)), self._load(loader, _key(damage.options))
            assert new is not None, "it has been loaded before"
            game = dsl.Game(new, like=old)
            hand = telling(self.prober, old, game)
            if hand is not None:
                return Missed(first.rule, damages, damage.options, damage, hand, (old, game))
        return Missed(first.rule, damages, first.options)

    # ------------------------------------------------------------ the game under a choice of options

    def _load(self, loader: dsl.Loader | None, options: Options, claims: bool = False) -> Game | None:
        try:
            return None if loader is None else loader.again(self.study.game, dict(options), claims)
        except dsl.SpecError:
            return None

    def _original(self, options: Options) -> dsl.Game:
        if options not in self._originals:
            core = self.study.loader.again(self.study.game, dict(options))
            self._originals[options] = dsl.Game(core, self.study.loader)
        return self._originals[options]

    def _essence(self, options: Options) -> Key:
        if options not in self._keys:
            self._keys[options] = essence(self._original(options).core)
        return self._keys[options]

    def _under(self, options: Mapping[str, str]) -> Options:
        return _key({**self.study.game.options, **options})

    # ------------------------------------------------------------ examples

    @cached_property
    def _examples(self) -> dict[Options, tuple[Example, ...]]:
        """Examples by the choice they are judged under."""
        found: dict[Options, tuple[Example, ...]] = {}
        for example in self.study.game.examples:
            key = self._under(example.options)
            found[key] = (*found.get(key, ()), replace(example, options={}))
        return found

    def _by_examples(self, damage: Damage, loader: dsl.Loader | None) -> Fate:
        """Under the choice that brings the clause out, then under every choice that examples make."""
        self.tried += 1
        own, changed = _key(damage.options), False
        for options in dict.fromkeys((own, *sorted(self._examples, key=self._liveliest))):
            if not damage.in_force(dict(options)):
                continue
            core = self._load(loader, options)
            if core is None:
                self.broken += options == own
                return "broken" if options == own else "noticed"
            if essence(core) != self._essence(options):
                changed = True
                if self._fails(core, options):
                    return "noticed"
        self.same += not changed
        return "open" if changed else "same"

    def _liveliest(self, options: Options) -> int:
        return -max(self._lively.get(example.id, 0) for example in self._examples[options])

    def _fails(self, core: Game, options: Options) -> bool:
        """Does an example under this choice come out differently?"""
        examples = sorted(self._examples.get(options, ()), key=lambda e: -self._lively.get(e.id, 0))
        game = dsl.Game(replace(core, examples=tuple(examples)), like=self._original(options))
        for case in run_examples(game, lambda _: game):
            if not case.ok:
                self._lively[case.id] = self.tried
                return True
        return False

    # ------------------------------------------------------------ statements

    def _by_statements(self, damage: Damage, loader: dsl.Loader) -> bool:
        loaded: dict[Options, Game | None] = {}
        asked = [s for s in self.study.game.statements if s.about in ORDER and not s.printed]
        asked.sort(key=lambda s: (-self._lively.get(s.id, 0), ORDER.index(s.about)))
        for statement in asked:
            options = self._under(statement.options)
            if damage.in_force(dict(options)):
                if options not in loaded:
                    loaded[options] = self._load(loader, options, claims=True)
                game = loaded[options]
                if game is None or self._refuted(game, options, statement.id):
                    self._lively[statement.id] = self.tried
                    return True
        return False

    def _refuted(self, game: Game, options: Options, name: str) -> bool:
        """Is it certain that the statement is not answered as it was?"""
        old = self._original(options).core
        given, before = _called(name, game), _called(name, old)
        if _untouched(old, game, before, given):
            return False
        got = self._answered(game, given)
        return got is not None and got != given.expected

    def _answered(self, game: Game, given: Statement) -> bool | None:
        """As `v119` answers it, but without showing why."""
        formula = given.formula
        if given.about == "numbers":
            return answer(study_of(game), replace(given, options={})).got
        if isinstance(formula, Formula):
            asked = ranged(formula)
            found = self.prober.of(game).possible(given.id, asked)
        elif formula is None:
            return None
        else:
            found = any_hand(Compiled(game), formula, given.laid)
        return None if found is None else found == (given.quantifier == "exists")


def _key(options: Mapping[str, str]) -> Options:
    return tuple(sorted(options.items()))


def _called(name: str, game: Game) -> Statement:
    return next(s for s in game.statements if s.id == name)


def _untouched(old: Game, new: Game, before: Statement, after: Statement) -> bool:
    """Is it certain, without asking, that the statement is answered as before?"""
    if isinstance(before.formula, Formula) and isinstance(after.formula, Formula):
        same = plain(before.formula) == plain(after.formula)
        return same and (before.about == "numbers" or world_key(old) == world_key(new))
    if before.formula != after.formula or wait_key(old) != wait_key(new):
        return False
    return essence(old) == essence(new) or _of_tiles_alone(before.formula)


def _of_tiles_alone(formula: Any) -> bool:
    """Does a statement about waiting hands ask nothing that conditions of the win have a say in?"""
    return all(isinstance(atom, Waiting | WaitIs | WildsHeld) for atom in hand_atoms(formula))
