"""What every check must say of a game small enough to try every hand: the reference alone, no automaton.

Each function returns the set of things a check finds, in words of its own: `("name", "名.素")` for a dead
name. Positions are numbered; what is true of them is kept in the bits of a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, islice, product

from dsl.core.describe import describe
from dsl.core.evaluate import (
    Arrangement,
    Position,
    Situation,
    actor_seat,
    amount,
    claimed_times,
    holds,
    names_counted,
    party,
    scores,
    times,
)
from dsl.core.hand import Hand, Laid
from dsl.core.model import ORIGINS, Formula, Game, HandFormula, Meld, Statement, Transfer
from dsl.core.reference import Tile, arrangements, outcome_of
from verifier.formulas import alternatives, conjuncts, features, speaks_of_shape

Found = set[tuple[Hashable, ...]]
Bits = int
Counts = tuple[int, ...]


class Oracle:
    """A game with every position it can come to."""

    def __init__(self, game: Game, tiers: Sequence[tuple[str, float, float]] = ()) -> None:
        self.game = game
        self.tiers = tiers
        self.positions = positions(game)
        self.all = (1 << len(self.positions)) - 1
        self._known: dict[Formula, Bits] = {}

    def where(self, formula: Formula) -> Bits:
        """The positions of which the formula holds."""
        if formula not in self._known:
            text = "".join("1" if holds(formula, at) else "0" for at in reversed(self.positions))
            self._known[formula] = int(text, 2)
        return self._known[formula]

    def chosen(self, bits: Bits) -> Iterator[Position]:
        return (at for at, bit in zip(self.positions, reversed(bin(bits)[2:]), strict=False) if bit == "1")

    @cached_property
    def complete(self) -> Bits:
        return self._where(lambda at: at.arrangement.complete)

    def _where(self, test: Callable[[Position], bool]) -> Bits:
        return sum(1 << i for i, at in enumerate(self.positions) if test(at))

    @cached_property
    def wins(self) -> Bits:
        bits = self.complete
        for need in self.game.win.needs:
            bits &= self.where(need.formula)
        return bits

    @cached_property
    def false_wins(self) -> Bits:
        bits = 0
        for reason in self.game.false_win:
            bits |= self.where(reason.formula)
        return bits

    @cached_property
    def held_in_wins(self) -> frozenset[int]:
        """Ground melds of winning arrangements."""
        return frozenset(m for at in self.chosen(self.wins) for m in at.arrangement.melds)

    # ------------------------------------------------------------ hands that wait

    @cached_property
    def waiting(self) -> tuple[tuple[Counts, tuple[int, ...], frozenset[str]], ...]:
        """Every hand one tile short: counts, the draws that complete it, its named waits."""
        shapes = tuple((wait.name, wait.shape) for wait in self.game.waits)
        return waiting_hands(Structure(self.game), shapes)

    @cached_property
    def closed(self) -> tuple[Counts, ...]:
        return tuple(hands_of(self.game, [k.copies for k in self.game.kinds], self.game.finished))


# ---------------------------------------------------------------- all positions


@cache
def arranged(key: Structure) -> frozenset[tuple[Arrangement, str | None]]:
    """Every arrangement of every hand with the origin of the last tile.

    Exposed are melds that no hand of dealt tiles can hold, and those that can grow. 他打 counts as 他摸:
    no meld of these games tells them apart.
    """
    game = key.game
    found = set()
    for laid, counts, extra in exposures(game):
        left = [k.copies - n for k, n in zip(game.kinds, counts, strict=True)]
        for hand in hands_of(game, left, game.finished + extra - sum(counts)):
            whole = Hand(game.roles[0], laid, hand, None)
            found |= {(a, None) for a in arrangements(game, whole)}
            for kind, origin in product([k for k, n in enumerate(hand) if n], ORIGINS[:3]):
                rest = tuple(n - (k == kind) for k, n in enumerate(hand))
                held = arrangements(game, Hand(game.roles[-1], laid, rest, (kind, origin)))
                found |= {(a, origin) for a in held}
    found |= {(a, "他打") for a, origin in found if origin == "他摸"}
    return frozenset(found)


class Structure:
    """A game as far as its arrangements go: equal for games that differ in prices and conditions only."""

    def __init__(self, game: Game) -> None:
        self.game = game
        melds = tuple((m.slots, m.type.name, m.type.gives, m.type.locked, m.type.extra) for m in game.melds)
        kinds = tuple((k.name, k.copies) for k in game.kinds)
        growth = tuple((i, tuple(m.id for m in larger)) for i, larger in game.growth.items())
        self.key = (melds, kinds, growth, game.win.shape, game.finished)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and self.key == other.key


def exposures(game: Game) -> Iterator[tuple[tuple[Laid, ...], Counts, int]]:
    """(exposed melds, their tiles, replacement tiles): up to three, all origins that matter."""
    for number in range(4):
        for melds in combinations_with_replacement([m for m in game.melds if _lies(game, m)], number):
            tiles = [k for m in melds for k in m.tiles]
            counts = tuple(tiles.count(k) for k in range(len(game.kinds)))
            within = all(n <= k.copies for n, k in zip(counts, game.kinds, strict=True))
            if within and _has_room(game, melds):
                extra = sum(m.type.extra for m in melds)
                for laid in product(*(list(_ways(game, m)) for m in melds)):
                    yield laid, counts, extra


def _lies(game: Game, meld: Meld) -> bool:
    """Is it another hand when the meld lies open: dealt tiles cannot hold it, or it can grow?"""
    return meld.id in game.growth or any("起手" not in slot.origins for slot in meld.slots)


def _ways(game: Game, meld: Meld) -> Iterator[Laid]:
    """Origins only matter to a meld that can grow."""
    ways = (Laid(meld.id, o) for o in product(*(sorted(s.origins - {"他打"}) for s in meld.slots)))
    return ways if meld.id in game.growth else islice(ways, 1)


def _has_room(game: Game, melds: Sequence[Meld]) -> bool:
    """Do the melds fit into the shape, those apart that may yet become another?"""
    stay = [m.type.gives for m in melds if m.id not in game.growth]
    given = (sum(dims) for dims in zip(*stay, strict=True)) if stay else ()
    return all(g <= s for g, s in zip(given, game.win.shape, strict=False))


def hands_of(game: Game, left: Sequence[int], size: int) -> Iterator[Counts]:
    """Every choice of `size` tiles out of those left."""
    for tiles in combinations_with_replacement(range(len(game.kinds)), max(size, 0)):
        counts = Counter(tiles)
        if size >= 0 and all(n <= left[k] for k, n in counts.items()):
            yield tuple(counts[k] for k in range(len(game.kinds)))


def positions(game: Game) -> tuple[Position, ...]:
    """Every arrangement, and the incomplete one, in every situation; one name called, or none, or unsaid."""
    contexts = [
        dict(zip([p.name for p in game.parameters], values, strict=True))
        for values in product(*(p.values for p in game.parameters))
    ]
    called: list[tuple[str, ...] | None] = [None, *((n.name,) for n in game.names)]
    every = sorted(arranged(Structure(game)), key=repr)
    every += [(Arrangement((), None, complete=False), origin) for origin in (*ORIGINS, None)]
    return tuple(
        Position(game, a, Situation(role, origin, context, names))
        for a, origin in every
        for role, context, names in product(game.roles, contexts, called)
        if origin is not None or game.dealt[role] >= game.finished
    )


@cache
def waiting_hands(
    key: Structure, waits: tuple[tuple[str, tuple[int, ...]], ...]
) -> tuple[tuple[Counts, tuple[int, ...], frozenset[str]], ...]:
    game, found = key.game, []
    role = game.roles[-1]
    for counts in hands_of(game, [k.copies for k in game.kinds], game.finished - 1):
        plain = Hand(role, (), counts, None)
        names = frozenset(name for name, shape in waits if arrangements(game, plain, shape))
        draws = (k for k, n in enumerate(counts) if n < game.kinds[k].copies)
        done = tuple(k for k in draws if arrangements(game, Hand(role, (), counts, (k, "自摸"))))
        found.append((counts, done, names))
    return tuple(found)


# ---------------------------------------------------------------- V101 to V103


def v101(o: Oracle) -> Found:
    return {("reason", r.rule.name) for r in o.game.false_win if o.wins & o.where(r.formula)}


def v102(o: Oracle) -> Found:
    found: Found = set()
    for need in o.game.win.needs:
        only = o.complete & ~o.where(need.formula) & ~o.false_wins
        for other in (n for n in o.game.win.needs if n is not need):
            only &= o.where(other.formula)
        if only:
            found.add(("need", need.rule.name))
    shapeless = o.all & ~o.complete & ~o.false_wins
    return found | ({("need", o.game.win.rule.name)} if shapeless else set())


def v103(o: Oracle) -> Found:
    """Closed hands of a whole deal whose arrangements come to several outcomes."""
    game = o.game
    role = next((r for r in game.roles if game.dealt[r] >= game.finished), None)
    assert role is not None, "every cut-down game deals somebody a whole hand"
    complete = several = 0
    for counts in o.closed:
        hand = Hand(role, (), counts, None)
        outcomes = (outcome_of(game, hand, a) for a in arrangements(game, hand))
        faces = {(found.win, found.payments) for found in outcomes}
        complete += bool(faces)
        several += len(faces) > 1
    stated = any(rule.name == "和.取" for rule in game.rules)
    return {("info" if stated else "warning", several, complete)} if several else set()


# ---------------------------------------------------------------- V104 to V106


def v104(o: Oracle) -> Found:
    game, found = o.game, set[tuple[Hashable, ...]]()
    if not o.wins:
        found.add(("win", game.win.rule.name))
    found |= {("name", n.rule.name) for n in game.names if not o.wins & o.where(n.formula)}
    found |= {("false win", r.rule.name) for r in game.false_win if not o.where(r.formula)}
    for transfer in game.transfers:
        outcome = {"win": o.wins, "false_win": o.false_wins}[transfer.outcome]
        if not outcome & o.where(transfer.condition):
            found.add(("payment", transfer.rule.name))
    for wait in game.waits:
        own = [done for _, done, names in o.waiting if wait.name in names]
        if not any(own):
            found.add(("wait", wait.rule.name))
    return found | set(_dead_prices(o))


def _dead_prices(o: Oracle) -> Iterator[tuple[Hashable, ...]]:
    rows = [r.name for r in o.game.rules if r.name.startswith("价.符.") and r.name != "价.符.列"]
    for row in rows:
        cells: dict[int | None, bool] = {}
        for meld in o.game.melds:
            if meld.prices[0].rule.name == row:
                points = meld.prices[0].points
                cells[points] = cells.get(points, False) or meld.id in o.held_in_wins
        if not any(cells.values()):
            yield "row", row
        else:
            yield from (("cell", row, points) for points, alive in cells.items() if not alive)


def v105(o: Oracle) -> Found:
    found: Found = set()
    if not o.wins:
        return found
    for need in o.game.win.needs:
        given = o.complete
        for other in (n for n in o.game.win.needs if n is not need):
            given &= o.where(other.formula)
        if not given & ~o.where(need.formula):
            found.add(("need", need.rule.name))
        else:
            found |= _idle_choices(o, need.rule.name, given, need.formula)
    for name in o.game.names:
        here = o.where(name.formula)
        if not o.wins & ~here:
            found.add(("always", name.rule.name))
        elif o.wins & here:
            found |= _idle_parts(o, name.rule.name, name.formula)
            found |= _idle_choices(o, name.rule.name, o.wins, name.formula)
    return found


def _idle_choices(o: Oracle, rule: str, given: Bits, formula: Formula) -> Found:
    """Alternatives that are true only where another one is."""
    choices, found = alternatives(formula), set[tuple[Hashable, ...]]()
    for i, choice in enumerate(choices if len(choices) > 1 else ()):
        rest = 0
        for other in (c for j, c in enumerate(choices) if j != i):
            rest |= o.where(other)
        if not given & o.where(choice) & ~rest:
            found.add(("part", rule, describe(choice, "zh")))
    return found


def _idle_parts(o: Oracle, rule: str, formula: Formula) -> Found:
    parts, found = conjuncts(formula), set[tuple[Hashable, ...]]()
    written = [p for p in parts if not any("@" in feature.name for feature in features(p))]
    for part in written if len(parts) > 1 else ():
        rest = o.wins
        for other in (p for p in parts if p is not part):
            rest &= o.where(other)
        if not rest & ~o.where(part):
            found.add(("part", rule, describe(part, "zh")))
    return found


def v106(o: Oracle) -> Found:
    held = {m for at in o.chosen(o.complete) for m in at.arrangement.melds}
    gaps = [m.prices[0].rule.name for m in o.game.melds if m.id in held and m.prices[0].points is None]
    return {("gap", rule) for rule in gaps}


# ---------------------------------------------------------------- V107, V108


def v107(o: Oracle) -> Found:
    """Winning scores between tiers in none; winning scores in two tiers that both multiply."""
    found: Found = set()
    factor = {n.name: n.times for n in o.game.names}
    counted = o.game.stacking_rule is not None and o.game.stacking != "highest"
    for at in {scores(o.game, at.arrangement)[0] for at in o.chosen(o.wins)}:
        own = [name for name, least, most in o.tiers if least <= at <= most]
        below = max(((most, name) for name, _, most in o.tiers if most < at), default=None)
        above = min(((least, name) for name, least, _ in o.tiers if least > at), default=None)
        if not own and below and above:
            found.add(("hole", f"名.{below[1]}", f"名.{above[1]}"))
        if counted and sum(factor[name] > 1 for name in own) > 1:
            found.add(("overlap",))
    return found


def v108(o: Oracle) -> Found:
    game, found = o.game, set[tuple[Hashable, ...]]()
    if not game.transfers:
        return {("none",)}
    for outcome, bits in (("win", o.wins), ("false_win", o.false_wins)):
        if any(not _pays(at, outcome) for at in o.chosen(bits)):
            found.add(("unpaid", outcome))
    reached = set[str]()
    for transfer in game.transfers:
        pairs = {pair for role in game.roles for pair in _moves(game, transfer, role)}
        reached |= {seat for pair in pairs for seat in pair}
        if not pairs:
            found.add(("idle", transfer.rule.name))
        elif _negative(o, transfer):
            found.add(("negative", transfer.rule.name))
    return found | {("left out", seat.name) for seat in game.seats if seat.name not in reached}


def _moves(game: Game, transfer: Transfer, role: str) -> list[tuple[str, str]]:
    actor = actor_seat(game, role)
    sides = party(game, transfer.payer, actor), party(game, transfer.payee, actor)
    return [(a, b) for a, b in product(*sides) if a != b]


def _pays(at: Position, outcome: str) -> bool:
    own = (t for t in at.game.transfers if t.outcome == outcome and holds(t.condition, at))
    return any(_moves(at.game, t, at.situation.role) for t in own)


def _negative(o: Oracle, transfer: Transfer) -> bool:
    """Below zero with the right names called, or with any of them when the win is a false one."""
    game, won = o.game, transfer.outcome == "win"
    for at in o.chosen((o.wins if won else o.false_wins) & o.where(transfer.condition)):
        totals = scores(game, at.arrangement)
        if won:
            factors = {times(game, names_counted(at))} if at.situation.declared is None else set()
        else:
            factors = {claimed_times(game, Situation("", None, {}, c)) for c in _calls(game)}
        if any(amount(transfer.amount, factor, totals) < 0 for factor in factors):
            return True
    return False


@cache
def _subsets(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(c for n in range(len(names) + 1) for c in combinations(names, n))


def _calls(game: Game) -> tuple[tuple[str, ...], ...]:
    return _subsets(tuple(n.name for n in game.names))


# ---------------------------------------------------------------- V109: prices, by trying every origin


def v109(o: Oracle) -> Found:
    melds = [m for m in o.game.melds if _stands(o.game, m) and m.prices[0].points is not None]
    found: Found = set()
    for meld in melds:
        if any(_better(other, meld) for other in melds):
            found.add(("own", meld.prices[0].rule.name))
        if any(_idle_copy(small, meld) for small in melds):
            found.add(("copy", meld.type.family, _points(meld)))
        if _best_apart(meld, [m for m in melds if m is not meld]) > _points(meld):
            found.add(("apart", meld.type.name, _points(meld)))
    return found


def _stands(game: Game, meld: Meld) -> bool:
    fits = all(g <= s for g, s in zip(meld.type.gives, game.win.shape, strict=True))
    return fits and all(n <= game.kinds[k].copies for k, n in meld.counts)


def _points(meld: Meld) -> int:
    return meld.prices[0].points or 0


def _foreign(meld: Meld) -> int:
    return sum(not slot.origins & {"起手", "自摸"} for slot in meld.slots)


def _better(other: Meld, own: Meld) -> bool:
    same = other.counts == own.counts and other.type.gives == own.type.gives
    return same and _foreign(other) > _foreign(own) and _points(other) > _points(own)


def _tiles(meld: Meld) -> Iterator[Counter[Tile]]:
    """The meld's tiles with each choice of origins."""
    for origins in product(*(sorted(slot.origins) for slot in meld.slots)):
        yield Counter(Tile(slot.kind, o) for slot, o in zip(meld.slots, origins, strict=True))


