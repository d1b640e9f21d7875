"""Messages about wild tiles in a deck, and about what cannot be asked of them."""

from __future__ import annotations

from .code import Code

WILDS: dict[str, Code] = {
    "T052": Code(
        "error",
        "`{name}` 没有另外的牌，刻去哪张也换不出它来",
        "`{name}` has no tiles of its own to take the place of those that are cut",
        "写 `赖 {name} 每张 4 去 刻赖 4`",
        "write `wild {name} copies 4 cut 刻赖 4`",
    ),
    "T053": Code(
        "error",
        "一种牌只有 {least} 张，去不了 {gone} 张",
        "there are {least} of a tile, so {gone} cannot be out of play",
    ),
    "T074": Code(
        "error",
        "`{name}` 随翻出的牌而定，房里的牌就要一样多：`{few}` {least} 张，`{many}` {most} 张",
        "`{name}` follows the tile turned up, so tiles of groups need as many copies each: there are {least} "
        "of `{few}` and {most} of `{many}`",
        "把张数写成一样；张数不同的牌不放在房里，写成 `散牌`",
        "give them the same copies, or make a tile with others `loose`",
    ),
    "T075": Code(
        "error",
        "`{wild}` 顶哪张都行，说不定在哪个牌型里，`凡 型` 里问不得",
        "`{wild}` stands for any tile and lies in no certain meld, so `every meld` cannot ask about it",
        "写在 `凡 型` 外面，问整手的",
        "ask it of the whole hand, outside `every meld`",
    ),
    "T050": Code(
        "error",
        "`{meld}` 在两处 `入` 里，限的张数不一样",
        "`{meld}` stands after two `in` with different limits",
    ),
}
