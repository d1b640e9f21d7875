"""The one door to z3: typed terms, one solver per world, budgets by work instead of by the clock.

Work is counted in z3's own units (`rlimit`), some thirty million to the second on a small machine.

z3 is loaded at the first `Smt()`, never by an import of this file. Every `Smt` has a context of its own:
in a shared one the same question can find a different model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
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
        self._solver = self._engine(seed=0)
        self._model: Any = None

    def _engine(self, seed: int) -> Any:
        engine = _z3().SimpleSolver(self._context)
        engine.set("random_seed", seed)
        engine.set("arith.solver", 2)  # the older simplex: tens of times faster on exact covers
        return engine

    # ------------------------------------------------------------ terms

    def integer(self, name: str, low: int, high: int) -> Int:
        """A variable with its range."""
        raw = _z3().Int(name, self._context)
        self._solver.add(raw >= low, raw <= high)
        return Int(raw)

    def boolean(self, name: str) -> Bool:
        """A variable that is true or false."""
        return Bool(_z3().Bool(name, self._context))

    def truth(self, value: bool) -> Bool:
        return Bool(_z3().BoolVal(value, self._context))

    def total(self, parts: Iterable[tuple[int, Int]], constant: int = 0) -> Int:
        """constant + Σ coefficient · term."""
        z3 = _z3()
        scaled = [t.raw if c == 1 else self._times(c, t.raw) for c, t in parts if c]
        if constant or not scaled:
            scaled.append(self._number(constant))
        if len(scaled) == 1:
            return Int(scaled[0])
        return Int(z3.ArithRef(z3.Z3_mk_add(self._ref, *_array(scaled)), self._context))

    # z3's own operators look at the sort of every operand; sums over hundreds of melds cannot afford it.

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

    def compare(self, left: Int, operator: Operator, right: Int | int) -> Bool:
        other = self._number(right) if isinstance(right, int) else right.raw
        match operator:
            case "<":
                return Bool(left.raw < other)
            case "<=":
                return Bool(left.raw <= other)
            case "=":
                return Bool(left.raw == other)
            case "!=":
                return Bool(left.raw != other)
            case ">=":
                return Bool(left.raw >= other)
            case ">":
                return Bool(left.raw > other)
            case _:
                assert_never(operator)

    def negate(self, part: Bool) -> Bool:
        return Bool(_z3().Not(part.raw))

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
        return Bool(_z3().Implies(left.raw, right.raw))

    def exactly_one(self, parts: Sequence[Bool]) -> Bool:
        pairs = [(a, b) for i, a in enumerate(parts) for b in parts[i + 1 :]]
        apart = [self.either([self.negate(a), self.negate(b)]) for a, b in pairs]
        return self.both([self.either(parts), *apart])

    # ------------------------------------------------------------ solving

    def require(self, *truths: Bool) -> None:
        """Add constraints; inside `scope` they are dropped at its end."""
        self._solver.add(*(t.raw for t in truths))

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
        engine.add(self._solver.assertions())
        return self._ask(engine, [])

    def _ask(self, engine: Any, assumptions: list[Any]) -> Status:
        found = str(engine.check(*assumptions))
        if found == "sat":
            self._model = engine.model()
        return "sat" if found == "sat" else "unsat" if found == "unsat" else "unknown"

    def integer_value(self, term: Int) -> int:
        return int(self._model.eval(term.raw, model_completion=True).as_long())

    def truth_value(self, term: Bool) -> bool:
        return bool(_z3().is_true(self._model.eval(term.raw, model_completion=True)))

    def text(self) -> str:
        """Everything required so far as SMT-LIB, ready for another solver."""
        return "(set-logic QF_LIA)\n" + str(self._solver.to_smt2())
