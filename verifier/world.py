"""The symbolic arrangement: how many of each ground meld, and a situation around it, as finite variables.

Concealed or exposed needs no variable: `decode` settles it, and the constraints on the last tile keep
out every combination that no hand could show (see `holding`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from copy import copy
from dataclasses import replace
from functools import cached_property

from dsl.core.evaluate import gain
from dsl.core.formulas import asks_alike
from dsl.core.model import ORIGINS, OWN, Game, Meld, MeldType
from dsl.core.parts import tiles_in_play

from .encode import well_grouped
from .essence import plain
from .holding import Holding, Holdings, can_stand, concealable
from .models import Model, Models
from .smt import Bool, Int, Smt
from .view import View

Exchanges = dict[tuple[int, int], tuple[int, ...] | None]


class World:
    """Every arrangement of every hand of a game in every situation.

    `wilds`: may hands have wild tiles? Without them there is less to look through. `exact`: is it asked of a
    last tile that is none of them that its face has a natural tile? It takes long, and seldom matters.
    """

    def __init__(
        self, game: Game, holdings: Holdings | None = None, wilds: bool = True, exact: bool = False
    ) -> None:
        self.game = game
        self.has_wilds = wilds and game.wild is not None
        self.is_exact = exact or not (self.has_wilds and game.wild_free)
        self.models = Models()
        self.family: dict[Hashable, World] = {}
        """The worlds of other options that were asked for and this one, by what tells hands apart in them."""
        self.exchanges: Exchanges = {}
        """What exchanging two components makes of the melds, as far as it has been asked."""
        self.holdings = holdings or Holdings(game)
        self.smt = Smt()
        fitting = (m for m in game.melds if can_stand(game, m) and meld_limit(game, m))
        self.melds = tuple(m for m in fitting if self.has_wilds or not m.wilds)
        self._of_type: dict[int, list[Meld]] = {}
        for meld in self.melds:
            self._of_type.setdefault(meld.type.index, []).append(meld)
        self.types = tuple(melds[0].type for melds in self._of_type.values())
        self.view = self._view()
        self._require_tiles()
        self._require_situation()
        self._require_holder()
        self._require_mark()
        self._require_alike()
        if game.win.groupings:
            self.smt.require(self.smt.implies(self.view.complete, well_grouped(self.view)))
        self.smt.found()

    def fresh(self) -> World:
        """The same world without a history, for answers that must not depend on earlier questions."""
        other = copy(self)
        for worked_out in ("size", "_supply", "_some_natural", "natural"):
            vars(other).pop(worked_out, None)
        other.models = Models()
        other.smt = self.smt.twin()
        other.view = self.view.carried(other.smt)
        if self.natural is not None:
            other.natural = self.natural.fresh()
        return other

    @cached_property
    def natural(self) -> World | None:
        """The part of the world without wild tiles, if there are any: most that can be is found there."""
        return World(self.game, self.holdings, wilds=False) if self.has_wilds else None

    @cached_property
    def exact(self) -> World:
        """This world where a natural last tile has to be one."""
        return self if self.is_exact else World(self.game, self.holdings, exact=True)

    @property
    def model(self) -> Model:
        """That of the last question that had one."""
        return self.models.found[0]

    def knows(self, model: Model) -> bool:
        """Are the role and the context of a model of another world ones of this world?"""
        return model.role in self.view.roles and all(i in self.view.context for i in model.context.items())

    def under(self, game: Game) -> World:
        """The world of the same ruleset under other options: one that is there if hands are no different."""
        if not self.family:
            self.family[_structure(self.game)] = self
        structure = _structure(game)
        if structure not in self.family:
            self.family[structure] = World(game)
            self.family[structure].family = self.family
        return self.family[structure]._read_as(game)

    def _read_as(self, game: Game) -> World:
        """The same world, of a game in which hands are no different."""
        other = copy(self)
        vars(other).pop("exact", None)
        other.game = game
        other.melds = tuple(game.melds[meld.id] for meld in self.melds)  # as they are priced there
        other.view = replace(self.view, game=game, named={})
        if self.natural is not None:
            other.natural = self.natural._read_as(game)
        return other

    @cached_property
    def concealable(self) -> frozenset[int]:
        """Ids of ground melds that can be found among concealed tiles."""
        return frozenset(m.id for m in self.melds if concealable(self.game, m))

    @cached_property
    def size(self) -> Int:
        """Tiles of the arrangement, without extra ones."""
        return self.smt.total((len(m.slots) - m.type.extra, self.view.counts[m.id]) for m in self.melds)

    @cached_property
    def _supply(self) -> tuple[Int, ...]:
        """For each face how many of it lie in concealable melds."""
        melds = (m for m in self.melds if m.id in self.concealable)
        return tuple(self.smt.total(parts) for parts in self._by_face(melds))

    def _by_face(self, melds: Iterable[Meld]) -> list[list[tuple[int, Int]]]:
        """For each face (how many natural tiles of it, how many of the meld) of melds that have it."""
        found: list[list[tuple[int, Int]]] = [[] for _ in self.game.kinds]
        for meld in melds:
            for kind, number in meld.counts:
                found[kind].append((number, self.view.counts[meld.id]))
        return found

    # ------------------------------------------------------------ variables

    def _view(self) -> View:
        smt, game = self.smt, self.game
        most = most_alike(game)
        origins: dict[str | None, Bool] = {o: smt.boolean(f"last from {o}") for o in ORIGINS}
        origins[None] = smt.boolean("no last tile")
        return View(
            smt=smt,
            game=game,
            counts={m.id: smt.integer(f"meld {m.id}", 0, meld_limit(game, m)) for m in self.melds},
            complete=smt.boolean("complete"),
            roles={r: smt.boolean(f"role {r}") for view in game.views for r in view.roles},
            origins=origins,
            last_in={t.index: smt.boolean(f"last in {t.index}") for t in self.types},
            context={
                (p.name, v): smt.boolean(f"context {i} {j}")
                for i, p in enumerate(game.parameters)
                for j, v in enumerate(p.values)
            },
            last_wild=smt.boolean("last tile wild") if self.has_wilds else smt.truth(False),
            last_alike=smt.integer("last alike", 0, most) if most else smt.total([]),
            misnaming=smt.boolean("misnaming"),
        )

    # ------------------------------------------------------------ constraints

    def _require_tiles(self) -> None:
        """Copies of every face, the exact shape, the number of tiles; none of it without a shape."""
        smt, counts = self.smt, self.view.counts
        natural = []
        for kind, (face, parts) in enumerate(zip(self.game.kinds, self._by_face(self.melds), strict=True)):
            natural.append(smt.total(parts))
            smt.require(smt.compare(natural[kind], "<=", face.copies))
            if self.game.wild_free:
                smt.require(smt.compare(natural[kind], ">=", 0))
        self._require_wilds(natural)
        present = [(game, self._present(game)) for game in self.game.views]
        for dim in range(len(self.game.dims)):
            parts = [(m.type.gives[dim], counts[m.id]) for m in self.melds]
            wanted = smt.total((game.win.shape[dim], one) for game, one in present)
            smt.require(smt.compare(smt.total(parts), "=", wanted))
        if self.game.any_size:
            most = smt.total((tiles_in_play(game), one) for game, one in present)
            smt.require(smt.compare(self.size, "<=", most))
            return
        wanted = smt.total((game.finished, one) for game, one in present)
        smt.require(smt.compare(self.size, "=", wanted))

    def _present(self, game: Game) -> Int:
        """1 for a complete arrangement of a role that sees the game so."""
        if len(self.game.views) == 1:
            return smt_present(self.view)
        return self.smt.indicator(self.smt.both([self.view.complete, self.judged(game)]))

    def judged(self, game: Game) -> Bool:
        """The role is one of those that see the game so."""
        return self.smt.either([self.view.roles[role] for role in game.roles])

    def _require_wilds(self, natural: list[Int]) -> None:
        """As many wild tiles as there are, and of each face what the deal leaves."""
        smt, view, wild = self.smt, self.view, self.game.wild
        if wild is None:
            return
        parts = [(m.wilds, view.counts[m.id]) for m in self.melds]
        smt.require(smt.compare(smt.total(parts), "<=", wild.copies))
        if wild.within:
            for kind, face in enumerate(self.game.kinds):
                shown = [(sum(s.kind == kind for s in m.slots), view.counts[m.id]) for m in self.melds]
                smt.require(smt.compare(smt.total(shown), "<=", face.copies))
        self._require_places()
        for meld in self.melds:
            if meld.wilds and not meld.counts and meld.id not in self.concealable:
                # Laid openly it would not say which face it stands for; only the last tile makes it.
                holder = smt.both([view.last_in[meld.type.index], view.last_wild])
                smt.require(smt.compare(view.counts[meld.id], "<=", 1))
                smt.require(smt.either([holder, smt.compare(view.counts[meld.id], "=", 0)]))
        parameter = next((p for p in self.game.parameters if p.name == wild.parameter), None)
        for value in parameter.values if parameter is not None else ():
            left = self.game.copies_in({wild.parameter or "": value})
            here = view.context[wild.parameter or "", value]
            for kind, face in enumerate(self.game.kinds):
                if left[kind] < face.copies:
                    smt.require(smt.implies(here, smt.compare(natural[kind], "<=", left[kind])))

    def _require_places(self) -> None:
        """Wild tiles find room for their faces in places of one's own, outside melds of natural tiles only.

        Which places exposed tiles take is not asked: `decode` finds room, or says that it cannot.
        """
        smt = self.smt
        for kind in range(len(self.game.kinds)) if self.game.wild_free else ():
            room = [
                (sum(s.kind == kind and bool(s.origins & OWN) for s in m.slots), self.view.counts[m.id])
                for m in self.melds
                if not self.game.bars(m)
            ]
            stands = [(1, self.view.counts[m.id]) for m in self.melds if m.stand and m.tiles[0] == kind]
            smt.require(smt.compare(smt.total(room), ">=", smt.total(stands)))

    def _require_situation(self) -> None:
        """One role, one origin or none, one value of each parameter.

        Only a full deal needs no last tile, or a hand of any size.
        """
        smt, view = self.smt, self.view
        smt.require(smt.exactly_one(list(view.roles.values())))
        smt.require(smt.exactly_one(list(view.origins.values())))
        for parameter in self.game.parameters:
            smt.require(smt.exactly_one([view.context[parameter.name, v] for v in parameter.values]))
        if not self.game.any_size:
            whole = [view.roles[r] for g in self.game.views for r in g.roles if g.dealt[r] >= g.finished]
            smt.require(smt.implies(view.origins[None], smt.either(whole)))
        if self.has_wilds:  # nobody else's wild tile makes a meld
            made = smt.both([view.complete, view.last_wild])
            smt.require(smt.implies(made, smt.either([view.origins[o] for o in sorted(OWN)])))
            smt.require(smt.either([smt.negate(view.last_wild), smt.negate(view.origins[None])]))

    def _require_holder(self) -> None:
        """A complete arrangement with a last tile has one meld that holds it, and can."""
        smt, view = self.smt, self.view
        held = smt.both([view.complete, smt.negate(view.origins[None])])
        holders = list(view.last_in.values())
        smt.require(smt.implies(held, smt.exactly_one(holders)))
        smt.require(smt.either([held, smt.negate(smt.either(holders))]))
        for meld_type in self.types:
            for origin in ORIGINS:
                case = smt.both([view.last_in[meld_type.index], view.origins[origin]])
                natural = smt.both([case, smt.negate(view.last_wild)])
                smt.require(smt.implies(natural, self._can_hold(meld_type, origin, wild=False)))
                if self.has_wilds:
                    wild = smt.both([case, view.last_wild])
                    smt.require(smt.implies(wild, self._can_hold(meld_type, origin, wild=True)))

    def _can_hold(self, meld_type: MeldType, origin: str, wild: bool) -> Bool:
        """The arrangement has a meld of this type that can hold a (wild) last tile of this origin."""
        if len(self.game.views) == 1:
            return self._can_hold_by(self.holdings, meld_type, origin, wild)
        cases = []
        for game in self.game.views:
            holdings = self.holdings.seen_by(game.roles[0])
            held = self._can_hold_by(holdings, meld_type, origin, wild)
            cases.append(self.smt.both([self.judged(game), held]))
        return self.smt.either(cases)

    def _can_hold_by(self, holdings: Holdings, meld_type: MeldType, origin: str, wild: bool) -> Bool:
        """The same of the roles that have these ways to hold a tile."""
        smt, counts = self.smt, self.view.counts
        if wild and self.game.wild_free:
            return self._can_hold_any(holdings, meld_type, origin)
        if self.has_wilds and self.game.wild_free and self.is_exact:
            return self._can_hold_natural(holdings, meld_type, origin)
        free: list[tuple[int, Int]] = []
        tied: list[Bool] = []
        for meld in self._of_type[meld_type.index]:
            options = holdings.of(meld, origin, wild)
            if any(not option.spare for option in options):
                free.append((1, counts[meld.id]))
            elif options:
                rooms = smt.either([self._room(option) for option in options])
                tied.append(smt.both([smt.compare(counts[meld.id], ">=", 1), rooms]))
        return smt.either([smt.compare(smt.total(free), ">=", 1), *tied])

    def _can_hold_any(self, holdings: Holdings, meld_type: MeldType, origin: str) -> Bool:
        """Some face of which a wild tile stands for the last one, in a meld of this type."""
        smt, counts = self.smt, self.view.counts
        holders: dict[int, list[tuple[int, Int]]] = {}
        for meld in (m for m in self._of_type[meld_type.index] if not self.game.bars(m)):
            for kind in {o.kind for o in holdings.of(meld, origin) if not o.spare}:
                holders.setdefault(kind, []).append((1, counts[meld.id]))
        stands = {m.tiles[0]: counts[m.id] for m in self.melds if m.stand}
        cases = [
            smt.both([smt.compare(smt.total(parts), ">=", 1), smt.compare(stands[kind], ">=", 1)])
            for kind, parts in sorted(holders.items())
        ]
        return smt.either(cases)

    def _can_hold_natural(self, holdings: Holdings, meld_type: MeldType, origin: str) -> Bool:
        """Some face of which there is a natural tile to be the last one, in a meld of this type."""
        smt, counts = self.smt, self.view.counts
        cases: dict[int, list[Bool]] = {}
        free: dict[int, list[tuple[int, Int]]] = {}
        for meld in self._of_type[meld_type.index]:
            for option in holdings.of(meld, origin):
                if option.spare:
                    there = smt.compare(counts[meld.id], ">=", 1)
                    cases.setdefault(option.kind, []).append(smt.both([there, self._room(option)]))
                else:
                    free.setdefault(option.kind, []).append((1, counts[meld.id]))
        for kind, parts in free.items():
            cases.setdefault(kind, []).append(smt.compare(smt.total(parts), ">=", 1))
        return smt.either(
            [smt.both([smt.either(found), self._some_natural[kind]]) for kind, found in cases.items()]
        )

    @cached_property
    def _some_natural(self) -> tuple[Bool, ...]:
        """For each face whether any tile of it is a natural one."""
        parts = self._by_face(self.melds)
        return tuple(self.smt.compare(self.smt.total(some), ">=", 1) for some in parts)

    def _require_alike(self) -> None:
        """Where anybody asks: no more tiles like the last one than there are of some face it can have.

        Which of them lie exposed is not asked: `decode` finds a hand, or says that it cannot.
        """
        smt, view = self.smt, self.view
        if not asks_alike(self.game):
            return
        some = smt.compare(view.last_alike, ">=", 1)
        smt.require(smt.either([smt.negate(some), smt.negate(view.origins[None])]))
        smt.require(smt.either([smt.negate(some), smt.negate(view.last_wild)]))
        cases = []
        for meld in self.melds:
            for kind, number in meld.counts if self.game.can_hold_last(meld) else ():
                own = 0 if meld.id in self.concealable else number
                most = smt.total([(1, self._supply[kind])], own - 1)
                held = [view.last_in[meld.type.index], smt.compare(view.counts[meld.id], ">=", 1)]
                cases.append(smt.both([*held, smt.compare(view.last_alike, "<=", most)]))
        smt.require(smt.either([smt.negate(some), smt.negate(view.complete), *cases]))

    def _require_mark(self) -> None:
        """The marked tile, held by one of its roles, is in one meld of its face, where it is worth most."""
        smt, view, mark = self.smt, self.view, self.game.mark
        if mark is None:
            return
        owned = smt.either([b for role, b in view.roles.items() if role in mark.roles])
        for kind, face in enumerate(self.game.kinds):
            active = smt.both([owned, view.context[mark.parameter, face.name]])
            marked = [m for m in self.melds if m.mark == kind]
            if mark.every:
                self._require_every_mark(active, marked)
                continue
            total = smt.total((1, view.counts[m.id]) for m in marked)
            smt.require(smt.compare(total, "<=", smt.indicator(active)))
            bases = [(m, 1, view.counts[m.base or 0]) for m in marked]
            held = smt.compare(smt.total((n, count) for _, n, count in bases), ">=", 1)
            smt.require(smt.implies(smt.both([active, held]), smt.compare(total, ">=", 1)))
            gains = {m.id: gain(m, self.game) for m in marked}
            for worth in sorted(set(gains.values()))[:-1]:
                here = smt.total((1, view.counts[m.id]) for m in marked if gains[m.id] == worth)
                better = smt.total((n, count) for m, n, count in bases if gains[m.id] > worth)
                smt.require(smt.either([smt.compare(here, "=", 0), smt.compare(better, "=", 0)]))

    def _require_every_mark(self, active: Bool, marked: list[Meld]) -> None:
        """Every meld of the face has the mark, if it is the marked one, and else none."""
        smt, counts = self.smt, self.view.counts
        for meld in marked:
            other = counts[meld.id if meld.base is None else meld.base]
            smt.require(smt.implies(active, smt.compare(other, "=", 0)))
            smt.require(smt.either([active, smt.compare(counts[meld.id], "=", 0)]))

    def _room(self, option: Holding) -> Bool:
        """Concealable melds take what is left of the exposed melds that were regrouped."""
        fits = [self.smt.compare(self._supply[kind], ">=", number) for kind, number in option.spare]
        return self.smt.both(fits)


def most_alike(game: Game) -> int:
    """The most concealed tiles that can be like the last one, if anybody asks."""
    return max(kind.copies for kind in game.kinds) - 1 if asks_alike(game) else 0


def smt_present(view: View) -> Int:
    """1 for a complete arrangement, 0 for the empty one that stands for an incomplete hand."""
    return view.smt.indicator(view.complete)


def meld_limit(game: Game, meld: Meld) -> int:
    """The most of a ground meld that copies and shape allow."""
    more = game.wild.copies if game.wild is not None and game.wild.free else 0
    by_copies = [(game.kinds[k].copies + more) // n for k, n in meld.counts if n > 0]
    if meld.wilds and game.wild is not None:
        by_copies.append(game.wild.copies // meld.wilds)
    by_shape = [w // g for w, g in zip(game.widest, meld.type.gives, strict=True) if g]
    single = meld.base is not None and not (game.mark is not None and game.mark.every)
    return min(by_copies + by_shape + [1] * single)


def _structure(game: Game) -> Hashable:
    """Everything about a game that its world depends on; prices and conditions come with the questions."""
    melds = tuple(
        (m.slots, t.index, t.name, t.gives, t.locked, t.laid_only, t.extra, t.by_last, gain(m, game))
        for m in game.melds
        for t in (m.type,)
    )
    growth = tuple(t.grows for t in game.types)
    seats = tuple((s.role, s.tiles) for s in game.seats)
    parameters = tuple((p.name, p.values) for p in game.parameters)
    faces = tuple((k.copies, k.group) for k in game.kinds)
    return (
        melds,
        growth,
        seats,
        parameters,
        faces,
        game.shapes,
        tuple(plain(need.formula) for need in game.win.groupings),
        game.any_size,
        game.hand_origin,
        game.wild,
        game.mark,
        asks_alike(game),
    )
