"""V116 against brute force: every option alone and in pairs, each game with all its positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, product
from operator import eq
from pathlib import Path

import dsl
from dsl.core.hand import Hand
from dsl.core.model import Game
from dsl.core.reference import judge
from tests.laws.cut_down import text_of, variant
from tests.laws.oracle import Found, Oracle, exposures, hands_of, unsound
from verifier import verify
from verifier.findings import Finding

OPTIONS = """
  选项 起点 四 | 四十 | 九
  选项 招价 常 | 低 | 高
  选项 对倒法 对 | 错
  选项 空改 否 | 是
  选项 写法 大 | 多
  选项 坏改 否 | 是
  不许 起点 = 四十 且 写法 = 多
  若 起点 = 四十 { 调 和.门槛 4 → 40 }
  若 起点 = 九 { 调 和.门槛 4 → 9 }
  若 招价 = 低 { 改 价.符.招.一 6 6 代 招 }
  若 招价 = 高 { 改 价.符.招.一 15 6 代 招 }
  若 对倒法 = 错 且 空改 = 是 { 加 名.巨：符 ≥ 50 倍 9 }
  若 对倒法 = 错 { 改 落叫.对倒 1口 1对 等 对 口 }
  若 空改 = 是 且 起点 = 九 { 调 名.大 6 → 7 }
  若 写法 = 多 { 改 名.大：符 > 5 倍 3 }
  若 坏改 = 是 且 对倒法 = 错 { 改 名.大：没有这个 倍 3 }
