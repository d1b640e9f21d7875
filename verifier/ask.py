"""Asking: solve, tighten to the plainest witness, decode, replay. Written once for all checks.

The witness is canonical: every variable is fixed by a chain of preferences, so that the same question
always shows the same hand. Plain melds come before special ones, the right call before a wrong one,
earlier roles, few tiles where any number will do, different melds before repeated ones, low faces first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from dsl.core.evaluate import holds as evaluated
from dsl.core.formulas import asks_alike, speaks_of_alike
from dsl.core.model import ORIGINS, And, Complete, Defined, Formula, Game, Meld, Misnamed, Not
from dsl.judge.points import added_up

from .decode import Undecodable, Witness, can_be_held, decode, read
from .encode import holds
from .findings import Words
from .models import Model, position, true_of
from .replay import replay
from .smt import Bool, Status
from .symmetry import in_order, put_in_order
from .tighten import Tightener
from .world import World

LAST_ORDER: tuple[str | None, ...] = (*ORIGINS[1:], None, ORIGINS[0])
"""Origins of the last tile as a reader expects them; a dealt last tile is the oddest."""


@dataclass(frozen=True)
class Proved:
    """No hand, arrangement and situation satisfies the formula."""


@dataclass(frozen=True)
class Refuted:
    """One does."""

    witness: Witness


@dataclass(frozen=True)
class Unknown:
    """The solver gave up."""

    reason: Words


FIRST_TRY = 4_000_000
"""Work spent on a question as it stands; nineteen out of twenty ask for less."""

LADDER = tuple(m * 1_000_000 for m in (15, 15, 15, 30, 30, 30, 60, 60, 120, 240))
"""Work spent on further tries, with interchangeable components put in order, each by a new engine: earlier
questions can lead one astray."""

SUMS_LATE = 2
"""Further tries before a question with wild tiles is added up: for each number of them there are sums."""

HANDS = 100
"""Models that are tried in search of one that shows a hand, where tiles like the last one are counted."""

LIKELY = 5
"""Arrangements much like a known one that the solver is shown, in search of one with another meld."""

OUT_OF_WORK = ("求解器用尽了限额还没有答案", "the solver spent its budget without an answer")
NO_EXAMPLE = ("没找到一手不成形的牌来举例", "no hand without the win shape was found to show it")

NO_HAND = ("有解，却没找到一手牌来举例", "there is a solution, but no hand was found to show it")


def why_open(world: World, formula: Formula) -> Words:
    """Why a question that was put to the world stayed open."""
    known = world.models.telling(world.game, formula)
    if speaks_of_alike(formula) or (known is not None and known.complete):
        return NO_HAND
    return NO_EXAMPLE if known is not None else OUT_OF_WORK


Answer = Proved | Refuted | Unknown


def ask(world: World, formula: Formula) -> Answer:
    """Is there an arrangement in a situation of which the formula holds?"""
    found = possible(world, formula)
    if found is None:
        return Unknown(OUT_OF_WORK)
    if not found:
        return Proved()
    answer = None if world.natural is None else _plainest_natural(world.natural, formula)
    return answer or _plainest(world.fresh(), formula)


def _plainest_natural(world: World, formula: Formula) -> Refuted | None:
    """The canonical witness if it has no wild tile: only a shape and the right call are worth more."""
    world = world.fresh()
    if not _quickly(world, And((Complete(), Not(Misnamed()), formula))):
        return None
    answer = _plainest(world, formula)
    return answer if isinstance(answer, Refuted) else None


def _plainest(world: World, formula: Formula) -> Answer:
    """The canonical witness; a world without a history finds the same one every time."""
    if _settle(world, formula) != "sat":
        return Unknown(OUT_OF_WORK)
    _Tightener(world).run()
    model = read(world)
    try:
        return Refuted(replay(decode(world, model), formula))
    except Undecodable:
        pass
    if not can_be_held(world, model):
        return _plainest(world.exact.fresh(), formula)
    if speaks_of_alike(formula) or model.complete:
        found = _shown(world.fresh(), formula)
        return Unknown(NO_HAND) if found is None else Refuted(found)
    return Unknown(NO_EXAMPLE)


def _shown(world: World, formula: Formula) -> Witness | None:
    """A hand of which the formula holds, whatever it is, by way of models of which some show none."""
    smt, view = world.smt, world.view
    for _ in range(HANDS if _settle(world, formula) == "sat" else 0):
        model = read(world)
        try:
            return replay(decode(world, model), formula)
        except Undecodable:
            others = [smt.compare(view.counts[m], "!=", n) for m, n in Counter(model.melds).items()]
            others += [smt.compare(view.last_alike, "!=", model.last_alike), smt.negate(view.complete)]
            others += [smt.negate(view.origins[model.origin])]
            others += [] if model.holder is None else [smt.negate(view.last_in[model.holder])]
            smt.require(smt.either(others))
        if smt.check(budget=FIRST_TRY) != "sat":
            break
    return None


def _settle(world: World, formula: Formula) -> Status:
    """Require the formula and look for a model."""
    world.smt.require(holds(formula, world.view))
    return next((status for status in _tries(world, formula) if status != "unknown"), "unknown")


def _tries(world: World, formula: Formula) -> Iterator[Status]:
    """One way after the other to settle what is required, the dearest last."""
    smt = world.smt
    yield smt.check(budget=_first_try(world))
    if not world.has_wilds:
        yield _by_sums(world, formula)
    smt.require(*in_order(world, formula))
    for seed, budget in enumerate(LADDER):
        if seed == SUMS_LATE and world.has_wilds:
            yield _by_sums(world, formula)
        yield smt.check_anew(seed, budget)


def _first_try(world: World) -> int:
    """Where melds are spelt out with wild tiles in them, there are thousands."""
    return FIRST_TRY * (1 + len(world.melds) // 1000)


def _by_sums(world: World, formula: Formula) -> Status:
    """A hard question may have an easy answer: no melds add up to what is wanted, or some do and will do."""
    smt, melds = world.smt, added_up(world.game, formula) if _wants_shape(formula) else ()
    if not melds:
        return "unsat" if melds is None else "unknown"
    fixed = _just_these(world, put_in_order(world, formula, melds))
    return "sat" if smt.check(*fixed, budget=FIRST_TRY) == "sat" else "unknown"


def _just_these(world: World, melds: Iterable[int]) -> list[Bool]:
    """That the arrangement has these melds and no other."""
    numbers = Counter(melds)
    return world.smt.equal((count, numbers[meld]) for meld, count in world.view.counts.items())


def _wants_shape(formula: Formula) -> bool:
    """Does the formula hold of complete arrangements only, as far as its conjuncts show?"""
    match formula:
        case Complete():
            return True
        case And(parts):
            return any(_wants_shape(part) for part in parts)
        case Defined(_, _, body):
            return _wants_shape(body)
        case _:
            return False


def possible(world: World, formula: Formula) -> bool | None:
    """As `ask` without a witness; None when the solver gave up."""
    if world.models.telling(world.game, formula) is not None:
        return True
    if world.natural is not None and _quickly(world.natural, formula):
        world.models.add(read(world.natural))
        return True
    with world.smt.scope():
        status = _settle(world, formula)
    if status == "sat":
        model = read(world)
        if not can_be_held(world, model):
            return _possible_exactly(world, world.exact, formula)
        world.models.add(model)
    return None if status == "unknown" else status == "sat"


def _possible_exactly(world: World, exact: World, formula: Formula) -> bool | None:
    """As `possible`, where a model of the world has no natural tile to be the last one."""
    answer = possible(exact, formula)
    if answer:
        world.models.add(exact.model)
    return answer


def _quickly(world: World, formula: Formula) -> bool:
    """Is there a model that takes no longer to find than most?"""
    with world.smt.scope():
        world.smt.require(holds(formula, world.view))
        return world.smt.check(budget=_first_try(world)) == "sat"


def adopted(world: World, model: Model) -> bool:
    """Is what was found in another world possible in this one too? Then it answers questions from now on."""
    if world.natural is not None and not _with_wilds(world.game, model):
        possible = adopted(world.natural, model)  # there is less to look through
        if possible:
            world.models.add(world.natural.model)
        return possible
    smt, view = world.smt, world.view
    fixed = [*_just_these(world, model.melds), view.roles[model.role], view.origins[model.origin]]
    fixed += [view.context[item] for item in model.context.items()]
    if asks_alike(world.game):
        fixed.append(smt.compare(view.last_alike, "=", model.last_alike))
    fixed += [] if model.holder is None else [view.last_in[model.holder]]
    for term, wanted in ((view.complete, model.complete), (view.misnaming, model.misnaming)):
        fixed.append(term if wanted else smt.negate(term))
    work = _first_try(world)
    if not world.has_wilds and len(model.context) == len(world.game.parameters):
        possible = smt.allows(*fixed, budget=work)
    else:
        possible = smt.check(*fixed, budget=work) == "sat"
        model = read(world) if possible else model
    if possible and not can_be_held(world, model):
        return False
    if possible:
        world.models.add(model)
    return possible


def _with_wilds(game: Game, model: Model) -> bool:
    return model.last_wild or any(game.melds[m].wilds for m in model.melds)


def with_one_of(world: World, formula: Formula, melds: Sequence[Meld]) -> bool:
    """Does the formula hold of what was found last with one of these melds in the place of another?

    If so, it answers questions from now on. If not, some other arrangement may have one.
    """
    known = world.models.telling(world.game, formula)
    likely = _exchanges(world, known, melds) if known is not None else iter(())
    holding = (model for model in likely if true_of(world.game, model, formula))
    return any(adopted(world, model) for model in islice(holding, LIKELY))


def _exchanges(world: World, known: Model, melds: Sequence[Meld]) -> Iterator[Model]:
    """The model with one of the melds for one that counts as much and does not hold the last tile."""
    game = world.game
    for place, out in enumerate(game.melds[m].type for m in known.melds):
        for meld in melds if out.index != known.holder else ():
            if meld.type.gives == out.gives and meld.id in world.view.counts:
                changed = (*known.melds[:place], *known.melds[place + 1 :], meld.id)
                if _in_the_deck(game, changed):
                    yield replace(known, melds=tuple(sorted(changed)))


def _in_the_deck(game: Game, melds: Iterable[int]) -> bool:
    """Are there enough natural tiles for these melds?"""
    needed: dict[int, int] = {}
    for meld in melds:
        for kind, number in game.melds[meld].counts:
            needed[kind] = needed.get(kind, 0) + number
    return all(number <= game.kinds[kind].copies for kind, number in needed.items())


def confirmed(world: World, formula: Formula) -> bool | None:
    """As `possible`; a yes has been replayed, though not on the plainest hand.

    Of tiles like the last one, and of places for wild tiles, the solver only knows how many there are at
    most, and of a hand without the win shape nothing: no hand, no answer.
    """
    answer = possible(world, formula)
    if answer:
        try:
            replay(decode(world, world.model), formula)
        except Undecodable:
            if speaks_of_alike(formula) or world.model.complete:
                return None if _shown(world.fresh(), formula) is None else answer
            return confirmed(world, And((Complete(), formula))) or None
    return answer


def true_names(world: World) -> frozenset[str]:
    """Named wins that hold in the model of the last question that had one."""
    at = position(world.game, world.model)
    return frozenset(n.name for n in world.game.names if evaluated(n.formula, at))


def clash(world: World, parts: Sequence[Formula]) -> tuple[int, ...]:
    """Of parts that cannot hold together, a smallest choice that already cannot (by position)."""
    kept = list(range(len(parts)))
    for index in range(len(parts)):
        fewer = [i for i in kept if i != index]
        if possible(world, And(tuple(parts[i] for i in fewer))) is False:
            kept = fewer
    return tuple(kept)


# ---------------------------------------------------------------- the plainest model


class _Tightener(Tightener):
    """The variables of a world, in the order of their preferences."""

    def __init__(self, world: World) -> None:
        super().__init__(world.smt)
        self.world = world

    def run(self) -> None:
        smt, view, melds = self.smt, self.world.view, self.world.melds
        self.prefer(view.complete)
        if len(self.world.game.views) > 1:
            self.prefer(self.world.judged(self.world.game.views[0]))
        self.prefer(smt.negate(view.misnaming))
        if self.world.game.wild is not None:
            wilds = smt.total((m.wilds, view.counts[m.id]) for m in melds if m.wilds)
            self.prefer(smt.both([smt.compare(wilds, "=", 0), smt.negate(view.last_wild)]))
        self.lower(smt.total((oddity(m), view.counts[m.id]) for m in melds))
        self.first(list(view.roles.values()))
        self.first([view.origins[o] for o in LAST_ORDER])
        if self.world.game.any_size:
            self.lower(self.world.size)
        for parameter in self.world.game.parameters:
            self.first([view.context[parameter.name, v] for v in parameter.values])
        self.prefer(smt.both([smt.compare(count, "<=", 1) for count in view.counts.values()]))
        order = sorted(melds, key=lambda m: (oddity(m), m.type.index, m.tiles))
        self.raise_([view.counts[m.id] for m in order])
        self.first([view.last_in[t] for t in dict.fromkeys(m.type.index for m in order)])
        if asks_alike(self.world.game):
            self.raise_([view.last_alike])


def oddity(meld: Meld) -> int:
    """How much a meld asks of where its tiles came from: 0 nothing, 1 something, 2 it was claimed."""
    free = all(len(slot.origins) == len(ORIGINS) for slot in meld.slots)
    return 2 if meld.type.locked else 0 if free else 1
