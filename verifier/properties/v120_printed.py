"""V120: what the source prints of a hand, or claims, and its own rules contradict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import dsl
from dsl.core.evaluate import holds
from dsl.core.hand import to_json
from dsl.core.model import Example as Case
from dsl.core.model import Game, Printed, Rule, Statement
from dsl.judge.examples import answer as judged
from dsl.judge.verdict import Verdict
from dsl.judge.words import headline

from ..findings import Example, Finding, Words, shown_meld
from ..study import Study, answer_words
from .v119_statements import Outcome, answer, of_truth

TITLE = ("原文的算术", "arithmetic of the printed text")
MEND = (
    "对一对原文：印错了，就把所印的留着，用 `断言 … 验 V120 答 有` 记下；不然改规则",
    "look at the source: keep what it prints and record the misprint with `claim … check V120 answer some`, "
    "or mend the rules",
)
VERDICTS: dict[object, Words] = {"win": ("和", "a win"), "false_win": ("诈和", "a false win")}

Answer = Mapping[str, Any]
"""What is said of a hand, by the keys of the judge's answer."""


def findings(study: Study) -> Iterator[Finding]:
    """Worked hands first, then what the source claims in words."""
    for case in study.game.examples:
        if case.printed:
            yield from _hand(study, case)
    for statement in study.game.statements:
        if statement.printed:
            outcome = answer(study, statement)
            if outcome.got is not None and outcome.got != statement.expected:
                yield _claim(study, statement, outcome)


# ---------------------------------------------------------------- worked hands


def _hand(study: Study, case: Case) -> Iterator[Finding]:
    """One finding for each printed line that the rules do not give."""
    game = dsl.Game((study.reload(case.options) if case.options else study).game)
    for printed in case.printed:
        try:
            got = judged(game, case.hand, printed.expected)
        except dsl.HandError as error:
            fault = error.diagnostics[0]
            study.leave_open(case.id, (fault.message("zh"), fault.message("en")))
            return
        wrong = {key: value for key, value in printed.expected.items() if got.get(key) != value}
        if wrong:
            yield _misprint(study, game, case, printed, wrong, got)


def _misprint(
    study: Study,
    game: dsl.Game,
    case: Case,
    printed: Printed,
    wrong: Mapping[str, Any],
    got: Mapping[str, Any],
) -> Finding:
    hand = _waiting if {"waits", "types"} & set(wrong) else _finished
    rules, shown, lines, parts = hand(game, case, wrong, got)
    sentence = (
        f"例 `{case.id}`：" + "；".join(zh for zh, _ in parts),
        f"example `{case.id}`: " + "; ".join(en for _, en in parts),
    )
    told = [printed.rule.name]
    return study.finding("warning", sentence, [printed.rule, *rules], shown, lines, MEND, told)


Shown = tuple[list[Rule], Example, list[Words], list[Words]]
"""Clauses to blame, the hand, what the rules say of it, and where the source differs."""


def _waiting(game: dsl.Game, case: Case, wrong: Answer, got: Answer) -> Shown:
    disputed = {*wrong.get("types", ()), *got.get("types", ())}
    rules = [wait.rule for wait in game.core.waits if wait.name in disputed] or [game.core.win.rule]
    parts = [_difference(game.core, key, value, got.get(key)) for key, value in wrong.items()]
    return rules, Example(to_json(game.core, game.hand(case.hand, missing=1))), [], parts


def _finished(game: dsl.Game, case: Case, wrong: Answer, got: Answer) -> Shown:
    verdict = game.judge(case.hand)
    if not verdict.complete and "verdict" in wrong:
        wrong = {"verdict": wrong["verdict"]}
    parts = [_difference(game.core, key, value, got.get(key)) for key, value in wrong.items()]
    lines = [(f"按规则：{headline(verdict, 'zh')}", f"by the rules: {headline(verdict, 'en')}")]
    return list(_blamed(verdict, wrong)), _shown(verdict), lines, parts


