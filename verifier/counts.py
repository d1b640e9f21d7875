"""Everything that can be counted of one role's closed hands."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from dsl.api import Game
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Machine, Shaped
from dsl.judge.wild_hands import Sought

from .collecting import seldom_collected
from .counting import asked, by_score
from .crew import Crew
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


TALLIES: dict[str, tuple[str, Callable[[Held], Tally]]] = {
    "verdicts": ("finished", verdicts),
    "scores": ("finished", lambda held: held.tally(by_score)),
    "waits": ("waiting", lambda held: held.tally(_waits)),
}
"""The size of hands, and what is asked of them; what takes longest first."""


class _Job(NamedTuple):
    """One of `TALLIES` for hands with so many wild tiles."""

    game: bytes
    name: str
    role: str
    tiles: int
    context: dict[str, str]
    wilds: int


def count_all(
    game: str | Game,
    role: str | None = None,
    context: Mapping[str, str] | None = None,
    workers: int = 1,
) -> Counts:
    """All counts of a role's closed hands (the last role by default), by so many processes; see `count`."""
    loaded, who, told = asked(game, role, context)
    core, found, packed = loaded.core, dict[str, Tally](), pickle.dumps(loaded.core)
    jobs = [
        _Job(packed, name, who, getattr(core, size), told, wilds)
        for name, (size, _) in TALLIES.items()
        for wilds in _in_turn(Held(loaded.compiled, who, getattr(core, size), told).wilds)
    ]
    with seldom_collected(), Crew(_tally_there, jobs, workers - 1) as crew:
        for number, job in enumerate(jobs):
            tally = crew.result(number, partial(_tally, loaded.compiled))
            found.setdefault(job.name, Tally(tally.of, {})).join(tally)
    finished = Finished(core.finished, found["verdicts"], found["scores"])
    return Counts(loaded, who, told, finished, Short(core.waiting, found["waits"]))


def _in_turn(wilds: list[int]) -> list[int]:
    """The few that show how scores have to be read, then what takes longest."""
    least, *others = wilds
    return [least, *reversed(others)]


def _tally(compiled: Compiled, job: _Job) -> Tally:
    held = Held(compiled, job.role, job.tiles, job.context, job.wilds)
    return TALLIES[job.name][1](held)


def _tally_there(job: _Job) -> Tally:
    """The same in another process."""
    return _tally(_compiled(job.game), job)


@lru_cache(maxsize=1)
def _compiled(game: bytes) -> Compiled:
    return Compiled(pickle.loads(game))


def _waits(sought: Sought) -> Sort:
    """By whether they wait, and the names of their wait types; those with neither are left aside."""
    names = tuple(sought.compiled.wait_types)
    machines: tuple[Machine, ...] = (sought.waiting(), *map(Shaped, sought.compiled.wait_types.values()))

    def sort(states: tuple[Any, ...]) -> tuple[bool, tuple[str, ...]] | None:
        waits, *typed = (m.accepts(s) for m, s in zip(machines, states, strict=True))
        types = tuple(name for name, yes in zip(names, typed, strict=True) if yes)
        return (waits, types) if waits or types else None

    return machines, sort
