"""断言 about players at the table: `存在 两家 能应 和`, `凡 一家 … 则 …`."""

from __future__ import annotations

from ...core.table_questions import Answers, DeadEnd, SeatAnd, SeatFormula, SeatNot, SeatOr, Sees
from ..keywords import spell
from ..syntax import Clause, Node, trees
from .conditions import Conditions
from .flow import Reader
from .scope import Scope


def table_statement(
    scope: Scope, conditions: Conditions, clause: Clause, question: Node
) -> tuple[SeatFormula, ...]:
    """What is asked of each player; of `凡` what a counterexample has."""
    game, clauses = conditions.game, scope.assembled.under(spell("FLOW", "zh"))
    if not clauses:
        example = ("流程 { 轮：翻开 }", "flow { turn: turn_up }")
        scope.fault("T016", clause.span, section="流程", example=example)
    if game is None or not clauses:
        return ()
    reader = _Seats(Reader(scope, clauses, game.roles), clause)
    found = [reader.read(node) for node in trees(question, "seat")]
    match str(question.data):
        case "exists_two_seats":
            return (found[0], found[0])
        case "every_seat":
            return (SeatAnd((found[0], SeatNot(found[1]))),)
        case _:
            return tuple(found)


class _Seats:
    def __init__(self, reader: Reader, clause: Clause) -> None:
        self.reader = reader
        self.clause = clause

    def read(self, node: Node) -> SeatFormula:
        """The condition of one player."""
        reader, clause = self.reader, self.clause
        match str(node.data):
            case "seat" | "seat_and":
                parts = tuple(self.read(part) for part in trees(node))
                if len(parts) == 1:
                    return parts[0]
                return SeatOr(parts) if node.data == "seat" else SeatAnd(parts)
            case "seat_negated":
                return SeatNot(self.read(trees(node)[0]))
            case "seat_grouped":
                return self.read(trees(node)[0])
            case "can_answer":
                return Answers(reader.names(clause, node, reader.answers))
            case "dead_end":
                return DeadEnd(reader.names(clause, node, [*reader.answers, *reader.announced]))
            case _:
                return Sees(reader.condition(clause, node))
