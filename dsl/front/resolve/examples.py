"""例 and 断言: what a spec says of itself, ready to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from ...core.model import And as Both
from ...core.model import Example, Formula, HandFormula, Not, Printed, Statement, Truth
from ...core.numbers import plain_numbers
from ...core.table_questions import SeatFormula
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
    words_of,
)
from .conditions import Conditions, about_hand
from .faces import faces_statement
from .hands import hand_statement
from .scope import Scope, rule_of
from .seats import table_statement

Tiles = Callable[[Clause, Node | None], list[str]]
"""Reads words of a line as names of tiles."""


def resolve_examples(scope: Scope) -> tuple[Example, ...]:
    """Examples of this ruleset; tiles are spelled out, options checked."""
    return tuple(_example(scope, clause) for clause in scope.assembled.examples)


def _elsewhere(scope: Scope, options: Mapping[str, str]) -> bool:
    """Do these options make another game of it?"""
    return any(scope.assembled.options.get(name) != value for name, value in options.items())


def _example(scope: Scope, clause: Clause) -> Example:
    options: dict[str, str] = {}
    hand: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    printed: list[Printed] = []
    for part in (c for c in clause.children if c.kind == "ex_options"):
        options |= _options(scope, part, part.tree)
    tiles = partial(_tiles, scope, _elsewhere(scope, options))
    for part in (c for c in clause.children if c.kind != "ex_options"):
        if part.kind == "ex_printed":
            printed.append(Printed(_said(tiles, part, trees(part.tree)[0]), rule_of(part)))
        elif part.kind in TRICK:
            _trick(tiles, part, hand, expected)
        elif not _situation(tiles, part, hand):
            expected |= _said(tiles, part, part.tree)
    if any(c.kind in TRICK for c in clause.children) and not _whole_trick(clause):
        scope.fault("T062", clause.span)
    name = name_of(trees(clause.tree, "id")[0])
    return Example(name, string_of(clause.tree), options, hand, expected, rule_of(clause), tuple(printed))


TRICK = {"ex_led": "led", "ex_beaten": "beaten_by", "ex_unbeaten": "unbeaten_by"}
"""Lines of an example of plays, and what a program calls them."""


def _trick(tiles: Tiles, part: Clause, hand: dict[str, Any], expected: dict[str, Any]) -> None:
    """`出` is what is asked about, `盖` and `不盖` are what is expected: a list of plays each."""
    play = tiles(part, child(part.tree, "words"))
    if part.kind == "ex_led":
        hand["led"] = play
    else:
        expected.setdefault(TRICK[part.kind], []).append(play)


def _whole_trick(clause: Clause) -> bool:
    """One play that is led, some that come after it, and nothing else but options."""
    kinds = [c.kind for c in clause.children if c.kind != "ex_options"]
    return kinds.count("ex_led") == 1 and len(kinds) > 1 and set(kinds) <= set(TRICK)


def _options(scope: Scope, clause: Clause, node: Node) -> dict[str, str]:
    check_condition(node, scope.assembled.choices, clause.span, scope.faults)
    return chosen_pairs(node)


def _situation(tiles: Tiles, part: Clause, hand: dict[str, Any]) -> bool:
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
            hand.setdefault("laid", []).append(_laid(tiles, part))
        case "ex_hand":
            hand["hand"] = [*hand.get("hand", []), *tiles(part, child(tree, "words"))]
        case "ex_last":
            tile, origin = (name_of(n) for n in trees(tree, "word"))
            hand["last"] = {"tile": tile, "from": origin}
        case "ex_declare":
            hand["declare"] = names_of(child(tree, "words"))
        case _:
            return False
    return True


def _laid(tiles: Tiles, part: Clause) -> dict[str, Any]:
    words = trees(part.tree, "words")
    meld = child(part.tree, "meld_name")
    entry: dict[str, Any] = {"tiles": tiles(part, words[0])}
    if meld is not None:
        entry["meld"] = dotted(meld)
    if len(words) > 1:
        entry["origins"] = names_of(words[1])
    return entry


def _tiles(scope: Scope, elsewhere: bool, part: Clause, words: Node | None) -> list[str]:
    found: list[str] = []
    for node in trees(words, "word") if words is not None else []:
        word = name_of(node)
        tiles = scope.hand_tiles(word)
        if tiles is None and elsewhere:
            tiles = scope.tiles_elsewhere(word)
        if tiles is None:
            scope.tiles_or_fault(word, scope.span(part, node))
        found.extend(tiles or ())
    return found


def _said(tiles: Tiles, part: Clause, tree: Node) -> dict[str, Any]:
    """What a line says of the verdict, as keys of the judge's answer."""
    numbers = [int(t) for t in tokens(tree, "NUMBER")]
    words = names_of(child(tree, "words"))
    match str(tree.data):
        case "ex_verdict":
            verdict = "win" if has_token(tree, "WIN") else "false_win"
            return {"verdict": verdict, **({"score": numbers[0]} if numbers else {})}
        case "ex_scores":
            return {"scores": numbers}
        case "ex_names":
            return {"names": words}
        case "ex_waits":
            return {"waits": tiles(part, child(tree, "words"))}
        case "ex_types":
            return {"types": words}
        case _:
            seats = [name_of(n) for n in trees(tree, "word")]
            values = [number_of(n) for n in trees(tree, "integer")]
            return {"payments": dict(zip(seats, values, strict=True))}


