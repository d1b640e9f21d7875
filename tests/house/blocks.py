"""The fenced blocks of our papers, and the small host that a fragment of a ruleset is put into."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\S[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

HOST = {
    "deck": "牌 { 房 上大人 丘乙己 化三千；每张 4；类 红 = 上大人；类 黑 = 非 红 }",
    "origins": "来路 { 他人 = 他摸 他打；手 起手 }",
    "seats": "座 { 庄 8；闲 7 × 2 }",
    "melds": (
        "牌型 { 句 a b c 作 1组；坎 a a a 作 1组；"
        "碰 a a a 作 1组 锁 其余 起手 { 摸：第三 他摸；打：第三 他打 }；"
        "对 a a 作 1对 待 a；口 a b 作 1口 待 c；单 a 作 1单 待 b c }"
    ),
    "price": "价 分 { 句 2；坎 4；碰 3；对 1 }",
    "win": "和 { 形 2组 1对；须 起和：分 ≥ 3 }",
    "false_win": "诈和 { 当 不和：非 和 }",
    "names": "名 { 叠法 最高；小分：分 ≤ 4 }",
    "payment": "支付 { 和：每家 付 当家 分 × 倍；诈和：当家 付 每家 1 }",
    "waits": "落叫 { 双碰 1组 2对 等 对；单钓 2组 1单 等 单 }",
    "rules": "选项 人数 3 | 2；境 首张：否 是；若 人数 = 2 { 改 座.闲 7 }",
}
"""A whole game in one line a section. A fragment takes the place of its section."""

NEEDS_PRICES = ("price", "names", "payment", "waits", "false_win")
"""Left out around a fragment of melds, whose prices nobody knows."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: the file and line it starts at, the words after the fence, and its text."""

    file: str
    line: int
    info: str
    text: str

    @property
    def language(self) -> str:
        return self.info.split()[0]

    @property
    def fragment(self) -> str:
        """The section this is a piece of; empty for a whole ruleset."""
        found = re.search(r"fragment:(\w+)", self.info)
        return found[1] if found else ""

    @property
    def spec(self) -> str:
        """The text of a `.pai` file that holds the block."""
        return wrapped(self.fragment, self.text) if self.fragment else self.text

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def blocks(path: Path, *languages: str) -> list[Block]:
    """The fenced blocks of a Markdown file, all or those of the given languages."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT).as_posix()
    found = [
        Block(name, text.count("\n", 0, m.start()) + 1, m[1].strip(), m[2]) for m in FENCE.finditer(text)
    ]
    return [b for b in found if not languages or b.language in languages]


def wrapped(section: str, text: str) -> str:
    """A fragment inside the host: as its section, or beside the sections for `rules`."""
    parts = dict(HOST)
    if section == "melds":
        units = dict.fromkeys(re.findall(r"\d+(?:组|对|单|口|句|set|pair)", text))
        parts = {k: v for k, v in parts.items() if k not in NEEDS_PRICES}
        parts["win"] = f"和 {{ 形 {next(iter(units))} }}"
    if section == "rules":
        return "\n".join(["规则 底子 {", *parts.values(), "}", "规则 片段 继承 底子 {", text, "}"])
    opener = parts[section].partition("{")[0]
    parts[section] = f"{opener}{{\n{text}}}"
    return "\n".join(["规则 片段 {", *parts.values(), "}"])
