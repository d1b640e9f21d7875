"""V104: conditions, names, prices, wait types and payments that can never apply."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.formulas import false_win_formula
from dsl.core.model import Complete, Formula, Meld, Rule, WaitType

from .. import ask
from ..findings import Finding, Words
from ..holding import can_stand
from ..study import Study, every, some
from ..table_dead import dead_at_the_table

TITLE = ("永远用不上", "can never apply")
STORED = (
    "要是原文列了这一行（算的是半路上的牌），就写 `断言 … 验 V104 答 有`",
    "if the source lists this row, for hands under way, say so: `claim … check V104 answer some`",
)


def findings(study: Study) -> Iterator[Finding]:
    """Everything in the rules of hands that none can ever bring into play."""
    yield from _needs(study)
    yield from _names(study)
    yield from _false_wins(study)
    yield from _payments(study)
    yield from _prices(study)
    yield from _waits(study)


def at_table(study: Study) -> Iterator[Finding]:
    """Everything in the flow that no player can ever bring into play."""
    yield from dead_at_the_table(study)


# ---------------------------------------------------------------- conditions


def _needs(study: Study) -> Iterator[Finding]:
    """A win that nobody can have."""
    game = study.game
    if study.impossible(study.win, "和"):
        parts = [(game.win.rule, Complete()), *((n.rule, n.formula) for n in game.win.needs)]
        blamed = study.clash([formula for _, formula in parts])
        yield study.finding(
            "error",
            (
                "谁也和不了：和的条件碰不到一起",
                "nobody can win: the conditions of a win cannot be met together",
            ),
            [game.win.rule, *(parts[i][0] for i in blamed)],
            subject=["win"],
        )


def _names(study: Study) -> Iterator[Finding]:
    game = study.game
    for name in game.names:
        if study.impossible(every(study.win, name.formula), name.rule.name):
            said = (f"没有一手和的牌是 `{name.name}`", f"no winning hand is `{name.name}`")
            yield _dead(study, said, name.rule, name.formula)


def _dead(study: Study, sentence: Words, rule: Rule, formula: Formula) -> Finding:
    """A dead condition with the fewest clauses it cannot be reconciled with, the shape if no other."""
    game = study.game
    parts: list[tuple[Rule, Formula]] = [(rule, formula), (game.win.rule, Complete())]
    parts += [(need.rule, need.formula) for need in game.win.needs]
    blamed = [parts[i][0] for i in study.clash([formula for _, formula in parts]) if i]
    advice = ("删去它，或者改宽它的条件", "remove it, or relax its condition")
    rules = [rule, *(blamed or [game.win.rule])]
    return study.finding("warning", sentence, rules, mend=advice, subject=[rule.name])


def _false_wins(study: Study) -> Iterator[Finding]:
    for reason in study.game.false_win:
        if study.impossible(reason.formula, reason.rule.name):
            name = reason.rule.name
            said = (f"没有一手报了和的牌会犯 `{name}`", f"no declared hand is ever a false win by `{name}`")
            yield study.finding("warning", said, [reason.rule], subject=[name])


def _payments(study: Study) -> Iterator[Finding]:
    """Payments of a win or a false win whose condition never holds then."""
    false_win = false_win_formula(study.game)
    outcomes = {"win": study.win, "false_win": false_win}
    for transfer in study.game.transfers:
        outcome = outcomes.get(transfer.outcome)
        if outcome and study.impossible(every(outcome, transfer.condition), transfer.rule.name):
            name = transfer.rule.name
            said = (f"`{name}` 这一笔从来不付", f"the payment `{name}` is never due")
            yield study.finding("warning", said, [transfer.rule], subject=[name])


# ---------------------------------------------------------------- prices


def _prices(study: Study) -> Iterator[Finding]:
    """Rows of the score tables that count in no finished hand; cells whose row is alive elsewhere."""
    for table, name in enumerate(study.game.scores):
        for rule in study.game.rules:
            if rule.name.startswith(f"价.{name}.") and rule.name != f"价.{name}.列":
                yield from _row(study, table, rule)


def _row(study: Study, table: int, rule: Rule) -> Iterator[Finding]:
    melds = [m for m in study.game.melds if m.prices and m.prices[table].rule.name == rule.name]
    cells: dict[int | None, list[Meld]] = {}
    for meld in melds:
        cells.setdefault(meld.prices[table].points, []).append(meld)
    alive = {points for points, cell in cells.items() if _counts(study, rule, cell)}
    if not alive:
        yield _dead_row(study, rule, melds)
        return
    for points in (p for p in cells if p not in alive):
        said = (
            f"`{rule.name}` 里值 {points} 的那一格在和了的牌里用不上",
            f"the cell worth {points} in `{rule.name}` counts in no winning hand",
        )
        yield study.finding("warning", said, [rule, study.game.win.rule], subject=[rule.name, str(points)])


def _counts(study: Study, rule: Rule, melds: list[Meld]) -> bool:
    """Can a winning hand contain one of the melds?"""
    standing = [m for m in melds if can_stand(study.game, m)]
    if not standing:
        return False
    wins = every(study.win, some(rule.name, study.game, standing))
    if study.world.models.telling(study.game, wins) is None:
        ask.with_one_of(study.world, study.win, standing)
    return not study.impossible(wins, rule.name)


def _dead_row(study: Study, rule: Rule, melds: list[Meld]) -> Finding:
    game, name = study.game, rule.name
    if not melds:
        said = (
            f"`{name}` 这一行没有牌型要用：各有别的行代替",
            f"no meld uses the row `{name}`: other rows price them all",
        )
        return study.finding("warning", said, [rule], subject=[name])
    families = "、".join(dict.fromkeys(m.type.name for m in melds))
    if not any(can_stand(game, m) for m in melds):
        said = (
            f"`{name}` 这一行从来不计：和了的牌里放不下 `{families}`",
            f"the row `{name}` never counts: no finished hand can hold `{families}`",
        )
        blamed = [rule, *(m.type.rule for m in melds), game.win.rule]
        return study.finding("warning", said, blamed, mend=STORED, subject=[name])
    said = (
        f"`{name}` 这一行从来不计：有 `{families}` 的牌和不了",
        f"the row `{name}` never counts: no hand with `{families}` can win",
    )
    blamed = [rule, game.win.rule, *(n.rule for n in game.win.needs)]
    return study.finding("warning", said, blamed, subject=[name])


# ---------------------------------------------------------------- waits


def _waits(study: Study) -> Iterator[Finding]:
    for wait in study.game.waits:
        groups = [group for group in study.wait_classes if wait.name in group.names]
        if not groups:
            said = (f"没有一手牌是 `{wait.name}`", f"no hand has the composition of `{wait.name}`")
            yield _dead_wait(study, wait, said)
        elif not any(group.waits for group in groups):
            said = (
                f"`{wait.name}` 的牌没有一手真能听",
                f"no hand of the type `{wait.name}` waits for anything",
            )
            yield _dead_wait(study, wait, said)


def _dead_wait(study: Study, wait: WaitType, said: Words) -> Finding:
    return study.finding("warning", said, [wait.rule, study.game.win.rule], subject=[wait.rule.name])