def _idle_copy(small: Meld, large: Meld) -> bool:
    """`large` is `small`, all of one face, with one more of it and fewer of others, and is worth no more."""
    if not 0 < _points(small) >= _points(large) or len(small.counts) != 1 or len(small.tiles) < 2:
        return False
    (face, number), more = small.counts[0], Counter(large.tiles)
    hung = [n for kind, n in more.items() if kind != face]
    if more[face] != number + 1 or max(hung, default=0) >= number:
        return False
    return any(not a - b for a, b in product(_tiles(small), _tiles(large)))


def _best_apart(meld: Meld, parts: list[Meld]) -> int:
    """The most that the same tiles, wherever they came from, are worth in melds that count the same."""
    best = -1
    inside = [m for m in parts if not Counter(m.tiles) - Counter(meld.tiles)]
    whole = [list(dict.fromkeys(frozenset(t.items()) for t in _tiles(m))) for m in inside]
    for number in range(1, len(meld.tiles) + 1):
        for chosen in combinations_with_replacement(range(len(inside)), number):
            own = [inside[i] for i in chosen]
            gives = tuple(map(sum, zip(*(m.type.gives for m in own), strict=True)))
            tiles = sum((Counter(m.tiles) for m in own), Counter[int]())
            if tiles == Counter(meld.tiles) and gives == meld.type.gives:
                made = {
                    frozenset(sum((Counter(dict(w)) for w in ways), Counter[Tile]()).items())
                    for ways in product(*(whole[i] for i in chosen))
                }
                if made & {frozenset(t.items()) for t in _tiles(meld)}:
                    best = max(best, sum(map(_points, own)))
    return best


