"""`paigui new`: a small commented ruleset to start from."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..front.assemble import Assembled, assemble
from ..front.format import format_source
from ..front.keywords import SPELLINGS, spell
from ..front.lex import lex
from ..front.load import Library, chain_of, find
from ..front.syntax import Ruleset
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic, SpecError
from ..text.source import Source, shown_path
from .command import Usage, complaint, json_option, lang_option, option, verb
from .common import Exit, language, leave, pick, say, write_atomically, write_json
from .language import Words

HEAD: Words = (
    "// {name}：检查用 `paigui check {path}`，排版用 `paigui fmt {path}`。",
    "// {name}: check it with `paigui check {path}`, lay it out with `paigui fmt {path}`.",
)

DECK: Words = ("每房一词，字按念诵的先后", "one word a group, its tiles in the order they are recited")
SEATS: Words = ("身份和起手的张数", "roles, and how many tiles each is dealt")
MELDS: Words = (
    "同一个字母是同一张牌，不同的字母是同房不同的牌",
    "the same letter is the same tile, other letters are other tiles of its group",
)
PRICES: Words = ("一列一类牌，一行一种牌型", "a column for each class of tiles, a row for each meld")
WIN: Words = ("先看摆不摆得成，再看够不够分", "first the shape, then the score it needs")
CITE: Words = (
    "每一条后面都可以写 `依 编号`，编号写在 `出处 「SOURCES.md」` 的表里",
    'any clause may end in `cites ID`; the ids stand in the table of `sources "SOURCES.md"`',
)
CHANGE: Words = (
    "底子里的条文都还在，这里只写不一样的：`改 节.条 …`、`加 节.条 …`、`删 节.条`、`调 节.条 旧数 → 新数`",
    "every clause of the base holds; write what differs: "
    "`replace SECTION.CLAUSE …`, `add …`, `remove …`, `retune SECTION.CLAUSE OLD -> NEW`",
)
"""Comments of the starters; the clauses are written once, in Chinese, and translated by the formatter."""

STARTER = """\
{head}
规则 {quoted}「{title}」 {{
  // {cite}
  牌 {{  // {deck}
    房 上大人 丘乙己 化三千
    每张 4
    类 红 = 上大人
    类 黑 = 非 红
  }}
  座 {{ 庄 8；闲 7 × 2 }}  // {seats}

  牌型 {{  // {melds}
    句 a b c 作 1组
    坎 a a a 作 1组
    对 a a 作 1对
  }}
  价 分 {{  // {prices}
    列 红 黑
    句 2 1
    坎 4 2
    对 1 0
  }}

  和 {{  // {win}
    形 2组 1对
    须 起和：分 ≥ 3
  }}
  名 {{
    全红：无 黑 倍 2
    叠法 最高
  }}
  支付 {{
    和：每家 付 当家 分 × 倍
    诈和：当家 付 每家 1
  }}
}}
"""


@verb(
    "new",
    "在 PATH 写一份叫 NAME 的新规则的开头，能直接通过 `paigui check`；已有的文件不会被盖掉。",
    "Write the start of a ruleset called NAME to PATH, ready for `paigui check`; never overwrites a file.",
)
@click.argument("path")
@click.argument("name")
@option(
    "--extends", metavar="GAME", zh="从哪套规则改起：名字或文件", en="the ruleset to start from: name or file"
)
@lang_option
@json_option
def command(path: str, name: str, extends: str | None, lang: str | None, as_json: bool) -> None:
    """Exit 2 when PATH exists or NAME cannot be a name, 3 when the base does not load."""
    spoken, target = language(lang), Path(path)
    _refuse(target, name)
    text = starter(target, name, spoken) if extends is None else variant(target, name, extends, spoken)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, text.encode())
    if as_json:
        write_json({"file": shown_path(target), "ruleset": name})
    else:
        say((f"写好了 {path}。接着：paigui check {path}", f"wrote {path}; next: paigui check {path}"), spoken)
    leave(Exit.OK)


def _refuse(target: Path, name: str) -> None:
    if target.exists():
        raise Usage(
            complaint(f"`{target}` 已经有了，不会盖掉它", f"`{target}` exists and is not overwritten")
        )
    if target.suffix != ".pai":
        raise Usage(
            complaint(f"文件名要以 .pai 结尾：`{target}`", f"the file name must end in .pai: `{target}`")
        )
    if quoted(name) is None:
        raise Usage(complaint(f"`{name}` 不能当名字", f"`{name}` cannot be a name"))


def quoted(name: str) -> str | None:
    """`name` as a spec writes it: bare if it lexes as one name, else in quotes; None when neither works."""
    for written in (name, f"'{name}'", f"‘{name}’"):
        tokens, faults = lex(Source("", written))
        if name.strip() and not faults and [t.type for t in tokens] in (["NAME"], ["QNAME"]):
            return written
    return None


def starter(target: Path, name: str, lang: Lang) -> str:
    """A small game of its own."""
    comments = {"cite": CITE, "deck": DECK, "seats": SEATS, "melds": MELDS, "prices": PRICES, "win": WIN}
    text = STARTER.format(
        head=pick(HEAD, lang).format(name=name, path=target),
        quoted=quoted(name),
        title=pick(("一句话说明", "one line about it"), lang),
        **{key: pick(words, lang) for key, words in comments.items()},
    )
    return _laid_out(text, lang)


def _laid_out(text: str, lang: Lang) -> str:
    formatted, faults = format_source(Source("<new>", text), lang)
    assert not faults, faults
    return formatted


# ---------------------------------------------------------------- a variant of another game


def variant(target: Path, name: str, extends: str, lang: Lang) -> str:
    """A ruleset that extends another one, with the sections that the base leaves open."""
    base, reference, assembled = _base(target, extends)
    lines = [pick(HEAD, lang).format(name=name, path=target)]
    lines += [f"规则 {quoted(name)} 继承 {reference} {{", f"  // {pick(CHANGE, lang)}"]
    lines += [f"  // {line}" for line in _clauses(assembled, lang)]
    lines += _missing(assembled, lang) if base.template else []
    return _laid_out("\n".join([*lines, "}", ""]), lang)


def _base(target: Path, extends: str) -> tuple[Ruleset, str, Assembled]:
    library = Library()
    found = find(extends, library)
    if isinstance(found, Diagnostic):
        raise SpecError([found, *library.faults_of(Path(extends))], library.sources)
    chain, faults = chain_of(found, library)
    formal = [f for r in chain for f in library.faults_of(Path(r.path))]
    if faults or formal:
        raise SpecError([*formal, *faults], library.sources)
    reference = quoted(found.name) or ""
    if extends.endswith(".pai"):
        reference = f"「{Path(os.path.relpath(extends, target.parent)).as_posix()}」"
    return found, reference, assemble(chain, {}, found.span)


def _clauses(assembled: Assembled, lang: Lang) -> list[str]:
    """The names that a delta may write, a line for each section."""
    sections: dict[str, list[str]] = {}
    for clause in assembled.clauses.values():
        key = [spell(SPELLINGS[step], lang) if step in SPELLINGS else step for step in clause.key]
        depth = 2 if clause.key[0] == "价" else 1
        sections.setdefault(".".join(key[:depth]), []).append(".".join(key[depth:]))
    head = pick(("底子的条文：", "clauses of the base:"), lang)
    return [head, *(f"  {section}：{' '.join(dict.fromkeys(names))}" for section, names in sections.items())]


def _missing(assembled: Assembled, lang: Lang) -> list[str]:
    """What a template leaves to its variants, filled with something that can be played."""
    lines = []
    if not assembled.under("座"):
        lines += [f"  座 {{ 庄 19；闲 18 × 3 }}  // {pick(SEATS, lang)}"]
    if not assembled.under("支付"):
        lines += ["  支付 { 和：每家 付 当家 1；诈和：当家 付 每家 1 }"]
    return lines
