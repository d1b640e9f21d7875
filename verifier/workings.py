"""How the plain arithmetic of a statement comes out: what stands on each side, where it goes wrong."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.evaluate import compared
from dsl.core.model import (
    And,
    Compare,
    Formula,
    HandFormula,
    Linear,
    Statement,
    Truth,
)
from dsl.core.tiles import TileEquation, TileSum

from .findings import Words

NOTHING: Words = ("一张也没有", "no tile")


def workings(statement: Statement, formula: Formula | HandFormula | None) -> list[Words]:
    """A line for every comparison of the statement that does not hold, tiles first.

    `formula` is the statement's own under the options at hand; anything but an `算` gives no lines.
    """
    if statement.about != "numbers" or formula is None:
        return []
    tiles = [tile_words(equation) for equation in statement.equations if not equation.holds]
    return [*tiles, *_faces(statement, formula), *_numbers(formula)]


def _faces(statement: Statement, formula: Formula | HandFormula) -> Iterator[Words]:
    """For which faces a statement about all of them fails, or one about some of them holds."""
    if statement.faces:
        zh = "、".join(f"`{letter}` 是 `{face}`" for letter, face in statement.faces)
        en = " and ".join(f"`{letter}` is `{face}`" for letter, face in statement.faces)
        truth = formula == Truth(True)
        yield f"{zh} 时{'成立' if truth else '不成立'}", f"it {'holds' if truth else 'fails'} when {en}"


def tile_words(equation: TileEquation) -> Words:
    """What the sums come to: `尔尔小生 + 小 - 尔小生` 得 `尔小`，不是 `小生`."""
    broken = next((side for side in (equation.left, equation.right) if side.wrong), None)
    if broken is not None:
        return _broken(broken)
    (zh, en), (other_zh, other_en) = _comes_to(equation.left), _comes_to(equation.right)
    text, other = equation.left.text, equation.right.text
    if equation.operator == "!=":
        return f"`{text}` 和 `{other}` 都得 {zh}", f"`{text}` and `{other}` both come to {en}"
    return f"`{text}` 得 {zh}，不是 {other_zh}", f"`{text}` comes to {en}, not {other_en}"


def _comes_to(side: TileSum) -> Words:
    """The tiles in backticks."""
    shown = f"`{''.join(side.tiles)}`"
    return (shown, shown) if side.tiles else NOTHING


def _broken(side: TileSum) -> Words:
    held_zh, held_en = _comes_to(side)
    if side.wrong == "absent":
        return (
            f"`{side.text}` 做不到：手里是 {held_zh}，拿不出 `{side.tile}`",
            f"`{side.text}` cannot be done: with {held_en} in hand there is no `{side.tile}` to take away",
        )
    return (
        f"`{side.text}` 做不到：手里是 {held_zh}，整副牌再没有 `{side.tile}` 了",
        f"`{side.text}` cannot be done: with {held_en} in hand the deck has no further `{side.tile}`",
    )


def _numbers(formula: Formula | HandFormula) -> Iterator[Words]:
    """Comparisons of plain numbers that ought to hold and do not."""
    match formula:
        case And(parts):
            for part in parts:
                yield from _numbers(part)
        case Compare(Linear((), left), operator, Linear((), right)) if not compared(left, operator, right):
            yield f"左边是 {left}，右边是 {right}", f"the left side is {left}, the right side {right}"
