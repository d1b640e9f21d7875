"""What a question needs to know of an arrangement: a short vector that adds up over components.

A formula asks about sums over melds, properties of single groups, and the situation. The first two are
replaced by entries of the vector (probes), capped where only a threshold matters; what is left is a
formula over the vector and the situation, and its answer is computed once per final state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ..core.evaluate import Situation, compared, context_value
from ..core.formulas import by_component, components_asked
from ..core.model import (
    And,
    Compare,
    Complete,
    Congruent,
    ContextIs,
    Defined,
    Formula,
    Game,
    LastAlike,
    LastFrom,
    LastIn,
    LastWild,
    Linear,
    Misnamed,
    Not,
    Operator,
    Or,
    RoleIs,
    Truth,
)


@dataclass(frozen=True, slots=True)
class SumProbe:
    """Σ weights over the melds, cut off at `cap` (0 = exact) or taken modulo `modulus` (0 = not)."""

    weights: tuple[int, ...]
    cap: int = 0
    modulus: int = 0


@dataclass(frozen=True, slots=True)
class LocalProbe:
    """1 when some component makes one of its formulas true."""

    formulas: tuple[tuple[int, Formula], ...]
    """(component, formula)."""


@dataclass(frozen=True, slots=True)
class LastProbe:
    """1 when the last tile lies in a meld of these types."""

    types: frozenset[int]


@dataclass(frozen=True, slots=True)
class AlikeProbe:
    """Concealed tiles of the last tile's face besides it, cut off at `cap`."""

    cap: int


UNLIMITED = 1 << 40
"""More than any sum over melds."""
Probe = SumProbe | LocalProbe | LastProbe | AlikeProbe


@dataclass(frozen=True, slots=True)
class Probed:
    """A comparison of one entry of the vector with a number."""

    index: int
    operator: Operator
    bound: int


@dataclass(frozen=True, slots=True)
class ScoreIs:
    """A comparison of the first score table's total with a number."""

    operator: Operator
    bound: int


@dataclass(frozen=True, slots=True)
class Every:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Opposite:
    part: Condition


Condition = (
    Probed
    | ScoreIs
    | Every
    | Some
    | Opposite
    | Truth
    | RoleIs
    | LastFrom
    | LastWild
    | ContextIs
    | Misnamed
    | Complete
)


ASKED = 500
"""Lists of formulas of which a game keeps the conditions."""


def asked_of(
    game: Game, formulas: Sequence[Formula], scored: bool
) -> tuple[tuple[Condition, ...], tuple[Probe, ...]]:
    """Formulas as conditions on vectors, and what these vectors tell; the game keeps both."""
    every: dict[Hashable, tuple[tuple[Condition, ...], tuple[Probe, ...]]]
    every, key = game.memo.setdefault("asked", {}), (tuple(formulas), scored)
    if key not in every:
        if len(every) >= ASKED:
            every.clear()
        probes = Probes(game, scored)
        conditions = tuple(probes.rewrite(formula) for formula in formulas)
        every[key] = conditions, tuple(probes.found)
    return every[key]


