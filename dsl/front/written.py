"""例 as its author would write it, and a place for it in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.model import Example, Game
from ..text.codes import Lang
from ..text.diagnostics import SpecError
from ..text.source import Source, line_end
from .keywords import LANGUAGES, PUNCTUATION, spell
from .lex import lex
from .load import decoded
from .parse import parse
from .resolve.scope import split_tiles
from .structure import RawClause, structure

INDENT = "  "


def example_text(game: Game, example: Example, remarks: Iterable[str], lang: Lang) -> str:
    """The clause, two columns in, with remarks above it."""
    return _Writer(game, lang).example(example, remarks)


def situation_text(game: Game, example: Example, lang: Lang) -> str:
    """The part of the clause that describes the hand."""
    return "".join(_Writer(game, lang).situation(example))


def waiver_text(
    check: str, fingerprint: str, reason: str, lang: Lang, options: Mapping[str, str] | None = None
) -> str:
    """豁免 as a line without its end, inside `若` when it holds under these options only."""
    space = "" if lang == "zh" else " "
    line = f"{spell('WAIVE', lang)} {check} {fingerprint}{space}{title(reason, lang)}"
    if not options:
        return line
    pairs = (f"{quoted(k, 'FACT')} = {quoted(v, 'NUMBER')}" for k, v in options.items())
    both = f" {spell('AND', lang)} ".join(pairs)
    return f"{spell('IF', lang)} {both} {{ {line} }}"


def ruleset_text(name: str, base: str, clauses: str, lang: Lang) -> str:
    """A ruleset that extends a file (`PATH#NAME`) and holds nothing but these clauses."""
    head = f"{spell('RULES', lang)} {quoted(name)} {spell('EXTENDS', lang)} {title(base, lang)}"
    return f"{head} {{\n{clauses}}}\n"


def judgement_text(name: str, owner: str, clauses: str, lang: Lang) -> str:
    """A judgement of a game in the same file, with nothing but these clauses."""
    head = f"{spell('VERDICT', lang)} {quoted(name)} {spell('AT', lang)} {quoted(owner)}"
    return f"{head} {{\n{clauses}}}\n"


def opened(file: Path, shown: str) -> tuple[Source, str]:
    """A file to be added to, its lines ended by a line feed alone, and what ends them in the file.

    Empty when there is none yet. Raises `SpecError` for one that is no spec.
    """
    source, fault = decoded(file.read_bytes() if file.exists() else b"", shown)
    if source is None:
        raise SpecError([] if fault is None else [fault], {})
    return Source(shown, source.text.replace("\r\n", "\n")), line_end(source.text)


def with_clauses(source: Source, names: Sequence[str], clauses: str) -> str | None:
    """The text with clauses added at the end of the first ruleset so called; None when there is none.

    Raises `SpecError` for a text that cannot be parsed.
    """
    found = _ruleset(source, names)
    if found is None or found.body is None or found.body.closed is None:
        return None
    end = found.body.closed.start_pos or 0
    before = source.text[:end].rstrip(" \t")
    gap = "" if before.endswith("\n") else "\n"
    return f"{before}{gap}{clauses}{source.text[end:]}"


def ids_in(source: Source, names: Sequence[str]) -> frozenset[str]:
    """Ids of the examples and statements of the first ruleset so called."""
    rulesets, _ = parse(source)
    clauses = next((r.clauses for name in names for r in rulesets if r.name == name), ())
    return frozenset(c.key[-1] for c in clauses if c.kind in ("example", "claim"))


def body_of(source: Source, names: Sequence[str]) -> str:
    """What stands in the first ruleset so called; nothing where there is none."""
    found = _ruleset(source, names) if source.text.strip() else None
    if found is None or found.body is None or found.body.opened is None or found.body.closed is None:
        return ""
    return source.text[found.body.opened.end_pos or 0 : found.body.closed.start_pos or 0]


def bases_in(source: Source) -> dict[str, str]:
    """The rulesets of a file, each with what it extends, if anything."""
    return {ruleset.name: ruleset.base or "" for ruleset in parse(source)[0]}


def _ruleset(source: Source, names: Sequence[str]) -> RawClause | None:
    rulesets, faults = parse(source)
    if any(fault.severity == "error" for fault in faults):
        raise SpecError(faults, {source.path: source})
    block, _ = structure(source.path, lex(source)[0])
    raws = [raw for raw in block.clauses if raw.body is not None]
    for name in names:
        for ruleset, raw in zip(rulesets, raws, strict=True):
            if ruleset.name == name:
                return raw
    return None


# ---------------------------------------------------------------- words


def quoted(name: str, *more: str) -> str:
    """A name, in quotes where it would be read as something else; `more` are types it may have as well."""
    found, faults = lex(Source("", name))
    plain = len(found) == 1 and not faults and found[0].type in ("NAME", *more)
    if plain:
        return name
    return f"'{name}'" if "'" not in name else f"『{name}』"


def title(text: str, lang: Lang) -> str:
    """A text in the quotes of titles; what would end it is replaced."""
    flat = " ".join(text.split())
    if lang == "zh":
        return "「" + flat.replace("「", "『").replace("」", "』") + "」"
    return '"' + flat.replace('"', "'") + '"'


class _Writer:
    def __init__(self, game: Game, lang: Lang) -> None:
        self.game = game
        self.lang = lang

    def sign(self, key: str) -> str:
        return PUNCTUATION[key][LANGUAGES.index(self.lang)]

    def line(self, key: str, *words: str) -> str:
        return f"{INDENT * 2}{' '.join([spell(key, self.lang), *words])}\n"

    def example(self, example: Example, remarks: Iterable[str]) -> str:
        lines = [f"{INDENT}// {' '.join(remark.split())}\n" for remark in remarks]
        name = quoted(example.id, "FACT")
        space = "" if self.lang == "zh" else " "
        head = f"{spell('EXAMPLE', self.lang)} {name}{space}{title(example.title, self.lang)}"
        lines.append(f"{INDENT}{head}{space or ' '}{{\n")
        lines += [*self.situation(example), *self.expectation(example.expected), f"{INDENT}}}\n"]
        return "".join(lines)

    # ------------------------------------------------------------ the hand

    def situation(self, example: Example) -> Iterator[str]:
        hand: Mapping[str, object] = example.hand
        if example.options:
            yield self.line("AT", self._options(example.options))
        if "role" in hand:
            yield self.line("ROLE", quoted(str(hand["role"])))
        for name, value in _mapping(hand.get("context")).items():
            yield self.line("PARAMETER", quoted(name), quoted(str(value)))
        for laid in _list(hand.get("laid")):
            yield self.line("LAID", self._laid(_mapping(laid)))
        if hand.get("hand"):
            yield self.line("HAND", *self._tiles(_list(hand["hand"])))
        if "last" in hand:
            last = _mapping(hand["last"])
            yield self.line("LAST", quoted(str(last["tile"])), quoted(str(last["from"])))
        if "led" in hand:
            yield self.line("LED", *self._tiles(_list(hand["led"])))
        if "declare" in hand:
            yield self.line("DECLARE", *self._names(_list(hand["declare"])))

    def _options(self, options: Mapping[str, str]) -> str:
        pairs = (f"{quoted(k, 'FACT')} = {quoted(v, 'NUMBER')}" for k, v in options.items())
        comma = self.sign("COMMA")
        return (comma if self.lang == "zh" else comma + " ").join(pairs)

    def _laid(self, laid: Mapping[str, object]) -> str:
        text = "".join(" ".join(self._tiles(_list(laid["tiles"]))))
        if "meld" in laid:
            name = ".".join(quoted(step) for step in str(laid["meld"]).split("."))
            text = name + self.sign("COLON") + ("" if self.lang == "zh" else " ") + text
        if "origins" in laid:
            origins = " ".join(quoted(str(o)) for o in _list(laid["origins"]))
            open_ = self.sign("LPAR") if self.lang == "zh" else " " + self.sign("LPAR")
            text += open_ + origins + self.sign("RPAR")
        return text

    def _tiles(self, faces: Sequence[object]) -> Iterator[str]:
        """Faces of one component written together where that reads back as the same tiles."""
        index = dict(self.game.kind_index)
        runs: list[list[str]] = []
        for face in map(str, faces):
            part = self.game.component_of[index[face]]
            if runs and self.game.component_of[index[runs[-1][0]]] == part:
                runs[-1].append(face)
            else:
                runs.append([face])
        for run in runs:
            kinds = tuple(index[face] for face in run)
            together = "".join(run)
            same = split_tiles(together, index) == kinds
            yield from [quoted(together)] if same else [quoted(face) for face in run]

    def _names(self, names: Sequence[object]) -> list[str]:
        return [quoted(str(name)) for name in names] or [spell("NONE", self.lang)]

    # ------------------------------------------------------------ what is expected

    def expectation(self, expected: Mapping[str, object]) -> Iterator[str]:
        if "verdict" in expected:
            verdict = spell("WIN" if expected["verdict"] == "win" else "FALSE_WIN", self.lang)
            yield self.line("VERDICT", verdict, *([str(expected["score"])] if "score" in expected else []))
        if "scores" in expected:
            yield self.line("EVERY_SCORE", *map(str, _list(expected["scores"])))
        if "names" in expected:
            yield self.line("NAMES", *self._names(_list(expected["names"])))
        if "payments" in expected:
            paid = _mapping(expected["payments"]).items()
            yield self.line("PAYS", *(f"{quoted(seat)} {amount}" for seat, amount in paid))
        if "waits" in expected:
            faces = [quoted(str(face)) for face in _list(expected["waits"])]
            yield self.line("WAITING", *(faces or [spell("NONE", self.lang)]))
        for key, name in (("BEATEN_BY", "beaten_by"), ("UNBEATEN_BY", "unbeaten_by")):
            for play in _list(expected.get(name)):
                yield self.line(key, *self._tiles(_list(play)))
        if "types" in expected:
            yield self.line("CALLED", *self._names(_list(expected["types"])))


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
