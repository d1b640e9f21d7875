"""A game with some clauses struck out: what their numbers fixed is open, and a model says what would do.

The shape, the size of a hand, the copies of a face and the rows of a score table are clauses that fix
numbers. Struck out, each leaves a knob per number; `nearest` turns them as little as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dsl.core.model import Feature, Formula, Game, Meld, Price, Rule
from dsl.core.parts import tiles_in_play
from dsl.text.source import NOWHERE

from .encode import holds
from .formulas import features, with_features
from .smt import Int, Status
from .symmetry import in_order
from .world import World, meld_limit, smt_present

MOST = 999
"""The highest price a struck-out cell may take."""

BUDGETS = tuple(m * 1_000_000 for m in (15, 15, 30))
"""Work spent on each try of a question."""

PATIENCE = 10_000_000
"""Work spent on one step towards numbers that are nearer to the written ones."""


@dataclass(frozen=True, slots=True)
class Knob:
    """A number that a struck-out clause no longer fixes."""

    rule: str
    label: str
    """Of what it is the number: a unit of the shape, the cell of a row; empty when the clause has but one."""
    before: int
    term: Int


# ---------------------------------------------------------------- clauses that fix numbers


def shape_rule(game: Game) -> Rule:
    return game.win.rule


def size_rule(game: Game) -> Rule:
    """The clause that says the size of a finished hand: the win's own, or that of the role dealt most.

    That of a role with a shape of its own is said with that role, or follows from what it is dealt.
    """
    own = game.win.rule.name.removeprefix("和.形")
    if game.size is not None:
        places = (f"和.张数{own}", f"座{own}")
        return next((r for r in game.rules if r.name in places), Rule("和.张数", str(game.size)))
    seat = next(s for s in game.seats if s.tiles == game.finished)
    unsaid = Rule(f"座.{seat.role}", f"{seat.role} {seat.tiles}")
    return next((r for r in game.rules if r.name == f"座.{seat.role}"), unsaid)


def copies_rules(game: Game) -> Mapping[str, Rule]:
    """For each face by name the clause that says how many of it there are."""
    special = [r for r in game.rules if r.name.startswith("牌.每张.")]
    plain = next((r for r in game.rules if r.name == "牌.每张"), Rule("牌.每张", ""))
    groups = {g.name: {game.kinds[k].name for k in g.kinds} for g in game.groups}

    def covers(rule: Rule, face: str) -> bool:
        words = rule.name.split(".")[2:]
        return face in words or any(face in groups.get(word, ()) for word in words)

    return {k.name: next((r for r in special if covers(r, k.name)), plain) for k in game.kinds}


def price_rules(game: Game, formula: Formula) -> tuple[Rule, ...]:
    """Rows whose prices the formula adds up, in the order of the text."""
    tables = {table for f in features(formula) if (table := _table(game, f)) is not None}
    used = {meld.prices[t].rule.name for meld in game.melds for t in tables}
    return tuple(r for r in game.rules if r.name in used and r.span != NOWHERE)


def _table(game: Game, feature: Feature) -> int | None:
    """The score table that the number is the total of, or the part of it inside a group or a class."""
    base = feature.name.partition("@")[0].partition(" 于 ")[0]
    return game.scores.index(base) if base in game.scores else None


def _members(game: Game, feature: Feature) -> frozenset[int]:
    """Ids of the ground melds whose price counts in the total, those of price 0 included."""
    head, _, group = feature.name.partition("@")
    _, _, of_class = head.partition(" 于 ")
    kinds = {i for i, k in enumerate(game.kinds) if not of_class or of_class in k.classes}
    if group:
        kinds &= {k for g in game.groups if g.name == group for k in g.kinds}
    return frozenset(m.id for m in game.melds if kinds.issuperset(m.tiles))


# ---------------------------------------------------------------- the world without them


class Loosened(World):
    """Every arrangement there would be without these clauses (by name), for one formula.

    A rough one lets equal melds have different prices: it is quick to say no, and its yes means little.
    """

    def __init__(self, game: Game, struck: frozenset[str], formula: Formula, rough: bool = False) -> None:
        self.written = game
        self.struck = struck
        self.formula = formula
        self.rough = rough
        self.knobs: list[Knob] = []
        self.free_shape = shape_rule(game).name in struck
        self.free_size = size_rule(game).name in struck
        self.copies = copies_rules(game)
        faces = {face for face, rule in self.copies.items() if rule.name in struck}
        super().__init__(_roomy(game, self.free_shape, faces))
        self._open_prices()
        self.smt.require(holds(formula, self.view))

    def _require_tiles(self) -> None:
        self._require_wilds(self._require_copies())
        smt, counts, present = self.smt, self.view.counts, smt_present(self.view)
        for dim, wanted in enumerate(self.written.win.shape):
            total = smt.total((m.type.gives[dim], counts[m.id]) for m in self.melds)
            if self.free_shape:
                self._knob(shape_rule(self.written).name, self.written.dims[dim], wanted, total)
            else:
                smt.require(smt.compare(total, "=", smt.total([(wanted, present)])))
        tiles = smt.total((len(m.tiles) - m.type.extra, counts[m.id]) for m in self.melds)
        if self.free_size:
            self._knob(size_rule(self.written).name, "", self.written.finished, tiles)
            smt.require(smt.compare(tiles, ">=", present))
        if self.free_size or self.written.any_size:
            smt.require(smt.compare(tiles, "<=", smt.total([(tiles_in_play(self.game), present)])))
        else:
            smt.require(smt.compare(tiles, "=", smt.total([(self.written.finished, present)])))

    def _require_copies(self) -> list[Int]:
        """How many natural tiles of each face there are, bounded unless its clause is struck out."""
        smt = self.smt
        natural: list[Int] = []
        open_: dict[str, Int] = {}
        for kind, face in enumerate(self.written.kinds):
            rule = self.copies[face.name].name
            held = smt.total((dict(m.counts).get(kind, 0), self.view.counts[m.id]) for m in self.melds)
            natural.append(held)
            if rule not in self.struck:
                smt.require(smt.compare(held, "<=", face.copies))
                continue
            if rule not in open_:
                open_[rule] = smt.integer(f"copies {rule}", 1, self.game.kinds[kind].copies)
                self._knob(rule, "", face.copies, open_[rule])
            smt.require(smt.compare(held, "<=", open_[rule]))
        return natural

    def _knob(self, rule: str, label: str, before: int, term: Int) -> None:
        self.knobs.append(Knob(rule, label, before, term))

    # ------------------------------------------------------------ prices

    def _open_prices(self) -> None:
        """Totals with a variable for each struck-out cell."""
        cells: dict[tuple[int, str, int], Int] = {}
        for feature in dict.fromkeys(features(self.formula)):
            table = _table(self.written, feature)
            if table is not None and feature.weights not in self.view.values:
                self.view.values[feature.weights] = self._total(feature, table, cells)

    def _total(self, feature: Feature, table: int, cells: dict[tuple[int, str, int], Int]) -> Int:
        members, smt = _members(self.written, feature), self.smt
        fixed: list[tuple[int, Int]] = []
        struck: dict[tuple[int, str, int], list[Meld]] = {}
        for meld in self.melds:
            price = meld.prices[table]
            if price.rule.name not in self.struck:
                fixed.append((feature.weights[meld.id], self.view.counts[meld.id]))
            elif meld.id in members:
                struck.setdefault((table, price.rule.name, price.points or 0), []).append(meld)
        opened: list[Int] = []
        for key, melds in struck.items():
            if key not in cells:
                cells[key] = smt.integer(f"price {key}", 0, MOST)
                self._knob(key[1], str(key[2]), key[2], cells[key])
            opened += [] if self.rough else self._worth(cells[key], melds)
        if struck:
            fixed.append((1, self._bounded(feature, opened, [m for melds in struck.values() for m in melds])))
        return smt.total(fixed)

    def _bounded(self, feature: Feature, opened: list[Int], melds: list[Meld]) -> Int:
        """The struck-out part of a total, with what bounds it said once more: no melds, no points."""
        smt, most = self.smt, self._at_most(melds)
        number = smt.integer(f"number {feature.name}", 0, most)
        worth = smt.integer(f"worth {feature.name}", 0, MOST * most)
        smt.require(
            smt.compare(number, "=", smt.total((1, self.view.counts[m.id]) for m in melds)),
            smt.compare(worth, "<=", smt.total([(MOST, number)])),
        )
        if not self.rough:
            smt.require(smt.compare(worth, "=", smt.total((1, part) for part in opened)))
        return worth

    def _worth(self, price: Int, melds: Sequence[Meld]) -> Iterator[Int]:
        """price · number of these melds, as a sum: the price for each of them that is there."""
        smt = self.smt
        number = smt.total((1, self.view.counts[m.id]) for m in melds)
        for nth in range(1, self._at_most(melds) + 1):
            yield smt.where(smt.compare(number, ">=", nth), price)

    def _at_most(self, melds: Sequence[Meld]) -> int:
        """No arrangement holds more of these melds: by their tiles, and by what they give."""
        smallest = min(len(m.tiles) - m.type.extra for m in melds)
        fixed = not (self.free_size or self.written.any_size)
        size = self.written.finished if fixed else tiles_in_play(self.game)
        bounds = [sum(meld_limit(self.game, m) for m in melds), size // max(smallest, 1)]
        if not self.free_shape:
            bounds.append(sum(self.written.win.shape))
        return min(bounds) if all(any(m.type.gives) for m in melds) else min(bounds[:2])

    # ------------------------------------------------------------ answers

    def status(self) -> Status:
        """Is there such an arrangement?"""
        status = self.smt.check(budget=BUDGETS[0])
        if status == "unknown" and not self.struck:
            self.smt.require(*in_order(self, self.formula))
        tries = (self.smt.check_anew(seed, budget) for seed, budget in enumerate(BUDGETS))
        return status if status != "unknown" else next((s for s in tries if s != "unknown"), "unknown")

    def nearest(self) -> tuple[tuple[Knob, int], ...]:
        """After `sat`: the knobs with values that differ as little in sum from the written ones as can be."""
        smt = self.smt
        gaps = []
        for index, knob in enumerate(self.knobs):
            gap = smt.integer(f"gap {index}", 0, MOST)
            smt.require(smt.compare(smt.total([(1, gap), (1, knob.term)]), ">=", knob.before))
            smt.require(smt.compare(smt.total([(1, gap), (-1, knob.term)]), ">=", -knob.before))
            gaps.append(gap)
        total = smt.total((1, gap) for gap in gaps)
        low, high = 0, MOST * len(gaps)
        while low < high:
            if smt.check(smt.compare(total, "<=", (low + high) // 2), budget=PATIENCE) == "sat":
                high = smt.integer_value(total)
            else:
                low = (low + high) // 2 + 1
        smt.check(smt.compare(total, "<=", high), budget=PATIENCE)
        return tuple((knob, smt.integer_value(knob.term)) for knob in self.knobs)


def _roomy(game: Game, shape: bool, faces: set[str]) -> Game:
    """The game with room for whatever shape, and for many copies of these faces."""
    kinds = tuple(replace(k, copies=game.finished) if k.name in faces else k for k in game.kinds)
    if not shape:
        return replace(game, kinds=kinds)
    most = sum(k.copies for k in kinds)
    return replace(game, kinds=kinds, win=replace(game.win, shape=(most,) * len(game.dims)))


def changed_game(game: Game, values: Sequence[tuple[Knob, int]]) -> Game:
    """The game with these numbers in place of the written ones. Its conditions are not: see `repriced`."""
    by_rule: dict[str, dict[str, int]] = {}
    for knob, value in values:
        by_rule.setdefault(knob.rule, {})[knob.label] = value
    rules = copies_rules(game).items()
    copies = {face: by_rule[rule.name][""] for face, rule in rules if rule.name in by_rule}
    kinds = tuple(replace(k, copies=copies.get(k.name, k.copies)) for k in game.kinds)
    melds = tuple(replace(m, prices=tuple(_repriced(p, by_rule) for p in m.prices)) for m in game.melds)
    win, seats, stated = game.win, game.seats, game.size
    if shape := by_rule.get(shape_rule(game).name):
        win = replace(win, shape=tuple(shape[dim] for dim in game.dims))
    if size := by_rule.get(size_rule(game).name):
        more = size[""] - game.finished
        if stated is not None:
            stated += more
        else:
            seats = tuple(replace(s, tiles=max(s.tiles + more, 1)) if s.tiles else s for s in seats)
    return replace(game, kinds=kinds, melds=melds, win=win, seats=seats, size=stated)


def _repriced(price: Price, by_rule: Mapping[str, Mapping[str, int]]) -> Price:
    value = by_rule.get(price.rule.name, {}).get(str(price.points or 0))
    return price if value is None else replace(price, points=value)


def repriced(formula: Formula, game: Game, values: Sequence[tuple[Knob, int]]) -> Formula:
    """The formula with these prices in its totals."""
    points = {(knob.rule, knob.label): value for knob, value in values}

    def change(feature: Feature) -> Feature:
        table = _table(game, feature)
        if table is None:
            return feature
        weights, members = list(feature.weights), _members(game, feature)
        for meld in (game.melds[m] for m in members):
            price = meld.prices[table]
            weights[meld.id] = points.get((price.rule.name, str(price.points or 0)), weights[meld.id])
        return Feature(feature.name, tuple(weights))

    return with_features(formula, change)
