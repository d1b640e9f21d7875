"""Two flows of play side by side: which of their clauses say something else, group by group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, get_args

from dsl.core.flow import Flow, Local, LocalAnd, LocalNot, LocalOr, LocalSum, Quantity
from dsl.core.model import Game, Rule
from dsl.core.tricks import Tricks
from dsl.table.words import ENDS

from .findings import Words

GROUPS: Mapping[str, tuple[Words, Mapping[str, str]]] = {
    "deal": (
        ("发牌和开局", "the deal and the opening"),
        {
            "reserve": "留底",
            "reveal": "揭",
            "raised": "抬",
            "seating": "座次",
            "opening": "开局",
            "openers": "报叫",
        },
    ),
    "turn": (
        ("轮到的人", "whoever's turn it is"),
        {
            "turn": "轮",
            "no_turn": "不轮",
            "own_turned": "自翻",
            "into_hand": "入手",
            "after_extra": "补后",
            "exits": "退",
            "tricks": "轮",
        },
    ),
    "claims": (
        ("亮牌和取牌", "melds laid and tiles taken"),
        {
            "announcements": "宣",
            "responses": "应",
            "vetoes": "禁",
            "order": "先后",
            "dealer_first": "同级",
            "skipped": "略座",
        },
    ),
    "discards": (("打不得的", "what may not be discarded"), {"bans": "不得"}),
    "breaches": (("犯了怎样", "what comes of a breach"), {"breaches": "犯", "ratings": "认档"}),
    "end": (
        ("收场和下庄", "the end and the next dealer"),
        {"told": "境", "halts": "流局", "next_dealer": "下庄", "judged": "判"},
    ),
}
"""Groups of clauses, and for each field of `Flow` in one the keyword of its clauses."""

WIN, SIZE = "和", "张数"
"""What lists of clauses call the win, and the false one; and a deal of a wrong number of tiles."""
OF_TYPES, OF_KINDS = ("types", "first", "joins"), ("kinds",)
"""Fields of conditions and clauses that hold numbers of meld types, and of faces."""


@dataclass(frozen=True, slots=True)
class FlowGroup:
    """Clauses of one sort, and those of them that differ: (name, left, right)."""

    name: str
    words: Words
    clauses: tuple[tuple[str, Rule | None, Rule | None], ...]

    @property
    def relation(self) -> str:
        return "different" if self.clauses else "equal"


def compared(left: Game, right: Game) -> tuple[FlowGroup, ...] | None:
    """The groups of clauses of both flows. None where neither game says how it is played."""
    if left.flow is None and right.flow is None:
        return None
    shared = _names(left) & _names(right)
    one, other = parts(left, shared), parts(right, shared)
    found = []
    for group, (words, keywords) in GROUPS.items():
        keys = [key for key in dict.fromkeys((*one, *other)) if key[0] in keywords]
        differing = (key for key in keys if one.get(key) != other.get(key))
        clauses = tuple((name, _rule(left, name), _rule(right, name)) for name in map(_named, differing))
        found.append(FlowGroup(group, words, tuple(dict.fromkeys(clauses))))
    return tuple(found)


Key = tuple[str, ...]
"""The field of the flow, and what tells the clause from others of it."""


def _names(game: Game) -> frozenset[str]:
    """What clauses that list others may name."""
    flow = game.flow or Flow()
    barring = (*(veto.name for veto in flow.vetoes), *(ban.name for ban in flow.bans))
    follow = () if flow.tricks is None else (flow.tricks.follow.name,)
    return frozenset((*flow.announcements, *flow.exits, *flow.responses, *barring, *follow, WIN, SIZE))


def _listing(flow: Flow, shared: frozenset[str]) -> Flow:
    """The flow with only shared names where clauses list others: what one side alone has is told itself."""
    ranks = (tuple(name for name in rank if name in shared) for rank in flow.order)
    return replace(
        flow,
        order=tuple(rank for rank in ranks if rank),
        vetoes=tuple(replace(v, responses=v.responses & shared) for v in flow.vetoes),
        breaches=tuple(replace(b, clauses=tuple(sorted(shared & set(b.clauses)))) for b in flow.breaches),
    )


def parts(game: Game, shared: frozenset[str]) -> dict[Key, Any]:
    """What every clause of the flow says, in a form that does not depend on how it is written down.

    Of the names that clauses list only those in `shared` count.
    """
    flow = _listing(game.flow or Flow(), shared)
    found: dict[Key, Any] = {}
    for place in fields(flow):
        value = getattr(flow, place.name)
        if place.name == "tricks" and flow.tricks is not None:
            found |= {("tricks", *key): normal(game, item) for key, item in _of_tricks(flow.tricks)}
        elif place.name == "judged":
            found |= {(place.name, name): _judgement(of) for name, of in value.items()}
        else:
            found |= {(place.name, *key): normal(game, item) for key, item in _items(value)}
    return found


def _items(value: Any) -> Iterator[tuple[Key, Any]]:
    """The clauses that a field of the flow holds, each with its name."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield (key if isinstance(key, tuple) else (key,)), item
    elif isinstance(value, tuple) and all(hasattr(item, "rule") for item in value):
        for item in value:
            yield (getattr(item, "name", getattr(item, "parameter", "")),), item
    else:
        yield (), value