@dataclass
class Probes:
    """The vector of one question, growing as formulas are rewritten."""

    game: Game
    track_score: bool
    """Is the first score table's total carried besides the vector?"""
    found: list[Probe] = field(default_factory=list)

    def index(self, probe: Probe) -> int:
        if probe not in self.found:
            self.found.append(probe)
        return self.found.index(probe)

    def rewrite(self, formula: Formula) -> Condition:
        """The formula with every question about the arrangement turned into an entry of the vector."""
        match formula:
            case Truth() | RoleIs() | LastFrom() | LastWild() | ContextIs() | Misnamed() | Complete():
                return formula
            case Compare(left, operator, right):
                return self._compare(left, operator, right)
            case Congruent(left, modulus, residue):
                weights = self._weights(left)
                residue = (residue - left.constant) % modulus
                return Probed(self.index(SumProbe(weights, 0, modulus)), "=", residue)
            case Not(part):
                return Opposite(self.rewrite(part))
            case And(parts):
                return self._all(parts)
            case Or(parts):
                return self._any(parts)
            case Defined(_, _, body):
                return self.rewrite(body)
            case LastIn(types):
                return Probed(self.index(LastProbe(types)), "=", 1)
            case LastAlike(operator, bound):
                enough = bound if operator in (">=", "<") else bound + 1
                return Probed(self.index(AlikeProbe(enough)), operator, bound)
            case _:
                assert_never(formula)

    def _compare(self, left: Linear, operator: Operator, right: Linear) -> Condition:
        pairs = zip(self._weights(left), self._weights(right), strict=True)
        weights = tuple(a - b for a, b in pairs)
        bound = right.constant - left.constant
        if not any(weights):
            return Truth(compared(0, operator, bound))
        if all(w <= 0 for w in weights):
            weights, bound = tuple(-w for w in weights), -bound
            operator = _MIRRORED[operator]
        if self.track_score and weights == score_weights(self.game):
            return ScoreIs(operator, bound)
        enough = bound if operator in (">=", "<") else bound + 1
        cap = max(enough, 0) if min(weights) >= 0 else 0
        if min(weights) >= 0 and cap == 0:
            return Truth(compared(0, operator, bound))
        return Probed(self.index(SumProbe(weights, cap)), operator, bound)

    def _weights(self, term: Linear) -> tuple[int, ...]:
        total = [0] * len(self.game.melds)
        for factor, feature in term.parts:
            total = [t + factor * w for t, w in zip(total, feature.weights, strict=True)]
        return tuple(total)

    # ------------------------------------------------------------ properties of single components

    def _all(self, parts: tuple[Formula, ...]) -> Condition:
        """A conjunction; what concerns one component each becomes one entry: some component breaks it."""
        local, other = self._local(parts)
        conditions = [self.rewrite(p) for p in other]
        if local:
            broken = LocalProbe(tuple((c, Not(f)) for c, f in local))
            conditions.append(Probed(self.index(broken), "=", 0))
        return Every(tuple(conditions))

    def _any(self, parts: tuple[Formula, ...]) -> Condition:
        local, other = self._local(parts)
        conditions = [self.rewrite(p) for p in other]
        if local:
            conditions.append(Probed(self.index(LocalProbe(tuple(local))), "=", 1))
        return Some(tuple(conditions))

    def _local(self, parts: tuple[Formula, ...]) -> tuple[list[tuple[int, Formula]], list[Formula]]:
        """Parts that look at one component only, and the rest; a single such part stays in the rest."""
        local: list[tuple[int, Formula]] = []
        other: list[Formula] = []
        for part in parts:
            component = _component(self.game, part)
            if component is None:
                other.append(part)
            else:
                local.append((component, part))
        if len({c for c, _ in local}) < 2:
            return [], list(parts)
        return local, other


_MIRRORED: dict[Operator, Operator] = {"<": ">", "<=": ">=", "=": "=", "!=": "!=", ">=": "<=", ">": "<"}


def score_weights(game: Game) -> tuple[int, ...]:
    """Per ground meld its price in the first table; nothing when there is no table."""
    return tuple(m.prices[0].points or 0 for m in game.melds) if game.scores else (0,) * len(game.melds)


def _component(game: Game, formula: Formula) -> int | None:
    """The one component whose melds decide the formula; None when there is none or more than one."""
    found = components_asked(game, formula)
    return next(iter(found)) if found is not None and len(found) == 1 else None


def groupings(game: Game) -> tuple[LocalProbe, ...]:
    """What breaks 摆法 in some component; nothing where the game has none."""
    asked = [part for need in game.win.groupings for part in by_component(game, need.formula) or ()]
    return (LocalProbe(tuple((component, Not(f)) for component, f in asked)),) if asked else ()


def measure(
    probe: Probe, component: int, sums: Callable[[tuple[int, ...]], int], held: int, alike: int = 0
) -> int:
    """A probe's value on one component.

    `sums`: the component's total for each weighting of melds; `held`: the type of the meld that holds
    the last tile, -1 for none of interest; `alike`: concealed tiles like a last tile that lies here.
    """
    match probe:
        case SumProbe(weights, cap, modulus):
            total = sums(weights)
            return total % modulus if modulus else min(total, cap) if cap else total
        case LocalProbe(formulas):
            return int(any(_local(f, sums) for c, f in formulas if c == component))
        case LastProbe(types):
            return int(held in types)
        case AlikeProbe(cap):
            return min(alike, cap)
        case _:
            assert_never(probe)


def _local(formula: Formula, sums: Callable[[tuple[int, ...]], int]) -> bool:
    """A formula about one component, its features looked up in the sums."""
    match formula:
        case Compare(left, operator, right):
            return compared(_total(left, sums), operator, _total(right, sums))
        case Congruent(left, modulus, residue):
            return _total(left, sums) % modulus == residue
        case Not(part):
            return not _local(part, sums)
        case And(parts):
            return all(_local(p, sums) for p in parts)
        case Or(parts):
            return any(_local(p, sums) for p in parts)
        case Defined(_, _, body):
            return _local(body, sums)
        case Truth(value):
            return value
        case _:
            raise AssertionError(f"not about tiles: {formula}")


def _total(term: Linear, sums: Callable[[tuple[int, ...]], int]) -> int:
    return term.constant + sum(c * sums(f.weights) for c, f in term.parts)


