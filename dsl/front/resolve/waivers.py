"""豁免: findings that an author lets stand. Whether there is such a finding is the verifier's to say."""

from __future__ import annotations

import re

from ...core.model import Waiver
from ..lex import span_of
from ..syntax import Clause, string_of, tokens
from .scope import Scope, rule_of

CHECK = re.compile(r"V\d{3}")
"""How the code of a check is written."""


def resolve_waivers(scope: Scope) -> tuple[Waiver, ...]:
    """Waivers in force; N021 for a code that no check can have, N022 for one without a reason."""
    return tuple(_waiver(scope, c) for c in scope.assembled.clauses.values() if c.kind == "waive")


def _waiver(scope: Scope, clause: Clause) -> Waiver:
    _, check, fingerprint = clause.key
    reason = " ".join(string_of(clause.tree).split())
    if not CHECK.fullmatch(check):
        scope.fault("N021", span_of(clause.span.path, tokens(clause.tree, "NAME")[0]), name=check)
    if not re.search(r"\w", reason):  # `「……」`, as it is pasted, says nothing yet
        scope.fault("N022", clause.span, check=check, fingerprint=fingerprint)
    return Waiver(check, fingerprint, reason, rule_of(clause))
