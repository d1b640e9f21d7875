"""One canonical look for a spec: `format_source` moves white space and spellings, never a word.

It works on the tokens as `structure.py` splits them, so comments stay where they were. Every choice
that could depend on the language (does a block fit on one line?) is made for both, so that a file
translated and translated back is the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lark import Token

from ..text.codes import Lang
from ..text.diagnostics import Diagnostic
from ..text.display import display_width
from ..text.source import Source, line_end
from .keywords import KEYWORDS
from .lex import lex
from .parse import parse
from .respell import Style
from .structure import RawBlock, RawClause, structure

WIDTH = 100
"""Columns that a block written on one line may fill."""
COLUMN = 80
"""A line that reaches further does not push the citations of its neighbours to the right."""
CELL = 60
"""A wider cell does not push the next column of its neighbours to the right."""
INDENT = "  "
BOTH = (Style("zh", "zh"), Style("en", "en"))


def format_source(source: Source, lang: Lang | None) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text in canonical form, keywords and punctuation in `lang` (None: each keyword as it is).

    A file with faults of form comes back unchanged, with the faults.
    """
    _, faults = parse(source)
    if faults:
        return source.text, faults
    tokens, _ = lex(source)
    block, _ = structure(source.path, tokens)
    lines = _Layout(source, Style.of(lang, tokens)).block(block, "", 0)
    return line_end(source.text).join([*lines, ""]), ()


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    """The first line of a clause, taken apart: columns, citations, and what the line ends with."""

    cells: tuple[_Cell, ...]
    kind: str = ""
    """Rows of different kinds stand in columns of their own."""
    cites: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class _Layout:
    source: Source
    style: Style

    def block(self, block: RawBlock, section: str, depth: int) -> list[str]:
        """The lines of what stands inside a block (or of a whole file), blank lines kept single."""
        lines: list[str] = []
        at = None
        for first, last, shown in self._items(block, section, depth):
            if at is not None and self._blank(at, first):
                lines.append("")
            lines += shown
            at = last
        return lines

    def _items(self, block: RawBlock, section: str, depth: int) -> Iterator[tuple[int, int, list[str]]]:
        """Comments and clauses in order: first line and last line in the source, lines to write."""
        heads = [head for run in self._runs(block) for head in self._aligned(run, section, depth)]
        for clause, head in zip(block.clauses, heads, strict=True):
            for comment in clause.above:
                yield self._own_line(comment, depth)
            yield _first(clause), _last(clause), self._clause(clause, head, depth)
        for comment in block.trailing:
            yield self._own_line(comment, depth)

    def _own_line(self, comment: Token, depth: int) -> tuple[int, int, list[str]]:
        line = comment.line or 0
        return line, line, [INDENT * depth + _remark(comment)]

    def _blank(self, after: int, before: int) -> bool:
        """Does an empty line stand between these two lines of the source?"""
        return any(not self.source.line(n).strip() for n in range(after + 1, before))

    def _clause(self, clause: RawClause, head: str, depth: int) -> list[str]:
        """A clause whose first line is ready: its block and what follows it."""
        if clause.body is None or self._short(clause, depth):
            return [head]
        body = clause.body
        opening = [] if body.opening_comment is None else [_remark(body.opening_comment)]
        inside = self.block(body, _section(clause), depth + 1)
        closing = " ".join(filter(None, ["}", self.style.text(clause.tail)]))
        beside = [] if clause.beside is None else [_remark(clause.beside)]
        return ["  ".join([head, *opening]), *inside, "  ".join([INDENT * depth + closing, *beside])]

    # ------------------------------------------------------------ blocks on one line

    def _short(self, clause: RawClause, depth: int) -> bool:
        """Does the whole clause stay on one line? Decided alike in every language."""
        if not _written_short(clause):
            return False
        room = WIDTH - len(INDENT) * depth
        return all(display_width(_Layout(self.source, style)._whole(clause, "")) <= room for style in BOTH)

    def _whole(self, clause: RawClause, section: str) -> str:
        """The clause on one line, without alignment."""
        head = self.style.text(clause.head, _signed(clause, section))
        parts = [head, self._braces(clause), self.style.text(clause.tail)]
        return " ".join(filter(None, parts))

    def _braces(self, clause: RawClause) -> str:
        if clause.body is None:
            return ""
        between = "；" if self.style.punctuation == "zh" else "; "
        inside = between.join(self._whole(c, _section(clause)) for c in clause.body.clauses)
        return f"{{ {inside} }}" if inside else "{}"

    # ------------------------------------------------------------ neighbours in columns

    def _runs(self, block: RawBlock) -> Iterator[list[RawClause]]:
        """Clauses that follow each other without an empty line."""
        run: list[RawClause] = []
        for clause in block.clauses:
            if run and self._blank_above(run[-1], clause):
                yield run
                run = []
            run.append(clause)
        if run:
            yield run

    def _blank_above(self, before: RawClause, clause: RawClause) -> bool:
        return self._blank(_last(before), _first(clause))

    def _aligned(self, run: list[RawClause], section: str, depth: int) -> list[str]:
        """The first line of each clause, columns, citations and comments under each other."""
        rows = [self._row(clause, section, depth) for clause in run]
        lines = [INDENT * depth + text for text in _columns(rows)]
        lines = _tailed(lines, [row.cites for row in rows])
        return _tailed(lines, [row.end for row in rows])

    def _row(self, clause: RawClause, section: str, depth: int) -> _Row:
        end = "" if clause.beside is None else _remark(clause.beside)
        if clause.body is None:
            words, cites = _split(clause.head)
            cells = self._cells(words, section, _signed(clause, section))
            return _Row(cells, "", self.style.text(cites), end)
        cells = self._cells(clause.head, section, _signed(clause, section))
        if self._short(clause, depth):
            braces, tail = _Cell(self._braces(clause)), self.style.text(clause.tail)
            return _Row((*cells, braces), _section(clause) or section, tail, end)
        return _Row((*cells[:-1], replace(cells[-1], text=f"{cells[-1].text} {{")))

    def _cells(self, words: list[Token], section: str, signed: bool) -> tuple[_Cell, ...]:
        """A clause in columns; a meld's attributes are one column, with two blanks between them."""
        match section:
            case "PRICE":
                return tuple(
                    _Cell(self.style.text(t, signed), i > 0) for i, t in enumerate(_price_cells(words))
                )
            case "MELDS":
                return tuple(_Cell("  ".join(map(self.style.text, p))) for p in _meld_cells(words))
            case "NAMES":
                return tuple(_Cell(self.style.text(t)) for t in _before(words, "TIMES"))
            case "WAITS":
                return tuple(_Cell(self.style.text(t)) for t in _before(words, "NUMBER", "ON"))
            case _:
                return (_Cell(self.style.text(words, signed)),)


