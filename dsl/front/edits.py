"""Small changes of one clause's words, each of which may change what the clause means.

A change is a stretch of the source and what stands there instead. They come in the order of the text;
the same clause always yields the same changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from lark import Token, Tree

from ..core.model import ORIGINS
from .keywords import KEYWORDS, LANGUAGES, PUNCTUATION, spell
from .respell import language_of
from .syntax import Node, all_tokens, child, tokens, trees, unquoted

Kind = Literal["drop", "shift", "swap", "negate"]
Part = Node | Token


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`text` instead of what stands from `start` to `end` (offsets in the source)."""

    start: int
    end: int
    text: str
    kind: Kind


def edits(tree: Node, source: str) -> list[Edit]:
    """Every change of a clause's own words (not of what stands in its braces), in order, each once."""
    found = {edit for node in _nodes(tree) for edit in _of(node)}
    return sorted(_spelled_out(edit, source) for edit in found)


def _nodes(tree: Node) -> Iterator[Node]:
    """All nodes but those whose words only name or cite things."""
    if str(tree.data) not in ("cites", "path", "chosen", "meld_alias", "title"):
        yield tree
        for item in tree.children:
            if isinstance(item, Tree):
                yield from _nodes(item)


def _of(node: Node) -> Iterable[Edit]:
    rule = RULES.get(str(node.data))
    return () if rule is None else rule(node)


def _spelled_out(edit: Edit, source: str) -> Edit:
    """`{}` in what a negation puts stands for the words that are negated."""
    if edit.kind != "negate":
        return edit
    return Edit(edit.start, edit.end, edit.text.format(source[edit.start : edit.end]), edit.kind)


# ---------------------------------------------------------------- stretches


def _start(part: Part) -> int:
    return (part if isinstance(part, Token) else next(all_tokens(part))).start_pos or 0


def _end(part: Part) -> int:
    return (part if isinstance(part, Token) else list(all_tokens(part))[-1]).end_pos or 0


def _drop(first: Part, last: Part | None = None) -> Edit:
    return Edit(_start(first), _end(first if last is None else last), "", "drop")


def _swap(part: Part, text: str) -> Edit:
    return Edit(_start(part), _end(part), text, "swap")


def _like(token: Token, key: str) -> str:
    """Keyword or sign `key` in the language in which `token` is spelled."""
    return (KEYWORDS.get(key) or PUNCTUATION[key])[LANGUAGES.index(language_of(token))]


def _one_less(parts: Sequence[Part]) -> Iterator[Edit]:
    """One of several neighbours left out, and the separator with it."""
    for part, after in pairwise(parts):
        yield Edit(_start(part), _start(after), "", "drop")
    if len(parts) > 1:
        yield Edit(_end(parts[-2]), _end(parts[-1]), "", "drop")


def _shifted(numbers: Iterable[Token], least: int = 0) -> Iterator[Edit]:
    """Each number one more, and one less where it stays at least `least`."""
    for number in numbers:
        value = int(number)
        for other in (value - 1, value + 1):
            if other >= least:
                yield Edit(_start(number), _end(number), str(other), "shift")


def _others(*keys: str) -> Callable[[Node], Iterator[Edit]]:
    """Each other keyword of these that may stand in the place of the one that does."""

    def rule(node: Node) -> Iterator[Edit]:
        for token in tokens(node, *keys):
            yield from (_swap(token, _like(token, key)) for key in keys if key != token.type)

    return rule


# ---------------------------------------------------------------- conditions


def _guarded(node: Node) -> Iterator[Edit]:
    """The condition turned round, the exception left out or turned round."""
    parts = trees(node, "condition")
    yield from (_drop(unless, parts[-1]) for unless in tokens(node, "UNLESS"))
    yield from map(_negated, parts)


def _negated(node: Node) -> Edit:
    keyword = next((t for t in all_tokens(node) if t.type in KEYWORDS), None)
    word = spell("NOT", "zh" if keyword is None else language_of(keyword))
    return Edit(_start(node), _end(node), f"{word} ({{}})", "negate")


def _parts(node: Node) -> Iterator[Edit]:
    """A condition of several: one left out, one turned round, 且 for 或."""
    parts = trees(node)
    if len(parts) > 1:
        yield from _one_less(parts)
        yield from map(_negated, parts)
        yield from _others("AND", "OR")(node)


def _not(node: Node) -> Iterator[Edit]:
    yield from map(_drop, tokens(node, "NOT"))


def _every(node: Node) -> Iterator[Edit]:
    yield from map(_drop, tokens(node, "HELD"))
    yield from (_drop(word, child(node, "name")) for word in tokens(node, "AS"))
    yield _negated(trees(node)[-1])


# ---------------------------------------------------------------- lists and numbers


def _words(node: Node) -> Iterator[Edit]:
    yield from _one_less(trees(node, "word"))


def _names(node: Node) -> Iterator[Edit]:
    yield from _one_less(trees(node, "meld_name"))


def _last(node: Node) -> Iterator[Edit]:
    """末张: one origin less, or another one."""
    listed = [t for t in node.children if isinstance(t, Tree) or t.type == "NONE"]
    words = [t for t in listed if not (isinstance(t, Tree) and t.data == "cites")]
    yield from _one_less(words)
    yield from (e for word in words if isinstance(word, Tree) for e in _other_origins(word))


def _gives(node: Node) -> Iterator[Edit]:
    """`5组 2口`: a number one off, a part left out."""
    numbers, names = tokens(node, "NUMBER"), trees(node, "name")
    yield from _shifted(numbers, least=1)
    if len(names) > 1:
        yield from (_drop(number, name) for number, name in zip(numbers, names, strict=True))


