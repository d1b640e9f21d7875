"""How many hands, exactly, and how likely a dealt one is one of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from dsl.api import Game, load
from dsl.core.model import Waiting, WaitIs
from dsl.judge.hands import ask_hands
from dsl.judge.machines import ClosedNames, ClosedScore, ClosedWins, Machine, Shaped, different_hands, search
from dsl.text.diagnostics import Diagnostic, SpecError
from dsl.text.source import NOWHERE
from dsl.text.spelling import closest

from .wild_counting import counted

WORDS = ("complete", "win", "waiting", "scores")
"""What can be counted in every game, besides its named wins and wait types."""


@dataclass(frozen=True, slots=True)
class Count:
    """Hands of one size: those counted, all there are, and the chance that a dealt one is counted."""

    game: str
    what: str
    tiles: int
    hands: int
    of: int
    probability: Fraction
    scores: tuple[tuple[int, int, Fraction], ...] = ()
    """(best score, hands, probability) for `scores`."""

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "game": self.game,
            "what": self.what,
            "tiles": self.tiles,
            "hands": self.hands,
            "of": self.of,
            "probability": str(self.probability),
        }
        if self.scores:
            answer["scores"] = [{"score": s, "hands": n, "probability": str(p)} for s, n, p in self.scores]
        return answer


def count(game: str | Game, of: str = "complete", tiles: int | None = None, role: str | None = None) -> Count:
    """Count closed hands (every tile the hand's own) of `game`, held by `role` (the last one by default).

    `of`: `complete` (has the win shape), `win`, `waiting`, `scores` (the best score of each complete
    hand), or the name of a named win or wait type. `tiles`: size of the hands counted; a finished one,
    or one tile less for waits. Raises `SpecError` for anything else.
    """
    loaded = game if isinstance(game, Game) else load(game)
    who = loaded.core.roles[-1] if role is None else _role(loaded, role)
    if loaded.core.apart:
        loaded = Game(loaded.core.seen_by(who), loaded.loader)
    if loaded.core.wild is not None:
        return _with_wilds(loaded, of, who, tiles)
    if of == "waiting" or any(of == w.name for w in loaded.core.waits):
        formula = Waiting() if of == "waiting" else WaitIs(of)
        size = loaded.core.waiting if tiles is None else tiles
        answer = ask_hands(loaded.compiled, formula, who, size)
        return _result(loaded, of, size, answer.hands, answer.deals)
    size = loaded.core.finished if tiles is None else tiles
    if of == "scores":
        return _scores(loaded, size)
    machine = _machine(loaded, of, who)
    hands = deals = 0
    for states, reached in search(loaded.core, (machine,), size).items():
        if machine.accepts(states[0]):
            hands += reached.hands
            deals += reached.deals
    return _result(loaded, of, size, hands, deals)


def _role(game: Game, role: str) -> str:
    if role not in game.core.roles:
        values = {
            "role": role,
            "suggestion": closest(role, game.core.roles),
            "allowed": list(game.core.roles),
        }
        raise SpecError((Diagnostic("H010", NOWHERE, values),), {})
    return role


def _with_wilds(game: Game, of: str, role: str, tiles: int | None) -> Count:
    """As `count` over all deals; hands are counted once for each deal they can be held in."""
    waits = of == "waiting" or any(of == w.name for w in game.core.waits)
    if not waits and of != "scores":
        _machine(game, of, role)  # an unknown name is told before anything is counted
    size = tiles if tiles is not None else game.core.waiting if waits else game.core.finished
    found = counted(game, of, role, size)
    table = tuple((score, int(hands), chance) for score, (hands, chance) in sorted(found.scores.items()))
    return Count(game.name, of, size, found.hands, found.of, found.probability, table)


def _machine(game: Game, of: str, role: str) -> Machine:
    if of == "complete":
        return Shaped(game.compiled.scored)
    if of == "win":
        return ClosedWins(game.compiled, role)
    if any(of == n.name for n in game.core.names):
        return ClosedNames(game.compiled, role, of)
    known = [*WORDS, *(n.name for n in game.core.names), *(w.name for w in game.core.waits)]
    values = {"name": of, "what": ("能数的", "countable thing"), "suggestion": closest(of, known)}
    raise SpecError((Diagnostic("N001", NOWHERE, values),), {})


def _scores(game: Game, size: int) -> Count:
    machine = ClosedScore(game.compiled)
    found: dict[int, tuple[int, int]] = {}
    for states, reached in search(game.core, (machine,), size).items():
        if machine.accepts(states[0]):
            best = machine.best(states[0])
            hands, deals = found.get(best, (0, 0))
            found[best] = (hands + reached.hands, deals + reached.deals)
    whole = _result(
        game, "scores", size, sum(h for h, _ in found.values()), sum(d for _, d in found.values())
    )
    table = tuple((s, h, Fraction(d, _deals(game, size))) for s, (h, d) in sorted(found.items()))
    return Count(whole.game, whole.what, size, whole.hands, whole.of, whole.probability, table)


def _result(game: Game, what: str, size: int, hands: int, deals: int) -> Count:
    return Count(
        game.name, what, size, hands, different_hands(game.core, size), Fraction(deals, _deals(game, size))
    )


def _deals(game: Game, size: int) -> int:
    return comb(sum(k.copies for k in game.core.kinds), size)
