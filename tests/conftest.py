"""Small rulesets and hand generators shared by the laws."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl import Game, Hand, load
from dsl.core.hand import Laid

os.environ.setdefault("PAIGUI_WORKERS", "1")  # tests run beside one another already
ROOT = Path(__file__).resolve().parent.parent
SMALL = ROOT / "tests" / "small"


TOGETHER = {"test_more_checks_laws": "test_twins"}
"""Files that go through what another file has laid out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of several processes one takes a whole file of laws or units, so that games, worlds and hands which its
    tests share are made once. Slow tests share little and go to whichever process is free."""
    for item in items:
        if item.path.parent.name in ("laws", "unit") and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.xdist_group(TOGETHER.get(item.path.stem, item.path.stem)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Below the results: what was counted of each spec, whichever process counted it."""
    reports = [r for of in ("passed", "failed") for r in terminalreporter.stats.get(of, [])]
    for section in ("damages", "second opinions"):
        told = sorted({str(text) for r in reports for name, text in r.user_properties if name == section})
        if told:
            terminalreporter.section(section)
            for line in told:
                terminalreporter.line(line)


@pytest.fixture(scope="session")
def small() -> Game:
    return load(str(SMALL / "两句.pai"))


@pytest.fixture(scope="session")
def shifuying() -> Game:
    return load(str(ROOT / "specs/hubei/shifuying/game.pai"))


@pytest.fixture(scope="session")
def sijiafei() -> Game:
    return load(str(ROOT / "specs/hunan/sijiafei/game.pai"))


def any_hands(game: Game, number: int, seed: int) -> Iterator[Hand]:
    """Finished hands of a game, most of them near a win: exposed melds, odd origins, every role."""
    chance = random.Random(seed)
    made = 0
    while made < number:
        hand = _any_hand(game, chance)
        if hand is not None:
            made += 1
            yield hand


def _any_hand(game: Game, chance: random.Random) -> Hand | None:
    core = game.core
    left = [k.copies for k in core.kinds]
    laid = _laid(game, chance, left)
    size = core.finished + sum(core.melds[m.meld].type.extra for m in laid)
    size -= sum(len(core.melds[m.meld].tiles) for m in laid)
    counts = [0] * len(left)
    dealt = core.hand_origin
    plain = [m for m in core.melds if len(m.tiles) <= 3 and all(dealt in s.origins for s in m.slots)]
    while sum(counts) < size:
        meld = chance.choice(plain)
        if sum(counts) + len(meld.tiles) > size or chance.random() < 0.1:
            tiles = [chance.randrange(len(left))]
        else:
            tiles = list(meld.tiles)
        for kind in tiles:
            if left[kind] and sum(counts) < size:
                left[kind] -= 1
                counts[kind] += 1
    if size <= 0:
        return None
    return _with_last(game, chance, laid, counts)


def _laid(game: Game, chance: random.Random, left: list[int]) -> tuple[Laid, ...]:
    laid: list[Laid] = []
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        meld = chance.choice(
            [
                m
                for m in game.core.melds
                if m.base is None and not m.wilds and (m.type.locked or not m.awaits or len(m.tiles) > 1)
            ]
        )
        within = all(g <= s for g, s in zip(meld.type.gives, game.core.win.shape, strict=True))
        if (meld.type.locked or within) and all(left[k] >= n for k, n in meld.counts):
            for kind, number in meld.counts:
                left[kind] -= number
            laid.append(Laid(meld.id, tuple(chance.choice(sorted(s.origins)) for s in meld.slots)))
    return tuple(laid)


def _with_last(game: Game, chance: random.Random, laid: tuple[Laid, ...], counts: list[int]) -> Hand | None:
    core = game.core
    role = chance.choice(core.roles)
    if chance.random() < 0.1 and core.dealt[role] >= core.finished:
        return Hand(role, laid, tuple(counts), None, _context(game, chance))
    kind = chance.choice([k for k, n in enumerate(counts) if n])
    counts[kind] -= 1
    origin = chance.choice(["自摸", "他摸", "他打"])
    declared = None
    if core.names and chance.random() < 0.2:
        declared = tuple(sorted({chance.choice(core.names).name for _ in range(2)}))
    return Hand(role, laid, tuple(counts), (kind, origin), _context(game, chance), declared)


def _context(game: Game, chance: random.Random) -> dict[str, str]:
    return {p.name: chance.choice(p.values) for p in game.core.parameters if chance.random() < 0.5}
