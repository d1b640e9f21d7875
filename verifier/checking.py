"""All checks of a game: the one function behind `paigui verify`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import dsl
from dsl.api import Claims
from dsl.core.model import Game
from dsl.text.codes import Lang

from .collecting import seldom_collected
from .crew import Crew
from .findings import Finding
from .meaning import Tick
from .properties import PARTS, Part, check_called, usual_codes
from .study import Answered, Note, Results, Study, Unsettled


@dataclass(frozen=True)
class Report:
    """What verifying one game brought."""

    game: Game
    findings: tuple[Finding, ...]
    statements: tuple[Answered, ...]
    unknown: tuple[Unsettled, ...]
    seconds: float
    expected: frozenset[str]
    """Codes of checks of which a statement of the spec says that they find something."""
    checks: tuple[str, ...] = ()
    """Codes of the checks that ran."""
    notes: tuple[Note, ...] = ()
    """What they say of how far their answers go."""

    @property
    def pressing(self) -> tuple[Finding, ...]:
        """Findings that an author must act on: not mere information, not expected, not waived."""
        return tuple(f for f in self.findings if self.presses(f))

    def presses(self, finding: Finding) -> bool:
        """Must an author act on this one?"""
        return finding.severity != "info" and finding.waived is None and finding.code not in self.expected

    def to_json(self, lang: Lang) -> dict[str, Any]:
        return {
            "findings": [finding.to_json(lang) for finding in self.findings],
            "statements": [statement.to_json() for statement in self.statements],
            "unknown": [question.to_json(lang) for question in self.unknown],
        }


def verify(
    game: str | Game | dsl.Game,
    checks: Iterable[str] | None = None,
    options: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    step: Callable[[str, int, int], None] | None = None,
    workers: int = 1,
) -> Report:
    """Run checks (the usual ones by default) on a game: a path or name as `load` takes it, or a loaded game.

    `progress` is told (done, of) how many parts of checks are done, `step` (code, done, of) how far a check
    is that tries many things. With two `workers` another process does what shares little with the rest; the
    answers are the same. Raises `SpecError` when the spec does not load, `ReplayError` when a witness does
    not stand (our own bug).
    """
    start = perf_counter()
    study = study_for(game, options)
    wanted = usual_codes() if checks is None else tuple(dict.fromkeys(checks))
    parts = _parts(wanted)
    for done, (code, part) in enumerate(_taken(study, parts, workers)):
        if progress is not None:
            progress(done, len(parts))
        study.step = None if step is None else partial(step, code)
        study.part(code, part)
        if step is not None:
            step(code, 1, 1)
    findings = (finding for code in wanted for finding in study.findings(code))
    place = {statement.id: number for number, statement in enumerate(study.game.statements)}
    return Report(
        game=study.game,
        findings=tuple(with_waivers(findings, study.game)),
        statements=tuple(sorted(study.statements, key=lambda answered: place[answered.id])),
        unknown=tuple(dict.fromkeys(study.unknown)),
        seconds=perf_counter() - start,
        expected=expected_codes(study.game),
        checks=wanted,
        notes=tuple(note for note in dict.fromkeys(study.notes) if note.code in wanted),
    )


def _taken(study: Study, parts: Sequence[tuple[str, Part]], workers: int) -> Iterator[tuple[str, Part]]:
    """The parts one after another; what another process did is known when its turn comes."""
    elsewhere = [part for part in parts if _turn(part) == BESIDE] if workers > 1 else []
    beside = [(study.game, study.loader, elsewhere)] if elsewhere else []
    with seldom_collected(), Crew(_parts_of, beside, 1) as crew:
        for part in parts:
            if [part] == elsewhere[:1]:
                study.take(crew.result(0))
            yield part


def verify_many(
    games: Sequence[Game],
    checks: Sequence[str],
    workers: int = 1,
    bars: Callable[[], AbstractContextManager[Tick | None]] = nullcontext,
) -> Iterator[Report]:
    """The reports of several games in their order, by so many processes; the answers are the same.

    What `bars` gives is told (what, done, of) while a report is made or waited for. Raises as `verify` does.
    """
    several, jobs = len(games) > 1, [(game, checks) for game in games]
    with Crew(partial(_watched, None, 1), jobs, workers - 1 if several else 0) as crew:
        for number, game in enumerate(games):
            with bars() as tick:
                if tick is not None:
                    tick(game.name, 0, 0)
                found = crew.result(number, partial(_watched, tick, 1 if several else workers))
            yield replace(found, game=game)


def _watched(tick: Tick | None, workers: int, job: tuple[Game, Sequence[str]]) -> Report:
    """One bar shows how many parts of checks are done, a second one how far a long check is."""
    if tick is None:
        return verify(*job, workers=workers)
    name = job[0].name
    return verify(
        *job,
        progress=lambda done, of: tick(name, done, of),
        step=lambda code, done, of: tick(f"{name} {code}", done, of),
        workers=workers,
    )


def _parts(wanted: Iterable[str]) -> tuple[tuple[str, Part], ...]:
    """The parts of these checks, each with its code, in the order in which they run."""
    parts = [(code, part) for part in PARTS for code in wanted if part in check_called(code).parts]
    return tuple(sorted(parts, key=_turn))


HERE, BESIDE, LAST = range(3)


def _turn(part: tuple[str, Part]) -> int:
    """When this part of a check runs: first what shares much, then, or beside it in another process, what
    does not: players at the table, and checks that stand apart.
    """
    code, name = part
    if name == "afterwards":
        return LAST
    return BESIDE if name == "at_table" or check_called(code).apart else HERE


def _parts_of(beside: tuple[Game, dsl.Loader, Sequence[tuple[str, Part]]]) -> Results:
    """What parts of checks find: what another process is asked for."""
    game, loader, parts = beside
    study = study_of(game, loader)
    with seldom_collected():
        for part in parts:
            study.part(*part)
    return study.results()


def with_waivers(findings: Iterable[Finding], game: Game) -> Iterator[Finding]:
    """The findings, those that the spec lets stand with its reason."""
    reasons = {(w.check, w.fingerprint): w.reason for w in game.waivers}
    for finding in findings:
        yield replace(finding, waived=reasons.get((finding.code, finding.fingerprint)))


def study_for(game: str | Game | dsl.Game, options: Mapping[str, str] | None = None) -> Study:
    """The study of a reference or an already loaded game. Raises `SpecError` when it does not load."""
    loader = game.loader if isinstance(game, dsl.Game) else dsl.Loader()
    return study_of(core_of(game, options, loader), loader)


def core_of(
    game: str | Game | dsl.Game,
    options: Mapping[str, str] | None = None,
    loader: dsl.Loader | None = None,
) -> Game:
    """The checked game behind a reference or an already loaded game."""
    if isinstance(game, dsl.Game):
        return core_of(game.core, options, loader or game.loader)
    loader = dsl.Loader() if loader is None else loader
    if isinstance(game, Game):
        return loader.again(game, options) if options else game
    return loader.load(game, options).core


def expected_codes(game: Game) -> frozenset[str]:
    """Checks that a statement about this very choice of options expects to find something."""
    claims = [s for s in game.statements if s.about == "check" and s.expected]
    return frozenset(s.check for s in claims if all(game.options.get(k) == v for k, v in s.options.items()))


def _claims_of(game: Game, wanted: tuple[tuple[str, str], ...]) -> Claims:
    """What is to be read of the claims of the game under these options: what is said of them, or all of it
    where that is what a check finds.
    """
    asked = [s for s in game.statements if tuple(sorted({**game.options, **s.options}.items())) == wanted]
    return any(s.about == "check" for s in asked) or frozenset(s.id for s in asked)


def study_of(game: Game, loader: dsl.Loader | None = None) -> Study:
    """A study that keeps those of other options, so that each is loaded once, by `loader` if given."""
    known: dict[tuple[tuple[str, str], ...], Study] = {}
    loader = dsl.Loader() if loader is None else loader

    def under(options: Mapping[str, str], of: Game) -> Study:
        wanted = tuple(sorted({**of.options, **options}.items()))
        if wanted not in known:
            known[wanted] = make(loader.again(of, options, _claims_of(of, wanted)))
        return known[wanted]

    def make(of: Game) -> Study:
        first = next(iter(known.values()), None)
        variant = partial(loader.again, of, claims=False)
        study = Study(of, lambda options: under(options, of), variant, sibling=first, loader=loader)
        known.setdefault(tuple(sorted(of.options.items())), study)
        return study

    return make(game)
