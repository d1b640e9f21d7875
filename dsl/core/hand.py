"""A hand as the JSON interface spells it, checked against a game's deck and melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..text.diagnostics import Diagnostic
from ..text.source import NOWHERE, Span
from ..text.spelling import closest
from .evaluate import Situation
from .model import ORIGINS, OWN, WILD, Game, Meld
from .parts import names_by_word

FIELDS = frozenset({"role", "laid", "hand", "last", "context", "declare"})


@dataclass(frozen=True, slots=True)
class Laid:
    """An exposed meld. `origins` follow the meld's slots; None where the input does not say."""

    meld: int
    origins: tuple[str | None, ...]
    stands: tuple[int, ...] = ()
    """Faces for which a wild tile lies in it, sorted; where the meld itself does not say."""


@dataclass(frozen=True, slots=True)
class Hand:
    """局面: exposed melds, concealed tiles, the last tile, and the situation around them."""

    role: str
    laid: tuple[Laid, ...]
    counts: tuple[int, ...]
    """Concealed tiles per kind, the last tile not included."""
    last: tuple[int, str] | None
    context: Mapping[str, str] = field(default_factory=dict, hash=False)
    declared: tuple[str, ...] | None = None
    wilds: int = 0
    """Concealed wild tiles, the last tile not included."""

    @property
    def situation(self) -> Situation:
        origin = None if self.last is None else self.last[1]
        return Situation(self.role, origin, self.context, self.declared, self.last_wild, self.last_alike)

    @property
    def last_alike(self) -> int:
        """How many concealed tiles have the face of a natural last tile, that one not counted."""
        return sum(self.counts[self.last[0] : self.last[0] + 1]) if self.last is not None else 0

    @property
    def last_wild(self) -> bool:
        """Is the last tile a wild one?"""
        return self.last is not None and self.last[0] == WILD

    def tiles(self, game: Game) -> Counter[int]:
        """Every tile of the hand, exposed, concealed and last."""
        total = Counter({k: n for k, n in enumerate(self.counts) if n})
        for laid in self.laid:
            total.update(tiles_of(game, laid))
        if self.wilds:
            total[WILD] += self.wilds
        if self.last is not None:
            total[self.last[0]] += 1
        return total

    def size(self, game: Game) -> int:
        """How many tiles that is."""
        laid = sum(len(game.melds[m.meld].tiles) for m in self.laid)
        return laid + sum(self.counts) + self.wilds + (self.last is not None)

    def all_wilds(self, game: Game) -> int:
        """Wild tiles, exposed ones and the last one included."""
        laid = sum(game.melds[m.meld].wilds + len(m.stands) for m in self.laid)
        return laid + self.wilds + self.last_wild


def tiles_of(game: Game, laid: Laid) -> list[int]:
    """The tiles of an exposed meld in the order of its places, wild ones as `WILD`."""
    slots, left = game.melds[laid.meld].slots, list(laid.stands)
    tiles = [slot.tile for slot in slots]
    for place in range(len(tiles) - 1, -1, -1):
        origin = laid.origins[place]
        own = bool(slots[place].origins & OWN) if origin is None else origin in OWN
        if own and tiles[place] in left:
            left.remove(tiles[place])
            tiles[place] = WILD
    return tiles


def stands_of(game: Game, laid: Laid) -> tuple[int, ...]:
    """Ids of the stands that tell which tiles of an exposed meld are wild."""
    places = {m.tiles[0]: m.id for m in game.melds if m.stand} if laid.stands else {}
    return tuple(places[kind] for kind in laid.stands)


def fixed(game: Game, hand: Hand) -> tuple[Laid, ...]:
    """The exposed melds that may not be regrouped."""
    return tuple(m for m in hand.laid if game.melds[m.meld].type.locked)


def regroupable(game: Game, hand: Hand) -> list[tuple[int, str | None, bool]]:
    """The tiles of exposed melds that may be regrouped: kind, origin, does a wild one stand for it?"""
    found: list[tuple[int, str | None, bool]] = []
    for laid in hand.laid:
        meld = game.melds[laid.meld]
        if not meld.type.locked:
            tiles = zip(meld.slots, laid.origins, tiles_of(game, laid), strict=True)
            found += [(slot.tile, origin, tile != slot.tile) for slot, origin, tile in tiles]
    return found


