"""V103: the same tiles in two arrangements with different verdicts or payments: who chooses?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, suppress

from dsl.core.evaluate import Position, holds
from dsl.core.hand import Hand, to_json
from dsl.core.limits import TooLarge
from dsl.core.model import Game, NamedWin, Need, Rule
from dsl.core.reference import Outcome

from ..choices import MOST_WILDS, Open, open_choices, shown
from ..findings import Example, Finding, Words, counted_so, own_roles, shown_meld
from ..study import Study

TITLE = ("一手几种摆法", "one hand, several arrangements")
APART = True
RULE = "和.取"
TAKES = {
    "payment": ("取收得最多的", "the best payment is taken"),
    "score": ("取分最高的", "the best score is taken"),
}


def findings(study: Study) -> Iterator[Finding]:
    """A warning where no clause says which arrangement counts, else how often the clause is needed.

    Where that cannot be counted, it is only left open if no clause says which counts.
    """
    said = any(rule.name == RULE for rule in study.game.rules)
    for compiled in study.compiled.views:
        with suppress(TooLarge) if said else nullcontext():
            found = open_choices(compiled)
            if found.first is not None:
                yield _open(study, compiled.game, found, found.first)


def _open(study: Study, game: Game, found: Open, first: Hand) -> Finding:
    own = own_roles(study.game, game)
    rule = next((r for r in game.rules if r.name == RULE), None)
    hand, outcomes = shown(game, first)
    said = _sentence(game, found, rule)
    if own:
        said = f"{'、'.join(own)}：{said[0]}", f"{', '.join(own)}: {said[1]}"
    return study.finding(
        "warning" if rule is None else "info",
        said,
        [rule or game.win.rule, *_differing(game, hand, outcomes)],
        Example(to_json(game, hand)),
        [_line(game, outcome) for outcome in outcomes],
        None if rule else ("在 和 里写明 `取 支付` 或 `取 分数`", "say `choose payment` or `choose score`"),
        [RULE, *own],
    )


def _sentence(game: Game, found: Open, rule: Rule | None) -> Words:
    zh, en = TAKES[game.win.choice]
    number = (
        f"成形的 {found.of:,} 手自家牌里，有 {found.hands:,} 手能摆成判法或收付不同的几种",
        f"of {found.of:,} complete hands of own tiles {found.hands:,} can be arranged so that verdict or "
        "payment differ",
    )
    if game.wild is not None:
        name = game.wild.name
        number = (
            f"{name} 至多 {MOST_WILDS} 张，{number[0]}",
            f"with {MOST_WILDS} {name} at most: {number[1]}",
        )
    number = counted_so(game, number)
    if rule is not None:
        return f"{number[0]}，按 `{rule.name}` {zh}", f"{number[1]}; by `{rule.name}` {en}"
    return f"{number[0]}，没有写取哪一种，当作{zh}", f"{number[1]}, and no clause says which counts; {en}"


def _differing(game: Game, hand: Hand, outcomes: list[Outcome]) -> list[Rule]:
    """Clauses on which the outcomes part: needs that only some fail, names that only some have."""
    facts: dict[Rule, set[bool]] = {}
    for outcome in outcomes:
        at = Position(game, outcome.arrangement, hand.situation)
        parts: list[Need | NamedWin] = [*game.win.needs, *game.names]
        for part in parts:
            facts.setdefault(part.rule, set()).add(holds(part.formula, at))
    return [rule for rule, seen in facts.items() if len(seen) > 1]


def _line(game: Game, outcome: Outcome) -> Words:
    """An arrangement and what it comes to."""
    shapes = (shown_meld(game, meld) for meld in outcome.arrangement.melds)
    melds = " · ".join(f"{shape.name} {''.join(shape.tiles)}" for shape in shapes)
    paid = " ".join(f"{seat} {amount:+d}" for seat, amount in outcome.payments if amount)
    verdict = ("和", "win") if outcome.win else ("不和", "no win")
    parts = (
        [word, *([f"{game.scores[0]} {outcome.score}"] if game.scores else []), *outcome.names, paid or "0"]
        for word in verdict
    )
    zh, en = ("，".join(next(parts)), ", ".join(next(parts)))
    return f"{melds}：{zh}", f"{melds}: {en}"