# ---------------------------------------------------------------- columns


def _columns(rows: list[_Row]) -> list[str]:
    """The cells of each row, padded to the widest of their column that is not too wide."""
    wide: dict[tuple[str, int], int] = {}
    for row in rows:
        for i, cell in enumerate(row.cells):
            width = display_width(cell.text)
            if width <= CELL and (i < len(row.cells) - 1 or cell.right):
                wide[row.kind, i] = max(wide.get((row.kind, i), 0), width)
    return [_joined(row, [wide.get((row.kind, i), 0) for i in range(len(row.cells))]) for row in rows]


def _joined(row: _Row, widths: list[int]) -> str:
    """Two blanks between columns, one before a block."""
    padded = [_padded(cell, width) for cell, width in zip(row.cells, widths, strict=True)]
    if not row.kind:
        return "  ".join(padded).rstrip()
    return f"{'  '.join(padded[:-1])} {padded[-1]}".rstrip()


def _padded(cell: _Cell, width: int) -> str:
    blanks = " " * max(width - display_width(cell.text), 0)
    return blanks + cell.text if cell.right else cell.text + blanks


def _tailed(lines: list[str], tails: list[str]) -> list[str]:
    """Each line with its tail; tails stand under each other, except behind lines that are too long."""
    widths = [display_width(line) for line in lines]
    column = max((w for w, tail in zip(widths, tails, strict=True) if tail and w <= COLUMN), default=0)
    return [
        f"{line}{' ' * max(column - width, 0)}  {tail}" if tail else line
        for line, width, tail in zip(lines, widths, tails, strict=True)
    ]


