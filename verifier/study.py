"""One game under the checks: what they share, and what could not be settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

import dsl
from dsl.core.limits import TooLarge
from dsl.core.model import And, Compare, Complete, Feature, Formula, Game, Linear, Meld, Not, Rule
from dsl.judge.compiled import Compiled
from dsl.table.table import Table
from dsl.text.codes import Lang, Severity

from . import ask
from .ask_table import TableAsker
from .decode import Witness
from .findings import Example, Finding, Words, example_of, pick
from .properties import Check, Part, check_called
from .waits import WaitClass, wait_classes
from .world import World

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A question that stayed open, and why."""

    code: str
    question: str
    reason: Words

    def to_json(self, lang: Lang) -> dict[str, Any]:
        return {"code": self.code, "question": self.question, "reason": pick(self.reason, lang)}


@dataclass(frozen=True, slots=True)
class Note:
    """What a check says of how far its answer goes."""

    code: str
    text: Words


How = Literal["arithmetic", "enumeration", "solver", "automaton", "sweep", "table", "check"]
"""How a statement was decided: by its own numbers, by trying all numbers, by the solver (where that runs
out of work by sums over melds: at the limit either may be first, so nobody is told which), by an automaton
over all hands (with a table of rows for every component, or a sweep over the kinds of large ones), by the
solver about players at the table, by another check."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A statement of the spec with what was found; `got` is None when it stayed open."""

    id: str
    title: str
    expected: bool
    got: bool | None
    seconds: float
    how: How
    of_truth: bool = False
    """Answered by true or false rather than by some or none."""

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "expected": self.expected,
            "got": self.got,
            "seconds": round(self.seconds, 3),
            "how": self.how,
        }


def answer_words(of_truth: bool, value: bool) -> Words:
    """The answer as statements spell it."""
    if of_truth:
        return ("真", "true") if value else ("假", "false")
    return ("有", "some") if value else ("无", "none")


Found = dict[tuple[str, Part], tuple[Finding, ...]]
"""By check and part of it."""


class Results(NamedTuple):
    """What parts of checks found, answered, left open and noted."""

    found: Found
    statements: list[Answered]
    unknown: list[Unsettled]
    notes: list[Note]


