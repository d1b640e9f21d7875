"""Tokens to clauses and blocks: one clause per line or `；`, braces belong to the clause before them.

This split comes before the grammar, so that every clause is parsed alone: a mistake in one cannot
swallow the next, and three mistakes give three messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from lark import Token

from ..text.diagnostics import Diagnostic
from .keywords import OF_THE_TABLE
from .lex import span_of

RULESETS = frozenset({"RULES", "TEMPLATE"})
"""Words that open a ruleset; `判 … 于 …` does so too."""
SECTIONS = frozenset(
    {"DECK", "ORIGINS", "SEATS", "MELDS", "NAMES", "WIN", "FALSE_WIN", "PAYMENT", "WAITS", "RANKS", "FLOW"}
)
NAMED = frozenset({"PRICE", "EXAMPLE", "READING", "IF"})
"""What a brace can open directly inside a ruleset: these blocks do not nest."""


@dataclass(slots=True)
class RawClause:
    """The tokens of one clause; `body` and what follows it on the same line, if it has braces."""

    head: list[Token] = field(default_factory=list)
    body: RawBlock | None = None
    tail: list[Token] = field(default_factory=list)
    above: list[Token] = field(default_factory=list)
    """Comments on the lines before."""
    beside: Token | None = None
    """Comment at the end of the line."""
    blank_above: bool = False


@dataclass(slots=True)
class RawBlock:
    """What stands between two braces, or the whole file."""

    opened: Token | None = None
    closed: Token | None = None
    clauses: list[RawClause] = field(default_factory=list)
    trailing: list[Token] = field(default_factory=list)
    """Comments after the last clause."""
    opening_comment: Token | None = None


def structure(path: str, tokens: list[Token], table: bool = False) -> tuple[RawBlock, list[Diagnostic]]:
    """The file as a block of clauses; unbalanced braces are reported where they stand.

    `table`: the clauses are those of a 流程, though its head is not there.
    """
    builder = _Builder(path)
    for token in tokens:
        builder.take(token)
    block, faults = builder.finish()
    _free_names(block, table)
    return block, faults


def _free_names(block: RawBlock, table: bool) -> None:
    """Make words of the table names again in clauses that do not speak of it."""
    for clause in block.clauses:
        inside = table or any(token.type == "FLOW" for token in clause.head) or _of_players(clause.head)
        for token in () if inside else (*clause.head, *clause.tail):
            if token.type in OF_THE_TABLE:
                token.type = "NAME"
        if clause.body is not None:
            _free_names(clause.body, inside)


def _of_players(head: list[Token]) -> bool:
    """Is it a statement about players, `存在 一家 …`?"""
    pairs = pairwise(token.type for token in head)
    return any(a in ("EXISTS", "EVERY") and b in ("ONE_SEAT", "TWO_SEATS") for a, b in pairs)


class _Builder:
    def __init__(self, path: str) -> None:
        self.path = path
        self.stack: list[tuple[RawBlock, RawClause]] = [(RawBlock(), RawClause())]
        self.faults: list[Diagnostic] = []
        self.line_ends = 0

    def take(self, token: Token) -> None:
        if token.type != "NEWLINE":
            if self.line_ends > 1 and not self.clause.head and not self.clause.above:
                self.clause.blank_above = True
            self.line_ends = 0
        match token.type:
            case "NEWLINE":
                self.line_ends += 1
                self._end_clause()
            case "SEMI":
                self._end_clause()
            case "COMMENT":
                self._comment(token)
            case "LBRACE":
                self._open(token)
            case "RBRACE":
                self._close(token)
            case _:
                clause = self.clause
                (clause.head if clause.body is None else clause.tail).append(token)

    @property
    def block(self) -> RawBlock:
        return self.stack[-1][0]

    @property
    def clause(self) -> RawClause:
        return self.stack[-1][1]

    def _end_clause(self) -> None:
        block, clause = self.stack[-1]
        if clause.head or clause.body:
            block.clauses.append(clause)
            self.stack[-1] = (block, RawClause())

    def _comment(self, token: Token) -> None:
        block, clause = self.stack[-1]
        previous = block.clauses[-1] if block.clauses else None
        if clause.head or clause.body:
            clause.beside = token
        elif previous and _last_line(previous) == token.line:
            previous.beside = token
        elif _just_opened(block, token):
            block.opening_comment = token
        else:
            clause.above.append(token)

    def _open(self, token: Token) -> None:
        if self.clause.body is not None:
            self._end_clause()
        self._close_forgotten()
        self._take_back_head()
        body = RawBlock(opened=token)
        body.opening_comment, self.clause.beside = self.clause.beside, None
        self.clause.body = body
        self.stack.append((body, RawClause()))

    def _take_back_head(self) -> None:
        """A brace at the start of a line belongs to the clause of the line before."""
        block, clause = self.stack[-1]
        before = block.clauses[-1] if block.clauses else None
        if not (clause.head or clause.above) and before is not None and before.body is None:
            self.stack[-1] = (block, block.clauses.pop())

    def _close_forgotten(self) -> None:
        """A section inside a section, or a ruleset inside anything: a `}` before it is missing."""
        kind, depth = _opens(self.clause.head), len(self.stack)
        outermost = {"ruleset": 1, "section": 2}.get(kind, depth)
        if depth <= outermost or (kind == "section" and not self._in_section()):
            return
        clause = self.clause
        self.stack[-1] = (self.block, RawClause())
        while len(self.stack) > outermost:
            if self.block.opened is not None:
                self._fault("P004", self.block.opened)
            self._finish_block()
            self.stack.pop()
            self._end_clause()
        self.stack[-1] = (self.block, clause)

    def _in_section(self) -> bool:
        """Not inside `若`, whose block may only hold changes: there the section itself is the mistake."""
        outer, inner = self.stack[0][1].head, self.stack[1][1].head
        return _opens(outer) == "ruleset" and _opens(inner) == "section" and inner[0].type != "IF"

    def _close(self, token: Token) -> None:
        if len(self.stack) == 1:
            self._fault("P005", token)
            return
        self._finish_block()
        self.block.closed = token
        self.stack.pop()

    def _finish_block(self) -> None:
        self._end_clause()
        block, clause = self.stack[-1]
        block.trailing.extend(clause.above)

    def finish(self) -> tuple[RawBlock, list[Diagnostic]]:
        while len(self.stack) > 1:
            opened = self.block.opened
            if opened is not None:
                self._fault("P004", opened)
            self._finish_block()
            self.stack.pop()
        self._finish_block()
        return self.block, self.faults

    def _fault(self, code: str, token: Token) -> None:
        self.faults.append(Diagnostic(code, span_of(self.path, token)))


def _just_opened(block: RawBlock, comment: Token) -> bool:
    opened = block.opened
    beside = opened is not None and opened.line == comment.line
    return beside and not block.clauses and block.opening_comment is None


def opens_ruleset(head: list[Token]) -> bool:
    """Are these the first words of a ruleset, or of a judgement of one?"""
    first = head[0].type if head else ""
    return first in RULESETS or (first == "VERDICT" and any(token.type == "AT" for token in head))


def _opens(head: list[Token]) -> str:
    """Does a brace after these words open a ruleset or a section of one?"""
    first = head[0].type if head else ""
    if opens_ruleset(head):
        return "ruleset"
    return "section" if first in NAMED or (first in SECTIONS and len(head) == 1) else ""


def _last_line(clause: RawClause) -> int:
    if clause.tail:
        return clause.tail[-1].line or 0
    if clause.body is not None:
        return (clause.body.closed.line or 0) if clause.body.closed else 0
    return clause.head[-1].line or 0
