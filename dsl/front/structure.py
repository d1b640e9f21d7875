"""Tokens to clauses and blocks: one clause per line or `；`, braces belong to the clause before them.

This split comes before the grammar, so that every clause is parsed alone: a mistake in one cannot
swallow the next, and three mistakes give three messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from ..text.diagnostics import Diagnostic
from .lex import span_of

SEPARATORS = frozenset({"NEWLINE", "SEMI"})


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


def structure(path: str, tokens: list[Token]) -> tuple[RawBlock, list[Diagnostic]]:
    """The file as a block of clauses; unbalanced braces are reported where they stand."""
    builder = _Builder(path)
    for token in tokens:
        builder.take(token)
    return builder.finish()


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
        elif block.opened is not None and block.opened.line == token.line and not block.clauses:
            block.opening_comment = token
        else:
            clause.above.append(token)

    def _open(self, token: Token) -> None:
        if self.clause.body is not None:
            self._end_clause()
        self.clause.body = RawBlock(opened=token)
        self.stack.append((self.clause.body, RawClause()))

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


def _last_line(clause: RawClause) -> int:
    if clause.tail:
        return clause.tail[-1].line or 0
    if clause.body is not None:
        return (clause.body.closed.line or 0) if clause.body.closed else 0
    return clause.head[-1].line or 0
