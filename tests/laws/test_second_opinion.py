"""cvc5 on the arrangement questions that z3 was asked: the same text, the same answer.

A yes is checked with z3's values put in, so that cvc5 only has to agree that they are a model. A no it
has to prove by itself, within a fixed amount of work. It branches on single melds and has no cuts, so a
no is often out of its reach as it stands; then it gets the question with interchangeable components
put in order, as z3 does, and with tautologies that name sums worth branching on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import cvc5
import pytest

import dsl
from dsl.core.model import And, Compare, Complete, Congruent, Feature, Formula, Game
from tests.conftest import ROOT
from verifier import ask, verify
from verifier.ask import possible
from verifier.checking import study_of
from verifier.encode import holds
from verifier.formulas import atoms
from verifier.smt import Bool, Status
from verifier.study import every
from verifier.symmetry import in_order
from verifier.world import World

REAL = "specs/hubei/shifuying/game.pai"
CUT = "C-16f"
"""A statement that z3 decides with one cut, and cvc5 not without help."""

SMALL = "tests/small/两句.pai"

RULESETS = [
    path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "specs").glob("*/*/*.pai"))
    if "\n规则 " in path.read_text(encoding="utf-8")
]
"""Every shipped game; templates have nothing to verify."""

QUICK = [
    path
    for path in RULESETS
    if "duiduifu" in path or any(name in path for name in ("daer", "gehu", "geqianhu"))
]
"""Games of which verifying takes no second."""

ALL = 0
"""Work without a limit."""

LADDER = (20_000, 200_000, 400_000, 4_000_000)
"""What cvc5 may spend on each form of a question, in its own units."""

HIGHEST = 30
"""Sums are told apart up to here; what lies beyond stays one case."""


# ---------------------------------------------------------------- what z3 was asked


class Question(NamedTuple):
    """A question as text, with a model beside it if z3 found one; after a no, also in other forms."""

    text: str
    said: Status
    forms: tuple[str, ...] = ()


def overheard(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> list[Question]:
    """Every question put to the solver meanwhile, each once."""
    found: dict[str, Question] = {}
    settle, quickly = ask._settle, ask._quickly

    def settling(world: World, formula: Formula) -> Status:
        answer = settle(world, formula)
        note(asked(world, formula, answer))
        return answer

    def hurrying(world: World, formula: Formula) -> bool:
        answer = quickly(world, formula)
        if answer:  # a no only says that the question takes longer
            with world.smt.scope():
                world.smt.require(holds(formula, world.view))
                note(asked(world, formula, "sat"))
        return answer

    def note(question: Question) -> None:
        found.setdefault(question.text, question)

    monkeypatch.setattr(ask, "_settle", settling)
    monkeypatch.setattr(ask, "_quickly", hurrying)
    work()
    monkeypatch.undo()
    return list(found.values())


def asked(world: World, formula: Formula, said: Status) -> Question:
    """The question that the world has just been asked."""
    if said == "unsat":
        return Question(world.smt.text(), said, tuple(other_forms(world, formula)))
    with world.smt.scope():
        world.smt.require(*(values(world) if said == "sat" else ()))
        return Question(world.smt.text(), said)


def values(world: World) -> list[Bool]:
    """The last model: the value of every variable."""
    smt, view = world.smt, world.view
    numbers = (*view.counts.values(), view.last_alike)
    groups = (view.roles, view.origins, view.last_in, view.context)
    truths = (view.complete, view.misnaming, view.last_wild, *(b for group in groups for b in group.values()))
    said = [smt.compare(number, "=", smt.integer_value(number)) for number in numbers]
    return said + [truth if smt.truth_value(truth) else smt.negate(truth) for truth in truths]


def other_forms(world: World, formula: Formula) -> Iterator[str]:
    """With components put in order and cases beside it: by shape, then by sorts of melds, then by counts."""
    with world.smt.scope():
        world.smt.require(*in_order(world, formula))
        for sums in (shares(world.game), sorts(world, formula), counts(formula)):
            world.smt.require(*[cases(world, *sum) for sum in sums])
            yield world.smt.text()


Weights = Mapping[int, int]


def shares(game: Game) -> Iterator[tuple[Weights, int]]:
    """What each component gives to each part of the shape, and the most there can be."""
    for part in range(len(game.components)):
        inside = [m for m in game.melds if game.component_of[m.tiles[0]] == part]
        for dim, most in enumerate(game.widest):
            if most:
                yield {m.id: m.type.gives[dim] for m in inside}, most


def sorts(world: World, formula: Formula) -> Iterator[tuple[Weights, int]]:
    """The melds that are alike to the shape and to everything that the formula counts."""
    counted = list(dict.fromkeys(features(formula)))
    alike: dict[object, dict[int, int]] = {}
    for meld in world.melds:
        alike.setdefault((meld.type.gives, tuple(f.weights[meld.id] for f in counted)), {})[meld.id] = 1
    for melds in alike.values():
        yield melds, sum(world.game.widest)


def counts(formula: Formula) -> Iterator[tuple[Weights, int]]:
    """Everything that the formula counts."""
    for feature in dict.fromkeys(features(formula)):
        yield dict(enumerate(feature.weights)), HIGHEST


def features(formula: Formula) -> Iterator[Feature]:
    for atom in atoms(formula):
        match atom:
            case Compare(left, _, right):
                yield from (feature for _, feature in (*left.parts, *right.parts))
            case Congruent(left):
                yield from (feature for _, feature in left.parts)


def cases(world: World, weights: Weights, most: int) -> Bool:
    """The sum is below 0, above `most`, or one of the numbers between: always true, and good to branch on."""
    smt, view = world.smt, world.view
    total = smt.total((weights.get(m, 0), count) for m, count in view.counts.items())
    ends = [smt.compare(total, "<", 0), smt.compare(total, ">", most)]
    return smt.either([*ends, *(smt.compare(total, "=", n) for n in range(most + 1))])


# ---------------------------------------------------------------- what cvc5 says


def opinion(text: str, work: int) -> str:
    """sat, unsat, or unknown when the work did not suffice."""
    solver = cvc5.Solver()
    solver.setOption("rlimit-per", str(work))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols, said = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    return said.strip().splitlines()[-1].partition(" ")[0]


def second(question: Question) -> str:
    """What cvc5 says of it, at the first form of which it says anything."""
    if question.said != "unsat":
        return opinion(question.text, ALL)
    forms = zip((question.text, *question.forms), LADDER, strict=True)
    said = (opinion(form, work) for form, work in forms)
    return next((answer for answer in said if answer != "unknown"), "unknown")


@dataclass
class Score:
    """How often both said yes and no; what they did not agree on."""

    of: int = 0
    yes: int = 0
    no: int = 0
    apart: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        asked, agreed = f"{self.of} arrangement questions", self.yes + self.no
        return f"cvc5 agrees on {agreed} of {asked}: {self.yes} yes, {self.no} no"


def compared(questions: Sequence[Question], ask: Callable[[Question], str] = second) -> Score:
    """Both answers to each question, side by side."""
    score = Score(len(questions))
    for number, question in enumerate(questions):
        answer = ask(question)
        score.yes += question.said == answer == "sat"
        score.no += question.said == answer == "unsat"
        if answer != question.said or answer not in ("sat", "unsat"):
            score.apart.append(f"question {number}: z3 {question.said}, cvc5 {answer}")
    return score


def test_cvc5_agrees_on_what_statements_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named wins of a real game side by side, and a score that only whole melds rule out."""
    study = study_of(dsl.load(REAL).core)
    named = [n.formula for n in study.game.names]
    hard = next(s for s in study.game.statements if s.id == CUT).formula

    def work() -> None:
        for one, other in pairwise(named):
            possible(study.world, every(study.win, one, other))
        possible(study.world, every(Complete(), hard))

    questions = overheard(monkeypatch, work)
    score = compared(questions)
    assert score.yes >= 2 and score.no >= 2 and not score.apart
    assert opinion(questions[-1].text, LADDER[0]) == "unknown"  # the cases are what it needs


