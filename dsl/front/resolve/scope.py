"""What resolving has found so far: the names of a game and the faults met on the way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from ...core.model import (
    ORIGINS,
    WILD,
    Feature,
    Group,
    Kind,
    Mark,
    Meld,
    MeldType,
    Parameter,
    Rule,
    Slot,
    Wild,
)
from ...core.parts import index_of
from ...text.diagnostics import Diagnostic
from ...text.source import Span
from ...text.spelling import closest
from ..assemble import Assembled
from ..keywords import glued
from ..syntax import Clause, Node, Ruleset, child, names_of, span_of_node

LISTED = 10
"""Known names that a message lists when none is near."""


Patterns = tuple[tuple[tuple[Slot, ...], tuple[int, ...], tuple[tuple[int, int], ...], frozenset[int]], ...]
"""Of each ground meld that a pattern comes to the slots, tiles, how many of each, and faces waited for."""


@dataclass
class Scope:
    """Mutable while resolving; `Game` is made from it at the end."""

    assembled: Assembled
    kinds: list[Kind] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    classes: dict[str, frozenset[int]] = field(default_factory=dict)
    values: dict[str, dict[int, int]] = field(default_factory=dict)
    origin_sets: dict[str, frozenset[str]] = field(
        default_factory=lambda: {o: frozenset({o}) for o in ORIGINS}
    )
    hand_origin: str = ORIGINS[0]
    dims: list[str] = field(default_factory=list)
    types: list[MeldType] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    scores: list[str] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    wild: Wild | None = None
    mark: Mark | None = None
    rooms: dict[int, int] = field(default_factory=dict)
    """赖 n: how many wild tiles a meld of a type (its index) may have, where its clause says so."""
    faults: list[Diagnostic] = field(default_factory=list)
    features: dict[Feature, Feature] = field(default_factory=dict)
    """Features met so far, also under other options: equal ones are one, for they are long."""
    patterns: dict[Hashable, Patterns] = field(default_factory=dict)
    """What patterns of melds came to under these or other options."""
    insides: dict[int, tuple[bool, ...]] = field(default_factory=dict)

    countings: dict[tuple[tuple[str, ...], frozenset[int] | None], list[int]] = field(default_factory=dict)
    """Per ground meld how much it adds to a number that conditions ask for, by names and class."""

    def inside(self, group: int) -> tuple[bool, ...]:
        """For each ground meld whether it lies wholly in a group."""
        if group not in self.insides:
            members = set(self.groups[group].kinds)
            self.insides[group] = tuple(set(m.tiles) <= members for m in self.melds)
        return self.insides[group]

    @property
    def broken(self) -> bool:
        return any(f.severity == "error" for f in self.faults)

    def fault(self, code: str, span: Span, **values: object) -> None:
        self.faults.append(Diagnostic(code, span, values))

    def unknown(self, name: str, what: tuple[str, str], known: Iterable[str], span: Span) -> None:
        """N001 with the split of a glued keyword, the nearest known name, or all of a few as help."""
        values: dict[str, object] = {"name": name, "what": what}
        known = list(known)
        split, near = glued(name), closest(name, known)
        if split is not None:
            values["help"] = (f"关键词后要空一格：`{split}`", f"put a space after the keyword: `{split}`")
        elif near is not None:
            values["help"] = (f"是不是 `{near}`？", f"did you mean `{near}`?")
        elif 0 < len(names := list(dict.fromkeys(known))) <= LISTED:
            values["help"] = (f"可以是：{'、'.join(names)}", f"there are: {', '.join(names)}")
        self.faults.append(Diagnostic("N001", span, values))

    def tiles(self, word: str) -> tuple[int, ...] | None:
        """A word as kinds: a group's name, one face, or faces written together; None if it is not."""
        for group in self.groups:
            if group.name == word:
                return group.kinds
        return split_tiles(word, index_of(self.kinds))

    def face(self, word: str) -> int | None:
        """The one face that a word names, by its name or another way to write it."""
        return index_of(self.kinds).get(word)

    def tiles_elsewhere(self, word: str) -> tuple[str, ...] | None:
        """Such a word in a hand under other options: tiles that any clause of the ruleset names."""
        names = sorted(tile_words(self.assembled.chain))
        found = split_tiles(word, {name: i for i, name in enumerate(names)})
        return None if found is None else tuple(names[i] for i in found)

    def hand_tiles(self, word: str) -> tuple[str, ...] | None:
        """A word of a hand as names of tiles: faces written together, wild tiles of their own among them."""
        index, wild = index_of(self.kinds), self.wild
        if wild is not None and wild.own:
            index |= dict.fromkeys((wild.name, *wild.aliases), WILD)
        found = self.tiles(word) or split_tiles(word, index)
        if found is None or wild is None:
            return None if found is None else tuple(self.kinds[k].name for k in found)
        return tuple(wild.name if k == WILD else self.kinds[k].name for k in found)

    def faces(self, word: str, span: Span) -> frozenset[int]:
        """The faces a class has, or those that a word names; T001 once for a word that names none."""
        if word in self.classes:
            return self.classes[word]
        known = any(f.code == "T001" and f.span == span for f in self.faults)
        return frozenset() if known else frozenset(self.tiles_or_fault(word, span))

    def tiles_or_fault(self, word: str, span: Span) -> tuple[int, ...]:
        found = self.tiles(word)
        if found is None:
            values: dict[str, object] = {"tile": word}
            near = closest(word, [k.name for k in self.kinds] + [g.name for g in self.groups])
            if near:
                values["help"] = (f"是不是 `{near}`？", f"did you mean `{near}`?")
            self.faults.append(Diagnostic("T001", span, values))
            return ()
        return found

    def types_named(self, name: str) -> list[MeldType]:
        """Meld types called `name`: itself, or all variants of that family."""
        return [t for t in self.types if t.name == name or t.name.startswith(name + ".") or name in t.aliases]

    def types_or_fault(self, name: str, span: Span, families: bool = False) -> list[MeldType]:
        """Meld types called `name`; N001 when there is none, with `families` looking at their names too."""
        found = self.types_named(name)
        if not found:
            known = [t.family for t in self.types] if families else []
            self.unknown(name, ("牌型", "meld"), [*known, *(t.name for t in self.types)], span)
        return found

    def span(self, clause: Clause, node: Node) -> Span:
        return span_of_node(clause.span.path, node)

    def dim(self, name: str) -> int:
        """Index of a shape dimension, added when new."""
        if name not in self.dims:
            self.dims.append(name)
        return self.dims.index(name)


def tile_words(chain: Iterable[Ruleset]) -> set[str]:
    """Every name that a clause gives a tile, whatever options bring the clause out."""
    found: set[str] = set()
    clauses = [c for ruleset in chain for outer in ruleset.clauses for c in (outer, *outer.children)]
    for node in (n for clause in clauses for n in clause.tree.iter_subtrees()):
        words = names_of(child(node, "words"))
        match str(node.data):
            case "groups":
                found.update(face for word in words for face in word)
            case "group" | "loose" | "face_alias":
                found.update(words)
            case "wild":
                found.update(names_of(node, "name")[:1])
    return found


def split_tiles(word: str, index: dict[str, int]) -> tuple[int, ...] | None:
    """Faces written together (`七七七十`) as kinds, longest face first; None when a rest stays."""
    if not word:
        return ()
    for length in range(min(len(word), max(map(len, index), default=0)), 0, -1):
        head = index.get(word[:length])
        if head is not None:
            rest = split_tiles(word[length:], index)
            if rest is not None:
                return (head, *rest)
    return None


def rule_of(clause: Clause) -> Rule:
    return Rule(clause.path, clause.text, clause.cites, clause.span)