def _numbers(least: int = 0) -> Callable[[Node], Iterator[Edit]]:
    return lambda node: _shifted(tokens(node, "NUMBER"), least)


def _values(node: Node) -> Iterator[Edit]:
    for number in trees(node, "integer"):
        yield from _shifted(tokens(number, "NUMBER"))


def _hole(node: Node) -> Iterator[Edit]:
    yield _swap(node, "0")


# ---------------------------------------------------------------- melds


def _attribute(node: Node) -> Iterator[Edit]:
    """The attribute left out, one of the things it lists, or another number."""
    yield _drop(node)
    yield from _one_less(trees(node, "meld_name", "variable"))
    yield from _shifted(tokens(node, "NUMBER"), least=1)


def _slots(node: Node) -> Iterator[Edit]:
    """Places of a meld: origins left out altogether, or others instead; one place less."""
    yield _drop(node)
    yield from _one_less(tokens(node, "ORDINAL"))
    for words in trees(node, "words"):
        for word in trees(words, "word"):
            yield from _other_origins(word)


def _other_origins(word: Node) -> Iterator[Edit]:
    """The origin before and the one after (of a set: the first and the last of all)."""
    own = unquoted(next(all_tokens(word)))
    at = ORIGINS.index(own) if own in ORIGINS else 0
    beside = {at - 1, (at + 1) % len(ORIGINS)} if own in ORIGINS else {0, -1}
    yield from (_swap(word, ORIGINS[i]) for i in sorted(beside))


# ---------------------------------------------------------------- whole kinds of clauses


def _row(node: Node) -> Iterator[Edit]:
    """A row of a score table: one meld less, without 代, without 逐张."""
    yield from map(_drop, tokens(node, "PER_TILE"))
    over = tokens(node, "OVER")
    names = trees(node, "meld_name")
    yield from _one_less([n for n in names if not over or _start(n) < _start(over[0])])
    yield from (_drop(word, names[-1]) for word in over)


def _transfer(node: Node) -> Iterator[Edit]:
    """A payment: the other way round, on the other outcome, without or against its condition."""
    (outcome,), parties = trees(node, "outcome"), trees(node, "party")
    for token in tokens(outcome, "WIN", "FALSE_WIN"):
        yield _swap(token, _like(token, "WIN" if token.type == "FALSE_WIN" else "FALSE_WIN"))
    payer, payee = (" ".join(map(str, all_tokens(party))) for party in parties)
    if payer != payee:
        word = " ".join(map(str, tokens(node, "PAYS")))
        yield Edit(_start(parties[0]), _end(parties[1]), f"{payee} {word} {payer}", "swap")
    for word in tokens(node, "IF"):
        yield _drop(word, trees(node, "condition")[-1])
    yield from map(_negated, trees(node, "condition"))


def _factor(node: Node) -> Iterator[Edit]:
    """A product without its second factor."""
    first, second = trees(node)
    yield Edit(_end(first), _end(second), "", "drop")


def _rank_line(node: Node) -> Iterator[Edit]:
    """A line of 大小 with two neighbouring tiers the other way round."""
    for high, low in pairwise(trees(node, "tier")):
        one, other = (" ".join(map(str, all_tokens(tier))) for tier in (high, low))
        yield Edit(_start(high), _end(low), f"{other} > {one}", "swap")


def _retune(node: Node) -> Iterator[Edit]:
    """Another number than the clause gives; the old one only says what it was."""
    yield from _shifted(tokens(trees(node, "integer")[1], "NUMBER"))


def _waits(node: Node) -> Iterator[Edit]:
    yield from _one_less(trees(node, "name")[1:])


RULES: dict[str, Callable[[Node], Iterator[Edit]]] = {
    "guarded": _guarded,
    "condition": _parts,
    "conjunction": _parts,
    "negated": _not,
    "every_group": _every,
    "every_meld": _every,
    "words": _words,
    "last_from": _last,
    "win_last": _last,
    "last_in": _names,
    "last_alike": _numbers(),
    "same_tiles": _numbers(least=1),
    "quantity_count": _names,
    "literal": _numbers(),
    "scaled": _numbers(),
    "congruent": _numbers(),
    "comparison": _others("GE", "LE", "EQ"),
    "gives": _gives,
    "cell": _values,
    "hole": _hole,
    "value_of": _values,
    "copies": _numbers(least=1),
    "copies_of": _numbers(least=1),
    "seat": _numbers(),
    "class_not": _not,
    "meld_locked": _attribute,
    "meld_awaits": _attribute,
    "meld_extra": _attribute,
    "meld_grows": _attribute,
    "meld_where": _attribute,
    "meld_across": _attribute,
    "slot": _slots,
    "slots_all": _slots,
    "slots_rest": _slots,
    "row": _row,
    "size": _numbers(least=1),
    "named_win": _numbers(least=1),
    "stacking": _others("HIGHEST", "PRODUCT", "SUM"),
    "choose": _others("PAYMENT", "SCORE"),
    "regroup": _others("UNLOCKED", "ALL", "NONE"),
    "transfer": _transfer,
    "amount_mul": _factor,
    "amount_per": _numbers(least=1),
    "amount_doubled": _factor,
    "amount_number": _numbers(),
    "amount_add": _others("PLUS", "MINUS"),
    "amount_sub": _others("PLUS", "MINUS"),
    "wait_type": _waits,
    "rank_line": _rank_line,
    "retune": _retune,
}
"""For each node of the grammar the changes of what it says."""
