"""How far questions about all hands go before they are left open: by what is met, never by a clock."""

from __future__ import annotations

LARGEST = 100_000
"""Of components with more holdings these are not gone through one by one."""
MOST = 400_000
"""Combinations of states and tiles after one kind; with more a search gives up."""
HEAVIEST = 1_000_000
"""Unfinished groupings in all states that a machine goes on from; with more a search gives up."""

LONGEST = 15_000_000
"""Sums of an arrangement's beginning and a component's melds that a search for open choices works out."""


class TooLarge(Exception):
    """A question about all hands that would take more than we go through. `words`: why, zh and en."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.words = (zh, en)


def too_many_states() -> TooLarge:
    return TooLarge(
        "牌都连在一起，一面一面地看，没摆完的摆法太多，不再看下去",
        "the tiles all hang together: read kind by kind they leave too many unfinished arrangements",
    )


def check_holdings(number: int) -> None:
    """Raise `TooLarge` where holdings of a component have to be gone through and are too many for that."""
    if number > LARGEST:
        raise TooLarge(
            f"连在一起的牌有 {number:,} 种拿法，这个问题只能一种一种地看，太多了",
            f"tiles that hang together can be held in {number:,} ways, which this question has to go through",
        )


def check_exposures(number: int) -> None:
    """The same where what lies exposed in a component is gone through beside what is concealed."""
    if number > LARGEST:
        raise TooLarge(
            f"连在一起的牌，摆出的和没摆的合起来有 {LARGEST:,} 种以上的拿法，只能一种一种地看，太多了",
            f"tiles that hang together, exposed and concealed, can be held in more than {LARGEST:,} ways, "
            "which have to be gone through",
        )
