"""Terms of z3, made through its C interface with plain numbers for handles.

z3's own classes look at the sorts of all operands, wrap every handle in objects of three kinds, and ask for
errors after each call; worlds of hundreds of melds spent more on that than on solving. What is made here is
well sorted by the types of `Int` and `Bool`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from ctypes import PYFUNCTYPE, byref, c_bool, c_char_p, c_int, c_uint, c_void_p, cast
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, assert_never

from dsl.core.model import Operator


class Home:
    """A context of z3, and how to call it. Its terms go with it, none before.

    z3 prefers terms by their numbers, and gives the number of one that is gone to the next: what it finds
    would depend on when Python collects its rubbish.
    """

    __slots__ = ("calls", "context", "ref")

    def __init__(self, context: Any, core: Any) -> None:
        self.context = context
        self.ref: int = context.ctx.value
        self.calls = calls_of(core)


class Term:
    """A term of one context, which keeps it."""

    __slots__ = ("handle", "home")

    def __init__(self, home: Home, handle: int) -> None:
        self.home = home
        self.handle = handle
        home.calls.Z3_inc_ref(home.ref, handle)

    def __str__(self) -> str:
        """The term as SMT-LIB."""
        text: bytes = self.home.calls.Z3_ast_to_string(self.home.ref, self.handle)
        return text.decode()


class Int(Term):
    """An integer term."""

    __slots__ = ()


class Bool(Term):
    """A truth-valued term."""

    __slots__ = ()


MADE: Final[Mapping[str, tuple[Any, ...]]] = {
    "Z3_mk_string_symbol": (c_char_p,),
    "Z3_mk_const": (c_void_p, c_void_p),
    "Z3_mk_int_sort": (),
    "Z3_mk_bool_sort": (),
    "Z3_mk_int": (c_int, c_void_p),
    "Z3_mk_true": (),
    "Z3_mk_false": (),
    "Z3_mk_add": (c_uint, c_void_p),
    "Z3_mk_mul": (c_uint, c_void_p),
    "Z3_mk_mod": (c_void_p, c_void_p),
    "Z3_mk_ite": (c_void_p, c_void_p, c_void_p),
    "Z3_mk_lt": (c_void_p, c_void_p),
    "Z3_mk_le": (c_void_p, c_void_p),
    "Z3_mk_eq": (c_void_p, c_void_p),
    "Z3_mk_distinct": (c_uint, c_void_p),
    "Z3_mk_ge": (c_void_p, c_void_p),
    "Z3_mk_gt": (c_void_p, c_void_p),
    "Z3_mk_not": (c_void_p,),
    "Z3_mk_and": (c_uint, c_void_p),
    "Z3_mk_or": (c_uint, c_void_p),
    "Z3_mk_implies": (c_void_p, c_void_p),
    "Z3_translate": (c_void_p, c_void_p),
    "Z3_ast_vector_get": (c_void_p, c_uint),
}
"""What gives a handle, by what it takes besides the context."""

DONE: Final[Mapping[str, tuple[Any, tuple[Any, ...]]]] = {
    "Z3_inc_ref": (None, (c_void_p,)),
    "Z3_solver_assert": (None, (c_void_p, c_void_p)),
    "Z3_model_eval": (c_bool, (c_void_p, c_void_p, c_bool, c_void_p)),
    "Z3_get_numeral_int": (c_bool, (c_void_p, c_void_p)),
    "Z3_get_bool_value": (c_int, (c_void_p,)),
    "Z3_ast_to_string": (c_char_p, (c_void_p,)),
}
"""What gives something else: that, and what it takes."""


@cache
def calls_of(core: Any) -> Any:
    """The functions above. They end at once: no other thread gets a turn meanwhile.

    `core` is z3's own module around the same functions, each of which keeps the address of its own.
    """
    calls = SimpleNamespace()
    for name, taken in MADE.items():
        setattr(calls, name, _call(core, name, c_void_p, taken))
    for name, (given, taken) in DONE.items():
        setattr(calls, name, _call(core, name, given, taken))
    return calls


def _call(core: Any, name: str, given: Any, taken: tuple[Any, ...]) -> Any:
    address = cast(getattr(core, name).__defaults__[0].f, c_void_p).value
    assert address is not None
    return PYFUNCTYPE(given, c_void_p, *taken)(address)


def _array(terms: Sequence[Term]) -> tuple[int, Any]:
    """How many terms, and an array of their handles."""
    return len(terms), (c_void_p * len(terms))(*[term.handle for term in terms])


class Terms:
    """Makes the terms of a z3 context; `core` is z3's own module of C functions."""

    def __init__(self, context: Any, core: Any) -> None:
        self.home = home = Home(context, core)
        self.calls, self.ref = home.calls, home.ref
        self._integers = Term(home, self.calls.Z3_mk_int_sort(self.ref))
        self._truth_values = Term(home, self.calls.Z3_mk_bool_sort(self.ref))
        self._numbers: dict[int, Int] = {}
        self._products: dict[tuple[int, int], Int] = {}
        false, true = self.calls.Z3_mk_false(self.ref), self.calls.Z3_mk_true(self.ref)
        self._truths = {False: Bool(home, false), True: Bool(home, true)}

    # ------------------------------------------------------------ making

    def unknown(self, name: str) -> Int:
        """A variable that can be any integer."""
        return Int(self.home, self._variable(name, self._integers))

    def boolean(self, name: str) -> Bool:
        """A variable that is true or false."""
        return Bool(self.home, self._variable(name, self._truth_values))

    def _variable(self, name: str, sort: Term) -> int:
        symbol = self.calls.Z3_mk_string_symbol(self.ref, name.encode())
        handle: int = self.calls.Z3_mk_const(self.ref, symbol, sort.handle)
        return handle

    def number(self, value: int) -> Int:
        known = self._numbers.get(value)
        if known is None:
            made = self.calls.Z3_mk_int(self.ref, value, self._integers.handle)
            known = self._numbers[value] = Int(self.home, made)
        return known

    def truth(self, value: bool) -> Bool:
        return self._truths[value]

    def total(self, parts: Iterable[tuple[int, Int]], constant: int = 0) -> Int:
        """constant + Σ coefficient · term."""
        scaled = [term if c == 1 else self._times(c, term) for c, term in parts if c]
        if constant or not scaled:
            scaled.append(self.number(constant))
        if len(scaled) == 1:
            return scaled[0]
        return Int(self.home, self.calls.Z3_mk_add(self.ref, *_array(scaled)))

    def _times(self, factor: int, term: Int) -> Int:
        known = self._products.get((factor, term.handle))
        if known is None:
            made = self.calls.Z3_mk_mul(self.ref, *_array((self.number(factor), term)))
            known = self._products[factor, term.handle] = Int(self.home, made)
        return known

    def remainder(self, term: Int, modulus: int) -> Int:
        return Int(self.home, self.calls.Z3_mk_mod(self.ref, term.handle, self.number(modulus).handle))

    def where(self, truth: Bool, term: Int) -> Int:
        """The term where the truth holds, else 0."""
        made = self.calls.Z3_mk_ite(self.ref, truth.handle, term.handle, self.number(0).handle)
        return Int(self.home, made)

    def compare(self, left: Int, operator: Operator, right: Int | int) -> Bool:
        other = self.number(right) if isinstance(right, int) else right
        calls, pair = self.calls, (left.handle, other.handle)
        match operator:
            case "<":
                made = calls.Z3_mk_lt(self.ref, *pair)
            case "<=":
                made = calls.Z3_mk_le(self.ref, *pair)
            case "=":
                made = calls.Z3_mk_eq(self.ref, *pair)
            case "!=":
                made = calls.Z3_mk_distinct(self.ref, *_array((left, other)))
            case ">=":
                made = calls.Z3_mk_ge(self.ref, *pair)
            case ">":
                made = calls.Z3_mk_gt(self.ref, *pair)
            case _:
                assert_never(operator)
        return Bool(self.home, made)

    def equal(self, numbers: Iterable[tuple[Int, int]]) -> list[Bool]:
        """That terms that are never below 0 come to these numbers; those that come to 0, all at once."""
        pairs = list(numbers)
        none = self.total((1, term) for term, number in pairs if not number)
        return [self.compare(none, "<=", 0), *(self.compare(term, "=", n) for term, n in pairs if n)]

    def negate(self, part: Bool) -> Bool:
        return Bool(self.home, self.calls.Z3_mk_not(self.ref, part.handle))

    def both(self, parts: Sequence[Bool]) -> Bool:
        """All of them; true when there are none."""
        if not parts:
            return self.truth(True)
        return Bool(self.home, self.calls.Z3_mk_and(self.ref, *_array(parts)))

    def either(self, parts: Sequence[Bool]) -> Bool:
        """Any of them; false when there are none."""
        if not parts:
            return self.truth(False)
        return Bool(self.home, self.calls.Z3_mk_or(self.ref, *_array(parts)))

    def implies(self, left: Bool, right: Bool) -> Bool:
        return Bool(self.home, self.calls.Z3_mk_implies(self.ref, left.handle, right.handle))

    def indicator(self, truth: Bool) -> Int:
        """1 when true, else 0."""
        return self.where(truth, self.number(1))

    def exactly_one(self, parts: Sequence[Bool]) -> Bool:
        pairs = [(a, b) for i, a in enumerate(parts) for b in parts[i + 1 :]]
        apart = [self.either([self.negate(a), self.negate(b)]) for a, b in pairs]
        return self.both([self.either(parts), *apart])

    def number_of(self, other: Terms, term: Int) -> Int:
        """A number of another context as one of this."""
        return Int(self.home, self.calls.Z3_translate(other.ref, term.handle, self.ref))

    def truth_of(self, other: Terms, term: Bool) -> Bool:
        """A truth of another context as one of this."""
        return Bool(self.home, self.calls.Z3_translate(other.ref, term.handle, self.ref))

    # ------------------------------------------------------------ telling and reading

    def tell(self, engine: Any, truth: Bool) -> None:
        """Require it of an engine (z3's own) of this context."""
        self.calls.Z3_solver_assert(self.ref, engine.solver, truth.handle)

    def tell_all(self, engine: Any, told: Any, source: Terms) -> None:
        """Require what another context, or this one, keeps in a vector (z3's own)."""
        calls, elsewhere = self.calls, source is not self
        for i in range(len(told)):
            handle = calls.Z3_ast_vector_get(source.ref, told.vector, i)
            if elsewhere:
                handle = calls.Z3_translate(source.ref, handle, self.ref)
            calls.Z3_solver_assert(self.ref, engine.solver, handle)

    def integers_in(self, model: Any, terms: Sequence[Int]) -> list[int]:
        """What the terms come to in a model (z3's own); free ones are completed."""
        calls, value, number, found = self.calls, c_void_p(), c_int(), list[int]()
        for term in terms:
            calls.Z3_model_eval(self.ref, model.model, term.handle, True, byref(value))
            calls.Z3_get_numeral_int(self.ref, value, byref(number))
            found.append(number.value)
        return found

    def truth_in(self, model: Any, term: Bool) -> bool:
        """Is the term true in a model (z3's own)?"""
        value = c_void_p()
        self.calls.Z3_model_eval(self.ref, model.model, term.handle, True, byref(value))
        return bool(self.calls.Z3_get_bool_value(self.ref, value) == TRUE)


TRUE = 1
"""z3's word for a truth value that is true."""
