"""The reference judge: try every arrangement. Slow, short, and what the fast judge is tested against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from operator import sub
from typing import Any, NamedTuple

from .evaluate import (
    Arrangement,
    Position,
    claimed_times,
    is_false_win,
    is_win,
    marked,
    names_counted,
    names_held,
    payments,
    score,
    scores,
    times,
    well_grouped,
)
from .hand import Hand, Laid, fixed, regroupable, stands_of
from .model import ORIGINS, OWN, WILD, Game, Meld

ANY = frozenset(ORIGINS)


class Tile(NamedTuple):
    """A tile of the pool: one that may still be grouped."""

    kind: int
    origin: str | None
    last: bool = False
    wild: bool = False
    """A wild tile that stands for this face, where some melds hold natural tiles only."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the judge says of a declared hand, before it is put into words."""

    complete: bool
    win: bool
    false_win: bool
    score: int
    scores: tuple[int, ...]
    """Every total a complete arrangement can have, sorted."""
    names: tuple[str, ...]
    """Named wins that hold in the chosen arrangement."""
    times: int
    payments: tuple[tuple[str, int], ...]
    arrangement: Arrangement


def pool(game: Game, hand: Hand) -> list[Tile]:
    """The tiles that are free to be grouped, the last one marked."""
    tiles = [Tile(k, game.hand_origin) for k, n in enumerate(hand.counts) for _ in range(n)]
    tiles += [Tile(WILD, game.hand_origin)] * hand.wilds
    barring = game.wild is not None and bool(game.wild.barred)
    tiles += [Tile(kind, origin, wild=w and barring) for kind, origin, w in regroupable(game, hand)]
    if hand.last is not None:
        tiles.append(Tile(hand.last[0], hand.last[1], last=True))
    return tiles


def arrangements(
    game: Game,
    hand: Hand,
    shape: tuple[int, ...] | None = None,
    wilds: tuple[int, ...] | None = None,
    among: frozenset[int] | None = None,
) -> tuple[Arrangement, ...]:
    """Every way to group all tiles into the shape (of a win by default), in canonical order.

    `wilds`: ids of the melds with wild tiles, or of what they stand for, when only arrangements with just
    those are of interest; there are very many. `among`: ids, without any mark, of all melds of interest.
    """
    if among is None and wilds is not None:
        among = frozenset(m.id for m in game.melds if not m.wilds or m.id in wilds)
    found = set[Arrangement]()
    for tiles, standing in _standing(game, hand, wilds):
        found.update(_arranged(game, hand, shape, tiles, standing, among))
    if wilds is not None:
        found = {a for a in found if wilds_of(game, a) == wilds}
    if game.wild is not None and game.wild.within:
        found = {a for a in found if _within(game, a)}
    face = game.marked_face(hand.role, hand.context)
    if face is not None:
        found = {m for a in found for m in marked(game, a, face)}
    if game.win.groupings:
        found = {a for a in found if well_grouped(Position(game, a, hand.situation))}
    return tuple(sorted(found, key=lambda a: canonical(game, a)))


def wilds_of(game: Game, arrangement: Arrangement) -> tuple[int, ...]:
    """Ids of its melds with wild tiles, without any mark, or of what they stand for, sorted."""
    melds = (game.melds[m] for m in arrangement.melds)
    return tuple(sorted(m.id if m.base is None else m.base for m in melds if m.wilds))


def _standing(
    game: Game, hand: Hand, only: tuple[int, ...] | None
) -> Iterator[tuple[Counter[Tile], tuple[int, ...]]]:
    """The pool with every wild tile made into a tile it can stand for, and the stands that says so."""
    tiles = pool(game, hand)
    laid = [s for entry in hand.laid for s in stands_of(game, entry)]
    if game.wild is None or not game.wild.free:
        yield Counter(tiles), ()
        return
    barring = bool(game.wild.barred)
    natural = [t for t in tiles if t.kind != WILD]
    wilds = [t for t in tiles if t.kind == WILD]
    seen = set()
    if only is None:
        choices: Iterator[tuple[Meld, ...]] = product([m for m in game.melds if m.stand], repeat=len(wilds))
    else:
        left = Counter(only) - Counter(laid)
        choices = permutations((game.melds[m] for m in left.elements()), len(wilds))
    for chosen in choices:
        made = [Tile(s.tiles[0], w.origin, w.last, barring) for s, w in zip(chosen, wilds, strict=True)]
        face = (frozenset(Counter(made).items()), tuple(sorted([*laid, *(s.id for s in chosen)])))
        if face not in seen and all(w.origin in OWN for w in wilds):
            seen.add(face)
            yield Counter(natural) + Counter(made), face[1]