# ---------------------------------------------------------------- V110 to V115


def v110(o: Oracle) -> Found:
    game, found = o.game, set[tuple[Hashable, ...]]()
    if not game.waits:
        return found
    unnamed = sum(1 for _, done, names in o.waiting if done and not names)
    if unnamed:
        found.add(("uncovered", unnamed))
    found |= {("unsound", wait.rule.name) for wait in game.waits if unsound(o, wait.name)}
    for left, right in combinations([w.name for w in game.waits], 2):
        both, one, other = (
            sum(1 for _, _, names in o.waiting if (left in names, right in names) == face)
            for face in ((True, True), (True, False), (False, True))
        )
        if both:
            found.add(("overlap", left, right, both if one and other else 0, bool(one), bool(other)))
    return found


def unsound(o: Oracle, name: str) -> bool:
    """Some arrangement of the type claims a tile that can be drawn and does not complete the hand."""
    game = o.game
    wait = next(w for w in game.waits if w.name == name)
    for counts, done, names in o.waiting:
        if name in names:
            for a in arrangements(game, Hand(game.roles[-1], (), counts, None), wait.shape):
                melds = (game.melds[m] for m in a.melds)
                claimed = {k for m in melds if m.type.index in wait.on for k in m.awaits}
                if any(counts[k] < game.kinds[k].copies and k not in done for k in claimed):
                    return True
    return False


