"""How each clause is written, by example; shown when an author's clause cannot be read."""

from __future__ import annotations

from lark import Token

from ..text.source import Source
from .keywords import KEYWORDS, spell
from .lex import lex
from .respell import Style

EXAMPLES: dict[str, dict[str, str]] = {
    "file": {
        "RULES": "规则 十符硬 继承 上大人十九张 { … }",
        "TEMPLATE": "底本 上大人十九张 { … }",
        "VERDICT": "判 资格 于 十符硬「够不够打」 { … }",
    },
    "ruleset": {
        "SOURCES": "出处 「SOURCES.md」",
        "OPTION": "选项 人数 4 | 3",
        "READING": "读法 SH-05「摆龙补不补牌」 { R1「不补」默认；R2「补一张」 }",
        "FORBID": "不许 人数 = 3 且 赖子 = 开",
        "PARAMETER": "境 抬将：上 丘 化",
        "DECK": "牌 { … }",
        "ORIGINS": "来路 { … }",
        "SEATS": "座 { 庄 19；闲 18 × 3 }",
        "MELDS": "牌型 { … }",
        "PRICE": "价 符 { … }",
        "NAMES": "名 { … }",
        "WIN": "和 { … }",
        "FALSE_WIN": "诈和 { … }",
        "PAYMENT": "支付 { … }",
        "WAITS": "落叫 { … }",
        "FLOW": "流程 { … }",
        "RANKS": "大小 { … }",
        "EXAMPLE": "例 E-1「大碰头」 { … }",
        "CLAIM": "断言 C-1 存在 形 且 符 < 10 答 有",
        "PRINTED": "原文 C-1「吃后剩小生」 算 手 尔尔小生 + 小 - 尔小生 = 小生",
        "UNMODELLED": "未建模 SDR-20 至 SDR-29 PN-01 因为 「桌上的规矩」",
        "IF": "若 人数 = 3 { … }",
        "REPLACE": "改 和.须 门槛：符 ≥ 14",
        "ADD": "加 名.大符：符 ≥ 24 倍 2",
        "REMOVE": "删 名.大符",
        "RETUNE": "调 和.门槛 10 → 14",
        "WAIVE": "豁免 V109 3f9a2c1b「原文如此，照印」",
    },
    "reading": {"NAME": "R1「不补」默认"},
    "deck": {
        "GROUP": "房 上大人 丘乙己 化三千",
        "LOOSE": "散牌 花 鬼",
        "COPIES": "每张 4",
        "CLASS": "类 红 = 上大人 化三千",
        "VALUE": "值 点：一 1 二 2 三 3",
        "WILD": "赖 神 随 翻 出局",
        "MARK": "标 将 随 抬将 身 庄",
        "ALIAS": "又名 丘 邱",
    },
    "origins": {"NAME": "他人 = 他摸 他打", "HAND": "手 起手"},
    "seats": {"NAME": "闲 18 × 3"},
    "melds": {"NAME": "碰 a a a 第三 他人 作 1组 锁"},
    "variant": {"NAME": "起手：第三 第四 起手"},
    "price": {"NAME": "碰 3 2", "COLUMNS": "列 将 闲"},
    "names": {"NAME": "大符：符 ≥ 24 倍 2", "STACKING": "叠法 最高"},
    "win": {
        "SHAPE": "形 5组 2口",
        "SIZE": "张数 13",
        "LAST": "末张 自摸 他摸 无",
        "NEED": "须 门槛：符 ≥ 10 除非 素符",
        "GROUPING": "摆法 不夹：凡 房：数 对 ≤ 1",
        "CHOOSE": "取 支付",
        "REGROUP": "重组 未锁",
    },
    "false_win": {"WHERE": "当 不成形：非 形"},
    "payment": {
        "WIN": "和：每家 付 当家 1 × 倍",
        "FALSE_WIN": "诈和：当家 付 每家 1",
        "DRAW": "流局：庄 付 每家 1",
        "COUNT": "数 高番：（陀 - 33） 每满 10",
    },
    "waits": {"NAME": "大碰头 4组 2口 1对 等 对"},
    "ranks": {"NAME": "正门：天牌 > 地牌 > 梅子 = 长三"},
    "flow": {
        "RESERVE": "留底 12",
        "REVEAL": "揭 翻",
        "RAISE": "抬 抬将：许 庄 第二",
        "SEATING": "座次 庄 闲1 坐醒 闲2",
        "NO_TURN": "不轮 坐醒",
        "SKIPS": "略座 坐醒",
        "OWN_TURNED": "自翻 他摸",
        "AFTER_EXTRA": "补后：和 亮招",
        "OPENING": "开局：庄 摆龙 弃牌，闲 摆龙",
        "TURN": "轮：翻开",
        "INTO_HAND": "入手：这张 赖",
        "ANNOUNCE": "宣 摆龙：必 龙",
        "RESPOND": "应 碰：任家 必 碰 当 同张 = 2",
        "VETO": "禁 死牌：碰 追 当 末张 他打",
        "ORDER": "先后：绍，和，碰，追 吃",
        "TIE": "同级 最近",
        "BAN": "不得 拆句：少了 句 可让",
        "PARAMETER": "境 首张 是 当 首翻",
        "BREACH": "犯 烧龙：摆龙 作 诈和",
        "RATING": "认档 大胡：现分 ≥ 14",
        "SAYING": "话 剐胡：现分 < 7",
        "NEXT_DEALER": "下庄 和：当家",
        "LEAVE": "退 下课：必 资格",
        "OPENS": "报叫 开牌：资格 能叫",
        "PLAYS": "出法 出牌",
        "FOLLOW": "跟 盖过：必",
        "COVER": "垫 扣牌",
        "NOTE": "记 先出大牌：领 有 天牌",
        "LIABLE": "包 先出大牌：付 每家",
        "DRAW": "流局 无天九：开局 判 空门",
    },
    "example": {
        "AT": "于 人数 = 3",
        "ROLE": "身 庄",
        "PARAMETER": "境 抬将 三",
        "LAID": "摆 碰：上上上（起手 起手 他摸）",
        "HAND": "手 上大人 丘乙 化化",
        "LAST": "末张 上 他摸",
        "DECLARE": "报 大符",
        "VERDICT": "判 和 11",
        "EVERY_SCORE": "诸分 9 11",
        "NAMES": "名 大符",
        "PAYS": "付 庄 2 闲 -2",
        "PRINTED": "原文 和 12",
        "WAITING": "听 上 人",
        "CALLED": "叫 大碰头",
        "LED": "出 四六",
        "BEATEN_BY": "盖 长三",
        "UNBEATEN_BY": "不盖 猫猫",
    },
}
"""For each kind of block, its clauses by first keyword; `NAME` for those that start with a name."""

