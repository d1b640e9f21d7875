"""A difference in words, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from dsl.api import Game
from dsl.core.hand import tile_name, tiles_of
from dsl.core.model import WILD, Rule
from dsl.judge.verdict import Verdict
from dsl.judge.words import headline, table
from dsl.text.codes import Lang
from dsl.text.source import KNOWN_AS

from .difference import Aspect, Class, ClauseChange, Difference
from .findings import chosen_game, rule_json
from .flows import FlowGroup

RELATIONS = {
    "equal": ("相同（已证）", "equal (proved)"),
    "subset": ("左边的右边都有，右边更多（已证）", "left ⊂ right (proved)"),
    "superset": ("右边的左边都有，左边更多（已证）", "left ⊃ right (proved)"),
    "overlap": ("有同有异", "overlap"),
    "disjoint": ("完全不同", "disjoint"),
    "different": ("不同", "different"),
    "unknown": ("不能判定", "unknown"),
}
ASPECTS = {
    "win": ("和不和", "win"),
    "score": ("算多少", "score"),
    "names": ("名", "names"),
    "payment": ("付多少", "payment"),
    "plays": ("出牌谁盖谁", "which play beats which"),
    "table": ("怎样打", "how it is played"),
}
CHANGES = {"added": ("右边多", "added"), "removed": ("左边多", "removed"), "changed": ("不同", "changed")}
COLON = ("：", ": ")
SHOWN = 4
"""Classes of one aspect that the text shows; JSON has all."""


ROADS = {
    "sweep": (
        "路子：牌连在一起，两边的自动机一面一面地看",
        "road: tiles that hang together were read kind by kind by the automata of both",
    ),
    "solver": (
        "路子：手太多，摆法由求解器来比，手由两边判过",
        "road: too many hands, so the solver compared arrangements, and the hands shown were judged by both",
    ),
}
"""What is said of the ways an answer came, but for the usual one: automata over tables of rows."""


def _pick(words: tuple[str, str], lang: Lang) -> str:
    return words[0 if lang == "zh" else 1]


# ---------------------------------------------------------------- text


def difference_text(found: Difference, lang: Lang) -> str:
    """The whole comparison for people."""
    lines = [_title(found), "", *_clauses(found, lang), ""]
    for aspect in found.aspects.values():
        lines += [*_aspect(found, aspect, lang), ""]
    lines.append(_pick(found.bounds, lang))
    if found.how in ROADS:
        lines.append(_pick(ROADS[found.how], lang))
    return "\n".join(lines)


def _title(found: Difference) -> str:
    return " ⇄ ".join(labels(found))


def labels(found: Difference) -> tuple[str, str]:
    """What to call the two sides: their names, with revisions, files or options where those are the same."""
    left, right = found.left, found.right
    named = in_revision(left), in_revision(right)
    if named[0] != named[1]:
        return named
    if left.core.path != right.core.path:
        return f"{left.name}（{left.core.path}）", f"{right.name}（{right.core.path}）"
    own = [k for k, v in left.options.items() if right.options.get(k) != v]
    other = [k for k, v in right.options.items() if left.options.get(k) != v]
    return chosen_game(left.core, own), chosen_game(right.core, other)


def in_revision(game: Game) -> str:
    """`HEAD~1:变` for a game of a git revision."""
    return next((r for r in KNOWN_AS if game.core.path.startswith(r)), "") + game.name


def _clauses(found: Difference, lang: Lang) -> Iterator[str]:
    if not found.clauses:
        yield _pick(("条文：没有不同", "clauses: no difference"), lang)
        return
    yield _pick((f"条文：{len(found.clauses)} 处不同", f"clauses: {len(found.clauses)} differ"), lang)
    for change in found.clauses:
        yield f"  {_pick(CHANGES[change.change], lang)} {change.name}"
        for sign, rule in (("-", change.left), ("+", change.right)):
            if rule is not None:
                yield f"    {sign} {rule.text}{_place(rule)}"


def _place(rule: Rule) -> str:
    cites = " ".join(rule.cites)
    where = f"  [{rule.span.path}:{rule.span.line}" + (f" {cites}]" if cites else "]")
    return where if rule.span.path else ""


def _aspect(found: Difference, aspect: Aspect, lang: Lang) -> Iterator[str]:
    yield _pick(COLON, lang).join(
        _pick(words, lang) for words in (ASPECTS[aspect.name], RELATIONS[aspect.relation])
    )
    if any(aspect.note):
        yield "  " + _pick(aspect.note, lang)
    for group in aspect.groups:
        if group.clauses:
            yield "  " + grouped(group, lang)
    if aspect.hands:
        yield "  " + weight(found, aspect, lang)
    if aspect.classes and aspect.hands:
        yield "  " + covering(aspect, lang)
    for item in aspect.classes[:SHOWN]:
        yield from _class(found, item, lang)
    more = len(aspect.classes) - SHOWN
    if more > 0:
        yield "  " + _pick(
            (f"……还有 {more} 类（--json 全列）", f"… {more} more classes (all in --json)"), lang
        )


def grouped(group: FlowGroup, lang: Lang) -> str:
    """A group of clauses of the flow that differs, with the names of those that do."""
    names = _pick(("、", ", "), lang).join(name for name, _, _ in group.clauses)
    return f"{_pick(group.words, lang)}{_pick(COLON, lang)}{names}"


def weight(found: Difference, aspect: Aspect, lang: Lang) -> str:
    """How many closed hands differ, and how likely a random one is."""
    differing = [k for k in aspect.hands if k not in ("both", "same")]
    share = sum((Fraction(aspect.probability[k]) for k in differing), Fraction())
    chance = _pick((f"随手一副不同的机会 {_short(share)}", f"chance of a random one {_short(share)}"), lang)
    head = _pick(("全是自家牌的手：", "hands of own tiles only: "), lang)
    return head + _pick(("；", "; "), lang).join([_amounts(found, aspect, lang), chance])


def _amounts(found: Difference, aspect: Aspect, lang: Lang) -> str:
    hands = aspect.hands
    if "both" not in hands:
        same, different = hands["same"], hands["different"]
        return _pick(
            (f"{same:,} 手一样，{different:,} 手不同", f"{same:,} the same, {different:,} differ"), lang
        )
    left, right = labels(found)
    both, one, other = (hands[k] for k in ("both", "left_only", "right_only"))
    return _pick(
        (
            f"两边都和 {both:,}，只 {left} 和 {one:,}，只 {right} 和 {other:,}",
            f"both win {both:,}, only {left} {one:,}, only {right} {other:,}",
        ),
        lang,
    )


def _short(share: Fraction) -> str:
    return f"{float(share):.3g}"


UNCOUNTED = (
    "手数不算：另写了形的身份，有标牌，或手太多",
    "not counted: roles with a shape of their own, a marked tile, or too many hands",
)

UNLIKE_COUNTED = (
    "不在数的手里：有摆出的牌，或末张、身份不是数的那种",
    "none of those counted: only with exposed melds, or with another last tile or role than is counted",
)


def _extent(item: Class, lang: Lang) -> str:
    """How many closed hands a class holds."""
    if not item.counted:
        return _pick(UNCOUNTED, lang)
    if not item.hands:
        return _pick(UNLIKE_COUNTED, lang)
    chance = _short(item.probability)
    return _pick((f"{item.hands:,} 手，机会 {chance}", f"{item.hands:,} hands, chance {chance}"), lang)


def covering(aspect: Aspect, lang: Lang) -> str:
    """That the classes are disjoint and nothing differs outside them."""
    many = len(aspect.classes)
    return _pick(
        (
            f"不同的手共 {many} 类，互不重叠，合起来就是全部（已证）",
            f"{many} class{'es' if many > 1 else ''}, disjoint, together the whole difference (proved)",
        ),
        lang,
    )


def _class(found: Difference, item: Class, lang: Lang) -> Iterator[str]:
    yield f"  · {titled(found, item, lang)}"
    yield "    " + hand_line(item.left, lang)
    for name, verdict in zip(labels(found), (item.left, item.right), strict=True):
        yield f"    {name}{_pick(COLON, lang)}{headline(verdict, lang)}"
        if verdict.complete:
            yield table(
                [[m["meld"], "".join(m["tiles"]), str(m["score"])] for m in verdict.melds()], (2,), " " * 6
            )
    for rule in item.rules:
        yield f"    {_pick(('见', 'see'), lang)} {rule.name}：{rule.text}{_place(rule)}"


def titled(found: Difference, item: Class, lang: Lang) -> str:
    """The reason of a class, and how many closed hands it holds."""
    opening, closing = ("（", "）") if lang == "zh" else (" (", ")")
    return f"{reason(found, item, lang)}{opening}{_extent(item, lang)}{closing}"


def reason(found: Difference, item: Class, lang: Lang) -> str:
    names = dict(zip(("left", "right"), labels(found), strict=True))
    words = "、".join(item.reason)
    if item.side in names and (item.left.win != item.right.win):
        return _pick(
            (
                f"只 {names[item.side]} 和；另一边不过 {words}",
                f"a win only in {names[item.side]}; the other refuses by {words}",
            ),
            lang,
        )
    if item.side in names:
        return _pick(
            (f"{words}：只 {names[item.side]} 算", f"{words}: only {names[item.side]} gives it"), lang
        )
    return _value(item, lang)


OUTCOMES = {
    "和": ("和", "win"),
    "诈和": ("诈和", "false win"),
    "不成形": ("不成形的诈和", "false win without a shape"),
}


def _value(item: Class, lang: Lang) -> str:
    """A class of hands with different values: by how much, or paid how."""
    what, *times = item.reason
    if what not in OUTCOMES:
        return _pick((f"左边减右边 {what}", f"left minus right {what}"), lang)
    head = _pick(OUTCOMES[what], lang)
    if times:
        return _pick(
            (f"{head}：{times[0]} 倍对 {times[1]} 倍", f"{head}: {times[0]} times against {times[1]}"), lang
        )
    return _pick((f"{head}：付法不同", f"{head}: paid otherwise"), lang)


def hand_line(verdict: Verdict, lang: Lang) -> str:
    """The hand in one line: exposed melds, concealed tiles, wild ones after the others, the last tile."""
    game, hand = verdict.compiled.game, verdict.hand

    def named(tiles: Iterable[int]) -> str:
        return "".join(tile_name(game, tile, hand.context) for tile in tiles)

    parts = [f"{game.melds[laid.meld].type.name} {named(tiles_of(game, laid))}" for laid in hand.laid]
    shown = [named(k for k in part for _ in range(hand.counts[k])) for part in game.components]
    if hand.wilds and game.wild is not None:
        shown.append(f"{game.wild.name}＝{named([WILD] * hand.wilds)}")
    parts.append(" ".join(s for s in shown if s))
    if hand.last is not None:
        parts.append(f"← {named([hand.last[0]])}（{hand.last[1]}）")
    around = "".join(f"，{name} {value}" for name, value in hand.context.items())
    return f"{hand.role}{around}：" + " ｜ ".join(p for p in parts if p)


# ---------------------------------------------------------------- JSON


def difference_json(found: Difference, lang: Lang) -> dict[str, Any]:
    """The machine form."""
    aspects = {name: _aspect_json(aspect, lang) for name, aspect in found.aspects.items()}
    aspects.setdefault("table", {"relation": None, "reason": "neither ruleset describes the table"})
    return {
        "left": {"game": found.left.name, "options": dict(found.left.options)},
        "right": {"game": found.right.name, "options": dict(found.right.options)},
        "clauses": [_clause_json(c) for c in found.clauses],
        "aspects": aspects,
        "bounds": _pick(found.bounds, lang),
        "how": found.how,
    }


def _clause_json(change: ClauseChange) -> dict[str, Any]:
    sides = {"left": _shown(change.left), "right": _shown(change.right)}
    return {"name": change.name, "change": change.change, **sides}


def _aspect_json(aspect: Aspect, lang: Lang) -> dict[str, Any]:
    result: dict[str, Any] = {
        "relation": aspect.relation,
        "classes": [_class_json(c, lang) for c in aspect.classes],
    }
    if aspect.hands:
        result |= {"hands": aspect.hands, "probability": aspect.probability}
        result["cover"] = {"disjoint": True, "complete": True, "classes": len(aspect.classes)}
    if any(aspect.note):
        result["note"] = _pick(aspect.note, lang)
    if aspect.groups:
        result["groups"] = [_group_json(group) for group in aspect.groups]
    return result


def _group_json(group: FlowGroup) -> dict[str, Any]:
    clauses = [
        {"name": name, "left": _shown(left), "right": _shown(right)} for name, left, right in group.clauses
    ]
    return {"group": group.name, "relation": group.relation, "clauses": clauses}


def _shown(rule: Rule | None) -> dict[str, Any] | None:
    return None if rule is None else rule_json(rule)


def _class_json(item: Class, lang: Lang) -> dict[str, Any]:
    return {
        "reason": list(item.reason),
        "side": item.side,
        "hands": item.hands,
        "probability": str(item.probability),
        "witness": dict(item.witness),
        "left": item.left.to_json(lang),
        "right": item.right.to_json(lang),
        "rules": [rule_json(r) for r in item.rules],
    }
