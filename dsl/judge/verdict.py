"""What the judge says of a declared hand, and why."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.describe import Lang, describe
from ..core.evaluate import Arrangement, Position, holds
from ..core.hand import Hand
from ..core.model import Need, Rule
from ..core.reference import refused
from .compiled import Final

if TYPE_CHECKING:
    from .compiled import Compiled
    from .rows import Row


class Verdict:
    """The verdict on one hand. The arrangement is its certificate: `certificate.check` can confirm it.

    `score` is the total in the first score table (符, 胡 …), `points` the multiplier that is paid,
    `payments` the gain of every seat in units of the stake.
    """

    __slots__ = ("__dict__", "arrangement", "compiled", "final", "hand", "rows")

    def __init__(
        self, compiled: Compiled, hand: Hand, rows: list[Row], final: Final | None, arrangement: Arrangement
    ) -> None:
        self.compiled = compiled
        self.hand = hand
        self.rows = rows
        self.final = final
        self.arrangement = arrangement

    @property
    def complete(self) -> bool:
        """Some arrangement has the win shape."""
        return self.final is not None

    @property
    def win(self) -> bool:
        return self.final is not None and self.final.win

    @property
    def verdict(self) -> str:
        return "win" if self.win else "false_win"

    @property
    def score(self) -> int:
        return self.final.score if self.final is not None else 0

    @property
    def names(self) -> tuple[str, ...]:
        """Named wins that hold."""
        return self.final.names if self.final is not None else ()

    @property
    def points(self) -> int:
        return self.final.times if self.final is not None and self.final.win else 0

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """Every total that a complete arrangement of these tiles can have, sorted."""
        return self.compiled.full.totals(self.rows) if self.final is not None else ()

    @cached_property
    def payments(self) -> Mapping[str, int]:
        if self.final is not None:
            return dict(self.final.payments)
        return dict(refused(self.compiled.game, self.hand).payments)

    @property
    def own(self) -> int:
        """What the declarer gets, in units of the stake; negative for what is paid."""
        seats = self.compiled.game.seats
        return self.payments[next(seat.name for seat in seats if seat.role == self.hand.role)]

    @cached_property
    def conflict(self) -> bool:
        """Do the spec's 和 and 诈和 both claim the hand? Only a faulty spec lets that happen."""
        return self.final is not None and self.final.win and self.final.false_win

    # ------------------------------------------------------------ why

    @property
    def position(self) -> Position:
        return Position(self.compiled.game, self.arrangement, self.hand.situation)

    def reasons(self, lang: Lang) -> list[dict[str, Any]]:
        """Each condition with whether it held, in words."""
        game = self.compiled.game
        shape = " ".join(f"{n}{d}" for n, d in zip(game.win.shape, game.dims, strict=True) if n)
        found = [self._reason(game.win.rule, self.complete, self._shape_text(shape, lang))]
        if self.complete:
            found += [self._need(n, lang) for n in game.win.needs]
            found += [
                self._need(Need(n.name, n.formula, n.rule), lang) for n in game.names if n.name in self.names
            ]
        if self.verdict == "false_win" or self.conflict:
            found += [r for r in (self._need(n, lang) for n in game.false_win) if r["holds"]]
        return found

    def _shape_text(self, shape: str, lang: Lang) -> str:
        if lang == "zh":
            shape = shape or "张张都在牌型里"
            return f"摆成 {shape}" if self.complete else f"摆不成 {shape}"
        shape = shape or "melds with every tile in one"
        return f"arranged as {shape}" if self.complete else f"cannot be arranged as {shape}"

    def _need(self, need: Need, lang: Lang) -> dict[str, Any]:
        body = getattr(need.formula, "body", need.formula)
        true = holds(need.formula, self.position)
        return self._reason(need.rule, true, f"{need.name}：{describe(body, lang, self.position)}")

    def _reason(self, rule: Rule, true: bool, text: str) -> dict[str, Any]:
        return {"rule": rule.name, "holds": true, "text": text, "cites": list(rule.cites)}

    # ------------------------------------------------------------ for programs

    def melds(self) -> list[dict[str, Any]]:
        """The arrangement's melds in deck order, each with its price and the clause that priced it."""
        game = self.compiled.game
        chosen = [game.melds[m] for m in self.arrangement.melds if not game.melds[m].stand]
        result = []
        for meld in sorted(chosen, key=lambda m: (min(m.tiles), m.type.index, m.tiles)):
            price = meld.prices[0] if meld.prices else None
            rule = price.rule if price is not None else meld.type.rule
            result.append(
                {
                    "meld": meld.type.family,
                    "type": meld.type.name,
                    "tiles": [game.kinds[k].name for k in meld.tiles],
                    "score": (price.points or 0) if price is not None else 0,
                    "rule": rule.name,
                    "text": rule.text,
                    "cites": list(rule.cites),
                }
            )
        return result

    def stands(self) -> list[str]:
        """Faces that the wild tiles stand for in the arrangement, in deck order."""
        game = self.compiled.game
        chosen = [game.melds[m] for m in self.arrangement.melds]
        faces = [m.tiles[0] for m in chosen if m.stand]
        faces += [slot.kind for m in chosen for slot in m.slots if slot.wild]
        return [game.kinds[k].name for k in sorted(faces)]

    def to_json(self, lang: Lang = "zh") -> dict[str, Any]:
        """The answer of the JSON interface."""
        game = self.compiled.game
        answer: dict[str, Any] = {
            "game": game.name,
            "options": dict(game.options),
            "complete": self.complete,
            "verdict": self.verdict,
            "score": self.score,
            "names": list(self.names),
            "points": self.points,
            "payments": dict(self.payments),
            "scores": list(self.scores),
            "arrangement": self.melds(),
            "reasons": self.reasons(lang),
        }
        if game.wild is not None:
            answer["stands"] = self.stands()
        if self.conflict:
            answer["conflict"] = True
        return answer
