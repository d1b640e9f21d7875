"""Two rulesets side by side: which clauses differ, and over which hands that makes a difference."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any, Literal

from dsl.api import Game, load
from dsl.core.hand import Hand, to_json
from dsl.core.model import Rule
from dsl.judge.compiled import Compiled, Final
from dsl.judge.machines import ClosedWins, search
from dsl.judge.product import Meeting, Product
from dsl.judge.situations import unshared
from dsl.judge.verdict import Verdict

Relation = Literal["equal", "subset", "superset", "overlap", "disjoint", "unknown"]
Tick = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """One clause that the rulesets do not share."""

    name: str
    left: Rule | None
    right: Rule | None

    @property
    def change(self) -> str:
        return "removed" if self.right is None else "added" if self.left is None else "changed"


@dataclass(frozen=True, slots=True)
class Class:
    """Hands that differ for one reason, shown by the simplest of them."""

    reason: tuple[str, ...]
    side: Literal["left", "right", "both"]
    """Which ruleset it is a win in."""
    left: Verdict
    right: Verdict
    rules: tuple[Rule, ...]

    @property
    def witness(self) -> Mapping[str, Any]:
        return to_json(self.left.compiled.game, self.left.hand)


@dataclass(slots=True)
class Aspect:
    """What one aspect of the meaning comes to."""

    name: str
    relation: Relation
    classes: list[Class] = field(default_factory=list)
    hands: dict[str, int] = field(default_factory=dict)
    probability: dict[str, str] = field(default_factory=dict)
    note: tuple[str, str] = ("", "")


@dataclass(slots=True)
class Difference:
    """The whole comparison."""

    left: Game
    right: Game
    clauses: list[ClauseChange]
    aspects: dict[str, Aspect]
    bounds: tuple[str, str]

    @property
    def equal(self) -> bool:
        """Nothing differs, clauses included."""
        return not self.clauses and all(a.relation == "equal" for a in self.aspects.values())

    @property
    def unknown(self) -> bool:
        return any(a.relation == "unknown" for a in self.aspects.values())


BOUNDS = (
    "范围：两边都认得的锁牌任意摆出，其余的牌（含摆出而可重组的）当自家的牌，末张自摸、他摸、他打或没有；名都报对",
    "range: any exposed locked melds both sides know, all other tiles (exposed regroupable melds included) "
    "taken as the hand's own, a last tile drawn, another's draw or discard, or none; names called rightly",
)


def diff(left: str | Game, right: str | Game, tick: Tick | None = None) -> Difference:
    """Compare two games (paths, names, `PATH[option=value]`, or loaded). Raises `SpecError`."""
    a = left if isinstance(left, Game) else load(left)
    b = right if isinstance(right, Game) else load(right)
    clauses = list(clause_changes(a, b))
    if not same_deck(a, b):
        note = ("两边的牌不一样，手牌没法对着看", "the decks differ, so hands cannot be compared")
        aspects = {n: Aspect(n, "unknown", note=note) for n in ("win", "score", "names", "payment")}
        return Difference(a, b, clauses, aspects, BOUNDS)
    return Difference(a, b, clauses, _Meaning(a, b, tick).aspects(), BOUNDS)


def same_deck(a: Game, b: Game) -> bool:
    """Do both have the same faces in the same order, with as many copies?"""
    decks = [[(k.name, k.copies, k.group) for k in g.core.kinds] for g in (a, b)]
    return decks[0] == decks[1] and a.core.components == b.core.components


def clause_changes(a: Game, b: Game) -> Iterator[ClauseChange]:
    """Clauses added, removed or changed, in the order of the left and then of the right text."""
    left = {r.name: r for r in a.core.rules}
    right = {r.name: r for r in b.core.rules}
    for name, rule in left.items():
        other = right.get(name)
        if other is None or _plain(rule.text) != _plain(other.text):
            yield ClauseChange(name, rule, other)
    for name, rule in right.items():
        if name not in left:
            yield ClauseChange(name, None, rule)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


# ---------------------------------------------------------------- meaning


@dataclass(slots=True)
class _Tally:
    """What the meetings of one aspect have shown so far."""

    both: bool = False
    left_only: bool = False
    right_only: bool = False
    differ: bool = False
    agree: bool = False
    first: dict[tuple[str, ...], tuple[Meeting, Hand]] = field(default_factory=dict)

    def sets(self) -> Relation:
        """The relation of the two sets of hands."""
        if not self.left_only and not self.right_only:
            return "equal"
        if not self.both:
            return "disjoint"
        if self.left_only and self.right_only:
            return "overlap"
        return "superset" if self.left_only else "subset"

    def values(self) -> Relation:
        """The relation of two functions on the hands they share."""
        if not self.differ:
            return "equal"
        return "overlap" if self.agree else "disjoint"


class _Meaning:
    def __init__(self, left: Game, right: Game, tick: Tick | None) -> None:
        self.left = left
        self.right = right
        self.tick = tick
        self._best: dict[tuple[int, int, str, str | None], tuple[Final, ...]] = {}
        self.roles = [r for r in left.core.roles if r in right.core.roles]

    def aspects(self) -> dict[str, Aspect]:
        win, names, payment = _Tally(), _Tally(), _Tally()
        for meeting in self._product("paid"):
            for hand, finals in self._judged(meeting):
                self._take_win(win, meeting, hand, finals)
                if finals[0] and finals[1] and finals[0][0].win and finals[1][0].win:
                    self._take_names(names, meeting, hand, finals)
                    self._take_payment(payment, meeting, hand, finals)
        found = [
            Aspect("win", win.sets(), self._classes(win)),
            self._score(),
            Aspect("names", names.values(), self._classes(names)),
            Aspect("payment", payment.values(), self._classes(payment)),
        ]
        self._count(found[0])
        for aspect in found:
            aspect.note = self._unshared_note() if aspect.name == "win" else ("", "")
        return {a.name: a for a in found}

    def _product(self, name: str) -> list[Meeting]:
        tick = self.tick
        told = None if tick is None else lambda done, of: tick(name, done, of)
        a, b = (getattr(g.compiled, name) for g in (self.left, self.right))
        return Product(a, b).meetings(told)

    def _judged(self, meeting: Meeting) -> Iterator[tuple[Hand, tuple[tuple[Final, ...], tuple[Final, ...]]]]:
        """The meeting's hand in every role it can be held in, with what each side makes of it."""
        for role in self.roles:
            hand = Hand(role, meeting.hand.laid, meeting.hand.counts, meeting.hand.last)
            if hand.last is None and not self._dealt_whole(role):
                continue
            sides = zip((self.left, self.right), meeting.states, strict=True)
            a, b = (self._finals(i, g.compiled, s, hand) for i, (g, s) in enumerate(sides))
            yield hand, (a, b)

    def _dealt_whole(self, role: str) -> bool:
        return all(g.core.dealt[role] >= g.core.finished for g in (self.left, self.right))

    def _finals(self, side: int, compiled: Compiled, state: Any, hand: Hand) -> tuple[Final, ...]:
        """The best-paying outcomes of a final state; scores beyond the last threshold do not count."""
        key = (side, state.index, hand.role, None if hand.last is None else hand.last[1])
        if key not in self._best:
            found = [compiled.final(compiled.paid, v, s, hand) for v, s in compiled.paid.finals(state, 0)]
            top = max((f.rank[:2] for f in found), default=None)
            self._best[key] = tuple(f for f in found if f.rank[:2] == top)
        return self._best[key]

    # ------------------------------------------------------------ aspects

    def _take_win(
        self, tally: _Tally, meeting: Meeting, hand: Hand, finals: tuple[tuple[Final, ...], tuple[Final, ...]]
    ) -> None:
        a, b = (bool(f) and f[0].win for f in finals)
        if not a and not b:
            return
        tally.both |= a and b
        tally.left_only |= a and not b
        tally.right_only |= b and not a
        if a != b:
            loser = finals[1] if a else finals[0]
            game = self.right if a else self.left
            reason = ("left" if a else "right", *self._failing(game, loser))
            tally.first.setdefault(reason, (meeting, hand))

    def _failing(self, game: Game, finals: tuple[Final, ...]) -> tuple[str, ...]:
        """Names of the needs that the refused hand does not meet."""
        if not finals:
            return ("形",)
        return finals[0].missing

    def _take_names(
        self, tally: _Tally, meeting: Meeting, hand: Hand, finals: tuple[tuple[Final, ...], tuple[Final, ...]]
    ) -> None:
        a, b = (frozenset(n for f in side for n in f.names) for side in finals)
        tally.agree |= a == b
        tally.differ |= a != b
        for name in sorted(a ^ b):
            tally.first.setdefault(("left" if name in a else "right", name), (meeting, hand))

    def _take_payment(
        self, tally: _Tally, meeting: Meeting, hand: Hand, finals: tuple[tuple[Final, ...], tuple[Final, ...]]
    ) -> None:
        a, b = (dict(f[0].payments) for f in finals)
        tally.agree |= a == b
        tally.differ |= a != b
        if a != b:
            times = tuple(str(f[0].times) for f in finals)
            tally.first.setdefault(("both", *times), (meeting, hand))

    def _score(self) -> Aspect:
        """Best scores of the hands both sides can complete."""
        tally = _Tally()
        for meeting in self._product("scored"):
            tops = [
                max((s for _, s in self._complete(g, st)), default=None) for g, st in self._pairs(meeting)
            ]
            if tops[0] is None or tops[1] is None:
                continue
            ahead = meeting.ahead + tops[0] - tops[1]
            tally.agree |= ahead == 0
            tally.differ |= ahead != 0
            if ahead:
                hand = Hand(self.roles[-1], meeting.hand.laid, meeting.hand.counts, meeting.hand.last)
                if hand.last is not None or self._dealt_whole(hand.role):
                    tally.first.setdefault(("both", f"{ahead:+d}"), (meeting, hand))
        return Aspect("score", tally.values(), self._classes(tally))

    def _pairs(self, meeting: Meeting) -> Iterator[tuple[Game, Any]]:
        return zip((self.left, self.right), meeting.states, strict=True)

    def _complete(self, game: Game, state: Any) -> list[tuple[tuple[int, ...], int]]:
        return game.compiled.scored.finals(state, 0)

    # ------------------------------------------------------------ classes and witnesses

    def _classes(self, tally: _Tally) -> list[Class]:
        order = sorted(tally.first.items(), key=lambda item: (item[1][0].cost, item[0]))
        return [self._class(reason, hand) for reason, (_, hand) in order]

    def _class(self, reason: tuple[str, ...], hand: Hand) -> Class:
        """The class with its witness judged by both sides from its JSON form, as a user would."""
        data = to_json(self.left.core, hand)
        left, right = (game.judge(data) for game in (self.left, self.right))
        side = reason[0]
        decides = side in ("left", "right") and reason[1:] and self._is_win_class(reason)
        if decides and (left.win, right.win) != (side == "left", side == "right"):
            raise AssertionError(f"witness does not replay: {data}")
        return Class(reason[1:], side, left, right, tuple(_blamed(left, right)))  # type: ignore[arg-type]

    def _is_win_class(self, reason: tuple[str, ...]) -> bool:
        names = {n.name for g in (self.left, self.right) for n in g.core.names}
        return not set(reason[1:]) & names

    # ------------------------------------------------------------ weight

    def _count(self, aspect: Aspect) -> None:
        """How many closed hands win: all tiles the hand's own, the last one drawn."""
        role, game = self.roles[-1], self.left.core
        machines = tuple(ClosedWins(g.compiled, role) for g in (self.left, self.right))
        hands, deals = (
            {"both": 0, "left_only": 0, "right_only": 0},
            {"both": 0, "left_only": 0, "right_only": 0},
        )
        for states, reached in search(game, machines, game.finished).items():
            a, b = (m.accepts(s) for m, s in zip(machines, states, strict=True))
            if a or b:
                key = "both" if a and b else "left_only" if a else "right_only"
                hands[key] += reached.hands
                deals[key] += reached.deals
        total = comb(sum(k.copies for k in game.kinds), game.finished)
        aspect.hands = hands
        aspect.probability = {k: str(Fraction(n, total)) for k, n in deals.items()}

    def _unshared_note(self) -> tuple[str, str]:
        left, right = unshared(self.left.core, self.right.core)
        if not left and not right:
            return ("", "")
        names = "、".join([*left, *right])
        return (f"只有一边认得的牌型没有比：{names}", f"melds only one side knows were left out: {names}")


