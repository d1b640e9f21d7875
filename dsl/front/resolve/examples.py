"""例 and 断言: what a spec says of itself, ready to run."""

from __future__ import annotations

from typing import Any, Literal

from ...core.model import And as Both
from ...core.model import Example, Formula, HandAnd, HandFormula, HandNot, Not, Statement
from ..chosen import check_condition, chosen_pairs
from ..syntax import (
    Clause,
    Node,
    child,
    dotted,
    has_token,
    name_of,
    names_of,
    number_of,
    string_of,
    tokens,
    trees,
)
from .conditions import Conditions, about_hand
from .scope import Scope, rule_of


def resolve_examples(scope: Scope) -> tuple[Example, ...]:
    """Examples of this ruleset; tiles are spelled out, options checked."""
    return tuple(_example(scope, clause) for clause in scope.assembled.examples)


def _example(scope: Scope, clause: Clause) -> Example:
    options: dict[str, str] = {}
    hand: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    for part in clause.children:
        if part.kind == "ex_options":
            options |= _options(scope, part, part.tree)
        elif not _situation(scope, part, hand):
            _expectation(scope, part, expected)
    name = name_of(trees(clause.tree, "id")[0])
    return Example(name, string_of(clause.tree), options, hand, expected, rule_of(clause))


def _options(scope: Scope, clause: Clause, node: Node) -> dict[str, str]:
    check_condition(node, scope.assembled.choices, clause.span, scope.faults)
    return chosen_pairs(node)


def _situation(scope: Scope, part: Clause, hand: dict[str, Any]) -> bool:
    """Take a clause that describes the hand; False when it is an expectation."""
    tree = part.tree
    match part.kind:
        case "ex_role":
            hand["role"] = names_of(tree, "name")[0]
        case "ex_context":
            hand.setdefault("context", {})[names_of(tree, "name")[0]] = " ".join(
                names_of(child(tree, "words"))
            )
        case "ex_laid":
            hand.setdefault("laid", []).append(_laid(scope, part))
        case "ex_hand":
            hand["hand"] = [*hand.get("hand", []), *_tiles(scope, part, child(tree, "words"))]
        case "ex_last":
            tile, origin = (name_of(n) for n in trees(tree, "word"))
            hand["last"] = {"tile": tile, "from": origin}
        case "ex_declare":
            hand["declare"] = names_of(child(tree, "words"))
        case _:
            return False
    return True


def _laid(scope: Scope, part: Clause) -> dict[str, Any]:
    words = trees(part.tree, "words")
    meld = child(part.tree, "meld_name")
    entry: dict[str, Any] = {"tiles": _tiles(scope, part, words[0])}
    if meld is not None:
        entry["meld"] = dotted(meld)
    if len(words) > 1:
        entry["origins"] = names_of(words[1])
    return entry


def _tiles(scope: Scope, part: Clause, words: Node | None) -> list[str]:
    found: list[str] = []
    for node in trees(words, "word") if words is not None else []:
        kinds = scope.tiles_or_fault(name_of(node), scope.span(part, node))
        found.extend(scope.kinds[k].name for k in kinds)
    return found


def _expectation(scope: Scope, part: Clause, expected: dict[str, Any]) -> None:
    tree = part.tree
    numbers = [int(t) for t in tokens(tree, "NUMBER")]
    words = names_of(child(tree, "words"))
    match part.kind:
        case "ex_verdict":
            expected["verdict"] = "win" if has_token(tree, "WIN") else "false_win"
            if numbers:
                expected["score"] = numbers[0]
        case "ex_scores":
            expected["scores"] = numbers
        case "ex_names":
            expected["names"] = words
        case "ex_waits":
            expected["waits"] = _tiles(scope, part, child(tree, "words"))
        case "ex_types":
            expected["types"] = words
        case "ex_payments":
            seats = [name_of(n) for n in trees(tree, "word")]
            values = [number_of(n) for n in trees(tree, "integer")]
            expected["payments"] = dict(zip(seats, values, strict=True))


def resolve_statements(scope: Scope, conditions: Conditions) -> tuple[Statement, ...]:
    """Statements of this ruleset with their formulas under the options already chosen."""
    return tuple(_statement(scope, conditions, clause) for clause in scope.assembled.claims)


def _statement(scope: Scope, conditions: Conditions, clause: Clause) -> Statement:
    tree = clause.tree
    given = child(tree, "with_options")
    options = {} if given is None else _options(scope, clause, given)
    question = trees(tree, "exists", "every", "compute", "check")[0]
    kind = str(question.data)
    answer = tokens(trees(tree, "answer")[0])[0].type in ("HAS", "TRUE")
    about, formula = _question(scope, conditions, clause, question)
    return Statement(
        id=name_of(trees(tree, "id")[0]),
        title=string_of(tree),
        options=options,
        about=about,
        quantifier="every" if kind == "every" else "exists",
        formula=formula,
        check=str(tokens(question, "NAME")[0]) if kind == "check" else "",
        expected=answer,
        rule=rule_of(clause),
    )


About = Literal["arrangement", "hand", "numbers", "check"]


def _question(
    scope: Scope, conditions: Conditions, clause: Clause, question: Node
) -> tuple[About, Formula | HandFormula | None]:
    parts = trees(question, "condition")
    match str(question.data):
        case "check":
            return "check", None
        case "compute":
            return "numbers", conditions.formula(clause, parts[0])
        case "exists" if about_hand(question):
            return "hand", conditions.hand_formula(clause, parts[0])
        case "exists":
            return "arrangement", conditions.formula(clause, parts[0])
        case _ if about_hand(question):
            left, right = (conditions.hand_formula(clause, n) for n in parts)
            return "hand", HandAnd((left, HandNot(right)))
        case _:
            return "arrangement", Both(tuple(_counterexample(conditions, clause, parts)))


def _counterexample(conditions: Conditions, clause: Clause, parts: list[Node]) -> list[Formula]:
    left, right = (conditions.formula(clause, n) for n in parts)
    return [left, Not(right)]
