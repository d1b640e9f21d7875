"""Options and readings: what may be chosen, and whether a condition on them holds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ..text.diagnostics import Diagnostic
from ..text.source import Span
from ..text.spelling import closest
from .syntax import (
    Clause,
    Node,
    Ruleset,
    has_token,
    name_of,
    names_of,
    span_of_node,
    string_of,
    trees,
    words_of,
)

CHANGE_DEFAULT = (
    "这是各选项的默认值：第一个值就是默认，换一个放在最前面",
    "these are the defaults: the first value of an option; put another one first",
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One option or reading and its values; the first is the default."""

    name: str
    title: str
    values: tuple[tuple[str, str], ...]
    """(value, what it means)."""
    default: str
    is_reading: bool
    cites: tuple[str, ...]
    span: Span

    @property
    def allowed(self) -> tuple[str, ...]:
        return tuple(value for value, _ in self.values)


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A combination of options that is not allowed, or only with a warning."""

    condition: Node
    warns: bool
    text: str
    span: Span


@dataclass(slots=True)
class Choices:
    by_name: dict[str, Choice] = field(default_factory=dict)
    forbidden: list[Forbidden] = field(default_factory=list)

    def complete(self, chosen: Mapping[str, str], faults: list[Diagnostic], at: Span) -> dict[str, str]:
        """Every option with the chosen value or its default; faults for unknown ones and bad values."""
        options = {name: choice.default for name, choice in self.by_name.items()}
        for name, value in chosen.items():
            choice = self.by_name.get(name)
            if choice is None:
                faults.append(self._unknown(name, at))
            elif value not in choice.allowed:
                values: dict[str, object] = {"name": name, "value": value, "allowed": list(choice.allowed)}
                faults.append(Diagnostic("N010", at, values, ((choice.span, "declared"),)))
            else:
                options[name] = value
        for rule in self.forbidden:
            if condition_holds(rule.condition, options):
                code = "W004" if rule.warns else "N011"
                advice = None if chosen else CHANGE_DEFAULT
                told: dict[str, object] = {"combination": rule.text, "help": advice}
                faults.append(Diagnostic(code, at, told, ((rule.span, "forbidden"),)))
        return options

    def _unknown(self, name: str, at: Span) -> Diagnostic:
        values: dict[str, object] = {"name": name}
        near = closest(name, self.by_name)
        if near:
            values["help"] = (f"是不是 `{near}`？", f"did you mean `{near}`?")
        elif self.by_name:
            values["help"] = (f"可选：{'、'.join(self.by_name)}", f"known options: {', '.join(self.by_name)}")
        else:
            values["help"] = ("这套规则没有选项", "the ruleset has no options")
        return Diagnostic("N009", at, values)

    def legal(self, *names: str) -> Iterator[dict[str, str]]:
        """Every allowed combination of the named options (all when none is named), defaults elsewhere."""
        varied = [self.by_name[n] for n in names or tuple(self.by_name)]
        defaults = {name: choice.default for name, choice in self.by_name.items()}
        forbidden = [_test(f.condition) for f in self.forbidden if not f.warns]
        for values in itertools.product(*(choice.allowed for choice in varied)):
            options = defaults | {choice.name: value for choice, value in zip(varied, values, strict=True)}
            if not any(test(options) for test in forbidden):
                yield options


def choices_of(chain: tuple[Ruleset, ...]) -> tuple[Choices, list[Diagnostic]]:
    """All options and readings of a chain of rulesets; a later ruleset may restate one."""
    choices, faults = Choices(), list[Diagnostic]()
    for ruleset in chain:
        mine: dict[str, Choice] = {}
        for clause in ruleset.clauses:
            choice = _choice(clause, faults)
            name = "" if choice is None else choice.name
            if choice is not None and name in mine:
                faults.append(Diagnostic("N002", clause.span, {"name": name}, ((mine[name].span, "first"),)))
            elif choice is not None:
                mine[name] = choice
            elif clause.kind == "forbid":
                condition = trees(clause.tree, "chosen")[0]
                text = words_of(condition)
                choices.forbidden.append(
                    Forbidden(condition, has_token(clause.tree, "WARN"), text, clause.span)
                )
        choices.by_name.update(mine)
    for rule in choices.forbidden:
        check_condition(rule.condition, choices, rule.span, faults)
    for ruleset in chain:
        for clause in ruleset.clauses:
            if clause.kind == "when":
                check_condition(trees(clause.tree, "chosen")[0], choices, clause.span, faults)
    return choices, faults


def _choice(clause: Clause, faults: list[Diagnostic]) -> Choice | None:
    if clause.kind not in ("option", "reading"):
        return None
    name = name_of(trees(clause.tree, "id")[0])
    if clause.kind == "option":
        found = [(name_of(v), "") for v in trees(clause.tree, "option_value")]
        default = found[0][0]
    else:
        found = [(names_of(c.tree)[0], string_of(c.tree)) for c in clause.children]
        marked = [names_of(c.tree)[0] for c in clause.children if has_token(c.tree, "DEFAULT")]
        default = (marked or [v for v, _ in found] or [""])[0]
    values = tuple(dict(found).items())
    if len(values) != len(found) or not found:
        faults.append(Diagnostic("N002", clause.span, {"name": name}))
    cites = clause.cites or ((name,) if clause.kind == "reading" else ())
    return Choice(name, string_of(clause.tree), values, default, clause.kind == "reading", cites, clause.span)


def active(when: Node, options: Mapping[str, str]) -> bool:
    """Does the condition of a `若` clause hold?"""
    return test_of(when)(options)


def test_of(when: Node) -> Callable[[Mapping[str, str]], bool]:
    """The condition of a `若` clause as a function of a full choice."""
    return _test(trees(when, "chosen")[0])


def condition_holds(node: Node, options: Mapping[str, str]) -> bool:
    """Does a condition on options hold under a full choice?"""
    return _test(node)(options)


@lru_cache(maxsize=10_000)
def _test(node: Node) -> Callable[[Mapping[str, str]], bool]:
    """The condition as a function: it is put to thousands of choices."""
    if node.data in ("chosen_is", "chosen_is_not"):
        name, value = (name_of(n) for n in trees(node))
        wanted = node.data == "chosen_is"
        return lambda options: (options.get(name) == value) is wanted
    tests = [_test(n) for n in trees(node)]
    if node.data == "chosen_negation":
        return lambda options: not tests[0](options)
    if len(tests) == 1:
        return tests[0]
    some = node.data == "chosen"
    return lambda options: (any if some else all)(test(options) for test in tests)


def check_condition(node: Node, choices: Choices, span: Span, faults: list[Diagnostic]) -> None:
    """Names and values in a condition on options must exist."""
    for sub in node.iter_subtrees():
        if sub.data in ("chosen_is", "chosen_is_not", "chosen_one"):
            name, value = (name_of(n) for n in trees(sub))
            Choices(choices.by_name).complete({name: value}, faults, span_of_node(span.path, sub))


def chosen_pairs(node: Node) -> dict[str, str]:
    """The `名 = 值` pairs of an `于 …` list."""
    pairs = {}
    for sub in trees(node, "chosen_one"):
        name, value = (name_of(n) for n in trees(sub))
        pairs[name] = value
    return pairs
