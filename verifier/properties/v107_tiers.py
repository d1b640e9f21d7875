"""V107: tiers of named wins, each a stretch of one score: is some winning score in none, or in two?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import inf

from dsl.core.model import Compare, Feature, Formula, Linear, NamedWin, Not, Operator, Or

from ..findings import Finding, Words
from ..formulas import bare, conjuncts
from ..study import Study, every

TITLE = ("分档", "tiers")


@dataclass(frozen=True, slots=True)
class Tier:
    """A named win that asks for nothing but `least ≤ score ≤ most` (infinite where it is open)."""

    name: NamedWin
    feature: Feature
    least: float
    most: float


def findings(study: Study) -> Iterator[Finding]:
    """For every score that at least two names cut into tiers: holes, and overlaps that count twice."""
    for tiers in tiers_of(study.game.names):
        yield from _holes(study, tiers)
        yield from _overlaps(study, tiers)


# ---------------------------------------------------------------- what is a tier


def tiers_of(names: tuple[NamedWin, ...]) -> list[list[Tier]]:
    """Tiers of the same score together, from the lowest up; a name alone is no tier."""
    found: dict[tuple[int, ...], list[Tier]] = {}
    for name in names:
        tier = _tier(name)
        if tier is not None:
            found.setdefault(tier.feature.weights, []).append(tier)
    return [sorted(t, key=lambda tier: (tier.least, tier.most)) for t in found.values() if len(t) > 1]


def _tier(name: NamedWin) -> Tier | None:
    """The stretch of one number that a name stands for; None when it asks for anything else."""
    bounds = [_bound(bare(part)) for part in conjuncts(name.formula)]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds) or len({feature.weights for feature, _, _ in known}) != 1:
        return None
    return Tier(name, known[0][0], max(b[1] for b in known), min(b[2] for b in known))


def _bound(part: Formula) -> tuple[Feature, float, float] | None:
    """(number, least, most) of a comparison of one number with a constant."""
    match part:
        case Compare(Linear(((1, feature),), plus), operator, Linear((), constant)):
            return _stretch(feature, operator, constant - plus)
        case Compare(Linear((), constant), operator, Linear(((1, feature),), plus)):
            return _stretch(feature, MIRRORED[operator], constant - plus)
    return None


MIRRORED: dict[Operator, Operator] = {"<": ">", "<=": ">=", "=": "=", "!=": "!=", ">=": "<=", ">": "<"}


def _stretch(feature: Feature, operator: Operator, at: int) -> tuple[Feature, float, float] | None:
    match operator:
        case ">=" | ">":
            return feature, at + (operator == ">"), inf
        case "<=" | "<":
            return feature, -inf, at - (operator == "<")
        case "=":
            return feature, at, at
        case _:
            return None


# ---------------------------------------------------------------- holes


def _holes(study: Study, tiers: list[Tier]) -> Iterator[Finding]:
    """Scores of wins between two tiers and in none."""
    below = tiers[0]
    for tier in tiers[1:]:
        if tier.least > below.most + 1:
            yield from _hole(study, below, tier, int(below.most) + 1, int(tier.least) - 1)
        below = max(below, tier, key=lambda t: t.most)


def _covers_too(name: NamedWin, feature: Feature) -> bool:
    """Does a name ask for a stretch of the score, or for something else? It is no tier, but fills a hole."""
    whole = bare(name.formula)
    parts = whole.parts if isinstance(whole, Or) else ()
    tiers = (_tier(replace(name, formula=part)) for part in parts)
    return any(tier is not None and tier.feature.weights == feature.weights for tier in tiers)


def _hole(study: Study, below: Tier, above: Tier, least: int, most: int) -> Iterator[Finding]:
    number = Linear(((1, below.feature),))
    inside = (Compare(number, ">=", Linear(constant=least)), Compare(number, "<=", Linear(constant=most)))
    besides = (Not(name.formula) for name in study.game.names if _covers_too(name, below.feature))
    asked = every(study.win, *inside, *besides)
    witness = study.witness(asked, f"{least} ≤ {below.feature.name} ≤ {most}")
    if witness is not None:
        scores = f"{below.feature.name} {least}" + (f"–{most}" if most > least else "")
        said = (
            f"{scores} 的和牌哪一档也不是：`{below.name.name}` 到 {least - 1} 为止，"
            f"`{above.name.name}` 从 {most + 1} 起",
            f"wins with {scores} are in no tier: `{below.name.name}` ends at {least - 1}, "
            f"`{above.name.name}` begins at {most + 1}",
        )
        help_ = ("把相邻两档接起来", "make the tiers meet")
        rules = [below.name.rule, above.name.rule]
        subject = ["hole", *(rule.name for rule in rules)]
        yield study.finding("warning", said, rules, witness, mend=help_, subject=subject)


# ---------------------------------------------------------------- overlaps


def _overlaps(study: Study, tiers: list[Tier]) -> Iterator[Finding]:
    """For each tier the next one that shares winning scores with it, where both multipliers would count."""
    game = study.game
    if game.stacking_rule is None or game.stacking == "highest":
        return
    worth = [tier for tier in tiers if tier.name.times > 1]
    for i, low in enumerate(worth):
        overlaps = (_overlap(study, low, high) for high in worth[i + 1 :] if high.least <= low.most)
        yield from islice((finding for found in overlaps for finding in found), 1)


def _overlap(study: Study, low: Tier, high: Tier) -> Iterator[Finding]:
    game = study.game
    both = every(study.win, low.name.formula, high.name.formula)
    witness = study.witness(both, f"{low.name.name} 且 {high.name.name}")
    if witness is not None and game.stacking_rule is not None:
        names = f"`{low.name.name}`", f"`{high.name.name}`"
        worth = _together(game.stacking, low.name.times, high.name.times)
        said = (
            f"同一手牌又是 {names[0]} 又是 {names[1]}，两档的倍都算，一共 {worth} 倍",
            f"one hand is both {names[0]} and {names[1]}, and both multipliers count: {worth} in all",
        )
        help_ = (
            f"给 {names[0]} 加上限，或者写 `叠法 最高`",
            f"bound {names[0]} from above, or let only the highest count",
        )
        rules = [low.name.rule, high.name.rule, game.stacking_rule]
        subject = ["overlap", low.name.rule.name, high.name.rule.name]
        yield study.finding("warning", said, rules, witness, [_says(low), _says(high)], help_, subject)


def _together(stacking: str, low: int, high: int) -> int:
    return low + high if stacking == "sum" else low * high


def _says(tier: Tier) -> Words:
    low = f"{tier.least} ≤ " if tier.least > -inf else ""
    high = f" ≤ {tier.most}" if tier.most < inf else ""
    text = f"`{tier.name.name}`: {low}{tier.feature.name}{high}, {tier.name.times}×"
    return text, text
