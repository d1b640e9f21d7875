"""例: run the examples of a spec against the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.parts import names_by_word
from ..text.diagnostics import Diagnostic, SpecError

if TYPE_CHECKING:
    from ..api import Game


@dataclass(frozen=True, slots=True)
class Case:
    """One example run: what it expected, what the judge said, where they differ."""

    id: str
    title: str
    game: str
    file: str
    line: int
    expected: Mapping[str, Any]
    got: Mapping[str, Any]
    faults: tuple[Diagnostic, ...] = ()

    @property
    def different(self) -> tuple[str, ...]:
        """Keys whose expectation is not met."""
        return tuple(k for k, v in self.expected.items() if self.got.get(k) != v)

    @property
    def ok(self) -> bool:
        return not self.faults and not self.different

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "ok": self.ok,
            "title": self.title,
            "game": self.game,
            "file": self.file,
            "line": self.line,
            "expected": dict(self.expected),
            "got": dict(self.got),
            "errors": [f.message("en") for f in self.faults],
        }


def run_examples(game: Game, reload: Callable[[Mapping[str, str]], Game]) -> Iterator[Case]:
    """Every example of a game; those with other options run on the game reloaded under them."""
    loaded: dict[tuple[tuple[str, str], ...], Game] = {}
    for example in game.core.examples:
        key = tuple(sorted(example.options.items()))
        try:
            if key and key not in loaded:
                loaded[key] = reload(example.options)
            judge = loaded.get(key, game)
            got, faults = answer(judge, example.hand, example.expected), tuple[Diagnostic, ...]()
        except SpecError as error:
            got, faults = {}, error.diagnostics
        span = example.rule.span
        yield Case(example.id, example.title, game.name, span.path, span.line, example.expected, got, faults)


def answer(game: Game, hand: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The judge's answer, of which only the wanted keys are kept. Raises `HandError`.

    Of plays (`led`) those that do what is expected of them. Names, waits and types come in the order of
    `wanted` where they are the same; of the payments only the wanted seats are kept.
    """
    got: dict[str, Any] = {}
    if "led" in hand:
        return _beating(game, hand["led"], wanted)
    if {"waits", "types"} & set(wanted):
        waiting = game.waits(hand).to_json()
        got["waits"] = [w["tile"] for w in waiting["waits"]]
        got["types"] = waiting["types"]
    if set(wanted) - {"waits", "types"}:
        got |= game.judge(hand).to_json()
    shown = {k: got[k] for k in wanted if k in got}
    for key in ("names", "types", "waits"):
        if key in shown:
            words = names_by_word(game.core.names) if key == "names" else {}
            shown[key] = _in_order(shown[key], wanted[key], words)
    if "payments" in shown:
        shown["payments"] = {k: v for k, v in shown["payments"].items() if k in wanted["payments"]}
    return shown


def _beating(game: Game, led: list[str], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Of the plays that an example names, those that beat the one led, and those that do not."""
    got: dict[str, Any] = {}
    for key, beating in (("beaten_by", True), ("unbeaten_by", False)):
        if key in wanted:
            got[key] = [play for play in wanted[key] if game.beats(play, led) is beating]
    return got


def _in_order(found: list[str], wanted: list[str], words: Mapping[str, str]) -> list[str]:
    """The found things as the expectation spells and orders them where they are the same things."""
    return list(wanted) if sorted(found) == sorted(words.get(word, word) for word in wanted) else found
