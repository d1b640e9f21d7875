"""A game by path or name to CORE: find the file, follow its bases, assemble, resolve."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from ..core.model import Flow, Game
from ..text.diagnostics import Diagnostic, SpecError
from ..text.source import NOWHERE, Source, Span, real_path, shown_path
from ..text.spelling import closest, closest_file
from .assemble import Assembled, Plan, assemble, plan_of
from .chosen import Choices, choices_of
from .citations import check_citations
from .judged import foreign, ground
from .parse import parse
from .removals import at_removals
from .resolve import Claims, resolve
from .resolve.memory import Memory
from .revisions import as_it_was, revision
from .syntax import Ruleset

LIMIT = 1_000_000
"""Largest spec read, in bytes; the shipped ones are below 40 000."""


BY_FILE = (
    "名字在同一个文件夹和 specs 文件夹里找；也可以写文件：`文件.pai`",
    "names are looked for in the same folder and below `specs`; a file will do too: `FILE.pai`",
)


@dataclass(slots=True)
class Library:
    """Files read so far; one per run, so that a base shared by two games is read once."""

    sources: dict[str, Source] = field(default_factory=dict)
    rulesets: dict[str, tuple[Ruleset, ...]] = field(default_factory=dict)
    faults: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    """What resolving a ruleset under one choice of options left for the next."""
    _cited: dict[tuple[int, ...], tuple[tuple[Ruleset, ...], list[Diagnostic]]] = field(default_factory=dict)
    _agreed: dict[tuple[int, ...], tuple[tuple[Ruleset, ...], Choices, list[Diagnostic]]] = field(
        default_factory=dict
    )

    def agreed(self, chain: tuple[Ruleset, ...]) -> tuple[Choices, list[Diagnostic]]:
        """Options and readings of a chain, and their faults; each chain is looked at once."""
        key = tuple(id(ruleset) for ruleset in chain)
        if key not in self._agreed:
            self._agreed[key] = (chain, *choices_of(chain))
        return self._agreed[key][1:]

    _grounds: dict[int, tuple[Ruleset, Ruleset]] = field(default_factory=dict)
    _plans: dict[int, tuple[Ruleset, Plan]] = field(default_factory=dict)
    _chains: dict[int, tuple[Ruleset, tuple[Ruleset, ...], list[Diagnostic]]] = field(default_factory=dict)

    def planned(self, ruleset: Ruleset) -> Plan:
        """What a ruleset does to what its bases left, whatever is chosen."""
        known = self._plans.get(id(ruleset))
        if known is None:
            known = self._plans[id(ruleset)] = (ruleset, plan_of(ruleset))
        return known[1]

    def chain(self, ruleset: Ruleset) -> tuple[tuple[Ruleset, ...], list[Diagnostic]]:
        """As `chain_of`; the bases of a ruleset are looked for once."""
        known = self._chains.get(id(ruleset))
        if known is None:
            known = self._chains[id(ruleset)] = (ruleset, *_chain_of(ruleset, self))
        return known[1], list(known[2])

    def cited(self, assembled: Assembled) -> list[Diagnostic]:
        """Faults of citations. They are the same under all options, so each chain is looked at once."""
        key = tuple(id(ruleset) for ruleset in assembled.chain)
        if key not in self._cited:
            self._cited[key] = (assembled.chain, check_citations(assembled))
        return self._cited[key][1]

    def ground(self, ruleset: Ruleset) -> Ruleset:
        """What a judgement has of a game's ruleset; the same each time it is asked for."""
        return self._grounds.setdefault(id(ruleset), (ruleset, ground(ruleset)))[1]

    def read(self, path: Path, at: Span = NOWHERE) -> tuple[Ruleset, ...]:
        """Rulesets of a file; its faults are kept under its shown path."""
        shown = shown_path(path)
        if shown not in self.rulesets:
            source, fault = _source(path, shown, at)
            self.rulesets[shown], self.faults[shown] = (), (fault,) if fault else ()
            if source is not None:
                self.sources[shown] = source
                self.rulesets[shown], self.faults[shown] = _parsed(source)
        return self.rulesets[shown]

    def forget_chains(self) -> None:
        """A name may mean another ruleset from now on."""
        self._chains.clear()

    def with_rulesets(self, shown: str, rulesets: tuple[Ruleset, ...]) -> Library:
        """A library of its own that knows the same files, one of them with other rulesets."""
        changed = {**self.rulesets, shown: rulesets}
        return Library(dict(self.sources), changed, dict(self.faults), self.memory.copy())

    def faults_of(self, path: Path) -> tuple[Diagnostic, ...]:
        return self.faults.get(shown_path(path), ())


