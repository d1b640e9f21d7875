"""V121: the games of a family against one another: who wins where, and which names mean two things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import dsl
from dsl.core.formulas import asks_alike
from dsl.core.model import And, Complete, Formula, Game, MeldType, Not, Or, Rule, WaitType
from dsl.judge.words import headline
from dsl.text.codes import Severity

from .difference import Class, Difference, Tick, diff
from .difference_words import RELATIONS, in_revision
from .essence import plain, world_key
from .findings import Example, Finding, Words
from .formulas import features
from .properties import FAMILY, FAMILY_TITLE
from .readings import Prober

SHOWN = ("win", "score", "names", "payment")
HEADS: dict[str, Words] = {
    "win": ("和", "win"),
    "score": ("分", "score"),
    "names": ("名", "names"),
    "payment": ("收付", "payment"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of the games by their places in the family, and how they differ."""

    left: int
    right: int
    difference: Difference

    @property
    def disputed(self) -> Class | None:
        """Hands that win in one of the two only, shown by the simplest; None when there are none."""
        classes = self.difference.aspects["win"].classes
        return next((c for c in classes if c.left.win != c.right.win), None)


@dataclass(frozen=True, slots=True)
class Family:
    """Games and every pair of them compared."""

    games: tuple[dsl.Game, ...]
    labels: tuple[str, ...]
    """What to call each of the games."""
    pairs: tuple[Pair, ...]

    @property
    def unknown(self) -> bool:
        """Did some pair stay open?"""
        return any(pair.difference.unknown for pair in self.pairs)

    def names_of(self, pair: Pair) -> Words:
        """What the two games of a pair are called."""
        return self.labels[pair.left], self.labels[pair.right]

    def findings(self) -> Iterator[Finding]:
        """One for each pair, a warning when they part on who wins; one for each word of two meanings."""
        for pair in self.pairs:
            yield _pair(self, pair)
        yield from _words(self)


def across(games: Sequence[dsl.Game], tick: Tick | None = None) -> Family:
    """Every pair of the games compared; `tick` (what, done, of) is told of the work within each pair."""
    names = family_labels(games)
    pairs = []
    for left, right in combinations(range(len(games)), 2):
        told = None if tick is None else _telling(tick, f"{names[left]} / {names[right]}")
        pairs.append(Pair(left, right, diff(games[left], games[right], told)))
    return Family(tuple(games), names, tuple(pairs))


def _telling(tick: Tick, pair: str) -> Tick:
    return lambda what, done, of: tick(f"{pair}: {what}", done, of)


def family_labels(games: Sequence[dsl.Game]) -> tuple[str, ...]:
    """The games' names; where several are called alike, with the options or files that tell them apart."""
    named = [in_revision(game) for game in games]
    return tuple(
        _label(game, name, [g for g, n in zip(games, named, strict=True) if n == name])
        for game, name in zip(games, named, strict=True)
    )


def _label(game: dsl.Game, name: str, alike: Sequence[dsl.Game]) -> str:
    varying = (k for k in game.options if len({g.options.get(k) for g in alike}) > 1)
    chosen = ",".join(f"{option}={game.options[option]}" for option in varying)
    place = f"（{game.core.path}）" if len({g.core.path for g in alike}) > 1 else ""
    return name + (f"[{chosen}]" if chosen else "") + place


def _finding(
    names: Sequence[str], severity: Severity, sentence: Words, rules: Sequence[Rule], **more: Any
) -> Finding:
    return Finding(FAMILY, severity, " / ".join(names), FAMILY_TITLE, sentence, tuple(rules), **more)


# ---------------------------------------------------------------- pairs


def _pair(family: Family, pair: Pair) -> Finding:
    """How the two games stand to each other in every aspect, with a hand that wins in one of them only."""
    names = left, right = family.names_of(pair)
    relations = [_relation(pair.difference, name) for name in SHOWN]
    said = (
        f"`{left}` 对 `{right}`：" + "，".join(zh for zh, _ in relations),
        f"`{left}` against `{right}`: " + ", ".join(en for _, en in relations),
    )
    shown = pair.disputed
    if shown is None:
        open_, rules = _open(pair.difference), _shapes(pair.difference)
        return _finding(names, "info", said, rules, verdicts=open_, subject=names)
    sides = zip(names, (shown.left, shown.right), strict=True)
    told = tuple((f"`{n}`：{headline(v, 'zh')}", f"`{n}`: {headline(v, 'en')}") for n, v in sides)
    verdicts = (*told, *_open(pair.difference))
    more = {"example": Example(shown.witness), "verdicts": verdicts, "subject": names}
    return _finding(names, "warning", said, shown.rules or _shapes(pair.difference), **more)


def _open(found: Difference) -> tuple[Words, ...]:
    """Why aspects stayed open, each reason once with the aspects it holds for."""
    reasons: dict[Words, list[str]] = {}
    for name in SHOWN:
        if found.aspects[name].relation == "unknown":
            reasons.setdefault(found.aspects[name].note, []).append(name)
    return tuple(
        ("、".join(HEADS[n][0] for n in names) + f"：{zh}", ", ".join(HEADS[n][1] for n in names) + f": {en}")
        for (zh, en), names in reasons.items()
    )


