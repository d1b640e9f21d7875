"""What the papers say twice, written once: English passages, the keyword table, the list of games.

`python docs/generate.py` rewrites the files; with `--check` it only names those that are out of date. The
pages of findings take a proof of everything: they are made anew when what they were made from has changed, or
with `--findings`.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import dsl
from dsl.front.chosen import choices_of
from dsl.front.format import format_source
from dsl.front.keywords import KEYWORDS
from dsl.front.load import Library, chain_of
from dsl.front.syntax import Clause, Ruleset
from dsl.text.codes import HANDS, NAMES, PARSE, PLAY, TYPES, USAGE, WARNINGS
from dsl.text.source import Source
from verifier import verify
from verifier.outputs.findings_markdown import digest, made_from
from verifier.outputs.findings_markdown import page as findings_page
from verifier.properties import documented

ROOT = Path(__file__).parents[1]
LANGUAGE = ROOT / "docs/language.md"
MESSAGES = ROOT / "docs/messages.md"
SPECS = ROOT / "specs/README.md"

TWIN = re.compile(r"^```pai([^\n]*)\n(.*?)^```\n\n```pai[^\n]* english\n.*?^```$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"(<!-- keywords: begin [^\n]*-->\n).*?(<!-- keywords: end -->)", re.DOTALL)

MEANINGS: dict[str, tuple[str, str]] = {
    "RULES": ("一套能判牌的规则", "a ruleset that can be judged"),
    "TEMPLATE": ("只供继承的规则", "a ruleset that only serves to be extended"),
    "EXTENDS": ("从哪套规则改起", "the ruleset to start from"),
    "SOURCES": ("编号所在的表", "the table that ids are cited from"),
    "OPTION": ("开局前的约定", "what is agreed before play"),
    "READING": ("原文的几种解法", "the ways to understand the source"),
    "DEFAULT": ("所取的解法", "the reading that is taken"),
    "FORBID": ("不能同选", "a combination that is ruled out"),
    "WARN": ("只提醒，不拦", "warn, do not refuse"),
    "IF": ("在这些选项下；支付里是条件", "under these options; in a payment, a condition"),
    "CITES": ("引出处的编号", "ids of the sources"),
    "UNMODELLED": ("原文有而这里不写的", "what the source has and the ruleset leaves out"),
    "TO": ("从一个编号到另一个", "from one id to another"),
    "BECAUSE": ("不写的缘故", "why it is left out"),
    "REPLACE": ("换掉一条", "put another clause in its place"),
    "ADD": ("添一条", "a further clause"),
    "REMOVE": ("去掉一条", "take a clause away"),
    "RETUNE": ("只动一个数", "change one number"),
    "WAIVE": ("一条发现留着，写明缘故", "let a finding stand, and say why"),
    "DECK": ("节：有哪些牌", "section: the tiles"),
    "GROUP": ("念成一句的牌", "tiles recited together"),
    "LOOSE": ("不属任何房的牌", "tiles in no group"),
    "COPIES": ("一种牌有几张", "how many there are of a tile"),
    "CLASS": ("牌的分类", "a kind of tiles"),
    "VALUE": ("牌的数", "a number of a tile"),
    "MARK": ("做了记号的牌，价另算", "a tile with a mark, priced apart"),
    "WILD": ("顶别的牌的牌", "the tile that stands for others"),
    "FOLLOWS": (
        "由翻出的牌定：同一句里的下一个字",
        "decided by a tile turned up: the next face of its group",
    ),
    "OUT": ("翻出的那张不再用", "the tile turned up leaves the game"),
    "CUT": ("开局刻定的一种牌，去掉几张", "so many tiles of a face named at the deal are out of play"),
    "UNLAID": ("带赖子的不摆出来", "no meld with a wild tile is laid"),
    "NEVER_IN": ("赖子不入哪些牌型，那里的牌都要是真的", "melds of natural tiles only"),
    "WITHIN": ("顶的牌连真的不超过一副里的张数", "no face is represented more often than the deck has it"),
    "ORIGINS": ("节：来路的合集", "section: sets of origins"),
    "HAND": ("暗手里的牌；例里的手牌；算里的牌", "concealed tiles, and their origin; tiles to compute"),
    "SEATS": ("节：身份和张数", "section: roles and tiles dealt"),
    "PARAMETER": ("一手牌外头的情况", "a circumstance of a hand"),
    "MELDS": ("节：牌型", "section: melds"),
    "AS": ("算什么；凡 型 里：哪一种", "what it counts as; after every meld: which ones"),
    "LOCKED": ("摆出后不再拆", "stays as it is once exposed"),
    "ALL": ("每一张；不分类的列；都可重组", "every tile; a column for all; any meld"),
    "REST": ("没点名的各张", "the places that are not named"),
    "AWAITS": ("还差什么牌", "the tiles it lacks"),
    "ALIAS": ("别的叫法", "other names"),
    "WHERE": ("哪些牌成；哪样算诈和", "which tiles make it; when a win is false"),
    "ACROSS": ("不限同房", "tiles of any group"),
    "EXTRA": ("摆出时补几张；`末张`：末张就是补的", "tiles drawn when laid; `last`: the last tile is it"),
    "GROWS": ("还能添成什么", "what it may still become"),
    "PRICE": ("节：一张价表；条件里是一个价", "section: a score table; in a condition, one price"),
    "COLUMNS": ("表的各列", "the columns of a table"),
    "OVER": ("是哪一行的例外", "the exception of another row"),
    "MISSING": ("原文没有价", "the source has no price"),
    "PER_TILE": ("一张一张照各自的列计价", "each tile is priced by its own column"),
    "WIN": ("节：怎样和；条件：是和", "section: how to win; condition: it is a win"),
    "FALSE_WIN": ("节：怎样算诈和；条件：是诈和", "section: when a win is false; condition: it is"),
    "DRAW": ("没有人和；流程里：照一个判作废", "nobody wins; in a flow, a deal called off by a judgement"),
    "SIZE": ("和牌的手几张，不写就是发得最多的", "tiles of a finished hand; else the largest deal"),
    "UNLIMITED": (
        "和里：形不数单位，或者手牌多少张都行",
        "in a win: no units in the shape, or any number of tiles",
    ),
    "SHAPE": ("摆成的样子；条件：摆成了", "what to arrange; condition: it is arranged"),
    "LAST": ("最后一张", "the last tile"),
    "NEED": ("和的一个条件", "a condition of the win"),
    "GROUPING": ("不合这个条件的就不是一种摆法", "an arrangement that breaks it is none"),
    "UNLESS": ("例外", "the exception"),
    "CHOOSE": ("几种摆法里取哪种", "which arrangement is taken"),
    "PAYMENT": ("节：谁付谁；收得多的", "section: who pays; the best paid"),
    "SCORE": ("分高的", "the highest score"),
    "REGROUP": ("摆出来的能不能重组", "may exposed melds be taken apart"),
    "UNLOCKED": ("没有锁的", "those not locked"),
    "NAMES": ("节：有名的和；例里成立的名", "section: named wins; in an example, those that hold"),
    "TIMES": ("倍数", "the multiplier"),
    "UNCALLED": ("不报也算", "counts without being called"),
    "STACKING": ("几个名一起怎么算", "how several names go together"),
    "HIGHEST": ("只取最高", "the highest alone"),
    "PRODUCT": ("相乘", "multiplied"),
    "SUM": ("相加", "added up"),
    "PAYS": ("付", "pays; in an example, what each seat gets"),
    "EACH": ("其余在打的各家", "all others at play"),
    "OTHER": ("报和的人以外的那几家", "of a role, all but who declared"),
    "PER_FULL": ("满几个这么多，零头不算", "how many times so much is full; the rest counts nothing"),
    "DOUBLED": ("翻几次倍", "doubled so many times"),
    "ACTOR": ("报和的人", "who declared"),
    "WAITS": ("节：叫法", "section: kinds of waits"),
    "ON": ("等哪些牌型所待的牌", "the melds whose lacking tiles are awaited"),
    "RANKS": ("节：出牌谁大谁小", "section: which plays rank above which"),
    "LED": ("例里先出的一手", "in an example, the play that is led"),
    "BEATEN_BY": ("盖得住它的一手", "a play that beats it"),
    "UNBEATEN_BY": ("盖不住它的一手", "a play that does not beat it"),
    "FLOW": ("节：一局怎样打", "section: how a deal is played"),
    "RESERVE": ("铺底不摸的几张", "tiles at the bottom of the stock that are never drawn"),
    "REVEAL": ("发完牌翻一张，定一个境", "turn a tile up after the deal; it decides a circumstance"),
    "RAISE": ("亮出发到的第几张，定一个境", "show the tile dealt at a place; it decides a circumstance"),
    "SEATING": ("各家轮的次序", "the order of the seats"),
    "NO_TURN": ("没有自己一轮的身份", "roles without a turn of their own"),
    "SKIPS": ("不算下家的身份", "roles that do not count as the next player"),
    "OWN_TURNED": ("自己翻开的那张的来路", "the origin of a tile one turned up oneself"),
    "AFTER_EXTRA": ("补了牌、收了牌再做的事", "what is done after an extra tile"),
    "FACE_DOWN": ("扣着摆", "laid face down"),
    "OPENING": ("轮起来以前，各身份依次做什么", "what the roles do, in order, before the turns begin"),
    "TURN": ("轮到的人做什么", "what a player does in his turn"),
    "TURN_UP": ("铺里翻一张给大家看", "turn a tile of the stock up for all"),
    "TAKE": ("铺里摸一张，不给人看", "draw a tile unseen"),
    "DISCARD": ("打一张", "let a tile go"),
    "INTO_HAND": ("翻出来要收进手里的牌", "tiles turned up that go into the hand"),
    "ANNOUNCE": ("只用手里的牌摆", "melds laid from the hand alone"),
    "RESPOND": ("一张现身的牌怎样要", "how a tile on offer may be taken"),
    "VETO": ("这时要不得", "ways to take a tile that are not open then"),
    "MUST": ("非要不可", "it has to be done"),
    "MAY": ("随意", "it may be done"),
    "SELF": ("翻牌的人自己；条件：是他", "who turned the tile up; condition: it is him"),
    "NEXT": ("下一家；条件：是下家；下庄：庄的下家", "the next player; condition: it is him"),
    "ANYONE": ("别的每一家", "every other player"),
    "JOIN": (
        "添在摆出来的牌型上；`手`：手里的也行",
        "added to an exposed meld; `hand`: or made from the hand",
    ),
    "KEEPS": ("要了不用打一张", "nothing is discarded afterwards"),
    "ORDER": ("几种要法谁在先", "which way to take a tile goes first"),
    "TIE": ("一样先后的怎么分", "who goes first among equals"),
    "NEAREST": ("离得近的在先", "the one whose turn comes soonest"),
    "FROM_DEALER": ("从庄数起", "counted from the dealer"),
    "BAN": ("哪些牌打不得", "tiles that may not be discarded"),
    "YIELDS": ("全都打不得时，这一条让开", "it gives way where nothing could be discarded"),
    "BREACH": ("犯了哪一条，怎样算", "what comes of breaking a clause"),
    "PLAY_ON": ("接着打", "play goes on"),
    "FINED": ("当时付了，接着打", "paid at once, and play goes on"),
    "FINED_LATER": ("接着打，不能再和，收场时罚", "play goes on, he cannot win and is fined at the end"),
    "VOID": ("不付，重发", "nobody pays, and it is dealt anew"),
    "RATED": ("照手里的牌认的档算", "by what the hand is rated"),
    "RATING": ("没有和的一手认作报了哪个名", "the name that a hand which is no win counts as called by"),
    "SAYING": ("什么时候说得这句话", "when a word may be said"),
    "WILDS_HELD": ("手里的赖子几张", "how many wild tiles are in the hand"),
    "SHORT": ("手里成形，可是和不了", "the hand has the shape of a win and makes none"),
    "LEAVE": ("不合哪个判的退出这一局", "who leaves the deal, by a judgement"),
    "STILL_PAYS": ("退了也有收付", "payments count him though he left"),
    "OPENS": ("合哪个判、有哪个名的叫了才打", "the call without which the deal is drawn"),
    "NEXT_DEALER": ("下一局谁做庄", "who deals next"),
    "SAME_DEALER": ("还是这一家做庄", "the same player deals again"),
    "MORE": ("加上这张，手里的牌型就多", "with the tile the hand makes more of a meld"),
    "FEWER": ("去了这张（或一起摆的），手里的牌型就少", "without it the hand makes fewer of a meld"),
    "BEYOND": ("先尽着数哪种牌型", "melds that are taken out first"),
    "ONLY": ("手里那一房正好是这样", "the hand holds just this of the group"),
    "THIS": ("说的那张牌", "the tile in question"),
    "SAME_FACE": ("手里同面的几张", "tiles of that face in the hand"),
    "TAKEN": ("这样要过几次", "how often a tile was taken so"),
    "EXPOSED": ("摆出了几个", "how many of a meld were laid"),
    "SAME_GROUP": ("只数同一房的", "only those in the tile's group"),
    "PRESENT_SCORE": ("手里现有几分", "what the hand comes to now"),
    "JUST_DID": ("这一轮里应了、宣了", "it was done in this turn"),
    "LEFT_OVER": ("应过那一房里留下的", "left in the group that was taken for"),
    "THERE": ("应过的那一房", "of the group that was taken for"),
    "TIED": (
        "要放下的牌里有几张各有配的",
        "how many of the tiles that go could each make a meld with tiles that stay",
    ),
    "NOTHING_LEFT": ("手里再没有能打的", "nothing would be left to discard"),
    "FIRST_DISCARD": ("全局打出的头一张", "the first discard of the deal"),
    "FIRST_TURN": ("全局翻出的头一张", "the first tile turned up in the deal"),
    "TRICK": ("一墩：领的人出，别家跟", "a trick: one leads, the others follow"),
    "PLAYS": ("照哪个判出牌、比大小", "the judgement whose plays and ranks are used"),
    "FOLLOW": ("盖得住的盖不盖", "whether one who can beat has to"),
    "COVER": ("不盖的扣同样几张", "who does not beat gives as many tiles face down"),
    "NOTE": ("记下出牌的人做过什么", "a play that is remembered of its player"),
    "LIABLE": ("记下的输家包别人的", "the loser of whom it is remembered pays for the others"),
    "LEAD": ("领出的牌", "the play that is led"),
    "UNBEATEN": ("自己领的一墩没有人盖", "nobody beat the trick that one led"),
    "TRICKS_DONE": ("打完了几墩", "how many tricks are over"),
    "TILES_LEFT": ("手里还剩几张", "how many tiles are left in the hand"),
    "AND": ("且", "and"),
    "OR": ("或", "or"),
    "NOT": ("非；类的其余", "not; all other tiles"),
    "HAS": ("至少一个；断言的答", "at least one; an answer"),
    "NONE": ("一个也没有；断言的答", "not one; an answer"),
    "TRUE": ("总成立；断言的答", "always; an answer"),
    "FALSE": ("总不成立；断言的答", "never; an answer"),
    "EVERY": ("每一个都；凡甲则乙", "for every; every A then B"),
    "HELD": ("手里有牌的", "of which a tile is held"),
    "UNIT": ("凡 型：每个牌型", "every meld"),
    "ROLE": ("报和的人的身份", "the role of who declares"),
    "IN": ("末张、赖子在哪种牌型里；境的牌在哪一类里", "in which meld or class something is"),
    "IN_PLACE": ("赖子顶了它自己那个字", "a wild tile stands for its own face"),
    "COUNT": ("几张、几个", "how many tiles or melds"),
    "GETS": ("一座收多少", "what a seat gets"),
    "POSITION": ("在房里的次序", "the place in the group"),
    "KINDS_OF": ("有几种不同的牌、牌型", "how many different tiles, or melds, there are"),
    "WHOLE_DECK": ("整副牌里有几张", "how many tiles the whole deck has"),
    "MOD": ("除下的余数", "the remainder"),
    "AT": ("在这些选项下；在这一类里", "under these options; in this class"),
    "MISNAMED": ("报的名不成立", "a declared name does not hold"),
    "EXAMPLE": ("一手牌和该有的判法", "a hand and what must be said of it"),
    "LAID": ("桌上的牌型", "an exposed meld"),
    "DECLARE": ("报的名", "the names called"),
    "PRINTED": ("原文所印的、所说的", "what the source itself prints or says"),
    "VERDICT": (
        "规则另有的一种判；例里是和还是诈和，多少分",
        "a further judgement; in an example, win or not, and the score",
    ),
    "EVERY_SCORE": ("所有摆法的分", "the scores of all arrangements"),
    "CLAIM": ("要证或要驳的话", "a sentence to prove or refute"),
    "EXISTS": ("有没有", "is there one"),
    "THEN": ("凡甲则乙", "every A then B"),
    "ANSWER": ("该有的回答", "the expected answer"),
    "COMPUTE": ("算数", "arithmetic"),
    "INTEGER": ("算里没有定下来的数，从 0 起", "whole numbers that arithmetic leaves open, from 0"),
    "CHECK": ("一项查验有没有发现", "does a check find anything"),
    "WAITING": ("差一张就成形；例里听的牌", "one tile short; in an example, the tiles"),
    "CALLED": ("有这种叫", "has this wait"),
    "CAN_BE": ("整手牌有一种摆法是这样", "some arrangement of the whole hand is so"),
    "WAIT_WINS": ("听的牌里有和的", "some awaited tile wins"),
    "WAIT_FAILS": ("听的牌里有诈和的", "some awaited tile is a false win"),
    "WAIT_FACES": ("听几面牌", "how many faces complete the hand"),
    "ONE_SEAT": ("断言说桌上的一家", "a statement speaks of a player at the table"),
    "OTHER_SEAT": ("还有一家", "and of another one"),
    "TWO_SEATS": ("断言说两家都这样", "a statement speaks of two players alike"),
    "CAN_ANSWER": ("这样应得", "one of these responses is open"),
    "DEAD_END": ("这样应了就没有一张打得", "after it no tile may be discarded"),
}
"""One line for each keyword, in Chinese and in English."""

OPENERS = {
    "rules": "",
    "deck": "牌",
    "origins": "来路",
    "seats": "座",
    "melds": "牌型",
    "price": "价 分",
    "win": "和",
    "false_win": "诈和",
    "names": "名",
    "payment": "支付",
    "waits": "落叫",
}
"""What opens the section that a `fragment:…` is a piece of."""


# ---------------------------------------------------------------- docs/language.md


def language(text: str) -> str:
    """The language reference with its English passages and its table made anew."""
    text = TWIN.sub(lambda m: _twin(m[1], m[2]), text)
    return TABLE.sub(lambda m: m[1] + "\n" + keyword_table() + "\n" + m[2], text)


def _twin(info: str, chinese: str) -> str:
    return f"```pai{info}\n{chinese}```\n\n```pai{info} english\n{in_english(info, chinese)}```"


def in_english(info: str, chinese: str) -> str:
    """A passage laid out and with English keywords."""
    found = re.search(r"fragment:(\w+)", info)
    if found is None:
        return _formatted(chinese)
    opener = OPENERS[found[1]]
    around = f"规则 片段 {{\n{opener} {{\n{chinese}}}\n}}" if opener else f"规则 片段 {{\n{chinese}}}"
    lines = _formatted(around).splitlines()
    depth = 2 if opener else 1
    return textwrap.dedent("\n".join(lines[depth:-depth])) + "\n"


def _formatted(text: str) -> str:
    shown, faults = format_source(Source("passage", text), "en")
    assert not faults, "\n".join(f.message("en") for f in faults) + "\n" + text
    return shown


def keyword_table() -> str:
    """Every keyword in both spellings with its line."""
    rows = ["| 中文 | English | 意思 | meaning |", "|---|---|---|---|"]
    for key, (zh, en) in KEYWORDS.items():
        rows.append(f"| `{zh}` | `{en}` | {MEANINGS[key][0]} | {MEANINGS[key][1]} |")
    return "\n".join(rows) + "\n"


# ---------------------------------------------------------------- specs/README.md

HEAD = """\
# 规则库 · The specs

