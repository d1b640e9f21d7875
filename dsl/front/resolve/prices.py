"""价: the score tables laid over the ground melds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lark import Tree

from ...core.model import Meld, Price
from ...text.diagnostics import Diagnostic
from ...text.source import Span
from ...text.spelling import closest
from ..syntax import Clause, dotted, has_token, name_of, number_of, tokens, trees
from .scope import Scope, rule_of

Columns = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a meld lies in a table: the columns that all its tiles stand in, and those of each tile."""

    whole: Columns
    tiles: tuple[Columns, ...] = ()
    """In the order of the meld's tiles; empty where no row prices the meld tile by tile."""

    def counted(self, row: _Row) -> tuple[Columns, ...]:
        """The columns of which each gives one cell of the row."""
        return self.tiles if row.per_tile else (self.whole,)


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    cells: tuple[int | None, ...]
    over: tuple[str, ...]
    clause: Clause
    per_tile: bool
    """Every tile counts the cell of its own column, and the meld counts what they come to."""

    def covers(self, name: str) -> bool:
        return name == self.name or name.startswith(self.name + ".")


@dataclass(slots=True)
class _Table:
    name: str
    columns: list[frozenset[int]]
    heads: list[str]
    """What the columns are called."""
    standing: list[Columns]
    """The columns that each face stands in."""
    rows: list[_Row] = field(default_factory=list)
    sound: bool = True
    """False when a fault elsewhere already explains why prices are missing."""
    excused: list[str] = field(default_factory=list)
    """Melds whose own row has been complained of."""
    reported: set[tuple[str, str]] = field(default_factory=set)

    def excuses(self, name: str) -> bool:
        known = any(name == n or name.startswith(n + ".") for n in self.excused)
        return known or not self.sound


def resolve_prices(scope: Scope, shape: tuple[int, ...], complete: bool = True) -> None:
    """Give every ground meld its price in every table.

    `complete` False: the deck or the melds are faulty, so nothing is said of prices that are missing.
    """
    names = list(dict.fromkeys(k[1] for k in scope.assembled.clauses if k[0] == "价"))
    scope.scores.extend(names)
    tables = [_table(scope, name, complete) for name in names]
    known: dict[tuple[int, tuple[_Places, ...]], tuple[Price, ...]] = {}
    for i, meld in enumerate(scope.melds):
        fitting = tuple(_places(table, meld) for table in tables)
        key = (meld.type.index, fitting)
        if key not in known:
            needed = _can_win(meld, shape)
            prices = (_price(scope, t, meld, f, needed) for t, f in zip(tables, fitting, strict=True))
            known[key] = tuple(prices)
        scope.melds[i] = replace(meld, prices=known[key])


def _places(table: _Table, meld: Meld) -> _Places:
    whole = tuple(i for i, column in enumerate(table.columns) if column.issuperset(meld.tiles))
    if any(row.per_tile and row.covers(meld.type.name) for row in table.rows):
        return _Places(whole, tuple(table.standing[kind] for kind in meld.tiles))
    return _Places(whole)


def _table(scope: Scope, name: str, complete: bool) -> _Table:
    faults = len(scope.faults)
    columns = _columns(scope, name)
    standing = [tuple(i for i, c in enumerate(columns) if k in c) for k in range(len(scope.kinds))]
    table = _Table(name, columns, _heads(scope, name), standing)
    table.sound = complete and len(scope.faults) == faults
    for clause in scope.assembled.under("价", name):
        if clause.kind == "row":
            _row(scope, table, clause)
    return table


def _can_win(meld: Meld, shape: tuple[int, ...]) -> bool:
    """Can the meld stand in a finished hand at all? One that counts as nothing always can."""
    return not meld.stand and all(g <= s for g, s in zip(meld.type.gives, shape, strict=True))


def _columns(scope: Scope, table: str) -> list[frozenset[int]]:
    clause = scope.assembled.clauses.get(("价", table, "列"))
    if clause is None:
        return [frozenset(range(len(scope.kinds)))]
    result: list[frozenset[int]] = []
    for item in clause.tree.children:
        if isinstance(item, Tree) and item.data == "word":
            name = name_of(item)
            if name not in scope.classes:
                scope.unknown(name, ("类", "class"), scope.classes, scope.span(clause, item))
            result.append(scope.classes.get(name, frozenset()))
        elif not isinstance(item, Tree) and item.type == "ALL":
            result.append(frozenset(range(len(scope.kinds))))
    return result


