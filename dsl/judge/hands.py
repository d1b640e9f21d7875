"""Statements about all hands: witnesses, exact counts, and the soundness of wait types.

A waiting hand here is `game.waiting` tiles of the hand's own, concealed unless a question allows
exposed melds; a finished one is `game.finished`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import comb
from typing import Any, assert_never

from ..core.evaluate import Situation, compared
from ..core.hand import Hand, Laid
from ..core.limits import check_holdings
from ..core.model import (
    OWN_DRAW,
    CanBe,
    EveryAwaited,
    Game,
    HandAnd,
    HandAtom,
    HandFormula,
    HandNot,
    HandOr,
    Truth,
    WaitFaces,
    Waiting,
    WaitIs,
    WaitType,
    WaitWins,
    WildsHeld,
)
from ..core.waiting import closed, hand_atoms, of_finished, wait_type
from .automaton import Automaton, State
from .called import AwaitedTiles, Called, called
from .compiled import Compiled
from .inside import Drawing, DrawnAt, Found, drawing, run
from .machines import (
    Answers,
    Counts,
    Held,
    Machine,
    OneMore,
    Reached,
    Shaped,
    ShapedSo,
    Size,
    all_counts,
    ends_so,
    search,
    sizes,
    whole,
)
from .rows import RowKey
from .sound import sound_by_melds
from .sweep import rows_of
from .wild_hands import Deal, Settled, Sought, hands_sought


def true_of(formula: HandFormula, facts: dict[HandAtom, bool]) -> bool:
    """The formula when its atoms have these truth values."""
    match formula:
        case HandAnd(parts):
            return all(true_of(p, facts) for p in parts)
        case HandOr(parts):
            return any(true_of(p, facts) for p in parts)
        case HandNot(part):
            return not true_of(part, facts)
        case _:
            return facts[formula]


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """How many hands satisfy a formula, in how many deals, and the canonical first of them."""

    hands: int
    deals: int
    first: tuple[int, ...] | None
    """Concealed natural tiles, counts per kind."""
    laid: tuple[Laid, ...] = ()
    """Its exposed melds."""
    wilds: int = 0
    """Its concealed wild tiles."""
    context: Mapping[str, str] = field(default_factory=dict)
    """A deal in which it can be held."""

    def hand(self, role: str) -> Hand:
        """The canonical first hand. Raises `AssertionError` if there is none."""
        assert self.first is not None
        return Hand(role, self.laid, self.first, None, self.context, None, self.wilds)


def ask_hands(
    compiled: Compiled,
    formula: HandFormula,
    role: str | None = None,
    size: int | None = None,
    laid: frozenset[int] = frozenset(),
    counted: bool = True,
) -> HandAnswer:
    """Everything about the hands that satisfy the formula: waiting or finished ones, as it speaks of.

    `size`: tiles of the hands, where other ones are meant; of any number, where such hands are judged.
    `laid`: types (indices) of which melds may lie exposed, of natural tiles; everything else is concealed.
    Where a deal decides what is wild, a hand counts once for every deal that it can be held in. The first
    one has as few wild tiles as can be. Where they need not be counted, nobody looks further than that one.
    """
    hands = deals = 0
    best: tuple[tuple[int, int, tuple[object, ...]], Sought, tuple[Held, ...]] | None = None
    for sought, natural in _sought(compiled, formula, role, size):
        if not counted and best is not None and best[1].wilds < sought.wilds:
            break
        found = _found(sought, formula, natural, laid)
        hands += sought.deal.times * found.hands
        deals += sought.deal.times * comb(sought.deal.most, sought.wilds) * found.deals
        if found.hands:
            order = (sought.wilds, found.tiles, _order(found.first))
            best = (order, sought, found.first) if best is None or order < best[0] else best
    if best is None:
        return HandAnswer(hands, deals, None)
    _, sought, first = best
    exposed = tuple(entry for part in first for entry in part.laid)
    counts = whole(first, compiled.game)
    return HandAnswer(hands, deals, counts, exposed, sought.wilds, sought.deal.context)


def any_hand(compiled: Compiled, formula: HandFormula, laid: frozenset[int] = frozenset()) -> bool:
    """Does some hand satisfy the formula? As `ask_hands`, and quicker."""
    every = _sought(compiled, formula)
    return any(_satisfying(sought, formula, size, laid, counted=False) for sought, size in every)


def _sought(
    compiled: Compiled, formula: HandFormula, role: str | None = None, size: int | None = None
) -> Iterator[tuple[Sought, Size]]:
    """The hands to look at, with how many natural tiles, few wild ones first."""
    role = role or owner(compiled.game, formula)
    compiled = compiled.apart.get(role, compiled)
    game = compiled.game
    tiles = size or (game.finished if of_finished(formula) else game.waiting)
    any_size = game.any_size and size is None
    every = hands_sought(compiled, role, None if any_size else tiles)
    for sought in sorted(every, key=lambda s: s.wilds):
        if _settled(formula, {}, sought.wilds) is not False:
            natural = tiles - sought.wilds
            yield sought, sizes(sought.deal.deck, natural) if any_size else natural


def owner(game: Game, formula: HandFormula) -> str:
    """Whose hands a condition on tiles speaks of, where nothing is said of it."""
    return closed(game).role if of_finished(formula) else game.roles[-1]


def _settled(formula: HandFormula, facts: Mapping[HandAtom, bool | None], wilds: int) -> bool | None:
    """The formula as far as the number of wild tiles and what is known of its atoms settle it."""
    match formula:
        case HandAnd(parts) | HandOr(parts):
            found = {_settled(part, facts, wilds) for part in parts}
            strong = isinstance(formula, HandOr)
            return strong if strong in found else None if None in found else not strong
        case HandNot(part):
            inner = _settled(part, facts, wilds)
            return None if inner is None else not inner
        case WildsHeld(factor, operator, bound):
            return compared(factor * wilds, operator, bound)
        case _:
            return facts.get(formula)


def _found(sought: Sought, formula: HandFormula, size: Size, laid: frozenset[int]) -> Reached:
    """The hands of so many natural tiles that satisfy the formula, taken together."""
    total = Reached(0, 0, ())
    first: tuple[int, tuple[object, ...]] | None = None
    for reached in _satisfying(sought, formula, size, laid):
        order = reached.tiles, _order(reached.first)
        if first is None or order < first:
            first, total.first, total.tiles = order, reached.first, reached.tiles
        total.hands += reached.hands
        total.deals += reached.deals
    return total


def _satisfying(
    sought: Sought, formula: HandFormula, size: Size, laid: frozenset[int], counted: bool = True
) -> list[Reached]:
    """The same by where machines end; `counted` as for `search`."""
    wanted = tuple(hand_atoms(formula))
    machines = tuple(_machine(sought, atom) for atom in wanted)
    readers = {_reading(machine): machine for machine in machines}
    at = [list(readers).index(_reading(machine)) for machine in machines]

    @cache
    def idle(answers: Answers) -> bool:
        facts = dict(zip(wanted, [answers[place] for place in at], strict=True))
        return _settled(formula, facts, sought.wilds) is False

    found = search(sought.deal.deck, tuple(readers.values()), size, laid, idle, counted)
    kept = []
    for states, reached in found.items():
        accepted = [m.accepts(states[place]) for m, place in zip(machines, at, strict=True)]
        if true_of(formula, dict(zip(wanted, accepted, strict=True))):
            kept.append(reached)
    return kept


def _reading(machine: Machine) -> Hashable:
    """Machines for which this is the same read alike and settle alike, whatever each accepts in the end."""
    if isinstance(machine, OneMore):
        return id(machine.automaton), id(machine.deck)
    return id(machine)


def _order(parts: tuple[Held, ...]) -> tuple[object, ...]:
    """Hands with fewer exposed melds first, then those with more of the earlier kinds."""
    exposed = sum(len(part.laid) for part in parts)
    return exposed, [[-n for n in part.counts] for part in parts], [part.laid for part in parts]


def _machine(sought: Sought, atom: HandAtom) -> Machine:
    compiled, deck = sought.compiled, sought.deal.deck
    game = compiled.game
    match atom:
        case Waiting(wild):
            return sought.waiting_for_wild() if wild else sought.waiting()
        case WaitIs(name, Truth(True)):
            return Shaped(compiled.wait_types[name])
        case WaitIs(name, where):
            return ShapedSo(compiled, where, Situation(sought.role, None), wait_type(game, name).shape)
        case WaitWins(wins):
            return sought.waiting_to(wins)
        case EveryAwaited(name, drawn):
            stated = called(game, wait_type(game, name), compiled.wilds)
            if drawn == "complete":
                return AwaitedTiles(stated, compiled.shaped, lambda state: state.complete, deck)
            goal = ends_so(compiled, sought.drawn(), drawn == "win")
            return AwaitedTiles(stated, compiled.wins, goal, deck)
        case WaitFaces(factor, operator, bound):
            test = lambda faces: compared(factor * faces, operator, bound)  # noqa: E731
            return sought.faces(_limit(game, test), test)
        case WildsHeld(factor, operator, bound):
            return Settled(compared(factor * sought.wilds, operator, bound))
        case CanBe(where):
            held = replace(closed(game), role=sought.role, context=sought.deal.context)
            return ShapedSo(compiled, where, held.situation)
        case _:
            assert_never(atom)


def _limit(game: Game, test: Callable[[int], bool]) -> int:
    """The least number of faces from which on the test always gives the same answer."""
    changes = (n for n in range(len(game.kinds) + 1, 0, -1) if test(n) != test(n - 1))
    return next(changes, 0)


def complete_hands(compiled: Compiled) -> Reached:
    """How many finished hands have the win shape."""
    game = compiled.game
    machine = Shaped(compiled.scored)
    total = Reached(0, 0, ())
    for states, reached in search(game, (machine,), sizes(game, game.finished)).items():
        if machine.accepts(states[0]):
            total.hands += reached.hands
            total.deals += reached.deals
            total.first = total.first or reached.first
    return total


# ---------------------------------------------------------------- are stated winning sets right?


_Place = tuple[int, frozenset[Counts], State, bool]
"""Tiles, what the wait type read, the state after drawing, and whether the drawn tile is among them."""
_Way = tuple[tuple[Counts, ...], int | None]
"""The first way to a place: counts per component, and the kind drawn."""
_Marked = list[tuple[int, frozenset[Counts], int, int | None, Counts]]
"""Per counts and marked place: tiles, the wait type's letter, the letter after drawing, place, counts."""


