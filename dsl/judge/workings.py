"""How a payment is reckoned, in words and in numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from ..core.describe import Lang
from ..core.evaluate import amount, claimed_times, holds, scores
from ..core.model import Amount, Arithmetic, Game, Number, Score, Times
from .verdict import Verdict

BINDS = {"+": 0, "-": 0, "*": 1, "//": 1, "<<": 1}


def workings(verdict: Verdict, lang: Lang) -> Iterator[tuple[str, str]]:
    """For each payment of the verdict that takes reckoning the sum, and its clause."""
    game, at = verdict.compiled.game, verdict.position
    told = verdict.final is not None and verdict.win
    factor = verdict.points if told else claimed_times(game, at.situation)
    totals = scores(game, verdict.arrangement)
    for transfer in game.transfers:
        asked = transfer.outcome == verdict.verdict and isinstance(transfer.amount, Arithmetic)
        if asked and holds(transfer.condition, at):
            words = _spelt(transfer.amount, lang, lambda leaf: _name(leaf, game, lang))
            numbers = _spelt(transfer.amount, lang, lambda leaf: str(amount(leaf, factor, totals)))
            due = str(amount(transfer.amount, factor, totals))
            yield (" ＝ " if lang == "zh" else " = ").join((words, numbers, due)), transfer.rule.name


def _name(leaf: Amount, game: Game, lang: Lang) -> str:
    match leaf:
        case Number(number):
            return str(number)
        case Times():
            return "倍" if lang == "zh" else "times"
        case Score(table):
            return game.scores[table]
        case _:
            raise AssertionError("no leaf")


def _spelt(term: Amount, lang: Lang, leaf: Callable[[Amount], str], least: int = 0) -> str:
    """The amount with its leaves spelt so, in brackets where it binds less than what it stands in."""
    match term:
        case Arithmetic(operator, left, right):
            binds = BINDS[operator]
            text = (
                f"{_spelt(left, lang, leaf, binds)} {_sign(operator, lang)} "
                f"{_spelt(right, lang, leaf, binds + 1)}"
            )
            brackets = ("（", "）") if lang == "zh" else ("(", ")")
            return text if binds >= least else brackets[0] + text + brackets[1]
        case Number() | Times() | Score():
            return leaf(term)
        case _:
            assert_never(term)


def _sign(operator: str, lang: Lang) -> str:
    signs = {"*": ("×", "*"), "//": ("每满", "per_full"), "<<": ("翻倍", "doubled")}
    return signs.get(operator, (operator, operator))[lang == "en"]
