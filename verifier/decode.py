"""A model of the logic as a hand that a referee could be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice

from dsl.core.evaluate import Arrangement, Position, Situation, names_held
from dsl.core.formulas import asks_alike
from dsl.core.hand import Hand, Laid, can_lie
from dsl.core.model import OWN, WILD, Game, Meld
from dsl.core.reference import arrangements

from .holding import Holding, shown
from .models import Model
from .world import World

TRIES = 2000
"""Hands that are tried in search of one without the win shape, once the likely ones have failed."""


@dataclass(frozen=True)
class Witness:
    """A hand and the arrangement of it that a question asked for."""

    game: Game
    hand: Hand
    arrangement: Arrangement

    @property
    def position(self) -> Position:
        """What the evaluator is asked about."""
        return Position(self.game, self.arrangement, self.hand.situation)


class Undecodable(Exception):
    """No hand without a winning arrangement was found for a model that asks for one."""


def read(world: World) -> Model:
    """The values of the solver's last model."""
    smt, view = world.smt, world.view
    numbers = smt.integer_values([view.counts[m.id] for m in world.melds])
    melds = [m.id for m, number in zip(world.melds, numbers, strict=True) for _ in range(number)]
    return Model(
        melds=tuple(melds),
        complete=smt.truth_value(view.complete),
        role=next(r for r, b in view.roles.items() if smt.truth_value(b)),
        origin=next(o for o, b in view.origins.items() if smt.truth_value(b)),
        holder=next((t for t, b in view.last_in.items() if smt.truth_value(b)), None),
        context={name: v for (name, v), b in view.context.items() if smt.truth_value(b)},
        misnaming=smt.truth_value(view.misnaming),
        last_wild=world.game.wild is not None and smt.truth_value(view.last_wild),
        last_alike=smt.integer_value(view.last_alike) if asks_alike(world.game) else 0,
    )


def decode(world: World, model: Model) -> Witness:
    """The plainest hand with this arrangement: exposed only what cannot be concealed."""
    game = world.game
    deciding = None if game.wild is None else game.wild.parameter
    context = {
        p.name: v
        for p in game.parameters
        if (v := model.context[p.name]) != p.values[0] or p.name == deciding
    }
    situation = Situation(model.role, model.origin, context, None, model.last_wild)
    if not model.complete:
        witness = _unshaped(game, situation, model.last_alike if asks_alike(game) else None)
    elif model.origin is None:
        witness = _witness(game, situation, _laid_out(world, model.melds), Counter(), None, model.melds, None)
    else:
        witness = _held(world, model, situation)
    if asks_alike(game) and witness.hand.last_alike != model.last_alike:
        raise Undecodable("no hand with so many tiles like the last one was found")
    return _declaring_wrongly(witness) if model.misnaming else witness


def can_be_held(world: World, model: Model) -> bool:
    """Has one of the melds a tile that can have been the last one? An exact world sees to that itself."""
    return world.is_exact or not model.complete or model.origin is None or any(_holders(world, model))


def _laid_out(world: World, melds: tuple[int, ...]) -> tuple[Laid, ...]:
    """Those of the melds that must lie exposed."""
    return tuple(shown(world.game, world.game.melds[m]) for m in melds if m not in world.concealable)


def _held(world: World, model: Model, situation: Situation) -> Witness:
    """With as many concealed tiles like the last one as the model says, if that can be had."""
    found = None
    for meld, holding in _holders(world, model):
        witness = _held_by(world, model, situation, meld, holding)
        found = found or witness
        if not asks_alike(world.game) or witness.hand.last_alike == model.last_alike:
            return witness
        locked = tuple(world.game.melds[m] for m in set(model.melds) - {meld.id} if m in world.concealable)
        locked = tuple(m for m in sorted(locked, key=lambda m: m.id) if m.type.locked)
        fewer = witness.hand.last_alike - model.last_alike
        opened = next(_exposing(world, witness, locked, fewer), None)
        if opened is not None:
            return opened
    if found is None:
        raise Undecodable("no meld of the model can hold the last tile")
    return found


