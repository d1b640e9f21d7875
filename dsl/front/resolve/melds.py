"""牌型: patterns filled with every fitting choice of faces."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from ...core.model import ORIGINS, Meld, MeldType, Slot
from ..syntax import (
    Clause,
    Node,
    child,
    dotted,
    first_number,
    has_token,
    names_of,
    tokens,
    trees,
)
from .arithmetic import pattern_condition
from .deck import origins_of
from .scope import Scope, rule_of

ORDINALS = "一二三四五六七八九十"
ANY = frozenset(ORIGINS)


def resolve_melds(scope: Scope) -> None:
    """Fill dims, types and ground melds of the scope."""
    clauses = scope.assembled.under("牌型")
    if not clauses and not scope.assembled.ruleset.template:
        example = ("牌型 { 句 a b c 作 1组 }", "melds { 句 a b c as 1组 }")
        scope.fault("T016", scope.assembled.ruleset.span, section="牌型", example=example)
    for clause in clauses:
        for gives in trees(clause.tree, "meld_gives"):
            for name in names_of(trees(gives, "gives")[0]):
                scope.dim(name)
    policy = _regroup(scope)
    deck = tuple(scope.assembled.under("牌"))
    for clause in clauses:
        _meld(scope, clause, policy, deck)
    _check_growth(scope)


def _check_growth(scope: Scope) -> None:
    for meld_type in scope.types:
        for name in meld_type.grows:
            scope.types_or_fault(name, meld_type.rule.span)


def check_by_last(scope: Scope) -> None:
    """T035 for each meld whose extra tile is the last one where the size of the hand would not tell it."""
    grown = {t.index for meld_type in scope.types for n in meld_type.grows for t in scope.types_named(n)}
    for kind in (t for t in scope.types if t.by_last):
        plain = any(
            all(scope.hand_origin in s.origins for s in m.slots) for m in scope.melds if m.type is kind
        )
        for wrong, why in (
            (not kind.locked, ("它要 `锁` 着，摆出来不能重组", "it must stay as it was laid (`locked`)")),
            (plain, ("总得有一张不是手里的", "one of its tiles must be none of the concealed ones")),
            (
                kind.grows or kind.index in grown,
                ("它和 `成` 不能连用", "it can neither grow nor be grown to"),
            ),
            (scope.wild is not None, ("有赖子的牌不能用", "there must be no wild tiles")),
        ):
            if wrong:
                scope.fault("T035", kind.rule.span, meld=kind.name, why=why)


def _regroup(scope: Scope) -> str:
    """重组: which exposed melds stay as they are (UNLOCKED: the locked ones; ALL: none; NONE: all)."""
    clause = scope.assembled.clauses.get(("和", "重组"))
    return tokens(clause.tree)[-1].type if clause is not None and _policy(clause.tree) else "UNLOCKED"


def _policy(tree: Node) -> bool:
    return any(has_token(tree, t) for t in ("UNLOCKED", "ALL", "NONE"))


@dataclass(slots=True)
class _Reading:
    """One meld clause taken apart."""

    variables: list[str]
    """The letter of each place of the pattern."""
    least: list[int]
    """Tiles that each place has at least."""
    open: list[bool]
    """Whether a place can have more."""
    gives: tuple[int, ...]
    locked: bool
    extra: int
    by_last: bool
    awaits: list[str]
    aliases: frozenset[str]
    where: list[Node]
    across: bool
    grows: tuple[str, ...]
    room: int | None

    @property
    def pattern(self) -> tuple[Hashable, ...]:
        """What decides which tiles melds have, besides the deck and their origins."""
        places = tuple(self.variables), tuple(self.least), tuple(self.open)
        return *places, tuple(self.awaits), tuple(self.where), self.across


def _meld(scope: Scope, clause: Clause, policy: str, deck: tuple[Clause, ...]) -> None:
    reading = _read(scope, clause, policy)
    plain = [n for n in clause.tree.children if not isinstance(n, str) and str(n.data).startswith("slot")]
    base = _slots(scope, clause, plain, [ANY] * len(reading.variables))
    name = ".".join(clause.key[1:])
    variants = [c for c in clause.children if c.kind == "variant"]
    if not variants:
        _fill(scope, clause, name, reading, base, deck)
    for variant in variants:
        slots = _slots(scope, variant, trees(variant.tree), base)
        full = f"{name}.{names_of(variant.tree, 'name')[0]}"
        _fill(scope, variant, full, reading, slots, deck)


def _read(scope: Scope, clause: Clause, policy: str) -> _Reading:
    tree = clause.tree
    places = trees(pattern) if (pattern := child(tree, "pattern")) is not None else []
    gives = [0] * len(scope.dims)
    for node in trees(tree, "meld_gives"):
        inner = trees(node, "gives")[0]
        for number, name in zip(tokens(inner, "NUMBER"), names_of(inner), strict=True):
            gives[scope.dim(name)] += int(number)
    locked = {"UNLOCKED": child(tree, "meld_locked") is not None, "ALL": False, "NONE": True}[policy]
    extra = child(tree, "meld_extra")
    drawn, by_last = _extra(extra), extra is not None and has_token(extra, "LAST")
    locked = locked or (drawn > 0 and not by_last)  # what it drew was drawn for lying there
    awaits = [str(t) for n in trees(tree, "meld_awaits") for v in trees(n) for t in tokens(v)]
    aliases = [w for n in trees(tree, "meld_alias") for w in names_of(child(n, "words"))]
    where = [trees(n)[0] for n in trees(tree, "meld_where")]
    return _Reading(
        [_letter(place) for place in places],
        [int(place.data != "optional") for place in places],
        [place.data != "variable" for place in places],
        tuple(gives),
        locked,
        drawn,
        by_last,
        awaits,
        frozenset(aliases),
        where,
        child(tree, "meld_across") is not None,
        tuple(dotted(n) for g in trees(tree, "meld_grows") for n in trees(g, "meld_name")),
        next((first_number(n) for n in trees(tree, "meld_wild")), None),
    )


def _letter(place: Node) -> str:
    """The letter of `a`, `a…` or `（a…）`."""
    inner = place if place.data == "variable" else trees(place, "variable")[0]
    return str(tokens(inner)[0])


def _extra(node: Node | None) -> int:
    """How many tiles a meld draws; the last tile is one."""
    if node is None:
        return 0
    return 1 if has_token(node, "LAST") else first_number(node)


def _slots(
    scope: Scope, clause: Clause, nodes: list[Node], base: list[frozenset[str]]
) -> list[frozenset[str]]:
    """The origins each place of the pattern may have; 皆 sets all, 第n one, 其余 those not named."""
    result, named = list(base), set[int]()
    for node in nodes:
        if node.data == "slot":
            origins = origins_of(scope, clause, names_of(child(node, "words")))
            for number in (ordinal(str(t)) for t in tokens(node, "ORDINAL")):
                if not 1 <= number <= len(base):
                    scope.fault("T007", scope.span(clause, node), slot=number, size=len(base))
                    continue
                named.add(number - 1)
                result[number - 1] = origins
    for node in nodes:
        if node.data in ("slots_all", "slots_rest"):
            origins = origins_of(scope, clause, names_of(child(node, "words")))
            result = [o if i in named else origins for i, o in enumerate(result)]
    return result


def ordinal(text: str) -> int:
    """`第四`, `第 4` or `slot 4` as a number."""
    word = text.removeprefix("第").removeprefix("slot").strip()
    return ORDINALS.index(word) + 1 if word in ORDINALS else int(word)


def _fill(
    scope: Scope,
    clause: Clause,
    name: str,
    reading: _Reading,
    slots: list[frozenset[str]],
    deck: tuple[Clause, ...],
) -> None:
    meld_type = MeldType(
        index=len(scope.types),
        name=name,
        family=name.split(".")[0],
        aliases=reading.aliases,
        gives=reading.gives,
        locked=reading.locked,
        laid_only=reading.extra > 0 and not reading.by_last,
        extra=reading.extra,
        rule=rule_of(clause),
        grows=reading.grows,
        by_last=reading.by_last,
    )
    scope.types.append(meld_type)
    if reading.room is not None:
        scope.rooms[meld_type.index] = reading.room
    key = (deck, *reading.pattern, tuple(slots))
    before = len(scope.faults)
    found = scope.patterns.get(key) or tuple(_patterns(scope, clause, reading, slots))
    if len(scope.faults) == before:
        scope.patterns[key] = found
    for filled, tiles, counts, awaits in found:
        scope.melds.append(Meld(len(scope.melds), meld_type, filled, tiles, counts, (), awaits))


def _patterns(
    scope: Scope, clause: Clause, reading: _Reading, slots: list[frozenset[str]]
) -> Iterator[tuple[tuple[Slot, ...], tuple[int, ...], tuple[tuple[int, int], ...], frozenset[int]]]:
    """The pattern over the deck: slots, tiles, how many of each, and faces waited for; each once."""
    seen: set[tuple[tuple[int, frozenset[str]], ...]] = set()
    for binding in _bindings(scope, clause, reading):
        for filled in _filled(scope, reading, binding, slots):
            key = tuple(sorted(((s.kind, s.origins) for s in filled), key=lambda p: (p[0], sorted(p[1]))))
            if key not in seen:
                seen.add(key)
                tiles = tuple(s.kind for s in filled)
                counts = tuple(sorted(Counter(tiles).items()))
                yield filled, tiles, counts, _awaited(scope, reading, binding)


def _filled(
    scope: Scope, reading: _Reading, binding: dict[str, int], slots: list[frozenset[str]]
) -> Iterator[tuple[Slot, ...]]:
    """The pattern with these faces: a place has one tile, or, with `…`, every number there can be."""
    kinds = [binding[v] for v in reading.variables]
    most = [scope.kinds[k].copies if more else 1 for k, more in zip(kinds, reading.open, strict=True)]
    for numbers in itertools.product(*(range(a, b + 1) for a, b in zip(reading.least, most, strict=True))):
        held = Counter[int]()
        for kind, number in zip(kinds, numbers, strict=True):
            held[kind] += number
        if held.total() and all(n <= scope.kinds[k].copies for k, n in held.items()):
            parts = zip(kinds, slots, numbers, strict=True)
            yield tuple(Slot(k, o) for k, o, number in parts for _ in range(number))


def _bindings(scope: Scope, clause: Clause, reading: _Reading) -> Iterator[dict[str, int]]:
    """Every assignment of different faces to the variables that the pattern allows."""
    names = list(dict.fromkeys(reading.variables))
    need = Counter[str]()
    for letter, least in zip(reading.variables, reading.least, strict=True):
        need[letter] += least
    pools: list[tuple[int, ...]]
    if reading.across or len(names) == 1:
        pools = [tuple(range(len(scope.kinds)))]
    else:
        pools = [group.kinds for group in scope.groups]
    for pool in pools:
        for faces in itertools.permutations(pool, len(names)):
            binding = dict(zip(names, faces, strict=True))
            enough = all(scope.kinds[binding[v]].copies >= n for v, n in need.items())
            if enough and all(pattern_condition(scope, clause, w, binding) for w in reading.where):
                yield binding


def _awaited(scope: Scope, reading: _Reading, binding: dict[str, int]) -> frozenset[int]:
    """Faces the meld waits for: bound variables, and for a new variable every other face of the group."""
    found: set[int] = set()
    for variable in reading.awaits:
        if variable in binding:
            found.add(binding[variable])
        else:
            first = next(iter(binding.values()))
            group = scope.kinds[first].group
            others = scope.groups[group].kinds if group is not None else ()
            found.update(set(others) - set(binding.values()))
    return frozenset(found)