PLACED = {
    "DECK": "deck",
    "ORIGINS": "origins",
    "SEATS": "seats",
    "MELDS": "melds",
    "NAMES": "names",
    "WIN": "win",
    "FALSE_WIN": "false_win",
    "PAYMENT": "payment",
    "WAITS": "waits",
    "FLOW": "flow",
    "RANKS": "ranks",
}
"""The section that a change names, and the kind of clause that follows the dot."""

SYNONYMS = {
    "没有": "NONE",
    "没": "NONE",
    "不": "NOT",
    "不是": "NOT",
    "并且": "AND",
    "而且": "AND",
    "或者": "OR",
    "如果": "IF",
    "要": "NEED",
    "必须": "NEED",
    "等于": "EQ",
    "大于": "GT",
    "小于": "LT",
    "全": "ALL",
    "都": "ALL",
    "番": "TIMES",
    "到": "TO",
    "胡": "WIN",
    "诈胡": "FALSE_WIN",
    "x": "TIMES_SIGN",
    "X": "TIMES_SIGN",
}
"""Words that authors write for a keyword."""


def example(start: str, head: list[Token]) -> tuple[str, str] | None:
    """How to write the clause that begins like `head` inside a block of kind `start`, in both languages."""
    kinds = [token.type if token.type in KEYWORDS else "NAME" for token in head]
    if not kinds:
        return None
    if len(kinds) > 1 and kinds[0] in ("REPLACE", "ADD") and kinds[1] in PLACED:
        inside = EXAMPLES[PLACED[kinds[1]]]
        wanted = kinds[3] if len(kinds) > 3 and kinds[3] in inside else "NEED" if "NEED" in inside else "NAME"
        clause = inside.get(wanted) or next(iter(inside.values()))
        return _both(f"{spell(kinds[0], 'zh')} {spell(kinds[1], 'zh')}.{clause}")
    found = EXAMPLES.get(start, {}).get(kinds[0])
    return None if found is None else _both(found)


def home(kind: str) -> tuple[str, str] | None:
    """The block in which clauses starting with this keyword stand, as an author writes it."""
    for section, start in PLACED.items():
        if kind in EXAMPLES[start] and kind not in EXAMPLES["ruleset"]:
            return f"{spell(section, 'zh')} {{ … }}", f"{spell(section, 'en')} {{ … }}"
    for start, opener in (("price", "PRICE"), ("example", "EXAMPLE")):
        if kind in EXAMPLES[start]:
            return _named(opener)
    return _named("RULES") if kind in EXAMPLES["ruleset"] else None


def _named(opener: str) -> tuple[str, str]:
    return f"{spell(opener, 'zh')} … {{ … }}", f"{spell(opener, 'en')} … {{ … }}"


def in_english(text: str) -> str:
    """A line of a spec with English keywords and signs."""
    shown = text.replace("…", "'…'")
    style = Style("en", "en")
    tokens, _ = lex(Source("", shown))
    return style.text(tokens).replace("'…'", "…")


def _both(text: str) -> tuple[str, str]:
    return text, in_english(text)
