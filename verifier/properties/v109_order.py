"""V109: prices that punish the better deed.

(a) a meld worth less when its owner made it alone; (b) one more copy that adds nothing; (c) a meld
worth less than what its own tiles make apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Complete, LastIn, Meld, Misnamed, Not

from ..decode import Witness
from ..findings import Finding, Words, shown_meld
from ..formulas import exchanged
from ..order import foreign, longer_by_one, splits, worth
from ..study import Study, every, some

TITLE = ("顺序颠倒", "order broken")


def findings(study: Study) -> Iterator[Finding]:
    """For every score table: worse when own, no better when longer, worse than apart."""
    for table in range(len(study.game.scores)):
        chosen = _representatives(study, table)
        yield from _once(f for meld in chosen for f in _own(study, table, meld))
        yield from _once(f for meld in chosen for f in _longer(study, table, meld))
        yield from _once(f for meld in chosen for f in _apart(study, table, meld))


def _representatives(study: Study, table: int) -> list[Meld]:
    """One ground meld for each type and price; the others differ only in their faces."""
    found: dict[tuple[int, int | None], Meld] = {}
    for meld in study.world.melds:
        found.setdefault((meld.type.index, meld.prices[table].points), meld)
    return list(found.values())


def _once(findings: Iterator[Finding]) -> Iterator[Finding]:
    """One finding per set of blamed clauses and prices."""
    seen: set[tuple[object, ...]] = set()
    for finding in findings:
        face = (finding.fingerprint, finding.verdicts)
        if face not in seen:
            seen.add(face)
            yield finding


# ---------------------------------------------------------------- (a) own against others'


def _own(study: Study, table: int, own: Meld) -> Iterator[Finding]:
    same = [m for m in study.world.melds if m.counts == own.counts and m.type.gives == own.type.gives]
    better = [m for m in same if foreign(m) > foreign(own) and worth(m, table) > worth(own, table)]
    if not better:
        return
    best = max(better, key=lambda m: (worth(m, table), foreign(m), -m.id))
    low, high = worth(own, table), worth(best, table)
    witness = _loses_by_it(study, own, best)
    verdicts = [_price(study, m, table) for m in (own, *better)]
    if witness is not None:
        verdicts.append(_turned(own))
    yield study.finding(
        "warning",
        (
            f"同样的牌，靠自己做成的 `{own.type.name}` 值 {low}，靠别人做成的 `{best.type.name}` 反而值 {high}",
            f"of the same tiles, `{own.type.name}` made alone is worth {low}, "
            f"`{best.type.name}` with others' tiles {high}",
        ),
        [own.prices[table].rule, *(m.prices[table].rule for m in better)],
        witness or _with(study, own),
        verdicts,
        ("核对原文的数；是笔误就用读法列出校正的价", "check the source; if it is a misprint, offer the corrected price as a reading"),
    )


def _loses_by_it(study: Study, own: Meld, best: Meld) -> Witness | None:
    """A win with others' tiles that would be none had the owner made the meld alone."""
    apart = Not(LastIn(frozenset({own.type.index, best.type.index})))
    has = some(best.type.name, study.game, [best])
    lost = Not(exchanged(study.win, best.id, own.id))
    return study.witness(every(study.win, Not(Misnamed()), has, apart, lost), f"{best.type.name} → {own.type.name}")


def _turned(own: Meld) -> Words:
    name = own.type.name
    return (
        f"这手牌和了；要是换成自己做成的 `{name}`，就不够和",
        f"this hand wins; with `{name}` in its place it would not",
    )


def _with(study: Study, meld: Meld) -> Witness | None:
    formula = every(Complete(), some(meld.type.name, study.game, [meld]))
    return study.witness(formula, meld.type.name)


def _price(study: Study, meld: Meld, table: int) -> Words:
    shown = shown_meld(study.game, meld.id)
    text = f"`{shown.name}` {''.join(shown.tiles)}: {worth(meld, table)}"
    return (text, text)


# ---------------------------------------------------------------- (b) one more copy


def _longer(study: Study, table: int, large: Meld) -> Iterator[Finding]:
    for small in study.world.melds:
        low, high = worth(small, table), worth(large, table)
        if low > 0 and high <= low and longer_by_one(small, large):
            more = ("还不如", "less than") if high < low else ("并不多于", "no more than")
            yield study.finding(
                "warning",
                (
                    f"`{large.type.name}` 比 `{small.type.name}` 多一张同样的牌，值 {high}，{more[0]} {low}",
                    f"`{large.type.name}` has one more copy than `{small.type.name}` "
                    f"and is worth {high}, {more[1]} {low}",
                ),
                [small.prices[table].rule, large.prices[table].rule],
                _with(study, large),
                [_price(study, m, table) for m in (small, large)],
                ("核对原文的数", "check the source"),
            )


# ---------------------------------------------------------------- (c) the same tiles apart


def _apart(study: Study, table: int, meld: Meld) -> Iterator[Finding]:
    ways = list(splits(meld, study.world.melds))
    best = max(ways, key=lambda way: sum(worth(m, table) for m in way), default=())
    total = sum(worth(m, table) for m in best)
    if best and total > worth(meld, table):
        names = " + ".join(f"`{m.type.name}` {worth(m, table)}" for m in best)
        yield study.finding(
            "warning",
            (
                f"`{meld.type.name}` 值 {worth(meld, table)}，同样的牌拆开来 {names} 反而值 {total}",
                f"`{meld.type.name}` is worth {worth(meld, table)}, its tiles apart {names} make {total}",
            ),
            [meld.prices[table].rule, *(m.prices[table].rule for m in best)],
            _with(study, meld),
            [_price(study, m, table) for m in (meld, *best)],
            ("核对原文的数", "check the source"),
        )