def to_json(game: Game, hand: Hand) -> dict[str, Any]:
    """The hand in the JSON interface's form."""
    result: dict[str, Any] = {"role": hand.role}
    if hand.laid:
        result["laid"] = [_laid_json(game, laid, hand.context) for laid in hand.laid]
    tiles = [k for k, n in enumerate(hand.counts) for _ in range(n)] + [WILD] * hand.wilds
    result["hand"] = [tile_name(game, k, hand.context) for k in tiles]
    if hand.last is not None:
        result["last"] = {"tile": tile_name(game, hand.last[0], hand.context), "from": hand.last[1]}
    if hand.context:
        result["context"] = dict(hand.context)
    if hand.declared is not None:
        result["declare"] = list(hand.declared)
    return result


def tile_name(game: Game, tile: int, context: Mapping[str, str]) -> str:
    """What stands on the tile; a wild one has the face the context gives it, or its own name."""
    if tile != WILD:
        return game.kinds[tile].name
    face = game.wild_face(context)
    if face is not None:
        return game.kinds[face].name
    return game.wild.name if game.wild is not None else ""


RED = "红"
"""The class of kinds that are printed in red, where a game has it."""


def is_red(game: Game, tile: int) -> bool:
    """Is it printed in red? A wild tile is not."""
    return tile != WILD and RED in game.kinds[tile].classes


def _laid_json(game: Game, laid: Laid, context: Mapping[str, str]) -> dict[str, Any]:
    meld = game.melds[laid.meld]
    tiles = [tile_name(game, tile, context) for tile in tiles_of(game, laid)]
    entry: dict[str, Any] = {"meld": meld.type.name, "tiles": tiles}
    if None not in laid.origins:
        entry["origins"] = list(laid.origins)
    return entry


# ---------------------------------------------------------------- reading


def read_hand(
    game: Game, data: object, missing: int = 0, at: Span = NOWHERE
) -> tuple[Hand | None, tuple[Diagnostic, ...]]:
    """The hand that `data` describes, or the faults of it.

    `missing` is how many tiles it is short of a finished hand: 0 to judge, 1 to ask for its waits.
    """
    reader = _Reader(game, at)
    hand = reader.hand(data, missing)
    return (None if reader.faults else hand), tuple(reader.faults)


def read_context(game: Game, data: Mapping[str, str]) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """What is told of a situation, and the faults of it; what decides the wild tile may be left untold."""
    reader = _Reader(game, NOWHERE)
    found = reader.context(data)
    return found, tuple(fault for fault in reader.faults if fault.code not in ("H019", "H021"))