def unsound_wait(compiled: Compiled, wait: WaitType) -> tuple[Hand, int] | None:
    """A hand of the type and an awaited tile (not all copies held) that does not complete it."""
    if sound_by_melds(compiled, wait):
        return None
    role = compiled.game.roles[-1]
    every = Deal(compiled.game, {}, 1)  # what is right with all tiles in play is right in every deal
    suspect = {n for n in range(every.most + 1) if _unsound(Sought(compiled, every, n, role), wait)}
    most = None if compiled.game.any_size else compiled.game.waiting
    everywhere = (s for s in hands_sought(compiled, role, most) if s.wilds in suspect)
    for sought in sorted(everywhere, key=lambda s: s.wilds):
        found = _unsound(sought, wait)
        if found is not None:
            counts, kind = found
            return Hand(role, (), counts, None, sought.deal.context, None, sought.wilds), kind
    return None


def _unsound(sought: Sought, wait: WaitType) -> tuple[Counts, int] | None:
    """The natural tiles of such a hand, and the awaited tile."""
    game, shaped = sought.deal.deck, sought.compiled.shaped
    stated = called(game, wait, sought.compiled.wilds)
    size = sizes(game, game.waiting - sought.wilds)
    start: _Place = (0, stated.start, shaped.start, False)
    layer: dict[_Place, _Way] = {start: ((), None)}
    known: dict[Hashable, _Marked] = {}
    for index, part in enumerate(game.components):
        copies = tuple(game.kinds[k].copies for k in part)
        face = (stated.face(index), shaped.maker.alike[index][0], copies)
        if face not in known:
            known[face] = _marked_letters(game, stated, shaped, index, part)
        layer = _marked_step(stated, layer, known[face], part, size.stop - 1)
    for (tiles, units, state, _), (path, mark) in sorted(layer.items(), key=lambda item: item[0][0]):
        if tiles in size and mark is not None and stated.accepts(units) and not state.complete:
            return whole(tuple(map(Held, path)), game), mark
    return None


