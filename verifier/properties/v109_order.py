"""V109: prices that punish the better deed.

(a) a meld worth less when its owner made it alone; (b) one more copy that adds nothing; (c) a meld
worth less than what its own tiles make apart. Gaps of a table are left to V106.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.core.model import Complete, LastIn, Meld, Misnamed, Not, Rule

from ..decode import Witness
from ..findings import Finding, Words, shown_meld
from ..formulas import exchanged
from ..order import foreign, longer_by_one, priced, splits, tiles, worth
from ..study import Study, every, some

TITLE = ("顺序颠倒", "order broken")
CHECK_SOURCE = (
    "核对原文的数；真是原文印错，就用读法把校正的价也列出来",
    "check the source; if the misprint is the source's own, offer the corrected price as a reading",
)


def findings(study: Study) -> Iterator[Finding]:
    """For every score table: worse when own, no better when longer, worse than apart.

    Of melds that differ only in where wild tiles lie, the first one worse than apart stands for all.
    """
    for table in range(len(study.game.scores)):
        melds = priced(study.world.melds, table)
        chosen = _representatives(melds, table)
        for meld in chosen:
            yield from _own(study, table, meld, melds)
        yield from _longer(study, table, chosen, melds)
        told: set[Rule] = set()
        for meld in (m for m in chosen if not m.wilds or m.type.rule not in told):
            found = list(_apart(study, table, meld, melds))
            told |= {meld.type.rule} if found and meld.wilds else set()
            yield from found


def _representatives(melds: Sequence[Meld], table: int) -> list[Meld]:
    """One ground meld for each type and price; the others differ only in their faces."""
    found: dict[tuple[int, int], Meld] = {}
    for meld in melds:
        found.setdefault((meld.type.index, worth(meld, table)), meld)
    return list(found.values())


def _cell(study: Study, meld: Meld, table: int) -> tuple[str, ...]:
    """What tells a cell from others: another price in it makes it another finding."""
    return study.game.scores[table], meld.type.name, str(worth(meld, table))


def _prices(study: Study, melds: Sequence[Meld], table: int) -> list[Words]:
    """Each meld with its price, one of each type."""
    lines: dict[int, Words] = {}
    for meld in melds:
        shown = shown_meld(study.game, meld.id)
        text = f"`{shown.name}` {''.join(shown.tiles)} = {worth(meld, table)}"
        lines.setdefault(meld.type.index, (text, text))
    return list(lines.values())


def _with(study: Study, meld: Meld) -> Witness | None:
    """The plainest finished hand that has the meld, a win if possible."""
    has = some(meld.type.name, study.game, [meld])
    winning = study.witness(every(study.win, has), meld.type.name)
    return winning or study.witness(every(Complete(), has), meld.type.name)


# ---------------------------------------------------------------- (a) own against others'


def _own(study: Study, table: int, own: Meld, melds: Sequence[Meld]) -> Iterator[Finding]:
    made = tiles(own)
    same = [m for m in melds if m.type.gives == own.type.gives and tiles(m) == made]
    better = [m for m in same if foreign(m) > foreign(own) and worth(m, table) > worth(own, table)]
    if not better:
        return
    best = max(better, key=lambda m: (worth(m, table), foreign(m), -m.id))
    low, high = (f"`{m.type.name}` {worth(m, table)}" for m in (own, best))
    witness = _loses_by_it(study, own, best)
    turned = [_turned(own)] if witness is not None else []
    yield study.finding(
        "warning",
        (
            f"同样的牌，自己做成只值 {low}，靠别人做成反而值 {high}",
            f"of the same tiles, one made alone is worth less ({low}) than one made with others' ({high})",
        ),
        [own.prices[table].rule, *(m.prices[table].rule for m in better)],
        witness or _with(study, own),
        [*_prices(study, (own, *better), table), *turned],
        CHECK_SOURCE,
        ["own", *_cell(study, own, table)],
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
    for pairs in found.values():
        yield _idle_copy(study, table, pairs)


def _idle_copy(study: Study, table: int, pairs: list[Pair]) -> Finding:
    small, large = pairs[0]
    low, high = worth(small, table), worth(large, table)
    more = ("还不如", "less than the") if high < low else ("并不多于", "no more than the")
    involved = [meld for pair in pairs for meld in pair]
    return study.finding(
        "warning",
        (
            f"`{large.type.name}` 比 `{small.type.name}` 多一张同样的牌，值 {high}，{more[0]}原来的 {low}",
            f"`{large.type.name}` has one more copy than `{small.type.name}` "
            f"and is worth {high}, {more[1]} {low} it had",
        ),
        [meld.prices[table].rule for meld in involved],
        _with(study, large),
        _prices(study, involved, table),
        CHECK_SOURCE,
        ["longer", study.game.scores[table], large.type.family, str(high)],
    )


# ---------------------------------------------------------------- (c) the same tiles apart


def _apart(study: Study, table: int, meld: Meld, melds: Sequence[Meld]) -> Iterator[Finding]:
    ways = splits(meld, melds)
    best = max(ways, key=lambda way: sum(worth(m, table) for m in way), default=())
    total = sum(worth(m, table) for m in best)
    if best and total > worth(meld, table):
        names = " + ".join(f"`{m.type.name}` {worth(m, table)}" for m in best)
        yield study.finding(
            "warning",
            (
                f"`{meld.type.name}` 值 {worth(meld, table)}，同样的牌拆成 {names} 反而值 {total}",
                f"`{meld.type.name}` is worth {worth(meld, table)}, its tiles apart {names} make {total}",
            ),
            [meld.prices[table].rule, *(m.prices[table].rule for m in best)],
            _with(study, meld),
            _prices(study, (meld, *best), table),
            CHECK_SOURCE,
            ["apart", *_cell(study, meld, table)],
        )