def _before(words: list[Token], *kinds: str) -> list[list[Token]]:
    """The words cut before the first token of each kind, where there is one."""
    cuts = [next((i for i, word in enumerate(words) if i and word.type == kind), 0) for kind in kinds]
    starts = [0, *sorted(filter(None, cuts))]
    return [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _price_cells(words: list[Token]) -> list[list[Token]]:
    """A row of a price table: the melds, each price, and the rest from 代 on."""
    if words[0].type == "COLUMNS":
        return [[word] for word in words]
    cells: list[list[Token]] = [[]]
    for word in words:
        starts = word.type in {"MINUS", "MISSING", "OVER"}
        starts |= word.type == "NUMBER" and cells[-1][-1:] != [] and cells[-1][-1].type != "MINUS"
        if starts:
            cells.append([])
        cells[-1].append(word)
    return cells


PATTERN = frozenset({"LETTER", "MANY", "LPAR", "RPAR"})
"""What the pattern of a meld is written with."""


def _meld_cells(words: list[Token]) -> list[list[list[Token]]]:
    """A meld: its name, its pattern, and its attributes, each apart."""
    starts = (i for i, w in enumerate(words) if w.type in PATTERN or w.type in KEYWORDS)
    pattern = next(starts, len(words))
    rest = next((i for i, w in enumerate(words) if i >= pattern and w.type not in PATTERN), len(words))
    parts: list[list[Token]] = []
    for i, word in enumerate(words[rest:], rest):
        if not parts or _starts_part(words, i):
            parts.append([])
        parts[-1].append(word)
    columns = [[words[:pattern]], [words[pattern:rest]], parts]
    return columns if parts else columns[:2]


def _starts_part(words: list[Token], i: int) -> bool:
    if any(word.type == "WHERE" for word in words[:i]):
        return False
    word = words[i]
    if word.type == "LAST" and words[i - 1].type == "EXTRA":
        return False
    return word.type in KEYWORDS or (word.type == "ORDINAL" and words[i - 1].type != "ORDINAL")


# ---------------------------------------------------------------- clauses


def _section(clause: RawClause) -> str:
    """The keyword that opens a block, empty for a block under a name."""
    kind = clause.head[0].type if clause.head else ""
    return kind if kind in KEYWORDS else ""


def _signed(clause: RawClause, section: str) -> bool:
    """Do the minus signs of this clause make negative numbers, rather than subtract?"""
    kinds = [token.type for token in clause.head[:3]]
    if kinds[:1] == ["VALUE"] and kinds[2:] == ["EQ"]:
        return False
    placed = kinds[:1] in (["REPLACE"], ["ADD"]) and bool({"PRICE", "VALUE"} & set(kinds))
    printed = kinds[:2] == ["PRINTED", "PAYS"]
    return section == "PRICE" or placed or printed or kinds[:1] in (["RETUNE"], ["VALUE"], ["PAYS"])


def _split(words: list[Token]) -> tuple[list[Token], list[Token]]:
    """What a clause says, and its citations."""
    at = next((i for i, word in enumerate(words) if word.type == "CITES"), len(words))
    return words[:at], words[at:]


def _written_short(clause: RawClause) -> bool:
    """Did the author write the braces on one line (or leave them empty)?"""
    body = clause.body
    if body is None or body.opened is None or body.closed is None:
        return False
    empty = not (body.clauses or body.trailing or body.opening_comment)
    return empty or body.opened.line == body.closed.line


def _first(clause: RawClause) -> int:
    """The line of the source where the clause begins."""
    opened = clause.body.opened if clause.body else None
    return next((token.line or 0 for token in (*clause.head, opened) if token), 0)


def _last(clause: RawClause) -> int:
    """The line of the source where the clause ends."""
    closed = clause.body.closed if clause.body else None
    return next((token.line or 0 for token in (*clause.tail[::-1], closed, *clause.head[::-1]) if token), 0)


def _remark(comment: Token) -> str:
    return str(comment.value).rstrip()