这一页由 `make specs` 生成，不要手改。 This page is made by `make specs`; do not edit it.

"""


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    ruleset: Ruleset
    library: Library

    @property
    def chain(self) -> tuple[Ruleset, ...]:
        return chain_of(self.ruleset, self.library)[0]


def specs() -> str:
    """The list of games and of what they start from."""
    entries = list(_entries())
    games = [e for e in entries if not e.ruleset.template]
    templates = [e for e in entries if e.ruleset.template]
    parts = ["## 规则 · Games\n", *map(_told, games), "## 底本 · Templates\n", *map(_told, templates)]
    return HEAD + "\n".join(parts)


def _entries() -> Iterator[_Entry]:
    library = Library()
    for path in sorted((ROOT / "specs").rglob("*.pai")):
        for ruleset in library.read(path):
            yield _Entry(path.relative_to(ROOT / "specs"), ruleset, library)


def _told(entry: _Entry) -> str:
    ruleset, path = entry.ruleset, entry.path.as_posix()
    lines = [f"### {ruleset.name}", "", f"{ruleset.title} · [{path}]({path})", ""]
    if ruleset.base:
        lines.append(f"- 继承 extends: {ruleset.base}")
    lines += _choices(entry)
    count = _counted(ruleset.clauses)
    if not ruleset.template:
        lines.append(f"- 例 examples: {count['example']}；断言 claims: {count['claim']}")
        found = entry.path.parent / "FINDINGS.md"
        if (ROOT / "specs" / found).exists():
            lines.append(f"- 查出 found: [{found.as_posix()}]({found.as_posix()})")
    return "\n".join([*lines, ""])


def _choices(entry: _Entry) -> Iterator[str]:
    """Options and readings, those of the bases included; the first value is the default."""
    choices = choices_of(entry.chain)[0].by_name.values()
    options = [c for c in choices if not c.is_reading]
    readings = [c for c in choices if c.is_reading]
    for choice in options:
        others = " ".join(v for v in choice.allowed if v != choice.default)
        yield f"- 选项 option: {choice.name} = **{choice.default}** {others}"
    own = [c for c in readings if c.span.path == entry.ruleset.path]
    inherited = len(readings) - len(own)
    told = [f"{c.name} {c.title}" for c in own] + ([f"继承 inherited: {inherited}"] if inherited else [])
    if told:
        yield "- 读法 readings: " + "；".join(told)


def _counted(clauses: tuple[Clause, ...]) -> dict[str, int]:
    return {kind: sum(c.kind == kind for c in clauses) for kind in ("example", "claim")}


# ---------------------------------------------------------------- docs/messages.md

PREFACE = """\
# 消息与查验 · Messages and checks

