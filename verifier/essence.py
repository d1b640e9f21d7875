"""What a game comes to apart from how it is written: equal essences judge hands and rank plays alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from dsl.core.model import And, Defined, Formula, Game, Mark, Meld, Not, Or, Wild

Key = tuple[Hashable, ...]

Part = Callable[[tuple[Meld, ...], Callable[[Meld], Hashable]], Hashable]
"""How a key speaks of all ground melds: of each as the function says."""


def in_full(melds: tuple[Meld, ...], said: Callable[[Meld], Hashable]) -> Hashable:
    """One after the other."""
    return tuple(map(said, melds))


@dataclass
class Numbers:
    """Numbers for what is long: equal things have equal numbers, melds are looked at once for each tuple."""

    _known: dict[Hashable, int] = field(default_factory=dict)
    _melds: dict[tuple[int, Callable[[Meld], Hashable]], tuple[tuple[Meld, ...], int]] = field(
        default_factory=dict
    )

    def of(self, thing: Hashable) -> int:
        return self._known.setdefault(thing, len(self._known))

    def part(self, melds: tuple[Meld, ...], said: Callable[[Meld], Hashable]) -> int:
        """As `in_full`, by number. The tuple is kept, so that its identity stays its own."""
        key = (id(melds), said)
        if key not in self._melds:
            self._melds[key] = (melds, self.of((said, in_full(melds, said))))
        return self._melds[key][1]


def plain(formula: Formula) -> Formula:
    """The formula without names for its parts."""
    match formula:
        case Defined(_, _, body):
            return plain(body)
        case Not(part):
            return Not(plain(part))
        case And(parts):
            return And(tuple(plain(part) for part in parts))
        case Or(parts):
            return Or(tuple(plain(part) for part in parts))
        case _:
            return formula


def essence(game: Game, part: Part = in_full) -> Key:
    """Everything that verdicts, names, scores, payments, waits and ranks of plays depend on."""
    return (
        condition_key(game, part),
        game.scores,
        game.win.choice,
        tuple((n.name, n.times, n.aliases, n.uncalled) for n in game.names),
        game.stacking,
        wait_key(game, part),
        game.seats,
        tuple((t.payer, t.payee, t.amount) for t in game.transfers),
        tuple(t.aliases for t in game.types),
        tuple((line.name, line.tiers) for line in game.ranks),
    )


def condition_key(game: Game, part: Part = in_full) -> Key:
    """What arrangements there are, what they score, and every condition that is put to them."""
    return (
        world_key(game, part),
        part(game.melds, points),
        tuple((need.rule.name, plain(need.formula)) for need in (*game.win.needs, *game.false_win)),
        tuple((name.name, plain(name.formula)) for name in game.names),
        tuple((t.rule.name, t.outcome, plain(t.condition)) for t in game.transfers),
    )


def points(meld: Meld) -> tuple[int | None, ...]:
    return tuple(price.points for price in meld.prices)


def world_key(game: Game, part: Part = in_full) -> Key:
    """What arrangements and situations there are."""
    return (
        tuple((kind.name, kind.copies, kind.group) for kind in game.kinds),
        part(game.melds, _meld),
        tuple(t.grows for t in game.types),
        game.shapes,
        tuple(plain(need.formula) for need in game.win.groupings),
        game.any_size,
        game.hand_origin,
        tuple((role, game.dealt[role]) for role in game.roles),
        tuple((p.name, p.values) for p in game.parameters),
        game.wild and _wild(game, game.wild),
        game.mark and _mark(game.mark),
    )


def _wild(game: Game, wild: Wild) -> Key:
    barred = tuple(sorted(game.types[i].name for i in wild.barred))
    return wild.copies, wild.own, wild.parameter, wild.gone, wild.free, wild.within, barred


def _mark(mark: Mark) -> Key:
    return mark.parameter, tuple(sorted(mark.roles)), mark.every


def _meld(meld: Meld) -> Key:
    t = meld.type
    return (t.name, t.gives, t.locked, t.laid_only, t.extra, t.by_last, meld.slots, meld.counts)


def _waited(meld: Meld) -> Key:
    t = meld.type
    return (t.gives, meld.slots, t.laid_only, t.extra, t.by_last, meld.awaits)


def wait_key(game: Game, part: Part = in_full) -> Key:
    """What the wait types say of concealed tiles; locking does not matter there."""
    return (
        tuple((kind.name, kind.copies) for kind in game.kinds),
        part(game.melds, _waited),
        game.shapes,
        tuple(plain(need.formula) for need in game.win.groupings),
        game.any_size,
        game.wild and _wild(game, game.wild),
        tuple((wait.name, wait.shape, wait.on) for wait in game.waits),
    )
