"""Everything that can be counted of one role's closed hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dsl.api import Game
from dsl.judge.machines import Machine, Shaped
from dsl.judge.wild_hands import Sought

from .collecting import seldom_collected
from .counting import asked, by_score
from .tallies import Held, Share, Sort, Tally
from .verdicts import verdicts


@dataclass(frozen=True, slots=True)
class Finished:
    """Finished hands: complete ones by their verdict, and by their best score."""

    tiles: int
    verdicts: Tally
    scores: Tally

    @property
    def complete(self) -> Share:
        """Those of the win shape."""
        return self.verdicts.share()

    @property
    def win(self) -> Share:
        """Those that win."""
        return self.verdicts.share(lambda found: found.win)

    def named(self, name: str) -> Share:
        """Wins that carry the name."""
        return self.verdicts.share(lambda found: name in found.names)

    def times(self) -> dict[int, Share]:
        """Wins by their multiplier, the least first."""
        found: dict[int, Share] = {}
        for verdict, share in self.verdicts.shares.items():
            if verdict.win:
                found.setdefault(verdict.times, Share()).add(share)
        return dict(sorted(found.items()))

    def to_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {
            "tiles": self.tiles,
            "of": self.verdicts.of,
            "complete": _json(self.complete),
            "win": _json(self.win),
            "names": [{"name": name, **_json(self.named(name))} for name in names],
            "times": [{"times": n, **_json(share)} for n, share in self.times().items()],
            "scores": [{"score": n, **_json(share)} for n, share in sorted(self.scores.shares.items())],
        }


@dataclass(frozen=True, slots=True)
class Short:
    """Hands one tile short, by whether they wait and which wait types they have."""

    tiles: int
    sorts: Tally

    @property
    def waiting(self) -> Share:
        """Those that some own draw completes."""
        return self.sorts.share(lambda sort: sort[0])

    def typed(self, name: str) -> Share:
        """Those with this wait type, whatever others they have."""
        return self.sorts.share(lambda sort: name in sort[1])

    def combined(self) -> list[tuple[bool, tuple[str, ...], Share]]:
        """(does it wait, its wait types, how many), those that wait and the frequent ones first."""
        found = [(waits, types, share) for (waits, types), share in self.sorts.shares.items()]
        return sorted(found, key=lambda row: (not row[0], -row[2].chance, row[1]))

    def to_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        combined = [{"waits": w, "types": list(t), **_json(share)} for w, t, share in self.combined()]
        return {
            "tiles": self.tiles,
            "of": self.sorts.of,
            "waiting": _json(self.waiting),
            "types": [{"name": name, **_json(self.typed(name))} for name in names],
            "combinations": combined,
        }


def _json(share: Share) -> dict[str, Any]:
    return {"hands": share.hands, "probability": str(share.chance)}


@dataclass(frozen=True, slots=True)
class Counts:
    """All counts of a role's closed hands."""

    game: Game
    role: str
    context: Mapping[str, str]
    finished: Finished
    short: Short

    def to_json(self) -> dict[str, Any]:
        core = self.game.core
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "role": self.role,
            "context": dict(self.context),
            "finished": self.finished.to_json(tuple(n.name for n in core.names)),
            "waiting": self.short.to_json(tuple(w.name for w in core.waits)),
        }


def count_all(game: str | Game, role: str | None = None, context: Mapping[str, str] | None = None) -> Counts:
    """All counts of the closed hands of a role (the last one by default); see `count`."""
    loaded, who, told = asked(game, role, context)
    full = Held(loaded.compiled, who, loaded.core.finished, told)
    short = Held(loaded.compiled, who, loaded.core.waiting, told)
    with seldom_collected():
        finished = Finished(full.tiles, verdicts(full), full.tally(by_score))
        return Counts(loaded, who, told, finished, Short(short.tiles, short.tally(_waits)))


def _waits(sought: Sought) -> Sort:
    """By whether they wait, and the names of their wait types; those with neither are left aside."""
    names = tuple(sought.compiled.wait_types)
    machines: tuple[Machine, ...] = (sought.waiting(), *map(Shaped, sought.compiled.wait_types.values()))

    def sort(states: tuple[Any, ...]) -> tuple[bool, tuple[str, ...]] | None:
        waits, *typed = (m.accepts(s) for m, s in zip(machines, states, strict=True))
        types = tuple(name for name, yes in zip(names, typed, strict=True) if yes)
        return (waits, types) if waits or types else None

    return machines, sort