def _of_tricks(tricks: Tricks) -> Iterator[tuple[Key, Any]]:
    yield ("出法",), tricks.judgement
    yield ("跟", tricks.follow.name), tricks.follow
    if tricks.cover is not None:
        yield ("垫", tricks.cover.name), tricks.cover
    yield from ((("记", note.name), note) for note in tricks.notes)
    yield from ((("包", liable.note), liable) for liable in tricks.liable)


def _judgement(game: Game) -> tuple[Any, ...]:
    return tuple((rule.name, "".join(rule.text.split())) for rule in game.rules)


def _named(key: Key) -> str:
    """The dotted name of a clause."""
    field, *rest = key
    if field == "judged":
        return ".".join(["判", *rest])
    if field == "tricks" and rest:
        return ".".join(["流程", *rest])
    keyword = next(words[field] for _, words in GROUPS.values() if field in words)
    if field == "next_dealer":
        rest[0] = ENDS[rest[0]]
    return ".".join(["流程", keyword, *(part for part in rest if part)])


def _rule(game: Game, name: str) -> Rule | None:
    """The clause of that name; of one told by more than that, the first."""
    exact = next((rule for rule in game.rules if rule.name == name), None)
    return exact or next((rule for rule in game.rules if rule.name.startswith(f"{name}.")), None)


# ---------------------------------------------------------------- what a clause says


UNNAMED = (*get_args(Local), *get_args(Quantity))
"""Conditions: a name in one of them is only for messages."""


def normal(game: Game, value: Any, field: str = "") -> Any:
    """A clause or condition without its place and words, meld types and faces by their names.

    Parts of 且 and 或 have no order, and a negation of a negation is none.
    """
    match value:
        case LocalNot(LocalNot(part)):
            return normal(game, part)
        case LocalAnd() | LocalOr():
            found = sorted(set(_flat(game, value)), key=repr)
            return found[0] if len(found) == 1 else (type(value).__name__, *found)
        case LocalSum(constant, summed):
            return constant, tuple(sorted(((n, normal(game, part)) for n, part in summed), key=repr))
        case frozenset():
            return tuple(sorted(_called(game, item, field) for item in value))
        case tuple():
            return tuple(normal(game, item) for item in value)
    if not is_dataclass(value):
        return value
    left_out = ("rule", "name") if isinstance(value, UNNAMED) else ("rule",)
    told = (part.name for part in fields(value) if part.name not in left_out)
    return type(value).__name__, *((name, normal(game, getattr(value, name), name)) for name in told)


def _flat(game: Game, value: LocalAnd | LocalOr) -> Iterator[Any]:
    """The parts of a conjunction, or disjunction, those of its parts of the same kind among them."""
    for part in value.parts:
        if isinstance(part, type(value)):
            yield from _flat(game, part)
        else:
            yield normal(game, part)


def _called(game: Game, item: Any, field: str) -> Any:
    if field in OF_TYPES:
        return game.types[item].name
    return game.kinds[item].name if field in OF_KINDS else item