def _exposing(world: World, witness: Witness, locked: tuple[Meld, ...], fewer: int) -> Iterator[Witness]:
    """The same arrangement with so many tiles fewer like the last one concealed: they lie openly.

    `locked`: melds of the arrangement that would stay as they are. Tiles of others can be regrouped.
    """
    hand = witness.hand
    if fewer <= 0 or hand.last is None:
        yield from () if fewer else (witness,)
        return
    loose = [m for m in world.melds if not m.type.locked and m.id in world.concealable]
    for meld in (*locked, *loose):
        own = dict(meld.counts)
        counts = tuple(n - own.get(k, 0) for k, n in enumerate(hand.counts))
        plain = not (meld.wilds or meld.type.extra or meld.stand) and can_lie(world.game, meld)
        if plain and own.get(hand.last[0]) and min(counts) >= 0:
            left = tuple(m for m in locked if m is not meld)
            laid = (*hand.laid, shown(world.game, meld))
            opened = replace(witness, hand=replace(hand, counts=counts, laid=laid))
            yield from _exposing(world, opened, left, fewer - own[hand.last[0]])


def _held_by(world: World, model: Model, situation: Situation, meld: Meld, holding: Holding) -> Witness:
    others = list(model.melds)
    others.remove(meld.id)
    laid = (*_laid_out(world, tuple(others)), *holding.laid)
    kind = WILD if model.last_wild else holding.kind
    drawn = Counter((holding.kind,))
    last = (kind, model.origin or "")
    natural = holding.laid if world.game.bars(meld) else ()
    return _witness(world.game, situation, laid, drawn, last, model.melds, meld.id, natural)


def _holders(world: World, model: Model) -> Iterator[tuple[Meld, Holding]]:
    """Melds of the holding type that can hold the last tile, and the ways they can."""
    melds = [world.game.melds[m] for m in model.melds if m in world.concealable]
    supply = Counter(slot.tile for meld in melds for slot in meld.slots)
    wild = model.last_wild and not world.game.wild_free
    for index in dict.fromkeys(model.melds):
        meld = world.game.melds[index]
        if meld.type.index == model.holder:
            for holding in world.holdings.seen_by(model.role).of(meld, model.origin or "", wild):
                if not _drawable(world.game, model, holding.kind):
                    continue
                if all(supply[kind] >= number for kind, number in holding.spare):
                    yield meld, holding


def _made_wild(
    game: Game, laid: tuple[Laid, ...], stands: Counter[int], natural: tuple[Laid, ...]
) -> tuple[Laid, ...]:
    """The exposed melds with wild tiles for these faces, a natural one left in each.

    Those of `natural` stay as they are. Raises `Undecodable`.
    """
    result = []
    for entry in laid:
        if entry in natural or game.bars(game.melds[entry.meld]):
            result.append(entry)
            continue
        slots = game.melds[entry.meld].slots
        own = Counter(s.kind for s, o in zip(slots, entry.origins, strict=True) if o in OWN)
        taken = sorted((own & stands).elements())[: len(slots) - 1]
        stands -= Counter(taken)
        result.append(replace(entry, stands=tuple(taken)))
    if stands:
        raise Undecodable("a wild tile has no place in the exposed melds")
    return tuple(result)


def _drawable(game: Game, model: Model, kind: int) -> bool:
    """Is there a tile of this face (a wild one that stands for it) that can have been drawn last?"""
    if not game.wild_free:
        return True
    melds = [game.melds[m] for m in model.melds]
    if model.last_wild:
        return any(m.stand and m.tiles[0] == kind for m in melds)
    return sum(dict(m.counts).get(kind, 0) for m in melds) > 0


