"""cvc5 on the arrangement questions that z3 was asked: the same text, the same answer.

A yes is checked with z3's values put in, so that cvc5 only has to agree that they are a model; a no it
has to prove by itself, within a fixed amount of work. Where that does not suffice, it gets the question once
more with interchangeable components put in order, as z3 does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import cvc5
import pytest

import dsl
from verifier import ask, verify
from verifier.ask import possible
from verifier.checking import study_of
from verifier.study import every
from verifier.symmetry import in_order
from verifier.world import World

GAMES = ("specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei/game.pai")
ALL = 0
PLAIN, ORDERED = 20_000, 2_000_000
"""What cvc5 may spend on a question, in its own units (0: all it wants); proofs can take minutes."""


class Question(NamedTuple):
    """The question as text, what z3 said, and, after a no, the text with components put in order."""

    text: str
    said: str
    ordered: str = ""


def overheard(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> list[Question]:
    """Every question put to the solver meanwhile, each once."""
    found: dict[str, Question] = {}
    settle = ask._settle

    def listening(world: World, formula: dsl.core.model.Formula):  # type: ignore[no-untyped-def]
        answer = settle(world, formula)
        text, asked, ordered = world.smt.text(), "(check-sat)", ""
        if answer == "sat":
            known = (value for name, value in values(world) if f"(declare-fun {name} ()" in text)
            text = text.replace(asked, "\n".join([*known, asked]))
        if answer == "unsat":
            with world.smt.scope():
                world.smt.require(*in_order(world, formula))
                ordered = world.smt.text()
        found.setdefault(text, Question(text, answer, ordered))
        return answer

    monkeypatch.setattr(ask, "_settle", listening)
    work()
    monkeypatch.undo()
    return list(found.values())


def values(world: World) -> Iterator[tuple[str, str]]:
    """The last model: each variable, and an assertion of its value."""
    smt, view = world.smt, world.view
    for count in view.counts.values():
        name = count.raw.sexpr()
        yield name, f"(assert (= {name} {smt.integer_value(count)}))"
    groups = (view.roles, view.origins, view.last_in, view.context)
    for truth in (view.complete, view.misnaming, *(b for group in groups for b in group.values())):
        name, said = truth.raw.sexpr(), str(smt.truth_value(truth)).lower()
        yield name, f"(assert (= {name} {said}))"


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
    """What cvc5 says of it."""
    if not question.ordered:
        return opinion(question.text, ALL)
    plain = opinion(question.text, PLAIN)
    return opinion(question.ordered, ORDERED) if plain == "unknown" else plain


def compared(questions: list[Question]) -> Counter[tuple[str, str]]:
    """How often z3 said the first and cvc5 the second; never the opposite."""
    tally = Counter((question.said, second(question)) for question in questions)
    assert not tally["sat", "unsat"] and not tally["unsat", "sat"]
    return tally


def test_cvc5_agrees_on_what_statements_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some statements of a real game about named wins."""
    study = study_of(dsl.load(GAMES[0]).core)
    asked = [n.formula for n in study.game.names]

    def work() -> None:
        for one, other in pairwise(asked):
            possible(study.world, every(study.win, one, other))

    tally = compared(overheard(monkeypatch, work))
    assert tally["sat", "sat"] >= 2 and tally["unsat", "unsat"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=["十符硬", "四家飞"])
def test_cvc5_agrees_on_every_question_of_a_real_game(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tally = compared(overheard(monkeypatch, lambda: verify(path)))
    assert set(tally) == {("sat", "sat"), ("unsat", "unsat")}
