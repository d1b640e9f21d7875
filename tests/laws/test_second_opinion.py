"""cvc5 on the arrangement questions that z3 was asked: the same text, the same answer.

A yes is checked with z3's values put in, so that cvc5 only has to agree that they are a model; a no it
has to prove by itself, within a fixed amount of work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import cvc5
import pytest

import dsl
from verifier import ask, verify
from verifier.ask import possible
from verifier.checking import study_of
from verifier.study import every
from verifier.world import World

GAMES = ("specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei/game.pai")
WORK = {"sat": 0, "unsat": 200_000, "unknown": 200_000}
"""What cvc5 may spend on one question, in its own units (0: all it wants); its proofs can take minutes."""

Question = tuple[str, str]
"""The question as text, and what z3 said."""


def overheard(monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> list[Question]:
    """Every question put to the solver meanwhile, each once."""
    found: dict[str, str] = {}
    settle = ask._settle

    def listening(world: World, formula: dsl.core.model.Formula):  # type: ignore[no-untyped-def, name-defined]
        answer = settle(world, formula)
        text, asked = world.smt.text(), "(check-sat)"
        if answer[0] == "sat":
            known = (value for name, value in values(world) if f"(declare-fun {name} ()" in text)
            text = text.replace(asked, "\n".join([*known, asked]))
        found.setdefault(text, answer[0])
        return answer

    monkeypatch.setattr(ask, "_settle", listening)
    work()
    monkeypatch.undo()
    return list(found.items())


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


def compared(questions: list[Question]) -> Counter[tuple[str, str]]:
    """How often z3 said the first and cvc5 the second; never the opposite."""
    tally = Counter((said, opinion(text, WORK[said])) for text, said in questions)
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
    assert not tally["sat", "unknown"]
    assert tally["unsat", "unsat"] > tally["unsat", "unknown"]