def v114(o: Oracle) -> Found:
    deck, dealt = sum(k.copies for k in o.game.kinds), sum(s.tiles for s in o.game.seats)
    short = {("short", s.name) for s in o.game.seats if s.tiles and s.tiles + 1 < o.game.finished}
    return short | ({("deck", dealt, deck)} if dealt > deck else set())


def v115(o: Oracle) -> Found:
    """Shapes that no set of melds makes out of the right number of tiles, whatever the copies."""
    game = o.game
    if not _has_size(game, game.win.shape, game.finished):
        return {("win",)}
    short = (w for w in game.waits if not _has_size(game, w.shape, game.finished - 1))
    found: Found = {("wait", wait.rule.name) for wait in short}
    if all(seat.tiles == game.finished for seat in game.seats if seat.tiles):
        found.add(("too many",))
    return found


def _has_size(game: Game, shape: Sequence[int], size: int) -> bool:
    faces = sorted({(m.type.gives, len(m.tiles) - m.type.extra) for m in game.melds})
    for number in range(1, sum(shape) + 1):
        for chosen in combinations_with_replacement(faces, number):
            gives = tuple(map(sum, zip(*(g for g, _ in chosen), strict=True)))
            if gives == tuple(shape) and sum(n for _, n in chosen) == size:
                return True
    return False