@lru_cache(maxsize=64)
def _parsed(source: Source) -> tuple[tuple[Ruleset, ...], tuple[Diagnostic, ...]]:
    """A file's rulesets and faults. Nobody changes them, so the libraries of one process share them."""
    return parse(source)


def _source(path: Path, shown: str, at: Span) -> tuple[Source | None, Diagnostic | None]:
    try:
        data = path.read_bytes()
    except OSError:
        values = {"path": shown, "suggestion": closest_file(path)}
        return None, Diagnostic("N008" if at != NOWHERE else "U002", at, values)
    return decoded(data, shown)


def decoded(data: bytes, shown: str) -> tuple[Source | None, Diagnostic | None]:
    """The bytes of a spec as a source under the path to show; or P007 (not UTF-8), P009 (too large)."""
    if len(data) > LIMIT:
        return None, Diagnostic("P009", Span(shown), {"size": len(data), "limit": LIMIT})
    try:
        return Source(shown, data.decode("utf-8-sig")), None
    except UnicodeDecodeError:
        return None, Diagnostic("P007", Span(shown), {"guess": _guess(data)})


def _guess(data: bytes) -> str | None:
    """The encoding that a Chinese text most likely has; None for what is no text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    if b"\0" in data:
        return None
    for encoding in ("gb18030", "big5"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return {"gb18030": "GBK"}.get(encoding, encoding.upper())
    return None


# ---------------------------------------------------------------- finding


def split_reference(reference: str) -> tuple[str, dict[str, str]]:
    """`PATH[a=b,c=d]` as path or name and options; a reference without brackets has none.

    An option given twice gets both values, which it cannot have.
    """
    match = re.fullmatch(r"(.*)[\[［]([^\[［]*)[\]］]", reference.strip(), re.DOTALL)
    if match is None:
        return reference.strip(), {}
    pairs = (part.partition("=") for part in re.split("[,，]", match[2].replace("＝", "=")) if part.strip())
    given: dict[str, list[str]] = {}
    for name, _, value in pairs:
        given.setdefault(name.strip(), []).append(value.strip())
    return match[1].strip(), {name: "，".join(dict.fromkeys(values)) for name, values in given.items()}


def _parted(reference: str) -> tuple[str, str]:
    """`FILE#NAME` as file and name; a `#` in the name of a file or folder stays where it is."""
    path, sign, inside = reference.rpartition("#")
    return (path, inside) if sign and "/" not in inside and not inside.endswith(".pai") else (reference, "")


def spec_roots(near: Path | None = None) -> list[Path]:
    """Folders in which games are looked up by name: `specs` above `near` and above the working
    directory, `PAIGUI_SPECS`, and the specs that come with the project."""
    found: list[Path] = []
    for start in [near] if near is not None else []:
        found += [p for p in start.resolve().parents if p.name == "specs"][:1]
    around = (as_it_was(p / "specs", near) for p in (Path.cwd(), *Path.cwd().parents))
    found += [p for p in around if p.is_dir()][:1]
    others = [Path(p) for p in os.environ.get("PAIGUI_SPECS", "").split(os.pathsep) if p]
    others.append(Path(__file__).resolve().parents[2] / "specs")
    found += [as_it_was(p, near) for p in others]
    return list(dict.fromkeys(p for p in found if p.is_dir()))


def find_game(name: str, library: Library, near: Path | None, at: Span) -> Ruleset | Diagnostic:
    """The ruleset called `name`: in the file's own folder, else under the nearest folder of specs.

    `GAME.NAME` is a judgement of a game, also one that the game has from its base.
    """
    found, looked = _named(name, library, near, at)
    game, _, judgement = name.rpartition(".")
    if found is None and game:
        found, _ = _named(game, library, near, at)
        found = judged(found, judgement, library, at) if isinstance(found, Ruleset) else found
    if found is not None:
        return found
    meant = closest(name, [r.name for path in looked for r in library.read(path)])
    values: dict[str, object] = {"name": name, "suggestion": meant, "help": None if meant else BY_FILE}
    return Diagnostic("U001" if at == NOWHERE else "N007", at, values)


def _named(
    name: str, library: Library, near: Path | None, at: Span
) -> tuple[Ruleset | Diagnostic | None, list[Path]]:
    """The ruleset of that name in the first place that has one, and the files looked at."""
    places = [near.parent.glob("*.pai")] if near is not None else []
    places += [root.rglob("*.pai") for root in spec_roots(near)]
    looked: list[Path] = []
    for place in places:
        hits: list[Ruleset] = []
        for path in sorted(place):
            looked.append(path)
            if _mentions(path, name):
                hits += [r for r in library.read(path) if r.name == name]
        if len(hits) > 1:
            return Diagnostic("N014", at, {"name": name}, tuple((h.span, "") for h in hits)), looked
        if hits:
            return hits[0], looked
    return None, looked


def _mentions(path: Path, name: str) -> bool:
    """Does the file's text hold the name at all? Files that do not need not be parsed."""
    try:
        return name.encode() in path.read_bytes()
    except OSError:
        return False


