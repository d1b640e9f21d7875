"""Every option and reading, alone and in pairs: what is dead, what is the same game, what does not load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import dsl
from dsl.core.hand import Hand
from dsl.core.model import Choice, Game, Rule
from dsl.judge.compiled import Compiled
from dsl.judge.hands import unsound_wait
from dsl.text.diagnostics import SpecError

from .difference import diff
from .essence import Key, Numbers, condition_key, essence, wait_key, world_key
from .readings import Prober, sure
from .study import Study
from .telling import judged, likely

Change = tuple[str, str]
"""An option with a value that is not its default."""
Changes = tuple[Change, ...]
FORBIDDEN = "N011"


@dataclass(frozen=True, slots=True)
class Variant:
    """The ruleset under some changes, and what was found of it."""

    game: Game
    essence: int
    """Equal numbers for equal essences."""
    asked: Mapping[str, Rule]
    """Clauses that were asked about, by name."""
    dead: frozenset[str]
    sure: frozenset[tuple[str, str]]
    """(name, need): every hand with the name meets the need. Of single changes only."""


@dataclass
class Algebra:
    """All variants of a study's game that one or two changes make."""

    study: Study
    faults: dict[Changes, SpecError] = field(default_factory=dict)
    """Combinations that do not load although no clause forbids them."""
    forbidden: int = 0
    lost: bool = False
    """The text cannot be read again: it is in no file."""
    prober: Prober = field(default_factory=Prober)
    numbers: Numbers = field(default_factory=Numbers)
    _steps: int = 0
    _seen: dict[Key, tuple[dict[str, Rule], frozenset[str]]] = field(default_factory=dict)
    _unsound: dict[Key, dict[str, tuple[Hand, int]]] = field(default_factory=dict)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.study.game.choices if not choice.of_play)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        chosen = self.study.game.options
        return tuple((c.name, v) for c in self.choices for v in c.values if v != chosen[c.name])

    @cached_property
    def base(self) -> Variant:
        return self._variant(self.study.game, alone=True)

    @cached_property
    def singles(self) -> dict[Change, Variant]:
        """One change each; the forbidden ones and those that do not load left out."""
        found = {change: self._load((change,)) for change in self.changes}
        return {change: self._variant(game, alone=True) for change, game in found.items() if game is not None}

    @cached_property
    def pairs(self) -> dict[tuple[Change, Change], Variant]:
        found = {}
        for one, other in combinations(self.changes, 2):
            if one[0] != other[0]:
                game = self._load((one, other))
                if game is not None:
                    found[one, other] = self._variant(game, alone=False)
        return found

    def value_of(self, choice: Choice, value: str) -> Variant | None:
        """The variant in which only this choice has this value."""
        if self.study.game.options[choice.name] == value:
            return self.base
        return self.singles.get((choice.name, value))

    # ------------------------------------------------------------ one variant

    def _step(self) -> None:
        """Every change is tried alone, with every other, and may be compared with the base."""
        self._steps += 1
        if self.study.step is not None:
            number = len(self.changes)
            most = 2 * number + number * (number - 1) // 2
            self.study.step(min(self._steps, most), most)

    def _load(self, changes: Changes) -> Game | None:
        self._step()
        try:
            return self.study.variant(dict(changes))
        except SpecError as error:
            codes = {f.code for f in error.diagnostics if f.severity == "error"}
            if FORBIDDEN in codes:
                self.forbidden += 1
            elif any(code.startswith("U") for code in codes):
                self.lost = True
            else:
                self.faults[changes] = error
            return None

    def _variant(self, game: Game, alone: bool) -> Variant:
        key = (condition_key(game, self.numbers.part), tuple(rule.name for rule in game.rules))
        if key not in self._seen:
            self._seen[key] = self._asked(game)
        asked, dead = self._seen[key]
        came_to = self.numbers.of(essence(game, self.numbers.part))
        return Variant(game, came_to, asked, dead, self._sure(game, dead) if alone else frozenset())

    def _asked(self, game: Game) -> tuple[dict[str, Rule], frozenset[str]]:
        probe, asked, dead = self.prober.of(game), dict[str, Rule](), set[str]()
        for question in self.prober.questions(game):
            name = question.rule.name
            asked[name] = question.rule
            answer = probe.possible(name, question.formula)
            if answer is None:
                self.study.leave_open(f"{name} {dict(game.options)}", OPEN)
            elif not answer:
                dead.add(name)
        return asked, frozenset(dead)

    def _sure(self, game: Game, dead: frozenset[str]) -> frozenset[tuple[str, str]]:
        probe = self.prober.of(game)
        return frozenset(
            (name.name, rule.name)
            for name, rule, formula in sure(game)
            if name.rule.name not in dead and probe.possible(f"{name.name} {rule.name}", formula) is False
        )

    # ------------------------------------------------------------ wait types

    def unsound_in(self, variant: Variant) -> dict[str, tuple[Hand, int]]:
        """Wait types that claim a tile which does not complete the hand; asked once per way of waiting."""
        key = wait_key(variant.game, self.numbers.part)
        if key not in self._unsound:
            compiled = Compiled(variant.game)
            pairs = ((w.name, unsound_wait(compiled, w)) for w in variant.game.waits)
            self._unsound[key] = {name: shown for name, shown in pairs if shown is not None}
        return self._unsound[key]

    # ------------------------------------------------------------ the same judgement

    def same_judgement(self, variant: Variant) -> bool:
        """Is it certain that every hand is judged as in the base? False when it is not, or not certain."""
        self._step()
        if world_key(variant.game) != world_key(self.base.game) or variant.game.any_size:
            return False  # hands of any size are compared at one size only
        left, right = dsl.Game(self.base.game), dsl.Game(variant.game)
        hands = likely(self.prober, left.core, right.core)
        if any(judged(left, hand) != judged(right, hand) for hand in hands):
            return False
        aspects = diff(left, right).aspects
        return all(aspect.relation == "equal" for name, aspect in aspects.items() if name != "table")


NO_FILE = ("规则不在文件里，换不了选项", "the ruleset is in no file, so its options cannot be changed")
OPEN = ("求解器用尽了限额还没有答案", "the solver spent its budget without an answer")
