"""What parsing yields: clauses with a key that a delta, a finding and a diff can name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from lark import Token, Tree

from ..text.source import Span

Node = Tree[Token]


class Frozen(Tree[Token]):
    """lark's tree with a plain name. Nobody changes one, so it keeps what it is asked for again and again."""

    def __init__(self, data: str, children: list[Any], meta: Any = None) -> None:
        super().__init__(str(data), children, meta)
        self._below: tuple[Tree[Token], ...] | None = None
        self._number: int | None = None

    def iter_subtrees(self) -> Iterator[Tree[Token]]:
        """It and every tree below, in lark's order."""
        if self._below is None:
            self._below = tuple(super().iter_subtrees())
        return iter(self._below)

    def __hash__(self) -> int:
        if self._number is None:
            self._number = super().__hash__()
        return self._number

    __eq__ = Tree.__eq__


Key = tuple[str, ...]
"""Path of a clause in canonical Chinese: ("名", "大符")."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: its kind (the grammar's alias), key, tree, and the clauses between its braces."""

    kind: str
    key: Key
    tree: Node
    span: Span
    text: str
    """The author's words without citations, white space folded."""
    cites: tuple[str, ...] = ()
    children: tuple[Clause, ...] = ()

    @property
    def path(self) -> str:
        return ".".join(self.key)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One `规则`, `底本` or `判` of a file."""

    name: str
    """Of a judgement the game's name, a dot, and its own."""
    title: str
    template: bool
    base: str | None
    """Name or path of the ruleset it extends."""
    base_span: Span
    clauses: tuple[Clause, ...]
    span: Span
    path: str
    torn: frozenset[str] = frozenset()
    """Words of clauses of the file that could not be read."""
    whole: bool = True
    """False when such a clause had braces, so that more than itself is lost."""
    of: str | None = None
    """Name of the game that a judgement belongs to."""

    @property
    def judgement(self) -> str:
        """A judgement's own name."""
        return "" if self.of is None else self.name.removeprefix(f"{self.of}.")


# ---------------------------------------------------------------- reading trees


def tokens(node: Node, *types: str) -> list[Token]:
    """Direct token children, of the given types or all."""
    return [t for t in node.children if isinstance(t, Token) and (not types or t.type in types)]


def trees(node: Node, *kinds: str) -> list[Node]:
    """Direct tree children, of the given kinds or all."""
    return [t for t in node.children if isinstance(t, Tree) and (not kinds or t.data in kinds)]


def child(node: Node, kind: str) -> Node | None:
    """The first direct tree child of this kind."""
    return next(iter(trees(node, kind)), None)


def all_tokens(node: Node) -> Iterator[Token]:
    """Every token below `node`, in order."""
    for item in node.children:
        if isinstance(item, Token):
            yield item
        else:
            yield from all_tokens(item)


def words_of(node: Node) -> str:
    """The tokens below a node, for messages and feature names."""
    return " ".join(str(token) for token in all_tokens(node))


def has_token(node: Node, kind: str) -> bool:
    return bool(tokens(node, kind))


def unquoted(token: Token) -> str:
    """A token's text without the quotes of a quoted name or a title."""
    return token.value[1:-1] if token.type in {"QNAME", "STRING"} else str(token.value)


def name_of(node: Node) -> str:
    """The text of a `name`, `word`, `id` or `option_value` node."""
    return unquoted(next(all_tokens(node)))


def names_of(node: Node | None, *kinds: str) -> list[str]:
    """Texts of the name-like children of `node` (none when it is missing)."""
    return [] if node is None else [name_of(n) for n in trees(node, *(kinds or ("name", "word")))]


def dotted(node: Node) -> str:
    """A `meld_name` as one dotted string."""
    return ".".join(names_of(node))


def number_of(node: Node) -> int:
    """The value of an `integer` node."""
    value = int(tokens(node, "NUMBER")[0])
    return -value if has_token(node, "MINUS") else value


def first_number(node: Node) -> int:
    return int(tokens(node, "NUMBER")[0])


def number_product(node: Node) -> int:
    """The numbers written in a node multiplied; 1 without any."""
    return prod(int(token) for token in tokens(node, "NUMBER"))


def string_of(node: Node) -> str:
    """The text of a node's STRING token or `title` child, empty when it has none."""
    title = child(node, "title")
    found = tokens(title if title is not None else node, "STRING")
    return unquoted(found[0]) if found else ""


def span_of_node(path: str, node: Node) -> Span:
    """From the first to the last token below `node`."""
    found = list(all_tokens(node))
    if not found:
        return Span(path)
    first, last = found[0], found[-1]
    return Span(
        path,
        first.line or 1,
        first.column or 1,
        last.end_line or 1,
        last.end_column or (last.column or 1) + 1,
    )
