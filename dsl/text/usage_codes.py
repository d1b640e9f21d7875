"""Messages about the call of a command."""

from __future__ import annotations

from .code import MEANT, Code

USAGE: dict[str, Code] = {
    "U001": Code("error", "没有叫 `{name}` 的游戏", "no game is called `{name}`", *MEANT),
    "U002": Code("error", "没有文件 `{path}`", "there is no file `{path}`", *MEANT),
    "U003": Code("error", "参数不对：{reason}", "bad argument: {reason}"),
    "U004": Code(
        "error",
        "`{rev}` 不是这里的 git 版本：{reason}",
        "`{rev}` is no git revision here: {reason}",
        "文件名里带冒号的，写成 `./{rev}:…`",
        "a file with a colon in its name is written `./{rev}:…`",
    ),
    "U005": Code("error", "版本 `{rev}` 里没有 `{path}`", "there is no `{path}` in revision `{rev}`", *MEANT),
}