def most_told(probe: Probe) -> int:
    """The largest value of a probe without a modulus: what two come to together is their sum, or this.

    A last tile lies in one component, so that of two values that tell of it one is 0.
    """
    match probe:
        case SumProbe(_, cap):
            return cap or UNLIMITED
        case AlikeProbe(cap):
            return cap
        case LocalProbe() | LastProbe():
            return 1
        case _:
            assert_never(probe)


@dataclass(frozen=True, slots=True)
class Sight:
    """A final vector in a situation: all that a rewritten condition can ask about."""

    game: Game
    vector: tuple[int, ...]
    score: int
    situation: Situation
    misnamed: bool = False


def met(condition: Condition, at: Sight) -> bool:
    """Is the rewritten condition true? Agrees with `evaluate.holds` on every complete arrangement."""
    match condition:
        case Probed(index, operator, bound):
            return compared(at.vector[index], operator, bound)
        case ScoreIs(operator, bound):
            return compared(at.score, operator, bound)
        case Every(parts):
            return all(met(p, at) for p in parts)
        case Some(parts):
            return any(met(p, at) for p in parts)
        case Opposite(part):
            return not met(part, at)
        case Truth(value):
            return value
        case Complete():
            return True
        case RoleIs(role):
            return at.situation.role == role
        case LastFrom(origins):
            return at.situation.last_from in origins
        case LastWild():
            return at.situation.last_wild
        case ContextIs(parameter, value):
            return context_value(at.game, at.situation, parameter) == value
        case Misnamed():
            return at.misnamed
        case _:
            assert_never(condition)


def situated(condition: Condition, at: Sight) -> Condition:
    """What is left to ask of vectors and scores once the situation is known."""
    match condition:
        case Probed() | ScoreIs():
            return condition
        case Every(parts) | Some(parts):
            strong = Truth(isinstance(condition, Some))
            left = tuple(situated(part, at) for part in parts)
            left = tuple(part for part in left if part == strong or not isinstance(part, Truth))
            return strong if strong in left else type(condition)(left) if left else Truth(not strong.value)
        case Opposite(part):
            inner = situated(part, at)
            return Truth(not inner.value) if isinstance(inner, Truth) else Opposite(inner)
        case _:
            return Truth(met(condition, at))


def foreseen(condition: Condition, probes: Sequence[Probe], at: Sight) -> bool | None:
    """What `met` says of all that begins with this vector; None while that is open, as it is of scores."""
    match condition:
        case Probed(index, operator, bound):
            return _foreseen(probes[index], at.vector[index], operator, bound)
        case ScoreIs():
            return None
        case Every(parts) | Some(parts):
            found = {foreseen(part, probes, at) for part in parts}
            strong = isinstance(condition, Some)
            return strong if strong in found else None if None in found else not strong
        case Opposite(part):
            inner = foreseen(part, probes, at)
            return None if inner is None else not inner
        case _:
            return met(condition, at)


def _foreseen(probe: Probe, value: int, operator: Operator, bound: int) -> bool | None:
    """A comparison that values from this one up to the largest have in common."""
    if isinstance(probe, SumProbe) and not probe.cap:
        return None  # sums that are not cut off may go down again
    most = most_told(probe)
    found = {compared(value, operator, bound), compared(most, operator, bound)}
    if value < bound < most:
        found.add(compared(bound, operator, bound))
    return found.pop() if len(found) == 1 else None


def rises(condition: Condition, negated: bool = False) -> bool:
    """Can a higher score never turn the condition false? (`negated`: never turn it true.)"""
    match condition:
        case ScoreIs(operator, _):
            return operator in (("<", "<=") if negated else (">", ">="))
        case Every(parts) | Some(parts):
            return all(rises(p, negated) for p in parts)
        case Opposite(part):
            return rises(part, not negated)
        case _:
            return True


def last_told(condition: Condition) -> int:
    """The lowest score from which on all scores look alike to the condition."""
    match condition:
        case ScoreIs(operator, bound):
            return bound if operator in (">=", "<") else bound + 1
        case Every(parts) | Some(parts):
            return max((last_told(p) for p in parts), default=0)
        case Opposite(part):
            return last_told(part)
        case _:
            return 0


def turning_points(condition: Condition) -> frozenset[int]:
    """Scores that may look otherwise to the condition than the score just below them."""
    match condition:
        case ScoreIs(operator, bound):
            return frozenset({">=": {bound}, "<": {bound}}.get(operator, {bound, bound + 1}))
        case Every(parts) | Some(parts):
            return frozenset[int]().union(*map(turning_points, parts))
        case Opposite(part):
            return turning_points(part)
        case _:
            return frozenset()


def situation_key(situation: Situation) -> tuple[object, ...]:
    """A hashable form of a situation, for caches."""
    context: Mapping[str, str] = situation.context
    return (situation.role, situation.last_from, tuple(sorted(context.items())), situation.declared)
