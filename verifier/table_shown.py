"""A found table as readers and programs see it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from dsl.core.hand import Hand, to_json
from dsl.core.model import WILD, Game
from dsl.table.state import State

from .findings import Example


@dataclass(frozen=True)
class TableWitness:
    """Players around one tile, or one who has to discard."""

    game: Game
    state: State
    seats: tuple[int, ...]
    """Of the players spoken of, in order."""
    origins: tuple[str, ...]
    """Where the tile on offer would come from for each of them."""


def table_example(witness: TableWitness) -> Example:
    """The table as the example of a finding; its hand is the first player's."""
    return Example(hand_of(witness, 0), table=witness_json(witness))


def hand_of(witness: TableWitness, place: int) -> dict[str, Any]:
    """A player's tiles in the form of the hand interface, with the tile on offer as the last."""
    state, offer, seat = witness.state, witness.state.offer, witness.seats[place]
    player, role = state.players[seat], witness.game.seats[seat].role
    last = None if offer is None else (offer.tile, witness.origins[place])
    return to_json(
        witness.game, Hand(role, player.laid, player.counts, last, state.context, None, player.wilds)
    )


def witness_json(witness: TableWitness) -> dict[str, Any]:
    """The table as far as the question goes: the tile on offer, and each player spoken of."""
    game, offer = witness.game, witness.state.offer
    found: dict[str, Any] = {}
    if offer is not None:
        tile = game.wild.name if offer.tile == WILD and game.wild is not None else game.kinds[offer.tile].name
        found["offer"] = {
            "tile": tile,
            "seat": game.seats[offer.seat].name,
            "turned": offer.turned,
            "first": offer.first,
        }
    found["players"] = []
    for place, seat in enumerate(witness.seats):
        hand = {k: v for k, v in hand_of(witness, place).items() if k != "last"}
        taken = Counter(witness.state.players[seat].taken)
        found["players"].append({"seat": game.seats[seat].name, **hand, "taken": dict(taken)})
    return found
