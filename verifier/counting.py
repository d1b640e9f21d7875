"""How many hands, exactly, and how likely a dealt one is one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dsl.api import Game, load
from dsl.core.hand import read_context
from dsl.core.parts import names_by_word
from dsl.judge.machines import ClosedScore, ClosedWins, Machine, Shaped
from dsl.judge.roads import Road, noted
from dsl.judge.wild_hands import Sought
from dsl.text.diagnostics import Diagnostic, SpecError
from dsl.text.source import NOWHERE
from dsl.text.spelling import closest

from .collecting import seldom_collected
from .tallies import Held, Share, Sort, Tally, accepting, closed
from .verdicts import verdicts

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
    how: Road = "automaton"

    def to_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "game": self.game,
            "what": self.what,
            "tiles": self.tiles,
            "hands": self.hands,
            "of": self.of,
            "probability": str(self.probability),
            "how": self.how,
        }
        if self.scores:
            answer["scores"] = [{"score": s, "hands": n, "probability": str(p)} for s, n, p in self.scores]
        return answer


def count(
    game: str | Game,
    of: str = "complete",
    tiles: int | None = None,
    role: str | None = None,
    context: Mapping[str, str] | None = None,
) -> Count:
    """Count closed hands (every tile the hand's own) of `game`, held by `role` (the last one by default).

    `of`: `complete` (has the win shape), `win`, `waiting`, `scores` (the best score of each complete
    hand), or the name of a named win (that the best-liked arrangement carries) or wait type. `tiles`: size
    of the hands counted; a finished one, or one tile less for waits. A finished hand is as it was dealt if
    the role gets so many tiles, else an own draw ended it. `context`: what is known of the situation;
    where a deal decides what is wild, or what is marked, and it is not told, every deal is counted. Raises
    `SpecError` for anything else.
    """
    loaded, who, told = asked(game, role, context)
    core = loaded.core
    of = names_by_word(core.names).get(of, of)
    waits = of == "waiting" or any(of == w.name for w in core.waits)
    if not waits and of not in WORDS and all(of != n.name for n in core.names):
        raise _unknown(loaded, of)
    size = tiles if tiles is not None else core.waiting if waits else core.finished
    held = Held(loaded.compiled, who, size, told)
    with seldom_collected(), noted() as roads:
        tally, share, table = _counted(held, of)
    return Count(loaded.name, of, size, share.hands, tally.of, share.chance, table, roads.road)


def asked(
    game: str | Game, role: str | None, context: Mapping[str, str] | None
) -> tuple[Game, str, dict[str, str]]:
    """The game as the role sees it, the role, and what is told. Raises `SpecError`."""
    loaded = game if isinstance(game, Game) else load(game)
    who = loaded.core.roles[-1] if role is None else _role(loaded, role)
    if loaded.core.apart:
        loaded = Game(loaded.core.seen_by(who), loaded.loader)
    told, faults = read_context(loaded.core, context or {})
    if faults:
        raise SpecError(faults, {})
    return loaded, who, told


def _role(game: Game, role: str) -> str:
    if role not in game.core.roles:
        values = {
            "role": role,
            "suggestion": closest(role, game.core.roles),
            "allowed": list(game.core.roles),
        }
        raise SpecError((Diagnostic("H010", NOWHERE, values),), {})
    return role


def _unknown(game: Game, of: str) -> SpecError:
    known = [*WORDS, *(n.name for n in game.core.names), *(w.name for w in game.core.waits)]
    values = {"name": of, "what": ("能数的", "countable thing"), "suggestion": closest(of, known)}
    return SpecError((Diagnostic("N001", NOWHERE, values),), {})


Row = tuple[int, int, Fraction]
"""A number, and the hands that have it."""


def _counted(held: Held, of: str) -> tuple[Tally, Share, tuple[Row, ...]]:
    """All the hands, those asked for, and the table of `scores`."""
    if of == "scores":
        tally = held.tally(by_score)
        return tally, tally.share(), rows(tally)
    if any(of == n.name for n in held.compiled.game.names):
        tally = verdicts(held)
        return tally, tally.share(lambda found: of in found.names), ()
    tally = held.tally(lambda sought: accepting(_machine(sought, of)))
    return tally, tally.share(), ()


def rows(tally: Tally) -> tuple[Row, ...]:
    """The shares of numbers, in order."""
    found = sorted(tally.shares.items(), key=lambda pair: pair[0])
    return tuple((number, share.hands, share.chance) for number, share in found)


def by_score(sought: Sought) -> Sort:
    """Complete hands by their best score."""
    machine = ClosedScore(sought.compiled)
    return (machine,), lambda states: machine.best(states[0]) if machine.accepts(states[0]) else None


def _machine(sought: Sought, of: str) -> Machine:
    compiled = sought.compiled
    if of == "waiting":
        return sought.waiting()
    if of in compiled.wait_types:
        return Shaped(compiled.wait_types[of])
    return Shaped(compiled.shaped) if of == "complete" else ClosedWins(compiled, sought.role, closed(sought))
