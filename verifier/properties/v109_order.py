"""V109: prices that punish the better deed.

(a) a meld worth less when its owner made it alone; (b) one more copy that adds nothing; (c) a meld
worth less than what its own tiles make apart. Gaps of a table are left to V106. What holds of the same
melds in several columns of a table is one finding.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from dsl.core.model import Complete, LastIn, Meld, Misnamed, Not, Price, Rule

from ..decode import Witness
from ..findings import Finding, Words, shown_meld
from ..formulas import exchanged
from ..order import dearest_split, foreign, longer_by_one, made_within, priced, tiles, worth
from ..study import Study, every, some
from ..table_money import cheap

TITLE = ("顺序颠倒", "order broken")
CHECK_SOURCE = (
    "核对原文的数；真是原文印错，就用读法把校正的价也列出来",
    "check the source; if the misprint is the source's own, offer the corrected price as a reading",
)


def findings(study: Study) -> Iterator[Finding]:
    """For every score table: worse when own, no better when longer, worse than apart; and cheap fines."""
    for table in range(len(study.game.scores)):
        melds = priced(study.world.melds, table)
        chosen = _representatives(melds, table)
        yield from _own(study, table, chosen, melds)
        yield from _longer(study, table, chosen, melds)
        yield from _apart(study, table, chosen, melds)
    yield from cheap(study)


def _representatives(melds: Sequence[Meld], table: int) -> list[Meld]:
    """One ground meld for each type, price, and prices of what else its faces make; others are like it."""
    made: dict[frozenset[int], list[Meld]] = {}
    for meld in melds:
        made.setdefault(frozenset(meld.tiles), []).append(meld)
    found: dict[Hashable, Meld] = {}
    for meld in melds:
        places = {face: place for place, face in enumerate(dict.fromkeys(slot.kind for slot in meld.slots))}
        around = frozenset(
            (other.type.index, worth(other, table), tuple(sorted(places[face] for face in other.tiles)))
            for other in made_within(meld, made)
        )
        found.setdefault((meld.type.index, worth(meld, table), around), meld)
    return list(found.values())


def _cell(study: Study, melds: Sequence[Meld], table: int) -> tuple[str, ...]:
    """What tells cells from others: another price in them makes them another finding."""
    return study.game.scores[table], melds[0].type.name, _numbers(worth(m, table) for m in melds)[1]


def _numbers(prices: Iterable[int]) -> Words:
    """The prices of several columns, each once."""
    told = dict.fromkeys(map(str, prices))
    return "、".join(told), ", ".join(told)


def _called(melds: Sequence[Meld], table: int) -> Words:
    """A meld with its prices in several columns."""
    zh, en = _numbers(worth(m, table) for m in melds)
    return f"`{melds[0].type.name}` {zh}", f"`{melds[0].type.name}` {en}"


def _prices(study: Study, melds: Sequence[Meld], table: int) -> list[Words]:
    """The cells that the prices stand in; then each meld with its price, one of each type and price."""
    lines: dict[tuple[int, int], Words] = {}
    for meld in melds:
        shown = shown_meld(study.game, meld.id)
        text = f"`{shown.name}` {''.join(shown.tiles)} = {worth(meld, table)}"
        lines.setdefault((meld.type.index, worth(meld, table)), (text, text))
    return [_cells([meld.prices[table] for meld in melds]), *lines.values()]


def _cells(prices: Sequence[Price]) -> Words:
    """Clause, column and number of each price, once."""
    told: dict[Words, None] = {}
    for price in prices:
        clause, points = f"`{price.rule.name}`", price.points or 0
        zh, en = (f" {price.column} 列", f" column {price.column}") if price.column else ("", "")
        told[f"{clause}{zh} {points}", f"{clause}{en} {points}"] = None
    return "价在：" + "，".join(zh for zh, _ in told), "priced in: " + ", ".join(en for _, en in told)


def _with(study: Study, meld: Meld) -> Witness | None:
    """The plainest finished hand that has the meld, a win if possible."""
    has = some(meld.type.name, study.game, [meld])
    winning = study.witness(every(study.win, has), meld.type.name)
    return winning or study.witness(every(Complete(), has), meld.type.name)


# ---------------------------------------------------------------- (a) own against others'


Better = tuple[Meld, list[Meld], Meld]
"""A meld, those of the same tiles that are worth more with others', and the best of them."""


def _own(study: Study, table: int, chosen: Sequence[Meld], melds: Sequence[Meld]) -> Iterator[Finding]:
    found: dict[tuple[int, int], list[Better]] = {}
    for own in chosen:
        made = tiles(own)
        same = [m for m in melds if m.type.gives == own.type.gives and tiles(m) == made]
        better = [m for m in same if foreign(m) > foreign(own) and worth(m, table) > worth(own, table)]
        if better:
            best = max(better, key=lambda m: (worth(m, table), foreign(m), -m.id))
            found.setdefault((own.type.index, best.type.index), []).append((own, better, best))
    for cells in found.values():
        yield _worse_alone(study, table, cells)