def _arranged(
    game: Game,
    hand: Hand,
    shape: tuple[int, ...] | None,
    free: Counter[Tile],
    stands: tuple[int, ...],
    among: frozenset[int] | None,
) -> Iterator[Arrangement]:
    wanted = game.seen_by(hand.role).win.shape if shape is None else shape
    for laid, tiles, grown_by_last in _grown(game, list(fixed(game, hand)), free):
        rest = wanted
        for meld in laid:
            rest = tuple(w - g for w, g in zip(rest, game.melds[meld].type.gives, strict=True))
        if min(rest, default=0) < 0:
            continue
        for melds, last in _covers(game, tiles, rest, among):
            whole = tuple(sorted((*laid, *melds, *stands)))
            yield Arrangement(whole, grown_by_last if last is None else last)


def _within(game: Game, arrangement: Arrangement) -> bool:
    """Is no face represented more often than the deck has copies of it?"""
    shown = Counter(slot.kind for m in arrangement.melds for slot in game.melds[m].slots)
    return all(n <= game.kinds[k].copies for k, n in shown.items())


def _grown(
    game: Game, laid: list[Laid], tiles: Counter[Tile]
) -> Iterator[tuple[tuple[int, ...], Counter[Tile], int | None]]:
    """Each way to leave the exposed melds as they are or let them grow (成) by free tiles."""
    if not laid:
        yield (), tiles, None
        return
    first, *others = laid
    for rest, free, last in _grown(game, others, tiles):
        yield (first.meld, *rest), free, last
        for larger in game.growth.get(first.meld, ()):
            for used in _added(game, first, larger, free):
                holds_last = any(t.last for t in used)
                if holds_last and not game.can_hold_last(larger):
                    continue
                yield (larger.id, *rest), free - used, larger.id if holds_last else last


def _added(game: Game, laid: Laid, larger: Meld, free: Counter[Tile]) -> list[Counter[Tile]]:
    """Sets of free tiles that make `larger` out of the exposed meld."""
    if laid.stands and game.bars(larger):
        return []
    slots = game.melds[laid.meld].slots
    own = Counter(Tile(s.tile, o) for s, o in zip(slots, laid.origins, strict=True))
    marked = Counter({Tile(t.kind, f"laid:{t.origin}"): n for t, n in own.items()})
    found = []
    for used in _filled(game, larger, free + marked):
        if all(used[t] == n for t, n in marked.items()):
            found.append(used - marked)
    return found


def canonical(game: Game, arrangement: Arrangement) -> tuple[object, ...]:
    """Order of arrangements that are worth the same: components from the last to the first."""
    parts: list[list[int]] = [[] for _ in game.components]
    for meld in arrangement.melds:
        parts[game.component_of[game.melds[meld].tiles[0]]].append(meld)
    lasts = [-1] * len(parts)
    if arrangement.last_in is not None:
        lasts[game.component_of[game.melds[arrangement.last_in].tiles[0]]] = arrangement.last_in
    return tuple((tuple(p), last) for p, last in zip(reversed(parts), reversed(lasts), strict=True))


def _covers(
    game: Game, tiles: Counter[Tile], wanted: tuple[int, ...], among: frozenset[int] | None
) -> Iterator[tuple[tuple[int, ...], int | None]]:
    """Exact covers of the tiles by melds that add up to `wanted`, with the meld of the last tile.

    `among`: melds that may be among them, all if it is None.
    """
    left = [t for t, n in tiles.items() if n]
    if not left:
        if not any(wanted):
            yield (), None
        return
    first = min(left, key=lambda t: (t.kind, t.origin or "", t.last))
    for meld in game.melds_with.get(first.kind, ()):
        if meld.type.laid_only or (among is not None and meld.id not in among):
            continue
        rest = tuple(map(sub, wanted, meld.type.gives))
        if min(rest, default=0) < 0:
            continue
        for used in _taken(game, meld, tiles, first):
            for melds, last in _covers(game, tiles - used, rest, among):
                yield (meld.id, *melds), meld.id if any(t.last for t in used) else last


