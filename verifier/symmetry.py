"""Parts of the deck that a question cannot tell apart, put in order to spare the solver the rest.

Eight sentences of a deck are often only two or three different things to a formula. Where exchanging
two components leaves the game and the formula as they are, every model has one whose earlier component
holds at least as many tiles; asking for that one keeps the answer and cuts the search.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import pairwise

from dsl.core.evaluate import gain
from dsl.core.model import And, Compare, Congruent, ContextIs, Defined, Formula, Game, Linear, Meld, Not, Or

from .formulas import atoms
from .smt import Bool
from .world import Exchanges, World


def in_order(world: World, formula: Formula) -> tuple[Bool, ...]:
    """Constraints that only ever exclude mirror images of other models."""
    smt, game = world.smt, world.game
    found = []
    for alike in interchangeable(game, formula, world.exchanges):
        sizes = []
        for part in alike:
            inside = [m for m in world.melds if game.component_of[m.tiles[0]] == part]
            sizes.append(smt.total((len(m.tiles), world.view.counts[m.id]) for m in inside))
        found += [smt.compare(a, ">=", b) for a, b in pairwise(sizes)]
    return tuple(found)


def put_in_order(world: World, formula: Formula, melds: Sequence[int]) -> tuple[int, ...]:
    """The mirror image of these melds (ids) that `in_order` does not exclude."""
    game, inside = world.game, dict[int, list[int]]()
    for meld in melds:
        inside.setdefault(game.component_of[game.melds[meld].tiles[0]], []).append(meld)
    found = dict(inside)
    for alike in interchangeable(game, formula, world.exchanges):
        swaps = {part: world.exchanges[alike[0], part] for part in alike[1:]}
        sizes = {part: sum(len(game.melds[m].tiles) for m in inside.get(part, ())) for part in alike}
        for here, there in zip(alike, sorted(alike, key=lambda part: -sizes[part]), strict=True):
            moved = inside.get(there, [])
            for swap in (swaps.get(there), swaps.get(here)):  # by way of the first of them
                moved = moved if swap is None else [swap[meld] for meld in moved]
            found[here] = moved
    return tuple(meld for moved in found.values() for meld in moved)


def interchangeable(game: Game, formula: Formula, exchanges: Exchanges | None = None) -> list[list[int]]:
    """Components by classes of which any two can be exchanged; single ones left out.

    `exchanges` holds what is already known of the game's melds.
    """
    exchanges = {} if exchanges is None else exchanges
    asked = {a.parameter for a in atoms(formula) if isinstance(a, ContextIs)}
    if any(special is not None and special.parameter in asked for special in (game.wild, game.mark)):
        return []  # exchanging faces would exchange what the tile turned up, or the marked one, means
    formula = And((formula, *(need.formula for need in game.win.groupings)))
    whole = _face(formula, None)
    classes: list[list[int]] = []
    for part in range(len(game.components)):
        for known in classes:
            pair = (known[0], part)
            if pair not in exchanges:
                exchanges[pair] = exchange(game, *pair)
            moved = exchanges[pair]
            if moved is not None and _face(formula, moved) == whole:
                known.append(part)
                break
        else:
            classes.append([part])
    return [known for known in classes if len(known) > 1]


def exchange(game: Game, left: int, right: int) -> tuple[int, ...] | None:
    """The ground melds after two components have changed places, None when they are not alike."""
    a, b = game.components[left], game.components[right]
    if [game.kinds[k].copies for k in a] != [game.kinds[k].copies for k in b]:
        return None
    swap = {**dict(zip(a, b, strict=True)), **dict(zip(b, a, strict=True))}
    melds = [*_built_in(game, left).values(), *_built_in(game, right).values()]
    known, moved = {**_built_in(game, left), **_built_in(game, right)}, [m.id for m in game.melds]
    for meld in melds:
        there = known.get(built(game, meld, swap))
        if there is None:
            return None
        moved[meld.id] = there.id
    return tuple(moved)


def _built_in(game: Game, part: int) -> dict[Hashable, Meld]:
    """The melds of a component by what they are made of."""

    def find() -> dict[Hashable, Meld]:
        melds = (m for m in game.melds if game.component_of[m.tiles[0]] == part)
        return {built(game, meld, {}): meld for meld in melds}

    return game.memo.of(("built in", part), find)


def built(game: Game, meld: Meld, swap: dict[int, int]) -> Hashable:
    """What makes two melds of a type the same, with faces exchanged; the mark must be worth the same."""
    slots = ((swap.get(s.kind, s.kind), _in_order(s.origins), s.wild, s.marked) for s in meld.slots)
    stands = swap.get(meld.tiles[0], meld.tiles[0]) if meld.stand else None
    return meld.type.index, stands, tuple(sorted(slots)), gain(meld, game)


@cache
def _in_order(origins: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(origins))


def _face(formula: Formula, moved: tuple[int, ...] | None) -> Hashable:
    """The formula after the exchange, without the order in which its parts are written."""
    match formula:
        case And(parts) | Or(parts):
            return type(formula).__name__, frozenset(_face(part, moved) for part in parts)
        case Not(part):
            return "not", _face(part, moved)
        case Defined(_, _, body):
            return _face(body, moved)
        case Compare(left, operator, right):
            return operator, _linear(left, moved), _linear(right, moved)
        case Congruent(left, modulus, residue):
            return "mod", _linear(left, moved), modulus, residue
        case _:
            return formula


def _linear(term: Linear, moved: tuple[int, ...] | None) -> Hashable:
    parts = frozenset((c, _weights(f.weights, moved), i) for i, (c, f) in enumerate(term.parts))
    return parts, term.constant


def _weights(weights: tuple[int, ...], moved: tuple[int, ...] | None) -> tuple[int, ...]:
    return weights if moved is None else tuple(weights[m] for m in moved)