def test_cases_leave_out_nothing(small: dsl.Game) -> None:
    """Whatever is put beside a question is always true."""
    world = World(small.core)
    formula = And(tuple(name.formula for name in small.core.names))
    sums = [*shares(small.core), *sorts(world, formula), *counts(formula)]
    said = world.smt.both([cases(world, *sum) for sum in sums])
    assert len(sums) > 10
    world.smt.require(world.smt.negate(said))
    assert opinion(world.smt.text(), ALL) == "unsat"


def test_a_wrong_or_missing_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: answers exchanged, models with a meld too many, no time for cvc5."""
    questions = overheard(monkeypatch, lambda: verify(SMALL))
    no = [question for question in questions if question.said == "unsat"]
    assert len(no) >= 3 and not compared(questions).apart
    assert len(compared([q._replace(said="sat") for q in no]).apart) == len(no)
    assert len(compared(questions, lambda question: "unknown").apart) == len(questions)
    usual = values

    def too_many(world: World) -> list[Bool]:
        first, *others = usual(world)
        return [world.smt.negate(first), *others]

    monkeypatch.setattr(sys.modules[__name__], "values", too_many)
    spoilt = [q for q in overheard(monkeypatch, lambda: verify(SMALL, ["V101"])) if q.said == "sat"]
    assert spoilt and len(compared(spoilt).apart) == len(spoilt)


def told(path: str, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]) -> None:
    """Every question that verifying the game asks; its report must leave nothing open either."""
    score = compared(overheard(monkeypatch, lambda: verify(path)))
    record_property("second opinions", f"{path}: {score}")
    assert score.yes and score.no and score.apart == []


@pytest.mark.parametrize("path", QUICK)
def test_cvc5_agrees_on_every_question_of_a_quick_game(path, monkeypatch, record_property) -> None:  # type: ignore[no-untyped-def]
    told(path, monkeypatch, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in RULESETS if path not in QUICK])
def test_cvc5_agrees_on_every_question_of_a_game(path, monkeypatch, record_property) -> None:  # type: ignore[no-untyped-def]
    told(path, monkeypatch, record_property)
