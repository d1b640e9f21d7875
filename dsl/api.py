"""The Python interface: `load` a game, then judge hands with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING, Any

from .core.hand import Hand, Laid, read_hand, regroupable
from .core.model import ORIGINS
from .core.model import Game as Core
from .core.ranks import Place, higher, plays_of
from .front import written as written
from .front.damage import Damage as Damage
from .front.damage import damaged, damages
from .front.load import (
    Library,
    game_or_raise,
    judged,
    judgements_of,
    load_game,
    load_ruleset,
    load_text,
    ruleset_named,
)
from .front.load import split_reference as split_reference
from .front.resolve import Claims as Claims
from .front.resolve.scope import split_tiles
from .judge.compiled import Compiled
from .judge.verdict import Verdict
from .judge.waiting import Waits, waits_of
from .table.playing import Deal
from .table.table import Table
from .text.diagnostics import Diagnostic, SpecError
from .text.source import NOWHERE
from .text.spelling import closest

if TYPE_CHECKING:
    from .judge.arrays import Arrays, Batch
    from .judge.wild_arrays import WildArrays


class HandError(SpecError):
    """The hand cannot be: `diagnostics` says what is wrong with it."""


class Game:
    """A loaded ruleset, ready to judge. Automata are built as hands ask for them and kept."""

    def __init__(self, core: Core, loader: Loader | None = None, like: Game | None = None) -> None:
        """`like`: a game with which it may share automata, such as the one of which it is a variant."""
        self.core = core
        self.compiled = Compiled(core)
        if like is not None:
            self.compiled.borrow(like.compiled)
        self.loader = Loader() if loader is None else loader
        """What read the game; it knows the texts that other options are read from."""

    @property
    def name(self) -> str:
        return self.core.name

    @property
    def options(self) -> Mapping[str, str]:
        return self.core.options

    @property
    def judgements(self) -> tuple[str, ...]:
        """Names of what else is judged of this game's hands, such as whether they are good enough to play."""
        return self.loader.judgements(self.core)

    def judgement(self, name: str) -> Game:
        """One of `judgements`, under the same options. Raises `SpecError`."""
        return Game(self.loader.judgement(self.core, name), self.loader)

    # ------------------------------------------------------------ hands

    def hand(self, data: Mapping[str, Any], missing: int = 0) -> Hand:
        """A hand from the JSON object; `missing=1` for a waiting one. Raises `HandError`."""
        hand, faults = read_hand(self.core, data, missing)
        if hand is None:
            raise HandError(faults, {})
        return hand

    def judge(self, hand: Mapping[str, Any] | Hand) -> Verdict:
        """The full verdict on a declared hand. Raises `HandError` for an impossible one."""
        known = hand if isinstance(hand, Hand) else self.hand(hand)
        compiled = self.compiled.of(known)
        rows = compiled.full.rows(known)
        final, arrangement = compiled.best(known, rows)
        verdict = Verdict(compiled, known, rows, final, arrangement)
        if known.laid:
            self._check_origins(known, verdict)
        return verdict

    def is_win(self, hand: Mapping[str, Any] | Hand) -> bool:
        """Just whether the hand wins."""
        return self.compiled.is_win(hand if isinstance(hand, Hand) else self.hand(hand))

    def waits(self, hand: Mapping[str, Any] | Hand) -> Waits:
        """Every tile that completes a hand which is one tile short. Raises `HandError`."""
        known = hand if isinstance(hand, Hand) else self.hand(hand, missing=1)
        return waits_of(self.compiled, known)

    def beats(self, play: str | Sequence[str], other: str | Sequence[str]) -> bool:
        """Does the first play of a trick beat the other?

        A play is tiles: a list of names, or one text (`三四 三四`). Tiles that make several plays beat if one
        of these does. Raises `HandError` for tiles that are no play of the section 大小.
        """
        mine, theirs = self.places(play), self.places(other)
        return any(higher(a, b) for a in mine for b in theirs)

    def places(self, play: str | Sequence[str]) -> tuple[Place, ...]:
        """Where the plays stand that the tiles make, one at least. Raises `HandError`."""
        core, words = self.core, play.split() if isinstance(play, str) else list(play)
        if not core.ranks:
            raise HandError((Diagnostic("H024", NOWHERE),), {})
        kinds: list[int] = []
        for word in words:
            tiles = split_tiles(word, dict(core.kind_index))
            if tiles is None:
                near = closest(word, core.kind_index)
                raise HandError((Diagnostic("H003", NOWHERE, {"tile": word, "suggestion": near}),), {})
            kinds += tiles
        found = plays_of(core, kinds)
        if not found:
            raise HandError((Diagnostic("H023", NOWHERE, {"tiles": " ".join(words)}),), {})
        return found

    # ------------------------------------------------------------ the table

    @cached_property
    def table(self) -> Table:
        """The interpreter of the game's flow. Raises `ValueError` where the rules have none."""
        return Table(self.core, self.compiled)

    def new_table(self, seed: int) -> Deal:
        """A deal of tiles shuffled by a seed, ready to be played."""
        return Deal(self.table, self.table.wall(seed))

    # ------------------------------------------------------------ many hands

    def judge_many(
        self,
        hands: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        **wild: Any,
    ) -> Batch:
        """Verdicts of n hands as numpy arrays.

        `hands`: (n, kinds) concealed tiles without the last one, or a sequence of `Hand`s that share
        role and exposed melds. `last`: (n,) kinds of the last tiles, -1 for none. `origin`: index in
        `dsl.ORIGINS`, one or (n,). In games with wild tiles further `wilds` (concealed wild tiles, one number
        or (n,)) and `context` (one, or a list of n), and `dsl.core.model.WILD` among `last`.
        """
        if len(hands) and isinstance(hands[0], Hand):
            return self.judge_many(**self._columns(hands))
        return self._arrays_of(role, wild.get("context")).judge(hands, last, origin, role, laid, **wild)

    def win_many(
        self,
        hands: Any,
        last: Any = None,
        origin: Any = None,
        role: str | None = None,
        laid: tuple[Laid, ...] = (),
        **wild: Any,
    ) -> Any:
        """Which of n hands win, as a bool array. Arguments as for `judge_many`."""
        if len(hands) and isinstance(hands[0], Hand):
            return self.win_many(**self._columns(hands))
        return self._arrays_of(role, wild.get("context")).wins(hands, last, origin, role, laid, **wild)

    @cached_property
    def arrays(self) -> Arrays | WildArrays:
        """The automata as numpy tables."""
        return _arrays(self.compiled)

    @cached_property
    def _apart(self) -> dict[str, Arrays | WildArrays]:
        """The same for roles with a shape of their own."""
        return {role: _arrays(compiled) for role, compiled in self.compiled.apart.items()}

    def _arrays_of(self, role: str | None, context: Any) -> Arrays | WildArrays:
        """Those that read the hands of a role, with the marked face that the contexts tell."""
        plain = self._apart[role] if role is not None and role in self._apart else self.arrays
        contexts = [context or {}] if context is None or isinstance(context, Mapping) else context
        faces = {self.core.marked_face(role or self.core.roles[-1], one) for one in contexts}
        if len(faces) > 1:
            raise ValueError("hands of one batch have the same face marked")
        face = next(iter(faces), None)
        if face is None:
            return plain
        if (role, face) not in self._marked:
            self._marked[role, face] = _arrays(plain.compiled.marked(face))
        return self._marked[role, face]

    @cached_property
    def _marked(self) -> dict[tuple[str | None, int], Arrays | WildArrays]:
        """The same for hands with a marked tile."""
        return {}

    def _columns(self, hands: Sequence[Hand]) -> dict[str, Any]:
        first = hands[0]
        wild = self.core.wild is not None
        marked = self.core.mark is not None
        told = [wild or not h.context or (marked and h.context == first.context) for h in hands]
        plain = all(h.role == first.role and h.laid == first.laid for h in hands) and all(told)
        if not plain or any(h.declared is not None for h in hands):
            raise ValueError("hands of one batch share role and exposed melds and declare nothing")
        return {
            "hands": [h.counts for h in hands],
            "last": [-1 if h.last is None else h.last[0] for h in hands],
            "origin": [0 if h.last is None else ORIGINS.index(h.last[1]) for h in hands],
            "role": first.role,
            "laid": first.laid,
            **({"wilds": [h.wilds for h in hands], "context": [h.context for h in hands]} if wild else {}),
            **({"context": first.context} if marked and not wild else {}),
        }

    # ------------------------------------------------------------ origins that are not given

    def _check_origins(self, hand: Hand, verdict: Verdict) -> None:
        """An exposed meld without origins must not decide the verdict by its silence."""
        if all(origin is not None for _, origin, _ in regroupable(self.core, hand)):
            return
        for other in _with_origins(self.core, hand):
            compiled = self.compiled.of(other)
            final, _ = compiled.best(other, compiled.full.rows(other))
            if _face(final) != _face(verdict.final):
                raise HandError((self._unsettled(hand),), {})

    def _unsettled(self, hand: Hand) -> Diagnostic:
        meld = next(m for m in hand.laid if None in m.origins and not self.core.melds[m.meld].type.locked)
        tiles = "".join(self.core.kinds[k].name for k in self.core.melds[meld.meld].tiles)
        return Diagnostic("H017", NOWHERE, {"meld": tiles})


