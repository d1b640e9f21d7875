"""V114: does the deal fit the deck, and can what is dealt become a finished hand?"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.model import Rule, Seat

from ..findings import Finding
from ..study import Study

TITLE = ("发牌的数", "deal arithmetic")

NO_TILES = ("牌.类.", "牌.值.")
"""Clauses of the deck that say of its tiles what they are, not how many."""

MEND = ("核对 `牌.每张` 和 座", "check the copies of the deck and the seats")


def findings(study: Study) -> Iterator[Finding]:
    """More dealt than the deck has; seats whose hand one tile cannot finish."""
    game = study.game
    deck, dealt = sum(kind.copies for kind in game.kinds), sum(seat.tiles for seat in game.seats)
    if dealt > deck:
        yield study.finding(
            "error",
            (f"一共要发 {dealt} 张，整副牌只有 {deck} 张", f"{dealt} tiles are dealt, the deck has {deck}"),
            [*_rules(study, "座"), *(r for r in _rules(study, "牌") if not r.name.startswith(NO_TILES))],
            mend=MEND,
            subject=["deck"],
        )
    judged_so = game.any_size or bool(game.judgement and game.size is not None)
    for seat in () if judged_so else game.seats:
        if 0 < seat.tiles < game.seen_by(seat.role).waiting:
            yield _short(study, seat)


def _short(study: Study, seat: Seat) -> Finding:
    game = study.game.seen_by(seat.role)
    return study.finding(
        "warning",
        (
            f"`{seat.name}` 发 {seat.tiles} 张，摸一张也到不了成牌的 {game.finished} 张",
            f"`{seat.name}` is dealt {seat.tiles}, which one more tile does not make {game.finished}",
        ),
        [*_rules(study, f"座.{seat.role}"), *_rules(study, "座")],
        mend=MEND,
        subject=["seat", seat.name],
    )


def _rules(study: Study, section: str) -> list[Rule]:
    """The clauses of a section of the spec, or the one clause of that name."""
    return [r for r in study.game.rules if r.name == section or r.name.startswith(section + ".")]
