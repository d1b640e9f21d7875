"""What one message is: its weight and its words in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import Literal

Severity = Literal["error", "warning", "info"]
Lang = Literal["zh", "en"]

SEVERITIES: dict[Severity, tuple[str, str]] = {
    "error": ("错误", "error"),
    "warning": ("警告", "warning"),
    "info": ("提示", "note"),
}


@dataclass(frozen=True, slots=True)
class Code:
    """One message: one sentence in each language, advice only in the help."""

    severity: Severity
    zh: str
    en: str
    help_zh: str | None = None
    help_en: str | None = None

    def sentence(self, lang: Lang) -> str:
        """The template of the message."""
        return self.zh if lang == "zh" else self.en

    def advice(self, lang: Lang) -> str | None:
        """The template of the help, if there is any."""
        return self.help_zh if lang == "zh" else self.help_en


def fields(template: str) -> frozenset[str]:
    """The names of the values that `template` needs."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


MEANT = ("是不是想写 `{suggestion}`？", "did you mean `{suggestion}`?")
