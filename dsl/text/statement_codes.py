"""Faults of statements: what they mix, or ask of what cannot answer it. They belong to the types."""

from __future__ import annotations

from .code import Code

STATEMENTS: dict[str, Code] = {
    "T017": Code(
        "error",
        "断言里把牌和摆法混在了一起",
        "the statement mixes tiles and arrangements",
        "一条断言要么只说手里的牌，要么只说一种摆法",
        "speak either of the tiles held or of one arrangement of them",
    ),
    "T019": Code(
        "error",
        "牌同牌比较（`{what}`）不说哪一手牌，只能写在 `算` 里",
        "tiles compared with tiles (`{what}`) speak of no hand and belong after `compute`",
        "例如 `断言 C-1 算 手 尔尔小生 - 小 = 尔尔生 答 真`",
        "for example `claim C-1 compute hand 尔尔小生 - 小 = 尔尔生 answer true`",
    ),
    "T020": Code(
        "error",
        "`整数` 之后只能比较数，`{what}` 说的是手牌",
        "after `integer` only numbers can be compared; `{what}` speaks of hands",
        "问手牌用 `存在` 或 `凡`",
        "ask about hands with `exists` or `every`",
    ),
    "T021": Code(
        "error",
        "`{what}` 只能用在说手里的牌的断言前",
        "`{what}` can only stand before a statement about the tiles held",
        "例如 `断言 C-1 摆 碰 凡 叫 满园滚 则 听 答 假`",
        "for example `claim C-1 laid 碰 every called 满园滚 then waiting answer false`",
    ),
    "T055": Code(
        "error",
        "断言里把差一张的手和成了的手混在了一起",
        "the statement mixes waiting hands and finished ones",
        "`听`、`叫` 这些说差一张的手，`能成` 说成了的手，分成两条写",
        "`waiting` and `called` speak of hands one tile short, `can_be` of finished ones: make two of it",
    ),
    "T065": Code(
        "error",
        "`{what}` 要看谁和、和了什么，只能写在 `存在`、`凡` 的断言里同数比较",
        "`{what}` depends on who wins with what: compare it in a statement with `exists` or `every`",
        "例如 `断言 C-1 凡 身 庄 且 和 则 收 庄 = 2 × 倍 + 2 答 真`",
        "for example `claim C-1 every role 庄 and win then gets 庄 = 2 * times + 2 answer true`",
    ),
    "T066": Code(
        "error",
        "`{what}` 不是分的一次式，或者情形太多，比不了",
        "`{what}` is not linear in the scores, or has too many cases to compare",
    ),
}
