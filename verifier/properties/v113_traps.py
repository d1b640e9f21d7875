"""V113: a duty that costs its owner his win or his waiting hand."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core.flow import Flow
from dsl.core.model import Rule

from ..findings import Finding, Words
from ..study import Study
from ..table_shown import table_example
from ..table_traps import Found, Traps

TITLE = ("义务毁了牌", "a duty that spoils the hand")

LOOSEN = (
    "没有想到的，把 `必` 改成 `许`，或者给它一个条件；有意如此，就写 `断言 … 验 V113 答 有`",
    "if it is not meant, make the duty a right or give it a condition; if it is, say so: "
    "`claim … check V113 answer some`",
)
AFTER = ("在 先后 里把它放到和的后面", "put it after the win in the order")


def at_table(study: Study) -> Iterator[Finding]:
    """One finding for each duty; a note tells of those where there is none, or none was found."""
    game, flow = study.game, study.game.flow
    if flow is None or not any(game.win.shape):
        return
    traps, clean = Traps(study.tables, study.compiled), dict[str, bool]()
    for name, rule, said, found in _duties(flow, traps):
        if found.witness is None:
            clean[name] = found.proved and clean.get(name, True)
        else:
            shown = table_example(found.witness)
            yield study.finding("warning", said, [rule, game.win.rule], shown, (), LOOSEN, [rule.name])
    yield from _before_winning(study, flow, traps)
    _note(study, clean)


def _before_winning(study: Study, flow: Flow, traps: Traps) -> Iterator[Finding]:
    """Duties of a rank that is asked before a win, or with it."""
    rank_of = {name: rank for rank, names in enumerate(flow.order) for name in names}
    order = [rule for rule in study.game.rules if rule.name == "流程.先后"]
    for win in (r for r in flow.responses.values() if r.win and not r.must):
        for name, response in flow.responses.items():
            first = response.must and not response.win and rank_of[name] <= rank_of[win.name]
            shown = traps.before_winning(response, win) if first else None
            if shown is not None:
                said = (
                    f"`{name}` 必须应，又不在 `{win.name}` 之后：这张牌本来就和了，应了就没有和",
                    f"`{name}` has to be answered and does not rank after `{win.name}`: the tile would win, "
                    "and the duty keeps its owner from it",
                )
                rules = [response.rule, win.rule, *order]
                yield study.finding("warning", said, rules, table_example(shown), (), AFTER, [name, win.name])


def _duties(flow: Flow, traps: Traps) -> Iterator[tuple[str, Rule, Words, Found]]:
    """Name, clause, what to say and what was found."""
    for name, response in flow.responses.items():
        if response.must and not response.win:
            zh = f"`{name}` 必须应：本来听着的一手，应了以后打哪张都不听了"
            en = f"`{name}` has to be answered, and a hand that waits does not any more, whatever is let go"
            yield name, response.rule, (zh, en), traps.of_response(response)
    for name, announcement in flow.announcements.items():
        if announcement.must and announcement.types:
            zh = f"`{name}` 必须摆：起手就成（或者就听）的一手，摆了就不是了"
            en = f"`{name}` has to be laid: a hand complete (or waiting) as dealt is so no more"
            yield name, announcement.rule, (zh, en), traps.of_announcement(announcement)


def _note(study: Study, clean: dict[str, bool]) -> None:
    """How far it is sure that these duties spoil nothing."""
    proved = "、".join(f"`{name}`" for name, sure in clean.items() if sure)
    tried = "、".join(f"`{name}`" for name, sure in clean.items() if not sure)
    if proved:
        zh = f"{proved} 毁不了没有赖子、也没有摆过牌的一手，这是证明了的；别的手只是试过"
        en = f"{proved}: proved to spoil no hand without wild tiles and exposed melds; others were only tried"
        study.note((zh, en))
    if tried:
        study.note(
            (f"{tried} 只是试过：没有找到，不等于没有", f"{tried}: only tried; none found is no proof")
        )
