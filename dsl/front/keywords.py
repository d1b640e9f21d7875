"""Every keyword once, with its Chinese and its English spelling. A new spelling is one edit here."""

from __future__ import annotations

import re

KEYWORDS: dict[str, tuple[str, str]] = {
    # a file's frame
    "RULES": ("规则", "rules"),
    "TEMPLATE": ("底本", "template"),
    "EXTENDS": ("继承", "extends"),
    "SOURCES": ("出处", "sources"),
    "OPTION": ("选项", "option"),
    "READING": ("读法", "reading"),
    "DEFAULT": ("默认", "default"),
    "FORBID": ("不许", "forbid"),
    "WARN": ("警告", "warn"),
    "IF": ("若", "if"),
    "CITES": ("依", "cites"),
    "UNMODELLED": ("未建模", "unmodelled"),
    "TO": ("至", "to"),
    "BECAUSE": ("因为", "because"),
    # deltas
    "REPLACE": ("改", "replace"),
    "ADD": ("加", "add"),
    "REMOVE": ("删", "remove"),
    "RETUNE": ("调", "retune"),
    "WAIVE": ("豁免", "waive"),
    # deck, origins, seats
    "DECK": ("牌", "deck"),
    "GROUP": ("房", "group"),
    "LOOSE": ("散牌", "loose"),
    "COPIES": ("每张", "copies"),
    "CLASS": ("类", "class"),
    "VALUE": ("值", "value"),
    "WILD": ("赖", "wild"),
    "MARK": ("标", "mark"),
    "FOLLOWS": ("随", "follows"),
    "OUT": ("出局", "out"),
    "CUT": ("去", "cut"),
    "NEVER_IN": ("不入", "never_in"),
    "WITHIN": ("限张", "within_copies"),
    "ORIGINS": ("来路", "origins"),
    "HAND": ("手", "hand"),
    "SEATS": ("座", "seats"),
    "PARAMETER": ("境", "context"),
    # melds and prices
    "MELDS": ("牌型", "melds"),
    "AS": ("作", "as"),
    "LOCKED": ("锁", "locked"),
    "ALL": ("皆", "all"),
    "REST": ("其余", "rest"),
    "AWAITS": ("待", "awaits"),
    "ALIAS": ("又名", "alias"),
    "WHERE": ("当", "where"),
    "ACROSS": ("跨房", "across"),
    "EXTRA": ("补", "draws"),
    "GROWS": ("成", "grows"),
    "PRICE": ("价", "price"),
    "COLUMNS": ("列", "columns"),
    "OVER": ("代", "over"),
    "MISSING": ("缺", "missing"),
    "PER_TILE": ("逐张", "per_tile"),
    # judgements
    "WIN": ("和", "win"),
    "FALSE_WIN": ("诈和", "false_win"),
    "DRAW": ("流局", "drawn"),
    "SHAPE": ("形", "shape"),
    "SIZE": ("张数", "hand_size"),
    "UNLIMITED": ("不限", "unlimited"),
    "LAST": ("末张", "last"),
    "NEED": ("须", "need"),
    "UNLESS": ("除非", "unless"),
    "CHOOSE": ("取", "choose"),
    "PAYMENT": ("支付", "payment"),
    "SCORE": ("分数", "score"),
    "REGROUP": ("重组", "regroup"),
    "UNLOCKED": ("未锁", "unlocked"),
    "NAMES": ("名", "names"),
    "TIMES": ("倍", "times"),
    "UNCALLED": ("自计", "uncalled"),
    "STACKING": ("叠法", "stacking"),
    "HIGHEST": ("最高", "highest"),
    "PRODUCT": ("相乘", "product"),
    "SUM": ("相加", "sum"),
    "PAYS": ("付", "pays"),
    "EACH": ("每家", "each"),
    "ACTOR": ("当家", "actor"),
    "OTHER": ("别的", "other"),
    "PER_FULL": ("每满", "per_full"),
    "DOUBLED": ("翻倍", "doubled"),
    "WAITS": ("落叫", "waits"),
    "ON": ("等", "on"),
    # the table
    "FLOW": ("流程", "flow"),
    "RESERVE": ("留底", "reserve"),
    "REVEAL": ("揭", "reveal"),
    "OPENING": ("开局", "opening"),
    "TURN": ("轮", "turn"),
    "TURN_UP": ("翻开", "turn_up"),
    "TAKE": ("摸牌", "take"),
    "DISCARD": ("弃牌", "discard"),
    "INTO_HAND": ("入手", "into_hand"),
    "ANNOUNCE": ("宣", "announce"),
    "RESPOND": ("应", "respond"),
    "VETO": ("禁", "off_limits"),
    "MUST": ("必", "must"),
    "MAY": ("许", "may"),
    "SELF": ("本家", "self"),
    "NEXT": ("下家", "next"),
    "ANYONE": ("任家", "anyone"),
    "JOIN": ("接", "joining"),
    "KEEPS": ("不打", "keeps"),
    "ORDER": ("先后", "order"),
    "TIE": ("同级", "tie"),
    "NEAREST": ("最近", "nearest"),
    "BAN": ("不得", "barred"),
    "YIELDS": ("可让", "yields"),
    "BREACH": ("犯", "breach"),
    "PLAY_ON": ("照打", "play_on"),
    "NEXT_DEALER": ("下庄", "next_dealer"),
    "SAME_DEALER": ("连庄", "same_dealer"),
    "MORE": ("多出", "more"),
    "FEWER": ("少了", "fewer"),
    "BEYOND": ("除开", "beyond"),
    "ONLY": ("只有", "only"),
    "THIS": ("这张", "this"),
    "SAME_FACE": ("同张", "same_face"),
    "TAKEN": ("已应", "taken"),
    "EXPOSED": ("已摆", "exposed"),
    "NOTHING_LEFT": ("打光", "nothing_left"),
    "FIRST_DISCARD": ("首打", "first_discard"),
    "FIRST_TURN": ("首翻", "first_turn"),
    # tricks
    "RANKS": ("大小", "ranks"),
    "LED": ("出", "led"),
    "BEATEN_BY": ("盖", "beaten_by"),
    "UNBEATEN_BY": ("不盖", "unbeaten_by"),
    # conditions
    "AND": ("且", "and"),
    "OR": ("或", "or"),
    "NOT": ("非", "not"),
    "HAS": ("有", "some"),
    "NONE": ("无", "none"),
    "TRUE": ("真", "true"),
    "FALSE": ("假", "false"),
    "EVERY": ("凡", "every"),
    "HELD": ("有牌", "held"),
    "UNIT": ("型", "meld"),
    "ROLE": ("身", "role"),
    "IN": ("入", "in"),
    "IN_PLACE": ("归位", "in_place"),
    "COUNT": ("数", "count"),
    "POSITION": ("位", "position"),
    "KINDS_OF": ("几种", "kinds_of"),
    "WHOLE_DECK": ("全副", "whole_deck"),
    "MOD": ("模", "mod"),
    "AT": ("于", "at"),
    "MISNAMED": ("错名", "misnamed"),
    # examples and statements
    "EXAMPLE": ("例", "example"),
    "LAID": ("摆", "laid"),
    "DECLARE": ("报", "declare"),
    "PRINTED": ("原文", "printed"),
    "VERDICT": ("判", "verdict"),
    "EVERY_SCORE": ("诸分", "all_scores"),
    "CLAIM": ("断言", "claim"),
    "EXISTS": ("存在", "exists"),
    "THEN": ("则", "then"),
    "ANSWER": ("答", "answer"),
    "COMPUTE": ("算", "compute"),
    "INTEGER": ("整数", "integer"),
    "CHECK": ("验", "check"),
    "WAITING": ("听", "waiting"),
    "CALLED": ("叫", "called"),
    "CAN_BE": ("能成", "can_be"),
    "WAIT_WINS": ("听和", "waits_win"),
    "WAIT_FAILS": ("听诈", "waits_false"),
    "WAIT_FACES": ("听面", "wait_faces"),
}

