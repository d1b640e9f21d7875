"""Asking about the table: solve for one face after the other, replay by the table's own rules, tidy up.

A first try looks at wins with nothing exposed, another at all wins; what that cannot find is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from dsl.core.flow import Local, TileWild
from dsl.core.model import WILD
from dsl.core.table_questions import (
    Answers,
    Bites,
    DeadEnd,
    SeatFormula,
    Sees,
    atoms,
    names_asked,
)
from dsl.table.questions import says
from dsl.table.table import Table

from .ask import NO_HAND, OUT_OF_WORK
from .encode_table import Encoder
from .findings import Words
from .replay import ReplayError
from .smt import Bool, Status
from .table_faces import conditions_of, faces_to_ask, local_atoms
from .table_outlines import Outlines
from .table_shown import TableWitness, witness_json
from .table_wins import Hands
from .table_world import Seated, TableWorld
from .tighten import Tightener

ANEW = 2
"""Solvers without a history that are asked what is open."""
BUDGET = 15_000_000
"""Work spent on one face."""
GLANCE = 4_000_000
"""Work spent to see whether it is impossible anyway, where not everybody is to win."""


@dataclass(frozen=True)
class TableAnswer:
    """What was found; without a witness and a reason it is proved that there is none, within the bounds."""

    witness: TableWitness | None = None
    reason: Words | None = None


class Stage(NamedTuple):
    """One way to ask: what it cannot find there is not, where it looks at `all`."""

    wide: bool = False
    thorough: bool = False
    all: bool = True
    tries: int = 30
    """Models that are shown to the table, where the solver leaves something to it."""
    budget: int = BUDGET


class TableAsker:
    """Questions about one table. Worlds are kept; witnesses come from fresh ones, the same every time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._why = OUT_OF_WORK
        self._known: dict[tuple[SeatFormula, ...], TableAnswer] = {}
        self._seen: list[TableWitness] = []
        self._worlds: dict[tuple[int, int | None], TableWorld] = {}
        self._hands: dict[tuple[int, int | None, bool], Hands] = {}

    def possible(self, *formulas: SeatFormula) -> bool | None:
        """Can players, one for each formula, sit at the table so that it holds? None when it stays open."""
        answer = self._known.get(formulas)
        if answer is None:
            answer = self._known[formulas] = self._seen_before(formulas) or self._each(formulas, fresh=False)
        self._why = answer.reason or self._why
        return None if answer.reason is not None else answer.witness is not None

    @property
    def why_open(self) -> Words:
        """Why the last question that stayed open did so."""
        return self._why

    def witness(self, *formulas: SeatFormula) -> TableAnswer:
        """As `possible`, with the plainest such table; where only that question was too hard, with some.

        That one, too, is what somebody finds who has asked nothing before, as far as he finds any.
        """
        answer = self._each(formulas, fresh=True)
        if answer.reason is not None:
            answer = TableAsker(self.table)._each(formulas, fresh=False)
        return answer if answer.reason is None else self._known.get(formulas, answer)

    def _seen_before(self, formulas: tuple[SeatFormula, ...]) -> TableAnswer | None:
        """Does a witness of another question do for this one?"""
        alike = (witness for witness in self._seen if len(witness.seats) == len(formulas))
        found = next((w for w in alike if stands(formulas, self.table, w)), None)
        return None if found is None else TableAnswer(found)

    def _each(self, formulas: tuple[SeatFormula, ...], fresh: bool) -> TableAnswer:
        answer = TableAnswer()
        if self._clashes(formulas):
            return answer
        for tile in self._faces(formulas):
            found = self._of_face(formulas, tile, fresh)
            if found.witness is not None:
                self._seen += () if fresh else (found.witness,)
                return found
            answer = found if answer.reason is None else answer
        return answer

    def _clashes(self, formulas: tuple[SeatFormula, ...]) -> bool:
        """Can it not be, by the outlines of wins? Prices do not matter there: fewer faces to ask."""
        asked = [self._asks_wins((formula,)) for formula in formulas]
        if not any(asked) or all(asked):
            return False  # one who is to win and nothing else can, nearly always
        return all(self._clash(formulas, tile) for tile in self._faces(formulas, prices=False))

    def _clash(self, formulas: tuple[SeatFormula, ...], tile: int | None) -> bool:
        world = self._world(len(formulas), tile)  # one of its own: kept ones are slower for what they heard
        stage = Stage(wide=True, thorough=True, budget=GLANCE)
        return Question(self.table, world, Outlines(world), formulas, stage).impossible()

    def _of_face(self, formulas: tuple[SeatFormula, ...], tile: int | None, fresh: bool) -> TableAnswer:
        found = TableAnswer(reason=OUT_OF_WORK)
        for stage in self._stages(formulas, fresh):
            found = self._question(formulas, tile, stage, fresh)
            if found.witness is not None or (found.reason is None and stage.all):
                return found
            if found.reason == OUT_OF_WORK and stage.all and not stage.wide:
                return found  # the more thorough question is no easier
        return found

    def _stages(self, formulas: tuple[SeatFormula, ...], fresh: bool) -> tuple[Stage, ...]:
        ends = any(isinstance(part, DeadEnd) for formula in formulas for part in atoms(formula))
        if self._asks_wins(formulas):
            wide = Stage(wide=True, thorough=ends)
            plain, glance = Stage(thorough=ends, all=False), wide._replace(tries=1, budget=GLANCE)
            everybody = all(self._asks_wins((formula,)) for formula in formulas)
            if everybody:
                return plain, wide
            return (glance, plain, wide) if fresh else (plain, glance, wide)
        return (Stage(), Stage(thorough=True)) if ends else (Stage(),)

    def _question(
        self, formulas: tuple[SeatFormula, ...], tile: int | None, stage: Stage, fresh: bool
    ) -> TableAnswer:
        size = len(formulas)
        if fresh:
            world = self._world(size, tile)
            return Question(self.table, world, Hands(world, stage.wide), formulas, stage).plainest()
        world, key = self.world(size, tile), (size, tile, stage.wide)
        if key not in self._hands:
            self._hands[key] = Hands(world, stage.wide)
        return Question(self.table, world, self._hands[key], formulas, stage).answer()

    def world(self, players: int, tile: int | None) -> TableWorld:
        """The one that is kept; what is required of it has to be taken back."""
        if (players, tile) not in self._worlds:
            self._worlds[players, tile] = self._world(players, tile)
        return self._worlds[players, tile]

    def _world(self, players: int, tile: int | None) -> TableWorld:
        return TableWorld(self.table.claims, players, tile)

    def _faces(self, formulas: tuple[SeatFormula, ...], prices: bool = True) -> tuple[int | None, ...]:
        """Kinds of the tile on offer to ask about, `WILD` where one can matter; None for a discard after the
        opening's announcements.

        `prices`: may what tiles are worth matter to a win that is asked for?
        """
        flow = self.table.flow
        names = frozenset[str]().union(*map(names_asked, formulas))
        opening = (None,) if names & flow.announcements.keys() else ()
        moods = {f.opening for f in formulas if isinstance(f, DeadEnd)} or {None}
        if names and (moods == {True} or not names & flow.responses.keys()):
            return opening
        opening = () if moods == {False} else opening
        local = tuple(a.condition for f in formulas for a in atoms(f) if isinstance(a, Sees))
        wins = prices and self._asks_wins(formulas)
        faces = faces_to_ask(self.table.game, (*conditions_of(flow), *local), wins)
        wild = (WILD,) if all(self._of_wilds(a) for f in formulas for a in atoms(f)) else ()
        return (*faces, *wild, *opening)

    def _of_wilds(self, part: SeatFormula) -> bool:
        """Is it a ban that keeps wild tiles in the hand, or a way to take them there?"""
        flow, asked = self.table.flow, list[Local]()
        if isinstance(part, Bites) and part.kind == "ban":
            asked = [ban.where for ban in flow.bans if ban.name == part.name]
        elif isinstance(part, Answers) and all(flow.responses[n].into_hand for n in part.names):
            asked = [flow.responses[name].where for name in part.names]
        return any(isinstance(atom, TileWild) for where in asked for atom in local_atoms(where))

    def _asks_wins(self, formulas: tuple[SeatFormula, ...]) -> bool:
        names = frozenset[str]().union(*map(names_asked, formulas))
        responses = self.table.flow.responses
        return any(responses[n].win for n in names & responses.keys())