def _heads(scope: Scope, table: str) -> list[str]:
    """What the columns are called; nothing where there is but one without a name."""
    clause = scope.assembled.clauses.get(("价", table, "列"))
    found: list[str] = []
    for item in () if clause is None else clause.tree.children:
        if isinstance(item, Tree) and item.data == "word":
            found.append(name_of(item))
        elif not isinstance(item, Tree) and item.type == "ALL":
            found.append(str(item))
    return found


def _row(scope: Scope, table: _Table, clause: Clause) -> None:
    names = [dotted(n) for n in trees(clause.tree, "meld_name")]
    cells = [_cell(n) for n in trees(clause.tree, "cell", "hole")]
    known = [t.name for t in scope.types]
    for node, name in zip(trees(clause.tree, "meld_name"), names, strict=True):
        if not scope.types_named(name):
            scope.unknown(name, ("牌型", "meld"), known, scope.span(clause, node))
            table.excused += filter(None, [closest(name, known)])
    if len(cells) == len(table.columns):
        per_tile = has_token(clause.tree, "PER_TILE")
        table.rows.append(_Row(names[0], tuple(cells), tuple(names[1:]), clause, per_tile))
    else:
        counts = {"found": len(cells), "expected": len(table.columns)}
        scope.faults.append(Diagnostic("T008", clause.span, counts, _head(scope, table)))
        table.excused.append(names[0])


def _cell(node: Tree) -> int | None:  # type: ignore[type-arg]
    return None if node.data == "hole" or tokens(node, "MISSING") else number_of(trees(node)[0])


def _price(scope: Scope, table: _Table, meld: Meld, places: _Places, needed: bool) -> Price:
    """The price of a meld that lies so; a fault is told of the first such meld of a type."""
    candidates = [r for r in table.rows if r.covers(meld.type.name)]
    defeated = {name for r in candidates for name in r.over}
    candidates = [r for r in candidates if r.name not in defeated]
    found = {(points, r.name): r for r in candidates for points in _points(r, places)}
    if len({points for points, _ in found}) == 1:
        (points, _), row = next(iter(found.items()))
        one = len(places.whole) == 1 and not row.per_tile and len(table.heads) > 1
        return Price(points, rule_of(row.clause), table.heads[places.whole[0]] if one else "")
    if needed and not candidates and not any(meld.type.gives):
        return Price(0, meld.type.rule)  # what counts as nothing is worth nothing where no row speaks of it
    if needed and not table.excuses(meld.type.name):
        _complain(scope, table, meld, candidates, places)
    return Price(None, meld.type.rule)


def _points(row: _Row, places: _Places) -> set[int | None]:
    """What the row can be read to give: one number if it is clear, several if it is not, or none."""
    totals: set[int | None] = {0}
    for columns in places.counted(row):
        cells = {row.cells[i] for i in columns}
        totals = {None if t is None or c is None else t + c for t in totals for c in cells}
    return totals


def _complain(scope: Scope, table: _Table, meld: Meld, candidates: list[_Row], places: _Places) -> None:
    """Say once for each meld why it has no single price."""
    code, tiles = _reason(candidates, places, meld.tiles)
    told = (code, "" if code == "T018" else meld.type.name)
    if told in table.reported:
        return
    table.reported.add(told)
    names = "".join(scope.kinds[k].name for k in tiles)
    values: dict[str, object] = {"meld": meld.type.name, "tiles": names, "table": table.name}
    span, related = meld.type.rule.span, list[tuple[Span, str]]()
    if code in ("T003", "T018"):
        first, last = candidates[0].clause, candidates[-1].clause
        values |= {"first": first.text, "second": last.text, "base": candidates[0].name}
        span, related = last.span, [(first.span, "row")] if code == "T003" else []
    if code in ("T004", "T018", "T059"):
        related += _head(scope, table)
    scope.faults.append(Diagnostic(code, span, values, tuple(related)))


def _head(scope: Scope, table: _Table) -> tuple[tuple[Span, str], ...]:
    columns = scope.assembled.clauses.get(("价", table.name, "列"))
    return () if columns is None else ((columns.span, "columns"),)


def _reason(candidates: list[_Row], places: _Places, tiles: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """The fault, and the tiles to show it on."""
    if not candidates:
        return "T002", tiles
    if len({r.name for r in candidates}) > 1:
        return "T003" if any(_points(r, places) for r in candidates) else "T004", tiles
    (row,) = candidates
    if not row.per_tile:
        return "T018" if places.whole else "T004", tiles
    for tile, columns in zip(tiles, places.tiles, strict=True):
        cells = {row.cells[i] for i in columns}
        if len(cells) != 1:
            return "T018" if cells else "T059", (tile,)
    raise AssertionError("such a row has a price")
