"""Laws of the formatter, on the shipped specs and on random ones: nothing said is ever changed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token

from dsl.front.format import format_source
from dsl.front.keywords import KEYWORDS, PUNCTUATION
from dsl.front.lex import lex
from dsl.front.parse import parse
from dsl.front.respell import ordinal
from dsl.front.usage import EXAMPLES
from dsl.text.codes import Lang
from dsl.text.source import Source

ROOT = Path(__file__).parents[2]
SPECS = sorted([*ROOT.glob("specs/**/*.pai"), *ROOT.glob("tests/cases/*/good/*.pai")])
TEXTS = [path.read_text(encoding="utf-8") for path in SPECS]
LANGS: tuple[Lang | None, ...] = ("zh", "en", None)
GONE = {"NEWLINE", "SEMI", "COMMENT"}


@lru_cache(maxsize=64)
def formatted(text: str, lang: Lang | None) -> str:
    shown, faults = format_source(Source("a.pai", text), lang)
    assert not faults, [
        (f.code, f.span.line, f.message("en"), text.split("\n")[f.span.line - 1]) for f in faults
    ]
    return shown


@lru_cache(maxsize=64)
def tokens_of(text: str) -> tuple[Token, ...]:
    tokens, faults = lex(Source("a.pai", text))
    assert not faults
    return tuple(tokens)


def words(text: str) -> list[tuple[str, str]]:
    """The tokens without what a language or a layout chooses."""
    return [(token.type, value(token)) for token in tokens_of(text) if token.type not in GONE]


def value(token: Token) -> str:
    text = str(token.value)
    if token.type in KEYWORDS or token.type in PUNCTUATION:
        return ""
    if token.type in ("QNAME", "STRING"):
        return text[1:-1]
    if token.type == "ORDINAL":
        return ordinal(text, "zh")
    return unicodedata.normalize("NFKC", text) if token.type == "NUMBER" else text


def comments(text: str) -> Counter[str]:
    return Counter(str(token.value).rstrip() for token in tokens_of(text) if token.type == "COMMENT")


@lru_cache(maxsize=64)
def clauses(text: str) -> Any:
    """What parsing yields, without places."""

    def shown(clause: Any) -> Any:
        return clause.kind, clause.key, clause.cites, [shown(c) for c in clause.children]

    rulesets, faults = parse(Source("a.pai", text))
    assert not faults
    return [(r.name, r.title, r.base, [shown(c) for c in r.clauses]) for r in rulesets]


def check_laws(text: str) -> None:
    for lang in LANGS:
        once = formatted(text, lang)
        assert formatted(once, lang) == once
        assert words(once) == words(text)
        assert comments(once) == comments(text)
        assert clauses(once) == clauses(text)
        assert all(line == line.rstrip() for line in once.splitlines())
    zh, en = formatted(text, "zh"), formatted(text, "en")
    assert formatted(en, "zh") == zh == formatted(formatted(text, None), "zh")
    assert formatted(zh, "en") == en
    crlf = text.replace("\r\n", "\n").replace("\n", "\r\n")
    assert formatted(crlf, "zh").replace("\r\n", "\n") == zh.replace("\r\n", "\n")


# ---------------------------------------------------------------- specs told in other ways


BLANKS = (" ", "  ", "\t", "\u3000", "\u00a0 ")
REMARKS_BETWEEN = ("\n", " // 新的\n", "\n// 又一条\n\n// 再一条\n")


def respelt(chance: Random, token: Token) -> str:
    """Another spelling of the same token."""
    text = str(token.value)
    if token.type in KEYWORDS:
        return chance.choice(KEYWORDS[token.type])
    if token.type in PUNCTUATION:
        return chance.choice([text, *PUNCTUATION[token.type]])
    if token.type == "ORDINAL":
        return ordinal(text, chance.choice(("zh", "en")))
    if token.type == "NEWLINE":
        return chance.choice(["\n", "\r\n", "\n\n", "\n \n\n"])
    return text


def gap(chance: Random, text: str, a: Token, b: Token) -> str:
    """The white space between two tokens, changed but not made or unmade where that would say something."""
    now = text[a.end_pos : b.start_pos]
    if "NEWLINE" in (a.type, b.type):
        return chance.choice(["", " ", "\t"])
    return "" if not now and a.type == "NUMBER" else chance.choice(BLANKS)


def retold(text: str, chance: Random) -> str:
    """A spec in other spellings, spacing, line breaks and comments."""
    tokens, _ = lex(Source("a.pai", text))
    written = ""
    for a, b in pairwise([*tokens, None]):
        written += respelt(chance, a)
        if a.type in ("SEMI", "LBRACE") and chance.random() < 0.1:
            written += chance.choice(REMARKS_BETWEEN)
        if b is not None:
            written += gap(chance, text, a, b)
    return written


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_laws_hold_for_specs(path: Path) -> None:
    check_laws(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("many", [3, pytest.param(80, marks=pytest.mark.slow)])
def test_laws_hold_for_specs_told_otherwise(many: int) -> None:
    @settings(max_examples=many, deadline=None)
    @given(st.sampled_from(TEXTS), st.integers(0, 10**6))
    def holds(text: str, seed: int) -> None:
        check_laws(retold(text, Random(seed)))

    holds()


# ---------------------------------------------------------------- random specs


def clause(start: str) -> st.SearchStrategy[str]:
    """A clause of a block, from the examples that authors see in messages."""
    plain = [text for text in EXAMPLES[start].values() if "…" not in text]
    cites = st.sampled_from(["", "", " 依 A-1", " 依 A-1，B-22"])
    can_cite = start not in ("example",)
    return st.builds(lambda text, cite: text + cite if can_cite else text, st.sampled_from(plain), cites)


REMARKS = st.sampled_from(["", "", "", "  // 旁注", " ／／ 全角 "])
BREAKS = st.sampled_from(["\n", "\n", "；", "\n\n\n", "\n// 单独一行\n", "\n\n// 甲\n\n// 乙\n"])


@st.composite
def block(draw: Callable[..., Any], inside: st.SearchStrategy[str]) -> str:
    """`{ … }` with clauses on one line or several, and comments where they can be."""
    written = "{" + draw(st.sampled_from(["", " ", "\n", " // 开头\n", "\n\n"]))
    for text in draw(st.lists(inside, max_size=4)):
        remark, between = draw(REMARKS), draw(BREAKS)
        written += text + (remark + "\n" if remark else between)
    return written + draw(st.sampled_from(["", " ", "\n"])) + "}"


@st.composite
def section(draw: Callable[..., Any]) -> str:
    head, start = draw(
        st.sampled_from(
            [
                *[
                    ("牌", "deck"),
                    ("来路", "origins"),
                    ("座", "seats"),
                    ("牌型", "melds"),
                    ("价 符", "price"),
                ],
                *[
                    ("名", "names"),
                    ("和", "win"),
                    ("诈和", "false_win"),
                    ("支付", "payment"),
                    ("落叫", "waits"),
                ],
                *[("例 E-1「甲」", "example"), ("读法 R-1「问」", "reading")],
            ]
        )
    )
    filled = clause(start)
    if start == "melds":
        filled = filled | st.builds(lambda b: f"龙 a a a a 作 1组 {b}", block(clause("variant")))
    return f"{head} {draw(block(filled))}{draw(REMARKS)}"


CHANGES = ("改 和.须 门槛：符 ≥ 14", "删 名.大符", "调 和.门槛 10 → 14", "加 价.符.龙 -1 缺 代 招")
WHEN = st.builds(lambda b: f"若 人数 = 3 {b}", block(st.sampled_from(CHANGES)))


@st.composite
def spec(draw: Callable[..., Any]) -> str:
    plain = [text for text in EXAMPLES["ruleset"].values() if "…" not in text and "{" not in text]
    anything = section() | section() | WHEN | st.sampled_from(plain)
    written = draw(st.sampled_from(["", "// 头\n", "\n\n// 头\n\n"]))
    for name in draw(st.lists(st.sampled_from(["甲", "乙「题目」", "丙 继承 甲"]), min_size=1, max_size=2)):
        lines = draw(st.lists(anything, max_size=5))
        written += f"规则 {name} {{\n" + "".join(
            line + draw(st.sampled_from(["\n", "\n\n"])) for line in lines
        )
        written += "}" + draw(st.sampled_from(["\n", "  // 完\n", "\n\n\n// 尾"])) + "\n"
    return written


@pytest.mark.parametrize("many", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_laws_hold_for_random_specs(many: int) -> None:
    settings(max_examples=many, deadline=None)(given(spec())(check_laws))()


VOCABULARY = st.sampled_from(
    [
        *(
            "规则",
            "牌",
            "价",
            "牌型",
            "若",
            "改",
            "甲",
            "'和'",
            "「题",
            "「题」",
            "a",
            "4",
            "-",
            "依 A-1",
            "@",
        ),
        *(
            "{",
            "{",
            "}",
            "}",
            "；",
            "\n",
            "\n",
            "\r\n",
            "\u3000",
            "// 注\n",
            "＝",
            ".",
            "：",
            "第四",
            "slot",
            "除非素符",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(VOCABULARY, max_size=30).map(" ".join))
def test_nothing_is_lost_from_a_faulty_file(text: str) -> None:
    """Any sequence of tokens is either formatted by the laws or left exactly as it is, with a fault."""
    shown, faults = format_source(Source("a.pai", text), "zh")
    if faults:
        assert shown == text
    else:
        check_laws(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_at_all(text: str) -> None:
    shown, faults = format_source(Source("a.pai", text), "en")
    assert shown == text if faults else words(shown) == words(text)
