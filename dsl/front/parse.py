"""A source to rulesets: lex, structure, then each clause through lark on its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from ..text.diagnostics import Diagnostic
from ..text.source import Source, Span
from . import syntax
from .complain import fed_tokens, unexpected, unfinished
from .keys import key_of
from .lex import grammar, lex, span_of
from .structure import RawBlock, RawClause, opens_ruleset, structure
from .syntax import Clause, Node, Ruleset

DEPTH = 40
"""Braces and brackets inside each other, or `非` in a row, that a spec may have."""

INSIDE = {
    "rules": "ruleset",
    "template": "ruleset",
    "judgement": "ruleset",
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
    "ranks": "ranks",
    "flow": "flow",
    "example": "example",
}
"""For each kind of clause that has braces, the kind of block inside."""


def parse(source: Source) -> tuple[tuple[Ruleset, ...], tuple[Diagnostic, ...]]:
    """All rulesets of a file and every fault of its form."""
    if not source.text.strip("\ufeff \t\r\n\u3000"):
        return (), (Diagnostic("P008", Span(source.path)),)
    tokens, lexical = lex(source)
    deep = _too_deep(tokens)
    if deep is not None:
        return (), (Diagnostic("P015", span_of(source.path, deep), {"limit": DEPTH}),)
    block, structural = structure(source.path, tokens)
    parser = _Parser(source, frozenset(fault.span.line for fault in lexical))
    rulesets = tuple(
        replace(r, torn=frozenset(parser.lost), whole=parser.whole) for r in parser.file(block, structural)
    )
    faults = (*lexical, *structural, *parser.faults)
    if not rulesets and not faults:
        faults = (Diagnostic("P008", Span(source.path)),)
    return rulesets, faults


def parse_clause(source: Source, start: str, above: tuple[str, ...]) -> Clause | None:
    """The one clause of a text as it would stand in a block of kind `start` under the key `above`; None when
    it is no such clause."""
    tokens, lexical = lex(source)
    block, structural = structure(source.path, tokens, start == "flow")
    if lexical or structural or len(block.clauses) != 1 or _too_deep(tokens) is not None:
        return None
    parser = _Parser(source, frozenset())
    clause = parser.clause(block.clauses[0], start, above)
    return None if parser.faults else clause


def _too_deep(tokens: list[Token]) -> Token | None:
    """The first token nested so deeply that no honest rule needs it; later steps recurse."""
    depth = nots = 0
    for token in tokens:
        depth += {"LBRACE": 1, "LPAR": 1, "RBRACE": -1, "RPAR": -1}.get(token.type, 0)
        nots = nots + 1 if token.type == "NOT" else 0
        if max(depth, nots) > DEPTH:
            return token
    return None


@dataclass
class _Parser:
    source: Source
    torn: frozenset[int]
    """Lines with characters that fit nowhere; what is left of their clauses is not worth a second report."""
    faults: list[Diagnostic] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    """Words of clauses that could not be read."""
    whole: bool = True

    def file(self, block: RawBlock, structural: list[Diagnostic]) -> tuple[Ruleset, ...]:
        """The rulesets; clauses that fell out of the one before are read as if they stood in it."""
        found: list[Ruleset] = []
        before: RawClause | None = None
        strays = 0
        for raw in block.clauses:
            if opens_ruleset(raw.head):
                before, strays = raw, 0
                ruleset = self.ruleset(raw)
                found += [ruleset] if ruleset is not None else []
            elif before is None and strays:
                continue
            else:
                strays += 1
                self._stray(raw, before, strays, structural)
        templates = {r.name for r in found if r.template}
        return tuple(replace(r, template=True) if r.of in templates else r for r in found)

    def _stray(
        self, raw: RawClause, before: RawClause | None, nth: int, structural: list[Diagnostic]
    ) -> None:
        """A clause outside any ruleset: the `}` before it came too early, or the ruleset never began."""
        if nth == 1:
            extra = next((fault for fault in structural if fault.code == "P005"), None)
            structural[:] = [fault for fault in structural if fault is not extra]
        if before is None:
            self._tree(raw, "file")
            return
        if nth == 1 and before.body is not None and before.body.closed is not None:
            self._fault("P014", span_of(self.source.path, before.body.closed))
        self.clause(raw, "ruleset", ())

    def ruleset(self, raw: RawClause) -> Ruleset | None:
        clause = self.clause(raw, "file", ())
        if clause is None or clause.kind not in ("rules", "template", "judgement"):
            return None
        tree = clause.tree
        extends = syntax.child(tree, "extends")
        base = None
        if extends is not None:
            base = syntax.unquoted(list(syntax.all_tokens(extends))[-1])
        judged = syntax.child(tree, "judged")
        own = syntax.names_of(tree)[0]
        of = None if judged is None else ".".join(syntax.names_of(judged))
        return Ruleset(
            name=own if of is None else f"{of}.{own}",
            title=syntax.string_of(tree),
            template=clause.kind == "template",
            base=base,
            base_span=syntax.span_of_node(self.source.path, extends or judged or tree),
            clauses=clause.children,
            span=clause.span,
            path=self.source.path,
            of=of,
        )

    def block(self, raw: RawBlock, kind: str, above: tuple[str, ...]) -> tuple[Clause, ...]:
        found = (self.clause(clause, kind, above) for clause in raw.clauses)
        return tuple(clause for clause in found if clause is not None)

    def clause(self, raw: RawClause, start: str, above: tuple[str, ...]) -> Clause | None:
        tree = self._tree(raw, start)
        if tree is None:
            named = (t for t in (*raw.head, *raw.tail) if t.type in ("NAME", "QNAME", "FACT"))
            self.lost |= {syntax.unquoted(t) for t in named}
            self.whole = self.whole and raw.body is None
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
        kind = {"if": "when", "verdict": "judgement"}.get(opener, opener)
        if kind in INSIDE and kind != "meld":
            self.block(raw.body, INSIDE[kind], above)

    # ------------------------------------------------------------ one clause through lark

    def _tree(self, raw: RawClause, start: str) -> Node | None:
        parser = grammar().parse_interactive(start=f"{start}_clause")
        fed = list(fed_tokens(raw))
        for i, token in enumerate(fed):
            try:
                parser.feed_token(token)
            except UnexpectedToken:
                self._report(unexpected(self.source.path, raw, start, fed[:i], token), raw)
                return None
        try:
            tree: Node = parser.feed_eof(fed[-1] if fed else None)  # type: ignore[no-untyped-call]
        except UnexpectedInput:
            self._report(unfinished(self.source.path, raw, start, fed), raw)
            return None
        return tree

    def _report(self, fault: Diagnostic, raw: RawClause) -> None:
        """Keep the fault unless it only follows from one before it on the same line."""
        lines = {token.line for token in (*raw.head, *raw.tail)}
        first = span_of(self.source.path, next(fed_tokens(raw)))
        follows = bool(self.faults) and fault.span == first and self.faults[-1].span.line == first.line
        if not (follows or lines & self.torn):
            self.faults.append(fault)

    def _fault(self, code: str, span: Span, **values: object) -> None:
        self.faults.append(Diagnostic(code, span, values))

    # ------------------------------------------------------------ where and what

    def _span(self, raw: RawClause) -> Span:
        first, last = raw.head[0], (raw.tail or raw.head)[-1]
        return span_of(self.source.path, first).to(span_of(self.source.path, last))

    def _text(self, raw: RawClause) -> str:
        words = [*_until_cites(raw.head)]
        return _joined(words)


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
    for inner in node.iter_subtrees_topdown():  # type: ignore[no-untyped-call]
        if str(inner.data) in INSIDE:
            return str(inner.data)
    return "meld"


def _cites(tree: Node) -> tuple[str, ...]:
    found = [t for node in tree.find_data("cites") for t in syntax.tokens(node, "FACT")]
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
