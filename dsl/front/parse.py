"""A source to rulesets: lex, structure, then each clause through lark on its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from ..text.diagnostics import Diagnostic
from ..text.source import Source, Span
from . import syntax
from .keys import key_of
from .keywords import KEYWORDS, PUNCTUATION, SPELLINGS, glued, spell
from .lex import grammar, lex, span_of
from .structure import RawBlock, RawClause, structure
from .syntax import Clause, Node, Ruleset

INSIDE = {
    "rules": "ruleset",
    "template": "ruleset",
    "reading": "reading",
    "when": "delta",
    "meld": "variant",
    "deck": "deck",
    "origins": "origins",
    "seats": "seats",
    "melds": "melds",
    "price": "price",
    "names": "names",
    "win": "win",
    "false_win": "false_win",
    "payment": "payment",
    "waits": "waits",
    "example": "example",
}
"""For each kind of clause that has braces, the kind of block inside."""


def parse(source: Source) -> tuple[tuple[Ruleset, ...], tuple[Diagnostic, ...]]:
    """All rulesets of a file and every fault of its form."""
    if not source.text.strip("\ufeff \t\r\n\u3000"):
        return (), (Diagnostic("P008", Span(source.path)),)
    tokens, lexical = lex(source)
    block, structural = structure(source.path, tokens)
    parser = _Parser(source)
    rulesets = tuple(r for raw in block.clauses if (r := parser.ruleset(raw)) is not None)
    return rulesets, (*lexical, *structural, *parser.faults)


@dataclass
class _Parser:
    source: Source
    faults: list[Diagnostic] = field(default_factory=list)

    def ruleset(self, raw: RawClause) -> Ruleset | None:
        clause = self.clause(raw, "file", ())
        if clause is None or clause.kind not in ("rules", "template"):
            return None
        tree = clause.tree
        extends = syntax.child(tree, "extends")
        base = None
        if extends is not None:
            base = syntax.unquoted(list(syntax.all_tokens(extends))[-1])
        return Ruleset(
            name=syntax.names_of(tree)[0],
            title=syntax.string_of(tree),
            template=clause.kind == "template",
            base=base,
            base_span=syntax.span_of_node(self.source.path, extends or tree),
            clauses=clause.children,
            span=clause.span,
            path=self.source.path,
        )

    def block(self, raw: RawBlock, kind: str, above: tuple[str, ...]) -> tuple[Clause, ...]:
        found = (self.clause(clause, kind, above) for clause in raw.clauses)
        return tuple(clause for clause in found if clause is not None)

    def clause(self, raw: RawClause, start: str, above: tuple[str, ...]) -> Clause | None:
        tree = self._tree(raw, start)
        if tree is None:
            self._children_of_broken(raw, start, above)
            return None
        kind, node = _unwrap(tree)
        key = key_of(kind, node, above)
        children: tuple[Clause, ...] = ()
        if raw.body is not None:
            inside = INSIDE.get(kind) or INSIDE[_inner_kind(node)]
            children = self.block(raw.body, inside, key)
        return Clause(kind, key, node, self._span(raw), self._text(raw), _cites(tree), children)

    def _children_of_broken(self, raw: RawClause, start: str, above: tuple[str, ...]) -> None:
        """Faults inside the braces of a clause whose head is broken are still reported."""
        if raw.body is None or not raw.head:
            return
        opener = raw.head[0].type.lower()
        kind = {"rules": "rules", "template": "template", "if": "when"}.get(opener, opener)
        if kind in INSIDE and kind != "meld":
            self.block(raw.body, INSIDE[kind], above)

    # ------------------------------------------------------------ one clause through lark

    def _tree(self, raw: RawClause, start: str) -> Node | None:
        parser = grammar().parse_interactive(start=f"{start}_clause")
        token = None
        for token in _fed(raw):
            try:
                parser.feed_token(token)
            except UnexpectedToken as error:
                self._unexpected(token, start, error.accepts or error.expected)
                return None
        try:
            tree: Node = parser.feed_eof(token)
        except UnexpectedInput as error:
            expected = getattr(error, "accepts", None) or getattr(error, "expected", set())
            self._ends_early(raw, expected)
            return None
        return tree

    def _unexpected(self, token: Token, start: str, expected: set[str]) -> None:
        span = span_of(self.source.path, token)
        word = str(token.value)
        split = glued(word) if token.type == "NAME" else None
        if split is not None:
            self._fault("P011", span, found=word, split=split)
        elif token.type in KEYWORDS and "NAME" in expected:
            self._fault("P010", span, keyword=word)
        elif token.type == "BLOCK":
            self._fault("P002", span, found="{", expected=_expected(expected))
        else:
            self._fault("P002", span, found=word, expected=_expected(expected))

    def _ends_early(self, raw: RawClause, expected: set[str]) -> None:
        last = (raw.tail or raw.head)[-1]
        split = glued(str(last.value)) if last.type == "NAME" else None
        if split is not None:
            self._fault("P011", span_of(self.source.path, last), found=str(last.value), split=split)
            return
        at = span_of(self.source.path, last)
        self._fault(
            "P003",
            Span(at.path, at.end_line, at.end_column, at.end_line, at.end_column + 1),
            expected=_expected(expected),
        )

    def _fault(self, code: str, span: Span, **values: object) -> None:
        self.faults.append(Diagnostic(code, span, values))

    # ------------------------------------------------------------ where and what

    def _span(self, raw: RawClause) -> Span:
        first, last = raw.head[0], (raw.tail or raw.head)[-1]
        return span_of(self.source.path, first).to(span_of(self.source.path, last))

    def _text(self, raw: RawClause) -> str:
        words = [*_until_cites(raw.head)]
        return _joined(words)


def _fed(raw: RawClause) -> Iterator[Token]:
    yield from raw.head
    if raw.body is not None:
        opened = raw.body.opened
        yield Token.new_borrow_pos("BLOCK", "{", opened) if opened else Token("BLOCK", "{")
    yield from raw.tail


def _unwrap(tree: Node) -> tuple[str, Node]:
    """The clause proper: below the start rule's own name when it only passes through."""
    while str(tree.data).endswith("_clause") and len(tree.children) == 1:
        only = tree.children[0]
        if isinstance(only, Token):
            break
        tree = only
    return str(tree.data), tree


