"""Every witness is judged again by the reference meaning; one that does not stand is our own bug."""

from __future__ import annotations

from dataclasses import replace

from dsl.core.evaluate import Arrangement, holds
from dsl.core.hand import Hand, alike, read_hand, stands_of, to_json
from dsl.core.model import OWN_DRAW, Formula, Game, HandFormula
from dsl.core.reference import arrangements, wilds_of
from dsl.core.waiting import closed, hand_holds, of_finished

from .decode import Witness
from .findings import Example, counted_hand

FEW = 1
"""Wild tiles, standing for any tile, up to which every arrangement of a waiting hand is tried."""


class ReplayError(Exception):
    """The solver and the reference disagree."""


def replay(witness: Witness, claim: Formula) -> Witness:
    """The witness as a reader of its JSON form sees it, once it is sure that the claim holds of it."""
    hand = _read_back(witness)
    arrangement = _with_melds_of(witness, hand)
    wilds = among = None
    if arrangement.complete:  # whatever else the tiles can be made into, there may be very much of it
        wilds, among = wilds_of(witness.game, arrangement), _unmarked(witness.game, arrangement)
    found = arrangements(witness.game, hand, wilds=wilds, among=among)
    if arrangement.complete and arrangement not in found:
        raise ReplayError(f"the witness cannot be arranged as claimed: {to_json(witness.game, hand)}")
    if not arrangement.complete and found:
        raise ReplayError(f"the witness has the win shape: {to_json(witness.game, hand)}")
    checked = Witness(witness.game, hand, arrangement)
    if not holds(claim, checked.position):
        raise ReplayError(f"the claim does not hold of the witness: {to_json(witness.game, hand)}")
    return checked


def _unmarked(game: Game, arrangement: Arrangement) -> frozenset[int]:
    """Ids of its melds, without any mark."""
    melds = (game.melds[m] for m in arrangement.melds)
    return frozenset(m.id if m.base is None else m.base for m in melds)


def unarranged(game: Game, found: Hand, claim: HandFormula) -> Example:
    """A hand nobody has arranged yet, as a reader of its JSON form sees it, once the claim holds of it."""
    finished = of_finished(claim)
    shown = counted_hand(game, _drawn(game, found) if finished else found)
    hand, faults = read_hand(game, shown.hand, missing=int(not finished))
    if hand is None:
        raise ReplayError(f"the witness is not a hand: {shown.hand}, {[f.message('en') for f in faults]}")
    few = not game.wild_free or hand.wilds <= FEW  # more stand for too many things to try them all
    if few and not hand_holds(claim, game, hand):
        raise ReplayError(f"the claim does not hold of the hand: {shown.hand}")
    return shown


def _drawn(game: Game, hand: Hand) -> Hand:
    """A finished hand with one of its tiles drawn last, where nobody is dealt a whole one."""
    if closed(game).last is None:
        return hand
    kind = next(k for k, n in enumerate(hand.counts) if n)
    counts = tuple(n - (k == kind) for k, n in enumerate(hand.counts))
    return replace(hand, counts=counts, last=(kind, OWN_DRAW))


def _read_back(witness: Witness) -> Hand:
    data = to_json(witness.game, witness.hand)
    hand, faults = read_hand(witness.game, data)
    if hand is None:
        raise ReplayError(f"the witness is not a hand: {data}, {[f.message('en') for f in faults]}")
    return hand


def _with_melds_of(witness: Witness, hand: Hand) -> Arrangement:
    """The arrangement with exposed melds as the reader settled them, where they count and cost the same."""
    game, arrangement = witness.game, witness.arrangement
    melds = list(arrangement.melds)
    for meant, got in zip(witness.hand.laid, hand.laid, strict=True):
        if meant.meld != got.meld and meant.meld in melds and _same(game, meant.meld, got.meld):
            melds[melds.index(meant.meld)] = got.meld
            for before, after in zip(stands_of(game, meant), stands_of(game, got), strict=True):
                melds[melds.index(before)] = after  # a wild tile in it stands for another face now
    return Arrangement(tuple(sorted(melds)), arrangement.last_in, arrangement.complete)


def _same(game: Game, left: int, right: int) -> bool:
    return alike([game.melds[left], game.melds[right]])