def _arrays(compiled: Compiled) -> Arrays | WildArrays:
    from .judge.arrays import Arrays  # noqa: PLC0415  numpy only when batches are asked for
    from .judge.wild_arrays import WildArrays  # noqa: PLC0415

    return (
        Arrays(compiled)
        if compiled.game.wild is None and compiled.game.mark is None
        else WildArrays(compiled)
    )


def _face(final: Any) -> Any:
    return None if final is None else (final.win, final.score, final.names, final.payments)


def _with_origins(core: Core, hand: Hand) -> Iterable[Hand]:
    """The hand with each silent exposed meld's tiles dealt but for one, which came from anywhere."""
    choices = []
    for laid in hand.laid:
        if None not in laid.origins or core.melds[laid.meld].type.locked:
            choices.append([laid])
            continue
        size = len(laid.origins)
        plain = (core.hand_origin,) * size
        filled = {plain, *((*plain[:i], o, *plain[i + 1 :]) for i in range(size) for o in ORIGINS)}
        choices.append([replace(laid, origins=f) for f in sorted(filled)])
    for combination in product(*choices):
        yield replace(hand, laid=tuple(combination))


def load(reference: str | PathLike[str], options: Mapping[str, object] | None = None) -> Game:
    """A game by path (`specs/…/game.pai`, `PATH[人数=3]`) or by name.

    Option values may be texts or numbers; True and False mean `on` and `off`. Raises `SpecError` with
    every fault when the spec does not load.
    """
    return Loader().load(reference, options)


