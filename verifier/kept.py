"""Witnesses kept as 例: a hand that a check, a question or a comparison came upon, as it is judged now."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import dsl
from dsl.api import written
from dsl.core.hand import to_json
from dsl.core.model import Example, Game, Rule
from dsl.judge.words import headline
from dsl.text.codes import Lang
from dsl.text.source import KNOWN_AS, Source, real_path, shown_path

from .checking import Report
from .difference import Class, Difference
from .difference_words import labels, reason
from .family import Family, Pair
from .findings import Finding, pick
from .properties import FAMILY, FAMILY_TITLE
from .questions import Reply

KEPT: dict[Lang, str] = {"zh": "见证", "en": "kept"}
"""Ends the name of a ruleset that only holds kept witnesses."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An example of a game, with the remarks that go above it. Its id is only the start of one."""

    game: Game
    example: Example
    remarks: tuple[str, ...]


# ---------------------------------------------------------------- what there is to keep


def of_reports(reports: Iterable[Report], lang: Lang) -> list[Kept]:
    """The witnesses of all findings."""
    return [kept for report in reports for f in report.findings for kept in _of_finding(report, f, lang)]


def _of_finding(report: Report, finding: Finding, lang: Lang) -> Iterator[Kept]:
    if finding.example is not None:
        remark = f"{finding.code} {pick(finding.sentence, lang)}"
        options = {**_options_of_statement(report.game, finding), **finding.example.options}
        title = pick(finding.title, lang)
        yield from _kept(report.game, finding.example.hand, options, finding.code, title, [remark])


def _options_of_statement(game: Game, finding: Finding) -> Mapping[str, str]:
    """The options under which a refuted statement was asked."""
    names = {rule.name for rule in finding.rules}
    return next((s.options for s in game.statements if s.rule.name in names), {})


def of_reply(reply: Reply, lang: Lang) -> list[Kept]:
    """The hand that answers a question."""
    if reply.example is None:
        return []
    return list(_kept(reply.game, reply.example.hand, {}, "Q", reply.question, [reply.question]))


def of_family(family: Family, lang: Lang) -> list[Kept]:
    """Of each pair the hand that wins in one of the two, as an example of both: they are judged apart."""
    kept: dict[tuple[str, str], Kept] = {}
    for pair in family.pairs:
        if pair.disputed is not None:
            for name, one in _both(family, pair, pair.disputed, lang):
                kept.setdefault((name, str(one.example.hand)), one)
    return list(kept.values())


def _both(family: Family, pair: Pair, shown: Class, lang: Lang) -> Iterator[tuple[str, Kept]]:
    """The hand under each of the two games, with its name; the verdict of the other is in the remark."""
    sides = list(zip((pair.left, pair.right), family.names_of(pair), (shown.left, shown.right), strict=True))
    for (index, name, _), (_, other, verdict) in zip(sides, reversed(sides), strict=True):
        told = pick((f"{FAMILY} `{other}` 里：", f"{FAMILY} in `{other}`: "), lang)
        remarks = [told + headline(verdict, lang)]
        title = pick(FAMILY_TITLE, lang)
        for one in _kept(family.games[index].core, shown.witness, {}, FAMILY, title, remarks):
            yield name, one


def of_difference(found: Difference, lang: Lang) -> list[Kept]:
    """The witness of each class of hands as an example of the right side; the left is in the remark."""
    kept: dict[str, Kept] = {}
    for item in (c for aspect in found.aspects.values() for c in aspect.classes):
        remarks = [f"{labels(found)[0]}：{headline(item.left, lang)}"]
        hand = to_json(found.right.core, item.right.hand)
        for one in _kept(found.right.core, hand, {}, "D", reason(found, item, lang), remarks):
            kept.setdefault(str(one.example.hand), one)
    return list(kept.values())


def _kept(
    game: Game,
    hand: Mapping[str, Any],
    options: Mapping[str, str],
    id: str,
    title: str,
    remarks: Sequence[str],
) -> Iterator[Kept]:
    """The hand as an example with the judge's answer; nothing for one that cannot be judged."""
    under = {**game.options, **options}
    judge = dsl.Game(game) if under == game.options else dsl.load(_reference(game), under)
    expected = _answer(judge, hand)
    if expected is not None:
        example = Example(id, title, _changed(game, under), hand, expected, Rule("", ""))
        yield Kept(game, example, tuple(remarks))


def _reference(game: Game) -> str:
    return f"{game.path}#{game.name}"


def options_written(game: Game) -> Mapping[str, str]:
    """The options that must be named to come to this game."""
    return _changed(game, game.options)


def _changed(game: Game, under: Mapping[str, str]) -> Mapping[str, str]:
    """Options that are not as the ruleset has them by itself."""
    try:
        usual = dsl.load(_reference(game)).options
    except dsl.SpecError:
        return under
    return {name: value for name, value in under.items() if usual.get(name) != value}