def _inner_kind(node: Node) -> str:
    """Kind of the clause inside a delta (`加 牌型.招 … {`)."""
    for inner in node.iter_subtrees_topdown():
        if str(inner.data) in INSIDE:
            return str(inner.data)
    return "meld"


def _cites(tree: Node) -> tuple[str, ...]:
    found = [t for sub in tree.iter_subtrees_topdown() if sub.data == "cites" for t in syntax.tokens(sub, "FACT")]
    return tuple(str(token.value).replace("'", "′") for token in found)


def _until_cites(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "CITES":
            return
        yield token


def _joined(tokens: list[Token]) -> str:
    """Tokens with the author's own spacing, folded to one space."""
    text, end = "", None
    for token in tokens:
        gap = "" if end is None or token.start_pos == end else " "
        text += gap + str(token.value)
        end = token.end_pos
    return text


def _expected(kinds: set[str]) -> tuple[str, str]:
    """The few things that could stand here, in both languages, in a fixed order."""
    names = {
        "NAME": ("名称", "a name"),
        "NUMBER": ("数", "a number"),
        "STRING": ("「文字」", "a quoted text"),
        "BLOCK": ("{", "{"),
        "FACT": ("出处编号", "a citation"),
        "LETTER": ("a b c", "a b c"),
        "ORDINAL": ("第几", "slot n"),
        "$END": ("子句到此为止", "the end of the clause"),
    }
    shown: list[tuple[str, str]] = []
    for kind in sorted(kinds, key=lambda k: (k not in names, k not in PUNCTUATION, k)):
        if kind in names:
            shown.append(names[kind])
        elif kind in PUNCTUATION:
            shown.append(PUNCTUATION[kind])
        elif kind in KEYWORDS:
            shown.append((spell(kind, "zh"), spell(kind, "en")))
    shown = shown[:6]
    return "、".join(f"`{zh}`" for zh, _ in shown), ", ".join(f"`{en}`" for _, en in shown)


__all__ = ["INSIDE", "SPELLINGS", "parse"]
