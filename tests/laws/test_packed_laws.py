"""What letters are made of, melds left out, is what all ways to group the tiles come to."""

from __future__ import annotations

from random import Random

import pytest

import dsl
from dsl.core.model import ORIGINS, LastIn
from dsl.judge.automaton import Automaton
from dsl.judge.compiled import Compiled
from dsl.judge.rows import Loose, RowMaker

GAMES = (
    "specs/hubei/shifuying/game.pai", "specs/hunan/sijiafei/game.pai", "specs/hubei/xiantao/game.pai",
    "specs/hubei/dashen/game.pai", "specs/sichuan/gehu/game.pai",
)  # fmt: skip


def makers(path: str) -> list[RowMaker]:
    """Of the automata that ask for most and for least, and of one that asks where the last tile lies."""
    game = dsl.load(path).core
    compiled = Compiled(game)
    held = Automaton(game, [LastIn(frozenset({t.index})) for t in game.types[:3]])
    return [compiled.full.maker, compiled.shaped.maker, held.maker]


@pytest.mark.parametrize("path", GAMES)
def test_outcomes_are_those_of_the_groupings(path: str) -> None:
    random, compared = Random(path), 0
    for maker in makers(path):
        small = [i for i in range(len(maker.game.components)) if i not in maker.sweeps.large]
        for _ in range(10):
            component = random.choice(small)
            part = maker.game.components[component]
            counts = tuple(random.randint(0, maker.game.kinds[k].copies) for k in part)
            drawn = Loose(random.choice(part), random.choice(ORIGINS), True)
            for loose in ((), (drawn,)):
                grouped = set(maker.covers(component, counts, loose))
                assert set(maker.packed.outcomes(component, counts, loose)) == grouped
                compared += bool(grouped)
    assert compared > 10
