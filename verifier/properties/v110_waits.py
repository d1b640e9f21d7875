"""V110: do the named waits cover every waiting hand, overlap, and wait for what they say?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dsl.judge.hands import unsound_wait

from ..findings import Finding, Words, counted_hand, counted_so
from ..study import Study

TITLE = ("落叫的种类", "named waits")


def findings(study: Study) -> Iterator[Finding]:
    """Gaps and wrong winning sets are warnings; overlaps only information."""
    if study.game.waits:
        yield from _uncovered(study)
        yield from _unsound(study)
        yield from _overlaps(study)


def _uncovered(study: Study) -> Iterator[Finding]:
    game = study.game
    for group in study.wait_classes:
        if group.names:
            continue
        yield study.finding(
            "warning",
            counted_so(
                game,
                (
                    f"有 {group.hands:,} 手牌听牌，却不是任何一种落叫",
                    f"{group.hands:,} waiting hands have none of the named waits",
                ),
            ),
            [*(wait.rule for wait in game.waits), game.win.rule],
            counted_hand(game, group.first),
            mend=("补上这一种落叫", "add a wait type for it"),
            subject=["uncovered"],
        )


def _unsound(study: Study) -> Iterator[Finding]:
    game = study.game
    for wait in game.waits:
        found = unsound_wait(study.compiled, wait)
        if found is not None:
            hand, kind = found
            tile = game.kinds[kind].name
            yield study.finding(
                "warning",
                (
                    f"`{wait.name}` 说等 `{tile}`，这手牌来了 `{tile}` 却不成形",
                    f"`{wait.name}` claims to wait for `{tile}`, which does not complete this hand",
                ),
                [wait.rule, game.win.rule],
                counted_hand(game, hand),
                mend=("改正这种落叫所等的牌", "correct what the wait type waits for"),
                subject=["unsound", wait.name],
            )


def _overlaps(study: Study) -> Iterator[Finding]:
    """All pairs in one finding: which contain which, which merely meet."""
    game = study.game
    names = [wait.name for wait in game.waits]
    related = [pair for pair in combinations(names, 2) if _share(study, *pair)]
    if related:
        involved = {name for pair in related for name in pair}
        first = next(group for group in study.wait_classes if {*related[0]} <= group.names)
        said = ("同一手牌可以有几种落叫的名字", "one hand can have several of the named waits")
        yield study.finding(
            "info",
            counted_so(game, said),
            [wait.rule for wait in game.waits if wait.name in involved],
            counted_hand(game, first.first),
            [_relation(study, *pair) for pair in related],
            subject=["overlaps"],
        )


def _share(study: Study, left: str, right: str) -> int:
    """How many hands have both names."""
    return sum(group.hands for group in study.wait_classes if {left, right} <= group.names)


def _only(study: Study, name: str, other: str) -> int:
    """How many hands have the first name and not the second."""
    return sum(g.hands for g in study.wait_classes if name in g.names and other not in g.names)


def _relation(study: Study, left: str, right: str) -> Words:
    only_left, only_right = _only(study, left, right), _only(study, right, left)
    if not only_left and not only_right:
        return f"`{left}` 和 `{right}` 是一回事", f"`{left}` and `{right}` are the same"
    if not only_left:
        return f"`{left}` 都是 `{right}`", f"every `{left}` is `{right}`"
    if not only_right:
        return f"`{right}` 都是 `{left}`", f"every `{right}` is `{left}`"
    both = _share(study, left, right)
    return f"{both:,} 手牌既是 `{left}` 又是 `{right}`", f"{both:,} hands are both `{left}` and `{right}`"
