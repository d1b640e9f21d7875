"""A verdict as a referee reads it aloud."""

from __future__ import annotations

from typing import Any

from ..core.describe import Lang
from ..text.display import display_width
from .verdict import Verdict
from .waiting import Waits


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
    words = {"win": ("和", "a win"), "false_win": ("诈和", "a false win")}[verdict.verdict]
    text = words[0 if zh else 1]
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
    return ("付：" if lang == "zh" else "pays: ") + told


def waits_text(waits: Waits, lang: Lang) -> str:
    """The awaited tiles with the verdict of each, and the wait types."""
    answer = waits.to_json()
    zh = lang == "zh"
    if not answer["waits"]:
        return "没有听" if zh else "not waiting"
    rows = []
    for entry in answer["waits"]:
        rows.append([entry["tile"], _one(entry, zh), *(_one(o, zh) for o in _different(entry))])
    width = max(map(len, rows))
    text = table([row + [""] * (width - len(row)) for row in rows])
    types = ("、" if zh else ", ").join(answer["types"])
    return f"{text}\n{'落叫：' if zh else 'wait types: '}{types or ('—' if zh else '-')}"


def _one(entry: dict[str, Any], zh: bool) -> str:
    verdict = ("和" if entry["verdict"] == "win" else "诈和") if zh else entry["verdict"].replace("_", " ")
    return f"{entry['from']} {verdict} {entry['score']}"


def _different(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Origins whose verdict or score differs from the first one's."""
    face = (entry["verdict"], entry["score"])
    return [o for o in entry["others"] if (o["verdict"], o["score"]) != face]
