"""What a game comes to apart from how it is written: equal essences judge every hand alike."""

from __future__ import annotations

from collections.abc import Hashable

from dsl.core.model import And, Defined, Formula, Game, Meld, Not, Or

Key = tuple[Hashable, ...]


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


def essence(game: Game) -> Key:
    """Everything that verdicts, names, scores, payments and waits depend on."""
    return (
        condition_key(game),
        game.scores,
        game.win.choice,
        tuple((n.name, n.times, n.aliases) for n in game.names),
        game.stacking,
        wait_key(game),
        game.seats,
        tuple((t.payer, t.payee, t.amount) for t in game.transfers),
        tuple(t.aliases for t in game.types),
    )


def condition_key(game: Game) -> Key:
    """What arrangements there are, what they score, and every condition that is put to them."""
    return (
        world_key(game),
        tuple(tuple(price.points for price in meld.prices) for meld in game.melds),
        tuple((need.rule.name, plain(need.formula)) for need in (*game.win.needs, *game.false_win)),
        tuple((name.name, plain(name.formula)) for name in game.names),
        tuple((t.rule.name, t.outcome, plain(t.condition)) for t in game.transfers),
    )


def world_key(game: Game) -> Key:
    """What arrangements and situations there are."""
    return (
        tuple((kind.name, kind.copies, kind.group) for kind in game.kinds),
        tuple(_meld(meld) for meld in game.melds),
        tuple(t.grows for t in game.types),
        game.win.shape,
        game.hand_origin,
        game.finished,
        tuple((role, game.dealt[role]) for role in game.roles),
        tuple((p.name, p.values) for p in game.parameters),
    )


def _meld(meld: Meld) -> Key:
    t = meld.type
    return (t.name, t.gives, t.locked, t.laid_only, t.extra, meld.slots)


def wait_key(game: Game) -> Key:
    """What the wait types say of concealed tiles; locking does not matter there."""
    melds = tuple((m.type.gives, m.slots, m.type.laid_only, m.type.extra, m.awaits) for m in game.melds)
    return (
        tuple((kind.name, kind.copies) for kind in game.kinds),
        melds,
        game.win.shape,
        game.finished,
        tuple((wait.name, wait.shape, wait.on) for wait in game.waits),
    )
