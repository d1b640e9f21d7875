"""Findings and statements in words that a rule author can read aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dsl.api import written
from dsl.core.model import Game, Rule
from dsl.text.codes import SEVERITIES, Lang
from dsl.text.diagnostics import place
from dsl.text.display import display_width, visible

from .checking import Report
from .findings import (
    AT_THE_TABLE,
    Example,
    Finding,
    ShownMeld,
    Words,
    choices_bound,
    chosen_game,
    pick,
)
from .properties import FAMILY
from .study import Answered, How, Note, Unsettled, answer_words

SHOWN = 6
"""Lines of verdicts that the text shows; JSON has all."""
WHOLE = frozenset({"V116"})
"""Checks whose lines are a table: the text has all of them."""


def finding_text(finding: Finding, game: Game, lang: Lang, expected: bool = False) -> str:
    """One finding: the sentence, the clauses it blames, a hand that shows it, what to do.

    Of a waived one the sentence and the reason; one to act on ends with the waiver that would let it stand.
    """
    if finding.waived is not None:
        return _waived(finding, game, lang)
    lines = [_headline(finding, lang, expected)]
    lines += clause_lines(finding.rules)
    if finding.example is not None:
        lines += example_text(finding.example, game, lang)
    shown = len(finding.verdicts) if finding.code in WHOLE else SHOWN
    lines += [f"  - {pick(verdict, lang)}" for verdict in finding.verdicts[:shown]]
    hidden = len(finding.verdicts) - shown
    if hidden > 0:
        lines.append(pick((f"  - ……还有 {hidden} 条", f"  - ... and {hidden} more"), lang))
    if finding.help is not None:
        lines.append(pick(("帮助：", "help: "), lang) + pick(finding.help, lang))
    if finding.severity != "info" and not expected and waivable(finding):
        lines.append(waiver_line(finding, lang))
    return "\n".join(lines)


MENDED = frozenset({"V119", FAMILY, "V123"})
"""Checks of what the author says of the rules: nothing is gained by letting it stand; or of several games."""


def waivable(finding: Finding) -> bool:
    """Can the author let the finding stand?"""
    return finding.code not in MENDED


def waiver_line(finding: Finding, lang: Lang) -> str:
    """The clause that would let it stand, all but the reason."""
    clause = written.waiver_text(finding.code, finding.fingerprint, "……", lang)
    return pick((f"要留着就写：{clause}", f"to let it stand: {clause}"), lang)


def _waived(finding: Finding, game: Game, lang: Lang) -> str:
    said = pick((f"已豁免[{finding.code}]：", f"waived[{finding.code}]: "), lang)
    reason = pick((f"  理由：{finding.waived}", f"  reason: {finding.waived}"), lang)
    rule = next(w.rule for w in game.waivers if w.fingerprint == finding.fingerprint)
    return f"{said}{pick(finding.sentence, lang)}\n{reason}  {place(rule.span)}"


def _headline(finding: Finding, lang: Lang, expected: bool) -> str:
    severity = pick(SEVERITIES[finding.severity], lang)
    note = pick(("（断言已料到）", " (a statement expects it)"), lang) if expected else ""
    colon = pick(("：", ": "), lang)
    return f"{severity}[{finding.code}]{note}{colon}{pick(finding.sentence, lang)}"


def clause_lines(rules: tuple[Rule, ...]) -> list[str]:
    """Every clause with its place, its own words and what it cites."""
    rows = [(rule.name, place(rule.span), _words(rule)) for rule in rules]
    name = max(display_width(row[0]) for row in rows)
    where = max(display_width(row[1]) for row in rows)
    return [f"  {_padded(row[0], name)}  {_padded(row[1], where)}  {row[2]}".rstrip() for row in rows]


def _words(rule: Rule) -> str:
    cites = " ".join(rule.cites)
    text = " ".join(visible(rule.text).split())
    return f"{text}  〔{cites}〕" if cites else text


def _padded(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


# ---------------------------------------------------------------- the witness


def example_text(example: Example, game: Game, lang: Lang) -> Iterator[str]:
    """The hand of a witness, drawn in tiles."""
    if example.table is not None:
        yield from _table_text(example.table, lang)
        return
    yield pick(("  例如：", "  example: "), lang) + situation(example.hand, lang)
    for laid in example.hand.get("laid", []):
        yield pick(("    摆 ", "    laid "), lang) + _laid(laid)
    if not example.melds:
        yield f"    {''.join(example.hand['hand'])}"
        return
    yield "    " + " · ".join(_meld(meld) for meld in example.melds)
    yield pick(("    合计 ", "    total "), lang) + "，".join(
        f"{name} {total}" for name, total in zip(game.scores, example.totals, strict=True)
    )


def _table_text(table: Mapping[str, Any], lang: Lang) -> Iterator[str]:
    """The tile on offer and every player spoken of."""
    offer = table.get("offer")
    if offer is None:
        yield pick(("  例如：", "  example:"), lang)
    else:
        did = ("翻出", "turned up") if offer["turned"] else ("打出", "discarded")
        zh, en = f"{offer['seat']} {did[0]} {offer['tile']}", f"{offer['seat']} {did[1]} {offer['tile']}"
        yield pick(("  例如：" + zh, "  example: " + en), lang)
    for player in table["players"]:
        yield f"    {player['seat']}  {''.join(player['hand'])}"
        for laid in player.get("laid", []):
            yield pick(("      摆 ", "      laid "), lang) + _laid(laid)
        taken = "，".join(f"{name} {times}" for name, times in player["taken"].items())
        if taken:
            yield pick(("      已应 ", "      taken: "), lang) + taken


def situation(hand: Mapping[str, Any], lang: Lang) -> str:
    parts = [str(hand["role"])]
    last = hand.get("last")
    if last is not None:
        parts.append(pick(("末张 ", "last "), lang) + f"{last['tile']}（{last['from']}）")
    parts += [f"{name} = {value}" for name, value in hand.get("context", {}).items()]
    if "declare" in hand:
        parts.append(pick(("报 ", "declares "), lang) + " ".join(hand["declare"]))
    return pick(("，", ", "), lang).join(parts)


def _laid(laid: Mapping[str, Any]) -> str:
    origins = "（" + " ".join(laid["origins"]) + "）" if "origins" in laid else ""
    return f"{laid['meld']} {''.join(laid['tiles'])}{origins}"


def _meld(meld: ShownMeld) -> str:
    points = "/".join("?" if p is None else str(p) for p in meld.points)
    return f"{meld.name} {''.join(meld.tiles)} {points}".rstrip()


# ---------------------------------------------------------------- a whole report


def report_text(report: Report, lang: Lang) -> str:
    """All findings of a game, open questions, statements that are not as expected, and a summary."""
    blocks = [_title(report.game)]
    blocks += [finding_text(f, report.game, lang, f.code in report.expected) for f in report.findings]
    blocks += [_open(question, lang) for question in report.unknown]
    blocks += [_noted(note, lang) for note in report.notes]
    blocks.append(summary(report, lang))
    return "\n\n".join(blocks)


def _title(game: Game) -> str:
    return f"{chosen_game(game)}  {game.path}"


def _open(question: Unsettled, lang: Lang) -> str:
    said = pick(("没有答案", "no answer"), lang)
    colon = pick(("：", ": "), lang)
    return f"{said}[{question.code}]{colon}{question.question}{colon}{pick(question.reason, lang)}"


def _noted(note: Note, lang: Lang) -> str:
    said, colon = pick(("说明", "note"), lang), pick(("：", ": "), lang)
    return f"{said}[{note.code}]{colon}{pick(note.text, lang)}"


def summary(report: Report, lang: Lang) -> str:
    """`2 warnings, 3 notes; statements: 54 as expected, 0 not, 1 open; 12.3 s`."""
    shown = [f for f in report.findings if f.waived is None]
    weights = {s: sum(f.severity == s for f in shown) for s in SEVERITIES}
    counted = [(n, SEVERITIES[s], "s" if n > 1 else "") for s, n in weights.items() if n]
    zh = [f"{n} 个{words[0]}" for n, words, _ in counted] or ["没有发现"]
    en = [f"{n} {words[1]}{plural}" for n, words, plural in counted] or ["nothing found"]
    if waived := len(report.findings) - len(shown):
        zh.append(f"{waived} 个已豁免")
        en.append(f"{waived} waived")
    right = sum(s.got == s.expected for s in report.statements)
    unanswered = sum(s.got is None for s in report.statements)
    wrong = len(report.statements) - right - unanswered
    tables = any(statement.how == "table" for statement in report.statements)
    bounds = map(str.__add__, choices_bound(report.game), AT_THE_TABLE if tables else ("", ""))
    decided = tuple(map(str.__add__, _decided(report.statements), bounds))
    return pick(
        (
            f"{'，'.join(zh)}；断言 {right} 条如所料，{wrong} 条不是，{unanswered} 条没有答案{decided[0]}；"
            f"{report.seconds:.1f} 秒",
            f"{', '.join(en)}; statements: {right} as expected, {wrong} not, {unanswered} open{decided[1]}; "
            f"{report.seconds:.1f} s",
        ),
        lang,
    )


def statement_row(statement: Answered, lang: Lang) -> tuple[str, ...]:
    """Id, title, expected, got, how, seconds, as a table shows them."""
    expected, got = (_answer(statement, value, lang) for value in (statement.expected, statement.got))
    mark = "" if statement.got in (statement.expected, None) else " ✗"
    how, seconds = pick(WAYS[statement.how], lang), f"{statement.seconds:.2f}"
    return statement.id, statement.title, expected, got + mark, how, seconds


def _decided(statements: Sequence[Answered]) -> Words:
    """` (solver 40, automaton 12)`: how many statements were decided how; nothing without any."""
    counted = Counter(statement.how for statement in statements if statement.got is not None)
    if not counted:
        return "", ""
    ways = [(WAYS[how], counted[how]) for how in WAYS if counted[how]]
    zh, en = ("，".join(f"{w[0]} {n}" for w, n in ways), ", ".join(f"{w[1]} {n}" for w, n in ways))
    return f"（{zh}）", f" ({en})"


WAYS: dict[How, Words] = {
    "solver": ("求解", "solver"),
    "enumeration": ("穷举", "enumeration"),
    "automaton": ("自动机", "automaton"),
    "sweep": ("逐面看的自动机", "automaton, kind by kind"),
    "table": ("桌面", "table"),
    "arithmetic": ("算术", "arithmetic"),
    "check": ("查验", "check"),
}


def _answer(statement: Answered, value: bool | None, lang: Lang) -> str:
    if value is None:
        return "?"
    return pick(answer_words(statement.of_truth, value), lang)