def find(reference: str, library: Library) -> Ruleset | Diagnostic:
    """A path (a file with one ruleset, or `FILE#NAME`) or a game's name."""
    path, inside = _parted(reference)
    asked = revision(path)
    if isinstance(asked, Diagnostic):
        return asked
    file, near = (Path(path), None) if asked is None else (asked.file, asked.file)
    if not (path.endswith(".pai") or "/" in path or file.is_file()):
        return find_game(path if asked is None else asked.path, library, near, NOWHERE)
    rulesets = library.read(file)
    faults = library.faults_of(file)
    if not rulesets and faults:
        return faults[0]
    wanted = inside_of(rulesets, inside) if inside else games_in(rulesets)
    wanted = wanted or ([] if inside else [r for r in rulesets if r.of is None])
    if len(wanted) == 1:
        return wanted[0]
    owner, _, judgement = inside.rpartition(".")
    if not wanted and len(owners := inside_of(rulesets, owner)) == 1:
        return judged(owners[0], judgement, library, Span(shown_path(file)))
    if not wanted:
        meant = closest(inside, [r.name for r in rulesets])
        return Diagnostic("N019", Span(shown_path(file)), {"name": inside or path, "suggestion": meant})
    return Diagnostic("N020", wanted[1].span, {"names": [r.name for r in wanted]})


def inside_of(rulesets: Iterable[Ruleset], name: str) -> list[Ruleset]:
    """Those so called; two judgements of one name are found when they are loaded."""
    found = [r for r in rulesets if r.name == name]
    return found[:1] if found and found[0].of is not None else found


def ruleset_named(path: str, name: str, library: Library) -> Ruleset | None:
    """The one ruleset so called of a file that has been read, be it a judgement that it has from its base."""
    rulesets = library.rulesets.get(path, ())
    found = inside_of(rulesets, name)
    game, _, judgement = name.rpartition(".")
    if not found and len(owners := inside_of(rulesets, game)) == 1:
        of_base = judged(owners[0], judgement, library, NOWHERE)
        return None if isinstance(of_base, Diagnostic) else of_base
    return found[0] if len(found) == 1 else None


