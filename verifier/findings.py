"""What a check has to say: one sentence, the clauses it blames, a hand that shows it, what to do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dsl.core.deals import fitting
from dsl.core.evaluate import Arrangement
from dsl.core.hand import Hand, to_json
from dsl.core.model import Game, Rule
from dsl.text.codes import Lang, Severity

from .decode import Witness

Words = tuple[str, str]
"""The same in Chinese and in English."""


def pick(words: Words, lang: Lang) -> str:
    return words[0 if lang == "zh" else 1]


@dataclass(frozen=True, slots=True)
class ShownMeld:
    """A meld of the witness as a reader sees it."""

    name: str
    tiles: tuple[str, ...]
    points: tuple[int | None, ...]
    """Per score table; None where the source gives no price."""


@dataclass(frozen=True, slots=True)
class Example:
    """A hand that shows what a finding says."""

    hand: Mapping[str, Any]
    """As the JSON interface spells it."""
    melds: tuple[ShownMeld, ...] = ()
    totals: tuple[int, ...] = ()
    """Per score table."""
    options: Mapping[str, str] = field(default_factory=dict)
    """A choice that the hand needs to show it; otherwise it is the game's own."""
    table: Mapping[str, Any] | None = None
    """The players around it, where more is to be seen than a hand: the tile on offer, each one's tiles."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a check found in one game."""

    code: str
    severity: Severity
    game: str
    title: Words
    sentence: Words
    rules: tuple[Rule, ...]
    """Clauses to blame; at least two for a contradiction."""
    example: Example | None = None
    verdicts: tuple[Words, ...] = ()
    """What each side says of the example."""
    help: Words | None = None
    subject: tuple[str, ...] = ()
    """What tells the finding from others of its check: the row, cell or name concerned, in no language."""
    waived: str | None = None
    """The author's reason for letting it stand."""

    @property
    def fingerprint(self) -> str:
        """The check and the subject in eight signs, the same for every game that extends another.

        No place, witness or wording goes into it; a finding without a subject is told by the clauses
        it blames. A digit and a letter come first, so that a spec reads it as neither number nor name.
        """
        told = self.subject or tuple(sorted({rule.name for rule in self.rules}))
        digest = hashlib.sha256("\n".join([self.code, *told]).encode()).digest()
        return f"{digest[0] % 10}{'abcdef'[digest[1] % 6]}{digest[2:5].hex()}"

    def to_json(self, lang: Lang) -> dict[str, Any]:
        """The machine form; texts in one language."""
        shown = self.example
        return {
            "code": self.code,
            "severity": self.severity,
            "game": self.game,
            "title": pick(self.title, lang),
            "sentence": pick(self.sentence, lang),
            "rules": [rule_json(rule) for rule in self.rules],
            "witness": None if shown is None else dict(shown.hand),
            **({} if shown is None or shown.table is None else {"table": dict(shown.table)}),
            "arrangement": [] if shown is None else [_meld_json(meld) for meld in shown.melds],
            "verdicts": [pick(verdict, lang) for verdict in self.verdicts],
            "help": None if self.help is None else pick(self.help, lang),
            "fingerprint": self.fingerprint,
            "waived": self.waived,
        }


def rule_json(rule: Rule) -> dict[str, Any]:
    """Where a clause stands; null for one that the text leaves unsaid."""
    placed = bool(rule.span.path and rule.span.line)
    return {
        "name": rule.name,
        "file": rule.span.path or None,
        "line": rule.span.line if placed else None,
        "text": rule.text,
        "cites": list(rule.cites),
    }


def _meld_json(meld: ShownMeld) -> dict[str, Any]:
    return {"meld": meld.name, "tiles": list(meld.tiles), "points": list(meld.points)}


def size_bound(*games: Game) -> Words:
    """What is left unasked where hands of any size are judged; nothing to say elsewhere."""
    free = next((game for game in games if game.any_size), None)
    if free is None:
        return "", ""
    return f"；只问了 {free.finished} 张的手", f"; only hands of {free.finished} tiles were asked about"


def choices_bound(game: Game) -> Words:
    """That V103, alone of the checks, leaves hands of other sizes aside: those have too many arrangements."""
    if not game.any_size:
        return "", ""
    return f"；V103 只问了 {game.finished} 张的手", f"; V103 asked about hands of {game.finished} tiles only"


AT_THE_TABLE: Words = (
    "；桌上的只问张数对得上的手牌和摆出的牌，打得到打不到那一步没有问",
    "; at the table all hands and exposed melds were asked about whose numbers fit, "
    "whether play leads there or not",
)
"""The bounds within which something is proved of players at the table."""


def chosen_game(game: Game, names: Iterable[str] | None = None) -> str:
    """`十符硬[人数=3]`: a game with these options, or with those that are not as it has them by itself."""
    named = changed_options(game) if names is None else names
    chosen = ",".join(f"{name}={game.options[name]}" for name in named)
    return f"{game.name}[{chosen}]" if chosen else game.name


def changed_options(game: Game) -> list[str]:
    """The options that are not as the game has them by itself."""
    return [c.name for c in game.choices if game.options.get(c.name, c.default) != c.default]


def own_roles(game: Game, view: Game) -> tuple[str, ...]:
    """The roles that see the game so, where that is not how most see it: the finding names them."""
    return tuple(role for role in view.roles if any(role == apart.role for apart in game.apart))


def example_of(witness: Witness) -> Example:
    """The witness as a hand with its arrangement and prices."""
    game, arrangement = witness.game, witness.arrangement
    return Example(
        hand=to_json(game, witness.hand),
        melds=tuple(shown_meld(game, m) for m in _in_order(game, arrangement)),
        totals=tuple(
            sum(game.melds[m].prices[t].points or 0 for m in arrangement.melds)
            for t in range(len(game.scores))
        ),
    )


def _in_order(game: Game, arrangement: Arrangement) -> list[int]:
    """Each component's melds together, the longer ones first."""
    melds = [game.melds[m] for m in arrangement.melds]
    melds.sort(key=lambda m: (game.component_of[m.tiles[0]], -len(m.tiles), m.id))
    return [meld.id for meld in melds]


def shown_meld(game: Game, index: int) -> ShownMeld:
    meld = game.melds[index]
    tiles = tuple(game.kinds[k].name for k in meld.tiles)
    if meld.stand:
        return ShownMeld(f"{meld.type.name}＝", tiles, ())
    return ShownMeld(meld.type.name, tiles, tuple(price.points for price in meld.prices))


def counted_so(game: Game, said: Words) -> Words:
    """With how hands are counted where the deal decides what is wild."""
    if game.wild is None or game.wild.parameter is None:
        return said
    deal = game.wild.parameter
    return f"每种{deal}各算一次，{said[0]}", f"counted for each {deal}: {said[1]}"


def counted_hand(game: Game, hand: Hand) -> Example:
    """A hand that nobody has arranged yet, apart from its exposed melds, in some deal."""
    return Example(to_json(game, hand if hand.context else dealt(game, hand)))


def dealt(game: Game, hand: Hand) -> Hand:
    """The hand in the first deal that has its tiles, where the deal decides which tile is wild."""
    context = fitting(game, hand.tiles(game))
    return replace(hand, context={**context, **hand.context}) if context else hand
