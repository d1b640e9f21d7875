"""`paigui play`: sit down at the table, against players who act by chance."""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Iterable, Mapping
from errno import ENOENT
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from ..api import load
from ..core.describe_local import describe_local
from ..core.flow import Always, Announcement, Exit, Response
from ..core.hand import Laid, is_red, tile_name
from ..core.model import WILD, Game, Rule
from ..table.playing import Deal
from ..table.simulate import eager
from ..table.state import HIDDEN, Action, State
from ..table.table import Table
from ..table.words import action_text, result_text
from ..text.codes import Lang
from .command import Usage, complaint, lang_option, option, verb
from .common import language, pick, write_atomically, write_bytes
from .tables import table_of

WIDE = 1_000
"""Columns of a line, which is never broken here: the terminal does it."""


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
        known = " ".join(names)
        raise Usage(complaint(f"没有叫 `{seat}` 的一家，有 {known}", f"no seat `{seat}`; there are {known}"))
    if record is not None and not Path(record).parent.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(Path(record).parent))
    deal = Deal(table, table.wall(seed))
    try:
        _play(deal, names.index(seat) if seat else table.playing[0], random.Random(seed), spoken)
    finally:  # who stops with Ctrl-C keeps what was played
        if record is not None:
            write_atomically(Path(record), deal.record().encode())


def _play(deal: Deal, own: int, source: random.Random, lang: Lang) -> None:
    """Until the deal is over, or the player leaves."""
    table = deal.table
    while not deal.state.over:
        action = _chosen(deal, own, lang) if deal.state.seat == own else eager(deal.state, source)
        if action is None:
            return
        if action.kind != "pass":
            _say(_told(table, deal.state, action, own))
        deal.apply(action)
    if deal.result is not None:
        _say(result_text(table.game.seats, deal.result))


def _say(text: str | Text) -> None:
    """A line; in colours on a terminal that has them."""
    console = Console(file=io.StringIO(), force_terminal=sys.stdout.isatty(), width=WIDE, highlight=False)
    with console.capture() as written:
        console.print(text, soft_wrap=True, markup=False)
    write_bytes(written.get().encode())


def _told(table: Table, state: State, action: Action, own: int) -> str:
    """The action as everybody sees it: a tile drawn or given unseen stays unseen."""
    text = action_text(table, state, action)
    return " ".join(text.split()[:2]) if action.kind in ("take", "cover") and action.seat != own else text


def _chosen(deal: Deal, own: int, lang: Lang) -> Action | None:
    """The player's choice; the only thing there is to do is done. None when he leaves."""
    state, lawful = deal.state, deal.legal_actions()
    if lawful[0].kind in ("turn_up", "take"):
        return lawful[0]
    _show(deal, own, lang)
    for number, action in enumerate(lawful, 1):
        _say(f"  {number:>2}  {action_text(deal.table, state, action)}")
    while True:
        asked = pick(("选几？", "which?"), lang)
        answer = click.prompt(asked, default="1", show_default=False, prompt_suffix=" ").strip()
        if answer in ("q", "Q"):
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(lawful):
            return lawful[int(answer) - 1]
        if answer in ("?", "？"):
            _explain(deal, lang)
        most = len(lawful)
        zh = f"输入 1–{most} 的编号，直接回车是 1，? 看条文，q 收摊"
        _say(pick((zh, f"a number from 1 to {most} (Enter is 1), ? for the clauses, q to leave"), lang))


def _show(deal: Deal, own: int, lang: Lang) -> None:
    """What lies in front of everybody, how much is left, and the player's hand by groups."""
    table, state = deal.table, deal.view(own)
    game, me = table.game, state.players[own]
    for seat, player in zip(game.seats, state.players, strict=True):
        laid = [_meld(table, meld) for meld in player.laid]
        laid += [_strips(game, player.front, {})] if player.front else []
        laid += [Text(player.left)] if player.left else []
        _say(Text.assemble(f"{seat.name}：", Text("  ").join(laid) if laid else "—"))
    if table.tricks is None:
        left = max(0, len(state.deck) - table.flow.reserve - state.at)
        _say(pick((f"还有 {left} 张没翻", f"{left} tiles left in the stock"), lang))
    for put in state.trick:
        _say(Text.assemble(f"  ↳ {game.seats[put.seat].name} ", _strips(game, put.tiles, {})))
    held = [[kind for kind in group.kinds for _ in range(me.counts[kind])] for group in game.groups]
    held += [[i] * me.counts[i] for i, kind in enumerate(game.kinds) if kind.group is None]
    held.append([WILD] * me.wilds)
    hand = Text(" ").join(_strips(game, tiles, state.context) for tiles in held if tiles)
    if me.drawn is not None:
        hand = Text.assemble(hand, "  +", _strips(game, [me.drawn], state.context))
    _say(hand)


def _meld(table: Table, laid: Laid) -> Text:
    """An exposed meld with its tiles; of one face down only what it is."""
    if laid == HIDDEN:
        return Text(" ".join(dict.fromkeys(table.game.types[i].family for i in sorted(table.face_down))))
    meld = table.game.melds[laid.meld]
    return Text.assemble(f"{meld.type.family} ", _strips(table.game, meld.tiles, {}))


def _strips(game: Game, tiles: Iterable[int], context: Mapping[str, str]) -> Text:
    """Faces in the colour they are printed in; what is wild stands out."""
    return Text.assemble(*((tile_name(game, tile, context), _colour(game, tile)) for tile in tiles))


def _colour(game: Game, tile: int) -> str:
    if tile == WILD:
        return "bold yellow"
    return "red" if is_red(game, tile) else ""


def _explain(deal: Deal, lang: Lang) -> None:
    """The clause of every open action, and those that bar a discard."""
    table, state = deal.table, deal.state
    flow = table.flow
    clauses: dict[str, Announcement | Response | Exit]
    clauses = {**flow.announcements, **flow.exits, **flow.responses}
    told = [clauses[name] for name in dict.fromkeys(a.name for a in state.lawful) if name in clauses]
    for clause in told:
        where = "" if isinstance(clause.where, Always) else describe_local(clause.where, lang)
        _say(f"  {_clause(clause.rule)}" + (f"\n      {where}" if where else ""))
    rules = [] if table.tricks is None else table.tricks.rules_of(state.lawful)
    rules += [flow.openers[a.name].rule for a in state.lawful if a.name in flow.openers]
    for rule in rules:
        _say(f"  {_clause(rule)}")
    for action in table.unlawful(state):
        against = table.clause_against(state, action)
        if action.kind == "discard" and against is not None:
            _say(f"  ✗ {action_text(table, state, action)}：{_clause(against)}")


def _clause(rule: Rule) -> str:
    return f"{rule.text}  {' '.join(rule.cites)}".rstrip()
