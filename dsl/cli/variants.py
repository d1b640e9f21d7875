"""Every ruleset that some arguments mean, each under every choice of options that is asked for."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from ..api import Game
from ..front.chosen import Choices
from ..front.cover import changed
from ..front.load import Library, find, games_in, load_ruleset, split_reference
from ..front.syntax import Ruleset
from ..text.diagnostics import Diagnostic
from ..text.source import real_path
from .common import spec_files

WILD = frozenset("*?")
"""What makes a path a pattern; brackets hold options."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A ruleset under one choice of options; `game` is None when it does not load, and `faults` say why."""

    name: str
    file: str
    changed: Mapping[str, str]
    """The options that are not as the ruleset has them by itself."""
    game: Game | None
    faults: tuple[Diagnostic, ...] = ()


def variants(references: Iterable[str], expand: bool, library: Library) -> Iterator[Variant]:
    """The rulesets of files, folders, patterns (`specs/**`) and names, each with `[option=value]` if wanted.

    Templates are left out. With `expand`, every legal combination of the options on judging that are no
    readings and that the reference does not settle. Each comes once, in the order of the arguments, files,
    and values.
    """
    seen: set[tuple[str, str, tuple[tuple[str, str], ...]]] = set()
    for reference in references:
        target, options = split_reference(reference)
        for variant in _of_target(target, options, expand, library):
            key = variant.file, variant.name, tuple(sorted(variant.changed.items()))
            if key not in seen:
                seen.add(key)
                yield variant


def _of_target(target: str, options: Mapping[str, str], expand: bool, library: Library) -> Iterator[Variant]:
    for found in _rulesets(target, library):
        if isinstance(found, Ruleset):
            yield from _of_ruleset(found, options, expand, library)
        else:
            yield found


def _rulesets(target: str, library: Library) -> Iterator[Ruleset | Variant]:
    """The rulesets a target means; a variant without a game for each file that cannot be read as one."""
    if WILD & set(target) or Path(target).is_dir():
        for file in _files(target):
            rulesets = library.read(file)
            if not rulesets:
                yield Variant(file.name, str(file), {}, None, library.faults_of(file))
            yield from games_in(rulesets)
        return
    if target.endswith(".pai") and len(games := _games(target, library)) > 1:
        yield from games
        return
    found = find(target, library)
    if isinstance(found, Ruleset):
        yield found
    else:
        faults = (found, *library.faults_of(real_path(found.span.path or target)))
        yield Variant(target, target, {}, None, tuple(dict.fromkeys(faults)))


def _games(file: str, library: Library) -> list[Ruleset]:
    return games_in(library.read(Path(file))) if Path(file).is_file() else []


def _files(target: str) -> Sequence[Path]:
    """The `.pai` files of a folder or a pattern. Raises like `spec_files` when there are none."""
    if not WILD & set(target):
        return spec_files([target])
    hits = [path for path in sorted(glob.glob(target, recursive=True)) if _holds_specs(Path(path))]
    return spec_files(hits or [target])


def _holds_specs(path: Path) -> bool:
    return path.suffix == ".pai" or (path.is_dir() and any(path.rglob("*.pai")))


def _of_ruleset(
    ruleset: Ruleset, options: Mapping[str, str], expand: bool, library: Library
) -> Iterator[Variant]:
    first = load_ruleset(ruleset, options, library, claims=False)
    if first.assembled is None or first.broken:
        yield Variant(ruleset.name, ruleset.path, options, None, first.faults)
        return
    choices = first.assembled.choices
    of_play = {c.name for c in first.game.choices if c.of_play} if first.game is not None else set[str]()
    for chosen in _combinations(choices, options, of_play) if expand else [first.assembled.options]:
        loaded = load_ruleset(ruleset, chosen, library, claims=False)
        game = None if loaded.game is None or ruleset.template else Game(loaded.game)
        faults = loaded.faults
        if ruleset.template:
            faults = (*faults, Diagnostic("N015", ruleset.span, {"name": ruleset.name}))
        yield Variant(ruleset.name, ruleset.path, changed(choices, chosen), game, faults)


def _combinations(
    choices: Choices, settled: Mapping[str, str], of_play: Set[str]
) -> Iterator[dict[str, str]]:
    """Every legal choice that keeps to what is settled and leaves the other readings as they are.

    So are options of which only play at the table speaks: no hand is judged otherwise by them.
    """
    left = {n for n, choice in choices.by_name.items() if choice.is_reading or n in of_play}
    open_to = [name for name in choices.by_name if name in settled or name not in left]
    if not open_to:
        yield dict(settled)
        return
    for chosen in choices.legal(*open_to):
        if all(chosen[name] == value for name, value in settled.items()):
            yield chosen


def labels(found: Sequence[Variant]) -> list[str]:
    """What to call each: the name with what is chosen, and the file where two would be called alike."""
    plain = [_label(variant) for variant in found]
    return [
        f"{label}（{variant.file}）" if plain.count(label) > 1 else label
        for label, variant in zip(plain, found, strict=True)
    ]


def _label(variant: Variant) -> str:
    chosen = ",".join(f"{name}={value}" for name, value in variant.changed.items())
    return f"{variant.name}[{chosen}]" if chosen else variant.name
