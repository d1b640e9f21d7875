"""Messages about a record of play. They are findings: the record can be read, but somebody broke a rule."""

from __future__ import annotations

from .code import Code

PLAY: dict[str, Code] = {
    "R001": Code(
        "error",
        "记录里这一行读不懂：`{line}`",
        "this line of the record cannot be read: `{line}`",
        "这里可以写：{possible}",
        "here may stand: {possible}",
    ),
    "R002": Code(
        "error",
        "{seat} 不能这样：{action}，不合 `{rule}`",
        "{seat} may not do this: {action}, against `{rule}`",
    ),
    "R003": Code(
        "error",
        "{seat} 该做没做：{action}，不合 `{rule}`",
        "{seat} had to do something and did not: {action}, against `{rule}`",
    ),
    "R004": Code(
        "error",
        "{seat} 犯了 `{breach}`：{action}{against}，{penalty}",
        "{seat} committed `{breach}`: {action}{against}, {penalty}",
    ),
    "R005": Code(
        "error",
        "记的是 `{found}`，照规则是 `{expected}`",
        "the record says `{found}`, the rules `{expected}`",
    ),
    "R006": Code(
        "warning",
        "这份记录照的是另一版规则（{found}，现在是 {expected}）",
        "the record was made under another version of the rules ({found}, now {expected})",
    ),
    "R007": Code("error", "`{game}` 没有写 `流程`，打不成", "`{game}` has no `flow` and cannot be played"),
    "R008": Code("warning", "记录没有打完", "the record stops before the deal is over"),
    "R009": Code("error", "记录缺少 `{part}`", "the record has no `{part}`"),
    "R010": Code(
        "error",
        "`{tile}` 应有 {expected} 张，记录里发了、铺了 {found} 张",
        "there are {expected} of `{tile}`, the record deals and stocks {found}",
    ),
    "R011": Code(
        "error",
        "{seat} 发了 {found} 张，应有 {expected} 张",
        "{seat} is dealt {found} tiles instead of {expected}",
    ),
    "R012": Code(
        "error",
        "{seat} 发了 {found} 张，应有 {expected} 张，犯了 `{breach}`：{penalty}",
        "{seat} is dealt {found} tiles instead of {expected} and committed `{breach}`: {penalty}",
    ),
}
