"""Which of two rulesets wins more, where their hands are too many to be gone through.

Both have to have the same melds. Then an arrangement in a situation is one of both, and the solver answers
whether one can win under the one ruleset and not under the other. If none can, whatever wins here wins there.
If one can, its hand is judged by both: where another arrangement of it wins as well, the question stays open.
"""

from __future__ import annotations

from collections.abc import Hashable

from dsl.core.formulas import win_formula
from dsl.core.hand import Hand
from dsl.core.model import And, Game, Misnamed, Not
from dsl.judge.compiled import Compiled

from . import ask
from .essence import plain
from .meaning import Relation
from .world import World

Found = tuple[bool | None, Hand | None]
"""Does every win of the one win in the other (None: open), and a hand that does not."""


def comparable(left: Game, right: Game) -> bool:
    """Are the arrangements of the one those of the other, in the same situations?"""
    return _face(left) == _face(right)


def _face(game: Game) -> Hashable:
    melds = tuple((m.type.name, m.type.gives, m.type.locked, m.type.extra, m.slots) for m in game.melds)
    parameters = tuple((p.name, p.values) for p in game.parameters)
    return melds, game.dims, game.win.shape, game.seats, parameters, game.wild, game.mark, game.apart


def priced_alike(left: Game, right: Game) -> bool:
    """Has every arrangement the same score under both?"""
    one, other = ([m.prices[0].points or 0 if m.prices else 0 for m in g.melds] for g in (left, right))
    return one == other


def wins(left: Compiled, right: Compiled) -> tuple[Relation, tuple[Hand | None, Hand | None]]:
    """The relation of the hands that win, and one that wins on the left only, on the right only."""
    (forth, one), (back, other) = _inclusion(left, right), _inclusion(right, left)
    return _relation(forth, back, left, right), (one, other)


def _relation(forth: bool | None, back: bool | None, left: Compiled, right: Compiled) -> Relation:
    if forth is None or back is None:
        return "unknown"
    if forth or back:
        return "equal" if forth and back else "subset" if forth else "superset"
    both = (plain(win_formula(side.game)) for side in (left, right))
    shared = ask.possible(World(left.game), And((*both, Not(Misnamed()))))
    return "overlap" if shared else "unknown"


def _inclusion(one: Compiled, other: Compiled) -> Found:
    """Does what wins in the first win in the second?"""
    win, loses = plain(win_formula(one.game)), Not(plain(win_formula(other.game)))
    answer = ask.ask(World(one.game), And((win, loses, Not(Misnamed()))))
    match answer:
        case ask.Proved():
            return True, None
        case ask.Refuted(witness) if not other.is_win(witness.hand):
            return False, witness.hand
        case _:
            return None, None