PUNCTUATION: dict[str, tuple[str, str]] = {
    "LBRACE": ("{", "{"),
    "RBRACE": ("}", "}"),
    "LPAR": ("（", "("),
    "RPAR": ("）", ")"),
    "SEMI": ("；", ";"),
    "COLON": ("：", ":"),
    "COMMA": ("，", ","),
    "BAR": ("|", "|"),
    "DOT": (".", "."),
    "ARROW": ("→", "->"),
    "EQ": ("=", "="),
    "NE": ("≠", "!="),
    "GE": ("≥", ">="),
    "LE": ("≤", "<="),
    "GT": (">", ">"),
    "LT": ("<", "<"),
    "PLUS": ("+", "+"),
    "MINUS": ("-", "-"),
    "TIMES_SIGN": ("×", "*"),
    "MANY": ("…", "..."),
}

OF_THE_TABLE = frozenset(
    (
        *("RESERVE", "REVEAL", "OPENING", "TURN", "TURN_UP", "TAKE", "DISCARD", "INTO_HAND", "ANNOUNCE"),
        *("RESPOND", "VETO", "MUST", "MAY", "SELF", "NEXT", "ANYONE", "JOIN", "KEEPS", "ORDER", "TIE"),
        *("NEAREST", "BAN", "YIELDS", "BREACH", "PLAY_ON", "NEXT_DEALER", "SAME_DEALER", "MORE", "FEWER"),
        *("BEYOND", "ONLY", "THIS", "TAKEN", "EXPOSED", "NOTHING_LEFT", "FIRST_DISCARD", "FIRST_TURN"),
    )
)
"""Keywords in clauses of 流程 and names everywhere else."""

SPELLINGS: dict[str, str] = {word: key for key, pair in KEYWORDS.items() for word in pair}
"""Every spelling to its keyword."""

LANGUAGES = ("zh", "en")


def spell(key: str, lang: str) -> str:
    """The spelling of keyword `key` (such as `WIN`) in `lang` (`zh` or `en`)."""
    return KEYWORDS[key][LANGUAGES.index(lang)]


def glued(word: str) -> str | None:
    """`word` with a space put where a keyword is glued to it, or None (`除非素符` → `除非 素符`).

    Only Chinese keywords of two characters or more at the start count, and single characters that
    stand before a condition: shorter ones begin too many honest names.
    """
    ordinal = re.match(r"(第[一二三四五六七八九十]|第\d+)(\D.*)", word)
    if ordinal is not None:
        return f"{ordinal[1]} {ordinal[2]}"
    for key, (zh, _) in sorted(KEYWORDS.items(), key=lambda item: -len(item[1][0])):
        long_enough = len(zh) >= 2 or key in {"NONE", "HAS", "NOT", "EVERY", "CITES", "NEED", "IF"}
        if long_enough and word.startswith(zh) and len(word) > len(zh):
            return f"{zh} {word[len(zh) :]}"
    return None