About = Literal["arrangement", "hand", "numbers", "table", "check"]


def resolve_statements(
    scope: Scope, conditions: Conditions, wanted: bool | frozenset[str] = True
) -> tuple[Statement, ...]:
    """Statements of this ruleset with their formulas under the options already chosen: all, none, or some."""
    clauses = scope.assembled.claims if wanted else []
    return tuple(
        _statement(scope, conditions, clause)
        for clause in clauses
        if isinstance(wanted, bool) or _id(clause) in wanted
    )


def _id(clause: Clause) -> str:
    return name_of(trees(clause.tree, "id")[0])


def _statement(scope: Scope, conditions: Conditions, clause: Clause) -> Statement:
    tree = clause.tree
    given = child(tree, "with_options")
    options = {} if given is None else _options(scope, clause, given)
    question = trees(tree, *QUESTIONS)[0]
    kind = str(question.data)
    conditions.equations, conditions.prices, conditions.faces = [], [], ()
    about, formula = _about(question), None
    elsewhere, seats = _elsewhere(scope, options), tuple[SeatFormula, ...]()
    if not elsewhere and about == "table":
        seats = table_statement(scope, conditions, clause, question)
    elif not elsewhere:  # its words are those of the game under its own options
        formula = _question(scope, conditions, clause, question)
    return Statement(
        id=_id(clause),
        title=string_of(tree),
        options=options,
        about=about,
        quantifier="every" if kind in ("every", "compute_every", "every_seat") else "exists",
        formula=formula,
        check=str(tokens(question, "NAME")[0]) if kind == "check" else "",
        expected=_answer(tree),
        rule=rule_of(clause),
        printed=clause.kind == "printed",
        equations=tuple(conditions.equations),
        prices=tuple(dict.fromkeys(conditions.prices)),
        laid=frozenset() if elsewhere else _laid_types(scope, clause, about),
        numbers=_open_numbers(question),
        highest=_highest(scope, question),
        faces=conditions.faces,
        seats=seats,
    )


QUESTIONS = (
    *("exists", "every", "compute", "compute_exists", "compute_every", "compute_faces", "check"),
    *("exists_seats", "exists_two_seats", "every_seat"),
)


def _laid_types(scope: Scope, clause: Clause, about: About) -> frozenset[int]:
    """Meld types that may lie exposed in the hands spoken of."""
    node = child(clause.tree, "with_laid")
    if node is None:
        return frozenset()
    if about != "hand":
        scope.fault("T021", scope.span(clause, node), what=words_of(node))
    found: set[int] = set()
    for named in trees(node, "meld_name"):
        types = scope.types_or_fault(dotted(named), scope.span(clause, named), families=True)
        found |= {t.index for t in types}
    return frozenset(found)


def _open_numbers(question: Node) -> tuple[str, ...]:
    """Names of the whole numbers that the question leaves open."""
    return tuple(dict.fromkeys(names_of(child(question, "open_numbers"), "name")))


def _highest(scope: Scope, question: Node) -> int:
    """The greatest value of an open number: as stated, else all tiles of the deck."""
    node = child(question, "open_numbers")
    if node is None:
        return 0
    given = tokens(node, "NUMBER")
    return int(given[0]) if given else sum(kind.copies for kind in scope.kinds)


def _answer(tree: Node) -> bool:
    """The answer a statement gives itself; what a source prints without one it claims to be so."""
    given = child(tree, "answer")
    return given is None or tokens(given)[0].type in ("HAS", "TRUE")


def _about(question: Node) -> About:
    """What a question speaks of."""
    match str(question.data):
        case "check":
            return "check"
        case "compute" | "compute_exists" | "compute_every" | "compute_faces":
            return "numbers"
        case "exists_seats" | "exists_two_seats" | "every_seat":
            return "table"
        case _:
            return "hand" if about_hand(question) else "arrangement"


def _question(
    scope: Scope, conditions: Conditions, clause: Clause, question: Node
) -> Formula | HandFormula | None:
    parts = trees(question, "condition")
    match str(question.data):
        case "check":
            return None
        case "compute":
            return conditions.formula(clause, parts[0])
        case "compute_faces":
            truth, conditions.faces = faces_statement(scope, clause, question)
            return Truth(truth)
        case "compute_exists" | "compute_every":
            return _about_numbers(scope, conditions, clause, question)
        case "exists" | "every" if about_hand(question):
            return hand_statement(conditions, clause, question)
        case "exists":
            return conditions.formula(clause, parts[0])
        case _:
            return Both(tuple(_counterexample(conditions, clause, parts)))


def _counterexample(conditions: Conditions, clause: Clause, parts: list[Node]) -> list[Formula]:
    left, right = (conditions.formula(clause, n) for n in parts)
    return [left, Not(right)]


def _about_numbers(scope: Scope, conditions: Conditions, clause: Clause, question: Node) -> Formula:
    """What is to be solved: the condition, or the first condition without the second."""
    numbers = frozenset(_open_numbers(question))
    parts = []
    for node in trees(question, "condition"):
        formula = conditions.formula(clause, node, numbers=numbers)
        if not plain_numbers(formula):
            scope.fault("T020", scope.span(clause, node), what=words_of(node))
        parts.append(formula)
    return parts[0] if len(parts) == 1 else Both((parts[0], Not(parts[1])))
