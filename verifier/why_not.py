"""Why can no hand do this? The fewest clauses of the author that together forbid it, and what each holds up.

A clause counts as struck out when its condition may be met or not as it suits, or when its numbers are
open (see `loosened`). What words mean – melds, classes, origins, options – stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter

from dsl.core.formulas import false_win_formula
from dsl.core.model import And, Complete, Defined, Formula, Game, Need, Not, Or, Rule
from dsl.text.source import NOWHERE

from . import ask
from .findings import Example, example_of
from .formulas import definitions, ranged, struck_out
from .loosened import Knob, Loosened, changed_game, copies_rules, price_rules, repriced, shape_rule, size_rule
from .questions import stated
from .study import Study
from .world import World

EXISTS = ("存在", "exists")

SHOWN = 6
"""Of more clauses than these, those that fix numbers are shown with other numbers and without a hand."""

Change = tuple[tuple[Knob, int], ...]
"""Numbers of a struck-out clause, each beside the written one."""


class NotOfArrangements(Exception):
    """The condition speaks of waiting hands; only `paigui ask` answers those."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the clauses that together forbid it."""

    rule: Rule
    alone: bool | None
    """Does striking out this one alone let such a hand in? None when it was not found out."""
    change: Change = ()
    """Numbers that let it in, as near to the written ones as can be."""
    game: Game | None = None
    """The game with those numbers."""
    example: Example | None = None


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer; `possible` is None when it stayed open."""

    game: Game
    condition: str
    possible: bool | None
    example: Example | None
    parts: tuple[Part, ...]
    minimal: bool
    """False when the solver could not tell of some clause whether it is needed."""
    seconds: float


def why_not(reference: str, condition: str, options: Mapping[str, object] | None = None) -> WhyNot:
    """Why no complete arrangement meets a condition, or one that does.

    Raises `SpecError` for what cannot be read, `NotOfArrangements` for a condition on waiting hands.
    """
    start = perf_counter()
    asked = condition.strip()
    for word in EXISTS:
        asked = asked.removeprefix(word).strip()
    base, study = stated(reference, f"{EXISTS[0]} {asked}", options)
    formula = study.game.statements[-1].formula
    if not isinstance(formula, Formula):
        raise NotOfArrangements
    views = study.game.views
    studies = [study] if len(views) == 1 else [replace(study, game=view, sibling=None) for view in views]
    searches = [_Search(each, ranged(formula)) for each in studies]
    answers = [search.possible(()) for search in searches]
    possible = True if True in answers else None if None in answers else False
    found = searches[answers.index(True)] if possible else None
    parts = [part for search in searches for part in search.parts()] if possible is False else []
    return WhyNot(
        game=base.core,
        condition=asked,
        possible=possible,
        example=_shown(ask.ask(found.study.world, found.asked)) if found else None,
        parts=tuple({part.rule.name: part for part in reversed(parts)}.values())[::-1],
        minimal=not any(search.open for search in searches),
        seconds=perf_counter() - start,
    )


def _shown(answer: ask.Answer) -> Example | None:
    return example_of(answer.witness) if isinstance(answer, ask.Refuted) else None


@dataclass
class _Search:
    """Which sets of clauses, struck out, let a hand in; each set is tried once."""

    study: Study
    formula: Formula
    tried: dict[frozenset[str], bool | None] = field(default_factory=dict)
    changes: dict[str, Change] = field(default_factory=dict)
    """For each clause that fixes numbers and is needed, numbers that would let a hand in."""
    open: set[str] = field(default_factory=set)
    """Clauses of which the solver could not tell whether they are needed."""

    @cached_property
    def asked(self) -> Formula:
        """The condition, every need and every reason of 诈和 in it under the name of its clause."""
        return _named(self.formula, self.study.game)

    @cached_property
    def prices(self) -> tuple[Rule, ...]:
        return price_rules(self.study.game, self.asked)

    @cached_property
    def clauses(self) -> dict[str, Rule]:
        """Those that may be to blame: conditions first, then the shape, the deck, and rows of prices."""
        game = self.study.game
        sizes = [] if game.any_size else [size_rule(game)]
        numbers = [shape_rule(game), *sizes, *copies_rules(game).values(), *self.prices]
        written = {rule.name: rule for rule in numbers if rule.span != NOWHERE}
        return {**definitions(self.asked), **written}

    # ------------------------------------------------------------ questions

    def possible(self, struck: Iterable[str]) -> bool | None:
        """Is there such a hand without these clauses?"""
        key = frozenset(struck)
        if key not in self.tried:
            self.tried[key] = self._ask(key)
        return self.tried[key]

    def _ask(self, struck: frozenset[str]) -> bool | None:
        formula = struck_out(self.asked, self._conditions(struck))
        if struck <= set(self._conditions(struck)):
            return ask.possible(self.study.world, formula)
        if len(struck) > 1 and Loosened(self.study.game, struck, formula, rough=True).status() == "unsat":
            return False
        loosened = Loosened(self.study.game, struck, formula)
        status = loosened.status()
        if status == "sat" and len(struck) == 1:
            self.changes[next(iter(struck))] = loosened.nearest()
        return None if status == "unknown" else status == "sat"

    def _conditions(self, struck: frozenset[str]) -> list[str]:
        """Those of the clauses that are conditions, in the order of the question."""
        return [name for name in definitions(self.asked) if name in struck]

    # ------------------------------------------------------------ the fewest clauses

    def parts(self) -> tuple[Part, ...]:
        """A smallest set: clauses that every such set has, and of the others what cannot be struck out."""
        names = list(self.clauses)
        rows = [rule.name for rule in self.prices]
        struck = frozenset(rows) if rows and self.possible(rows) is False else frozenset[str]()
        needed = [name for name in names if name not in struck and self.possible([name])]
        others = [name for name in names if name not in struck and name not in needed]
        struck = self._strike(struck, [name for name in others if name in rows])
        struck = self._strike(struck, [name for name in others if name not in rows])
        found = [name for name in names if name not in struck]
        shown = len(found) <= SHOWN
        return tuple(self._part(name, name in needed, shown) for name in found)

    def _strike(self, struck: frozenset[str], names: list[str]) -> frozenset[str]:
        """As many of the names as can go without letting a hand in, the last in order first."""
        if not names:
            return struck
        without = self.possible(struck.union(names))
        if without is False:
            return struck.union(names)
        if len(names) == 1:
            self.open.update(names if without is None else ())
            return struck
        half = len(names) // 2
        return self._strike(self._strike(struck, names[half:]), names[:half])

    def _part(self, name: str, needed: bool, shown: bool) -> Part:
        rule, game = self.clauses[name], self.study.game
        if not needed:
            return Part(rule, self.possible([name]))
        if name in definitions(self.asked):
            found = ask.ask(self.study.world, struck_out(self.asked, [name]))
            return Part(rule, True, (), game, _shown(found))
        change = self.changes[name]
        other = changed_game(game, change)
        if not shown:
            return Part(rule, True, change, other)
        asked = repriced(self.asked, game, change)
        return Part(rule, True, change, other, _shown(ask.ask(World(other), asked)))


def _named(formula: Formula, game: Game) -> Formula:
    """The formula with 和 and 诈和 spelled out clause by clause."""
    if formula == And((Complete(), *(need.formula for need in game.win.needs))):
        return And((Complete(), *map(_under_its_name, game.win.needs)))
    if formula == false_win_formula(game):
        return Or(tuple(map(_under_its_name, game.false_win)))
    match formula:
        case Not(part):
            return Not(_named(part, game))
        case And(parts):
            return And(tuple(_named(part, game) for part in parts))
        case Or(parts):
            return Or(tuple(_named(part, game) for part in parts))
        case Defined(name, rule, body):
            return Defined(name, rule, _named(body, game))
        case _:
            return formula


def _under_its_name(need: Need) -> Formula:
    known = isinstance(need.formula, Defined) and need.formula.rule == need.rule
    return need.formula if known else Defined(need.name, need.rule, need.formula)