def rulesets_of(path: Path, library: Library) -> list[Ruleset]:
    """The rulesets of a file, each game with the judgements that it has from its bases after it."""
    written = library.read(path)
    found: list[Ruleset] = []
    for ruleset in written:
        found.append(ruleset)
        for name in judgements_of(ruleset, library) if games_in([ruleset]) else ():
            known = judged(ruleset, name, library, NOWHERE)
            if isinstance(known, Ruleset) and not any(known is other for other in written):
                found.append(known)
    return found


def games_in(rulesets: Iterable[Ruleset]) -> list[Ruleset]:
    """The games: neither templates nor judgements."""
    return [r for r in rulesets if not r.template and r.of is None]


# ---------------------------------------------------------------- judgements


def judgements_of(game: Ruleset, library: Library) -> tuple[str, ...]:
    """Names of the judgements of a game, those of its bases first."""
    chain, _ = chain_of(game, library)
    blocks = (r for level in chain for r in _blocks(level, library))
    return tuple(dict.fromkeys(block.judgement for block in blocks))


def _blocks(level: Ruleset, library: Library) -> list[Ruleset]:
    """The judgements that the file of a ruleset writes down for it."""
    return [r for r in library.rulesets.get(level.path, ()) if r.of == level.name and level.of is None]


def judged(game: Ruleset, name: str, library: Library, at: Span) -> Ruleset | Diagnostic:
    """The judgement of a game: as written for it, else one without clauses of its own on that of its base."""
    own = [r for r in _blocks(game, library) if r.judgement == name]
    if own:
        return own[0]
    known = judgements_of(game, library)
    if name not in known:
        values: dict[str, object] = {"game": game.name, "name": name, "suggestion": closest(name, known)}
        return Diagnostic("N027", at, values)
    return replace(game, name=f"{game.name}.{name}", title="", base=None, clauses=(), of=game.name)


def _chain_of_judgement(ruleset: Ruleset, library: Library) -> tuple[tuple[Ruleset, ...], list[Diagnostic]]:
    """What the judgement has of its game and the game's bases, then what is written under its name."""
    here, of = library.rulesets.get(ruleset.path, ()), ruleset.of or ""
    owners = inside_of(here, of)
    if not owners:
        values = {"name": of, "suggestion": closest(of, [r.name for r in here if r.of is None])}
        return (ruleset,), [Diagnostic("N019", ruleset.base_span, values)]
    if owners[0].of is not None:
        return (ruleset,), [Diagnostic("N028", ruleset.base_span, {"name": of})]
    chain, faults = chain_of(owners[0], library)
    blocks = [r for level in chain for r in _blocks(level, library) if r.judgement == ruleset.judgement]
    for first, second in pairwise(blocks):
        if first.name == second.name and first.path == second.path:
            faults.append(Diagnostic("N002", second.span, {"name": second.name}, ((first.span, "first"),)))
    own = () if any(r is ruleset for r in blocks) else (ruleset,)
    return (*map(library.ground, chain), *blocks, *own), [*faults, *_misplaced(blocks)]


def _misplaced(blocks: Iterable[Ruleset]) -> Iterator[Diagnostic]:
    """N029 for each clause of a judgement that only its game may have."""
    for block in blocks:
        whens = (inner for clause in block.clauses if clause.kind == "when" for inner in clause.children)
        for clause in (*block.clauses, *whens):
            section = foreign(clause)
            if section is not None:
                yield Diagnostic("N029", clause.span, {"section": section, "game": block.of})


def beside(ruleset: Ruleset, library: Library) -> tuple[Ruleset, ...]:
    """Rulesets under the same choices that judge other things: a game's judgements, a judgement's game."""
    here = library.rulesets.get(ruleset.path, ())
    owners = [ruleset] if ruleset.of is None else inside_of(here, ruleset.of)
    chain = [level for owner in owners for level in chain_of(owner, library)[0]]
    blocks = [r for level in chain for r in _blocks(level, library)]
    return tuple(blocks if ruleset.of is None else [*chain, *blocks])


# ---------------------------------------------------------------- loading


