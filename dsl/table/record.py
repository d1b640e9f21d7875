"""Records of play (`.play`): one event a line, in words. What is passed over is not written down.

局 十符硬[人数=3]
规则 3f9a2c1b
发 庄 上 大 人 …
揭 上
铺 丘 乙 …
庄 弃 丘
闲1 碰 碰 丘丘丘 手手打
终 和 闲1 11 清符； 庄 -2 闲1 +6 …
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field

from ..core.hand import tile_name
from ..core.model import WILD, Game
from ..text.diagnostics import Diagnostic
from ..text.source import Span
from .deal import cuts, raises, tiles_in
from .state import Action, State
from .table import Table
from .words import action_text, result_text, tiles_text


def fingerprint(game: Game) -> str:
    """Eight letters that change with the rules and the options chosen."""
    text = "\n".join([*(f"{r.name} {r.text}" for r in game.rules), *map(str, sorted(game.options.items()))])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def reference(game: Game) -> str:
    """How to load the game again: its name and every option that is not the default."""
    chosen = [f"{c.name}={game.options[c.name]}" for c in game.choices if game.options[c.name] != c.default]
    return game.name + (f"[{','.join(chosen)}]" if chosen else "")


@dataclass
class Recorder:
    """Writes down a deal while it is played."""

    table: Table
    deck: tuple[int, ...]
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        game, at = self.table.game, 0
        self.lines = [f"局 {reference(game)}", f"规则 {fingerprint(game)}"]
        for seat in game.seats:
            dealt = self.deck[at : at + seat.tiles]
            at += seat.tiles
            own = dealt if raises(game, seat.role) else sorted(dealt)
            self.lines.append(f"发 {seat.name} {tiles_text(game, own, {})}".rstrip())
        if self.table.flow.reveal is not None:
            self.lines.append(f"揭 {game.kinds[self.deck[at]].name}")
            at += 1
        self.lines.append(f"铺 {tiles_text(game, self.deck[at:], {})}".rstrip())

    def done(self, before: State, action: Action) -> None:
        """An action is about to be made in this state."""
        if action.kind != "pass":
            self.lines.append(action_text(self.table, before, action))

    def text(self, state: State) -> str:
        """The record of a deal that has come to this state."""
        end = [] if state.result is None else [f"终 {result_text(self.table.game.seats, state.result)}"]
        return "\n".join([*self.lines, *end]) + "\n"


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record and where it stands."""

    words: str
    span: Span

    @property
    def first(self) -> str:
        return self.words.split(" ", 1)[0]

    @property
    def rest(self) -> list[str]:
        return self.words.split()[1:]


def lines_of(text: str, path: str) -> list[Line]:
    """The lines of a record; empty ones and those after `//` are left out, spaces are made one."""
    found = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        words = " ".join(line.split("//")[0].split())
        if words:
            found.append(Line(words, Span(path, number, 1, number, len(line) + 1)))
    return found


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the events."""

    game: str
    fingerprint: Line | None
    dealt: tuple[Line, ...]
    shown: Line | None
    stock: Line | None
    events: tuple[Line, ...]


def header_of(lines: list[Line]) -> Header:
    """The parts of a record."""
    by_word: dict[str, list[Line]] = {}
    for line in lines:
        by_word.setdefault(line.first, []).append(line)
    known = ("局", "规则", "发", "揭", "铺")
    first = {word: by_word[word][0] for word in known if word in by_word}
    game = first["局"].words.partition(" ")[2] if "局" in first else ""
    events = tuple(line for line in lines if line.first not in known)
    return Header(
        game, first.get("规则"), tuple(by_word.get("发", ())), first.get("揭"), first.get("铺"), events
    )


def deck_of(game: Game, header: Header) -> tuple[tuple[int, ...], list[Diagnostic]]:
    """The tiles in order as a record tells them, and what is wrong with them."""
    faults: list[Diagnostic] = []
    rows = {line.rest[0]: line for line in header.dealt if line.rest}
    deck: list[int] = []
    for seat in game.seats:
        line = rows.get(seat.name)
        if line is None and seat.tiles:
            faults.append(Diagnostic("R009", Span(""), {"part": f"发 {seat.name}"}))
        elif line is not None:
            deck += _tiles(game, line, line.rest[1:], faults)
    reveals = game.flow is not None and game.flow.reveal is not None
    for line, word, wanted in ((header.shown, "揭", reveals), (header.stock, "铺", True)):
        if line is not None:
            deck += _tiles(game, line, line.rest, faults)
        elif wanted:
            faults.append(Diagnostic("R009", Span(""), {"part": word}))
    at = sum(seat.tiles for seat in game.seats)
    cut = deck[at] if cuts(game) and not faults and at < len(deck) else None
    return tuple(deck), faults or _wrong_deck(game, deck, cut)


def _tiles(game: Game, line: Line, words: list[str], faults: list[Diagnostic]) -> list[int]:
    wild, known = game.wild, dict(game.kind_index)
    if wild is not None and wild.own:
        known |= dict.fromkeys((wild.name, *wild.aliases), WILD)
    unknown = [word for word in words if word not in known]
    if unknown:
        faults.append(Diagnostic("R001", line.span, {"line": unknown[0]}))
    return [known[word] for word in words if word in known]


def _wrong_deck(game: Game, deck: list[int], cut: int | None) -> list[Diagnostic]:
    have, expected = Counter(deck), Counter(tiles_in(game, cut))
    return [
        Diagnostic(
            "R010",
            Span(""),
            {"tile": tile_name(game, tile, {}), "expected": expected[tile], "found": have[tile]},
        )
        for tile in sorted(have.keys() | expected.keys())
        if have[tile] != expected[tile]
    ]
