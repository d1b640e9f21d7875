"""V124: plays of a trick game that do not stand in an order."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Rule

from ..findings import Finding, Words
from ..plays import Play, Tiles, beating, by_tiles
from ..study import Study

TITLE = ("出牌的大小", "the order of plays")


def at_table(study: Study) -> Iterator[Finding]:
    """Every play is looked at: plays beyond order, and plays that nothing is compared with."""
    first: dict[Play, Tiles] = {}
    for tiles, play in by_tiles(study.game).items():
        first.setdefault(play, tiles)
    yield from _out_of_order(study, first)
    yield from _alone(study, first)


def _out_of_order(study: Study, first: dict[Play, Tiles]) -> Iterator[Finding]:
    """What beats itself, pairs that beat each other, chains that do not close; the first of each."""
    over = {a: [b for b in first if beating(a, b)] for a in first}
    own = next(((a,) for a in first if a in over[a]), None)
    mutual = next(((a, b) for a in first for b in over[a] if a != b and a in over[b]), None)
    chains = ((a, b, c) for a in first for b in over[a] for c in over[b] if c not in over[a])
    chain = next((c for c in chains if c[0] != c[2]), None)
    if own is not None:
        (a,) = _named(own, first)
        yield _error(study, own, (f"`{a}` 盖得住自己", f"`{a}` beats itself"), "itself")
    if mutual is not None:
        a, b = _named(mutual, first)
        said = (f"`{a}` 和 `{b}` 互相盖得住", f"`{a}` and `{b}` beat each other")
        yield _error(study, mutual, said, "mutual")
    if chain is not None:
        a, b, c = _named(chain, first)
        zh = f"`{a}` 盖 `{b}`，`{b}` 盖 `{c}`，`{a}` 却盖不住 `{c}`"
        yield _error(
            study, chain, (zh, f"`{a}` beats `{b}` and `{b}` beats `{c}`, but `{a}` not `{c}`"), "chain"
        )


def _named(plays: tuple[Play, ...], first: dict[Play, Tiles]) -> list[str]:
    return [" ".join(first[play]) for play in plays]


def _error(study: Study, plays: tuple[Play, ...], said: Words, sort: str) -> Finding:
    mend = ("同样的牌只让它成一种出牌", "let the same tiles make one play only")
    return study.finding("error", said, _rules(study, plays), mend=mend, subject=[sort])


def _alone(study: Study, first: dict[Play, Tiles]) -> Iterator[Finding]:
    """Plays that nothing beats and that beat nothing, though others have as many tiles."""
    sizes = [{place.size for place in play} for play in first]
    for play, tiles in first.items():
        others = sum(bool(size & {place.size for place in play}) for size in sizes) > 1
        if others and not any(beating(play, b) or beating(b, play) for b in first):
            shown = " ".join(tiles)
            yield study.finding(
                "warning",
                (
                    f"`{shown}` 跟哪一手都不能比，张数相同的出牌却是有的",
                    f"`{shown}` is compared with no play, though others have as many tiles",
                ),
                _rules(study, (play,)),
                mend=(
                    "把它排进别的一路，或者那一路再分高低",
                    "rank it in another line, or part its line into tiers",
                ),
                subject=["alone", *tiles],
            )


def _rules(study: Study, plays: tuple[Play, ...]) -> list[Rule]:
    """The lines in which the plays stand."""
    lines = sorted({place.line for play in plays for place in play})
    return [study.game.ranks[line].rule for line in lines]