class _Reader:
    def __init__(self, game: Game, at: Span) -> None:
        self.game = game
        self.at = at
        self.faults: list[Diagnostic] = []
        self.wild_face: int | None = None

    def fault(self, code: str, **values: object) -> None:
        self.faults.append(Diagnostic(code, self.at, values))

    def hand(self, data: object, missing: int) -> Hand | None:
        if not isinstance(data, Mapping):
            self.fault("H002", field="hand", expected=("对象", "an object"))
            return None
        for name in data:
            if name not in FIELDS:
                self.fault("H015", field=str(name), suggestion=closest(str(name), FIELDS))
        role = self._role(data.get("role"))
        self.game = self.game.seen_by(role)
        context = self.context(data.get("context", {}))
        self.wild_face = self.game.wild_face(context)
        tiles = self._tiles(data.get("hand", []))
        hand = Hand(
            role=role,
            laid=self._all_laid(data.get("laid", [])),
            counts=tuple(tiles[k] for k in range(len(self.game.kinds))),
            last=self._last(data.get("last")),
            context=context,
            declared=self._declared(data.get("declare")),
            wilds=tiles[WILD],
        )
        if not self.faults:
            self._check_copies(hand)
            self._check_size(hand, missing)
        return hand

    # ------------------------------------------------------------ the fields

    def _role(self, role: object) -> str:
        roles = self.game.roles
        if role is None:
            return roles[-1]
        if role not in roles:
            self.fault("H010", role=str(role), suggestion=closest(str(role), roles), allowed=list(roles))
            return roles[-1]
        return str(role)

    def _kind(self, tile: object) -> int | None:
        found = self.game.kind_index.get(tile) if isinstance(tile, str) else None
        wild = self.game.wild
        named = wild is not None and (tile == wild.name or tile in wild.aliases)
        if named or (found is not None and found == self.wild_face):
            return WILD
        if found is None:
            self.fault("H003", tile=str(tile), suggestion=closest(str(tile), self.game.kind_index))
        return found

    def _strings(self, value: object, name: str) -> list[str]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.fault("H002", field=name, expected=("文字的列表", "a list of texts"))
            return []
        if not all(isinstance(v, str) for v in value):
            self.fault("H002", field=name, expected=("文字的列表", "a list of texts"))
            return []
        return list(value)

    def _tiles(self, tiles: object) -> Counter[int]:
        kinds = (self._kind(tile) for tile in self._strings(tiles, "hand"))
        return Counter(kind for kind in kinds if kind is not None)

    def _origin(self, origin: object) -> str | None:
        if origin not in ORIGINS:
            self.fault("H011", origin=str(origin), suggestion=closest(str(origin), ORIGINS))
            return None
        return str(origin)

    def _last(self, last: object) -> tuple[int, str] | None:
        if last is None:
            return None
        if not isinstance(last, Mapping) or set(last) != {"tile", "from"}:
            self.fault("H002", field="last", expected=('{"tile": …, "from": …}', '{"tile": …, "from": …}'))
            return None
        kind, origin = self._kind(last["tile"]), self._origin(last["from"])
        return None if kind is None or origin is None else (kind, origin)

    def context(self, context: object) -> dict[str, str]:
        if not isinstance(context, Mapping):
            self.fault("H002", field="context", expected=("对象", "an object"))
            return {}
        known = {p.name: p.values for p in self.game.parameters}
        result = {}
        for name, value in self._deciding(context).items():
            if name not in known:
                self.fault("H012", name=str(name), suggestion=closest(str(name), known))
            elif value not in known[name]:
                self.fault("H013", name=name, value=str(value), allowed=list(known[name]))
            else:
                result[str(name)] = str(value)
        return result

    def _deciding(self, context: Mapping[object, object]) -> dict[object, object]:
        """The context with the tile that decides the wild face: it, or the wild face itself, must be told."""
        wild, result = self.game.wild, dict(context)
        if wild is None or wild.parameter is None:
            return result
        if wild.own:
            if wild.parameter not in result:
                self.fault("H021", parameter=wild.parameter)
            return result
        face = result.pop(wild.name, None)
        before = {self.game.wild_face({wild.parameter: k.name}): k.name for k in self.game.kinds}
        if face is not None:
            kind = self.game.kind_index.get(str(face))
            if kind not in before:
                self.fault("H003", tile=str(face), suggestion=closest(str(face), self.game.kind_index))
            elif result.setdefault(wild.parameter, before[kind]) != before[kind]:
                self.fault("H020", wild=wild.name, face=str(face), parameter=wild.parameter)
        if wild.parameter not in result and not self.faults:
            self.fault("H019", parameter=wild.parameter, wild=wild.name)
        return result

    def _declared(self, declared: object) -> tuple[str, ...] | None:
        if declared is None:
            return None
        known = names_by_word(self.game.names)
        names = self._strings(declared, "declare")
        for name in names:
            if name not in known:
                self.fault("H014", name=name, suggestion=closest(name, known))
        return tuple(dict.fromkeys(known.get(name, name) for name in names))

    # ------------------------------------------------------------ exposed melds

    def _all_laid(self, laid: object) -> tuple[Laid, ...]:
        if isinstance(laid, str) or not isinstance(laid, Sequence):
            self.fault("H002", field="laid", expected=("列表", "a list"))
            return ()
        found = [self._one_laid(entry) for entry in laid]
        return tuple(entry for entry in found if entry is not None)

    def _one_laid(self, entry: object) -> Laid | None:
        if not isinstance(entry, Mapping) or not {"meld", "tiles", "origins"} >= set(entry):
            self.fault(
                "H002", field="laid", expected=('{"meld": …, "tiles": […]}', '{"meld": …, "tiles": […]}')
            )
            return None
        tiles = [self._kind(t) for t in self._strings(entry.get("tiles", []), "tiles")]
        if None in tiles:
            return None
        kinds = [k for k in tiles if k is not None]
        origins = self._origins(entry.get("origins"), len(kinds))
        if self.faults:
            return None
        return self._settle(kinds, origins, entry.get("meld"))

    def _origins(self, origins: object, size: int) -> list[str] | None:
        if origins is None:
            return None
        found = [o for o in (self._origin(o) for o in self._strings(origins, "origins")) if o is not None]
        if len(found) != size:
            self.fault("H018", found=len(found), expected=size)
        return found

    def _settle(self, kinds: list[int], origins: list[str] | None, name: object) -> Laid | None:
        """The one ground meld that tiles, origins and name describe."""
        tiles = "".join(self.game.kinds[k].name if k != WILD else self._wild_name() for k in kinds)
        wanted = Counter(kinds)
        named = [m for m in self.game.melds if m.base is None and (name is None or called(m, str(name)))]
        if not named:
            known = [t.family for t in self.game.types] + [t.name for t in self.game.types]
            self.fault("H006", meld=str(name), suggestion=closest(str(name), known))
            return None
        melds = [m for m in named if can_lie(self.game, m) or laid_in_play(self.game, m)]
        if not melds:
            self.fault("H016", meld=str(name))
            return None
        melds = [m for m in melds if _stands(self.game, m, wanted) is not None]
        if not melds:
            self.fault("H007", tiles=tiles, meld=str(name) if name is not None else ("牌型", "meld"))
            return None
        if origins is not None:
            return self._by_origins(melds, kinds, origins, str(name) if name is not None else tiles)
        return self._by_name(melds, wanted)

    def _wild_name(self) -> str:
        return self.game.wild.name if self.game.wild is not None else ""

    def _by_origins(self, melds: list[Meld], kinds: list[int], origins: list[str], name: str) -> Laid | None:
        fitting = [(m, seats) for m in melds if (seats := seated(m, kinds, origins)) is not None]
        if not fitting:
            self.fault("H008", origins=origins, meld=name)
            return None
        # a type may be called what its family is: there is no longer name to tell it from the others by
        fitting = [fit for fit in fitting if fit[0].type.name == name] or fitting
        if not alike([m for m, _ in fitting]):
            self.fault("H009", candidates=[m.type.name for m, _ in fitting])
            return None
        meld, seats = fitting[0]
        return Laid(meld.id, seats, _stands(self.game, meld, Counter(kinds)) or ())

    def _by_name(self, melds: list[Meld], tiles: Counter[int]) -> Laid | None:
        if not alike(melds):
            self.fault("H009", candidates=list(dict.fromkeys(m.type.name for m in melds)))
            return None
        meld = melds[0]
        origins = tuple(_only(slot.origins) for slot in meld.slots)
        return Laid(meld.id, origins, _stands(self.game, meld, tiles) or ())

    # ------------------------------------------------------------ the whole

    def _check_copies(self, hand: Hand) -> None:
        natural = self.game.copies_in(hand.context)
        for kind, found in sorted(hand.tiles(self.game).items()):
            wild = self.game.wild if kind == WILD else None
            copies = natural[kind] if wild is None else wild.copies
            if found > copies:
                self._too_many(kind, found, copies, hand.context)

    def _too_many(self, kind: int, found: int, copies: int, context: Mapping[str, str]) -> None:
        """More of a tile than there are: than the deck has, or than the context leaves of it."""
        game, name = self.game, tile_name(self.game, kind, context)
        if kind == WILD or copies == game.kinds[kind].copies or game.wild is None:
            self.fault("H004", tile=name, found=found, copies=copies)
            return
        parameter = game.wild.parameter or ""
        value = context.get(parameter, "")
        self.fault("H022", tile=name, found=found, copies=copies, parameter=parameter, value=value)

    def _check_size(self, hand: Hand, missing: int) -> None:
        extra = sum(self.game.melds[m.meld].type.extra for m in hand.laid)
        expected = extra + self.game.finished
        if missing or hand.last is not None:
            expected = extra + self.game.waiting + (not missing)
        if missing and hand.last is not None:
            self.fault("H015", field="last", suggestion=None)
        if self.game.any_size:
            return
        found = hand.size(self.game)
        dealt_whole = hand.last is not None or missing or self.game.dealt[hand.role] >= self.game.finished
        what = ("听牌的手", "waiting hand") if missing else ("和牌的手", "finished hand")
        if found != expected or not dealt_whole:
            needed = expected if dealt_whole or found != expected else expected - 1
            self.fault("H005", found=found, what=what, expected=needed)