def _answer(judge: dsl.Game, hand: Mapping[str, Any]) -> Mapping[str, object] | None:
    """What the judge says of a finished hand, or of a waiting one."""
    try:
        answer = judge.judge(hand).to_json()
    except dsl.HandError:
        return _waiting(judge, hand)
    keys = (
        ("verdict", "score", "scores", "names", "payments") if answer["complete"] else ("verdict", "payments")
    )
    return {key: answer[key] for key in keys}


def _waiting(judge: dsl.Game, hand: Mapping[str, Any]) -> Mapping[str, object] | None:
    try:
        answer = judge.waits(hand).to_json()
    except dsl.HandError:
        return None
    return {"waits": [entry["tile"] for entry in answer["waits"]], "types": answer["types"]}


# ---------------------------------------------------------------- as text


def clauses(kept: Sequence[Kept], lang: Lang, taken: Iterable[str] = ()) -> str:
    """The examples as clauses, numbered so that no id is taken twice."""
    used = set(taken)
    texts = []
    for one in kept:
        known = used.union((e.id for e in one.game.examples), (s.id for s in one.game.statements))
        number = next(n for n in range(1, 10_000) if f"{one.example.id}-{n}" not in known)
        example = replace(one.example, id=f"{one.example.id}-{number}")
        used.add(example.id)
        texts.append(written.example_text(one.game, example, one.remarks, lang))
    return "".join(texts)


def append(kept: Sequence[Kept], file: Path, lang: Lang) -> tuple[str, int]:
    """The text of a file with the examples added, and how many were new.

    They go into the ruleset of that game, or else into one that extends it and holds nothing else.
    Raises `SpecError` for a file that cannot be parsed.
    """
    source, newline = written.opened(file, shown_path(file))
    many = 0
    for game in {(k.game.path, k.game.name): k.game for k in kept}.values():
        names = _takers(source, game, file)
        held = written.body_of(source, names)
        mine = [k for k in kept if _of_one_ruleset(k.game, game) and _is_new(k, held, lang)]
        if mine:
            text, many = _added(source, names, mine, file, lang), many + len(mine)
            source = Source(source.path, text)
    return source.text.replace("\n", newline), many


def _of_one_ruleset(one: Game, other: Game) -> bool:
    """Are they the same ruleset, perhaps under other options?"""
    return (one.path, one.name) == (other.path, other.name)


def _is_new(kept: Kept, text: str, lang: Lang) -> bool:
    return written.situation_text(kept.game, kept.example, lang) not in text


def _takers(source: Source, game: Game, file: Path) -> list[str]:
    """The rulesets of the file that such examples can go into, be they there or not."""
    step = f".{game.judgement}" if game.judgement else ""
    own = [game.name] if _in_its_own(game, file) else []
    return own + [f"{_owner(source, game, file, lang)}{step}" for lang in KEPT]


def _in_its_own(game: Game, file: Path) -> bool:
    return real_path(game.path).resolve() == file.resolve()


def _owner(source: Source, game: Game, file: Path, lang: Lang) -> str:
    """What a ruleset with examples of the game is called; a number tells it from that of another game's."""
    bases = written.bases_in(source)
    names = (f"{game.owner}{KEPT[lang]}{number if number > 1 else ''}" for number in count(1))
    return next(name for name in names if name not in bases or _extends(bases[name], game, file))


def _extends(base: str, game: Game, file: Path) -> bool:
    """Does what a ruleset of the file says it extends mean the game?"""
    path = file.parent / base.partition("#")[0]
    return base in (game.owner, _base(game, file)) or path.resolve() == real_path(game.path).resolve()


def _added(source: Source, names: Sequence[str], kept: Sequence[Kept], file: Path, lang: Lang) -> str:
    game, text = kept[0].game, source.text
    if text.strip():
        added = written.with_clauses(source, names, clauses(kept, lang, written.ids_in(source, names)))
        if added is not None:
            return added
    fresh = _fresh(source, game, clauses(kept, lang), file, lang)
    return f"{text.rstrip()}\n\n{fresh}" if text.strip() else fresh


def _fresh(source: Source, game: Game, examples: str, file: Path, lang: Lang) -> str:
    """A ruleset or a judgement for the examples."""
    owner = _owner(source, game, file, lang)
    if not game.judgement:
        return written.ruleset_text(owner, _base(game, file), examples, lang)
    if _in_its_own(game, file):
        return written.judgement_text(game.judgement, game.owner, examples, lang)
    known = source.text.strip() and written.with_clauses(source, [owner], "") is not None
    extended = "" if known else written.ruleset_text(owner, _base(game, file), "", lang) + "\n"
    return extended + written.judgement_text(game.judgement, owner, examples, lang)


def _base(game: Game, file: Path) -> str:
    """How a file refers to the game: by a relative path."""
    if any(game.path.startswith(name) for name in KNOWN_AS):
        return game.owner
    path = os.path.relpath(real_path(game.path).resolve(), file.resolve().parent)
    return f"{Path(path).as_posix()}#{game.owner}"
