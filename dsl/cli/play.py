"""`paigui play`: sit down at the table, against players who act by chance."""

from __future__ import annotations

import random
from pathlib import Path

import click

from ..api import load
from ..core.describe_local import describe_local
from ..core.flow import Always, Announcement, Response
from ..core.hand import tile_name
from ..core.model import WILD, Rule
from ..table.playing import Deal
from ..table.simulate import eager
from ..table.state import Action, State
from ..table.table import Table
from ..table.words import action_text, result_text
from ..text.codes import Lang
from .command import lang_option, option, verb
from .common import language, pick, write_atomically, write_bytes
from .tables import table_of


@verb(
    "play",
    "坐下来打一局，别家由程序随机打。输入编号选一步，? 看每一步照的是哪一条，q 收摊。",
    "Play a deal against players who act by chance. A number chooses, ? tells the clauses, q ends.",
)
@click.argument("game")
@option(
    "--seat", default="", metavar="SEAT", zh="坐哪一家，不写就是庄", en="which seat to take; else the first"
)
@option("--seed", type=int, default=0, zh="随机数的种子", en="seed of the chance")
@option("--record", metavar="FILE", default=None, zh="打完把记录写进文件", en="write the record to a file")
@lang_option
def command(game: str, seat: str, seed: int, record: str | None, lang: str | None) -> None:
    """Exit 0 when the deal is over or was left, 2 and 3 as everywhere."""
    spoken = language(lang)
    table = table_of(load(game), spoken)
    names = [s.name for s in table.game.seats]
    if seat and seat not in names:
        raise click.BadParameter(", ".join(names), param_hint="--seat")
    deal, source = Deal(table, table.wall(seed)), random.Random(seed)
    own = names.index(seat) if seat else table.playing[0]
    while not deal.state.over:
        action = _chosen(deal, own, spoken) if deal.state.seat == own else eager(deal.state, source)
        if action is None:
            break
        if action.kind != "pass":
            _say(_told(table, deal.state, action, own))
        deal.apply(action)
    if deal.result is not None:
        _say(result_text(table.game.seats, deal.result))
    if record is not None:
        write_atomically(Path(record), deal.record().encode())


def _say(text: str) -> None:
    write_bytes(f"{text}\n".encode())


def _told(table: Table, state: State, action: Action, own: int) -> str:
    """The action as everybody sees it: a tile drawn unseen stays unseen."""
    text = action_text(table, state, action)
    return " ".join(text.split()[:2]) if action.kind == "take" and action.seat != own else text


def _chosen(deal: Deal, own: int, lang: Lang) -> Action | None:
    """The player's choice; the only thing there is to do is done. None when he leaves."""
    state, lawful = deal.state, deal.legal_actions()
    if lawful[0].kind in ("turn_up", "take"):
        return lawful[0]
    _show(deal, own)
    for number, action in enumerate(lawful, 1):
        _say(f"  {number:>2}  {action_text(deal.table, state, action)}")
    while True:
        asked = pick(("选几？", "which?"), lang)
        answer = click.prompt(asked, default="1", show_default=False, prompt_suffix=" ").strip()
        if answer in ("q", "Q"):
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(lawful):
            return lawful[int(answer) - 1]
        _explain(deal, lang)


def _show(deal: Deal, own: int) -> None:
    """The player's hand by groups, and what lies in front of everybody."""
    table, state = deal.table, deal.view(own)
    game, me = table.game, state.players[own]
    for seat, player in zip(game.seats, state.players, strict=True):
        melds = [game.melds[laid.meld] for laid in player.laid]
        laid = "  ".join(f"{m.type.family} {''.join(game.kinds[k].name for k in m.tiles)}" for m in melds)
        _say(f"{seat.name}：{laid or '—'}")
    groups = [
        "".join(game.kinds[kind].name * me.counts[kind] for kind in group.kinds) for group in game.groups
    ]
    loose = [k.name * me.counts[i] for i, k in enumerate(game.kinds) if k.group is None]
    wild = tile_name(game, WILD, state.context) * me.wilds
    drawn = "" if me.drawn is None else f"  +{tile_name(game, me.drawn, state.context)}"
    _say(" ".join(part for part in (*groups, *loose, wild) if part) + drawn)


def _explain(deal: Deal, lang: Lang) -> None:
    """The clause of every open action, and those that bar a discard."""
    table, state = deal.table, deal.state
    clauses: dict[str, Announcement | Response] = {**table.flow.announcements, **table.flow.responses}
    told = [clauses[name] for name in dict.fromkeys(a.name for a in state.lawful) if name in clauses]
    for clause in told:
        where = "" if isinstance(clause.where, Always) else describe_local(clause.where, lang)
        _say(f"  {_clause(clause.rule)}" + (f"\n      {where}" if where else ""))
    for action in table.unlawful(state):
        against = table.clause_against(state, action)
        if action.kind == "discard" and against is not None:
            _say(f"  ✗ {action_text(table, state, action)}：{_clause(against)}")
    if not told:
        _say(pick(("输入编号，? 看条文，q 收摊", "a number, ? for the clauses, q to leave"), lang))


def _clause(rule: Rule) -> str:
    return f"{rule.text}  {' '.join(rule.cites)}".rstrip()
