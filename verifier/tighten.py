"""Towards the plainest model: what is wished for is held on to, one thing after the other."""

from __future__ import annotations

from .smt import Bool, Int, Smt

PATIENCE = 20_000_000
"""Work spent on one step towards a plainer witness; halved whenever it did not suffice."""


class Tightener:
    """Fixes terms one after the other; a step that costs too much leaves the model as it is."""

    def __init__(self, smt: Smt) -> None:
        self.smt = smt
        self.patience = PATIENCE

    def can(self, wish: Bool) -> bool:
        status = self.smt.check(wish, budget=self.patience)
        if status == "unknown":
            self.patience //= 2
        return status == "sat"

    def prefer(self, wish: Bool) -> bool:
        """Hold on to the wish if it can be had."""
        if self.smt.truth_value(wish) or self.can(wish):
            self.smt.require(wish)
            return True
        return False

    def first(self, wishes: list[Bool]) -> None:
        """Hold on to the first of the wishes that can be had."""
        for wish in wishes:
            if self.prefer(wish):
                return

    def lower(self, term: Int) -> None:
        """Fix the term, which is never below 0, at its least value."""
        least = 0
        while least < (now := self.smt.integer_value(term)):
            middle = (least + now) // 2
            if not self.can(self.smt.compare(term, "<=", middle)):
                least = middle + 1
        self._fix(term)

    def _fix(self, term: Int) -> None:
        self.smt.require(self.smt.compare(term, "=", self.smt.integer_value(term)))

    def raise_(self, terms: list[Int]) -> None:
        """Fix the terms at the lexicographically greatest values; stretches of zeros are settled at once."""
        if len(terms) == 1:
            while self.can(self.smt.compare(terms[0], ">", self.smt.integer_value(terms[0]))):
                pass
            self._fix(terms[0])
        elif self._all_zero(terms):
            self.smt.require(*(self.smt.compare(t, "=", 0) for t in terms))
        else:
            half = len(terms) // 2
            self.raise_(terms[:half])
            self.raise_(terms[half:])

    def _all_zero(self, terms: list[Int]) -> bool:
        """Are they zero now, and can none of them be more?"""
        if any(self.smt.integer_value(t) for t in terms):
            return False
        return not self.can(self.smt.compare(self.smt.total((1, t) for t in terms), ">=", 1))
