"""Every witness is judged again by the reference meaning; one that does not stand is our own bug."""

from __future__ import annotations

from dsl.core.evaluate import Arrangement, holds
from dsl.core.hand import Hand, alike, read_hand, to_json
from dsl.core.model import Formula, Game, HandFormula
from dsl.core.reference import arrangements, wilds_of
from dsl.core.waiting import hand_holds

from .decode import Witness
from .findings import Example, counted_hand


class ReplayError(Exception):
    """The solver and the reference disagree."""


def replay(witness: Witness, claim: Formula) -> Witness:
    """The witness as a reader of its JSON form sees it, once it is sure that the claim holds of it."""
    hand = _read_back(witness)
    arrangement = _with_melds_of(witness, hand)
    wilds = wilds_of(witness.game, arrangement) if arrangement.complete else None
    found = arrangements(witness.game, hand, wilds=wilds)
    if arrangement.complete and arrangement not in found:
        raise ReplayError(f"the witness cannot be arranged as claimed: {to_json(witness.game, hand)}")
    if not arrangement.complete and found:
        raise ReplayError(f"the witness has the win shape: {to_json(witness.game, hand)}")
    checked = Witness(witness.game, hand, arrangement)
    if not holds(claim, checked.position):
        raise ReplayError(f"the claim does not hold of the witness: {to_json(witness.game, hand)}")
    return checked


def unarranged(game: Game, found: Hand, claim: HandFormula) -> Example:
    """A hand nobody has arranged yet, as a reader of its JSON form sees it, once the claim holds of it."""
    shown = counted_hand(game, found)
    hand, faults = read_hand(game, shown.hand, missing=1)
    if hand is None:
        raise ReplayError(f"the witness is not a hand: {shown.hand}, {[f.message('en') for f in faults]}")
    if not hand_holds(claim, game, hand):
        raise ReplayError(f"the claim does not hold of the hand: {shown.hand}")
    return shown


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
    return Arrangement(tuple(sorted(melds)), arrangement.last_in, arrangement.complete)


def _same(game: Game, left: int, right: int) -> bool:
    return alike([game.melds[left], game.melds[right]])
