"""V115: tile counts that rule out a win, whatever the melds: shapes, waits and deals that do not add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from operator import sub

from dsl.core.model import Game, Rule, WaitType

from ..findings import Finding, Words, own_roles
from ..study import Study

TITLE = ("张数凑不齐", "tile counts that do not add up")


def findings(study: Study) -> Iterator[Finding]:
    """Each win shape against the deal, each wait type against one tile less, the tile that is taken."""
    game = study.game.views[0]
    if game.any_size:
        return
    for view in study.game.views:
        wins = sizes(view, view.win.shape, view.finished)
        if view.finished not in wins:
            yield _win(study, view, wins)
            if view is game:
                return
    for wait in game.waits:
        taken = sizes(game, wait.shape, game.waiting)
        if game.waiting not in taken:
            yield _wait(study, wait, taken)
    taking = not (game.on_top or game.judgement)
    if taking and all(v.dealt[role] == v.finished for v in study.game.views for role in v.roles):
        yield _one_too_many(study)


def sizes(game: Game, shape: Sequence[int], limit: int) -> tuple[int, ...]:
    """Every number of tiles that melds giving exactly `shape` can have, replacements left out.

    Melds that give nothing add tiles only up to `limit`, which is always tried.
    """
    kinds = {(t.gives, len(m.tiles) - t.extra) for m in game.melds for t in (m.type,)}
    kept = (2 << max(limit, sum(shape) * max((n for _, n in kinds), default=0))) - 1
    reached: dict[tuple[int, ...], int] = {}
    """What melds give together to the numbers of tiles they can have, as bits."""
    for given in product(*(range(n + 1) for n in shape)):
        bits = int(not any(given))
        for gives, tiles in kinds:
            if any(gives):
                bits |= reached.get(tuple(map(sub, given, gives)), 0) << tiles & kept
        for tiles in (n for gives, n in kinds if n and not any(gives)):
            while (more := bits | bits << tiles & kept) != bits:
                bits = more
        reached[given] = bits
    return tuple(n for n in range(kept.bit_length()) if reached[tuple(shape)] >> n & 1)


# ---------------------------------------------------------------- what is said


def _win(study: Study, game: Game, found: tuple[int, ...]) -> Finding:
    shape, own = words(game, game.win.shape), own_roles(study.game, game)
    who = ("、".join(f"`{role}`" for role in own) or "谁", ", ".join(f"`{role}`" for role in own))
    nobody = f"{who[1]} cannot win" if own else "nobody can win"
    return study.finding(
        "error",
        (
            f"{who[0]}也和不了：{shape} {_taking(found)[0]}，成牌却是 {game.finished} 张",
            f"{nobody}: {shape} {_taking(found)[1]}, but a finished hand has {game.finished}",
        ),
        [game.win.rule, *seats(game)],
        verdicts=arithmetic(game, game.win.shape),
        mend=("改发的张数，或者改形", "change the deal or the shape"),
        subject=["win", *own],
    )


def _wait(study: Study, wait: WaitType, found: tuple[int, ...]) -> Finding:
    game = study.game
    shape, (zh, en) = words(game, wait.shape), _taking(found)
    less = str(game.waiting) if game.on_top else f"{game.finished} - 1 = {game.waiting}"
    return study.finding(
        "warning",
        (
            f"`{wait.name}` 的 {shape} {zh}，听牌却是 {less} 张",
            f"`{wait.name}`: {shape} {en}, but a waiting hand has {less}",
        ),
        [wait.rule, game.win.rule],
        verdicts=arithmetic(game, wait.shape),
        mend=("改正这种落叫的构成", "correct the composition of the wait type"),
        subject=["wait", wait.name],
    )


def _one_too_many(study: Study) -> Finding:
    game = study.game
    size, shape = game.finished, words(game, game.win.shape)
    more = f"{size} + 1 = {size + 1}"
    return study.finding(
        "warning",
        (
            f"家家都发 {size} 张，进一张就是 {more} 张，{shape} 却只要 {size} 张：进张的时候谁也和不了",
            f"everybody is dealt {size}, so whoever takes a tile has {more}, but {shape} takes {size}: "
            "nobody can win on taking a tile",
        ),
        [game.win.rule, *seats(game)],
        verdicts=arithmetic(game, game.win.shape),
        mend=("闲家少发一张，或者写明打出一张以后才和", "deal one less, or let a win come after the discard"),
        subject=["taken"],
    )


def seats(game: Game) -> list[Rule]:
    """The clauses that say what is dealt, and how large a finished hand is."""
    return [rule for rule in game.rules if rule.name.startswith("座") or rule.name.startswith("和.张数")]


def words(game: Game, shape: Sequence[int]) -> str:
    """`5组 2口`."""
    return " ".join(f"{n}{dim}" for n, dim in zip(shape, game.dims, strict=True) if n)


def _taking(found: tuple[int, ...]) -> Words:
    if not found:
        return "没有牌型能凑成", "cannot be made of any melds"
    numbers = "、".join(map(str, found[:8])), ", ".join(map(str, found[:8]))
    return f"只能是 {numbers[0]} 张", f"takes {numbers[1]} tiles"


def arithmetic(game: Game, shape: Sequence[int]) -> list[Words]:
    """What each kind of meld brings to the shape, melds that bring the same together."""
    found: dict[tuple[tuple[int, ...], int], list[str]] = {}
    for meld in game.melds:
        if all(g <= s for g, s in zip(meld.type.gives, shape, strict=True)):
            key = (meld.type.gives, len(meld.tiles) - meld.type.extra)
            found.setdefault(key, []).append(meld.type.family)
    lines = []
    for (gives, tiles), families in found.items():
        names = "、".join(dict.fromkeys(families))
        sum_ = f"{words(game, gives)} = {tiles}"
        lines.append((f"{names}：{sum_} 张", f"{names}: {sum_} tiles"))
    return lines