def _witness(
    game: Game,
    situation: Situation,
    laid: tuple[Laid, ...],
    drawn: Counter[int],
    last: tuple[int, str] | None,
    melds: tuple[int, ...],
    last_in: int | None,
    natural: tuple[Laid, ...] = (),
) -> Witness:
    """`natural`: exposed melds of which a meld is made that has natural tiles only."""
    tiles = Counter(slot.tile for m in melds for slot in game.melds[m].slots)
    tiles -= Counter(slot.tile for entry in laid for slot in game.melds[entry.meld].slots)
    tiles -= drawn
    stands = Counter(game.melds[m].tiles[0] for m in melds if game.melds[m].stand)
    if last is not None and last[0] == WILD:
        stands -= drawn
    wilds = stands & (tiles - _reserved(game, melds, laid, natural, last_in, drawn))
    laid = _made_wild(game, laid, stands - wilds, natural)
    tiles -= wilds
    counts = tuple(tiles[k] for k in range(len(game.kinds)))
    hand = Hand(situation.role, laid, counts, last, situation.context, None, tiles[WILD] + wilds.total())
    return Witness(game, hand, Arrangement(tuple(sorted(melds)), last_in))


def _reserved(
    game: Game,
    melds: tuple[int, ...],
    laid: tuple[Laid, ...],
    natural: tuple[Laid, ...],
    last_in: int | None,
    drawn: Counter[int],
) -> Counter[int]:
    """Concealed tiles that lie in melds of natural tiles only, or more."""
    barred = [game.melds[m] for m in melds if game.bars(game.melds[m])]
    found = Counter(slot.tile for meld in barred for slot in meld.slots)
    for entry in laid:
        meld = game.melds[entry.meld]
        if game.bars(meld) or (entry in natural and meld.type.locked):
            found -= Counter(slot.tile for slot in meld.slots)
    held = last_in is not None and game.bars(game.melds[last_in])
    return found - drawn if held else found


def _declaring_wrongly(witness: Witness) -> Witness:
    """The same hand with a name called that does not hold, when there is one."""
    true_names = names_held(witness.position)
    wrong = next((n for n in witness.game.names if n not in true_names), None)
    if wrong is None:
        return witness
    hand = witness.hand
    called = replace(hand, declared=(wrong.name,))
    return Witness(witness.game, called, witness.arrangement)


# ---------------------------------------------------------------- hands without a shape


def _unshaped(game: Game, situation: Situation, alike: int | None) -> Witness:
    """A smallest hand of a right size that has no win shape; wild is at most its last tile.

    `alike`: how many concealed tiles are to be like the last one, where that is asked anywhere.
    """
    seen = game.seen_by(situation.role)
    size = seen.finished if situation.last_from is None else seen.waiting + 1
    sizes = range(1, size + 1) if game.any_size else (size,)
    copies = game.copies_in(situation.context)
    candidates = (tiles for size in sizes for tiles in _candidates(game, copies, size))
    for tiles in islice(candidates, TRIES + len(sizes) * len(game.kinds)):
        for hand in _with_last(game, tiles, situation, alike):
            if not arrangements(game, hand):
                return Witness(game, hand, Arrangement((), None, complete=False))
    raise Undecodable("every hand that was tried has the win shape")


def _with_last(game: Game, tiles: list[int], situation: Situation, alike: int | None) -> Iterator[Hand]:
    """These tiles with the last one of them last; with any that has so many like it, where that is asked."""
    for kind in dict.fromkeys(reversed(tiles if alike is not None else tiles[-1:])):
        last = _last_of(kind, situation)
        free = Counter(tiles) - (Counter((kind,)) if last is not None else Counter[int]())
        counts = tuple(free[k] for k in range(len(game.kinds)))
        hand = Hand(situation.role, (), counts, last, situation.context)
        if alike is None or hand.last_alike == alike:
            yield hand


def _last_of(kind: int, situation: Situation) -> tuple[int, str] | None:
    if situation.last_from is None:
        return None
    return (WILD if situation.last_wild else kind, situation.last_from)


def _candidates(game: Game, copies: tuple[int, ...], size: int) -> Iterator[list[int]]:
    """Hands as mixed as copies allow, one for each face to start from; then any, in order."""
    kinds, most = range(len(game.kinds)), max(copies)
    for first in kinds:
        order = [(first + i) % len(kinds) for i in kinds]
        tiles = [k for copy in range(most) for k in order if copies[k] > copy]
        if len(tiles) >= size:
            yield tiles[:size]
    every = combinations_with_replacement(kinds, size)
    fitting = (list(t) for t in every if all(n <= copies[k] for k, n in Counter(t).items()))
    yield from islice(fitting, TRIES)