def _difference(game: Game, key: str, printed: Any, got: Any) -> Words:
    """What the source says and what the rules give, of one thing."""
    match key:
        case "verdict":
            (zh, en), (other_zh, other_en) = VERDICTS[printed], VERDICTS[got]
            return f"原文说是{zh}，按规则是{other_zh}", f"the source says {en}, by the rules it is {other_en}"
        case "score":
            unit = game.scores[0] if game.scores else ""
            return (
                f"原文说 {printed} {unit}，按价表是 {got}",
                f"the source says {printed} {unit}, by the score table it is {got}",
            )
        case "payments":
            zh, en = _paid(printed), _paid({seat: got.get(seat, 0) for seat in printed})
            return f"原文说付 {zh}，按规则是 {en}", f"the source says {zh} are paid, by the rules {en}"
    named = {"scores": ("诸分", "scores"), "names": ("名", "names"), "waits": ("听", "waits")}
    what = named.get(key, ("叫", "named waits"))
    said, right = _listed(printed), _listed(got or ())
    return (
        f"原文的{what[0]}是 {said[0]}，按规则是 {right[0]}",
        f"the source gives the {what[1]} as {said[1]}, by the rules {right[1]}",
    )


def _paid(payments: Mapping[str, int]) -> str:
    return " ".join(f"{seat} {amount:+d}" for seat, amount in payments.items())


def _listed(items: Any) -> Words:
    text = " ".join(map(str, items))
    return (text, text) if text else ("无", "none")


# ---------------------------------------------------------------- clauses to blame


def _blamed(verdict: Verdict, wrong: Mapping[str, Any]) -> Iterator[Rule]:
    """The clauses that made what the source has otherwise."""
    game = verdict.compiled.game
    if "verdict" in wrong:
        yield from _deciding(verdict)
    if {"score", "scores"} & set(wrong) and verdict.complete:
        yield from _rows(verdict)
    if "names" in wrong:
        disputed = set(wrong["names"]).symmetric_difference(verdict.names)
        yield from (name.rule for name in game.names if name.name in disputed)
    if "payments" in wrong:
        yield from (t.rule for t in game.transfers if t.outcome == verdict.verdict)
        yield from (name.rule for name in game.names if name.name in verdict.names and name.times != 1)


def _deciding(verdict: Verdict) -> Iterator[Rule]:
    """The needs of the win that are not met, or all of them when it is won."""
    game = verdict.compiled.game
    if not verdict.complete:
        yield game.win.rule
        return
    for need in game.win.needs:
        if verdict.win or not holds(need.formula, verdict.position):
            yield need.rule


def _rows(verdict: Verdict) -> Iterator[Rule]:
    """The rows of the score tables that gave something."""
    game = verdict.compiled.game
    for meld in sorted(verdict.arrangement.melds):
        for price in game.melds[meld].prices:
            if price.points:
                yield price.rule


def _shown(verdict: Verdict) -> Example:
    game, hand = verdict.compiled.game, to_json(verdict.compiled.game, verdict.hand)
    if not verdict.complete:
        return Example(hand)
    melds = sorted(verdict.arrangement.melds, key=lambda m: (min(game.melds[m].tiles), m))
    totals = [sum(game.melds[m].prices[t].points or 0 for m in melds) for t in range(len(game.scores))]
    return Example(hand, tuple(shown_meld(game, m) for m in melds), tuple(totals))


# ---------------------------------------------------------------- claims


def _claim(study: Study, statement: Statement, outcome: Outcome) -> Finding:
    said = answer_words(of_truth(statement), statement.expected)
    found = answer_words(of_truth(statement), bool(outcome.got))
    sentence = (
        f"原文 `{statement.id}` 说的不对：照它是{said[0]}，其实是{found[0]}",
        f"what the source says in `{statement.id}` does not hold: by it {said[1]}, found {found[1]}",
    )
    if outcome.workings:
        zh, en = outcome.workings[0]
        sentence = f"原文 `{statement.id}` 算错了：{zh}", f"the source miscounts in `{statement.id}`: {en}"
    rules = [statement.rule, *outcome.rules]
    told = [statement.rule.name]
    return study.finding("warning", sentence, rules, outcome.shows, outcome.workings[1:], MEND, told)
