"""Questions about all hands by two roads: Boolean clauses and the automaton, and brute force where it can.

On small decks the clauses are put to cvc5 as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

import dsl
from dsl.core.model import Game, HandFormula
from dsl.core.waiting import of_finished
from dsl.judge.automaton import Automaton, State
from dsl.judge.compiled import Compiled
from dsl.judge.hands import ask_hands
from dsl.judge.machines import Counts, Machine, OneMore, Shaped, search
from dsl.judge.probes import Sight, met
from tests.conftest import SMALL
from tests.laws.cut_down import game_of, variant
from tests.laws.test_twins import second_opinion, small
from verifier.boolean import Clauses, find, smt_text, solved
from verifier.hand_questions import (
    All,
    Arranged,
    Denied,
    Question,
    Some,
    has_wait,
    leaves,
    scores,
    stated,
    true_of,
    waits,
    wins,
)

PATH = str(SMALL / "两句.pai")
REAL = ("specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei/game.pai")

XIANTAO = "specs/hubei/xiantao/game.pai"

SLOW = pytest.mark.slow

Asked = dict[str, tuple[Question, int]]


def loaded(name: str) -> Game:
    return dsl.load(name).core


# ---------------------------------------------------------------- the automaton's answer


def by_automaton(question: Question, size: int) -> bool:
    """Is there a hand: one machine for each leaf, side by side."""
    asked = list(leaves(question))
    machines = tuple(_machine(leaf) for leaf in asked)
    for states in search(asked[0].game, machines, size):
        facts = {
            id(leaf): machine.accepts(state)
            for leaf, machine, state in zip(asked, machines, states, strict=True)
        }
        if _true(question, facts):
            return True
    return False


def _machine(leaf: Arranged) -> Machine:
    automaton = Automaton(leaf.game, [leaf.condition], True, leaf.shape, keep_all=True, capped=True)

    def goal(state: State) -> bool:
        width, condition = len(automaton.final_dims), automaton.conditions[0]
        return any(
            met(condition, Sight(leaf.game, vector[width:], score, leaf.situation))
            for vector, score in automaton.finals(state, 0)
        )

    return OneMore(automaton, goal) if leaf.more == "some" else Meeting(automaton, goal)


class Meeting(Shaped):
    """Accepts hands whose final state meets a goal."""

    def __init__(self, automaton: Automaton, goal: Callable[[State], bool]) -> None:
        super().__init__(automaton)
        self.goal = goal

    def accepts(self, state: Any) -> bool:
        return self.goal(state)


def _true(question: Question, facts: dict[int, bool]) -> bool:
    match question:
        case Arranged():
            return facts[id(question)]
        case Denied(part):
            return not _true(part, facts)
        case All(parts):
            return all(_true(part, facts) for part in parts)
        case Some(parts):
            return any(_true(part, facts) for part in parts)


# ---------------------------------------------------------------- what is asked


def without(left: Question, *right: Question) -> Question:
    return All((left, Denied(Some(right))))


def questions(game: Game, other: Game, tops: tuple[int, ...]) -> Asked:
    """Questions about one game, and about two with the same deck."""
    full, short = game.finished, game.finished - 1
    some_wait = Some(tuple(has_wait(game, wait.name) for wait in game.waits))
    asked: Asked = {
        "complete": (Arranged(game), full),
        "win": (wins(game), full),
        "complete, no win": (without(Arranged(game), wins(game)), full),
        "win of the first role": (wins(game, role=game.roles[0]), full),
        "here, not there": (without(wins(game), wins(other)), full),
        "there, not here": (without(wins(other), wins(game)), full),
        "in one of them": (Some((without(wins(game), wins(other)), without(wins(other), wins(game)))), full),
        "neither": (Denied(Some((Arranged(game), Arranged(other)))), full),
        "waits": (waits(game), short),
        "waits, no name": (without(waits(game), some_wait), short),
        "waits, no win": (without(waits(game), wins(game, "some")), short),
        "wins by a draw, not there": (without(wins(game, "some"), wins(other, "some")), short),
        "no wait": (Denied(waits(game)), short),
        "one tile too few": (Arranged(game), short),
    }
    for top in tops:
        asked[f"≥ {top}"] = (scores(game, ">=", top), full)
        asked[f"never ≥ {top}"] = (without(Arranged(game), scores(game, ">=", top)), full)
        asked[f"= {top}"] = (scores(game, "=", top), full)
        asked[f"only {top}"] = (without(scores(game, "=", top), scores(game, "!=", top)), full)
    for wait in game.waits:
        asked[wait.name] = (has_wait(game, wait.name), short)
        asked[f"{wait.name} dead"] = (without(has_wait(game, wait.name), waits(game)), short)
        others = [has_wait(game, w.name) for w in game.waits if w is not wait]
        asked[f"only {wait.name}"] = (without(has_wait(game, wait.name), *others), short)
    for name in game.names:
        named = Arranged(game, name.formula)
        asked[name.name] = (named, full)
        asked[f"{name.name}, no win"] = (without(named, wins(game)), full)
    return asked


def three(waits: str) -> Game:
    """A small game of three groups with these wait types."""
    return game_of(variant(deck="nine", deal="nine", shape="three", waits=waits))


def small_questions() -> Iterator[tuple[str, Question, int]]:
    games = {
        "小样": (small(), small("皆"), (0, 5, 12, 13)),
        "小样补": (small("未锁", "drawn"), small("无", "drawn"), (3, 9)),
        "两句": (loaded(f"{PATH}[底=5]"), loaded(f"{PATH}[底=3]"), (0, 1, 4, 8, 14, 15)),
        "两门": (game_of(variant()), game_of(variant(needs="hard", waits="gap")), (4, 9)),
        "三组": (three("short"), three("gap"), (3, 9)),
    }
    for label, (game, other, tops) in games.items():
        for text, (question, size) in questions(game, other, tops).items():
            yield f"{label} {text}", question, size


def agree(question: Question, size: int) -> bool:
    """Both roads answer alike; `find` has judged its hand by the reference."""
    expected = by_automaton(question, size)
    assert find(question, size).status == ("sat" if expected else "unsat")
    return expected


def three_answers(question: Question, size: int) -> tuple[str, str, str]:
    """What the automaton, z3 and cvc5 say."""
    asked = Clauses(question, size)
    expected = "sat" if by_automaton(question, size) else "unsat"
    return expected, solved(asked).status, second_opinion(smt_text(asked))


# ---------------------------------------------------------------- the laws


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=SLOW)], ids=["some", "all"])
def test_automaton_z3_and_cvc5_agree_on_small_decks(
    step: int, record_property: Callable[[str, object], None]
) -> None:
    said: Counter[str] = Counter()
    for text, question, size in list(small_questions())[::step]:
        answers = three_answers(question, size)
        assert len(set(answers)) == 1, (text, answers)
        said[answers[0]] += 1
    told = f"{said.total()} hand questions: {said['sat']} yes, {said['unsat']} no"
    record_property("second opinions", f"small decks: automaton, z3 and cvc5 agree on {told}")
    assert set(said) == {"sat", "unsat"} and said.total() >= 200 // step
    assert 0.2 < said["sat"] / said.total() < 0.9


def every_hand(game: Game, size: int) -> Iterator[Counts]:
    for counts in product(*(range(kind.copies + 1) for kind in game.kinds)):
        if sum(counts) == size:
            yield counts


def test_clauses_agree_with_brute_force() -> None:
    game, asked = small(), questions(small(), small("皆"), (5, 12))
    for text, (question, size) in asked.items():
        found = any(true_of(question, counts) for counts in every_hand(game, size))
        assert find(question, size).status == ("sat" if found else "unsat"), text


def test_a_draw_that_completes_and_does_not_win() -> None:
    """The one tile of a question: the automaton, the clauses and brute force find the same."""
    for game in (small(), small("未锁", "drawn"), loaded(f"{PATH}[底=5]")):
        lost = All((Arranged(game, more="one"), Denied(wins(game, "one"))))
        for question in (lost, All((lost, wins(game, "some"))), without(lost, wins(game, "some"))):
            found = any(
                true_of(question, counts, kind)
                for counts in every_hand(game, game.finished - 1)
                for kind, number in enumerate(counts)
                if number < game.kinds[kind].copies
            )
            assert find(question, game.finished - 1).status == ("sat" if found else "unsat")


def test_games_with_different_decks_are_refused(small: Any) -> None:
    other = loaded(REAL[0])
    with pytest.raises(ValueError, match="different decks"):
        find(All((Arranged(small.core), Arranged(other))), 8)


@pytest.mark.parametrize(
    ("path", "step"),
    [(REAL[0], 1), (XIANTAO, 3), pytest.param(XIANTAO, 1, marks=SLOW), pytest.param(REAL[1], 1, marks=SLOW)],
    ids=["十符硬", "抬胡", "抬胡 all", "四家飞"],
)
def test_statements_about_hands(path: str, step: int) -> None:
    """Statements about tiles of the real games without wild ones, under the options they name."""
    base, loader, asked = loaded(path), dsl.Loader(), 0
    for statement in [s for s in base.statements if s.about == "hand"][::step]:
        game = loader.again(base, statement.options) if statement.options else base
        given = next(s for s in game.statements if s.id == statement.id).formula
        if game.wild is not None or not clauses_know(game, given):  # type: ignore[arg-type]
            continue
        expected = ask_hands(Compiled(game), given).first is not None  # type: ignore[arg-type]
        size = game.finished if of_finished(given) else game.waiting  # type: ignore[arg-type]
        assert (find(stated(game, given), size).status == "sat") is expected, statement.id  # type: ignore[arg-type]
        asked += 1
    assert asked >= 2


def clauses_know(game: Game, formula: HandFormula) -> bool:
    """Can clauses ask it? It may count tiles, or speak of all that can be drawn."""
    try:
        return bool(stated(game, formula))
    except ValueError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("path", REAL, ids=["十符硬", "四家飞"])
@pytest.mark.parametrize("other", (REAL[0], f"{REAL[0]}[人数=3]"), ids=["四人", "三人"])
def test_both_roads_agree_on_the_real_games(path: str, other: str) -> None:
    answers = [
        agree(question, size)
        for question, size in questions(loaded(path), loaded(other), (0, 10, 24, 40, 54, 55)).values()
    ]
    assert len(answers) >= 50 and any(answers) and not all(answers)
