"""All checks of a game: the one function behind `paigui verify`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import dsl
from dsl.api import Claims
from dsl.core.model import Game
from dsl.text.codes import Lang

from .collecting import seldom_collected
from .findings import Finding
from .properties import usual_codes
from .study import Answered, Note, Study, Unsettled


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
    progress: Callable[[str], None] | None = None,
    step: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Run checks (the usual ones by default) on a game: a path or name as `load` takes it, or a loaded game.

    `progress` is told the code of each check before it starts, `step` (code, done, of) how far a check is
    that tries many things. Raises `SpecError` when the spec does not load, `ReplayError` when a witness does
    not stand (our own bug).
    """
    start = perf_counter()
    study = study_for(game, options)
    wanted = usual_codes() if checks is None else tuple(dict.fromkeys(checks))
    findings: list[Finding] = []
    with seldom_collected():
        for code in wanted:
            if progress is not None:
                progress(code)
            study.step = None if step is None else partial(step, code)
            findings += study.findings(code)
            if step is not None:
                step(code, 1, 1)
    return Report(
        game=study.game,
        findings=tuple(with_waivers(findings, study.game)),
        statements=tuple(study.statements),
        unknown=tuple(dict.fromkeys(study.unknown)),
        seconds=perf_counter() - start,
        expected=expected_codes(study.game),
        checks=wanted,
        notes=tuple(note for note in dict.fromkeys(study.notes) if note.code in wanted),
    )


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
