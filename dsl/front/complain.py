"""A clause that the grammar refuses, in words that tell its author what to change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lark import Token

from ..text.codes import Lang
from ..text.diagnostics import Diagnostic
from ..text.source import Span
from ..text.spelling import closest
from .keywords import KEYWORDS, PUNCTUATION, SPELLINGS, glued, spell
from .lex import grammar, span_of
from .structure import RawClause
from .usage import SYNONYMS, example, home

Words = tuple[str, str]

PHRASES: dict[str, Words] = {
    "BLOCK": ("`{`", "`{`"),
    "NAME": ("名称", "a name"),
    "NUMBER": ("数", "a number"),
    "STRING": ("「文字」", "a quoted text"),
    "FACT": ("出处编号", "a citation"),
    "FINGERPRINT": ("指纹（照 `paigui verify` 印的抄）", "a fingerprint as `paigui verify` prints it"),
    "LETTER": ("字母 `a b c`", "letters `a b c`"),
    "ORDINAL": ("`第几`", "`slot n`"),
}
"""Kinds of token that have no one spelling."""

TOGETHER: tuple[tuple[frozenset[str], Words], ...] = (
    (
        frozenset({"DECK", "MELDS", "SEATS"}),
        (
            "一节（如 `牌`、`牌型`、`和`）或一处改动（如 `改`、`加`）",
            "a section (`deck`, `melds`, `win` …) or a change (`replace` …)",
        ),
    ),
    (frozenset({"NONE", "NOT", "NAME", "NUMBER", "TRUE"}), ("一个条件", "a condition")),
    (frozenset({"NUMBER", "COUNT", "NAME"}), ("一个数", "a number")),
    (frozenset({"EQ", "GE", "LT"}), ("比较（如 `≥`、`=`）", "a comparison such as `>=` or `=`")),
    (frozenset({"AS", "LOCKED"}), ("一个属性（如 `作`、`锁`）", "an attribute such as `as` or `locked`")),
)
"""Where all of these may stand, so may many more: one phrase says it."""

ONLY_CHANGES = (
    "`若` 里只能写改动（`改`、`加`、`删`、`调`）和 `豁免`",
    "inside `if` only changes (`replace`, `add`, `remove`, `retune`) and `waive` may stand",
)

SHOWN = 6
"""Alternatives that a message lists."""


def fed_tokens(raw: RawClause) -> Iterator[Token]:
    """What the grammar sees of a clause: its block is one token."""
    yield from raw.head
    if raw.body is not None:
        opened = raw.body.opened
        yield Token.new_borrow_pos("BLOCK", "{", opened) if opened else Token("BLOCK", "{")
    yield from raw.tail


def unexpected(path: str, raw: RawClause, start: str, read: list[Token], token: Token) -> Diagnostic:
    """The fault of a token that cannot stand where it does; `read` is what came before it."""
    accepted, span, word = _accepted(start, read), span_of(path, token), str(token.value)
    split = _split(token, accepted)
    if split is not None:
        return Diagnostic("P011", span, {"found": word, "split": split})
    misplaced = not read and token.type in KEYWORDS and _heads_clause(raw)
    elsewhere = home(token.type) if misplaced else None
    if elsewhere is not None:
        values = {"found": word, "section": elsewhere, "help": ONLY_CHANGES if start == "delta" else None}
        return Diagnostic("P012", span, values)
    if any(token is other for other in raw.tail):
        return Diagnostic("P013", span)
    if token.type in {*KEYWORDS, "LETTER"} and "NAME" in accepted:
        return _with_example(Diagnostic("P010", span, {"keyword": word}), raw, start)
    meant = _suggestion(token, read, accepted)
    words = {"found": word, "expected": _expected(accepted), "suggestion": meant}
    return _with_example(Diagnostic("P002", span, words), raw, start)


def unfinished(path: str, raw: RawClause, start: str, read: list[Token]) -> Diagnostic:
    """The fault of a clause that stops before it is complete."""
    accepted, last = _accepted(start, read), (raw.tail or raw.head)[-1]
    split = glued(str(last.value)) if last.type == "NAME" else None
    if split is not None:
        return Diagnostic("P011", span_of(path, last), {"found": str(last.value), "split": split})
    at = span_of(path, last)
    behind = Span(at.path, at.end_line, at.end_column, at.end_line, at.end_column + 1)
    return _with_example(Diagnostic("P003", behind, {"expected": _expected(accepted)}), raw, start)


def _accepted(start: str, read: list[Token]) -> set[str]:
    """The kinds of token that could follow."""
    parser = grammar().parse_interactive(start=f"{start}_clause")
    for token in read:
        parser.feed_token(token)
    return set(parser.accepts())  # type: ignore[no-untyped-call]


def _split(token: Token, accepted: set[str]) -> str | None:
    """The two words of a keyword glued to a name, where the keyword could stand."""
    split = glued(str(token.value)) if token.type == "NAME" else None
    if split is None:
        return None
    return split if SPELLINGS.get(split.partition(" ")[0], "ORDINAL") in accepted else None


def _heads_clause(raw: RawClause) -> bool:
    """Is the first word used as a keyword (`须 门槛：…`), not as a name (`和：…`, `和 2 1`)?"""
    following = raw.head[1].type if len(raw.head) > 1 else "BLOCK" if raw.body is not None else ""
    return following in {"NAME", "QNAME", "FACT", "BLOCK", *KEYWORDS}


# ---------------------------------------------------------------- what could stand there


def _expected(kinds: set[str]) -> Words:
    """The few things that could stand here, in the order of the keyword table."""
    words: list[Words] = []
    for together, phrase in TOGETHER:
        if together <= kinds:
            words.append(phrase)
            kinds = kinds & {"BLOCK", "COLON", "$END"}
    words += [PHRASES[kind] for kind in PHRASES if kind in kinds]
    words += [(f"`{zh}`", f"`{en}`") for zh, en in map(_spellings, _ordered(kinds))]
    shown = [*words[:SHOWN], *([("……", "…")] if len(words) > SHOWN else [])]
    zh, en = "、".join(zh for zh, _ in shown), ", ".join(en for _, en in shown)
    if "$END" in kinds:
        zh, en = f"{zh}，或者到此为止", f"{en}, or the end of the clause"
    return f" {zh}" if zh.startswith("`") else zh, en


def _ordered(kinds: Iterable[str]) -> list[str]:
    wanted = set(kinds)
    if len(wanted) > 2:
        wanted -= {"COMMA", "CITES"}
    return [kind for kind in (*PUNCTUATION, *KEYWORDS) if kind in wanted]


def _spellings(kind: str) -> Words:
    return PUNCTUATION[kind] if kind in PUNCTUATION else (spell(kind, "zh"), spell(kind, "en"))


def _suggestion(token: Token, read: list[Token], accepted: set[str]) -> Words | None:
    """What the author probably meant: letters apart, a keyword that is near, another word for one."""
    word = str(token.value)
    if "LETTER" in accepted and token.type == "NAME" and set(word) <= set("abcde"):
        return " ".join(word), " ".join(word)
    meant = SYNONYMS.get(word)
    if meant in accepted:
        return _spellings(meant)
    before = read[-1] if read else None
    if before is not None and before.type in {"REPLACE", "ADD"}:
        return None  # the name of a clause without its section; a section of a similar name is not meant
    if before is not None and before.type == "NAME" and str(before.value) in SYNONYMS:
        zh, en = _spellings(SYNONYMS[str(before.value)])
        return f"{zh} {word}", f"{en} {word}"
    if token.type != "NAME":
        return None
    near = closest(word, [s for kind in accepted & KEYWORDS.keys() for s in KEYWORDS[kind]])
    return None if near is None else (near, near)


def _with_example(fault: Diagnostic, raw: RawClause, start: str) -> Diagnostic:
    """The fault with an example of the clause added to its advice."""
    shown = example(start, raw.head)
    if shown is None:
        return fault
    words: dict[Lang, str] = {"zh": f"例如 `{shown[0]}`", "en": f"for example `{shown[1]}`"}
    zh, en = ("\n".join(filter(None, [fault.help(lang), words[lang]])) for lang in ("zh", "en"))
    return Diagnostic(fault.code, fault.span, {**fault.values, "help": (zh, en)}, fault.related)
