"""CORE: how a trick is played – who must beat it, what is given otherwise, what a play makes one liable for.

A part of `flow.py`. Which plays there are, and which beats which, say the 大小 of a judgement (`ranks.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .flow import Local
    from .model import Rule


@dataclass(frozen=True, slots=True)
class Follow:
    """跟: beating what is best so far, with a play of the same line and as many tiles."""

    name: str
    must: bool
    """Whoever can has to."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Cover:
    """垫: who does not beat gives as many tiles as were led, or what he has, face down and out of play."""

    name: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Note:
    """记: a play that is remembered of the player who made it."""

    name: str
    where: Local
    rule: Rule


@dataclass(frozen=True, slots=True)
class Liable:
    """包: a loser of whom this is remembered pays alone, unless what he laid would win as well."""

    note: str
    shares: bool
    """The shares of the other losers too; else they are let off."""
    rule: Rule


@dataclass(frozen=True, slots=True)
class Halt:
    """流局 of a name: the deal is off when tiles are a win under a judgement."""

    name: str
    at: Literal["deal", "trick"]
    """Asked of the tiles that each player is dealt, or of those that the taker of a trick has laid."""
    judgement: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Tricks:
    """走墩: a player leads, the others follow in turn; the best play takes, is laid, and its player leads."""

    judgement: str
    """出法: the judgement whose plays are made and whose 大小 ranks them; empty for the game's own."""
    follow: Follow
    cover: Cover | None
    notes: tuple[Note, ...]
    liable: tuple[Liable, ...]
    rule: Rule
    """轮."""