"""

Change = tuple[str, str]


def written(folder: Path) -> dsl.Game:
    text = text_of(variant(names="one", prices="whole", payments="both"))
    path = folder / "game.pai"
    text = text.replace("倍 3", "倍 3；超：符 ≥ 14 倍 2", 1).replace("规则 试 {", "规则 试 {" + OPTIONS, 1)
    path.write_text(text, encoding="utf-8")
    return dsl.load(str(path))


class Family:
    """The game under every change alone and every pair, as far as they load."""

    def __init__(self, base: dsl.Game) -> None:
        self.base = base.core
        self.choices = {c.name: c.values for c in base.core.choices}
        defaults = {c.name: c.default for c in base.core.choices}
        self.changes = [(n, v) for n, values in self.choices.items() for v in values if v != defaults[n]]
        self.faults: set[frozenset[Change]] = set()
        self.games: dict[frozenset[Change], Oracle] = {}
        pairs = [pair for pair in combinations(self.changes, 2) if pair[0][0] != pair[1][0]]
        for changes in [(), *((change,) for change in self.changes), *pairs]:
            self._load(frozenset(changes))

    def _load(self, changes: frozenset[Change]) -> None:
        try:
            game = dsl.load(f"{self.base.path}#{self.base.name}", dict(changes)).core
        except dsl.SpecError as error:
            if "N011" not in {d.code for d in error.diagnostics}:
                self.faults.add(changes)
            return
        self.games[changes] = Oracle(game)

    def under(self, *changes: Change) -> Oracle | None:
        """The game under the changes; a default value is none."""
        return self.games.get(frozenset(c for c in changes if c in self.changes))


def alive_and_dead(o: Oracle) -> tuple[set[str], set[str]]:
    """Names of clauses that come into play, and of those that never do."""
    game = o.game
    facts = {game.win.rule.name: bool(o.wins)}
    facts |= {n.rule.name: bool(o.wins & o.where(n.formula)) for n in game.names}
    facts |= {r.rule.name: bool(o.where(r.formula)) for r in game.false_win}
    bits = {"win": o.wins, "false_win": o.false_wins}
    facts |= {t.rule.name: bool(bits[t.outcome] & o.where(t.condition)) for t in game.transfers}
    for meld in game.melds:
        row = meld.prices[0].rule.name
        facts[row] = facts.get(row, False) or meld.id in o.held_in_wins
    priced = {name: alive for name, alive in facts.items() if name}
    return {n for n, a in priced.items() if a}, {n for n, a in priced.items() if not a}


def expected(family: Family) -> Found:
    found: Found = {("fault", changes) for changes in family.faults}
    facts = {changes: alive_and_dead(o) for changes, o in family.games.items()}
    for name, values in family.choices.items():
        own = {v: frozenset(c for c in [(name, v)] if c in family.changes) for v in values}
        kept = set().union(*(facts[c][0] for c in own.values() if c in facts))
        for changes in (c for c in own.values() if c in facts):
            if facts[changes][1] & kept:
                value = next(v for v, c in own.items() if c == changes)
                found.add(("kills", frozenset({(name, value)}), frozenset(facts[changes][1] & kept)))
        found |= _wrong_waits(family, name, values)
    for changes, (_, dead) in facts.items():
        if len(changes) == 2:
            parts = [facts[frozenset({c})] for c in changes if frozenset({c}) in facts]
            kept = facts[frozenset()][0].union(*(alive for alive, _ in parts))
            fresh = (dead - set().union(*(gone for _, gone in parts))) & kept
            if fresh:
                found.add(("kills", changes, frozenset(fresh)))
    return found


def _wrong_waits(family: Family, name: str, values: tuple[str, ...]) -> Found:
    wrong = {
        value: {w.name for w in o.game.waits if unsound(o, w.name)}
        for value in values
        if (o := family.under((name, value))) is not None
    }
    return {
        ("wait", (name, value), wait)
        for value, own in wrong.items()
        for wait in own
        if any(wait not in others for other, others in wrong.items() if other != value)
    }


# ---------------------------------------------------------------- what the check said

QUOTED = re.compile(r"`([^`]*)`")


def changes_in(text: str) -> frozenset[Change]:
    pairs = (quoted.split(" = ") for quoted in QUOTED.findall(text) if " = " in quoted)
    return frozenset((name, value) for name, value in pairs)


def said(finding: Finding) -> Found:
    text = finding.sentence[0]
    changes = changes_in(text)
    if "永远用不上" in text:
        killed = frozenset(q for q in QUOTED.findall(text) if " = " not in q)
        return {("kills", changes, killed)}
    if "来了却不成形" in text:
        return {("wait", *changes, QUOTED.findall(text)[1])}
    return {("fault", changes)} if "读不进来" in text else set()


def outcomes(game: Game) -> Iterator[tuple[object, ...]]:
    """What the reference judge says of every hand, in order."""
    for laid, counts, extra in exposures(game):
        left = [k.copies - n for k, n in zip(game.kinds, counts, strict=True)]
        for held in hands_of(game, left, game.finished + extra - sum(counts)):
            hands = [Hand("庄", laid, held, None)]
            for kind, origin in product([k for k, n in enumerate(held) if n], ("自摸", "他摸", "他打")):
                rest = tuple(n - (k == kind) for k, n in enumerate(held))
                hands.append(Hand("闲", laid, rest, (kind, origin)))
            for hand in hands:
                o = judge(game, hand)
                yield o.win, o.false_win, o.score, o.scores, o.names, o.payments


def test_readings_agree_with_brute_force(tmp_path: Path) -> None:
    base = written(tmp_path)
    family = Family(base)
    findings = verify(base, ["V116"]).findings
    wanted = expected(family)
    assert set().union(*(said(f) for f in findings)) == wanted
    assert {key[0] for key in wanted} == {"kills", "wait", "fault"}
    assert {len(key[1]) for key in wanted if key[0] == "kills"} == {1, 2}  # type: ignore[arg-type]
    table = [zh for f in findings if f.severity == "info" for zh, _ in f.verdicts]
    same = {c for line in table if "不起作用" in line and "单用" in line for c in changes_in(line)}
    same |= {c for line in table if "没有分别" in line for c in changes_in(line)}
    plain = list(outcomes(base.core))
    alone = {c: family.games[frozenset({c})].game for c in family.changes if frozenset({c}) in family.games}
    judged_alike = {c for c, g in alone.items() if all(map(eq, outcomes(g), plain))}
    assert same == judged_alike == {("空改", "是"), ("写法", "多"), ("对倒法", "错"), ("坏改", "是")}