class Question:
    """One question about one face."""

    def __init__(
        self, table: Table, world: TableWorld, hands: Hands, formulas: tuple[SeatFormula, ...], stage: Stage
    ) -> None:
        self.table = table
        self.formulas = formulas
        self.world = world
        self.smt = world.smt
        self.tries, self.budget = stage.tries, stage.budget
        self.hasty = False
        """Are solvers without a history asked early?"""
        encoder = Encoder(world, hands, stage.thorough)
        pairs = zip(formulas, world.players, strict=True)
        world.opened.asked = False
        self.truths = [encoder.says(formula, player) for formula, player in pairs]
        self.guessed = encoder.guessed or world.opened.asked

    def impossible(self) -> bool:
        """Is there no witness, by the solver alone? The world is spent."""
        self.smt.require(*self.truths)
        return self.smt.check(budget=self.budget) == "unsat"

    def answer(self) -> TableAnswer:
        """Some witness; the world is left as it was."""
        self.hasty = True
        with self.smt.scope():
            return self._confirmed()

    def plainest(self) -> TableAnswer:
        """The plainest witness; the world is spent."""
        found = self._confirmed()
        return found if found.witness is None else TableAnswer(self._plainest(found.witness))

    def _confirmed(self) -> TableAnswer:
        """A witness that the table confirms.

        With one that it does not, all with the same concealed tiles are left aside at first: they are many,
        and seldom one of them stands. Where nothing else is found, only those that were asked about are.
        """
        self.smt.require(*self.truths)
        alike, same = list[Bool](), list[Bool]()
        with self.smt.scope():
            found = self._tried(alike, same, alike)
        if found.witness is not None:
            self.smt.require(*alike)
        if found.reason is not None or found.witness is not None or not same:
            return found
        self.smt.require(*same)
        return self._tried(alike, same, same)

    def _tried(self, alike: list[Bool], same: list[Bool], aside: list[Bool]) -> TableAnswer:
        """The first that stands of so many; those that do not are told to both lists, and one is left out."""
        for _ in range(self.tries if self.guessed else 1):
            status = self._status()
            if status != "sat":
                return TableAnswer(reason=OUT_OF_WORK if status == "unknown" else None)
            found = self._read()
            if self._stands(found):
                return TableAnswer(found)
            if not self.guessed:
                raise ReplayError(f"the table does not confirm {witness_json(found)}")
            alike.append(self.smt.negate(self._alike(found)))
            same.append(self.smt.negate(self.smt.both(self.world.told(found.state, found.seats))))
            self.smt.require(aside[-1])
        return TableAnswer(reason=NO_HAND)

    def _status(self) -> Status:
        """Is there a model? What a solver with a history gives up, one without may settle."""
        hasty = self.hasty and self.budget == BUDGET
        status = self.smt.check(budget=GLANCE if hasty else self.budget)
        for seed in range(ANEW if self.budget == BUDGET else 0):
            status = self.smt.check_anew(seed, self.budget) if status == "unknown" else status
        return self.smt.check(budget=self.budget) if hasty and status == "unknown" else status

    def _read(self) -> TableWitness:
        state, seats = self.world.state()
        origin_of, offer = self.table.verdicts.origin_of, state.offer
        origins = () if offer is None else tuple(origin_of(offer, seat) for seat in seats)
        return TableWitness(self.table.game, state, seats, origins)

    def _stands(self, witness: TableWitness) -> bool:
        """Does the table say so too?"""
        return stands(self.formulas, self.table, witness)

    def _alike(self, witness: TableWitness) -> Bool:
        """The players' concealed tiles are those."""
        parts = []
        for player, seat in zip(self.world.players, witness.seats, strict=True):
            counts = witness.state.players[seat].counts
            parts += [self.smt.compare(n, "=", m) for n, m in zip(player.counts, counts, strict=True)]
        return self.smt.both(parts)

    def _plainest(self, found: TableWitness) -> TableWitness:
        """The plainest that stands; where the judge has a word, only if it happens to."""
        _Plainer(self.world).run()
        tidy = self._read()
        if self._stands(tidy):
            return tidy
        if not self.guessed:
            raise ReplayError(f"the table does not confirm {witness_json(tidy)}")
        return found


