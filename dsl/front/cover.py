"""Choices of options that bring every clause of a spec into force, so that no fault hides in a `若`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from .assemble import Assembled
from .chosen import Choices, test_of
from .syntax import Node, name_of, trees


def single_changes(assembled: Assembled) -> Iterator[dict[str, str]]:
    """For every value of every option a legal choice with it, the fewest changes from the defaults."""
    choices, names = assembled.choices, tuple(assembled.choices.by_name)
    for name, choice in choices.by_name.items():
        for value in choice.allowed:
            if value == choice.default:
                continue
            alone = [o for o in choices.legal(name) if o[name] == value]
            helped = ([o for o in choices.legal(name, other) if o[name] == value] for other in names)
            found = alone or next(filter(None, helped), [])
            if found:
                yield _nearest(choices, found)


def every_condition(assembled: Assembled) -> Iterator[dict[str, str]]:
    """For every `若` a legal choice under which it is in force."""
    for condition in conditions(assembled):
        yield from _in_force(assembled.choices, condition)


def every_pair(assembled: Assembled) -> Iterator[dict[str, str]]:
    """For every two `若` a legal choice under which both are in force; they may touch the same clause."""
    for pair in itertools.combinations(conditions(assembled), 2):
        yield from _in_force(assembled.choices, *pair)


def conditions(assembled: Assembled) -> list[Node]:
    """The `若` clauses of the whole chain."""
    return [c.tree for ruleset in assembled.chain for c in ruleset.clauses if c.kind == "when"]


def _in_force(choices: Choices, *whens: Node) -> list[dict[str, str]]:
    names = {name for when in whens for name in _compared(when)} & choices.by_name.keys()
    if not names:
        return []
    tests = [test_of(when) for when in whens]
    found = [o for o in choices.legal(*sorted(names)) if all(test(o) for test in tests)]
    return [_nearest(choices, found)] if found else []


def _nearest(choices: Choices, found: list[dict[str, str]]) -> dict[str, str]:
    return found[0] if len(found) == 1 else min(found, key=lambda options: len(changed(choices, options)))


def changed(choices: Choices, options: Mapping[str, str]) -> dict[str, str]:
    """The options that differ from their defaults."""
    return {name: value for name, value in options.items() if value != choices.by_name[name].default}


def _compared(when: Node) -> list[str]:
    """The options that a condition speaks of."""
    atoms = (sub for sub in when.iter_subtrees() if sub.data in ("chosen_is", "chosen_is_not"))
    return [name_of(trees(atom)[0]) for atom in atoms]
