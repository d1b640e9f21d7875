"""Assembled clauses to CORE: every name looked up, every pattern filled in, every number checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...core.model import Choice, Game, Judgement, Meld, Rule
from ...text.diagnostics import Diagnostic
from ..assemble import Assembled
from ..chosen import Choice as Written
from ..syntax import Clause, names_of
from .conditions import Conditions
from .deck import resolve_deck
from .examples import resolve_examples, resolve_statements
from .flow import resolve_flow
from .judgements import Judgements, check_groupings
from .marks import check_mark, resolve_aliases, resolve_mark
from .melds import check_by_last, resolve_melds
from .memory import Memory
from .prices import resolve_prices
from .ranks import resolve_ranks
from .scope import Scope, rule_of
from .waivers import resolve_waivers
from .wilds import resolve_wild

Claims = bool | frozenset[str]
"""All examples and statements, none, or only the statements of these ids."""


def resolve(
    assembled: Assembled, memory: Memory | None = None, claims: Claims = True
) -> tuple[Game | None, tuple[Diagnostic, ...]]:
    """The checked game, or None and the faults that keep it from being one.

    `memory` lends what other choices of options left. Examples and statements that are not of `claims` are
    left out of the game, and what is wrong with them is not found.
    """
    memory = Memory() if memory is None else memory
    scope = Scope(assembled, features=memory.features, patterns=memory.patterns)
    ground = memory.ground(scope, _read_ground)
    judgements = Judgements(scope)
    shape = judgements.win_shape()
    if not scope.kinds or not scope.types:
        return None, tuple(scope.faults)
    widest = judgements.widest(shape)
    melds = memory.prices(scope, ground, widest, lambda s: resolve_prices(s, widest, complete=not s.broken))
    judgements.read(Conditions(scope))
    check_mark(scope, judgements.seats)
    playing = memory.of_play_only(assembled)
    choices = tuple(_choice(c, c.name in playing) for c in assembled.choices.by_name.values())
    game = replace(_game(scope, judgements, shape, melds), choices=choices)
    check_groupings(scope, game)
    judgements.conditions.game = None if scope.broken else game
    examples = memory.told(scope, ground, resolve_examples) if claims is True else ()
    statements = resolve_statements(scope, judgements.conditions, claims)
    whole = replace(game, examples=examples, statements=statements)
    return None if scope.broken else whole, tuple(scope.faults)


def _read_ground(scope: Scope) -> None:
    resolve_deck(scope)
    resolve_melds(scope)
    resolve_wild(scope)
    resolve_mark(scope)
    resolve_aliases(scope)
    check_by_last(scope)


def _game(scope: Scope, judgements: Judgements, shape: tuple[int, ...], melds: tuple[Meld, ...]) -> Game:
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
        melds=melds,
        scores=tuple(scope.scores),
        hand_origin=scope.hand_origin,
        win=Judgement(
            shape, judgements.needs, judgements.shape_rule, judgements.choice, judgements.groupings
        ),
        false_win=judgements.false_win,
        names=judgements.names,
        stacking=judgements.stacking,
        stacking_rule=judgements.stacking_rule,
        waits=judgements.waits,
        seats=judgements.seats,
        transfers=judgements.transfers,
        parameters=tuple(scope.parameters),
        examples=(),
        statements=(),
        rules=tuple(rule for c in assembled.clauses.values() if c.kind != "waive" for rule in _rules(c)),
        waivers=resolve_waivers(scope),
        wild=scope.wild,
        mark=scope.mark,
        size=judgements.size,
        any_size=judgements.any_size,
        apart=judgements.apart,
        judgement=assembled.ruleset.judgement,
        ranks=resolve_ranks(scope),
        flow=resolve_flow(scope, tuple(dict.fromkeys(seat.role for seat in judgements.seats))),
    )


def _rules(clause: Clause) -> Iterator[Rule]:
    """The clause, and each variant in the braces of a meld."""
    yield rule_of(clause)
    for variant in (c for c in clause.children if c.kind == "variant"):
        name = names_of(variant.tree, "name")[0]
        yield replace(rule_of(variant), name=f"{clause.path}.{name}")


def _choice(choice: Written, of_play: bool) -> Choice:
    kind = "读法" if choice.is_reading else "选项"
    text = " ".join(f"{value}「{meaning}」" if meaning else value for value, meaning in choice.values)
    rule = Rule(f"{kind}.{choice.name}", f"{choice.title}：{text}", choice.cites, choice.span)
    return Choice(choice.name, choice.allowed, choice.default, choice.is_reading, rule, of_play)