def _blamed(left: Verdict, right: Verdict) -> Iterator[Rule]:
    """Clauses that make the two verdicts differ: conditions that fail on one side, names, prices."""
    seen: set[tuple[str, str]] = set()
    for rule in (*_needs(left, right), *_names(left, right), *_prices(left, right)):
        key = (rule.name, rule.span.path)
        if key not in seen:
            seen.add(key)
            yield rule


def _needs(left: Verdict, right: Verdict) -> Iterator[Rule]:
    for mine, other in ((left, right), (right, left)):
        if not mine.win and other.win:
            for name in mine.final.missing if mine.final is not None else ():
                for verdict in (other, mine):
                    yield from (n.rule for n in verdict.compiled.game.win.needs if n.name == name)


def _names(left: Verdict, right: Verdict) -> Iterator[Rule]:
    for name in sorted(set(left.names) ^ set(right.names)):
        for verdict in (left, right):
            yield from (n.rule for n in verdict.compiled.game.names if n.name == name)


def _prices(left: Verdict, right: Verdict) -> Iterator[Rule]:
    """Rows that price the melds of either arrangement differently on the two sides."""
    for verdict, other in ((left, right), (right, left)):
        there = {(m.type.name, m.slots): m for m in other.compiled.game.melds}
        for meld in (verdict.compiled.game.melds[i] for i in verdict.arrangement.melds):
            twin = there.get((meld.type.name, meld.slots))
            if twin is None or [p.points for p in meld.prices] == [p.points for p in twin.prices]:
                continue
            pair = [(verdict, meld), (other, twin)]
            for _, priced in sorted(pair, key=lambda p: p[0] is right):
                yield from (price.rule for price in priced.prices)