@dataclass(slots=True)
class Loaded:
    """Outcome of loading: the game if nothing is wrong, and everything that was found."""

    game: Game | None
    assembled: Assembled | None
    faults: tuple[Diagnostic, ...]
    library: Library

    @property
    def broken(self) -> bool:
        return any(f.severity == "error" for f in self.faults)


def load_game(
    reference: str,
    options: Mapping[str, str] | None = None,
    library: Library | None = None,
    claims: Claims = True,
) -> Loaded:
    """Load one game under a choice of options; never raises for a faulty spec. `claims` as for a ruleset."""
    library = library if library is not None else Library()
    target, bracketed = split_reference(reference)
    found = find(target, library)
    if isinstance(found, Diagnostic):
        path = real_path(found.span.path or target)
        others = library.faults_of(path)
        return Loaded(None, None, tuple(dict.fromkeys((found, *others))), library)
    return load_ruleset(found, {**bracketed, **(options or {})}, library, claims)


def load_text(
    text: str, shown: str, options: Mapping[str, str] | None = None, library: Library | None = None
) -> Loaded:
    """Load the one ruleset of a text that is in no file; messages call the text `shown`."""
    library = library if library is not None else Library()
    source = Source(shown, text)
    library.sources[shown] = source
    library.rulesets[shown], library.faults[shown] = parse(source)
    library.forget_chains()
    rulesets = games_in(library.rulesets[shown])
    if len(rulesets) == 1:
        return load_ruleset(rulesets[0], options or {}, library)
    several = Diagnostic("N020", Span(shown), {"names": [r.name for r in rulesets]})
    return Loaded(None, None, library.faults[shown] or (several,), library)


def load_ruleset(
    ruleset: Ruleset, options: Mapping[str, str], library: Library, claims: Claims = True
) -> Loaded:
    """Load a ruleset that is already parsed; of examples and statements only those of `claims` are read."""
    chain, faults = chain_of(ruleset, library)
    paths = list(dict.fromkeys(r.path for r in chain))
    formal = [f for p in paths for f in library.faults.get(p, ())]
    torn = any(f.severity == "error" for f in formal)
    if faults or (torn and not all(r.whole for r in chain)):
        return Loaded(None, None, tuple(dict.fromkeys([*formal, *faults])), library)
    assembled = assemble(chain, options, ruleset.span, library.agreed(chain), library.planned)
    assembled.beside = beside(ruleset, library)
    game, resolved = resolve(assembled, library.memory, claims)
    later = at_removals(assembled, [*assembled.faults, *library.cited(assembled), *resolved])
    if torn:
        lost = frozenset[str]().union(*(r.torn for r in chain))
        later = [f for f in later if _stands_alone(f, lost)]
    missed = {f.span for f in assembled.faults if f.code == "N003"}  # what else such a line does comes of it
    later = [f for f in later if f.code == "N003" or f.span not in missed]
    found = list(dict.fromkeys([*formal, *later]))
    if any(f.severity == "error" for f in found):
        game = None
    if game is not None and game.flow is not None and game.flow.judgements:
        game, more = _with_judged(game, game.flow, ruleset, library)
        found += more
    return Loaded(game, assembled, tuple(found), library)


def _with_judged(
    game: Game, flow: Flow, ruleset: Ruleset, library: Library
) -> tuple[Game | None, list[Diagnostic]]:
    """The game with the judgements that are asked at its table, and what is wrong with them."""
    known: dict[str, Game] = {}
    faults: list[Diagnostic] = []
    for name, rule in flow.judgements.items():
        found = judged(ruleset, name, library, rule.span)
        if isinstance(found, Diagnostic):
            faults.append(found)
            continue
        loaded = load_ruleset(found, game.options, library, claims=False)
        faults += loaded.faults
        if loaded.game is not None:
            known[name] = loaded.game
    faults += _nameless(flow, known)
    tricks = flow.tricks
    if tricks is not None and tricks.judgement in known and not known[tricks.judgement].ranks:
        example = ("大小 { 正门：天牌 > 地牌 }", "ranks { 正门: 天牌 > 地牌 }")
        values = {"section": f"{tricks.judgement}.大小", "example": example}
        faults.append(Diagnostic("T016", tricks.rule.span, values))
    if any(f.severity == "error" for f in faults):
        return None, faults
    return replace(game, flow=replace(flow, judged=known)), faults