def _taken(game: Game, meld: Meld, tiles: Counter[Tile], first: Tile) -> list[Counter[Tile]]:
    """The different sets of pool tiles that can fill the meld's slots and contain `first`."""
    may = game.can_hold_last(meld)
    return [u for u in _filled(game, meld, tiles) if u[first] and (may or not any(t.last for t in u))]


def _filled(game: Game, meld: Meld, tiles: Counter[Tile]) -> list[Counter[Tile]]:
    """The different sets of tiles that can fill the meld's slots."""
    barred = game.bars(meld)
    fitting: list[list[Tile]] = []
    for slot in meld.slots:
        kind, origins = slot.tile, slot.origins
        fits = [t for t in tiles if t.kind == kind and not (barred and t.wild) and _fits(t.origin, origins)]
        if not fits:
            return []
        fitting.append(fits)
    found: dict[frozenset[tuple[Tile, int]], Counter[Tile]] = {}
    for chosen in product(*fitting):
        used = Counter(chosen)
        if all(number <= tiles[tile] for tile, number in used.items()):
            found.setdefault(frozenset(used.items()), used)
    return list(found.values())


def _fits(origin: str | None, allowed: frozenset[str]) -> bool:
    """Unknown origins of free tiles fit only where any origin does; those of laid melds fit anywhere."""
    if origin is None:
        return allowed == ANY
    if origin in allowed:
        return True
    return origin.startswith("laid:") and (origin == "laid:None" or origin.removeprefix("laid:") in allowed)


def judge(game: Game, hand: Hand) -> Outcome:
    """The verdict on a declared win: the best arrangement by the spec's choice rule."""
    found = arrangements(game, hand)
    if not found:
        return refused(game, hand)
    outcomes = [outcome_of(game, hand, a) for a in found]
    totals = tuple(sorted({o.score for o in outcomes}))
    ranks = [(rank(game, hand, outcome), among_equals(game, hand, outcome)) for outcome in outcomes]
    best = max(range(len(found)), key=lambda i: (ranks[i], -i))
    chosen = outcomes[best]
    return Outcome(
        chosen.complete,
        chosen.win,
        chosen.false_win,
        chosen.score,
        totals,
        chosen.names,
        chosen.times,
        chosen.payments,
        chosen.arrangement,
    )


def rank(game: Game, hand: Hand, outcome: Outcome) -> tuple[bool, int, int]:
    """What the declarer prefers: a win, then money (or score, as 取 says), then score."""
    money = _own(game, hand, outcome) if outcome.win else 0
    return (outcome.win, money if game.win.choice == "payment" else outcome.score, outcome.score)


def among_equals(game: Game, hand: Hand, outcome: Outcome) -> tuple[Any, ...]:
    """What decides where rules leave a choice, the greater the better: own money, what each seat gets, the
    multiplier, the names that stand first in the text. So arrangements that are left come to the same, and
    what is paid does not hang on names.
    """
    names = tuple(name.name in outcome.names for name in game.names)
    gains = tuple(gain for _, gain in outcome.payments)
    return _own(game, hand, outcome), gains, outcome.times, names


def _own(game: Game, hand: Hand, outcome: Outcome) -> int:
    """What the declarer gets."""
    actor = next(s.name for s in game.seats if s.role == hand.role)
    return dict(outcome.payments)[actor]


def outcome_of(game: Game, hand: Hand, arrangement: Arrangement) -> Outcome:
    """The verdict if the declarer takes this arrangement."""
    at = Position(game, arrangement, hand.situation)
    win, false = is_win(at), is_false_win(at)
    total = score(game, arrangement) if game.scores else 0
    names = tuple(n.name for n in names_held(at))
    multiplier = times(game, names_counted(at)) if win else claimed_times(game, hand.situation)
    kind = "win" if win else "false_win"
    paid = payments(at, kind, multiplier, scores(game, arrangement))
    return Outcome(True, win, false, total, (total,), names, multiplier, tuple(paid.items()), arrangement)


def refused(game: Game, hand: Hand) -> Outcome:
    """A declared win without any complete arrangement."""
    nothing = Arrangement((), None, complete=False)
    at = Position(game, nothing, hand.situation)
    multiplier = claimed_times(game, hand.situation)
    paid = payments(at, "false_win", multiplier, (0,) * len(game.scores))
    return Outcome(False, False, is_false_win(at), 0, (), (), multiplier, tuple(paid.items()), nothing)
