"""`paigui matrix`: one hand under many rulesets side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ..api import HandError
from ..front.load import Library
from ..judge.verdict import Verdict
from ..judge.words import table
from ..text.codes import Lang
from ..text.diagnostics import Diagnostic, ordered
from ..text.display import visible
from ..text.export import to_json
from .command import json_option, lang_option, option, verb
from .common import Exit, language, leave, pick, report, write_bytes, write_json
from .hands import hand_option, read_json
from .language import Words
from .variants import Variant, labels, variants

ASPECTS: dict[str, Words] = {
    "verdict": ("判", "verdict"),
    "score": ("分", "score"),
    "names": ("名", "names"),
    "points": ("倍", "times"),
    "payment": ("收付", "gets"),
}
"""What is compared, and the heads of its columns."""

KINDS: dict[str, Words] = {
    "win": ("和", "win"),
    "false_win": ("诈和", "false win"),
    "unread": ("读不了", "unread"),
    "unloaded": ("没有规则", "no rules"),
}
"""What becomes of the hand under a ruleset."""
NOTHING = "—"
MARK = "*"
"""Stands behind what differs from most rows."""


@verb(
    "matrix",
    "一手牌放到许多规则里判，一行一套。PATH 是 .pai 文件、文件夹、通配（'specs/**'）或规则名，"
    "都可带 [选项=值]；底本略过。",
    "Judge one hand under many rulesets, a row each. PATH is a .pai file, a folder, a pattern ('specs/**') "
    "or a game's name, with [option=value] if wanted; templates are left out.",
)
@click.argument("path", nargs=-1, required=True)
@hand_option
@option(
    "--options",
    "expand",
    is_flag=True,
    zh="选项（不算读法）的每种搭配也各判一行",
    en="a row for every combination of the options, readings aside",
)
@lang_option
@json_option
def command(path: tuple[str, ...], place: str, expand: bool, lang: str | None, as_json: bool) -> None:
    """Exit 0 whatever the verdicts, 3 when a spec does not load; the others are shown all the same."""
    spoken = language(lang)
    hand, library = read_json(place), Library()
    found = list(variants(path, expand, library))
    rows = compared([_row(label, v, hand) for label, v in zip(labels(found), found, strict=True)])
    if as_json:
        write_json({"rows": [row_json(row, spoken) for row in rows]})
    else:
        write_bytes((matrix_text(rows, spoken) + "\n").encode())
    broken = [fault for v in found if v.game is None for fault in v.faults]
    report(ordered(broken), library.sources, spoken)
    leave(Exit.SPEC if any(v.game is None for v in found) else Exit.OK)


@dataclass(frozen=True, slots=True)
class Row:
    """The hand under one ruleset: a verdict, or why there is none."""

    label: str
    variant: Variant
    verdict: Verdict | None
    faults: tuple[Diagnostic, ...] = ()
    differs: tuple[str, ...] = ()
    """Aspects in which it is not as most rows are; see `ASPECTS`."""

    @property
    def kind(self) -> str:
        """Which of `KINDS`."""
        if self.verdict is not None:
            return self.verdict.verdict
        return "unloaded" if self.variant.game is None else "unread"

    def value(self, aspect: str) -> Any:
        """What the verdict says in one aspect. There must be a verdict."""
        assert self.verdict is not None
        return getattr(self.verdict, "own" if aspect == "payment" else aspect)


def _row(label: str, variant: Variant, hand: Any) -> Row:
    if variant.game is None:
        return Row(label, variant, None, tuple(f for f in variant.faults if f.severity == "error"))
    try:
        return Row(label, variant, variant.game.judge(hand))
    except HandError as error:
        return Row(label, variant, None, error.diagnostics)


def compared(rows: Sequence[Row]) -> list[Row]:
    """The rows with what is not as in most of them; between two as frequent the earlier row decides."""
    judged = [row for row in rows if row.verdict is not None]
    usual = (
        {a: Counter(row.value(a) for row in judged).most_common(1)[0][0] for a in ASPECTS} if judged else {}
    )
    return [
        row if row.verdict is None else _marked(row, tuple(a for a in ASPECTS if row.value(a) != usual[a]))
        for row in rows
    ]


def _marked(row: Row, differs: tuple[str, ...]) -> Row:
    return Row(row.label, row.variant, row.verdict, row.faults, differs)


def refusals(verdict: Verdict, lang: Lang) -> list[dict[str, Any]]:
    """The clauses because of which the hand does not win: what fails, else what makes it a false win."""
    if verdict.win:
        return []
    reasons = verdict.reasons(lang)
    return [r for r in reasons if not r["holds"]] or [r for r in reasons if r["rule"].startswith("诈和")]


# ---------------------------------------------------------------- for people


def matrix_text(rows: Sequence[Row], lang: Lang) -> str:
    """The rows as a table, and how many there are of each verdict."""
    heads = [("规则", "ruleset"), *ASPECTS.values(), ("不和的条文", "refused by")]
    shown = [[pick(words, lang) for words in heads], *(_cells(row, lang) for row in rows)]
    note = pick((f"{MARK} 和多数不同", f"{MARK} not as most rows"), lang)
    marked = any(row.differs for row in rows)
    return "\n".join([table(shown, right=(2, 4, 5), indent=""), "", *[note] * marked, _summary(rows, lang)])


def _cells(row: Row, lang: Lang) -> list[str]:
    label = visible(row.label)
    if row.verdict is None:
        why = pick(("；", "; "), lang).join(f"{f.code} {f.message(lang)}" for f in row.faults[:2])
        return [label, pick(KINDS[row.kind], lang), *[NOTHING] * (len(ASPECTS) - 1), visible(why)]
    cells = [_shown(row, aspect, lang) for aspect in ASPECTS]
    joined = pick(("；", "; "), lang).join(_refusal(r) for r in refusals(row.verdict, lang))
    return [label, *cells, joined]


def _shown(row: Row, aspect: str, lang: Lang) -> str:
    value = row.value(aspect)
    match aspect:
        case "verdict":
            text = pick(KINDS[value], lang)
        case "names":
            text = " ".join(value) or NOTHING
        case "payment":
            text = f"{value:+d}"
        case _:
            text = str(value)
    return text + (MARK if aspect in row.differs else " " * len(MARK))


def _refusal(reason: Mapping[str, Any]) -> str:
    cites = " ".join(reason["cites"])
    return f"{reason['text']}  [{reason['rule']}{' ' + cites if cites else ''}]"


def _summary(rows: Sequence[Row], lang: Lang) -> str:
    many = Counter(row.kind for row in rows)
    told = [(f"{zh} {many[kind]}", f"{many[kind]} {en}") for kind, (zh, en) in KINDS.items() if many[kind]]
    zh, en = "，".join(zh for zh, _ in told), ", ".join(en for _, en in told)
    return pick((f"{len(rows)} 套规则：{zh}", f"{len(rows)} ruleset{'s' * (len(rows) > 1)}: {en}"), lang)


# ---------------------------------------------------------------- for programs


def row_json(row: Row, lang: Lang) -> dict[str, Any]:
    """One row; what a verdict would say is null where there is none."""
    verdict, game = row.verdict, row.variant.game
    return {
        "game": row.variant.name,
        "label": row.label,
        "file": row.variant.file,
        "options": dict(row.variant.changed if game is None else game.options),
        **{aspect: None if verdict is None else _plain(row.value(aspect)) for aspect in ASPECTS},
        "complete": None if verdict is None else verdict.complete,
        "payments": None if verdict is None else dict(verdict.payments),
        "refused_by": [] if verdict is None else [_reason_json(r) for r in refusals(verdict, lang)],
        "differs": list(row.differs),
        "errors": [to_json(fault, lang) for fault in row.faults],
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _reason_json(reason: Mapping[str, Any]) -> dict[str, Any]:
    return {key: reason[key] for key in ("rule", "text", "cites")}
