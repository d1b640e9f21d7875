"""CORE: tiles that are more than their face – one that stands for others, one that is marked.

A part of `model.py`, which gives these names on; import them from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Rule


@dataclass(frozen=True, slots=True)
class Wild:
    """赖子, 神, 混江: the tile that stands for others.

    Either the deck has tiles of its own for it, or it is an ordinary face that the deal decides: the one
    after the face a parameter of the situation names, in its group, the first following the last.
    """

    name: str
    copies: int
    own: bool
    """The deck has tiles of its own for it."""
    parameter: str | None
    """Names the face that decides it, or that is cut; None where the deal decides nothing."""
    gone: int
    """Tiles out of play of the face that the parameter names."""
    free: bool
    """It stands for any tile of one's own in any meld; else the melds say themselves where it can lie."""
    within: bool
    """限张: no face is represented more often than the deck has copies of it."""
    rule: Rule
    barred: frozenset[int] = frozenset()
    """不入: indices of meld types that hold natural tiles only, of a wild tile that is free."""
    aliases: frozenset[str] = frozenset()
    """又名: other ways to write it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """标, 抬将: one tile of a face that a parameter of the situation names counts for more.

    It lies in one of the melds that hold its face, in one where the first score table gives most for
    it; that meld is one with `Meld.base`, which has prices of its own. Only some roles have a marked tile.
    """

    name: str
    parameter: str
    """Its first value names no face: nothing is marked."""
    roles: frozenset[str]
    every: bool
    """皆: every meld that holds the face counts as marked, not only the one with the tile."""
    rule: Rule
