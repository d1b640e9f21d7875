"""The one door to z3: typed terms, one solver per world, budgets by work instead of by the clock.

Work is counted in z3's own units (`rlimit`), some thirty million to the second on a small machine.

z3 is loaded at the first `Smt()`, never by an import of this file. Every `Smt` has a context of its own:
in a shared one the same question can find a different model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ctypes import c_int
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from threading import Event, Thread
from typing import Any, Literal, assert_never

from dsl.core.model import Operator

Status = Literal["sat", "unsat", "unknown"]


@dataclass(frozen=True, slots=True, eq=False)
class Int:
    """An integer term."""

    raw: Any


@dataclass(frozen=True, slots=True, eq=False)
class Bool:
    """A truth-valued term."""

    raw: Any


@cache
def _z3() -> Any:
    return import_module("z3")


def _array(terms: Sequence[Any]) -> tuple[int, Any]:
    """Terms as the C interface takes them: how many, and an array of their handles."""
    return len(terms), (_z3().Ast * len(terms))(*(t.as_ast() for t in terms))


class Smt:
    """A solver for linear integer arithmetic over named variables."""

    def __init__(self) -> None:
        self._context = _z3().Context()
        self._ref = self._context.ref()
        self._numbers: dict[int, Any] = {}
        self._integers = _z3().IntSort(self._context)
        self._truths = {value: Bool(_z3().BoolVal(value, self._context)) for value in (False, True)}
        self._solver = self._engine(seed=0)
        self._founded: Any = ()
        self._model: Any = None

    def _engine(self, seed: int) -> Any:
        engine = _z3().SimpleSolver(self._context)
        engine.set("random_seed", seed)
        engine.set("ctrl_c", False)  # z3 would take the signal for itself, and often lose it
        engine.set("arith.solver", 2)  # the older simplex: tens of times faster on exact covers
        return engine

    # ------------------------------------------------------------ terms

    def integer(self, name: str, low: int | None, high: int | None) -> Int:
        """A variable with its range, open where nothing is said."""
        z3, ref = _z3(), self._ref
        symbol = z3.Z3_mk_string_symbol(ref, name)
        raw = z3.ArithRef(z3.Z3_mk_const(ref, symbol, self._integers.ast), self._context)
        if low is not None:
            self.require(self.compare(Int(raw), ">=", low))
        if high is not None:
            self.require(self.compare(Int(raw), "<=", high))
        return Int(raw)

    def boolean(self, name: str) -> Bool:
        """A variable that is true or false."""
        return Bool(_z3().Bool(name, self._context))

    def truth(self, value: bool) -> Bool:
        return self._truths[value]

    def total(self, parts: Iterable[tuple[int, Int]], constant: int = 0) -> Int:
        """constant + Σ coefficient · term."""
        z3 = _z3()
        scaled = [t.raw if c == 1 else self._times(c, t.raw) for c, t in parts if c]
        if constant or not scaled:
            scaled.append(self._number(constant))
        if len(scaled) == 1:
            return Int(scaled[0])
        return Int(z3.ArithRef(z3.Z3_mk_add(self._ref, *_array(scaled)), self._context))

    # z3's own operators look at the sort of every operand; worlds of hundreds of melds cannot afford it.

    def _times(self, factor: int, raw: Any) -> Any:
        z3 = _z3()
        pair = _array([self._number(factor), raw])
        return z3.ArithRef(z3.Z3_mk_mul(self._ref, *pair), self._context)

    def _number(self, value: int) -> Any:
        if value not in self._numbers:
            self._numbers[value] = _z3().IntVal(value, self._context)
        return self._numbers[value]

    def remainder(self, term: Int, modulus: int) -> Int:
        """term mod modulus, from 0 to modulus - 1."""
        return Int(term.raw % modulus)

    def indicator(self, truth: Bool) -> Int:
        """1 when true, else 0."""
        z3 = _z3()
        return Int(z3.If(truth.raw, z3.IntVal(1, self._context), z3.IntVal(0, self._context)))

    def where(self, truth: Bool, term: Int) -> Int:
        """The term where the truth holds, else 0."""
        z3 = _z3()
        return Int(z3.If(truth.raw, term.raw, z3.IntVal(0, self._context)))

    def compare(self, left: Int, operator: Operator, right: Int | int) -> Bool:
        z3 = _z3()
        pair = left.raw.as_ast(), (self._number(right) if isinstance(right, int) else right.raw).as_ast()
        match operator:
            case "<":
                made = z3.Z3_mk_lt(self._ref, *pair)
            case "<=":
                made = z3.Z3_mk_le(self._ref, *pair)
            case "=":
                made = z3.Z3_mk_eq(self._ref, *pair)
            case "!=":
                made = z3.Z3_mk_distinct(self._ref, 2, (z3.Ast * 2)(*pair))
            case ">=":
                made = z3.Z3_mk_ge(self._ref, *pair)
            case ">":
                made = z3.Z3_mk_gt(self._ref, *pair)
            case _:
                assert_never(operator)
        return Bool(z3.BoolRef(made, self._context))

    def negate(self, part: Bool) -> Bool:
        z3 = _z3()
        return Bool(z3.BoolRef(z3.Z3_mk_not(self._ref, part.raw.as_ast()), self._context))

    def both(self, parts: Sequence[Bool]) -> Bool:
        """All of them; true when there are none."""
        z3 = _z3()
        if not parts:
            return self.truth(True)
        return Bool(z3.BoolRef(z3.Z3_mk_and(self._ref, *_array([p.raw for p in parts])), self._context))

    def either(self, parts: Sequence[Bool]) -> Bool:
        """Any of them; false when there are none."""
        z3 = _z3()
        if not parts:
            return self.truth(False)
        return Bool(z3.BoolRef(z3.Z3_mk_or(self._ref, *_array([p.raw for p in parts])), self._context))

    def implies(self, left: Bool, right: Bool) -> Bool:
        z3 = _z3()
        pair = left.raw.as_ast(), right.raw.as_ast()
        return Bool(z3.BoolRef(z3.Z3_mk_implies(self._ref, *pair), self._context))

    def exactly_one(self, parts: Sequence[Bool]) -> Bool:
        pairs = [(a, b) for i, a in enumerate(parts) for b in parts[i + 1 :]]
        apart = [self.either([self.negate(a), self.negate(b)]) for a, b in pairs]
        return self.both([self.either(parts), *apart])

    # ------------------------------------------------------------ solving

    def require(self, *truths: Bool) -> None:
        """Add constraints; inside `scope` they are dropped at its end."""
        for truth in truths:  # as `add` does, which looks at every sort
            _z3().Z3_solver_assert(self._ref, self._solver.solver, truth.raw.as_ast())

    def found(self) -> None:
        """What is required so far is what a twin begins with."""
        self._founded = self._solver.assertions()

    def twin(self) -> Smt:
        """A solver without a history in a context of its own; quicker than to state everything again."""
        z3, other, told = _z3(), Smt(), self._founded
        for i in range(len(told)):
            term = z3.Z3_ast_vector_get(self._ref, told.vector, i)
            carried = z3.Z3_translate(self._ref, term, other._ref)
            z3.Z3_solver_assert(other._ref, other._solver.solver, carried)
        other.found()
        return other

    def number_of(self, other: Smt, term: Int) -> Int:
        """A number of another solver as one of this."""
        z3 = _z3()
        return Int(z3.ArithRef(z3.Z3_translate(other._ref, term.raw.as_ast(), self._ref), self._context))

    def truth_of(self, other: Smt, term: Bool) -> Bool:
        """A truth of another solver as one of this."""
        z3 = _z3()
        return Bool(z3.BoolRef(z3.Z3_translate(other._ref, term.raw.as_ast(), self._ref), self._context))

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
        return self._ask(self._solver, [a.raw for a in assumptions])

    def check_anew(self, seed: int, budget: int) -> Status:
        """The same question to an engine without a history: luck differs by orders of magnitude."""
        engine = self._engine(seed)
        engine.set("rlimit", budget)
        z3, told = _z3(), self._solver.assertions()
        for i in range(len(told)):  # z3's own loop makes and casts a Python object of each
            z3.Z3_solver_assert(self._ref, engine.solver, z3.Z3_ast_vector_get(self._ref, told.vector, i))
        return self._ask(engine, [])

    def _ask(self, engine: Any, assumptions: list[Any]) -> Status:
        found = _checked(engine, assumptions)
        if found == "sat":
            self._model = engine.model()
        return found

    # Reading a value through z3's own classes makes half a dozen objects; models have hundreds of values.

    def integer_value(self, term: Int) -> int:
        return self.integer_values((term,))[0]

    def integer_values(self, terms: Sequence[Int]) -> list[int]:
        """What the terms come to in the last model; free ones are completed."""
        z3, model = _z3(), self._model.model
        value, number = (z3.Ast * 1)(), c_int()
        found = []
        for term in terms:
            z3.Z3_model_eval(self._ref, model, term.raw.as_ast(), True, value)
            z3.Z3_get_numeral_int(self._ref, value[0], number)
            found.append(number.value)
        return found

    def truth_value(self, term: Bool) -> bool:
        return bool(_z3().is_true(self._model.eval(term.raw, model_completion=True)))

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
