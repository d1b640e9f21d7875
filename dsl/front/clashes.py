"""Which of many choices of options have to be assembled to know that no clause gets into another's way."""

from __future__ import annotations

from collections.abc import Mapping

from .assemble import Assembled, Plan, Planned, carry_out
from .chosen import test_of
from .syntax import Key


class Clashes:
    """What goes wrong with a clause depends on the `若` that touch its key, and on nothing else.

    So a choice is no news where each key has been seen with those of its `若` in force, and all went well.
    """

    def __init__(self, assembled: Assembled, planned: Planned) -> None:
        self._assembled = assembled
        self._plans = [planned(ruleset) for ruleset in assembled.chain]
        whens = [when for plan in self._plans for when in plan.whens]
        self._tests = [test_of(condition) for condition, _ in whens]
        self._touching: dict[Key, int] = {}
        """By key the `若` that do something to it, as bits."""
        for place, (_, steps) in enumerate(whens):
            for step in steps:
                self._touching[step.key] = self._touching.get(step.key, 0) | 1 << place
        self._about: dict[Key, list[Plan]] = {}
        self._seen: set[int] = set()
        self._well: set[tuple[Key, int]] = set()

    def possible(self, options: Mapping[str, str]) -> bool:
        """Could something go wrong under this full choice that did not under those asked about before?"""
        held = sum(1 << place for place, test in enumerate(self._tests) if test(options))
        if held in self._seen:
            return False
        self._seen.add(held)
        return any(not self._goes_well(key, held & bits, options) for key, bits in self._touching.items())

    def _goes_well(self, key: Key, held: int, options: Mapping[str, str]) -> bool:
        if (key, held) not in self._well:
            last = self._assembled
            result = Assembled(last.ruleset, last.chain, options, last.choices)
            carry_out(self._about_key(key), result)
            if result.faults:
                return False
            self._well.add((key, held))
        return True

    def _about_key(self, key: Key) -> list[Plan]:
        """The steps that touch the key."""
        if key not in self._about:
            self._about[key] = [
                Plan(
                    tuple(step for step in plan.always if step.key == key),
                    tuple((c, tuple(s for s in steps if s.key == key)) for c, steps in plan.whens),
                )
                for plan in self._plans
            ]
        return self._about[key]