def _marked_step(
    stated: Called,
    layer: dict[_Place, _Way],
    letters: _Marked,
    part: tuple[int, ...],
    most: int,
) -> dict[_Place, _Way]:
    """Which kind was drawn makes no difference to what follows, so places do not tell it."""
    after: dict[_Place, _Way] = {}
    for (tiles, units, state, marked), (path, mark) in layer.items():
        for number, own, plain, place, counts in letters:
            if tiles + number > most or (place is not None and marked):
                continue
            reached = stated.step(units, own)
            if reached:
                key = (tiles + number, reached, state[plain][0], marked or place is not None)
                if key not in after:
                    after[key] = ((*path, counts), mark if place is None else part[place])
    return after


def _marked_letters(
    game: Game, stated: Called, shaped: Automaton, index: int, part: tuple[int, ...]
) -> _Marked:
    inside = drawing(shaped, index, game)
    if inside is not None:
        return _swept_marks(game, stated, inside, index)
    copies = [game.kinds[k].copies for k in part]
    check_holdings(rows_of(game, index))
    found: dict[tuple[int, frozenset[Counts], int, int | None], Counts] = {}
    for counts in all_counts(copies):
        key = RowKey(index, counts)
        plain = shaped.plain[index][counts].letter
        found.setdefault((sum(counts), stated.letter(key, None), plain, None), counts)
        for place, kind in enumerate(part):
            if counts[place] < copies[place]:
                drawn = shaped.lasts[index][counts, (kind, OWN_DRAW)].letter
                own = stated.letter(key, kind)
                found.setdefault((sum(counts), own, drawn, place), counts)
    return [(*face, counts) for face, counts in found.items()]


def _swept_marks(game: Game, stated: Called, inside: Drawing, index: int) -> _Marked:
    """The same of a large component, kind by kind."""
    part = game.components[index]
    copies = tuple(game.kinds[k].copies for k in part)
    found: _Marked = []
    most = sum(copies) if game.any_size else game.waiting
    for place in (None, *range(len(part))):
        units = stated.inside(index, None if place is None else part[place])
        read: Mapping[Any, Found] = run((units, DrawnAt(inside, place)), copies, 0, most)
        found += [(n, unit, d, place, f.first) for (n, (unit, d)), f in read.items() if d is not None]
    return sorted(found, key=lambda m: ([-n for n in m[4]], -1 if m[3] is None else m[3]))
