"""价: the score tables laid over the ground melds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lark import Tree

from ...core.model import Meld, Price
from ..syntax import Clause, dotted, name_of, number_of, tokens, trees
from .scope import Scope, rule_of


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    cells: tuple[int | None, ...]
    over: tuple[str, ...]
    clause: Clause

    def covers(self, name: str) -> bool:
        return name == self.name or name.startswith(self.name + ".")


def resolve_prices(scope: Scope, shape: tuple[int, ...]) -> None:
    """Give every ground meld its price in every table."""
    tables = list(dict.fromkeys(k[1] for k in scope.assembled.clauses if k[0] == "价"))
    scope.scores.extend(tables)
    columns = [_columns(scope, table) for table in tables]
    rows = [_rows(scope, table, len(cols)) for table, cols in zip(tables, columns, strict=True)]
    reported: set[tuple[str, str]] = set()
    for i, meld in enumerate(scope.melds):
        prices = [
            _price(scope, table, cols, rows_, meld, _can_win(meld, shape), reported)
            for table, cols, rows_ in zip(tables, columns, rows, strict=True)
        ]
        scope.melds[i] = replace(meld, prices=tuple(prices))


def _can_win(meld: Meld, shape: tuple[int, ...]) -> bool:
    """Can the meld stand in a finished hand at all?"""
    return any(meld.type.gives) and all(g <= s for g, s in zip(meld.type.gives, shape, strict=True))


def _columns(scope: Scope, table: str) -> list[frozenset[int]]:
    clause = scope.assembled.clauses.get(("价", table, "列"))
    if clause is None:
        return [frozenset(range(len(scope.kinds)))]
    result: list[frozenset[int]] = []
    for item in clause.tree.children:
        if isinstance(item, Tree) and item.data == "word":
            name = name_of(item)
            if name not in scope.classes:
                scope.unknown(name, ("类", "a class"), scope.classes, scope.span(clause, item))
            result.append(scope.classes.get(name, frozenset()))
        elif not isinstance(item, Tree) and item.type == "ALL":
            result.append(frozenset(range(len(scope.kinds))))
    return result


def _rows(scope: Scope, table: str, width: int) -> list[_Row]:
    result = []
    for clause in scope.assembled.under("价", table):
        if clause.kind != "row":
            continue
        names = [dotted(n) for n in trees(clause.tree, "meld_name")]
        cells = [_cell(n) for n in trees(clause.tree, "cell", "hole")]
        if len(cells) != width:
            scope.fault("T008", clause.span, found=len(cells), expected=width)
            continue
        known = [t.name for t in scope.types]
        for name in names:
            if not scope.types_named(name):
                scope.unknown(name, ("牌型", "a meld"), known, clause.span)
        result.append(_Row(names[0], tuple(cells), tuple(names[1:]), clause))
    return result


def _cell(node: Tree) -> int | None:  # type: ignore[type-arg]
    return None if node.data == "hole" or tokens(node, "MISSING") else number_of(trees(node)[0])


def _price(
    scope: Scope,
    table: str,
    columns: list[frozenset[int]],
    rows: list[_Row],
    meld: Meld,
    needed: bool,
    reported: set[tuple[str, str]],
) -> Price:
    candidates = [r for r in rows if r.covers(meld.type.name)]
    defeated = {name for r in candidates for name in r.over}
    candidates = [r for r in candidates if r.name not in defeated]
    fitting = [i for i, column in enumerate(columns) if set(meld.tiles) <= column]
    cells = {(r.cells[i], r.name): r for r in candidates for i in fitting}
    if len({points for points, _ in cells}) == 1:
        (points, _), row = next(iter(cells.items()))
        return Price(points, rule_of(row.clause))
    if needed:
        _complain(scope, table, meld, candidates, fitting, reported)
    return Price(None, meld.type.rule)


def _complain(
    scope: Scope,
    table: str,
    meld: Meld,
    candidates: list[_Row],
    fitting: list[int],
    reported: set[tuple[str, str]],
) -> None:
    tiles = "".join(scope.kinds[k].name for k in meld.tiles)
    code = "T002" if not candidates else "T004" if not fitting else "T003"
    if (code, meld.type.name) in reported:
        return
    reported.add((code, meld.type.name))
    values: dict[str, object] = {"meld": meld.type.name, "tiles": tiles, "table": table}
    span = meld.type.rule.span
    if code == "T003":
        values |= {"first": candidates[0].clause.text, "second": candidates[-1].clause.text}
        span = candidates[-1].clause.span
    scope.fault(code, span, **values)