def _nameless(flow: Flow, known: Mapping[str, Game]) -> Iterator[Diagnostic]:
    """N001 for each call that opens play by a name which its judgement does not have."""
    for opener in (o for o in flow.openers.values() if o.judgement in known):
        names = [named.name for named in known[opener.judgement].names]
        if opener.named not in names:
            near = closest(opener.named, names)
            values = {"name": opener.named, "what": ("名", "name"), "suggestion": near}
            yield Diagnostic("N001", opener.rule.span, values)


ALONE = frozenset(
    {f"N{n:03}" for n in (1, 2, 3, 4, 5, 9, 10, 12, 13, 16, 21, 22)}
    | {f"T{n:03}" for n in (1, 6, 7, 9, 11, 13, 14, 17)}
)
"""Faults of one clause that another clause's loss does not bring about, if it does not speak of it."""


def _stands_alone(fault: Diagnostic, torn: frozenset[str]) -> bool:
    """Is the fault worth reporting although some clauses could not be read? `torn`: their words."""
    words = {part for v in fault.values.values() if isinstance(v, str) for part in v.split(".")}
    return fault.code in ALONE and not words & torn


def chain_of(ruleset: Ruleset, library: Library) -> tuple[tuple[Ruleset, ...], list[Diagnostic]]:
    """The ruleset with its bases before it; a circle or a missing base is a fault."""
    return library.chain(ruleset)


def _chain_of(ruleset: Ruleset, library: Library) -> tuple[tuple[Ruleset, ...], list[Diagnostic]]:
    if ruleset.of is not None:
        return _chain_of_judgement(ruleset, library)
    chain = [ruleset]
    while chain[0].base is not None:
        base = _base(chain[0], library)
        if isinstance(base, Diagnostic):
            return tuple(chain), [base]
        if base.of is not None:
            return tuple(chain), [Diagnostic("N028", chain[0].base_span, {"name": base.name})]
        if any(r.name == base.name and r.path == base.path for r in chain):
            names = " → ".join([*(r.name for r in reversed(chain)), base.name])
            at = ruleset if base == ruleset else chain[0]
            return tuple(chain), [Diagnostic("N006", at.base_span, {"chain": names})]
        chain.insert(0, base)
    return tuple(chain), []


def _base(ruleset: Ruleset, library: Library) -> Ruleset | Diagnostic:
    wanted, here = ruleset.base or "", real_path(ruleset.path)
    wanted, inside = _parted(wanted)
    if not wanted.endswith(".pai"):
        same_file = inside_of(library.rulesets.get(ruleset.path, ()), wanted)
        return same_file[0] if same_file else find_game(wanted, library, here, ruleset.base_span)
    path = here.parent / wanted
    rulesets = [r for r in library.read(path, ruleset.base_span) if r.name == inside or not (inside or r.of)]
    if len(rulesets) == 1:
        return rulesets[0]
    faults = library.faults_of(path)
    if faults:
        return faults[0]
    if inside:
        return Diagnostic("N019", ruleset.base_span, {"name": inside})
    return Diagnostic("N020", ruleset.base_span, {"names": [r.name for r in rulesets]})


def game_or_raise(loaded: Loaded) -> Game:
    """The game, or `SpecError` with everything that is wrong. A template is not a game."""
    faults = loaded.faults
    if loaded.assembled is not None and loaded.assembled.ruleset.template:
        ruleset = loaded.assembled.ruleset
        faults = (*faults, Diagnostic("N015", ruleset.span, {"name": ruleset.name}))
        raise SpecError(faults, loaded.library.sources)
    if loaded.game is None:
        raise SpecError(faults, loaded.library.sources)
    return loaded.game