class Loader:
    """Loads games and reads each file once: for one ruleset under many options."""

    def __init__(self, library: Library | None = None) -> None:
        self._library = Library() if library is None else library

    def load(self, reference: str | PathLike[str], options: Mapping[str, object] | None = None) -> Game:
        """As `load`."""
        chosen = {name: _value(value) for name, value in (options or {}).items()}
        return Game(game_or_raise(load_game(str(reference), chosen, self._library)), self)

    def loads(self, text: str, options: Mapping[str, object] | None = None, shown: str = "-") -> Game:
        """As `loads`."""
        chosen = {name: _value(value) for name, value in (options or {}).items()}
        return Game(game_or_raise(load_text(text, shown, chosen, self._library)), self)

    def again(self, game: Core, options: Mapping[str, str], claims: Claims = True) -> Core:
        """A game with some options changed, from the text as this loader read it, else from its file.

        Examples and statements that are not of `claims` are left out, which is much quicker. Raises
        `SpecError`.
        """
        chosen = {**game.options, **options}
        known = ruleset_named(game.path, game.name, self._library)
        if known is not None:
            return game_or_raise(load_ruleset(known, chosen, self._library, claims))
        return game_or_raise(load_game(f"{game.path}#{game.name}", chosen, self._library, claims))

    def judgements(self, game: Core) -> tuple[str, ...]:
        """Names of the judgements of a game that this loader has read."""
        known = ruleset_named(game.path, game.name, self._library)
        return () if known is None else judgements_of(known, self._library)

    def judgement(self, game: Core, name: str) -> Core:
        """A judgement of a game that this loader has read, under the same options. Raises `SpecError`."""
        known = ruleset_named(game.path, game.name, self._library)
        if known is None:
            return game_or_raise(load_game(f"{game.path}#{game.name}.{name}", game.options, self._library))
        found = judged(known, name, self._library, known.span)
        if isinstance(found, Diagnostic):
            raise SpecError((found,), self._library.sources)
        return game_or_raise(load_ruleset(found, game.options, self._library))

    def damages(self, game: Core, bases: bool = False) -> list[Damage]:
        """Every small change of one clause of a game (and of the templates it stands on), in text order.

        Raises `SpecError` when the text cannot be read again.
        """
        self.again(game, {})
        return damages(game.path, game.name, self._library, game.options, bases)

    def damaged(self, damage: Damage) -> Loader | None:
        """A loader that reads the same files but for the one clause; None when it is no clause any more.

        Whether the game still loads is another question: `again` raises `SpecError` as always.
        """
        library = damaged(damage, self._library)
        return None if library is None else Loader(library)


def loads(text: str, options: Mapping[str, object] | None = None, shown: str = "-") -> Game:
    """The one ruleset written in `text`; messages call it `shown`. Raises `SpecError`."""
    return Loader().loads(text, options, shown)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