# ---------------------------------------------------------------- V117, V119


def v117(o: Oracle) -> Found:
    found: Found = set()
    own = {n.name: o.wins & o.where(n.formula) for n in o.game.names}
    live = [n for n in o.game.names if own[n.name]]
    for left, right in combinations([n.name for n in live], 2):
        onward, back = not own[left] & ~own[right], not own[right] & ~own[left]
        if onward and back:
            found.add(("same", left, right))
        elif onward or back:
            found.add(("implies", *((left, right) if onward else (right, left))))
        if not own[left] & own[right]:
            found.add(("apart", left, right))
    meeting = [
        (a.name, b.name)
        for a, b in combinations(live, 2)
        if a.times > 1 and b.times > 1 and own[a.name] & own[b.name]
    ]
    if meeting and o.game.stacking_rule is None:
        found |= {("meet unstacked", *pair) for pair in meeting}
    elif meeting and o.game.stacking == "highest":
        found |= {("meet", *pair) for pair in meeting}
    return found


def v119(o: Oracle) -> Found:
    """Statements whose answer is not the expected one."""
    return {("statement", s.id) for s in o.game.statements if answer(o, s) != s.expected}


def answer(o: Oracle, statement: Statement) -> bool:
    every = statement.quantifier == "every"
    if statement.about == "check":
        found = CHECKS[statement.check](o)
        informs = statement.check in ("V105", "V117")
        return any(informs or key[0] not in ("info", "overlap", "left out", "none") for key in found)
    if statement.about == "numbers":
        nothing = Position(o.game, Arrangement(()), Situation(o.game.roles[-1], None))
        return holds(statement.formula, nothing)  # type: ignore[arg-type]
    if statement.about == "hand":
        return every != any(_of_hand(o, statement.formula, w) for w in o.waiting)  # type: ignore[arg-type]
    within = o.all if speaks_of_shape(statement.formula) else o.complete  # type: ignore[arg-type]
    return every != bool(within & o.where(statement.formula))  # type: ignore[arg-type]