def _only(origins: frozenset[str]) -> str | None:
    return next(iter(origins)) if len(origins) == 1 else None


def _stands(game: Game, meld: Meld, tiles: Counter[int]) -> tuple[int, ...] | None:
    """Faces for which the wild ones of the tiles stand in the meld; None when they do not make it."""
    own = Counter(slot.tile for slot in meld.slots)
    missing = own - tiles
    if game.wild is None or not game.wild.free or not tiles[WILD]:
        return () if own == tiles else None
    if game.bars(meld):
        return None
    natural = Counter({kind: n for kind, n in tiles.items() if kind != WILD})
    places = Counter(slot.kind for slot in meld.slots if slot.origins & OWN)
    fits = natural and not natural - own and missing.total() == tiles[WILD] and not missing - places
    return tuple(sorted(missing.elements())) if fits else None


def can_lie(game: Game, meld: Meld) -> bool:
    """Can the meld be laid: it is locked, or it can stand in a finished hand, and shows what it is.

    A wild tile is of its holder's own making: it lies only where nothing is regrouped, beside a natural one.
    """
    if meld.base is not None or (meld.wilds and not (meld.type.locked and meld.counts)):
        return False
    pairs = zip(meld.type.gives, game.win.shape, strict=True)
    return meld.type.locked or all(g <= s for g, s in pairs)