这一页由 `make specs` 生成，不要手改。 This page is made by `make specs`; do not edit it.
花括号里是当时的名字和数。 Braces stand for the names and numbers at hand.

"""

FAMILIES = (
    ("写法 · How it is written", PARSE),
    ("名字与改动 · Names and changes", NAMES),
    ("意思 · Meaning", TYPES),
    ("提醒 · Warnings", WARNINGS),
    ("手牌 · Hands", HANDS),
    ("命令 · Calls", USAGE),
    ("牌局记录 · Records of play", PLAY),
)


def messages() -> str:
    """Every code with its sentence in both languages, and every check of `paigui verify`."""
    parts = [PREFACE]
    for title, codes in FAMILIES:
        rows = [f"| {code} | {_shown(c.zh)} | {_shown(c.en)} |" for code, c in codes.items()]
        parts.append(_table(title, ["| 编号 | 消息 | message |", "|---|---|---|", *rows]))
    rows = [f"| {code} | {zh} | {en} |" for code, (zh, en) in documented().items()]
    parts.append(_table("查验 · Checks", ["| 编号 | 查什么 | what is asked |", "|---|---|---|", *rows]))
    return "\n".join(parts)


def _table(title: str, rows: list[str]) -> str:
    return "\n".join([f"## {title}", "", *rows, ""])


def _shown(template: str) -> str:
    """A template with plain braces and without the hints for the printer."""
    plain = re.sub(r"\{(\w+):\w+\}", r"{\1}", template).replace("{{", "{").replace("}}", "}")
    return plain.replace("|", "\\|")


# ---------------------------------------------------------------- specs/…/FINDINGS.md


def kept_games(folder: Path) -> list[dsl.Game]:
    """The games of a folder, `game.pai` first; one that does not load is for `paigui check` to tell of."""
    files = sorted(folder.glob("*.pai"), key=lambda path: (path.name != "game.pai", path.name))
    library, found = Library(), list[dsl.Game]()
    for name in (f"{path}#{r.name}" for path in files for r in library.read(path) if not r.template):
        with suppress(dsl.SpecError):
            found.append(dsl.load(name))
    return found


def findings_pages() -> dict[Path, list[dsl.Game]]:
    """Every page of findings with the games it is about: one for each folder that has games."""
    folders = sorted({path.parent for path in (ROOT / "specs").rglob("*.pai")})
    games = {folder / "FINDINGS.md": kept_games(folder) for folder in folders}
    return {page: found for page, found in games.items() if found}


def findings_text(games: list[dsl.Game]) -> str:
    """The page about these games; every check runs, which takes a while."""
    name = games[0].name
    title = f"{name}：查出了什么", f"{name}: what was found"
    return findings_page([verify(game) for game in games], title)


def outdated_findings(everything: bool = False) -> Iterator[Path]:
    """Pages that were made from other texts or other checks; with `everything` all whose words are not those
    that the proofs give today."""
    for path, games in findings_pages().items():
        shown = path.read_text(encoding="utf-8") if path.exists() else ""
        same = made_from(shown) == digest(game.core for game in games)
        if not same or (everything and shown != findings_text(games)):
            yield path


# ---------------------------------------------------------------- files


def pages() -> dict[Path, str]:
    """Every generated file and what it should hold."""
    reference = language(LANGUAGE.read_text(encoding="utf-8"))
    return {LANGUAGE: reference, MESSAGES: messages(), SPECS: specs()}


def stale() -> list[Path]:
    """Files that do not hold what they should."""
    return [p for p, text in pages().items() if not p.exists() or p.read_text(encoding="utf-8") != text]


def main(arguments: list[str]) -> int:
    """The pages of findings first: the list of games leads to them."""
    outdated = []
    for path in outdated_findings("--findings" in arguments):
        outdated.append(path)
        _renew(path, arguments, lambda path=path: findings_text(findings_pages()[path]))
    for path in stale():
        outdated.append(path)
        _renew(path, arguments, lambda path=path: pages()[path])
    return 1 if outdated and "--check" in arguments else 0


def _renew(path: Path, arguments: list[str], text: Callable[[], str]) -> None:
    print(path.relative_to(ROOT).as_posix())
    if "--check" not in arguments:
        path.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