def _of_hand(o: Oracle, formula: HandFormula, hand: tuple[Counts, tuple[int, ...], frozenset[str]]) -> bool:
    counts, done, names = hand
    match type(formula).__name__:
        case "HandAnd":
            return all(_of_hand(o, p, hand) for p in formula.parts)  # type: ignore[union-attr]
        case "HandOr":
            return any(_of_hand(o, p, hand) for p in formula.parts)  # type: ignore[union-attr]
        case "HandNot":
            return not _of_hand(o, formula.part, hand)  # type: ignore[union-attr]
        case "Waiting":
            return bool(done)
        case "WaitIs":
            return formula.name in names  # type: ignore[union-attr]
        case "WaitWins":
            role = o.game.roles[-1]
            drawn = (Hand(role, (), counts, (k, "自摸")) for k in done)
            won = [any(outcome_of(o.game, h, a).win for a in arrangements(o.game, h)) for h in drawn]
            return formula.wins in won  # type: ignore[union-attr]
    raise AssertionError(formula)


CHECKS: dict[str, Callable[[Oracle], Found]] = {
    "V101": v101,
    "V102": v102,
    "V103": v103,
    "V104": v104,
    "V105": v105,
    "V106": v106,
    "V107": v107,
    "V108": v108,
    "V109": v109,
    "V110": v110,
    "V114": v114,
    "V115": v115,
    "V117": v117,
    "V119": v119,
}
"""What each check must find. V116 compares games and has a law of its own."""
