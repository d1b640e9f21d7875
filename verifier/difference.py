"""Two rulesets side by side: which clauses differ, and over which hands that makes a difference."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from dsl.api import Game, Loader
from dsl.core.formulas import asks_alike
from dsl.core.hand import Hand, to_json
from dsl.core.limits import TooLarge
from dsl.core.model import Game as Core
from dsl.core.model import Rule
from dsl.judge.asked import contexts_asked
from dsl.judge.compiled import Compiled
from dsl.judge.roads import Road, noted
from dsl.judge.row_parts import Counts
from dsl.judge.situations import regrouped, unshared
from dsl.judge.sweep import reach, read_in
from dsl.judge.verdict import Verdict

from . import arranged, flows, plays
from .collecting import seldom_collected
from .common_hands import bounds, other_wilds, parts
from .essence import essence
from .findings import size_bound
from .meaning import (
    ASPECTS,
    READINGS,
    Known,
    Meaning,
    Reason,
    Relation,
    Tally,
    Weight,
    lacking,
    payment_reason,
)
from .meaning import Tick as Tick
from .together import Together, together
from .verdicts import LowerIsBetter, ScoreDecides

Tallies = dict[str, Tally]
"""By aspect."""


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
    """Hands that differ for one reason, shown by the plainest of them.

    Every hand that differs in an aspect is in exactly one class of that aspect.
    """

    reason: tuple[str, ...]
    side: Literal["left", "right", "both"]
    """Which ruleset it is a win in, or gives the name; both where values differ."""
    left: Verdict
    right: Verdict
    rules: tuple[Rule, ...]
    hands: int
    """Closed hands of the last role, the last tile drawn, in the class; others may be in it all the same."""
    probability: Fraction
    """Chance that a random closed hand is one of them."""
    counted: bool = True
    """False for hands of a role with a shape of its own, with a marked tile, or where there are too many."""

    @property
    def witness(self) -> Mapping[str, Any]:
        """As the JSON interface spells it, with every context either side knows."""
        context = {**self.right.hand.context, **self.left.hand.context}
        data = to_json(self.left.compiled.game, self.left.hand)
        return {**data, "context": context} if context else data


@dataclass(slots=True)
class Aspect:
    """What one aspect of the meaning comes to."""

    name: str
    relation: Relation
    classes: list[Class] = field(default_factory=list)
    hands: dict[str, int] = field(default_factory=dict)
    """Closed hands: of wins who has them, of values whether they are the same."""
    probability: dict[str, str] = field(default_factory=dict)
    note: tuple[str, str] = ("", "")
    groups: tuple[flows.FlowGroup, ...] = ()
    """Of the flow of play, group by group."""


@dataclass(slots=True)
class Difference:
    """The whole comparison."""

    left: Game
    right: Game
    clauses: list[ClauseChange]
    aspects: dict[str, Aspect]
    bounds: tuple[str, str]
    how: Road | Literal["solver"] = "automaton"

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


UNTOLD_LAST = (
    "；数全是自家牌的手时不说哪张是末张，`末张 同张` 当 0",
    "; hands of own tiles only are counted without telling the last tile: `last same_face` is 0 there",
)


ONE_REGROUPS = (
    "；只有一边可重组的牌型，一房至多摆一副，来路取最平常的",
    "; of melds that only one side may regroup at most one is exposed in a group, with the plainest origins",
)


def diff(left: str | Game, right: str | Game, tick: Tick | None = None) -> Difference:
    """Compare two games (paths, names, `PATH[option=value]`, or loaded). Raises `SpecError`."""
    loader = Loader()
    a, b = (given if isinstance(given, Game) else loader.load(given) for given in (left, right))
    clauses = list(clause_changes(a, b))
    note = incomparable(a, b)
    try:
        with seldom_collected(), noted() as roads:
            tallies = {} if note else _tallies(a, b, tick)
        how: Road | Literal["solver"] = roads.road
        aspects = {n: _aspect(a, b, n, tally) for n, tally in tallies.items()}
    except TooLarge as large:
        aspects, how = _arranged(a, b, large.words), "solver"
    if note is not None:
        aspects = {n: Aspect(n, "unknown", note=note) for n in ASPECTS}
    return Difference(a, b, clauses, aspects | _of_plays(a, b) | _of_table(a, b), _bounds(a, b), how)


def _arranged(a: Game, b: Game, why: tuple[str, str]) -> dict[str, Aspect]:
    """What arrangements tell where hands are too many: who wins more, and whether scores are the same."""
    aspects = {n: Aspect(n, "unknown", note=why) for n in ASPECTS}
    if not arranged.comparable(a.core, b.core):
        return aspects
    relation, only = arranged.wins(a.compiled, b.compiled)
    hands = [(side, hand) for side, hand in zip(("left", "right"), only, strict=True) if hand is not None]
    classes = [_uncounted(a, b, "win", _lacking(a, b, side, hand), hand) for side, hand in hands]
    aspects["win"] = Aspect("win", relation, classes, note=why)
    if arranged.priced_alike(a.core, b.core):
        aspects["score"] = Aspect("score", "equal")
    if not a.core.names and not b.core.names:
        aspects["names"] = Aspect("names", "equal")
    if essence(a.core) == essence(b.core):
        return aspects | {name: Aspect(name, "equal") for name in ("names", "payment")}
    paid, differing = arranged.payments(a.compiled, b.compiled, relation == "equal")
    classes = [_uncounted(a, b, "payment", _paid_so(a, b, hand), hand) for hand in differing]
    return aspects | {"payment": Aspect("payment", paid, classes, note=why)}


def _lacking(a: Game, b: Game, side: str, hand: Hand) -> Reason:
    """Why a hand wins on that side only."""
    return side, *lacking((b if side == "left" else a).judge(hand).final)


def _paid_so(a: Game, b: Game, hand: Hand) -> Reason:
    """Why both pay otherwise for a hand that they can arrange."""
    one, other = (game.judge(hand).final for game in (a, b))
    assert one is not None and other is not None
    return payment_reason(one, other)


def _uncounted(a: Game, b: Game, aspect: str, reason: Reason, hand: Hand) -> Class:
    """The class of a hand of which nobody knows how many others are in it."""
    return replace(_class(a, b, aspect, reason, hand, Weight()), counted=False)


def _of_plays(a: Game, b: Game) -> dict[str, Aspect]:
    """Which play beats which, where one of them is a trick game."""
    found = plays.compared(a.core, b.core)
    return {} if found is None else {"plays": Aspect("plays", found[0], note=found[1])}


def _of_table(a: Game, b: Game) -> dict[str, Aspect]:
    """How a deal is played, where one of them says."""
    groups = flows.compared(a.core, b.core)
    if groups is None:
        return {}
    relation: Relation = "different" if any(group.clauses for group in groups) else "equal"
    return {"table": Aspect("table", relation, groups=groups)}


def _bounds(a: Game, b: Game) -> tuple[str, str]:
    zh, en = map(str.__add__, bounds(a.core, b.core), size_bound(a.core, b.core))
    if any(asks_alike(game.core) for game in (a, b)):
        zh, en = zh + UNTOLD_LAST[0], en + UNTOLD_LAST[1]
    if regrouped(a.core) != regrouped(b.core):
        zh, en = zh + ONE_REGROUPS[0], en + ONE_REGROUPS[1]
    return BOUNDS[0] + zh, BOUNDS[1] + en


def _tallies(a: Game, b: Game, tick: Tick | None) -> Tallies:
    shapes, known = _shapes(*_tied(a, b)), Known()
    tallies = {name: Tally() for name in ASPECTS}
    alike = judged_alike(a.core, b.core)
    marked = [] if alike else list(_marked(shapes))  # those tell differences only
    for pair in (*shapes, *marked):
        for group in _together(pair, known, tick):
            for meaning, found in group.tallies(tallies):
                for name, tally in found.items():
                    tallies[name].join(tally, meaning.part if pair is shapes[0] else None)
    return tallies


def _together(pair: tuple[Compiled, Compiled], known: Known, tick: Tick | None) -> list[Together]:
    """What is compared part by part."""
    rises, told = True, False
    while True:
        try:
            reading = READINGS[rises, told]
            return together([Meaning(*pair, part, known, reading) for part in parts(*pair)], tick)
        except LowerIsBetter:
            if not rises:
                raise
            rises = False
        except ScoreDecides:
            if told:
                raise
            told = True


def incomparable(a: Game, b: Game) -> tuple[str, str] | None:
    """Why hands of both games cannot be told apart one by one, if they cannot."""
    if not same_deck(a, b):
        return "两边的牌不一样，手牌没法对着看", "the decks differ, so hands cannot be compared"
    sizes = ((x.game.finished, y.game.finished) for x, y in _shapes(a.compiled, b.compiled))
    one, other = next(((one, other) for one, other in sizes if one != other), (0, 0))
    if one == other:
        return other_wilds(a.compiled, b.compiled)
    zh = f"和牌的手一边 {one} 张、一边 {other} 张，没有一手两边都算，没法对着看"
    return zh, f"a finished hand has {one} tiles here and {other} there, so no hand is one of both"


JUDGING = (
    *("kinds", "dims", "types", "melds", "scores", "win", "false_win", "names", "stacking", "seats"),
    *("transfers", "parameters", "wild", "mark", "size", "any_size", "apart", "hand_origin"),
)
"""What of a game its verdicts come from, and who is paid; `essence.py` sorts worlds by the like."""


def judged_alike(left: Core, right: Core) -> bool:
    """Do the same clauses judge the hands of both, however they are played?"""
    return all(getattr(left, field) == getattr(right, field) for field in JUDGING)


def _shapes(a: Compiled, b: Compiled) -> list[tuple[Compiled, Compiled]]:
    """What judges the hands of the same roles on either side: roles with a shape of their own come after."""
    pairs = product(a.views, b.views)
    found = [(x, y) for x, y in pairs if set(x.game.roles) & set(y.game.roles)]
    return found or [(a, b)]


def _marked(pairs: list[tuple[Compiled, Compiled]]) -> Iterator[tuple[Compiled, Compiled]]:
    """What judges the hands with a marked tile, for one of the faces that neither side tells apart."""
    for x, y in pairs:
        faces: dict[Hashable, int] = {}
        for face in range(len(x.game.kinds)) if x.game.mark or y.game.mark else ():
            faces.setdefault((_likeness(x, face), _likeness(y, face)), face)
        yield from ((x.marked(face), y.marked(face)) for face in faces.values())


def _likeness(compiled: Compiled, face: int) -> Hashable:
    """The same for faces that conditions and prices treat alike; the face itself where they ask for it."""
    game, maker = compiled.game, compiled.paid.maker
    asked = {atom.parameter for atom in contexts_asked(game)}
    if game.mark is not None and game.mark.parameter in asked:
        return face
    component = game.component_of[face]
    place = game.components[component].index(face)
    return maker.alike[component][0], min(turn.places[place] for turn in maker.turns(component))


def same_deck(a: Game, b: Game) -> bool:
    """Do both have the same faces in the same order, with as many copies?"""
    decks = [[(k.name, k.copies, k.group) for k in g.core.kinds] for g in (a, b)]
    return decks[0] == decks[1]


def _read(game: Core) -> list[tuple[Counts, Counts]]:
    """The parts of its deck, and in which order their kinds are read."""
    return [(part, read_in(game, index)) for index, part in enumerate(game.components)]


def _tied(a: Game, b: Game) -> tuple[Compiled, Compiled]:
    """What judges the hands of both, read in the same parts of the deck."""
    left, right = a.compiled, b.compiled
    if _read(a.core) != _read(b.core):
        left = Compiled(replace(a.core, tied=reach(b.core)))
        right = Compiled(replace(b.core, tied=reach(a.core)))
    right.borrow(left)
    return left, right


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


# ---------------------------------------------------------------- from tallies to aspects


def _aspect(left: Game, right: Game, name: str, tally: Tally) -> Aspect:
    order = sorted(tally.first.items(), key=lambda item: (item[1][0], item[0]))
    classes = [_class(left, right, name, r, hand, tally.weights[r]) for r, (_, hand) in order]
    weights = tally.sides if name == "win" else tally.values
    return Aspect(
        name,
        tally.set_relation if name == "win" else tally.value_relation,
        classes,
        {key: weight.hands for key, weight in weights.items()},
        {key: str(weight.chance) for key, weight in weights.items()},
        _unshared(left, right) if name == "win" else ("", ""),
    )


def _class(left: Game, right: Game, aspect: str, reason: Reason, hand: Hand, weight: Weight) -> Class:
    """The class with its witness judged by both sides from its JSON form, as a user would."""
    data = to_json(left.core, hand)
    a, b = (game.judge({**data, "context": _known(game, hand)}) for game in (left, right))
    side, *words = reason
    if aspect == "win" and (a.win, b.win) != (side == "left", side == "right"):
        raise AssertionError(f"witness does not replay: {data}")
    share, blamed = weight.chance, tuple(_blamed(aspect, a, b))
    marked = any(g.core.marked_face(hand.role, hand.context) is not None for g in (left, right))
    counted = hand.role in left.core.views[0].roles and not marked
    return Class(tuple(words), side, a, b, blamed, weight.hands, share, counted)  # type: ignore[arg-type]


def _known(game: Game, hand: Hand) -> dict[str, str]:
    """What of a hand's context a game can be told."""
    names = {p.name for p in game.core.parameters}
    return {name: value for name, value in hand.context.items() if name in names}


def _unshared(a: Game, b: Game) -> tuple[str, str]:
    left, right = unshared(a.core, b.core)
    if not left and not right:
        return ("", "")
    names = "、".join([*left, *right])
    return (f"只有一边认得的牌型没有比：{names}", f"melds only one side knows were left out: {names}")


def _blamed(aspect: str, left: Verdict, right: Verdict) -> Iterator[Rule]:
    """Clauses that make the two verdicts differ: conditions that fail on one side, names, prices."""
    causes = {"win": (_needs, _prices), "score": (_prices,)}.get(aspect, (_needs, _names, _prices))
    seen: set[tuple[str, str]] = set()
    for rule in (rule for cause in causes for rule in cause(left, right)):
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