def _worse_alone(study: Study, table: int, cells: list[Better]) -> Finding:
    own, _, best = cells[0]
    low, high = (_called([cell[i] for cell in cells], table) for i in (0, 2))  # type: ignore[misc]
    witness = _loses_by_it(study, own, best)
    turned = [_turned(own)] if witness is not None else []
    involved = [meld for one, better, _ in cells for meld in (one, *better)]
    return study.finding(
        "warning",
        (
            f"同样的牌，自己做成只值 {low[0]}，靠别人做成反而值 {high[0]}",
            f"of the same tiles, one made alone is worth less ({low[1]}) than one made with others' "
            f"({high[1]})",
        ),
        [meld.prices[table].rule for meld in involved],
        witness or _with(study, own),
        [*_prices(study, involved, table), *turned],
        CHECK_SOURCE,
        ["own", *_cell(study, [one for one, _, _ in cells], table)],
    )


def _loses_by_it(study: Study, own: Meld, best: Meld) -> Witness | None:
    """A win with others' tiles that would be none had the owner made the meld alone."""
    apart = Not(LastIn(frozenset({own.type.index, best.type.index})))
    has = some(best.type.name, study.game, [best])
    lost = Not(exchanged(study.win, best.id, own.id))
    formula = every(study.win, Not(Misnamed()), has, apart, lost)
    return study.witness(formula, f"{best.type.name} → {own.type.name}")


def _turned(own: Meld) -> Words:
    name = own.type.name
    return (
        f"这手牌和了；要是换成自己做成的 `{name}`，就不够和",
        f"this hand wins; with `{name}` in its place it would not",
    )


# ---------------------------------------------------------------- (b) one more copy

Pair = tuple[Meld, Meld]


def _longer(study: Study, table: int, chosen: list[Meld], melds: Sequence[Meld]) -> Iterator[Finding]:
    """One finding for all melds of a family and price that add nothing to what they grew from."""
    found: dict[tuple[str, int], list[Pair]] = {}
    for large in chosen:
        for small in melds:
            if 0 < worth(small, table) >= worth(large, table) and longer_by_one(small, large):
                found.setdefault((large.type.family, worth(large, table)), []).append((small, large))
    columns: dict[tuple[bool, frozenset[tuple[int, int]]], list[list[Pair]]] = {}
    for pairs in found.values():
        small, large = pairs[0]
        types = frozenset((a.type.index, b.type.index) for a, b in pairs)
        columns.setdefault((worth(small, table) > worth(large, table), types), []).append(pairs)
    for (less, _), groups in columns.items():
        yield _idle_copy(study, table, groups, less)


def _idle_copy(study: Study, table: int, groups: list[list[Pair]], less: bool) -> Finding:
    firsts = [pairs[0] for pairs in groups]
    small, large = firsts[0]
    low, high = (_numbers(worth(pair[i], table) for pair in firsts) for i in (0, 1))
    more = ("还不如", "less than the") if less else ("并不多于", "no more than the")
    involved = [meld for pairs in groups for pair in pairs for meld in pair]
    return study.finding(
        "warning",
        (
            f"`{large.type.name}` 比 `{small.type.name}` 多一张同样的牌，"
            f"值 {high[0]}，{more[0]}原来的 {low[0]}",
            f"`{large.type.name}` has one more copy than `{small.type.name}` "
            f"and is worth {high[1]}, {more[1]} {low[1]} it had",
        ),
        [meld.prices[table].rule for meld in involved],
        _with(study, large),
        _prices(study, involved, table),
        CHECK_SOURCE,
        ["longer", study.game.scores[table], large.type.family, high[1]],
    )


# ---------------------------------------------------------------- (c) the same tiles apart


Apart = tuple[Meld, tuple[Meld, ...]]
"""A meld, and the best that its tiles make apart."""


def _apart(study: Study, table: int, chosen: Sequence[Meld], melds: Sequence[Meld]) -> Iterator[Finding]:
    """Of melds that differ only in where wild tiles lie, the first one worse than apart stands for all."""
    found: dict[tuple[int, ...], list[Apart]] = {}
    told: set[Rule] = set()
    for meld in (m for m in chosen if not m.wilds or m.type.rule not in told):
        best = dearest_split(meld, melds, table)
        if best and sum(worth(m, table) for m in best) > worth(meld, table):
            found.setdefault((meld.type.index, *(m.type.index for m in best)), []).append((meld, best))
            told |= {meld.type.rule} if meld.wilds else set()
    for cells in found.values():
        yield _worse_whole(study, table, cells)


def _worse_whole(study: Study, table: int, cells: list[Apart]) -> Finding:
    wholes, ways = [meld for meld, _ in cells], [way for _, way in cells]
    whole, parts = _called(wholes, table), [_called(part, table) for part in zip(*ways, strict=True)]
    total = _numbers(sum(worth(m, table) for m in way) for way in ways)
    involved = [m for meld, way in cells for m in (meld, *way)]
    zh, en = (" + ".join(part[i] for part in parts) for i in (0, 1))
    return study.finding(
        "warning",
        (
            f"{whole[0].replace('` ', '` 值 ')}，同样的牌拆成 {zh} 反而值 {total[0]}",
            f"{whole[1].replace('` ', '` is worth ')}, its tiles apart {en} make {total[1]}",
        ),
        [m.prices[table].rule for m in involved],
        _with(study, wholes[0]),
        _prices(study, involved, table),
        CHECK_SOURCE,
        ["apart", *_cell(study, wholes, table)],
    )