def _relation(found: Difference, name: str) -> Words:
    aspect = found.aspects[name]
    zh, en = HEADS[name]
    relation = RELATIONS[aspect.relation]
    return f"{zh} {relation[0]}", f"{en} {relation[1]}"


def _shapes(found: Difference) -> tuple[Rule, ...]:
    return found.left.core.win.rule, found.right.core.win.rule


# ---------------------------------------------------------------- words that mean two things


@dataclass(frozen=True, slots=True)
class Meant:
    """What a word stands for in one game, and the clauses that say so."""

    meaning: Any
    rules: tuple[Rule, ...]
    condition: tuple[Game, Formula] | None = None
    """Of a named win: the game that has it, and what it asks."""


def _words(family: Family) -> Iterator[Finding]:
    """Words of which not all games that have them mean the same."""
    prober = Prober()
    for words_of in (_names, _melds, _waits):
        said = [words_of(game.core) for game in family.games]
        for word in dict.fromkeys(word for words in said for word in words):
            groups = _alike(said, word, prober)
            if len(groups) > 1:
                yield _disagreement(family, word, said, groups)


def _alike(said: Sequence[Mapping[str, Meant]], word: str, prober: Prober) -> list[list[int]]:
    """The games that have the word, those that mean the same by it together."""
    groups: list[list[int]] = []
    for index, words in enumerate(said):
        if word in words:
            group = next((g for g in groups if _same(said[g[0]][word], words[word], prober)), None)
            if group is None:
                groups.append([index])
            else:
                group.append(index)
    return groups


def _same(left: Meant, right: Meant, prober: Prober) -> bool:
    """Is the same meant? By conditions written otherwise where it is proved that no arrangement tells."""
    if left.meaning == right.meaning or left.condition is None or right.condition is None:
        return bool(left.meaning == right.meaning)
    (one, mine), (other, theirs) = left.condition, right.condition
    if world_key(one) != world_key(other):
        return False
    apart = And((Complete(), Or((mine, theirs)), Not(And((mine, theirs)))))
    return prober.of(other if asks_alike(other) else one).possible(left.rules[0].name, apart) is False


def _disagreement(
    family: Family, word: str, said: Sequence[Mapping[str, Meant]], groups: Sequence[Sequence[int]]
) -> Finding:
    """One line for each meaning: the games that have it, and the clauses of the first of them."""
    named = [[f"`{family.labels[i]}`" for i in group] for group in groups]
    zh = f"`{word}` 在{'、'.join('＝'.join(names) for names in named)} 里不是一回事"
    en = f"`{word}` is not the same in {' and in '.join(' = '.join(names) for names in named)}"
    texts = [_listed(said[group[0]][word].rules) for group in groups]
    verdicts = [
        (f"{'、'.join(names)}：{text}", f"{', '.join(names)}: {text}")
        for names, text in zip(named, texts, strict=True)
    ]
    rules = [rule for group in groups for rule in said[group[0]][word].rules]
    labels = tuple(family.labels[i] for group in groups for i in group)
    return _finding(labels, "warning", (zh, en), rules, verdicts=tuple(verdicts), subject=(word, *labels))


def _listed(rules: Sequence[Rule]) -> str:
    return "；".join(f"{rule.name} {' '.join(rule.text.split())}" for rule in rules)


def _names(game: Game) -> dict[str, Meant]:
    """Named wins; what a score table says is compared apart."""
    return {n.name: Meant(meaning(game, n.formula), (n.rule,), (game, n.formula)) for n in game.names}


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


def _melds(game: Game) -> dict[str, Meant]:
    """Words for melds, with the patterns they stand for."""
    found: dict[str, list[MeldType]] = {}
    for meld_type in game.types:
        for word in dict.fromkeys((meld_type.family, *sorted(meld_type.aliases))):
            found.setdefault(word, []).append(meld_type)
    return {
        word: Meant({_pattern(game, t) for t in types}, tuple(t.rule for t in types))
        for word, types in found.items()
    }


def _pattern(game: Game, meld_type: MeldType) -> Any:
    """What melds of the type are made of and count as."""
    slots = frozenset(m.slots for m in game.melds if m.type is meld_type)
    gives = tuple((dim, n) for dim, n in zip(game.dims, meld_type.gives, strict=True) if n)
    return slots, gives, meld_type.locked, meld_type.extra, meld_type.by_last


def _waits(game: Game) -> dict[str, Meant]:
    """Named waits, with their shape and what they wait on."""
    return {wait.name: Meant(_waiting(game, wait), (wait.rule,)) for wait in game.waits}


def _waiting(game: Game, wait: WaitType) -> Any:
    shape = tuple((dim, n) for dim, n in zip(game.dims, wait.shape, strict=True) if n)
    return shape, frozenset(game.types[i].name for i in wait.on)
