"""A verdict as a referee reads it aloud."""

from __future__ import annotations

from typing import Any

from ..core.describe import Lang
from ..core.model import Game
from ..text.display import display_width
from .verdict import Verdict
from .waiting import Waits
from .workings import workings


def verdict_text(verdict: Verdict, lang: Lang) -> str:
    """Headline, melds with their prices, conditions, money."""
    parts = [headline(verdict, lang)]
    if verdict.complete:
        parts.append(_melds(verdict, lang))
        parts.append(_stands(verdict, lang))
    parts.append(_reasons(verdict, lang))
    parts.append(_money(verdict, lang))
    return "\n".join(p for p in parts if p)


def headline(verdict: Verdict, lang: Lang) -> str:
    """`和，11 符，大符`: the verdict in one line."""
    zh = lang == "zh"
    text = called(verdict.compiled.game, verdict.win, zh)
    if verdict.complete:
        unit = _unit(verdict)
        text += f"，{verdict.score} {unit}" if zh else f", {verdict.score} {unit}"
    if verdict.names:
        joined = ("、" if zh else ", ").join(verdict.names)
        text += f"，{joined}" if zh else f", {joined}"
    if len(verdict.scores) > 1:
        others = " ".join(map(str, verdict.scores))
        text += f"（别的摆法可得：{others}）" if zh else f" (every arrangement: {others})"
    if verdict.conflict:
        text += (
            "；规则自相矛盾：诈和也成立" if zh else "; the rules contradict themselves: it is a false win too"
        )
    return text


def called(game: Game, win: bool, zh: bool) -> str:
    """A win or a false win; of another judgement whether the hand passes."""
    if game.judgement:
        told = ("成" if win else "不成") if zh else ("yes" if win else "no")
        return f"{game.judgement}{'：' if zh else ': '}{told}"
    return ("和" if win else "诈和") if zh else ("a win" if win else "a false win")


def _unit(verdict: Verdict) -> str:
    scores = verdict.compiled.game.scores
    return scores[0] if scores else ""


def _melds(verdict: Verdict, lang: Lang) -> str:
    rows = [
        [m["meld"], "".join(m["tiles"]), str(m["score"]), m["rule"], " ".join(m["cites"])]
        for m in verdict.melds()
    ]
    return table(rows, right=(2,))


def _stands(verdict: Verdict, lang: Lang) -> str:
    """`  神顶：三 千`: what the wild tiles stand for; nothing when the hand has none."""
    wild, faces = verdict.compiled.game.wild, verdict.stands()
    if wild is None or not faces:
        return ""
    joined = " ".join(faces)
    return f"  {wild.name}顶：{joined}" if lang == "zh" else f"  {wild.name} stands for: {joined}"


def table(rows: list[list[str]], right: tuple[int, ...] = (), indent: str = "  ") -> str:
    """Rows with columns as wide as their widest cell; `right` columns are aligned to the right."""
    widths = [max(display_width(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    lines = []
    for row in rows:
        cells = []
        for i, cell in enumerate(row):
            gap = " " * (widths[i] - display_width(cell))
            cells.append(gap + cell if i in right else cell + gap)
        lines.append((indent + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def _reasons(verdict: Verdict, lang: Lang) -> str:
    lines = []
    for reason in verdict.reasons(lang):
        if verdict.compiled.game.judgement and reason["rule"] == "诈和":
            continue  # no clause: it only says that the hand does not pass
        lines.append(f"{_mark(reason)} {reason['text']}{_source(reason)}")
    return "\n".join(lines)


def _mark(reason: dict[str, Any]) -> str:
    if reason["rule"].startswith("诈和"):
        return "!"
    return "✓" if reason["holds"] else "✗"


def _source(reason: dict[str, Any]) -> str:
    cites = " ".join(reason["cites"])
    return f"  [{reason['rule']}{' ' + cites if cites else ''}]"


def _money(verdict: Verdict, lang: Lang) -> str:
    paid = verdict.payments
    if not any(paid.values()):
        return ""
    told = "  ".join(f"{seat} {amount:+d}" for seat, amount in paid.items())
    lines = [("付：" if lang == "zh" else "pays: ") + told]
    return "\n".join([*lines, *(f"  {text}  [{rule}]" for text, rule in workings(verdict, lang))])


def waits_text(waits: Waits, lang: Lang) -> str:
    """The awaited tiles with the verdict of each, and the wait types."""
    answer = waits.to_json()
    zh = lang == "zh"
    if not answer["waits"]:
        return "没有听" if zh else "not waiting"
    game, rows = waits.compiled.game, []
    for entry in answer["waits"]:
        told = [_one(game, one, zh) for one in (entry, *_different(entry))]
        rows.append([entry["tile"], *told])
    width = max(map(len, rows))
    text = table([row + [""] * (width - len(row)) for row in rows])
    types = ("、" if zh else ", ").join(answer["types"])
    return f"{text}\n{'落叫：' if zh else 'wait types: '}{types or ('—' if zh else '-')}"


def _one(game: Game, entry: dict[str, Any], zh: bool) -> str:
    verdict = called(game, entry["verdict"] == "win", zh).removeprefix("a ")
    return f"{entry['from']} {verdict} {entry['score']}"


def _different(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Origins whose verdict or score differs from the first one's."""
    face = (entry["verdict"], entry["score"])
    return [o for o in entry["others"] if (o["verdict"], o["score"]) != face]
