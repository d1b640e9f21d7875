"""A row is read as the one that is worked out for all that are like it: nobody can tell the difference."""

from __future__ import annotations

import random

import pytest

from dsl import load
from dsl.core.hand import Laid
from dsl.judge.alike_rows import AlikeRows
from dsl.judge.automaton import Automaton
from dsl.judge.rows import RowKey
from dsl.table.simulate import simulate

GAMES = ("十符硬", "十符硬[VO-29=R2]", "打神", "抬胡", "对对符", "大贰")


def asked(name: str, deals: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Automaton, RowKey]]:
    """Rows that come up in play, with exposed melds and loose tiles as they then lie."""
    found: dict[tuple[int, RowKey], Automaton] = {}
    letter = Automaton.letter

    def noting(self: Automaton, key: RowKey) -> int:
        found[id(self), key] = self
        return letter(self, key)

    monkeypatch.setattr(Automaton, "letter", noting)
    simulate(load(name).table, deals, 1)
    return [(automaton, key) for (_, key), automaton in found.items()]


@pytest.mark.parametrize("name", GAMES)
def test_a_row_comes_to_what_the_one_worked_out_for_it_comes_to(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(a, key) for a, key in asked(name, 12, monkeypatch) if key.loose or key.laid]
    moved = turned = 0
    for automaton, key in random.Random(1).sample(rows, min(100, len(rows))):
        maker, likes = automaton.maker, automaton.likes
        there = likes.moved(key)
        like = likes.turned(there)
        best, cap = not automaton.keep_all, automaton.cap
        assert maker.outcomes(key, best, cap) == maker.outcomes(like, best, cap), (key, like)
        assert automaton.row(key).options == maker.options(key), key
        moved += there != key
        turned += like != there
    assert moved and (turned or name == "大贰")


def test_places_of_exposed_melds_go_with_their_faces() -> None:
    """A renamed meld has its origins where its faces went."""
    maker = load("十符硬").compiled.full.maker
    likes, melds, looked = AlikeRows(maker), maker.game.melds, 0
    for component, part in enumerate(maker.game.components):
        for turn in maker.turns(component):
            faces = {kind: part[there] for kind, there in zip(part, turn.places, strict=True)}
            for meld in (m for m in melds if m.tiles[0] in part):
                laid = Laid(meld.id, tuple(str(faces[kind]) for kind in meld.tiles))
                key = likes._renamed(RowKey(component, (0,) * len(part), (), (laid,)), turn)
                image = key.laid[0]
                assert image.meld == turn.melds[meld.id]
                assert [int(o or 0) for o in image.origins] == list(melds[image.meld].tiles)
                looked += image.meld != meld.id
    assert looked


def test_most_rows_with_exposed_melds_are_worked_out_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(a, key) for a, key in asked("十符硬", 60, monkeypatch) if key.laid]
    likes = {(id(a), a.likes.turned(a.likes.moved(key))) for a, key in rows}
    assert 2 * len(likes) < len(rows)
