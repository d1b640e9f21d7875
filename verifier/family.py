"""V121: the games of a family against one another: who wins where, and which names mean two things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import dsl
from dsl.core.model import Formula, Game, MeldType, Rule, WaitType
from dsl.judge.words import headline
from dsl.text.codes import Lang, Severity

from .difference import Difference, Tick, diff
from .difference_words import RELATIONS, labels
from .essence import plain
from .findings import Example, Finding, Words
from .formulas import features

CODE = "V121"
TITLE = ("一家里的各种打法", "the games of a family")
SHOWN = ("win", "score", "names", "payment")
HEADS: dict[str, Words] = {
    "win": ("和", "win"),
    "score": ("分", "score"),
    "names": ("名", "names"),
    "payment": ("收付", "payment"),
}


@dataclass(frozen=True, slots=True)
class Family:
    """Games and every pair of them compared."""

    games: tuple[dsl.Game, ...]
    differences: tuple[Difference, ...]

    def findings(self) -> Iterator[Finding]:
        """One for each pair on whose wins they part, one for each word that means two things."""
        for found in self.differences:
            yield _pair(found)
        for found in self.differences:
            yield from _words(found)


def across(games: Sequence[dsl.Game], tick: Tick | None = None) -> Family:
    """Every pair of the games compared."""
    return Family(tuple(games), tuple(diff(a, b, tick) for a, b in combinations(games, 2)))


def _finding(
    found: Difference, severity: Severity, sentence: Words, rules: Sequence[Rule], **more: Any
) -> Finding:
    return Finding(CODE, severity, " / ".join(labels(found)), TITLE, sentence, tuple(rules), **more)


# ---------------------------------------------------------------- the matrix


def _pair(found: Difference) -> Finding:
    """How the two games stand to each other in every aspect, with a hand that wins in one of them only."""
    left, right = labels(found)
    relations = [_relation(found, name) for name in SHOWN]
    said = (
        f"`{left}` 对 `{right}`：" + "，".join(zh for zh, _ in relations),
        f"`{left}` against `{right}`: " + ", ".join(en for _, en in relations),
    )
    disputed = [c for c in found.aspects["win"].classes if c.left.win != c.right.win]
    if not disputed:
        return _finding(found, "info", said, _shapes(found))
    shown = disputed[0]
    sides = zip((left, right), (shown.left, shown.right), strict=True)
    verdicts = tuple((f"`{n}`：{headline(v, 'zh')}", f"`{n}`: {headline(v, 'en')}") for n, v in sides)
    rules = shown.rules or _shapes(found)
    return _finding(found, "info", said, rules, example=Example(shown.witness), verdicts=verdicts)


def _relation(found: Difference, name: str) -> Words:
    aspect = found.aspects[name]
    zh, en = HEADS[name]
    relation = RELATIONS[aspect.relation]
    return f"{zh} {relation[0]}", f"{en} {relation[1]}"


def _shapes(found: Difference) -> tuple[Rule, ...]:
    return found.left.core.win.rule, found.right.core.win.rule


# ---------------------------------------------------------------- words that mean two things


def _words(found: Difference) -> Iterator[Finding]:
    left, right = found.left.core, found.right.core
    for word, one, other in (*_names(left, right), *_melds(left, right), *_waits(left, right)):
        a, b = labels(found)
        said = (f"`{word}` 在 `{a}` 和 `{b}` 里不是一回事", f"`{word}` is not the same in `{a}` and in `{b}`")
        sides = ((a, _listed(one)), (b, _listed(other)))
        verdicts = tuple((f"`{name}`：{text}", f"`{name}`: {text}") for name, text in sides)
        yield _finding(found, "warning", said, [*one, *other], verdicts=verdicts)


def _listed(rules: Sequence[Rule]) -> str:
    return "；".join(f"{rule.name} {' '.join(rule.text.split())}" for rule in rules)


Meant = tuple[str, list[Rule], list[Rule]]


def _names(left: Game, right: Game) -> Iterator[Meant]:
    """Named wins of one name and different conditions; what a score table says is compared apart."""
    there = {n.name: n for n in right.names}
    for name in left.names:
        other = there.get(name.name)
        if other is not None and meaning(left, name.formula) != meaning(right, other.formula):
            yield name.name, [name.rule], [other.rule]


def meaning(game: Game, formula: Formula) -> tuple[Any, ...]:
    """The condition apart from prices: its build, and which melds each of its numbers counts."""
    counted = [
        None if feature.name.partition("@")[0] in game.scores else _melds_of(game, feature.weights)
        for feature in features(formula)
    ]
    return repr(plain(formula)), counted


def _melds_of(game: Game, weights: tuple[int, ...]) -> frozenset[Any]:
    melds = zip(game.melds, weights, strict=True)
    return frozenset((m.type.name, m.slots, weight) for m, weight in melds if weight)


def _melds(left: Game, right: Game) -> Iterator[Meant]:
    """Words for melds that stand for different patterns."""
    sides = [_called(game) for game in (left, right)]
    for word in sides[0]:
        if word in sides[1]:
            one, other = sides[0][word], sides[1][word]
            if {_pattern(left, t) for t in one} != {_pattern(right, t) for t in other}:
                yield word, [t.rule for t in one], [t.rule for t in other]


def _called(game: Game) -> dict[str, list[MeldType]]:
    found: dict[str, list[MeldType]] = {}
    for meld_type in game.types:
        for word in dict.fromkeys((meld_type.family, *sorted(meld_type.aliases))):
            found.setdefault(word, []).append(meld_type)
    return found


def _pattern(game: Game, meld_type: MeldType) -> Any:
    """What melds of the type are made of and count as."""
    slots = frozenset(m.slots for m in game.melds if m.type is meld_type)
    gives = tuple((dim, n) for dim, n in zip(game.dims, meld_type.gives, strict=True) if n)
    return slots, gives, meld_type.locked, meld_type.extra


def _waits(left: Game, right: Game) -> Iterator[Meant]:
    there = {w.name: w for w in right.waits}
    for wait in left.waits:
        other = there.get(wait.name)
        if other is not None and _waiting(left, wait) != _waiting(right, other):
            yield wait.name, [wait.rule], [other.rule]


def _waiting(game: Game, wait: WaitType) -> Any:
    shape = tuple((dim, n) for dim, n in zip(game.dims, wait.shape, strict=True) if n)
    return shape, frozenset(game.types[i].name for i in wait.on)


# ---------------------------------------------------------------- as text


def family_json(family: Family, lang: Lang) -> dict[str, Any]:
    """The matrix and the findings."""
    matrix = [
        {"left": labels(d)[0], "right": labels(d)[1], **{n: d.aspects[n].relation for n in SHOWN}}
        for d in family.differences
    ]
    return {"matrix": matrix, "findings": [f.to_json(lang) for f in family.findings()]}
