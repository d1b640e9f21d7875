"""All checks of a game: the one function behind `paigui verify`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import dsl
from dsl.core.model import Game
from dsl.text.codes import Lang

from .findings import Finding
from .properties import usual_codes
from .study import Answered, Study, Unsettled


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

    @property
    def pressing(self) -> tuple[Finding, ...]:
        """Findings that an author must act on: not mere information, and not expected."""
        return tuple(f for f in self.findings if f.severity != "info" and f.code not in self.expected)

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
) -> Report:
    """Run checks (the usual ones by default) on a game: a path or name as `load` takes it, or a loaded game.

    `progress` is told the code of each check before it starts. Raises `SpecError` when the spec does
    not load, `ReplayError` when a witness does not stand (our own bug).
    """
    start = perf_counter()
    study = study_of(core_of(game, options))
    wanted = usual_codes() if checks is None else tuple(dict.fromkeys(checks))
    findings: list[Finding] = []
    for code in wanted:
        if progress is not None:
            progress(code)
        findings += study.findings(code)
    return Report(
        game=study.game,
        findings=tuple(findings),
        statements=tuple(study.statements),
        unknown=tuple(dict.fromkeys(study.unknown)),
        seconds=perf_counter() - start,
        expected=expected_codes(study.game),
        checks=wanted,
    )


def core_of(game: str | Game | dsl.Game, options: Mapping[str, str] | None = None) -> Game:
    """The checked game behind a reference or an already loaded game."""
    if isinstance(game, Game):
        return reloaded(game, options) if options else game
    if isinstance(game, dsl.Game):
        return core_of(game.core, options)
    return dsl.load(game, options).core


def expected_codes(game: Game) -> frozenset[str]:
    """Checks that a statement about this very choice of options expects to find something."""
    claims = [s for s in game.statements if s.about == "check" and s.expected]
    return frozenset(s.check for s in claims if all(game.options.get(k) == v for k, v in s.options.items()))


def reloaded(game: Game, options: Mapping[str, str], loader: dsl.Loader | None = None) -> Game:
    """The same ruleset with some options changed."""
    load = dsl.load if loader is None else loader.load
    return load(f"{game.path}#{game.name}", {**game.options, **options}).core


def study_of(game: Game) -> Study:
    """A study that keeps those of other options, so that each is loaded once."""
    known: dict[tuple[tuple[str, str], ...], Study] = {}
    loader = dsl.Loader()

    def under(options: Mapping[str, str], of: Game) -> Study:
        wanted = tuple(sorted({**of.options, **options}.items()))
        if wanted not in known:
            known[wanted] = make(reloaded(of, options, loader))
        return known[wanted]

    def make(of: Game) -> Study:
        first = next(iter(known.values()), None)
        study = Study(of, lambda options: under(options, of), sibling=first)
        known.setdefault(tuple(sorted(of.options.items())), study)
        return study

    return make(game)
