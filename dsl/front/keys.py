"""The key of a clause: the dotted path a delta writes, always in canonical Chinese."""

from __future__ import annotations

from lark import Token

from .keywords import KEYWORDS, spell
from .syntax import Key, Node, child, dotted, name_of, names_of, tokens, trees, unquoted

SECTIONS = {
    "deck": "DECK",
    "origins": "ORIGINS",
    "seats": "SEATS",
    "melds": "MELDS",
    "names": "NAMES",
    "win": "WIN",
    "false_win": "FALSE_WIN",
    "payment": "PAYMENT",
    "waits": "WAITS",
    "ranks": "RANKS",
    "flow": "FLOW",
}
"""Sections whose block adds clauses, and the keyword that heads their paths."""

PRINTED = {
    "ex_verdict": "VERDICT",
    "ex_scores": "EVERY_SCORE",
    "ex_names": "NAMES",
    "ex_payments": "PAYS",
    "ex_waits": "WAITING",
    "ex_types": "CALLED",
}
"""What a source can print of an example, and the keyword of each."""


NAMED = {
    "group": "GROUP",
    "class_of": "CLASS",
    "class_not": "CLASS",
    "class_where": "CLASS",
    "value_of": "VALUE",
    "value_sum": "VALUE",
    "wild": "WILD",
    "mark": "MARK",
    "face_alias": "ALIAS",
    "amount_named": "COUNT",
    "parameter": "PARAMETER",
    "placed_parameter": "PARAMETER",
}
"""Clauses told by a keyword and their name."""


FLOW = {
    **{kind: kind.upper() for kind in ("reserve", "reveal", "opening", "turn", "into_hand", "order", "tie")},
    **{kind: kind.upper() for kind in ("announce", "respond", "veto", "ban", "breach", "next_dealer")},
    **{kind: kind.upper() for kind in ("seating", "no_turn", "own_turned", "after_extra")},
    "raised": "RAISE",
    "skipped": "SKIPS",
    "told": "PARAMETER",
    "leave": "LEAVE",
    "opener": "OPENS",
    **{"plays_by": "PLAYS", "follow": "FOLLOW", "cover": "COVER", "note": "NOTE", "liable": "LIABLE"},
    "halt": "DRAW",
    "saying": "SAYING",
    "rating": "RATING",
}
"""Clauses of the flow, and the keyword of each."""


def key_of(kind: str, node: Node, above: Key) -> Key:
    """The key of a clause of `kind` inside a block whose key is `above`."""
    if kind in SECTIONS:
        return (spell(SECTIONS[kind], "zh"),)
    return above + _own(kind, node)


CALLED = frozenset(
    ("origin_set", "seat", "named_win", "need", "grouping", "false_when", "wait_type", "variant", "rank_line")
)
"""Clauses called by their name alone."""


def _own(kind: str, node: Node) -> Key:
    match kind:
        case "price":
            return (spell("PRICE", "zh"), names_of(node)[0])
        case "option" | "reading" | "example" | "claim" | "printed":
            return (spell(kind.upper(), "zh"), name_of(trees(node, "id")[0]))
        case "ex_printed":
            return (spell("PRINTED", "zh"), spell(PRINTED[str(trees(node)[0].data)], "zh"))
        case "groups":
            return (spell("GROUP", "zh"),)
        case _ if kind in NAMED:
            return (spell(NAMED[kind], "zh"), names_of(node, "name")[0])
        case "loose" | "copies" | "choose" | "regroup" | "columns" | "stacking":
            return (spell(kind.upper(), "zh"),)
        case "shape" | "size":
            return (spell(kind.upper(), "zh"), *names_of(node, "name"))
        case "copies_of":
            return (spell("COPIES", "zh"), *names_of(child(node, "words")))
        case "hand_origin":
            return (spell("HAND", "zh"),)
        case "win_last":
            return (spell("LAST", "zh"),)
        case "meld" | "meld_change" | "row":
            return tuple(dotted(trees(node, "meld_name")[0]).split("."))
        case "waive" | "placed_waive":
            return (spell("WAIVE", "zh"), *map(str, tokens(node, "NAME", "FINGERPRINT")))
        case "delta" if trees(node, "waive"):
            return _own("waive", trees(node, "waive")[0])
        case "transfer":
            return _transfer_key(node)
        case _ if kind in FLOW:
            return _flow_key(kind, node)
        case "forbid" | "sources" | "when" | "unmodelled":
            return (spell({"when": "IF"}.get(kind, kind.upper()), "zh"),)
        case _ if kind in CALLED:
            return (names_of(node, "name")[0],)
        case _:
            return ()


def _flow_key(kind: str, node: Node) -> Key:
    """The key of a clause of the flow: its keyword, and what tells it from others of the kind."""
    word = spell(FLOW[kind], "zh")
    match kind:
        case "announce" | "ban" | "breach" | "veto" | "leave" | "opener":
            return (word, names_of(node, "name")[0])
        case "follow" | "cover" | "note" | "liable" | "halt" | "saying" | "rating":
            return (word, names_of(node, "name")[0])
        case "respond":
            return (word, _first_name(node))
        case "told":
            return (word, *names_of(node, "name"))
        case "next_dealer":
            outcome = spell(tokens(trees(node, "outcome")[0])[0].type, "zh")
            return (word, outcome, *names_of(node, "name"))
        case _:
            return (word,)


def _first_name(node: Node) -> str:
    """What a response is called: by a name, or as the win."""
    second = node.children[1]
    return spell("WIN", "zh") if isinstance(second, Token) else name_of(second)


def _transfer_key(node: Node) -> Key:
    outcome = trees(node, "outcome")[0]
    head = spell(tokens(outcome)[0].type, "zh")
    return (head, *names_of(node, "name"))


def written_path(node: Node) -> Key:
    """The key that a `path` node (after 删 or 调) spells, keywords brought to Chinese."""
    return tuple(_step(tokens(step)[0]) for step in trees(node, "step"))


def _step(token: Token) -> str:
    return spell(token.type, "zh") if token.type in KEYWORDS else unquoted(token)
