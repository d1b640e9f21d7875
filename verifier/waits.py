"""Every waiting hand sorted by the named waits it has: one sweep over the deck answers all questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from dsl.core.hand import Hand
from dsl.judge.automaton import Automaton, State
from dsl.judge.compiled import Compiled
from dsl.judge.machines import Answers, Counts, Shaped, search, sizes, whole
from dsl.judge.wild_hands import Either, Sought, hands_sought, rows_of_deal


@dataclass(frozen=True, slots=True)
class WaitClass:
    """Hands one tile short that have exactly these named waits."""

    waits: bool
    """Some tile completes them."""
    names: frozenset[str]
    hands: int
    """Where a deal decides what is wild, once for every deal that a hand can be held in."""
    first: Hand
    """Of the smallest with the fewest wild tiles the one with most of the early kinds."""


def wait_classes(compiled: Compiled) -> tuple[WaitClass, ...]:
    """All hands of `game.waiting` tiles, or of any number, that wait or have a named wait.

    They are concealed, but for melds whose extra tile was the last one: without those few hands wait.
    """
    game = compiled.game
    found: dict[Face, tuple[int, Place, Hand]] = {}
    for group in _alike(hands_sought(compiled, game.roles[-1], None if game.any_size else game.waiting)):
        times, (first, *_) = sum(sought.deal.times for sought in group.values()), group.values()
        counted = _counted(first) if first.wilds > SHOWN else None
        if counted is not None and all(f in found and found[f][1][0] < first.wilds for f in counted):
            for face, hands in counted.items():
                before, place, own = found[face]
                found[face] = before + times * hands, place, own
        else:
            _take(found, group, times)
    names = [wait.name for wait in game.waits]
    return tuple(
        WaitClass(face[0], frozenset(n for n, yes in zip(names, face[1:], strict=True) if yes), hands, first)
        for face, (hands, _, first) in sorted(found.items(), key=lambda item: item[0], reverse=True)
    )


SHOWN = 1
"""With more wild tiles there are hardly hands of a class that others are not of, so nobody looks for one."""
Face = tuple[bool, ...]
"""Whether hands wait, and which named waits they have."""
Place = tuple[int, int, tuple[int, ...], int]
"""Where a hand stands in order: wild tiles, natural ones, how many it has of the early kinds, its deal."""


def _take(found: dict[Face, tuple[int, Place, Hand]], group: dict[int, Sought], times: int) -> None:
    """Take in the hands of deals that have as many of each class."""
    for number, sought in group.items():
        fresh = False
        for face, hands, place, own in _classes(sought, number):
            before, best, first = found.get(face, (0, place, own))
            found[face] = before + times * hands, min(best, place), own if place < best else first
            fresh |= best[0] == sought.wilds
        if not fresh:
            break  # none of the other deals is shown
        times = 0


def _alike(every: Iterable[Sought]) -> list[dict[int, Sought]]:
    """Those of deals that differ in names of faces only, as far as shapes go, by their number in the list;
    those with the fewest wild tiles first.
    """
    groups: dict[Hashable, dict[int, Sought]] = {}
    for number, sought in enumerate(every):
        more = sought.with_one_more
        makers = [sought.compiled.shaped.maker, _named(sought.compiled).automaton.maker]
        makers += [] if more is None else [more.shaped.maker]
        face = rows_of_deal(sought.compiled.game, makers, sought.deal.context)
        groups.setdefault((sought.wilds, face), {})[number] = sought
    return sorted(groups.values(), key=lambda group: next(iter(group.values())).wilds)


class _Named(Shaped):
    """Reads hands in the shapes of all named waits at once."""

    def __init__(self, compiled: Compiled) -> None:
        game = compiled.game
        most = tuple(map(max, zip(*(wait.shape for wait in game.waits), strict=True)))
        super().__init__(Automaton(game, shape=most, wilds=compiled.wilds))
        dims = self.automaton.maker.dims
        self.shapes = [tuple(wait.shape[dim] for dim in dims) for wait in game.waits]
        vectors, wilds = self.automaton.vectors, compiled.wilds.bounds
        vectors.hopeless = self._hopeless
        self.numbers = [vectors.number((*shape, *wilds)) for shape in self.shapes]

    def _hopeless(self, vector: Counts) -> bool:
        """Has it more of something than each of the shapes?"""
        return not any(all(map(int.__le__, vector, shape)) for shape in self.shapes)

    def called(self, state: State) -> tuple[bool, ...]:
        """Whether tiles that come to this have each of the named waits."""
        found = set(self.automaton.numbers(state.held))
        return tuple(number in found for number in self.numbers)

    def accepts(self, state: State) -> bool:
        return any(self.called(state))


def _named(compiled: Compiled) -> _Named:
    """The one for these wild tiles, made once."""
    return compiled.game.memo.of(("named waits", compiled.wilds), lambda: _Named(compiled))


def _of_none(answers: Answers) -> bool:
    """Is it settled that the hand neither waits nor has a named wait?"""
    return all(answer is False for answer in answers)


def _classes(sought: Sought, number: int) -> Iterator[tuple[Face, int, Place, Hand]]:
    """How many hands of one deal there are of each class; and one, the first in order."""
    game, deal = sought.deal.deck, sought.deal
    waiting, named = sought.waiting(), _named(sought.compiled)
    laid, size = frozenset(t.index for t in game.types if t.by_last), sizes(game, game.waiting - sought.wilds)
    for states, reached in search(game, (waiting, named), size, laid, _of_none).items():
        face = (waiting.accepts(states[0]), *named.called(states[1]))
        if any(face):
            exposed = tuple(entry for part in reached.first for entry in part.laid)
            counts = whole(reached.first, game)
            own = Hand(sought.role, exposed, counts, None, deal.context, None, sought.wilds)
            yield face, reached.hands, (sought.wilds, reached.tiles, tuple(-n for n in counts), number), own


def _counted(sought: Sought) -> dict[Face, int] | None:
    """The number alone, where all hands are concealed ones of one size: that is quicker."""
    from dsl.judge.weighed import weighed_by  # noqa: PLC0415  numpy only for what it is good for

    game = sought.deal.deck
    if game.any_size or any(t.by_last for t in game.types):
        return None
    waiting, named = sought.waiting(), _named(sought.compiled)
    parts = (waiting.left, waiting.right) if isinstance(waiting, Either) else (waiting,)
    found: Counter[Face] = Counter()
    for each in weighed_by(game, (*parts, named), game.waiting - sought.wilds, dealt=False):
        *states, last = each.states
        waits = any(part.accepts(state) for part, state in zip(parts, states, strict=True))
        found[waits, *named.called(last)] += each.hands
    return {face: hands for face, hands in found.items() if any(face)}
