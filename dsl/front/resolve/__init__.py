"""Assembled clauses to CORE: every name looked up, every pattern filled in, every number checked."""

from __future__ import annotations

from ...core.model import Choice, Game, Judgement, Rule
from ...text.diagnostics import Diagnostic
from ..assemble import Assembled
from ..chosen import Choice as Written
from .conditions import Conditions
from .deck import resolve_deck
from .examples import resolve_examples, resolve_statements
from .judgements import Judgements
from .melds import resolve_melds
from .prices import resolve_prices
from .scope import Scope, rule_of


def resolve(assembled: Assembled) -> tuple[Game | None, tuple[Diagnostic, ...]]:
    """The checked game, or None and the faults that keep it from being one."""
    scope = Scope(assembled)
    resolve_deck(scope)
    resolve_melds(scope)
    judgements = Judgements(scope)
    shape = judgements.win_shape()
    if not scope.kinds or not scope.types:
        return None, tuple(scope.faults)
    resolve_prices(scope, shape, complete=not scope.broken)
    conditions = Conditions(scope)
    judgements.read(conditions)
    game = _game(scope, judgements, shape)
    if scope.broken:
        return None, tuple(scope.faults)
    return game, tuple(scope.faults)


def _game(scope: Scope, judgements: Judgements, shape: tuple[int, ...]) -> Game:
    assembled = scope.assembled
    return Game(
        name=assembled.ruleset.name,
        title=assembled.ruleset.title,
        path=assembled.ruleset.path,
        options=dict(assembled.options),
        kinds=tuple(scope.kinds),
        groups=tuple(scope.groups),
        dims=tuple(scope.dims),
        types=tuple(scope.types),
        melds=tuple(scope.melds),
        scores=tuple(scope.scores),
        hand_origin=scope.hand_origin,
        win=Judgement(shape, judgements.needs, judgements.shape_rule, judgements.choice),
        false_win=judgements.false_win,
        names=judgements.names,
        stacking=judgements.stacking,
        stacking_rule=judgements.stacking_rule,
        waits=judgements.waits,
        seats=judgements.seats,
        transfers=judgements.transfers,
        parameters=tuple(scope.parameters),
        examples=resolve_examples(scope),
        statements=resolve_statements(scope, judgements.conditions),
        rules=tuple(rule_of(c) for c in assembled.clauses.values()),
        choices=tuple(_choice(c) for c in assembled.choices.by_name.values()),
    )


def _choice(choice: Written) -> Choice:
    kind = "读法" if choice.is_reading else "选项"
    text = " ".join(f"{value}「{meaning}」" if meaning else value for value, meaning in choice.values)
    rule = Rule(f"{kind}.{choice.name}", f"{choice.title}：{text}", choice.cites, choice.span)
    return Choice(choice.name, choice.allowed, choice.default, choice.is_reading, rule)
