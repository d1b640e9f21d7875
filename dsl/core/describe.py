"""Formulas in the author's language, with the values found where a position is given.

Third reading of CORE beside `evaluate.py` and `verifier/encode.py`: same cases, same order.
"""

from __future__ import annotations

from typing import Literal, assert_never

from .evaluate import Arrangement, Position, compared, context_value, holds, linear
from .model import (
    ORIGINS,
    And,
    Compare,
    Complete,
    Congruent,
    ContextIs,
    Defined,
    Feature,
    Formula,
    LastAlike,
    LastFrom,
    LastIn,
    LastWild,
    Linear,
    Misnamed,
    Not,
    Operator,
    Or,
    RoleIs,
    Truth,
)

Lang = Literal["zh", "en"]
SIGNS: dict[Operator, str] = {"<": "<", "<=": "≤", "=": "=", "!=": "≠", ">=": "≥", ">": ">"}
OPPOSITE: dict[Operator, Operator] = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">=": "<", ">": "<="}


def describe(formula: Formula, lang: Lang, at: Position | None = None) -> str:
    """One line; parts that decide are named with the value they have at the position."""
    match formula:
        case Truth(known):
            return _pick(lang, "恒真" if known else "恒假", "always" if known else "never")
        case Compare(left, operator, right):
            return _compare(left, operator, right, lang, at)
        case Congruent(left, modulus, residue):
            return f"{_sum(left)} {_pick(lang, '模', 'mod')} {modulus} = {residue}{_found(left, at, lang)}"
        case Not(part):
            return _negated(part, lang, at)
        case And(parts):
            return _joined(parts, _pick(lang, " 且 ", " and "), lang, at, wanted=False)
        case Or(parts):
            return _joined(parts, _pick(lang, " 或 ", " or "), lang, at, wanted=True)
        case Defined(name, _, _):
            return name
        case Complete():
            return _pick(lang, "成形", "the win shape")
        case RoleIs(role):
            return _pick(lang, f"身 {role}", f"role {role}")
        case LastFrom(origins):
            return _last_from(origins, lang, at)
        case LastIn(types):
            return _last_in(types, lang, at)
        case LastWild():
            return _pick(lang, "末张是赖子", "the last tile is a wild one")
        case LastAlike(operator, bound):
            return _last_alike(operator, bound, lang, at)
        case ContextIs(parameter, value):
            return f"{parameter} = {value}" + _context(parameter, value, at, lang)
        case Misnamed():
            return _pick(lang, "报错了名", "a wrong name declared")
        case _:
            assert_never(formula)


def _negated(part: Formula, lang: Lang, at: Position | None) -> str:
    """What is denied, in plainer words where there are some."""
    match part:
        case Compare(left, operator, right):
            return describe(Compare(left, OPPOSITE[operator], right), lang, at)
        case LastAlike(operator, bound):
            return _last_alike(OPPOSITE[operator], bound, lang, at)
        case Complete():
            return _pick(lang, "不成形", "no win shape")
        case Misnamed():
            return _pick(lang, "没有报错名", "no wrong name declared")
        case _:
            return _pick(lang, "非（", "not (") + describe(part, lang, at) + _pick(lang, "）", ")")


def _pick(lang: Lang, zh: str, en: str) -> str:
    return zh if lang == "zh" else en


def _compare(left: Linear, operator: Operator, right: Linear, lang: Lang, at: Position | None) -> str:
    if operator in (">=", "<") and right == Linear(constant=1) and _is_count(left):
        return _presence(left.parts[0][1], operator == ">=", lang)
    text = f"{_sum(left)} {SIGNS[operator]} {_sum(right)}"
    if at is None:
        return text
    have, want = linear(left, at.arrangement), linear(right, at.arrangement)
    note = _pick(lang, f"（得 {have}", f" (found {have}")
    if not compared(have, operator, want) and operator in (">=", ">"):
        short = want - have + (operator == ">")
        note += _pick(lang, f"，差 {short}", f", {short} short")
    return text + note + _pick(lang, "）", ")")


def _is_count(term: Linear) -> bool:
    return len(term.parts) == 1 and term.parts[0][0] == 1 and term.parts[0][1].name.startswith("数 ")


def _presence(feature: Feature, some: bool, lang: Lang) -> str:
    what = feature.name.removeprefix("数 ")
    return _pick(lang, f"{'有' if some else '无'} {what}", f"{'some' if some else 'no'} {what}")


def _sum(term: Linear) -> str:
    named = [*((c, f.name) for c, f in term.parts), *term.free]
    parts = [name if c == 1 else f"{c} × {name}" for c, name in named]
    if term.constant or not parts:
        parts.append(str(term.constant))
    return " + ".join(parts)


def _found(term: Linear, at: Position | None, lang: Lang) -> str:
    if at is None:
        return ""
    value = linear(term, at.arrangement)
    return _pick(lang, f"（得 {value}）", f" (found {value})")


def _joined(parts: tuple[Formula, ...], word: str, lang: Lang, at: Position | None, wanted: bool) -> str:
    """Long lists show only the parts that decide: those that hold in 或, those that fail in 且."""
    shown = list(parts)
    if at is not None and len(parts) > 3:
        shown = [p for p in parts if holds(p, at) is wanted] or shown[:1]
    elif len(parts) > 3:
        shown = shown[:1]
    more = (
        ""
        if len(shown) == len(parts)
        else _pick(lang, f" …（共 {len(parts)} 条）", f" … ({len(parts)} in all)")
    )
    return word.join(describe(p, lang, at) for p in shown) + more


def _last_from(origins: frozenset[str | None], lang: Lang, at: Position | None) -> str:
    names: list[str] = [o for o in ORIGINS if o in origins]
    if None in origins:
        names.append(_pick(lang, "无", "none"))
    text = _pick(lang, "末张 ", "last tile from ") + " ".join(names)
    if at is None:
        return text
    have = at.situation.last_from or _pick(lang, "无", "none")
    return text + _pick(lang, f"（是 {have}）", f" (it is {have})")


def _last_in(types: frozenset[int], lang: Lang, at: Position | None) -> str:
    if at is None:
        return _pick(
            lang, f"末张入指定牌型（{len(types)} 种）", f"the last tile in one of {len(types)} melds"
        )
    names = dict.fromkeys(t.family for t in at.game.types if t.index in types)
    return _pick(lang, "末张入 ", "the last tile in ") + " ".join(names)


def _last_alike(operator: Operator, bound: int, lang: Lang, at: Position | None) -> str:
    text = (
        _pick(lang, "手里与末张同张的", "concealed tiles like the last one") + f" {SIGNS[operator]} {bound}"
    )
    if at is None:
        return text
    have = at.situation.last_alike
    return text + _pick(lang, f"（得 {have}）", f" (found {have})")


def _context(parameter: str, value: str, at: Position | None, lang: Lang) -> str:
    if at is None:
        return ""
    have = context_value(at.game, at.situation, parameter)
    return "" if have == value else _pick(lang, f"（是 {have}）", f" (it is {have})")


__all__ = ["Arrangement", "Lang", "describe"]