@dataclass
class Study:
    """A game, its world, and the findings of the checks that were asked for."""

    game: Game
    reload: Callable[[Mapping[str, str]], Study]
    """The study of the same ruleset with some options changed, and of its statements those about these."""
    variant: Callable[[Mapping[str, str]], Game]
    """That game without examples and statements, kept by nobody. Raises `SpecError` as `reload` does."""
    unknown: list[Unsettled] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    statements: list[Answered] = field(default_factory=list)
    found: Found = field(default_factory=dict)
    asking: list[str] = field(default_factory=list)
    """Codes of the checks at work, the innermost last."""
    sibling: Study | None = None
    """The study under the options first asked for; its world serves where it can."""
    step: Callable[[int, int], None] | None = None
    """Told (done, of) by checks that try many things, how far they are."""
    loader: dsl.Loader = field(default_factory=dsl.Loader)
    """What read the game."""

    @cached_property
    def world(self) -> World:
        return World(self.game) if self.sibling is None else self.sibling.world.under(self.game)

    @cached_property
    def compiled(self) -> Compiled:
        """The game's automata, for questions about all hands."""
        return Compiled(self.game)

    @cached_property
    def tables(self) -> TableAsker:
        """Questions about the game's table; it must have a flow of play."""
        return TableAsker(Table(self.game, self.compiled))

    @cached_property
    def win(self) -> Formula:
        """和: the shape and every need."""
        return And((Complete(), *(need.formula for need in self.game.win.needs)))

    @cached_property
    def wait_classes(self) -> tuple[WaitClass, ...]:
        """Waiting hands by their named waits."""
        return wait_classes(self.compiled)

    # ------------------------------------------------------------ checks

    def findings(self, code: str) -> tuple[Finding, ...]:
        """What a check finds."""
        return tuple(finding for part in check_called(code).parts for finding in self.part(code, part))

    def part(self, code: str, part: Part) -> tuple[Finding, ...]:
        """What a part of a check finds; it runs once."""
        if (code, part) not in self.found:
            self.asking.append(code)
            try:
                self.found[code, part] = tuple(self._found(code, part))
            finally:
                self.asking.pop()
        return self.found[code, part]

    def _found(self, code: str, part: Part) -> Iterator[Finding]:
        """What it finds as far as it gets."""
        try:
            yield from check_called(code).parts[part](self)
        except TooLarge as large:
            self.leave_open(code, large.words)

    def ran(self, code: str) -> bool:
        """Was this check asked for?"""
        return any(code == known for known, _ in self.found)

    def results(self) -> Results:
        """What was found so far."""
        return Results(self.found, self.statements, self.unknown, self.notes)

    def take(self, results: Results) -> None:
        """Parts of checks that ran elsewhere, as if they had run here."""
        self.found |= results.found
        self.statements += results.statements
        self.unknown += results.unknown
        self.notes += results.notes

    @property
    def check(self) -> Check:
        """The check at work."""
        return check_called(self.asking[-1])

    def finding(
        self,
        severity: Severity,
        sentence: Words,
        rules: Sequence[Rule],
        shows: Witness | Example | None = None,
        verdicts: Sequence[Words] = (),
        mend: Words | None = None,
        subject: Sequence[str] = (),
    ) -> Finding:
        """A finding of the check at work; `subject` tells it from the others of this check."""
        example = example_of(shows) if isinstance(shows, Witness) else shows
        blamed = tuple({rule.name: rule for rule in rules}.values())
        return Finding(
            code=self.check.code,
            severity=severity,
            game=self.game.name,
            title=self.check.title,
            sentence=sentence,
            rules=blamed,
            example=example,
            verdicts=tuple(verdicts),
            help=mend,
            subject=tuple(subject),
        )

    def steps(self, things: Sequence[T]) -> Iterator[T]:
        """The things one by one, while whoever watches is told how far we are."""
        for done, thing in enumerate(things):
            if self.step is not None:
                self.step(done, len(things))
            yield thing

    # ------------------------------------------------------------ questions

    def witness(self, formula: Formula, question: str) -> Witness | None:
        """The plainest witness, None when there is none or when the question stays open."""
        match ask.ask(self.world, formula):
            case ask.Refuted(witness):
                return witness
            case ask.Unknown(reason):
                self.leave_open(question, reason)
        return None

    def possible(self, formula: Formula, question: str) -> bool | None:
        """Is there a witness? None when the question stays open."""
        answer = ask.possible(self.world, formula)
        if answer is None:
            self.leave_open(question, ask.OUT_OF_WORK)
        return answer

    def impossible(self, formula: Formula, question: str) -> bool:
        """Is it proved that there is no witness?"""
        return self.possible(formula, question) is False

    def clash(self, parts: Sequence[Formula]) -> tuple[int, ...]:
        """Of parts that cannot hold together, a smallest choice that already cannot."""
        return ask.clash(self.world, parts)

    def note(self, text: Words) -> None:
        """How far the answer of the check at work goes."""
        self.notes.append(Note(self.check.code, text))

    def leave_open(self, question: str, reason: Words) -> None:
        self.unknown.append(Unsettled(self.asking[-1] if self.asking else "", question, reason))


def some(name: str, game: Game, melds: Sequence[Meld]) -> Formula:
    """At least one of these ground melds is in the arrangement."""
    chosen = {meld.id for meld in melds}
    feature = Feature(name, tuple(int(m.id in chosen) for m in game.melds))
    return Compare(Linear(((1, feature),)), ">=", Linear(constant=1))


def every(*parts: Formula) -> Formula:
    return And(parts)


def none_of(parts: Sequence[Formula]) -> Formula:
    return And(tuple(Not(part) for part in parts))