def stands(formulas: tuple[SeatFormula, ...], table: Table, witness: TableWitness) -> bool:
    """Does the table say that they hold of the players of the witness, one of each?"""
    pairs = zip(formulas, witness.seats, strict=True)
    return all(says(formula, table, witness.state, seat) for formula, seat in pairs)


class _Plainer(Tightener):
    """Few exposed melds, no wild tiles, a discard of the dealer's to the next player, low faces first."""

    def __init__(self, world: TableWorld) -> None:
        super().__init__(world.smt)
        self.world = world

    def run(self) -> None:
        world, smt = self.world, self.smt
        self.lower(smt.total((1, n) for p in world.players for n in (*p.melds.values(), p.wilds)))
        self.first([smt.negate(world.first)])
        self.first([smt.negate(world.turned), world.turned])
        self.first(list(world.offerer.values()))
        for player in world.players:
            self.first([player.sits[s] for s in (*world.playing[1:], world.playing[0])])
        for parameter in world.game.parameters:
            self.first([world.context[parameter.name, v] for v in parameter.values])
        for player in world.players:
            self._tidy(player)

    def _tidy(self, player: Seated) -> None:
        self.lower(self.smt.total((1, n) for n in player.taken.values()))
        self.raise_(list(player.melds.values()))
        self.raise_(list(player.taken.values()))
        self.raise_(list(player.counts))