def laid_in_play(game: Game, meld: Meld) -> bool:
    """Do players lay the meld, though no finished hand can hold it? Its tiles are regrouped then."""
    if game.flow is None or meld.base is not None or meld.wilds:
        return False
    return meld.type.index in game.flow.laid


def called(meld: Meld, name: str) -> bool:
    """Is the meld's type called so: full name, a leading part of it, family or alias?"""
    kind = meld.type
    return name in (kind.name, kind.family) or name in kind.aliases or kind.name.startswith(name + ".")


def alike(melds: list[Meld]) -> bool:
    """Do these melds count and cost the same, so that it does not matter which one is meant?"""
    faces = {
        (m.type.family, m.type.gives, m.type.locked, m.type.extra, tuple(p.points for p in m.prices))
        for m in melds
    }
    return len(faces) == 1


def seated(meld: Meld, kinds: list[int], origins: list[str]) -> tuple[str, ...] | None:
    """Origins per slot of the meld when the given tiles fit it, else None."""
    free = list(zip(kinds, origins, strict=True))
    return _seated_in_turn(meld, free.copy()) or _seated_somehow(meld, free)


def _seated_in_turn(meld: Meld, free: list[tuple[int, str]]) -> tuple[str, ...] | None:
    """Each place takes the first tile that fits it, as nearly always is possible; None where that fails."""
    found = []
    for slot in meld.slots:
        for place, (tile, origin) in enumerate(free):
            own = tile == slot.tile or (tile == WILD and origin in OWN)
            if own and origin in slot.origins:
                found.append(origin)
                del free[place]
                break
        else:
            return None
    return tuple(found)


def _seated_somehow(meld: Meld, free: list[tuple[int, str]]) -> tuple[str, ...] | None:
    def seat(index: int) -> tuple[str, ...] | None:
        if index == len(meld.slots):
            return ()
        slot = meld.slots[index]
        for tile in dict.fromkeys(free):
            own = tile[0] == slot.tile or (tile[0] == WILD and tile[1] in OWN)
            if own and tile[1] in slot.origins:
                free.remove(tile)
                rest = seat(index + 1)
                if rest is not None:
                    return (tile[1], *rest)
                free.append(tile)
        return None

    return seat(0)
