"""The one door to z3: typed terms, one solver per world, budgets by work instead of by the clock.

Work is counted in z3's own units (`rlimit`), some thirty million to the second on a small machine.

z3 is loaded at the first `Smt()`, never by an import of this file. Every `Smt` has a context of its own:
in a shared one the same question can find a different model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from threading import Event, Thread
from typing import Any, Literal

from .terms import Bool as Bool
from .terms import Int as Int
from .terms import Terms

Status = Literal["sat", "unsat", "unknown"]


@cache
def _z3() -> Any:
    return import_module("z3")


class Smt(Terms):
    """A solver for linear integer arithmetic over named variables."""

    def __init__(self) -> None:
        z3 = _z3()
        self._context = z3.Context()
        super().__init__(self._context, z3.z3core)
        self._solver = self._engine(seed=0)
        self._founded: Any = ()
        self._model: Any = None

    def _engine(self, seed: int) -> Any:
        engine = _z3().SimpleSolver(self._context)
        engine.set("random_seed", seed)
        engine.set("ctrl_c", False)  # z3 would take the signal for itself, and often lose it
        engine.set("arith.solver", 2)  # the older simplex: tens of times faster on exact covers
        return engine

    # ------------------------------------------------------------ solving

    def integer(self, name: str, low: int | None, high: int | None) -> Int:
        """A variable with its range, open where nothing is said."""
        made = self.unknown(name)
        if low is not None:
            self.require(self.compare(made, ">=", low))
        if high is not None:
            self.require(self.compare(made, "<=", high))
        return made

    def require(self, *truths: Bool) -> None:
        """Add constraints; inside `scope` they are dropped at its end."""
        for truth in truths:
            self.tell(self._solver, truth)

    def found(self) -> None:
        """What is required so far is what a twin begins with."""
        self._founded = self._solver.assertions()

    def twin(self) -> Smt:
        """A solver without a history in a context of its own; quicker than to state everything again."""
        other = Smt()
        other.tell_all(other._solver, self._founded, self)
        other.found()
        return other

    @contextmanager
    def scope(self) -> Iterator[None]:
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def check(self, *assumptions: Bool, budget: int) -> Status:
        """Is there a model? After `sat`, `integer_value` and `truth_value` read it."""
        self._solver.set("rlimit", budget)
        return self._ask(self._solver, assumptions)

    def allows(self, *assumptions: Bool, budget: int) -> bool:
        """Is there surely a model? It is not written out, which takes as long as to find it."""
        self._solver.set("rlimit", budget)
        return _checked(self._solver, [self._own(a) for a in assumptions]) == "sat"

    def check_anew(self, seed: int, budget: int) -> Status:
        """The same question to an engine without a history: luck differs by orders of magnitude."""
        engine = self._engine(seed)
        engine.set("rlimit", budget)
        self.tell_all(engine, self._solver.assertions(), self)
        return self._ask(engine, ())

    def _ask(self, engine: Any, assumptions: Sequence[Bool]) -> Status:
        found = _checked(engine, [self._own(a) for a in assumptions])
        if found == "sat":
            self._model = engine.model()
        return found

    def _own(self, truth: Bool) -> Any:
        """The term as an object of z3's own."""
        z3 = _z3()
        handle = z3.Ast(None)
        handle.value = truth.handle
        return z3.BoolRef(handle, self._context)

    def integer_value(self, term: Int) -> int:
        return self.integer_values((term,))[0]

    def integer_values(self, terms: Sequence[Int]) -> list[int]:
        """What the terms come to in the last model; free ones are completed."""
        return self.integers_in(self._model, terms)

    def truth_value(self, term: Bool) -> bool:
        return self.truth_in(self._model, term)

    def text(self) -> str:
        """Everything required so far as SMT-LIB, ready for another solver."""
        return "(set-logic QF_LIA)\n" + str(self._solver.to_smt2())


def _checked(engine: Any, assumptions: Sequence[Any] = ()) -> Status:
    """Run an engine in a thread of its own, so that Ctrl-C reaches us at once and not when z3 is done.

    Raises `KeyboardInterrupt` after the engine has stopped, and whatever z3 raises.
    """
    found: list[str] = []
    failed: list[BaseException] = []
    done, off = Event(), Event()

    def work() -> None:
        try:
            if not off.is_set():
                found.append(str(engine.check(*assumptions)))
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    worker = Thread(target=work, daemon=True)
    try:
        worker.start()
        worker.join()
    except BaseException:
        off.set()  # a worker that is only about to live will see it: it counts as dead until now
        _halt(engine, worker, done)
        raise
    if failed:
        raise failed[0]
    return "sat" if found == ["sat"] else "unsat" if found == ["unsat"] else "unknown"


def _halt(engine: Any, worker: Thread, done: Event) -> None:
    """Stop the work and see it end: z3 must not be at it when its objects go, whatever is pressed."""
    for _ in range(MOMENTS):
        with suppress(KeyboardInterrupt):
            if done.wait(0.01) or not worker.is_alive():
                return
            engine.ctx.interrupt()


MOMENTS = 3000
"""Hundredths of a second that z3 has to stop."""


def satisfy(dimacs: str, wanted: Iterable[int], budget: int) -> tuple[Status, frozenset[int]]:
    """Clauses in DIMACS form: can they be met, and which of the wanted variables are true then."""
    z3 = _z3()
    context = z3.Context()
    engine = z3.SolverFor("QF_FD", ctx=context)
    engine.set("ctrl_c", False)
    engine.set("rlimit", budget)
    engine.from_string(dimacs)
    found = _checked(engine)
    if found != "sat":
        return found, frozenset()
    model = engine.model()
    terms = ((n, z3.Bool(n, context)) for n in wanted)
    return "sat", frozenset(n for n, term in terms if z3.is_true(model.eval(term)))
