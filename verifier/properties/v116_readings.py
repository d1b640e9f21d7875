"""V116: options and readings as an algebra: which kill, which are the same, which need one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.core.hand import Hand
from dsl.core.model import Choice, Rule
from dsl.core.waiting import wait_type

from ..algebra import NO_FILE, Algebra, Change, Variant
from ..findings import Finding, Words, counted_hand
from ..study import Study

TITLE = ("选项与读法", "options and readings")
EACH = (
    "在读法的说明里写出它废了哪几条，或者用 `断言 … 于 … 验 V104` 记下",
    "say in the reading's title what it leaves dead, or record it with a statement",
)

RIGHT = (
    "在这种读法下改正落叫所等的牌，或者在读法的说明里写出它同落叫不合",
    "correct what the wait type waits for under it, or say in the reading's title that it clashes",
)


def findings(study: Study) -> Iterator[Finding]:
    """What a value leaves dead and others do not; waits it makes wrong; faults; one table of the rest."""
    if all(choice.of_play for choice in study.game.choices):
        return
    algebra = Algebra(study)
    if not algebra.singles and algebra.lost:
        study.leave_open("V116", NO_FILE)
        return
    for choice in algebra.choices:
        yield from _kills(algebra, choice)
        yield from _wrong_waits(algebra, choice)
    yield from _killing_pairs(algebra)
    yield from _faults(algebra)
    yield _table(algebra)


def _said(change: Change) -> str:
    return f"`{change[0]} = {change[1]}`"


def _pair(changes: Iterable[Change]) -> str:
    return " + ".join(map(_said, changes))


def _rule(algebra: Algebra, name: str) -> Rule:
    return next(choice.rule for choice in algebra.choices if choice.name == name)


# ---------------------------------------------------------------- clauses that a value kills


def _kills(algebra: Algebra, choice: Choice) -> Iterator[Finding]:
    """One finding for each value under which something is dead that another value keeps."""
    values = [(v, variant) for v in choice.values if (variant := algebra.value_of(choice, v)) is not None]
    for value, variant in values:
        kept = {n: r for _, other in values for n, r in other.asked.items() if n not in other.dead}
        killed = [kept[name] for name in variant.asked if name in variant.dead and name in kept]
        if killed:
            yield _killing(algebra, [(choice.name, value)], killed)


def _killing_pairs(algebra: Algebra) -> Iterator[Finding]:
    """Clauses that only two changes together leave dead."""
    for (one, other), variant in algebra.pairs.items():
        alone = (algebra.singles.get(one), algebra.singles.get(other))
        before = frozenset[str]().union(*(v.dead for v in alone if v is not None))
        kept = {n for v in (algebra.base, *alone) if v is not None for n in v.asked if n not in v.dead}
        fresh = (variant.dead - before) & kept
        killed = [rule for name, rule in variant.asked.items() if name in fresh]
        if killed:
            yield _killing(algebra, [one, other], killed)


def _killing(algebra: Algebra, changes: list[Change], killed: list[Rule]) -> Finding:
    names = [f"`{rule.name}`" for rule in killed]
    never = "never comes into play, otherwise it can"
    if len(killed) > 1:
        never = "never come into play, otherwise they can"
    said = (
        f"{_pair(changes)} 的时候 {'、'.join(names)} 永远用不上，换一种就用得上",
        f"under {_pair(changes)} {', '.join(names)} {never}",
    )
    rules = [*(_rule(algebra, name) for name, _ in changes), *killed]
    subject = ["kills", *map(_said, changes), *(rule.name for rule in killed)]
    return algebra.study.finding("warning", said, rules, mend=EACH, subject=subject)


# ---------------------------------------------------------------- waits that a value makes wrong


def _wrong_waits(algebra: Algebra, choice: Choice) -> Iterator[Finding]:
    """Wait types whose stated winning set is wrong under one value and right under another."""
    for value in choice.values:
        variant = algebra.value_of(choice, value)
        if variant is None:
            continue
        others = [v for w in choice.values if (v := algebra.value_of(choice, w)) is not None and w != value]
        for name, (hand, kind) in algebra.unsound_in(variant).items():
            if any(name not in algebra.unsound_in(other) for other in others):
                yield _wrong_wait(algebra, (choice.name, value), variant, name, hand, kind)


def _wrong_wait(
    algebra: Algebra, change: Change, variant: Variant, name: str, hand: Hand, kind: int
) -> Finding:
    tile = variant.game.kinds[kind].name
    wait = wait_type(variant.game, name)
    said = (
        f"{_said(change)} 的时候 `{name}` 说等 `{tile}`，来了却不成形",
        f"under {_said(change)} `{name}` claims to wait for `{tile}`, which does not complete the hand",
    )
    rules = [_rule(algebra, change[0]), wait.rule, variant.game.win.rule]
    subject = ["wait", _said(change), name]
    shown = counted_hand(variant.game, hand)
    return algebra.study.finding("warning", said, rules, shown, mend=RIGHT, subject=subject)


# ---------------------------------------------------------------- combinations that do not load


def _faults(algebra: Algebra) -> Iterator[Finding]:
    _ = algebra.pairs
    for changes, error in algebra.faults.items():
        fault = next(f for f in error.diagnostics if f.severity == "error")
        said = (
            f"{_pair(changes)} 读不进来：{fault.code} {fault.message('zh')}",
            f"{_pair(changes)} does not load: {fault.code} {fault.message('en')}",
        )
        help_ = ("改好它，或者写 `不许 …`", "mend it, or forbid the combination")
        rules, subject = [_rule(algebra, name) for name, _ in changes], ["fault", *map(_said, changes)]
        yield algebra.study.finding("error", said, rules, mend=help_, subject=subject)


# ---------------------------------------------------------------- the table


def _table(algebra: Algebra) -> Finding:
    """One finding for everything that is good to know."""
    number, pairs = len(algebra.singles), len(algebra.pairs)
    said = (
        f"试了 {number} 种改法和 {pairs} 对（另有 {algebra.forbidden} 种不许同选）",
        f"tried {number} changes and {pairs} pairs ({algebra.forbidden} more are forbidden)",
    )
    lines = [*_idle(algebra), *_equal(algebra), *_dependent(algebra), *_sure(algebra), *_own_dead(algebra)]
    rules = [choice.rule for choice in algebra.choices]
    return algebra.study.finding("info", said, rules, verdicts=lines, subject=["table"])


def _idle(algebra: Algebra) -> Iterator[Words]:
    """Changes without any effect by themselves, and those that change clauses but no judgement."""
    for change, variant in algebra.singles.items():
        if variant.essence == algebra.base.essence:
            yield (
                f"{_said(change)} 单用不起作用",
                f"{_said(change)} has no effect by itself",
            )
        elif algebra.same_judgement(variant):
            yield (
                f"{_said(change)} 改了条文，判起来一手也没有分别",
                f"{_said(change)} changes clauses, and the judgement of no hand",
            )


def _equal(algebra: Algebra) -> Iterator[Words]:
    """Changes that come to the same game."""
    groups: dict[object, list[Change]] = {}
    for change, variant in algebra.singles.items():
        if variant.essence != algebra.base.essence:
            groups.setdefault(variant.essence, []).append(change)
    for group in (g for g in groups.values() if len(g) > 1):
        text = " = ".join(map(_said, group))
        yield f"{text}：同一套规则", f"{text}: the same game"


def _dependent(algebra: Algebra) -> Iterator[Words]:
    """Changes that a second one swallows or wakes."""
    base, singles = algebra.base.essence, {c: v.essence for c, v in algebra.singles.items()}
    for pair, variant in algebra.pairs.items():
        for one, other in (pair, pair[::-1]):
            if one not in singles or other not in singles:
                continue
            if variant.essence == singles[one] and singles[other] not in (base, singles[one]):
                yield (
                    f"选了 {_said(one)}，{_said(other)} 就不再起作用",
                    f"once {_said(one)} is chosen, {_said(other)} has no effect",
                )
            elif singles[other] == base and variant.essence != singles[one]:
                yield (
                    f"{_said(other)} 要同 {_said(one)} 一起才起作用",
                    f"{_said(other)} has an effect together with {_said(one)}",
                )


def _sure(algebra: Algebra) -> Iterator[Words]:
    """Names that can miss no need under a value, although they can by default; and the other way round."""
    for change, variant in algebra.singles.items():
        names = {n.name for n in algebra.base.game.names} & {n.name for n in variant.game.names}
        alive = names - {
            n.name for v in (variant, algebra.base) for n in v.game.names if n.rule.name in v.dead
        }
        for name, need in sorted(variant.sure - algebra.base.sure):
            if name in alive and need in {n.rule.name for n in algebra.base.game.win.needs}:
                yield (
                    f"{_said(change)} 的时候，凡 `{name}` 都满足 `{need}`",
                    f"under {_said(change)} every `{name}` meets `{need}`",
                )
        for name, need in sorted(algebra.base.sure - variant.sure):
            if name in alive:
                yield (
                    f"{_said(change)} 的时候，`{name}` 就可能不满足 `{need}`",
                    f"under {_said(change)} a `{name}` can miss `{need}`",
                )


def _own_dead(algebra: Algebra) -> Iterator[Words]:
    """Clauses that a value brings along and that never come into play."""
    for change, variant in algebra.singles.items():
        for name in sorted(variant.dead - set(algebra.base.asked)):
            yield (
                f"{_said(change)} 添的 `{name}` 永远用不上",
                f"`{name}`, which {_said(change)} adds, never comes into play",
            )
