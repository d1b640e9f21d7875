"""The referee: reads a record of play and says who broke which clause, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.flow import Breach
from ..core.model import Rule
from ..text.diagnostics import Diagnostic
from .record import Header, Line, deck_of, fingerprint
from .state import Action, State
from .table import Table
from .words import action_text, result_text

LISTED = 8
"""Possible lines that a message lists."""
PASSABLE = ("raise", "announce", "win", "leave", "open", "follow")
"""What is not written down when it is not done."""


@dataclass
class Replay:
    """A record played again. `faults` are in the order of the record."""

    table: Table
    faults: list[Diagnostic] = field(default_factory=list)
    state: State | None = None
    stopped: bool = False

    def run(self, header: Header) -> None:
        """Play every event of the record, as far as that goes."""
        deck, wrong = deck_of(self.table.game, header)
        self.faults += wrong
        if wrong:
            return
        self._check_rules(header)
        self.state = self.table.dealt(deck)
        self._count(header)
        for line in header.events:
            if self.stopped:
                break
            self._event(line)
        if not self.stopped and not self.state.over and header.events:
            self.faults.append(Diagnostic("R008", header.events[-1].span))

    def _count(self, header: Header) -> None:
        """The first seat with a wrong number of tiles, and what comes of it."""
        rows = {line.rest[0]: line for line in header.dealt if line.rest}
        for seat, place in enumerate(self.table.game.seats):
            line = rows.get(place.name)
            dealt = 0 if line is None else len(line.rest) - 1
            if line is None or dealt == place.tiles or self.state is None:
                continue
            self.state, breach = self.table.misdealt(self.state, seat)
            values = {"seat": place.name, "found": dealt, "expected": place.tiles}
            if breach is None:
                self.faults.append(Diagnostic("R011", line.span, values))
                self.stopped = True
            else:
                penalty = self._penalty(self.state, breach)
                more = {"breach": _cited(breach.rule), "penalty": penalty}
                self.faults.append(Diagnostic("R012", line.span, values | more))
            return

    def _check_rules(self, header: Header) -> None:
        line, expected = header.fingerprint, fingerprint(self.table.game)
        if line is not None and line.rest[:1] != [expected]:
            self.faults.append(
                Diagnostic("R006", line.span, {"found": " ".join(line.rest), "expected": expected})
            )

    def _event(self, line: Line) -> None:
        """One line: what it says is done, or what was passed over before it."""
        if line.first == "终":
            self._end(line)
            return
        while True:
            state = self.state
            assert state is not None
            lawful = self._named(state, state.lawful, line) or self._called_otherwise(state, line)
            if lawful is not None:
                self.state = self.table.apply(state, lawful)
                return
            if self._unlawful(state, line) or not self._passed(state, line):
                return

    def _named(self, state: State, actions: tuple[Action, ...], line: Line) -> Action | None:
        """The action that the line means; a win may be followed by the names that were called."""
        for action in actions:
            text = action_text(self.table, state, action)
            if text == line.words:
                return action
            if action.kind == "win" and line.words.startswith(f"{text} "):
                return action._replace(declared=tuple(line.words.removeprefix(text).split()))
        return None

    def _called_otherwise(self, state: State, line: Line) -> Action | None:
        """The only lawful meld of these tiles, though the line names another answer than is open."""
        words = line.words.split()
        if words[1:2] and words[1] in self.table.flow.responses:
            melds = (a for a in state.lawful if a.laid is not None)
            texts = ((a, action_text(self.table, state, a).split()) for a in melds)
            found = [action for action, text in texts if text[:1] + text[2:] == words[:1] + words[2:]]
            return found[0] if len(found) == 1 else None
        return None

    def _unlawful(self, state: State, line: Line) -> bool:
        """Is the line something that can be done and is not allowed? Then it is reported."""
        action = self._named(state, self.table.unlawful(state), line)
        if action is None:
            return False
        breach = self.table.breach_of(state, action)
        if breach is None:
            self._report("R002", line, action, self.table.clause_against(state, action))
            self.stopped = True
            return True
        against = self.table.clause_against(state, action)
        self.state = self.table.apply(state, action)
        self._breach(line, action, breach, against)
        return True

    def _passed(self, state: State, line: Line) -> bool:
        """Somebody else acted next: whoever was asked passed. False when nobody could."""
        if state.over or not (state.asks or state.todo[0].kind in PASSABLE):
            self._unreadable(state, line)
            return False
        seat = state.lawful[0].seat
        passing = Action("pass", seat)
        if passing in state.lawful:
            self.state = self.table.apply(state, passing)
            return True
        breach = self.table.breach_of(state, passing)
        missed = state.lawful[0]
        if breach is not None and passing not in self.table.unlawful(state):
            self._unreadable(state, line)  # he has to do one thing or another, such as to beat or to cover
            return False
        if breach is None:
            self._report("R003", line, missed, self.table.clause_against(state, passing))
            self.state = self.table.let_pass(state)
            return True
        against = self.table.clause_against(state, passing)
        self.state = self.table.apply(state, passing)
        self._breach(line, missed, breach, against)
        return not self.state.over

    def _end(self, line: Line) -> None:
        """The end as the record has it."""
        while self.state is not None and not self.state.over:
            if self._idle(self.state):
                self.state = self.table.apply(self.state, Action("pass", self.state.lawful[0].seat))
            elif not self._missed(self.state) or not self._passed(self.state, line):
                break
        assert self.state is not None
        found = line.words.partition(" ")[2]
        if self.state.result is None:
            self._unreadable(self.state, line)
            return
        expected = result_text(self.table.game.seats, self.state.result)
        if found != expected:
            self.faults.append(Diagnostic("R005", line.span, {"found": found, "expected": expected}))

    def _missed(self, state: State) -> bool:
        """Is there a duty of which the rules say what comes of missing it?"""
        duty = state.asks or (state.todo and state.todo[0].kind in ("announce", "leave"))
        return bool(duty) and self.table.breach_of(state, Action("pass", state.lawful[0].seat)) is not None

    def _idle(self, state: State) -> bool:
        return Action("pass", state.lawful[0].seat) in state.lawful

    # ------------------------------------------------------------ what is said

    def _unreadable(self, state: State, line: Line) -> None:
        if state.over and any(fault.code == "R004" for fault in self.faults):
            self.stopped = True  # it was played on, though the deal was over with the breach
            return
        possible = [action_text(self.table, state, action) for action in state.lawful[:LISTED]]
        more = "、".join(possible) or "—"
        self.faults.append(Diagnostic("R001", line.span, {"line": line.words, "possible": more}))
        self.stopped = True

    def _report(self, code: str, line: Line, action: Action, rule: Rule | None) -> None:
        assert self.state is not None
        self.faults.append(
            Diagnostic(
                code,
                line.span,
                {
                    "seat": self.table.game.seats[action.seat].name,
                    "action": action_text(self.table, self.state, action),
                    "rule": _cited(rule),
                },
            )
        )

    def _penalty(self, state: State, breach: Breach) -> tuple[str, str]:
        """What comes of a breach that led to this state."""
        if state.result is not None:
            said = result_text(self.table.game.seats, state.result)
            return said, said
        if breach.fined:
            return "当时付了，接着打", "paid at once, and play goes on"
        if breach.later:
            return "接着打，收场时罚", "play goes on, the fine comes at the end"
        return "照打", "play goes on"

    def _breach(self, line: Line, action: Action, breach: Breach, against: Rule | None) -> None:
        state = self.state
        assert state is not None
        self.faults.append(
            Diagnostic(
                "R004",
                line.span,
                {
                    "seat": self.table.game.seats[action.seat].name,
                    "action": action_text(self.table, state, action),
                    "breach": _cited(breach.rule),
                    "against": _against(against),
                    "penalty": self._penalty(state, breach),
                },
            )
        )


def _against(rule: Rule | None) -> tuple[str, str]:
    """The clause that was broken, where one says more than the breach does."""
    return ("", "") if rule is None else (f"，不合 `{_cited(rule)}`", f", against `{_cited(rule)}`")


def _cited(rule: Rule | None) -> str:
    if rule is None:
        return "流程"
    return rule.name + (f"（{' '.join(rule.cites)}）" if rule.cites else "")
