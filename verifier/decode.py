"""A model of the logic as a hand that a referee could be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice

from dsl.core.evaluate import Arrangement, Position, Situation, names_held
from dsl.core.hand import Hand, Laid
from dsl.core.model import Game, Meld
from dsl.core.reference import arrangements

from .holding import Holding, shown
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


@dataclass(frozen=True)
class Model:
    """The variables of a world with their values."""

    melds: tuple[int, ...]
    complete: bool
    role: str
    origin: str | None
    holder: int | None
    """Index of the meld type that holds the last tile."""
    context: dict[str, str]
    misnaming: bool


class Undecodable(Exception):
    """No hand without a winning arrangement was found for a model that asks for one."""


def read(world: World) -> Model:
    """The values of the solver's last model."""
    smt, view = world.smt, world.view
    melds = [m.id for m in world.melds for _ in range(smt.integer_value(view.counts[m.id]))]
    return Model(
        melds=tuple(melds),
        complete=smt.truth_value(view.complete),
        role=next(r for r, b in view.roles.items() if smt.truth_value(b)),
        origin=next(o for o, b in view.origins.items() if smt.truth_value(b)),
        holder=next((t for t, b in view.last_in.items() if smt.truth_value(b)), None),
        context={name: v for (name, v), b in view.context.items() if smt.truth_value(b)},
        misnaming=smt.truth_value(view.misnaming),
    )


def decode(world: World, model: Model) -> Witness:
    """The plainest hand with this arrangement: exposed only what cannot be concealed."""
    game = world.game
    context = {p.name: v for p in game.parameters if (v := model.context[p.name]) != p.values[0]}
    situation = Situation(model.role, model.origin, context)
    if not model.complete:
        witness = _unshaped(game, situation)
    elif model.origin is None:
        witness = _witness(game, situation, _laid_out(world, model.melds), Counter(), None, model.melds, None)
    else:
        witness = _held(world, model, situation)
    return _declaring_wrongly(witness) if model.misnaming else witness


def _laid_out(world: World, melds: tuple[int, ...]) -> tuple[Laid, ...]:
    """Those of the melds that must lie exposed."""
    return tuple(shown(world.game, world.game.melds[m]) for m in melds if m not in world.concealable)


def _held(world: World, model: Model, situation: Situation) -> Witness:
    meld, holding = _holder(world, model)
    others = list(model.melds)
    others.remove(meld.id)
    laid = (*_laid_out(world, tuple(others)), *holding.laid)
    last = (holding.kind, model.origin or "")
    return _witness(world.game, situation, laid, Counter((holding.kind,)), last, model.melds, meld.id)


def _holder(world: World, model: Model) -> tuple[Meld, Holding]:
    """The first meld of the holding type that can hold the last tile, and the first way it can."""
    supply = Counter(k for m in model.melds if m in world.concealable for k in world.game.melds[m].tiles)
    for index in dict.fromkeys(model.melds):
        meld = world.game.melds[index]
        if meld.type.index == model.holder:
            for holding in world.holdings.of(meld, model.origin or ""):
                if all(supply[kind] >= number for kind, number in holding.spare):
                    return meld, holding
    raise AssertionError("no meld of the model can hold the last tile")


def _witness(
    game: Game,
    situation: Situation,
    laid: tuple[Laid, ...],
    drawn: Counter[int],
    last: tuple[int, str] | None,
    melds: tuple[int, ...],
    last_in: int | None,
) -> Witness:
    tiles = Counter(k for m in melds for k in game.melds[m].tiles)
    tiles -= Counter(k for entry in laid for k in game.melds[entry.meld].tiles)
    tiles -= drawn
    counts = tuple(tiles[k] for k in range(len(game.kinds)))
    hand = Hand(situation.role, laid, counts, last, situation.context)
    return Witness(game, hand, Arrangement(tuple(sorted(melds)), last_in))


def _declaring_wrongly(witness: Witness) -> Witness:
    """The same hand with a name called that does not hold, when there is one."""
    true_names = names_held(witness.position)
    wrong = next((n for n in witness.game.names if n not in true_names), None)
    if wrong is None:
        return witness
    hand = witness.hand
    called = Hand(hand.role, hand.laid, hand.counts, hand.last, hand.context, (wrong.name,))
    return Witness(witness.game, called, witness.arrangement)


# ---------------------------------------------------------------- hands without a shape


def _unshaped(game: Game, situation: Situation) -> Witness:
    """A hand of the right size that cannot be arranged into the win shape."""
    for tiles in _candidates(game):
        drawn = Counter(tiles[-1:]) if situation.last_from is not None else Counter[int]()
        free = Counter(tiles) - drawn
        last = (tiles[-1], situation.last_from) if situation.last_from is not None else None
        counts = tuple(free[k] for k in range(len(game.kinds)))
        hand = Hand(situation.role, (), counts, last, situation.context)
        if not arrangements(game, hand):
            return Witness(game, hand, Arrangement((), None, complete=False))
    raise Undecodable("every hand that was tried has the win shape")


def _candidates(game: Game) -> Iterator[list[int]]:
    """Hands as mixed as copies allow, one for each face to start from; then any, in order."""
    kinds, most = range(len(game.kinds)), max(kind.copies for kind in game.kinds)
    for first in kinds:
        order = [(first + i) % len(kinds) for i in kinds]
        tiles = [k for copy in range(most) for k in order if game.kinds[k].copies > copy]
        if len(tiles) >= game.finished:
            yield tiles[: game.finished]
    every = combinations_with_replacement(kinds, game.finished)
    fitting = (list(t) for t in every if all(n <= game.kinds[k].copies for k, n in Counter(t).items()))
    yield from islice(fitting, TRIES)
