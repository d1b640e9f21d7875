"""What a win looks like from afar, to see quickly that some questions about the table come to nothing."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.core.formulas import features
from dsl.core.model import Meld

from .smt import Bool, Int
from .table_wins import Arranged, Hands
from .table_world import Seated, TableWorld, Way


class Outlines(Hands):
    """How many melds of each type there are; what melds of a type differ in is left open.

    No win is overlooked, and no face is told from another by what it is worth.
    """

    def __init__(self, world: TableWorld) -> None:
        super().__init__(world, wide=True)
        self._of_type: dict[int, list[Meld]] = {}
        for meld in self.melds:
            self._of_type.setdefault(meld.type.index, []).append(meld)
        self._counts: dict[str, Mapping[int, Int]] = {}

    def _arrangement(self, player: Seated) -> Arranged:
        smt, name = self.smt, player.name
        counts = {t: smt.integer(f"{name} outline {t}", 0, None) for t in self._of_type}
        last_in = {t: smt.boolean(f"{name} outline last in {t}") for t in counts}
        shape = self._of_shape(player, [(m[0].type, counts[t]) for t, m in self._of_type.items()])
        self._counts[name] = counts
        stands = smt.both([smt.exactly_one(list(last_in.values())), *shape])
        return Arranged({}, last_in, stands, self._features(name, counts))

    def _features(self, name: str, counts: Mapping[int, Int]) -> dict[tuple[int, ...], Int]:
        """All that wins and names ask about: what is the same for all melds of a type, or else open."""
        formulas = [n.formula for n in self.game.win.needs] + [n.formula for n in self.game.names]
        asked = [f.weights for formula in formulas for f in features(formula)]
        found: dict[tuple[int, ...], Int] = {}
        for number, weights in enumerate(dict.fromkeys(asked)):
            each = {t: {weights[m.id] for m in melds} for t, melds in self._of_type.items()}
            if all(len(values) == 1 for values in each.values()):
                found[weights] = self.smt.total((min(each[t]), count) for t, count in counts.items())
            else:
                found[weights] = self.smt.integer(f"{name} feature {number}", None, None)
        return found

    def _held(self, player: Seated, way: Way, arranged: Arranged) -> Bool:
        """There is a meld of the type that is said to hold the tile, and there are the tiles for one."""
        smt, tile, found = self.smt, self.world.tile, list[Bool]()
        assert tile is not None
        laid = ((m.tiles.count(tile), player.melds[m.id]) for m in self.world.layable if tile in m.tiles)
        there = smt.total([(1, player.counts[tile]), *laid], 1)
        for index, here in arranged.last_in.items():
            melds = [m for m in self._of_type[index] if way.origin in self._holders(m)]
            some = smt.compare(self._counts[player.name][index], ">=", int(bool(melds)))
            enough = smt.compare(there, ">=", min((m.tiles.count(tile) for m in melds), default=0))
            found.append(smt.implies(here, smt.both([smt.truth(bool(melds)), some, enough])))
        return smt.both(found)
