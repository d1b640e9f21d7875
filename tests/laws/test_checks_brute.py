"""Every check against brute force on cut-down games, each seen to speak and to keep silent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

import dsl
from tests.laws.cut_down import Variant, covering, game_of, mixed, one_by_one, text_of, variant
from tests.laws.oracle import CHECKS, Found, Oracle
from verifier import verify
from verifier.findings import Finding

QUOTED = re.compile(r"`([^`]*)`")

# ---------------------------------------------------------------- what a check said, in the oracle's words


def said(code: str, findings: Iterable[Finding]) -> Found:
    return {key for finding in findings for key in READERS[code](finding, finding.sentence[0])}


def numbers(text: str) -> list[int]:
    return [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", text)]


def reason(finding: Finding, text: str) -> Found:
    return {("reason", finding.rules[-1].name)}


def need(finding: Finding, text: str) -> Found:
    return {("need", finding.rules[0].name)}


def choice(finding: Finding, text: str) -> Found:
    complete, several = numbers(text)[:2]
    return {(finding.severity, several, complete)}


def dead(finding: Finding, text: str) -> Found:
    name = finding.rules[0].name
    words = {"谁也": "win", "犯": "false win", "从来不付": "payment", "一行": "row", "那一格": "cell"}
    for word, kind in words.items():
        if word in text:
            cell = re.search(r"值 (\S+) 的那一格", text)
            points = () if cell is None else (None if cell[1] == "None" else int(cell[1]),)
            return {(kind, name, *points)}
    return {("name" if name.startswith("名.") else "wait", name)}


def idle(finding: Finding, text: str) -> Found:
    name = finding.rules[0].name
    part = re.search("里的“(.*)”不写也一样", text)
    if part is not None:
        return {("part", name, part[1])}
    return {("always" if "凡和的牌" in text else "need", name)}


def gap(finding: Finding, text: str) -> Found:
    return {("gap", rule.name) for rule in finding.rules if rule.name.startswith("价.")}


def tiers(finding: Finding, text: str) -> Found:
    names = [rule.name for rule in finding.rules]
    return {("hole", *names)} if "哪一档也不是" in text else {("overlap",)}


def payment(finding: Finding, text: str) -> Found:
    name = QUOTED.findall(text)[:1]
    if "没有一笔" in text:
        return {("unpaid", "false_win" if "诈和了" in text else "win")}
    for word, kind in {"等于没付": "idle", "小于零": "negative", "从来不付也不收": "left out"}.items():
        if word in text:
            return {(kind, *name)}
    return {("none",)}


def order(finding: Finding, text: str) -> Found:
    name = QUOTED.findall(text)[0]
    if "自己做成" in text:
        return {("own", finding.rules[0].name)}
    if "多一张同样的牌" in text:
        return {("copy", name.partition(".")[0], numbers(text.split("值")[1])[0])}
    return {("apart", name, numbers(text.split("值")[1])[0])}


def waits(finding: Finding, text: str) -> Found:
    if "听牌，却不是" in text:
        return {("uncovered", numbers(text)[0])}
    if "说等" in text:
        return {("unsound", finding.rules[0].name)}
    return {overlap(zh) for zh, _ in finding.verdicts}


def overlap(text: str) -> tuple[object, ...]:
    one, other = QUOTED.findall(text)
    names = ("单钓", "对倒", "双口", "四单", "双对", "三单", "又钓")
    low, high = sorted((one, other), key=names.index)
    if "一回事" in text:
        return ("overlap", low, high, 0, False, False)
    if "都是" in text:
        return ("overlap", low, high, 0, one != low, one == low)
    return ("overlap", low, high, numbers(text)[0], True, True)


def deal(finding: Finding, text: str) -> Found:
    if "整副牌只有" in text:
        return {("deck", *numbers(text))}
    return {("short", QUOTED.findall(text)[0])}


def sizes(finding: Finding, text: str) -> Found:
    if "家家都发" in text:
        return {("too many",)}
    return {("win",)} if "谁也和不了" in text else {("wait", finding.rules[0].name)}


def names(finding: Finding, text: str) -> Found:
    pairs = [tuple(QUOTED.findall(zh)) for zh, _ in finding.verdicts]
    if "永远碰不到" in text:
        return {("apart", *pair) for pair in pairs}
    if "同时成立" in text:
        return {("meet unstacked" if "没有写怎么叠" in text else "meet", *pair) for pair in pairs}
    return {("same" if "一回事" in text else "implies", *QUOTED.findall(text))}


def statement(finding: Finding, text: str) -> Found:
    return {("statement", QUOTED.findall(text)[0])}


READERS = {
    "V101": reason,
    "V102": need,
    "V103": choice,
    "V104": dead,
    "V105": idle,
    "V106": gap,
    "V107": tiers,
    "V108": payment,
    "V109": order,
    "V110": waits,
    "V114": deal,
    "V115": sizes,
    "V117": names,
    "V119": statement,
}

KINDS = {
    *(("V101", "reason"), ("V102", "need"), ("V103", "warning"), ("V103", "info")),
    *(("V104", k) for k in ("win", "name", "false win", "payment", "row", "cell", "wait")),
    *(("V105", k) for k in ("need", "always", "part")),
    *(("V106", "gap"), ("V107", "hole"), ("V107", "overlap")),
    *(("V108", k) for k in ("none", "unpaid", "idle", "negative", "left out")),
    *(("V109", k) for k in ("own", "copy", "apart")),
    *(("V110", k) for k in ("uncovered", "unsound", "overlap")),
    *(("V114", k) for k in ("deck", "short")),
    *(("V115", k) for k in ("win", "wait", "too many")),
    *(("V117", k) for k in ("same", "implies", "apart", "meet", "meet unstacked")),
    ("V119", "statement"),
}
"""Everything that the checks can say; each is to be seen and to be missed."""


def compared(variants: Iterable[Variant]) -> dict[tuple[str, str], set[bool]]:
    """Assert that the checks say of each variant what brute force says; which spoke, and which did not."""
    seen: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for chosen in variants:
        game = game_of(chosen)
        oracle = Oracle(game, chosen.tiers)
        report = verify(game, CHECKS)
        assert not report.unknown, chosen.label
        for code, expected in CHECKS.items():
            found = said(code, (f for f in report.findings if f.code == code))
            wanted = expected(oracle)
            assert found == wanted, (chosen.label, code, found - wanted, wanted - found)
            for kind in (k for c, k in KINDS if c == code):
                seen[code, kind].add(any(key[0] == kind for key in wanted))
    return seen


NINE = {"deck": "nine", "deal": "nine", "shape": "three"}
ODD = {"deck": "even", "deal": "odd"}


def few() -> list[Variant]:
    """Games in which every check speaks somewhere and keeps silent elsewhere."""
    return [
        *covering(deck="two"),
        variant(needs="hard", false_win="named", claims="some"),
        *(variant(**NINE, payments="minus", needs=needs) for needs in ("base", "hard")),
        *(variant(**ODD, shape=shape) for shape in ("never", "pairs")),
    ]


def seen_both(seen: dict[tuple[str, str], set[bool]]) -> bool:
    return {kind for kind in KINDS if seen[kind] != {True, False}} == set()


def test_every_check_on_two_groups() -> None:
    assert seen_both(compared(few()))


def test_every_check_on_three_groups() -> None:
    compared([variant(deck="three"), variant(deck="three", names="loose", payments="both", waits="wrong")])


@pytest.mark.slow
def test_every_check_on_two_groups_with_one_part_exchanged() -> None:
    compared(one_by_one(deck="two"))


@pytest.mark.slow
def test_every_check_on_three_groups_with_one_part_exchanged() -> None:
    compared(one_by_one(deck="three"))


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["two", "three", "nine"])
def test_every_check_on_parts_put_together_by_lot(deck: str) -> None:
    fixed = NINE if deck == "nine" else {"deck": deck}
    compared(mixed(60, seed=5, **fixed))


def test_a_meld_with_two_prices_or_none_does_not_load(tmp_path: Path) -> None:
    """V106 need only look for `缺`: rows that both price a meld, and melds without a row, are faults."""
    path = tmp_path / "game.pai"
    for change, code in (("坎 绍 6 4；绍 5 4", "N002"), ("坎 6 4", "T002")):
        path.write_text(text_of(variant()).replace("坎 绍 6 4", change), encoding="utf-8")
        with pytest.raises(dsl.SpecError) as raised:
            dsl.load(str(path))
        assert code in {d.code for d in raised.value.diagnostics}, raised.value
